"""Values that stay as they are, arrays and all."""

from __future__ import annotations

from typing import Any

import numpy as np


def freeze(value: Any) -> None:
    """Give a frozen dataclass arrays of its own that cannot be written to; for its ``__post_init__``.

    Arrays that are given are copied: whoever gave them may still write to his own.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> given = np.zeros(3)
    >>> body = SimpleNamespace(center=given)
    >>> freeze(body)
    >>> body.center.flags.writeable, given.flags.writeable
    (False, True)
    """
    for name, item in list(vars(value).items()):
        if isinstance(item, np.ndarray):
            own = item.copy()
            own.setflags(write=False)
            object.__setattr__(value, name, own)
