"""Triangles that stay in a file: the same blocks as in memory, however large the file."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from massprops.core.surface import BLOCK, TriangleArray, block_count
from massprops.errors import Unreadable
from massprops.readers.stored import StoredTriangles

F4, F8 = np.dtype("<f4"), np.dtype("<f8")


def records(triangles: np.ndarray, offset: int, stride: int, lead: int) -> bytes:
    rows = np.zeros((len(triangles), stride), np.uint8)
    rows[:, lead : lead + 9 * triangles.itemsize] = triangles.reshape(len(triangles), 9).view(np.uint8)
    return os.urandom(offset) + rows.tobytes()


@pytest.mark.parametrize("facets", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5])
@pytest.mark.parametrize(("dtype", "offset", "stride", "lead"), [(F4, 84, 50, 12), (F8, 0, 72, 0), (F4, 7, 37, 1)])
@pytest.mark.parametrize("positioned", [True, False])
def test_blocks_are_those_of_the_same_triangles_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facets: int, dtype: np.dtype, offset: int, stride: int, lead: int,
    positioned: bool,
) -> None:  # fmt: skip
    if not positioned:
        monkeypatch.delattr(os, "preadv", raising=False)
    triangles = np.random.default_rng(facets).normal(size=(facets, 3, 3)).astype(dtype)
    path = tmp_path / "a"
    path.write_bytes(records(triangles, offset, stride, lead))
    with open(path, "rb") as file:
        stored = StoredTriangles(file, facets, offset, stride, lead, dtype)
        held = TriangleArray(triangles)
        order = list(reversed(range(block_count(stored))))
        with ThreadPoolExecutor(3) as pool:
            parts = list(pool.map(stored.block, order))
        for index, part in zip(order, parts, strict=True):
            assert part.dtype == dtype
            assert part.flags.c_contiguous
            assert np.array_equal(part, held.block(index))


@pytest.mark.parametrize("cut", [1, 50, 50 * BLOCK])
def test_a_file_that_shrinks_is_told(tmp_path: Path, cut: int) -> None:
    facets = BLOCK + 10
    path = tmp_path / "a"
    path.write_bytes(bytes(84 + 50 * facets))
    with open(path, "rb") as file:
        stored = StoredTriangles(file, facets, 84, 50, 12, F4)
        stored.block(1)
        os.truncate(path, 84 + 50 * facets - cut)
        with pytest.raises(Unreadable, match="became shorter"):
            stored.block(1)


def test_offsets_beyond_four_gigabytes(tmp_path: Path) -> None:
    """A sparse file: only its last block is there."""
    facets = 100_000_000
    triangles = np.random.default_rng(1).normal(size=(facets % BLOCK, 3, 3)).astype(F4)
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.seek(84 + 50 * (facets - len(triangles)))
        file.write(records(triangles, 0, 50, 12))
    assert path.stat().st_size == 84 + 50 * facets > 2**32
    with open(path, "rb") as file:
        stored = StoredTriangles(file, facets, 84, 50, 12, F4)
        assert np.array_equal(stored.block(facets // BLOCK), TriangleArray(triangles).block(0))
        assert not stored.block(50_000_000 // BLOCK).any()
