"""What should be told beside a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Notice:
    """A warning: the body was measured, and there is something about it that the reader must know.

    Parameters
    ----------
    code : str
        One word for programs, such as ``hairline`` or ``overlap``.
    message : str
        One line for people: what, where, how much.
    details : mapping, optional
        The numbers in the message, under their JSON names.
    """

    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)
