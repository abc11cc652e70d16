"""A curve cut where it turns: spans along which u and v each rise or fall steadily.

The box of a span is that of its two ends, and a line parallel to an axis meets it once at most: that is what makes
crossings and windings of curved loops as simple as those of polygons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.curve import Curve
from massprops.core.piecetable import ArcTable, BezierTable, Ints, PieceTable
from massprops.core.segments import Curved
from massprops.core.surface import Floats
from massprops.core.turning import Steady, steady


@dataclass(frozen=True, eq=False)
class Spans:
    """All spans of a curve, loop by loop, in the order in which the loops run.

    Parameters
    ----------
    start, end : ndarray, shape (n, 2)
        Ends; length.
    loop : ndarray of int, shape (n,)
        Number of the loop.
    piece : ndarray of int, shape (n,)
        Position in ``pieces`` of the segment that the span is a part of; -1 where it is straight.
    first, last : ndarray, shape (n,)
        The part, in parameters of the segment.
    bend : ndarray, shape (n,)
        Bound of the size of the second derivative, by a parameter s that runs from 0 to 1 along the span; length.
        No point of the span between two parameters lies farther from the chord than bend / 8 times the square of
        their difference.
    pieces : tuple of Arc, Bezier or RationalBezier
    table : PieceTable
        Of these.
    """

    start: Floats
    end: Floats
    loop: Ints
    piece: Ints
    first: Floats
    last: Floats
    bend: Floats
    pieces: tuple[Curved, ...]
    table: PieceTable

    def __len__(self) -> int:
        return len(self.loop)

    def at(self, index: Ints, s: Floats) -> Floats:
        """Points of the spans ``index`` at the parameters s, both of shape (k,); shape (k, 2)."""
        a, b = self.start[index], self.end[index]
        points: Floats = a + s[:, None] * (b - a)
        points[s == 1] = b[s == 1]
        piece = self.piece[index]
        mine = np.flatnonzero((piece >= 0) & (s > 0) & (s < 1))
        if len(mine):
            spans = index[mine]
            t = self.first[spans] + s[mine] * (self.last[spans] - self.first[spans])
            points[mine] = self.table.at(piece[mine], t)
        return points

    def after(self) -> Ints:
        """For each span the next one of its loop."""
        following = np.arange(1, len(self) + 1)
        ends = np.flatnonzero(np.diff(self.loop, append=-1) != 0)
        following[ends] = np.concatenate([[0], ends[:-1] + 1])
        return following


def spans_of(curve: Curve) -> Spans:
    """The spans of a curve; segments of no length are passed over.

    Examples
    --------
    >>> from massprops.core.curve import Loop
    >>> from massprops.core.segments import Arc
    >>> half_disc = Curve((Loop((Arc.circle([0, 0], 1, 0, np.pi),)),))
    >>> spans_of(half_disc).end.round(12).tolist()
    [[0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]]
    """
    columns, pieces = curve.columns, tuple(curve.curved())
    cut = steady(pieces, columns.table)
    start, end, loop, piece = _straight_and_cut(curve, cut)
    first, last, bend, curved = np.zeros(len(loop)), np.ones(len(loop)), np.zeros(len(loop)), piece >= 0
    first[curved], last[curved] = cut.cuts[:-1][cut.cuts[:-1] < 1], cut.cuts[1:][cut.cuts[1:] > 0]
    bend[curved] = _bends(columns.table, len(pieces))[piece[curved]] * (last - first)[curved] ** 2
    kept = (start[:, 0] != end[:, 0]) | (start[:, 1] != end[:, 1])
    if not kept.all():
        start, end, loop, piece, first, last, bend = (x[kept] for x in (start, end, loop, piece, first, last, bend))
    return Spans(start, end, loop, piece, first, last, bend, pieces, columns.table)


def _straight_and_cut(curve: Curve, cut: Steady) -> tuple[Floats, Floats, Ints, Ints]:
    """Starts and ends of all spans, the numbers of their loops, and their positions among the curved pieces or -1.

    The segments of polylines, stretches of curved pieces, and straight segments between pieces that do not meet.
    """
    columns, pieces = curve.columns, np.array([len(loop.pieces) for loop in curve.loops])
    sizes, points = columns.sizes, columns.corners
    if columns.is_curved.any():
        sizes = sizes.copy()
        sizes[columns.is_curved] = cut.counts + 1
        points, within = np.empty((int(sizes.sum()), 2)), np.repeat(columns.is_curved, sizes)
        points[within] = cut.points
        points[~within] = columns.corners[np.repeat(~columns.is_curved, columns.sizes)]
    lasts = np.cumsum(sizes) - 1
    start, end = points[:-1], points[1:]
    if len(sizes) > 1:
        inner = np.ones(len(points), bool)
        inner[lasts] = False
        start, end = points[inner], points[np.roll(inner, 1)]
    loop = np.repeat(np.arange(len(pieces)), pieces)
    piece = np.where(columns.is_curved, np.cumsum(columns.is_curved) - 1, -1)
    following = np.arange(1, len(sizes) + 1)
    following[np.cumsum(pieces) - 1] = np.cumsum(pieces) - pieces
    a, z = points[lasts + 1 - sizes][following], points[lasts]
    gaps = np.flatnonzero((a != z).any(axis=1))
    owner, count = loop, sizes - 1
    loop, piece = np.repeat(loop, count), np.repeat(piece, count)
    if len(gaps):
        at = np.cumsum(count)[gaps]
        start, end = np.insert(start, at, z[gaps], axis=0), np.insert(end, at, a[gaps], axis=0)
        loop, piece = np.insert(loop, at, owner[gaps]), np.insert(piece, at, -1)
    return start, end, loop, piece


def _bends(table: PieceTable, count: int) -> Floats:
    """Bounds of the size of the second derivative by the segments' own parameters."""
    bends = np.empty(count)
    for kind in table.kinds:
        bends[kind.index] = _arc_bends(kind) if isinstance(kind, ArcTable) else _bezier_bends(kind)
    return bends


def _arc_bends(arcs: ArcTable) -> Floats:
    axes = arcs.axes
    bends: Floats = np.hypot(*np.hypot(axes[:, :, 0], axes[:, :, 1]).T) * arcs.sweep**2
    return bends


def _bezier_bends(beziers: BezierTable) -> Floats:
    points, w = beziers.points, beziers.weights[..., None]
    n = points.shape[1] - 1
    local = points - points[:, :1]
    x1, w1 = (n * np.abs(np.diff(f, axis=1)).max(axis=(1, 2)) for f in (local * w, w))
    x2, w2 = (n * (n - 1) * np.abs(np.diff(f, 2, axis=1)).max(axis=(1, 2), initial=0.0) for f in (local * w, w))
    reach, least = np.abs(local).max(axis=(1, 2)), w.min(axis=(1, 2))
    slope = (x1 + reach * w1) / least
    return np.asarray(np.sqrt(2.0) * (x2 + 2 * w1 * slope + w2 * reach) / least)
