"""Scenes: meshes that are placed, once or many times, by affine maps, and become one array of triangles.

glTF nodes, 3MF components, AMF constellations and COLLADA nodes are the same thing: a graph without cycles whose
nodes hold meshes and place other nodes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.errors import Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.polygons import check_corners

Floats = NDArray[np.float64]
Placement = tuple[Hashable, Floats]
"""The key of a part and the map that places it: a matrix ``(3, 4)`` [A | t], x -> A x + t."""

IDENTITY: Floats = np.eye(3, 4)
IDENTITY.flags.writeable = False

ROUNDED = 1e-6
"""What the last row of a matrix may be off by: some programs invert and multiply matrices in single precision."""

MOST_FACETS = 20_000_000
"""Facets that a scene may have although the file itself holds fewer: a few lines can place a mesh a billion times."""

MOST_PLACED = 200_000
"""Parts that a scene may place although the file itself holds fewer."""


@dataclass(frozen=True)
class Mesh:
    """Vertices and the triangles over them.

    Parameters
    ----------
    points : ndarray, shape (v, 3)
        Vertices; float64.
    faces : ndarray, shape (f, 3)
        Indices of the vertices of each triangle, within range.
    gaps : ndarray, shape (p,)
        Volumes between the ways to cut the polygons that the triangles were cut from, as `flatness.gaps` finds
        them, of those of more than three corners; L^3.
    """

    points: Floats
    faces: NDArray[Any]
    gaps: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class Part:
    """A node of a scene: meshes of its own, and other parts that it places.

    Parameters
    ----------
    meshes : sequence of Mesh
    children : sequence of (key, matrix)
        The parts placed, in this part's coordinates.
    """

    meshes: Sequence[Mesh] = ()
    children: Sequence[Placement] = ()


def indexed(points: Floats, faces: NDArray[Any], where: str) -> Mesh:
    """A mesh whose indices have been checked.

    Raises
    ------
    Unreadable
        A facet refers to a vertex that is not there.
    """
    check_corners(np.full(len(faces), 3), faces.ravel(), len(points), f"{where}: ")
    return Mesh(points, faces)


def affine(square: Floats, what: str) -> Floats:
    """[A | t] of a map as a matrix (4, 4) that multiplies column vectors.

    Raises
    ------
    Unsupported
        It is no affine map: its last row is not 0 0 0 1, beyond rounding.
    """
    if not (np.abs(square[3] - (0, 0, 0, 1)) <= ROUNDED).all() and np.isfinite(square).all():
        last = " ".join(f"{x:g}" for x in square[3])
        raise Unsupported(f"{what} is no affine map, as its last row is {last}; export the part with it applied")
    return square[:3]


def composed(outer: Floats, inner: Floats) -> Floats:
    """The map that applies `inner` first and then `outer`; each is [A | t] of shape (3, 4)."""
    with np.errstate(all="ignore"):
        result: Floats = np.column_stack([outer[:, :3] @ inner[:, :3], outer[:, :3] @ inner[:, 3] + outer[:, 3]])
    return result


def assemble(parts: Mapping[Any, Part], roots: Sequence[Placement]) -> Floats:
    """All triangles of a scene.

    Parameters
    ----------
    parts : mapping
        The parts by their keys.
    roots : sequence of (key, matrix)
        What is placed in the file's coordinates.

    Returns
    -------
    ndarray, shape (n, 3, 3)
        Facet, corner, axis; part by part in the order of the scene. A vertex has the same image wherever it is used, so
        a closed mesh stays closed. A map that mirrors reverses the facets' winding, so a body stays a body.

    Raises
    ------
    Unreadable
        A part is missing, or contains itself.
    Unsupported
        The scene repeats its parts to more than `MOST_PLACED`, or its facets to more than `MOST_FACETS`.
    """
    sizes = _sizes(parts, [key for key, _ in roots])
    total, placed = (sum(sizes[key][kind] for key, _ in roots) for kind in (0, 1))
    stored = sum(len(mesh.faces) for part in parts.values() for mesh in part.meshes)
    if total > max(stored, MOST_FACETS) or placed > max(len(parts) + len(roots), MOST_PLACED):
        raise Unsupported(
            f"its scene repeats {number_of(len(parts), 'part')} {placed} times, and {number_of(stored, 'facet')} to "
            f"{total}, more than are read; export the parts one by one"
        )
    result = np.empty((total, 3, 3))
    start = 0
    stack = list(reversed(roots))
    while stack:
        key, matrix = stack.pop()
        for mesh in parts[key].meshes:
            start = _place(mesh, matrix, result, start)
        below = [placement for placement in reversed(parts[key].children) if sizes[placement[0]][0]]
        stack += [(child, composed(matrix, inner)) for child, inner in below]
    return result


def placed_gaps(parts: Mapping[Any, Part], roots: Sequence[Placement]) -> Floats:
    """The gaps of all meshes, each once, as large as in all places of its part together; L^3 of the scene.

    >>> twice = np.column_stack([2 * np.eye(3), np.zeros(3)])
    >>> cell = Part([Mesh(np.eye(3), np.arange(3)[None], np.array([0.5]))])
    >>> parts = {"cell": cell, "all": Part((), [("cell", twice), ("cell", IDENTITY)])}
    >>> placed_gaps(parts, [("all", twice)]).round(9).tolist()
    [36.0]
    """
    order = list(_sizes(parts, [key for key, _ in roots]))[::-1]  # what places a part comes before it
    scale = dict.fromkeys(order, 0.0)
    with np.errstate(all="ignore"):
        for child, matrix in roots:
            scale[child] += _growth(matrix)
        for key in order:
            for child, matrix in parts[key].children:
                scale[child] += scale[key] * _growth(matrix)
        found = [mesh.gaps * scale[key] for key in order for mesh in parts[key].meshes]
    return np.concatenate([np.empty(0), *found])


def _growth(matrix: Floats) -> float:
    """Of volumes, by an affine map."""
    return abs(float(np.linalg.det(matrix[:, :3])))


def _sizes(parts: Mapping[Any, Part], roots: Sequence[Hashable]) -> dict[Hashable, tuple[int, int]]:
    """Facets and number of parts of each part with all that it places: known before memory is taken for them."""
    sizes: dict[Hashable, tuple[int, int]] = {}
    within: set[Hashable] = set()
    stack = list(roots)
    while stack:
        key = stack[-1]
        if key in sizes:
            stack.pop()
            continue
        if key not in parts:
            raise Unreadable(f"its scene refers to {key}, which is not in the file")
        part = parts[key]
        missing = [child for child, _ in part.children if child not in sizes]
        if key in within:
            if missing:
                raise Unreadable(f"its scene has a cycle: {key} contains itself")
            within.discard(key)
            below = [sizes[child] for child, _ in part.children if sizes[child][0]]
            facets = sum(len(mesh.faces) for mesh in part.meshes) + sum(size[0] for size in below)
            sizes[key] = facets, 1 + sum(size[1] for size in below)
            stack.pop()
        else:
            within.add(key)
            stack += missing
    return sizes


def _place(mesh: Mesh, matrix: Floats, out: Floats, start: int) -> int:
    """Write the triangles of a placed mesh into `out` from `start` on; the end of what was written."""
    end = start + len(mesh.faces)
    is_moved = not np.array_equal(matrix, IDENTITY)
    shares_few = mesh.faces.size < len(mesh.points)  # of the vertices of many meshes: most are not its own
    points = _moved(mesh.points, matrix) if is_moved and not shares_few else mesh.points
    np.take(points, mesh.faces, axis=0, out=out[start:end], mode="clip")
    if is_moved and shares_few:
        out[start:end] = _moved(out[start:end].reshape(-1, 3), matrix).reshape(-1, 3, 3)
    with np.errstate(all="ignore"):
        is_mirrored = np.linalg.slogdet(matrix[:, :3])[0] < 0
    if is_mirrored:
        out[start:end] = out[start:end, ::-1].copy()
    return end


def _moved(points: Floats, matrix: Floats) -> Floats:
    """Images of points, element by element: a product of matrices may round equal points differently."""
    x, y, z = points.T
    with np.errstate(all="ignore"):
        return np.stack([row[0] * x + row[1] * y + row[2] * z + row[3] for row in matrix], axis=1)
