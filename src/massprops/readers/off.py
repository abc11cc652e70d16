"""OFF: the vertices and polygons of Geomview's object file format, as text.

Read here and not by trimesh, which takes a file that was cut short for a complete one.

Source: Geomview manual, section 4.2.5 "OFF files".
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.decimals import Floats, Ints, bad_line, columns, comma_advice, integers, text_of
from massprops.readers.end_marks import bare_document
from massprops.readers.flatness import warped
from massprops.readers.polygons import check_corners, triangulated
from massprops.readers.reading import Reading

HEADER = re.compile(r"\s*(?:(?:ST)?C?N?(4?n?)OFF|off\b)?")
COMMENT = re.compile(r"#[^\n]*")


def read_off(data: bytes) -> Reading:
    """The facets of an OFF file.

    Normals, colours and texture coordinates are passed over. A face of one or two vertices is a point or a line, no
    facet.

    Raises
    ------
    Empty
        No facets.
    Unreadable
        Fewer vertices or faces than the header says, a line that is none, or an index of a vertex that is not there.
    Unsupported
        Binary OFF, or points that are not three-dimensional.

    >>> read_off(b"OFF 3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n").surface.facets
    1
    """
    if not data.strip():
        raise Empty("the file is empty")
    if re.match(rb"\s*\w*OFF\s+BINARY\s", data[:80]):
        raise Unsupported("binary OFF; save the part as text")
    text = text_of(bare_document(data))
    text = COMMENT.sub("", text) if "#" in text else text
    header = HEADER.match(text)
    assert header  # it matches the empty string
    if header[1]:
        raise Unsupported(f"{header[0].strip()}: points that are not three-dimensional")
    lines = _laid_out([line for line in text[header.end() :].split("\n") if line and not line.isspace()])
    vertices, faces = _counts(lines)
    points = _points(lines[1 : vertices + 1])
    sizes, corners = _faces(lines[vertices + 1 : vertices + faces + 1])
    check_corners(sizes, corners, vertices)
    triangles = points[triangulated(sizes, corners, points)]
    if len(triangles) == 0:
        raise Empty(f"no facets: {_announced(vertices, faces)}, none of three or more vertices")
    extra = len(lines) - 1 - vertices - faces
    trailing = Notice("trailing_bytes", f"not read: {number_of(extra, 'line')} after the last face", {"lines": extra})
    told = ((trailing,) if extra else ()) + warped(sizes, corners, points)
    return Reading(TriangleArray(triangles), "off", told)


def _laid_out(lines: list[str]) -> list[str]:
    """A line for each vertex and face: the format asks for white space between words, and for no certain lines.

    Lines that are enough and begin well, or whose words do not come out even, are left as they are.
    """
    words = lines[0].split()[:2] if lines else []
    if len(words) < 2 or not all(re.fullmatch("[0-9]{1,15}", word) for word in words):
        return lines
    vertices, faces = map(int, words)
    if len(lines) > vertices + faces:
        vertex, face = lines[1 : vertices + 1], lines[vertices + 1 : vertices + faces + 1]
        if all(len(line.split()) >= 3 for line in vertex[:1]) and all(_is_face(line.split()) for line in face[:1]):
            return lines
    words = " ".join(lines).split()
    places = [0, *range(3, min(3 + 3 * vertices, len(words)), 3)]
    place = 3 + 3 * vertices
    while place < len(words) and len(places) <= vertices + faces and re.fullmatch("[0-9]{1,15}", words[place]):
        places.append(place)
        place += int(words[place]) + 1
    if place != len(words) or len(places) != 1 + vertices + faces:
        return lines
    return [" ".join(words[start:end]) for start, end in pairwise([*places, place])]


def _is_face(words: list[str]) -> bool:
    return not re.fullmatch("[0-9]{1,15}", words[0]) or len(words) > int(words[0])


def _counts(lines: list[str]) -> tuple[int, int]:
    """Numbers of vertices and faces, with a line for each."""
    words = lines[0].split() if lines else []
    if len(words) < 2 or not all(re.fullmatch("[0-9]{1,15}", word) for word in words[:2]):
        raise Unreadable(
            f"not an OFF file: {' '.join(words)[:40]!r} where the numbers of vertices and faces are expected"
        )
    vertices, faces = int(words[0]), int(words[1])
    if len(lines) - 1 < vertices + faces:
        there = number_of(len(lines) - 1, "line follows", "lines follow")
        raise Unreadable(f"cut short: {_announced(vertices, faces)} are announced, but only {there}")
    return vertices, faces


def _announced(vertices: int, faces: int) -> str:
    return f"{number_of(vertices, 'vertex', 'vertices')} and {number_of(faces, 'face')}"


def _points(lines: list[str]) -> Floats:
    try:
        return columns(lines, 3)
    except ValueError:
        index = bad_line(lines, 3)
        line = lines[index].strip()
        raise Unreadable(f"vertex {index + 1}: {line[:60]!r} is not three numbers{comma_advice(line)}") from None


def _faces(lines: list[str]) -> tuple[Ints, Ints]:
    """Corners of each face, and the indices of all of them."""
    first = lines[0].split(None, 1)[0] if lines else ""
    if re.fullmatch("[0-9]{1,3}", first):
        try:
            table = columns(lines, int(first) + 1, np.int64)
        except ValueError:  # not all faces have the same number of corners, or one of them is bad
            return _ragged(lines)
        if (table[:, 0] == int(first)).all():
            return table[:, 0], table[:, 1:].ravel()
    return _ragged(lines)


def _ragged(lines: list[str]) -> tuple[Ints, Ints]:
    rows = [line.split() for line in lines]
    for index, row in enumerate(rows):
        size = int(row[0]) if re.fullmatch("[0-9]{1,15}", row[0]) else len(row)
        if size >= len(row) or not all(re.fullmatch("-?[0-9]{1,15}", word) for word in row[1 : size + 1]):
            raise Unreadable(
                f"face {index + 1}: {lines[index].strip()[:60]!r} is not a number of vertices and their indices"
            )
        rows[index] = row[1 : size + 1]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    return sizes, integers([word for row in rows for word in row])
