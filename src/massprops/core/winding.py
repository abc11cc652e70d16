"""A second opinion: volume, overlaps and inverted regions counted along parallel lines.

Along a line the winding number rises by one where the line enters the body and falls by one where it leaves. A sound
body has winding number 1 inside and 0 outside. Where it is 2 or more, a region is enclosed twice and is weighed twice;
where it is negative, a part is turned inside out and is weighed negatively. No formula here is shared with the
integrals over the facets, so that the counted volume checks theirs independently: the method of counting little
squares, in three dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.affine_map import AffineMap
from massprops.core.crossings import crossings as crossings_of
from massprops.core.notice import Notice
from massprops.core.raygrid import (
    MAX_CROSSINGS,
    Crossings,
    RayGrid,
    depths,
    has_depth,
    line_numbers,
    narrow_axis,
    steps,
)
from massprops.core.surface import Floats, Surface
from massprops.core.workers import Numbered, share_blocks
from massprops.remedy import Remedy, advising

_REMEDY = Remedy("sanitize")

LINES = 96
"""Lines along each side of the box, unless asked otherwise; a thousandth of a face then has nine of them."""

TELLING = 1e-3
"""Part of the volume from which an overlap or an inverted region is told; of that which is enclosed at all if it is
less, because each copy of a body adds to the volume."""

_MANY = 2.5
"""How often a region is enclosed, on average, from which that is told: copies make much of little."""


class WindingCheck(NamedTuple):
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
    enclosed_volume : float
        Volume of all that is enclosed, every region once, however often and in whatever sense it is; length^3.
    excess_volume : float
        What regions enclosed twice or more add to the volume beyond being counted once; length^3.
    negative_volume : float
        What regions enclosed inside out take away from the volume; length^3.
    stray_lines : int
        Lines left out because they leave the surface more or less often than they enter it: 0 for a closed surface.
    """

    lines: int
    volume: float
    overlap_volume: float
    inverted_volume: float
    enclosed_volume: float
    excess_volume: float
    negative_volume: float
    stray_lines: int = 0


_VOLUMES = WindingCheck._fields[1:-1]


