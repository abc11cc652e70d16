"""Lists of inputs: a name a line."""

from __future__ import annotations

import sys
from functools import partial

from massprops.errors import Unreadable
from massprops.readers.source import STANDARD_INPUT, opened

LARGEST = 64 * 2**20
"""Bytes of a list: more than the names of a million files take."""

_PART = 2**20


def read_names(path: str) -> list[str]:
    """Names of inputs in a file, or in standard input for ``-``; blank lines are passed over.

    Parameters
    ----------
    path : str
        A text in UTF-8, with or without a byte order mark, with lines that end in any way. What is no UTF-8 stands
        for the same bytes in names.

    Raises
    ------
    NotFound
        There is no such file.
    Unreadable
        It cannot be read; it is larger than `LARGEST`, which an endless one is in the end; it holds zero bytes, as no
        list of names does.
    """
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise Unreadable("standard input is closed")
        content = _bounded(partial(sys.stdin.buffer.read, _PART))
    else:
        with opened(path) as file:
            content = _bounded(partial(file.read, _PART))
    text = content.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
    return [name for name in text.split("\n") if name.strip()]


def _bounded(read: partial[bytes]) -> bytes:
    content = bytearray()
    try:
        while part := read():
            content += part
            if b"\0" in part:
                raise Unreadable("it holds zero bytes, as no list of names does, one a line; is it an input itself?")
            if len(content) > LARGEST:
                raise Unreadable(f"longer than {LARGEST // 2**20} MB, as no list of names is")
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    return bytes(content)
