"""Section properties from area moments: centroid, second moments, principal axes, radii of gyration, section moduli.

All quantities are those of the region itself, per unit depth. The second moments are of AREA (times density), not
inertias about the axes: I_vv = int v^2 dA is what a beam engineer calls the second moment for bending about the u
axis. Arithmetic is rational until the results are rounded, once each, but for square roots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from massprops.core.area_moments import AreaMoments
from massprops.core.curve import Curve
from massprops.core.exact_numbers import Numbers, Rationals, exact_array, positive, rationals
from massprops.core.frozen import Frozen
from massprops.core.inertia import OUT_OF_RANGE, SMALLEST
from massprops.core.notice import Notice
from massprops.core.section import SectionIntegrals
from massprops.core.surface import Floats
from massprops.errors import NonFinite

EQUAL_MOMENTS = 1e-9
"""Principal moments closer than this fraction of the larger one count as equal: then no axis is the long one."""

_ANGLE_NOISE = 1e-14
"""An angle this close to -pi / 2 is reported as pi / 2, the same axis, whatever the sign of its round-off."""


@dataclass(frozen=True, eq=False)
class SectionModuli(Frozen):
    """Elastic section moduli: second moment of area over the distance of the outermost fibre from the centroid.

    Each is a pair: for the fibre on the negative side of the axis of bending, and on its positive side; length^3.
    Density does not enter.

    Parameters
    ----------
    about_u : ndarray, shape (2,)
        Bending about the u axis: int v^2 dA over the depth below and above the centroid.
    about_v : ndarray, shape (2,)
        Bending about the v axis: int u^2 dA over the width left and right of the centroid.
    about_long : ndarray, shape (2,)
        Bending about the long principal axis: the smaller second moment, over the distances to the right and to the
        left of it, seen along ``principal_angle``.
    about_short : ndarray, shape (2,)
        Bending about the short principal axis: the larger second moment, over the distances behind and ahead.
    """

    about_u: Floats
    about_v: Floats
    about_long: Floats
    about_short: Floats


@dataclass(frozen=True, eq=False)
class SectionProperties(Frozen):
    """Properties of a plane region of uniform density, per unit depth.

    Parameters
    ----------
    density : float
        M L^-3.
    mass : float
        Density times area, per unit depth; M L^-1.
    area : float
        L^2.
    center : ndarray, shape (2,)
        Centroid; L.
    second_moments : ndarray, shape (3,)
        density times [int u^2 dA, int v^2 dA, int u v dA], about the centroid; M L.
    polar_moment : float
        I_uu + I_vv, the inertia per unit depth against rotation in the plane; M L.
    principal_moments : ndarray, shape (2,)
        Eigenvalues of [[I_uu, I_uv], [I_uv, I_vv]], ascending; M L.
    principal_angle : float
        Direction of the axis of the larger one, the long axis of the section, from the u axis anticlockwise, in
        (-pi / 2, pi / 2]; 0 where the moments are equal; radians.
    equal_moments : bool
        Whether the principal moments are equal to noise, so that every axis is a principal one.
    radii_of_gyration : ndarray, shape (3,)
        sqrt(int u^2 dA / A), sqrt(int v^2 dA / A), and the polar one; L.
    about : ndarray, shape (2,), or None
        A point of the caller's choice; L.
    second_moments_about, polar_moment_about : ndarray, shape (3,), and float; or None
        The same about that point; M L.
    perimeter : float or None
        Length of all loops; L.
    bounds : ndarray, shape (2, 2), or None
        Lower and upper corner of the bounding box; L.
    section_moduli : SectionModuli or None
        Where the curve is known.
    warnings : tuple of Notice
        What should be known beside the numbers, such as ``overlap``, from `massprops.section_properties`.

    All arrays are read-only.
    """

    density: float
    mass: float
    area: float
    center: Floats
    second_moments: Floats
    polar_moment: float
    principal_moments: Floats
    principal_angle: float
    equal_moments: bool
    radii_of_gyration: Floats
    about: Floats | None = None
    second_moments_about: Floats | None = None
    polar_moment_about: float | None = None
    perimeter: float | None = None
    bounds: Floats | None = None
    section_moduli: SectionModuli | None = None
    warnings: tuple[Notice, ...] = ()

    @classmethod
    def of(
        cls,
        moments: AreaMoments,
        density: Numbers = 1,
        about: Numbers | None = None,
        curve: Curve | None = None,
        integrals: SectionIntegrals | None = None,
    ) -> SectionProperties:
        """Properties of a region with the given moments and density.

        Parameters
        ----------
        moments : AreaMoments
            Of positive area.
        density : number
            M L^-3.
        about : sequence of two numbers, optional
            A point for a second set of second moments; L.
        curve : Curve, optional
            The region's boundary, in the same coordinates as ``moments``, for the section moduli.
        integrals : SectionIntegrals, optional
            Of that curve, for perimeter and bounds.

        Raises
        ------
        NonFinite
            A result is too large for a float64, or so small that it loses digits.

        Examples
        --------
        >>> twelfth = Fraction(1, 12)
        >>> found = SectionProperties.of(AreaMoments.of(2, [0, 0], [[8 * twelfth, 0], [0, 2 * twelfth]]), density=3)
        >>> found.mass, found.second_moments.tolist(), found.polar_moment, found.principal_angle
        (6.0, [2.0, 0.5, 0.0], 2.5, 0.0)
        """
        rho, center, central = positive(density, "density"), moments.center, moments.central_second
        point = None if about is None else exact_array(about, (2,), "about")
        polar = central[0, 0] + central[1, 1]
        if 0 < min(rho * moments.area, rho * polar) < SMALLEST:
            raise NonFinite(OUT_OF_RANGE.format("small", "smaller"))
        try:
            small, large, angle = principal_values(central)
            equal = large - small <= EQUAL_MOMENTS * large
            uu, vv = float(central[0, 0]), float(central[1, 1])
            squares = [float(value / moments.area) for value in (central[0, 0], central[1, 1], polar)]
            around = None if point is None else rho * moments.about(point).second
            return cls(
                density=float(rho),
                mass=float(rho * moments.area),
                area=float(moments.area),
                center=_floats(center),
                second_moments=_triple(rho * central),
                polar_moment=float(rho * polar),
                principal_moments=_floats(rationals([small, large]) * rho),
                principal_angle=0.0 if equal else angle,
                equal_moments=equal,
                radii_of_gyration=np.sqrt(np.maximum(squares, 0.0)),
                about=None if point is None else _floats(point),
                second_moments_about=None if around is None else _triple(around),
                polar_moment_about=None if around is None else float(around[0, 0] + around[1, 1]),
                perimeter=None if integrals is None else integrals.perimeter,
                bounds=None if integrals is None else integrals.bounds,
                section_moduli=None
                if curve is None
                else _moduli(curve, center, (uu, vv, small, large), 0.0 if equal else angle),
            )
        except OverflowError:
            message = "a result is too large for double precision; give the size in a larger unit, or --resize_factor"
            raise NonFinite(message) from None


def principal_values(second: Rationals) -> tuple[float, float, float]:
    """Eigenvalues, ascending, and direction of the second one, of a symmetric 2 x 2 matrix of fractions.

    The larger one is (trace + root) / 2 and the smaller one det / larger, with trace, determinant and the square of
    the root exact: both are right to round-off, however unequal they are.

    Examples
    --------
    >>> principal_values(rationals([[2, 1], [1, 2]])) == (1.0, 3.0, math.pi / 4)
    True
    """
    uu, vv, uv = second[0, 0], second[1, 1], second[0, 1]
    scale = max(abs(uu), abs(vv), abs(uv))
    if scale == 0:
        return 0.0, 0.0, 0.0
    x, y = float((uu - vv) / scale), float(2 * uv / scale)
    root = math.sqrt(float(((uu - vv) ** 2 + 4 * uv * uv) / scale**2))
    large = (float((uu + vv) / scale) + root) / 2
    small = float((uu * vv - uv * uv) / scale**2) / large
    angle = math.atan2(y, x) / 2
    if angle <= -math.pi / 2 + _ANGLE_NOISE:
        angle = math.pi / 2
    return _product(small, scale), _product(large, scale), angle + 0.0


def _product(value: float, scale: Fraction) -> float:
    return float(Fraction(value) * scale)


def _moduli(
    curve: Curve, center: Rationals, values: tuple[float, float, float, float], angle: float
) -> SectionModuli:
    uu, vv, small, large = values
    if angle == math.pi / 2:
        along, across = np.array([0.0, 1.0]), np.array([-1.0, 0.0])
    else:
        along = np.array([math.cos(angle), math.sin(angle)])
        across = np.array([-along[1], along[0]])
    directions = [np.array([0.0, 1.0]), np.array([1.0, 0.0]), across, along]
    ranges = curve.ranges(directions).tolist()
    rows = zip((vv, uu, small, large), directions, ranges, strict=True)
    return SectionModuli(*(_modulus(center, *row) for row in rows))


def _modulus(center: Rationals, second: float, direction: Floats, reached: list[float]) -> Floats:
    middle, (low, high) = rationals(direction) @ center, reached
    distances = [max(float(middle - Fraction(low)), 0.0), max(float(Fraction(high) - middle), 0.0)]
    return np.array([second / distance if distance > 0 else math.inf for distance in distances])


def _triple(second: Rationals) -> Floats:
    return np.array([float(second[0, 0]), float(second[1, 1]), float(second[0, 1])])


def _floats(values: Rationals) -> Floats:
    return np.array([float(v) for v in values.flat])