def cross_check(
    surface: Surface,
    lower: ArrayLike,
    upper: ArrayLike,
    lines: int = LINES,
    axes: Sequence[int] | None = None,
    workers: int | None = None,
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
    workers : int, optional
        See `massprops.core.workers.map_blocks`; the result does not depend on it.

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
        return WindingCheck._make((0, *[0.0] * len(_VOLUMES), 0))
    chosen = (narrow_axis(lower, upper),) if axes is None else tuple(axes)
    checks = [winding_check(*crossings_along(surface, lower, upper, lines, axis, workers)) for axis in chosen]
    volumes = [math.fsum(getattr(check, name) for check in checks) / len(checks) for name in _VOLUMES]
    lines, stray = sum(check.lines for check in checks), sum(check.stray_lines for check in checks)
    return WindingCheck._make((lines, *volumes, stray))


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
        volume = math.prod(grid.extent, start=float(lengths.sum()) / lines)
        return WindingCheck(lines, volume, 0.0, 0.0, volume, 0.0, 0.0)
    ordered, stray = balanced(ordered, grid)
    winding = np.cumsum(steps(ordered), dtype=np.int32)[:-1]  # 0 after the last crossing of each line
    length = np.diff(depths(ordered, grid))
    inside, more, less = (np.flatnonzero(where) for where in (winding != 0, winding >= 2, winding < 0))
    overlapping, inverted = length.take(more), length.take(less)
    parts = (
        winding * length,
        overlapping,
        inverted,
        length.take(inside),
        (winding.take(more) - 1) * overlapping,
        -winding.take(less) * inverted,
    )
    volumes = (math.prod(grid.extent, start=float(part.sum()) / lines) for part in parts)
    return WindingCheck._make((lines, *volumes, stray))


def _simple_lengths(ordered: Crossings, grid: RayGrid) -> Floats | None:
    """Lengths of the stretches inside a body whose winding number is 0 or 1 everywhere, 1 across the box; else None.

    Every line then enters, leaves, enters, leaves: sorted crossings are pairs, which differ in their depth alone.
    """
    if len(ordered) % 2:
        return None
    enters, leaves = ordered[0::2], ordered[1::2]
    differ = enters ^ leaves
    is_one_line = not line_numbers(np.bitwise_or.reduce(differ), grid)
    if not is_one_line or not np.bitwise_and.reduce(differ) & 1 or np.bitwise_or.reduce(enters) & 1:
        return None
    lengths = ((leaves - enters) >> 1).astype(np.float64)
    lengths /= 2.0**grid.depth_bits - 1.0
    return lengths


def balanced(ordered: Crossings, grid: RayGrid) -> tuple[Crossings, int]:
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


def crossings_along(
    surface: Surface, lower: ArrayLike, upper: ArrayLike, lines: int, axis: int, workers: int | None
) -> tuple[Crossings, RayGrid]:
    """All crossings along one axis, and the grid they belong to: coarser than asked for if they are too many."""
    while True:
        grid = RayGrid.over(lower, upper, axis, lines)
        found = share_blocks(surface, partial(_crossed, grid=grid), workers)
        if not are_too_many(found, grid):
            return np.concatenate(found), grid
        lines //= 2


def _crossed(blocks: Numbered, grid: RayGrid) -> Crossings:
    return crossings_of((block for _, block in blocks), grid)


def are_too_many(found: Sequence[Crossings], grid: RayGrid) -> bool:
    """Whether crossings take too much memory, so that fewer lines must do, if there can be fewer."""
    return sum(map(len, found)) > MAX_CROSSINGS and grid.lines > 1


def scaled(check: WindingCheck, affine: AffineMap) -> WindingCheck:
    """A check of a body after an affine map: volumes grow by the absolute determinant."""
    if affine.is_identity:
        return check
    factor = abs(affine.determinant)  # may be too large or small for a float, where the volumes are not
    volumes = [float(factor * Fraction(getattr(check, name))) for name in _VOLUMES]
    return WindingCheck._make((check.lines, *volumes, check.stray_lines))


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
        ``overlap`` and ``inverted``, each when what its region adds to the volume, or takes away from it, is more than
        `TELLING` of that, or of all that is enclosed.

    Examples
    --------
    Two bodies of volume 8 that overlap by half, and a body of volume 1 that is there 2000 times:

    >>> notices(WindingCheck(9216, 16.0, 4.0, 0.0, 12.0, 4.0, 0.0), 16.0)[0].message.split(":")[0]
    'a volume of about 4 (33.3 % of the whole) is enclosed twice or more'
    >>> notices(WindingCheck(9216, 2000.0, 1.0, 0.0, 1.0, 1999.0, 0.0), 2000.0)[0].message.split(":")[0]
    'a volume of about 1 (100 % of the whole) is enclosed 2e+03 times'
    """
    whole = min(abs(volume), check.enclosed_volume)
    return tuple(_found(check, whole))


def _found(check: WindingCheck, whole: float) -> Iterator[Notice]:
    part, added = check.overlap_volume, check.excess_volume
    if added > TELLING * whole:
        how = _often(part, part + added) or "twice or more"
        yield _notice("overlap", part, whole, how, "bodies overlap, or a cavity is wound outwards")
    part, taken = check.inverted_volume, check.negative_volume
    if taken > TELLING * whole:
        how = " ".join(filter(None, ("inside out", _often(part, taken))))
        yield _notice("inverted", part, whole, how, "a part is wound the wrong way, and counts as negative")


def _often(part: float, counted: float) -> str:
    """How often a region is counted, on average, if that is often."""
    return f"{counted / part:.3g} times" if part and counted > _MANY * part else ""


def _notice(code: str, part: float, whole: float, how: str, why: str) -> Notice:
    share = f" ({100.0 * part / whole:.3g} % of the whole)" if whole else ""
    said = f"a volume of about {part:.3g}{share} is enclosed {how}: {why}"
    return Notice(code, advising(said, _REMEDY), {f"{code}_volume": part}, _REMEDY)
