"""Which loops lie in which, which of them are holes, and whether what they enclose is enclosed once.

A loop lies in another where the other's winding number is not 0 along its whole inner side. Loops that lie in an even
number of others are outer, those in an odd number are holes, whatever their winding. With the loops turned to suit,
the winding number of the whole must be 0 or 1 everywhere: that is checked, not assumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from massprops.core.boxtree import BoxTree
from massprops.core.chains import Chains, Sides, chains_of, sides_of
from massprops.core.contact import Contacts
from massprops.core.copies import Copies, copies_of
from massprops.core.curve import Curve
from massprops.core.owners import Owners
from massprops.core.piecetable import Ints
from massprops.core.section import section_integrals
from massprops.core.section_errors import SelfIntersecting
from massprops.core.selfcrossing import contacts, tolerance_of
from massprops.core.spans import Spans, spans_of
from massprops.core.surface import Floats

IGNORED = 4.0
"""Chains shorter than this many times the tolerance of joined ends are not judged: ends that were joined overlap."""

_MOST_CONTACTS = 40
"""Meeting points for each span beyond which a drawing is refused: memory would run out before an answer came."""

_MOST_NESTED = 200
"""Pairs of a loop and one that it lies in, for each loop, beyond which a drawing is refused."""


@dataclass(frozen=True, eq=False)
class Layout:
    """How the loops of a curve lie to each other.

    Parameters
    ----------
    copies : Copies
        Which loops are the same. Spans, chains and their sides are those of the distinct ones alone.
    spans : Spans
    chains : Chains
    sides : Sides
        Winding numbers of the distinct loops as they are wound.
    judged : ndarray of bool
        Chains long enough to be judged.
    winding : ndarray of int, shape (n,)
        1 for loops wound anticlockwise, -1 for clockwise ones, 0 for those that enclose nothing.
    crossed : ndarray of int
        Distinct loops that cross themselves.
    inside : ndarray of int, shape (k, 2)
        Pairs of loops: the first lies in the second.
    same : ndarray of int, shape (n,)
        A number for each loop: equal for loops that enclose the same, within the tolerance.
    """

    copies: Copies
    spans: Spans
    chains: Chains
    sides: Sides
    judged: Ints
    winding: Ints
    crossed: Ints
    inside: Ints
    same: Ints


def layout(curve: Curve, ignored: float) -> Layout:
    """Find out how the loops of a curve lie to each other.

    Parameters
    ----------
    curve : Curve
    ignored : float
        Chains no longer than this are not judged; length.

    Raises
    ------
    SelfIntersecting
        There are far more meeting points than spans, or far more loops in others than loops; or curves run too close
        along each other.

    Examples
    --------
    >>> found = layout(Curve.from_loops([0, 9, 0, 2, 3, 2], [0, 0, 9, 2, 2, 3], [3, 3]), 0.0)
    >>> found.winding.tolist(), found.inside.tolist()
    ([1, 1], [[1, 0]])
    """
    copies = copies_of(curve)
    loops = copies.distinct.loops
    spans = spans_of(copies.distinct)
    tree, tolerance = BoxTree.of(spans), tolerance_of(spans)
    met = _limited(contacts(spans, tree, tolerance), _MOST_CONTACTS * (len(spans) + 10_000))
    chains = chains_of(spans, met, tolerance)
    sides = sides_of(spans, tree, chains, tolerance)
    judged = _judged(chains, ignored)
    count = len(loops)
    own = (sides.loop == chains.loop[sides.chain]) & judged[sides.chain]
    lowest, highest = np.zeros(count, int), np.zeros(count, int)
    values = np.stack([sides.left, sides.right])[:, own]
    np.minimum.at(lowest, sides.loop[own], values.min(axis=0))
    np.maximum.at(highest, sides.loop[own], values.max(axis=0))
    crossed = np.flatnonzero(highest - lowest > 1)
    winding = np.sign(highest + lowest)
    for loop in np.flatnonzero(winding == 0):  # nothing, or thinner than the tolerance
        winding[loop] = section_integrals(Curve((loops[loop],))).area_sign
    inside, same = _inside(chains, sides, judged, winding)
    original, inside = copies.original, _of_copies(inside, copies)
    turn = winding[original] * copies.turn
    return Layout(copies, spans, chains, sides, judged, turn, crossed, inside, same[original])


def _of_copies(pairs: Ints, copies: Copies) -> Ints:
    """Pairs of loops as drawn from pairs of distinct ones."""
    if copies.are_none or len(pairs) == 0:
        return pairs
    count = np.bincount(copies.original)
    most = _MOST_NESTED * (len(copies.original) + 10_000)
    if (count[pairs[:, 0]] * count[pairs[:, 1]]).sum() > most:
        raise SelfIntersecting(f"loops lie in each other more than {most} times; they are drawn many times over")
    members = copies.members()
    found = [np.stack(np.meshgrid(members[a], members[b]), axis=-1).reshape(-1, 2) for a, b in pairs.tolist()]
    return np.concatenate(found)


def _limited(batches: Iterator[Contacts], most: int) -> list[Contacts]:
    met, count = [], 0
    for batch in batches:
        count += len(batch.one)
        if count > most:
            raise SelfIntersecting(f"loops meet in more than {most} points; a scribble, or drawn many times over")
        met.append(batch)
    return met


def _judged(chains: Chains, ignored: float) -> Ints:
    """Chains longer than a length, and the longest one of each loop."""
    judged = chains.length > ignored
    order = np.lexsort((chains.length, chains.loop))
    judged[order[np.flatnonzero(np.diff(chains.loop[order], append=-1))]] = True
    return np.asarray(judged)


def _inside(chains: Chains, sides: Sides, judged: Ints, winding: Ints) -> tuple[Ints, Ints]:
    """Pairs of loops of which one lies in the other, and for each loop the first that is the same."""
    own = chains.loop[sides.chain]
    inner = np.where(winding[own] > 0, sides.left, sides.right)
    covered = judged[sides.chain] & (inner != 0) & (sides.loop != own) & (winding[own] != 0)
    count = len(winding)
    pairs, times = np.unique(own[covered] * count + sides.loop[covered], return_counts=True)
    one, other = np.divmod(pairs, count)
    needed = np.bincount(chains.loop[judged], minlength=count)
    whole = times == needed[one]
    one, other = one[whole], other[whole]
    mutual = np.isin(one * count + other, other * count + one)  # the same loop twice: neither lies in the other
    same = np.arange(count)
    np.minimum.at(same, one[mutual], other[mutual])
    return np.column_stack([one, other])[~mutual], same[same]


def nested(found: Layout, owners: Owners, nonzero: Ints) -> Ints:
    """What each loop adds to the region: 1 as an outer loop, -1 as a hole, 0 where it bounds nothing.

    Parameters
    ----------
    found : Layout
    owners : Owners
        Of the loops. Rings of polygons are outlines or holes of their polygon as the file says, wherever they lie.
    nonzero : ndarray of bool, shape (n,)
        Loops of shapes that the drawing fills by the nonzero rule: within its shape such a loop is a hole or
        nothing by the winding of the loops around it. All others are outer or holes by counting.
    """
    shape = owners.shape
    one, other = np.concatenate([found.inside, _filling(found, owners)]).T
    same = shape[one] == shape[other]
    count = len(shape)
    around = np.bincount(one[same], found.winding[other[same]], count).round().astype(int)
    depth = np.bincount(one[same], minlength=count)
    by_winding = (around + found.winding != 0).astype(int) - (around != 0)
    weight = np.where(nonzero, by_winding, 1 - 2 * (depth % 2))
    weight = np.where(owners.role == 0, weight, owners.role)
    counted = ~same & (weight[other] != 0)
    outside = np.bincount(one[counted], minlength=count)
    return np.asarray(np.where(found.winding == 0, 0, weight * (1 - 2 * (outside % 2))))


def _filling(found: Layout, owners: Owners) -> Ints:
    """Pairs of an outline and a hole of another polygon, each once, of which the one fills the other exactly."""
    hole_of = np.full(len(found.same), -1)
    holes = np.flatnonzero(owners.role < 0)
    hole_of[found.same[holes]] = holes
    outlines = np.flatnonzero((owners.role > 0) & (hole_of[found.same] >= 0))
    return np.column_stack([outlines, hole_of[found.same[outlines]]])


def totals(found: Layout, weight: Ints) -> tuple[Ints, Ints]:
    """Winding number of the whole to the left and right of each chain, with loops turned and weighted.

    Parameters
    ----------
    found : Layout
    weight : ndarray of int, shape (n,)
        What one turn round each loop, as it is drawn, counts.
    """
    count, weight = len(found.chains.loop), found.copies.counted(weight)
    left, right = (
        np.bincount(found.sides.chain, weight[found.sides.loop] * side, count).round().astype(int)
        for side in (found.sides.left, found.sides.right)
    )
    return left, right


def faults(found: Layout, left: Ints, right: Ints) -> tuple[Floats, Floats]:
    """Points where chains border a region enclosed twice, and one enclosed the wrong way round; shape (k, 2) each."""
    high, low = np.maximum(left, right), np.minimum(left, right)
    return found.chains.start[found.judged & (high > 1)], found.chains.start[found.judged & (low < 0)]


def meeting_points(found: Layout, loop: int) -> Floats:
    """Points where chains of a loop that crosses itself begin, shape (k, 2)."""
    chains = found.chains
    mine = (chains.loop == loop) & found.judged
    return np.unique(chains.start[mine], axis=0)
