"""From what a drawing draws to the boundary of a region: join, nest, and judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from massprops.core.collector import collector_put_off
from massprops.core.columns import Columns
from massprops.core.curve import Curve, Loop, Shape
from massprops.core.fillrule import RULES, filled
from massprops.core.joining import JOIN, Joined, boxes_of, join
from massprops.core.nesting2d import IGNORED, Layout, layout, meeting_points, nested, totals
from massprops.core.nesting_notices import SHOWN, drawn_again, enclosed_twice, not_seen, of_nested, place
from massprops.core.notice import Notice
from massprops.core.once import Once, layout_once, segments_of
from massprops.core.owners import Owners
from massprops.core.painted import doubtful_holes
from massprops.core.piecetable import ArcTable, Ints
from massprops.core.section import SectionIntegrals, section_integrals
from massprops.core.section_errors import SelfIntersecting, ZeroArea
from massprops.core.segments import AnyPiece, Arc, ends_of
from massprops.core.selfcrossing import tolerance_of
from massprops.core.surface import Floats
from massprops.core.tolerances import WELD_TOLERANCE, wide_enough
from massprops.errors import Empty, InsideOut, NonFinite, OpenSurface
from massprops.number_of import number_of
from massprops.remedy import Remedy

_TOLD_GAP = 1e-12
"""Gaps wider than this fraction of the size are told when they are joined."""

_WIDEST_JOIN = 1e-2
"""Gaps wider than this fraction of the size are no slips of the pen: to join what is that far apart is not advised."""

_SMALLEST = 2.0**-530
"""Extent below which the square of a length is no float64."""

WINDINGS = ("nesting", "as_drawn")


@dataclass(frozen=True, eq=False)
class Section:
    """A plane region that can be measured.

    Parameters
    ----------
    curve : Curve
        Its boundary, outer loops anticlockwise and holes clockwise.
    integrals : SectionIntegrals
        Its moments, perimeter and box, at unit density.
    segments : int
        Segments of the boundary: straight ones, arcs, and so on.
    notices : tuple of Notice
        What must be told about it.
    """

    curve: Curve
    integrals: SectionIntegrals
    segments: int
    notices: tuple[Notice, ...] = ()


@collector_put_off()
def build_section(
    shapes: Sequence[Shape],
    *,
    winding: str = "nesting",
    join_tolerance: float | None = None,
    fill: str | None = None,
) -> Section:
    """Join, nest and measure what a drawing draws.

    Parameters
    ----------
    shapes : sequence of Shape
    winding : str
        ``nesting``: loops in an even number of others are outer, the others holes, however they are wound.
        ``as_drawn``: anticlockwise loops are outer, clockwise ones holes.
    join_tolerance : float, optional
        Largest distance of ends that are joined; length. 1e-9 of the drawing's size where left out.
    fill : str, optional
        ``evenodd`` or ``nonzero``: measure what this rule fills, of all loops together, crossing or not.

    Raises
    ------
    ValueError
        There is no such winding or fill rule.
    Empty
        There is no segment.
    NonFinite
        A coordinate is not finite.
    OpenSurface
        Segments do not close.
    SelfIntersecting
        A loop crosses itself, and no fill rule is given.
    InsideOut
        As drawn, the holes are larger than the outer loops.
    ZeroArea
        The loops enclose nothing.

    Examples
    --------
    >>> from massprops.core.segments import Polyline
    >>> corners = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4], [0, 0]])
    >>> section = build_section([Shape.of(Polyline(corners), Polyline(corners / 4 + 1))])
    >>> section.integrals.moments.area, section.segments
    (Fraction(15, 1), 8)
    """
    if winding not in WINDINGS or fill not in (None, *RULES):
        raise ValueError(f"no such winding or fill rule: {winding}, {fill}; there are {', '.join(WINDINGS + RULES)}")
    paths = [path for shape in shapes for path in shape.paths]
    if not paths:
        raise Empty("there is no segment to measure")
    columns = Columns.of([piece for path in paths for piece in path.pieces])
    _check_finite(columns)
    boxes = boxes_of(paths, columns)
    size = float(np.hypot(*(boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0))))
    if 0.0 < size < _SMALLEST:
        raise NonFinite("the section is too small for double precision; give the size in a smaller unit")
    tolerance = JOIN * size if join_tolerance is None else max(join_tolerance, JOIN * size)
    joined = join(paths, tolerance, boxes, columns)
    curve, notices = _closed(joined, shapes, size, columns)
    if not curve.loops:
        raise ZeroArea(f"nothing is enclosed: all segments are shorter than {tolerance:.3g}")
    if fill is None and winding == "nesting":
        once = layout_once(curve, Owners.of(shapes, joined), IGNORED * tolerance)
        twice = joined.duplicates + segments_of(curve) - segments_of(once.curve)
        turn, more = _by_nesting(once, shapes)
        unclear = (turn < 0) & (once.owners.role == 0)
        again = drawn_again(twice, bool((unclear & (once.again | (joined.duplicates > 0))).any()))
        return _measured(_turned(once, turn), (*again, *notices, *more))
    found, again = layout(curve, IGNORED * tolerance), drawn_again(joined.duplicates)
    if fill is not None:
        return _measured(_by_rule(found, curve, fill), (*again, *notices))
    return _measured(curve, (*again, *notices, *_as_drawn(found, curve)))


def _check_finite(columns: Columns) -> None:
    inner = [kind.axes if isinstance(kind, ArcTable) else kind.points for kind in columns.table.kinds]
    if all(np.isfinite(part).all() for part in (columns.corners, *inner)):
        return
    points = np.concatenate([_coordinates(piece) for piece in columns.pieces])
    u, v = points[np.flatnonzero(~np.isfinite(points).all(axis=1))[0]]
    raise NonFinite(f"a coordinate is not finite: ({u:g}, {v:g}); correct it in the file")


def _coordinates(piece: AnyPiece) -> Floats:
    return np.concatenate([piece.axes, ends_of(piece)]) if isinstance(piece, Arc) else piece.points


def _closed(
    joined: Joined, shapes: Sequence[Shape], size: float, columns: Columns
) -> tuple[Curve, list[Notice]]:
    """The loops, those that filling closes too, and what is to be told; or that it is open."""
    if len(joined.branches):
        raise OpenSurface(
            f"{number_of(len(joined.branches), 'point')} where an odd number of segments meet, the first at "
            f"{place(joined.branches[0])}; remove the segments that bound nothing",
            _diagnosis(joined.branches, 0, 0.0),
        )
    owner = [shape for shape in shapes for _ in shape.paths]
    notices = []
    closing = [all(owner[k].filled for k in members) for members in joined.chain_members]
    if not all(closing):
        raise _open(joined, size)
    if joined.largest_gap > _TOLD_GAP * size:
        message = f"segments were joined across gaps, the largest {joined.largest_gap:.3g}"
        notices.append(Notice("joined", message, {"largest_gap": joined.largest_gap}))
    if closing:
        gap = max(math.dist(chain.start, chain.end) for chain in joined.chains)
        paths = number_of(len(closing), "open path is", "open paths are")
        message = f"{paths} closed by a straight line, as filling does, the longest {gap:.6g}"
        notices.append(Notice("closed_by_fill", message, {"paths": len(closing), "largest_gap": gap}))
    return Curve.known((*joined.loops, *(Loop(chain.pieces) for chain in joined.chains)), columns), notices


def _open(joined: Joined, size: float) -> OpenSurface:
    ends = np.array([point for chain in joined.chains for point in (chain.start, chain.end)])
    gaps = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1)) if len(ends) <= 2000 else None
    if gaps is None:
        nearest, mate = np.array([math.dist(*pair) for pair in ends.reshape(-1, 2, 2)]), np.array([1])
    else:
        np.fill_diagonal(gaps, np.inf)
        nearest, mate = gaps.min(axis=1), gaps.argmin(axis=1)
    gap = float(nearest.max())
    chains = number_of(len(joined.chains), "open chain")
    said = f"{len(ends)} loose ends of {chains}, {place(ends[0])} and {place(ends[mate[0]])} {nearest[0]:.6g} apart, "
    said += f"at most {gap:.6g}"
    remedy = None
    if gap <= _WIDEST_JOIN * size:
        tolerance = wide_enough(gap, size)
        remedy = Remedy("connect_nearby", tolerance, is_default=tolerance == WELD_TOLERANCE)
    else:
        said += ", too far to be joined; draw what is missing, and leave out what bounds nothing"
    return OpenSurface(said, _diagnosis(ends, len(joined.chains), gap), remedy=remedy)


def _diagnosis(where: Floats, chains: int, gap: float) -> dict[str, object]:
    return {
        "open_edges": len(where),
        "loops": chains,
        "inconsistent_edges": 0,
        "largest_gap": gap,
        "where": where[:SHOWN].tolist(),
    }


def _by_rule(found: Layout, curve: Curve, fill: str) -> Curve:
    left, right = totals(found, np.ones(len(curve.loops), int))
    return filled(found, left, right, fill, tolerance_of(found.spans))


def _as_drawn(found: Layout, curve: Curve) -> list[Notice]:
    _check_crossed(found)
    weight = np.ones(len(curve.loops), int)
    if section_integrals(curve).moments.area < 0 and found.winding.any():
        raise InsideOut("the outer loop is wound clockwise; leave out --winding as_drawn, or reverse it")
    return enclosed_twice(found, weight)


def _by_nesting(once: Once, shapes: Sequence[Shape]) -> tuple[Ints, list[Notice]]:
    """What each loop adds to the region, and what is to be told."""
    found, owners = once.found, once.owners
    _check_crossed(found)
    mixed = len(shapes)
    rules = [s.rule for s in shapes] + [None]
    nonzero = np.array([rules[k] == "nonzero" for k in owners.shape])
    turn = nested(found, owners, nonzero)
    notices = [*enclosed_twice(found, turn * found.winding), *of_nested(once, turn)]
    unstated = np.array([k < mixed and shapes[k].filled and rules[k] is None for k in owners.shape])
    if unstated.any() and (nested(found, owners, nonzero | unstated) != turn).any():
        message = (
            "loops wound the same way lie in one another and are taken as holes; "
            "without a fill-rule the file fills them (--fill nonzero)"
        )
        notices.append(Notice("fill_rule", message))
    return turn, [*notices, *not_seen(once.curve, doubtful_holes(found, owners, turn, shapes))]


def _turned(once: Once, turn: Ints) -> Curve:
    """The loops that add something, each turned round to add it."""
    along = once.found.winding
    if (turn == along).all() and turn.all():
        return once.curve
    loops = zip(once.curve.loops, (turn == along).tolist(), turn.tolist(), strict=True)
    return Curve(tuple(loop if same else loop.reversed() for loop, same, adds in loops if adds))


def _check_crossed(found: Layout) -> None:
    if len(found.crossed) == 0:
        return
    points = np.concatenate([meeting_points(found, int(loop)) for loop in found.crossed])
    count = len(found.crossed)
    subject = "a loop crosses itself" if count == 1 else f"{count} loops cross themselves"
    raise SelfIntersecting(
        f"{subject}, near {place(points[0])}; correct it, or say what is inside with --fill evenodd",
        {"loops": count, "where": points[:SHOWN].tolist()},
    )


def _measured(region: Curve, notices: tuple[Notice, ...]) -> Section:
    if not region.loops:
        raise ZeroArea("the loops enclose no area; check the drawing")
    integrals = section_integrals(region)
    area, sign = float(integrals.moments.area), integrals.area_sign
    if sign == 0:
        raise ZeroArea(f"the loops enclose no area beyond round-off ({area:.3g}); check the drawing")
    if sign < 0:
        raise InsideOut(f"the area is negative ({area:.6g}): holes are larger than what they are cut from")
    return Section(region, integrals, segments_of(region), notices)

