"""Loops that are drawn more than once, counted once.

As segments that are drawn twice count once (`massprops.core.joining`), so do whole outlines, whatever they are made of:
a circle upon a circle, or a polygon upon the same polygon from another corner. That is for loops whose nesting tells
what they are. A fill rule, and winding taken as drawn, count every loop.
"""

from __future__ import annotations

import numpy as np

from massprops.core.copies import copies_of
from massprops.core.curve import Curve
from massprops.core.nesting2d import Layout, layout
from massprops.core.piecetable import Ints


def layout_once(curve: Curve, shape: Ints, ignored: float) -> tuple[Curve, Layout, Ints]:
    """Leave out loops that are drawn once more, and find out how the others lie to each other.

    Of loops that are the same, the one stays whose shape has the most loops, as it tells most about its nesting.

    Parameters
    ----------
    curve : Curve
    shape : ndarray of int, shape (n,)
        Shape of the drawing that each loop belongs to.
    ignored : float
        See `massprops.core.nesting2d.layout`; length.

    Returns
    -------
    curve : Curve
        The loops that stay.
    found : Layout
        Of these.
    kept : ndarray of int
        Their positions among all loops.

    Raises
    ------
    SelfIntersecting
        As `massprops.core.nesting2d.layout` does.

    Examples
    --------
    >>> twice = Curve.from_loops([0, 9, 0, 9, 0, 0], [0, 0, 9, 0, 9, 0], [3, 3])
    >>> layout_once(twice, np.zeros(2, int), 0.0)[2].tolist()
    [0]
    """
    kept = _first_of_each(copies_of(curve).original, shape)  # before they meet each other, which takes long
    curve = _only(curve, kept)
    found = layout(curve, ignored)
    again = _first_of_each(found.same, shape[kept])
    if len(again) < len(kept):
        curve, kept = _only(curve, again), kept[again]
        found = layout(curve, ignored)
    return curve, found, kept


def segments_of(curve: Curve) -> int:
    """How many segments a curve has: straight ones, arcs, and so on."""
    return int((curve.columns.sizes - 1).sum())


def _only(curve: Curve, kept: Ints) -> Curve:
    """The curve itself where it keeps all its loops, with what is known of it."""
    return curve if len(kept) == len(curve.loops) else Curve(tuple(curve.loops[k] for k in kept.tolist()))


def _first_of_each(same: Ints, shape: Ints) -> Ints:
    """One loop of each kind, in the order of the drawing."""
    _, inverse, count = np.unique(shape, return_inverse=True, return_counts=True)
    order = np.lexsort((np.arange(len(same)), -count[inverse], same))
    first = np.diff(same[order], prepend=-1) != 0
    return np.sort(order[first])
