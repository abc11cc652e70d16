"""Layouts of airfoil files.

There are two: Selig's, one loop from the trailing edge round to it; and Lednicer's, with the numbers of points on top
and both surfaces from the leading edge on, which are put together here.

Source: M. S. Selig, UIUC Airfoil Coordinates Database, "Airfoil formats".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import Floats

_CHORDS = 1.5
"""How far off whole numbers lie, in sizes of all that follows, if they are no point."""


def surfaces_joined(tables: Sequence[Floats | list[list[str]]]) -> list[Floats] | None:
    """One loop of the upper surface backwards and the lower one, if the first line gives their numbers of points.

    Parameters
    ----------
    tables : sequence of ndarray, shape (n, 2) or (n, 3), or of lists of words
        What stands between blank lines.

    Examples
    --------
    >>> surfaces_joined([np.array([[2.0, 2], [0, 0], [1, 1], [0, 0], [1, -1]])])[0].tolist()
    [[1.0, 1.0], [0.0, 0.0], [1.0, -1.0]]
    """
    arrays = [table for table in tables if not isinstance(table, list)]
    if len(arrays) < len(tables) or any(table.shape[1] != 2 for table in arrays):
        return None
    points = np.concatenate(arrays)
    counts = points[0]
    if (counts != np.floor(counts)).any() or counts.min() < 2 or counts.sum() != len(points) - 1:
        return None
    upper, lower = points[1 : 1 + int(counts[0])], points[1 + int(counts[0]) :]
    same = bool((upper[0] == lower[0]).all())
    return [np.concatenate([upper[::-1], lower[1:] if same else lower])]


def counts_doubted(loops: Sequence[Floats]) -> list[Notice]:
    """That the first point may be meant for numbers of points, which are not those of the file."""
    points = np.concatenate(loops)
    first, others = points[0], points[1:]
    if (first != np.floor(first)).any() or first.min() <= _CHORDS * np.abs(others).max(initial=0.0):
        return []
    message = (
        f"the first point, ({first[0]:g}, {first[1]:g}), may be meant for the numbers of points on two surfaces, "
        f"but {len(others)} follow; it is taken for a point"
    )
    return [Notice("lednicer", message)]
