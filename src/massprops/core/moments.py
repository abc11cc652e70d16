"""Moments of a body, and their algebra.

A body of unit density is known, for the purposes of mass properties, by ten numbers: its volume, its first and its
second moments. They add when bodies are put together, and an affine map of space acts on them in closed form. Both
are done here in rational arithmetic, without any error, so that the only round-off in a result is that of the
integrals themselves and of printing it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from massprops.core.affine_map import AffineMap, check_map
from massprops.core.exact_numbers import (
    Numbers,
    Quotients,
    Rationals,
    check_fractions,
    exact_array,
    over_one_denominator,
    real,
)
from massprops.core.frozen import Frozen

_ASYMMETRY = Fraction(1, 10**9)
"""Part of the largest second moment by which round-off may keep a matrix from being symmetric."""


@dataclass(frozen=True, eq=False)
class Moments(Frozen):
    """Volume, first and second moments of a body of unit density.

    Bodies ``a`` and ``b`` make ``a + b``, and ``a - b`` where b is a void in a; ``7850 * a`` has that density. ``sum``
    adds up many.

    Parameters
    ----------
    volume : Fraction
        V; length^3.
    first : ndarray of Fraction, shape (3,)
        int (x - o) dV; length^4.
    second : ndarray of Fraction, shape (3, 3)
        int (x - o)(x - o)^T dV; length^5.
    origin : ndarray of Fraction, shape (3,)
        o, the point about which the integrals were taken, in the body's coordinates; length.

    All arrays are read-only.

    Raises
    ------
    TypeError
        They are no such fractions: `Moments.of` makes them from numbers of any kind.

    Examples
    --------
    Two unit cubes side by side are a box of 2 x 1 x 1:

    >>> third = Fraction(1, 3)
    >>> cube = Moments.of(1, [0.5, 0.5, 0.5], [[third, 0.25, 0.25], [0.25, third, 0.25], [0.25, 0.25, third]])
    >>> box = cube + cube.mapped(AffineMap.of(np.eye(3), [1, 0, 0]))
    >>> float(box.volume), [float(x) for x in box.center]
    (2.0, [1.0, 0.5, 0.5])
    >>> [[str(x) for x in row] for row in box.central_second]
    [['2/3', '0', '0'], ['0', '1/6', '0'], ['0', '0', '1/6']]
    """

    volume: Fraction
    first: Rationals
    second: Rationals
    origin: Rationals

    __array_ufunc__ = None  # a NumPy scalar times a body is for `__rmul__` to answer

    def __post_init__(self) -> None:
        parts = (self.first, (3,)), (self.second, (3, 3)), (self.origin, (3,))
        check_fractions("Moments", *parts, number=self.volume)
        super().__post_init__()

    @classmethod
    def of(
        cls,
        volume: Numbers,
        first: Numbers,
        second: Numbers,
        origin: Numbers = (0, 0, 0),
    ) -> Moments:
        """Moments from real numbers of any kind.

        Raises
        ------
        TypeError
            An entry is no number.
        ValueError
            Other shapes, entries that are not finite, or second moments that are not symmetric.
        """
        matrix = exact_array(second, (3, 3), "second")
        if np.abs(matrix - matrix.T).max() > _ASYMMETRY * np.abs(matrix).max():
            raise ValueError("second: second moments are symmetric, and these are not")
        vectors = exact_array(first, (3,), "first"), exact_array(origin, (3,), "origin")
        return cls(real(volume, "volume"), vectors[0], matrix, vectors[1])

    @property
    def center(self) -> Rationals:
        """Centre of mass o + first / V; length.

        Raises
        ------
        ValueError
            The volume is 0.
        """
        return self.about_center[0].rationals

    @property
    def central_second(self) -> Rationals:
        """C = second - first first^T / V: second moments about the centre of mass (parallel axes); length^5.

        Raises
        ------
        ValueError
            The volume is 0.
        """
        return self.about_center[1].rationals

    @property
    def about_center(self) -> tuple[Quotients, Quotients]:
        """`center` and `central_second`, as quotients of integers.

        With V = v / d, first = f / d, second = s / d and o = p / d they are (p v + f d) / d v and (s v - f f^T) / d v.
        """
        if not self.volume:
            raise ValueError("moments of volume 0 have no centre of mass")
        numbers = self.volume, *self.first, *self.origin, *self.second.flat
        (v, *others), d = over_one_denominator(numbers)  # plain integers: arrays of them take twice as long
        f, p, s = others[:3], others[3:6], (others[6:9], others[9:12], others[12:])
        center = [p[i] * v + f[i] * d for i in range(3)]
        second = [[s[i][j] * v - f[i] * f[j] for j in range(3)] for i in range(3)]
        return Quotients(np.array(center, dtype=object), d * v), Quotients(np.array(second, dtype=object), d * v)

    def about(self, origin: Numbers) -> Moments:
        """The same body, its integrals taken about another point, without any error.

        Parameters
        ----------
        origin : sequence of 3 real numbers
            Of any kind, in the body's coordinates; length.

        Raises
        ------
        TypeError
            A coordinate is no number.
        ValueError
            They are not three, or not finite.
        """
        point = exact_array(origin, (3,), "origin")
        d = self.origin - point
        cross = np.outer(self.first, d)
        second = self.second + cross + cross.T + self.volume * np.outer(d, d)
        return Moments(self.volume, self.first + self.volume * d, second, point)

    def __add__(self, other: Moments) -> Moments:
        """Both bodies together; a region that lies in both counts twice."""
        if not isinstance(other, Moments):
            return NotImplemented
        moved = other.about(self.origin)
        return Moments(
            self.volume + moved.volume, self.first + moved.first, self.second + moved.second, self.origin
        )

    def __radd__(self, other: int) -> Moments:
        """The body itself, added to the 0 that ``sum`` begins with."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __sub__(self, other: Moments) -> Moments:
        """The body without another, which lies within it."""
        return self + -other if isinstance(other, Moments) else NotImplemented

    def __rmul__(self, density: Numbers) -> Moments:
        """The body with another density: mass and moments of mass in place of volume and its moments."""
        rho = real(density, "density")
        return Moments(rho * self.volume, rho * self.first, rho * self.second, self.origin)

    __mul__ = __rmul__

    def __neg__(self) -> Moments:
        """The body as a void, to be added to what surrounds it."""
        return Moments(-self.volume, -self.first, -self.second, self.origin)

    def mapped(self, affine: AffineMap) -> Moments:
        """The body after an affine map x -> A x + t.

        V' = |det A| V, first' = |det A| A first, second' = |det A| A second A^T about o' = A o + t. The absolute
        value makes a mirrored body a body again, not an inside-out one.

        Raises
        ------
        TypeError
            It is no `AffineMap`.
        ValueError
            Its matrix is singular: nothing would be left of the body.
        """
        check_map("mapped", affine)
        if affine.is_identity:
            return self
        a, scale = affine.matrix, abs(affine.determinant)
        if not scale:
            raise ValueError("mapped: the matrix is singular, and would leave nothing of the body")
        return Moments(
            scale * self.volume,
            scale * (a @ self.first),
            scale * (a @ self.second @ a.T),
            affine.apply(self.origin),
        )
