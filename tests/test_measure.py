"""Verdicts: what is measured, what is refused, and that position and order do not matter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.core.surface import BLOCK, TriangleArray
from massprops.errors import (
    Empty,
    InconsistentWinding,
    InsideOut,
    MassPropsError,
    NonFinite,
    OpenSurface,
    ZeroVolume,
)

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    ends = np.array([lower, upper], float)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


BODY = box((10, 20, 30), (12, 23, 35))
SMALL = box((40, 20, 30), (41, 21, 31))
OFFSETS = [(0, 0, 0), (10, 0, 0), (-11, -21.5, -32.5), (1e6, 2e6, -3e6)]


def flipped(triangles: np.ndarray, *facets: int) -> np.ndarray:
    changed = triangles.copy()
    for facet in facets:
        changed[facet] = changed[facet, [0, 2, 1]]
    return changed


REFUSED = {
    "two facets missing": (np.delete(BODY, [10, 11], axis=0), OpenSurface),
    "one facet": (BODY[:1], OpenSurface),
    "one flipped": (flipped(BODY, 2), InconsistentWinding),
    "a facet repeated": (np.concatenate([BODY, BODY[:1]]), OpenSurface),
    "a facet repeated and reversed": (np.concatenate([BODY, flipped(BODY, 0)[:1]]), OpenSurface),
    "inside out": (flipped(BODY, *range(12)), InsideOut),
    "a small good body and a large one inside out": (np.concatenate([SMALL, flipped(BODY, *range(12))]), InsideOut),
    "two bodies that cancel": (np.concatenate([BODY, flipped(BODY, *range(12)) + np.array([9, 1, 2])]), ZeroVolume),
    "a folded sheet": (np.concatenate([BODY[[0, 1, 4]], flipped(BODY, 0, 1, 4)[[0, 1, 4]]]), ZeroVolume),
}


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", REFUSED)
def test_verdicts_do_not_depend_on_position_or_order(name: str, dtype: type, offset: tuple[float, ...]) -> None:
    triangles, verdict = REFUSED[name]
    moved = (triangles + offset).astype(dtype)
    rng = np.random.default_rng(len(name))
    turned = np.stack([np.roll(facet, rng.integers(3), axis=0) for facet in rng.permutation(moved)])
    for surface in (TriangleArray(moved), TriangleArray(turned)):
        with pytest.raises(verdict) as caught:
            measure(surface)
        assert type(caught.value) is verdict
        assert "\n" not in caught.value.message


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_good_body_is_measured_wherever_it_stands(dtype: type, offset: tuple[float, ...]) -> None:
    moved = (BODY + offset).astype(dtype)
    found = measure(TriangleArray(moved), exact=True)
    assert found.notices == ()
    assert found.integrals.moments.volume == 30
    assert [float(x) for x in found.integrals.moments.center] == np.add(moved.min(axis=(0, 1)), [1, 1.5, 2.5]).tolist()


@pytest.mark.parametrize("triangles", [
    np.concatenate([BODY, SMALL]), np.concatenate([BODY, BODY[:1, [0, 0, 1]]]),
    np.concatenate([BODY, box((12, 23, 30), (13, 24, 31))]),
])  # fmt: skip
def test_two_bodies_a_degenerate_facet_and_a_shared_edge_are_closed(triangles: np.ndarray) -> None:
    assert measure(TriangleArray(triangles)).integrals.moments.volume in (30, 31)


def test_an_empty_surface() -> None:
    with pytest.raises(Empty):
        measure(TriangleArray(np.empty((0, 3, 3))))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("height", [0.0, -7.0])
def test_a_level_sheet_encloses_nothing(height: float, dtype: type) -> None:
    corners = np.array([[-3, -2, height], [4, -2, height], [4, 2, height], [-3, 2, height]], dtype)
    with pytest.raises(ZeroVolume):
        measure(TriangleArray(corners[[[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]]]))


def test_a_point_encloses_nothing() -> None:
    with pytest.raises(ZeroVolume):
        measure(TriangleArray(np.full((12, 3, 3), 2.5)))


@pytest.mark.parametrize("axes", [[1, 0, 0], [0, 1, 1], [1, 1, 0]])
def test_a_body_pressed_flat_encloses_nothing(axes: list[int]) -> None:
    with pytest.raises(ZeroVolume):
        measure(TriangleArray(BODY * axes))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_no_number_is_named_by_its_facet(value: float, dtype: type) -> None:
    triangles = np.concatenate([BODY] * (BLOCK // 6)).astype(dtype)
    triangles[BLOCK + 3, 1, 2] = value
    with pytest.raises(NonFinite, match=rf"facet {BLOCK + 4} of {len(triangles)}") as caught:
        measure(TriangleArray(triangles))
    assert caught.value.diagnosis == {"facet": BLOCK + 4, "facets": 1}
    triangles[7] = value
    with pytest.raises(NonFinite, match="facet 8 and 1 more"):
        measure(TriangleArray(triangles))


def cracked(ulps: float, offset: float = 0.0) -> np.ndarray:
    triangles = (BODY + offset).astype(np.float32)
    corner = triangles.max(axis=(0, 1))
    at = (triangles[2] == corner).all(axis=1)
    triangles[2, at, 2] += np.float32(ulps) * np.spacing(corner.max())
    return triangles


@pytest.mark.parametrize(("triangles", "helps"), [
    (np.concatenate([BODY, flipped(BODY, *range(12)) + np.array([9, 1, 2])]), True),
    (np.concatenate([BODY, flipped(BODY, *range(12))]), True),
    (np.concatenate([BODY[[0, 1, 4]], flipped(BODY, 0, 1, 4)[[0, 1, 4]]]), False),
    (np.concatenate([BODY[:1], flipped(BODY, 0)[:1]]), False),
    (np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]],
               [[0, 1, 0], [1, 0, 0], [0, 0, 0]], [[0, 1, 0], [1, 1, 0], [1, 0, 0.0]]]), False),
])  # fmt: skip
def test_a_sheet_is_not_sent_round_in_circles(triangles: np.ndarray, helps: bool) -> None:
    with pytest.raises(ZeroVolume) as caught:
        measure(TriangleArray(triangles))
    assert ("try --sanitize" in caught.value.message) is helps
    assert ("bounds nothing" in caught.value.message) is not helps


def test_a_skin_from_both_sides_is_told_apart_from_other_sheets() -> None:
    """An open skin from both sides: no choice among the copies leaves a body."""
    skin = BODY[2:]
    bent = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]],
                     [[0, 1, 0], [1, 0, 0], [0, 0, 0]], [[0, 1, 0], [1, 1, 0], [1, 0, 0.0]]])  # fmt: skip
    point = np.ones((1, 3, 3))
    for triangles, is_twice in (
        (np.concatenate([skin, flipped(BODY, *range(12))[2:]]), True),
        (np.concatenate([skin, point, flipped(BODY, *range(12))[2:]]), True),
        (bent, False),
        (point, False),
    ):
        with pytest.raises(ZeroVolume) as caught:
            measure(TriangleArray(triangles))
        assert ("front and back" in caught.value.message) is is_twice
        assert ("export it single-sided" in caught.value.message) is is_twice
        assert "give it a thickness where it was drawn" in caught.value.message


@pytest.mark.parametrize("offset", [0, 100, -200, 1e4])
@pytest.mark.parametrize("ulps", [1, 2, -1, -2])
def test_a_hairline_is_closed_and_told_and_refused_when_asked_to_be_exact(ulps: int, offset: float) -> None:
    surface = TriangleArray(cracked(ulps, offset))
    found = measure(surface)
    assert [notice.code for notice in found.notices] == ["hairline"]
    ulp = float(np.spacing(np.float32(abs(offset + 35) if offset >= 0 else 190)))
    assert abs(float(found.integrals.moments.volume) - 30) <= 2 * abs(ulps) * ulp * 2
    with pytest.raises(OpenSurface, match="--connect_nearby") as caught:
        measure(surface, exact=True)
    assert caught.value.diagnosis["open_edges"] == 4


@pytest.mark.parametrize("ulps", [3, 40, -40])
def test_a_wider_crack_is_open(ulps: int) -> None:
    with pytest.raises(OpenSurface, match="--connect_nearby"):
        measure(TriangleArray(cracked(ulps)))


@pytest.mark.parametrize("side", [1e-5, 6e-5])
def test_a_hole_in_a_small_part_far_away_is_no_hairline(side: float) -> None:
    """In float64; the same part at the origin is open, and the verdict never depends on where a part stands."""
    triangles = np.delete(box((0, 0, 0), (side, side, side)) + 1000, [10, 11], axis=0)
    with pytest.raises(OpenSurface):
        measure(TriangleArray(triangles))


@pytest.mark.parametrize("side", [1e-60, 1e-6, 1e60])
def test_no_size_is_refused(side: float) -> None:
    found = measure(TriangleArray(box((0.3 * side,) * 3, (1.3 * side,) * 3)))
    assert float(found.integrals.moments.volume) == pytest.approx(side**3, rel=1e-15)


@pytest.mark.parametrize("size", [1e-109, 1e-110, 1e-150, 1e-200, 1e-290, 1e-307, 1e-310, 1e-322])
@pytest.mark.parametrize("shape", [(2, 3, 5), (2, 3e-9, 5)])
def test_a_body_whose_volume_has_no_float_is_no_sheet(size: float, shape: tuple[float, ...]) -> None:
    """Down to sides of one, two and some more of the smallest floats."""
    upper = np.maximum(np.multiply(shape, size), 5e-324 * np.array([2, 1, 4]))
    solid = TriangleArray(box((0, 0, 0), tuple(upper)))
    with pytest.raises(NonFinite, match="volume is too small for double precision; give the size in a smaller unit"):
        measure(solid, lines=16)
    with pytest.raises(NonFinite, match="too small"):
        measure(TriangleArray(flipped(solid.triangles, *range(12))))


@pytest.mark.parametrize("extents", [(1, 1e-200, 1e-200), (1e100, 1e-300, 1e-300), (1e-300, 1e-300, 1), (5e-324,) * 3])
def test_nor_is_a_needle_whose_volume_has_none(extents: tuple[float, ...]) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * extents
    with pytest.raises(NonFinite, match="too small"):
        measure(TriangleArray(corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]))


@pytest.mark.parametrize("size", [1e-100, 1e-110, 1e-200, 1e-310])
def test_a_sheet_is_one_at_any_size(size: float) -> None:
    """Tilted by whole multiples of the size, so that it is flat to the last bit; and two bodies that cancel."""
    corners = np.array([[0, 0, 0], [4, 1, 2], [5, 9, 5], [1, 8, 3.0]])
    cancel = np.concatenate([BODY, flipped(BODY, *range(12)) + np.array([16, 0, 0])])
    for triangles in (corners[[[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]]], corners[[[0, 1, 2], [2, 1, 0]]], cancel):
        with pytest.raises(ZeroVolume):
            measure(TriangleArray(triangles * 2.0 ** math.floor(math.log2(size))))


@pytest.mark.parametrize("side", [1e110, 1e150, 1e300])
def test_a_body_beyond_the_range_of_floats_has_a_verdict(side: float) -> None:
    with pytest.raises(MassPropsError):
        measure(TriangleArray(box((0, 0, 0), (side,) * 3)))


def test_a_box_beyond_the_range_of_floats_has_a_verdict() -> None:
    with pytest.raises(MassPropsError):
        measure(TriangleArray(box((-1e308,) * 3, (1e308,) * 3)))


def test_the_surface_is_not_changed() -> None:
    triangles = cracked(1)
    before = triangles.copy()
    measure(TriangleArray(triangles))
    assert np.array_equal(triangles, before)
