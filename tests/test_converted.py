"""Binary files that were changed as if they were text: told as such, and never measured."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from massprops.errors import Unreadable
from massprops.readers.converted import converted, reencoded, with_carriage_returns, with_question_marks
from massprops.readers.reader import reading
from tests import mesh_files as files
from tests.oracle import binary_stl, floats, moved, rotation, torus

BODY = moved(torus(3, 1, 40, 20), floats(rotation(1, 2, 3, 4)), (0.1, -0.2, 0.3))
STL = binary_stl(BODY)


def question_marks(data: bytes) -> bytes:
    return bytes(byte if byte < 128 else ord("?") for byte in data)


CHANGES = {
    "CRLF for LF": (lambda data: data.replace(b"\n", b"\r\n"), "follows a carriage return"),
    "CRLF for LF that has none": (
        lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), "follows a carriage return",
    ),
    "UTF-8, replaced": (lambda data: data.decode("utf-8", "replace").encode(), "places by EF BF BD"),
    "ASCII, replaced": (lambda data: data.decode("ascii", "replace").encode(), "places by EF BF BD"),
    "Latin-1 to UTF-8": (lambda data: data.decode("latin-1").encode(), "beyond 127 are all UTF-8"),
    "to ASCII": (question_marks, "question marks stand for"),
}  # fmt: skip


def told(tmp_path: Path, name: str, data: bytes) -> str:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Unreadable) as caught, reading(str(tmp_path / name)):
        pass
    return caught.value.message


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("file", ["part.stl", "part"])
def test_stl(tmp_path: Path, file: str, name: str) -> None:
    change, words = CHANGES[name]
    message = told(tmp_path, file, change(STL))
    assert words in message
    assert message.count("changed as if it were text") == 1


@pytest.mark.parametrize("name", CHANGES)
def test_small_stl_and_its_count(tmp_path: Path, name: str) -> None:
    """A count of 10 facets has a line feed in it."""
    change, words = CHANGES[name]
    few = BODY[:10] * (1 + np.arange(30).reshape(10, 3, 1) / 7)
    assert words in told(tmp_path, "part.stl", change(binary_stl(few)))


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("name", CHANGES)
def test_ply(tmp_path: Path, name: str, order: str, kind: str) -> None:
    change, words = CHANGES[name]
    assert words in told(tmp_path, "part.ply", change(files.binary_ply(BODY, order, kind)))


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "to ASCII"])
def test_other_formats(tmp_path: Path, name: str) -> None:
    change, words = CHANGES[name]
    large = moved(torus(3, 1, 90, 60), floats(rotation(1, 2, 3, 4)))
    assert words in told(tmp_path, "part.glb", change(files.glb(large)))
    with zipfile.ZipFile(tmp_path / "noise.zip", "w") as archive:
        archive.writestr("3D/noise", np.random.default_rng(3).bytes(60_000))
    assert words in told(tmp_path, "part.3mf", change((tmp_path / "noise.zip").read_bytes()))


def test_sound_files_are_not_accused(tmp_path: Path) -> None:
    steps = 0.5 + np.arange(128) / 256  # of which no byte is beyond 127, and the highest is a question mark
    assert np.array(steps, "<f4").tobytes().isascii()
    for values in (steps, steps[:9], np.full(900, np.frombuffer(b"?\r\n?", "<f4")[0], float)):
        triangles = np.resize(values, (400, 3, 3))
        for data in (binary_stl(triangles), binary_stl(triangles) + b"end\n", binary_stl(triangles).replace(
            struct.pack("<I", 400), bytes(4), 1
        )):  # fmt: skip
            (tmp_path / "part.stl").write_bytes(data)
            with reading(str(tmp_path / "part.stl")) as found:
                assert found.surface.facets == 400


def test_text_is_not_accused() -> None:
    text = "\r\n".join(f"v {k} {k} {k} # \u00e4\u00f6\u00fc" for k in range(100)).encode()
    assert converted(text) is None
    assert reencoded(text) is not None
    assert with_carriage_returns(text.replace(b"\xc3", b"")) is None
    assert with_question_marks(np.full(1000, np.frombuffer(b"????", "<f4")[0])) is None
