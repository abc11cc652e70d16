"""Repair, step by step: each step takes a surface and returns a new one and the record of what was done.

A step that finds nothing to do returns the very surface it was given. No step does more than it says: `sanitize` fills
no holes, `fill_holes` turns no facets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.boundary import unbalanced_edges
from massprops.core.clip import touches_box
from massprops.core.filling import Filling, filling
from massprops.core.holes import boundary_loops
from massprops.core.measure import surveyed
from massprops.core.notice import Notice
from massprops.core.sanitize import Sanitized, moved, sanitized
from massprops.core.surface import Block, Floats, Surface, TriangleArray, blocks, triangle_array
from massprops.core.tolerances import WELD_TOLERANCE
from massprops.core.topology import in_unit_box, mesh_of
from massprops.core.weld import Weld, folds, weld_of_open_edges
from massprops.errors import Empty

_TOLD_CHANGE = 1e-3
"""A weld that changes the areas of facets by more than this part of the whole is told as one that does."""


@dataclass(frozen=True)
class Record:
    """What a step did.

    Parameters
    ----------
    step : str
        The step's name, as its flag is spelt.
    message : str
        The same for people, one line that begins with the step's name.
    changed : bool
        Whether the surface returned is another one.
    counts : mapping
        Numbers, and lists of numbers, under their JSON names.
    notices : tuple of Notice
        What should be told as a warning: the step did as it was told, and that may not be what was meant.
    """

    step: str
    message: str
    changed: bool
    counts: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def connect_nearby(surface: Surface, tolerance: float = WELD_TOLERANCE) -> tuple[Surface, Record]:
    """Join vertices on unbalanced edges that lie close to each other.

    Parameters
    ----------
    surface : Surface
    tolerance : float
        Largest distance that is joined, as a fraction of the diagonal of the bounding box; never more than 0.9 of the
        shortest edge.

    Returns
    -------
    surface : Surface
        Each group of vertices, taken transitively, at its lexicographically first one. No facet becomes flat that
        was not.
    record : Record
        ``vertices`` moved, ``clusters`` they formed, ``largest_gap`` bridged (length). The notice ``folded`` tells
        of facets that a wide weld joined back to back, as the sides of a wall are.

    Raises
    ------
    NonFinite
        A coordinate is NaN or infinite.
    """
    nothing = Record("connect_nearby", "connect_nearby: no cracks to close", False, _weld_counts(None))
    if _is_closed(surface):
        return surface, nothing
    mesh = mesh_of(surface)
    found = weld_of_open_edges(mesh, tolerance)
    if found.vertices == 0:
        return surface, nothing
    before = triangle_array(surface)
    triangles = moved(before, mesh, found)
    message = f"connect_nearby: {_weld_message(found)}{_weld_effect(before, triangles)}"
    told = _fold_notices(folds(mesh, found), tolerance)
    return TriangleArray(triangles), Record("connect_nearby", message, True, _weld_counts(found), told)


def sanitize(surface: Surface, tolerance: float = WELD_TOLERANCE) -> tuple[Surface, Record]:
    """Make facets agree: drop what is not a facet, close cracks, drop stray copies, turn facets round.

    In this order: facets with two equal corners go; where edges are still open, vertices are joined as by
    `connect_nearby`; of facets that coincide, those stay that leave every edge with an even number of uses; the facets
    of each body are wound alike, then outermost bodies outwards, cavities inwards, bodies in cavities outwards. An
    open body is turned as if its holes were closed, unless they make up most of it: then most of its facets stay as
    they are. Holes are not filled.

    Parameters
    ----------
    surface : Surface
    tolerance : float
        As for `connect_nearby`.

    Returns
    -------
    surface : Surface
    record : Record
        ``degenerate_facets`` and ``coincident_facets`` dropped, ``reversed_facets``; ``vertices``, ``clusters`` and
        ``largest_gap`` of the weld; what the surface then consists of: ``bodies``, of these ``cavities``,
        ``open_bodies`` and ``one_sided_bodies``, which cannot be oriented and were left as they are. The notice
        ``folded`` as for `connect_nearby`.

    Raises
    ------
    NonFinite
        A coordinate is NaN or infinite.
    Empty
        All facets have two equal corners.
    """
    if surface.facets == 0:
        return surface, Record("sanitize", "sanitize: nothing to do", False)
    surveyed(surface)
    found = sanitized(surface, tolerance)
    bodies = found.orientation
    counts = {
        "degenerate_facets": found.degenerate,
        **_weld_counts(found.weld),
        "coincident_facets": found.coincident,
        "reversed_facets": found.reversed,
        "bodies": len(bodies.is_open),
        "cavities": int(bodies.is_cavity.sum()),
        "open_bodies": int((bodies.is_open & ~bodies.is_one_sided).sum()),
        "one_sided_bodies": int(bodies.is_one_sided.sum()),
    }
    message, told = _sanitize_message(found, counts), _fold_notices(found.folds, tolerance)
    return found.surface, Record("sanitize", message, found.surface is not surface, counts, told)


def fill_holes(surface: Surface, max_edges: int | None = None) -> tuple[Surface, Record]:
    """Close the loops of the boundary with new facets, oriented from their neighbours.

    A planar loop is closed exactly in its plane, with its own vertices; a cap over another one is an estimate of what
    is missing, and told so.

    Parameters
    ----------
    surface : Surface
    max_edges : int, optional
        Loops of more edges are left open.

    Returns
    -------
    surface : Surface
        The facets as they were, followed by the new ones.
    record : Record
        ``holes`` filled, ``facets`` and ``area`` (length^2) added, ``flatness`` of each filled loop (its largest
        distance from a plane, relative to its size), ``estimated`` caps that are not planar, ``holes_left``, and
        ``tangled_edges`` at which a boundary cannot be followed because facets are wound against each other.

    Raises
    ------
    NonFinite
        A coordinate is NaN or infinite.
    """
    if _is_closed(surface):
        return surface, Record("fill_holes", "fill_holes: no holes", False, _fill_counts(np.empty((0, 3, 3))))
    triangles = triangle_array(surface)
    boundary = unbalanced_edges(surface)
    loops = boundary_loops(boundary, triangles)
    points, exponent = in_unit_box(boundary.vertices)
    found = filling(points, loops.vertices, max_edges)
    new = np.ldexp(found.triangles, exponent).astype(triangles.dtype)
    counts = _fill_counts(new, found, loops.tangled)
    record = Record("fill_holes", _fill_message(counts), len(new) > 0, counts)
    return (TriangleArray(np.concatenate([triangles, new])) if len(new) else surface), record


def clip(surface: Surface, lower: ArrayLike, upper: ArrayLike) -> tuple[Surface, Record]:
    """Keep the facets that touch a box, whole.

    Parameters
    ----------
    surface : Surface
    lower, upper : array_like, shape (3,)
        Two opposite corners of the box, in any order; length.

    Returns
    -------
    surface : Surface
    record : Record
        ``facets`` dropped.

    Raises
    ------
    NonFinite
        A coordinate is NaN or infinite.
    Empty
        No facet touches the box.
    """
    if surface.facets == 0:
        return surface, Record("clip", "clip: nothing to do", False, {"facets": 0})
    found = surveyed(surface)
    box = np.sort(np.array([lower, upper], np.float64), axis=0)
    keep = np.concatenate([touches_box(block, *box) for block in blocks(surface)])
    dropped = int((~keep).sum())
    if dropped == surface.facets:
        extent = f"from {_point(found.lower)} to {_point(found.upper)}"
        raise Empty(f"no facet touches the clip box; the part reaches {extent}")
    record = Record("clip", f"clip: {_count(dropped, 'facet')} dropped", dropped > 0, {"facets": dropped})
    return (TriangleArray(triangle_array(surface)[keep]) if dropped else surface), record


def merge(surface: Surface, other: Surface) -> tuple[Surface, Record]:
    """Add the facets of another surface.

    Parameters
    ----------
    surface, other : Surface

    Returns
    -------
    surface : Surface
        The facets of the first, followed by those of the second; in double precision if one of them is.
    record : Record
        ``facets`` added.
    """
    added = other.facets
    record = Record("merge", f"merge: {_count(added, 'facet')} added", added > 0, {"facets": added})
    if added == 0:
        return surface, record
    parts = [triangle_array(part) for part in (surface, other) if part.facets]
    return TriangleArray(np.concatenate(parts)), record


def _is_closed(surface: Surface) -> bool:
    return surface.facets == 0 or surveyed(surface).is_closed


def _weld_counts(found: Weld | None) -> dict[str, Any]:
    if found is None:
        return {"vertices": 0, "clusters": 0, "largest_gap": 0.0}
    return {"vertices": found.vertices, "clusters": found.clusters, "largest_gap": found.largest_gap}


def _fill_counts(new: Block, found: Filling | None = None, tangled: int = 0) -> dict[str, Any]:
    points, exponent = in_unit_box(new.astype(np.float64))
    a, b, c = points.transpose(1, 0, 2)
    area = 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
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


def _weld_message(found: Weld) -> str:
    vertices, places = _count(found.vertices, "vertex", "vertices"), _count(found.clusters, "place")
    return f"{vertices} joined to a neighbour at {places}, the largest gap {found.largest_gap:.3g}"


def _fold_notices(edges: int, tolerance: float) -> tuple[Notice, ...]:
    """That a weld wider than the default one joined facets back to back; what cracks are, that one tells."""
    if edges == 0 or tolerance <= WELD_TOLERANCE:
        return ()
    message = (
        f"the weld left {_count(edges, 'edge')} with facets back to back: if these are the sides of a wall without its "
        "rim, --fill_holes with a narrower --weld_tolerance keeps it"
    )
    return (Notice("folded", message, {"edges": edges}),)


def _weld_effect(before: Block, after: Block) -> str:
    """What a weld did to the area, where that is more than a crack's worth."""
    points, _ = in_unit_box(np.concatenate([before, after]).astype(np.float64))
    a, b, c = points.transpose(1, 0, 2)
    old, new = np.linalg.norm(np.cross(b - a, c - a), axis=1).reshape(2, -1)
    change = float(np.abs(new - old).sum() / max(old.sum(), np.finfo(float).tiny))
    return f"; that changed facets by {100 * change:.2g} % of the area" if change > _TOLD_CHANGE else ""


