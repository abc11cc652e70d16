"""Where the lines of a grid cross facets.

A crossing belongs to the *edges* of a facet, as in the crossing-number test for a point in a polygon (M. Shimrat,
Algorithm 112, CACM 5, 1962; half-open rule: F. P. Preparata, M. I. Shamos, Computational Geometry, 1985, 2.2). In the
lattice's own coordinates, *along* a row and *across* the rows, the lines stand at whole numbers. An edge meets row q
when exactly one of its ends has ``across <= q``, and the place where it does is worked out from its lower to its upper
end, in integers: the same bits for the edge from a to b and for that from b to a. Two facets that share an edge
therefore agree on which lines pass on either side of it, and the signed crossings of every line through a closed
surface add up to 0: no hit is lost or counted twice, be it on an edge or a vertex, on a needle or on a facet without
area.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.near_lines import gathered
from massprops.core.progressions import by_length, counted_up, stepped_up
from massprops.core.raygrid import MAX_CROSSINGS, Crossings, Ints, RayGrid
from massprops.core.surface import Block, Floats, starts_of

_PART = 32768
"""Rows and crossings that are worked on at once: enough to make the price of a step that of its arithmetic, and few
enough for the caches."""

_BITS = 40
"""Binary places of a coordinate along a row. With 11 bits for its whole part and 11 for the rows that an edge may
meet, places fit an int64."""

_FLAT = 2.0**-40
"""Part of the products it is made of below which the area of a facet, as seen along the lines, is round-off."""

_LEAST = 2.0**-900
"""What a length is taken to be at least where it divides: less is that of an edge which meets no row."""

# Corners in rising order and whether that order is that of the facet, turned: by the three comparisons of corners,
# 0 above 1, 1 above 2, 0 above 2, as the bits of a number.
_RISING = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
_IS_TURNED = np.array([True, False, False, False, False, True, True, False])
_LOWER, _UPPER = np.array([0, 1, 0]), np.array([1, 2, 2])
"""Ends of the three edges of a facet, its corners in rising order: the two short ones and the long one."""


def crossings(blocks: Iterable[Block], grid: RayGrid | None) -> Crossings:
    """Crossings of the lines of a grid with the facets of some blocks.

    Each facet has its own, whatever stands beside it, so that blocks can be worked on in any order and from several
    threads; the order of the result has no meaning.

    Parameters
    ----------
    blocks : iterable of ndarray, shape (3, 3, n)
        Corner, axis, facet; float32 or float64.
    grid : RayGrid or None
        Its box must hold the blocks; without one there are no lines, and no block is taken.

    Returns
    -------
    ndarray of int64
        Packed crossings, see `massprops.core.raygrid.Crossings`. Of more than `MAX_CROSSINGS`, only the first so many
        and a few more, as a grid of fewer lines is then to be tried.
    """
    if grid is None:
        return np.empty(0, np.int64)
    prepared = (_Facets.of(facets, grid) for facets in gathered(blocks, grid))
    return _found((part for facets in prepared for part in facets.parts(0, facets.size)), grid)


def crossings_of_each(blocks: Sequence[Block], grids: Sequence[RayGrid]) -> list[Crossings]:
    """`crossings` of several small surfaces, each with its own grid: they cost less than one after the other.

    Parameters
    ----------
    blocks : sequence of ndarray, shape (3, 3, n)
        All facets of each surface.
    grids : sequence of RayGrid
        Of each surface; with the same ranges of rows and columns.
    """
    facets = [facets for block, grid in zip(blocks, grids, strict=True) for facets in gathered([block], grid)]
    counts = [part.shape[2] for part in facets]
    prepared = _Facets.of(np.concatenate(facets, axis=2), grids[0])
    starts = starts_of(counts).tolist()
    places = zip(starts, counts, grids, strict=True)
    return [_found(prepared.parts(start, start + count), grid) for start, count, grid in places]


def _found(parts: Iterable[_Facets], grid: RayGrid) -> Crossings:
    """All crossings with some parts of a surface, or more than `MAX_CROSSINGS` of them."""
    found: list[Crossings] = []
    total = 0
    for part in parts:
        found.append(_crossings(part, grid))
        total += len(found[-1])
        if total > MAX_CROSSINGS and grid.lines > 1:
            break
    return found[0] if len(found) == 1 else np.concatenate([*found, np.empty(0, np.int64)])


def _planes(facets: Floats) -> Floats:
    """The planes of facets, the corners of which are in rising order.

    Of a facet that the lines see from the side, the depth is that of its long edge.

    Returns
    -------
    ndarray, shape (4, m)
        Twice the signed area, as seen along the lines; depth at the origin of the lattice, and how it changes from one
        row and from one column to the next.
    """
    dq, dp, dz = facets[:, 1:] - facets[:, :1]
    found = np.empty((4, facets.shape[2]))
    area, level, per_row, per_column = found
    product, other = dp[0] * dq[1], dp[1] * dq[0]
    np.subtract(product, other, out=area)
    flat = np.flatnonzero(np.abs(area) <= _FLAT * (np.abs(product) + np.abs(other)))
    area[flat] = 1.0
    np.divide(dz[0] * dq[1] - dz[1] * dq[0], area, out=per_column)
    np.divide(dp[0] * dz[1] - dp[1] * dz[0], area, out=per_row)
    if flat.size:
        area[flat], per_column[flat], per_row[flat] = 0.0, 0.0, dz[1, flat] / np.maximum(dq[1, flat], _LEAST)
    q, p, z = facets[:, 0]
    np.subtract(z - q * per_row, p * per_column, out=level)
    return found


class _Facets(NamedTuple):
    """What is known of facets before their rows are gone through; their corners in rising order across these."""

    ends: Floats  # (m,): rows and crossings of this and all before it, about
    rows: Ints  # (3, m): first row at or after each corner
    edges: _Edges
    planes: Floats  # (4, m): see `_planes`
    is_turned: NDArray[np.bool_]  # whether that is a turn of the order of the corners as given

    @classmethod
    def of(cls, facets: Floats, grid: RayGrid) -> _Facets:
        """Facets from `_in_lattice`."""
        rising, is_turned = _rising(facets)
        planes, rows = _planes(rising), np.ceil(rising[0]).clip(*grid.rows)
        edges = _edges(rising, rows, grid)
        return cls(_ends(rising, planes), rows.astype(np.int64), edges, planes, is_turned)

    @property
    def size(self) -> int:
        return len(self.ends)

    def parts(self, start: int, stop: int) -> Iterator[_Facets]:
        """Consecutive facets of a stretch with about `_PART` rows and crossings together; a larger facet is alone."""
        if start == stop:
            return
        before = self.ends[start - 1] if start else 0.0
        bounds = [start, stop]
        if self.ends[stop - 1] - before > _PART:
            wanted = np.arange(before + _PART, self.ends[stop - 1], _PART)
            cuts = self.ends[start:stop].searchsorted(wanted, side="right") + start
            bounds = sorted({*cuts.tolist(), *bounds})
        yield from (self._part(slice(*pair)) for pair in pairwise(bounds))

    def _part(self, chosen: slice) -> _Facets:
        if chosen == slice(0, self.size):
            return self
        edges = _Edges(self.edges.base[:, chosen], self.edges.step[:, chosen])
        rows, planes = self.rows[:, chosen], self.planes[:, chosen]
        return _Facets(self.ends[chosen], rows, edges, planes, self.is_turned[chosen])


def _ends(facets: Floats, planes: Floats) -> Floats:
    """How many rows and crossings facets have, about, added up.

    A facet, its corners in rising order, has about as many crossings as its projection has area, and at most one more
    in each row.
    """
    q, area = facets[0], np.abs(planes[0])
    area *= 0.5
    ends: Floats = np.cumsum(np.maximum(area, q[2] - q[0] + 1.0))
    return ends


def _crossings(facets: _Facets, grid: RayGrid) -> Crossings:
    """Crossings of a few facets, row by row.

    The row through the middle corner divides a facet in two halves; in either, every row is met in a stretch between
    the long edge and a short one.
    """
    rows, edges = facets.rows, facets.edges
    half, row = counted_up(rows[:2].ravel(), (rows[1:] - rows[:2]).ravel())
    short, long = edges.short(half, row), edges.long(half, row)
    hit = by_length(np.abs(short - long))
    half, row, short, long = half.take(hit), row.take(hit), short.take(hit), long.take(hit)
    first, length = np.minimum(short, long), np.abs(short - long)
    # Seen against their direction an outward facet is wound counterclockwise: lines leave the body to the left of an
    # edge that goes up, which in a facet whose corners rise in their order is the short one.
    leaves = (short > long) == facets.is_turned.take(half, mode="wrap")
    start, slope = _levels(facets.planes, half, row, first)
    return _packed(_Stretches(row, first, length, start, slope, leaves), grid)


def _rising(facets: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The facets with their corners in rising order across the rows, and whether that is a turn of their own order."""
    a, b, c = facets[0]
    code = (a > b).view(np.uint8) | (b > c).view(np.uint8) << 1 | (a > c).view(np.uint8) << 2
    size = facets.shape[2]
    index = (_RISING.T * size).take(code, axis=1)
    index += np.arange(size)
    return facets.reshape(3, 3 * size).take(index, axis=1), _IS_TURNED.take(code)


