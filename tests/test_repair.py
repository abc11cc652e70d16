"""The steps of repair: nothing for a good body, everything back for a damaged one, and a record of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.repair import Record, clip, connect_nearby, fill_holes, merge, sanitize
from massprops.core.surface import Surface, TriangleArray, triangle_array
from massprops.errors import Empty, NonFinite
from tests.oracle import Triangles, box, l_prism, moved, reverse, star, tetrahedron, torus
from tests.repair_oracle import TILT, area, bodies, boundary, damage, facets, flipped, nested, surface, volume

Step = Callable[[Surface], tuple[Surface, Record]]

STEPS: dict[str, Step] = {
    "connect_nearby": connect_nearby,
    "sanitize": sanitize,
    "fill_holes": fill_holes,
    "clip": lambda given: clip(given, (-1e9, -1e9, -1e9), (1e9, 1e9, 1e9)),
    "merge": lambda given: merge(given, TriangleArray(np.empty((0, 3, 3), np.float32))),
}


def run(step: Step, triangles: Triangles) -> tuple[Triangles, Record]:
    """The facets after a step, after checking that the input is untouched and the record sound."""
    given = TriangleArray(triangles)
    before = triangles.copy()
    result, record = step(given)
    assert (given.triangles == before).all()
    assert given.triangles is triangles
    assert record.changed is (result is not given)
    assert record.message.startswith(f"{record.step}: ")
    assert "\n" not in record.message
    json.dumps(dict(record.counts), allow_nan=False)
    after = triangle_array(result)
    assert after.dtype == triangles.dtype
    return after, record


def cup(lower: Any = (0, 0, 0), upper: Any = (1, 1, 1)) -> Triangles:
    """A box without its face at the upper end of x."""
    return box(lower, upper)[:10]


# Nothing to do


@pytest.mark.parametrize("name", STEPS)
@settings(deadline=None, max_examples=15)
@given(bodies() | nested().map(np.concatenate))
def test_a_good_body_is_returned_as_it_is(name: str, triangles: Triangles) -> None:
    _, record = run(STEPS[name], triangles)
    assert record.step == name
    assert not record.changed


@pytest.mark.parametrize("name", STEPS)
def test_an_empty_surface_is_returned_as_it_is(name: str) -> None:
    given = TriangleArray(np.empty((0, 3, 3), np.float32))
    result, record = STEPS[name](given)
    assert result is given
    assert not record.changed


@pytest.mark.parametrize("name", ["connect_nearby", "sanitize", "fill_holes", "clip"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_coordinate_that_is_not_a_number_is_refused(name: str, bad: float) -> None:
    triangles = box((0, 0, 0), (1, 2, 3))
    triangles[7, 1, 2] = bad
    with pytest.raises(NonFinite, match="facet 8"):
        STEPS[name](TriangleArray(triangles))


def test_touching_bodies_and_walls_are_good() -> None:
    edge = np.concatenate([box((0, 0, 0), (1, 1, 1)), box((1, 1, 0), (2, 2, 1))])
    corner = np.concatenate([box((0, 0, 0), (1, 1, 1)), box((1, 1, 1), (2, 2, 2))])
    wall = np.concatenate([box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))])
    cavity = np.concatenate([box((0, 0, 0), (4, 4, 4)), reverse(box((1, 1, 1), (3, 3, 3)))])
    for triangles in (edge, corner, wall, cavity):
        assert not run(sanitize, moved(triangles, TILT))[1].changed


# Sanitize


@settings(deadline=None, max_examples=35)
@given(st.data())
def test_damaged_bodies_come_back(data: st.DataObject) -> None:
    triangles = data.draw(bodies())
    damaged = data.draw(damage(triangles))
    result, record = run(sanitize, damaged)
    assert facets(result) == facets(triangles)
    assert volume(result) == volume(triangles)
    assert record.counts["coincident_facets"] == len(damaged) - len(triangles)
    assert not run(sanitize, result)[1].changed


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_damaged_nests_come_back(data: st.DataObject) -> None:
    parts = data.draw(nested())
    triangles = np.concatenate(parts)
    result, record = run(sanitize, data.draw(damage(triangles)))
    assert facets(result) == facets(triangles)
    assert record.counts["bodies"] == len(parts)
    assert record.counts["cavities"] == sum(volume(part) < 0 for part in parts)


@settings(deadline=None, max_examples=35)
@given(st.data())
def test_whatever_is_wrong_twice_is_no_better_than_once(data: st.DataObject) -> None:
    """Facets are missing too, so that the volume is lost; the second run must still find nothing to do."""
    triangles = np.concatenate([data.draw(bodies()), box((20, 0, 0), (21, 2, 3))])
    missing = data.draw(st.sets(st.integers(0, len(triangles) - 1), max_size=len(triangles) - 1))
    damaged = data.draw(damage(np.delete(triangles, sorted(missing), axis=0)))
    result, _ = run(sanitize, damaged)
    assert not run(sanitize, result)[1].changed
    closed, _ = run(fill_holes, result)
    assert not boundary(closed)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_soups_neither_crash_nor_change_twice(seed: int, on_grid: bool) -> None:
    """Any facets between a few points; on a grid many of them lie upon each other, which need not come to rest."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 14))
    points = rng.integers(0, 3, size=(count, 3)).astype(float) if on_grid else rng.normal(size=(count, 3))
    soup = points[rng.integers(0, count, size=(int(rng.integers(1, 60)), 3))]
    try:
        result, _ = run(sanitize, soup)
    except Empty:
        return
    again, record = run(sanitize, result)
    assert on_grid or not record.changed
    run(fill_holes, again)


