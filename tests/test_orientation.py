"""Winding: one way in each body, told when there is none, the same whatever facets were reversed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import Triangles, box, moved, reverse, star, torus
from tests.repair_oracle import TILT, bodies, dome, facets, flipped, nested, oriented, volume


def moebius(n: int = 15) -> Triangles:
    """A strip of 2 n facets with half a twist."""
    t = np.linspace(0, 2 * np.pi, n + 1)[:-1]
    along = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    across = 0.3 * np.stack([np.cos(t / 2) * np.cos(t), np.cos(t / 2) * np.sin(t), np.sin(t / 2)], axis=1)
    left, right = along + across, along - across
    next_left, next_right = np.roll(left, -1, axis=0), np.roll(right, -1, axis=0)
    next_left[-1], next_right[-1] = right[0], left[0]
    return np.concatenate(
        [np.stack([left, right, next_right], axis=1), np.stack([left, next_right, next_left], axis=1)]
    )


@settings(deadline=None, max_examples=60)
@given(bodies(), st.data())
def test_any_reversed_facets_are_found(triangles: Triangles, data: st.DataObject) -> None:
    turned = np.array(data.draw(st.lists(st.booleans(), min_size=len(triangles), max_size=len(triangles))))
    result, found = oriented(flipped(triangles, turned))
    assert (found.is_reversed == turned).all()
    assert (result == triangles).all()
    assert (len(found.is_open), found.is_open.any(), found.is_cavity.any()) == (1, False, False)


@settings(deadline=None, max_examples=40)
@given(nested(), st.data())
def test_bodies_point_the_right_way_by_nesting(parts: list[Triangles], data: st.DataObject) -> None:
    triangles = np.concatenate(parts)
    turned = np.array(data.draw(st.lists(st.booleans(), min_size=len(triangles), max_size=len(triangles))))
    result, found = oriented(flipped(triangles, turned))
    assert (result == triangles).all()
    assert found.is_cavity.sum() == sum(volume(part) < 0 for part in parts)


@pytest.mark.parametrize("one", [False, True])
@pytest.mark.parametrize("other", [False, True])
def test_cubes_that_touch_along_an_edge_are_turned_one_by_one(one: bool, other: bool) -> None:
    cubes = [box((0, 0, 0), (1, 1, 1)), box((1, 1, 0), (2, 2, 1))]
    triangles = np.concatenate([reverse(c) if way else c for c, way in zip(cubes, (one, other), strict=True)])
    result, found = oriented(triangles)
    assert facets(result) == facets(np.concatenate(cubes))
    assert found.is_reversed.sum() == 12 * (one + other)
    assert len(found.is_open) == 2


def test_a_strip_with_one_side_is_told_and_left() -> None:
    strip = moebius()
    body = star(2, np.linspace(0.7, 1.4, 18)) + 5.0
    result, found = oriented(np.concatenate([strip, reverse(body)]))
    assert (result[: len(strip)] == strip).all()
    assert facets(result[len(strip) :]) == facets(body)
    assert found.is_one_sided[found.body].sum() == len(strip)


def test_an_open_body_is_turned_as_if_its_holes_were_closed() -> None:
    cup = np.delete(box((0, 0, 0), (1, 2, 3)), [2, 3], axis=0)
    result, found = oriented(reverse(cup))
    assert facets(result) == facets(cup)
    assert found.is_open.tolist() == [True]
    cavity = reverse(np.delete(box((1, 1, 1), (3, 3, 3)), [4], axis=0))
    triangles = np.concatenate([box((0, 0, 0), (4, 5, 6)), cavity])
    assert (oriented(triangles)[0] == triangles).all()
    assert facets(oriented(reverse(triangles))[0]) == facets(triangles)


def test_a_shallow_sheet_keeps_the_winding_of_most_of_its_facets() -> None:
    for sheet in (dome(0.2), reverse(dome(0.2))):
        result, found = oriented(flipped(sheet, [1, 4]))
        assert (result == sheet).all()
        assert found.is_reversed.sum() == 2


def test_pieces_that_share_a_vertex_only_are_separate_bodies() -> None:
    one, other = box((0, 0, 0), (1, 1, 1)), box((1, 1, 1), (2, 2, 2))
    result, found = oriented(np.concatenate([one, reverse(other)]))
    assert facets(result) == facets(np.concatenate([one, other]))
    assert len(found.is_open) == 2


def test_the_result_does_not_depend_on_the_order_of_facets() -> None:
    rng = np.random.default_rng(11)
    base = np.concatenate([torus(3, 1, 9, 7), star(2, np.linspace(0.7, 1.4, 18)) + 9.0, dome(0.3) - 9.0])
    base = np.concatenate([base, box((5, 5, 5), (6, 6, 6)), box((6, 6, 5), (7, 7, 6))])
    base = flipped(base, rng.random(len(base)) < 0.3)
    results = []
    for _ in range(4):
        order = rng.permutation(len(base))
        results.append(facets(oriented(base[order])[0]))
    assert all(result == results[0] for result in results)


def test_an_open_book_of_three_pages_does_not_confuse() -> None:
    pages = np.array([[[0, 0, 0], [0, 0, 1], p] for p in ([1, 0, 0], [-1, 1, 0.5], [-1, -1, 0.2])], float)
    result, found = oriented(pages)
    assert (result == pages).all()
    assert found.is_open.all()


@pytest.mark.parametrize("inner", [0.1, 0.6, 0.95])
@pytest.mark.parametrize("length", [0.3, 1, 9])
def test_the_two_sides_of_a_pipe_without_end_rings_are_not_turned_by_guess(inner: float, length: float) -> None:
    """The outer one may be mostly holes, and the inner one is not: it is no outermost body for that."""
    side = box((-1, -1, 0), (1, 1, length))
    side = side[np.ptp(side[:, :, 2], axis=1) > 0]
    pipe = moved(np.concatenate([side, reverse(side * (inner, inner, 1))]), TILT, (3, 4, 5))
    assert (oriented(pipe)[0] == pipe).all()
    assert (oriented(flipped(pipe, [1, 12]))[0] == pipe).all()
