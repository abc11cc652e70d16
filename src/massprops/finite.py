"""Numbers behind a flag: finite, and shown as they were typed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from massprops.errors import PlanError


def check_finite(flag: str, values: Sequence[float]) -> None:
    """Refuse numbers of a flag that are NaN or infinite.

    Raises
    ------
    PlanError
        One is.
    """
    if not all(map(math.isfinite, values)):
        raise PlanError(f"{flag} {shown_numbers(values)}: not a finite number")


def shown_numbers(values: Sequence[float]) -> str:
    """Numbers as they might have been typed.

    >>> shown_numbers((1.0, -0.5))
    '1 -0.5'
    """
    return " ".join(f"{value:g}" for value in values)
