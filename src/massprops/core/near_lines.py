"""Facets that may meet a line of a grid, in the coordinates of its lattice.

Of a fine surface most do not; which these are is told first, in the precision of the surface, and all that follows is
done with the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from massprops.core.raygrid import Form, Ints, RayGrid
from massprops.core.surface import Block, Floats

_HELD = 8192
"""Facets that are handed on at once: enough to make the price of a step that of its arithmetic."""

_FEW = 2048
"""Facets in a block up to which most are taken to meet a line, so that looking for those that do would not pay."""

_AWAY = 16.0
"""How far from the origin, in lines for each along a side, the corner of a box may lie for it to be subtracted from the
constant of a form and not from every vertex: what that loses to round-off costs a few facets more."""

_BEYOND = 2.0**-36
"""How far beyond its end an edge may meet a row, for each line along a side: more than the rounding of the step from
one row to the next adds up to."""


def gathered(blocks: Iterable[Block], grid: RayGrid) -> Iterator[Floats]:
    """Facets that can meet a line, from all blocks, in the coordinates of the lattice; a fair number at a time.

    Parameters
    ----------
    blocks : iterable of ndarray, shape (3, 3, n)
        Corner, axis, facet; float32 or float64.
    grid : RayGrid
        Its box must hold the blocks.

    Yields
    ------
    ndarray, shape (3, 3, m)
        Across, along and depth from 0 to 1; corner; facet. Each depends on the vertex alone, so that facets that share
        a vertex still share it.
    """
    held: list[Block] = []
    count = 0
    sieves: list[Sieve] = []
    for block in blocks:
        if block.shape[2] > _FEW:
            sieves = sieves or [Sieve.of(form, grid, block.dtype) for form in (grid.across, grid.along)]
            block = _sieved(block, sieves)
        held.append(block)
        count += block.shape[2]
        if count >= _HELD:
            yield _in_lattice(np.concatenate(held, axis=2), grid)
            held, count = [], 0
    if held:
        yield _in_lattice(held[0] if len(held) == 1 else np.concatenate(held, axis=2), grid)


def _sieved(block: Block, sieves: Sequence[Sieve]) -> Block:
    """The facets that pass all sieves."""
    for sieve in sieves:
        block = block.take(sieve.passed(block), axis=2, mode="wrap")  # quicker than to look for indices out of range
    return block


class Sieve(NamedTuple):
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
    def of(cls, form: Form, grid: RayGrid, dtype: np.dtype[Any]) -> Sieve:
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
    """Facets in the coordinates of the lattice; see `gathered`."""
    x, y, z = (
        np.subtract(facets[:, (grid.axis + k) % 3], lower, dtype=np.float64)
        for k, lower in zip((1, 2, 0), grid.lower, strict=True)
    )
    found = np.empty((3, *x.shape))
    grid.across.at(x, y, out=found[0])
    grid.along.at(x, y, out=found[1])
    np.divide(z, grid.extent[2], out=found[2])
    return found
