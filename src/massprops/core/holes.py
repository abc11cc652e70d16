"""Holes: the boundary of a surface as simple loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.boundary import Boundary
from massprops.core.progressions import counted_up
from massprops.core.surface import Floats
from massprops.core.topology import Ints, components, in_unit_box

BRANCHES = 32
"""Where more loops than this meet in one point, they are told apart by where they return, not by their turns."""

CROSSED = 50.0
"""A way back on the facet's side counts as that many times its angle, if that is less: a slit, or else a needle."""


@dataclass(frozen=True)
class Loops:
    """Closed walks along the boundary, in the direction in which facets that close it must run.

    Parameters
    ----------
    vertices : list of ndarray of int
        The vertices of each walk, none of them twice, the first one the lowest.
    tangled : int
        Edges that were left out, because near them several uses run the same way: facets wound against each other,
        or a surface that is there twice.
    """

    vertices: list[Ints]
    tangled: int


def boundary_loops(boundary: Boundary, triangles: NDArray[np.floating]) -> Loops:
    """Split the boundary of a surface into simple loops.

    Where several loops meet in a vertex, each way in goes on to the way out with which it encloses the smallest angle,
    on the side that the facets leave open; walks that still come back to a vertex are split there.

    Parameters
    ----------
    boundary : Boundary
    triangles : ndarray, shape (n, 3, 3)
        The surface's facets.

    Examples
    --------
    >>> from massprops.core.boundary import unbalanced_edges
    >>> from massprops.core.surface import TriangleArray
    >>> triangle = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    >>> [loop.tolist() for loop in boundary_loops(unbalanced_edges(TriangleArray(triangle)), triangle).vertices]
    [[0, 1, 2]]
    """
    ends, _, net = boundary.undirected()
    part = components(len(boundary.vertices), ends[:, 0], ends[:, 1])
    is_tangled = np.isin(part[ends[:, 0]], part[ends[np.abs(net) > 1, 0]])
    ways = np.where((net > 0)[:, None], ends[:, ::-1], ends)[~is_tangled]
    ways = ways[np.lexsort((ways[:, 1], ways[:, 0]))]
    following = _following(ways, boundary, triangles)
    return Loops(_simple_loops(ways[:, 0].tolist(), following.tolist()), int(is_tangled.sum()))


def _following(ways: Ints, boundary: Boundary, triangles: NDArray[np.floating]) -> Ints:
    """For each directed edge ``ways[i]``, sorted by their starts, the one after it."""
    begin = np.searchsorted(ways[:, 0], ways[:, 1])
    count = np.searchsorted(ways[:, 0], ways[:, 1], side="right") - begin
    arrival = np.lexsort((np.arange(len(ways)), ways[:, 1]))
    rank = np.empty(len(ways), np.intp)
    rank[arrival] = np.arange(len(ways)) - np.searchsorted(ways[arrival, 1], ways[arrival, 1])
    following = begin + rank
    several = np.flatnonzero((count > 1) & (count <= BRANCHES))
    if len(several):
        way, out = counted_up(begin[several], count[several])
        into = several[way]
        cost = _turns(boundary, triangles, ways, into, out)
        taken_in, taken_out = set[int](), set[int]()
        order = np.lexsort((out, into, cost))
        for i, o in zip(into[order].tolist(), out[order].tolist(), strict=True):
            if i not in taken_in and o not in taken_out:
                following[i] = o
                taken_in.add(i)
                taken_out.add(o)
    return np.asarray(following, np.intp)


def _turns(boundary: Boundary, triangles: NDArray[np.floating], ways: Ints, into: Ints, out: Ints) -> Floats:
    """Angle between the end of one edge and the start of another, 0 to 2 pi.

    More than pi where the walk turns towards the facet at its first edge, less where it turns away or where that
    facet, being steep, does not say; and where it comes back so closely that its edges are the two sides of a slit,
    which cross by round-off or by noise.
    """
    points, _ = in_unit_box(boundary.vertices)
    start, corner = points[ways[into, 0]], points[ways[into, 1]]
    ahead = corner - start
    away = points[ways[out, 1]] - corner
    turn = np.cross(ahead, away)
    angle = np.arctan2(np.linalg.norm(turn, axis=1), -(ahead * away).sum(axis=1))
    side = (turn * _normals(boundary, triangles, ways)[into]).sum(axis=1)
    towards = side < -1e-6 * np.linalg.norm(ahead, axis=1) * np.linalg.norm(away, axis=1)
    return np.asarray(np.where(towards, np.minimum(2 * np.pi - angle, CROSSED * angle), angle))


def _normals(boundary: Boundary, triangles: NDArray[np.floating], ways: Ints) -> Floats:
    """Unit normal of the facet on the other side of each directed edge; of the first one, where there are several."""
    count = len(boundary.vertices)
    key = boundary.edges[:, 1] * count + boundary.edges[:, 0]
    names, first = np.unique(key, return_index=True)
    facets, _ = in_unit_box(triangles[boundary.facets[first]].astype(np.float64))
    a, b, c = facets.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    unit = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    return np.asarray(unit[np.searchsorted(names, ways[:, 0] * count + ways[:, 1])])


def _simple_loops(start: list[int], following: list[int]) -> list[Ints]:
    """Walk along all edges, and cut off a loop whenever a walk comes back to one of its vertices."""
    loops: list[Ints] = []
    seen = [False] * len(start)
    for first in range(len(start)):
        if seen[first]:
            continue
        path: list[int] = []
        at: dict[int, int] = {}
        way = first
        while not seen[way]:
            seen[way] = True
            at[start[way]] = len(path)
            path.append(start[way])
            way = following[way]
            back = at.get(start[way])
            if back is not None:
                loop = path[back:]
                del path[back:]
                for vertex in loop:
                    del at[vertex]
                lowest = loop.index(min(loop))
                loops.append(np.array(loop[lowest:] + loop[:lowest], np.intp))
    return sorted(loops, key=lambda loop: loop.tolist())
