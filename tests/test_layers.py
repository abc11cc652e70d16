"""Pictures made of single surfaces: which lies before which, and that nothing is seen twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from massprops.report.decimation import drawn_mesh
from massprops.report.layers import Layer, composed
from massprops.report.nested import layers as layers_of

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


def plain(color: tuple[int, int, int], cover: Any, height: Any, rows: int = 1) -> Layer:
    """A layer of one colour, four pixels wide."""
    shape = (rows, 4)
    full = [np.broadcast_to(np.asarray(each, np.float32), shape).copy() for each in (cover, height)]
    return Layer(np.full((*shape, 3), color, np.uint8), *full)


def test_at_each_pixel_the_nearer_layer_covers_the_other() -> None:
    red, blue = plain((200, 0, 0), 1, [1, 1, 5, 5]), plain((0, 0, 200), [1, 0, 1, 1], [0, 9, 0, 9])
    seen = composed([red, blue])
    assert seen[0, :3].tolist() == [[200, 0, 0]] * 3
    assert seen[0, 3].tolist() == [0, 0, 200]
    assert np.array_equal(seen, composed([blue, red]))


def test_translucent_layers_mix_over_white_in_the_order_of_their_depth() -> None:
    near, far = plain((100, 0, 200), 0.5, 2), plain((0, 60, 40), 0.25, 1)
    white = np.full(3, 255.0)
    wanted = 0.5 * (0.75 * white + 0.25 * np.array([0, 60, 40])) + 0.5 * np.array([100, 0, 200])
    assert np.abs(composed([near, far])[0, 0] - wanted).max() <= 0.5


def test_bands_of_rows_do_not_show() -> None:
    heights = np.random.default_rng(5).random((3, 200, 4))
    layers = [plain((50 * k, 250 - 60 * k, 9), 0.5, height, 200) for k, height in enumerate(heights)]
    rows = [composed([Layer(one.color[r : r + 1], one.cover[r : r + 1], one.height[r : r + 1]) for one in layers])
            for r in range(200)]  # fmt: skip
    assert np.array_equal(composed(layers), np.concatenate(rows))


def test_what_is_not_there_hides_nothing() -> None:
    line, surface = plain((0, 0, 0), 1, 1), plain((0, 0, 0), [1, 0, 1, 1], [2, 2, 1.05, 0])
    assert line.hidden_by(surface, 0.1).tolist() == [[True, False, False, False]]


def layers_of_shells(*shells: Any) -> list[int]:
    """The layer of each tetrahedron, seen from the end of z."""
    found = np.array(layers_of(drawn_mesh(np.concatenate(shells)), np.eye(3))).reshape(-1, len(shells), 4)
    assert (found.sum(axis=0) == 1).all()
    assert (found.all(axis=2) == found.any(axis=2)).all()
    return [int(number) for number in found.all(axis=2).argmax(axis=0)]


def test_a_cavity_and_what_lies_in_it_are_within() -> None:
    inner = [0.2 + 0.3 * TETRAHEDRON[:, ::-1], 0.3 + 0.05 * TETRAHEDRON]
    assert layers_of_shells(TETRAHEDRON, *inner, TETRAHEDRON + np.array([9.0, 0, 0])) == [0, 1, 2, 0]


def test_cavities_behind_each_other_have_layers_of_their_own_up_to_a_limit() -> None:
    near, far, beside = (0.1 * TETRAHEDRON[:, ::-1] + place for place in ([0.1, 0, 2], [0.1, 0, 1], [0.5, 0, 0]))
    assert layers_of_shells(TETRAHEDRON * 2, far, near, beside) == [0, 2, 1, 1]
    pile = [0.01 * TETRAHEDRON[:, ::-1] + [0.1, 0.1, height] for height in np.linspace(1.5, 0.5, 8)]
    assert layers_of_shells(TETRAHEDRON, *pile) == [0, 1, 2, 3, 4, 4, 4, 4, 4]


def test_two_bodies_in_one_place_are_not_within_each_other() -> None:
    turned = TETRAHEDRON * [1, 1, -1] + [0, 0, 3.0]
    assert layers_of_shells(TETRAHEDRON, turned[:, ::-1]) == [0, 0]
