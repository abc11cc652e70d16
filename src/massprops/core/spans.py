"""A curve cut where it turns: spans along which u and v each rise or fall steadily.

The box of a span is that of its two ends, and a line parallel to an axis meets it once at most: that is what makes
crossings and windings of curved loops as simple as those of polygons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.curve import Curve, Loop
from massprops.core.piecetable import Ints, PieceTable
from massprops.core.segments import Arc, Curved, Polyline
from massprops.core.surface import Floats

_ALONG_U, _ALONG_V = np.array([1.0, 0.0]), np.array([0.0, 1.0])


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
    >>> half_disc = Curve((Loop((Arc.circle([0, 0], 1, 0, np.pi),)),))
    >>> spans_of(half_disc).end.round(12).tolist()
    [[0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]]
    """
    pieces = tuple(curve.curved())
    position = {id(piece): k for k, piece in enumerate(pieces)}
    bends = np.array([_bend(piece) for piece in pieces])
    parts = [part for number, loop in enumerate(curve.loops) for part in _loop_parts(loop, number, position)]
    start, end, loop, piece, first, last = (
        np.concatenate(column) if len(column) > 1 else column[0] for column in zip(*parts, strict=True)
    )
    kept = (start[:, 0] != end[:, 0]) | (start[:, 1] != end[:, 1])
    if not kept.all():
        start, end, loop, piece, first, last = (x[kept] for x in (start, end, loop, piece, first, last))
    bend = np.zeros(len(loop))
    curved = piece >= 0
    bend[curved] = bends[piece[curved]] * (last - first)[curved] ** 2
    return Spans(start, end, loop, piece, first, last, bend, pieces, PieceTable.of(pieces))


def _loop_parts(loop: Loop, number: int, position: dict[int, int]) -> list[tuple[NDArray[Any], ...]]:
    parts = []
    for piece, following in zip(loop.pieces, loop.pieces[1:] + loop.pieces[:1], strict=True):
        if isinstance(piece, Polyline):
            parts.append(_straight(piece.points, number))
        else:
            parts.append(_curved(piece, number, position[id(piece)]))
        if (piece.end != following.start).any():
            parts.append(_straight(np.array([piece.end, following.start]), number))
    return parts


def _curved(piece: Curved, number: int, position: int) -> tuple[NDArray[Any], ...]:
    cuts = np.array(sorted({0.0, *piece.turns(_ALONG_U).tolist(), *piece.turns(_ALONG_V).tolist(), 1.0}))
    inner = piece.at(cuts[1:-1]) if len(cuts) > 2 else np.empty((0, 2))
    points = np.concatenate([[piece.start], inner, [piece.end]])
    count = len(cuts) - 1
    labels = np.full(count, number, np.intp), np.full(count, position, np.intp)
    return points[:-1], points[1:], *labels, cuts[:-1], cuts[1:]


def _straight(points: Floats, number: int) -> tuple[NDArray[Any], ...]:
    count = len(points) - 1
    labels = np.full(count, number, np.intp), np.full(count, -1, np.intp)
    return points[:-1], points[1:], *labels, np.zeros(count), np.ones(count)


def _bend(piece: Curved) -> float:
    """Bound of the size of the second derivative by the segment's own parameter."""
    if isinstance(piece, Arc):
        return float(np.hypot(*np.hypot(*piece.axes.T))) * piece.sweep**2
    n = len(piece.points) - 1
    local, w = piece.points - piece.start, piece.weights[:, None]
    x1, w1 = (n * np.abs(np.diff(f, axis=0)).max() for f in (local * w, w))
    x2, w2 = (n * (n - 1) * np.abs(np.diff(f, 2, axis=0)).max() for f in (local * w, w))
    reach, least = np.abs(local).max(), w.min()
    slope = (x1 + reach * w1) / least
    return float(np.sqrt(2.0) * (x2 + 2 * w1 * slope + w2 * reach) / least)
