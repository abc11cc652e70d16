"""A second opinion: volume, overlaps and inverted regions counted along parallel lines.

Along a line the winding number rises by one where the line enters the body and falls by one where it leaves. A sound
body has winding number 1 inside and 0 outside. Where it is 2 or more, a region is enclosed twice and is weighed twice;
where it is negative, a part is turned inside out and is weighed negatively. No formula here is shared with the
integrals over the facets, so that the counted volume checks theirs independently: the method of counting little
squares, in three dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.crossings import crossings as crossings_of
from massprops.core.moments import AffineMap
from massprops.core.notice import Notice
from massprops.core.raygrid import (
    MAX_CROSSINGS,
    Crossings,
    RayGrid,
    depths,
    has_depth,
    line_numbers,
    steps,
)
from massprops.core.surface import Floats, Surface
from massprops.core.workers import share_blocks
from massprops.remedy import Remedy, advising

_REMEDY = Remedy("sanitize")

LINES = 96
"""Lines along each side of the box, unless asked otherwise; a thousandth of a face then has nine of them."""

TELLING = 1e-3
"""Part of the volume from which an overlap or an inverted region is told."""


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
    stray_lines : int
        Lines left out because they leave the surface more or less often than they enter it: 0 for a closed surface.
    """

    lines: int
    volume: float
    overlap_volume: float
    inverted_volume: float
    stray_lines: int = 0


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
        return WindingCheck(0, 0.0, 0.0, 0.0)
    chosen = (narrow_axis(lower, upper),) if axes is None else tuple(axes)
    checks = [winding_check(*crossings_along(surface, lower, upper, lines, axis, workers)) for axis in chosen]
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
    ordered, stray = balanced(ordered, grid)
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
    are_pairs = not np.bitwise_or.reduce(enters) & 1 and np.bitwise_and.reduce(leaves) & 1
    if not are_pairs or line_numbers(np.bitwise_or.reduce(enters ^ leaves), grid):
        return None
    return ((leaves - enters) >> 1) / (2.0**grid.depth_bits - 1.0)


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
        found = share_blocks(surface, partial(crossings_of, grid=grid), workers)
        if not are_too_many(found, grid):
            return np.concatenate(found), grid
        lines //= 2


def are_too_many(found: Sequence[Crossings], grid: RayGrid) -> bool:
    """Whether crossings take too much memory, so that fewer lines must do, if there can be fewer."""
    return sum(map(len, found)) > MAX_CROSSINGS and grid.lines > 1


def scaled(check: WindingCheck, affine: AffineMap) -> WindingCheck:
    """A check of a body after an affine map: volumes grow by the absolute determinant."""
    if affine.is_identity:
        return check
    factor = abs(affine.determinant)  # may be too large or small for a float, where the volumes are not
    volumes = (check.volume, check.overlap_volume, check.inverted_volume)
    volume, overlap, inverted = (float(factor * Fraction(each)) for each in volumes)
    return check._replace(volume=volume, overlap_volume=overlap, inverted_volume=inverted)


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
            advising(f"a volume of about {part:.3g}{_share(part, volume)} is enclosed {how}: {why}", _REMEDY),
            {f"{code}_volume": part},
            _REMEDY,
        )
        for code, part, how, why in found
        if part > TELLING * abs(volume)
    )


def _share(part: float, volume: float) -> str:
    """How much of the volume a part is, in words."""
    return f" ({100.0 * part / abs(volume):.3g} % of the whole)" if volume else ""
