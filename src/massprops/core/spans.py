"""A curve cut where it turns: spans along which u and v each rise or fall steadily.

The box of a span is that of its two ends, and a line parallel to an axis meets it once at most: that is what makes
crossings and windings of curved loops as simple as those of polygons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from massprops.core.curve import Curve
from massprops.core.piecetable import Ints, PieceTable
from massprops.core.segments import Arc, Curved, Polyline
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
    >>> half_disc = Curve((Loop((Arc.circle([0, 0], 1, 0, np.pi),)),))
    >>> spans_of(half_disc).end.round(12).tolist()
    [[0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]]
    """
    pieces = tuple(curve.curved())
    cut = steady(pieces)
    runs, loop, piece = _runs(curve, cut)
    sizes = np.array([len(run) - 1 for run in runs])
    start, end = _gathered([run[:-1] for run in runs]), _gathered([run[1:] for run in runs])
    loop, piece = np.repeat(loop, sizes), np.repeat(piece, sizes)
    first, last, bend, curved = np.zeros(len(loop)), np.ones(len(loop)), np.zeros(len(loop)), piece >= 0
    first[curved], last[curved] = cut.cuts[:-1][cut.cuts[:-1] < 1], cut.cuts[1:][cut.cuts[1:] > 0]
    bend[curved] = _bends(pieces)[piece[curved]] * (last - first)[curved] ** 2
    kept = (start[:, 0] != end[:, 0]) | (start[:, 1] != end[:, 1])
    if not kept.all():
        start, end, loop, piece, first, last, bend = (x[kept] for x in (start, end, loop, piece, first, last, bend))
    return Spans(start, end, loop, piece, first, last, bend, pieces, PieceTable.of(pieces))


def _gathered(parts: list[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _runs(curve: Curve, cut: Steady) -> tuple[list[Floats], Ints, Ints]:
    """Points of each piece, of curved ones where they turn, and of the straight segments between pieces.

    With the number of its loop, and its position among the curved pieces: -1 where it is straight.
    """
    lasts = np.cumsum(cut.counts + 1)
    turned = iter(zip((lasts - cut.counts - 1).tolist(), lasts.tolist(), strict=True))
    straight = [isinstance(piece, Polyline) for piece in curve.pieces()]
    runs = [
        piece.points if isinstance(piece, Polyline) else cut.points[slice(*next(turned))] for piece in curve.pieces()
    ]
    sizes = np.array([len(loop.pieces) for loop in curve.loops])
    loop = np.repeat(np.arange(len(sizes)), sizes)
    piece = np.where(straight, -1, np.cumsum(np.logical_not(straight)) - 1)
    following = np.arange(1, len(runs) + 1)
    following[np.cumsum(sizes) - 1] = np.cumsum(sizes) - sizes
    a, z = np.array([run[0] for run in runs])[following], np.array([run[-1] for run in runs])
    gaps = np.flatnonzero((a != z).any(axis=1))
    if len(gaps):
        joints = dict(zip(gaps.tolist(), np.stack([z, a], axis=1)[gaps], strict=True))
        runs = [part for k, run in enumerate(runs) for part in ((run, joints[k]) if k in joints else (run,))]
        loop, piece = np.insert(loop, gaps + 1, loop[gaps]), np.insert(piece, gaps + 1, -1)
    return runs, loop, piece


def _bends(pieces: Sequence[Curved]) -> Floats:
    """Bounds of the size of the second derivative by the segments' own parameters."""
    bends = np.empty(len(pieces))
    groups: dict[int, list[int]] = {}
    for k, piece in enumerate(pieces):
        groups.setdefault(0 if isinstance(piece, Arc) else len(piece.points), []).append(k)
    for kind, group in groups.items():
        members = [pieces[k] for k in group]
        bends[group] = _arc_bends(members) if kind == 0 else _bezier_bends(members)
    return bends


def _arc_bends(arcs: list[Any]) -> Floats:
    axes, sweep = np.array([arc.axes for arc in arcs]), np.array([arc.sweep for arc in arcs])
    bends: Floats = np.hypot(*np.hypot(axes[:, :, 0], axes[:, :, 1]).T) * sweep**2
    return bends


def _bezier_bends(pieces: list[Any]) -> Floats:
    """Of Bezier and rational Bezier segments of one degree."""
    points, w = np.array([piece.points for piece in pieces]), np.array([piece.weights for piece in pieces])[..., None]
    n = points.shape[1] - 1
    local = points - points[:, :1]
    x1, w1 = (n * np.abs(np.diff(f, axis=1)).max(axis=(1, 2)) for f in (local * w, w))
    x2, w2 = (n * (n - 1) * np.abs(np.diff(f, 2, axis=1)).max(axis=(1, 2)) for f in (local * w, w))
    reach, least = np.abs(local).max(axis=(1, 2)), w.min(axis=(1, 2))
    slope = (x1 + reach * w1) / least
    return np.asarray(np.sqrt(2.0) * (x2 + 2 * w1 * slope + w2 * reach) / least)
