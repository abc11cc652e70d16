"""The boundary of a section as polygons to be drawn: arcs and splines become chords too short to be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from massprops.core.curve import Curve, Loop, Path
from massprops.core.segments import Curved, Polyline
from massprops.core.surface import Floats

SAGITTA = 2e-4
"""Largest distance between a curve and its chords, as a fraction of the section's size."""

_MOST = 1024
"""Chords of one segment."""


def outline(curve: Curve | Sequence[Floats]) -> list[Floats]:
    """Corners of the loops of a section, arrays (n, 2), the last corner distinct from the first.

    Parameters
    ----------
    curve : Curve, or sequence of ndarray, shape (n, 2)
        Loops that are polygons already are taken as they are.

    Examples
    --------
    >>> from massprops.core.segments import Arc
    >>> disc = Curve((Loop((Arc.circle([0.0, 0.0], 2.0),)),))
    >>> [loop.shape for loop in outline(disc)]
    [(128, 2)]
    """
    if not isinstance(curve, Curve):
        return [_closed(np.asarray(loop, np.float64)) for loop in curve]
    lower, upper = curve.bounds()
    tolerance = SAGITTA * float((upper - lower).max())
    return [_closed(np.concatenate(list(_points(loop, tolerance)))) for loop in curve.loops]


def chains(paths: Sequence[Path]) -> list[Floats]:
    """Points along paths, arrays (n, 2) with both ends, whether a path is closed or not; finite ones only.

    Examples
    --------
    >>> from massprops.core.segments import Polyline
    >>> [chain.tolist() for chain in chains([Path((Polyline(np.array([[0.0, 0], [2, 0], [2, 1]])),))])]
    [[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]]
    """
    ends = np.array([end for path in paths for piece in path.pieces for end in (piece.start, piece.end)])
    ends = ends.reshape(-1, 2)[np.isfinite(ends.reshape(-1, 2)).all(axis=1)]
    tolerance = SAGITTA * float(np.ptp(ends, axis=0).max()) if len(ends) else 0.0
    found = [np.concatenate(list(_points(path, tolerance))) for path in paths]
    return [chain for chain in found if np.isfinite(chain).all()]


def is_polygonal(curve: Curve | Sequence[Floats]) -> bool:
    """Whether the outline is the section itself, without a curve flattened."""
    return not isinstance(curve, Curve) or not curve.curved()


def _points(loop: Loop | Path, tolerance: float) -> Iterator[Floats]:
    for piece in loop.pieces:
        yield piece.points if isinstance(piece, Polyline) else _chords(piece, tolerance)


def _chords(piece: Curved, tolerance: float) -> Floats:
    count = 8
    while count < _MOST:
        t = np.linspace(0.0, 1.0, 2 * count + 1)
        points = piece.at(t)
        if np.abs(points[1::2] - (points[:-1:2] + points[2::2]) / 2).max() <= tolerance:
            break
        count *= 2
    points = piece.at(np.linspace(0.0, 1.0, count + 1))
    points[0], points[-1] = piece.start, piece.end
    return points


def _closed(points: Floats) -> Floats:
    """Without points that repeat the one before, around the loop."""
    if len(points) < 2:
        return points
    distinct: Floats = points[(points != np.roll(points, 1, axis=0)).any(axis=1)]
    return distinct
