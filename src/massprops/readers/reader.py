"""One way in for every format of solids: by suffix, by ``--format``, or by what the first bytes say."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.plain_verdicts import plain_notices, plain_verdicts
from massprops.readers.reading import Reading
from massprops.readers.source import Source, check_beginning, open_source


@contextlib.contextmanager
def reading(path: str, format: str | None = None) -> Iterator[Reading]:
    """Read a file; its surface can be used as long as the context lasts.

    Parameters
    ----------
    path : str
        ``-`` for standard input.
    format : str, optional
        Overrides what the suffix and the contents say.

    Raises
    ------
    MassPropsError
        The verdict on a file that cannot be read.
    """
    with contextlib.ExitStack() as stack:
        yield reading_of(stack.enter_context(open_source(path)), format, stack)


def is_section(source: Source, format: str | None = None) -> bool:
    """Whether an input is a plane section, by its name, ``--format``, or its contents."""
    kind = format or source.suffix
    if kind == "stl":
        return False
    from massprops.readers.meshes import FORMATS, sniff
    from massprops.readers.sections import SECTION_FORMATS, section_format

    if kind in SECTION_FORMATS or kind in FORMATS:
        return kind in SECTION_FORMATS
    head = source.head()
    return sniff(head) is None and section_format(kind, head) is not None


def reading_of(source: Source, format: str | None, stack: contextlib.ExitStack) -> Reading:
    """Read a solid that has been opened; ``stack`` closes what its surface needs."""
    with plain_verdicts():
        try:
            found = _read(source, format or source.suffix, stack)
        except Unreadable as verdict:
            if format:
                raise
            from massprops.readers.meshes import FORMATS, sniff
            from massprops.readers.mistaken import advice

            is_named = source.suffix == "stl" or source.suffix in FORMATS
            head = source.head()
            told = _changed(source) or advice(head, source.suffix if is_named else sniff(head) or "stl")
            if told is None or told in verdict.message:
                raise
            raise Unreadable(f"{verdict.message}; {told}", verdict.diagnosis) from verdict
    return replace(found, notices=plain_notices(found.notices)) if found.notices else found


def _changed(source: Source) -> str | None:
    """What to say of a binary file that was changed as if it were text."""
    from massprops.readers.converted import SAMPLE, converted

    source.file.seek(0)
    return converted(source.file.read(SAMPLE))


def _read(source: Source, format: str, stack: contextlib.ExitStack) -> Reading:
    if format != "stl":
        from massprops.readers.meshes import FORMATS, read_mesh, sniff

        head = source.head()
        if format not in FORMATS:
            format = sniff(head) or _assumed(head, format)
        if format != "stl":
            check_beginning(head)
            source.file.seek(0)
            return read_mesh(source.file, format, source.folder)
    from massprops.readers.stl import read_stl

    return read_stl(source, stack)


def _assumed(head: bytes, suffix: str) -> str:
    """STL, for contents that nothing else claims, unless the name says that it is something else."""
    if not head.strip():
        raise Empty("the file is empty")
    if suffix in ("", "stla", "stlb", "ast", "bst") or head.lstrip()[:5].lower() == b"solid":
        return "stl"
    from massprops.readers.sections import section_format

    section = section_format(suffix, head)
    if section is not None:
        raise Unsupported(
            f"a plane section ({section}), not a body: give it to the command line as an input of its own, or in "
            "Python to massprops.section_properties"
        )
    from massprops.readers.mistaken import TOPOJSON, compressed

    if suffix == "topojson":
        raise Unsupported(TOPOJSON)
    told = compressed(head) or "save the part as STL or 3MF, or name what the file holds with --format"
    raise Unsupported(f"the format '.{suffix}' is not read; {told}")
