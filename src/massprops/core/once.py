"""Loops that are drawn more than once, counted once.

As segments that are drawn twice count once (`massprops.core.joining`), so do whole outlines, whatever they are made of:
a circle upon a circle, or a polygon upon the same polygon from another corner. That is for loops whose nesting tells
what they are. A fill rule, and winding taken as drawn, count every loop; and a polygon that fills the hole of another
one is no hole drawn twice, where the file says which is which.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from massprops.core.copies import copies_of
from massprops.core.curve import Curve
from massprops.core.nesting2d import Layout, layout
from massprops.core.owners import Owners
from massprops.core.piecetable import Ints


class Once(NamedTuple):
    """Loops of a curve, each once.

    Parameters
    ----------
    curve : Curve
        The loops that stay.
    found : Layout
        How these lie to each other.
    owners : Owners
        Where these come from.
    again : ndarray of bool
        Which of these are drawn more than once.
    """

    curve: Curve
    found: Layout
    owners: Owners
    again: Ints


def layout_once(curve: Curve, owners: Owners, ignored: float) -> Once:
    """Leave out loops that are drawn once more, and find out how the others lie to each other.

    Of loops that are the same, the one stays whose shape has the most loops, as it tells most about its nesting.

    Parameters
    ----------
    curve : Curve
    owners : Owners
    ignored : float
        See `massprops.core.nesting2d.layout`; length.

    Raises
    ------
    SelfIntersecting
        As `massprops.core.nesting2d.layout` does.

    Examples
    --------
    >>> twice = Curve.from_loops([0, 9, 0, 9, 0, 0], [0, 0, 9, 0, 9, 0], [3, 3])
    >>> layout_once(twice, Owners(np.zeros(2, int), np.zeros(2, int)), 0.0).again.tolist()
    [True]
    """
    kept, again = _first_of_each(copies_of(curve).original, owners)  # before they meet each other, which takes long
    curve, owners = _only(curve, kept), owners.of_loops(kept)
    found = layout(curve, ignored)
    kept, more = _first_of_each(found.same, owners)
    if len(kept) < len(again):
        curve, owners, again = _only(curve, kept), owners.of_loops(kept), again[kept] | more
        found = layout(curve, ignored)
    return Once(curve, found, owners, again)


def segments_of(curve: Curve) -> int:
    """How many segments a curve has: straight ones, arcs, and so on."""
    return int((curve.columns.sizes - 1).sum())


def _only(curve: Curve, kept: Ints) -> Curve:
    """The curve itself where it keeps all its loops, with what is known of it."""
    return curve if len(kept) == len(curve.loops) else Curve(tuple(curve.loops[k] for k in kept.tolist()))


def _first_of_each(same: Ints, owners: Owners) -> tuple[Ints, Ints]:
    """One loop of each kind, in the order of the drawing, and whether there are more of it."""
    _, inverse, count = np.unique(owners.shape, return_inverse=True, return_counts=True)
    kind = 2 * same + (owners.role < 0)
    order = np.lexsort((np.arange(len(kind)), -count[inverse], kind))
    kept = np.sort(order[np.diff(kind[order], prepend=-1) != 0])
    return kept, np.bincount(kind)[kind[kept]] > 1
