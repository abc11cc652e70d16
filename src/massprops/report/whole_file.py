"""Files that are there whole or not at all: written under another name, then moved."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from massprops.errors import Unwritable

_LONGEST = 40
"""Letters of a name that the other name keeps: that must not be too long where the name itself is not."""


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write to; what is there at the end of the context becomes ``path``.

    The name ends as ``path`` does. A file that is replaced hands on who may
    read and write it; where ``path`` is a link, the file that it leads to is replaced, and the link stays.

    Raises
    ------
    Unwritable
        The file cannot be written there, or something is there that is no file.
    """
    try:
        place = Path(os.path.realpath(path))
        unfinished = place.with_name(f".{path.stem[:_LONGEST]}.{os.getpid()}{path.suffix}")
        try:
            _prepare(place, unfinished)
            yield unfinished
            os.replace(unfinished, place)
        finally:
            with contextlib.suppress(OSError):  # what cannot be removed has been told, or was never there
                unfinished.unlink()
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _prepare(place: Path, unfinished: Path) -> None:
    """Let the new file, while it is still empty, be open to those to whom the old one is."""
    try:
        status = os.stat(place)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError("is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise OSError("a device, pipe or socket, not a file")
    with contextlib.suppress(FileNotFoundError):  # of a process that was killed, and had the same number
        unfinished.unlink()
    mode = stat.S_IMODE(status.st_mode) & 0o777
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    os.chmod(unfinished, mode)  # whatever the mask of this process


def write_text(path: Path, write: Callable[[TextIO], None]) -> None:
    """Write a text file by a function that is given the stream."""
    with whole_file(path) as unfinished, open(unfinished, "w", encoding="utf-8", newline="\n") as stream:
        write(stream)
