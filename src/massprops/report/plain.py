"""Values as JSON has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from massprops.core.notice import Notice


def plain(value: Any) -> Any:
    """Arrays as nested lists, negative zero as zero, mappings and sequences item by item.

    >>> plain({"a": np.array([1.0, -0.0]), "b": (1, None)})
    {'a': [1.0, 0.0], 'b': [1, None]}
    """
    if isinstance(value, np.ndarray):
        return (value + 0.0).tolist()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def plain_notices(notices: Iterable[Notice]) -> list[dict[str, Any]]:
    """Warnings as objects with a code, a message, and the numbers in it."""
    return [{"code": notice.code, "message": notice.message, **plain(notice.details)} for notice in notices]
