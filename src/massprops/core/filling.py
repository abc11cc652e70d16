"""Facets that close holes: a plane polygon for each planar loop, with holes where other loops lie in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.caps import FEW, cap, polygon_triangles, projected
from massprops.core.rectangles import stabbed
from massprops.core.surface import Floats
from massprops.core.topology import Flags, Ints

PLANAR = 1e-6
"""A loop is planar when no vertex is further than this fraction of its size from its plane, single-precision
rounding of the coordinates (`ROUNDING`) aside."""

ROUNDING = 2.0**-23
"""Two rounding errors of a float32, relative to the largest coordinate."""

EDGEWISE = 1e-10
"""A loop whose area is below this fraction of its size squared has no plane: a slit."""

EFFORT = 4e8
"""Sum of the cubes of the lengths of loops for which triangulations of least area are looked for."""

MOST_PAIRS = 10**7
"""Pairs of loops that are looked at before all are closed one by one, which makes no difference to a volume."""


@dataclass(frozen=True)
class Filling:
    """New facets across some loops.

    Parameters
    ----------
    triangles : ndarray, shape (t, 3, 3)
        Facet, corner, axis; length.
    filled : ndarray of bool, shape (loops,)
        Which loops were closed.
    flatness : ndarray, shape (loops,)
        Largest distance of a vertex from the loop's plane, relative to the loop's size.
    is_planar : ndarray of bool, shape (loops,)
        Whether that is no more than the rounding of coordinates.
    """

    triangles: Floats
    filled: Flags
    flatness: Floats
    is_planar: Flags


@dataclass(frozen=True)
class _Planes:
    """The planes of loops: middle, area vector (zero where there is none), box, largest distance, what is allowed.

    ``flat`` are the points of all loops in their planes, those of loop i at ``starts[i]`` up to ``starts[i + 1]``.
    """

    flat: Floats
    starts: Ints
    middle: Floats
    normal: Floats
    lower: Floats
    upper: Floats
    distance: Floats
    tolerance: Floats

    @property
    def size(self) -> Floats:
        size: Floats = np.linalg.norm(self.upper - self.lower, axis=1)
        return size

    @property
    def is_planar(self) -> Flags:
        return np.asarray(self.distance <= self.tolerance)


def filling(vertices: Floats, loops: list[Ints], max_edges: int | None = None) -> Filling:
    """Close loops, each in its own plane as far as it has one.

    A planar loop inside another one in the same plane that runs the other way round is a hole in it: the two ends of
    a tube are rings. Elsewhere each loop is closed by itself.

    Parameters
    ----------
    vertices : ndarray, shape (m, 3)
        length.
    loops : list of ndarray of int
        In the direction in which the new facets run.
    max_edges : int, optional
        Longer loops are left, and so are those in or around them.

    Examples
    --------
    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> filling(square, [np.arange(4)]).triangles.shape
    (2, 3, 3)
    """
    if not loops:
        nothing = np.zeros(0)
        return Filling(np.empty((0, 3, 3)), nothing.astype(bool), nothing, nothing.astype(bool))
    planes = _planes(vertices, loops)
    filled = np.zeros(len(loops), bool)
    few = int(np.clip((EFFORT / len(loops)) ** (1 / 3), 10, FEW))
    parts: list[Floats] = []
    for polygon in _polygons(vertices, loops, planes):
        if max_edges is None or max(len(loops[i]) for i in polygon) <= max_edges:
            filled[polygon] = True
            parts += _facets(vertices, loops, planes, polygon, few)
    flatness = np.divide(planes.distance, planes.size, out=np.zeros(len(loops)), where=planes.size > 0)
    return Filling(np.concatenate(parts) if parts else np.empty((0, 3, 3)), filled, flatness, planes.is_planar)


def _facets(vertices: Floats, loops: list[Ints], planes: _Planes, polygon: list[int], few: int) -> list[Floats]:
    """Triangles across a loop with others in it; across each by itself if that cannot be done."""
    if len(polygon) > 1:
        points = vertices[np.concatenate([loops[i] for i in polygon])]
        middle, normal = planes.middle[polygon[0]], planes.normal[polygon[0]]
        ring = polygon_triangles(projected(points - middle, normal), [len(loops[i]) for i in polygon])
        if ring is not None:
            return [points[ring]]
    return [_capped(vertices[loops[i]], planes.flat[planes.starts[i] : planes.starts[i + 1]], few) for i in polygon]


def _capped(points: Floats, flat: Floats, few: int) -> Floats:
    if len(points) == 3:
        return points[None]
    found = cap(points, flat, few)
    return (points if found.middle is None else np.concatenate([points, found.middle[None]]))[found.triangles]


def _planes(vertices: Floats, loops: list[Ints]) -> _Planes:
    """Newell's area vector for the normal, through the mean of the vertices."""
    count = np.array([len(loop) for loop in loops])
    starts = np.cumsum(count) - count
    owner = np.repeat(np.arange(len(loops)), count)
    points = vertices[np.concatenate(loops)]
    lower, upper = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    middle = lower + np.add.reduceat(points - lower[owner], starts) / count[:, None]
    points = points - middle[owner]
    following = np.arange(1, len(points) + 1)
    following[starts + count - 1] = starts
    normal = 0.5 * np.add.reduceat(np.cross(points, points[following]), starts)
    length = np.linalg.norm(normal, axis=1)
    size = np.linalg.norm(upper - lower, axis=1)
    has_plane = length > EDGEWISE * size**2
    normal[~has_plane] = 0
    unit = normal / np.where(has_plane, length, 1)[:, None]
    for i in np.flatnonzero(~has_plane):
        unit[i] = np.linalg.svd(points[starts[i] : starts[i] + count[i]], full_matrices=True)[2][2]
    distance = np.maximum.reduceat(np.abs((points * unit[owner]).sum(axis=1)), starts)
    largest = np.maximum(np.abs(lower), np.abs(upper)).max(axis=1)
    flat, tolerance = projected(points, normal[owner]), PLANAR * size + ROUNDING * largest
    return _Planes(flat, np.append(starts, len(points)), middle, normal, lower, upper, distance, tolerance)


