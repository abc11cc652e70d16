"""Inertia and angular momentum of points and bodies: the identities that tie them together.

[r] is the matrix of the cross product, [r] x = r x x. All vectors of one call are in the same axes.

Source: H. Goldstein, Classical Mechanics, 3rd edition, chapter 5; R. Featherstone, Rigid Body Dynamics Algorithms,
2008, 2.13.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.checked import FrameError, checked, fitting
from massprops.core.frames import checked_inertia
from massprops.core.surface import Floats


def skew(r: ArrayLike) -> Floats:
    """The matrix [r] of the cross product, shape (3, 3): ``skew(r) @ x`` is r x x.

    Examples
    --------
    >>> skew([1, 2, 3]) @ [0, 0, 1]
    array([ 2., -1.,  0.])
    """
    x, y, z = checked("r", r, 3)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _checked_mass(mass: float) -> float:
    m = float(checked("mass", mass))
    if m < 0:
        raise FrameError(f"mass: {m:g}; it must not be negative")
    return m


def point_mass_inertia(mass: float, r: ArrayLike) -> Floats:
    """Inertia tensor of a point mass about the origin, I = -m [r][r] = m (r.r 1 - r r^T).

    Parameters
    ----------
    mass : float
        m >= 0.
    r : array_like, shape (3,)
        Where it is, from the origin; length.

    Returns
    -------
    ndarray, shape (3, 3)
        Off-diagonals are minus the products of inertia; mass length^2.

    Raises
    ------
    FrameError
        The mass is negative, or a number is not finite.

    Examples
    --------
    >>> point_mass_inertia(2, [0, 0, 3])
    array([[18.,  0.,  0.],
           [ 0., 18.,  0.],
           [ 0.,  0.,  0.]])
    """
    m = _checked_mass(mass)
    arm = checked("r", r, 3)
    with np.errstate(over="ignore", invalid="ignore"):
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = m * np.outer(arm, arm)
        # The diagonal as sums of squares, not as r.r minus one of them: nothing cancels.
        tensor = np.array([[yy + zz, -xy, -xz], [-xy, zz + xx, -yz], [-xz, -yz, xx + yy]])
    return fitting("inertia", tensor + 0.0)  # + 0.0: no negative zeros


def parallel_axes(inertia: ArrayLike, mass: float, offset: ArrayLike) -> Floats:
    """The tensor about another point, from the one about the CENTRE OF MASS (Huygens-Steiner): I - m [d][d].

    Parameters
    ----------
    inertia : array_like, shape (3, 3)
        About the centre of mass; mass length^2.
    mass : float
        m >= 0.
    offset : array_like, shape (3,)
        d, from the centre of mass to the point or the other way round; length.

    Returns
    -------
    ndarray, shape (3, 3)
        About the point, in the same axes.

    Raises
    ------
    FrameError
        The tensor is not symmetric, the mass is negative, or a number is not finite.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return fitting("inertia", checked_inertia(inertia) + point_mass_inertia(mass, offset))


def angular_momentum(inertia: ArrayLike, omega: ArrayLike) -> Floats:
    """L = I w about the centre of mass, shape (3,); mass length^2 / time.

    Parameters
    ----------
    inertia : array_like, shape (3, 3)
        About the centre of mass.
    omega : array_like, shape (3,)
        Angular velocity, in the same axes; 1 / time.

    Raises
    ------
    FrameError
        The tensor is not symmetric, a number is not finite, or the result does not fit a float64.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return fitting("momentum", checked_inertia(inertia) @ checked("omega", omega, 3))


def angular_momentum_about(
    point: ArrayLike, mass: float, center: ArrayLike, velocity: ArrayLike, momentum: ArrayLike
) -> Floats:
    """L about a point at rest: L_P = L + (c - P) x m v (Koenig).

    Parameters
    ----------
    point : array_like, shape (3,)
        P; length.
    mass : float
        m >= 0.
    center : array_like, shape (3,)
        c, the centre of mass; length.
    velocity : array_like, shape (3,)
        v, of the centre of mass; length / time.
    momentum : array_like, shape (3,)
        L about the centre of mass, from `angular_momentum`.

    Returns
    -------
    ndarray, shape (3,)
        Mass length^2 / time.

    Raises
    ------
    FrameError
        The mass is negative, or a number is not finite.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        arm = checked("center", center, 3) - checked("point", point, 3)
        linear = _checked_mass(mass) * checked("velocity", velocity, 3)
        return fitting("momentum", checked("momentum", momentum, 3) + np.cross(arm, linear))


def rotational_energy(inertia: ArrayLike, omega: ArrayLike) -> float:
    """T = w . I w / 2 of a turning body, without that of its centre; mass length^2 / time^2. Raises as above."""
    with np.errstate(over="ignore", invalid="ignore"):
        twice = angular_momentum(inertia, omega) @ checked("omega", omega, 3)
    return float(fitting("energy", twice / 2))
