"""Affine maps of space, in exact fractions: resize, mirror, rotate, translate, and change of unit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from massprops.core.exact_numbers import Numbers, Rationals, check_fractions, exact_array
from massprops.core.frozen import Frozen


@dataclass(frozen=True, eq=False)
class AffineMap(Frozen):
    """The map x -> A x + t, in exact fractions.

    Parameters
    ----------
    matrix : ndarray of Fraction, shape (3, 3)
        A; must be regular. Read-only, as all arrays here.
    translation : ndarray of Fraction, shape (3,)
        t; length.

    Raises
    ------
    TypeError
        They are no such arrays: `AffineMap.of` makes them from numbers of any kind.
    """

    matrix: Rationals
    translation: Rationals

    def __post_init__(self) -> None:
        check_fractions("AffineMap", (self.matrix, (3, 3)), (self.translation, (3,)))
        super().__post_init__()

    @classmethod
    def of(cls, matrix: Numbers, translation: Numbers = (0, 0, 0)) -> AffineMap:
        """A map from real numbers of any kind.

        Raises
        ------
        TypeError
            An entry is no number.
        ValueError
            Other shapes, or entries that are not finite.
        """
        return cls(exact_array(matrix, (3, 3), "matrix"), exact_array(translation, (3,), "translation"))

    @classmethod
    def identity(cls) -> AffineMap:
        """The map that changes nothing."""
        return cls.of(np.eye(3, dtype=int).tolist())

    @cached_property
    def is_identity(self) -> bool:
        """Whether the map changes nothing: one map is for all inputs of a run."""
        return not any(self.translation) and self.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

    @property
    def determinant(self) -> Fraction:
        """det A; negative for maps that mirror."""
        a, b, c = self.matrix.tolist()
        return Fraction(
            a[0] * (b[1] * c[2] - b[2] * c[1])
            - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
        )

    def then(self, after: AffineMap) -> AffineMap:
        """The map that does this one first and ``after`` second.

        Raises
        ------
        TypeError
            It is no `AffineMap`.
        """
        check_map("then", after)
        return AffineMap(
            after.matrix @ self.matrix, after.matrix @ self.translation + after.translation
        )

    def apply(self, point: Numbers) -> Rationals:
        """Image of one point, three real numbers of any kind, without any error.

        Raises
        ------
        TypeError
            A coordinate is no number.
        ValueError
            They are not three, or not finite.
        """
        return self.matrix @ exact_array(point, (3,), "point") + self.translation


def check_map(what: str, given: object) -> None:
    """Refuse what an argument is given in place of a map.

    Raises
    ------
    TypeError
        It is none.
    """
    if not isinstance(given, AffineMap):
        kind = type(given).__name__
        raise TypeError(f"{what}: AffineMap.of(matrix, translation) is wanted, not a value of type {kind}")
