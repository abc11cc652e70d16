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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.progressions import by_length, counted_up, stepped_up
from massprops.core.raygrid import MAX_CROSSINGS, Crossings, Form, Ints, RayGrid
from massprops.core.surface import Block, Floats

_PART = 32768
"""Rows and crossings that are worked on at once: enough to make the price of a step that of its arithmetic, and few
enough for the caches."""

_HELD = 8192
"""The same for facets, of which more is to be known."""

_FEW = 2048
"""Facets in a block up to which most are taken to meet a line, so that looking for those that do would not pay."""

_BITS = 40
"""Binary places of a coordinate along a row. With 11 bits for its whole part and 11 for the rows that an edge may
meet, places fit an int64."""

_AWAY = 16.0
"""How far from the origin, in lines for each along a side, the corner of a box may lie for it to be subtracted from the
constant of a form and not from every vertex: what that loses to round-off costs a few facets more."""

_FLAT = 2.0**-40
"""Part of the products it is made of below which the area of a facet, as seen along the lines, is round-off."""

_BEYOND = 2.0**-36
"""How far beyond its end an edge may meet a row, for each line along a side: more than the rounding of the step from
one row to the next adds up to."""

_LEAST = 2.0**-900
"""What a length is taken to be at least where it divides: less is that of an edge which meets no row."""

# Corners in rising order and whether that order is that of the facet, turned: by the three comparisons of corners,
# 0 above 1, 1 above 2, 0 above 2, as the bits of a number.
_RISING = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
_IS_TURNED = np.array([True, False, False, False, False, True, True, False])
_LOWER, _UPPER = np.array([0, 1, 0]), np.array([1, 2, 2])
"""Ends of the three edges of a facet, its corners in rising order: the two short ones and the long one."""


def crossings(blocks: Iterable[Block], grid: RayGrid) -> Crossings:
    """Crossings of the lines of a grid with the facets of some blocks.

    Each facet has its own, whatever stands beside it, so that blocks can be worked on in any order and from several
    threads; the order of the result has no meaning.

    Parameters
    ----------
    blocks : iterable of ndarray, shape (3, 3, n)
        Corner, axis, facet; float32 or float64.
    grid : RayGrid
        Its box must hold the blocks.

    Returns
    -------
    ndarray of int64
        Packed crossings, see `massprops.core.raygrid.Crossings`. Of more than `MAX_CROSSINGS`, only the first so many
        and a few more, as a grid of fewer lines is then to be tried.
    """
    found: list[Crossings] = []
    total = 0
    for facets in _gathered(blocks, grid):
        rising, is_turned = _rising(facets)
        planes = _planes(rising)
        for part in _parts(rising, planes):
            found.append(_crossings(rising[:, :, part], planes[:, part], is_turned[part], grid))
            total += len(found[-1])
            if total > MAX_CROSSINGS and grid.lines > 1:
                return np.concatenate(found)
    return found[0] if len(found) == 1 else np.concatenate([*found, np.empty(0, np.int64)])


def _gathered(blocks: Iterable[Block], grid: RayGrid) -> Iterator[Floats]:
    """Facets that can meet a line, from all blocks, in the coordinates of the lattice; a fair number at a time."""
    held: list[Block] = []
    sieves: list[_Sieve] = []
    for block in blocks:
        if block.shape[2] > _FEW:
            sieves = sieves or [_Sieve.of(form, grid, block.dtype) for form in (grid.across, grid.along)]
            block = _sieved(block, sieves)
        held.append(block)
        if sum(facets.shape[2] for facets in held) >= _HELD:
            yield _in_lattice(np.concatenate(held, axis=2), grid)
            held = []
    if held:
        yield _in_lattice(held[0] if len(held) == 1 else np.concatenate(held, axis=2), grid)


def _sieved(block: Block, sieves: Sequence[_Sieve]) -> Block:
    """The facets that pass all sieves."""
    for sieve in sieves:
        block = block.take(sieve.passed(block), axis=2, mode="wrap")  # quicker than to look for indices out of range
    return block


