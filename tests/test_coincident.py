"""Coincident facets: strays go, walls go or stay together, a body that is there twice stays once."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from massprops.core.coincident import all_cancel, choose_copies
from massprops.core.topology import mesh_of
from tests.oracle import Triangles, box, reverse, star, torus
from tests.repair_oracle import facets, flipped, surface, volume

BODY = star(2, np.linspace(0.7, 1.4, 18))


def kept(triangles: Triangles) -> Triangles:
    """The facets that make up the surface, seen without their winding if they are reversed copies."""
    return triangles[choose_copies(mesh_of(surface(triangles)).corners).kept]


def cells(n: int) -> Triangles:
    """n^3 boxes side by side, each with all of its walls; the diagonals of walls that meet coincide."""
    parts = []
    for i, j, k in product(range(n), repeat=3):
        cell = box((i, 2 * j, 3 * k), (i + 1, 2 * j + 2, 3 * k + 3))
        mirrored = [axis for axis, index in enumerate((i, j, k)) if index % 2]
        for axis in mirrored:
            middle = cell[:, :, axis].min() + cell[:, :, axis].max()
            cell[:, :, axis] = middle - cell[:, :, axis]
        parts.append(reverse(cell) if len(mirrored) % 2 else cell)
    return np.concatenate(parts)


def test_distinct_facets_all_stay() -> None:
    found = choose_copies(mesh_of(surface(BODY)).corners)
    assert found.kept.tolist() == list(range(len(BODY)))
    assert (found.mirrored == -1).all()
    assert len(found.paired) == len(found.removed) == 0


@pytest.mark.parametrize("stray", [[3], [3, 4, 7], list(range(9)), list(range(1, len(BODY)))])
@pytest.mark.parametrize("way", [False, True])
def test_stray_copies_go(stray: list[int], way: bool) -> None:
    extra = reverse(BODY[stray]) if way else BODY[stray]
    found = choose_copies(mesh_of(surface(BODY, extra)).corners)
    assert len(found.kept) == len(BODY)
    assert len(found.paired) == len(found.removed) == 0
    if not way:
        assert facets(np.concatenate([BODY, extra])[found.kept]) == facets(BODY)


@pytest.mark.parametrize("parts", [[BODY] * 2, [BODY] * 3, [BODY, reverse(BODY)], [BODY, BODY, reverse(BODY)]])
def test_a_body_that_is_there_several_times_stays_once(parts: list[Triangles]) -> None:
    triangles = np.concatenate(parts)
    found = choose_copies(mesh_of(surface(triangles)).corners)
    assert len(found.kept) == len(BODY)
    assert len({frozenset(map(tuple, facet)) for facet in triangles[found.kept].tolist()}) == len(BODY)


def test_the_copy_with_the_winding_of_most_is_kept() -> None:
    assert facets(kept(np.concatenate([reverse(BODY), BODY, BODY]))) == facets(BODY)


def test_a_copy_wound_the_other_way_is_named() -> None:
    found = choose_copies(mesh_of(surface(BODY, reverse(BODY))).corners)
    assert ((found.kept + found.mirrored) % len(BODY) == 2 * found.kept % len(BODY)).all()


def test_both_sides_of_a_wall_are_set_aside_together() -> None:
    one, other = box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))
    triangles = np.concatenate([one, other])
    found = choose_copies(mesh_of(surface(triangles)).corners)
    assert len(found.paired) == 4
    assert volume(triangles[found.kept]) == 45
    inverted = np.concatenate([one, reverse(other)])
    found = choose_copies(mesh_of(surface(inverted)).corners)
    assert len(found.kept) == 20
    assert len(found.removed) == 4
    assert len(found.without_removal().kept) == 24


@pytest.mark.parametrize("n", [2, 3])
def test_walls_between_many_cells_are_set_aside(n: int) -> None:
    triangles = cells(n)
    assert volume(triangles) == 6 * n**3
    found = choose_copies(mesh_of(surface(triangles)).corners)
    assert len(found.kept) == 12 * n * n
    assert len(found.paired) == len(triangles) - 12 * n * n
    assert volume(triangles[found.kept]) == 6 * n**3


def test_an_assembly_with_a_wall_that_is_there_twice() -> None:
    triangles = np.concatenate([box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))] * 2)
    assert volume(kept(triangles)) == 45


def test_a_stray_copy_of_one_side_of_a_wall_goes() -> None:
    triangles = np.concatenate([box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))])
    for copy in range(len(triangles)):
        assert volume(kept(np.concatenate([triangles, triangles[[copy]]]))) == 45


def test_a_folded_sheet_stays_as_it_is() -> None:
    sheet = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]]], float)
    found = choose_copies(mesh_of(surface(sheet, reverse(sheet))).corners)
    assert found.paired.tolist() == [0, 1, 2, 3]
    assert len(found.kept) == 0


def test_whether_all_facets_have_their_reverse() -> None:
    def cancel(*parts: Triangles) -> bool:
        return all_cancel(mesh_of(surface(*parts)).corners)

    assert cancel(BODY, reverse(BODY))
    assert cancel(BODY, BODY, reverse(BODY), reverse(BODY)[::-1, [1, 2, 0]])
    assert not cancel(BODY)
    assert not cancel(BODY, BODY)
    assert not cancel(BODY, BODY, reverse(BODY))
    assert not cancel(BODY, reverse(BODY)[1:])
    assert not cancel(BODY[:0])


def test_an_open_body_that_is_there_twice_stays_once() -> None:
    assert facets(kept(np.concatenate([BODY[3:], BODY[3:]]))) == facets(BODY[3:])


def test_a_stray_copy_beside_a_hole_goes() -> None:
    for copy in range(len(BODY) - 2):
        triangles = np.concatenate([BODY[2:], BODY[2:][[copy]]])
        assert facets(kept(triangles)) == facets(BODY[2:])


def test_a_doubled_body_that_touches_another_one_along_an_edge() -> None:
    one, other = box((0, 0, 0), (1, 1, 1)), box((1, 1, 0), (2, 2, 1))
    for triangles in ([one, other, other], [one, one, other, other], [one, other, reverse(other)]):
        assert len(kept(np.concatenate(triangles))) == 24


def test_the_choice_does_not_depend_on_the_order_of_facets() -> None:
    rng = np.random.default_rng(8)
    base = np.concatenate([cells(2), torus(3, 1, 6, 5) + 9.0, torus(3, 1, 6, 5) + 9.0])
    base = np.concatenate([base, flipped(base[rng.integers(0, len(base), 40)], rng.random(40) < 0.5)])
    wanted = None
    for _ in range(5):
        triangles = base[rng.permutation(len(base))]
        found = choose_copies(mesh_of(surface(triangles)).corners)
        result = facets(triangles[found.kept]), facets(triangles[found.paired])
        assert wanted is None or result == wanted
        wanted = result
