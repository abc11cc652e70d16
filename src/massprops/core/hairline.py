"""Hairline cracks: vertices that an exporter wrote twice, rounded to neighbouring float32 values.

In a collection of real CAD exports, most files with open edges close when vertices one unit in the last place
(ulp) of the largest coordinate apart are taken as one: the two facets that meet there were rounded separately.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.boundary import Boundary, Ints
from massprops.core.closure import VertexHasher
from massprops.core.clusters import clusters
from massprops.core.notice import Notice
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import map_blocks
from massprops.number_of import number_of

HAIRLINE_ULPS = 2
"""Widest hairline crack, per axis, in float32 ulps of the largest coordinate."""

_SHRUNK = 0.5
"""Along a crack, edges meet edges. Where more than this part of them shrinks to points, it is a hole that vanishes,
in a part that is no larger than the rounding of its coordinates."""


@dataclass(frozen=True)
class PatchedSurface:
    """A surface with some corners of its facets moved.

    Parameters
    ----------
    base : Surface
    moved_facets, corners : ndarray of int, shape (k,)
        Which corners of which facets are moved; facets ascending.
    points : ndarray, shape (k, 3)
        Where they are moved to; length.
    """

    base: Surface
    moved_facets: NDArray[np.intp]
    corners: NDArray[np.intp]
    points: Floats

    @property
    def facets(self) -> int:
        return self.base.facets

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.base.dtype

    def block(self, index: int) -> Block:
        block = self.base.block(index)
        start, stop = np.searchsorted(self.moved_facets, [index * BLOCK, (index + 1) * BLOCK])
        if start < stop:
            block = block.copy()
            facets = self.moved_facets[start:stop] - index * BLOCK
            block[self.corners[start:stop], :, facets] = self.points[start:stop]
        return block


def hairline_width(lower: Floats, upper: Floats) -> float:
    """Widest hairline crack of a surface in a box, per axis; length.

    >>> hairline_width(np.zeros(3), np.array([1.0, 1.5, 1.0])) == 2 * 2.0**-23
    True
    """
    largest = float(max(np.abs(lower).max(), np.abs(upper).max()))
    _, exponent = np.frexp(largest)
    return HAIRLINE_ULPS * float(np.ldexp(1.0, int(exponent) - 24))


class Joined(NamedTuple):
    """A surface with its hairline cracks closed."""

    surface: Surface
    """Each group of vertices is at its lexicographically first one."""
    boundary: Boundary
    """What is still unbalanced."""
    notice: Notice
    """What to tell."""


def close_hairlines(surface: Surface, boundary: Boundary, width: float) -> Joined | None:
    """`join_hairlines`, if that closes the surface; None when it would still be open."""
    return join_hairlines(surface, boundary, width, wholly=True)


def join_hairlines(surface: Surface, boundary: Boundary, width: float, wholly: bool = False) -> Joined | None:
    """Join vertices on unbalanced edges that lie within a hairline of each other, if that closes cracks.

    Parameters
    ----------
    surface : Surface
    boundary : Boundary
        Its unbalanced edges.
    width : float
        Largest distance along each axis that is joined, transitively; length.
    wholly : bool
        Whether no edge may stay unbalanced.

    Returns
    -------
    Joined or None
        None when no crack would close, or holes would shrink to points.
    """
    target = clusters(boundary.vertices, width, norm=np.inf)
    moved = np.flatnonzero(target != np.arange(len(target)))
    left = boundary.renamed(target)
    shrunk = np.count_nonzero(target[boundary.edges[:, 0]] == target[boundary.edges[:, 1]])
    closed = len(boundary.edges) - len(left.edges)
    if closed == 0 or shrunk > _SHRUNK * closed or (wholly and len(left.edges)):
        return None
    gap = float(np.linalg.norm(boundary.vertices[moved] - boundary.vertices[target[moved]], axis=1).max())
    facets, corners, points = _uses(surface, boundary.vertices[moved], boundary.vertices[target[moved]])
    message = (
        f"{number_of(len(moved), 'vertex was', 'vertices were')} taken as one with another within {gap:.3g}, "
        "from which single-precision rounding parts them; --exact refuses this"
    )
    notice = Notice("hairline", message, {"vertices": len(moved), "largest_gap": gap})
    return Joined(PatchedSurface(surface, facets, corners, points), left, notice)


def _uses(surface: Surface, old: Floats, new: Floats) -> tuple[Ints, Ints, Floats]:
    """Facets and corners at which a surface uses some vertices, and the points these become."""

    def searcher() -> Callable[[Block], tuple[Ints, Ints, Floats]]:
        hasher = VertexHasher()
        known: dict[np.dtype[np.generic], tuple[NDArray[np.uint64], Ints]] = {}

        def work(block: Block) -> tuple[Ints, Ints, Floats]:
            if block.dtype not in known:
                hashes = _point_hashes(old.astype(block.dtype))
                order = np.argsort(hashes)
                known[block.dtype] = hashes[order], order
            hashes, order = known[block.dtype]
            h, _ = hasher(block)
            place = np.searchsorted(hashes, h).clip(max=len(hashes) - 1)
            corner, facet = np.nonzero(hashes[place] == h)
            return facet, corner, new[order[place[corner, facet]]]

        return work

    parts = map_blocks(surface, searcher)
    facets = np.concatenate([part[0] + index * BLOCK for index, part in enumerate(parts)])
    order = np.argsort(facets, kind="stable")
    corners = np.concatenate([part[1] for part in parts])
    points = np.concatenate([part[2] for part in parts])
    return facets[order], corners[order], points[order]


def _point_hashes(points: NDArray[np.floating]) -> NDArray[np.uint64]:
    block = np.repeat(points.T[None], 3, axis=0)
    h, _ = VertexHasher(len(points))(block)
    first: NDArray[np.uint64] = h[0].copy()
    return first
