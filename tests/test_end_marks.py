"""Ctrl-Z and zeros behind the end of a text, in every format that is one."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest

from massprops.core.surface import triangle_array
from massprops.errors import Unreadable
from massprops.readers import safe_xml
from massprops.readers.end_marks import bare_document, without_ctrl_z, without_end_marks
from massprops.readers.meshes import read_mesh
from massprops.readers.sections import read_section
from tests import mesh_files as files
from tests.oracle import tetrahedron

BODY = tetrahedron()
SELF_DELIMITED = {
    "off": files.off, "ply": files.ply, "amf": files.amf, "dae": files.dae, "xaml": files.xaml, "gltf": files.gltf,
}  # fmt: skip
SECTIONS = {
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h4v3z"/></svg>',
    "geojson": '{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 3], [0, 0]]]}',
    "csv": "0,0\n4,0\n4,3\n",
    "dat": "a profile\n0 0\n4 0\n4 3\n",
    "wkt": "POLYGON ((0 0, 4 0, 4 3, 0 0))\n",
}
MARKS = [b"\x1a", b"\x1a\r\n", b"\r\n\x1a\r\n", b"\x1a" + bytes(100), b"\x1a\x1a \n"]
ZEROS = [bytes(1), bytes(7), bytes(5000), b"\n" + bytes(3) + b"\n", bytes(2) + b"\x1a"]


def read(data: bytes, format: str) -> np.ndarray:
    return triangle_array(read_mesh(io.BytesIO(data), format, None).surface)


def corners(data: bytes, format: str) -> int:
    (shape,) = read_section(data, format).shapes
    return len(shape.paths[0].pieces[0].points)  # type: ignore[union-attr]


@pytest.mark.parametrize("end", [*MARKS, *ZEROS])
@pytest.mark.parametrize("format", SELF_DELIMITED)
def test_meshes_that_say_where_they_end(format: str, end: bytes) -> None:
    found = read_mesh(io.BytesIO(SELF_DELIMITED[format](BODY) + end), format, None)
    assert np.array_equal(triangle_array(found.surface), BODY)
    assert [notice.code for notice in found.notices] == []


@pytest.mark.parametrize("end", MARKS)
def test_ctrl_z_ends_the_text_of_other_formats(end: bytes) -> None:
    assert np.array_equal(read(files.obj(BODY) + end, "obj"), BODY)
    for format, text in SECTIONS.items():
        assert corners(text.encode() + end, format) == corners(text.encode(), format)


@pytest.mark.parametrize("end", ZEROS)
@pytest.mark.parametrize("format", ["obj", "csv", "dat", "wkt"])
def test_zeros_may_stand_for_what_was_never_written(format: str, end: bytes) -> None:
    text = files.obj(BODY) if format == "obj" else SECTIONS[format].encode()
    reader: Callable[[bytes, str], object] = read if format == "obj" else read_section
    first = len(text) + end.index(0)
    told = f"its text ends at byte {first}, .* was not written to its end"
    with pytest.raises(Unreadable, match=f"a zero byte at {first}$" if end.endswith(b"\x1a") else told):
        reader(text + end, format)


@pytest.mark.parametrize("end", ZEROS)
@pytest.mark.parametrize("format", ["svg", "geojson"])
def test_sections_that_say_where_they_end(format: str, end: bytes) -> None:
    text = SECTIONS[format].encode()
    assert corners(text + end, format) == corners(text, format)


@pytest.mark.parametrize("end", [b"\0x", b"\x1ax", b"\0\0<a/>", bytes(40) + b"rest"])
@pytest.mark.parametrize("format", [*SELF_DELIMITED, *SECTIONS])
def test_what_else_follows_is_told(format: str, end: bytes) -> None:
    if format in SECTIONS:
        with pytest.raises(Unreadable):
            read_section(SECTIONS[format].encode() + end, format)
        return
    try:
        found = read_mesh(io.BytesIO(SELF_DELIMITED[format](BODY) + end), format, None)
    except Unreadable:
        return
    assert [notice.code for notice in found.notices] == ["trailing_bytes"]


def test_parts_of_a_package() -> None:
    mesh = f'<object id="1" type="model">{files.mesh_3mf(BODY)}</object>'
    package = files.package(files.model_3mf(mesh, '<item objectid="1"/>') + "\0\0")
    assert np.array_equal(read(package, "3mf"), BODY)


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 1000])
def test_marks_between_pieces_of_a_document(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(safe_xml, "PIECE", piece)
    for end in (*MARKS, *ZEROS[:2], *ZEROS[3:]):
        assert safe_xml.xml_tree(b"<a>\n <b/> \n</a>" + end, "test").text == "\n "
    for damaged in (b"<a>\n\0\0</a>", b"<a>\x1a</a>", b"<a/>\0\n\0x", b"<a>\0\0"):
        with pytest.raises(Unreadable):
            safe_xml.xml_tree(damaged, "test")


def test_zeros_of_utf_16_are_no_marks() -> None:
    data = '<?xml version="1.0" encoding="utf-16"?><a>\u0100</a>'.encode("utf-16")
    assert safe_xml.xml_tree(data, "test").text == "\u0100"
    assert bare_document(data + bytes(2)) == data + bytes(2)
    assert without_end_marks(b"a\0\0") == b"a"
    assert without_ctrl_z(b"a\0\0\x1a") == b"a\0\0\x1a"
