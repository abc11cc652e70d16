"""Python's collector of cycles, put off while a heap of small objects is built that are all needed to the end."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collector_put_off() -> Iterator[None]:
    """Collect no cycles within a block, or a function that this decorates.

    The collector would look through the entities of a drawing again and again, for a third of the time it takes to
    read and to join them.

    Examples
    --------
    >>> with collector_put_off():
    ...     print(gc.isenabled())
    False
    >>> gc.isenabled()
    True
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
