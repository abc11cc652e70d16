"""Hairline cracks: one or two float32 ulps of the largest coordinate are closed and told, nothing wider is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from massprops.core.boundary import unbalanced_edges
from massprops.core.closure import is_closed
from massprops.core.hairline import HAIRLINE_ULPS, Joined, close_hairlines, hairline_width, join_hairlines
from massprops.core.notice import Notice
from massprops.core.repair import fill_holes
from massprops.core.surface import BLOCK, Surface, TriangleArray, triangle_array

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"


def box(lower: tuple[float, ...], upper: tuple[float, ...], dtype: type = np.float32) -> np.ndarray:
    ends = np.array([lower, upper], dtype)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


def cracked(triangles: np.ndarray, facets: list[int], by: np.ndarray) -> np.ndarray:
    """Every corner of some facets that lies at the surface's upper corner, moved."""
    moved = triangles.copy()
    corner = triangles.reshape(-1, 3).max(axis=0)
    for facet in facets:
        moved[facet, (triangles[facet] == corner).all(axis=1)] += by.astype(triangles.dtype)
    assert not np.array_equal(moved, triangles)
    return moved


def joined(triangles: np.ndarray) -> Joined | None:
    surface, points = TriangleArray(triangles), triangles.reshape(-1, 3).astype(float)
    width = hairline_width(points.min(axis=0), points.max(axis=0))
    found = join_hairlines(surface, unbalanced_edges(surface), width)
    if found is not None:
        left, wanted = found.boundary, unbalanced_edges(found.surface)
        assert sorted(map(tuple, left.vertices[left.edges].reshape(-1, 6).tolist())) == sorted(
            map(tuple, wanted.vertices[wanted.edges].reshape(-1, 6).tolist())
        )
    return found


def closed(triangles: np.ndarray) -> tuple[Surface, Notice] | None:
    """What closes wholly, which is what is joined where that leaves no edge."""
    surface, points = TriangleArray(triangles), triangles.reshape(-1, 3).astype(float)
    width = hairline_width(points.min(axis=0), points.max(axis=0))
    found, other = close_hairlines(surface, unbalanced_edges(surface), width), joined(triangles)
    if found is None:
        assert other is None or len(other.boundary.edges)
        return None
    assert other is not None
    assert other.notice == found.notice
    assert np.array_equal(triangle_array(other.surface), triangle_array(found.surface))
    return found.surface, found.notice


@pytest.mark.parametrize("largest", [1.0, 1.5, 1.9999, 2.0, 3e-5, 700.0, 1e6, 1e-30, 2.0**100])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_width_is_two_ulps_of_the_largest_coordinate(largest: float, sign: int) -> None:
    near = np.array([0.1, -0.2, 0.05]) * largest
    far = near.copy()
    far[1] = sign * largest
    ulp = float(np.spacing(np.float32(largest)))
    assert hairline_width(np.minimum(near, far), np.maximum(near, far)) == HAIRLINE_ULPS * ulp


@pytest.mark.parametrize("ulps", list(itertools.product((0, 1, 2), repeat=3))[1:])
def test_cracks_up_to_two_ulps_an_axis_are_closed_and_told(ulps: tuple[int, int, int]) -> None:
    whole = box((10, 20, 30), (12, 23, 35))
    gap = np.spacing(np.float32(35)) * np.array(ulps)
    found = closed(cracked(whole, [2, 7], -gap))
    assert found is not None
    surface, notice = found
    assert is_closed(surface)
    assert notice.code == "hairline"
    assert notice.details == {"vertices": 1, "largest_gap": float(np.linalg.norm(gap))}
    corner = whole.max(axis=(0, 1))
    wanted = whole.copy()
    wanted[(whole == corner).all(axis=2)] = corner - gap  # the lexicographically first of the two
    assert np.array_equal(triangle_array(surface), wanted)


@pytest.mark.parametrize("ulps", [3, 4, 40, 1000])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_wider_cracks_are_not(ulps: int, axis: int) -> None:
    gap = np.zeros(3)
    gap[axis] = ulps * np.spacing(np.float32(35))
    assert closed(cracked(box((10, 20, 30), (12, 23, 35)), [2, 7], -gap)) is None


def test_joining_is_transitive() -> None:
    ulp = float(np.spacing(np.float32(35)))
    whole = box((10, 20, 30), (12, 23, 35), np.float64)
    uses = np.argwhere((whole == whole.max(axis=(0, 1))).all(axis=2))
    fan = whole.copy()
    for step, (facet, corner) in enumerate(uses):
        fan[facet, corner, 2] += 1.5 * step * ulp
    found = closed(fan)
    assert len(uses) > 2
    assert found is not None
    assert found[1].details["vertices"] == len(uses) - 1
    assert found[1].message.startswith(f"{len(uses) - 1} vertices were taken as one with another within ")
    assert found[1].details["largest_gap"] == pytest.approx(1.5 * (len(uses) - 1) * ulp, rel=1e-6)
    assert np.array_equal(triangle_array(found[0]), whole)


