"""Statistics of a surface, whether it is closed or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.affine_map import AffineMap
from massprops.core.boundary import edge_hashes
from massprops.core.closure import VertexHasher
from massprops.core.extent import mapped_extent
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure, surveyed
from massprops.core.notice import Notice
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import map_blocks
from massprops.errors import MassPropsError

_EDGES_A_PASS = 1 << 23


@dataclass(frozen=True, eq=False)
class Statistics:
    """What can be said of any surface.

    Parameters
    ----------
    facets : int
    bounds : ndarray, shape (2, 3)
        Lower and upper corner of the bounding box; L.
    area : float
        L^2.
    volume : float or None
        L^3; None unless the surface bounds a body.
    centroid : ndarray, shape (3,), or None
        Centre of the volume; L. None without a volume.
    disconnected : tuple of int
        Numbers of facets with 1, 2 and 3 edges that no other facet shares.
    non_manifold_edges : int
        Number of edges that more than two facets share.
    verdict : str
        ``ok``, or why there is no volume.
    notices : tuple of Notice
        What must be told beside the volume.
    """

    facets: int
    bounds: Floats
    area: float
    volume: float | None
    centroid: Floats | None
    disconnected: tuple[int, int, int]
    non_manifold_edges: int
    verdict: str = "ok"
    notices: tuple[Notice, ...] = ()


def statistics(surface: Surface, affine: AffineMap, exact: bool = False) -> Statistics:
    """Statistics of a surface after an affine map.

    Raises
    ------
    Empty, NonFinite
        Nothing can be said of a surface without facets, or with coordinates that are no numbers.
    """
    found = surveyed(surface)
    disconnected, non_manifold = edge_statistics(surface)
    try:
        measured = measure(surface, exact)
    except MassPropsError as verdict:
        bounds, area = mapped_extent(surface, found.lower, found.upper, None, affine)
        return Statistics(surface.facets, bounds, area, None, None, disconnected, non_manifold, verdict.status)
    moments = measured.integrals.moments.mapped(affine)
    bounds, area = mapped_extent(measured.surface, found.lower, found.upper, measured.integrals.area, affine)
    body = MassProperties.of(moments)  # rounded, and refused when a float64 cannot hold it
    edges = disconnected, non_manifold
    return Statistics(surface.facets, bounds, area, body.volume, body.center, *edges, notices=measured.notices)


def edge_statistics(surface: Surface) -> tuple[tuple[int, int, int], int]:
    """Numbers of facets with 1, 2 and 3 edges of their own, and of edges with more than two facets.

    Edges are counted by a 64-bit hash of their ends, some millions at a time, so that memory stays bounded.

    Examples
    --------
    >>> from massprops.core.surface import TriangleArray
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> tetrahedron = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    >>> edge_statistics(TriangleArray(tetrahedron)), edge_statistics(TriangleArray(tetrahedron[1:]))
    (((0, 0, 0), 0), ((3, 0, 0), 0))
    """
    passes = -(-3 * surface.facets // _EDGES_A_PASS)
    lonely: list[NDArray[np.intp]] = []
    crowded = 0
    for turn in range(passes):
        keys, facets = _edges(surface, turn, passes)
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0])) if len(keys) else np.empty(0, int)
        uses = np.diff(np.append(starts, len(keys)))
        lonely.append(facets[order[starts[uses == 1]]])
        crowded += int((uses > 2).sum())
    _, edges = np.unique(np.concatenate(lonely), return_counts=True)
    one, two, three = (int((edges == count).sum()) for count in (1, 2, 3))
    return (one, two, three), crowded


def _edges(surface: Surface, turn: int, passes: int) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Hashes and facets of those edges whose turn it is."""

    def gatherer() -> Callable[[Block], tuple[NDArray[np.uint64], NDArray[np.intp]]]:
        hasher = VertexHasher()

        def work(block: Block) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
            key, _, point = edge_hashes(hasher(block)[0])
            corner, facet = np.nonzero((key % np.uint64(passes) == turn) & ~point)
            return key[corner, facet], facet

        return work

    parts = map_blocks(surface, gatherer)
    facets = np.concatenate([facet + index * BLOCK for index, (_, facet) in enumerate(parts)])
    return np.concatenate([key for key, _ in parts]), facets
