"""The mesh as changed, written to a file: STL as binary, the other formats through trimesh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from massprops.core.measure import surveyed
from massprops.core.moments import AffineMap
from massprops.core.points import distinct_points
from massprops.core.surface import Block, Floats, Surface, blocks, triangle_array
from massprops.errors import Unwritable
from massprops.report.whole_file import whole_file

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_TEXTS = (".obj", ".off")
"""Formats that keep every bit of a coordinate; the others hold float32 numbers."""

_DIGITS = 17
"""Of a decimal number that is as good as a float64."""


def write_mesh(surface: Surface, affine: AffineMap, path: Path) -> None:
    """Write a surface after an affine map; a file is there whole or not at all.

    Parameters
    ----------
    surface : Surface
    affine : AffineMap
        A map that mirrors turns the facets as well, so that a body stays a body.
    path : Path
        Its suffix says the format; without one it is STL.

    Raises
    ------
    Unwritable
        The file cannot be written there, or cannot hold numbers so large.
    NonFinite
        A coordinate of the surface is NaN or infinite.
    """
    write = _write_stl if path.suffix.lower() in ("", ".stl") else _write_by_trimesh
    with whole_file(path) as unfinished:
        write(surface, affine, unfinished)


def _write_stl(surface: Surface, affine: AffineMap, path: Path) -> None:
    with open(path, "wb") as file:
        file.write(b"massprops".ljust(80) + np.uint32(surface.facets).astype("<u4").tobytes())
        for block in blocks(surface):
            corners = _mapped(block, affine)
            _check_range(corners, surface, np.float32)
            records = np.zeros(len(corners), _RECORD)
            records["corners"] = corners
            records["normal"] = _normals(corners)
            file.write(records.tobytes())


def _write_by_trimesh(surface: Surface, affine: AffineMap, path: Path) -> None:
    import trimesh  # half a second: only for these formats

    suffix = path.suffix.lower()
    is_text = suffix in _TEXTS
    block = np.ascontiguousarray(triangle_array(surface).transpose(1, 2, 0))
    corners = _mapped(block, affine)
    _check_range(corners, surface, np.float64 if is_text else np.float32)
    vertices, number = distinct_points(corners.reshape(-1, 3) + 0.0)
    mesh = trimesh.Trimesh(vertices, number.reshape(-1, 3), process=False)
    options: dict[str, Any] = {"digits": _DIGITS} if is_text else {}
    written: Any = mesh.export(file_type=suffix.removeprefix("."), **options)
    path.write_bytes(written.encode() if is_text else written)


def _mapped(block: Block, affine: AffineMap) -> Floats:
    """Triangles (n, 3, 3) of a block after a map, turned round by one that mirrors.

    By additions and multiplications of whole arrays, not by a product of matrices, which may round a vertex in one way
    for one facet and in another for its neighbour, and so open a closed surface.
    """
    corners: Floats = block.transpose(2, 0, 1).astype(np.float64)
    if affine.is_identity:
        return corners
    matrix, shift = affine.matrix.astype(np.float64), affine.translation.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # what this leaves is refused
        x, y, z = (matrix[:, axis] * corners[:, :, axis, None] for axis in range(3))
        corners = x + y + z + shift
    return corners[:, ::-1] if affine.determinant < 0 else corners


def _check_range(corners: Floats, surface: Surface, number: type[np.floating[Any]]) -> None:
    """Refuse corners that numbers of this type do not hold."""
    if (np.abs(corners) <= np.finfo(number).max).all():  # not so for NaN
        return
    surveyed(surface)  # refuses what was no number before the map
    raise Unwritable("a coordinate is too large for the format of --output; try smaller factors, or .obj or .off")


def _normals(corners: Floats) -> Floats:
    """Unit normals by the right-hand rule; zero for facets without area."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    unit: Floats = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    return unit
