"""Hairline cracks: one or two float32 ulps of the largest coordinate are closed and told, nothing wider is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from massprops.core.boundary import unbalanced_edges
from massprops.core.closure import is_closed
from massprops.core.hairline import HAIRLINE_ULPS, close_hairlines, hairline_width
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


def closed(triangles: np.ndarray, width: float | None = None) -> tuple[Surface, object] | None:
    surface = TriangleArray(triangles)
    points = triangles.reshape(-1, 3).astype(float)
    width = hairline_width(points.min(axis=0), points.max(axis=0)) if width is None else width
    return close_hairlines(surface, unbalanced_edges(surface), width)


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


def test_nothing_to_join_is_nothing_closed() -> None:
    assert closed(np.delete(box((10, 20, 30), (12, 23, 35)), 0, axis=0)) is None


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
