"""What the steps of repair say of what they did: counts for programs, and one line for people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from massprops.core.back_to_back import BackToBack
from massprops.core.filling import Filling
from massprops.core.notice import Notice
from massprops.core.sanitize import Sanitized
from massprops.core.surface import Block, Floats, facet_areas
from massprops.core.tolerances import WELD_TOLERANCE
from massprops.core.topology import in_unit_box
from massprops.core.weld import Weld
from massprops.number_of import number_of

_ALL_BUT = 0.9
"""Caps that have more than this part of the area that was there are told: the cap of half a ball has half of it."""

_TOLD_FLATNESS = 1e-3
"""How far from a plane the rim of a hole lies, relative to its size, from which its cap is told as a guess."""

_TOLD_CHANGE = 1e-3
"""A weld that changes the areas of facets by more than this part of the whole is told as one that does."""


def weld_counts(found: Weld | None) -> dict[str, Any]:
    """Counts of a weld; None is one that joined nothing."""
    if found is None:
        return {"vertices": 0, "clusters": 0, "largest_gap": 0.0}
    return {"vertices": found.vertices, "clusters": found.clusters, "largest_gap": found.largest_gap}


def fill_counts(new: Block, found: Filling | None = None, tangled: int = 0) -> dict[str, Any]:
    """Counts of new facets, shape (n, 3, 3), over holes, and of edges near which no hole could be followed."""
    points, exponent = in_unit_box(new.astype(np.float64))
    area = float(facet_areas(points).sum())
    with np.errstate(over="ignore"):
        area = float(np.nan_to_num(np.ldexp(area, 2 * exponent)))
    filled = found.filled if found else np.zeros(0, bool)
    return {
        "holes": int(filled.sum()),
        "facets": len(new),
        "area": area,
        "flatness": found.flatness[filled].tolist() if found else [],
        "estimated": int((filled & ~found.is_planar).sum()) if found else 0,
        "holes_left": int((~filled).sum()),
        "tangled_edges": tangled,
    }


def sanitize_counts(found: Sanitized) -> dict[str, Any]:
    """Counts of what was dropped, joined and turned, and of the bodies that are left."""
    bodies = found.orientation
    return {
        "degenerate_facets": found.degenerate,
        **weld_counts(found.weld),
        "coincident_facets": found.coincident,
        "reversed_facets": found.reversed,
        "bodies": len(bodies.is_open),
        "cavities": int(bodies.is_cavity.sum()),
        "open_bodies": int((bodies.is_open & ~bodies.is_one_sided).sum()),
        "one_sided_bodies": int(bodies.is_one_sided.sum()),
    }


def weld_message(found: Weld) -> str:
    """What a weld joined, and how far apart it was."""
    vertices, places = number_of(found.vertices, "vertex", "vertices"), number_of(found.clusters, "place")
    return f"{vertices} joined to a neighbour at {places}, the largest gap {found.largest_gap:.3g}"


def fold_notices(edges: int, tolerance: float) -> tuple[Notice, ...]:
    """That a weld wider than the default one joined facets back to back; what cracks are, that one tells."""
    if edges == 0 or tolerance <= WELD_TOLERANCE:
        return ()
    message = (
        f"the weld left {number_of(edges, 'edge')} with facets back to back: if these are the sides of a wall without "
        "its rim, a narrower --weld_tolerance keeps it for --fill_holes"
    )
    return (Notice("folded", message, {"edges": edges}),)


def sheet_notices(found: BackToBack) -> tuple[Notice, ...]:
    """That most of a surface is sheets with both their sides: the body is what little they leave."""
    if not found.are_most:
        return ()
    message = (
        f"{found.facets} of {number_of(found.of, 'facet')} ({100 * found.share:.0f} % of the area) lie back to back "
        "and enclose nothing: if they are the skin of a solid, export it single-sided; if they are a sheet, give it a "
        "thickness"
    )
    return (Notice("folded", message, {"facets": found.facets, "share": found.share}),)


def cap_notices(caps: Block, before: Block) -> tuple[Notice, ...]:
    """That caps are about as large as the surface was: backs of sheets, rather than what is missing of a body."""
    added, there = float(facet_areas(caps).sum()), float(facet_areas(before).sum())
    if added <= _ALL_BUT * there:
        return ()
    message = (
        f"the caps have {added / there:.2f} times the area that was there before: if they are the backs of "
        "loose facets or of a sheet, there is no body in them; --connect_nearby with a wide --weld_tolerance joins "
        "loose facets"
    )
    return (Notice("capped", message, {"share": added / there}),)


def estimate_notices(counts: Mapping[str, Any]) -> tuple[Notice, ...]:
    """That caps over holes whose rims are far from plane are guesses, which the numbers depend on."""
    worst = max(filter(math.isfinite, counts["flatness"]), default=0.0)
    if not counts["estimated"] or worst <= _TOLD_FLATNESS:
        return ()
    caps = number_of(counts["estimated"], "hole was", "holes were")
    message = (
        f"{caps} filled whose rim is not plane, by up to {worst:.2g} of its size: what is measured there is a guess"
    )
    return (Notice("estimated", message, {"caps": counts["estimated"], "flatness": worst}),)


def weld_effect(before: Block, after: Block) -> str:
    """What a weld did to the area, where that is more than a crack's worth."""
    points, _ = in_unit_box(np.concatenate([before, after]).astype(np.float64))
    old, new = facet_areas(points).reshape(2, -1)
    change = float(np.abs(new - old).sum() / max(old.sum(), np.finfo(float).tiny))
    return f"; that changed facets by {100 * change:.2g} % of the area" if change > _TOLD_CHANGE else ""


