"""Facets across a closed loop."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from massprops.core.surface import Floats
from massprops.core.topology import Ints

SOUND = 1e-9
"""How far the areas of a triangulation may be from that of its polygon, relative to it."""

FEW = 200
"""Longest loop whose triangulation of least area is looked for: the time grows with its cube."""


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


def cap(points: Floats, normal: Floats) -> Cap:
    """Close a loop.

    Seen against the normal it is a polygon, which is triangulated; the triangles use the loop's own points, so that
    those of a planar loop lie exactly in its plane. Where that polygon crosses itself, a short loop gets the triangles
    of least area, a long one a fan around its middle. Whatever its shape, each side of the loop is used once, and all
    other edges are balanced.

    Parameters
    ----------
    points : ndarray, shape (k, 3)
        At least three, in the order of the new facets; length.
    normal : ndarray, shape (3,)
        Of any length, such that the loop runs counter-clockwise about it; zero if there is none.

    Examples
    --------
    >>> cap(np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]), np.array([0.0, 0, 1])).triangles.tolist()
    [[2, 3, 0], [2, 0, 1]]
    """
    count = len(points)
    if count == 3:
        return Cap(np.arange(3)[None])
    found = cap_with_holes(points, normal, [count])
    if found is not None:
        return found
    if count <= FEW:
        return Cap(least_area_triangles(points))
    side = np.arange(count)
    return Cap(np.stack([side, np.roll(side, -1), np.full(count, count)], axis=1), points.mean(axis=0))


def cap_with_holes(points: Floats, normal: Floats, rings: list[int]) -> Cap | None:
    """Close what lies between a loop and others inside it; None where that is not a plane polygon.

    Parameters
    ----------
    points : ndarray, shape (k, 3)
        The outer loop, then the inner ones; length.
    normal : ndarray, shape (3,)
        About which the outer loop runs counter-clockwise, the inner ones clockwise.
    rings : list of int
        Number of points of each loop.
    """
    if not normal.any():
        return None
    found = polygon_triangles(projected(points, normal), rings)
    return None if found is None else Cap(found)


def projected(points: Floats, normal: Floats) -> Floats:
    """The points in a plane across the normal, which points towards the viewer."""
    n = normal / np.linalg.norm(normal)
    u = np.cross(np.eye(3)[np.abs(n).argmin()], n)
    u /= np.linalg.norm(u)
    return np.asarray((points - points.mean(axis=0)) @ np.stack([u, np.cross(n, u)], axis=1))


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

    >>> sorted(polygon_triangles(np.array([[0.0, 0], [1, 0], [2, 0], [0, 2]]), [4]).tolist())
    [[3, 0, 1], [3, 1, 2]]
    """
    from mapbox_earcut import triangulate_float64  # only for surfaces with holes

    ends = np.cumsum(rings)
    found = triangulate_float64(np.ascontiguousarray(flat), ends.astype(np.uint32))
    triangles = found.reshape(-1, 3).astype(np.intp)
    if _doubled_areas(flat, triangles).sum() < 0:
        triangles = triangles[:, ::-1]
    following = np.arange(1, len(flat) + 1)
    following[ends - 1] = ends - rings
    used = _with_skipped_points([tuple(t) for t in triangles.tolist()], following.tolist())
    if used is None:
        return None
    areas = _doubled_areas(flat, used)
    whole = _cross(flat, flat[following]).sum()
    if areas.min() < -SOUND * whole or abs(areas.sum() - whole) > SOUND * whole:
        return None
    return used


def _with_skipped_points(triangles: list[tuple[int, ...]], following: list[int]) -> Ints | None:
    """Split triangles at points on their sides, so that each step ``i -> following[i]`` is a side; None if in vain."""
    at: dict[tuple[int, int], int] = {}
    for number, (a, b, c) in enumerate(triangles):
        at.update({(a, b): number, (b, c): number, (c, a): number})
    if len(at) != 3 * len(triangles):
        return None
    for a, b in [(a, b) for a, b in at if (b, a) not in at and following[a] != b]:
        path = [a]
        while path[-1] != b and len(path) <= len(following):
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
        normal = np.cross(points[k] - points[i][:, None], (points[j] - points[i])[:, None])
        total = cost[i[:, None], k] + cost[k, j[:, None]] + np.linalg.norm(normal, axis=2)
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
