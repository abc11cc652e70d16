"""The mesh that is drawn: vertices shared, and not more facets than a picture or a browser can bear.

Above a limit the vertices of each cell of a regular grid become one, placed where the planes of the facets around it
meet, so that edges and corners stay sharp. Numbers are never taken from such a mesh.

Source: P. Lindstrom, Out-of-core simplification of large polygonal models, SIGGRAPH 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.points import distinct_points
from massprops.core.surface import Floats

FACETS_DRAWN = 200_000
"""Facets above which a mesh is decimated for drawing."""

_FLAT = 1e-3
"""Eigenvalues below this fraction of the largest do not fix the vertex of a cell: it lies on a plane or an edge."""

_SCALED_TRIALS, _TRIALS = 6, 16
_FILLED = 0.8
"""Enough facets: this fraction of the limit."""

_SMALLEST_CELL = 2.0**-20
"""Of the box: so many cells along an axis still fit a number of 21 bits."""

Faces = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class DrawnMesh:
    """A mesh to be looked at.

    Parameters
    ----------
    vertices : ndarray, shape (m, 3)
        In the coordinates of the triangles it was made from.
    faces : ndarray of int32, shape (n, 3)
        Indices of vertices, wound as the facets of the body.
    facets : int
        Number of facets of the body itself.
    is_decimated : bool
        Whether facets were merged, so that this mesh only looks like the body.
    """

    vertices: Floats
    faces: Faces
    facets: int
    is_decimated: bool


def drawn_mesh(triangles: NDArray[np.floating], limit: int = FACETS_DRAWN) -> DrawnMesh:
    """The mesh to draw for many triangles.

    Parameters
    ----------
    triangles : ndarray, shape (n, 3, 3)
        Facet, corner, axis. Facets with NaN or infinite coordinates are left out, and those with a vertex twice.
    limit : int
        Above this number of facets the mesh is decimated to at most so many.

    Examples
    --------
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> mesh = drawn_mesh(corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]])
    >>> mesh.vertices.shape, len(mesh.faces), mesh.is_decimated
    ((4, 3), 4, False)
    """
    finite = np.isfinite(triangles).all(axis=(1, 2))
    kept = (triangles if finite.all() else triangles[finite]).astype(np.float64) + 0.0
    if len(kept) <= limit:
        return DrawnMesh(*_welded(kept), len(triangles), False)
    vertices, faces = _clustered(kept, limit)
    if len(faces) == 0:  # every facet is smaller than a cell: a few of them will do
        vertices, faces = _welded(kept[:: -(-len(kept) // limit)])
    return DrawnMesh(vertices, faces, len(triangles), True)


def _welded(triangles: Floats) -> tuple[Floats, Faces]:
    """Distinct vertices, and the facets that are no points or lines with a vertex twice."""
    vertices, number = distinct_points(triangles.reshape(-1, 3))
    faces = number.reshape(-1, 3)
    proper = faces[_is_kept(faces.T)]
    return vertices, proper.astype(np.int32)


def _clustered(triangles: Floats, limit: int) -> tuple[Floats, Faces]:
    rows = np.ascontiguousarray(triangles.transpose(2, 1, 0))  # axis, corner, facet: whole rows at a time
    lower = rows.min(axis=(1, 2))
    span = float((rows.max(axis=(1, 2)) - lower).max())
    if span == 0.0:
        return np.empty((0, 3)), np.empty((0, 3), np.int32)
    rows = (rows - lower[:, None, None]) / span
    size = _cell_size(rows, limit)
    key = _cells(rows, size)
    names, number = np.unique(key, return_inverse=True)
    cell = number.reshape(3, -1)
    vertices = _meeting_points(rows / size, cell, len(names)) * (size * span) + lower
    faces = _distinct_faces(cell[:, _is_kept(key)].T)
    used, renumbered = np.unique(faces, return_inverse=True)
    return vertices[used], renumbered.reshape(-1, 3).astype(np.int32)


def _cell_size(rows: Floats, limit: int) -> float:
    """The smallest cell, nearly, that leaves at most ``limit`` facets with corners in three cells.

    Their number goes about with the inverse square of the size, which the first trials follow; the others halve what
    is left between the sizes known to be too small and to be large enough. Sizes are fractions of the box.
    """
    u, v = rows[:, 1] - rows[:, 0], rows[:, 2] - rows[:, 0]
    area = float(np.linalg.norm(np.cross(u, v, axis=0), axis=0).sum()) / 2
    small, large = _SMALLEST_CELL, 2.0
    size = min(max(math.sqrt(2.0 * area / limit), small), 1.0)
    for trial in range(_TRIALS):
        count = int(_is_kept(_cells(rows, size)).sum())
        if count <= limit:
            large = size
            if count >= _FILLED * limit:
                break
        else:
            small = size
        size *= math.sqrt(max(count, 1) / (0.9 * limit))
        if trial >= _SCALED_TRIALS or not small < size < large:
            size = math.sqrt(small * large)
    return large


def _cells(rows: Floats, size: float) -> NDArray[np.int64]:
    """Number of the cell of each corner, shape (3, n)."""
    x, y, z = ((row / size).astype(np.int64) for row in rows)
    keys: NDArray[np.int64] = (x << 42) + (y << 21) + z
    return keys


def _is_kept(key: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether the three corners of a facet, the rows of ``key``, have different numbers."""
    kept: NDArray[np.bool_] = (key[0] != key[1]) & (key[1] != key[2]) & (key[2] != key[0])
    return kept


