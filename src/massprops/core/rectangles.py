"""Which rectangles hold which points, for many of both."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from massprops.core.progressions import counted_up
from massprops.core.surface import Floats
from massprops.core.topology import Ints

_CELLS = 1024
"""Largest number of cells of the grid along each axis."""

_CHUNK = 1 << 21
"""About how many candidate pairs are looked at together; bounds the memory."""


def stabbed(points: Floats, lower: Floats, upper: Floats) -> Iterator[tuple[Ints, Ints]]:
    """All pairs of a point and a rectangle that holds it, its sides included, in several portions.

    The points are sorted into the cells of a grid with about one point a cell; each rectangle looks only into the
    cells that it touches.

    Parameters
    ----------
    points : ndarray, shape (p, 2)
    lower, upper : ndarray, shape (r, 2)
        Opposite corners of the rectangles.

    Yields
    ------
    point, rectangle : ndarray of int, shape (k,)

    Examples
    --------
    >>> points = np.array([[0.0, 0], [1, 1], [2, 1]])
    >>> [(p.tolist(), r.tolist()) for p, r in stabbed(points, np.array([[1.0, 0]]), np.array([[2.0, 1]]))]
    [([1, 2], [0, 0])]
    """
    if len(points) == 0:
        return
    low, high = points.min(axis=0), points.max(axis=0)
    near = np.flatnonzero(((upper >= low) & (lower <= high)).all(axis=1))
    cells = int(np.clip(np.sqrt(len(points)), 1, _CELLS))
    scale = cells / np.where(high > low, high - low, 1.0)

    def cell(position: Floats) -> Ints:
        inside = np.clip((position - low) * scale, 0, cells - 1)
        return np.asarray(inside, np.intp)  # rises with the position, so that no point is missed by rounding

    home = cell(points)
    home_number = home[:, 0] * cells + home[:, 1]
    order = np.argsort(home_number, kind="stable")
    starts = np.searchsorted(home_number[order], np.arange(cells * cells + 1))
    first, last = cell(lower[near]), cell(upper[near])
    for part in _portions(last[:, 0] - first[:, 0] + 1):
        rectangle, row = counted_up(first[part, 0], last[part, 0] + 1 - first[part, 0])
        begin = starts[row * cells + first[part, 1][rectangle]]
        end = starts[row * cells + last[part, 1][rectangle] + 1]
        for piece in _portions(end - begin):
            owner, place = counted_up(begin[piece], end[piece] - begin[piece])
            point, found = order[place], near[part][rectangle[piece][owner]]
            held = ((points[point] >= lower[found]) & (points[point] <= upper[found])).all(axis=1)
            yield point[held], found[held]


def _portions(sizes: Ints) -> Iterator[slice]:
    """Consecutive slices of about equal total size."""
    total = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        done = total[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(total, done + _CHUNK, side="right")))
        yield slice(start, stop)
        start = stop
