"""From a surface to the moments of a body, or to the verdict that there is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from massprops.core.affine_map import AffineMap
from massprops.core.closure import Survey, survey
from massprops.core.crossings import crossings
from massprops.core.exact_numbers import LARGEST
from massprops.core.notice import Notice
from massprops.core.one_reading import OneReading, expected_box, read_once
from massprops.core.polyhedron import Integrals, integrals, integrals_beside
from massprops.core.raygrid import RayGrid
from massprops.core.surface import Surface, blocks
from massprops.core.winding import WindingCheck, are_too_many, cross_check, winding_check
from massprops.errors import Empty, InsideOut, MassPropsError, NonFinite, ZeroVolume
from massprops.remedy import Remedy

if TYPE_CHECKING:
    from massprops.core.diagnosis import Trial

_TRIED = 1 << 19
"""Facets up to which a weld is tried before it is advised: all of them are then in memory."""

_SMALL_BOX = Fraction(2) ** -900
"""Volume of a box in which that of a body may be lost below the smallest float64, 2^-1074."""

_WIDEST = 1000
"""Powers of two by which an axis is stretched at most: a float64 holds 2^1000, and 2^-1074 times as much is no longer
small."""


class Measurement(NamedTuple):
    """A body as measured.

    Parameters
    ----------
    surface : Surface
        What was measured: the surface as given, its hairline cracks closed.
    survey : Survey
        Its box.
    integrals : Integrals
        Its moments and area.
    notices : tuple of Notice
        What must be told beside the numbers.
    check : WindingCheck or None
        What parallel lines find; None where it was not asked for.
    """

    surface: Surface
    survey: Survey
    integrals: Integrals
    notices: tuple[Notice, ...]
    check: WindingCheck | None


def measure(surface: Surface, exact: bool = False, lines: int = 0, read: OneReading | None = None) -> Measurement:
    """Moments of the body inside a surface.

    Parameters
    ----------
    surface : Surface
        Facets oriented outwards.
    exact : bool
        Whether to refuse hairline cracks, which are otherwise closed and told.
    lines : int
        Lines along each side of the box for the cross-check; 0 for none.
    read : OneReading, optional
        Of this surface with as many lines, if it has been read.

    Raises
    ------
    Empty
        No facets.
    NonFinite
        A coordinate is NaN or infinite, or the volume does not fit a float64.
    OpenSurface, InconsistentWinding
        An edge is not balanced by its opposite.
    ZeroVolume
        The volume is zero within its error bound.
    InsideOut
        The volume is negative.
    """
    read = read or _read_once(surface, lines)
    found = surveyed(surface) if read is None else _verified(surface, read.survey)
    if read is not None and not (read.is_whole and found.is_closed):
        read = None  # it takes memory that others need
    closed, notices = (surface, ()) if found.is_closed else _closed(surface, found, exact)
    result, check = _integrated(closed, found, lines, read)
    volume = result.moments.volume
    if not math.isfinite(result.round_off.volume) or abs(volume) > LARGEST:
        raise NonFinite("the volume is too large for double precision; give the size in a larger unit")
    if abs(volume) <= result.round_off.volume:
        raise _without_volume(closed, found)
    if volume < 0:
        said = f"closed, but the facets point inwards: the volume is {float(volume):.6g}"
        raise InsideOut(said, remedy=Remedy("sanitize"))
    return Measurement(closed, found, result, notices, check)


def _read_once(surface: Surface, lines: int) -> OneReading | None:
    """All that there is to find in a surface, if its box can be told before it is read."""
    box = expected_box(surface)
    return None if box is None else read_once(surface, box, lines)


def _integrated(
    surface: Surface, found: Survey, lines: int, read: OneReading | None
) -> tuple[Integrals, WindingCheck | None]:
    """The integrals over a surface, and `cross_check` of it, in one reading; or in that which has been."""
    if read is None:
        box = found.lower, found.upper
        grid = RayGrid.through(*box, lines)
        result, crossed = integrals_beside(surface, *box, partial(crossings, grid=grid))
    else:
        box, grid, crossed = read.box, read.grid, read.crossed
        result = read.integrals(surface)
    if lines == 0:
        return result, None
    if grid is None:
        return result, cross_check(surface, *box, lines)
    if are_too_many(crossed, grid):
        return result, cross_check(surface, *box, lines // 2)
    return result, winding_check(crossed[0] if len(crossed) == 1 else np.concatenate(crossed), grid)


def surveyed(surface: Surface) -> Survey:
    """Box and closedness of a surface with at least one facet and finite coordinates only.

    Raises
    ------
    Empty
        No facets.
    NonFinite
        A coordinate is NaN or infinite.
    """
    if surface.facets == 0:
        raise Empty("no facets")
    return _verified(surface, survey(surface))


def _verified(surface: Surface, found: Survey) -> Survey:
    if not found.is_finite:
        raise _non_finite(surface)
    if not found.has_finite_extents:
        raise NonFinite("the part is too large for double precision; give the size in a larger unit")
    return found


def _closed(surface: Surface, found: Survey, exact: bool) -> tuple[Surface, tuple[Notice, ...]]:
    from massprops.core.boundary import unbalanced_edges  # only for surfaces that are not closed
    from massprops.core.diagnosis import diagnose
    from massprops.core.hairline import close_hairlines, hairline_width

    boundary = unbalanced_edges(surface)
    repaired = None if exact else close_hairlines(surface, boundary, hairline_width(found.lower, found.upper))
    if repaired is None or not survey(repaired.surface).is_closed:
        raise diagnose(boundary, found.lower, found.upper, _trial(surface) if surface.facets <= _TRIED else None)
    return repaired.surface, (repaired.notice,)


def _trial(surface: Surface) -> Callable[[float], Trial]:
    from massprops.core.topology import mesh_of
    from massprops.core.weld import trial

    return lambda tolerance: trial(mesh_of(surface), tolerance)


def _without_volume(surface: Surface, found: Survey) -> MassPropsError:
    """The verdict on a closed surface whose volume is not larger than its error bound, which may be all underflow."""
    if _is_lost(surface, found):
        return NonFinite("the volume is too small for double precision; give the size in a smaller unit")
    return _zero_volume(surface)


def _is_lost(surface: Surface, found: Survey) -> bool:
    """Whether a tiny surface has a volume once each of its extents is about 1.

    Powers of two stretch coordinates without error, and no stretching gives a sheet a volume.
    """
    extents = found.upper - found.lower
    if not 0 < math.prod(map(Fraction, extents.tolist())) < _SMALL_BOX:
        return False
    from massprops.core.mapped import MappedSurface  # only for the tiniest of surfaces

    stretch = np.ldexp(1.0, np.minimum(-np.frexp(extents)[1], _WIDEST))
    wide = MappedSurface(surface, AffineMap.of(np.diag(stretch)))
    result = integrals(wide, found.lower * stretch, found.upper * stretch)
    return bool(abs(result.moments.volume) > result.round_off.volume)


def _zero_volume(surface: Surface) -> ZeroVolume:
    """The verdict on a closed surface without volume: whether there is a body in it is tried before it is told."""
    if surface.facets <= _TRIED and not _holds_a_body(surface):
        if _is_there_twice(surface):
            return ZeroVolume(
                "closed, but it bounds nothing: each facet is there twice, front and back, and they cancel; export it "
                "single-sided or, if it is a sheet, give it a thickness where it was drawn"
            )
        return ZeroVolume(
            "closed, but it bounds nothing: a sheet, both sides of it, has no volume; give it a thickness where it "
            "was drawn"
        )
    return ZeroVolume(
        "closed, but the volume enclosed is zero: a sheet folded on itself, or bodies of opposite orientation "
        "that cancel",
        remedy=Remedy("sanitize"),
    )


def _is_there_twice(surface: Surface) -> bool:
    """Whether each proper facet has its reverse: a sheet, or the skin of a solid, drawn from both sides."""
    from massprops.core.coincident import all_cancel
    from massprops.core.topology import is_proper, mesh_of

    corners = mesh_of(surface).corners
    return all_cancel(corners[is_proper(corners)])


def _holds_a_body(surface: Surface) -> bool:
    """Whether sanitizing leaves a closed surface with a volume."""
    from massprops.core.sanitize import sanitized
    from massprops.core.tolerances import WELD_TOLERANCE

    try:
        mended = sanitized(surface, WELD_TOLERANCE).surface
    except Empty:
        return False
    if mended.facets == 0:
        return False
    found = survey(mended)
    if not found.is_closed:
        return False
    result = integrals(mended, found.lower, found.upper)
    return bool(result.moments.volume > result.round_off.volume)


def _non_finite(surface: Surface) -> NonFinite:
    before, bad = 0, []
    for block in blocks(surface):
        bad += (np.flatnonzero(~np.isfinite(block).all(axis=(0, 1))) + before + 1).tolist()
        before += block.shape[2]
    where = f"facet {bad[0]}" + (f" and {len(bad) - 1} more" if len(bad) > 1 else "")
    message = f"{where} of {surface.facets} with a coordinate that is NaN or infinite; export the part again"
    return NonFinite(message, {"facet": bad[0], "facets": len(bad)})
