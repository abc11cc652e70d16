"""STL files, binary and ASCII.

A binary file stays where it is and is read a block at a time. An ASCII file is read once; its triangles are held as
float64, in memory while they are few and in a temporary file when they are many, so that memory does not grow.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import Floats, Surface, TriangleArray
from massprops.errors import Empty, Unreadable
from massprops.number_of import number_of
from massprops.readers.end_marks import without_end_marks
from massprops.readers.reading import Reading
from massprops.readers.source import Source, check_beginning
from massprops.readers.stored import StoredTriangles

if TYPE_CHECKING:
    from massprops.readers.stl_ascii import Progress

_HEADER, _RECORD, _LEAD = 84, 50, 12
_FLOAT32 = np.dtype("<f4")
_KEPT_FACETS = 1 << 18  # 18 MB of float64 coordinates
_UNWRITTEN = 8
"""Facets without a corner, normal or colour, one after the other, that no program writes."""

_NAME = re.compile(rb"\A\s*solid[ \t][^\r\n]*(?=[\r\n]+\s*facet\s)", re.IGNORECASE)
"""The first line of a text: numpy-stl takes it from the header of a binary file, zeros and all."""

_BINARY_BYTES = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")


def read_stl(source: Source, stack: contextlib.ExitStack) -> Reading:
    """Read an STL file of either kind; what it is, is told by its contents, never by its first word alone.

    Parameters
    ----------
    source : Source
    stack : ExitStack
        Closes the temporary file that many ASCII facets go to.

    Raises
    ------
    Empty
        No facets.
    Unreadable
        Cut off, damaged, or no STL file.
    """
    head = source.head()
    if not head.strip() and source.size <= len(head):
        raise Empty("the file is empty" if source.size == 0 else "nothing but white space")
    if source.size >= _HEADER and source.size == _HEADER + _RECORD * _promised(head):
        return _binary(source, head)
    if not _is_text(head):
        return _binary(source, head)
    check_beginning(head)
    return _ascii(source, stack)


def _promised(head: bytes) -> int:
    return int.from_bytes(head[80:84], "little")


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    has_words = b"facet" in head.lower() or b"solid" in head.lower()
    text = without_end_marks(head) if b"facet" in head.lower() else head
    text = _NAME.sub(b"", text)
    return (has_words or head.isascii()) and not _BINARY_BYTES.search(text)


def _binary(source: Source, head: bytes) -> Reading:
    """Binary STL; where the count in the header and the size of the file disagree, the size counts."""
    if source.size < _HEADER:
        size = number_of(source.size, "byte is", "bytes are")
        raise Unreadable(f"{size} too few for a binary STL file, whose header has {_HEADER}")
    promised, (held, extra) = _promised(head), divmod(source.size - _HEADER, _RECORD)
    notices: tuple[Notice, ...] = ()
    if extra == 0 and held > 0 and held == int.from_bytes(head[80:84], "big") != promised:
        count = number_of(held, "facet")
        raise Unreadable(f"its count of {count} is big-endian, and STL is little-endian; export the part again")
    if promised == held == 0:
        raise Empty("a header without facets")
    check_beginning(head)
    if not promised == held > 0 or extra:
        _check_as_binary(source)
    if extra == 0 and held > 0:
        facets = held
        if promised != held:
            notices = (_count_notice(promised, held),)
    elif 0 < promised <= held:
        facets = promised
        notices = (_trailing_notice(source.size - _HEADER - _RECORD * promised, promised),)
    else:
        raise Unreadable(
            f"{number_of(promised, 'facet')} expected by the header, {held} found and {number_of(extra, 'byte')} of "
            "another; the file was cut off, or is no STL file"
        )
    notices += _unwritten(source, facets)
    surface = StoredTriangles(source.file, facets, _HEADER, _RECORD, _LEAD, _FLOAT32)
    if head[_HEADER:].isascii():
        _check_marks(surface)
    return Reading(surface, "stl", notices)


def _check_as_binary(source: Source) -> None:
    """Refuse a file, whose size is not what it should be, that has been changed as if it were text."""
    from massprops.readers.converted import SAMPLE, converted, line_ends_told

    source.file.seek(0)
    sample = source.file.read(SAMPLE)
    told = converted(sample[_HEADER:])
    if told is None and len(sample) == source.size and b"\r\n" in sample:
        before = sample.replace(b"\r\n", b"\n")
        if len(before) == _HEADER + _RECORD * _promised(before) and sample.count(b"\n") == len(sample) - len(before):
            told = line_ends_told(len(sample) - len(before))
    if told is not None:
        raise Unreadable(f"no binary STL file any more: {told}")


def _check_marks(surface: StoredTriangles) -> None:
    """The same of one whose size is right."""
    from massprops.readers.converted import with_question_marks

    told = with_question_marks(surface.block(0))
    if told is not None:
        raise Unreadable(f"no binary STL file any more: {told}")


def _unwritten(source: Source, facets: int) -> tuple[Notice, ...]:
    """That the last facets are zeros, which systems leave where the space for a file was made and nothing written."""
    if facets < _UNWRITTEN:
        return ()
    source.file.seek(_HEADER + _RECORD * (facets - _UNWRITTEN))
    if any(source.file.read(_RECORD * _UNWRITTEN)):
        return ()
    message = f"the last {_UNWRITTEN} facets or more are nothing but zeros: the file was not written to its end"
    return (Notice("recovered", message, {"zeros": _UNWRITTEN}),)


def _count_notice(promised: int, held: int) -> Notice:
    read = "which was read" if held == 1 else "all of which were read"
    message = f"the header promises {number_of(promised, 'facet')}, the size of the file is that of {held}, {read}"
    return Notice("facet_count", message, {"expected": promised, "found": held})


def _trailing_notice(extra: int, facets: int) -> Notice:
    message = f"ignored: {number_of(extra, 'byte')} after the last of {number_of(facets, 'facet')}"
    return Notice("trailing_bytes", message, {"bytes": extra})


def _ascii(source: Source, stack: contextlib.ExitStack) -> Reading:
    from massprops.readers.stl_ascii import Progress  # most files are binary

    progress = Progress()
    surface = _kept(source, progress, stack)
    if progress.facets == 0:
        if re.search(rb"\bsolid\b", source.head().replace(b"\x00", b""), re.IGNORECASE):
            raise Empty("a solid without facets")
        raise Unreadable("text, but not an STL file: no facet in it")
    notices = []
    if progress.solids > 1:
        message = f"{progress.solids} solids in one file, taken together"
        notices.append(Notice("solids", message, {"solids": progress.solids}))
    if progress.colors:
        message = f"colours, which STL does not have, were passed over: {progress.colors}"
        notices.append(Notice("colors", message, {"colors": progress.colors}))
    if progress.odd:
        places = number_of(progress.odd, "place")
        message = f"words that STL does not have were passed over at {places}, such as behind 'endfacet'"
        notices.append(Notice("ignored", message, {"places": progress.odd}))
    if not progress.ended:
        message = f"no 'endsolid' after facet {progress.facets}: the file may have been cut off"
        notices.append(Notice("no_endsolid", message, {"facets": progress.facets}))
    return Reading(surface, "stl", tuple(notices))


def _temporary_file() -> BinaryIO:
    import tempfile  # some milliseconds that a small file needs not wait for

    return cast(BinaryIO, tempfile.TemporaryFile())


def _kept(source: Source, progress: Progress, stack: contextlib.ExitStack) -> Surface:
    """All triangles, in memory or, when they are many, in a temporary file."""
    from massprops.readers.stl_ascii import ascii_facets

    held: list[Floats] = []
    store, facets = None, 0
    for triangles in ascii_facets(source.file, progress):
        held.append(triangles)
        facets += len(triangles)
        if facets > _KEPT_FACETS:
            store = store or stack.enter_context(_temporary_file())
            for part in held:
                store.write(part.tobytes())
            held = []
    if store is None:
        return TriangleArray(np.concatenate(held) if held else np.empty((0, 3, 3)))
    store.flush()
    stride = 9 * np.dtype(np.float64).itemsize
    return StoredTriangles(store, progress.facets, 0, stride, 0, np.dtype(np.float64))