def _sanitize_message(found: Sanitized, counts: Mapping[str, Any]) -> str:
    done = [
        f"{_count(found.degenerate, 'facet')} with two equal corners dropped" if found.degenerate else "",
        _weld_message(found.weld) if found.weld else "",
        f"{_count(found.coincident, 'coincident facet')} dropped" if found.coincident else "",
        f"{_count(found.reversed, 'facet')} reversed" if found.reversed else "",
    ]
    left = []
    if counts["open_bodies"]:
        left.append(f"{_count(counts['open_bodies'], 'body', 'bodies')} still open")
    if counts["one_sided_bodies"]:
        bodies = _count(counts["one_sided_bodies"], "body", "bodies")
        left.append(f"{bodies} cannot be oriented, being one-sided as a Moebius strip is")
    return "; ".join([f"sanitize: {', '.join(filter(None, done)) or 'nothing to do'}", *left])


def _fill_message(counts: Mapping[str, Any]) -> str:
    parts = []
    if counts["holes"]:
        facets = _count(counts["facets"], "facet")
        parts.append(f"{_count(counts['holes'], 'hole')} filled with {facets} of area {counts['area']:.6g}")
    if counts["estimated"]:
        worst = f"up to {max(counts['flatness']):.2g} of a hole's size out of plane"
        parts.append(f"{_count(counts['estimated'], 'cap is', 'caps are')} not planar ({worst}) and only an estimate")
    if counts["holes_left"]:
        parts.append(f"{_count(counts['holes_left'], 'hole')} left")
    if counts["tangled_edges"]:
        edges = _count(counts["tangled_edges"], "boundary edge")
        parts.append(f"{edges} left near facets that are wound against each other or there twice; try --sanitize")
    return f"fill_holes: {'; '.join(parts) or 'no holes'}"


def _count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _point(coordinates: Floats) -> str:
    return "(" + ", ".join(f"{x:.6g}" for x in coordinates) + ")"
