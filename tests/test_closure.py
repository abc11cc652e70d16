"""Closedness by a hash: the verdict of a count of directed edges, wherever and however the surface is stored."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.closure import VertexHasher, is_closed, survey
from massprops.core.surface import BLOCK, TriangleArray
from tests.oracle import cube_grid

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"
CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)[
    [[int(k) for k in face] for face in FACES.split()]
]
OFFSETS = [(0, 0, 0), (10, 0, 0), (-0.5, -0.5, -0.5), (1e6, -2e6, 3e6), (0.1, 1 / 3, -7.7)]


def balanced(triangles: np.ndarray) -> bool:
    """Whether every directed edge has its opposite, counted one by one."""
    uses: Counter[tuple[object, object]] = Counter()
    for facet in (triangles + 0.0).tolist():
        a, b, c = map(tuple, facet)
        for start, end in ((a, b), (b, c), (c, a)):
            uses[start, end] += 1
            uses[end, start] -= 1
    return not any(uses.values())


def sphere(facets: int) -> np.ndarray:
    """A closed surface of at least so many facets: a grid on a sphere, its poles fans."""
    n = int(np.ceil(np.sqrt(facets / 2))) + 1
    theta, phi = np.linspace(0, np.pi, n + 1), np.linspace(0, 2 * np.pi, n, endpoint=False)
    x = np.stack([np.outer(np.sin(theta), np.cos(phi)), np.outer(np.sin(theta), np.sin(phi)),
                  np.outer(np.cos(theta), np.ones(n))], axis=2)  # fmt: skip
    x[0], x[-1] = (0, 0, 1), (0, 0, -1)
    right = np.roll(x, -1, axis=1)
    a, b, c, d = x[:-1], x[1:], right[1:], right[:-1]
    return np.concatenate([np.stack([a, b, c], axis=2)[:-1], np.stack([a, c, d], axis=2)[1:]]).reshape(-1, 3, 3)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("missing", [(), (10, 11), (6, 7), (0,), (3, 8)])
def test_the_verdict_does_not_depend_on_position(offset: tuple[float, ...], dtype: type, missing: tuple[int]) -> None:
    triangles = (np.delete(CUBE, missing, axis=0) + offset).astype(dtype)
    assert is_closed(TriangleArray(triangles)) is (not missing)


@settings(deadline=None, max_examples=60)
@given(st.permutations(range(12)), st.lists(st.integers(0, 2), min_size=12, max_size=12), st.booleans())
def test_nor_on_the_order_of_facets_or_their_first_corner(order: list[int], turns: list[int], is_open: bool) -> None:
    triangles = np.stack([np.roll(CUBE[k], turn, axis=0) for k, turn in zip(order, turns, strict=True)])[is_open:]
    found = survey(TriangleArray(triangles))
    assert found.is_closed is (not is_open)
    if not is_open:
        assert found.residue == 0


soups = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=14)


@settings(deadline=None, max_examples=100)
@given(soups, st.booleans())
def test_any_soup_is_judged_as_by_counting_its_edges(soup: list[tuple[int, int, int]], doubled: bool) -> None:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [-0.0, 0.5, 3]])
    facets = np.array(soup)
    if doubled:  # with every facet's reverse it is closed
        facets = np.concatenate([facets, facets[:, ::-1]])
    triangles = vertices[facets]
    assert is_closed(TriangleArray(triangles)) is balanced(triangles)
    assert is_closed(TriangleArray(triangles.astype(np.float32))) is balanced(triangles)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_minus_zero_is_zero(dtype: type) -> None:
    triangles = CUBE.astype(dtype)
    triangles[::2][triangles[::2] == 0] = -0.0
    assert np.signbit(triangles).any()
    assert is_closed(TriangleArray(triangles))
    h, g = VertexHasher()(np.array([[[0.0], [1], [-0.0]], [[-0.0], [1], [0]], [[0], [1], [0]]], dtype))
    assert len(set(h.ravel().tolist())) == len(set(g.ravel().tolist())) == 1


@pytest.mark.parametrize(
    ("triangles", "closed"),
    [
        (np.concatenate([CUBE, CUBE]), True),  # a body that is there twice is balanced
        (np.concatenate([CUBE, CUBE[:1]]), False),  # a facet repeated is not
        (np.concatenate([CUBE, CUBE[:1, ::-1]]), False),
        (np.concatenate([CUBE, CUBE + np.array([1, 1, 0])]), True),  # touching along an edge
        (np.concatenate([CUBE, [CUBE[0, [0, 0, 1]]]]), True),  # a facet without an area and with two equal corners
        (np.concatenate([CUBE[:2], CUBE[:2, ::-1]]), True),  # a sheet
        (np.concatenate([CUBE[:2, [0, 2, 1]], CUBE[2:]]), False),  # two facets wound the wrong way
        (CUBE[:, ::-1], True),  # inside out
        (np.zeros((1, 3, 3)), True),
    ],
)  # fmt: skip
def test_multiplicity_and_direction_count(triangles: np.ndarray, closed: bool) -> None:
    assert balanced(triangles) is closed
    assert is_closed(TriangleArray(triangles)) is closed


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_bit_of_one_coordinate_opens_it(dtype: type) -> None:
    triangles = (CUBE * 0.7 + 0.3).astype(dtype)
    for facet, corner, axis in [(0, 0, 0), (5, 2, 1), (11, 1, 2)]:
        cracked = triangles.copy()
        cracked[facet, corner, axis] = np.nextafter(cracked[facet, corner, axis], dtype(9))
        assert not is_closed(TriangleArray(cracked))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_threads_do_not_change_a_bit_and_a_single_missing_facet_is_found(dtype: type) -> None:
    triangles = sphere(4 * BLOCK).astype(dtype)
    found = [survey(TriangleArray(triangles), threads) for threads in (1, 2, 5, None)]
    assert len({one.residue for one in found}) == 1
    assert found[0].is_closed
    cracked = [survey(TriangleArray(np.delete(triangles, 3 * BLOCK, axis=0)), threads) for threads in (1, 2, 5)]
    assert len({one.residue for one in cracked}) == 1
    assert not cracked[0].is_closed
    for one in found:
        assert one.lower.tolist() == triangles.reshape(-1, 3).min(axis=0).tolist()
        assert one.upper.tolist() == triangles.reshape(-1, 3).max(axis=0).tolist()


def test_the_box_is_exact_and_in_float64() -> None:
    found = survey(TriangleArray((CUBE * [2, 3, 5] + [10, -20, 30.1]).astype(np.float32)))
    assert found.facets == 12
    assert found.lower.dtype == np.float64
    assert found.lower.tolist() == [10, -20, float(np.float32(30.1))]
    assert found.upper.tolist() == [12, -17, float(np.float32(35.1))]
    assert found.is_finite


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_no_number_is_seen(value: float, dtype: type) -> None:
    triangles = CUBE.astype(dtype)
    triangles[7, 1, 2] = value
    assert not survey(TriangleArray(triangles)).is_finite


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signalling_nan_is_seen_in_every_thread_where_the_caller_asked_for_silence(threads: int) -> None:
    triangles = np.repeat(CUBE, 2000, axis=0).astype(np.float32)
    triangles.view(np.uint32)[17, 1, 1] = 0x7FA00001
    assert np.isnan(triangles[17, 1, 1])
    with np.errstate(invalid="ignore"):
        assert not survey(TriangleArray(triangles), threads).is_finite


def test_the_empty_surface_is_closed() -> None:
    assert is_closed(TriangleArray(np.empty((0, 3, 3))))


def hashes_of(block: np.ndarray) -> np.ndarray:
    """The hashes of the different corners of a block, which are found to be different, and their halves random."""
    words, upper = (words.ravel() for words in VertexHasher(block.shape[2])(block))
    assert (upper == words >> np.uint64(32)).all()
    assert len(np.unique(words)) == words.size
    for half in (upper, words & np.uint64(2**32 - 1)):
        equal = words.size - len(np.unique(half))
        assert equal <= 16  # about 1 is expected, and where corners lie at equal steps, several at once
    return words


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_points_of_a_grid_have_different_hashes(dtype: type) -> None:
    grid = np.stack(np.meshgrid(*[np.arange(-24, 24)] * 3), axis=0).reshape(3, -1)
    block = np.ascontiguousarray(grid.reshape(3, 3, -1).transpose(1, 0, 2)).astype(dtype)
    words = hashes_of(block)
    ones = np.unpackbits(words[:, None].view(np.uint8), axis=1).mean(axis=0)
    assert np.abs(ones - 0.5).max() < 0.01  # every bit is set in half of them


@pytest.mark.parametrize("center", [(1.0, 1.0, 1.0), (0.1, -700.3, 3e-5), (16777216.0, 0.5, -2.0)])
def test_corners_that_nearly_meet_have_different_hashes(center: tuple[float, float, float]) -> None:
    """All neighbours up to 22 units in the last place away, along every axis."""
    steps = np.stack(np.meshgrid(*[np.arange(-22, 23)] * 3), axis=0).reshape(3, -1)
    bits = np.array(center, np.float32).view(np.int32)[:, None] + steps
    block = bits.astype(np.int32).view(np.float32).reshape(3, 3, -1).transpose(1, 0, 2)
    hashes_of(np.ascontiguousarray(block))


def test_no_set_of_missing_facets_of_a_regular_grid_is_overlooked() -> None:
    """Their corners lie at equal steps, so that sums of hashes would cancel if these were linear anywhere."""
    rng, facets = np.random.default_rng(5), cube_grid(12).astype(np.float32)
    for _ in range(300):
        kept = rng.random(len(facets)) < rng.choice([0.5, 0.9, 0.99])
        assert kept.all() or not is_closed(TriangleArray(facets[kept]))


def test_a_hasher_takes_blocks_of_either_precision() -> None:
    """Its memory fits the block before; the hashes depend on the block alone."""
    hasher, corners = VertexHasher(4), np.random.default_rng(3).normal(size=(3, 3, 4))
    for dtype in (np.float32, np.float64, np.float32):
        block = corners.astype(dtype)
        found = [words.copy() for words in hasher(block)]
        for words, alone in zip(found, VertexHasher(4)(block), strict=True):
            assert np.array_equal(words, alone)
