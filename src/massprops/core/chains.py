"""A curve cut where it meets itself: chains, and the winding numbers on either side of each.

Along a chain nothing else is met, so one look to its left and right tells for all of it. From the middle of its
longest straight or steady stretch a ray is sent along u or v, across the stretch; every span that the ray passes adds
or takes one from the winding number of that span's loop. Spans that run along the chain, within the tolerance, lie on
neither side of it: they are its bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from massprops.core.arc_levels import plain_sides
from massprops.core.boxtree import BoxTree
from massprops.core.contact import Contacts
from massprops.core.levels import parameter_at
from massprops.core.piecetable import Ints
from massprops.core.spans import Spans
from massprops.core.surface import Floats

_QUERIES = 2048
"""Rays that are followed together."""

_Look = Callable[[Floats, int], tuple[Ints, Ints]]
"""From points and an axis to the rays, from these points along it, and the spans that they may pass."""


class Stretches(NamedTuple):
    """Parts of spans between cuts, in the order of the curve, shape (k,) each: span, part of it, and chain."""

    span: Ints
    first: Floats
    last: Floats
    chain: Ints
    length: Floats


@dataclass(frozen=True, eq=False)
class Chains:
    """Chains of a curve.

    Parameters
    ----------
    stretches : Stretches
    loop : ndarray of int, shape (n,)
        Loop of each chain.
    length : ndarray, shape (n,)
        Length of each chain, by the chords of its stretches; length.
    probe : ndarray of int, shape (n,)
        The longest stretch of each.
    start : ndarray, shape (n, 2)
        A point where the chain begins; length.
    """

    stretches: Stretches
    loop: Ints
    length: Floats
    probe: Ints
    start: Floats


class Sides(NamedTuple):
    """Winding numbers beside chains that are not 0 on both sides, one entry for a chain and a loop."""

    chain: Ints
    loop: Ints
    left: Ints
    right: Ints
    leader: Ints
    """For each CHAIN, the first chain of its bundle: itself where nothing runs along it."""


def chains_of(spans: Spans, met: Sequence[Contacts], tolerance: float) -> Chains:
    """Cut the loops at the points where spans meet; cuts within the tolerance of each other are one."""
    at, cut = _cuts(spans, met, tolerance)
    if len(at) == 0:
        return _uncut(spans)
    span = np.insert(np.arange(len(spans)), at + 1, at)
    first = np.insert(np.zeros(len(spans)), at + 1, cut)
    cuts = at + 1 + np.arange(len(at))  # where the cuts have come to stand
    last = np.ones(len(span))
    last[cuts - 1] = cut
    start: Floats = np.insert(spans.start, at + 1, 0, axis=0)
    end: Floats = np.insert(spans.end, at + 1, 0, axis=0)
    start[cuts] = end[cuts - 1] = spans.at(at, cut)
    end[cuts] = np.where((span[cuts] == np.append(span, -1)[cuts + 1])[:, None], end[cuts], spans.end[at])
    length = np.hypot(end[:, 0] - start[:, 0], end[:, 1] - start[:, 1])
    chain = _chain_numbers(spans.loop[span], cuts)
    probe = _longest(chain, length)
    begins = probe.copy()
    begins[chain[cuts]] = cuts
    stretches = Stretches(span, first, last, chain, length)
    total = np.asarray(np.bincount(chain, length), float)
    return Chains(stretches, spans.loop[span[probe]], total, probe, start[begins])


def _uncut(spans: Spans) -> Chains:
    """Each loop as one chain."""
    length = np.hypot(spans.end[:, 0] - spans.start[:, 0], spans.end[:, 1] - spans.start[:, 1])
    chain = np.cumsum(np.diff(spans.loop, prepend=spans.loop[:1]) != 0)
    probe = _longest(chain, length)
    first, last = np.zeros(len(spans)), np.ones(len(spans))
    stretches = Stretches(np.arange(len(spans)), first, last, chain, length)
    total = np.asarray(np.bincount(chain, length), float)
    return Chains(stretches, spans.loop[probe], total, probe, spans.start[probe])


def _cuts(spans: Spans, met: Sequence[Contacts], tolerance: float) -> tuple[Ints, Floats]:
    """Spans and parameters of all cuts, in order; those at the end of a span are at the start of the next."""
    at = np.concatenate([np.empty(0, np.intp), *(index for batch in met for index in (batch.one, batch.two))])
    cut = np.concatenate([np.empty(0), *(f for batch in met for f in (batch.s, batch.t))])
    if len(at) == 0:
        return at, cut
    nearby = tolerance / np.hypot(*(spans.end[at] - spans.start[at]).T)
    late = cut >= 1 - nearby
    at, cut = np.where(late, spans.after()[at], at), np.where(late | (cut <= nearby), 0.0, cut)
    order = np.lexsort((cut, at))
    at, cut, nearby = at[order], cut[order], nearby[order]
    new = np.append(True, (at[1:] != at[:-1]) | (cut[1:] - cut[:-1] > nearby[1:]))
    return at[new], cut[new]


def _chain_numbers(loop: Ints, cuts: Ints) -> Ints:
    """Numbers from 0 on; what precedes the first cut of a loop belongs to the chain after its last cut."""
    firsts = np.flatnonzero(np.diff(loop, prepend=-1))
    lasts = np.append(firsts[1:], len(loop)) - 1
    begins = np.zeros(len(loop), np.int8)
    begins[firsts] = begins[cuts] = 1
    number = np.cumsum(begins) - 1
    opening = np.append(cuts, len(loop))[np.searchsorted(cuts, firsts)]  # the first cut of each loop
    for first, last, cut in zip(firsts, lasts, opening, strict=True):
        if first < cut <= last:
            number[first:cut] = number[last]
    used = np.zeros(int(number.max(initial=-1)) + 1, np.intp)
    used[number] = 1
    renumbered: Ints = (np.cumsum(used) - 1)[number]
    return renumbered


def _longest(chain: Ints, length: Floats) -> Ints:
    """For each chain the first of its longest stretches."""
    greatest = np.zeros(int(chain.max(initial=-1)) + 1)
    np.maximum.at(greatest, chain, length)
    among = np.flatnonzero(length == greatest[chain])[::-1]
    probe = np.empty(len(greatest), np.intp)
    probe[chain[among]] = among
    return probe


def sides_of(spans: Spans, tree: BoxTree, chains: Chains, tolerance: float) -> Sides:
    """Winding numbers of every loop on both sides of every chain."""
    stretches, probe = chains.stretches, chains.probe
    span = stretches.span[probe]
    step = np.abs(spans.at(span, stretches.last[probe]) - spans.at(span, stretches.first[probe]))
    steep = step[:, 1] >= step[:, 0]
    keys = stretches.span + stretches.first
    beginnings = tree.beginnings(spans.loop) if spans.loop[-1] else None

    def look(points: Floats, axis: int) -> tuple[Ints, Ints]:
        return tree.ray_pairs(points, axis, tolerance, beginnings)

    leader = np.arange(len(probe))
    found = []
    for axis, asked in ((0, np.flatnonzero(steep)), (1, np.flatnonzero(~steep))):
        for low in range(0, len(asked), _QUERIES):
            chain = asked[low : low + _QUERIES]
            found.append(_rays(spans, look, chains, chain, axis, tolerance, keys, leader))
    chain, loop, left, right = (np.concatenate(column) for column in zip(*found, strict=True))
    return Sides(chain, loop, left, right, leader)


def _rays(
    spans: Spans, look: _Look, chains: Chains, asked: Ints, axis: int, tolerance: float, keys: Floats, leader: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    """Chain, loop, and winding numbers to the left and right, of some chains; ``leader`` is brought up to date."""
    stretches, across = chains.stretches, 1 - axis
    probe = chains.probe[asked]
    span = stretches.span[probe]
    point = spans.at(span, (stretches.first[probe] + stretches.last[probe]) / 2)
    query, other = look(point, axis)
    ahead, along, where = _passed(spans, query, other, point, axis, tolerance)
    sign = np.where(spans.end[other, across] > spans.start[other, across], 1, -1)
    if axis == 1:
        sign = -sign  # the plane seen with u and v exchanged: winding numbers change sign
    mate = stretches.chain[np.searchsorted(keys, other[along] + where[along], side="right") - 1]
    np.minimum.at(leader, asked[query[along]], mate)
    loops = spans.loop[-1] + 1
    key, inverse = np.unique(query * loops + spans.loop[other], return_inverse=True)
    far = np.bincount(inverse, np.where(ahead, sign, 0), len(key)).round().astype(int)
    near = far + np.bincount(inverse, np.where(along, sign, 0), len(key)).round().astype(int)
    query, loop = np.divmod(key, loops)
    rises = spans.end[span[query], across] > spans.start[span[query], across]
    forward = rises == (axis == 0)  # the far side of the ray is to the chain's right
    left, right = np.where(forward, near, far), np.where(forward, far, near)
    kept = (left != 0) | (right != 0)
    return asked[query[kept]], loop[kept], left[kept], right[kept]


def _passed(
    spans: Spans, query: Ints, other: Ints, point: Floats, axis: int, tolerance: float
) -> tuple[Ints, Ints, Floats]:
    """Which spans the rays pass ahead of their points, which run along them, and where on those spans."""
    across = 1 - axis
    level, place = point[query, across], point[query, axis]
    a, b = spans.start[other], spans.end[other]
    low, high = np.minimum(a[:, across], b[:, across]), np.maximum(a[:, across], b[:, across])
    hit = (low <= level) & (level < high)
    near = np.minimum(a[:, axis], b[:, axis])
    ahead = hit & (near > place + tolerance)
    unclear = np.flatnonzero(hit & ~ahead)
    beyond, before = plain_sides(spans, other[unclear], axis, level[unclear], place[unclear], tolerance)
    ahead[unclear[beyond]] = True
    unclear = unclear[~(beyond | before)]
    where = np.full(len(query), 0.5)
    where[unclear] = _parameters(spans, other[unclear], across, level[unclear])
    gap = spans.at(other[unclear], where[unclear])[:, axis] - place[unclear]
    ahead[unclear] = gap > tolerance
    along = np.zeros(len(query), bool)
    along[unclear] = np.abs(gap) <= tolerance
    return ahead, along, where


def _parameters(spans: Spans, index: Ints, axis: int, level: Floats) -> Floats:
    a, b = spans.start[index, axis], spans.end[index, axis]
    s = np.clip((level - a) / (b - a), 0.0, 1.0)
    curved = np.flatnonzero(spans.piece[index] >= 0)
    if len(curved):
        s[curved] = parameter_at(spans, index[curved], np.full(len(curved), axis), level[curved])
    return np.asarray(s)
