"""Which way bodies should point, from which of them lie inside others.

A body inside an even number of others is solid, one inside an odd number is a cavity. Body B lies inside body A when
points just below its surface do: those are shifted a little into B, so that B may touch A. Bodies that are not closed
are judged as if each of their holes were closed by a cone from its middle, unless one that is mostly holes is around
them or within them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from massprops.core.rectangles import stabbed
from massprops.core.surface import Floats
from massprops.core.topology import Flags, Ints, Mesh, components

FLAT = 1e-14
"""A volume below this fraction of area times diameter is round-off: it has no sign."""

MOSTLY_CLOSED = 0.5
"""An open body has an inside when its holes, closed by cones, have less than this fraction of its own area."""

SMALLER = 1 - 1e-12
"""A body lies inside another one only if its volume is less than this fraction of the other's."""

SHIFT_OF_DIAMETER, SHIFT_OF_THICKNESS = 1e-6, 1e-3
"""How far points lie below the surface: the less of these fractions of a body's diameter and of volume over area."""

MOST_SAMPLES, FEWEST_SAMPLES, EFFORT = 256, 5, 5e7
"""Points per body, fewer where points times facets would exceed the effort."""

_GENERIC = np.linalg.qr(np.array([[1.0, 0.31, 0.57], [-0.43, 1.0, 0.23], [-0.61, -0.37, 1.0]]))[0]
"""A rotation after which no face or edge of a part made by people is upright: rays run along the third axis."""


@dataclass(frozen=True)
class Nesting:
    """Parameters
    ----------
    is_turned : ndarray of bool, shape (bodies,)
        Bodies to be reversed as a whole.
    is_cavity : ndarray of bool, shape (bodies,)
        Bodies inside an odd number of others.
    """

    is_turned: Flags
    is_cavity: Flags


@dataclass(frozen=True)
class _Bodies:
    """Bodies with their holes closed, so that none has a boundary, in coordinates about the middle of all of them."""

    vertices: Floats
    corners: Ints
    owner: Ints
    volume: Floats
    area: Floats
    lower: Floats
    upper: Floats
    has_inside: Flags

    @property
    def diameter(self) -> Floats:
        size: Floats = np.linalg.norm(self.upper - self.lower, axis=1)
        return size

    def triangles(self, facets: Ints) -> Floats:
        """Corners of some facets, shape ``(k, 3, 3)``."""
        return self.vertices[self.corners[facets]]


def turned_bodies(mesh: Mesh, body: Ints, against: Flags, rim: Ints, one_sided: Flags) -> Nesting:
    """Which bodies must be turned so that outermost ones point outwards, cavities inwards, and so on.

    Parameters
    ----------
    mesh : Mesh
    body : ndarray of int, shape (n,)
        The body of each facet.
    against : ndarray of bool, shape (n,)
        Facets to be taken reversed, so that each body is wound consistently.
    rim : ndarray of int, shape (k, 3)
        Boundaries of the bodies then: start, end, body.
    one_sided : ndarray of bool, shape (bodies,)
        Bodies to be left out.
    """
    bodies = _closed_bodies(mesh, body, against, rim, one_sided)
    depth = np.zeros(len(one_sided), np.intp)
    inner, outer = _candidates(bodies)
    if len(inner):
        inner, outer = _nested(bodies, inner, outer)
        depth = np.bincount(inner, minlength=len(depth))
    is_cavity = depth % 2 == 1
    is_wrong = bodies.has_inside & ((bodies.volume > 0) == is_cavity)
    return Nesting(is_wrong & ~_undecided(bodies, rim, one_sided), is_cavity)


def _undecided(bodies: _Bodies, rim: Ints, one_sided: Flags) -> Flags:
    """Open bodies around or within one that has no inside: they may be the two sides of a wall, so none is turned.

    Of a pipe without its end rings the outer side may be mostly holes, where the inner one is not.
    """
    found = np.zeros(len(one_sided), bool)
    has_rim = found.copy()
    has_rim[rim[:, 2]] = True
    body = np.flatnonzero(has_rim & ~one_sided)
    if len(body) < 2 or bodies.has_inside[body].all():
        return found
    lower, upper = bodies.lower[body], bodies.upper[body]
    middle = 0.5 * (lower + upper)
    for a, b in stabbed(middle[:, :2], lower[:, :2], upper[:, :2]):
        held = (a != b) & (middle[a, 2] >= lower[b, 2]) & (middle[a, 2] <= upper[b, 2])
        one, other = body[a[held]], body[b[held]]
        found[one] |= ~bodies.has_inside[other]
        found[other] |= ~bodies.has_inside[one]
    return found


