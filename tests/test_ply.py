"""PLY: text and binary in both byte orders, mixed polygons, strips, lists beside the one that counts; damage."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from massprops.errors import Empty, Unreadable
from massprops.readers.ply import read_ply
from tests import mesh_files as files
from tests.oracle import indexed, moved, rays, rotation, star

BODY = moved(star(1, np.linspace(0.7, 1.9, rays(1))), rotation(1, 1, -2, 4), (3.1, -0.7, 0.2))
SINGLE = BODY.astype(np.float32).astype(np.float64)
POINTS, FACES = indexed(BODY)
SQUARE = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 2, 0]])
POLYGONS = [[0, 1, 2], [0, 1, 2, 3], [2, 4, 3], [0, 1, 2, 4, 3], [3, 0], [1, 2, 3]]


def triangles(data: bytes | str) -> np.ndarray:
    reading = read_ply(data.encode() if isinstance(data, str) else data)
    assert reading.format == "ply"
    return reading.surface.triangles  # type: ignore[attr-defined]


def vertices(form: str, count: int, kind: str = "float") -> str:
    lines = "".join(f"property {kind} {axis}\n" for axis in "xyz")
    return f"ply\nformat {form} 1.0\nelement vertex {count}\n{lines}"


@pytest.mark.parametrize("order", ["<", ">"])
def test_binary(order: str) -> None:
    assert np.array_equal(triangles(files.binary_ply(BODY, order)), BODY)
    assert np.array_equal(triangles(files.binary_ply(SINGLE, order, "float")), SINGLE)


def test_a_float_in_text_is_the_float_that_the_binary_file_would_hold() -> None:
    text = files.ply(BODY).decode()
    assert np.array_equal(triangles(text), BODY)
    assert np.array_equal(triangles(text.replace("double", "float")), SINGLE)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("first", [0.0, 3.5])
def test_line_ends_of_the_header_before_a_body_that_begins_like_one(end: str, first: float) -> None:
    """The body begins with the bytes 10, 13 or 0."""
    for begin in (b"\n", b"\r", b"\r\n", b"\0"):
        head = vertices("binary_little_endian", 3, "double") + (
            "element face 1\nproperty list uchar int vertex_index\nend_header\n"
        )
        body = bytearray(np.array([[first, 0, 0], [1, 0, 0], [0, 1, 0]], "<f8").tobytes())
        if (end == "\n" and begin.startswith(b"\n")) or begin == b"\0":
            body[: len(begin)] = begin
        data = head.replace("\n", end).encode() + bytes(body) + struct.pack("<B3i", 3, 0, 1, 2)
        assert triangles(data)[0, 0, 0] == np.frombuffer(body, "<f8")[0]


def test_a_header_of_newlines_may_end_with_a_carriage_return_more() -> None:
    data = files.binary_ply(BODY).replace(b"end_header\n", b"end_header\r\n")
    assert np.array_equal(triangles(data), BODY)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("types", [("uchar", "int"), ("int", "uint"), ("ushort", "short"), ("uint8", "uint64")])
def test_polygons_of_any_size_in_any_types(order: str, types: tuple[str, str]) -> None:
    length, index = types
    codes = {"uchar": "B", "uint8": "B", "int": "i", "uint": "I", "ushort": "H", "short": "h", "uint64": "Q"}
    form = "binary_little_endian" if order == "<" else "binary_big_endian"
    head = vertices(form, len(SQUARE)) + (
        "property uchar red\nelement face 6\nproperty float quality\n"
        f"property list {length} {index} vertex_indices\nproperty list uchar float texcoord\nend_header\n"
    )
    body = b"".join(struct.pack(order + "3fB", *point, 255) for point in SQUARE)
    for face in POLYGONS:
        body += struct.pack(order + "f" + codes[length] + f"{len(face)}" + codes[index], 0.5, len(face), *face)
        body += struct.pack(order + f"B{2 * len(face)}f", 2 * len(face), *[0.25] * (2 * len(face)))
    found = triangles(head.encode() + body)
    text = head.replace(form, "ascii") + "".join(f"{x} {y} {z} 255\n" for x, y, z in SQUARE.tolist())
    text += "".join(f"0.5 {len(f)} {' '.join(map(str, f))} 2 0.5 nan\n" for f in POLYGONS)
    assert np.array_equal(found, triangles(text))
    assert len(found) == 1 + 2 + 1 + 3 + 0 + 1
    assert np.array_equal(found[3], SQUARE[[2, 4, 3]])


def test_alike_faces_with_other_lists_and_elements_around() -> None:
    head = (
        "ply\nformat binary_little_endian 1.0\nobj_info by hand\nelement camera 1\nproperty double view\n"
        "element note 2\nproperty list uchar char text\nelement nothing 7\n"
        + vertices("x", 6).split("1.0\n")[1]
        + f"element face {len(FACES)}\nproperty list uchar float uv\nproperty list uchar int vertex_indices\n"
        "property int flags\nelement edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n"
    )
    body = struct.pack("<dB3bB1b", 1.0, 3, 65, 66, 67, 1, 65) + indexed(SINGLE)[0].astype("<f4").tobytes()
    for face in indexed(SINGLE)[1].tolist():
        body += struct.pack("<B6fB3ii", 6, *range(6), 3, *face, 9)
    reading = read_ply(head.encode() + body + struct.pack("<2i", 0, 1))
    assert reading.notices == ()
    assert np.array_equal(reading.surface.triangles, SINGLE)  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ["ascii", "binary_little_endian", "binary_big_endian"])
def test_lists_in_vertices_are_passed_over(form: str) -> None:
    """Vertices of different lengths: a list before, between and behind the coordinates."""
    points, faces = indexed(SINGLE)
    head = (
        f"ply\nformat {form} 1.0\nelement vertex {len(points)}\nproperty short id\nproperty list uchar float w\n"
        "property uchar red\nproperty float x\nproperty list ushort int bones\nproperty float y\nproperty float z\n"
        f"property list uchar double uv\nproperty uchar last\nelement face {len(faces)}\n"
        "property list uchar int vertex_indices\nend_header\n"
    )
    rows: list[tuple[str, list[float]]] = []
    for k, (x, y, z) in enumerate(points.tolist()):
        a, b, c = k % 3, (k + 1) % 4, k % 2
        rows.append((f"hB{a}fBfH{b}iffB{c}dB", [k, a, *[0.5] * a, 7, x, b, *[k] * b, y, z, c, *[0.25] * c, 9]))
    rows += [("B3i", [3, *face]) for face in faces.tolist()]
    if form == "ascii":
        data = head.encode() + "\n".join(" ".join(map(repr, row)) for _, row in rows).encode()
    else:
        data = head.encode() + b"".join(struct.pack("<>"["big" in form] + kinds, *row) for kinds, row in rows)
    assert np.array_equal(triangles(data), SINGLE)
    assert read_ply(data).notices == ()


def test_no_vertices_with_lists() -> None:
    head = "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\n"
    with pytest.raises(Empty, match="no facets, only 0 vertices"):
        triangles(head + "property list uchar int w\nend_header\n")


def test_strips_of_triangles() -> None:
    head = vertices("ascii", 5) + "element tristrips 2\nproperty list int int vertex_indices\nend_header\n"
    found = triangles(head + files.rows(SQUARE) + "8 0 1 3 2 -1 2 4 3\n3 0 1 2\n")
    wanted = [[0, 1, 3], [3, 1, 2], [2, 4, 3], [0, 1, 2]]
    assert np.array_equal(found, SQUARE[wanted])


def test_rows_need_not_be_lines_and_colours_need_not_be_numbers() -> None:
    more = "property uchar red\nproperty float alpha\n"
    head = files.ply_header("ascii", len(POINTS), len(FACES), "double", more)
    body = [f"{words} 7 nan" for words in files.rows(POINTS).splitlines()]
    lists = [f"3 {words}" for words in files.rows(FACES).splitlines()]
    assert np.array_equal(triangles(head + " ".join(body + lists)), BODY)
    assert np.array_equal(triangles((head + "\r\n".join(body + lists)).replace("by hand", "von H\xe4nden")), BODY)


def test_data_that_is_left_over_is_told() -> None:
    (notice,) = read_ply(files.binary_ply(BODY) + b"\0\0").notices
    assert (notice.code, notice.details) == ("trailing_bytes", {"bytes": 2})
    assert [n.code for n in read_ply(files.ply(BODY) + b"3 0 1 2\n").notices] == ["trailing_bytes"]


@pytest.mark.parametrize("write", [files.ply, files.binary_ply])
def test_a_file_cut_anywhere_is_not_read(write: object) -> None:
    data = write(BODY).rstrip(b"\n")  # type: ignore[operator]
    last = data.rindex(b" ") if b"ascii" in data else len(data) - 1
    for cut in range(1, last + 1):
        with pytest.raises(Unreadable):
            triangles(data[:cut])


HEAD = "ply\nformat ascii 1.0\n"
XYZ = "property float x\nproperty float y\nproperty float z\n"
FACE = "property list uchar int vertex_indices\n"
LIST_Y = XYZ.replace("float y", "list int int y")
ONE = HEAD + "element vertex 1\n" + XYZ
THREE = f"{HEAD}element vertex 3\n{XYZ}element face 1\n{FACE}end_header\n0 0 0 1 0 0 0 1 0\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("obj\n", "does not begin with a line `ply`"),
        ("ply\nformat ascii 1.0\nelement vertex 3\n", "no line `end_header`"),
        ("ply\nend_header\n", "has no format"),
        ("ply\nformat ascii\nend_header\n", "line 2 of the PLY header is not understood: 'format ascii'"),
        (HEAD + "element vertex many\nend_header\n", "line 3"),
        (HEAD + "element vertex 3\nproperty quad x\nend_header\n", "line 4"),
        (HEAD + "property float x\nend_header\n", "line 3"),
        (HEAD + f"element vertex 1\n{XYZ}element vertex 1\n{XYZ}end_header\n1 1 1 1 1 1\n", "element twice"),
        (HEAD + "element vertex 1\nproperty float x\nend_header\n1\n", "vertex has no property y"),
        (HEAD + f"element vertex 2\n{XYZ}{FACE}end_header\n0 0 0 2 7 8 0 0 0 1\n", "2 rows of vertex are announced, 1"),
        (HEAD + f"element vertex 1\n{XYZ}{FACE}end_header\n0 0 0 -1\n", "vertex 1: a list of -1"),
        (HEAD + f"element vertex 1\n{LIST_Y}end_header\n0 1 2 0\n", "y of vertex is a list"),
        (ONE + "element face 1\nproperty int n\nend_header\n0 0 0 0\n", "no property vertex"),
        (ONE + "element face 1\nproperty int vertex_index\nend_header\n0 0 0 0\n", "not a list"),
        (HEAD + f"element vertex 999999999999999\n{XYZ}end_header\n0 0 0\n", "announced, more than the file has room"),
        (THREE + "3 0 1 3\n", "face 1 refers"),
        (THREE + "3 0 1 .5\n", "not an integer"),
        (THREE + "3 0 1 inf\n", "not an integer"),
        (THREE + "-3 0 1 2\n", "face 1: a list"),
        (THREE + "2.5 0 1 2\n", "face 1: a list"),
        (THREE + "nan 0 1 2\n", "1 row of face"),
        (THREE + "1e300 0 1 2\n", "1 row of face"),
        (THREE + "zero\n", "'zero' where a number is expected"),
    ],
)
def test_what_is_damaged(text: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        triangles(text)


@pytest.mark.parametrize("line", ["Created by hand, in", "author: me"])
def test_a_comment_without_its_first_word_is_told(line: str) -> None:
    head, mark, rest = files.ply(BODY).partition(b"element")
    reading = read_ply(head + line.encode() + b"\n" + mark + rest)
    assert np.array_equal(reading.surface.triangles, triangles(files.ply(BODY)))  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("header", {"lines": 1})
    assert notice.message.startswith("line {} of the".format(head.count(b"\n") + 1))


def test_a_misspelt_element_is_no_comment() -> None:
    with pytest.raises(Unreadable, match="line 4 of the PLY header is not understood: 'property float x'"):
        triangles(HEAD + f"elment vertex 1\n{XYZ}end_header\n0 0 0\n")


def test_a_length_that_reaches_beyond_the_file() -> None:
    data = bytearray(files.binary_ply(BODY))
    data[-13] = 200
    with pytest.raises(Unreadable, match=f"{len(FACES)} rows of face are announced, {len(FACES) - 1} there"):
        triangles(bytes(data))


@pytest.mark.parametrize(
    "text",
    [
        HEAD + f"element vertex 2\n{XYZ}end_header\n0 0 0\n1 1 1\n",
        HEAD + f"element vertex 0\n{XYZ}element face 0\n{FACE}end_header\n",
        HEAD + f"element vertex 2\n{XYZ}element face 1\n{FACE}end_header\n0 0 0\n1 1 1\n2 0 1\n",
        HEAD + "end_header\n",
    ],
)
def test_nothing(text: str) -> None:
    with pytest.raises(Empty, match="no facets"):
        triangles(text)
    with pytest.raises(Empty, match="the file is empty"):
        triangles(b"\n")
