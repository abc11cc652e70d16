"""What should be told beside a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from massprops.remedy import Remedy

HARMLESS = frozenset({"y_up", "format_unit"})
"""Codes of what is so by its format, and no doubt about a file."""


@dataclass(frozen=True)
class Notice:
    """A warning: the body was measured, and there is something about it that the reader must know.

    Parameters
    ----------
    code : str
        One word for programs, such as ``hairline`` or ``overlap``.
    message : str
        One line for people: what, where, how much, and what to try.
    details : mapping, optional
        The numbers in the message, under their JSON names.
    remedy : Remedy, optional
        What the message ends in, as `massprops.remedy.advising` puts it.
    """

    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)
    remedy: Remedy | None = None

    @property
    def is_doubt(self) -> bool:
        """Whether it casts doubt on the file or on what was asked, so that a strict run fails for it."""
        return self.code not in HARMLESS


class MassPropsWarning(UserWarning):
    """A body was measured from Python, and there is something about it that must be known.

    Parameters
    ----------
    notices : tuple of Notice
        All that was found; the text of the warning is theirs.
    name : str, optional
        The file, to be named before them.
    """

    def __init__(self, notices: tuple[Notice, ...], name: str | None = None) -> None:
        super().__init__(notices, name)
        self.notices, self.name = notices, name

    def __str__(self) -> str:
        told = "; ".join(f"{notice.code}: {notice.message}" for notice in self.notices)
        return told if self.name is None else f"{self.name}: {told}"
