"""Where straight segments meet."""

from __future__ import annotations

import numpy as np

from massprops.core.piecetable import Ints
from massprops.core.surface import Floats


def meeting_of_lines(
    a: Floats, b: Floats, c: Floats, d: Floats, tolerance: float
) -> tuple[Ints, Floats, Floats]:
    """Meeting points of straight segments a b and c d, (k, 2) each: where they cross, and ends that touch.

    Returns
    -------
    which : ndarray of int
        Pairs that meet; more than once where several ends touch.
    s, t : ndarray
        Parameters on a b and on c d.
    """
    p, q, w = b - a, d - c, c - a
    area = cross(p, q)
    safe = np.where(area == 0, 1.0, area)
    s, t = cross(w, q) / safe, cross(w, p) / safe
    crossing = (area != 0) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    found = [(np.flatnonzero(crossing), s[crossing], t[crossing])]
    for point, end in ((c, 0.0), (d, 1.0)):
        which, s = _near(point, a, p, tolerance)
        found.append((which, s, np.full(len(which), end)))
    for point, end in ((a, 0.0), (b, 1.0)):
        which, t = _near(point, c, q, tolerance)
        found.append((which, np.full(len(which), end), t))
    which, s, t = (np.concatenate(column) for column in zip(*found, strict=True))
    return which, s, t


def cross(p: Floats, q: Floats) -> Floats:
    """Cross products of vectors (k, 2), shape (k,)."""
    product: Floats = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    return product


def _near(point: Floats, start: Floats, along: Floats, tolerance: float) -> tuple[Ints, Floats]:
    """Which points lie near their segments, and where."""
    square = (along * along).sum(axis=1)
    s = np.clip(((point - start) * along).sum(axis=1) / np.where(square == 0, 1.0, square), 0, 1)
    gap = point - start - s[:, None] * along
    which = np.flatnonzero((gap * gap).sum(axis=1) <= tolerance * tolerance)
    return which, s[which]
