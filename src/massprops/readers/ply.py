"""PLY: the vertices and faces (or triangle strips) of the Stanford polygon format, as text or binary.

Read here and not by trimesh, which needs all binary faces of a file to have the same number of corners, and takes a
text file that was cut short for a complete one.

Source: G. Turk, The PLY polygon file format, 1994. A text body is turned into the binary one that would hold the same
numbers in float64. A coordinate that the header declares a `float` is one: text or binary, it has the same value.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.errors import Empty, Unreadable
from massprops.number_of import number_of
from massprops.readers.converted import with_question_marks
from massprops.readers.decimals import Floats, Ints, numbers, text_of
from massprops.readers.end_marks import without_end_marks
from massprops.readers.flatness import warped
from massprops.readers.ply_rows import Body, Element, Property, end_of, lists_of, numbers_of
from massprops.readers.polygons import check_corners, strips, triangulated
from massprops.readers.reading import Reading

TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4",
    "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "int64": "i8", "uint64": "u8", "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}
ORDERS = {"ascii": "=", "binary_little_endian": "<", "binary_big_endian": ">"}
KEYWORDS = ("format", "element", "property", "comment", "obj_info")
INDICES = ("vertex_indices", "vertex_index")
LONGEST_HEADER = 1 << 20
_NEAR = 4096
"""Bytes at the beginning of a binary body, one of which at least is beyond 127."""


def read_ply(data: bytes) -> Reading:
    """The facets of a PLY file.

    Raises
    ------
    Empty
        No facets, such as a cloud of points.
    Unreadable
        No PLY header, fewer rows than the header says, a word that is no number, or an index of a vertex that is not
        there.

    >>> text = b"ply\\nformat ascii 1.0\\nelement vertex 3\\nproperty float x\\nproperty float y\\nproperty float z\\n"
    >>> text += b"element face 1\\nproperty list uchar int vertex_indices\\nend_header\\n0 0 0 1 0 0 0 1 0 3 0 1 2\\n"
    >>> read_ply(text).surface.facets
    1
    """
    if not data.strip():
        raise Empty("the file is empty")
    elements, body, notices = _opened(data)
    points = np.empty((0, 3))
    faces = []
    place = 0
    for element in elements:
        if element.name == "vertex":
            points, place = numbers_of(body, place, element, [element.place(axis) for axis in "xyz"])
        elif element.name in ("face", "tristrips"):
            sizes, corners, place = lists_of(body, place, element, element.place(*INDICES))
            faces.append((element.name, sizes, corners))
        else:
            place = end_of(body, place, element)
    _check_marks(body, points)
    triangles = [points[_triangles(name, sizes, corners, points)] for name, sizes, corners in faces]
    if sum(map(len, triangles)) == 0:
        raise Empty(f"no facets, only {number_of(len(points), 'vertex', 'vertices')}; a cloud of points has no mass")
    polygons = [(sizes, corners) for name, sizes, corners in faces if name == "face"]
    bent = tuple(notice for sizes, corners in polygons for notice in warped(sizes, corners, points))
    surface = TriangleArray(triangles[0] if len(triangles) == 1 else np.concatenate(triangles))
    return Reading(surface, "ply", notices + _trailing(len(body) - place) + bent)


def _check_marks(body: Body, points: Floats) -> None:
    """Refuse binary data whose bytes beyond 127 have been replaced on their way here."""
    if isinstance(body, memoryview) and bytes(body[:_NEAR]).isascii():
        with np.errstate(over="ignore"):
            single = points.astype(np.float32)
        told = with_question_marks(single if np.array_equal(single, points, equal_nan=True) else points)
        if told is not None:
            raise Unreadable(f"no binary PLY file any more: {told}")


def _trailing(extra: int) -> tuple[Notice, ...]:
    if extra == 0:
        return ()
    message = "there is data after the last row announced, which was not read"
    return (Notice("trailing_bytes", message, {"bytes": extra}),)


def _opened(data: bytes) -> tuple[list[Element], Body, tuple[Notice, ...]]:
    """The elements that the header announces, the bytes that hold their rows one after another, and what was odd."""
    begin = re.match(rb"ply[ \t]*(\r\n|\n|\r)", data)
    if not begin:
        raise Unreadable("not a PLY file: it does not begin with a line `ply`")
    end = re.compile(rb"(?<=[\r\n])end_header[ \t]*").search(data, 0, LONGEST_HEADER)
    if not end:
        raise Unreadable("cut short in the PLY header: there is no line `end_header`")
    is_text, elements, strange = _header(text_of(data[begin.end() : end.start()]).split("\n"))
    # a binary body may itself begin with a byte 10 or 13, so no more is skipped than one line end of the header's kind
    ends = (b"\r",) if begin[1] == b"\r" else (b"\r\n", b"\n", b"\r")
    start = end.end() + next((len(mark) for mark in ends if data.startswith(mark, end.end())), 0)
    body: Body = memoryview(data)[start:]
    if is_text:
        body = numbers(text_of(without_end_marks(data[start:])), "PLY").tobytes()
    for element in elements:
        if element.rows * element.smallest > len(body):
            announced = number_of(element.rows, f"row of {element.name} is", f"rows of {element.name} are")
            raise Unreadable(f"cut short: {announced} announced, more than the file has room for")
    return elements, body, strange


def _header(lines: list[str]) -> tuple[bool, list[Element], tuple[Notice, ...]]:
    """Whether the body is text, its elements, and what was odd.

    An unknown line before the first element is a comment whose first word is missing, as old versions of Blender write
    it. Were it a misspelt element, the first property would have none.
    """
    format_name = ""
    strange: list[int] = []
    elements: list[Element] = []
    properties: list[list[Property]] = []
    for number, line in enumerate(lines, start=2):
        match line.split():
            case [] | ["comment" | "obj_info", *_]:
                pass
            case ["format", name, _] if name in ORDERS and not elements:
                format_name = name
            case ["element", name, rows] if format_name and re.fullmatch("[0-9]{1,15}", rows):
                elements.append(Element(name, int(rows), ORDERS[format_name]))
                properties.append([])
            case ["property", kind, name] if elements and kind in TYPES:
                properties[-1].append(_property(format_name, name, kind))
            case ["property", "list", count, kind, name] if elements and kind in TYPES and count in TYPES:
                properties[-1].append(_property(format_name, name, kind, count))
            case [word, *_] if word not in KEYWORDS and not elements:
                strange.append(number)
            case _:
                raise Unreadable(f"line {number} of the PLY header is not understood: {line.strip()[:60]!r}")
    names = [element.name for element in elements]
    if not format_name or len(set(names)) < len(names):
        raise Unreadable("the PLY header has no format" if not format_name else "the PLY header has an element twice")
    whole = [replace(element, properties=tuple(own)) for element, own in zip(elements, properties, strict=True)]
    message = f"line {strange[0] if strange else 0} of the PLY header is taken for a comment"
    told = (Notice("header", message, {"lines": len(strange)}),) if strange else ()
    return format_name == "ascii", whole, told


def _property(format_name: str, name: str, kind: str, count: str = "") -> Property:
    if format_name == "ascii":
        return Property(name, "f8", "f8" if count else "", is_single=TYPES[kind] == "f4")
    return Property(name, TYPES[kind], TYPES[count] if count else "")


def _triangles(name: str, sizes: Ints, corners: Ints, points: Floats) -> Ints:
    """Triangles of the faces, or of strips; in strips the index -1 begins a new one."""
    if name == "tristrips":
        row = np.repeat(np.arange(len(sizes)), sizes)
        kept = corners != -1
        piece = row[kept] + np.cumsum(~kept)[kept]
        sizes, corners = np.unique(piece, return_counts=True)[1], corners[kept]
    check_corners(sizes, corners, len(points))
    return strips(sizes, corners) if name == "tristrips" else triangulated(sizes, corners, points)
