"""Polygons become triangles over their own vertices, with the polygon's area and boundary."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.errors import Unreadable
from massprops.readers.polygons import check_corners, fans, strips, triangulated
from tests.oracle import floats, rotation

L = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
ARROW = [(0, 0), (2, 1), (0, 2), (1, 1)]
TILT = floats(rotation(3, -1, 2, 5))


def placed(outline: list[tuple[float, float]]) -> np.ndarray:
    """An outline in a generic plane of space."""
    return np.column_stack([np.array(outline, float), np.zeros(len(outline))]) @ TILT.T + (7.0, -3.0, 11.0)


def areas(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = points[faces].transpose(1, 0, 2)
    return np.cross(b - a, c - a) / 2


def flat_area(outline: list[tuple[float, float]]) -> float:
    """By the shoelace formula."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in itertools.pairwise([*outline, outline[0]])) / 2


def boundary(faces: np.ndarray) -> Counter[tuple[int, int]]:
    """Directed edges that no opposite one balances."""
    edges: Counter[tuple[int, int]] = Counter()
    for face in faces.tolist():
        for a, b in itertools.pairwise([*face, face[0]]):
            edges[a, b] += 1
            edges[b, a] -= 1
    return +edges


def check(outline: list[tuple[float, float]], points: np.ndarray) -> None:
    n = len(outline)
    faces = triangulated(np.array([n]), np.arange(n), points)
    assert faces.shape == (n - 2, 3)
    assert boundary(faces) == {(i, (i + 1) % n): 1 for i in range(n)}
    vectors = areas(points, faces)
    assert np.linalg.norm(vectors, axis=1).sum() == pytest.approx(abs(flat_area(outline)), rel=1e-12)
    assert np.linalg.norm(vectors.sum(axis=0)) == pytest.approx(abs(flat_area(outline)), rel=1e-12)


@pytest.mark.parametrize("outline", [L, ARROW, [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]])
def test_concave_polygons_from_every_corner_and_side(outline: list[tuple[float, float]]) -> None:
    for turn in range(len(outline)):
        turned = outline[turn:] + outline[:turn]
        check(turned, placed(turned))
        check(turned[::-1], placed(turned[::-1]))


def test_corners_on_straight_lines_are_kept() -> None:
    pairs = [*itertools.pairwise(L), (L[-1], L[0])]
    fine = [(a[0] + (b[0] - a[0]) * k / 4, a[1] + (b[1] - a[1]) * k / 4) for a, b in pairs for k in range(4)]
    for turn in range(len(fine)):
        turned = fine[turn:] + fine[:turn]
        points = np.column_stack([np.array(turned, float), np.full(len(turned), 2.0)])
        check(turned, points)
        check(turned, placed(turned))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(0.2, 2.0), min_size=5, max_size=30))
def test_star_shaped_polygons(radii: list[float]) -> None:
    angles = 2 * np.pi * np.arange(len(radii)) / len(radii)
    outline = list(zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True))
    check(outline, placed(outline))


def test_mixed_polygons_keep_their_order_and_points_and_lines_are_none() -> None:
    points = placed([*L, *ARROW])
    sizes = np.array([3, 1, 6, 2, 4, 0, 3])
    corners = np.array([0, 1, 2, 5, 0, 1, 2, 3, 4, 5, 0, 1, 6, 7, 8, 9, 3, 4, 5])
    faces = triangulated(sizes, corners, points)
    assert len(faces) == 1 + 4 + 2 + 1
    assert faces[0].tolist() == [0, 1, 2]
    assert boundary(faces[1:5]) == {(i, (i + 1) % 6): 1 for i in range(6)}
    assert boundary(faces[5:7]) == {(6, 7): 1, (7, 8): 1, (8, 9): 1, (9, 6): 1}
    assert faces[7].tolist() == [3, 4, 5]


@pytest.mark.parametrize(
    "points",
    [
        placed([(0, 0), (2, 2), (2, 0), (0, 2), (1, 3)]),  # crosses itself
        np.zeros((5, 3)),
        placed([(k, 2 * k) for k in range(5)]),
        np.full((5, 3), np.nan),
        placed([*L[:4], (1, np.inf)]),
        placed(L[:5]) * 1e200,
    ],
)
def test_outlines_without_a_plane_still_lose_nothing(points: np.ndarray) -> None:
    faces = triangulated(np.array([5]), np.arange(5), points)
    assert boundary(faces) == {(i, (i + 1) % 5): 1 for i in range(5)}
    assert faces.shape == (3, 3)


def test_skew_quadrilaterals_are_cut_alike() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0.3], [1, 1, 0], [0, 1, 0.3]])
    assert triangulated(np.array([4]), np.arange(4), points).tolist() == [[0, 1, 2], [0, 2, 3]]


def test_fans_are_taken_as_they_are() -> None:
    faces, which = fans(np.array([5, 2, 3]), np.array([9, 1, 2, 3, 4, 0, 0, 7, 8, 6]))
    assert faces.tolist() == [[9, 1, 2], [9, 2, 3], [9, 3, 4], [7, 8, 6]]
    assert which.tolist() == [0, 0, 0, 2]


def test_strips_turn_every_second_triangle() -> None:
    faces = strips(np.array([5, 1, 3]), np.array([0, 1, 2, 3, 4, 9, 5, 6, 7]))
    assert faces.tolist() == [[0, 1, 2], [2, 1, 3], [2, 3, 4], [5, 6, 7]]
    assert boundary(faces[:3]) == {(0, 1): 1, (1, 3): 1, (3, 4): 1, (4, 2): 1, (2, 0): 1}


def test_no_polygons_are_no_triangles() -> None:
    nothing = np.empty(0, int)
    assert triangulated(nothing, nothing, np.empty((0, 3))).shape == (0, 3)
    assert strips(nothing, nothing).shape == (0, 3)


@pytest.mark.parametrize("index", [-1, 4, 2**40])
def test_vertices_that_are_not_there(index: int) -> None:
    with pytest.raises(Unreadable, match=rf"part: face 2 refers to vertex {index}, but there are only 4"):
        check_corners(np.array([3, 4]), np.array([0, 1, 2, 3, 2, index, 0]), 4, "part: ")
