"""Where a surface is not closed: its unbalanced edges, worked out one by one.

Needed only when the hash of `massprops.core.closure` says that something is left over. Two passes keep the memory
small: the first sorts all edges into many bins and adds up a signed weight in each; a bin in which everything
cancels holds balanced edges only, up to a chance of 2^-31. The second pass gathers the edges of the other bins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.closure import Hashes, VertexHasher
from massprops.core.points import distinct_points
from massprops.core.surface import BLOCK, Block, Floats, Surface, blocks
from massprops.core.workers import map_blocks

Ints = NDArray[np.intp]

_BINS = 1 << 20
_WEIGHT_SHIFT, _WEIGHT_MASK = np.uint64(24), np.uint64((1 << 31) - 1)
_MIX = np.uint64(0x9FB21C651E98DF25)


@dataclass(frozen=True)
class Boundary:
    """The unbalanced edges of a surface, one entry for every use of such an edge by a facet.

    Parameters
    ----------
    vertices : ndarray, shape (m, 3)
        The distinct end points, sorted lexicographically; length.
    edges : ndarray of int, shape (k, 2)
        Start and end of each use, in the direction in which its facet runs; indices of ``vertices``.
    facets : ndarray of int, shape (k,)
        The facet of each use.
    """

    vertices: Floats
    edges: Ints
    facets: Ints

    def renamed(self, target: Ints) -> Boundary:
        """What is still unbalanced when vertex ``i`` becomes vertex ``target[i]``."""
        return _unbalanced(self.vertices, target[self.edges], self.facets)

    def undirected(self) -> tuple[Ints, Ints, Ints]:
        """Each edge once: its ends ``(e, 2)``, its number of uses and the uses along it less those against it."""
        low, high = self.edges.min(axis=1), self.edges.max(axis=1)
        key, inverse, uses = np.unique(
            low * len(self.vertices) + high, return_inverse=True, return_counts=True
        )
        direction = np.where(self.edges[:, 0] == low, 1, -1)
        net = np.bincount(inverse, weights=direction, minlength=len(key)).astype(np.intp)
        ends = np.stack([key // max(1, len(self.vertices)), key % max(1, len(self.vertices))], axis=1)
        return ends, uses, net


def _unbalanced(vertices: Floats, edges: Ints, facets: Ints) -> Boundary:
    """Keep the uses of edges that are not balanced; edges that have shrunk to a point balance themselves."""
    proper = edges[:, 0] != edges[:, 1]
    every = Boundary(vertices, edges[proper], facets[proper])
    low, high = every.edges.min(axis=1), every.edges.max(axis=1)
    _, inverse = np.unique(low * len(vertices) + high, return_inverse=True)
    net = np.bincount(inverse, weights=np.where(every.edges[:, 0] == low, 1, -1))
    left = net[inverse] != 0
    return Boundary(vertices, every.edges[left], every.facets[left])


def edge_hashes(h: Hashes) -> tuple[Hashes, NDArray[np.bool_], NDArray[np.bool_]]:
    """Symmetric hash of the three edges of each facet, whether it runs upwards, and whether it is a point."""
    start, end = h, h[[1, 2, 0]]
    key = (start ^ end) * _MIX + (start + end)
    key ^= key >> np.uint64(31)
    key *= _MIX
    return key, start < end, start == end


def _bin_weights() -> Callable[[Block], Floats]:
    hasher = VertexHasher()

    def work(block: Block) -> Floats:
        key, upwards, point = edge_hashes(hasher(block)[0])
        weight = ((key >> _WEIGHT_SHIFT) & _WEIGHT_MASK).astype(np.float64)
        weight[~upwards] *= -1
        weight[point] = 0
        bins = (key & np.uint64(_BINS - 1)).astype(np.intp)
        total: Floats = np.bincount(bins.ravel(), weight.ravel(), minlength=_BINS)  # type: ignore[assignment]
        return total

    return work


def _suspect_bins(surface: Surface) -> NDArray[np.bool_]:
    total = np.zeros(_BINS)
    work = _bin_weights()
    for block in blocks(surface):
        total += work(block)  # integers below 2^53: exact
    suspect: NDArray[np.bool_] = total != 0
    return suspect


def unbalanced_edges(surface: Surface) -> Boundary:
    """Every use of an edge that is not balanced by opposite uses, vertices compared by their coordinates.

    Examples
    --------
    >>> from massprops.core.surface import TriangleArray
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> tetrahedron = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    >>> unbalanced_edges(TriangleArray(tetrahedron[1:])).edges.tolist()
    [[0, 2], [1, 0], [2, 1]]
    """
    suspect = _suspect_bins(surface)

    def gatherer() -> Callable[[Block], tuple[Floats, Ints]]:
        hasher = VertexHasher()

        def work(block: Block) -> tuple[Floats, Ints]:
            key, _, point = edge_hashes(hasher(block)[0])
            corner, facet = np.nonzero(suspect[(key & np.uint64(_BINS - 1)).astype(np.intp)] & ~point)
            ends = np.stack([block[corner, :, facet], block[(corner + 1) % 3, :, facet]], axis=1)
            return ends.astype(np.float64) + 0.0, facet

        return work

    parts = map_blocks(surface, gatherer)
    facets = np.concatenate([facet + index * BLOCK for index, (_, facet) in enumerate(parts)])
    ends = np.concatenate([part[0] for part in parts])
    vertices, number = distinct_points(ends.reshape(-1, 3))
    found = _unbalanced(vertices, number.reshape(-1, 2), facets)
    order = np.argsort(found.facets, kind="stable")
    used, edges = np.unique(found.edges[order], return_inverse=True)
    return Boundary(vertices[used], edges.reshape(-1, 2), found.facets[order])
