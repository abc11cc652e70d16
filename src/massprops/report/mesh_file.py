"""The mesh as changed, written to a file: STL and PLY as binary, the other formats through trimesh."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.affine_map import AffineMap
from massprops.core.measure import surveyed
from massprops.core.notice import Notice
from massprops.core.points import distinct_points
from massprops.core.surface import Block, Floats, Surface, blocks, triangle_array
from massprops.errors import Unwritable
from massprops.leaving import held_back
from massprops.report.whole_file import whole_file

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_FACE = np.dtype([("count", "u1"), ("vertices", "<i4", 3)])

_TEXTS = (".obj", ".off")
"""Formats of text, that keep every bit of a coordinate; PLY does so too, and the others hold float32 numbers."""

METRIC = (".glb",)
"""Formats whose coordinates are in metres."""

_DIGITS = 17
"""Of a decimal number that is as good as a float64."""

_COARSE = 1e-6
"""Roundings of coordinates beyond this fraction of the diagonal of the box are told."""

_Extent = tuple[float, Floats, Floats]
"""Of some corners: the largest rounding of a coordinate to float32, and their box; length."""


def write_mesh(surface: Surface, affine: AffineMap, path: Path) -> tuple[Notice, ...]:
    """Write a surface after an affine map; a file is there whole or not at all.

    Parameters
    ----------
    surface : Surface
    affine : AffineMap
        A map that mirrors turns the facets as well, so that a body stays a body.
    path : Path
        Its suffix says the format; without one it is STL.

    Returns
    -------
    tuple of Notice
        That the format's float32 numbers are coarse for a part so small, or so far from the origin.

    Raises
    ------
    Unwritable
        The file cannot be written there, or cannot hold numbers so large.
    NonFinite
        A coordinate of the surface is NaN or infinite.
    """
    suffix = path.suffix.lower().removeprefix(".") or "stl"
    write = {"stl": _write_stl, "ply": _write_ply}.get(suffix, _write_by_trimesh)
    with whole_file(path) as unfinished:
        extents = write(surface, affine, unfinished)
    return _told(extents, suffix)


def _write_stl(surface: Surface, affine: AffineMap, path: Path) -> list[_Extent]:
    extents = []
    with open(path, "wb") as file:
        file.write(b"massprops".ljust(80) + np.uint32(surface.facets).astype("<u4").tobytes())
        for block in blocks(surface):
            corners = _mapped(block, affine)
            _check_range(corners, surface, np.float32)
            records = np.zeros(len(corners), _RECORD)
            records["corners"] = corners
            records["normal"] = _normals(corners)
            file.write(records.tobytes())
            extents.append(_extent(corners))
    return extents


def _write_ply(surface: Surface, affine: AffineMap, path: Path) -> list[_Extent]:
    """PLY of float64 numbers, which keep every bit; trimesh writes float32 ones."""
    vertices, number = _shared(surface, affine, np.float64)
    faces = np.full(len(number), 3, _FACE)
    faces["vertices"] = number
    lines = (
        "ply",
        "format binary_little_endian 1.0",
        f"element vertex {len(vertices)}",
        *(f"property double {axis}" for axis in "xyz"),
        f"element face {len(faces)}",
        "property list uchar int vertex_indices",
        "end_header",
    )
    header = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(header + vertices.astype("<f8").tobytes() + faces.tobytes())
    return []


def _write_by_trimesh(surface: Surface, affine: AffineMap, path: Path) -> list[_Extent]:
    with held_back():
        import trimesh  # half a second: only for these formats

    suffix = path.suffix.lower()
    is_text = suffix in _TEXTS
    vertices, number = _shared(surface, affine, np.float64 if is_text else np.float32)
    mesh = trimesh.Trimesh(vertices, number, process=False)
    options: dict[str, Any] = {"digits": _DIGITS} if is_text else {}
    written: Any = mesh.export(file_type=suffix.removeprefix("."), **options)
    path.write_bytes(written.encode() if is_text else written)
    return [] if is_text or len(vertices) == 0 else [_extent(vertices)]


def _shared(
    surface: Surface, affine: AffineMap, number: type[np.floating[Any]]
) -> tuple[Floats, NDArray[np.intp]]:
    """Vertices (n, 3), each once, and the three of each facet (m, 3); refused where ``number`` does not hold them."""
    block = np.ascontiguousarray(triangle_array(surface).transpose(1, 2, 0))
    corners = _mapped(block, affine)
    _check_range(corners, surface, number)
    vertices, each = distinct_points(corners.reshape(-1, 3) + 0.0)
    return vertices, each.reshape(-1, 3)


def _extent(corners: Floats) -> _Extent:
    points = corners.reshape(-1, 3)
    rounding = float(np.abs(points - points.astype(np.float32)).max())
    return rounding, points.min(axis=0), points.max(axis=0)


def _told(extents: list[_Extent], suffix: str) -> tuple[Notice, ...]:
    if not extents:
        return ()
    roundings, lower, upper = zip(*extents, strict=True)
    rounding, diagonal = max(roundings), math.hypot(*(np.max(upper, axis=0) - np.min(lower, axis=0)))
    if rounding <= _COARSE * diagonal or diagonal == 0:
        return ()
    message = (
        f"coordinates were rounded by up to {rounding:.2g}, {rounding / diagonal:.2g} of the diagonal, as .{suffix} "
        "holds float32 numbers; .obj, .ply and .off keep every digit"
    )
    return (Notice("rounded", message, {"rounding": rounding, "share": rounding / diagonal}),)


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
    raise Unwritable("a coordinate is too large for the format of --output; try smaller factors, or .obj, .ply or .off")


def _normals(corners: Floats) -> Floats:
    """Unit normals by the right-hand rule; zero for facets without area."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    unit: Floats = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    return unit
