"""Where curves meet, by halving: until what is left of both is straight to round-off.

A pair of parts is dropped as soon as its boxes, or the strips around its chords that hold the curves, lie apart, or as
the two leave a point in common by directions that differ. Strips narrow with the square of the length, so that even
two curves that touch keep only a few pairs alive at each step. Curves that run along each other are compared by their
difference instead (`massprops.core.close_parts`).

Source: T. W. Sederberg, T. Nishita, Curve intersection using Bezier clipping, Computer-Aided Design 22, 1990 (strips
around chords, "fat lines").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from massprops.core.close_parts import TOGETHER, compared
from massprops.core.contact import Contacts, joined
from massprops.core.levels import nearest_parameter, parameter_at
from massprops.core.line_contacts import cross, meeting_of_lines
from massprops.core.piecetable import Ints
from massprops.core.section_errors import SelfIntersecting
from massprops.core.spans import Spans
from massprops.core.surface import Floats

AT_JOINT = 1e3
"""Where spans follow each other, what meets so close to their common end, in tolerances, is that end."""

_MET = 8.0
"""Points at which spans are told to meet lie no more tolerances apart."""

_FLAT = 2.0**-10
"""A stretch that keeps this close to its chord, in tolerances, is straight."""

_MANY, _MANY_AFTER = 8, 3
"""More parts of a pair of spans that still meet, after so many halvings, raise the question whether they run along
each other."""

_LEVELS = (0.03, 0.11, 0.23, 0.34, 0.41, 0.53, 0.66, 0.78, 0.87, 0.96)
"""Spans that run together at these fractions of their common box coincide."""

_FORKED = 0.02
"""Curves that fork at this angle, in radians, keep apart from where they are a hundred tolerances from the fork."""

_COMPARING = 50
"""Parts that could be looked at while two are compared."""


class _Pairs(NamedTuple):
    """Parts of spans that may meet: span, ends as parameters (k, 2), and as points (k, 2, 2), for either of the two."""

    pair: Ints
    one: Ints
    s: Floats
    p: Floats
    two: Ints
    t: Floats
    q: Floats


def halving_contacts(
    spans: Spans, after: Ints, one: Ints, two: Ints, tolerance: float, most: int
) -> tuple[Contacts, int]:
    """Meeting points of pairs of spans, and how many parts were looked at.

    Parameters
    ----------
    spans : Spans
    after : ndarray of int
        For each span the next one of its loop: where the one ends and the other begins they may not be told to meet,
        nor within `AT_JOINT` tolerances of that point.
    one, two : ndarray of int, shape (k,)
    tolerance : float
        Distance within which they meet; length.
    most : int
        Parts that may be looked at.

    Raises
    ------
    SelfIntersecting
        There are more.
    """
    flat, at_joint = _FLAT * tolerance, (AT_JOINT - _MET) * tolerance
    count = len(one)
    whole = np.tile([0.0, 1.0], (count, 1))
    p, q = (np.stack([spans.at(k, whole[:, 0]), spans.at(k, whole[:, 1])], axis=1) for k in (one, two))
    parts = _Pairs(np.arange(count), one, whole, p, two, whole, q)
    found: list[Contacts] = []
    step = looked_at = 0
    while len(parts.pair):
        looked_at += len(parts.pair)
        if looked_at > most:
            raise _too_close(spans, parts)
        a, b, c, d = parts.p[:, 0], parts.p[:, 1], parts.q[:, 0], parts.q[:, 1]
        wide = [spans.bend[k] * (f[:, 1] - f[:, 0]) ** 2 / 8 for k, f in ((parts.one, parts.s), (parts.two, parts.t))]
        near = ~_apart(a, b, c, d, wide[0], wide[1], tolerance)
        near[near] = ~_at_joint(spans, after, _taken(parts, near), np.stack(wide)[:, near], at_joint)
        near[near] = ~_fork(after, _taken(parts, near), (b - a)[near], (d - c)[near], *(4 * w[near] for w in wide))
        done = near & (wide[0] <= flat) & (wide[1] <= flat)
        which, s, t = meeting_of_lines(a[done], b[done], c[done], d[done], tolerance)
        found.append(_contacts_of_parts(_taken(parts, done), which, s, t))
        going = near & ~done
        parts, wide = _taken(parts, going), [w[going] for w in wide]
        many = _are_many(parts) if step >= _MANY_AFTER and step % 2 else np.zeros(len(parts.pair), bool)
        if many.any():
            looked_at += _COMPARING * int(many.sum())
            along, met = _run_along(spans, _taken(parts, many), [w[many] for w in wide], step, tolerance)
            found += met
            kept = ~many
            kept[many] = ~along
            parts, wide = _taken(parts, kept), [w[kept] for w in wide]
        parts = _halved(spans, parts, wide[0] > flat, wide[1] > flat)
        step += 1
    return joined(found), looked_at


def _too_close(spans: Spans, parts: _Pairs) -> SelfIntersecting:
    u, v = spans.at(parts.one[:1], parts.s[:1, 0])[0]
    return SelfIntersecting(
        f"curves run so close along each other, near ({u:.6g}, {v:.6g}), that it takes too long to tell where they "
        "cross; draw them once",
        {"loops": 1, "where": [[float(u), float(v)]]},
    )


def _taken(parts: _Pairs, kept: Ints) -> _Pairs:
    return _Pairs(*(values[kept] for values in parts))


def _contacts_of_parts(parts: _Pairs, which: Ints, s: Floats, t: Floats) -> Contacts:
    low, high = parts.s[which].T
    first, last = parts.t[which].T
    return Contacts(parts.one[which], low + s * (high - low), parts.two[which], first + t * (last - first))


def _apart(
    a: Floats, b: Floats, c: Floats, d: Floats, wide: Floats, broad: Floats, tolerance: float
) -> Ints:
    """Whether stretches from a to b and from c to d, within ``wide`` and ``broad`` of their chords, keep apart."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    apart = ((np.minimum(c, d) > high + tolerance) | (np.maximum(c, d) < low - tolerance)).any(axis=1)
    for start, end, others, own, other in ((a, b, (c, d), wide, broad), (c, d, (a, b), broad, wide)):
        chord = end - start
        length = np.hypot(*chord.T)
        room = (own + other + tolerance) * length
        first, second = (cross(chord, point - start) for point in others)
        apart |= (length > 0) & ((np.minimum(first, second) > room) | (np.maximum(first, second) < -room))
    return np.asarray(apart)


