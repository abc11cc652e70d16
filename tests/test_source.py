"""Inputs as opened: files, pipes, standard input, and what is none of them."""

from __future__ import annotations

import errno
import io
import os
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from massprops.errors import MassPropsError, NotFound, Unreadable
from massprops.readers import source as module
from massprops.readers.open_files import lack_of_files
from massprops.readers.plain_verdicts import plain_verdicts
from massprops.readers.source import open_source


def write_pipe(path: Path, data: bytes) -> threading.Thread:
    def write() -> None:
        with open(path, "wb") as pipe:
            pipe.write(data)

    thread = threading.Thread(target=write)
    thread.start()
    return thread


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "Part.one.STL"
    path.write_bytes(b"0123456789" * 1000)
    with open_source(str(path)) as source:
        assert (source.size, source.suffix, source.folder) == (10_000, "stl", tmp_path)
        assert source.head() == (b"0123456789" * 410)[:4096]
        source.file.seek(9_999)
        assert source.file.read() == b"9"
        file = source.file
    assert file.closed


@pytest.mark.parametrize("name", ["part", ".stl", "a.b.c"])
def test_suffixes(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    with open_source(str(tmp_path / name)) as source:
        assert source.suffix == Path(name).suffix.removeprefix(".")


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "a.stl").touch()
    with open_source(str(tmp_path / "a.stl")) as source:
        assert source.size == 0
        assert source.head() == b""


def test_standard_input_is_copied_so_that_it_can_be_read_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    data = os.urandom(3_000_000)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    with open_source("-") as source:
        assert (source.size, source.suffix, source.folder) == (len(data), "", None)
        assert source.head() == data[:4096]
        source.file.seek(2_000_000)
        assert source.file.read() == data[2_000_000:]
        assert os.pread(source.file.fileno(), 5, 1_000_000) == data[1_000_000:1_000_005]


def test_a_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(MassPropsError), open_source("-"):
        pass


@pytest.mark.parametrize("size", [1, 100, 70_000, 300_000])
def test_a_named_pipe_is_read_to_its_end(tmp_path: Path, size: int) -> None:
    path, data = tmp_path / "pipe.stl", os.urandom(size)
    os.mkfifo(path)
    writer = write_pipe(path, data)
    with open_source(str(path)) as source:
        source.file.seek(0)
        assert source.file.read() == data
        assert (source.size, source.suffix) == (size, "stl")
    writer.join()


def test_a_pipe_without_a_writer_is_told_and_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(module, "_WRITER_PATIENCE", 0.05)
    with pytest.raises(Unreadable, match="nobody writes"), open_source(str(tmp_path / "pipe")):
        pass


@pytest.mark.parametrize("name", ["missing.stl", "", "no/such/folder/a.stl", "dangling.stl"])
def test_what_is_not_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "dangling.stl").symlink_to(tmp_path / "gone.stl")
    with pytest.raises(NotFound), open_source(os.path.join(tmp_path, name) if name else ""):
        pass


def test_a_directory_a_device_and_a_socket(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="directory"), open_source(str(tmp_path)):
        pass
    with pytest.raises(Unreadable, match="device"), open_source(os.devnull):
        pass
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.bind(str(tmp_path / "s"))
        except OSError:
            pytest.skip("the path is too long for a socket")
        with pytest.raises(Unreadable, match="socket"), open_source(str(tmp_path / "s")):
            pass


@pytest.mark.parametrize("name", ["a\0b.stl", "x" * 5000, "file.stl/"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.stl").touch()
    with pytest.raises(Unreadable, match="cannot be opened"), open_source(os.path.join(tmp_path, name)):
        pass


def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a.stl").symlink_to(tmp_path / "b.stl")
    (tmp_path / "b.stl").symlink_to(tmp_path / "a.stl")
    with pytest.raises(Unreadable, match="cannot be opened"), open_source(str(tmp_path / "a.stl")):
        pass


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.stl"
    path.write_bytes(b"x")
    path.chmod(0)
    with pytest.raises(Unreadable, match="permission"), open_source(str(path)):
        pass


@pytest.mark.parametrize("found", [None, ValueError("of whatever was read")])
@pytest.mark.parametrize("change", [b"more", b""])
def test_a_file_that_is_written_to_while_it_is_read_is_refused(
    tmp_path: Path, change: bytes, found: Exception | None
) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(b"solid")
    os.utime(path, (1, 1))

    def use() -> None:
        with open_source(str(path)):
            path.write_bytes(b"solid" + change)
            if found is not None:
                raise found

    with pytest.raises(Unreadable, match="changed while it was read"):
        use()


def test_what_is_wrong_with_a_file_that_does_not_change_is_told_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(b"solid")
    with pytest.raises(ValueError, match="a mistake"), open_source(str(path)):
        raise ValueError("a mistake")


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EMFILE, os.strerror(errno.EMFILE), "module.py"),
        ImportError(f"libm.so.6: cannot open shared object file: {os.strerror(errno.EMFILE)}"),
    ],
)
def test_a_lack_of_files_is_told_with_the_limit(tmp_path: Path, error: Exception) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(b"solid")
    told = r"^no more files can be opened, as the limit of.* open files is reached; raise it"
    with pytest.raises(Unreadable, match=told), open_source(str(path)):
        raise error
    with pytest.raises(Unreadable, match="no more files"), plain_verdicts():
        raise OSError(errno.EMFILE, "")
    for other in (OSError(errno.EIO, "no luck"), ImportError("no module")):
        with pytest.raises(type(other), match="no "), open_source(str(path)):
            raise other


def test_a_file_that_cannot_be_opened_for_want_of_files(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path, limit = tmp_path / "part.stl", resource.getrlimit(resource.RLIMIT_NOFILE)
    path.write_bytes(b"solid")
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limit[1]))
    try:
        with pytest.raises(Unreadable, match="as the limit of 3 open files is reached"), open_source(str(path)):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)


def test_too_many_files_of_all_programs() -> None:
    assert lack_of_files(OSError(errno.ENFILE, "")) == "the system has too many files open; close other programs"
