"""A second opinion: volume, overlaps and inverted regions counted along parallel lines.

Along a line the winding number rises by one where the line enters the body and falls by one where it leaves. A sound
body has winding number 1 inside and 0 outside. Where it is 2 or more, a region is enclosed twice and is weighed twice;
where it is negative, a part is turned inside out and is weighed negatively. No formula here is shared with the
integrals over the facets, so that the counted volume, centre and tensor check those independently: the method of
counting little squares, in three dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.crossings import crossings as crossings_of
from massprops.core.notice import Notice
from massprops.core.raygrid import (
    MAX_CROSSINGS,
    Crossings,
    RayGrid,
    depths,
    has_depth,
    line_numbers,
    places,
    steps,
)
from massprops.core.surface import Floats, Surface, block_count

LINES = 96
"""Lines along each side of the box, unless asked otherwise; a thousandth of a face then has nine of them."""

VERIFY_LINES = 256
"""Lines along each side for `counted`."""

TELLING = 1e-3
"""Part of the volume from which an overlap or an inverted region is told."""

_PART = 1 << 17
"""Crossings whose powers are formed at once; bounds the memory of `counted`."""

_BLOCKS = 8
"""Blocks from which facets that meet lines are gathered: of small facets few do, and each step has its price."""

Each = Callable[[Callable[[range], Crossings], Iterable[range]], Iterable[Crossings]]
"""How a function is applied to runs of blocks, results in their order: `map`, or that of an executor."""


@dataclass(frozen=True)
class WindingCheck:
    """What parallel lines find of a body.

    Parameters
    ----------
    lines : int
        Lines laid through the box, the square of the number along a side; 0 when the box is flat. In a box whose sides
        happen to fall so, one or two more or less pass through it.
    volume : float
        Independent estimate of the volume, every region multiplied by its winding number; length^3.
    overlap_volume : float
        Volume of the region enclosed twice or more; length^3.
    inverted_volume : float
        Volume of the region that is enclosed inside out, its winding number negative; length^3.
    stray_lines : int
        Lines left out because they leave the surface more or less often than they enter it: 0 for a closed surface.
    """

    lines: int
    volume: float
    overlap_volume: float
    inverted_volume: float
    stray_lines: int = 0


@dataclass(frozen=True, eq=False)
class Counted:
    """Mass properties at density 1, counted along lines in all three directions.

    Parameters
    ----------
    lines : int
        Lines laid through the box, in all directions together; 0 when the box is flat.
    volume : float
        Every region multiplied by its winding number; length^3.
    center : ndarray, shape (3,)
        Centre of mass; length. The centre of the box when the volume is 0.
    inertia : ndarray, shape (3, 3)
        Inertia tensor about that centre, off-diagonals minus the products of inertia; length^5.
    stray_lines : int
        Lines left out, see `WindingCheck`.
    """

    lines: int
    volume: float
    center: Floats
    inertia: Floats
    stray_lines: int = 0


def cross_check(
    surface: Surface,
    lower: ArrayLike,
    upper: ArrayLike,
    lines: int = LINES,
    axes: Sequence[int] | None = None,
    each: Each = map,
) -> WindingCheck:
    """Volume, overlaps and inverted regions of a body, counted along parallel lines.

    Parameters
    ----------
    surface : Surface
        Read once for each axis. Only crossings are kept; a surface that has more than `raygrid.MAX_CROSSINGS` is
        read again with half as many lines a side, so that memory stays in bounds.
    lower, upper : array_like, shape (3,)
        Corners of its box; length.
    lines : int, optional
        Lines along each side of the box; from 1 to `raygrid.MAX_LINES`.
    axes : sequence of int, optional
        Directions of the lines; the results are averaged. The default is the one direction along which the box
        has its smallest face.
    each : callable, optional
        Applies a function to runs of blocks; an executor's ``map`` uses its threads. The result is the same.

    Returns
    -------
    WindingCheck
        All zero for a box without a finite, positive extent in every direction.

    Raises
    ------
    ValueError
        The number of lines is out of range.

    Examples
    --------
    A tetrahedron, and the same turned inside out:

    >>> from massprops.core.surface import TriangleArray
    >>> points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
    >>> facets = points[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    >>> check = cross_check(TriangleArray(facets), [0, 0, 0], [1, 2, 3])
    >>> check.lines, round(check.volume, 2), check.inverted_volume
    (9216, 1.0, 0.0)
    >>> check = cross_check(TriangleArray(facets[:, ::-1]), [0, 0, 0], [1, 2, 3])
    >>> round(check.volume, 2), round(check.inverted_volume, 2)
    (-1.0, 1.0)
    """
    if not has_depth(lower, upper):
        return WindingCheck(0, 0.0, 0.0, 0.0)
    chosen = (narrow_axis(lower, upper),) if axes is None else tuple(axes)
    checks = [winding_check(*_crossings_along(surface, lower, upper, lines, axis, each)) for axis in chosen]
    return WindingCheck(
        sum(check.lines for check in checks),
        math.fsum(check.volume for check in checks) / len(checks),
        math.fsum(check.overlap_volume for check in checks) / len(checks),
        math.fsum(check.inverted_volume for check in checks) / len(checks),
        sum(check.stray_lines for check in checks),
    )


def narrow_axis(lower: ArrayLike, upper: ArrayLike) -> int:
    """The axis across which a box has its smallest face: that of its largest extent, the first of equals."""
    return int(np.argmax(np.subtract(upper, lower)))


def winding_check(crossings: Crossings, grid: RayGrid) -> WindingCheck:
    """What the crossings of all blocks with one grid tell.

    Parameters
    ----------
    crossings : ndarray
        In any order; not more than `raygrid.MAX_CROSSINGS`, above which blocks leave some out.
    grid : RayGrid
        The lines they belong to.
    """
    ordered = np.sort(crossings)
    lines = grid.lines**2
    lengths = _simple_lengths(ordered, grid)
    if lengths is not None:
        return WindingCheck(lines, math.prod(grid.extent, start=float(lengths.sum()) / lines), 0.0, 0.0)
    ordered, stray = _balanced(ordered, grid)
    winding = np.cumsum(steps(ordered), dtype=np.int32)[:-1]  # 0 after the last crossing of each line
    length = np.diff(depths(ordered, grid))
    volume, overlap, inverted = (
        math.prod(grid.extent, start=float(part) / lines)
        for part in ((winding * length).sum(), length[winding >= 2].sum(), length[winding < 0].sum())
    )
    return WindingCheck(lines, volume, overlap, inverted, stray)


def _simple_lengths(ordered: Crossings, grid: RayGrid) -> Floats | None:
    """Lengths of the stretches inside a body whose winding number is 0 or 1 everywhere, 1 across the box; else None.

    Every line then enters, leaves, enters, leaves: sorted crossings are pairs, which differ in their depth alone.
    """
    if len(ordered) % 2:
        return None
    enters, leaves = ordered[0::2], ordered[1::2]
    fixed = (leaves - enters) >> 1
    are_pairs = not (enters & 1).any() and (leaves & 1).all()
    if not are_pairs or (line_numbers(leaves, grid) != line_numbers(enters, grid)).any():
        return None
    return fixed / (2.0**grid.depth_bits - 1.0)


def _balanced(ordered: Crossings, grid: RayGrid) -> tuple[Crossings, int]:
    """Sorted crossings without those of lines that enter and leave unequally often, and the number of these lines."""
    if not ordered.size:
        return ordered, 0
    line = line_numbers(ordered, grid)
    ends = np.flatnonzero(np.append(line[1:] != line[:-1], True))
    excess = np.diff(np.cumsum(steps(ordered), dtype=np.int32)[ends], prepend=0)
    if not excess.any():
        return ordered, 0
    sound = np.repeat(excess == 0, np.diff(ends, prepend=-1))
    return ordered[sound], int(np.count_nonzero(excess))


def counted(
    surface: Surface,
    lower: ArrayLike,
    upper: ArrayLike,
    lines: int = VERIFY_LINES,
    each: Each = map,
) -> Counted:
    """Volume, centre of mass and inertia tensor of a body, counted along lines in all three directions.

    A stretch of a line with winding number w stands for w times the area of a cell times its length; the integrals
    of 1, t and t^2 along it are exact. The error falls about as lines^-1.5, faster for bodies with flat faces.

    Parameters
    ----------
    surface, lower, upper, lines, each
        As for `cross_check`.

    Returns
    -------
    Counted
        All zero for a box without a finite, positive extent in every direction.

    Raises
    ------
    ValueError
        The number of lines is out of range.
    """
    low, high = np.asarray(lower, np.float64), np.asarray(upper, np.float64)
    if not has_depth(low, high):
        return Counted(0, 0.0, low + (high / 2 - low / 2), np.zeros((3, 3)))
    moments = np.zeros((4, 4))
    laid = stray = 0
    for axis in range(3):
        crossings, grid = _crossings_along(surface, low, high, lines, axis, each)
        ordered, left_out = _balanced(np.sort(crossings), grid)
        moments += _line_moments(ordered, grid) / 3.0
        laid += grid.lines**2
        stray += left_out
    volume, center, inertia = _from_unit_cube(moments, low, high - low)
    return Counted(laid, volume, center, inertia, stray)


def _line_moments(crossings: Crossings, grid: RayGrid) -> Floats:
    """int w h h^T dV, h = (1, x, y, z), over the box made a unit cube about its centre; shape (4, 4), from one grid.

    The integral of w t^k along a line is minus the sum over its crossings of step t^(k+1) / (k+1).
    """
    total = np.zeros((4, 4))
    for start in range(0, len(crossings), _PART):
        part = crossings[start : start + _PART]
        x, y = (place - 0.5 for place in places(line_numbers(part, grid), grid))
        t = depths(part, grid) - 0.5
        still = np.array([np.ones_like(t), x, y])
        once = -steps(part) * t
        twice = once * t / 2.0
        # einsum, not a matrix product: BLAS would round differently on machines with other numbers of cores.
        total[:3, :3] += np.einsum("ik,jk->ij", still, still * once)
        total[:3, 3] += np.einsum("ik,k->i", still, twice)
        total[3, 3] += (twice * t).sum() * (2.0 / 3.0)
    total[3, :3] = total[:3, 3]
    order = [0, *(1 + (axis - grid.axis - 1) % 3 for axis in range(3))]
    moments = total[np.ix_(order, order)]
    return (moments + moments.T) / (2.0 * grid.lines**2)


def _from_unit_cube(moments: Floats, lower: Floats, extent: Floats) -> tuple[float, Floats, Floats]:
    """Volume, centre and inertia about it, from the moments of the box made a unit cube about its centre."""
    middle = lower + extent / 2.0
    part = float(moments[0, 0])
    if part == 0.0:
        return 0.0, middle, np.zeros((3, 3))
    center = moments[0, 1:] / part
    volume = math.prod(extent.tolist(), start=part)
    with np.errstate(over="ignore", invalid="ignore"):
        spread = (moments[1:, 1:] / part - np.outer(center, center)) * np.outer(extent, extent)
        return volume, middle + center * extent, volume * (np.trace(spread) * np.eye(3) - spread)


def _crossings_along(
    surface: Surface, lower: ArrayLike, upper: ArrayLike, lines: int, axis: int, each: Each
) -> tuple[Crossings, RayGrid]:
    """All crossings along one axis, and the grid they belong to: coarser than asked for if they are too many."""
    blocks = block_count(surface)
    runs = [range(start, min(start + _BLOCKS, blocks)) for start in range(0, blocks, _BLOCKS)]
    while True:
        grid = RayGrid.over(lower, upper, axis, lines)
        found = _within_bounds(each(partial(_crossings_of, surface, grid), runs), grid)
        if found is not None:
            return np.concatenate([np.empty(0, np.int64), *found]), grid
        lines //= 2


def _crossings_of(surface: Surface, grid: RayGrid, blocks: Iterable[int]) -> Crossings:
    return crossings_of((surface.block(index) for index in blocks), grid)


def _within_bounds(results: Iterable[Crossings], grid: RayGrid) -> list[Crossings] | None:
    """The crossings of all blocks; None as soon as there are too many of them and fewer lines are possible."""
    kept: list[Crossings] = []
    total = 0
    for result in results:
        kept.append(result)
        total += len(result)
        if total > MAX_CROSSINGS and grid.lines > 1:
            return None
    return kept


def notices(check: WindingCheck, volume: float) -> tuple[Notice, ...]:
    """What of a check must be told beside a result.

    Parameters
    ----------
    check : WindingCheck
        From `cross_check`.
    volume : float
        The volume that is reported; length^3.

    Returns
    -------
    tuple of Notice
        ``overlap`` and ``inverted``, each when its volume is more than `TELLING` of the volume.

    Examples
    --------
    >>> [notice.code for notice in notices(WindingCheck(9216, 16.0, 4.0, 0.0), 16.0)]
    ['overlap']
    """
    found = (
        ("overlap", check.overlap_volume, "twice or more", "bodies overlap, or a cavity is wound outwards"),
        ("inverted", check.inverted_volume, "inside out", "a part is wound the wrong way, and counts as negative"),
    )
    return tuple(
        Notice(
            code,
            f"a volume of about {part:.3g}{_share(part, volume)} is enclosed {how}: {why}; try --sanitize",
            {f"{code}_volume": part},
        )
        for code, part, how, why in found
        if part > TELLING * abs(volume)
    )


def _share(part: float, volume: float) -> str:
    """How much of the volume a part is, in words."""
    return f" ({100.0 * part / abs(volume):.3g} % of the whole)" if volume else ""