def _at_joint(spans: Spans, after: Ints, parts: _Pairs, wide: Floats, reach: float) -> Ints:
    """Whether one of two stretches lies at a common end of their spans: all that it meets there is that end.

    Curves with control points repeated at a joint leave it so slowly that many parts of them lie there, none of them
    straight for long.

    Parameters
    ----------
    spans : Spans
    after : ndarray of int
        For each span the next one of its loop; two spans may follow each other at both ends.
    parts : _Pairs
    wide : ndarray, shape (2, k)
        How far the stretches may lie from their chords; length.
    reach : float
        Length.
    """
    found = np.zeros(len(parts.pair), bool)
    for before, next_one in ((parts.one, parts.two), (parts.two, parts.one)):
        where = np.flatnonzero(after[before] == next_one)
        joint = spans.end[before[where]][:, None]
        for ends, room in zip((parts.p, parts.q), wide, strict=True):
            far = np.hypot(*np.moveaxis(ends[where] - joint, 2, 0)).max(axis=1)
            found[where] |= far + room[where] <= reach
    return found


def _fork(after: Ints, parts: _Pairs, p: Floats, q: Floats, lean: Floats, sway: Floats) -> Ints:
    """Whether two stretches part for good where the one ends and the other begins: no more than that point is common.

    A curve whose second derivative is at most b leaves an end within the cone about its chord c that has the sine
    b / (2 |c|): its points are s (c + e) with |e| <= b / 2. Two such cones with an angle between them have only their
    apex in common, and what is within the tolerance there is close to it.

    Parameters
    ----------
    after : ndarray of int
        For each span the next one of its loop.
    parts : _Pairs
    p, q : ndarray, shape (k, 2)
        Chords of the stretches.
    lean, sway : ndarray, shape (k,)
        Halves of the bounds of their second derivatives; length.
    """
    onward, back = after[parts.one] == parts.two, after[parts.two] == parts.one
    joint = onward & ~back & (parts.s[:, 1] == 1) & (parts.t[:, 0] == 0)
    joint |= back & ~onward & (parts.t[:, 1] == 1) & (parts.s[:, 0] == 0)
    where = np.flatnonzero(joint)
    p, q = p[where], q[where]
    angle = np.arctan2(np.abs(cross(p, q)), -(p * q).sum(axis=1))  # as seen from the common point
    for chord, half in ((p, lean[where]), (q, sway[where])):
        length = np.hypot(*chord.T)
        angle -= np.arcsin(np.minimum(half / np.where(length == 0, 1.0, length), 1.0))
        angle[half >= length] = 0.0
    joint[where] = angle >= _FORKED
    return np.asarray(joint)


