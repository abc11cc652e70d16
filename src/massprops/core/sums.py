"""Compensated sums and double-double arithmetic, over whole arrays.

Sources: D. E. Knuth, The Art of Computer Programming 2, 4.2.2 (TwoSum); T. J. Dekker, A floating-point technique
for extending the available precision, Numer. Math. 18, 1971 (TwoProduct, double-double); S. M. Rump, T. Ogita,
S. Oishi, Accurate floating-point summation I, SIAM J. Sci. Comput. 31, 2008 (extraction, `shifted_sums`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats

U = 2.0**-53
"""Unit round-off of float64."""


class Double2(NamedTuple):
    """An unevaluated sum ``high + low`` of two float64 arrays, ``|low|`` at most half an ulp of ``high``."""

    high: Floats
    low: Floats


def two_sum(a: Floats, b: Floats) -> Double2:
    """``a + b`` without error, as the rounded sum and what the rounding took away (Knuth)."""
    s = a + b
    t = s - a
    return Double2(s, (a - (s - t)) + (b - t))


def _fast_two_sum(a: Floats, b: Floats) -> Double2:
    s = a + b
    return Double2(s, b - (s - a))


def _split(a: Floats) -> Double2:
    c = 134217729.0 * a  # 2^27 + 1: halves of 26 bits, whose products are exact
    high = c - (c - a)
    return Double2(high, a - high)


def two_product(a: Floats, b: Floats) -> Double2:
    """``a * b`` without error (Dekker); ``|a|, |b| < 2^970``."""
    p = a * b
    a1, a2 = _split(a)
    b1, b2 = _split(b)
    return Double2(p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2))


def add2(x: Double2, y: Double2) -> Double2:
    """Sum of two double-doubles; relative error below 3 u^2 (Joldes, Muller, Popescu 2017, AccurateDWPlusDW)."""
    s, e = two_sum(x.high, y.high)
    t, f = two_sum(x.low, y.low)
    s, e = _fast_two_sum(s, e + t)
    return _fast_two_sum(s, e + f)


def negate2(x: Double2) -> Double2:
    """The double-double of opposite sign."""
    return Double2(-x.high, -x.low)


def multiply2(x: Double2, y: Double2) -> Double2:
    """Product of two double-doubles; relative error below 7 u^2 (Joldes, Muller, Popescu 2017, DWTimesDW1)."""
    p, e = two_product(x.high, y.high)
    return _fast_two_sum(p, e + (x.high * y.low + x.low * y.high))


def shifts(bound: Floats, count: int | NDArray[np.intp]) -> Floats:
    """Powers of two that make the high parts of `shifted_sums` add up without error.

    Parameters
    ----------
    bound : ndarray
        Upper bounds of the absolute values of the terms of each sum.
    count : int or ndarray of int
        Number of terms; broadcast against ``bound``.

    Returns
    -------
    ndarray
        The smallest powers of two not below ``2 * count * bound``; 0 where the bound is 0.
    """
    _, exponent = np.frexp(2.0 * count * bound)
    return np.where(bound > 0, np.ldexp(1.0, exponent), 0.0)


def shifted_sums(terms: Floats, shift: Floats, scratch: Floats) -> tuple[Floats, Floats]:
    """Sums of the rows of an array, each as an exact high part and a tiny low part.

    Adding and taking away the shift rounds each term to a common grid; on that grid float64 addition is exact,
    in any order. What the rounding took away is 2^53 times smaller than the shift, so that its plain sum is right
    to some 2^-100 of it.

    Parameters
    ----------
    terms : ndarray, shape (q, n)
        Summed along the second axis; holds the remainders afterwards.
    shift : ndarray, shape (q,)
        From `shifts`.
    scratch : ndarray, shape (q, n)
        Overwritten.

    Returns
    -------
    high, low : ndarray, shape (q,)
        ``high + low`` is the sum.
    """
    part(terms, shift[:, None], scratch)
    return scratch.sum(axis=1), terms.sum(axis=1)


def stretch_sums(
    terms: Floats, shift: Floats, scratch: Floats, starts: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """`shifted_sums` of stretches of the rows of an array.

    Parameters
    ----------
    terms, scratch : ndarray, shape (q, n)
        As for `shifted_sums`.
    shift : ndarray, shape (q, 1) or (q, n)
        From `shifts`, for a whole row or for each term.
    starts : ndarray of int, shape (k,)
        Where each stretch begins; it ends where the next one does, and none is empty.

    Returns
    -------
    high, low : ndarray, shape (q, k)
        ``high + low`` is the sum.
    """
    part(terms, shift, scratch)
    return np.add.reduceat(scratch, starts, axis=1), np.add.reduceat(terms, starts, axis=1)


def part(terms: Floats, shift: Floats | float, high: Floats) -> None:
    """Part terms into what lies on a common grid, and is written to ``high``, and what is left of them."""
    np.add(terms, shift, out=high)
    np.subtract(high, shift, out=high)
    np.subtract(terms, high, out=terms)


def exact_sum(values: Iterable[float], divisor: int = 1) -> Fraction:
    """A sum of floats to twice the precision of a float64, independent of their order, over a whole number.

    The first two terms of the exact sum's expansion, each correctly rounded by `math.fsum`.
    """
    terms = list(values)
    high = math.fsum(terms)
    low = math.fsum([*terms, -high])
    (n, d), (m, e) = high.as_integer_ratio(), low.as_integer_ratio()
    largest = max(d, e)  # of two powers of two
    return Fraction(n * (largest // d) + m * (largest // e), largest * divisor)