def sanitize_message(found: Sanitized, counts: Mapping[str, Any]) -> str:
    """What was done, and what is left open or one-sided."""
    done = [
        f"{number_of(found.degenerate, 'facet')} with two equal corners dropped" if found.degenerate else "",
        weld_message(found.weld) if found.weld else "",
        f"{number_of(found.coincident, 'coincident facet')} dropped" if found.coincident else "",
        f"{number_of(found.reversed, 'facet')} reversed" if found.reversed else "",
    ]
    left = []
    if counts["open_bodies"]:
        left.append(f"{number_of(counts['open_bodies'], 'body', 'bodies')} still open")
    if counts["one_sided_bodies"]:
        bodies = number_of(counts["one_sided_bodies"], "body", "bodies")
        left.append(f"{bodies} cannot be oriented, being one-sided as a Moebius strip is")
    return "; ".join([f"sanitize: {', '.join(filter(None, done)) or 'nothing to do'}", *left])


def fill_message(counts: Mapping[str, Any], turned: int = 0) -> str:
    """Which holes were filled, how well, and which were not; how many bodies were turned then."""
    parts = []
    if counts["holes"]:
        facets = number_of(counts["facets"], "facet")
        parts.append(f"{number_of(counts['holes'], 'hole')} filled with {facets} of area {counts['area']:.6g}")
    if counts["estimated"]:
        worst = f"up to {max(counts['flatness']):.2g} of a hole's size out of plane"
        caps = number_of(counts["estimated"], "cap is", "caps are")
        parts.append(f"{caps} not planar ({worst}) and only an estimate")
    if turned:
        parts.append(f"{number_of(turned, 'body', 'bodies')} turned, inside out until now")
    if counts["holes_left"]:
        parts.append(f"{number_of(counts['holes_left'], 'hole')} left")
    if counts["tangled_edges"]:
        edges = number_of(counts["tangled_edges"], "boundary edge")
        parts.append(f"{edges} left near facets that are wound against each other or there twice")
    return f"fill_holes: {'; '.join(parts) or 'no holes'}"


def point(coordinates: Floats) -> str:
    """A point in brackets, to six digits."""
    return "(" + ", ".join(f"{x:.6g}" for x in coordinates) + ")"
