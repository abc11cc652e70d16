"""The name of a file in front of what is said of it, for those who call the library on many."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from massprops.errors import MassPropsError


def file_name(given: Any) -> str | None:
    """The path that an argument is; None for any other argument."""
    return os.fspath(given) if isinstance(given, str | os.PathLike) else None


@contextlib.contextmanager
def named(name: str | None) -> Iterator[None]:
    """Put a name in front of the message of every verdict; None leaves them as they are.

    Examples
    --------
    >>> from massprops.errors import NotFound
    >>> with named("arm.stl"):
    ...     raise NotFound("there is no such file")
    Traceback (most recent call last):
    massprops.errors.NotFound: arm.stl: there is no such file
    """
    try:
        yield
    except MassPropsError as verdict:
        if name is None:
            raise
        raise type(verdict)(f"{name}: {verdict.said}", verdict.diagnosis, verdict.remedy) from None
