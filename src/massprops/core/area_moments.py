"""Moments of a plane region, and their algebra.

The plane counterpart of `massprops.core.moments`: area, first and second moments of a region of unit density, in
rational arithmetic, so that adding regions, moving them and extruding them brings no error of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from massprops.core.affine_map import AffineMap
from massprops.core.exact_numbers import Numbers, Rationals, rationals, real
from massprops.core.frozen import Frozen
from massprops.core.moments import Moments
from massprops.core.surface import Floats


@dataclass(frozen=True, eq=False)
class PlaneMap(Frozen):
    """The map x -> A x + t of the (u, v) plane, in exact fractions.

    Parameters
    ----------
    matrix : ndarray, shape (2, 2)
        A; must be regular.
    translation : ndarray, shape (2,)
        t; length.
    """

    matrix: Rationals
    translation: Rationals

    @classmethod
    def of(cls, matrix: Numbers, translation: Numbers = (0, 0)) -> PlaneMap:
        """A map from floats."""
        return cls(rationals(matrix), rationals(translation))

    @classmethod
    def of_solid(cls, affine: AffineMap) -> PlaneMap:
        """What a map of space does to the plane z = 0, where it keeps that plane in itself or parallel to itself.

        Raises
        ------
        ValueError
            The map turns the plane out of itself.

        Examples
        --------
        >>> turn = AffineMap.of([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [5, 6, 7])
        >>> PlaneMap.of_solid(turn).apply(rationals([1, 0])).tolist()
        [Fraction(5, 1), Fraction(7, 1)]
        """
        if affine.matrix[2, :2].any() or affine.matrix[:2, 2].any():
            raise ValueError("the map turns the plane z = 0 out of itself")
        return cls(affine.matrix[:2, :2], affine.translation[:2])

    @property
    def determinant(self) -> Fraction:
        """det A; negative for maps that mirror."""
        (a, b), (c, d) = self.matrix.tolist()
        return Fraction(a * d - b * c)

    @property
    def is_identity(self) -> bool:
        """Whether the map changes nothing."""
        return not self.translation.any() and bool(np.all(self.matrix == np.eye(2, dtype=int)))

    def apply(self, point: Rationals) -> Rationals:
        """Image of one point."""
        image: Rationals = self.matrix @ point + self.translation
        return image

    def floats(self) -> tuple[Floats, Floats]:
        """Matrix and translation, rounded."""
        matrix = np.array([[float(x) for x in row] for row in self.matrix])
        return matrix, np.array([float(x) for x in self.translation])


@dataclass(frozen=True, eq=False)
class AreaMoments(Frozen):
    """Area, first and second moments of a plane region of unit density.

    Regions add up, also by ``sum``; ``a - b`` has the hole b in a, and ``7850 * a`` has that density.

    Parameters
    ----------
    area : Fraction
        A; length^2.
    first : ndarray of Fraction, shape (2,)
        int (x - o) dA; length^3.
    second : ndarray of Fraction, shape (2, 2)
        int (x - o)(x - o)^T dA; length^4.
    origin : ndarray of Fraction, shape (2,)
        o, the point about which the integrals were taken, in the plane's coordinates; length.

    Examples
    --------
    Two unit squares side by side are a rectangle of 2 x 1:

    >>> third = Fraction(1, 3)
    >>> square = AreaMoments.of(1, [0.5, 0.5], [[third, 0.25], [0.25, third]])
    >>> pair = square + square.mapped(PlaneMap.of(np.eye(2), [1, 0]))
    >>> float(pair.area), [float(x) for x in pair.center]
    (2.0, [1.0, 0.5])
    >>> [[str(x) for x in row] for row in pair.central_second]
    [['2/3', '0'], ['0', '1/6']]
    """

    area: Fraction
    first: Rationals
    second: Rationals
    origin: Rationals

    __array_ufunc__ = None  # a NumPy scalar times a region is for `__rmul__` to answer

    @classmethod
    def of(
        cls, area: float | Fraction, first: Numbers, second: Numbers, origin: Numbers = (0, 0)
    ) -> AreaMoments:
        """Moments from floats, ints or fractions."""
        return cls(Fraction(area), rationals(first), rationals(second), rationals(origin))

    @property
    def center(self) -> Rationals:
        """Centroid o + first / A; length. The area must not be 0."""
        center: Rationals = self.origin + self.first / self.area
        return center

    @property
    def central_second(self) -> Rationals:
        """Second moments about the centroid, second - first first^T / A (parallel axes); length^4."""
        central: Rationals = self.second - np.outer(self.first, self.first / self.area)
        return central

    def about(self, origin: Rationals) -> AreaMoments:
        """The same region, its integrals taken about another point."""
        d = self.origin - origin
        cross = np.outer(self.first, d)
        second = self.second + cross + cross.T + self.area * np.outer(d, d)
        return AreaMoments(self.area, self.first + self.area * d, second, origin)

    def __add__(self, other: AreaMoments) -> AreaMoments:
        """Both regions together; what lies in both counts twice."""
        if not isinstance(other, AreaMoments):
            return NotImplemented
        moved = other.about(self.origin)
        return AreaMoments(
            self.area + moved.area, self.first + moved.first, self.second + moved.second, self.origin
        )

    def __radd__(self, other: int) -> AreaMoments:
        """The region itself, added to the 0 that ``sum`` begins with."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __sub__(self, other: AreaMoments) -> AreaMoments:
        """The region without another, which lies within it."""
        return self + -other if isinstance(other, AreaMoments) else NotImplemented

    def __rmul__(self, density: Numbers) -> AreaMoments:
        """The region with another density: mass and moments of mass, per unit depth."""
        rho = real(density, "density")
        return AreaMoments(rho * self.area, rho * self.first, rho * self.second, self.origin)

    __mul__ = __rmul__

    def __neg__(self) -> AreaMoments:
        """The region as a hole, to be added to what surrounds it."""
        return AreaMoments(-self.area, -self.first, -self.second, self.origin)

    def mapped(self, plane: PlaneMap) -> AreaMoments:
        """The region after an affine map x -> A x + t.

        A' = |det| A, first' = |det| A first, second' = |det| A second A^T about o' = A o + t; a mirrored region is a
        region again.

        Raises
        ------
        TypeError
            It is no `PlaneMap`.
        """
        if not isinstance(plane, PlaneMap):
            kind = type(plane).__name__
            raise TypeError(f"mapped: PlaneMap.of(matrix, translation) is wanted, not a value of type {kind}")
        a, scale = plane.matrix, abs(plane.determinant)
        return AreaMoments(
            scale * self.area,
            scale * (a @ self.first),
            scale * (a @ self.second @ a.T),
            plane.apply(self.origin),
        )

    def extruded(self, depth: float | Fraction) -> Moments:
        """The body between w = 0 and w = depth over the region: area times depth, and so on, without error.

        Parameters
        ----------
        depth : float or Fraction
            Positive; length.

        Returns
        -------
        Moments
            In the coordinates (u, v, w).
        """
        d = Fraction(depth)
        first = [*(d * self.first), self.area * d**2 / 2]
        second = np.empty((3, 3), dtype=object)
        second[:2, :2] = d * self.second
        second[2, :2] = second[:2, 2] = self.first * d**2 / 2
        second[2, 2] = self.area * d**3 / 3
        return Moments.of(self.area * d, first, second, [*self.origin, Fraction(0)])
