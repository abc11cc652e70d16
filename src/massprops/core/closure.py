"""Is a surface closed? One pass, constant memory.

A surface is closed when every directed edge a -> b is balanced by an edge b -> a, counted with multiplicity. The sum
over all edges of ``h(a) g(b) - h(b) g(a)``, with two hashes h, g of a vertex, in integers modulo 2^64, changes its
sign with the edge: balanced edges cancel exactly, and what is left over is 0 by accident only, once in some 2^60.
For a facet (a, b, c) the three terms add up to ``(h_b - h_a)(g_c - g_a) - (h_c - h_a)(g_b - g_a)``.

The two hashes are the halves of a word of 64 bits: each vertex becomes a point with two whole coordinates below 2^32,
at random, and the sum is twice the area that the boundary encloses there. The word itself may stand for its lower half,
as the multiples of 2^32 in it cancel.

Only coordinates count, not how a file numbers its vertices, and -0 equals 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from operator import sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.scratch import row_size, scratch
from massprops.core.surface import BLOCK, Block, Floats, Surface, starts_of
from massprops.core.workers import map_blocks

Hashes = NDArray[np.uint64]

# Odd constants with well-mixed bits: the fractions of the golden ratio, of sqrt 2, sqrt 3 and sqrt 5.
_GOLDEN, _ROOT2, _ROOT3, _ROOT5 = (
    np.uint64(k) for k in (0x9E3779B97F4A7C15, 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B)
)
_HALF = np.uint64(32)
_WORDS: dict[int, tuple[type, type, int]] = {4: (np.int32, np.uint32, -(2**31)), 8: (np.int64, np.uint64, -(2**63))}
"""By the bytes of a coordinate, what its bits are looked at as, and which number those of -0 then are: the smallest."""


class Survey(NamedTuple):
    """What the first pass over a surface finds.

    Parameters
    ----------
    facets : int
        Number of triangles.
    lower, upper : ndarray, shape (3,)
        The bounding box; length. NaN where a coordinate is NaN.
    residue : int
        The hash of the boundary: 0 when the surface is closed.
    """

    facets: int
    lower: Floats
    upper: Floats
    residue: int

    @property
    def is_closed(self) -> bool:
        """Whether every directed edge is balanced."""
        return self.residue == 0

    @property
    def is_finite(self) -> bool:
        """Whether every coordinate is a finite number."""
        return all(map(math.isfinite, (*self.lower.tolist(), *self.upper.tolist())))

    @property
    def has_finite_extents(self) -> bool:
        """Whether every extent of the box is a finite number."""
        return all(map(math.isfinite, map(sub, self.upper.tolist(), self.lower.tolist())))


class VertexHasher:
    """A hash of every vertex of a block, in memory that is used again for the next block.

    Parameters
    ----------
    capacity : int
        Largest number of facets in a block.
    memory : ndarray, shape (6, capacity), optional
        Of numbers of 64 bits, to be overwritten: what another step uses as well stays in the caches.
    """

    def __init__(self, capacity: int = BLOCK, memory: Floats | None = None) -> None:
        self._capacity = capacity
        self._positive: NDArray[Any] = np.empty(0)
        memory = scratch(6, capacity) if memory is None else memory
        self._buffers = memory.view(np.uint64).reshape(2, 3, capacity)

    def __call__(self, block: Block) -> tuple[Hashes, Hashes]:
        """Hashes of the three corners, and their upper halves; each an array ``(3, n)``, valid until the next call."""
        h, spare = self._buffers[:, :, : block.shape[2]]
        bits = self._bits(block)
        if bits.dtype == np.uint32:
            _mix_single(bits, h, spare)
        else:
            _mix_double(bits, h, spare)
        _stir(h, spare)
        np.multiply(h, _ROOT2, out=h)
        return h, _stir(h, spare)

    def _bits(self, block: Block) -> NDArray[Any]:
        signed, unsigned, negative_zero = _WORDS[block.dtype.itemsize]
        if block.view(signed).min() > negative_zero:
            return block.view(unsigned)
        n = block.shape[2]
        if self._positive.dtype != block.dtype or self._positive.size == 0:
            self._positive = scratch(3, 3, self._capacity, dtype=block.dtype)
        positive = self._positive[:, :, :n]
        np.add(block, block.dtype.type(0), out=positive)  # -0 becomes 0
        return positive.view(unsigned)


def _mix_single(bits: NDArray[Any], h: Hashes, spare: Hashes) -> None:
    """One word of the three of 32 bits that a vertex has.

    Multiples that are added: the shortest step from a vertex to another with the same word is 2.2 million units in the
    last place long, so that corners which nearly meet never have it.
    """
    np.copyto(h, bits[:, 0])  # apart: faster than to convert within the multiplication
    np.multiply(h, _ROOT5, out=h)
    np.copyto(spare, bits[:, 1])
    np.multiply(spare, _ROOT3, out=spare)
    np.add(h, spare, out=h)
    np.copyto(spare, bits[:, 2])
    np.add(h, spare, out=h)


def _mix_double(bits: NDArray[Any], h: Hashes, spare: Hashes) -> None:
    """One word of the three of 64 bits that a vertex has."""
    np.multiply(bits[:, 0], _ROOT5, out=h)
    _stir(h, spare)
    np.add(h, bits[:, 1], out=h)
    np.multiply(h, _GOLDEN, out=h)
    _stir(h, spare)
    np.multiply(bits[:, 2], _ROOT2, out=spare)
    np.add(h, spare, out=h)
    np.multiply(h, _ROOT3, out=h)


def _stir(words: Hashes, upper: Hashes) -> Hashes:
    """Add the upper half of each word to the lower one, bit by bit; the upper halves."""
    np.right_shift(words, _HALF, out=upper)
    np.bitwise_xor(words, upper, out=words)
    return upper


def boundary_residues(h: Hashes, g: Hashes) -> Hashes:
    """What each facet adds to the sum over all edges of ``h(a) g(b) - h(b) g(a)``; overwrites its arguments.

    It adds up modulo 2^64.
    """
    h[1:] -= h[0]
    g[1:] -= g[0]
    h[1] *= g[2]
    h[2] *= g[1]
    h[1] -= h[2]
    found: Hashes = h[1]
    return found


class BlockSurvey(NamedTuple):
    """What there is to find in one block; see `Survey`."""

    lower: list[float]
    upper: list[float]
    residue: int


def surveyor(capacity: int, memory: Floats | None = None) -> Callable[[Block], BlockSurvey]:
    """A function that surveys one block; see `VertexHasher` for the parameters."""
    hasher = VertexHasher(capacity, memory)

    def work(block: Block) -> BlockSurvey:
        with np.errstate(invalid="ignore"):  # NaN is told by the box; a thread has its own state
            lower, upper = box_of(block)
            return BlockSurvey(lower.tolist(), upper.tolist(), int(boundary_residues(*hasher(block)).sum()))

    return work


def box_of(block: Block) -> tuple[NDArray[Any], NDArray[Any]]:
    """Lower and upper corner of the box around a block, in its precision; NaN where a coordinate is NaN."""
    rows = block.reshape(9, -1)
    return rows.min(axis=1).reshape(3, 3).min(axis=0), rows.max(axis=1).reshape(3, 3).max(axis=0)


def survey(surface: Surface, workers: int | None = None) -> Survey:
    """The box of a surface, and whether it is closed.

    Parameters
    ----------
    surface : Surface
        With at least one facet.
    workers : int, optional
        See `massprops.core.workers.map_blocks`.

    Examples
    --------
    >>> from massprops.core.surface import TriangleArray
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> tetrahedron = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    >>> survey(TriangleArray(tetrahedron)).is_closed
    True
    >>> survey(TriangleArray(tetrahedron[1:])).is_closed
    False
    """
    return whole(map_blocks(surface, partial(surveyor, row_size(min(surface.facets, BLOCK))), workers), surface.facets)


def surveys(block: Block, facets: Sequence[int]) -> list[Survey]:
    """Surveys of several surfaces whose facets stand side by side in one block, which cost little more than one.

    Parameters
    ----------
    block : ndarray, shape (3, 3, n)
    facets : sequence of int
        Of each surface, at least one; they add up to n.

    Examples
    --------
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> tetrahedron = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]].transpose(1, 2, 0)
    >>> both = np.concatenate([tetrahedron, 5 + tetrahedron[:, :, 1:]], axis=2)
    >>> [found.is_closed for found in surveys(both, (4, 3))]
    [True, False]
    """
    starts = starts_of(facets)
    with np.errstate(invalid="ignore"):
        rows = block.reshape(9, -1)
        lower = np.minimum.reduceat(rows, starts, axis=1).reshape(3, 3, -1).min(axis=0)
        upper = np.maximum.reduceat(rows, starts, axis=1).reshape(3, 3, -1).max(axis=0)
        residues = np.add.reduceat(boundary_residues(*VertexHasher(row_size(sum(facets)))(block)), starts)
    boxes = (box.T.astype(np.float64) + 0.0 for box in (lower, upper))  # -0 is 0
    return list(map(Survey, facets, *boxes, residues.tolist()))


def joined(parts: Sequence[BlockSurvey]) -> BlockSurvey:
    """The survey of several blocks, in any order, as if they were one."""
    if len(parts) == 1:  # as of most files
        return parts[0]
    lower = np.array([part.lower for part in parts]).min(axis=0)
    upper = np.array([part.upper for part in parts]).max(axis=0)
    return BlockSurvey(lower.tolist(), upper.tolist(), sum(part.residue for part in parts) % 2**64)


def whole(parts: Sequence[BlockSurvey], facets: int) -> Survey:
    """The survey of a surface from those of its blocks, in any order: what is -0 in some of them is 0."""
    found = joined(parts)
    return Survey(facets, np.array(found.lower) + 0.0, np.array(found.upper) + 0.0, found.residue)


def is_closed(surface: Surface) -> bool:
    """Whether every directed edge of a surface is balanced by its opposite; an empty surface is closed."""
    return surface.facets == 0 or survey(surface).is_closed
