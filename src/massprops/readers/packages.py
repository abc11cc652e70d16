"""Files inside a zip archive, as 3MF and some others are: looked up by name, and never expanded without bound."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from io import BytesIO
from posixpath import normpath
from typing import IO
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from massprops.errors import Empty, Unreadable, Unsupported

LARGEST_RATIO = 100
"""How many times its own size an archive may expand to: text of meshes takes 3 to 50 times, a bomb 1000 times."""

ALWAYS_ALLOWED = 1 << 23
"""Bytes that an archive may expand to, however small it is."""

PLAIN = (ZIP_STORED, ZIP_DEFLATED)
"""The kinds of compression that packages of meshes have; others can ask for any amount of memory."""


class Archive(ZipFile):
    """A zip archive that knows how many bytes may still be read from it.

    What its directory says of the sizes of compressed files need not be true, and files may overlap, so the size of
    the archive itself is what counts, and all that is read from it together.
    """

    def __init__(self, data: bytes) -> None:
        super().__init__(BytesIO(data))
        self.left = max(ALWAYS_ALLOWED, LARGEST_RATIO * len(data))


def opened(data: bytes) -> Archive:
    """A zip archive.

    Raises
    ------
    Empty
        There are no bytes.
    Unreadable
        It is none, or damaged.
    """
    if not data:
        raise Empty("the file is empty")
    try:
        return Archive(data)
    except (BadZipFile, NotImplementedError, OSError, ValueError, EOFError) as error:
        raise Unreadable(f"not a zip archive, or cut short: {error}") from None


def names(archive: ZipFile, *endings: str) -> Sequence[str]:
    """Names of the files in an archive that end so, whatever their case."""
    return [name for name in archive.namelist() if name.lower().endswith(endings)]


def part(archive: Archive, name: str) -> IO[bytes] | None:
    """A file in an archive, opened; None where there is none.

    Parameters
    ----------
    archive : Archive
    name : str
        With or without a leading slash, in any case, perhaps percent-encoded, or with steps such as ``./``.

    Raises
    ------
    Unreadable
        It is damaged, or expands beyond all bounds.
    Unsupported
        It is encrypted, or compressed in an unknown way.
    """
    known = {info.filename.lower().lstrip("/"): info for info in archive.infolist()}
    wanted = name.lower()
    info = known.get(_plain(wanted)) or known.get(_plain(unquote(wanted)))
    if info is None:
        return None
    _check(archive, info)
    try:
        return archive.open(info)
    except NotImplementedError as error:
        raise Unsupported(f"{info.filename} in the archive: {error}") from None
    except (BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise Unreadable(f"{info.filename} in the archive is damaged: {error}") from None


def _plain(path: str) -> str:
    return normpath(f"/{path}").lstrip("/")


def _check(archive: Archive, info: ZipInfo) -> None:
    name = info.filename
    if info.flag_bits & 1:
        raise Unsupported(f"{name} in the archive is encrypted")
    if info.compress_type not in PLAIN:
        raise Unsupported(f"{name} in the archive is compressed in a way that packages of meshes are not")
    if info.file_size > archive.left:
        raise Unreadable(
            f"{name} in the archive expands from {info.compress_size} bytes to {info.file_size}, "
            f"more than {LARGEST_RATIO} times; it is not read"
        )
    archive.left -= info.file_size


def content(archive: Archive, name: str) -> bytes | None:
    """The bytes of a file in an archive; None where there is none. Raises as `part` does."""
    stream = part(archive, name)
    if stream is None:
        return None
    try:
        with stream:
            return stream.read()
    except (BadZipFile, zlib.error, EOFError) as error:
        raise Unreadable(f"{name} in the archive is damaged: {error}") from None
