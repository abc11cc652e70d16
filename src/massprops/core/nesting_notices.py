"""What must be told of loops that lie in one another, overlap, are drawn twice, or enclose nothing."""

from __future__ import annotations

import numpy as np

from massprops.core.curve import Curve
from massprops.core.fillrule import filled
from massprops.core.nearly_same import nearly_same
from massprops.core.nesting2d import Layout, faults, totals
from massprops.core.notice import Notice
from massprops.core.once import Once
from massprops.core.piecetable import Ints
from massprops.core.section import section_integrals
from massprops.core.section_errors import SelfIntersecting
from massprops.core.selfcrossing import tolerance_of
from massprops.core.surface import Floats
from massprops.number_of import number_of

SHOWN = 10
"""Points named in a diagnosis."""


def place(point: Floats) -> str:
    """A point in words.

    >>> place(np.array([1.0, 0.5]))
    '(1, 0.5)'
    """
    return f"({point[0]:.6g}, {point[1]:.6g})"


def drawn_again(segments: int, bound_holes: bool = False) -> list[Notice]:
    """That segments are drawn more than once, and what they may have been meant for where they bound holes."""
    if segments == 0:
        return []
    message = f"{number_of(segments, 'segment is', 'segments are')} drawn more than once and counted once"
    if bound_holes:
        message += "; a hole whose outline is drawn twice stays a hole: if a body fills it, measure that by itself"
    return [Notice("duplicate", message, {"segments": segments})]


def enclosed_twice(found: Layout, weight: Ints) -> list[Notice]:
    """Regions that are enclosed twice, or with the wrong sign: where, and the area of the union.

    Parameters
    ----------
    found : Layout
    weight : ndarray of int, shape (n,)
        What one turn round each loop, as it is drawn, counts.
    """
    left, right = totals(found, weight)
    twice, negative = faults(found, left, right)
    notices = []
    if len(twice):
        area = _union(found, left, right)
        known = "" if area is None else f"; their union has the area {area:.12g}"
        message = f"loops overlap near {place(twice[0])}: what they share counts twice{known}"
        notices.append(Notice("overlap", message, {"union": area, "where": twice[:SHOWN].tolist()}))
    if len(negative):
        message = f"a hole lies outside of what it is cut from, near {place(negative[0])}: it counts as negative area"
        notices.append(Notice("inverted", message, {"where": negative[:SHOWN].tolist()}))
    return notices


def _union(found: Layout, left: Ints, right: Ints) -> float | None:
    try:
        union = filled(found, left, right, "positive", tolerance_of(found.spans))
    except SelfIntersecting:
        return None
    return float(section_integrals(union).moments.area) if union.loops else None  # lost within the tolerance


def of_nested(once: Once, turn: Ints) -> list[Notice]:
    """Loops passed over as they enclose nothing, those a hair within others, and polygons taken for holes of others.

    Parameters
    ----------
    once : Once
    turn : ndarray of int, shape (n,)
        What each loop adds to the region (`massprops.core.nesting2d.nested`).
    """
    notices = []
    nothing = np.flatnonzero(once.found.winding == 0)
    if len(nothing):
        loops = number_of(len(nothing), "loop encloses", "loops enclose")
        message = f"{loops} nothing but round-off, which is passed over, the first near "
        message += place(_first_point(once.curve, nothing))
        notices.append(Notice("degenerate", message, {"loops": len(nothing)}))
    pairs = nearly_same(once.curve, once.found)
    hairs = pairs[(once.owners.role[pairs] == 0).all(axis=1), 0]
    if len(hairs):
        lie = number_of(len(hairs), "loop lies", "loops lie")
        message = f"{lie} within another, from which it differs by less than a millionth of the area, the first near "
        message += f"{place(_first_point(once.curve, hairs))}; where one is drawn twice, leave one out"
        notices.append(Notice("duplicate", message, {"loops": len(hairs)}))
    within = np.flatnonzero((once.owners.role > 0) & (turn < 0))
    if len(within):
        lie = number_of(len(within), "polygon lies within another and is", "polygons lie within others and are")
        message = f"{lie} taken for a hole there, the first near {place(_first_point(once.curve, within))}; what is "
        message += "none is to be measured by itself"
        notices.append(Notice("fill_rule", message, {"polygons": len(within)}))
    return notices


def not_seen(curve: Curve, holes: Ints) -> list[Notice]:
    """Loops of filled shapes taken for holes that the picture does not show as such (`massprops.core.painted`)."""
    if len(holes) == 0:
        return []
    message = f"a filled shape near {place(_first_point(curve, holes))} is taken for a hole, though it has the colour "
    message += "of what it lies in, is hidden behind it, or lies on a white sheet; leave out what is no outline"
    message += f"; so are {len(holes) - 1} more" if len(holes) > 1 else ""
    return [Notice("fill_rule", message, {"loops": len(holes)})]


def _first_point(curve: Curve, loops: Ints) -> Floats:
    return curve.loops[int(loops[0])].pieces[0].start
