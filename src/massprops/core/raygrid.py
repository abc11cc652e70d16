"""Where parallel lines through a body cross its surface.

The lines run along one axis of coordinates and pierce the face of the box at the points of a square lattice turned
by an angle whose tangent is the golden ratio: no row of it runs along an edge that a person or a program is likely
to draw, so that boxes, plates and slots are sampled as evenly as spheres are (a lattice with such a slope has the
smallest discrepancy there is; L. Kuipers, H. Niederreiter, Uniform Distribution of Sequences, 1974, chapter 2.3).

A crossing belongs to the *edges* of a facet, as in the crossing-number test for a point in a polygon (M. Shimrat,
Algorithm 112, CACM 5, 1962; half-open rule: F. P. Preparata, M. I. Shamos, Computational Geometry, 1985, 2.2). In the
lattice's own coordinates, *along* a row and *across* the rows, the lines stand at whole numbers. An edge from a to b
meets row q when exactly one of its ends has ``across <= q``, and the place where it does is computed by an expression
that has the same value, to the last bit, for the edge from b to a. Two facets that share an edge therefore agree on
which lines pass on either side of it, and the signed crossings of every line through a closed surface add up to 0: no
hit is lost or counted twice, be it on an edge or a vertex, on a needle or on a facet without area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from massprops.core.surface import Block, Floats

Ints = NDArray[np.int64]
Crossings = NDArray[np.int64]
"""Crossings of lines with facets, each packed into one integer: line, depth, direction, from the highest bits
to the lowest. Sorted, they stand line by line, in the order in which the line meets them. `line_numbers`, `depths`
and `steps` unpack them."""

MAX_LINES = 1024
"""Largest number of lines along a side: with twice as many even a cube has more than `MAX_CROSSINGS`."""

MAX_CROSSINGS = 1 << 22
"""Crossings that are kept in memory; a block stops soon after it has more than that."""

_SLOPE = (math.sqrt(5.0) - 1.0) / 2.0
_COS = 1.0 / math.hypot(1.0, _SLOPE)
_SIN = _SLOPE * _COS

SHIFT = (math.sqrt(2.0) - 1.0, math.sqrt(7.0) - 2.5)
"""Where the centre of the box lies in its cell of the lattice, along and across: irrational, so that no tidy coordinate
meets a line; of several such pairs, one for which exactly n^2 lines meet the box for most n, 96 and 256 among them."""

_PART = 4096
"""Facets, rows or crossings, as the case may be, that are worked on at once: temporaries of three float64 such rows
stay below 128 KiB, above which the C library takes fresh pages from the system every time, at many times the price."""

_CYCLE = np.array([0, 1, 2, 0, 1])


class Form(NamedTuple):
    """A linear form ``(x - x0) * per_x + (y - y0) * per_y + constant``; (x0, y0) is the lower corner of the face."""

    per_x: float
    per_y: float
    constant: float

    def at(self, x: Floats, y: Floats) -> Floats:
        """Values for arrays of x - x0 and y - y0."""
        return x * self.per_x + y * self.per_y + self.constant

    def reach(self, extent: tuple[float, float]) -> tuple[int, int]:
        """Half-open range of whole numbers that holds the form's values on the box, with one to spare at either end."""
        ends = (self.per_x * extent[0], self.per_y * extent[1])
        low = self.constant + sum(min(end, 0.0) for end in ends)
        high = self.constant + sum(max(end, 0.0) for end in ends)
        return math.floor(low) - 1, math.ceil(high) + 2


