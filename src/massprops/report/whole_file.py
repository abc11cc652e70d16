"""Files that are there whole or not at all: written under another name, then moved."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from massprops.errors import Unwritable

_LONGEST = 40
"""Letters of a name that the other name keeps: that must not be too long where the name itself is not."""


@contextlib.contextmanager
def whole_file(path: Path, suffix: str = "") -> Iterator[Path]:
    """A name beside ``path`` to write to; what is there at the end of the context becomes ``path``.

    The name ends as ``path`` does, or in ``suffix`` where that has none.

    Raises
    ------
    Unwritable
        The file cannot be written there.
    """
    unfinished = path.with_name(f".{path.stem[:_LONGEST]}.{os.getpid()}{path.suffix or suffix}")
    try:
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None
    finally:
        with contextlib.suppress(OSError):  # what cannot be removed has been told, or was never there
            unfinished.unlink()


def write_text(path: Path, write: Callable[[TextIO], None]) -> None:
    """Write a text file by a function that is given the stream."""
    with whole_file(path) as unfinished, open(unfinished, "w", encoding="utf-8", newline="\n") as stream:
        write(stream)
