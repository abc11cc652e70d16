"""On which side of a point an arc passes, in closed form, where that is plain.

For the ellipse c + p cos(a) + q sin(a), p = (p_x, p_y) and so on, with r^2 = p_y^2 + q_y^2, the level y is passed at

    x = c_x + (p_x p_y + q_x q_y) / r^2 (y - c_y) -+ (q_x p_y - p_x q_y) / r sqrt(1 - (y - c_y)^2 / r^2)

with the upper sign where y rises with a. What is near is left to `massprops.core.levels`, which finds it to the last
digit.
"""

from __future__ import annotations

import numpy as np

from massprops.core.piecetable import ArcTable, Ints
from massprops.core.spans import Spans
from massprops.core.surface import Floats

_NEAR = 1e-4
"""Passing nearer than this fraction of the arc's size is not plain."""

_SLACK = 8.0
"""How many tolerances a level may be off: near a turn, x moves by the square root of that."""


def plain_sides(
    spans: Spans, index: Ints, axis: int, level: Floats, place: Floats, tolerance: float
) -> tuple[Ints, Ints]:
    """Which spans pass a level plainly beyond a place along an axis, and which plainly before it.

    Parameters
    ----------
    spans : Spans
    index : ndarray of int, shape (k,)
        Spans that pass the level.
    axis : int
        0 or 1: the axis along which is looked; the level is one of the other coordinate.
    level, place : ndarray, shape (k,)
        Length.
    tolerance : float
        Within which spans are said to meet; length.

    Returns
    -------
    beyond, before : ndarray of bool, shape (k,)
        Neither for spans that are no arcs, and for arcs that pass near the place.
    """
    beyond, before = np.zeros(len(index), bool), np.zeros(len(index), bool)
    arcs = spans.table.arcs
    mine = np.flatnonzero(spans.piece[index] >= 0)
    if arcs is None or len(mine) == 0:
        return beyond, before
    row = arcs.row[spans.piece[index[mine]]]
    mine, row = mine[row >= 0], row[row >= 0]
    rises = spans.end[index[mine], 1 - axis] > spans.start[index[mine], 1 - axis]
    with np.errstate(all="ignore"):  # of arcs that are flat, which pass no level
        x, near = _passed_at(arcs, row, axis, level[mine], rises, tolerance)
        beyond[mine], before[mine] = x - near > place[mine], x + near < place[mine]
    return beyond, before


def _passed_at(
    arcs: ArcTable, row: Ints, axis: int, level: Floats, rises: Ints, tolerance: float
) -> tuple[Floats, Floats]:
    """Where arcs pass their levels, and how far from the truth that may be, generously."""
    px, qx = arcs.axes[:, :, axis].T
    py, qy = arcs.axes[:, :, 1 - axis].T
    r = np.hypot(py, qy)
    reach, slack = np.hypot(px, qx), _SLACK * tolerance / r
    lean, half = (px * py + qx * qy) / r, (qx * py - px * qy) / r * np.sign(arcs.sweep)
    near = reach * (_NEAR + np.sqrt(slack) + slack) + 1e3 * tolerance
    d = (level - arcs.center[row, 1 - axis]) / r[row]
    x = arcs.center[row, axis] + lean[row] * d
    out = half[row] * np.sqrt(np.maximum(1 - d * d, 0.0))
    return np.where(rises, x - out, x + out), near[row]