def _closed_bodies(mesh: Mesh, body: Ints, against: Flags, rim: Ints, one_sided: Flags) -> _Bodies:
    vertices = mesh.vertices - 0.5 * (mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0))
    corners = mesh.corners.copy()
    corners[against] = corners[against][:, [0, 2, 1]]
    middles, cones = _cones(vertices, rim)
    vertices, corners = np.concatenate([vertices, middles]), np.concatenate([corners, cones])
    owner, count = np.concatenate([body, rim[:, 2]]), len(one_sided)
    lower, upper = _boxes(vertices, corners, owner, count)
    sixfold, doubled = _sizes(vertices, corners, 0.5 * (lower + upper), owner)
    volume, area = _sums(owner, sixfold, count) / 6, _sums(owner, doubled, count) / 2
    hole = _sums(rim[:, 2], doubled[len(body) :], count) / 2
    diameter = np.linalg.norm(upper - lower, axis=1)
    has_inside = (hole < MOSTLY_CLOSED * (area - hole)) & (np.abs(volume) > FLAT * area * diameter) & ~one_sided
    return _Bodies(vertices, corners, owner, volume, area, lower, upper, has_inside)


def _sizes(vertices: Floats, corners: Ints, reference: Floats, owner: Ints) -> tuple[Floats, Floats]:
    """Six times the signed volume between each facet and its body's reference point, and twice its area.

    Component by component: whole rows are several times faster than rows of three.
    """
    origin = [x[0] if len(x) == 1 else x[owner] for x in reference.T]
    a, b, c = ([x[corner] for x in vertices.T] for corner in corners.T)
    u, v = ([q - p for p, q in zip(a, end, strict=True)] for end in (b, c))
    normal = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
    sixfold: Floats = sum((p - o) * n for p, o, n in zip(a, origin, normal, strict=True))
    return sixfold, np.sqrt(sum(n * n for n in normal))


def _sums(owner: Ints, values: Floats, count: int) -> Floats:
    if count == 1:
        return np.array([values.sum()])
    total: Floats = np.bincount(owner, values, minlength=count).astype(np.float64)
    return total


def _cones(vertices: Floats, rim: Ints) -> tuple[Floats, Ints]:
    """The middle of each connected boundary, and facets from its edges, backwards, to that new vertex."""
    count = len(vertices)
    names, place = np.unique(rim[:, :2] + count * rim[:, 2:], return_inverse=True)
    start, end = place.reshape(-1, 2).T
    part = components(len(names), start, end)[start] if len(rim) else start
    uses = np.bincount(part)
    middles = np.stack([np.bincount(part, x) / uses for x in vertices[rim[:, 0]].T], axis=1)
    return middles, np.stack([rim[:, 1], rim[:, 0], count + part], axis=1)


def _boxes(vertices: Floats, corners: Ints, owner: Ints, count: int) -> tuple[Floats, Floats]:
    if count == 1:
        return vertices.min(axis=0)[None], vertices.max(axis=0)[None]
    lower, upper = np.full((3, count), np.inf), np.full((3, count), -np.inf)
    for x, low, high in zip(vertices.T, lower, upper, strict=True):
        for corner in corners.T:
            np.minimum.at(low, owner, x[corner])
            np.maximum.at(high, owner, x[corner])
    return lower.T, upper.T


def _candidates(bodies: _Bodies) -> tuple[Ints, Ints]:
    """Pairs of bodies of which the first may lie inside the second: by their boxes and volumes."""
    solid = np.flatnonzero(bodies.has_inside)
    lower, upper, volume = bodies.lower[solid], bodies.upper[solid], np.abs(bodies.volume[solid])
    found = [np.empty((2, 0), np.intp)]
    if len(solid) > 1:
        middle = 0.5 * (lower + upper)
        for inner, outer in stabbed(middle[:, :2], lower[:, :2], upper[:, :2]):
            held = ((lower[inner] >= lower[outer]) & (upper[inner] <= upper[outer])).all(axis=1)
            held &= volume[inner] < SMALLER * volume[outer]
            found.append(np.stack([inner[held], outer[held]]))
    inner, outer = solid[np.concatenate(found, axis=1)]
    return inner, outer


