"""Facets across a closed loop."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from massprops.core.rectangles import stabbed
from massprops.core.surface import Floats
from massprops.core.topology import Flags, Ints

SOUND = 1e-9
"""How far the areas of a triangulation may be from that of its polygon, relative to it."""

FEW = 200
"""Longest loop whose triangulation of least area is looked for: the time grows with its cube."""

MANY = 4000
"""Longest polygon that the library for triangulation gets at once: its time can grow with the square."""


@dataclass(frozen=True)
class Cap:
    """Facets that close a loop.

    Parameters
    ----------
    triangles : ndarray of int, shape (t, 3)
        Numbers of the loop's points; the number of points itself stands for ``middle``.
    middle : ndarray, shape (3,), or None
        A new point, where the loop's own do not suffice.
    """

    triangles: Ints
    middle: Floats | None = None


def cap(points: Floats, flat: Floats, few: int = FEW) -> Cap:
    """Close a loop.

    Seen in a plane it is a polygon, which is triangulated; the triangles use the loop's own points, so that those of a
    planar loop lie exactly in its plane. Where that polygon crosses itself, a short loop gets the triangles of least
    area, a long one a fan around its middle. Whatever its shape, each side of the loop is used once, and all other
    edges are balanced.

    Parameters
    ----------
    points : ndarray, shape (k, 3)
        At least three, in the order of the new facets; length.
    flat : ndarray, shape (k, 2)
        The points in a plane in which the loop runs counter-clockwise, from `projected`.
    few : int
        Longest loop for which least area is worth its time.

    Examples
    --------
    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> sorted(map(sorted, cap(square, square[:, :2]).triangles.tolist()))
    [[0, 1, 2], [0, 2, 3]]
    """
    count = len(points)
    found = polygon_triangles(flat, [count])
    if found is not None:
        return Cap(found)
    if count <= few:
        return Cap(least_area_triangles(points))
    side = np.arange(count)
    return Cap(np.stack([side, np.roll(side, -1), np.full(count, count)], axis=1), points.mean(axis=0))


def projected(points: Floats, normal: Floats) -> Floats:
    """Points in the planes across their normals, which point towards the viewer.

    Parameters
    ----------
    points : ndarray, shape (k, 3)
        length.
    normal : ndarray, shape (3,) or (k, 3)
        Of any length; (0, 0) is what becomes of the points where it is zero.

    Returns
    -------
    ndarray, shape (k, 2)
    """
    n = np.atleast_2d(normal)
    length = np.sqrt((n * n).sum(axis=1, keepdims=True))
    n = np.divide(n, length, out=np.zeros_like(n), where=length > 0)
    u = np.cross(np.eye(3)[np.abs(n).argmin(axis=1)], n)
    length = np.sqrt((u * u).sum(axis=1, keepdims=True))
    u = np.divide(u, length, out=np.zeros_like(u), where=length > 0)
    return np.stack([(points * u).sum(axis=1), (points * np.cross(n, u)).sum(axis=1)], axis=1)


def polygon_triangles(flat: Floats, rings: list[int]) -> Ints | None:
    """Triangles of a plane polygon with holes that use all its points; None if it crosses itself.

    Parameters
    ----------
    flat : ndarray, shape (k, 2)
        Outer ring counter-clockwise, then the holes clockwise.
    rings : list of int
        Number of points of each.

    Examples
    --------
    The point in the middle of a side, which a triangulator leaves out, is used too:

    >>> sorted(map(sorted, polygon_triangles(np.array([[0.0, 0], [1, 0], [2, 0], [0, 2]]), [4]).tolist()))
    [[0, 1, 3], [1, 2, 3]]
    """
    if len(rings) == 1 and len(flat) > MANY:
        ears, rest = _ears(flat)
        inner = _triangulated(flat[rest], [len(rest)])
        used = None if inner is None else np.concatenate([ears, rest[inner]])
    else:
        used = _triangulated(flat, rings)
    if used is None:
        return None
    ends = np.cumsum(rings)
    areas, whole = _doubled_areas(flat, used), _cross(flat, flat[_following(ends, rings)]).sum()
    if areas.min() < -SOUND * whole or abs(areas.sum() - whole) > SOUND * whole:
        return None
    return used


def _following(ends: Ints, rings: list[int]) -> Ints:
    """The point after each point of its ring."""
    following = np.arange(1, ends[-1] + 1)
    following[ends - 1] = ends - rings
    return following


def _triangulated(flat: Floats, rings: list[int]) -> Ints | None:
    """Triangles from the library, with all points on their sides; None for most polygons that cross themselves."""
    from mapbox_earcut import triangulate_float64  # only for surfaces with holes

    ends = np.cumsum(rings)
    triangles = triangulate_float64(np.ascontiguousarray(flat), ends.astype(np.uint32)).reshape(-1, 3).astype(np.intp)
    following = _following(ends, rings)
    areas, whole = _doubled_areas(flat, triangles), _cross(flat, flat[following]).sum()
    if abs(np.abs(areas).sum() - whole) > SOUND * whole:
        return None
    if areas.sum() < 0:
        triangles = triangles[:, ::-1]
    return _with_skipped_points([tuple(t) for t in triangles.tolist()], following.tolist())


def _ears(flat: Floats) -> tuple[Ints, Ints]:
    """Triangles cut off a long polygon at every other corner, over and over, and the points that are left.

    A corner can be cut off if it is convex and no reflex corner lies in its triangle (G. H. Meisters, Polygons have
    ears, Amer. Math. Monthly 82, 1975); corners that are not neighbours do not get into each other's way.
    """
    rest = np.arange(len(flat))
    found = [np.empty((0, 3), np.intp)]
    while len(rest) > MANY:
        before, after = np.roll(rest, 1), np.roll(rest, -1)
        turn = _cross(flat[rest] - flat[before], flat[after] - flat[rest])
        corner = np.flatnonzero(turn[:-1] > 0)
        corner = corner[corner % 2 == 1]
        ears = np.stack([before[corner], rest[corner], after[corner]], axis=1)
        is_free = ~_hold_some(flat, ears, rest[turn <= 0])
        if is_free.sum() < MANY // 10:
            break
        found.append(ears[is_free])
        rest = np.delete(rest, corner[is_free])
    return np.concatenate(found), rest


def _hold_some(flat: Floats, triangles: Ints, points: Ints) -> Flags:
    """Which triangles hold some of the points that are not their own corners."""
    corners = flat[triangles]
    result = np.zeros(len(triangles), bool)
    for p, t in stabbed(flat[points], corners.min(axis=1), corners.max(axis=1)):
        a, b, c = corners[t].transpose(1, 0, 2)
        q = flat[points[p]]
        held = (_cross(b - a, q - a) >= 0) & (_cross(c - b, q - b) >= 0) & (_cross(a - c, q - c) >= 0)
        held &= (triangles[t] != points[p][:, None]).all(axis=1)
        result[t[held]] = True
    return result


def _with_skipped_points(triangles: list[tuple[int, ...]], following: list[int]) -> Ints | None:
    """Split triangles at points on their sides, so that each step ``i -> following[i]`` is a side; None if in vain."""
    at: dict[tuple[int, int], int] = {}
    for number, (a, b, c) in enumerate(triangles):
        at.update({(a, b): number, (b, c): number, (c, a): number})
    if len(at) != 3 * len(triangles):
        return None
    used = {corner for triangle in triangles for corner in triangle}
    for a, b in [(a, b) for a, b in at if (b, a) not in at and following[a] != b]:
        path = [a, following[a]]
        while path[-1] not in used:
            path.append(following[path[-1]])
        number = at.pop((a, b))
        (c,) = set(triangles[number]) - {a, b}
        if path[-1] != b or c in path:
            return None
        for i, (p, q) in enumerate(pairwise(path)):
            place = number if i == 0 else len(triangles)
            triangles[place:place + 1] = [(c, p, q)]
            at.update({(c, p): place, (p, q): place, (q, c): place})
    sides = {(a, b) for a, b in at if (b, a) not in at}
    if sides != set(enumerate(following)) or len(at) != 3 * len(triangles):
        return None
    return np.array(triangles, np.intp).reshape(-1, 3)


def _cross(p: Floats, q: Floats) -> Floats:
    return np.asarray(p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0])


def _doubled_areas(flat: Floats, triangles: Ints) -> Floats:
    a, b, c = flat[triangles].transpose(1, 0, 2)
    return _cross(b - a, c - a)


def least_area_triangles(points: Floats) -> Ints:
    """The triangles across a loop whose areas add up to the least.

    The triangle on the side from i to j of a partial loop i .. j has its third corner at the k for which its area and
    the two remaining partial loops cost the least (G. T. Klincsek, Minimal triangulations of polygonal domains,
    Ann. Discrete Math. 9, 1980; G. Barequet, M. Sharir, Filling gaps in the boundary of a polyhedron, CAGD 12, 1995).

    Parameters
    ----------
    points : ndarray, shape (n, 3)
        In order; the last is followed by the first.

    Examples
    --------
    >>> least_area_triangles(np.array([[0.0, 0, 0], [1, 0, 0], [0.2, 0.2, 0], [0, 1, 0]])).tolist()
    [[0, 2, 3], [0, 1, 2]]
    """
    n = len(points)
    cost = np.zeros((n, n))
    choice = np.zeros((n, n), np.intp)
    for length in range(2, n):
        i = np.arange(n - length)
        j = i + length
        k = i[:, None] + np.arange(1, length)
        x, y, z = points.T
        ux, uy, uz = (w[k] - w[i][:, None] for w in (x, y, z))
        vx, vy, vz = ((w[j] - w[i])[:, None] for w in (x, y, z))
        area = np.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2)
        total = cost[i[:, None], k] + cost[k, j[:, None]] + area
        best = total.argmin(axis=1)
        cost[i, j] = total[i, best]
        choice[i, j] = k[i, best]
    triangles, parts = [], [(0, n - 1)]
    while parts:
        first, last = parts.pop()
        if last - first >= 2:
            middle = int(choice[first, last])
            triangles.append((first, middle, last))
            parts += [(first, middle), (middle, last)]
    return np.array(triangles, np.intp)
