"""Gauss-Legendre quadrature over many intervals at once, with an error estimate where the integrand has no degree."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats

NODES = 20
"""Nodes of the adaptive rule; exact for polynomials of degree 39."""

CONVERGED = 2.0**-50
"""Two results that differ by less than this fraction of the integral of the integrand's size agree."""

_DEPTH = 48
_BITS = 160


@lru_cache
def gauss(count: int) -> tuple[Floats, Floats]:
    """Nodes in (0, 1) and weights, shape (count,), exact for polynomials of degree ``2 count - 1``.

    Each is the float64 nearest to its value: NumPy's are off by some 1e-15, which would be the largest error of all.

    Examples
    --------
    >>> [x.tolist() for x in gauss(1)]
    [[0.5], [1.0]]
    """
    pairs = [_node(count, float(x)) for x in np.polynomial.legendre.leggauss(count)[0]]
    return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])


def _node(count: int, guess: float) -> tuple[float, float]:
    """Node (1 + x) / 2 and weight 1 / ((1 - x^2) P'(x)^2) at the root x of the Legendre polynomial near a guess.

    Newton's method in fixed-point arithmetic.
    """
    one = 1 << _BITS
    x = int(math.ldexp(guess, 60)) << (_BITS - 60)
    for _ in range(3):
        value, slope = _legendre(count, x)
        x -= (value << _BITS) // slope
    _, slope = _legendre(count, x)
    weight = Fraction(one**3, (one * one - x * x) * slope * slope // one)
    return float(Fraction(one + x, 2 * one)), float(weight)


def _legendre(count: int, x: int) -> tuple[int, int]:
    """P_n(x) and its derivative n (P_(n - 1) - x P_n) / (1 - x^2), numbers as multiples of 2^-_BITS."""
    one = 1 << _BITS
    before, value = one, x
    for k in range(2, count + 1):
        before, value = value, ((2 * k - 1) * (x * value >> _BITS) - (k - 1) * before) // k
    return value, (count * (before - (x * value >> _BITS)) << _BITS) // (one - (x * x >> _BITS))


def adaptive(
    integrand: Callable[[NDArray[np.intp], Floats], Floats], count: int, rows: int
) -> tuple[Floats, Floats]:
    """Integrals over [0, 1] of many functions, halving the interval until two rules agree.

    Parameters
    ----------
    integrand : callable
        ``integrand(index, t)`` gives the values of functions ``index``, shape (k,), at the parameters t, shape
        (k, m), as an array of shape (rows, k, m).
    count : int
        Number of functions.
    rows : int
        Components of each.

    Returns
    -------
    integrals : ndarray, shape (rows, count)
    errors : ndarray, shape (rows, count)
        Differences between the last two rules on all intervals, added up: above the true error, as the finer of
        the two is kept.

    Examples
    --------
    >>> found, error = adaptive(lambda index, t: np.sqrt(t)[None], 1, 1)
    >>> float(abs(found[0, 0] - 2 / 3).round(14)), bool(error[0, 0] < 1e-13)
    (0.0, True)
    """
    index, low, width = np.arange(count), np.zeros(count), np.ones(count)
    integrals, errors = np.zeros((rows, count)), np.zeros((rows, count))
    coarse, size = _rule(integrand, index, low, width)
    scale = size.copy()  # of the whole integral: halves need not be right to their own last digit
    for depth in range(_DEPTH):
        pairs = np.repeat(index, 2)
        half = np.repeat(width / 2, 2)
        starts = np.repeat(low, 2)
        starts[1::2] += half[1::2]
        fine, _ = _rule(integrand, pairs, starts, half)
        both = fine[:, ::2] + fine[:, 1::2]
        difference = np.abs(both - coarse)
        settled = (difference <= CONVERGED * scale[:, index]).all(axis=0) | (depth == _DEPTH - 1)
        for row in range(rows):
            integrals[row] += np.bincount(index[settled], both[row, settled], count)
            errors[row] += np.bincount(index[settled], difference[row, settled], count)
        again = np.repeat(~settled, 2)
        index, low, width, coarse = pairs[again], starts[again], half[again], fine[:, again]
        if len(index) == 0:
            break
    return integrals, errors


def _rule(
    integrand: Callable[[NDArray[np.intp], Floats], Floats], index: NDArray[np.intp], low: Floats, width: Floats
) -> tuple[Floats, Floats]:
    nodes, weights = gauss(NODES)
    values = integrand(index, low[:, None] + width[:, None] * nodes)
    return (values @ weights) * width, (np.abs(values) @ weights) * width
