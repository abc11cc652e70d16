"""Counting little squares: a check on the section kernel that shares nothing with it.

The box of the curve is laid out in squares, so many to its longer side. A square counts as often as the curve winds
round its centre, and then as a point of mass: area, centroid and polar moment are plain sums over points, no theorem
about boundaries enters. The result comes closer and closer to the true one the smaller the squares are.

Source: "Finding Mass, Center of Mass and Moment of Inertia of 2D Lamina" (little squares as point masses).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from massprops.core.curve import Curve
from massprops.core.segments import Polyline
from massprops.core.surface import Floats

SIDE = 1024
"""Squares along the longer side of the box."""

_CHORDS = 40
"""A curved segment is followed in this many chords times the root of its extent in squares: to 1/500 of a square."""

_ROWS = 1 << 22
"""Crossings of edges with rows that are worked out together."""


class Counted(NamedTuple):
    """What the squares add up to, at unit density.

    ``squares`` is their number, each as often as it counts, ``width`` their side; length. ``area`` length^2;
    ``center`` (2,) length; ``polar_moment`` about the centre, length^4.
    """

    squares: int
    width: float
    area: float
    center: Floats
    polar_moment: float


def count_squares(curve: Curve, side: int = SIDE) -> Counted:
    """Count the squares inside a curve.

    Parameters
    ----------
    curve : Curve
        Anticlockwise loops add, clockwise ones subtract.
    side : int
        Squares along the longer side of the box.

    Examples
    --------
    >>> found = count_squares(Curve.from_loops([0, 8, 8, 0], [0, 0, 4, 4]), side=8)
    >>> found.squares, found.area, found.center.tolist(), found.polar_moment
    (32, 32.0, [4.0, 2.0], 208.0)
    """
    lower, upper = curve.bounds()
    width = float((upper - lower).max()) / side
    if not width > 0:
        return Counted(0, 0.0, 0.0, lower, 0.0)
    rows, columns = (int(n) for n in np.ceil((upper - lower)[::-1] / width - 1e-9))
    rows, columns = max(rows, 1), max(columns, 1)
    steps: Floats = np.zeros((rows, columns + 1))
    for start, end in _edges(curve, width):
        _add_crossings(steps, (start - lower) / width, (end - lower) / width)
    winding = steps.cumsum(axis=1)[:, :columns]
    return _summed(winding, width, lower)


def _edges(curve: Curve, width: float) -> Iterator[tuple[Floats, Floats]]:
    """Starts and ends of straight edges, loop by loop."""
    for loop in curve.loops:
        parts = []
        for piece in loop.pieces:
            if isinstance(piece, Polyline):
                parts.append(piece.points)
                continue
            rough = piece.at(np.linspace(0, 1, 17))
            extent = float((rough.max(axis=0) - rough.min(axis=0)).max()) / width
            inner = piece.at(np.linspace(0, 1, 2 + int(_CHORDS * np.sqrt(extent) + 1))[1:-1])
            parts.append(np.concatenate([[piece.start], inner, [piece.end]]))
        points = np.concatenate(parts)
        yield points, np.roll(points, -1, axis=0)


def _add_crossings(steps: Floats, start: Floats, end: Floats) -> None:
    """Note where edges cross the middle lines of the rows; coordinates in squares.

    To the right of an edge that goes up the winding number is one less than to its left.
    """
    first = np.ceil(np.minimum(start[:, 1], end[:, 1]) - 0.5).astype(np.int64)
    last = np.ceil(np.maximum(start[:, 1], end[:, 1]) - 0.5).astype(np.int64)
    first, last = np.clip(first, 0, len(steps)), np.clip(last, 0, len(steps))
    rises = np.where(end[:, 1] > start[:, 1], 1, -1)
    total = np.cumsum(last - first)
    cuts = np.searchsorted(total, np.arange(_ROWS, total[-1] + 1, _ROWS)) + 1
    for part in np.split(np.arange(len(start)), np.unique(cuts)):
        count = (last - first)[part]
        edge = np.repeat(part, count)
        if len(edge) == 0:
            continue
        row = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + first[edge]
        share = (row + 0.5 - start[edge, 1]) / (end[edge, 1] - start[edge, 1])
        place = start[edge, 0] + share * (end[edge, 0] - start[edge, 0])
        column = np.clip(np.ceil(place - 0.5), 0, steps.shape[1] - 1).astype(np.int64)
        steps -= np.bincount(row * steps.shape[1] + column, rises[edge], steps.size).reshape(steps.shape)


def _summed(winding: Floats, width: float, lower: Floats) -> Counted:
    squares = int(winding.sum())
    if squares == 0:
        return Counted(0, width, 0.0, lower, 0.0)
    u, v = np.arange(winding.shape[1]) + 0.5, np.arange(winding.shape[0]) + 0.5
    by_u, by_v = winding.sum(axis=0), winding.sum(axis=1)
    center = np.array([by_u @ u, by_v @ v]) / squares
    polar = by_u @ (u - center[0]) ** 2 + by_v @ (v - center[1]) ** 2
    return Counted(squares, width, squares * width**2, lower + center * width, float(polar) * width**4)
