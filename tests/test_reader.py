"""One way in: by suffix, by the format named, by what the contents say."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import numpy as np
import pytest

from massprops.core.surface import triangle_array
from massprops.errors import Empty, MassPropsError, NotFound, Unreadable
from massprops.readers.reader import reading

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
