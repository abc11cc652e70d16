"""Triangles that touch a box: the same as by cutting the triangle with each side of the box, in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.clip import touches_box
from tests.oracle import Triangles

points = st.tuples(*[st.integers(-8, 8)] * 3)


def cut(polygon: list[list[Fraction]], axis: int, limit: int, sign: int) -> list[list[Fraction]]:
    """The part of a convex polygon with ``sign * x[axis] <= sign * limit`` (Sutherland and Hodgman)."""
    result = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        p_in, q_in = (sign * r[axis] <= sign * limit for r in (p, q))
        if p_in:
            result.append(p)
        if p_in != q_in:
            t = (limit - p[axis]) / (q[axis] - p[axis])
            result.append([a + t * (b - a) for a, b in zip(p, q, strict=True)])
    return result


def touches(triangle: object, lower: tuple[int, ...], upper: tuple[int, ...]) -> bool:
    polygon = [[Fraction(x) for x in corner] for corner in triangle]  # type: ignore[attr-defined]
    for axis in range(3):
        for limit, sign in ((upper[axis], 1), (lower[axis], -1)):
            polygon = polygon and cut(polygon, axis, limit, sign)
    return bool(polygon)


def block(*triangles: object) -> Triangles:
    return np.array(triangles, float).transpose(1, 2, 0)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(points, points, points), min_size=1, max_size=8), points, points)
def test_the_same_as_cutting(triangles: list[object], one: tuple[int, ...], other: tuple[int, ...]) -> None:
    lower, upper = tuple(map(min, one, other)), tuple(map(max, one, other))
    wanted = [touches(triangle, lower, upper) for triangle in triangles]
    assert touches_box(block(*triangles), np.array(lower, float), np.array(upper, float)).tolist() == wanted


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_facets_that_only_touch_are_kept(dtype: type) -> None:
    triangles = block(
        [[1, 0, 0], [2, 0, 0], [2, 1, 0]],
        [[0.3, 2, 2], [2, 0.3, 2], [2, 2, 0.3]],
        [[3, 0, 0], [0, 3, 0], [0, 0, 3]],
        [[3.001, 0, 0], [0, 3.001, 0], [0, 0, 3.001]],
        [[-9, -9, 0.5], [9, -9, 0.5], [0, 9, 0.5]],
    ).astype(dtype)
    assert touches_box(triangles, np.zeros(3), np.ones(3)).tolist() == [True, False, True, False, True]


def test_huge_coordinates_do_not_overflow() -> None:
    triangles = block([[-1e300, -1e300, 0.5], [1e300, -1e300, 0.5], [0, 1e300, 0.5]])
    assert touches_box(triangles, np.zeros(3), np.ones(3)).all()