def test_the_result_does_not_depend_on_the_order_of_facets_or_corners() -> None:
    ulp = np.spacing(np.float32(35))
    triangles = cracked(box((10, 20, 30), (12, 23, 35)), [2, 7], np.array([ulp, -ulp, 0]))
    rng = np.random.default_rng(5)
    wanted = sorted(map(tuple, triangle_array(closed(triangles)[0]).reshape(-1, 3).tolist()))
    for _ in range(5):
        turned = np.stack([np.roll(facet, rng.integers(3), axis=0) for facet in rng.permutation(triangles)])
        assert sorted(map(tuple, triangle_array(closed(turned)[0]).reshape(-1, 3).tolist())) == wanted


def test_a_crack_beside_a_hole_is_left_alone() -> None:
    ulp = np.spacing(np.float32(35))
    triangles = cracked(box((10, 20, 30), (12, 23, 35)), [2, 7], np.array([-ulp, 0, 0]))
    before = triangles.copy()
    assert closed(np.delete(triangles, 0, axis=0)) is None
    assert np.array_equal(triangles, before)


def test_unless_the_hole_is_to_stay() -> None:
    ulp = np.spacing(np.float32(35))
    triangles = np.delete(cracked(box((10, 20, 30), (12, 23, 35)), [2, 7], np.array([-ulp, 0, 0])), 0, axis=0)
    found = joined(triangles)
    assert found is not None
    assert len(found.boundary.edges) == 3
    assert found.notice.details["vertices"] == 1
    filled, record = fill_holes(TriangleArray(triangles))
    assert is_closed(filled)
    assert record.counts["holes"] == record.counts["facets"] == 1
    assert [notice.code for notice in record.notices] == ["hairline"]
    wanted = np.delete(box((10, 20, 30), (12, 23, 35)), 0, axis=0)
    corner = wanted.max(axis=(0, 1))
    wanted[(wanted == corner).all(axis=2)] = corner - np.array([ulp, 0, 0])
    assert np.array_equal(triangle_array(filled)[:-1], wanted)


def test_cracks_are_no_holes_to_be_filled_unless_all_is_exact() -> None:
    ulp = np.spacing(np.float32(35))
    whole = box((10, 20, 30), (12, 23, 35))
    triangles = cracked(whole, [2, 7], np.array([0, 0, -ulp]))
    filled, record = fill_holes(TriangleArray(triangles))
    assert (filled.facets, record.changed, record.counts["holes"]) == (12, True, 0)
    assert [notice.code for notice in record.notices] == ["hairline"]
    assert is_closed(filled)
    filled, record = fill_holes(TriangleArray(triangles), exact=True)
    assert record.counts["holes"] > 0
    assert [notice.code for notice in record.notices] == ["estimated"]
    assert filled.facets == 12 + record.counts["facets"]
    assert is_closed(filled)


def test_nothing_to_join_is_nothing_closed() -> None:
    assert closed(np.delete(box((10, 20, 30), (12, 23, 35)), 0, axis=0)) is None
    assert joined(np.delete(box((10, 20, 30), (12, 23, 35)), 0, axis=0)) is None


def test_uses_of_a_vertex_are_found_in_every_block() -> None:
    """The body with the crack, and many small ones around it: its facets lie in the first and in the last block."""
    ulp = np.spacing(np.float32(35))
    body = cracked(box((10, 20, 30), (12, 23, 35)), [2, 7], np.array([0, ulp, 0]))
    many = [box((k, 0, 0), (k + 0.5, 1, 1)) for k in np.arange(BLOCK // 6) * 0.001]
    found = closed(np.concatenate([body[:7], *many, body[7:]]))
    assert found is not None
    assert is_closed(found[0])
    wanted = np.concatenate([box((10, 20, 30), (12, 23, 35))[:7], *many, box((10, 20, 30), (12, 23, 35))[7:]])
    assert np.array_equal(triangle_array(found[0]), wanted)


def test_one_vertex_is_told_as_one() -> None:
    ulp = np.spacing(np.float32(35))
    _, told = closed(cracked(box((10, 20, 30), (12, 23, 35)), [2, 7], np.array([0, ulp, 0])))
    assert told.details["vertices"] == 1
    assert told.message.startswith("1 vertex was taken as one with another within ")
