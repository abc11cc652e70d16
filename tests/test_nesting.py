"""Which body lies in which: also when they touch, when there are thousands, and not when they merely cross."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.nesting import Nesting, turned_bodies
from massprops.core.topology import mesh_of
from tests.oracle import Triangles, box, moved, prism, reverse, star
from tests.repair_oracle import TILT, surface

NO_RIM = np.empty((0, 3), np.intp)


def nesting(*parts: Triangles) -> Nesting:
    mesh = mesh_of(surface(*parts))
    body = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    straight = np.zeros(len(mesh.corners), bool)
    return turned_bodies(mesh, body, straight, NO_RIM, np.zeros(len(parts), bool))


def tilted(*parts: Triangles) -> list[Triangles]:
    return [moved(part, TILT, (1e3, -2e3, 3e3)) for part in parts]


@pytest.mark.parametrize("far", [False, True])
def test_depth_by_depth(far: bool) -> None:
    shells = [box((-s, -s, -s - 0.5), (s, s + 0.25, s)) for s in (1.0, 2.0, 3.0, 4.0, 5.0)]
    found = nesting(*(tilted(*shells) if far else shells))
    assert found.is_cavity.tolist() == [False, True, False, True, False]
    assert found.is_turned.tolist() == [False, True, False, True, False]
    found = nesting(*(reverse(shell) for shell in shells))
    assert found.is_turned.tolist() == [True, False, True, False, True]


def test_a_cavity_may_touch_the_outside() -> None:
    outer = box((0, 0, 0), (4, 5, 6))
    for inner in (box((1, 1, 0), (2, 2, 1)), box((0, 0, 0), (1, 1, 1)), box((0, 1, 1), (4, 2, 2))):
        assert nesting(outer, inner).is_cavity.tolist() == [False, True]
        assert nesting(*tilted(outer, inner)).is_cavity.tolist() == [False, True]


def test_bodies_side_by_side_are_not_nested() -> None:
    outer = box((0, 0, 0), (4, 5, 6))
    for other in (box((4, 1, 1), (5, 2, 2)), box((4, 5, 6), (5, 6, 7)), box((9, 0, 0), (10, 1, 1))):
        assert not nesting(outer, other).is_cavity.any()
        assert not nesting(*tilted(outer, other)).is_cavity.any()


def test_a_body_in_the_hole_of_another_one_is_outside_it() -> None:
    """A frame around a box: the box of the one holds that of the other."""
    c_shape = np.array([(0, 0), (9, 0), (9, 9), (0, 9), (0, 8), (8, 8), (8, 1), (0, 1)], float)
    caps = [(0, 1, 6), (0, 6, 7), (1, 2, 5), (1, 5, 6), (2, 3, 4), (2, 4, 5)]
    frame = prism(c_shape, caps, 0.0, 2.0)
    assert not nesting(frame, box((2, 2, 0.5), (7, 7, 1.5))).is_cavity.any()
    assert nesting(frame, box((2, 0.25, 0.5), (7, 0.75, 1.5))).is_cavity.tolist() == [False, True]


def test_bodies_that_cross_are_not_nested() -> None:
    head = star(3, np.full(38, 1.0))
    nose = np.add(star(1, np.full(6, 0.2)), (0.0, 0.0, 2.9))
    corner = np.add(star(1, np.full(6, 0.4)), (1.4, 1.4, 0.0))
    assert not nesting(head, nose).is_cavity.any()
    assert not nesting(head, corner).is_cavity.any()
    assert nesting(head, nose - (0, 0, 1.0)).is_cavity.any()


def test_the_same_body_twice_is_not_nested() -> None:
    body = box((0, 0, 0), (4, 5, 6))
    other_diagonals = reverse(body * (-1, 1, 1) + (4, 0, 0))
    assert not nesting(body, other_diagonals).is_cavity.any()


def test_sheets_and_bodies_with_one_side_take_no_part() -> None:
    outer = box((0, 0, 0), (4, 5, 6))
    flat = np.array([[[1, 1, 1], [2, 1, 1], [1, 2, 1]], [[1, 1, 1], [1, 2, 1], [2, 1, 1]]], float)
    found = nesting(outer, flat)
    assert not found.is_turned.any()
    assert not found.is_cavity.any()


@pytest.mark.parametrize("inside", [False, True])
def test_thousands_of_bodies(inside: bool) -> None:
    n = 13
    corner = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 1, 3)
    small = (box((0.1, 0.2, 0.3), (0.6, 0.7, 0.9)) + corner).reshape(-1, 3, 3)
    outer = box((-1, -1, -1), (n + 1, n + 1, n + 1)) + (0.0 if inside else 2.0 * n)
    mesh = mesh_of(surface(small, outer))
    body = np.repeat(np.arange(n**3 + 1), 12)
    straight = np.zeros(len(body), bool)
    found = turned_bodies(mesh, body, straight, NO_RIM, np.zeros(n**3 + 1, bool))
    assert (found.is_cavity[:-1] == inside).all()
    assert not found.is_cavity[-1]


def test_holes_are_closed_by_cones() -> None:
    """The rim of a box without its top, backwards: with it, the open box counts as a body and is turned."""
    cup = reverse(np.delete(box((0, 0, 0), (1, 2, 3)), [2, 3], axis=0))
    mesh = mesh_of(surface(cup))
    top = np.flatnonzero(mesh.vertices[:, 2] == 3)
    x, y = mesh.vertices[top, :2].T
    around = top[np.argsort(np.arctan2(y - 1, x - 0.5))]  # anticlockwise, as the edges of the reversed walls run
    rim = np.stack([around, np.roll(around, -1), np.zeros(4, np.intp)], axis=1)
    straight = np.zeros(len(cup), bool)
    assert turned_bodies(mesh, np.zeros(len(cup), np.intp), straight, rim, np.zeros(1, bool)).is_turned.all()
