"""One way in: by suffix, by the format named, by what the contents say."""

from __future__ import annotations

import gzip
import importlib.util
import struct
from pathlib import Path

import numpy as np
import pytest

from massprops.core.surface import triangle_array
from massprops.errors import Empty, MassPropsError, NotFound, Unreadable, Unsupported
from massprops.readers.reader import reading
from tests import mesh_files as files

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
TETRAHEDRON = CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
needs_meshes = pytest.mark.skipif(
    importlib.util.find_spec("massprops.readers.meshes") is None, reason="the reader of other formats is not there"
)


def binary(triangles: np.ndarray) -> bytes:
    rows = np.zeros(len(triangles), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = triangles
    return bytes(80) + struct.pack("<I", len(triangles)) + rows.tobytes()


@pytest.mark.parametrize(("name", "format"), [
    ("part.stl", None), ("part.STL", None), ("part.stl", "stl"), ("part", "stl"), ("part.dat", "stl"),
    pytest.param("part", None, marks=needs_meshes), pytest.param("part.ast", None, marks=needs_meshes),
])  # fmt: skip
def test_an_stl_file_under_several_names(tmp_path: Path, name: str, format: str | None) -> None:
    path = tmp_path / name
    path.write_bytes(binary(TETRAHEDRON))
    with reading(str(path), format) as found:
        assert found.format == "stl"
        assert np.array_equal(triangle_array(found.surface), TETRAHEDRON)


def test_the_file_is_closed_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(binary(TETRAHEDRON))
    with reading(str(path)) as found:
        file = found.surface.file  # type: ignore[attr-defined]
        assert not file.closed
    assert file.closed


def test_the_file_is_closed_after_an_error_too(tmp_path: Path) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(binary(TETRAHEDRON))
    opened = []

    def fail() -> None:
        with reading(str(path)) as found:
            opened.append(found.surface.file)  # type: ignore[attr-defined]
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert opened[0].closed


@pytest.mark.parametrize(("data", "verdict"), [(b"", Empty), (b"nonsense " * 30, Unreadable)])
def test_verdicts_on_contents(tmp_path: Path, data: bytes, verdict: type[MassPropsError]) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(data)
    with pytest.raises(verdict), reading(str(path)):
        pass


def test_a_missing_file() -> None:
    with pytest.raises(NotFound), reading("no such file.stl"):
        pass


@needs_meshes
@pytest.mark.parametrize("name", ["part.nonsense", "part.docx", "part"])
def test_a_format_that_is_not_known_is_a_verdict(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)))
    with pytest.raises(MassPropsError) as caught, reading(str(path)):
        pass
    assert caught.value.status in ("unsupported", "unreadable")


@needs_meshes
@pytest.mark.parametrize(("name", "data", "told"), [
    ("part.stl", files.ply(TETRAHEDRON), "by its contents it is ply: try --format ply"),
    ("part.stl", files.obj(TETRAHEDRON), "by its contents it is obj: try --format obj"),
    ("part.obj", files.off(TETRAHEDRON), "by its contents it is off: try --format off"),
    ("part.obj", b"solid a\nfacet normal 0 0 1\n", "by its contents it is stl: try --format stl"),
    ("part.stl", gzip.compress(binary(TETRAHEDRON)), "compressed with gzip; unpack it first"),
    ("part.ply", files.archive({"part.xyz": b""}), "a zip archive; unpack it first"),
    ("part.stl.gz", gzip.compress(b"solid"), "'.gz' is not read; it is compressed with gzip; unpack it first"),
    ("part.zip", files.archive({"part.stl": b""}), "'.zip' is not read; it is a zip archive; unpack it first"),
    ("part.step", b"ISO-10303-21;\nHEADER;\n", "'.step' is not read; save the part as STL or 3MF, or name what"),
])  # fmt: skip
def test_what_a_file_may_be_instead(tmp_path: Path, name: str, data: bytes | str, told: str) -> None:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises((Unreadable, Unsupported), match=told), reading(str(path)):
        pass


@pytest.mark.parametrize(("name", "format"), [("part.stl", None), ("part.stl", "obj"), ("part.3mf", None)])
def test_no_advice_on_what_a_damaged_file_is(tmp_path: Path, name: str, format: str | None) -> None:
    path = tmp_path / name
    path.write_bytes(b"solid a\nfacet normal 0 0 1\n" if name == "part.stl" else files.threemf(TETRAHEDRON)[:-9])
    with pytest.raises(Unreadable) as caught, reading(str(path), format):
        pass
    assert "try" not in caught.value.message
    assert "unpack" not in caught.value.message


@needs_meshes
@pytest.mark.parametrize("name", ["part", "part.txt", "part.gltf"])
def test_a_format_that_was_told_by_the_contents_is_no_advice(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(
        '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": "gone.bin"}], "scene": 0, "scenes": '
        '[{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], '
        '"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}], '
        '"bufferViews": [{"buffer": 0, "byteLength": 36}]}'
    )
    with pytest.raises(Unreadable, match=r"gone\.bin") as caught, reading(str(path)):
        pass
    assert "try" not in caught.value.message
