"""Layouts of airfoil files.

There are two: Selig's, one loop from the trailing edge round to it; and Lednicer's, with the numbers of points on top
and both surfaces from the leading edge on, which are put together here. Without the numbers, a blank line between
surfaces tells as much, if both go from one leading edge to one trailing edge, or back.

Source: M. S. Selig, UIUC Airfoil Coordinates Database, "Airfoil formats".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import Floats

_CHORDS = 1.5
"""How far off whole numbers lie, in sizes of all that follows, if they are no point."""

_FEWEST = 3
_ENDS = 0.02
"""Fewest points of a surface, and how far edges of the two may be apart: a blunt trailing edge; in chords."""


def surfaces_joined(tables: Sequence[Floats | list[list[str]]], are_airfoils: bool = True) -> list[Floats] | None:
    """One loop of the upper surface backwards and the lower one; None where the file does not have them apart.

    Parameters
    ----------
    tables : sequence of ndarray, shape (n, 2) or (n, 3), or of lists of words
        What stands between blank lines.
    are_airfoils : bool
        Whether two lists of points may be surfaces, though nothing says their numbers: in files of airfoils.

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
    if (counts == np.floor(counts)).all() and counts.min() >= 2 and counts.sum() == len(points) - 1:
        upper, lower = points[1 : 1 + int(counts[0])], points[1 + int(counts[0]) :]
    elif are_airfoils and len(arrays) == 2 and min(map(len, arrays)) >= _FEWEST:
        upper, lower = (table[::-1] if table[0, 0] > table[-1, 0] else table for table in arrays)
        if not _are_surfaces(upper, lower):
            return None
    else:
        return None
    same = bool((upper[0] == lower[0]).all())
    return [np.concatenate([upper[::-1], lower[1:] if same else lower])]


def _are_surfaces(one: Floats, other: Floats) -> bool:
    """Whether two lists of points go from the same leading to the same trailing edge."""
    chord = one[-1, 0] - one[0, 0]
    ends = np.abs(one[[0, -1]] - other[[0, -1]]).max()
    return bool(ends <= _ENDS * chord and (np.diff(one[:, 0]) >= 0).all() and (np.diff(other[:, 0]) >= 0).all())


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