class _Edges(NamedTuple):
    """Edges as integer forms: ``(base + row * step) >> _BITS`` is the first column at or after their place on a row."""

    base: Ints  # (3, m), of either short edge and the long one
    step: Ints  # (3, m)

    def short(self, half: Ints, row: Ints) -> Ints:
        """Columns on a row each of the short edges of some halves; all lower halves are numbered before all upper."""
        return _columns(self.base[:2], self.step[:2], half, row)

    def long(self, half: Ints, row: Ints) -> Ints:
        """Columns of the long edges of the same."""
        return _columns(self.base[2], self.step[2], half, row)


def _columns(base: Ints, step: Ints, half: Ints, row: Ints) -> Ints:
    found: Ints = step.take(half, mode="wrap")
    found *= row
    found += base.take(half, mode="wrap")
    found >>= _BITS
    return found


def _edges(facets: Floats, rows: Floats, grid: RayGrid) -> _Edges:
    """Where the edges meet the rows: places on their first and their last row, and evenly between."""
    low, from_p = facets[:2].take(_LOWER, axis=1)
    high, to_p = facets[:2].take(_UPPER, axis=1)
    first, last = rows.take(_LOWER, axis=0), rows.take(_UPPER, axis=0) - 1.0
    run, shift = np.maximum(high - low, _LEAST), to_p - from_p
    start = (from_p + (first - low) / run * shift).clip(*grid.columns)
    end = (from_p + (last - low) / run * shift).clip(*grid.columns)
    step = ((end - start) / np.maximum(last - first, 1.0) * 2.0**_BITS).astype(np.int64)
    base = np.rint(start * 2.0**_BITS).astype(np.int64)
    base += (1 << _BITS) - 1 - first.astype(np.int64) * step
    return _Edges(base, step)


