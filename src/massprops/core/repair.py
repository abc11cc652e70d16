"""Repair, step by step: each step takes a surface and returns a new one and the record of what was done.

A step that finds nothing to do returns the very surface it was given. No step does more than it says: `sanitize` fills
no holes, `fill_holes` turns nothing unless it is told to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.boundary import unbalanced_edges
from massprops.core.clip import touches_box
from massprops.core.filling import filling
from massprops.core.hairline import hairline_width, join_hairlines
from massprops.core.holes import boundary_loops
from massprops.core.measure import surveyed
from massprops.core.notice import Notice
from massprops.core.repair_words import (
    cap_notices,
    estimate_notices,
    fill_counts,
    fill_message,
    fold_notices,
    point,
    sanitize_counts,
    sanitize_message,
    sheet_notices,
    weld_counts,
    weld_effect,
    weld_message,
)
from massprops.core.sanitize import Turned, moved, sanitized, turned_when_closed
from massprops.core.surface import Surface, TriangleArray, blocks, triangle_array
from massprops.core.tolerances import WELD_TOLERANCE
from massprops.core.topology import in_unit_box, mesh_of
from massprops.core.weld import folds, weld_of_open_edges
from massprops.errors import Empty
from massprops.number_of import number_of
from massprops.remedy import Remedy, advising


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
    remedy : Remedy or None
        What the message ends in, as `massprops.remedy.advising` puts it.
    """

    step: str
    message: str
    changed: bool
    counts: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    remedy: Remedy | None = None


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
    nothing = Record("connect_nearby", "connect_nearby: no cracks to close", False, weld_counts(None))
    if _is_closed(surface):
        return surface, nothing
    mesh = mesh_of(surface)
    found = weld_of_open_edges(mesh, tolerance)
    if found.vertices == 0:
        return surface, nothing
    before = triangle_array(surface)
    triangles = moved(before, mesh, found)
    message = f"connect_nearby: {weld_message(found)}{weld_effect(before, triangles)}"
    told = fold_notices(folds(mesh, found), tolerance)
    return TriangleArray(triangles), Record("connect_nearby", message, True, weld_counts(found), told)


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
        ``folded`` as for `connect_nearby`, and where most of the area lies back to back beside the body.

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
    counts = sanitize_counts(found)
    told = *fold_notices(found.folds, tolerance), *sheet_notices(found.back_to_back)
    message = sanitize_message(found, counts)
    return found.surface, Record("sanitize", message, found.surface is not surface, counts, told)


def fill_holes(
    surface: Surface, max_edges: int | None = None, turn: bool = False, exact: bool = False
) -> tuple[Surface, Record]:
    """Close the loops of the boundary with new facets, oriented from their neighbours.

    Hairline cracks are no holes: they are closed first, as where a surface is measured. A planar loop is closed exactly
    in its plane, with its own vertices; a cap over another one is an estimate of what is missing, and told so.

    Parameters
    ----------
    surface : Surface
    max_edges : int, optional
        Loops of more edges are left open.
    turn : bool
        Whether bodies that point the wrong way are turned once their caps have closed them. `sanitize` could not tell
        as long as they were more hole than surface.
    exact : bool
        Whether hairline cracks are filled like holes.

    Returns
    -------
    surface : Surface
        The facets as they were, followed by the new ones.
    record : Record
        ``holes`` filled, ``facets`` and ``area`` (length^2) added, ``flatness`` of each filled loop (its largest
        distance from a plane, relative to its size), ``estimated`` caps that are not planar, ``holes_left``,
        ``tangled_edges`` at which a boundary cannot be followed because facets are wound against each other, and
        ``reversed_facets`` if bodies were turned. The notice ``hairline`` tells of hairline cracks, ``estimated``
        of caps that are guesses, and ``capped`` of those that are about as large as the surface was.

    Raises
    ------
    NonFinite
        A coordinate is NaN or infinite.
    """
    if _is_closed(surface):
        return surface, Record("fill_holes", "fill_holes: no holes", False, fill_counts(np.empty((0, 3, 3))))
    told: list[Notice] = []
    boundary = unbalanced_edges(surface)
    joined = None if exact else join_hairlines(surface, boundary, _hairline_width(surface))
    if joined is not None:
        surface, boundary = joined.surface, joined.boundary
        told.append(joined.notice)
    triangles = triangle_array(surface)
    loops = boundary_loops(boundary, triangles)
    points, exponent = in_unit_box(boundary.vertices)
    found = filling(points, loops.vertices, max_edges)
    new = np.ldexp(found.triangles, exponent).astype(triangles.dtype)
    counts = fill_counts(new, found, loops.tangled)
    remedy = Remedy("sanitize") if counts["tangled_edges"] else None
    if len(new):
        told += cap_notices(found.triangles, np.ldexp(triangles.astype(np.float64), -exponent))
        told += estimate_notices(counts)
    turned = Turned(TriangleArray(np.concatenate([triangles, new])) if len(new) else surface)
    if turn and len(new):
        turned = turned_when_closed(turned.surface, len(triangles))
    if turned.bodies:
        counts["reversed_facets"] = turned.facets
    message = advising(fill_message(counts, turned.bodies), remedy)
    is_changed = len(new) > 0 or joined is not None
    return turned.surface, Record("fill_holes", message, is_changed, counts, tuple(told), remedy)


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
        extent = f"from {point(found.lower)} to {point(found.upper)}"
        raise Empty(f"no facet touches the clip box; the part reaches {extent}")
    record = Record("clip", f"clip: {number_of(dropped, 'facet')} dropped", dropped > 0, {"facets": dropped})
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
    record = Record("merge", f"merge: {number_of(added, 'facet')} added", added > 0, {"facets": added})
    if added == 0:
        return surface, record
    parts = [triangle_array(part) for part in (surface, other) if part.facets]
    return TriangleArray(np.concatenate(parts)), record


def _hairline_width(surface: Surface) -> float:
    found = surveyed(surface)
    return hairline_width(found.lower, found.upper)


def _is_closed(surface: Surface) -> bool:
    return surface.facets == 0 or surveyed(surface).is_closed