def _distinct_faces(faces: NDArray[np.intp]) -> NDArray[np.intp]:
    """Each face once, whichever corner it begins with; opposite ones are different."""
    first = faces.argmin(axis=1)
    turned = np.take_along_axis(faces, (first[:, None] + np.arange(3)) % 3, axis=1)
    ranked = turned[np.lexsort(turned.T[::-1])]
    is_new = np.ones(len(ranked), bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    return ranked[is_new]


def _meeting_points(rows: Floats, cell: NDArray[np.intp], count: int) -> Floats:
    """The point of each cell where the planes of its facets meet best, in the least-squares sense.

    With area vectors N, sum N N^T (x - m) = sum N (N . (p - m)), m the mean of the cell's vertices; directions that
    the planes leave free are not moved in. A point that leaves the mean by more than a cell falls back to it. The
    side of a cell is 1.
    """

    def total(of_facets: Floats) -> Floats:
        sums = [np.bincount(corner, of_facets, minlength=count) for corner in cell]
        return np.asarray(sums[0] + sums[1] + sums[2])

    uses = np.bincount(cell.ravel(), minlength=count)
    mean = np.stack([np.bincount(cell.ravel(), row.ravel(), minlength=count) for row in rows], axis=1) / uses[:, None]
    normal = np.cross(rows[:, 1] - rows[:, 0], rows[:, 2] - rows[:, 0], axis=0)
    matrix = np.empty((count, 3, 3))
    for i in range(3):
        for j in range(i, 3):
            matrix[:, i, j] = matrix[:, j, i] = total(normal[i] * normal[j])
    height = (normal * rows[:, 0]).sum(axis=0)
    level = np.stack([total(normal[i] * height) for i in range(3)], axis=1)
    residual = level - np.einsum("kij,kj->ki", matrix, mean)
    values, vectors = np.linalg.eigh(matrix)
    inverse = np.where(values > _FLAT * values[:, 2:], 1.0 / np.maximum(values, 1e-300), 0.0)
    along = np.einsum("kij,ki->kj", vectors, residual) * inverse
    step = np.einsum("kij,kj->ki", vectors, along)
    step[~(np.abs(step).max(axis=1) <= 1.0)] = 0.0
    points: Floats = mean + step
    return points
