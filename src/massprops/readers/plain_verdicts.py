"""What readers say of a file, in one plain line: names that stand in it, and errors of libraries, may hold anything."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from massprops.core.notice import Notice
from massprops.errors import MassPropsError, Unreadable
from massprops.readers.open_files import lack_of_files

LONGEST = 400
"""Characters of a message; the rest is left out."""


@contextlib.contextmanager
def plain_verdicts() -> Iterator[None]:
    """Make verdicts plain, and failures of the disk verdicts.

    Raises
    ------
    MassPropsError
        What was raised within, its message in one line without control characters.
    Unreadable
        For an OSError.
    """
    try:
        yield
    except MassPropsError as verdict:
        message = one_line(verdict.message)
        if message == verdict.message:
            raise
        raise type(verdict)(message, verdict.diagnosis) from verdict
    except OSError as error:
        told = lack_of_files(error) or f"cannot be read: {one_line(error.strerror or str(error)).lower()}"
        raise Unreadable(told) from error


def plain_notices(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    """The same notices, their messages in one plain line each."""
    return tuple(replace(notice, message=one_line(notice.message)) for notice in notices)


def one_line(text: str) -> str:
    """A text without line ends and control characters, and not too long.

    >>> one_line("node 'a\\x1b[2J':\\n  not there")
    "node 'a\\\\x1b[2J': not there"
    """
    joined = " ".join(part.strip() for part in text[: 2 * LONGEST].splitlines())
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in joined)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 3] + "..."
