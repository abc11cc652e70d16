"""Points in rectangles: the pairs that comparing each with each finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import rectangles
from massprops.core.rectangles import stabbed

places = st.tuples(st.integers(-5, 5), st.integers(-5, 5))


def pairs(points: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> list[tuple[int, int]]:
    return sorted((int(p), int(r)) for ps, rs in stabbed(points, lower, upper) for p, r in zip(ps, rs, strict=True))


def each_with_each(points: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> list[tuple[int, int]]:
    held = ((points[:, None] >= lower) & (points[:, None] <= upper)).all(axis=2)
    return [(int(p), int(r)) for p, r in np.argwhere(held)]


@settings(deadline=None, max_examples=150)
@given(st.lists(places, max_size=40), st.lists(st.tuples(places, places), max_size=15))
def test_all_pairs_are_found(points: list[tuple[int, int]], boxes: list[object]) -> None:
    position = np.array(points, float).reshape(-1, 2) / 3
    sides = np.sort(np.array(boxes, float).reshape(-1, 2, 2) / 3, axis=1)
    assert pairs(position, sides[:, 0], sides[:, 1]) == each_with_each(position, sides[:, 0], sides[:, 1])


def test_portions_leave_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rectangles, "_CHUNK", 7)
    rng = np.random.default_rng(3)
    points = rng.random((300, 2)) * (1, 1e-3)
    middle, half = rng.random((80, 2)) * (1, 1e-3), 0.1 * rng.random((80, 2)) * (1, 1e-3)
    wanted = each_with_each(points, middle - half, middle + half)
    assert pairs(points, middle - half, middle + half) == wanted
    assert sum(1 for _ in stabbed(points, middle - half, middle + half)) > 10


def test_points_on_one_line() -> None:
    points = np.stack([np.zeros(50), np.arange(50.0)], axis=1)
    assert pairs(points, np.array([[-1.0, 9.5]]), np.array([[1.0, 20.0]])) == [(i, 0) for i in range(10, 21)]
