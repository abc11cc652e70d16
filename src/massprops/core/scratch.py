"""Memory for results that are soon overwritten, as fast as memory can be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_LINE = 64
"""Bytes of a cache line, and of the widest registers: what is loaded across the border of two takes twice as long."""


def row_size(count: int) -> int:
    """The least size of rows that hold so many float64 numbers and all begin where a cache line does."""
    return -(-count // 8) * 8


def scratch(*shape: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """An array without contents that begins where a cache line does, as those of NumPy do by chance only.

    Parameters
    ----------
    *shape : int
    dtype : dtype, optional

    Examples
    --------
    >>> array = scratch(3, 8192)
    >>> array.shape, array.ctypes.data % 64
    ((3, 8192), 0)
    """
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    memory = np.empty(size + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    return memory[start : start + size].view(kind).reshape(shape)
