"""What to say where the system lets a process open no more files: also a module of Python, or a pipe, is one."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from massprops.errors import Unreadable


@contextlib.contextmanager
def told_of_open_files() -> Iterator[None]:
    """Make a verdict of a lack of files.

    Raises
    ------
    Unreadable
        For an error within that has this reason.
    """
    try:
        yield
    except (OSError, ImportError) as error:
        told = lack_of_files(error)
        if told is None:
            raise
        raise Unreadable(told) from error


def lack_of_files(error: OSError | ImportError) -> str | None:
    """What to say of an error whose reason is that no more files can be opened; None for others.

    >>> lack_of_files(FileNotFoundError(errno.ENOENT, "No such file or directory"))
    """
    if isinstance(error, OSError) and error.errno == errno.ENFILE:
        return "the system has too many files open; close other programs"
    is_lack = error.errno == errno.EMFILE if isinstance(error, OSError) else os.strerror(errno.EMFILE) in str(error)
    if not is_lack:
        return None
    return f"no more files can be opened, as {_limit()} is reached; raise it, as with 'ulimit -n 1024'"


def _limit() -> str:
    try:
        import resource  # which Windows does not have
    except ImportError:
        return "the limit of open files"
    return f"the limit of {resource.getrlimit(resource.RLIMIT_NOFILE)[0]} open files"
