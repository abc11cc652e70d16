"""The equivalent inertia ellipsoid: the uniform ellipsoid that has a body's mass and inertia tensor.

It is what the tensor looks like: it stands at the centre of mass, along the principal axes, and it is long where the
body is. A uniform ellipsoid of mass m with semi-axes a, b, c has I_1 = m (b^2 + c^2) / 5 and cyclically, so that

    a^2 = 5 (I_2 + I_3 - I_1) / (2 m)        and cyclically.

The longest semi-axis lies along the axis of the smallest moment. In the plane, a uniform ellipse has the second
moment m a^2 / 4 along its semi-axis a.

Source: L. D. Landau, E. M. Lifshitz, Mechanics, 3rd edition, 32, problem 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.surface import Floats

TRIANGLE_TOLERANCE = 1e-9
"""By how much of the largest moment the two others may fail to reach it: the round-off of a flat body."""


class EllipsoidError(ValueError):
    """No ellipsoid has such a mass and such moments."""


@dataclass(frozen=True, eq=False)
class InertiaEllipsoid:
    """A uniform ellipsoid with the mass and the inertia tensor of a body.

    Parameters
    ----------
    mass : float
        M.
    center : ndarray, shape (3,)
        Centre of mass; L.
    axes : ndarray, shape (3, 3)
        Principal axes as columns.
    semi_axes : ndarray, shape (3,)
        Along these axes, in their order: descending where the moments ascend; L.
    """

    mass: float
    center: Floats
    axes: Floats
    semi_axes: Floats

    @classmethod
    def of(cls, mass: float, center: ArrayLike, moments: ArrayLike, axes: ArrayLike) -> InertiaEllipsoid:
        """The ellipsoid of a body with the given mass properties.

        Parameters
        ----------
        mass : float
            M.
        center : array_like, shape (3,)
            Centre of mass; L.
        moments : array_like, shape (3,)
            Principal moments about the centre of mass, in the order of the axes; M L^2.
        axes : array_like, shape (3, 3)
            Principal axes as columns.

        Raises
        ------
        EllipsoidError
            See `semi_axes`.

        Examples
        --------
        A box of 2 x 4 x 6 of mass 12; its ellipsoid is longer than half the box by sqrt(5 / 3):

        >>> box = InertiaEllipsoid.of(12, [0, 0, 0], [52, 40, 20], np.eye(3))
        >>> (box.semi_axes / [1, 2, 3]).round(12).tolist()
        [1.290994448736, 1.290994448736, 1.290994448736]
        >>> box.moments.round(12).tolist()
        [52.0, 40.0, 20.0]
        """
        semi = semi_axes(mass, moments)
        return cls(float(mass), np.asarray(center, np.float64), np.asarray(axes, np.float64), semi)

    @property
    def moments(self) -> Floats:
        """Principal moments m (b^2 + c^2) / 5 and cyclically, shape (3,); M L^2."""
        squares = self.semi_axes**2
        moments: Floats = self.mass / 5 * (squares.sum() - squares)
        return moments

    def section(self, axis: int, count: int = 96) -> Floats:
        """The principal section at right angles to an axis, an ellipse.

        Parameters
        ----------
        axis : int
            0, 1 or 2.
        count : int
            Number of points.

        Returns
        -------
        ndarray, shape (count, 3)
            Points around the ellipse, the last one distinct from the first; length.
        """
        angle = np.linspace(0.0, 2.0 * math.pi, count, endpoint=False)
        local = np.zeros((count, 3))
        local[:, (axis + 1) % 3] = np.cos(angle)
        local[:, (axis + 2) % 3] = np.sin(angle)
        points: Floats = self.center + (local * self.semi_axes) @ self.axes.T
        return points


def semi_axes(mass: float, moments: ArrayLike) -> Floats:
    """Semi-axes of the uniform ellipsoid of a mass and three principal moments.

    Parameters
    ----------
    mass : float
        M.
    moments : array_like, shape (3,)
        About the centre of mass; M L^2.

    Returns
    -------
    ndarray, shape (3,)
        In the order of the moments; L. Zero across a body so flat that only round-off is left of its thickness.

    Raises
    ------
    EllipsoidError
        The mass is not positive; a moment is negative; one exceeds the sum of the two others; or a number is not
        finite.

    Examples
    --------
    >>> semi_axes(5.0, [13.0, 10.0, 5.0]).round(12).tolist()
    [1.0, 2.0, 3.0]
    """
    values = _checked(mass, moments)
    largest = max(values)
    if largest == 0.0:
        return np.zeros(3)
    x, y, z = (value / largest for value in values)
    twice_squares = np.array([math.fsum(terms) for terms in ((y, z, -x), (z, x, -y), (x, y, -z))])
    if twice_squares.min() < -TRIANGLE_TOLERANCE:
        raise EllipsoidError(
            f"moments {_told(values)}: the largest exceeds the sum of the two others; no body has such moments, "
            "check units and signs of the tensor"
        )
    squares = 2.5 * np.maximum(twice_squares, 0.0)
    semi: Floats = np.sqrt(squares) * (math.sqrt(largest) / math.sqrt(mass))
    return semi


def _checked(mass: float, moments: ArrayLike) -> list[float]:
    values = np.asarray(moments, np.float64)
    if values.shape != (3,):
        raise EllipsoidError(f"moments of shape {values.shape}; give three numbers")
    told = _told(values.tolist())
    if not (math.isfinite(mass) and np.isfinite(values).all()):
        raise EllipsoidError(f"mass {mass:.6g}, moments {told}: all must be finite")
    if mass <= 0:
        raise EllipsoidError(f"mass {mass:.6g}: it must be positive")
    if values.min() < -TRIANGLE_TOLERANCE * values.max():
        raise EllipsoidError(f"moments {told}: none can be negative; check the signs of the tensor")
    return [max(value, 0.0) for value in values.tolist()]


def _told(values: list[float]) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in values) + ")"


@dataclass(frozen=True, eq=False)
class InertiaEllipse:
    """A uniform ellipse with the mass and the second moments of a plane section.

    Parameters
    ----------
    center : ndarray, shape (2,)
        Centroid; L.
    angle : float
        Direction of the longer semi-axis from the u axis, anticlockwise; radians.
    semi_axes : ndarray, shape (2,)
        The longer one and the shorter one; L.
    """

    center: Floats
    angle: float
    semi_axes: Floats

    @classmethod
    def of(cls, mass: float, center: ArrayLike, moments: ArrayLike, angle: float) -> InertiaEllipse:
        """The ellipse of a section with the given properties.

        Parameters
        ----------
        mass : float
            Density times area; M L^-1.
        center : array_like, shape (2,)
            Centroid; L.
        moments : array_like, shape (2,)
            Principal second moments, ascending: the integrals of the squared distance ALONG the short and the long
            axis, times the density; M L.
        angle : float
            Direction of the long axis; radians.

        Raises
        ------
        EllipsoidError
            The mass is not positive, a moment is negative, or a number is not finite.

        Examples
        --------
        A unit disc, density 1:

        >>> InertiaEllipse.of(math.pi, [0, 0], [math.pi / 4, math.pi / 4], 0.0).semi_axes.tolist()
        [1.0, 1.0]
        """
        small, large = np.asarray(moments, np.float64).tolist()
        _checked(mass, [small, large, 0.0])
        semi = [2.0 * math.sqrt(max(value, 0.0)) / math.sqrt(mass) for value in (large, small)]
        return cls(np.asarray(center, np.float64), float(angle), np.array(semi))

    @property
    def axes(self) -> Floats:
        """Unit vectors of the longer and the shorter semi-axis as columns, shape (2, 2)."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return np.array([[c, -s], [s, c]])

    def outline(self, count: int = 180) -> Floats:
        """Points around the ellipse, shape (count, 2), the last one distinct from the first; length."""
        turn = np.linspace(0.0, 2.0 * math.pi, count, endpoint=False)
        points: Floats = self.center + (np.column_stack([np.cos(turn), np.sin(turn)]) * self.semi_axes) @ self.axes.T
        return points