def _halved(spans: Spans, parts: _Pairs, split_one: Ints, split_two: Ints) -> _Pairs:
    """Each part in two, or in four, where it is not yet straight."""
    index, s, p = _halves(spans, parts.one, parts.s, parts.p, split_one)
    parts = _taken(parts, index)._replace(s=s, p=p)
    index, t, q = _halves(spans, parts.two, parts.t, parts.q, split_two[index])
    return _taken(parts, index)._replace(t=t, q=q)


def _halves(spans: Spans, span: Ints, f: Floats, p: Floats, split: Ints) -> tuple[Ints, Floats, Floats]:
    """Which part each of what comes of parts is from, and its ends as parameters and as points."""
    times = np.where(split, 2, 1)
    index = np.repeat(np.arange(len(f)), times)
    later = np.cumsum(times)[split] - 1  # the second halves; each follows the first
    middle = (f[split, 0] + f[split, 1]) / 2
    point = spans.at(span[split], middle)
    f, p = f[index], p[index]
    f[later - 1, 1] = f[later, 0] = middle
    p[later - 1, 1] = p[later, 0] = point
    return index, f, p


def _are_many(parts: _Pairs) -> Ints:
    """Parts of pairs of which many parts still meet."""
    _, inverse, count = np.unique(parts.pair, return_inverse=True, return_counts=True)
    many: Ints = count[inverse.ravel()] > _MANY
    return many


def _run_along(
    spans: Spans, parts: _Pairs, wide: list[Floats], step: int, tolerance: float
) -> tuple[Ints, list[Contacts]]:
    """Which parts need no further look, as they run along each other, apart or together; and where they meet."""
    found = []
    common = np.zeros(len(parts.pair), bool)
    if step == _MANY_AFTER:
        pairs, first = np.unique(parts.pair, return_index=True)
        one, two = parts.one[first], parts.two[first]
        same = _is_common(spans, one, two, tolerance)
        one, two = one[same], two[same]
        found = [_ends_upon(spans, one, two, tolerance), _exchanged(_ends_upon(spans, two, one, tolerance))]
        common = np.isin(parts.pair, pairs[same])
    left = _taken(parts, ~common)
    beside, met = compared(spans, left.one, left.s, left.two, left.t, np.stack(wide)[:, ~common], tolerance)
    common[~common] = beside
    return common, [*found, met]


def _is_common(spans: Spans, one: Ints, two: Ints, tolerance: float) -> Ints:
    """Whether spans coincide where both pass."""
    box = [np.sort(np.stack([spans.start[k], spans.end[k]]), axis=0) for k in (one, two)]
    low, high = np.maximum(box[0][0], box[1][0]), np.minimum(box[0][1], box[1][1])
    axis = np.argmax(high - low, axis=1)
    row = np.arange(len(one))
    low, high = low[row, axis], high[row, axis]
    common: Ints = high > low
    for level in (low + f * (high - low) for f in _LEVELS):
        some = np.flatnonzero(common)
        s = parameter_at(spans, one[some], axis[some], level[some])
        _, gap = nearest_parameter(spans, two[some], spans.at(one[some], s))
        common[some] = gap <= TOGETHER * tolerance
    return common


def _ends_upon(spans: Spans, one: Ints, two: Ints, tolerance: float) -> Contacts:
    """Ends of spans that lie on others."""
    found = []
    for value, points in ((0.0, spans.start), (1.0, spans.end)):
        t, gap = nearest_parameter(spans, two, points[one])
        near = gap <= TOGETHER * tolerance
        found.append(Contacts(one[near], np.full(int(near.sum()), value), two[near], t[near]))
    return joined(found)


def _exchanged(met: Contacts) -> Contacts:
    return Contacts(met.two, met.t, met.one, met.s)
