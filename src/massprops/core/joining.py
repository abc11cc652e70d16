"""Segments joined end to end into loops, in any order and direction."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.columns import Columns
from massprops.core.curve import Loop, Path
from massprops.core.near_pairs import plane_clusters
from massprops.core.segments import AnyPiece, Polyline, box_of, ends_of
from massprops.core.surface import Floats

JOIN = 1e-9
"""Ends closer than this fraction of the drawing's size meet."""

_SAMPLES = np.linspace(0, 1, 9)
_NEAR = 1e-3
"""How far from a node, as a fraction of the shortest segment there, the order of its segments is looked at."""


_UNCLEAR = 1e-12
"""Distances closer than this, as a fraction, are compared to the last digit."""


@dataclass(frozen=True, eq=False)
class Joined:
    """What becomes of a heap of segments.

    Parameters
    ----------
    loops : tuple of Loop
        Closed ones, in the order of their first paths and wound as these are.
    members : tuple of tuple of int
        For each loop the positions of its paths in the input.
    chains : tuple of Path
        What stays open, each in order.
    chain_members : tuple of tuple of int
        For each chain the positions of its paths in the input.
    branches : ndarray, shape (k, 2)
        Points where three segments or another odd number of them meet; length. Then nothing is joined.
    duplicates : int
        Paths drawn once more, left out.
    largest_gap : float
        Largest distance between two ends that were joined; length.
    """

    loops: tuple[Loop, ...]
    members: tuple[tuple[int, ...], ...]
    chains: tuple[Path, ...]
    chain_members: tuple[tuple[int, ...], ...]
    branches: Floats
    duplicates: int
    largest_gap: float


def boxes_of(paths: Sequence[Path], columns: Columns | None = None) -> Floats:
    """Boxes of paths, of curved pieces by a few points, shape (n, 2, 2): path, lower and upper corner, axis; length.

    Parameters
    ----------
    paths : sequence of Path
    columns : Columns, optional
        Of their pieces, if at hand.
    """
    columns = Columns.of([piece for path in paths for piece in path.pieces]) if columns is None else columns
    if len(columns.sizes) == 1 and not columns.is_curved[0]:
        return box_of(columns.corners)[None]
    boxes = _boxes(columns.corners, columns.firsts)
    curved = np.flatnonzero(columns.is_curved)
    if len(curved):
        index = np.repeat(np.arange(len(curved)), len(_SAMPLES))
        points = columns.table.at(index, np.tile(_SAMPLES, len(curved))).reshape(len(curved), -1, 2)
        boxes[curved] = np.stack([points.min(axis=1), points.max(axis=1)], axis=1)
    firsts = np.cumsum([0, *(len(path.pieces) for path in paths)])[:-1]
    low, high = np.minimum.reduceat(boxes[:, 0], firsts), np.maximum.reduceat(boxes[:, 1], firsts)
    return np.stack([low, high], axis=1)


def _boxes(points: Floats, firsts: NDArray[np.intp]) -> Floats:
    """Boxes of groups of points that follow one another, shape (n, 2, 2)."""
    columns = np.ascontiguousarray(points.T)
    return np.array([[f.reduceat(column, firsts) for column in columns] for f in (np.minimum, np.maximum)]).transpose(
        2, 0, 1
    )