def _nested(bodies: _Bodies, inner: Ints, outer: Ints) -> tuple[Ints, Ints]:
    """The pairs of which all sample points of the first lie inside the second."""
    point, owner = _samples(bodies, inner, outer)
    facets = np.flatnonzero(np.isin(bodies.owner, outer))
    triangles = bodies.triangles(facets) @ _GENERIC
    count = len(bodies.volume)
    hits: list[tuple[Ints, Ints]] = []
    for p, f, turn in _crossings(point @ _GENERIC, triangles):
        key, place = np.unique(p * count + bodies.owner[facets[f]], return_inverse=True)
        hits.append((key, np.bincount(place, turn).astype(np.intp)))
    key, place = np.unique(np.concatenate([np.empty(0, np.intp), *(k for k, _ in hits)]), return_inverse=True)
    winding = np.bincount(place, np.concatenate([np.empty(0), *(w for _, w in hits)]), minlength=len(key))
    within = key[winding != 0]
    pair, points_within = np.unique(owner[within // count] * count + within % count, return_counts=True)
    is_nested = points_within == np.bincount(owner, minlength=count)[pair // count]
    chosen = np.isin(inner * count + outer, pair[is_nested])
    return inner[chosen], outer[chosen]


def _samples(bodies: _Bodies, inner: Ints, outer: Ints) -> tuple[Floats, Ints]:
    """Points just below the facets of bodies, and the body of each: from the largest facet to the smallest."""
    names = np.unique(inner)
    facets = np.flatnonzero(np.isin(bodies.owner, names))
    a, b, c = bodies.triangles(facets).transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    facets, normal, size = facets[size > 0], normal[size > 0], size[size > 0]
    owner = bodies.owner[facets]
    order = np.lexsort((-size, owner))
    starts = np.searchsorted(owner[order], names)
    available = np.diff(np.append(starts, len(order)))
    across = np.isin(bodies.owner, outer).sum() * len(names)
    most = int(np.clip(EFFORT / max(1, across), FEWEST_SAMPLES, MOST_SAMPLES))
    step = np.arange(most)
    rank = np.where(available[:, None] <= most, step, step * available[:, None] // most)
    taken = rank < available[:, None]
    chosen = order[(starts[:, None] + rank)[taken]]
    owner = owner[chosen]
    thickness = np.abs(bodies.volume[owner]) / bodies.area[owner]
    shift = np.minimum(SHIFT_OF_DIAMETER * bodies.diameter[owner], SHIFT_OF_THICKNESS * thickness)
    inwards = -np.sign(bodies.volume[owner]) * shift / size[chosen]
    return bodies.triangles(facets[chosen]).mean(axis=1) + inwards[:, None] * normal[chosen], owner


def _crossings(point: Floats, triangles: Floats) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Pairs of a point and a triangle above it, along the third axis, and 1 or -1 for the way the triangle faces."""
    lower, upper = triangles.min(axis=1), triangles.max(axis=1)
    for p, f in stabbed(point[:, :2], lower[:, :2], upper[:, :2]):
        reach = upper[f, 2] >= point[p, 2]
        p, f = p[reach], f[reach]
        a, b, c = triangles[f].transpose(1, 0, 2)
        q = point[p]
        sides = np.stack([_side(b, c, q), _side(c, a, q), _side(a, b, q)])
        held = np.abs(sides.sum(axis=0)) == 3
        p, f, a, b, c, q, turn = p[held], f[held], a[held], b[held], c[held], q[held], sides[0, held]
        normal = np.cross(b - a, c - a)
        above = ((a - q) * normal).sum(axis=1) * turn > 0
        yield p[above], f[above], turn[above]


def _side(u: Floats, v: Floats, q: Floats) -> Ints:
    """1 where q lies to the left of the line from u to v, seen from above, -1 elsewhere.

    Worked out for the two ends in a fixed order, so that the facets on both sides of an edge never both claim q.
    """
    swap = (u[:, 0] > v[:, 0]) | ((u[:, 0] == v[:, 0]) & (u[:, 1] > v[:, 1]))
    s, t = np.where(swap[:, None], v, u), np.where(swap[:, None], u, v)
    turn = (t[:, 0] - s[:, 0]) * (q[:, 1] - s[:, 1]) - (t[:, 1] - s[:, 1]) * (q[:, 0] - s[:, 0])
    return np.where((turn >= 0) != swap, 1, -1)
