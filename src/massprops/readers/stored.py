"""Triangles that stay in a file and are read a block at a time, from any thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import BLOCK, SIDE_BY_SIDE, Block, sample_places
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
        start = index * BLOCK
        raw = np.empty((1, min(BLOCK, self.facets - start) * self.stride), np.uint8)
        self._read([start], raw)
        return self._columns(raw)

    def sample(self) -> Block:
        places = sample_places(self.facets)
        raw = np.empty((len(places), SIDE_BY_SIDE * self.stride), np.uint8)
        self._read(places.tolist(), raw)
        return self._columns(raw)

    def _columns(self, raw: NDArray[np.uint8]) -> Block:
        """The coordinates in some records, those of a kind side by side."""
        count, strides = raw.size // self.stride, (self.stride, self.dtype.itemsize)
        records: NDArray[np.floating] = np.ndarray((count, 9), self.dtype, raw, self.lead, strides)
        return np.ascontiguousarray(records.T).reshape(3, 3, count)

    def _read(self, records: Sequence[int], raw: NDArray[np.uint8]) -> None:
        """Fill each row with consecutive records, the first of which has a given number."""
        with plain_verdicts():
            for record, row in zip(records, raw, strict=True):
                start = self.offset + record * self.stride
                got = self._filled(row, start)
                if got != len(row):
                    raise Unreadable(
                        f"became shorter while it was read: {len(row)} bytes expected at byte {start}, {got} found"
                    )

    def _filled(self, raw: NDArray[np.uint8], start: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self.file.fileno(), [raw.data], start)
        with self._lock:
            self.file.seek(start)
            return int(self.file.readinto(raw.data))  # type: ignore[attr-defined]
