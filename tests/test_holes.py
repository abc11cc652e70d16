"""Boundary loops: simple, in the direction of what is missing, the same in any order of the facets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.boundary import unbalanced_edges
from massprops.core.holes import boundary_loops
from massprops.core.measure import measure
from massprops.core.repair import connect_nearby, fill_holes
from massprops.core.surface import TriangleArray
from tests.oracle import Triangles, box, cube_grid, moved, reverse, torus
from tests.repair_oracle import TILT, boundary, facets, flipped


def loops(triangles: Triangles) -> tuple[list[Triangles], int]:
    """Loops as arrays of points, and the number of tangled edges."""
    found = unbalanced_edges(TriangleArray(triangles))
    result = boundary_loops(found, triangles)
    return [found.vertices[loop] for loop in result.vertices], result.tangled


def check(triangles: Triangles) -> list[Triangles]:
    """The loops, after checking that they are simple and that together they are what is missing."""
    found, tangled = loops(triangles)
    assert tangled == 0
    steps = [(tuple(p), tuple(q)) for loop in found for p, q in zip(loop, np.roll(loop, -1, axis=0), strict=True)]
    assert len(set(steps)) == len(steps)
    assert set(steps) == {edge[::-1] for edge in boundary(triangles)}
    for loop in found:
        assert len({tuple(p) for p in loop}) == len(loop) > 2
    return found


def without(triangles: Triangles, *missing: int) -> Triangles:
    return np.delete(triangles, missing, axis=0)


def grid(n: int) -> Triangles:
    """A tilted flat sheet of n x n squares; square (i, j) is facets 2 k and 2 k + 1, k = i n + j."""
    face = cube_grid(n)
    top = face[(face[:, :, 2] == 1).all(axis=1)]
    order = np.lexsort((top[:, :, 1].min(axis=1), top[:, :, 0].min(axis=1)))
    return moved(n * top[order], TILT, (1, 2, 3))


def squares(n: int, *cells: tuple[int, int]) -> Triangles:
    """The sheet without some of its squares."""
    gone = [2 * (i * n + j) + side for i, j in cells for side in (0, 1)]
    return without(grid(n), *gone)


def test_a_closed_surface_has_none() -> None:
    assert loops(torus(3, 1, 6, 5)) == ([], 0)


def test_the_missing_face_of_a_box() -> None:
    (loop,) = check(without(box((0, 0, 0), (1, 2, 3)), 2, 3))
    assert loop.tolist() == [[0, 0, 3], [1, 0, 3], [1, 2, 3], [0, 2, 3]]


def test_both_ends_of_a_tube() -> None:
    tube = torus(3, 1, 8, 6)
    inside = tube[:, :, 0].min(axis=1) > 0
    assert sorted(len(loop) for loop in check(tube[inside])) == [6, 6]


def test_holes_that_share_a_vertex_are_told_apart() -> None:
    assert sorted(len(loop) for loop in check(squares(4, (1, 1), (2, 2)))) == [4, 4, 16]
    assert sorted(len(loop) for loop in check(squares(5, (1, 1), (2, 2), (1, 3), (3, 1)))) == [4, 4, 4, 4, 20]


def test_holes_around_a_square_do_not_enclose_it() -> None:
    """Its own outline, run backwards, is a closed walk along the same edges."""
    found = check(squares(5, (1, 2), (2, 1), (2, 3), (3, 2)))
    assert sorted(len(loop) for loop in found) == [4, 4, 4, 4, 20]


def test_a_chessboard() -> None:
    n = 7
    black = [(i, j) for i in range(1, n - 1) for j in range(1, n - 1) if (i + j) % 2 == 0]
    assert sorted(len(loop) for loop in check(squares(n, *black))) == [4] * len(black) + [4 * n]


def test_separate_bodies_that_touch_in_the_corner_of_their_holes() -> None:
    one = without(box((0, 0, 0), (1, 1, 1)), 2, 3)
    other = without(box((1, 1, 1), (2, 2, 2)), 0, 1)
    assert [len(loop) for loop in check(np.concatenate([one, other]))] == [4, 4]


def test_facets_wound_against_each_other_are_left_alone() -> None:
    body = flipped(box((0, 0, 0), (1, 2, 3)), [3])
    found, tangled = loops(body)
    assert found == []
    assert tangled == 3
    apart = without(box((5, 0, 0), (6, 2, 3)), 0)
    found, tangled = loops(np.concatenate([body, apart]))
    assert [len(loop) for loop in found] == [3]
    assert tangled == 3


def test_an_open_surface_that_is_there_twice_is_left_alone() -> None:
    cup = without(box((0, 0, 0), (1, 2, 3)), 2, 3)
    assert loops(np.concatenate([cup, cup])) == ([], 4)


def test_a_fin_on_an_edge_has_a_boundary_of_its_own() -> None:
    fin = np.array([[[0, 0, 0], [1, 0, 0], [0.5, -1, -1]]], float)
    (loop,) = check(np.concatenate([box((0, 0, 0), (1, 1, 1)), fin]))
    assert facets(loop[None]) == facets(reverse(fin))


def test_very_many_loops_through_one_point() -> None:
    rng = np.random.default_rng(6)
    soup = rng.normal(size=(60, 3, 3))
    soup[:, 1] = (1, 2, 3)
    found = check(soup)
    assert [len(loop) for loop in found] == [3] * 60


@settings(deadline=None, max_examples=60)
@given(st.sets(st.integers(0, 59), min_size=1, max_size=45), st.integers(0, 99))
def test_any_missing_facets(missing: set[int], seed: int) -> None:
    triangles = without(torus(3, 1, 6, 5), *missing)
    if len(triangles) == 0:
        return
    found = check(triangles)
    order = np.random.default_rng(seed).permutation(len(triangles))
    again = check(np.roll(triangles[order], seed % 3, axis=1))
    assert [loop.tolist() for loop in again] == [loop.tolist() for loop in found]


@pytest.mark.parametrize("seed", range(5))
def test_any_soup(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(12, 3))
    soup = points[np.array([rng.permutation(12)[:3] for _ in range(40)])]
    found, tangled = loops(soup)
    assert sum(map(len, found)) + tangled == len(boundary(soup))


def gridded_cube(seed: int) -> Triangles:
    """A cube whose sides are cut into 1 to 7 squares a side, each facet with corners of its own within 1e-4."""
    facets = []
    for k, n in enumerate((1, 2, 3, 4, 5, 7)):
        i, j = np.divmod(np.arange(n * n), n)
        square = np.stack([np.stack([i + a, j + b], axis=1) / n for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))], axis=1)
        flat = square[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 2)
        side = np.roll(np.concatenate([np.full((len(flat), 3, 1), float(k % 2)), flat], axis=2), k // 2, axis=2)
        facets.append(side if k % 2 else side[:, ::-1])
    triangles = np.concatenate(facets)
    return triangles + np.random.default_rng(seed).uniform(-1e-4, 1e-4, triangles.shape)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("tolerance", [1.1e-4, 1.3e-4, 1.5e-4, 2e-4])
def test_slits_whose_sides_cross_are_closed_by_slivers(tolerance: float, seed: int) -> None:
    """Where a weld left a corner in two, the walks along the edges there must not go on around a side."""
    filled, record = fill_holes(connect_nearby(TriangleArray(gridded_cube(seed)), tolerance)[0])
    assert record.counts["area"] < 0.2
    assert float(measure(filled).integrals.moments.volume) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("n", [40, 400, 4000])
def test_needles_that_are_missing_of_a_cone_are_told_from_slits(n: int) -> None:
    t = 2 * np.pi * np.arange(n) / n
    ring = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    after, top = np.roll(ring, -1, axis=0), 0 * ring + (0, 0, 2)
    cone = np.concatenate([np.stack([ring, after, top], axis=1), np.stack([after, ring, 0 * ring], axis=1)])
    gone = 2 * np.random.default_rng(n).choice(n // 2, 12, replace=False)  # no two beside each other
    filled, _ = fill_holes(TriangleArray(np.delete(cone, gone, axis=0)))
    whole = measure(TriangleArray(cone)).integrals.moments.volume
    assert float(measure(filled).integrals.moments.volume / whole) == pytest.approx(1, abs=1e-12)
