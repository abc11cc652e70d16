"""A tree of boxes over the spans of a curve, in the order in which the curve runs.

Neighbours along a curve are neighbours in the plane, so that pairing them two by two, level by level, makes a good
hierarchy at no cost. A stretch that keeps rising or falling in u or in v cannot meet itself, nor can two such stretches
that follow one another: whole branches are passed over by that, and a polygon of a million corners costs little more
than looking at each corner once. Where many arcs have one centre, the distance from it is a third coordinate: boxes of
concentric circles lie in one another, their distances apart.

Sources: J. Goldsmith, J. Salmon, Automatic creation of object hierarchies for ray tracing, IEEE CG&A 7, 1987 (boxes in
a tree); S. C. Park, H. Shin, Polygonal chain intersection, Computers & Graphics 26, 2002 (monotone chains).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from massprops.core.piecetable import ROUNDING, Ints
from massprops.core.spans import Spans
from massprops.core.surface import Floats

_CHUNK = 1 << 20
"""Pairs that are looked at together."""

_MANY = 16
"""Arcs with one centre from which distances from it are looked at."""

_DISTANCE_SLACK = 8.0
"""How many times farther apart distances must be than boxes: ends are said to lie on an arc from a little farther."""


@dataclass(frozen=True, eq=False)
class _Level:
    """Boxes (4, m): lowest u and v, highest u and v; directions kept along each, as bits; whether a loop ends there.

    Boxes (6, m) have the least and the greatest distance from a centre, too: u, v, distance, and again.
    """

    box: Floats
    steady: Ints
    ends: Ints


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Boxes of ever longer stretches of a curve; level 0 has one for each span."""

    levels: tuple[_Level, ...]

    @classmethod
    def of(cls, spans: Spans) -> BoxTree:
        """The tree of all spans."""
        box, steady = np.empty((4, len(spans))), np.zeros(len(spans), np.uint8)
        for axis in (0, 1):
            start, end = spans.start[:, axis], spans.end[:, axis]
            np.minimum(start, end, out=box[axis])
            np.maximum(start, end, out=box[axis + 2])
            steady |= (start < end).view(np.uint8) << 2 * axis
            steady |= (start > end).view(np.uint8) << 2 * axis + 1
        center = _common_center(spans)
        if center is not None:
            box = np.insert(box, [2, 4], _distances(spans, box, center), axis=0)
        levels = [_Level(box, steady, np.append(spans.loop[1:] != spans.loop[:-1], True))]
        while levels[-1].box.shape[1] > 1:
            levels.append(_parents(levels[-1]))
        return cls(tuple(levels))

    def close_pairs(self, slack: float) -> Iterator[tuple[Ints, Ints]]:
        """Pairs of spans i < j whose boxes come within a distance, but for those that steadiness keeps apart.

        Comes in several batches.
        """
        stack = [(len(self.levels) - 1, np.zeros(1, np.intp), np.zeros(1, np.intp))]
        while stack:
            depth, a, b = stack.pop()
            a, b = self._apart(depth, a, b, slack)
            if depth == 0:
                yield a[a != b], b[a != b]
                continue
            a, b = self._children(depth - 1, a, b)
            stack += [(depth - 1, a[k : k + _CHUNK], b[k : k + _CHUNK]) for k in range(0, len(a), _CHUNK)][::-1]

    def _apart(self, depth: int, a: Ints, b: Ints, slack: float) -> tuple[Ints, Ints]:
        level = self.levels[depth]
        count = len(level.box) // 2
        for k in range(count - 1, -1, -1):
            low, high, room = level.box[k], level.box[count + k], slack if k < 2 else _DISTANCE_SLACK * slack
            near = (low[a] <= high[b] + room) & (low[b] <= high[a] + room)
            a, b = a[near], b[near]
        follows = (b == a) | ((b == a + 1) & ~level.ends[a])
        kept = ~(follows & (level.steady[a] & level.steady[b] != 0))
        return a[kept], b[kept]

    def _children(self, depth: int, a: Ints, b: Ints) -> tuple[Ints, Ints]:
        same, count = a == b, self.levels[depth].box.shape[1]
        one, two = a[~same], b[~same]
        left = np.concatenate([2 * a, 2 * a[same] + 1, 2 * one, 2 * one + 1, 2 * one + 1])
        right = np.concatenate([2 * b, 2 * b[same] + 1, 2 * two + 1, 2 * two, 2 * two + 1])
        left, right = np.concatenate([left, 2 * a[same]]), np.concatenate([right, 2 * a[same] + 1])
        inside = (left < count) & (right < count)
        return left[inside], right[inside]

    def beginnings(self, loop: Ints) -> list[Floats]:
        """For each level the lowest u and v of all loops that have spans in a box, shape (2, m); for `ray_pairs`.

        Parameters
        ----------
        loop : ndarray of int, shape (n,)
            Loop of each span; spans of a loop follow one another.
        """
        firsts = np.flatnonzero(np.diff(loop, prepend=-1))
        lowest: Floats = np.minimum.reduceat(self.levels[0].box[:2], firsts, axis=1)
        found = [np.repeat(lowest, np.diff(firsts, append=len(loop)), axis=1)]
        while found[-1].shape[1] > 1:
            found.append(np.minimum.reduceat(found[-1], np.arange(0, found[-1].shape[1], 2), axis=1))
        return found

    def ray_pairs(
        self, points: Floats, axis: int, slack: float, beginnings: list[Floats] | None = None
    ) -> tuple[Ints, Ints]:
        """Queries and spans whose boxes meet the ray from a point towards higher values along an axis.

        Parameters
        ----------
        points : ndarray, shape (k, 2)
        axis : int
            0 or 1.
        slack : float
            How far behind the point the ray begins; length.
        beginnings : list of ndarray, optional
            Leave out the spans of loops that begin, along the axis, farther than ``slack`` beyond the point: their
            windings about it are 0.
        """
        along, across = axis, 1 - axis
        query, node = np.arange(len(points)), np.zeros(len(points), np.intp)
        for depth in range(len(self.levels) - 1, -1, -1):
            box = self.levels[depth].box
            low, high = box[:2], box[len(box) // 2 :]
            x, y = points[query, along] - slack, points[query, across]
            hit = (high[along, node] >= x) & (low[across, node] <= y) & (high[across, node] >= y)
            if beginnings is not None:
                hit &= beginnings[depth][along, node] <= points[query, along] + slack
            query, node = query[hit], node[hit]
            if depth:
                query, node = np.repeat(query, 2), np.repeat(2 * node, 2)
                node[1::2] += 1
                inside = node < self.levels[depth - 1].box.shape[1]
                query, node = query[inside], node[inside]
        return query, node


def _parents(level: _Level) -> _Level:
    rows, count = level.box.shape
    odd, half = count % 2, rows // 2
    left, right = level.box[:, : count - odd : 2], level.box[:, 1::2]
    box = np.empty((rows, count // 2))
    np.minimum(left[:half], right[:half], out=box[:half])
    np.maximum(left[half:], right[half:], out=box[half:])
    broken = level.ends[: count - odd : 2]
    steady = level.steady[: count - odd : 2] & level.steady[1::2]
    steady[broken] = 0
    ends = level.ends[1::2]
    if odd:
        box = np.concatenate([box, level.box[:, -1:]], axis=1)
        steady, ends = np.append(steady, level.steady[-1:]), np.append(ends, level.ends[-1:])
    return _Level(box, steady, ends)


def _common_center(spans: Spans) -> Floats | None:
    """The centre that most arcs have, if many do."""
    arcs = spans.table.arcs
    if arcs is None or len(arcs.center) < _MANY:
        return None
    centers, counts = np.unique(arcs.center[:, 0] + 1j * arcs.center[:, 1], return_counts=True)
    most = int(np.argmax(counts))
    return np.array([centers[most].real, centers[most].imag]) if counts[most] >= _MANY else None


def _distances(spans: Spans, box: Floats, center: Floats) -> Floats:
    """Bounds of the distances of spans from a point, shape (2, n): by boxes (4, n), and by the ellipses of arcs."""
    low, high = box[:2] - center[:, None], box[2:] - center[:, None]
    least: Floats = np.hypot(*np.maximum(np.maximum(low, -high), 0.0))
    most: Floats = np.hypot(*np.maximum(np.abs(low), np.abs(high)))
    arcs = spans.table.arcs
    if arcs is not None:
        mine = np.flatnonzero(spans.piece >= 0)
        row = arcs.row[spans.piece[mine]]
        mine, row = mine[row >= 0], row[row >= 0]
        inner, outer = arcs.reaches
        away = np.hypot(*(arcs.center[row] - center).T)
        unsure = ROUNDING * (outer[row] + away)
        least[mine] = np.maximum(least[mine], np.maximum(inner[row] - away, away - outer[row]) - unsure)
        most[mine] = np.minimum(most[mine], outer[row] + away + unsure)
    return np.stack([least, most])
