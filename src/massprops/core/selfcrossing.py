"""Where the spans of a curve meet: crossings, touches, ends of common stretches.

Straight spans are intersected directly (`massprops.core.line_contacts`), arcs of similar ellipses in closed form
(`massprops.core.arc_contacts`), and all other pairs with a curved span by halving (`massprops.core.halving`).

Everything is told within a tolerance: spans that come closer than that are said to meet. Two curves that keep closer
than that over a stretch meet at the ends of the stretch.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from massprops.core.arc_contacts import arc_contacts
from massprops.core.boxtree import BoxTree
from massprops.core.contact import Contacts
from massprops.core.halving import AT_JOINT, halving_contacts
from massprops.core.line_contacts import cross, meeting_of_lines
from massprops.core.piecetable import Ints
from massprops.core.segments import box_of
from massprops.core.spans import Spans

CONTACT = 1e-12
"""Spans closer than this fraction of the curve's size meet; nor less than four ulps of its coordinates."""

_TOGETHER = 1 << 12
"""Pairs of curved spans that are halved together."""

_MOST_PARTS, _PARTS_A_PAIR = 8_000_000, 200
"""Parts that are looked at, and so many more for each pair; beyond, spans are too close together for too long."""


def tolerance_of(spans: Spans) -> float:
    """The distance within which spans meet; length."""
    low, high = box_of(spans.start)
    size, reach = float(np.hypot(*(high - low))), max(np.abs(low).max(), np.abs(high).max())
    return max(CONTACT * size, 4 * float(np.spacing(reach)))


def contacts(spans: Spans, tree: BoxTree, tolerance: float) -> Iterator[Contacts]:
    """All meeting points of spans that do not just follow one another; in several batches.

    Examples
    --------
    >>> from massprops.core.curve import Curve
    >>> from massprops.core.spans import spans_of
    >>> spans = spans_of(Curve.from_loops([0, 2, 2, 0], [0, 2, 0, 2]))
    >>> [[x.tolist() for x in batch] for batch in contacts(spans, BoxTree.of(spans), 1e-12)]
    [[[0], [0.5], [2], [0.5]]]
    """
    after = spans.after()
    for one, two in tree.close_pairs(tolerance):
        straight = (spans.piece[one] < 0) & (spans.piece[two] < 0)
        joint = (after[one] == two) | (after[two] == one)
        plain, curved = straight & ~joint, ~straight
        folds = np.flatnonzero(straight & joint)
        plain[folds] = _fold_back(spans, one[folds], two[folds], tolerance)
        joints = np.flatnonzero(curved & joint)
        curved[joints] = ~_steady(spans, one[joints], two[joints])
        yield _straight_contacts(spans, one[plain], two[plain], tolerance)
        if curved.any():
            for found in _curved_contacts(spans, after, one[curved], two[curved], tolerance):
                yield _without_joints(spans, after, found, AT_JOINT * tolerance)


def _straight_contacts(spans: Spans, one: Ints, two: Ints, tolerance: float) -> Contacts:
    a, b, c, d = (f[k] for k in (one, two) for f in (spans.start, spans.end))
    which, s, t = meeting_of_lines(a, b, c, d, tolerance)
    return Contacts(one[which], s, two[which], t)


def _steady(spans: Spans, one: Ints, two: Ints) -> Ints:
    """Whether spans go the same way along u, or along v: if one follows the other, they meet nowhere else."""
    a, b = (np.sign(spans.end[k] - spans.start[k]) for k in (one, two))
    return np.asarray(((a == b) & (a != 0)).any(axis=1))


def _fold_back(spans: Spans, one: Ints, two: Ints, tolerance: float) -> Ints:
    """Whether straight spans of which one follows the other run back along each other: a spike without a width."""
    p, q = (spans.end[k] - spans.start[k] for k in (one, two))
    least = np.minimum(np.hypot(*p.T), np.hypot(*q.T))
    greatest = np.maximum(np.hypot(*p.T), np.hypot(*q.T))
    beside = np.abs(cross(p, q)) <= tolerance * greatest  # the end of the shorter one from the longer one
    return np.asarray(beside & ((p * q).sum(axis=1) < 0) & (least > tolerance))


def _curved_contacts(
    spans: Spans, after: Ints, one: Ints, two: Ints, tolerance: float
) -> Iterator[Contacts]:
    """Meeting points of pairs of which one or both are curved, in several batches."""
    settled, found = arc_contacts(spans, one, two, tolerance)
    yield found
    one, two = one[~settled], two[~settled]
    left = _MOST_PARTS + _PARTS_A_PAIR * len(one)
    for low in range(0, len(one), _TOGETHER):
        chunk = slice(low, low + _TOGETHER)
        found, looked_at = halving_contacts(spans, after, one[chunk], two[chunk], tolerance, left)
        left -= looked_at
        yield found


def _without_joints(spans: Spans, after: Ints, found: Contacts, reach: float) -> Contacts:
    """Without the point that spans share because one follows the other."""
    point = spans.at(found.one, found.s)
    kept = np.ones(len(point), bool)
    for before, next_one in ((found.one, found.two), (found.two, found.one)):
        gap = np.hypot(*(point - spans.end[before]).T)
        kept &= ~((after[before] == next_one) & (gap <= reach))
    return Contacts(found.one[kept], found.s[kept], found.two[kept], found.t[kept])
