"""Triangles that stay in a file and are read a block at a time, from any thread."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import BLOCK, Block
from massprops.errors import Unreadable
from massprops.readers.plain_verdicts import plain_verdicts


@dataclass(frozen=True, eq=False)
class StoredTriangles:
    """A surface as fixed-size records of a file.

    Parameters
    ----------
    file : BinaryIO
        Open as long as the surface is used.
    facets : int
        Number of records.
    offset : int
        Where the first record begins; bytes.
    stride : int
        Length of a record; bytes.
    lead : int
        Where in a record the nine coordinates begin; bytes.
    dtype : dtype
        Of the coordinates.
    """

    file: BinaryIO
    facets: int
    offset: int
    stride: int
    lead: int
    dtype: np.dtype[np.floating]
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def block(self, index: int) -> Block:
        if self.facets <= BLOCK:
            return self._only_block
        return self._block(index)

    @cached_property
    def _only_block(self) -> Block:
        """Kept: to ask the system for a small file again and again takes longer than to measure it."""
        block = self._block(0)
        block.setflags(write=False)
        return block

    def _block(self, index: int) -> Block:
        count = min(BLOCK, self.facets - index * BLOCK)
        raw = self._read(self.offset + index * BLOCK * self.stride, count * self.stride)
        strides = (self.stride, self.dtype.itemsize)
        records: NDArray[np.floating] = np.ndarray((count, 9), self.dtype, raw, self.lead, strides)
        return np.ascontiguousarray(records.T).reshape(3, 3, count)

    def _read(self, start: int, length: int) -> NDArray[np.uint8]:
        raw = np.empty(length, np.uint8)
        with plain_verdicts():
            got = self._filled(raw, start)
        if got != length:
            raise Unreadable(f"became shorter while it was read: {length} bytes expected at byte {start}, {got} found")
        return raw

    def _filled(self, raw: NDArray[np.uint8], start: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self.file.fileno(), [raw.data], start)
        with self._lock:
            self.file.seek(start)
            return int(self.file.readinto(raw.data))  # type: ignore[attr-defined]
