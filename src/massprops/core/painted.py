"""Holes that the picture does not show: shapes painted like what they lie in, or hidden behind it.

A loop within a loop is a hole. Of shapes drawn by themselves and filled, that is what a picture shows where the inner
one has another colour: white, say. Where it has the same one, nothing is seen of it; what lies below another shape is
not seen either; and what is painted upon a white sheet is a body, not a hole in the sheet.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from massprops.core.curve import Fill, Shape
from massprops.core.nesting2d import Layout
from massprops.core.owners import Owners
from massprops.core.piecetable import Ints

_NONE = Fill("")


def doubtful_holes(found: Layout, owners: Owners, turn: Ints, shapes: Sequence[Shape]) -> Ints:
    """Loops taken for holes of other shapes, which the picture of filled shapes does not show as holes.

    Parameters
    ----------
    found : Layout
    owners : Owners
        Of the loops.
    turn : ndarray of int, shape (n,)
        What each loop adds to the region (`massprops.core.nesting2d.nested`).
    shapes : sequence of Shape
        In the order in which they are painted.
    """
    if not any(shape.fill for shape in shapes):
        return np.empty(0, int)
    fills = [*(shape.fill or _NONE for shape in shapes), _NONE]
    one, other = found.inside.T
    depth = np.bincount(one, minlength=len(turn))
    order = np.argsort(depth[other], kind="stable")  # of those around a loop, the innermost is the last
    around = np.full(len(turn), -1)
    around[one[order]] = other[order]
    holes = np.flatnonzero((turn < 0) & (around >= 0))
    inner, outer = owners.shape[holes], owners.shape[around[holes]]
    pairs = zip(inner.tolist(), outer.tolist(), strict=True)
    return np.asarray(holes[np.array([i != o and _hides(fills[o], fills[i], o > i) for i, o in pairs], bool)])


def _hides(outer: Fill, inner: Fill, is_above: bool) -> bool:
    """Whether a shape within another is not seen, or seen as a body upon a sheet.

    >>> red, white, edge = Fill("red"), Fill("white"), Fill("red", True)
    >>> [_hides(red, red, False), _hides(red, white, False), _hides(red, edge, False), _hides(white, red, False)]
    [True, False, False, True]
    """
    if not outer.color or is_above:
        return bool(outer.color)
    return bool(inner.color) and not (outer.is_outlined or inner.is_outlined) and outer.color in (inner.color, "white")
