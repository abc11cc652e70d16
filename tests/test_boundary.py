"""Unbalanced edges: those of a count over all directed edges, in whatever order the facets come."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.boundary import Boundary, unbalanced_edges
from massprops.core.surface import BLOCK, TriangleArray

VERTICES = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [-0.0, 0.5, 3], [1, 1, 1]])
Use = tuple[tuple[float, ...], tuple[float, ...], int]

soups = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=20)


def counted(triangles: np.ndarray) -> list[Use]:
    """Start, end and facet of every use of an unbalanced edge."""
    uses: list[Use] = []
    net: Counter[tuple[object, object]] = Counter()
    for number, facet in enumerate((triangles + 0.0).tolist()):
        a, b, c = map(tuple, facet)
        for start, end in ((a, b), (b, c), (c, a)):
            net[start, end] += 1
            net[end, start] -= 1
            uses.append((start, end, number))
    return sorted(use for use in uses if net[use[0], use[1]])


def listed(found: Boundary) -> list[Use]:
    ends = found.vertices[found.edges]
    return sorted((tuple(a), tuple(b), f) for (a, b), f in zip(ends.tolist(), found.facets.tolist(), strict=True))


@settings(deadline=None, max_examples=30)
@given(soups, st.sampled_from([np.float32, np.float64]))
def test_every_use_of_an_unbalanced_edge_is_found(soup: list[tuple[int, int, int]], dtype: type) -> None:
    triangles = VERTICES[np.array(soup)].astype(dtype)
    found = unbalanced_edges(TriangleArray(triangles))
    assert listed(found) == counted(triangles)
    assert [tuple(v) for v in found.vertices.tolist()] == sorted({end for use in listed(found) for end in use[:2]})
    assert np.all(np.diff(found.facets) >= 0)


@settings(deadline=None, max_examples=30)
@given(soups)
def test_undirected_edges_have_their_uses_and_their_surplus(soup: list[tuple[int, int, int]]) -> None:
    triangles = VERTICES[np.array(soup)]
    ends, uses, net = unbalanced_edges(TriangleArray(triangles)).undirected()
    wanted: dict[frozenset[object], list[tuple[object, object]]] = {}
    for start, end, _ in counted(triangles):
        wanted.setdefault(frozenset([start, end]), []).append((start, end))
    vertices = unbalanced_edges(TriangleArray(triangles)).vertices.tolist()
    assert len(ends) == len(wanted)
    for (low, high), count, surplus in zip(ends.tolist(), uses.tolist(), net.tolist(), strict=True):
        a, b = tuple(vertices[low]), tuple(vertices[high])
        directions = wanted[frozenset([a, b])]
        assert low < high
        assert count == len(directions)
        assert surplus == directions.count((a, b)) - directions.count((b, a)) != 0


@settings(deadline=None, max_examples=30)
@given(soups, st.lists(st.integers(0, 4), min_size=5, max_size=5))
def test_renamed_vertices_balance_what_they_bring_together(soup: list[tuple[int, int, int]], names: list[int]) -> None:
    triangles = VERTICES[np.array(soup)]
    found = unbalanced_edges(TriangleArray(triangles))
    target = np.array([min(name, max(0, len(found.vertices) - 1)) for name in names[: len(found.vertices)]], np.intp)
    moved = found.vertices[target] if len(target) else found.vertices
    lookup = {tuple(old): new for old, new in zip(found.vertices.tolist(), moved.tolist(), strict=True)}
    after = np.array([[lookup.get(tuple(p), p) for p in facet] for facet in (triangles + 0.0).tolist()])
    assert surpluses(found.renamed(target)) == surpluses(unbalanced_edges(TriangleArray(after)))


def surpluses(found: Boundary) -> list[tuple[list[float], list[float], int]]:
    ends, _, net = found.undirected()
    pairs = zip(found.vertices[ends].tolist(), net.tolist(), strict=True)
    return sorted((a, b, surplus) if a < b else (b, a, -surplus) for (a, b), surplus in pairs)


def strip(facets: int) -> np.ndarray:
    """A long open ribbon: facet k has the corners k, k + 1, k + 2 of a zigzag, wound alternately."""
    x = np.arange(facets + 2.0)
    zigzag = np.stack([x, x % 2, 0.001 * x * x], axis=1)
    corners = np.arange(facets)[:, None] + np.where(np.arange(facets)[:, None] % 2, [1, 0, 2], [0, 1, 2])
    return zigzag[corners]


@pytest.mark.parametrize("facets", [1, 2, BLOCK, 2 * BLOCK + 3])
def test_a_long_ribbon_has_its_rim_in_every_block(facets: int) -> None:
    found = unbalanced_edges(TriangleArray(strip(facets)))
    assert len(found.edges) == facets + 2  # one edge a facet, and the two ends
    assert sorted(set(found.facets.tolist())) == list(range(facets))
    assert np.array_equal(np.bincount(found.edges.ravel()), np.full(facets + 2, 2))


def test_the_order_of_the_facets_changes_the_numbers_of_facets_only() -> None:
    triangles = strip(400)
    turn = np.random.default_rng(1).permutation(400)
    found, turned = unbalanced_edges(TriangleArray(triangles)), unbalanced_edges(TriangleArray(triangles[turn]))
    assert np.array_equal(found.vertices, turned.vertices)
    assert sorted(found.edges.tolist()) == sorted(turned.edges.tolist())
    assert listed(found) == sorted((a, b, int(turn[f])) for a, b, f in listed(turned))


def test_a_closed_surface_has_none() -> None:
    tetrahedron = VERTICES[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    found = unbalanced_edges(TriangleArray(tetrahedron))
    assert found.vertices.shape == (0, 3)
    assert found.edges.shape == (0, 2)
    assert [len(part) for part in found.undirected()] == [0, 0, 0]
    assert len(found.renamed(np.empty(0, np.intp)).edges) == 0
