"""Where straight segments meet."""

from __future__ import annotations

import numpy as np

from massprops.core.piecetable import Ints
from massprops.core.surface import Floats

_CLEAR = 4.0
"""Segments that keep so many tolerances to one side of a line do not meet it, whatever the rounding."""


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
    some = np.flatnonzero(~_beside(a, b, c, d, tolerance))
    a, b, c, d = (ends[some] for ends in (a, b, c, d))
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
    return some[which], s, t


def _beside(a: Floats, b: Floats, c: Floats, d: Floats, tolerance: float) -> Ints:
    """Pairs of which the one segment lies wholly on one side of the other's line, by more than the tolerance."""
    (px, py), (qx, qy), (wx, wy) = (b - a).T, (d - c).T, (c - a).T
    area, of_c, of_a = px * qy - py * qx, px * wy - py * wx, qy * wx - qx * wy
    of_d, of_b = of_c + area, of_a - area
    rooms = [_CLEAR * tolerance * np.sqrt(x * x + y * y) for x, y in ((px, py), (qx, qy))]
    beside = (np.minimum(of_c, of_d) > rooms[0]) | (np.maximum(of_c, of_d) < -rooms[0])
    return np.asarray(beside | (np.minimum(of_a, of_b) > rooms[1]) | (np.maximum(of_a, of_b) < -rooms[1]))


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