@dataclass(frozen=True)
class RayGrid:
    """Parallel lines through a box.

    Parameters
    ----------
    axis : int
        The lines run along this axis, in its positive direction; x and y below are the two axes after it, cyclically.
    lines : int
        n: the face holds n^2 cells of the lattice, each with one line.
    lower, extent : tuple of float
        Corner and size of the box, in the order x, y, axis; length.
    along, across : Form
        The coordinates of the lattice; 1/length and numbers. Lines stand where both are whole.
    columns, rows : tuple of int
        Half-open ranges of the two coordinates over the box.
    """

    axis: int
    lines: int
    lower: tuple[float, float, float]
    extent: tuple[float, float, float]
    along: Form
    across: Form
    columns: tuple[int, int]
    rows: tuple[int, int]

    @classmethod
    def over(
        cls,
        lower: ArrayLike,
        upper: ArrayLike,
        axis: int,
        lines: int,
        shift: tuple[float, float] = SHIFT,
        turn: tuple[float, float] = (_COS, _SIN),
    ) -> RayGrid:
        """The lines along one axis through a box.

        Parameters
        ----------
        lower, upper : array_like, shape (3,)
            Corners of the box; length. Every extent must be usable, see `has_depth`.
        axis : int
            0, 1 or 2.
        lines : int
            n, from 1 to `MAX_LINES`.
        shift, turn : tuple of float
            Position of the lattice in its cell; cosine and sine of its angle. Tests set these, to put lines on edges.

        Raises
        ------
        ValueError
            The number of lines is out of range.
        """
        if not 1 <= lines <= MAX_LINES:
            raise ValueError(f"{lines} lines along a side; between 1 and {MAX_LINES} are possible")
        order = ((axis + 1) % 3, (axis + 2) % 3, axis)
        low, high = np.asarray(lower, np.float64).tolist(), np.asarray(upper, np.float64).tolist()
        corner = (low[order[0]], low[order[1]], low[order[2]])
        extent = (high[order[0]] - corner[0], high[order[1]] - corner[1], high[order[2]] - corner[2])
        cos, sin = turn
        half = lines / 2.0
        x, y = lines / extent[0], lines / extent[1]
        along = Form(cos * x, sin * y, -half * (cos + sin) - shift[0])
        across = Form(-sin * x, cos * y, -half * (cos - sin) - shift[1])
        face = extent[:2]
        return cls(axis, lines, corner, extent, along, across, along.reach(face), across.reach(face))

    @property
    def width(self) -> int:
        """Numbers given to the lines of one row."""
        return self.columns[1] - self.columns[0]

    @property
    def count(self) -> int:
        """Numbers given to lines, among them some to lines that pass beside the box."""
        return self.width * (self.rows[1] - self.rows[0])

    @property
    def depth_bits(self) -> int:
        """Bits for the depth of a crossing: what the line's number and the direction leave of 63."""
        return 62 - self.count.bit_length()


def has_depth(lower: ArrayLike, upper: ArrayLike) -> bool:
    """Whether lines can be laid through a box: every extent is positive, and it and its inverse are finite."""
    extents = [high - low for low, high in zip(np.asarray(lower).tolist(), np.asarray(upper).tolist(), strict=True)]
    return all(extent > 0.0 and math.isfinite(extent) and MAX_LINES / extent < math.inf for extent in extents)


def block_crossings(block: Block, grid: RayGrid) -> Crossings:
    """Crossings of the lines of a grid with the facets of a block.

    Depends on nothing else, so that blocks can be worked on in any order and from several threads; the order of the
    result has no meaning.

    Parameters
    ----------
    block : ndarray, shape (3, 3, n)
        Corner, axis, facet; float32 or float64.
    grid : RayGrid
        Its box must hold the block.

    Returns
    -------
    ndarray of int64
        Packed crossings, see `Crossings`. Of more than `MAX_CROSSINGS`, only the first so many and a few more.
    """
    found = [np.empty(0, np.int64)]
    total = 0
    near = _near_rows(block, grid)
    for start in range(0, len(near), _PART):
        facets = _in_lattice(block, near[start : start + _PART], grid)
        for part in _parts(facets):
            found.append(_crossings(facets, part, grid))
            total += len(found[-1])
            if total > MAX_CROSSINGS:
                return np.concatenate(found)
    return np.concatenate(found)


