"""Welding: vertices on open edges that lie close to each other become one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from massprops.core.clusters import clusters
from massprops.core.diagnosis import SHORTEST_EDGE_FRACTION, Trial
from massprops.core.surface import Floats
from massprops.core.topology import Edges, Flags, Ints, Mesh, edges_of, is_proper

FLAT = 1e-12
"""A facet is flat when its height is less than this fraction of its longest side."""


BACK_TO_BACK = -0.9
"""Cosine between the normals of facets that meet in an edge sharper than 26 degrees."""


@dataclass(frozen=True)
class Weld:
    """Which vertices become which.

    Parameters
    ----------
    target : ndarray of int, shape (m,)
        For each vertex the one that takes its place: the lexicographically first of its group, mostly itself.
    vertices : int
        How many vertices move.
    clusters : int
        How many groups they form.
    largest_gap : float
        The furthest that one of them moves; length.
    """

    target: Ints
    vertices: int
    clusters: int
    largest_gap: float

    def scaled(self, exponent: int) -> Weld:
        """The same for a mesh that is larger by a power of two."""
        return Weld(self.target, self.vertices, self.clusters, math.ldexp(self.largest_gap, exponent))

    def after(self, first: Weld | None) -> Weld:
        """What two welds did together; the target of the vertices that the second one was given."""
        if first is None:
            return self
        gap = max(self.largest_gap, first.largest_gap)
        return Weld(self.target, self.vertices + first.vertices, self.clusters + first.clusters, gap)


def weld(mesh: Mesh, candidates: Ints, radius: float) -> Weld:
    """Join vertices within a distance of each other, transitively.

    A group is left alone if joining it would make two corners of a facet one, or flatten a facet that was not flat.

    Parameters
    ----------
    mesh : Mesh
    candidates : ndarray of int, shape (k,)
        Vertices that may be joined.
    radius : float
        Largest distance that is joined; length.

    Examples
    --------
    >>> vertices = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 0.5]])
    >>> found = weld(Mesh(vertices, np.array([[0, 1, 2], [3, 2, 1]])), np.arange(4), 1.0)
    >>> found.target.tolist(), found.largest_gap
    ([0, 1, 2, 0], 0.5)
    """
    order = candidates[np.lexsort(mesh.vertices[candidates].T[::-1])]
    target = np.arange(len(mesh.vertices))
    target[order] = order[clusters(mesh.vertices[order], radius)]
    target = _without_damage(mesh, target)
    moved = np.flatnonzero(target != np.arange(len(target)))
    gaps = np.linalg.norm(mesh.vertices[moved] - mesh.vertices[target[moved]], axis=1)
    return Weld(target, len(moved), len(np.unique(target[moved])), float(gaps.max(initial=0.0)))


def weld_of_open_edges(mesh: Mesh, tolerance: float) -> Weld:
    """Join the ends of unbalanced edges that lie within a fraction of the diagonal of each other (`weld_radius`)."""
    edges = _edges(mesh.corners)
    scaled, exponent = mesh.in_unit_box()
    radius = weld_radius(scaled.vertices, edges.ends, tolerance)
    return weld(scaled, np.unique(edges.ends[edges.net != 0]), radius).scaled(exponent)


def trial(mesh: Mesh, tolerance: float) -> Trial:
    """How many edges that leaves unbalanced, and whether it joins facets back to back.

    >>> corners = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 4, 2]])  # of a tetrahedron, 4 beside 3
    >>> mesh = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1], [0, 0, -1.001]]), corners)
    >>> trial(mesh, 1e-4).left, trial(mesh, 1e-3)
    (4, Trial(left=0, folds=False))
    """
    found = weld_of_open_edges(mesh, tolerance)
    left = np.count_nonzero(_edges(found.target[mesh.corners]).net)
    return Trial(int(left), folds(mesh, found) > 0)


def folds(mesh: Mesh, found: Weld) -> int:
    """Edges at which a weld joined two facets that lie back to back: the sides of a wall whose rim is missing.

    Where the two run along the edge in the same direction, one of them is taken as turned round.

    >>> vertices = np.array([[0.0, 0, 0], [9, 0, 0], [0, 9, 0], [0, 8, 1], [0, 0, 0.1]])
    >>> one, other = (Mesh(vertices, np.array([[0, 1, 2], second])) for second in ([1, 4, 3], [4, 1, 3]))
    >>> found = weld(one, np.array([0, 4]), 0.1)
    >>> folds(one, found), folds(other, found)
    (1, 1)
    """
    corners = mesh.corners[is_proper(mesh.corners)]  # a weld makes no proper facet improper
    before, after = edges_of(corners), edges_of(found.target[corners])
    was_alone = np.zeros(3 * len(corners), bool)
    was_alone[before.half] = (before.uses == 1)[before.edge]
    first = after.starts[:-1][after.uses == 2]
    first = first[was_alone[after.half[first]] & was_alone[after.half[first + 1]]]
    one, other = (_unit_normals(mesh, corners[after.facet[place]]) for place in (first, first + 1))
    turn = -after.sign[first] * after.sign[first + 1]
    return int(((one * other).sum(axis=1) * turn < BACK_TO_BACK).sum())


def _unit_normals(mesh: Mesh, corners: Ints) -> Floats:
    """Zero for facets without area."""
    a, b, c = mesh.in_unit_box()[0].vertices[corners].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    unit: Floats = normal / np.where(size > 0, size, 1)
    return unit


def _edges(corners: Ints) -> Edges:
    return edges_of(corners[is_proper(corners)])


def weld_radius(vertices: Floats, ends: Ints, tolerance: float) -> float:
    """The given fraction of the diagonal of the bounding box, but at most 0.9 of the shortest edge; length.

    Parameters
    ----------
    vertices : ndarray, shape (m, 3)
        At least one; length.
    ends : ndarray of int, shape (e, 2)
        The edges.
    tolerance : float
        Fraction of the diagonal.
    """
    diagonal = float(np.linalg.norm(vertices.max(axis=0) - vertices.min(axis=0)))
    squared = np.zeros(len(ends))
    for x in vertices.T:
        squared += (x[ends[:, 1]] - x[ends[:, 0]]) ** 2
    return min(tolerance * diagonal, SHORTEST_EDGE_FRACTION * float(np.sqrt(squared.min(initial=np.inf))))


def _without_damage(mesh: Mesh, target: Ints) -> Ints:
    """The same without the groups that would spoil a facet."""
    touched = (target != np.arange(len(target)))[mesh.corners].any(axis=1) & is_proper(mesh.corners)
    corners = mesh.corners[touched]
    flat_before = _is_flat(mesh.vertices[corners])
    target = target.copy()
    while True:
        after = target[corners]
        spoilt = ~is_proper(after) | (_is_flat(mesh.vertices[after]) & ~flat_before)
        moved = spoilt[:, None] & (after != corners)
        if not moved.any():
            return target
        given_up = np.isin(target, after[moved])
        target[given_up] = np.flatnonzero(given_up)


def _sides(triangles: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
    return lengths


def _is_flat(triangles: Floats) -> Flags:
    a, b, c = triangles.transpose(1, 0, 2)
    twice_area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.asarray(twice_area <= FLAT * _sides(triangles).max(axis=1) ** 2)
