"""An input as opened: a file on disk, or what came through a pipe, with a size and random access."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from massprops.errors import NotFound, Unreadable
from massprops.readers.open_files import lack_of_files, told_of_open_files

STANDARD_INPUT = "-"

_WRITER_PATIENCE = 2.0  # seconds in which the writer of a named pipe should appear
_HEAD = 4096
_POINTER = b"version https://git-lfs.github.com/spec/"


class Source(NamedTuple):
    """An open input.

    Parameters
    ----------
    file : BinaryIO
        Seekable, opened for reading.
    size : int
        In bytes.
    suffix : str
        Of the name, in lower case and without the dot; empty for standard input.
    folder : Path or None
        Where the file lies; None for standard input.
    """

    file: BinaryIO
    size: int
    suffix: str
    folder: Path | None

    def head(self) -> bytes:
        """The first few thousand bytes.

        Raises
        ------
        Unreadable
            The disk, or what pretends to be a file, does not let us.
        """
        try:
            self.file.seek(0)
            return self.file.read(_HEAD)
        except OSError as error:
            raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def check_beginning(head: bytes) -> None:
    """Refuse a file that begins like a hole on the disk, before all of it is read: it may be larger than the memory.

    And one that only stands for another, as those of a repository do before its large files are fetched.

    Parameters
    ----------
    head : bytes
        All of a short file. None of the formats that are read as a whole begins so, and no binary STL with facets.

    Raises
    ------
    Unreadable
        There are nothing but zeros, or it is a pointer.
    """
    if head.startswith(_POINTER):
        raise Unreadable("a pointer of Git LFS, not the file that it stands for; fetch that with 'git lfs pull'")
    if head and not any(head):
        raise Unreadable(f"it begins with {len(head)} zero bytes, as no such file does; it was not written to its end")


@contextlib.contextmanager
def open_source(path: str) -> Iterator[Source]:
    """Open a file, or standard input for ``-``; what cannot be read in any order is copied to a temporary file.

    Raises
    ------
    NotFound
        There is no such file.
    Unreadable
        A directory, a device, no permission, a pipe without a writer; a standard input that is closed. At the end, a
        file that was written to in the meantime; or what is done with it needs more files than may be opened.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(told_of_open_files())
        if path == STANDARD_INPUT and sys.stdin is None:
            raise Unreadable("standard input is closed")
        if path == STANDARD_INPUT:
            yield _copied(sys.stdin.buffer, "", None, stack)
            return
        name = Path(path)
        suffix, folder = name.suffix.lower().removeprefix("."), name.parent
        file = stack.enter_context(opened(path))
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode):
            with _unchanged(file, status):
                yield Source(file, status.st_size, suffix, folder)
        else:
            yield _copied(file, suffix, folder, stack)


@contextlib.contextmanager
def _unchanged(file: BinaryIO, before: os.stat_result) -> Iterator[None]:
    """Refuse a file that is written to while it is in use: what was found may be true of neither state of it."""

    def check() -> None:
        after = os.fstat(file.fileno())
        if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise Unreadable("changed while it was read; try again when nothing writes to it")

    try:
        yield
    except Unreadable:  # says what is wrong itself
        raise
    except Exception:
        check()
        raise
    check()


def opened(path: str) -> BinaryIO:
    """A file or a named pipe, open for reading from its beginning on.

    Raises
    ------
    NotFound
        There is no such file.
    Unreadable
        A directory, a device, no permission, a pipe without a writer.
    """
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise Unreadable("a directory, not a file; name the files in it")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise Unreadable("a device or socket, not a file")
        if stat.S_ISFIFO(mode):
            return _opened_pipe(path)
        return open(path, "rb")
    except FileNotFoundError:
        raise NotFound("there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        told = lack_of_files(error) if isinstance(error, OSError) else None
        raise Unreadable(told or f"cannot be opened: {reason.lower()}") from None


def _opened_pipe(path: str) -> BinaryIO:
    """A named pipe, opened without waiting for ever for somebody to write to it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    pipe = open(descriptor, "rb", buffering=0)
    deadline = time.monotonic() + _WRITER_PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(BlockingIOError):
            start = os.read(descriptor, 1)
            if not start:
                time.sleep(0.02)
                continue
            os.set_blocking(descriptor, True)
            return _Rejoined(start, pipe)  # type: ignore[return-value]
        time.sleep(0.02)
        deadline = max(deadline, time.monotonic() + 1.0)  # a writer is there: wait for it
    pipe.close()
    raise Unreadable("a pipe that nobody writes to")


class _Rejoined:
    """A pipe whose first byte has been read already."""

    def __init__(self, start: bytes, pipe: BinaryIO) -> None:
        self._start, self._pipe = start, pipe

    def __enter__(self) -> _Rejoined:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()

    def fileno(self) -> int:
        return self._pipe.fileno()

    def read(self, size: int = -1) -> bytes:
        start, self._start = self._start, b""
        return start or self._pipe.read(size)


def _copied(stream: BinaryIO, suffix: str, folder: Path | None, stack: contextlib.ExitStack) -> Source:
    import shutil  # with tempfile some milliseconds that a plain file needs not wait for
    import tempfile

    copy = stack.enter_context(tempfile.TemporaryFile())
    try:
        shutil.copyfileobj(stream, copy, 1 << 20)
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    return Source(copy, copy.tell(), suffix, folder)