def _levels(planes: Floats, half: Ints, row: Ints, column: Ints) -> tuple[Floats, Floats]:
    """Depth of facets on a line each, and how it changes from one column to the next."""
    _, level, per_row, per_column = planes
    slope, found = per_column.take(half, mode="wrap"), per_row.take(half, mode="wrap")
    found *= row
    found += level.take(half, mode="wrap")
    found += column * slope
    return found, slope


class _Stretches(NamedTuple):
    """Consecutive lines of a row that cross a facet, in the order of `by_length`."""

    row: Ints
    first: Ints  # column
    length: Ints  # in lines
    start: Floats  # depth at the first column
    slope: Floats  # change of the depth from one column to the next
    leaves: NDArray[np.bool_]


def _packed(stretches: _Stretches, grid: RayGrid) -> Crossings:
    """All crossings of some stretches: in each, a first packed integer, and a step from one to the next."""
    row, first, length, start, slope, leaves = stretches
    more = length - 1.0
    end, start = (start + more * slope).clip(0.0, 1.0), start.clip(0.0, 1.0)
    bits, top = grid.depth_bits, 2.0**grid.depth_bits - 1.0
    rise = ((end - start) / np.maximum(more, 1.0) * top).astype(np.int64)
    base = row * grid.width + first
    base -= grid.rows[0] * grid.width + grid.columns[0]
    base <<= bits
    base |= np.rint(start * top).astype(np.int64)
    base <<= 1
    base |= leaves
    return stepped_up(base, ((1 << bits) + rise) << 1, length)
