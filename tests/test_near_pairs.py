"""Groups of near points of the plane: those that the k-d tree finds."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core import near_pairs
from massprops.core.clusters import clusters
from massprops.core.near_pairs import plane_clusters


@pytest.mark.parametrize("radius", [0.0, 1e-9, 3e-3, 0.02, 0.3])
@pytest.mark.parametrize("seed", range(6))
def test_groups_are_those_of_the_tree(seed, radius):
    rng = np.random.default_rng(seed)
    some = rng.uniform(-3, 5, (150, 2))
    grid = np.stack(np.meshgrid(np.arange(7.0), np.arange(7.0)), axis=-1).reshape(-1, 2)
    moved = [points + radius * rng.uniform(-0.8, 0.8, points.shape) for points in (some, some, grid)]
    points = np.unique(np.concatenate([some, grid, *moved]) + 1e3 * (seed % 2), axis=0)
    assert plane_clusters(points, radius).tolist() == clusters(points, radius).tolist()


def test_a_row_across_the_direction_is_left_to_the_tree(monkeypatch):
    across = np.array([-near_pairs._DIRECTION[1], near_pairs._DIRECTION[0]])
    points = np.unique(np.arange(60)[:, None] * across, axis=0)
    asked = []
    monkeypatch.setattr(near_pairs, "clusters", lambda *given: asked.append(given) or clusters(*given))
    assert plane_clusters(points, 1.1).tolist() == [0] * 60
    assert len(asked) == 1


def test_chains_and_exact_distances():
    points = np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [3.0, 4.0], [6.0, 8.0]])
    assert plane_clusters(points, 1.0).tolist() == [0, 0, 0, 3, 4]
    assert plane_clusters(points[[0, 3, 4]], 5.0).tolist() == [0, 0, 0]
    assert plane_clusters(points[:0], 1.0).tolist() == []
