"""Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix: principal moments and axes.

Cyclic Jacobi rotations (C. G. J. Jacobi 1846; G. H. Golub, C. F. Van Loan, Matrix Computations, 8.5) give orthonormal
axes right to some units of round-off. One Newton step in exact arithmetic makes them right to the last bit. The
eigenvalues are the Rayleigh quotients v^T A v / v^T v of the axes: their error is quadratic in that of the axes, so
that the small ones keep their relative accuracy, even a rotated needle's moment about its own axis, where any solver
that works in float64 alone loses it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from massprops.core.exact_numbers import Quotients, Rationals
from massprops.core.sums import U
from massprops.core.surface import Floats

REPEATED = 1e-14
"""Eigenvalues closer than this fraction of the largest one count as repeated."""

_CLOSE = round(1 / REPEATED)  # in integers, which know no overflow

_PAIRS = ((0, 1), (0, 2), (1, 2))
_SWEEPS = 30
_PLACES = 80
_UNIT = 1 << 2 * _PLACES


class Principal(NamedTuple):
    """Eigenvalues and eigenvectors.

    ``moments`` (3,) ascending; ``axes`` (3, 3) their unit vectors as columns, right-handed.
    """

    moments: Floats
    axes: Floats

    @property
    def is_repeated(self) -> bool:
        """Whether two moments are equal to round-off, so that their axes are any orthonormal pair."""
        one, two, three = self.moments.tolist()
        return bool(min(two - one, three - two) <= REPEATED * max(abs(one), abs(three)))


def principal(matrix: Rationals | Quotients) -> Principal:
    """Principal moments, ascending, and axes of a symmetric matrix of fractions.

    In axes 1 and 2 the component of largest magnitude is positive (the first of equal ones), axis 3 is their cross
    product. Axes of equal moments that lie along the coordinate axes stay in the order of these.

    Parameters
    ----------
    matrix : ndarray of Fraction or Quotients, shape (3, 3)
        Symmetric.

    Examples
    --------
    >>> from massprops.core.exact_numbers import rationals
    >>> found = principal(rationals([[2, 1, 0], [1, 2, 0], [0, 0, 5]]))
    >>> found.moments.tolist()
    [1.0, 3.0, 5.0]
    >>> found.axes[:, 1].round(12).tolist()
    [0.707106781187, 0.707106781187, 0.0]
    """
    exact = matrix if isinstance(matrix, Quotients) else Quotients.of(matrix)
    moments, columns = _refined(exact, jacobi_axes(exact.floats))
    vectors = columns.T.tolist()
    first, second, third = (vectors[k] for k in _order(moments))
    first, second = _signed(first, _sign(first)), _signed(second, _sign(second))
    third = _signed(third, math.copysign(1.0, _triple_product(first, second, third)))
    axes = np.array(list(zip(first, second, third, strict=True)))
    return Principal(np.array(sorted(moments)), axes + 0.0)  # no -0


def _refined(matrix: Quotients, columns: Floats) -> tuple[list[float], Floats]:
    """Rayleigh quotients of approximate axes, and the axes after one Newton step, each rounded once.

    With D = V^T A V and G = V^T V, first-order perturbation gives V (1 + X) where
    X_ij = (D_jj G_ij - D_ij) / (D_ii - D_jj); axes of equal moments are only made orthogonal. In integers: V to 80
    binary places.
    """
    v = _integers(columns)
    d = _products(v, _products(v, matrix.numerators.tolist()))
    g = _products(v, v)
    largest = max(abs(d[k][k]) for k in range(3))
    step = np.zeros((3, 3))
    for i, j in (*_PAIRS, *((j, i) for i, j in _PAIRS)):
        gap = d[i][i] - d[j][j]
        if abs(gap) * _CLOSE > largest:
            step[i, j] = (d[j][j] * g[i][j] - d[i][j] * _UNIT) / (gap * _UNIT)
    return [d[k][k] / (matrix.denominator * g[k][k]) for k in range(3)], _orthonormal(columns + columns @ step)


def _orthonormal(columns: Floats) -> Floats:
    """The nearest orthonormal axes, by Newton's iteration V <- V (3 - V^T V) / 2, from an exact V^T V.

    It squares the error in each step, and the last one rounds once.
    """
    for _ in range(_SWEEPS):
        v = _integers(columns)
        gram = _products(v, v)
        excess: Floats = np.array([[(gram[i][j] - _UNIT * (i == j)) / (2 * _UNIT) for j in range(3)] for i in range(3)])
        columns = columns - columns @ excess
        if np.abs(excess).max() < 2.0**-30:
            break
    return columns


def _integers(columns: Floats) -> list[list[int]]:
    """Each column, in units of 2^-80."""
    return [[int(math.ldexp(x, _PLACES)) for x in column] for column in columns.T.tolist()]


def _products(u: list[list[int]], v: list[list[int]]) -> list[list[int]]:
    return [[x[0] * y[0] + x[1] * y[1] + x[2] * y[2] for y in v] for x in u]


def _order(moments: list[float]) -> list[int]:
    """Indices by ascending moment; those of equal moments, to round-off, in their own order."""
    order = sorted(range(3), key=lambda k: moments[k])
    close = REPEATED * max(abs(m) for m in moments)
    for k in (0, 1, 0):
        if moments[order[k + 1]] - moments[order[k]] <= close:
            order[k : k + 2] = sorted(order[k : k + 2])
    return order


def jacobi_axes(matrix: Floats) -> Floats:
    """Eigenvectors of a symmetric 3 x 3 float matrix, orthonormal to some units of round-off, as unordered columns.

    >>> jacobi_axes(np.diag([3.0, 1.0, 2.0])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    a = matrix.tolist()
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(_SWEEPS):
        size = max(abs(a[k][k]) for k in range(3))
        if all(abs(a[i][j]) <= 0.01 * U * math.sqrt(abs(a[i][i])) * math.sqrt(abs(a[j][j])) for i, j in _PAIRS):
            break
        if all(abs(a[i][j]) <= 2.0**-80 * size for i, j in _PAIRS):
            break
        for p, q in _PAIRS:
            _rotate(a, v, p, q)
    return np.array(v)


def _rotate(a: list[list[float]], v: list[list[float]], p: int, q: int) -> None:
    """The rotation in the plane (p, q) that makes a[p][q] zero."""
    if a[p][q] == 0.0:
        return
    theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q])
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    c = 1.0 / math.hypot(t, 1.0)
    s = t * c
    r = 3 - p - q
    a[p][p], a[q][q] = a[p][p] - t * a[p][q], a[q][q] + t * a[p][q]
    a[p][q] = a[q][p] = 0.0
    a[p][r], a[q][r] = c * a[p][r] - s * a[q][r], s * a[p][r] + c * a[q][r]
    a[r][p], a[r][q] = a[p][r], a[q][r]
    for row in v:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]


def _sign(vector: list[float]) -> float:
    """+1 or -1, so that the component of largest magnitude becomes positive; of nearly equal ones the first counts."""
    large = max(map(abs, vector)) * (1 - 1e-9)
    return math.copysign(1.0, next(x for x in vector if abs(x) >= large))


def _signed(vector: list[float], sign: float) -> list[float]:
    return [sign * x for x in vector]


def _triple_product(u: list[float], v: list[float], w: list[float]) -> float:
    """u . (v x w): the determinant of three axes, which of orthonormal ones is +1 or -1."""
    return (
        u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
    )