def join(
    paths: Sequence[Path], tolerance: float, boxes: Floats | None = None, columns: Columns | None = None
) -> Joined:
    """Join paths into loops.

    Parameters
    ----------
    paths : sequence of Path
    tolerance : float
        Largest distance of two ends that meet; length. Paths no larger than that are passed over.
    boxes : ndarray, shape (n, 2, 2), optional
        Boxes of the paths, if at hand (`boxes_of`).
    columns : Columns, optional
        Of their pieces, if at hand.

    Examples
    --------
    >>> sides = ([[0, 0], [1, 0]], [[0, 1], [0, 0]], [[0, 1], [1, 0]])
    >>> join([Path((Polyline(np.array(ends, float)),)) for ends in sides], 1e-9).loops[0].vertices().tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    columns = Columns.of([piece for path in paths for piece in path.pieces]) if columns is None else columns
    boxes = boxes_of(paths, columns) if boxes is None else boxes
    extent = np.hypot(*(boxes[:, 1] - boxes[:, 0]).T)
    are_large = extent > tolerance
    are_closed = are_large & _meet(paths, columns, tolerance)
    closed = np.flatnonzero(are_closed).tolist()
    loose = np.flatnonzero(are_large & ~are_closed).tolist()
    nodes = _nodes(paths, loose, tolerance)
    loose, duplicates = _without_duplicates(paths, loose, nodes, tolerance)
    partner, ends, branches = _partners(paths, loose, nodes, extent)
    if len(branches):
        return Joined((), (), (), (), branches, duplicates, 0.0)
    open_walks = [_walk(end, partner) for end in ends]  # each chain twice, from either end
    open_walks = [walk for end, walk in zip(ends, open_walks, strict=True) if end < _last_end(walk)]
    seen = {k for walk in open_walks for k, _ in walk}
    walks = [[(k, False)] for k in closed]
    for k in loose:
        if k not in seen:
            walks.append(_walk(2 * k, partner))
            seen.update(m for m, _ in walks[-1])
    walks.sort(key=lambda walk: walk[0][0])
    strings = [_string(paths, walk) for walk in walks]
    return Joined(
        tuple(Loop(tuple(_merged(walk))) for walk in strings),
        tuple(tuple(k for k, _ in walk) for walk in walks),
        tuple(Path(tuple(_merged(_string(paths, walk)))) for walk in open_walks),
        tuple(tuple(k for k, _ in walk) for walk in open_walks),
        branches,
        duplicates,
        _largest_gap(strings),
    )


def _meet(paths: Sequence[Path], columns: Columns, tolerance: float) -> NDArray[np.bool_]:
    """Whether the ends of each path meet."""
    lasts = np.cumsum([len(path.pieces) for path in paths]) - 1
    firsts = np.append(0, lasts[:-1] + 1)
    start, end = columns.corners[columns.firsts[firsts]], columns.corners[columns.lasts[lasts]]
    gap = np.hypot(*(end - start).T)
    meet = gap <= tolerance
    for k in np.flatnonzero(np.abs(gap - tolerance) <= _UNCLEAR * tolerance):
        meet[k] = math.dist(start[k], end[k]) <= tolerance
    return np.asarray(meet)


def _largest_gap(strings: list[list[AnyPiece]]) -> float:
    """Largest distance from the end of a piece to the start of the next, of closed strings."""
    if not strings:
        return 0.0
    ends = np.concatenate([ends_of(piece)[[0, -1]] for string in strings for piece in string]).reshape(-1, 2, 2)
    sizes = np.array([len(string) for string in strings])
    following = np.arange(1, len(ends) + 1)
    following[np.cumsum(sizes) - 1] = np.cumsum(sizes) - sizes
    end, start = ends[:, 1], ends[following, 0]
    gap = np.hypot(*(end - start).T)
    if not gap.any():
        return 0.0
    return max(math.dist(end[k], start[k]) for k in np.flatnonzero(gap >= (1 - _UNCLEAR) * gap.max()))


def _nodes(paths: Sequence[Path], loose: list[int], tolerance: float) -> dict[int, int]:
    """Number of the meeting point of each end: 2 k for the start of piece k, 2 k + 1 for its end."""
    if not loose:
        return {}
    points = np.array([point for k in loose for point in (paths[k].start, paths[k].end)]) + 0.0
    distinct, inverse = np.unique(points, axis=0, return_inverse=True)
    group = plane_clusters(distinct, tolerance)[inverse.ravel()].tolist()
    return dict(zip((2 * k + side for k in loose for side in (0, 1)), group, strict=True))


def _without_duplicates(
    paths: Sequence[Path], loose: list[int], nodes: dict[int, int], tolerance: float
) -> tuple[list[int], int]:
    """The pieces that are not drawn a second time, along the same points in either direction."""
    between: dict[tuple[int, int], list[int]] = defaultdict(list)
    kept = []
    for k in loose:
        a, b = nodes[2 * k], nodes[2 * k + 1]
        same = between[min(a, b), max(a, b)]
        if any(_coincide(paths[k], paths[m], nodes[2 * m] != a, tolerance) for m in same):
            continue
        same.append(k)
        kept.append(k)
    return kept, len(loose) - len(kept)


def _coincide(one: Path, other: Path, against: bool, tolerance: float) -> bool:
    other = other.reversed() if against else other
    if len(one.pieces) != len(other.pieces):
        return False
    pairs = zip(one.pieces, other.pieces, strict=True)
    return all(np.abs(p.at(_SAMPLES) - q.at(_SAMPLES)).max() <= 2 * tolerance for p, q in pairs)


def _partners(
    paths: Sequence[Path], loose: list[int], nodes: dict[int, int], extent: Floats
) -> tuple[dict[int, int], list[int], Floats]:
    """For each end the end it continues in; loose ends; points with an odd number of ends above one."""
    meeting: dict[int, list[int]] = defaultdict(list)
    for k in loose:
        for end in (2 * k, 2 * k + 1):
            meeting[nodes[end]].append(end)
    partner: dict[int, int] = {}
    ends, branches = [], []
    for group in meeting.values():
        if len(group) == 1:
            ends += group
        elif len(group) % 2:
            branches.append(_point(paths, group[0]))
        else:
            order = group if len(group) == 2 else _around(paths, group, extent)
            for one, other in zip(order[::2], order[1::2], strict=True):
                partner[one], partner[other] = other, one
    return partner, ends, np.array(branches).reshape(-1, 2)


def _point(paths: Sequence[Path], end: int) -> Floats:
    return paths[end // 2].end if end % 2 else paths[end // 2].start


def _around(paths: Sequence[Path], group: list[int], extent: Floats) -> list[int]:
    """Ends that meet in a point, by the angle at which they leave it: neighbours are joined, so that none cross."""
    away = []
    reach = _NEAR * min(float(extent[end // 2]) for end in group)
    for end in group:
        piece = paths[end // 2].reversed().pieces[0] if end % 2 else paths[end // 2].pieces[0]
        if isinstance(piece, Polyline):
            step = piece.points[np.argmax((piece.points != piece.start).any(axis=1))] - piece.start
        else:
            box = boxes_of([Path((piece,))])[0]
            step = piece.at(np.array([min(reach / float(np.hypot(*(box[1] - box[0]))), 1.0)]))[0] - piece.start
        away.append(math.atan2(step[1], step[0]))
    return [end for _, end in sorted(zip(away, group, strict=True))]


def _walk(start: int, partner: dict[int, int]) -> list[tuple[int, bool]]:
    """Pieces from an end on, each with whether it runs backwards, until the first one or a loose end is met."""
    found, end = [], start
    while True:
        found.append((end // 2, bool(end % 2)))
        following = partner.get(end ^ 1)
        if following is None or following == start:
            return found
        end = following


def _last_end(walk: list[tuple[int, bool]]) -> int:
    piece, backwards = walk[-1]
    return 2 * piece + (not backwards)


def _string(paths: Sequence[Path], walk: list[tuple[int, bool]]) -> list[AnyPiece]:
    turned = (paths[k].reversed() if backwards else paths[k] for k, backwards in walk)
    return [piece for path in turned for piece in path.pieces]


def _merged(string: list[AnyPiece]) -> list[AnyPiece]:
    """The same with straight pieces that follow one another made one."""
    if len(string) == 1:
        return string
    found: list[AnyPiece] = []
    run: list[NDArray[np.float64]] = []
    for piece in string:
        if isinstance(piece, Polyline):
            same = bool(run) and bool((run[-1][-1] == piece.points[0]).all())
            run.append(piece.points[1:] if same else piece.points)
            continue
        if run:
            found.append(Polyline(np.concatenate(run)))
            run = []
        found.append(piece)
    if run:
        found.append(Polyline(np.concatenate(run)))
    return found
