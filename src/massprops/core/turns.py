"""Where Bezier functions turn, many at once: quadratic and cubic ones in closed form, all others by companion matrices.

Between its ends a function with positive weights turns no more often than its control polygon, so that nothing is
sought where that rises or falls all the way.

Source: G. Farin, Curves and Surfaces for CAGD, 2002, chapters 5 and 13.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.bernstein import power_basis
from massprops.core.surface import Floats

Ints = NDArray[Any]

_ROOT_IMAGINARY = 1e-4
"""Roots with a smaller imaginary part are taken as real: one split too many is harmless."""

_TRIFLE = 2.0**-60
"""Coefficients of polynomials below this fraction of the largest are taken as 0."""

_CUBIC = 4


def within(turns: Floats) -> Floats:
    """Those of some parameters that lie within (0, 1), ascending."""
    return np.unique(turns[(turns > 0) & (turns < 1)])


def turns_of_polynomials(values: Floats) -> Floats:
    """Parameters where Bezier functions turn, a row for each, from their coefficients (n, degree + 1).

    Those outside of (0, 1), and NaN, are none.

    Examples
    --------
    >>> turns_of_polynomials(np.array([[0.0, 1, 0], [0, 1, 2]])).tolist()
    [[0.5, nan], [nan, nan]]
    """
    with np.errstate(all="ignore"):  # of roots that there are not
        if values.shape[1] <= _CUBIC:
            return _of_cubics(values)
        slopes = (values.shape[1] - 1) * np.diff(values, axis=1)
        return _sought(values, lambda some: _roots(power_basis(slopes[some])))


def turns_of_rationals(values: Floats, weights: Floats) -> Floats:
    """The same of rational Bezier functions, with their weights (n, degree + 1)."""

    def sought(some: Ints) -> Floats:
        x, w = power_basis(values[some] * weights[some]), power_basis(weights[some])
        return _roots(_product(_derivative(x), w) - _product(x, _derivative(w)))

    with np.errstate(all="ignore"):
        return _sought(values, sought)


def _sought(values: Floats, turns: Callable[[Ints], Floats]) -> Floats:
    """Turns of those functions whose coefficients do not rise or fall all the way; NaN for the others."""
    steps = np.diff(values, axis=1)
    some = np.flatnonzero(~((steps >= 0).all(axis=1) | (steps <= 0).all(axis=1)))
    found = turns(some)
    every = np.full((len(values), found.shape[1]), np.nan)
    every[some] = found
    return every


def _of_cubics(values: Floats) -> Floats:
    """Turns of quadratic or cubic functions, shape (n, 2): roots of a t^2 + b t + c.

    Source: W. Kahan, On the cost of floating-point computation without extra-precise arithmetic, 2004.
    """
    p, q, *r = np.diff(values, axis=1).T
    c, b, a = (p, q - p, np.zeros_like(p)) if not r else (p, 2 * (q - p), (r[0] - q) - (q - p))
    least = _TRIFLE * np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    half, product = b / (2 * a), c / a
    square = half * half - product
    far = -half - np.copysign(np.sqrt(square), half)
    one = np.where(square >= 0, far, np.where(-square < _ROOT_IMAGINARY**2, -half, np.nan))
    other = np.where((square >= 0) & (far != 0), product / far, np.nan)
    straight = np.abs(a) <= least
    one = np.where(straight, np.where(np.abs(b) <= least, np.nan, -c / b), one)
    return np.stack([one, np.where(straight, np.nan, other)], axis=1)


def _derivative(powers: Floats) -> Floats:
    derivative: Floats = powers[:, 1:] * np.arange(1, powers.shape[1])
    return derivative


def _product(a: Floats, b: Floats) -> Floats:
    """Products of polynomials, a row each, lowest power first."""
    found = np.zeros((len(a), a.shape[1] + b.shape[1] - 1))
    for k in range(a.shape[1]):
        found[:, k : k + b.shape[1]] += a[:, k, None] * b
    return found


def _roots(coefficients: Floats) -> Floats:
    """Real roots of polynomials (n, m), lowest power first, as the eigenvalues of companion matrices; (n, m - 1)."""
    count, most = coefficients.shape
    scaled = coefficients / np.abs(coefficients).max(axis=1, initial=0.0, keepdims=True)
    large = np.abs(scaled) > _TRIFLE
    degree = np.where(large.any(axis=1), most - 1 - np.argmax(large[:, ::-1], axis=1), 0)
    found = np.full((count, most - 1), np.nan)
    for n in np.unique(degree[degree > 0]).tolist():
        rows = np.flatnonzero(degree == n)
        matrix = np.zeros((len(rows), n, n))
        matrix[:, np.arange(1, n), np.arange(n - 1)] = 1
        matrix[:, :, -1] -= scaled[rows, :n] / scaled[rows, n, None]
        roots = np.linalg.eigvals(matrix)
        found[rows, :n] = np.where(np.abs(roots.imag) < _ROOT_IMAGINARY, roots.real, np.nan)
    return found
