"""The meshes of COLLADA geometries: triangles, polygons, strips and fans over a source of positions.

Source: Khronos Group, COLLADA Digital Asset Schema 1.4.1 and 1.5, chapter "Geometry".
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

import numpy as np

from massprops.errors import Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.decimals import Floats, Ints, integers, numbers
from massprops.readers.flatness import gaps
from massprops.readers.polygons import check_corners, fans, strips, triangulated
from massprops.readers.scene import Mesh

POLYGONS = ("polylist", "polygons")
KINDS = ("triangles", *POLYGONS, "tristrips", "trifans")


def meshes_of(geometry: Element) -> list[Mesh]:
    """The meshes of a geometry, one for each of its primitives that has facets.

    Raises
    ------
    Unreadable
        Numbers are missing, do not agree with their count, or refer to a vertex that is not there.
    Unsupported
        The shape is not a mesh, or has polygons with holes.
    """
    where = f"geometry {geometry.get('id')}"
    mesh = geometry.find("mesh")
    if mesh is None:
        mesh = geometry.find("convex_mesh")
    if mesh is None or mesh.get("convex_hull_of"):
        kind = next((child.tag for child in geometry if child.tag not in ("asset", "extra")), "nothing")
        if kind == "spline":
            return []
        raise Unsupported(f"COLLADA: {where} is given by {kind}, which is not read; export it as a mesh")
    positions = _Positions(mesh, where)
    return [_mesh(primitive, positions, where) for primitive in mesh if primitive.tag in KINDS]


class _Positions:
    """The positions of a mesh by the input that refers to them; many primitives may refer to the same."""

    def __init__(self, mesh: Element, where: str) -> None:
        self._where = where
        self._sources = {source.get("id"): source for source in mesh.findall("source")}
        self._arrays = {array.get("id"): array for array in mesh.findall("source/float_array")}
        self._by_vertices = {
            vertices.get("id"): next(
                (item.get("source", "") for item in vertices.findall("input") if item.get("semantic") == "POSITION"), ""
            ).removeprefix("#")
            for vertices in mesh.findall("vertices")
        }
        self._tables: dict[str, Floats] = {}

    def of(self, vertex: Element) -> Floats:
        """Those that a primitive's input refers to, by way of the mesh's `vertices` or at once."""
        wanted = vertex.get("source", "").removeprefix("#")
        wanted = self._by_vertices.get(wanted, wanted)
        if wanted not in self._tables:
            source = self._sources.get(wanted)
            if source is None:
                raise Unreadable(f"COLLADA: {self._where} refers to positions {wanted!r}, which are not in it")
            self._tables[wanted] = _table(source, self._arrays, self._where)
        return self._tables[wanted]


def _mesh(primitive: Element, positions: _Positions, where: str) -> Mesh:
    inputs = {item.get("semantic"): item for item in primitive.findall("input")}
    vertex = inputs.get("VERTEX", inputs.get("POSITION"))
    if vertex is None:
        if primitive.find("p") is None:
            return Mesh(np.empty((0, 3)), np.empty((0, 3), np.int64))
        raise Unreadable(f"COLLADA: {where} has {primitive.tag} without positions")
    stride = 1 + max(_count(item, "offset", where, 0) for item in primitive.findall("input"))
    lists = _lists(primitive, stride, _count(vertex, "offset", where, 0), where)
    sizes, corners = np.array([len(part) for part in lists], np.int64), np.concatenate([*lists, np.empty(0, np.int64)])
    if primitive.tag == "triangles":
        sizes = np.full(len(corners) // 3, 3)
    elif primitive.tag == "polylist":
        sizes = _integers(primitive.findtext("vcount"), where)
    announced = _count(primitive, "count", where, len(sizes))
    if announced != len(sizes) or sizes.sum() != len(corners) or (len(sizes) and sizes.min() < 0):
        raise Unreadable(
            f"COLLADA: {where}: {announced} {primitive.tag} are announced, but there are {len(sizes)}, "
            f"of {number_of(sizes.sum(), 'corner')}, and {number_of(len(corners), 'corner')} in the list"
        )
    points = positions.of(vertex)
    check_corners(sizes, corners, len(points), f"COLLADA: {where}: ")
    faces = _faces(primitive.tag, sizes, corners, points)
    return Mesh(points, faces, gaps(sizes, corners, points) if primitive.tag in POLYGONS else np.empty(0))


def _faces(kind: str, sizes: Ints, corners: Ints, points: Floats) -> Ints:
    if kind == "tristrips":
        return strips(sizes, corners)
    if kind == "trifans":
        return fans(sizes, corners)[0]
    return triangulated(sizes, corners, points)


def _lists(primitive: Element, stride: int, offset: int, where: str) -> list[Ints]:
    """Vertex indices out of each list of a primitive, which interleaves them with others."""
    if primitive.find("ph") is not None:
        raise Unsupported(f"COLLADA: {where} has polygons with holes; export it as triangles")
    lists = [_integers(p.text, where) for p in primitive.findall("p")]
    if any(len(items) % stride for items in lists):
        raise Unreadable(f"COLLADA: {where}: a list of indices that is not a multiple of {stride}")
    return [items[offset::stride] for items in lists]


def _table(source: Element, arrays: Mapping[str | None, Element], where: str) -> Floats:
    """The columns X, Y and Z of a source, out of the array that it names, which may be that of another source."""
    accessor = source.find("technique_common/accessor")
    named = None if accessor is None else arrays.get(accessor.get("source", "").removeprefix("#"))
    values = source.find("float_array") if named is None else named
    if values is None:
        raise Unreadable(f"COLLADA: {where}: the positions have no float_array")
    flat = numbers(values.text or "", f"COLLADA: {where}")
    announced = _count(values, "count", where, len(flat))
    if len(flat) != announced:
        words = number_of(announced, "number is", "numbers are")
        raise Unreadable(f"COLLADA: {where}: {words} announced, {len(flat)} there")
    if accessor is None:
        return flat[: len(flat) // 3 * 3].reshape(-1, 3)
    stride = _count(accessor, "stride", where, 1)
    offset = _count(accessor, "offset", where, 0)
    count = _count(accessor, "count", where)
    places = _places([(param.get("name") or "").upper() for param in accessor.findall("param")])
    if stride <= max(places) or offset + count * stride > len(flat):
        asked = f"{number_of(count, 'position')} of {number_of(stride, 'number')}"
        raise Unreadable(f"COLLADA: {where}: {asked} in an array of {len(flat)}")
    return flat[offset : offset + count * stride].reshape(count, stride)[:, places]


def _places(names: list[str]) -> list[int]:
    """Where X, Y and Z stand in a row: by name, or the first three that have a name, as others are skipped."""
    if {"X", "Y", "Z"} <= set(names):
        return [names.index(axis) for axis in "XYZ"]
    named = [place for place, name in enumerate(names) if name]
    return named[:3] if len(named) >= 3 else [0, 1, 2]


def _count(element: Element, name: str, where: str, default: int | None = None) -> int:
    text = element.get(name)
    if text is None and default is not None:
        return default
    if text is None or not text.strip().isdecimal() or len(text) > 15:
        raise Unreadable(f"COLLADA: {where}: a {element.tag} with {name} {text!r}")
    return int(text)


def _integers(text: str | None, where: str) -> Ints:
    try:
        return integers((text or "").split())
    except ValueError as error:
        raise Unreadable(f"COLLADA: {where}: {error}") from None