def _near_rows(block: Block, grid: RayGrid) -> Ints:
    """Facets that may meet a row: all that do, and a few more because of round-off.

    Works in the precision of the block, over whole rows of it: this is the only step that sees every facet.
    """
    x_axis, y_axis = (grid.axis + 1) % 3, (grid.axis + 2) % 3
    small = block.dtype == np.float32 and all(2.0**-60 < extent < 2.0**60 for extent in grid.extent)
    kind: Any = np.float32 if small else np.float64
    per_x, per_y, constant = grid.across
    # The corner of the box rounded to the block's precision, so that subtracting it is exact or nearly so.
    x0, y0 = float(kind(grid.lower[0])), float(kind(grid.lower[1]))
    constant += (x0 - grid.lower[0]) * per_x + (y0 - grid.lower[1]) * per_y
    # Each of the six operations errs by half an ulp of at most the largest value that can occur.
    pad = 8.0 * float(np.finfo(kind).eps) * (abs(constant) + 2.0 * grid.lines + 1.0)
    corners = []
    for corner in block:
        value = np.subtract(corner[x_axis], x0, dtype=kind)
        value *= per_x
        other = np.subtract(corner[y_axis], y0, dtype=kind)
        other *= per_y
        value += other
        corners.append(value)
    a, b, c = corners
    low = np.minimum(a, b)
    np.minimum(low, c, out=low)
    np.maximum(a, b, out=a)
    np.maximum(a, c, out=a)
    low += constant - pad
    a += constant + pad
    return np.flatnonzero(np.ceil(low, out=low) < np.ceil(a, out=a))


class _Facets(NamedTuple):
    """Facets in the coordinates of the lattice; corners a, b, c, a, b, so that the two after any corner follow it."""

    across: Floats  # (5, m)
    along: Floats  # (5, m)
    depth: Floats  # (5, m), from 0 to 1
    first: Floats  # (m,), the first row each facet meets
    rows: Ints  # (m,), how many it meets


def _in_lattice(block: Block, near: Ints, grid: RayGrid) -> _Facets:
    """Some facets of a block in the coordinates of the lattice, those that can meet a line only.

    Each coordinate depends on the vertex alone, so that facets that share a vertex still share it.
    """
    x, y, z = (
        np.subtract(block[:, (grid.axis + k) % 3].take(near, axis=1), corner, dtype=np.float64)
        for k, corner in zip((1, 2, 0), grid.lower, strict=True)
    )
    across, along = grid.across.at(x, y), grid.along.at(x, y)
    first, beyond = (np.clip(np.ceil(end), *grid.rows) for end in _ends(across))
    left, right = _ends(along)
    # An edge may meet a row a few ulps beyond its end; all facets that share it must see that.
    slack = grid.lines * 2.0**-48
    keep = np.flatnonzero((first < beyond) & (np.ceil(left - slack) < np.ceil(right + slack)))
    z /= grid.extent[2]
    across, along, z = (values.take(keep, axis=1).take(_CYCLE, axis=0) for values in (across, along, z))
    return _Facets(across, along, z, first.take(keep), (beyond - first).take(keep).astype(np.int64))


def _ends(corners: Floats) -> tuple[Floats, Floats]:
    a, b, c = corners
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _parts(facets: _Facets) -> list[slice]:
    """Consecutive facets with about `_PART` rows and crossings together; a larger facet stands alone.

    A facet has about as many crossings as its projection has area, and at most one more in each row.
    """
    if not facets.rows.size:
        return []
    (qa, qb, qc), (pa, pb, pc) = facets.across[:3], facets.along[:3]
    area = np.abs((pb - pa) * (qc - qa) - (pc - pa) * (qb - qa)) / 2.0
    ends = np.cumsum(np.maximum(area, facets.rows))
    if ends[-1] <= _PART:
        return [slice(0, len(ends))]
    cuts = np.searchsorted(ends, np.arange(_PART, ends[-1], _PART), side="right")
    bounds = np.unique(np.concatenate([[0], cuts, [len(ends)]])).tolist()
    return [slice(start, stop) for start, stop in pairwise(bounds)]


def _counted_up(first: Floats, count: Ints) -> tuple[Ints, Floats]:
    """The numbers ``first[k], ..., first[k] + count[k] - 1`` for every k in turn: each number's k, and the number."""
    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(float(len(owner))) + (first - np.cumsum(count) + count).take(owner)


