"""Values that stay as they are, arrays and all."""

from __future__ import annotations

from typing import Any

import numpy as np


class Frozen:
    """Base of frozen dataclasses whose arrays cannot be written to, nor those of their copies and pickles.

    Examples
    --------
    >>> import pickle
    >>> from massprops.core.affine_map import AffineMap
    >>> pickle.loads(pickle.dumps(AffineMap.identity())).matrix.flags.writeable
    False
    """

    def __post_init__(self) -> None:
        freeze(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        for item in state.values():
            if isinstance(item, np.ndarray):
                item.setflags(write=False)


def freeze(value: Any) -> None:
    """Give a frozen dataclass arrays of its own that cannot be written to.

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
