"""Points compared by their exact coordinates."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.points import distinct_points

few = st.sampled_from([-1.0, 0.0, 0.5, np.nextafter(0.5, 1), 1e300, 5e-324])
clouds = st.lists(st.tuples(few, few, few), max_size=40)


@settings(deadline=None, max_examples=100)
@given(clouds)
def test_distinct_points_are_the_sorted_set(points: list[tuple[float, float, float]]) -> None:
    array = np.array(points, dtype=float).reshape(-1, 3)
    vertices, number = distinct_points(array)
    assert [tuple(v) for v in vertices.tolist()] == sorted(set(points))
    assert np.array_equal(vertices[number], array)


def test_the_vertices_do_not_depend_on_the_order_of_the_points() -> None:
    rng = np.random.default_rng(3)
    points = rng.integers(-2, 3, size=(200, 3)).astype(float)
    vertices, number = distinct_points(points)
    turn = rng.permutation(len(points))
    again, number_again = distinct_points(points[turn])
    assert np.array_equal(vertices, again)
    assert np.array_equal(number[turn], number_again)


def test_no_points_are_no_vertices() -> None:
    vertices, number = distinct_points(np.empty((0, 3)))
    assert vertices.shape == (0, 3)
    assert number.shape == (0,)