def cell(place: Any, rng: np.random.Generator) -> Triangles:
    """A box of 1 x 2 x 3 in a grid of such boxes, its faces divided along one diagonal or the other."""
    size = np.array([1.0, 2.0, 3.0])
    mirrored = rng.random(3) < 0.5
    shape = np.where(mirrored, size - box((0, 0, 0), size), box((0, 0, 0), size))
    return (reverse(shape) if mirrored.sum() % 2 else shape) + size * place


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_any_heap_of_boxes_comes_back(seed: int) -> None:
    """Some cells of a grid, each with all of its walls, some of them inverted, and facets reversed."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*[np.arange(3)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    heap = [cell(place, rng) for place in grid[rng.random(27) < rng.uniform(0.1, 0.9)]]
    if not heap:
        return
    good = np.concatenate(heap)
    assert not run(sanitize, good)[1].changed
    damaged = np.concatenate([reverse(part) if rng.random() < 0.3 else part for part in heap])
    damaged = flipped(damaged, rng.random(len(damaged)) < rng.choice([0, 0.1]))
    result, _ = run(sanitize, damaged)
    assert not boundary(result)
    assert volume(result) == volume(good) == 6 * len(heap)
    assert not run(sanitize, result)[1].changed


def test_a_cavity_wound_outwards() -> None:
    outer, inner = box((0, 0, 0), (4, 4, 4)), box((1, 1, 1), (3, 3, 3))
    for parts in ([outer, inner], [outer, reverse(inner)], [reverse(outer), inner], [reverse(outer), reverse(inner)]):
        result, record = run(sanitize, np.concatenate(parts))
        assert volume(result) == 56
        assert record.counts["cavities"] == 1


def test_one_of_two_bodies_inverted() -> None:
    one, other = box((0, 0, 0), (1, 1, 1)), box((5, 0, 0), (6, 1, 1))
    result, record = run(sanitize, np.concatenate([one, reverse(other)]))
    assert volume(result) == 2
    assert record.message == "sanitize: 12 facets reversed"


@pytest.mark.parametrize(
    ("triangles", "message"),
    [
        (reverse(tetrahedron()), "sanitize: 4 facets reversed"),
        (flipped(box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), [2]), "sanitize: 1 facet reversed"),
        (np.concatenate([box((0, 0, 0), (2, 3, 5))] * 2), "sanitize: 12 coincident facets dropped"),
        (box((0, 0, 0), (2, 3, 5)), "sanitize: nothing to do"),
        (cup(), "sanitize: nothing to do; 1 body still open"),
    ],
)
def test_what_was_done_is_said(triangles: Triangles, message: str) -> None:
    assert run(sanitize, triangles)[1].message == message


@pytest.mark.parametrize("inverted", [False, True])
def test_walls_go_or_stay_together(inverted: bool) -> None:
    one, other = box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))
    result, _ = run(sanitize, np.concatenate([one, reverse(other) if inverted else other]))
    assert not boundary(result)
    assert volume(result) == 45


def test_a_crack_is_closed_and_told() -> None:
    body = box((0, 0, 0), (2, 3, 5))
    cracked = body.copy()
    cracked[6, 1] += (1e-6, -1e-6, 2e-6)
    result, record = run(sanitize, cracked)
    assert not boundary(result)
    assert abs(volume(result) - 30) < 1e-4
    assert record.counts["vertices"] == 1
    assert record.counts["largest_gap"] == pytest.approx(6**0.5 * 1e-6)
    assert "the largest gap 2.45e-06" in record.message


def test_facets_that_are_points_or_lines_are_refused() -> None:
    with pytest.raises(Empty, match="all 5 facets have two equal corners"):
        sanitize(TriangleArray(np.tile([[1.0, 2, 3], [1, 2, 3], [4, 5, 6]], (5, 1, 1))))


def test_a_weld_can_be_asked_to_be_wider() -> None:
    body = moved(star(2, np.linspace(0.7, 1.4, 18)), TILT)
    cracked = body.copy()
    cracked[5, 1] += 1e-3
    assert run(sanitize, cracked)[1].counts["open_bodies"] == 1
    assert not boundary(triangle_array(sanitize(TriangleArray(cracked), tolerance=1e-2)[0]))


@pytest.mark.parametrize("size", [1e-300, 1e-60, 1e-6, 1e30, 1e154, 1e300])
def test_no_size_is_too_small_or_too_large(size: float) -> None:
    good = np.concatenate([box((0, 0, 0), (4, 4, 4)), reverse(box((1, 1, 1), (3, 3, 3))), box((9, 0, 0), (10, 2, 3))])
    good = moved(good, TILT, (1, 2, 3)) * size
    damaged = np.concatenate([flipped(good, [0, 5, 13, 27, 28]), good[[4]]])
    result, _ = run(sanitize, damaged)
    assert facets(result) == facets(good)
    closed, _ = run(fill_holes, np.delete(result, [0, 1, 13, 30], axis=0))
    assert not boundary(closed)
    cracked = good.copy()
    cracked[7, 1] *= 1 + 1e-9
    assert not boundary(run(connect_nearby, cracked)[0])


def slabs(count: int, offset: float = 0.0) -> Triangles:
    """Thin plates on top of each other, which share their faces."""
    return np.concatenate([box((0, 0, i + offset), (50, 40, i + 1 + offset)) for i in range(count)])


def both_sides(*parts: Triangles) -> Triangles:
    return np.concatenate([*parts, *(reverse(part) for part in parts)])


@pytest.mark.parametrize("size", [1e-200, 1, 1e200])
@pytest.mark.parametrize("body", [box((9, 9, 9), (10, 11, 12)), reverse(box((9, 9, 9), (10, 11, 12)))])
def test_a_surface_that_is_mostly_sheets_is_told(body: Triangles, size: float) -> None:
    """Of a body drawn from both sides there is no more than sheets, where it leaves edges with a single use."""
    open_skin = box((0, 0, 0), (5, 4, 3))[2:]
    result, record = run(sanitize, size * moved(np.concatenate([both_sides(open_skin), body]), TILT))
    (notice,) = record.notices
    skin = 2 * (5 * 4 + 2 * 4 * 3 + 2 * 3 * 5)
    assert notice.details == {"facets": 20, "share": pytest.approx(skin / (skin + 22), rel=1e-12)}
    assert (notice.code, len(result)) == ("folded", 32)
    assert notice.message.startswith("20 of 32 facets (87 % of the area) lie back to back and enclose nothing")
    assert boundary(result) == {}


def test_a_sheet_beside_a_larger_body_is_not_told() -> None:
    sheet = both_sides(box((0, 0, 0), (1, 1, 1))[:2])
    assert run(sanitize, np.concatenate([sheet, box((9, 9, 9), (10, 11, 12))]))[1].notices == ()


@pytest.mark.parametrize("count", [2, 3, 9])
def test_walls_within_a_body_enclose_something(count: int) -> None:
    """However many there are; sheets beside it still do not."""
    pile = moved(slabs(count), TILT)
    assert run(sanitize, pile)[1].notices == ()
    beside = np.concatenate([pile, moved(both_sides(slabs(1, 50.0)[:2] * (9, 9, 1)), TILT)])
    (notice,) = run(sanitize, beside)[1].notices
    assert notice.details["facets"] == 4 * (count - 1) + 4


def test_what_is_nothing_but_a_sheet_has_a_verdict_instead() -> None:
    assert run(sanitize, both_sides(box((0, 0, 0), (1, 1, 1))[:2]))[1].notices == ()


# Connect nearby


def rimless_pipe(thickness: float) -> Triangles:
    """Four walls without the rims at their two ends."""
    side = box((-1, -1, 0), (1, 1, 3))
    side = side[np.ptp(side[:, :, 2], axis=1) > 0]
    return moved(np.concatenate([side, reverse(side * (1 - thickness, 1 - 0.8 * thickness, 1))]), TILT)


@pytest.mark.parametrize("turned", [(), (2,), (0, 3, 4, 9, 11)])
@pytest.mark.parametrize("weld", [connect_nearby, sanitize])
def test_a_weld_that_folds_a_wall_is_told(weld: Any, turned: tuple[int, ...]) -> None:
    pipe = flipped(rimless_pipe(0.05), list(turned))
    _, record = weld(TriangleArray(pipe), 0.05)
    (notice,) = record.notices
    assert (notice.code, notice.details) == ("folded", {"edges": 8})
    assert notice.message.startswith("the weld left 8 edges with facets back to back")
    assert ("% of the area" in record.message) is (weld is connect_nearby)
    assert weld(TriangleArray(pipe), 1e-3)[1].notices == ()


@pytest.mark.parametrize("weld", [connect_nearby, sanitize])
def test_a_weld_that_folds_nothing_is_not(weld: Any) -> None:
    cracked = moved(box((0, 0, 0), (2, 3, 5)), TILT)
    cracked[6, 1] += 1e-4
    record = weld(TriangleArray(cracked), 1e-3)[1]
    assert record.message.endswith("the largest gap 0.000173")
    assert record.notices == ()
    thin = moved(rimless_pipe(1e-6), TILT)  # a wall, but a crack by the width that is taken for one unasked
    assert weld(TriangleArray(thin))[1].notices == ()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cracks_are_welded(dtype: type) -> None:
    body = moved(torus(3, 1, 9, 7), TILT, (5, 6, 7)).astype(dtype)
    rng = np.random.default_rng(9)
    cracked = (body + rng.choice([0, 1e-6], p=[0.9, 0.1], size=body.shape[:2])[:, :, None]).astype(dtype)
    assert boundary(cracked)
    result, record = run(connect_nearby, cracked)
    assert not boundary(result)
    assert record.counts["vertices"] >= record.counts["clusters"] > 5
    assert float(abs(volume(result) - volume(body))) < 1e-4
    assert not run(connect_nearby, result)[1].changed


def test_a_weld_stays_within_the_shortest_edge() -> None:
    body = box((0, 0, 0), (1, 1, 1e-3))
    cracked = body.copy()
    cracked[6, 1, 0] += 0.95e-3
    assert not run(lambda given: connect_nearby(given, tolerance=0.5), cracked)[1].changed
    cracked[6, 1, 0] = body[6, 1, 0] + 0.85e-3
    assert run(lambda given: connect_nearby(given, tolerance=0.5), cracked)[1].changed


def test_holes_are_no_cracks() -> None:
    _, record = run(connect_nearby, cup())
    assert not record.changed
    assert record.message == "connect_nearby: no cracks to close"


# Fill holes


def test_an_open_box_is_filled() -> None:
    result, record = run(fill_holes, cup())
    assert volume(result) == 1
    assert record.message == "fill_holes: 1 hole filled with 2 facets of area 1"
    assert record.counts == {
        "holes": 1,
        "facets": 2,
        "area": 1.0,
        "flatness": [0.0],
        "estimated": 0,
        "holes_left": 0,
        "tangled_edges": 0,
    }


def test_facets_are_added_behind_the_others() -> None:
    given = l_prism().astype(np.float32)[4:]
    result, _ = run(fill_holes, given)
    assert (result[: len(given)] == given).all()


def test_estimates_are_told() -> None:
    ring = np.delete(torus(3, 1, 8, 6), [0, 1, 48, 49], axis=0)
    _, record = run(fill_holes, ring)
    assert record.counts["estimated"] == 1
    assert record.message.endswith("of a hole's size out of plane) and only an estimate")
    (notice,) = record.notices
    assert notice.code == "estimated"
    assert notice.details == {"caps": 1, "flatness": max(record.counts["flatness"])}
    assert notice.message.startswith("1 hole was filled whose rim is not plane, by up to 0.")


def test_an_estimate_that_is_all_but_exact_is_no_warning() -> None:
    bent = cup()
    bent[(bent == 1).all(axis=2), 0] = 1.0005
    _, record = run(fill_holes, bent)
    assert record.counts["estimated"] == 1
    assert 0 < max(record.counts["flatness"]) < 1e-3
    assert record.notices == ()


def test_longer_holes_are_left_and_told() -> None:
    _, record = run(lambda given: fill_holes(given, max_edges=3), cup())
    assert not record.changed
    assert record.message == "fill_holes: 1 hole left"


def test_tangles_are_left_and_told() -> None:
    _, record = run(fill_holes, flipped(box((0, 0, 0), (1, 1, 1)), [3]))
    assert not record.changed
    assert record.counts["tangled_edges"] == 3
    assert "try --sanitize" in record.message


def test_an_inverted_open_body_is_turned_then_filled() -> None:
    turned, _ = run(sanitize, reverse(cup((1, 2, 3), (3, 5, 8))))
    assert volume(run(fill_holes, turned)[0]) == 30


DISH = moved(box((0, 0, 0), (0.5, 3, 3))[:10], TILT)
"""More hole than surface: of it `sanitize` cannot tell in from out."""


def filled_and_turned(given: Surface) -> tuple[Surface, Record]:
    return fill_holes(given, turn=True)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e-12, 1, 1e12])
def test_bodies_that_their_caps_close_are_turned_if_asked_for(size: float, dtype: type) -> None:
    given = (size * reverse(np.concatenate([DISH, DISH + 9]))).astype(dtype)
    assert run(sanitize, given)[1].message == "sanitize: nothing to do; 2 bodies still open"
    plain, record = run(fill_holes, given)
    assert "reversed_facets" not in record.counts
    turned, record = run(filled_and_turned, given)
    assert float(volume(turned)) == -float(volume(plain)) == pytest.approx(9 * size**3, rel=1e-5)
    assert facets(turned) == facets(reverse(plain))
    assert record.counts["reversed_facets"] == 24
    assert record.message.endswith("; 2 bodies turned, inside out until now")
    assert not run(filled_and_turned, turned)[1].changed


def test_only_what_was_open_is_turned() -> None:
    closed = moved(box((5, 5, 5), (6, 6, 6)), TILT)
    parts = np.concatenate([closed, reverse(DISH), DISH + 9, reverse(closed) + 9, reverse(DISH) + 20])
    turned, record = run(filled_and_turned, parts)
    assert record.counts["reversed_facets"] == 24
    assert float(volume(turned)) == pytest.approx(3 * 4.5)
    assert facets(turned) == facets(run(fill_holes, np.concatenate([closed, DISH, DISH + 9, reverse(closed) + 9,
                                                                    DISH + 20]))[0])  # fmt: skip


def test_what_is_open_still_is_not_turned() -> None:
    ring = moved(box((0, 0, 0), (0.5, 3, 3)), TILT, (9, 9, 9))[np.r_[:5, 6:12]]
    given = np.concatenate([reverse(DISH), ring])
    turned, record = run(lambda given: fill_holes(given, max_edges=3, turn=True), given)
    assert record.counts["holes_left"] == 1
    assert (turned == run(lambda given: fill_holes(given, max_edges=3), given)[0]).all()


@settings(deadline=None, max_examples=40)
@given(bodies() | nested().map(np.concatenate), st.data())
def test_what_encloses_something_is_left_as_it_is(triangles: Triangles, data: st.DataObject) -> None:
    """Turning what was open changes no result: it makes one of what had none."""
    gone = data.draw(st.sets(st.integers(0, len(triangles) - 1), min_size=1, max_size=len(triangles) // 2))
    given = np.delete(triangles, sorted(gone), axis=0)
    if data.draw(st.booleans()):
        given = reverse(given)
    if data.draw(st.booleans()):
        given = run(sanitize, given)[0]
    plain, turned = run(fill_holes, given)[0], run(filled_and_turned, given)[0]
    if volume(plain) >= 0 or boundary(plain):
        assert (plain == turned).all()
    assert boundary(turned).total() == boundary(plain).total()


# Clip and merge


def test_whole_facets_are_kept() -> None:
    body = box((0, 0, 0), (2, 3, 5))
    result, record = run(lambda given: clip(given, (3, 4, 0.5), (-1, -1, -1)), body)
    assert record.message == "clip: 2 facets dropped"
    assert facets(result) == facets(np.delete(body, [2, 3], axis=0))


def test_nothing_left_is_refused() -> None:
    with pytest.raises(Empty, match=r"no facet touches the clip box; the part reaches from \(0, 0, 0\) to \(2, 3, 5\)"):
        clip(TriangleArray(box((0, 0, 0), (2, 3, 5))), (100, 100, 100), (101, 101, 101))


def test_merged_facets_follow() -> None:
    one, other = box((0, 0, 0), (2, 3, 5)), box((10, 0, 0), (11, 1, 1))
    result, record = run(lambda given: merge(given, surface(other)), one)
    assert (result == np.concatenate([one, other])).all()
    assert record.message == "merge: 12 facets added"
    single = TriangleArray(one.astype(np.float32))
    assert triangle_array(merge(single, surface(other))[0]).dtype == np.float64
    empty = TriangleArray(np.empty((0, 3, 3)))
    assert triangle_array(merge(empty, single)[0]).dtype == np.float32


def test_surfaces_longer_than_a_block() -> None:
    body = moved(torus(3, 1, 90, 70), TILT)
    rng = np.random.default_rng(10)
    damaged = flipped(body, rng.random(len(body)) < 0.5)
    damaged = np.concatenate([damaged, body[rng.integers(0, len(body), 50)]])[rng.permutation(len(body) + 50)]
    result, record = run(sanitize, damaged)
    assert facets(result) == facets(body)
    assert record.counts["coincident_facets"] == 50
    holes = np.delete(result, rng.choice(len(result), 30, replace=False), axis=0)
    closed, record = run(fill_holes, holes)
    assert not boundary(closed)
    assert area(closed) == pytest.approx(area(body), rel=1e-2)


def test_caps_as_large_as_the_surface_are_told():
    """Loose facets: each gets a back of its own, and there is no body in them."""
    body = box((0, 0, 0), (2, 3, 5))
    middle = body.mean(axis=1, keepdims=True)
    _, loose = fill_holes(TriangleArray(middle + 0.9 * (body - middle)))
    assert [notice.code for notice in loose.notices] == ["capped"]
    assert loose.notices[0].details["share"] == pytest.approx(1.0)
    assert fill_holes(TriangleArray(body[2:]))[1].notices == ()  # one side of six is missing
