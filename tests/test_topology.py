"""Vertices and edges: the same as counted one by one, whatever the order, however the zeros are signed."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import topology
from massprops.core.surface import TriangleArray
from massprops.core.topology import edges_of, is_proper, mesh_of, signed_groups
from tests.oracle import box, torus
from tests.repair_oracle import surface

facet_lists = st.lists(st.permutations(range(7)).map(lambda p: p[:3]), min_size=1, max_size=30)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_vertices_are_compared_by_coordinates(dtype: type) -> None:
    triangles = torus(3.0, 1.0, 9, 7).astype(dtype)
    mesh = mesh_of(TriangleArray(triangles))
    assert len(mesh.vertices) == 63
    assert mesh.vertices.dtype == np.float64
    assert (mesh.vertices[mesh.corners] == triangles).all()


def test_negative_zero_is_zero() -> None:
    triangles = box((0, 0, 0), (1, 2, 3))
    triangles[::2] = np.where(triangles[::2] == 0, -0.0, triangles[::2])
    mesh = mesh_of(surface(triangles))
    assert len(mesh.vertices) == 8
    assert not np.signbit(mesh.vertices).any()


def test_the_numbers_do_not_depend_on_the_order_of_facets() -> None:
    triangles = torus(3.0, 1.0, 9, 7)
    order = np.random.default_rng(5).permutation(len(triangles))
    one, other = mesh_of(surface(triangles)), mesh_of(surface(triangles[order]))
    assert (one.vertices == other.vertices).all()
    assert (one.corners[order] == other.corners).all()


def test_points_that_share_a_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topology, "_vertex_hashes", lambda surface: np.zeros(3 * surface.facets, np.uint64))
    triangles = box((-1, -0.0, 0), (1, 2, 3))
    mesh = mesh_of(surface(triangles))
    assert len(mesh.vertices) == 8
    assert (mesh.vertices[mesh.corners] == triangles).all()


def test_an_empty_surface_has_no_vertices() -> None:
    mesh = mesh_of(TriangleArray(np.empty((0, 3, 3))))
    assert mesh.vertices.shape == (0, 3)
    assert edges_of(mesh.corners).uses.shape == (0,)


@settings(deadline=None, max_examples=100)
@given(facet_lists)
def test_edges_are_those_counted_one_by_one(facets: list[tuple[int, int, int]]) -> None:
    corners = np.array(facets, np.intp)
    uses: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for number, facet in enumerate(facets):
        for k in range(3):
            a, b = facet[k], facet[(k + 1) % 3]
            uses[min(a, b), max(a, b)].append((3 * number + k, 1 if a < b else -1))
    edges = edges_of(corners)
    assert [tuple(ends) for ends in edges.ends.tolist()] == sorted(uses)
    for i, ends in enumerate(sorted(uses)):
        part = slice(edges.starts[i], edges.starts[i + 1])
        assert sorted(zip(edges.half[part].tolist(), edges.sign[part].tolist(), strict=True)) == sorted(uses[ends])
        assert edges.uses[i] == len(uses[ends])
        assert edges.net[i] == sum(sign for _, sign in uses[ends])
        assert (edges.edge[part] == i).all()
    assert (edges.facet == edges.half // 3).all()


def test_facets_with_two_equal_corners_are_not_proper() -> None:
    corners = np.array([[0, 1, 2], [0, 0, 2], [0, 1, 0], [1, 2, 2]])
    assert is_proper(corners).tolist() == [True, False, False, False]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.booleans(), min_size=8, max_size=8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_signed_groups_satisfy_links_that_can_be_satisfied(state: list[bool], links: list[tuple[int, int]]) -> None:
    a, b = np.array(links, np.intp).reshape(-1, 2).T
    opposite = np.array(state)[a] != np.array(state)[b]
    found = signed_groups(8, a, b, opposite)
    assert found.is_consistent.all()
    assert (found.label[a] == found.label[b]).all()
    assert ((found.is_odd[a] != found.is_odd[b]) == opposite).all()


def test_a_ring_with_an_odd_number_of_turns_is_inconsistent() -> None:
    a, b = np.array([0, 1, 2, 4]), np.array([1, 2, 0, 5])
    found = signed_groups(6, a, b, np.array([True, False, False, True]))
    assert found.is_consistent[found.label].tolist() == [False, False, False, True, True, True]
    assert len(found.is_consistent) == 3
