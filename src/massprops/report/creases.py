"""Where a drawn mesh is smooth and where it has edges: the normals for its shading, and the lines to draw.

Facets that meet at less than a given angle share their normal along the common edge; corners that are joined so, one
edge after the other, are one point of the shaded mesh. All in whole arrays: no vertex has too many facets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats
from massprops.report.decimation import DrawnMesh

FEATURE_ANGLE = 25.0
"""Degrees between facets above which their edge is drawn and not shaded over."""

DECIMATED_ANGLE = 60.0
"""The same for a decimated mesh, whose facets are rougher than the body's."""

LOOSE_ENDS = 0.1
"""Share of loose ends among the vertices of connected sharp edges above which they are the mesh's, not the body's: the
edges of a part run round its faces, those between slivers on a seam begin and end anywhere."""


@dataclass(frozen=True, eq=False)
class ShadedMesh:
    """A mesh with normals, its vertices split along edges.

    Parameters
    ----------
    points : ndarray, shape (k, 3)
    faces : ndarray of int, shape (n, 3)
        Indices of points.
    normals : ndarray, shape (k, 3)
        Unit vectors; zero where all facets are degenerate.
    edges : ndarray, shape (e, 2, 3)
        Ends of the edges to be drawn.
    """

    points: Floats
    faces: NDArray[np.intp]
    normals: Floats
    edges: Floats


def shaded(mesh: DrawnMesh) -> ShadedMesh:
    """Normals and edges of a mesh with at least one facet.

    Examples
    --------
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)
    >>> found = shaded(DrawnMesh(corners, faces, 4, False))
    >>> len(found.points), len(found.edges)
    (12, 6)
    """
    from scipy.sparse import coo_array  # 0.2 s, on top of the seconds that a picture takes
    from scipy.sparse.csgraph import connected_components

    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a)
    low, high, sharp, others = _edges(mesh, areas)
    sharp[sharp] = _belong_to_the_body(mesh.faces.ravel()[np.stack([low[sharp, 0], high[sharp, 0]])].T, mesh, others)
    nodes = 3 * len(mesh.faces)
    first, second = np.concatenate([low, high])[:, 0], np.concatenate([low, high])[:, 1]
    smooth = np.tile(~sharp, 2)
    joined = coo_array((np.ones(smooth.sum(), bool), (first[smooth], second[smooth])), shape=(nodes, nodes))
    count, group = connected_components(joined, directed=False)
    corners = mesh.faces.ravel()
    points = np.empty((count, 3))
    points[group] = mesh.vertices[corners]
    normals = np.stack([np.bincount(group, np.repeat(areas[:, i], 3), minlength=count) for i in range(3)], axis=1)
    drawn = np.stack([low[sharp, 0], high[sharp, 0]], axis=1)
    if not mesh.is_decimated:
        drawn = np.concatenate([drawn, others])
    return ShadedMesh(points, group.reshape(-1, 3), _units(normals.astype(np.float64)), mesh.vertices[corners[drawn]])


def _edges(
    mesh: DrawnMesh, areas: Floats
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_], NDArray[np.intp]]:
    """Edges of two facets: their corners at the lower and at the higher vertex, (e, 2) each, and whether the edge is
    sharp; and the corners at the ends of edges of one facet or of more than two, (k, 2).

    Corner j of facet i has the number 3 i + j.
    """
    start, end = mesh.faces, np.roll(mesh.faces, -1, axis=1)
    number = np.arange(start.size).reshape(-1, 3)
    is_upward = start < end
    lower = np.where(is_upward, number, np.roll(number, -1, axis=1)).ravel()
    higher = np.where(is_upward, np.roll(number, -1, axis=1), number).ravel()
    key = np.minimum(start, end).astype(np.int64).ravel() * len(mesh.vertices) + np.maximum(start, end).ravel()
    order = np.argsort(key, kind="stable")
    ranked = key[order]
    begins = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    uses = np.diff(np.append(begins, len(ranked)))
    pair = order[begins[uses == 2, None] + np.arange(2)]
    unit = _units(areas)
    facet = pair // 3
    limit = math.cos(math.radians(DECIMATED_ANGLE if mesh.is_decimated else FEATURE_ANGLE))
    sharp = (unit[facet[:, 0]] * unit[facet[:, 1]]).sum(axis=1) < limit
    other = order[begins[uses != 2]]
    return lower[pair], higher[pair], sharp, np.stack([lower[other], higher[other]], axis=1)


def _belong_to_the_body(
    edges: NDArray[np.intp], mesh: DrawnMesh, others: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which of the sharp edges, (e, 2) vertices, hang together with few loose ends; none on ``others`` is loose."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(mesh.vertices)
    joined = coo_array((np.ones(len(edges), bool), (edges[:, 0], edges[:, 1])), shape=(count, count))
    networks, network = connected_components(joined, directed=False)
    uses = np.bincount(edges.ravel(), minlength=count)
    is_loose = uses == 1
    is_loose[mesh.faces.ravel()[others]] = False
    loose = np.bincount(network[is_loose], minlength=networks)
    found: NDArray[np.bool_] = (loose <= LOOSE_ENDS * np.bincount(network, minlength=networks))[network[edges[:, 0]]]
    return found


def _units(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
