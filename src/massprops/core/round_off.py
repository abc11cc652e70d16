"""Rigorous bounds of the round-off of the integrals: a running error analysis of the sums that were formed.

Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from massprops.core.exact_numbers import Rationals, rationals
from massprops.core.integrand_sums import RUN
from massprops.core.integrands import ENTRIES, BlockSums, Frame, integrand_bounds
from massprops.core.sums import U
from massprops.core.surface import BLOCK, Floats

_PRODUCT_ROUNDINGS = 3
"""Roundings of size u on the way to the products e1_i e2_j: those of e1, e2 and the product."""

_TERM_ROUNDINGS = (4, *3 * [7], *6 * [10])
"""Roundings on the way from there to D, to D (a + b + c) and to D (p p^T + q q^T + r r^T)."""

_DOUBLE2_ROUNDING = 2.0**-97
"""The same for the whole way in double-double arithmetic: 50 operations of relative error 10 u^2 at most."""

_TINY = 2.0**-1074
"""The smallest float64; what an operation whose result is subnormal may take away is half of it."""

_UNDERFLOWS = 1024.0
"""More than the operations on the way to any integrand of a facet, in double-double arithmetic or not."""

_WEIGHTS = (1 / 6, *3 * [3 / 24], *6 * [12 / 120])
"""Of the bounds of the ten integrands in those of the integrals."""

_SECOND = np.array([[4, 7, 8], [7, 5, 9], [8, 9, 6]])
"""Where the second moments stand among the ten."""


class RoundOff(NamedTuple):
    """Upper bounds of the errors of the integrals, absolute, about the same point as the `Moments` they belong to.

    Parameters
    ----------
    volume : float
        length^3.
    first : ndarray, shape (3,)
        length^4; floats or, where they do not fit, fractions.
    second : ndarray, shape (3, 3)
        length^5; in the same way.
    """

    volume: float
    first: Floats | Rationals
    second: Floats | Rationals

    def scaled(self, exponent: int) -> RoundOff:
        """The bounds after lengths have grown 2^exponent times; that of a volume beyond any float64 is infinite."""
        with np.errstate(over="ignore", under="ignore"):
            volume = float(np.ldexp(self.volume, 3 * exponent) + _TINY)
        scale = Fraction(2) ** exponent
        return RoundOff(volume, rationals(self.first) * scale**4, rationals(self.second) * scale**5)


def round_off(parts: Sequence[BlockSums], frame: Frame, area: float, facets: int, doubled: bool) -> RoundOff:
    """Bounds of the errors of the integrals, in the scale of the frame.

    Five sources: the roundings within each integrand; those of x = v - o, which move each vertex by u |x_i| at
    most and so change the integral of f by the integral of |f| u |x . n| over the surface; those of sums over runs of
    facets; what summing the remainders leaves; and what is lost below the smallest float64, before it is multiplied by
    three lengths at most. The factor 1.01 covers products of roundings and the rounding of the bound itself.

    Parameters
    ----------
    parts : sequence of BlockSums
    frame : Frame
    area : float
        Of the surface; length^2.
    facets : int
    doubled : bool
        Whether the sums were formed in double-double arithmetic.
    """
    half = frame.half.tolist()
    sizes = [1.0, *half, *(half[i] * half[j] for i, j in ENTRIES)]
    products, terms = sum(part.products for part in parts), sum(part.terms for part in parts)
    if doubled:
        within = [_DOUBLE2_ROUNDING * products] * 10
        moved, left = 0.0, 2.0**-52
    else:
        within = [U * (_PRODUCT_ROUNDINGS * products + roundings * terms) for roundings in _TERM_ROUNDINGS]
        moved, left = U * area * math.hypot(*frame.rounded.tolist()), 1.0
    summing = left * 32.0 * U * U * facets * BLOCK
    lost = _UNDERFLOWS * _TINY * facets * max(1.0, *half) ** 3
    sources = zip(within, _WEIGHTS, sizes, _of_runs(parts, terms), integrand_bounds(frame.half).tolist(), strict=True)
    bound = np.array([
        1.01 * ((error * weight + moved) * size + of_runs + summing * largest) + lost
        for error, weight, size, of_runs, largest in sources
    ])  # fmt: skip
    return RoundOff(float(bound[0]), bound[1:4], bound[_SECOND])


def _of_runs(parts: Sequence[BlockSums], terms: float) -> list[float]:
    """Bounds of what summing runs of facets took away: for each, `RUN` roundings of the sum of absolute values.

    By Cauchy's inequality those of D p_i p_j are the square roots of those of D p_i^2 and D p_j^2, and those of
    D p_i of these and of three times those of D.
    """
    squares = [sum(values) for values in zip(*(part.squares for part in parts), strict=True)]
    first = (math.sqrt(3.0 * terms * square) / 48.0 for square in squares)
    second = (math.sqrt(squares[i] * squares[j]) / 120.0 for i, j in ENTRIES)
    return [0.0, *(RUN * U * error for error in (*first, *second))]
