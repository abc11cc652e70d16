"""Polygons to triangles: over the polygon's own vertices, none lost, none added.

Any triangulation over its vertices gives the same integrals for a flat polygon. A fan from the first vertex is the
simplest. Where the polygon is concave a fan's triangles overlap, which would count area twice: a quadrilateral is then
cut along its other diagonal, a larger polygon by ears.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.errors import Unreadable, Unsupported

Floats = NDArray[np.float64]
Ints = NDArray[Any]

MOST_CORNERS = 200_000
"""Corners of a polygon: cutting a concave one takes time with the square of their number."""

PIECE = 1 << 17
"""Triangles of polygons that are looked at together."""

MOST_TESTS, MOST_WORK = 20, 2 * 10**8
"""Ears looked at for each corner of a polygon, and corners compared with them, before its outline is taken to cross
itself: such an outline has few ears, or none, and looking for them could take for ever."""


def check_corners(sizes: Ints, corners: Ints, vertices: int, where: str = "") -> None:
    """Refuse polygons that refer to vertices that are not there.

    Parameters
    ----------
    sizes : ndarray, shape (p,)
        Corners of each polygon.
    corners : ndarray, shape (sum of sizes,)
        Indices of vertices, polygon after polygon.
    vertices : int
        How many there are.
    where : str
        How the message begins.

    Raises
    ------
    Unreadable
        An index is negative or too large.

    >>> check_corners(np.array([3]), np.array([0, 1, 7]), 3)
    Traceback (most recent call last):
    massprops.errors.Unreadable: face 1 refers to vertex 7, but there are only 3 (counted from 0)
    """
    if len(corners) and (int(corners.min()) < 0 or int(corners.max()) >= vertices):
        first = int(np.flatnonzero((corners < 0) | (corners >= vertices))[0])
        face = int(np.searchsorted(np.cumsum(sizes), first, side="right"))
        there = f"there {'is' if vertices == 1 else 'are'} only {vertices}"
        raise Unreadable(f"{where}face {face + 1} refers to vertex {corners[first]}, but {there} (counted from 0)")


def triangulated(sizes: Ints, corners: Ints, points: Floats) -> Ints:
    """Triangles of polygons, in the order of the polygons.

    Parameters
    ----------
    sizes : ndarray, shape (p,)
        Corners of each polygon; one with fewer than 3 is no facet and yields nothing.
    corners : ndarray, shape (sum of sizes,)
        Indices of vertices, polygon after polygon, within range.
    points : ndarray, shape (v, 3)
        Vertices.

    Returns
    -------
    ndarray, shape (sum of (size - 2), 3)
        Indices of the vertices of each triangle, wound as its polygon.

    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> triangulated(np.array([4]), np.arange(4), square).tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    largest = int(sizes.max(initial=0))
    if largest > MOST_CORNERS:
        raise Unsupported(f"a face of {largest} corners, more than {MOST_CORNERS}; export the part as triangles")
    faces, polygon = fans(sizes, corners)
    if largest <= 3:
        return faces
    pieces = np.maximum(sizes - 2, 0)
    starts = np.cumsum(sizes) - sizes
    first = np.cumsum(pieces) - pieces
    concave = _concave(faces, polygon, points)
    quads = concave[sizes[concave] == 4]
    for row, turn in enumerate(([1, 2, 3], [1, 3, 0])):
        faces[first[quads] + row] = corners[starts[quads, None] + turn]
    for p in concave[sizes[concave] > 4].tolist():
        rim = corners[starts[p] : starts[p] + sizes[p]]
        faces[first[p] : first[p] + pieces[p]] = rim[_cut(points[rim])]
    return faces


def fans(sizes: Ints, corners: Ints) -> tuple[Ints, Ints]:
    """Triangles of fans, all of which share their fan's first corner.

    Parameters
    ----------
    sizes : ndarray, shape (p,)
        Corners of each fan; one with fewer than 3 yields nothing.
    corners : ndarray, shape (sum of sizes,)
        Indices of vertices, fan after fan.

    Returns
    -------
    (ndarray, shape (t, 3), ndarray, shape (t,))
        The triangles, and the fan that each belongs to.
    """
    if (sizes == 3).all():
        return corners.reshape(-1, 3), np.arange(len(sizes))
    fan, step, apex = _windows(sizes)
    return corners[np.stack([apex, apex + step + 1, apex + step + 2], axis=1)], fan


def strips(sizes: Ints, corners: Ints) -> Ints:
    """Triangles of strips: every three corners in a row, every second triangle turned round.

    Parameters
    ----------
    sizes : ndarray, shape (p,)
        Corners of each strip; one with fewer than 3 yields nothing.
    corners : ndarray, shape (sum of sizes,)
        Indices of vertices, strip after strip.

    Returns
    -------
    ndarray, shape (t, 3)

    >>> strips(np.array([4]), np.arange(4)).tolist()
    [[0, 1, 2], [2, 1, 3]]
    """
    _, step, start = _windows(sizes)
    odd = step % 2
    a = start + step
    faces: Ints = corners[np.stack([a + odd, a + 1 - odd, a + 2], axis=1)]
    return faces


