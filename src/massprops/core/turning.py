"""Many curved segments cut at once where they turn: where the tangent is parallel to u or v."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.arc import turns_of_arcs
from massprops.core.bernstein import bernstein
from massprops.core.piecetable import ArcTable, BezierTable, Ints, PieceTable
from massprops.core.segments import Curved
from massprops.core.surface import Floats
from massprops.core.turns import turns_of_polynomials, turns_of_rationals

_DIRECTIONS = np.eye(2)


class Steady(NamedTuple):
    """The stretches between turns of curved segments, of one segment after the other.

    Segment k has ``counts[k]`` stretches; ``points`` and ``cuts`` hold one more each for it.
    """

    counts: NDArray[np.intp]
    points: Floats
    """Starts, turns and ends, shape (n, 2); length."""
    cuts: Floats
    """Their parameters, from 0 to 1 for each segment, shape (n,)."""


def steady(pieces: Sequence[Curved], table: PieceTable | None = None) -> Steady:
    """Cut curved segments where they turn.

    Parameters
    ----------
    pieces : sequence of Arc, Bezier or RationalBezier
    table : PieceTable, optional
        Of these, if at hand.

    Examples
    --------
    >>> from massprops.core.segments import Arc
    >>> found = steady([Arc.circle([0, 0], 1, 0, np.pi)])
    >>> found.counts.tolist(), found.cuts.tolist(), found.points.round(12).tolist()
    ([2], [0.0, 0.5, 1.0], [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    """
    table = PieceTable.of(pieces) if table is None else table
    where, turns = _turns(table)
    counts = np.bincount(where, minlength=len(pieces)) + 1
    lasts = np.cumsum(counts + 1) - 1
    firsts = lasts - counts
    inner = np.ones(int(counts.sum()) + len(counts), bool)
    inner[firsts] = inner[lasts] = False
    points, cuts = np.empty((len(inner), 2)), np.zeros(len(inner))
    points[firsts], points[lasts] = table.ends[:, 0], table.ends[:, 1]
    cuts[lasts] = 1.0
    cuts[inner] = turns
    for kind in table.kinds:
        for count in np.unique(counts[kind.index]).tolist():
            row = np.flatnonzero(counts[kind.index] == count)
            if count > 1:
                at = firsts[kind.index[row], None] + np.arange(1, count)
                points[at] = _points(table, kind, row, cuts[at])
    return Steady(counts, points, cuts)


def _turns(table: PieceTable) -> tuple[Ints, Floats]:
    """Parameters within (0, 1) where segments turn, ascending for each, and the segments that they belong to."""
    found = [(np.empty(0, np.intp), np.empty(0))]
    for kind in table.kinds:
        for direction in _DIRECTIONS:
            t = _turns_of(kind, direction)
            row, column = np.nonzero((t > 0) & (t < 1))
            found.append((kind.index[row], t[row, column]))
    where, turns = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((turns, where))
    where, turns = where[order], turns[order]
    new = np.append(True, (where[1:] != where[:-1]) | (turns[1:] != turns[:-1]))[: len(where)]
    return where[new], turns[new]


def _turns_of(kind: ArcTable | BezierTable, direction: Floats) -> Floats:
    """Parameters of turns, a row for each segment; those outside of (0, 1), and NaN, are none."""
    if isinstance(kind, ArcTable):
        return turns_of_arcs(kind.axes @ direction, kind.begin, kind.sweep)
    if kind.is_rational:
        return turns_of_rationals((kind.points - kind.points[:, :1]) @ direction, kind.weights)
    return turns_of_polynomials(kind.points @ direction)


def _points(table: PieceTable, kind: ArcTable | BezierTable, row: Ints, t: Floats) -> Floats:
    """Points (n, m, 2) of n segments of one kind and degree at their parameters (n, m)."""
    if isinstance(kind, ArcTable):
        angle = kind.begin[row, None] + kind.sweep[row, None] * t
        points = kind.center[row, None] + np.stack([np.cos(angle), np.sin(angle)], axis=2) @ kind.axes[row]
        every = np.repeat(row, t.shape[1])
        return kind.sharpened(points.reshape(-1, 2), every, t.ravel()).reshape(points.shape)
    if not kind.is_rational:
        control = kind.points[row]
        basis = bernstein(control.shape[1] - 1, t.ravel()).reshape(*t.shape, -1)
        return np.asarray(control[:, :1] + basis @ (control - control[:, :1]))
    index = np.repeat(kind.index[row], t.shape[1])
    return table.at(index, t.ravel()).reshape(*t.shape, 2)
