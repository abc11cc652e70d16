"""Wavefront OBJ: the `v` and `f` lines of all groups and objects, as one mesh.

Read here and not by trimesh, which counts negative indices from the end of the file instead of from their own line,
takes index 0 for the first vertex, and leaves out lines that it cannot make sense of.

Source: Wavefront, Advanced Visualizer manual, appendix B1 "Object files". Materials and textures are never opened.
"""

from __future__ import annotations

import re
from itertools import chain, islice

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.decimals import Floats, Ints, bad_line, columns, comma_advice, integers, text_of
from massprops.readers.flatness import warped
from massprops.readers.polygons import triangulated
from massprops.readers.reading import Reading

VERTEX = re.compile(r"^[ \t]*v(?!\S)([^#\n]*)", re.M)
FACE = re.compile(r"^[ \t]*fo?(?!\S)(.*)", re.M)
INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
CURVED = re.compile(r"^[ \t]*(surf|bsp|bzp|cdc|cdp|call)[ \t]", re.M)
CONTINUED = re.compile(r"^([^#\n]*)\\[ \t]*\n", re.M)
KNOWN = re.compile(r"^[ \t]*(?:#|(?:v|vt|vn|vp|f|fo|l|p|g|o|s|mg|mtllib|usemtl|usemap|maplib)(?:[ \t]|$))", re.M)

LEAST_CORNERS = 2
"""Corners of a face: that with two is a line, and no facet."""

PIECE = 1 << 15
"""Face lines that are worked on at a time."""


def read_obj(data: bytes) -> Reading:
    """The facets of an OBJ file.

    Parameters
    ----------
    data : bytes
        The file's content: UTF-8, UTF-16 or any superset of ASCII; any line ends; lines continued by a backslash.

    Raises
    ------
    Empty
        No `f` line.
    Unreadable
        A line that cannot be understood, an index of a vertex that is not there, or no OBJ at all.
    Unsupported
        Free-form surfaces, or a call of another file.

    >>> read_obj(b"v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf -3 -2 -1\\n").surface.facets
    1
    """
    text = text_of(data)
    if "\\" in text:
        text = CONTINUED.sub(r"\1 ", text)
    found = CURVED.search(text)
    if found:
        raise Unsupported(f"line {_line(text, CURVED)}: `{found[1]}`; only polygons are read, so export a mesh")
    vertices, faces = VERTEX.findall(text), FACE.findall(text)
    if not faces:
        raise _nothing(text, len(vertices))
    points = _points(text, vertices)
    sizes, corners = _polygons(text, faces)
    corners = _counted_from_zero(text, sizes, corners, len(points))
    triangles = points[triangulated(sizes, corners, points)]
    if len(triangles) == 0:
        raise Empty(f"no facets: {number_of(len(points), 'vertex', 'vertices')}, and every face has only two of them")
    return Reading(TriangleArray(triangles), "obj", _lines_among(sizes) + warped(sizes, corners, points))


def _lines_among(sizes: Ints) -> tuple[Notice, ...]:
    """What to tell of faces of two corners: old versions of Blender write an edge without a face so."""
    lines = int(np.count_nonzero(sizes == 2))
    faces = number_of(lines, "face of two vertices is a line", "faces of two vertices are lines")
    message = f"{faces} and bound nothing, and so passed over"
    return (Notice("lines", message, {"lines": lines}),) if lines else ()


def _nothing(text: str, vertices: int) -> Empty | Unreadable:
    if not text.strip():
        return Empty("the file is empty")
    if not KNOWN.search(text):
        return Unreadable(f"not an OBJ file: it begins with {text.strip()[:40]!r}")
    return Empty(f"no facets: {number_of(vertices, 'vertex', 'vertices')} and no `f` line")


def _points(text: str, lines: list[str]) -> Floats:
    try:
        return columns(lines, 3)
    except ValueError:
        index = bad_line(lines, 3)
        raise Unreadable(
            f"line {_line(text, VERTEX, index)}: `v{lines[index][:60].rstrip()}` is not a vertex of three numbers"
            f"{comma_advice(lines[index])}"
        ) from None


def _polygons(text: str, lines: list[str]) -> tuple[Ints, Ints]:
    """Corners of each face, and the vertex references of all of them as written."""
    bare = _without_tails(lines) if any("/" in line or "#" in line for line in lines) else lines
    try:
        table = columns(bare, None, np.int64)
    except ValueError:  # not all faces have the same number of corners, or one of them is bad
        table = np.empty((0, 0), np.int64)
    if table.shape[1] >= LEAST_CORNERS:
        return np.full(len(table), table.shape[1]), table.ravel()
    rows = [line.split() for line in bare]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    if int(sizes.min()) >= LEAST_CORNERS:
        try:
            return sizes, integers(list(chain.from_iterable(rows)))
        except ValueError:
            pass
    index = next(i for i, row in enumerate(rows) if len(row) < LEAST_CORNERS or not all(map(INTEGER.fullmatch, row)))
    raise Unreadable(
        f"line {_line(text, FACE, index)}: `f{lines[index][:60].rstrip()}` is not a face of three or more vertices"
    )


def _without_tails(lines: list[str]) -> list[str]:
    """Face lines without what follows a slash up to the next blank, which are texture and normal, or a comment."""
    result: list[str] = []
    for start in range(0, len(lines), PIECE):
        piece = "\n".join(line.partition("#")[0] for line in lines[start : start + PIECE])
        characters = np.frombuffer(piece.encode("latin-1", "replace"), np.uint8)
        place = np.arange(len(characters))
        last_slash = np.maximum.accumulate(np.where(characters == ord("/"), place, -1))
        last_blank = np.maximum.accumulate(np.where(characters <= ord(" "), place, -1))
        bare = np.where(last_slash > last_blank, ord(" "), characters).astype(np.uint8)
        result += bare.tobytes().decode("latin-1").split("\n")
    return result


def _counted_from_zero(text: str, sizes: Ints, corners: Ints, vertices: int) -> Ints:
    """Indices counted from 0, of references counted from 1, or backwards (negative) from their own line."""
    zero = np.flatnonzero(corners == 0)
    relative = corners < 0
    if relative.any():
        before = np.array([found.start() for found in VERTEX.finditer(text)])
        faces = np.array([found.start() for found in FACE.finditer(text)])
        seen = np.repeat(np.searchsorted(before, faces), sizes)
        corners = np.where(relative, corners + seen, corners - 1)
    else:
        corners = corners - 1
    wrong = np.flatnonzero((corners < 0) | (corners >= vertices)) if not len(zero) else zero
    if len(wrong):
        face = int(np.searchsorted(np.cumsum(sizes), wrong[0], side="right"))
        raise Unreadable(
            f"line {_line(text, FACE, face)}: face {face + 1} refers to a vertex that is not there "
            f"(there are {vertices}, counted from 1)"
        )
    return corners


def _line(text: str, pattern: re.Pattern[str], index: int = 0) -> int:
    """Number of the line of the match with the given index."""
    found = next(islice(pattern.finditer(text), index, None))
    return text.count("\n", 0, found.start()) + 1