class _Sieve(NamedTuple):
    """Picks out the facets on which a coordinate of the lattice may be a whole number.

    All that meet a line, that is, and a few more because of round-off. Works in the precision of the blocks, over whole
    rows of them: this is the only step that sees every facet.
    """

    kind: Any  # of the numbers
    axes: tuple[int, int]
    corner: tuple[float, float]  # that is subtracted
    slopes: tuple[float, float]
    low: float  # what is then added to the least value on a facet
    high: float  # and to the largest

    @classmethod
    def of(cls, form: Form, grid: RayGrid, dtype: np.dtype[Any]) -> _Sieve:
        """The sieve for a coordinate and surfaces of a precision."""
        small = dtype == np.float32 and all(2.0**-60 < extent < 2.0**60 for extent in grid.extent)
        kind: Any = np.float32 if small else np.float64
        per_x, per_y, constant = form
        away = abs(grid.lower[0] * per_x) + abs(grid.lower[1] * per_y)
        x0 = y0 = 0.0
        if away > _AWAY * grid.lines:  # the corner in that precision: subtracting it is exact or nearly so
            x0, y0, away = float(kind(grid.lower[0])), float(kind(grid.lower[1])), 0.0
        constant += (x0 - grid.lower[0]) * per_x + (y0 - grid.lower[1]) * per_y
        # Each of the six operations errs by half an ulp of at most the largest value that can occur.
        pad = 8.0 * float(np.finfo(kind).eps) * (abs(constant) + away + 2.0 * grid.lines + 1.0)
        pad += grid.lines * _BEYOND  # all facets that share an edge must see where it meets a row
        axes = (grid.axis + 1) % 3, (grid.axis + 2) % 3
        return cls(kind, axes, (x0, y0), (per_x, per_y), constant - pad, constant + pad)

    def passed(self, block: Block) -> Ints:
        """Numbers of the facets that pass."""
        values = self._stretched(block, 0)
        values += self._stretched(block, 1)
        low, high = np.minimum(values[0], values[1]), np.maximum(values[0], values[1])
        np.minimum(low, values[2], out=low)
        np.maximum(high, values[2], out=high)
        low += self.low
        high += self.high
        return np.flatnonzero(np.ceil(low, out=low) < high)

    def _stretched(self, block: Block, number: int) -> Block:
        values, origin = block[:, self.axes[number]], self.corner[number]
        if not origin:
            return np.multiply(values, self.slopes[number], dtype=self.kind)
        found = np.subtract(values, origin, dtype=self.kind)
        found *= self.slopes[number]
        return found


def _in_lattice(facets: Block, grid: RayGrid) -> Floats:
    """Facets in the coordinates of the lattice.

    Returns
    -------
    ndarray, shape (3, 3, m)
        Across, along and depth from 0 to 1; corner; facet. Each depends on the vertex alone, so that facets that share
        a vertex still share it.
    """
    x, y, z = (
        np.subtract(facets[:, (grid.axis + k) % 3], lower, dtype=np.float64)
        for k, lower in zip((1, 2, 0), grid.lower, strict=True)
    )
    found = np.empty((3, *x.shape))
    grid.across.at(x, y, out=found[0])
    grid.along.at(x, y, out=found[1])
    np.divide(z, grid.extent[2], out=found[2])
    return found


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


def _parts(facets: Floats, planes: Floats) -> list[slice]:
    """Consecutive facets with about `_PART` rows and crossings together; a larger facet stands alone.

    A facet, its corners in rising order, has about as many crossings as its projection has area, and at most one more
    in each row.
    """
    q, area = facets[0], np.abs(planes[0])
    area *= 0.5
    ends = np.cumsum(np.maximum(area, q[2] - q[0] + 1.0))
    if not ends.size or ends[-1] <= _PART:
        return [slice(0, len(ends))]
    cuts = np.searchsorted(ends, np.arange(_PART, ends[-1], _PART), side="right")
    bounds = sorted({0, *cuts.tolist(), len(ends)})
    return [slice(start, stop) for start, stop in pairwise(bounds)]


def _crossings(facets: Floats, planes: Floats, is_turned: NDArray[np.bool_], grid: RayGrid) -> Crossings:
    """Crossings of a few facets, their corners in rising order, row by row.

    The row through the middle corner divides a facet in two halves; in either, every row is met in a stretch between
    the long edge and a short one.
    """
    rows = np.ceil(facets[0]).clip(*grid.rows)
    edges = _edges(facets, rows, grid)
    whole = rows.astype(np.int64)
    half, row = counted_up(whole[:2].ravel(), (whole[1:] - whole[:2]).ravel())
    short, long = edges.short(half, row), edges.long(half, row)
    hit = by_length(np.abs(short - long))
    half, row, short, long = half.take(hit), row.take(hit), short.take(hit), long.take(hit)
    first, length = np.minimum(short, long), np.abs(short - long)
    # Seen against their direction an outward facet is wound counterclockwise: lines leave the body to the left of an
    # edge that goes up, which in a facet whose corners rise in their order is the short one.
    leaves = (short > long) == is_turned.take(half, mode="wrap")
    start, slope = _levels(planes, half, row, first)
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
