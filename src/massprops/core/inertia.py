"""Mass properties from moments: mass, centre of mass, inertia tensor, principal moments and axes.

With C the second moments about the centre of mass, the inertia tensor of a body of density rho is
I = rho (tr(C) 1 - C): its off-diagonal entries are MINUS the products of inertia. All arithmetic is rational until
the results are rounded, once each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from massprops.core.eigen import principal
from massprops.core.exact_numbers import LARGEST, Numbers, Quotients, Rationals, exact_array, positive, real
from massprops.core.frozen import Frozen
from massprops.core.moments import Moments
from massprops.core.notice import Notice
from massprops.core.surface import Floats
from massprops.errors import NonFinite

SMALLEST = Fraction(2) ** -1020
"""Below this size, the last digits of a float64 begin to be lost."""

OUT_OF_RANGE = "a result is too {} for double precision; give the size in a {} unit, or --resize_factor"
"""What is told of results that a float64 cannot hold."""

_MOMENT_NOISE = 1e-14
"""Part of the largest principal moment below which a negative one is 0 but for round-off."""


@dataclass(frozen=True, eq=False)
class MassProperties(Frozen):
    """Mass properties of a body of uniform density, in the axes of its coordinates.

    Parameters
    ----------
    density : float
        M L^-3.
    mass : float
        M.
    volume : float
        L^3.
    center : ndarray, shape (3,)
        Centre of mass; L.
    inertia : ndarray, shape (3, 3)
        Inertia tensor about the centre of mass; off-diagonal entries are minus the products of inertia; M L^2.
    principal_moments : ndarray, shape (3,)
        Eigenvalues of ``inertia``, ascending; M L^2.
    principal_axes : ndarray, shape (3, 3)
        Their unit vectors as columns, right-handed.
    repeated_moments : bool
        Whether two principal moments are equal to round-off: their axes are then any orthonormal pair.
    about : ndarray, shape (3,), or None
        A point of the caller's choice; L.
    inertia_about : ndarray, shape (3, 3), or None
        Inertia tensor about that point, in the same axes; M L^2.
    area : float or None
        Area of the surface; L^2.
    bounds : ndarray, shape (2, 3), or None
        Lower and upper corner of the bounding box; L.
    warnings : tuple of Notice
        What should be known beside the numbers, such as ``overlap``, where `massprops.mass_properties` looked for it.
    moments : Moments
        Volume, first and second moments without the density, exact: to be multiplied by densities and added up.

    All arrays are read-only.
    """

    density: float
    mass: float
    volume: float
    center: Floats
    inertia: Floats
    principal_moments: Floats
    principal_axes: Floats
    repeated_moments: bool
    about: Floats | None = None
    inertia_about: Floats | None = None
    area: float | None = None
    bounds: Floats | None = None
    warnings: tuple[Notice, ...] = ()
    moments: Moments = field(kw_only=True, repr=False)

    @property
    def radii_of_gyration(self) -> Floats:
        """sqrt(I_k / m) of the three principal moments; L. NaN of a negative one, which no sound body has."""
        squares = self.principal_moments / self.mass
        noise = _MOMENT_NOISE * np.abs(squares).max()
        with np.errstate(invalid="ignore"):
            return np.sqrt(np.where(np.abs(squares) <= noise, np.maximum(squares, 0.0), squares))

    @classmethod
    def of(
        cls,
        moments: Moments,
        density: Numbers = 1,
        about: Numbers | None = None,
        area: Numbers | None = None,
        bounds: Numbers | None = None,
    ) -> MassProperties:
        """Mass properties of a body with the given moments and density.

        Raises
        ------
        NonFinite
            When a result is too large for a float64.
        TypeError
            No moments; a density, an area, or a coordinate of the point or the bounds, that is no number.
        ValueError
            A density that is not finite and positive, a point that is not three finite numbers, bounds that are not
            two times three, or a volume that is 0 or negative, as that of a difference the wrong way round.

        Examples
        --------
        >>> twelfth = Fraction(1, 12)
        >>> cube = Moments.of(1, [0, 0, 0], [[twelfth, 0, 0], [0, twelfth, 0], [0, 0, twelfth]])
        >>> MassProperties.of(cube, density=6).inertia.tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        """
        _check_body(moments)
        rho = positive(density, "density")
        point = None if about is None else exact_array(about, (3,), "about")
        mass, (center, second) = rho * moments.volume, moments.about_center
        tensor = Quotients(rho.numerator * inertia_of(second.numerators), rho.denominator * second.denominator)
        _check_range(mass, tensor)
        try:
            moments_and_axes = principal(tensor)
            return cls(
                float(rho),
                float(mass),
                float(moments.volume),
                center.floats,
                tensor.floats,
                *moments_and_axes,
                moments_and_axes.is_repeated,
                None if point is None else Quotients.of(point).floats,
                None if point is None else _moved(tensor, mass, center.rationals - point).floats,
                area if area is None or isinstance(area, float) else float(real(area, "area")),
                _box(bounds),
                moments=moments,
            )
        except OverflowError:
            raise NonFinite(OUT_OF_RANGE.format("large", "larger")) from None


def _check_body(moments: object) -> None:
    """Refuse what is no moments, and moments that no body has."""
    if not isinstance(moments, Moments):
        hint = ": give its moments" if isinstance(moments, MassProperties) else ""
        raise TypeError(f"moments: Moments are wanted, not a value of type {type(moments).__name__}{hint}")
    if moments.volume < 0:
        volume = float(max(moments.volume, -LARGEST))
        raise ValueError(f"no body has a negative volume, {volume:.6g}: is the difference the right way round?")


def _box(bounds: Numbers | None) -> Floats | None:
    """Bounds as floats; those that are need not be made exact first."""
    if bounds is None or (isinstance(bounds, np.ndarray) and (bounds.shape, bounds.dtype) == ((2, 3), np.float64)):
        return bounds
    return Quotients.of(exact_array(bounds, (2, 3), "bounds")).floats


def _check_range(mass: Fraction, tensor: Quotients) -> None:
    """Refuse results that a float64 holds with fewer digits, or not at all."""
    largest: int = max(map(abs, tensor.numerators.flat))
    if 0 < mass < SMALLEST or 0 < largest * SMALLEST.denominator < abs(tensor.denominator):
        raise NonFinite(OUT_OF_RANGE.format("small", "smaller"))


def inertia_of(second: Rationals) -> Rationals:
    """tr(C) 1 - C: the inertia tensor, at unit density, of second moments C about the same point; exact numbers."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = second.tolist()
    return np.array([[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]], dtype=object)


def parallel_axes(d: Rationals) -> Rationals:
    """|d|^2 1 - d d^T: what a unit mass at distance d adds to the inertia tensor (Huygens and Steiner)."""
    return inertia_of(np.outer(d, d))


def _moved(tensor: Quotients, mass: Fraction, d: Rationals) -> Quotients:
    """The tensor of a body about a point at distance d from its centre of mass."""
    return Quotients.of(tensor.rationals + mass * parallel_axes(d))
