"""Where arcs of similar ellipses meet, in closed form: circles with circles above all.

Two ellipses with parallel axes in the same ratio are circles of radii r_1 and r_2 in coordinates y = L x. With D the
distance of their centres there, they keep apart where D > r_1 + r_2 or D < |r_1 - r_2|, coincide where D + |r_1 - r_2|
is 0, and else cross at the angles acos((D^2 + r_1^2 - r_2^2) / (2 D r_1)) on either side of the line of centres.
Halving arcs until they separate would take the longer the closer they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from massprops.core.contact import Contacts
from massprops.core.piecetable import ROUNDING, ArcTable, Ints
from massprops.core.spans import Spans
from massprops.core.surface import Floats

_FLATTEST = 1e-3
"""Flatter ellipses are left to be halved: there what is near along one axis is far along the other."""

_SAME_SHAPE = 0.125
"""Ellipses are taken as similar where that moves them by less than this fraction of the tolerance."""

_COINCIDE, _UNCLEAR = 4.0, 8.0
"""Similar ellipses that keep within so many tolerances coincide; within so many, no crossing is sought."""

_CENTER_ROUNDING = 2.0**-50
"""Arcs that are all but straight are left to be halved: where this fraction of the radius is beyond the tolerance."""


class _Frames(NamedTuple):
    """For each pair the coordinates y = L x: inverse of L, a lower triangle, and bounds of |L x| / |x|."""

    root: Floats
    least: Floats
    most: Floats

    def of(self, x: Floats) -> Floats:
        """Points y from points x, shape (k, 2) each."""
        first = x[:, 0] / self.root[:, 0, 0]
        return np.stack([first, (x[:, 1] - self.root[:, 1, 0] * first) / self.root[:, 1, 1]], axis=1)


@dataclass(frozen=True, eq=False)
class _Circles:
    """The arc on one side of each pair, as an arc of a circle in the coordinates y.

    Parameters
    ----------
    center : ndarray, shape (k, 2)
        In the coordinates x; length.
    radius : ndarray, shape (k,)
        Length.
    axes : ndarray, shape (k, 2, 2)
        Directions of the angles 0 and pi / 2, as rows.
    middle, width : ndarray, shape (k,)
        Angle in the middle, and angle swept; radians.
    slack : ndarray, shape (k,)
        The tolerance, as a fraction of the span.
    ends : tuple of ndarray, shape (k, 2)
        First and last point in the coordinates x; length.
    """

    center: Floats
    radius: Floats
    axes: Floats
    middle: Floats
    width: Floats
    slack: Floats
    ends: tuple[Floats, Floats]

    def parameter(self, y: Floats) -> Floats:
        """Where the spans pass y, given from their centres; NaN where they do not."""
        c, s = np.einsum("kij,kj->ik", self.axes, y)
        beyond = np.remainder(np.arctan2(s, c) - self.middle + np.pi, 2 * np.pi) - np.pi
        t = 0.5 + beyond / self.width
        return np.where((t >= -self.slack) & (t <= 1 + self.slack), np.clip(t, 0.0, 1.0), np.nan)


def arc_contacts(spans: Spans, one: Ints, two: Ints, tolerance: float) -> tuple[Ints, Contacts]:
    """Meeting points of those pairs of spans that are arcs of similar ellipses.

    Parameters
    ----------
    spans : Spans
    one, two : ndarray of int, shape (k,)
    tolerance : float
        Distance within which they meet; length.

    Returns
    -------
    settled : ndarray of bool, shape (k,)
        Pairs that are dealt with; all others must be looked at in another way.
    met : Contacts
    """
    settled = np.zeros(len(one), bool)
    arcs, none = spans.table.arcs, np.empty(0, np.intp)
    if arcs is None:
        return settled, Contacts(none, np.empty(0), none, np.empty(0))
    row = np.where(spans.piece < 0, -1, arcs.row[spans.piece])
    rows = row[one], row[two]
    sharp = np.append(arcs.reaches[1] * _CENTER_ROUNDING <= tolerance, False)  # the last one for what is no arc
    pair = np.flatnonzero(sharp[rows[0]] & sharp[rows[1]])
    apart = _apart(arcs, rows[0][pair], rows[1][pair], tolerance)
    settled[pair[apart]] = True
    pair, frames = _similar(arcs, rows, pair[~apart], tolerance)
    if len(pair) == 0:
        return settled, Contacts(none, np.empty(0), none, np.empty(0))
    index = one[pair], two[pair]
    first, second = (_circles(spans, arcs, k, frames, tolerance) for k in index)
    clear, crossings = _crossings(first, second, frames, tolerance)
    settled[pair[clear]] = True
    met = [*crossings, *_touching_ends(first, second, frames, tolerance)]
    which = [np.flatnonzero(clear & ~np.isnan(s + t)) for s, t in met]
    k = np.concatenate(which)
    s, t = (np.concatenate([each[side][w] for each, w in zip(met, which, strict=True)]) for side in (0, 1))
    return settled, Contacts(index[0][k], s, index[1][k], t)


def _apart(arcs: ArcTable, one: Ints, two: Ints, tolerance: float) -> Ints:
    """Pairs of arcs of which the one lies far within the other's ellipse, or far beyond it."""
    inner, outer = arcs.reaches
    away = np.hypot(*(arcs.center[one] - arcs.center[two]).T)
    gap = np.maximum(inner[one] - outer[two], inner[two] - outer[one]) - away
    reach = outer[one] + outer[two]
    return np.asarray(np.maximum(gap, away - reach) > _UNCLEAR * tolerance + ROUNDING * (away + reach))


