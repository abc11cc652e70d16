"""Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix: principal moments and axes.

Cyclic Jacobi rotations (C. G. J. Jacobi 1846; G. H. Golub, C. F. Van Loan, Matrix Computations, 8.5) give orthonormal
axes right to round-off. The eigenvalues are then the Rayleigh quotients v^T A v / v^T v of these axes in rational
arithmetic: their error is quadratic in that of the axes, so that the small ones keep their relative accuracy, even a
rotated needle's moment about its own axis, where any solver that works in float64 alone loses it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from massprops.core.moments import Rationals
from massprops.core.sums import U
from massprops.core.surface import Floats

REPEATED = 1e-12
"""Eigenvalues closer than this fraction of the largest one count as repeated."""

_PAIRS = ((0, 1), (0, 2), (1, 2))
_SWEEPS = 30


class Principal(NamedTuple):
    """Eigenvalues and eigenvectors.

    ``moments`` (3,) ascending; ``axes`` (3, 3) their unit vectors as columns, right-handed.
    """

    moments: Floats
    axes: Floats

    @property
    def is_repeated(self) -> bool:
        """Whether two moments are equal to round-off, so that their axes are any orthonormal pair."""
        return bool(np.diff(self.moments).min() <= REPEATED * np.abs(self.moments).max())


def principal(matrix: Rationals) -> Principal:
    """Principal moments, ascending, and axes of a symmetric matrix of fractions.

    In axes 1 and 2 the component of largest magnitude is positive (the first of equal ones), axis 3 is their cross
    product. Axes of equal moments that lie along the coordinate axes stay in the order of these.

    Parameters
    ----------
    matrix : ndarray of Fraction, shape (3, 3)
        Symmetric.

    Examples
    --------
    >>> from massprops.core.moments import rationals
    >>> found = principal(rationals([[2, 1, 0], [1, 2, 0], [0, 0, 5]]))
    >>> found.moments.tolist()
    [1.0, 3.0, 5.0]
    >>> found.axes[:, 1].round(12).tolist()
    [0.707106781187, 0.707106781187, 0.0]
    """
    columns = jacobi_axes(matrix.astype(np.float64))
    integers = _integers(matrix)
    moments = [_rayleigh(*integers, column) for column in columns.T]
    axes = columns[:, _order(moments)]
    for k in (0, 1):
        axes[:, k] *= _sign(axes[:, k])
    axes[:, 2] = _cross(axes[:, 0], axes[:, 1])
    return Principal(np.array(sorted(moments)), axes + 0.0)


def _order(moments: list[float]) -> list[int]:
    """Indices by ascending moment; those of equal moments, to round-off, in their own order."""
    order = sorted(range(3), key=lambda k: moments[k])
    close = REPEATED * max(abs(m) for m in moments)
    for k in (0, 1, 0):
        if moments[order[k + 1]] - moments[order[k]] <= close:
            order[k : k + 2] = sorted(order[k : k + 2])
    return order


def jacobi_axes(matrix: Floats) -> Floats:
    """Orthonormal eigenvectors of a symmetric 3 x 3 float matrix, as columns in no particular order.

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
    return np.array(_orthonormal(v))


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


def _orthonormal(v: list[list[float]]) -> list[list[float]]:
    """One Newton step towards the polar factor, v (3 - v^T v) / 2: takes what the rotations' rounding left."""
    gram = [[math.fsum(v[k][i] * v[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    half = [[(3.0 * (i == j) - gram[i][j]) / 2.0 for j in range(3)] for i in range(3)]
    return [[math.fsum(v[i][k] * half[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _rayleigh(matrix: list[list[int]], denominator: int, vector: Floats) -> float:
    """v^T A v / v^T v, rounded once. A is ``matrix / denominator``, v is taken to 80 binary places."""
    x = [int(math.ldexp(component, 80)) for component in vector.tolist()]
    quadratic = sum(x[i] * x[j] * matrix[i][j] for i in range(3) for j in range(3))
    return quadratic / (denominator * sum(component * component for component in x))


def _integers(matrix: Rationals) -> tuple[list[list[int]], int]:
    """The matrix over one common denominator."""
    denominator = math.lcm(*(entry.denominator for entry in matrix.flat))
    return [[e.numerator * (denominator // e.denominator) for e in row] for row in matrix.tolist()], denominator


def _sign(vector: Floats) -> float:
    """+1 or -1, so that the component of largest magnitude becomes positive; of nearly equal ones the first counts."""
    size = np.abs(vector)
    return math.copysign(1.0, vector[int(np.argmax(size >= size.max() * (1 - 1e-9)))])


def _cross(u: Floats, v: Floats) -> Floats:
    return np.array([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])