def _windows(sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Of each triangle of fans or strips: which one it is in, its place there, and where that one's corners begin."""
    pieces = np.maximum(sizes - 2, 0)
    which = np.repeat(np.arange(len(sizes)), pieces)
    step = np.arange(len(which)) - (np.cumsum(pieces) - pieces)[which]
    return which, step, (np.cumsum(sizes) - sizes)[which]


def _concave(faces: Ints, polygon: Ints, points: Floats) -> Ints:
    """The polygons of whose fan some triangle points against the polygon's own area vector."""
    many = np.flatnonzero((np.diff(polygon, prepend=-1) == 0) | (np.diff(polygon, append=-1) == 0))
    firsts = np.flatnonzero(np.diff(polygon[many], prepend=-1))
    cuts = np.unique(firsts[np.searchsorted(firsts, np.arange(0, len(many), PIECE), side="right") - 1])
    pieces = [_concave_of(part, faces, polygon, points) for part in np.split(many, cuts[1:])] if len(many) else []
    return np.concatenate([np.empty(0, np.int64), *pieces])


def _concave_of(many: Ints, faces: Ints, polygon: Ints, points: Floats) -> Ints:
    """Those among some polygons, all triangles of which are given."""
    a, b, c = points[faces[many]].transpose(1, 0, 2)
    with np.errstate(all="ignore"):
        areas = np.cross(b - a, c - a)
        starts = np.flatnonzero(np.diff(polygon[many], prepend=-1))
        total = np.add.reduceat(areas, starts)
        lengths = np.diff(np.append(starts, len(many)))
        against = (areas * np.repeat(total, lengths, axis=0)).sum(axis=1) < 0
    concave: Ints = np.unique(polygon[many[against]])
    return concave


def _cut(rim: Floats) -> Ints:
    """Triangles of one concave polygon; a fan where its outline crosses itself or has no plane."""
    n = len(rim)
    fan = np.stack([np.zeros(n - 2, int), np.arange(1, n - 1), np.arange(2, n)], axis=1)
    edges = rim - rim[0]
    with np.errstate(all="ignore"):
        normal = np.cross(edges[1:-1], edges[2:]).sum(axis=0)
    if not np.isfinite(normal).all():
        return fan
    axis = int(np.abs(normal).argmax())
    plane = edges[:, [(axis + 1) % 3, (axis + 2) % 3]] * np.array([np.sign(normal[axis]), 1.0])
    ears = _earcut(plane)
    if not _covers(ears, n):  # it leaves out corners on a straight line
        ears = _clipped(plane)
    return ears if _covers(ears, n) else fan


def _earcut(plane: Floats) -> Ints:
    """Triangles of a polygon in a plane, wound counter-clockwise, without its corners on straight lines."""
    from mapbox_earcut import triangulate_float64  # needed by few files

    found = triangulate_float64(np.ascontiguousarray(plane), np.array([len(plane)], np.uint32))
    ears = found.reshape(-1, 3).astype(int)
    a, b, c = (plane[ears[:, corner]] for corner in range(3))
    return np.where((_area(a, b, c) < 0)[:, None], ears[:, ::-1], ears)


def _clipped(plane: Floats) -> Ints:
    """Triangles of a polygon in a plane, wound counter-clockwise, by clipping one ear after the other.

    An ear is a corner whose triangle holds no other corner. When there is none, a corner on a straight line goes, with
    a triangle of no area. Gives up after a while, see `MOST_TESTS`.
    """
    left = np.arange(len(plane))
    ears = []
    tests = min(MOST_TESTS * len(plane), MOST_WORK // len(plane))
    while len(left) > 3:
        before, after = np.roll(left, 1), np.roll(left, -1)
        area = _area(plane[before], plane[left], plane[after])
        tips, flat = np.flatnonzero(area > 0).tolist(), np.flatnonzero(area == 0).tolist()
        corners = plane[left]
        tried, tip = _first((_is_ear(corners, *plane[[before[i], left[i], after[i]]]), i) for i in tips[:tests])
        tests -= tried
        if tip is None and flat and tests > 0:
            tip = flat[0]
        if tip is None:
            break
        ears.append((before[tip], left[tip], after[tip]))
        left = np.delete(left, tip)
    return np.array([*ears, left[:3]])


def _first(tested: Iterable[tuple[bool, int]]) -> tuple[int, int | None]:
    """How many were tested until one passed, and that one."""
    count = 0
    for count, (passes, item) in enumerate(tested, start=1):
        if passes:
            return count, item
    return count, None


def _is_ear(corners: Floats, a: Floats, b: Floats, c: Floats) -> bool:
    """Whether no corner lies in a triangle but its own."""
    for start, end in ((a, b), (b, c), (c, a)):
        corners = corners[_area(start, end, corners) >= 0]
    own = [(corners == corner).all(axis=1) for corner in (a, b, c)]
    return bool(np.logical_or.reduce(own).all())


def _area(a: Floats, b: Floats, c: Floats) -> Floats:
    """Twice the area of triangles in a plane, negative where they are wound clockwise."""
    area: Floats = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return area


def _covers(ears: Ints, n: int) -> bool:
    """Whether triangles have exactly the sides of a polygon of `n` corners for their boundary."""
    sides = {(i, (i + 1) % n) for i in range(n)}
    edges = {(int(t[i]), int(t[(i + 1) % 3])) for t in ears for i in range(3)}
    inner = edges - sides
    return len(ears) == n - 2 and sides <= edges and inner == {(b, a) for a, b in inner}
