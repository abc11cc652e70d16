"""Filled holes: closed, exactly in plane where they were, rings where loops lie in each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.boundary import unbalanced_edges
from massprops.core.filling import Filling, filling
from massprops.core.holes import boundary_loops
from massprops.core.surface import TriangleArray
from tests.oracle import Triangles, box, cube_grid, l_prism, moved, prism, reverse, torus
from tests.repair_oracle import TILT, area, boundary, volume

L_CAPS = range(8)


def filled(triangles: Triangles, max_edges: int | None = None) -> tuple[Triangles, Filling]:
    edges = unbalanced_edges(TriangleArray(triangles))
    found = filling(edges.vertices, boundary_loops(edges, triangles).vertices, max_edges)
    return np.concatenate([triangles, found.triangles]), found


def without(triangles: Triangles, missing: object) -> Triangles:
    return np.delete(triangles, np.asarray(missing), axis=0)


def walls(outline: object, bottom: float, top: float) -> Triangles:
    """The sides of a prism, without its ends."""
    return prism(outline, np.empty((0, 3), int), bottom, top)  # type: ignore[arg-type]


def square(half: float) -> list[tuple[float, float]]:
    return [(-half, -half), (half, -half), (half, half), (-half, half)]


def test_no_loops_no_facets() -> None:
    found = filling(np.empty((0, 3)), [])
    assert found.triangles.shape == (0, 3, 3)
    assert len(found.filled) == 0


def test_an_open_box_is_closed_exactly() -> None:
    body = box((10, 20, 30), (12, 23, 35))
    for face in range(0, 12, 2):
        result, found = filled(without(body, [face, face + 1]))
        assert not boundary(result)
        assert volume(result) == 30
        assert len(found.triangles) == 2
        assert found.is_planar.all()
        assert found.flatness.tolist() == [0.0]


@pytest.mark.parametrize("tilted", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_both_ends_of_an_l_are_closed(tilted: bool, dtype: type) -> None:
    """Neither loop is convex, and the middle of each lies on its outline."""
    body = l_prism(1.25)
    body = (moved(body, TILT, (3, 4, 5)) if tilted else body).astype(dtype)
    result, found = filled(without(body, L_CAPS))
    assert not boundary(result)
    assert found.is_planar.all()
    assert len(found.triangles) == 8
    assert abs(volume(result) - volume(body)) < (1e-5 if dtype is np.float32 else 1e-14)
    assert area(found.triangles) == pytest.approx(10.0, rel=1e-6)


def test_a_flat_cap_takes_the_place_of_an_apex() -> None:
    v = [(1.0, 0, 0), (0, 1.0, 0), (-1.0, 0, 0), (0, -1.0, 0)]
    half = np.array([(v[(i + 1) % 4], v[i], (0, 0, -1.0)) for i in range(4)])
    result, _ = filled(half)
    assert volume(result) == pytest.approx(2 / 3, rel=1e-15)
    assert len(result) == 6


@pytest.mark.parametrize("inverted", [False, True])
def test_the_ends_of_a_tube_are_rings(inverted: bool) -> None:
    tube = np.concatenate([walls(square(2), 0, 5), reverse(walls(square(1), 0, 5))])
    tube = moved(reverse(tube) if inverted else tube, TILT, (7, -5, 3))
    result, found = filled(tube)
    assert not boundary(result)
    assert found.filled.all()
    assert len(found.triangles) == 16
    assert area(found.triangles) == pytest.approx(2 * 12, rel=1e-12)
    assert abs(volume(result)) == pytest.approx(60, rel=1e-12)


def test_rings_in_rings() -> None:
    """Two tubes, one in the other, and a rod in the middle: at each end two rings and a square."""
    sides = [walls(square(5), 0, 2), reverse(walls(square(4), 0, 2)), walls(square(3), 0, 2)]
    sides += [reverse(walls(square(2), 0, 2)), walls(square(1), 0, 2)]
    result, found = filled(moved(np.concatenate(sides), TILT))
    assert not boundary(result)
    assert area(found.triangles) == pytest.approx(2 * (100 - 64 + 36 - 16 + 4), rel=1e-12)
    assert volume(result) == pytest.approx(2 * (100 - 64 + 36 - 16 + 4), rel=1e-12)


def test_a_plate_with_several_holes() -> None:
    outline = np.array(square(5))
    parts = [walls(outline, 0, 1)]
    parts += [reverse(walls(np.array(square(0.5)) + c, 0, 1)) for c in ((-3, -3), (3, -3), (0, 2))]
    result, found = filled(moved(np.concatenate(parts), TILT))
    assert not boundary(result)
    assert area(found.triangles) == pytest.approx(2 * (100 - 3), rel=1e-12)


def test_loops_that_run_the_same_way_are_closed_one_by_one() -> None:
    """Two cups in one another, with their rims in the same plane."""
    cups = [without(box((-s, -s, -s), (s, s, 0)), [2, 3]) for s in (2.0, 1.0)]
    result, found = filled(np.concatenate(cups))
    assert not boundary(result)
    assert area(found.triangles) == 16 + 4
    assert volume(result) == 32 + 4


def test_loops_beside_each_other_in_one_plane() -> None:
    cups = [without(box((0, 0, 0), (1, 1, 1)), [2, 3]), without(box((3, 0, 1), (4, 1, 2)), [0, 1])]
    result, found = filled(np.concatenate(cups))
    assert not boundary(result)
    assert volume(result) == 2
    assert len(found.triangles) == 4


def test_longer_loops_are_left() -> None:
    cups = [without(box((0, 0, 0), (1, 1, 1)), [2, 3]), without(box((3, 0, 0), (4, 1, 1)), [2])]
    result, found = filled(np.concatenate(cups), max_edges=3)
    assert found.filled.tolist() == [False, True]
    assert len(boundary(result)) == 4
    tube = np.concatenate([walls(square(2), 0, 5), reverse(walls([(-1, -1), (1, -1), (0, 1)], 0, 5))])
    assert not filled(tube, max_edges=3)[1].filled.any()
    assert filled(tube, max_edges=4)[1].filled.all()


def test_a_bent_loop_is_an_estimate() -> None:
    ring = torus(3, 1, 8, 6)
    cut = without(ring, [0, 1, 48, 49])
    result, found = filled(cut)
    assert not boundary(result)
    assert not found.is_planar.all()
    assert found.flatness.max() > 0.01
    assert 0 < volume(result) <= 8 * 8 * 2


def test_a_slit_is_closed_with_flat_facets() -> None:
    """One side of an edge is divided in two, the other is not."""
    body = box((0, 0, 0), (2, 3, 5))
    middle = np.array([0.75, 0.0, 0.0])
    a, b, c = body[4]
    assert (a == (0, 0, 0)).all()
    assert (b == (2, 0, 0)).all()
    divided = np.array([[a, middle, c], [middle, b, c]])
    result, found = filled(np.concatenate([without(body, [4]), divided]))
    assert not boundary(result)
    assert found.is_planar.all()
    assert area(found.triangles) == 0
    assert volume(result) == 30


def test_points_on_the_sides_of_a_hole_are_used() -> None:
    """One face of a cube whose other faces are divided into 5 x 5 squares."""
    body = cube_grid(5)
    top = (body[:, :, 2] == 1).all(axis=1)
    result, found = filled(moved(body[~top], TILT))
    assert not boundary(result)
    assert len(found.triangles) == 18
    assert volume(result) == pytest.approx(1, rel=1e-14)


@settings(deadline=None, max_examples=60)
@given(st.sets(st.integers(0, 59), min_size=1, max_size=50))
def test_whatever_is_missing_the_result_is_closed(missing: set[int]) -> None:
    ring = moved(torus(3, 1, 6, 5), TILT, (0.1, 1 / 3, -7.7))
    result, found = filled(without(ring, sorted(missing)))
    assert not boundary(result)
    assert found.filled.all()