def _polygons(vertices: Floats, loops: list[Ints], planes: _Planes) -> list[list[int]]:
    """Which loops are closed together: lists of an outer loop and the loops that are holes in it."""
    around: dict[int, list[int]] = {}
    for inner, outer in _nested(vertices, loops, planes):
        around.setdefault(inner, []).append(outer)
    area = np.linalg.norm(planes.normal, axis=1)
    holes: dict[int, list[int]] = {i: [] for i in range(len(loops))}
    for i in sorted(around, key=lambda i: len(around[i])):  # outer loops before those inside them
        parent = min(around[i], key=lambda j: (area[j], j))
        if parent in holes and planes.normal[i] @ planes.normal[parent] < 0:
            holes[parent].append(i)
            del holes[i]
    return [[outer, *inside] for outer, inside in holes.items()]


def _nested(vertices: Floats, loops: list[Ints], planes: _Planes) -> list[tuple[int, int]]:
    """Pairs of planar loops of which the first lies inside the second, in the same plane."""
    flat = np.flatnonzero(planes.is_planar & planes.normal.any(axis=1))
    if len(flat) < 2:
        return []
    slack = planes.tolerance[flat, None]
    lower, upper = planes.lower[flat] - slack, planes.upper[flat] + slack
    middle = 0.5 * (lower + upper)
    area = np.linalg.norm(planes.normal[flat], axis=1)
    unit = planes.normal[flat] / area[:, None]
    found, seen = [], 0
    for inner, outer in stabbed(middle[:, :2], lower[:, :2], upper[:, :2]):
        seen += len(inner)
        if seen > MOST_PAIRS:
            return []
        near = (area[inner] < area[outer]) & (lower[inner] >= lower[outer] - slack[outer]).all(axis=1)
        near &= (upper[inner] <= upper[outer] + slack[outer]).all(axis=1)
        height = ((planes.middle[flat[inner]] - planes.middle[flat[outer]]) * unit[outer]).sum(axis=1)
        near &= np.abs(height) <= planes.tolerance[flat[outer]]
        pairs = zip(flat[inner[near]].tolist(), flat[outer[near]].tolist(), strict=True)
        found += [(i, o) for i, o in pairs if _lies_in(vertices[loops[i]], vertices[loops[o]], planes, o)]
    return found


def _lies_in(inner: Floats, outer: Floats, planes: _Planes, number: int) -> bool:
    """Whether a loop is in the plane of another one, and most of its sides have their middles inside that one."""
    normal = planes.normal[number]
    height = (inner - planes.middle[number]) @ normal / np.linalg.norm(normal)
    if np.abs(height).max() > planes.tolerance[number]:
        return False
    both = projected(np.concatenate([outer, inner]) - planes.middle[number], normal)
    ring, other = both[: len(outer)], both[len(outer) :]
    x, y = (0.5 * (other + np.roll(other, -1, axis=0))).T
    (x0, y0), (x1, y1) = ring.T[:, :, None], np.roll(ring, -1, axis=0).T[:, :, None]
    crosses = (y0 <= y) != (y1 <= y)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x
    return bool(((crosses & left).sum(axis=0) % 2 == 1).mean() > 0.5)
