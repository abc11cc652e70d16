"""glTF 2.0, as JSON or as one binary file (GLB): the triangles of all nodes of its scene, in metres.

Read here and not by trimesh, which leaves out triangle fans, and takes sparse and normalised positions for plain ones.

Source: Khronos Group, glTF 2.0 Specification. The scene's coordinates are right-handed with y up; they are left so.
"""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.core.units import Unit
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.end_marks import bare_document
from massprops.readers.gltf_data import Allowance, Json, accessor, buffer_bytes, entry, group, whole
from massprops.readers.polygons import fans, strips
from massprops.readers.reading import Reading
from massprops.readers.scene import Floats, Mesh, Part, Placement, affine, assemble, indexed

METRE = Unit("m", Fraction(1), "format")
"""The unit of every glTF file, by its specification; no file says a word about it."""

HARMLESS = (
    *("KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp"),
    *("KHR_mesh_quantization", "KHR_animation_pointer", "KHR_technique", "EXT_mesh_features"),
)
"""How the names of extensions begin that leave the triangles as they are, or are read here."""

TRIANGLES, STRIP, FAN = 4, 5, 6


def read_gltf(data: bytes, folder: Path | None) -> Reading:
    """The facets of a glTF or GLB file.

    Parameters
    ----------
    data : bytes
    folder : Path or None
        Where the files of its buffers may be looked up; None where they may not.

    Raises
    ------
    Empty
        Its scene has no triangles.
    Unreadable
        It is damaged, its scene has a cycle, or a buffer is not there.
    Unsupported
        glTF 1, or an extension that stores the mesh in another way.
    """
    if not data.strip():
        raise Empty("the file is empty")
    is_binary = data[:4] == b"glTF"
    text, binary = _chunks(data) if is_binary else (data, None)
    document = _document(text)
    roots, scenes = _roots(document)
    parts = _parts(document, roots, _Data(document, binary, folder))
    triangles = assemble(parts, [(_name(root), _matrix(entry(document, "nodes", root))) for root in roots])
    if len(triangles) == 0:
        raise Empty("no facets: its scene has no triangles")
    told = scenes + _pose(document) + (_trailing(data) if is_binary else ())
    return Reading(TriangleArray(triangles), "glb" if is_binary else "gltf", told, METRE)


def _trailing(data: bytes) -> tuple[Notice, ...]:
    extra = len(data) - int.from_bytes(data[8:12], "little")
    message = f"ignored: {number_of(extra, 'byte')} after the length that the file announces"
    return (Notice("trailing_bytes", message, {"bytes": extra}),) if extra and any(data[-extra:]) else ()


def _chunks(data: bytes) -> tuple[bytes, memoryview | None]:
    """The JSON and the binary chunk of a GLB file."""
    if len(data) < 20:
        raise Unreadable(f"cut short: a GLB file of {number_of(len(data), 'byte')}")
    version, length = struct.unpack_from("<2I", data, 4)
    if version != 2:
        raise Unsupported(f"glTF {version}; only glTF 2 is read")
    if length > len(data):
        raise Unreadable(f"cut short: {length} bytes are announced, {len(data)} there")
    chunks: dict[bytes, memoryview] = {}
    place = 12
    while place + 8 <= length:
        size, kind = struct.unpack_from("<I4s", data, place)
        if place + 8 + size > length:
            raise Unreadable(f"GLB: a chunk at byte {place} reaches beyond the end of the file")
        chunks.setdefault(kind, memoryview(data)[place + 8 : place + 8 + size])
        place += 8 + size
    if b"JSON" not in chunks:
        raise Unreadable("GLB: there is no JSON chunk")
    return bytes(chunks[b"JSON"]), chunks.get(b"BIN\0")


def _document(text: bytes) -> Json:
    try:
        document = json.loads(bare_document(text))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"glTF: its JSON is damaged: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("asset"), dict):
        raise Unreadable("glTF: it has no `asset` object")
    version, least = (str(document["asset"].get(key, "2.0")) for key in ("version", "minVersion"))
    if version.partition(".")[0] != "2" or least not in ("2.0", "2"):
        asked = least if version.startswith("2.") else version
        raise Unsupported(f"glTF {asked[:20]}; only glTF 2.0 is read")
    needed = document.get("extensionsRequired", [])
    for name in needed if isinstance(needed, list) else []:
        if not str(name).startswith(HARMLESS):
            raise Unsupported(f"glTF: it needs the extension {str(name)[:60]}; export it without")
    return document


def _roots(document: Json) -> tuple[list[Any], tuple[Notice, ...]]:
    """The nodes on top of the scene that is shown, and what to tell about the others."""
    scenes = document.get("scenes", [])
    if not scenes:
        nodes = _list(document, "nodes")
        inner = {str(child) for node in nodes if isinstance(node, dict) for child in _list(node, "children")}
        return [index for index in range(len(nodes)) if str(index) not in inner], ()
    index = whole(document, "scene", 0)
    roots = _list(entry(document, "scenes", index), "nodes")
    if len(scenes) == 1:
        return roots, ()
    message = f"of its {len(scenes)} scenes only the one shown first, number {index}, is measured"
    return roots, (Notice("scenes", message, {"scenes": len(scenes), "measured": index}),)


def _list(owner: Json, key: str) -> list[Any]:
    found = owner.get(key, [])
    if not isinstance(found, list):
        raise Unreadable(f"glTF: {key} is not a list")
    return found


def _name(node: Any) -> str:
    return f"node {node}"


