"""Loops that are drawn more than once: the very same segments, in either direction, from whichever corner they begin.

Copies meet each other everywhere, and others where their original does. So each loop is looked at once, however often
it is drawn, and counted as often as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.curve import Curve, Loop
from massprops.core.piecetable import Ints
from massprops.core.segments import AnyPiece, Arc, Polyline, RationalBezier
from massprops.core.surface import Floats

_Key = tuple[bytes, ...]


@dataclass(frozen=True, eq=False)
class Copies:
    """Which loops of a curve are the same.

    Parameters
    ----------
    distinct : Curve
        Each loop once, as it is drawn first.
    original : ndarray of int, shape (n,)
        For each loop its position in ``distinct``.
    turn : ndarray of int, shape (n,)
        1 where a loop runs as its original does, -1 where it runs against it.
    """

    distinct: Curve
    original: Ints
    turn: Ints

    @property
    def are_none(self) -> bool:
        """Whether each loop is drawn once."""
        return len(self.distinct.loops) == len(self.original)

    def counted(self, weight: Ints) -> Ints:
        """What one turn round each distinct loop counts, from what one turn round each loop as drawn does."""
        return np.bincount(self.original, weight * self.turn, len(self.distinct.loops)).round().astype(int)

    def members(self) -> list[Ints]:
        """For each distinct loop the loops that are the same."""
        order = np.argsort(self.original, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.original))[:-1])


def copies_of(curve: Curve) -> Copies:
    """Find the loops that are drawn more than once.

    Examples
    --------
    >>> found = copies_of(Curve.from_loops([0, 1, 0, 0, 1, 0], [0, 0, 1, 1, 0, 0], [3, 3]))
    >>> found.original.tolist(), found.turn.tolist()
    ([0, 0], [1, -1])
    """
    count = len(curve.loops)
    if count == 1:
        return Copies(curve, np.zeros(1, np.intp), np.ones(1, np.intp))
    shared = _share_their_lowest(curve)
    if not shared.any():  # so that nothing more need be compared
        return Copies(curve, np.arange(count), np.ones(count, np.intp))
    seen: dict[_Key, tuple[int, int]] = {}
    distinct: list[Loop] = []
    found = []
    for loop, suspect in zip(curve.loops, shared.tolist(), strict=True):
        if not suspect:
            found.append((len(distinct), 1))
            distinct.append(loop)
            continue
        key = _key(loop)
        if key not in seen:
            seen[key] = len(distinct), 1
            seen.setdefault(_key(loop.reversed()), (len(distinct), -1))
            distinct.append(loop)
        found.append(seen[key])
    original, turn = np.array(found, np.intp).T
    return Copies(Curve(tuple(distinct)), original, turn)


def _share_their_lowest(curve: Curve) -> Ints:
    """Which loops have their lowest corner (`_lowest`) in common with others."""
    corners, sizes = curve.columns.corners, curve.loop_sizes()
    firsts = np.cumsum(sizes) - sizes
    u = np.minimum.reduceat(corners[:, 0], firsts)
    among = corners[:, 0] == np.repeat(u, sizes)
    v = np.minimum.reduceat(np.where(among, corners[:, 1], np.inf), firsts)
    order = np.lexsort((v, u))
    same = (u[order[1:]] == u[order[:-1]]) & (v[order[1:]] == v[order[:-1]])
    shared = np.zeros(len(u), bool)
    shared[order[1:][same]] = shared[order[:-1][same]] = True
    return shared


def _key(loop: Loop) -> _Key:
    """The numbers that make a loop, the same from whichever of its segments it begins."""
    if len(loop.pieces) == 1 and isinstance(loop.pieces[0], Polyline):
        return (_from_lowest(loop.pieces[0].points).tobytes(),)
    keys = [_numbers(piece) for piece in loop.pieces]
    first = keys.index(min(keys))
    return (*keys[first:], *keys[:first])


def _lowest(points: Floats) -> tuple[float, float]:
    """The point with the smallest u, of these the smallest v."""
    least = points[:, 0].min()
    return float(least), float(points[points[:, 0] == least, 1].min())


def _from_lowest(ring: Floats) -> Floats:
    """Corners of a polygon from the one with the smallest u on, of these the smallest v; each once."""
    corners = ring[:-1] if len(ring) > 1 and (ring[0] == ring[-1]).all() else ring
    first = int(np.flatnonzero((corners == _lowest(corners)).all(axis=1))[0])
    turned: Floats = np.concatenate([corners[first:], corners[:first]]) + 0.0  # no negative zeros
    return turned


def _numbers(piece: AnyPiece) -> bytes:
    if isinstance(piece, Arc):
        rows = [piece.center, *piece.axes, [piece.begin, piece.sweep], piece.start, piece.end]
    else:
        rows = [*piece.points]
    numbers = type(piece).__name__.encode() + (np.array(rows) + 0.0).tobytes()
    return numbers + piece.weights.tobytes() if isinstance(piece, RationalBezier) else numbers
