"""Lists of inputs: what they hold, and that they end."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from massprops.errors import NotFound, Unreadable
from massprops.readers import name_list
from massprops.readers.name_list import read_names


@pytest.mark.parametrize(("content", "names"), [
    (b"", []), (b"\n \n\t\n", []), (b"a\nb\n", ["a", "b"]), (b"a\r\nb\rc", ["a", "b", "c"]),
    (b"\xef\xbb\xbfa b\n", ["a b"]), ("é\n".encode(), ["é"]), (b"\xff\n", [os.fsdecode(b"\xff")]),
    (b" a \n", [" a "]), ("a\u2028b\x0bc".encode(), ["a\u2028b\x0bc"]),
])  # fmt: skip
def test_names(content: bytes, names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "list").write_bytes(content)
    assert read_names(str(tmp_path / "list")) == names
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read_names("-") == names


@pytest.mark.skipif(os.name == "nt", reason="named pipes of POSIX")
@pytest.mark.parametrize("content", [b"a\n", b"first\n" * 50_000 + b"last"])
def test_a_list_through_a_pipe(content: bytes, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(content,))
    writer.start()
    assert read_names(str(tmp_path / "pipe")) == content.decode().split()
    writer.join()


def test_what_is_no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotFound):
        read_names(str(tmp_path / "missing"))
    with pytest.raises(Unreadable, match="directory"):
        read_names(str(tmp_path))
    (tmp_path / "mesh.stl").write_bytes(bytes(84))
    with pytest.raises(Unreadable, match="holds zero bytes"):
        read_names(str(tmp_path / "mesh.stl"))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Unreadable, match="standard input is closed"):
        read_names("-")


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
def test_a_device() -> None:
    with pytest.raises(Unreadable, match="a device or socket"):
        read_names(os.devnull)


class Endless(io.RawIOBase):
    """``yes``."""

    def readable(self) -> bool:
        return True

    def readinto(self, part: Any) -> int:
        part[:] = b"\n" * len(part)
        return len(part)


def test_a_list_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_list, "LARGEST", 3 * 2**20)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    with pytest.raises(Unreadable, match="longer than 3 MB, as no list of names is"):
        read_names("-")


def test_a_list_that_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        @property
        def buffer(self) -> Broken:
            return self

        def read(self, _: int) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", Broken())
    with pytest.raises(Unreadable, match="cannot be read: input/output error"):
        read_names("-")
