"""Bernstein polynomials: values, differences, parts, and Bezier segments of B-splines.

Sources: G. Farin, Curves and Surfaces for CAGD, 2002, chapters 4 to 8; L. Ramshaw, Blossoms are polar forms, Computer
Aided Geometric Design 6, 1989.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats


def bernstein(degree: int, t: Floats) -> Floats:
    """Values of the Bernstein polynomials C(n, k) t^k (1 - t)^(n - k), shape (len(t), degree + 1)."""
    k = np.arange(degree + 1)
    binomials = np.array([math.comb(degree, int(i)) for i in k], float)
    values: Floats = binomials * t[:, None] ** k * (1 - t[:, None]) ** (degree - k)
    return values


def difference(points: Floats) -> Floats:
    """Bernstein coefficients of the derivative: n (P_(k + 1) - P_k)."""
    derivative: Floats = (len(points) - 1) * np.diff(points, axis=0)
    return derivative


def power_basis(coefficients: Floats) -> Floats:
    """Coefficients of the powers of t, lowest first, of polynomials in Bernstein form: along the last axis."""
    degree, rows = coefficients.shape[-1] - 1, coefficients
    powers = np.empty(coefficients.shape)
    for k in range(degree + 1):
        powers[..., k] = math.comb(degree, k) * rows[..., 0]
        rows = np.diff(rows)
    return powers


def split(points: Floats, first: float, last: float) -> Floats:
    """Control points of the part between two parameters (de Casteljau's algorithm, twice).

    Examples
    --------
    >>> split(np.array([[0.0, 0], [1, 2], [2, 0]]), 0.5, 1).tolist()
    [[1.0, 1.0], [1.5, 1.0], [2.0, 0.0]]
    """
    head = _cut(points, last)[0] if last < 1 else points
    return _cut(head, first / last)[1] if first > 0 else head


def _cut(points: Floats, t: float) -> tuple[Floats, Floats]:
    rows = [points]
    while len(rows[-1]) > 1:
        rows.append(rows[-1][:-1] + t * (rows[-1][1:] - rows[-1][:-1]))
    return np.array([row[0] for row in rows]), np.array([row[-1] for row in rows[::-1]])


def bezier_segments(points: Floats, knots: Floats, degree: int) -> list[Floats]:
    """Control points of the Bezier segments of a B-spline, one array ``(degree + 1, m)`` for each span of knots.

    The control points of a segment are the values of the spline's blossom at the ends of its span, repeated; that is
    what inserting every knot up to its full multiplicity amounts to. Neighbours share their common point exactly.

    Parameters
    ----------
    points : ndarray, shape (n, m)
        Control points; of rational splines in homogeneous form, (w u, w v, w).
    knots : ndarray, shape (n + degree + 1,)
        Not descending.
    degree : int
        At least 1.

    Examples
    --------
    >>> bezier_segments(np.array([[0.0], [1], [2], [4]]), np.array([0.0, 0, 0, 1, 2, 2, 2]), 2)
    [array([[0. ],
           [1. ],
           [1.5]]), array([[1.5],
           [2. ],
           [4. ]])]
    """
    return list(segments_of_splines(points, knots, np.array([len(points)]), degree)[0])


def segments_of_splines(
    points: Floats, knots: Floats, counts: NDArray[np.intp], degree: int
) -> tuple[Floats, NDArray[np.intp]]:
    """The same of many B-splines of one degree at once.

    Parameters
    ----------
    points : ndarray, shape (n, m)
        Control points of one spline after the other.
    knots : ndarray, shape (n + s * (degree + 1),)
        Knots of one spline after the other.
    counts : ndarray of int, shape (s,)
        Number of control points of each.
    degree : int

    Returns
    -------
    segments : ndarray, shape (k, degree + 1, m)
    numbers : ndarray of int, shape (s,)
        How many of them each spline has.
    """
    most = counts - degree
    spline = np.repeat(np.arange(len(counts)), most)
    local = np.arange(len(spline)) - np.repeat(np.cumsum(most) - most, most) + degree
    point_span = local + (np.cumsum(counts) - counts)[spline]
    knot_span = point_span + spline * (degree + 1)
    kept = knots[knot_span] != knots[knot_span + 1]
    spline, point_span, knot_span = spline[kept], point_span[kept], knot_span[kept]
    last = np.arange(degree) < np.arange(degree + 1)[:, None]  # of the arguments, those at the end of the span
    arguments = np.where(last[:, ::-1], knots[knot_span + 1, None, None], knots[knot_span, None, None])
    segments = _blossoms(points, knots, degree, point_span, knot_span, arguments)
    inner = np.flatnonzero(spline[1:] == spline[:-1])
    segments[inner + 1, 0] = segments[inner, -1]
    return segments, np.bincount(spline, minlength=len(counts))


def _blossoms(
    points: Floats, knots: Floats, degree: int, spans: NDArray[np.intp], knot_spans: NDArray[np.intp], arguments: Floats
) -> Floats:
    """The polar form on spans (s,) at ``degree`` arguments each, of shape (s, k, degree); shape (s, k, m).

    De Boor's algorithm with one argument a step. A span is told by its place among the points, and among the knots.
    """
    rows = points[spans[:, None] + np.arange(-degree, 1)][:, None]
    for step in range(1, degree + 1):
        above = knot_spans[:, None] + np.arange(1, degree - step + 2)
        low, high = knots[above - 1 - degree + step], knots[above]
        fraction = (arguments[:, :, step - 1, None] - low[:, None]) / (high - low)[:, None]
        rows = rows[:, :, :-1] + fraction[..., None] * (rows[:, :, 1:] - rows[:, :, :-1])
    found: Floats = rows[:, :, 0]
    return found
