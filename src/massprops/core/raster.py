"""Counting little squares: a check on the section kernel that shares nothing with it.

The box of the curve is laid out in squares. A square counts as often as the curve winds round its centre, and then as a
point of mass: area, centroid and polar moment are plain sums over points, those of a row between two crossings of the
curve taken together; no theorem about boundaries enters. The result comes closer and closer to the true one the smaller
the squares are.

Source: "Finding Mass, Center of Mass and Moment of Inertia of 2D Lamina" (little squares as point masses).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.curve import Curve
from massprops.core.notice import Notice
from massprops.core.segments import Polyline
from massprops.core.surface import Floats
from massprops.number_of import number_of

SIDE = 1024
"""Squares along the longer side of the box, at least."""

_ACROSS = 32
"""Squares across a section, at least: across a strip, that is, of the same area and perimeter."""

_FEW = 4
"""Squares across a section, fewer of which may count something else: the edges of each are off by half a square."""

_FINEST = 1 << 21
"""Squares along the perimeter, at most, where more are needed for the sake of a thin section only."""

_CHORDS = 40
"""A curved segment is followed in this many chords times the root of its extent in squares: to 1/500 of a square."""

_CROSSINGS = 1 << 20
"""Crossings of edges with rows that are worked out together, about."""

Ints = NDArray[np.int64]


class Counted(NamedTuple):
    """What the squares add up to.

    ``squares`` is their number, each as often as it counts, ``width`` their side; length. ``area`` length^2;
    ``center`` (2,) length; ``polar_moment`` about the centre, times density: mass length.
    """

    squares: int
    width: float
    area: float
    center: Floats
    polar_moment: float


def count_squares(curve: Curve, side: int = SIDE, density: float = 1.0) -> Counted:
    """Count the squares inside a curve.

    Parameters
    ----------
    curve : Curve
        Anticlockwise loops add, clockwise ones subtract.
    side : int
        Squares along the longer side of the box.
    density : float
        Mass length^-3.

    Examples
    --------
    >>> found = count_squares(Curve.from_loops([0, 8, 8, 0], [0, 0, 4, 4]), side=8)
    >>> found.squares, found.area, found.center.tolist(), found.polar_moment
    (32, 32.0, [4.0, 2.0], 208.0)
    """
    bounds = curve.bounds()
    return _counted(curve, bounds, float((bounds[1] - bounds[0]).max()) / side, density)


def counted_section(
    curve: Curve, area: float, perimeter: float, side: int | None = None, density: float = 1.0
) -> tuple[Counted | None, tuple[Notice, ...]]:
    """Count squares that are small enough for a section, and tell where they are not.

    Parameters
    ----------
    curve : Curve
        Anticlockwise loops add, clockwise ones subtract.
    area, perimeter : float
        Of the section, positive; length^2, length. They say how thick it is: they decide on the squares, and not on
        what these count.
    side : int, optional
        Squares along the longer side of the box. Where left out, as many as there should be.
    density : float
        Mass length^-3.

    Returns
    -------
    (Counted or None, tuple of Notice)
        None where no square counts. The notice ``uncounted`` tells of that, and of squares too large for the section.

    Examples
    --------
    A strip of 1000 x 0.3, which falls between the middles of a thousand squares:

    >>> strip = Curve.from_loops([0, 1000, 1000, 0], [0, 0, 0.3, 0.3])
    >>> found, notices = counted_section(strip, 300.0, 2000.6)
    >>> round(found.area), notices
    (300, ())
    >>> none, (notice,) = counted_section(strip, 300.0, 2000.6, side=1000)
    >>> notice.message
    '1000 squares a side count nothing: --verify has nothing to compare; leave out --check_lines'
    """
    bounds = curve.bounds()
    longer, thickness = float((bounds[1] - bounds[0]).max()), 2.0 * area / perimeter
    fine = min(longer / SIDE, max(thickness / _ACROSS, perimeter / _FINEST))
    width = fine if side is None else longer / side
    found = _counted(curve, bounds, width, density)
    is_none = found.squares <= 0 or not np.isfinite(found.polar_moment)
    if not is_none and width * _FEW <= thickness:
        return found, ()
    if is_none:
        squares = number_of(side or round(longer / width), "square a side counts", "squares a side count")
        told = f"{squares} nothing: --verify has nothing to compare"
    else:
        told = f"squares of side {width:.3g} are large for a section some {thickness:.3g} thick: "
        told += "what --verify counts may be far off"
    told += "; leave out --check_lines" if side is not None else ""
    return None if is_none else found, (Notice("uncounted", told),)


def _counted(curve: Curve, bounds: Floats, width: float, density: float) -> Counted:
    lower, upper = bounds
    if not width > 0:
        return Counted(0, 0.0, 0.0, lower, 0.0)
    rows, columns = (max(int(n), 1) for n in np.ceil((upper - lower)[::-1] / width - 1e-9))
    start, end = (points - lower for points in _edges(curve, width))
    middle = np.array([columns, rows]) / 2
    squares, first, second = 0, np.zeros(2), 0.0
    for row, left, length, winding in _runs(start / width, end / width, rows, columns):
        point = np.column_stack([left + length / 2, row + 0.5]) - middle
        weight = winding * length
        squares += int(weight.sum())
        first += weight @ point
        second += float(weight @ (point**2).sum(axis=1) + winding @ (length**3.0 - length) / 12)
    if squares == 0:
        return Counted(0, width, 0.0, lower, 0.0)
    center = first / squares
    polar = second - squares * float(center @ center)
    center = lower + (middle + center) * width
    return Counted(squares, width, squares * width**2, center, density * polar * width**4)


def _edges(curve: Curve, width: float) -> tuple[Floats, Floats]:
    """Starts and ends of straight edges, shape (n, 2) each."""
    starts, ends = [], []
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
        starts.append(np.concatenate(parts))
        ends.append(np.roll(starts[-1], -1, axis=0))
    return np.concatenate(starts), np.concatenate(ends)


def _runs(start: Floats, end: Floats, rows: int, columns: int) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """Squares of a row that follow one another and count alike: row, first column, number, and how often they count.

    Coordinates are in squares. To the right of an edge that goes up the winding number is one less than to its left.
    """
    first, last = (
        np.clip(np.ceil(of(start[:, 1], end[:, 1]) - 0.5), 0, rows).astype(np.int64) for of in (np.minimum, np.maximum)
    )
    rises = np.where(end[:, 1] > start[:, 1], -1, 1)
    bands = 1 + int((last - first).sum()) // _CROSSINGS
    limits = np.linspace(0, rows, min(bands, rows) + 1).astype(np.int64)
    for low, high in zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True):
        bottom, top = np.maximum(first, low), np.minimum(last, high)
        crossing = np.flatnonzero(bottom < top)
        count = (top - bottom)[crossing]
        edge = np.repeat(crossing, count)
        row = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + bottom[edge]
        share = (row + 0.5 - start[edge, 1]) / (end[edge, 1] - start[edge, 1])
        place = start[edge, 0] + share * (end[edge, 0] - start[edge, 0])
        column = np.clip(np.ceil(place - 0.5), 0, columns).astype(np.int64)
        order = np.lexsort((column, row))
        row, column = row[order], column[order]
        winding = np.cumsum(rises[edge[order]])[:-1]  # 0 after the last crossing of a row
        length = np.where(winding == 0, 0, np.diff(column))
        yield row[:-1], column[:-1], length, winding
