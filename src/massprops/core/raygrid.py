"""Where parallel lines through a body cross its surface.

The lines run along one axis of coordinates and pierce the face of the box at the points of a square lattice turned
by an angle whose tangent is the golden ratio: no row of it runs along an edge that a person or a program is likely
to draw, so that boxes, plates and slots are sampled as evenly as spheres are (a lattice with such a slope has the
smallest discrepancy there is; L. Kuipers, H. Niederreiter, Uniform Distribution of Sequences, 1974, chapter 2.3).
"""

from __future__ import annotations

import math
from operator import sub
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from massprops.core.surface import Floats

Ints = NDArray[np.int64]
Crossings = NDArray[np.int64]
"""Crossings of lines with facets, each packed into one integer: line, depth, direction, from the highest bits
to the lowest. Sorted, they stand line by line, in the order in which the line meets them. `line_numbers`, `depths`
and `steps` unpack them."""

MAX_LINES = 1024
"""Largest number of lines along a side: with twice as many even a cube has more than `MAX_CROSSINGS`."""

MAX_CROSSINGS = 1 << 22
"""Crossings that are kept in memory; those who look for them stop soon after they have more than that."""

_SLOPE = (math.sqrt(5.0) - 1.0) / 2.0
_COS = 1.0 / math.hypot(1.0, _SLOPE)
_SIN = _SLOPE * _COS

SHIFT = (math.sqrt(2.0) - 1.0, math.sqrt(7.0) - 2.5)
"""Where the centre of the box lies in its cell of the lattice, along and across: irrational, so that no tidy coordinate
meets a line; of several such pairs, one for which exactly n^2 lines meet the box for most n, 96 and 256 among them."""


class Form(NamedTuple):
    """A linear form ``(x - x0) * per_x + (y - y0) * per_y + constant``; (x0, y0) is the lower corner of the face."""

    per_x: float
    per_y: float
    constant: float

    def at(self, x: Floats, y: Floats, out: Floats | None = None) -> Floats:
        """Values for arrays of x - x0 and y - y0, in ``out`` if it is given."""
        found = np.multiply(x, self.per_x, out=out)
        found += y * self.per_y
        found += self.constant
        return found

    def reach(self, extent: tuple[float, float]) -> tuple[int, int]:
        """Half-open range of whole numbers that holds the form's values on the box, with one to spare at either end."""
        x, y = self.per_x * extent[0], self.per_y * extent[1]
        low = self.constant + (min(x, 0.0) + min(y, 0.0))
        high = self.constant + (max(x, 0.0) + max(y, 0.0))
        return math.floor(low) - 1, math.ceil(high) + 2


class RayGrid(NamedTuple):
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

    @classmethod
    def through(cls, lower: ArrayLike, upper: ArrayLike, lines: int) -> RayGrid | None:
        """The lines across the smallest face of a box; None where there is none, or it has no depth."""
        return cls.over(lower, upper, narrow_axis(lower, upper), lines) if lines and has_depth(lower, upper) else None

    @property
    def width(self) -> int:
        """Numbers given to the lines of one row."""
        return self.columns[1] - self.columns[0]

    @property
    def numbers(self) -> int:
        """Numbers given to lines, among them some to lines that pass beside the box."""
        return self.width * (self.rows[1] - self.rows[0])

    @property
    def depth_bits(self) -> int:
        """Bits for the depth of a crossing: what the line's number and the direction leave of 63, 52 at most."""
        return min(52, 62 - self.numbers.bit_length())


def has_depth(lower: ArrayLike, upper: ArrayLike) -> bool:
    """Whether lines can be laid through a box: every extent is positive, and it and its inverse are finite."""
    extents = [high - low for low, high in zip(np.asarray(lower).tolist(), np.asarray(upper).tolist(), strict=True)]
    return all(extent > 0.0 and math.isfinite(extent) and MAX_LINES / extent < math.inf for extent in extents)


def narrow_axis(lower: ArrayLike, upper: ArrayLike) -> int:
    """The axis across which a box has its smallest face: that of its largest extent, the first of equals."""
    extents = list(map(sub, np.asarray(upper).tolist(), np.asarray(lower).tolist()))
    return extents.index(max(extents))


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
