"""What a glTF document keeps in bytes: buffers, the views into them, and the accessors that give these a type.

Source: Khronos Group, glTF 2.0 Specification, sections 3.6 (binary data) and 4.2 (quantised attributes are in the
extension KHR_mesh_quantization).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import numpy as np
from numpy.typing import NDArray

from massprops.errors import Unreadable, Unsupported
from massprops.number_of import number_of

Json = dict[str, Any]
Load = Callable[[int], memoryview]
"""Gives the bytes of the buffer with an index."""

COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
MOST_UNSTORED = 1_000_000
"""Rows of an accessor of which the file stores only those that are not zero."""

MOST_REPEATED = 3_000_000
"""Rows and corners that a document may have more than it has bytes: as accessors may share bytes, and primitives
accessors, a few lines could ask for any amount of memory."""


class Allowance:
    """How many rows of accessors and corners of primitives there may still be."""

    def __init__(self) -> None:
        self._left = MOST_REPEATED

    def grant(self, rows: int) -> None:
        """Allow for more, for bytes that are there."""
        self._left += rows

    def take(self, rows: int) -> None:
        """Use some.

        Raises
        ------
        Unsupported
            There are not so many left.
        """
        self._left -= rows
        if self._left < 0:
            raise Unsupported("glTF: its meshes use the same data again and again, too often to be read")


def entry(owner: Json, table: str, index: Any) -> Json:
    """An object of one of the document's arrays.

    Raises
    ------
    Unreadable
        It is not there, or is no object.
    """
    items = owner.get(table, [])
    if not isinstance(items, list) or not isinstance(index, int) or not 0 <= index < len(items):
        raise Unreadable(f"glTF: {table}[{index!r}] is referred to, but is not there")
    found = items[index]
    if not isinstance(found, dict):
        raise Unreadable(f"glTF: {table}[{index}] is not an object")
    return found


def group(owner: Json, key: str) -> Json:
    """An object inside another one; empty where there is none."""
    found = owner.get(key, {})
    return found if isinstance(found, dict) else {}


def whole(owner: Json, key: str, default: int | None = None) -> int:
    """A whole number of an object, not negative.

    Raises
    ------
    Unreadable
        It is not there and has no default, or is something else.
    """
    found = owner.get(key, default)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise Unreadable(f"glTF: {key} is {found!r} where a whole number is expected")
    return found


def buffer_bytes(document: Json, index: int, binary: memoryview | None, folder: Path | None) -> memoryview:
    """The bytes of a buffer: the binary chunk, a data URI, or a file in the document's own folder.

    Parameters
    ----------
    document : dict
    index : int
    binary : memoryview or None
        The binary chunk of a GLB file, which is its first buffer.
    folder : Path or None
        Where a file may be looked up; None where it may not.

    Raises
    ------
    Unreadable
        The bytes are not there, or not enough of them, or outside of the folder.
    Unsupported
        They have only been stored compressed.
    """
    buffer = entry(document, "buffers", index)
    length = whole(buffer, "byteLength")
    uri = buffer.get("uri")
    if isinstance(uri, str):
        found = _data_uri(uri) if uri.startswith("data:") else _neighbour(uri, folder, length)
    elif index == 0 and binary is not None:
        found = binary
    elif any(name in group(buffer, "extensions") for name in MESHOPT):
        raise Unsupported("glTF: its mesh is compressed with EXT_meshopt_compression; export it without compression")
    else:
        raise Unreadable(f"glTF: buffer {index} has no data")
    if len(found) < length:
        announced = number_of(length, "byte is", "bytes are")
        raise Unreadable(f"glTF: buffer {index} is cut short: {announced} announced, {len(found)} there")
    return found[:length]


def _data_uri(uri: str) -> memoryview:
    head, comma, payload = uri.partition(",")
    if not comma:
        raise Unreadable("glTF: a data URI without data")
    try:
        return memoryview(base64.b64decode(payload) if head.endswith(";base64") else unquote_to_bytes(payload))
    except (binascii.Error, ValueError):
        raise Unreadable("glTF: a data URI that is not base64") from None


def _neighbour(uri: str, folder: Path | None, length: int) -> memoryview:
    """The first bytes of a file beside the document."""
    name = unquote(uri)
    path = PurePosixPath(name)
    if folder is None:
        raise Unreadable(
            f"glTF: it needs the file {uri[:80]!r}, which cannot be looked up for standard input; "
            "give the file by its path, or save it as .glb"
        )
    try:
        target = (folder / path).resolve()
        foreign = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", name) or path.is_absolute() or {"..", "\\"} & set(path.parts)
        if foreign or "\\" in name or not target.is_relative_to(folder.resolve()):
            raise Unreadable(f"glTF: it refers to {uri[:80]!r} outside of its own folder, which is not opened")
        if not target.is_file():
            raise Unreadable(f"glTF: it needs the file {uri[:80]!r}, which is not there")
        with target.open("rb") as stream:
            return memoryview(stream.read(min(length, target.stat().st_size)))
    except (OSError, ValueError, RuntimeError) as error:
        raise Unreadable(f"glTF: the file {uri[:80]!r} cannot be read: {error}") from None


def accessor(document: Json, index: Any, load: Load) -> NDArray[Any]:
    """The rows of an accessor: floats as they are, normalised integers as float64 in [-1, 1], others as int64.

    Returns
    -------
    ndarray, shape (count, width)

    Raises
    ------
    Unreadable
        It reaches beyond its bytes, or makes no sense.
    """
    found = entry(document, "accessors", index)
    kind, width = found.get("componentType"), WIDTHS.get(str(found.get("type")))
    if not isinstance(kind, int) or kind not in COMPONENTS or width is None:
        raise Unreadable(f"glTF: accessor {index} has the type {found.get('type')!r} of {kind!r}")
    count = whole(found, "count")
    dtype = np.dtype(COMPONENTS[kind])
    sparse = group(found, "sparse")
    if "bufferView" in found:
        rows = _rows(document, found, dtype, count, width, load)
    elif sparse and count <= MOST_UNSTORED:
        rows = np.zeros((count, width), dtype)
    else:
        raise Unreadable(f"glTF: accessor {index} has no data")
    if sparse:
        rows = _with_sparse(document, sparse, rows, load)
    if dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return rows.astype(np.float64)
    if found.get("normalized") is True:
        return np.maximum(rows / np.float64(np.iinfo(dtype).max), -1.0)
    return rows.astype(np.int64)


def _rows(document: Json, owner: Json, dtype: np.dtype[Any], count: int, width: int, load: Load) -> NDArray[Any]:
    """Rows out of the view that an accessor, or a part of one, refers to."""
    view = entry(document, "bufferViews", owner["bufferView"])
    length = whole(view, "byteLength")
    begin = whole(view, "byteOffset", 0)
    offset = whole(owner, "byteOffset", 0)
    stride = whole(view, "byteStride", dtype.itemsize * width)
    needed = offset + (count - 1) * stride + dtype.itemsize * width if count else 0
    buffer = load(whole(view, "buffer"))
    if stride == 0 or needed > length or begin + length > len(buffer):
        raise Unreadable(
            f"glTF: an accessor reaches beyond its data: it needs {number_of(needed, 'byte')} of a view of {length} "
            f"at {begin} in a buffer of {len(buffer)}"
        )
    return np.ndarray((count, width), dtype, buffer, begin + offset, (stride, dtype.itemsize)) if count else np.empty(
        (0, width), dtype
    )


def _with_sparse(document: Json, sparse: Json, rows: NDArray[Any], load: Load) -> NDArray[Any]:
    """Rows of which some are replaced."""
    count = whole(sparse, "count")
    indices, values = group(sparse, "indices"), group(sparse, "values")
    kind = indices.get("componentType")
    if kind not in (5121, 5123, 5125) or "bufferView" not in indices or "bufferView" not in values:
        raise Unreadable("glTF: a sparse accessor is incomplete")
    places = _rows(document, indices, np.dtype(COMPONENTS[kind]), count, 1, load)[:, 0]
    if count and int(places.max()) >= len(rows):
        raise Unreadable(f"glTF: a sparse accessor replaces row {places.max()} of {len(rows)}")
    result = rows.copy()
    result[places] = _rows(document, values, rows.dtype, count, rows.shape[1], load)
    return result
