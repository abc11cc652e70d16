"""Files that are there whole or not at all: written under another name, then moved."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from massprops.errors import Unwritable


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name beside ``path`` to write to; what is there at the end of the context becomes ``path``.

    Raises
    ------
    Unwritable
        The file cannot be written there.
    """
    unfinished = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(path: Path, write: Callable[[TextIO], None]) -> None:
    """Write a text file by a function that is given the stream."""
    with whole_file(path) as unfinished, open(unfinished, "w", encoding="utf-8", newline="\n") as stream:
        write(stream)