def _crossings(facets: _Facets, part: slice, grid: RayGrid) -> Crossings:
    """Crossings of a few facets, row by row.

    On each row the facet is a stretch between two of its edges: those that meet in the corner that is alone on its
    side of the row.
    """
    facet, row = _counted_up(facets.first[part], facets.rows[part])
    facet += part.start
    below_a, below_b, below_c = (corner.take(facet) <= row for corner in facets.across[:3])
    alone_below = below_a ^ below_b ^ below_c  # one corner is below, not two
    size = len(facets.rows)
    alone = facet + np.where(below_a == alone_below, 0, np.where(below_b == alone_below, size, 2 * size))
    q, p, z = ([values.ravel().take(alone + turn * size) for turn in range(3)] for values in facets[:3])
    (p1, z1), (p2, z2) = (
        _on_edge(row, (q[0], p[0], z[0]), (q[other], p[other], z[other])) for other in (1, 2)
    )
    first = np.clip(np.ceil(np.minimum(p1, p2)), *grid.columns)
    count = np.clip(np.ceil(np.maximum(p1, p2)), *grid.columns) - first
    # From a corner alone below, the first edge goes up. Left of an edge that goes up lines leave the body, because
    # seen against their direction an outward facet is wound counterclockwise.
    leaves = (p1 > p2) == alone_below
    hit = np.flatnonzero(count)
    stretch, column = _counted_up(first.take(hit), count.take(hit).astype(np.int64))
    owner = hit.take(stretch)
    start, level = p1.take(owner), z1.take(owner)
    level += (column - start) / (p2.take(owner) - start) * (z2.take(owner) - level)
    line = (row.take(owner) - grid.rows[0]) * grid.width + (column - grid.columns[0])
    return _packed(line.astype(np.int64), level, leaves.take(owner), grid)


def _on_edge(row: Floats, a: Sequence[Floats], b: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Place along the row, and depth, where rows meet edges from a to b (each across, along, depth).

    From b to a, differences change their signs and the weights change their places: the results are the same bits.
    """
    run = b[0] - a[0]
    weight_a, weight_b = (b[0] - row) / run, (row - a[0]) / run
    return weight_a * a[1] + weight_b * b[1], weight_a * a[2] + weight_b * b[2]


def _packed(line: Ints, depth: Floats, leaves: NDArray[np.bool_], grid: RayGrid) -> Crossings:
    bits = grid.depth_bits
    fixed = np.rint(np.clip(depth, 0.0, 1.0) * (2.0**bits - 1.0)).astype(np.int64)
    return (((line << bits) | np.minimum(fixed, (1 << bits) - 1)) << 1) | leaves


def line_numbers(crossings: Crossings, grid: RayGrid) -> Ints:
    """The line of each crossing; see `places`."""
    return crossings >> (grid.depth_bits + 1)


def depths(crossings: Crossings, grid: RayGrid) -> Floats:
    """Where each crossing lies along the axis: from 0 to 1 across the box, rounded to 2^-39 or finer."""
    bits = grid.depth_bits
    fixed = (crossings >> 1) & ((1 << bits) - 1)
    return fixed.astype(np.float64) / (2.0**bits - 1.0)


def steps(crossings: Crossings) -> NDArray[np.int8]:
    """Change of the winding number at each crossing: 1 where the line enters, -1 where it leaves."""
    return 1 - 2 * (crossings & 1).astype(np.int8)


def places(line: Ints, grid: RayGrid) -> tuple[Floats, Floats]:
    """Where lines pierce the face of the box, as fractions of its x and y extents from the lower corner."""
    row, column = np.divmod(line, grid.width)
    p = column + (grid.columns[0] - grid.along.constant)
    q = row + (grid.rows[0] - grid.across.constant)
    a, b = grid.along.per_x * grid.extent[0], grid.along.per_y * grid.extent[1]  # n cos, n sin
    square = a * a + b * b
    return (a * p - b * q) / square, (b * p + a * q) / square