def _similar(arcs: ArcTable, rows: tuple[Ints, Ints], pair: Ints, tolerance: float) -> tuple[Ints, _Frames]:
    """Pairs of arcs of similar ellipses, and the coordinates in which they are circles."""
    shapes = [np.einsum("kia,kib->kab", arcs.axes[row[pair]], arcs.axes[row[pair]]) for row in rows]
    radii = [_radius(arcs.axes[row[pair]]) for row in rows]
    a, b = (shape / (r * r)[:, None, None] for shape, r in zip(shapes, radii, strict=True))
    least, most = np.linalg.eigvalsh(b).T
    unlike = np.abs(a - b).max(axis=(1, 2)) * np.maximum(*radii)
    similar = (unlike <= _SAME_SHAPE * tolerance) & (least >= _FLATTEST**2 * most)
    return pair[similar], _Frames(np.linalg.cholesky(b[similar]), most[similar] ** -0.5, least[similar] ** -0.5)


def _radius(axes: Floats) -> Floats:
    """Root mean square of the semi-axes of ellipses; length."""
    radius: Floats = np.sqrt((axes * axes).sum(axis=(1, 2)) / 2)
    return radius


def _circles(spans: Spans, arcs: ArcTable, index: Ints, frames: _Frames, tolerance: float) -> _Circles:
    piece = spans.piece[index]
    row = arcs.row[piece]
    radius = _radius(arcs.axes[row])
    axes = np.stack([frames.of(arcs.axes[row, k]) for k in (0, 1)], axis=1) / radius[:, None, None]
    first, last = spans.first[index], spans.last[index]
    ends = spans.start[index], spans.end[index]
    return _Circles(
        arcs.center[row],
        radius,
        axes,
        arcs.begin[row] + arcs.sweep[row] * (first + last) / 2,
        arcs.sweep[row] * (last - first),
        2 * tolerance / np.hypot(*(ends[1] - ends[0]).T),
        ends,
    )


def _crossings(
    first: _Circles, second: _Circles, frames: _Frames, tolerance: float
) -> tuple[Ints, list[tuple[Floats, Floats]]]:
    """Pairs for which this is clear; parameters of their two crossings on either arc, NaN where there are none."""
    offset = frames.of(second.center - first.center)
    distance, turn = np.hypot(*offset.T), np.arctan2(offset[:, 1], offset[:, 0])
    wider = first.radius - second.radius
    far = distance + np.abs(wider)  # the greatest distance of any point from the other circle
    same = far <= _COINCIDE * tolerance * frames.least
    room = tolerance * frames.most
    apart = (distance > first.radius + second.radius + room) | (distance < np.abs(wider) - room)
    clear = same | apart | (far > _UNCLEAR * room)
    meeting = clear & ~same & ~apart
    safe = np.where(meeting, distance, 1.0)
    along = (safe * safe + wider * (first.radius + second.radius)) / (2 * safe)
    half = np.arccos(np.clip(along / first.radius, -1.0, 1.0))
    found = []
    for angle in (turn - half, turn + half):
        y = first.radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        s, t = first.parameter(y), second.parameter(y - offset)
        found.append((np.where(meeting, s, np.nan), t))
    return np.asarray(clear), found


def _touching_ends(
    first: _Circles, second: _Circles, frames: _Frames, tolerance: float
) -> list[tuple[Floats, Floats]]:
    """Parameters on either arc where an end of the one lies on the other."""
    found = []
    for own, other, is_first in ((first, second, True), (second, first, False)):
        for value, point in zip((0.0, 1.0), own.ends, strict=True):
            y = frames.of(point - other.center)
            near = np.abs(np.hypot(*y.T) - other.radius) <= _COINCIDE * tolerance * frames.least
            t = np.where(near, other.parameter(y), np.nan)
            s = np.full(len(t), value)
            found.append((s, t) if is_first else (t, s))
    return found
