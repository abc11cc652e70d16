"""Caps: every side used once, everything else balanced, the area that of the polygon."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.caps import FEW, MANY, cap, least_area_triangles, polygon_triangles, projected
from tests.oracle import floats
from tests.repair_oracle import TILT, area

TILTED = floats(TILT)


def sides(triangles: np.ndarray) -> set[tuple[int, int]]:
    """Directed edges that have no opposite; no edge may be used twice."""
    uses = Counter((t[k], t[(k + 1) % 3]) for t in triangles.tolist() for k in range(3))
    assert set(uses.values()) == {1}
    return {edge for edge in uses if edge[::-1] not in uses}


def steps(*rings: int) -> set[tuple[int, int]]:
    """The sides of rings of so many points, numbered one after the other."""
    found, start = set(), 0
    for count in rings:
        found |= {(start + i, start + (i + 1) % count) for i in range(count)}
        start += count
    return found


def wheel(radii: list[float]) -> np.ndarray:
    angle = 2 * np.pi * np.arange(len(radii)) / len(radii)
    return np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def shoelace(flat: np.ndarray) -> float:
    x, y = flat.T
    return 0.5 * math.fsum(x * np.roll(y, -1) - y * np.roll(x, -1))


def lifted(flat: np.ndarray) -> np.ndarray:
    """A plane figure in a tilted plane, away from the origin."""
    return np.column_stack([flat, np.zeros(len(flat))]) @ TILTED.T + (3.0, -1.0, 2.0)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(0.2, 2.0), min_size=3, max_size=40))
def test_star_shaped_polygons(radii: list[float]) -> None:
    flat = wheel(radii)
    triangles = polygon_triangles(flat, [len(flat)])
    assert triangles is not None
    assert len(triangles) == len(flat) - 2
    assert sides(triangles) == steps(len(flat))
    doubled = [np.linalg.det(np.column_stack([flat[t], np.ones(3)])) for t in triangles]
    assert min(doubled) >= -1e-12
    found = cap(lifted(flat), projected(lifted(flat), TILTED[:, 2]))
    assert found.middle is None
    assert area(lifted(flat)[found.triangles]) == pytest.approx(shoelace(flat), rel=1e-12)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 5), min_size=4, max_size=4), st.integers(0, 3))
def test_points_on_the_sides_of_a_square_are_all_used(extra: list[int], turn: int) -> None:
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    flat = np.concatenate(
        [np.linspace(corners[i], corners[(i + 1) % 4], extra[i] + 2)[:-1] for i in range(4)]
    )
    flat = np.roll(flat, turn, axis=0)
    triangles = polygon_triangles(flat, [len(flat)])
    assert triangles is not None
    assert sides(triangles) == steps(len(flat))
    assert min(np.linalg.det(np.column_stack([flat[t], np.ones(3)])) for t in triangles) > 0


@pytest.mark.parametrize("holes", [1, 2, 3])
def test_polygons_with_holes(holes: int) -> None:
    outer = 4 * wheel([1.0, 0.8, 1.1, 0.9, 1.2, 1.0, 0.7])
    inner = [wheel([0.5, 0.6, 0.4, 0.5])[::-1] + c for c in ((1.2, 0), (-1, 1), (-0.8, -1.2))][:holes]
    points = lifted(np.concatenate([outer, *inner]))
    rings = [len(outer)] + [len(hole) for hole in inner]
    triangles = polygon_triangles(projected(points, TILTED[:, 2]), rings)
    assert triangles is not None
    assert sides(triangles) == steps(*rings)
    wanted = shoelace(outer) + sum(shoelace(hole) for hole in inner)
    assert area(points[triangles]) == pytest.approx(wanted, rel=1e-12)


def test_holes_that_stick_out_are_refused() -> None:
    outer, inner = wheel([1.0] * 6), np.add(wheel([0.5] * 4)[::-1], (0.9, 0))
    assert polygon_triangles(np.concatenate([outer, inner]), [6, 4]) is None


@pytest.mark.parametrize("count", [5, 7, 40, FEW, FEW + 1, 501])
def test_loops_that_cross_themselves_are_closed_all_the_same(count: int) -> None:
    t = 2 * np.pi * (np.arange(count) + 0.3) / count
    points = np.stack([np.sin(2 * t) + 0.2 * np.sin(t), np.sin(t), 0.1 * np.sin(5 * t)], axis=1)  # an eight
    assert polygon_triangles(points[:, :2], [count]) is None
    found = cap(points, points[:, :2])
    assert sides(found.triangles) == steps(count)
    assert (found.middle is None) == (count <= FEW)
    assert len(found.triangles) == (count - 2 if count <= FEW else count)


def test_a_loop_without_a_plane_gets_flat_facets() -> None:
    """A slit: three points on one line, there and back."""
    line = np.array([[0.0, 0, 0], [1, 2, 3], [2, 4, 6], [0.5, 1, 1.5]])
    found = cap(line, np.zeros((4, 2)))
    assert sides(found.triangles) == steps(4)
    assert area(line[found.triangles]) < 1e-14


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3), min_size=4, max_size=7))
def test_the_least_area_of_all_triangulations(points: list[tuple[float, ...]]) -> None:
    loop = np.array(points)

    def best(i: int, j: int) -> float:
        if j - i < 2:
            return 0.0
        return min(best(i, k) + best(k, j) + area(loop[[[i, k, j]]]) for k in range(i + 1, j))

    triangles = least_area_triangles(loop)
    assert sides(triangles) == steps(len(loop))
    assert area(loop[triangles]) == pytest.approx(best(0, len(loop) - 1), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("rough", [0.0, 1e-9, 0.2])
def test_very_long_polygons(rough: float) -> None:
    """Convex, nearly convex, and jagged ones."""
    count = 3 * MANY + 1
    flat = wheel((1 + rough * np.random.default_rng(2).random(count)).tolist())
    triangles = polygon_triangles(flat, [count])
    assert triangles is not None
    assert len(triangles) == count - 2
    assert sides(triangles) == steps(count)
    a, b, c = flat[triangles].transpose(1, 0, 2)
    u, v = b - a, c - a
    doubled = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    assert doubled.min() > -1e-12
    assert 0.5 * math.fsum(doubled) == pytest.approx(shoelace(flat), rel=1e-12)


def test_very_long_polygons_that_cross_themselves() -> None:
    t = 2 * np.pi * (np.arange(3 * MANY) + 0.3) / (3 * MANY)
    assert polygon_triangles(np.stack([np.sin(2 * t) + 0.2 * np.sin(t), np.sin(t)], axis=1), [3 * MANY]) is None


def test_points_are_seen_against_the_normal() -> None:
    flat = wheel([1.0, 2.0, 0.5, 1.5])
    seen = projected(lifted(flat), TILTED[:, 2])
    assert shoelace(seen) == pytest.approx(shoelace(flat), rel=1e-14)
    assert (projected(lifted(flat), np.zeros((4, 3))) == 0).all()
