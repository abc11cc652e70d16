"""What flows through the program: triangles, a block at a time.

A *block* is an array of shape ``(3, 3, n)``: corner, axis, facet. The facets of one component lie side by side
in memory, so that every operation of a kernel runs over a whole row. Its dtype is float32 or float64, whichever
the file stores; float32 becomes float64 without error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Block = NDArray[Any]

BLOCK = 8192
"""Facets in a block. Sums are formed block by block, so this number is part of the algorithm, not a setting."""

_PLACES, SIDE_BY_SIDE = 1024, 32
"""Places all over a surface, and facets in each: the places are what costs time in a file, and what tells most."""


class Surface(Protocol):
    """A sequence of triangles that can be read block by block, in any order and from several threads."""

    @property
    def facets(self) -> int:
        """Number of triangles."""
        ...

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the coordinates: float32 or float64."""
        ...

    def block(self, index: int) -> Block:
        """Triangles ``index * BLOCK`` up to ``(index + 1) * BLOCK`` as an array ``(3, 3, n)``."""
        ...


def block_count(surface: Surface) -> int:
    """Number of blocks of a surface; 0 for an empty one."""
    return -(-surface.facets // BLOCK)


def blocks(surface: Surface) -> Iterator[Block]:
    """All blocks of a surface in the order of the file."""
    return (surface.block(index) for index in range(block_count(surface)))


@dataclass(frozen=True, eq=False)
class TriangleArray:
    """A surface held in memory.

    Parameters
    ----------
    triangles : ndarray, shape (n, 3, 3)
        Facet, corner, axis; float32 or float64.
    """

    triangles: NDArray[Any]

    @property
    def facets(self) -> int:
        return len(self.triangles)

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.triangles.dtype

    def block(self, index: int) -> Block:
        part = self.triangles[index * BLOCK : (index + 1) * BLOCK]
        return np.ascontiguousarray(part.transpose(1, 2, 0))

    def sample(self) -> Block:
        places = sample_places(self.facets)[:, None] + np.arange(SIDE_BY_SIDE)
        return np.ascontiguousarray(self.triangles[places.ravel()].transpose(1, 2, 0))


def facet_areas(triangles: NDArray[Any]) -> Floats:
    """Areas of facets, shape (n, 3, 3); length^2.

    >>> facet_areas(np.array([[[1, 1, 1], [5, 1, 1], [1, 4, 1]]])).tolist()
    [6.0]
    """
    a, b, c = triangles.astype(np.float64).transpose(1, 0, 2)
    areas: Floats = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return areas


def starts_of(facets: Sequence[int]) -> NDArray[np.intp]:
    """Where each of several surfaces begins, the facets of which stand side by side in one block.

    >>> starts_of([12, 5, 8]).tolist()
    [0, 12, 17]
    """
    starts: NDArray[np.intp] = np.cumsum(facets, dtype=np.intp) - np.array(facets, np.intp)
    return starts


def sample_places(facets: int) -> NDArray[np.int64]:
    """Where the facets of a sample begin, `SIDE_BY_SIDE` at each place: from the first of a surface to its last."""
    return np.linspace(0, facets - SIDE_BY_SIDE, _PLACES, dtype=np.int64)


def triangle_array(surface: Surface) -> NDArray[Any]:
    """All triangles of a surface as one array ``(n, 3, 3)``: facet, corner, axis.

    Needs memory for the whole surface; for steps that cannot work block by block.
    """
    if isinstance(surface, TriangleArray):
        return surface.triangles
    parts = [block.transpose(2, 0, 1) for block in blocks(surface)]
    return np.concatenate(parts) if parts else np.empty((0, 3, 3))
