"""Scenes: every place is a copy, closed bodies stay closed, mirrors keep the outside outside."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.core.surface import TriangleArray
from massprops.errors import Unreadable, Unsupported
from massprops.readers import scene
from massprops.readers.scene import IDENTITY, Mesh, Part, assemble, composed
from tests.oracle import exact, floats, indexed, moved, rays, rotation, star

BODY = star(2, np.linspace(0.5, 1.3, rays(2)))
MESH = Mesh(*indexed(BODY))
TURN = np.column_stack([floats(rotation(1, 2, -3, 4)), (0.3, -100.7, 12.9)])
SKEW = np.column_stack([[[1.1, 0.3, -0.2], [0.0, 0.9, 0.4], [0.5, -0.1, 1.7]], (1.0, 2.0, 3.0)])
MIRROR = np.column_stack([np.diag([-1.0, 1.0, 1.0]), (0.1, 0.0, 0.0)])


def volume(triangles: np.ndarray) -> float:
    return float(measure(TriangleArray(triangles)).integrals.moments.volume)


def image(matrix: np.ndarray) -> np.ndarray:
    """The body's triangles under a map, exactly and rounded once."""
    return moved(BODY, matrix[:, :3], matrix[:, 3])


def test_without_a_map_coordinates_stay_bit_for_bit() -> None:
    assert np.array_equal(assemble({"a": Part([MESH])}, [("a", IDENTITY)]), BODY)


@pytest.mark.parametrize("matrix", [TURN, SKEW])
def test_a_map_moves_every_corner(matrix: np.ndarray) -> None:
    found = assemble({"a": Part([MESH])}, [("a", matrix)])
    assert np.allclose(found, image(matrix), rtol=1e-15, atol=1e-14)
    assert measure(TriangleArray(found)).notices == ()  # closed bit for bit
    assert volume(found) == pytest.approx(float(exact(image(matrix)).volume), rel=1e-13)


def test_meshes_that_meet_at_vertices_of_their_own_stay_closed_under_a_map() -> None:
    points, faces = indexed(BODY)
    halves = [Mesh(points[::-1].copy(), len(points) - 1 - faces[:9]), Mesh(points, faces[9:])]
    for matrix in (TURN, SKEW, MIRROR):
        assert measure(TriangleArray(assemble({1: Part(halves)}, [(1, matrix)]))).notices == ()


def test_a_mirror_keeps_the_outside_outside() -> None:
    once = assemble({"a": Part([MESH])}, [("a", MIRROR)])
    assert volume(once) == pytest.approx(volume(BODY), rel=1e-14)
    parts = {"a": Part([MESH]), "b": Part((), [("a", MIRROR)])}
    assert np.allclose(assemble(parts, [("b", MIRROR)]), BODY, atol=1e-15)


def test_parts_within_parts_are_moved_by_both() -> None:
    parts = {"a": Part([MESH]), "b": Part([MESH], [("a", TURN), ("a", MIRROR)]), "c": Part((), [("b", SKEW)])}
    found = assemble(parts, [("c", IDENTITY), ("a", SKEW)])
    assert len(found) == 4 * len(BODY)
    wanted = [SKEW, composed(SKEW, TURN), composed(SKEW, MIRROR), SKEW]
    for copy, matrix in enumerate(wanted):
        part = found[copy * len(BODY) : (copy + 1) * len(BODY)]
        expected = image(matrix)
        assert np.allclose(part, expected[:, ::-1] if copy == 2 else expected, rtol=1e-13, atol=1e-12)


def test_composition_applies_the_inner_map_first() -> None:
    x = np.array([1.5, -2.5, 3.25])
    inner = TURN[:, :3] @ x + TURN[:, 3]
    assert np.allclose(composed(SKEW, TURN) @ [*x, 1], SKEW[:, :3] @ inner + SKEW[:, 3], rtol=1e-14)


def test_nothing_placed_is_nothing() -> None:
    assert assemble({"a": Part([MESH]), "b": Part()}, [("b", IDENTITY)]).shape == (0, 3, 3)
    assert assemble({}, []).shape == (0, 3, 3)


def test_numbers_that_are_none_pass_without_a_warning() -> None:
    for value in (np.nan, np.inf):
        matrix = TURN.copy()
        matrix[0, 0] = value
        assert not np.isfinite(assemble({"a": Part([MESH])}, [("a", matrix)])).all()


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_cycle_is_told(length: int) -> None:
    parts = {k: Part([MESH], [((k + 1) % length, TURN)]) for k in range(length)}
    with pytest.raises(Unreadable, match="cycle: 0 contains itself"):
        assemble(parts, [(0, IDENTITY)])


def test_a_part_that_is_not_there_is_told() -> None:
    with pytest.raises(Unreadable, match="refers to object 9, which is not in the file"):
        assemble({"a": Part([MESH], [("object 9", TURN)])}, [("a", IDENTITY)])


def test_a_scene_that_repeats_without_bound_is_refused_before_memory_is_taken() -> None:
    few: dict[int, Part] = {0: Part([MESH])} | {k: Part((), [(k - 1, TURN)] * 10) for k in range(1, 31)}
    with pytest.raises(Unsupported, match=f"repeats {len(BODY)} facets|{len(few)} parts"):
        assemble(few, [(30, IDENTITY)])
    nothing: dict[int, Part] = {0: Part()} | {k: Part((), [(k - 1, TURN)] * 10) for k in range(1, 31)}
    assert len(assemble(nothing, [(30, IDENTITY)])) == 0


def test_a_scene_may_place_as_much_as_the_file_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene, "MOST_FACETS", 10)
    monkeypatch.setattr(scene, "MOST_PLACED", 1)
    parts = {k: Part([MESH]) for k in range(3)}
    assert len(assemble(parts, [(k, IDENTITY) for k in range(3)])) == 3 * len(BODY)
    with pytest.raises(Unsupported, match="more than are read"):
        assemble({0: Part([MESH])}, [(0, IDENTITY), (0, TURN), (0, TURN)])


def test_deep_scenes_need_no_deep_stack() -> None:
    deep = {0: Part([MESH])} | {k: Part((), [(k - 1, IDENTITY)]) for k in range(1, 20_000)}
    assert np.array_equal(assemble(deep, [(19_999, IDENTITY)]), BODY)