class _Data:
    """What a document keeps in bytes, each accessor read once, and no more of them than memory should be used for."""

    def __init__(self, document: Json, binary: memoryview | None, folder: Path | None) -> None:
        self.document = document
        self.allowance = Allowance()
        self._binary, self._folder = binary, folder
        self._buffers: dict[int, memoryview] = {}
        self._rows: dict[int, NDArray[Any]] = {}

    def _buffer(self, index: int) -> memoryview:
        if index not in self._buffers:
            self._buffers[index] = buffer_bytes(self.document, index, self._binary, self._folder)
            self.allowance.grant(len(self._buffers[index]))
        return self._buffers[index]

    def rows(self, index: Any) -> NDArray[Any]:
        """The rows of an accessor, see `accessor`."""
        entry(self.document, "accessors", index)
        if index not in self._rows:
            self._rows[index] = accessor(self.document, index, self._buffer)
            self.allowance.take(len(self._rows[index]))
        return self._rows[index]


def _parts(document: Json, roots: Sequence[Any], data: _Data) -> dict[str, Part]:
    """The nodes below the roots."""
    mesh = cache(lambda index: _meshes(data, index))
    parts: dict[str, Part] = {}
    ahead = list(roots)
    while ahead:
        index = ahead.pop()
        if _name(index) in parts:
            continue
        node = entry(document, "nodes", index)
        if "EXT_mesh_gpu_instancing" in group(node, "extensions"):
            raise Unsupported("glTF: it needs the extension EXT_mesh_gpu_instancing; export it without")
        below = _list(node, "children")
        children: list[Placement] = [(_name(child), _matrix(entry(document, "nodes", child))) for child in below]
        parts[_name(index)] = Part(mesh(whole(node, "mesh")) if "mesh" in node else (), children)
        ahead += below
    return parts


def _matrix(node: Json) -> Floats:
    """The map from a node's coordinates to its parent's, [A | t]; column by column in the file."""
    if "matrix" in node:
        return affine(_vector(node, "matrix", np.zeros(16)).reshape(4, 4).T, "glTF: a node's matrix")
    scale = _vector(node, "scale", np.ones(3))
    with np.errstate(all="ignore"):
        rotation = _rotation(_vector(node, "rotation", np.array([0.0, 0, 0, 1])))
        return np.column_stack([rotation * scale, _vector(node, "translation", np.zeros(3))])


def _rotation(quaternion: Floats) -> Floats:
    """The rotation (3, 3) of a quaternion (x, y, z, w), which need not be exactly of length 1."""
    x, y, z, w = quaternion
    n = x * x + y * y + z * z + w * w
    rotation: Floats = np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )
    rotation /= n
    return rotation


def _vector(owner: Json, key: str, default: Floats) -> Floats:
    found = owner.get(key)
    if found is None:
        return default
    if isinstance(found, list) and len(found) == len(default) and all(isinstance(x, int | float) for x in found):
        with contextlib.suppress(OverflowError):
            return np.array([float(x) for x in found])
    raise Unreadable(f"glTF: a node's {key} is not {len(default)} numbers")


def _meshes(data: _Data, index: int) -> list[Mesh]:
    """The primitives of a mesh that are made of triangles."""
    found = []
    for number, primitive in enumerate(_list(entry(data.document, "meshes", index), "primitives")):
        if not isinstance(primitive, dict):
            raise Unreadable(f"glTF: primitive {number} of mesh {index} is not an object")
        mode = whole(primitive, "mode", TRIANGLES)
        if mode > FAN:
            raise Unreadable(f"glTF: primitive {number} of mesh {index} has the unknown mode {mode}")
        if mode >= TRIANGLES:
            found.append(_mesh(data, primitive, mode, f"primitive {number} of mesh {index}"))
    return found


def _mesh(data: _Data, primitive: Json, mode: int, where: str) -> Mesh:
    attributes = group(primitive, "attributes")
    if "POSITION" not in attributes:
        raise Unreadable(f"glTF: {where} has no positions")
    if "KHR_draco_mesh_compression" in group(primitive, "extensions") and "bufferView" not in entry(
        data.document, "accessors", attributes["POSITION"]
    ):
        raise Unsupported("glTF: its mesh is compressed with KHR_draco_mesh_compression; export it without compression")
    points = data.rows(attributes["POSITION"]).astype(np.float64, copy=False)
    if points.shape[1] != 3:
        raise Unreadable(f"glTF: the positions of {where} are not three-dimensional")
    indices = data.rows(primitive["indices"]) if "indices" in primitive else None
    data.allowance.take(len(points) if indices is None else indices.size)
    corners = np.arange(len(points)) if indices is None else indices.ravel()
    if corners.dtype.kind != "i":
        raise Unreadable(f"glTF: the indices of {where} are not whole numbers")
    if mode == STRIP:
        faces = strips(np.array([len(corners)]), corners)
    elif mode == FAN:
        faces = fans(np.array([len(corners)]), corners)[0]
    elif len(corners) % 3:
        raise Unreadable(f"glTF: {where} has {number_of(len(corners), 'corner')}, which are not triangles")
    else:
        faces = corners.reshape(-1, 3)
    return indexed(points, faces, f"glTF: {where}")


def _pose(document: Json) -> tuple[Notice, ...]:
    """What to tell of a shape that is moved by bones or morph targets."""
    nodes = [node for node in _list(document, "nodes") if isinstance(node, dict)]
    meshes = [mesh for mesh in _list(document, "meshes") if isinstance(mesh, dict)]
    if any("skin" in node for node in nodes) or any(any(_list(owner, "weights")) for owner in nodes + meshes):
        return (Notice("pose", "skins and morph targets are not applied; the shape is measured as it is stored"),)
    return ()
