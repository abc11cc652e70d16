"""Groups of close points: transitive, named by the first, right at the very border."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.clusters import clusters
from massprops.core.points import distinct_points

small = st.integers(-4, 4)


def brute_force(points: np.ndarray, radius: float, norm: float) -> list[int]:
    """Union of all close pairs, by repeated relabelling with the smaller index."""
    group = list(range(len(points)))
    pairs = [
        (i, j)
        for i, j in itertools.combinations(range(len(points)), 2)
        if np.linalg.norm(points[i] - points[j], ord=norm) <= radius
    ]
    for _ in points:
        for i, j in pairs:
            group[i] = group[j] = min(group[i], group[j])
    return group


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.tuples(small, small, small), max_size=15),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([2.0, math.inf]),
)
def test_groups_are_those_of_a_search_through_all_pairs(
    points: list[tuple[int, int, int]], radius: int, norm: float
) -> None:
    vertices, _ = distinct_points(np.array(points, dtype=float).reshape(-1, 3))
    assert clusters(vertices, radius, norm).tolist() == brute_force(vertices, radius, norm)


@pytest.mark.parametrize("norm", [2.0, math.inf])
@pytest.mark.parametrize("step", [0.1, 2.0**-23, 3e-7, 1e-30, 1e20])
def test_a_distance_of_exactly_the_radius_is_joined_and_the_next_float_is_not(step: float, norm: float) -> None:
    wide = step * (1 + 1e-12)
    assert clusters(np.array([[0.0, 0, 0], [step, 0, 0]]), step, norm).tolist() == [0, 0]
    assert clusters(np.array([[0.0, 0, 0], [wide, 0, 0]]), step, norm).tolist() == [0, 1]


def test_joining_is_transitive_and_a_radius_of_zero_joins_nothing() -> None:
    row = np.stack([np.arange(50.0), np.zeros(50), np.zeros(50)], axis=1)
    assert clusters(row, 1.0).tolist() == [0] * 50
    assert clusters(row, 0.0).tolist() == list(range(50))


def test_no_points_are_no_groups() -> None:
    assert clusters(np.empty((0, 3)), 1.0).tolist() == []
