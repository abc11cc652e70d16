"""Triangles in blocks: every way of holding a surface gives the same blocks."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.hairline import PatchedSurface
from massprops.core.surface import BLOCK, TriangleArray, block_count, blocks, triangle_array


def soup(facets: int, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(facets).normal(size=(facets, 3, 3)).astype(dtype)


class Recut:
    """A surface that is not held in memory as one array."""

    def __init__(self, triangles: np.ndarray) -> None:
        self._whole = TriangleArray(triangles)
        self.facets = len(triangles)

    def block(self, index: int) -> np.ndarray:
        return self._whole.block(index)


@pytest.mark.parametrize("facets", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 7])
def test_blocks_hold_every_facet_once_and_in_order(facets: int) -> None:
    triangles = soup(facets)
    surface = TriangleArray(triangles)
    parts = list(blocks(surface))
    assert block_count(surface) == len(parts) == -(-facets // BLOCK)
    assert all(part.shape[:2] == (3, 3) and 1 <= part.shape[2] <= BLOCK for part in parts)
    assert all(part.shape[2] == BLOCK for part in parts[:-1])
    if parts:
        assert np.array_equal(np.concatenate(parts, axis=2).transpose(2, 0, 1), triangles)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_are_contiguous_and_keep_the_dtype(dtype: type) -> None:
    part = TriangleArray(soup(11, dtype)).block(0)
    assert part.flags.c_contiguous
    assert part.dtype == dtype


def test_the_array_of_a_triangle_array_is_the_array_itself() -> None:
    triangles = soup(5)
    assert triangle_array(TriangleArray(triangles)) is triangles


@pytest.mark.parametrize("facets", [0, 3, BLOCK + 5])
def test_the_array_of_any_surface_holds_its_triangles(facets: int) -> None:
    triangles = soup(facets)
    assert np.array_equal(triangle_array(Recut(triangles)), triangles)


def test_a_patch_moves_the_named_corners_only_and_leaves_the_base_alone() -> None:
    triangles = soup(2 * BLOCK + 9)
    before = triangles.copy()
    facets = np.array([0, BLOCK - 1, BLOCK, BLOCK, 2 * BLOCK + 8])
    corners = np.array([2, 0, 1, 2, 0])
    points = np.arange(15.0).reshape(5, 3) + 100
    wanted = triangles.copy()
    wanted[facets, corners] = points
    patched = PatchedSurface(TriangleArray(triangles), facets, corners, points)
    assert patched.facets == len(triangles)
    assert np.array_equal(triangle_array(patched), wanted)
    assert np.array_equal(triangles, before)


def test_a_block_without_patches_is_the_base_s_own() -> None:
    triangles = soup(BLOCK + 1)
    nothing = np.empty(0, np.intp)
    patched = PatchedSurface(TriangleArray(triangles), nothing, nothing, np.empty((0, 3)))
    assert np.array_equal(patched.block(1), TriangleArray(triangles).block(1))


def test_float32_is_patched_with_float32() -> None:
    triangles = soup(4, np.float32)
    point = np.array([[1.0, 2.0, np.float32(0.1)]])
    patched = PatchedSurface(TriangleArray(triangles), np.array([1]), np.array([0]), point)
    part = patched.block(0)
    assert part.dtype == np.float32
    assert part[0, :, 1].astype(np.float64).tolist() == point[0].tolist()
