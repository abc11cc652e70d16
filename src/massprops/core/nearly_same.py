"""Loops that lie a hair within others: drawn twice, in all likelihood, with digits lost between.

By nesting, the one is a hole in the other, or fills a hole but for a rim. That is what is drawn, and what is measured;
but a rim that thin is seldom meant.
"""

from __future__ import annotations

import numpy as np

from massprops.core.curve import Curve, Path
from massprops.core.joining import boxes_of
from massprops.core.nesting2d import Layout
from massprops.core.piecetable import Ints
from massprops.core.segment_caps import caps
from massprops.core.surface import Floats

HAIR = 1e-6
"""A rim of less than this fraction of the area that it encloses is a hair."""

_SIMILAR = 0.2
"""Boxes by a few points of each segment whose sides differ by less than this fraction may belong to such loops."""


def nearly_same(curve: Curve, found: Layout) -> Ints:
    """Loops that lie directly in others that are larger by no more than a hair.

    Parameters
    ----------
    curve : Curve
    found : Layout
        Of this curve.

    Returns
    -------
    ndarray of int, shape (k, 2)
        Pairs of positions: of a loop, and of the one around it.

    Examples
    --------
    >>> from massprops.core.nesting2d import layout
    >>> drawn = Curve.from_loops([0, 9, 0, 1e-8, 8.9999999, 1e-8], [0, 0, 9, 1e-8, 1e-8, 8.9999999], [3, 3])
    >>> nearly_same(drawn, layout(drawn, 0.0)).tolist()
    [[1, 0]]
    """
    depth = np.bincount(found.inside[:, 0], minlength=len(curve.loops))
    pairs: Ints = found.inside[depth[found.inside[:, 0]] == depth[found.inside[:, 1]] + 1]
    if len(pairs) == 0:
        return pairs
    boxes = boxes_of([Path(loop.pieces) for loop in curve.loops], curve.columns)
    sides = boxes[:, 1] - boxes[:, 0]
    inner, outer = sides[pairs.T]
    pairs = pairs[np.abs(outer - inner).max(axis=1) <= _SIMILAR * outer.max(axis=1)]
    loops, places = np.unique(pairs, return_inverse=True)
    if len(loops) == 0:
        return pairs
    inner, outer = _areas(Curve(tuple(curve.loops[k] for k in loops.tolist())))[places.reshape(-1, 2).T]
    return np.asarray(pairs[(outer > 0) & (outer - inner <= HAIR * outer)])


def _areas(curve: Curve) -> Floats:
    """What each loop encloses, shape (n,), however it is wound; to round-off of its size."""
    sizes, counts = curve.loop_sizes(), [sum(1 for _ in loop.curved()) for loop in curve.loops]
    start, end = curve.segments()
    firsts = np.cumsum(sizes) - sizes
    from_first = start - np.repeat(start[firsts], sizes, axis=0)
    edge = end - start
    doubled = np.add.reduceat(from_first[:, 0] * edge[:, 1] - from_first[:, 1] * edge[:, 0], firsts)
    bent = np.bincount(np.repeat(np.arange(len(counts)), counts), caps(curve.columns.table).moments[0], len(counts))
    areas: Floats = np.abs(doubled / 2 + bent)
    return areas
