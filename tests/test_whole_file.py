"""A file is there whole or not at all, and nothing else is left."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from massprops.errors import Unwritable
from massprops.report.whole_file import whole_file, write_text

SPECIAL = pytest.mark.skipif(os.name == "nt", reason="links, pipes and permissions of POSIX")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def break_off(target: Path, error: BaseException | type[BaseException]) -> None:
    """Write half of a file."""
    with whole_file(target) as unfinished:
        unfinished.write_bytes(b"half")
        raise error


def test_what_was_written_is_there_in_the_end(tmp_path: Path) -> None:
    target = tmp_path / "part.stl"
    with whole_file(target) as unfinished:
        assert unfinished.parent == target.parent  # of the same file system, so that moving it is one step
        assert unfinished.suffix == ".stl"
        unfinished.write_bytes(b"half")
        assert not target.exists()
        unfinished.write_bytes(b"whole")
    assert contents(tmp_path) == {"part.stl": b"whole"}


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    target = tmp_path / "part.stl"
    target.write_bytes(b"old")
    with whole_file(target) as unfinished:
        unfinished.write_bytes(b"new")
        assert target.read_bytes() == b"old"
    assert contents(tmp_path) == {"part.stl": b"new"}


@SPECIAL
@pytest.mark.parametrize("mode", [0o640, 0o600, 0o666, 0o755])
def test_who_may_read_and_write_stays_the_same(mode: int, tmp_path: Path) -> None:
    target = tmp_path / "part.stl"
    target.write_bytes(b"old")
    target.chmod(mode)
    with whole_file(target) as unfinished:
        assert unfinished.stat().st_mode & 0o777 == mode  # nobody else may look at it meanwhile
        unfinished.write_bytes(b"new")
    assert contents(tmp_path) == {"part.stl": b"new"}
    assert target.stat().st_mode & 0o777 == mode


@SPECIAL
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link, second = tmp_path / "far" / "part.stl", tmp_path / "link.ply", tmp_path / "second.ply"
    target.write_bytes(b"old")
    link.symlink_to("far/part.stl")
    second.symlink_to("link.ply")
    with whole_file(second) as unfinished:
        assert (unfinished.parent, unfinished.suffix) == (target.parent, ".ply")
        unfinished.write_bytes(b"new")
    assert link.is_symlink()
    assert second.is_symlink()
    assert contents(tmp_path / "far") == {"part.stl": b"new"}


@SPECIAL
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unwritable, match="pipe cannot be written: a device, pipe or socket, not a file"):
        write_text(tmp_path / "pipe", lambda stream: None)
    assert (tmp_path / "pipe").is_fifo()


def test_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "part.csv").write_bytes(b"old")
    (tmp_path / f".part.{os.getpid()}.csv").write_bytes(b"half")
    write_text(tmp_path / "part.csv", lambda stream: stream.writelines(["new"]) or None)
    assert contents(tmp_path) == {"part.csv": b"new"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, MemoryError])
@pytest.mark.parametrize("old", [None, b"old"])
def test_an_interruption_leaves_what_was_there(error: type[BaseException], old: bytes | None, tmp_path: Path) -> None:
    target = tmp_path / "part.stl"
    if old is not None:
        target.write_bytes(old)
    with pytest.raises(error):
        break_off(target, error)
    assert contents(tmp_path) == ({} if old is None else {"part.stl": old})


def test_a_full_disk_is_a_verdict(tmp_path: Path) -> None:
    target = tmp_path / "part.stl"
    with pytest.raises(Unwritable) as caught:
        break_off(target, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert caught.value.message == f"{target} cannot be written: no space left on device"
    assert contents(tmp_path) == {}


def test_an_error_without_a_number_is_told_in_its_words(tmp_path: Path) -> None:
    with pytest.raises(Unwritable, match=r"cannot be written: odd$"):
        break_off(tmp_path / "a", OSError("Odd"))


def test_nothing_written_is_a_verdict(tmp_path: Path) -> None:
    with pytest.raises(Unwritable, match="no such file"), whole_file(tmp_path / "part.stl"):
        pass
    assert contents(tmp_path) == {}


def test_a_folder_that_is_not_there_or_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for target in (tmp_path / "no" / "part.csv", tmp_path / "file" / "part.csv"):
        with pytest.raises(Unwritable, match="cannot be written: no"):
            write_text(target, lambda stream: None)


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "part.csv").mkdir()
    with pytest.raises(Unwritable, match="is a directory"):
        write_text(tmp_path / "part.csv", lambda stream: None)
    assert [path.name for path in tmp_path.iterdir()] == ["part.csv"]


def test_a_folder_in_which_nothing_may_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("builtins.open", refused)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(Unwritable, match="permission denied"):
        write_text(tmp_path / "part.csv", lambda stream: None)


def test_the_longest_names_that_a_file_may_have(tmp_path: Path) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX")
    for name in ("x" * (longest - 4) + ".csv", "\u00e9" * ((longest - 4) // 2) + ".csv"):
        write_text(tmp_path / name, lambda stream: None)
        assert (tmp_path / name).exists()
    for name in ("x" * (longest + 1), "x." + "y" * longest):
        with pytest.raises(Unwritable, match="name too long"):
            write_text(tmp_path / name, lambda stream: None)


def test_text_is_the_same_on_every_system(tmp_path: Path) -> None:
    write_text(tmp_path / "a.csv", lambda stream: stream.writelines(["t,\u03c9\n", "0,1\n"]) or None)
    assert (tmp_path / "a.csv").read_bytes() == "t,\u03c9\n0,1\n".encode()
