"""Welds: close vertices become one, chains of them too, no facet is spoilt, the order does not matter."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.topology import edges_of, mesh_of
from massprops.core.weld import Weld, weld, weld_radius
from tests.oracle import Triangles, box, moved, star
from tests.repair_oracle import TILT, boundary, surface

BODY = moved(star(2, np.linspace(0.7, 1.4, 18)), TILT, (5.0, -7.0, 11.0))


def welded(triangles: Triangles, radius: float) -> tuple[Triangles, Weld]:
    mesh = mesh_of(surface(triangles))
    found = weld(mesh, np.arange(len(mesh.vertices)), radius)
    return mesh.vertices[found.target[mesh.corners]], found


def cracked(width: float, seed: int = 1) -> Triangles:
    """The body with some corners of some facets moved by up to a width."""
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=BODY.shape)
    direction *= width / np.linalg.norm(direction, axis=2, keepdims=True)
    return BODY + direction * (rng.random(BODY.shape[:2]) < 0.2)[:, :, None]


@pytest.mark.parametrize("width", [1e-13, 1e-9, 1e-5])
def test_cracks_close(width: float) -> None:
    triangles = cracked(width)
    assert boundary(triangles)
    result, found = welded(triangles, 2 * width)
    assert not boundary(result)
    assert found.vertices > 10
    assert 0 < found.largest_gap <= 2.2 * width
    assert np.abs(result - BODY).max() <= 2 * width


def test_wider_cracks_do_not() -> None:
    result, found = welded(cracked(1e-3), 1e-5)
    assert found.vertices == 0
    assert (result == cracked(1e-3)).all()


def test_groups_are_transitive_and_take_their_lexicographically_first_point() -> None:
    chain = np.array([[[0, 0, 0.3 * k], [50 + k, 0, 0], [0, 50 + k, 0]] for k in (2, 0, 1, 3)], float)
    result, found = welded(chain, 0.31)
    assert (result[:, 0] == 0).all()
    assert (found.vertices, found.clusters) == (3, 1)
    assert found.largest_gap == pytest.approx(0.9, rel=1e-15)


def test_the_result_does_not_depend_on_the_order_of_facets() -> None:
    triangles = cracked(1e-5)
    order = np.random.default_rng(4).permutation(len(triangles))
    assert (welded(triangles, 3e-5)[0][order] == welded(triangles[order], 3e-5)[0]).all()


def test_only_candidates_move() -> None:
    mesh = mesh_of(surface(cracked(1e-5)))
    assert weld(mesh, np.empty(0, np.intp), 1.0).vertices == 0


def test_no_two_corners_of_a_facet_become_one() -> None:
    thin = np.array([[[0, 0, 0], [1, 0, 0], [1, 0.01, 0]], [[5, 0, 0], [6, 0, 0], [5, 1, 0]]], float)
    result, found = welded(np.concatenate([thin, np.add(thin[1:], (0, 0, 0.01))]), 0.02)
    assert (result[0] == thin[0]).all()
    assert found.vertices == 3


def test_no_facet_becomes_flat() -> None:
    """A facet of height 0.1, whose apex would land on its base; the one beside it is flat before and after."""
    facets = np.array(
        [
            [[0, 0, 0], [2, 0, 0], [1, 0.1, 0]],
            [[1, 0, 0], [7, 7, 7], [8, 8, 9]],
            [[0, 9, 0], [1, 9, 0], [2, 9, 0]],
            [[2, 9, 0.05], [7, 5, 4], [3, 2, 1]],
        ]
    )
    result, found = welded(facets, 0.11)
    assert (result[0] == facets[0]).all()
    assert (result[2] == facets[2]).all()
    assert (result[3, 0] == (2, 9, 0)).all()
    assert found.vertices == 1


def test_the_radius() -> None:
    mesh = mesh_of(surface(box((0, 0, 0), (3, 4, 12))))
    ends = edges_of(mesh.corners).ends
    assert weld_radius(mesh.vertices, ends, 1e-3) == pytest.approx(0.013, rel=1e-15)
    assert weld_radius(mesh.vertices, ends, 1.0) == pytest.approx(2.7, rel=1e-15)
