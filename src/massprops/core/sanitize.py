"""Facets made to agree with each other: the stages of `massprops.core.repair.sanitize`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.back_to_back import BackToBack, back_to_back
from massprops.core.closure import survey
from massprops.core.coincident import Copies, choose_copies
from massprops.core.orientation import Orientation, orientation
from massprops.core.surface import Block, Surface, TriangleArray, blocks, triangle_array
from massprops.core.topology import Edges, Flags, Ints, Mesh, edges_of, is_proper, mesh_of
from massprops.core.weld import Weld, folds, weld, weld_radius
from massprops.errors import Empty

MOST_PASSES = 8
"""No surface has needed more than three."""


@dataclass(frozen=True)
class Sanitized:
    """A surface after all stages.

    Parameters
    ----------
    surface : Surface
        The one that was given, if no stage had anything to do.
    degenerate, coincident : int
        Facets dropped because two of their corners are equal, or because of their copies.
    weld : Weld or None
        The vertices that were joined.
    folds : int
        Edges at which that left facets back to back.
    reversed : int
        Facets turned round.
    orientation : Orientation
        The bodies that the surface consists of.
    back_to_back : BackToBack
        What is left beside them: sheets with both their sides, which enclose nothing.
    may_go_on : bool
        Whether another pass might find something to do.
    """

    surface: Surface
    degenerate: int
    weld: Weld | None
    folds: int
    coincident: int
    reversed: int
    orientation: Orientation
    back_to_back: BackToBack
    may_go_on: bool

    def followed_by(self, other: Sanitized) -> Sanitized:
        """What two passes did together."""
        return Sanitized(
            other.surface,
            self.degenerate + other.degenerate,
            self.weld if other.weld is None else other.weld.after(self.weld),
            self.folds + other.folds,
            self.coincident + other.coincident,
            self.reversed + other.reversed,
            other.orientation,
            other.back_to_back,
            other.may_go_on,
        )


def sanitized(surface: Surface, tolerance: float) -> Sanitized:
    """Drop what is not a facet, close cracks, choose among coincident facets, wind the others alike.

    After a weld, and where facets still coincide or bodies meet along edges, a second pass may see more than the first
    did, so the passes end with one that finds nothing.

    Parameters
    ----------
    surface : Surface
        With at least one facet and finite coordinates.
    tolerance : float
        Width of the weld, as a fraction of the diagonal of the bounding box.

    Raises
    ------
    Empty
        All facets have two equal corners.
    """
    found = _sanitized_once(surface, tolerance)
    for _ in range(MOST_PASSES - 1):
        if not found.may_go_on:
            break
        found = found.followed_by(_sanitized_once(found.surface, tolerance))
    return found


@dataclass(frozen=True)
class Turned:
    """A surface after bodies that had been open were turned.

    Parameters
    ----------
    surface : Surface
        The one that was given, if none had to be.
    bodies, facets : int
        How many were turned.
    """

    surface: Surface
    bodies: int = 0
    facets: int = 0


def turned_when_closed(surface: Surface, old: int) -> Turned:
    """Turn whole bodies that caps have closed and that point the wrong way.

    Whether a body is more hole than surface, and so has no inside that `sanitized` could tell, changes with its caps.
    Only what encloses a negative volume altogether is touched: of sides of a wall, each with caps of its own, the inner
    one may jut out of the outer one, and is right as it was drawn.

    Parameters
    ----------
    surface : Surface
        With finite coordinates.
    old : int
        Facets before the caps, which follow them.
    """
    if _signed_volume(surface) >= 0:
        return Turned(surface)
    mesh = mesh_of(surface)
    proper = np.flatnonzero(is_proper(mesh.corners))
    facets, _ = Mesh(mesh.vertices, mesh.corners[proper]).in_unit_box()
    choice = _Choice.of(facets, choose_copies(facets.corners))
    copies, found = choice.copies, choice.oriented()
    if found.is_open.any() or len(copies.kept) + len(copies.paired) < len(proper):
        return Turned(surface)
    is_capped, is_mixed = np.zeros((2, len(found.is_open)), bool)
    is_capped[found.body[proper[copies.kept] >= old]] = True
    is_mixed[found.body[~found.is_reversed]] = True
    is_turned = is_capped & ~is_mixed
    reverse = proper[copies.kept[is_turned[found.body]]]
    if len(reverse) == 0:
        return Turned(surface)
    triangles = _rebuilt(triangle_array(surface), np.arange(surface.facets), reverse)
    return Turned(TriangleArray(triangles), int(is_turned.sum()), len(reverse))


def _signed_volume(surface: Surface) -> float:
    """What facets enclose, as a part of the cube about their box; much faster than to look for their vertices."""
    box = survey(surface)
    center, size = 0.5 * box.lower + 0.5 * box.upper, float((box.upper - box.lower).max()) or 1.0
    volume = 0.0
    for block in blocks(surface):
        a, b, c = (block - center[:, None]) / size
        product = sum(a[i] * (b[j] * c[k] - b[k] * c[j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
        volume += float(np.sum(product)) / 6.0
    return volume


def _sanitized_once(surface: Surface, tolerance: float) -> Sanitized:
    mesh = mesh_of(surface)
    proper = np.flatnonzero(is_proper(mesh.corners))
    if len(proper) == 0:
        all_of_them = "its only facet has" if surface.facets == 1 else f"all {surface.facets} facets have"
        raise Empty(f"{all_of_them} two equal corners; export the part again")
    facets, exponent = Mesh(mesh.vertices, mesh.corners[proper]).in_unit_box()
    first = _Choice.of(facets, choose_copies(facets.corners))
    choice, joined = _welded_where_open(first, tolerance)
    copies, found = _arranged(choice)
    by_copy = found.is_reversed & (copies.mirrored >= 0)  # a copy that is wound as wanted takes the place
    chosen = proper[np.where(by_copy, copies.mirrored, copies.kept)]
    reverse = chosen[found.is_reversed & ~by_copy]
    final = np.sort(np.concatenate([chosen, proper[copies.paired]]))
    changed = len(final) < surface.facets or joined is not None or len(reverse) > 0
    if changed:
        surface = TriangleArray(_rebuilt(moved(triangle_array(surface), mesh, joined), final, reverse))
    return Sanitized(
        surface,
        len(mesh.corners) - len(proper),
        joined and joined.scaled(exponent),
        folds(first.kept, joined) if joined else 0,
        len(proper) - len(final),
        len(reverse),
        found,
        back_to_back(choice.mesh, _wound(choice.mesh.corners[copies.kept], found.is_reversed), copies.paired),
        changed and (joined is not None or copies.are_some_left or found.has_rims),
    )


@dataclass(frozen=True)
class _Choice:
    """Facets, which of coincident ones to keep, and the edges of those."""

    mesh: Mesh
    copies: Copies
    edges: Edges

    @classmethod
    def of(cls, mesh: Mesh, copies: Copies) -> _Choice:
        return cls(mesh, copies, edges_of(mesh.corners[copies.kept]))

    @property
    def kept(self) -> Mesh:
        return Mesh(self.mesh.vertices, self.mesh.corners[self.copies.kept])

    def oriented(self) -> Orientation:
        return orientation(self.kept, self.edges)


def _welded_where_open(choice: _Choice, tolerance: float) -> tuple[_Choice, Weld | None]:
    """The choice after the weld that open edges call for, and the weld.

    An edge is open when an odd number of facets use it, not counting copies: facets wound the wrong way, and copies,
    are no reason to join vertices.
    """
    mesh, edges = choice.mesh, choice.edges
    candidates = np.unique(edges.ends[edges.uses % 2 == 1])
    if len(candidates) == 0:
        return choice, None
    found = weld(mesh, candidates, weld_radius(mesh.vertices, edges.ends, tolerance))
    if found.vertices == 0:
        return choice, None
    welded = Mesh(mesh.vertices, found.target[mesh.corners])
    return _Choice.of(welded, choose_copies(welded.corners)), found


def _arranged(choice: _Choice) -> tuple[Copies, Orientation]:
    """The choice among coincident facets, and how those that are kept should be wound.

    Where a surface passes through itself, facets may coincide and all be needed: what is left without them cannot be
    oriented.
    """
    copies, found = choice.copies, choice.oriented()
    if len(copies.removed) and found.is_one_sided.any():
        others = copies.without_removal()
        alternative = _Choice.of(choice.mesh, others).oriented()
        if _one_sided_facets(alternative) < _one_sided_facets(found):
            return others, alternative
    return copies, found


def _one_sided_facets(found: Orientation) -> int:
    return int(found.is_one_sided[found.body].sum())


def moved(triangles: Block, mesh: Mesh, joined: Weld | None) -> Block:
    """Facets, shape ``(n, 3, 3)``, with their corners at the vertices that take their place."""
    if joined is None:
        return triangles
    facet, corner = np.nonzero((joined.target != np.arange(len(joined.target)))[mesh.corners])
    result = triangles.copy()
    result[facet, corner] = mesh.vertices[joined.target[mesh.corners[facet, corner]]]
    return result


def _wound(corners: Ints, is_reversed: Flags) -> Ints:
    """Facets, shape (n, 3), some of them with their second and third corners exchanged."""
    return np.where(is_reversed[:, None], corners[:, [0, 2, 1]], corners)


def _rebuilt(triangles: Block, final: Ints, reverse: Ints) -> Block:
    """Some of the facets, some of these with their second and third corners exchanged."""
    turned: Flags = np.zeros(len(triangles), bool)
    turned[reverse] = True
    result = triangles[final]
    result[turned[final]] = result[turned[final]][:, [0, 2, 1]]
    return result
