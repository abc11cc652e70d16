"""The ray-grid cross-check against formulas, exact rational counting, and the laws it must keep."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import counted as counting
from massprops.core import crossings as crossing
from massprops.core import near_lines, raygrid, winding
from massprops.core.counted import counted
from massprops.core.crossings import crossings as crossings_of
from massprops.core.raygrid import Form, RayGrid, depths, has_depth, line_numbers, narrow_axis, places, steps
from massprops.core.surface import BLOCK, TriangleArray
from massprops.core.winding import WindingCheck, cross_check, notices, winding_check

BOX = np.array(
    [
        [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]],
        [[0, 1, 5], [0, 5, 4], [3, 6, 2], [3, 7, 6]],
        [[0, 7, 3], [0, 4, 7], [1, 2, 6], [1, 6, 5]],
    ]
).reshape(12, 3)
TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
TURN = np.array([[2, -2, 1], [1, 2, 2], [-2, -1, 2]]) / 3.0


@pytest.fixture(scope="module", autouse=True, params=[0, BLOCK], ids=["sieved", "all"])
def few(request):
    """Sieve the facets of all blocks, or of none: how many are few is a matter of time alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_lines, "_FEW", request.param)
        yield


def box(lower, upper):
    """Facets of a box, outward; shape (12, 3, 3)."""
    (x0, y0, z0), (x1, y1, z1) = lower, upper
    bottom, top = ([(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)] for z in (z0, z1))
    return np.array(bottom + top, dtype=float)[BOX]


def reversed_facets(facets):
    return facets[:, ::-1]


def mapped(facets, matrix):
    """A x for every vertex; not by BLAS, which may round a vertex differently from facet to facet and open the body."""
    return sum(facets[..., k, None] * matrix[:, k] for k in range(3))


def joined(*bodies):
    return np.concatenate(bodies)


def signed_volume(facets):
    """V = sum a . (b x c) / 6, about the first vertex."""
    a, b, c = (facets.astype(float) - facets[0, 0].astype(float)).transpose(1, 0, 2)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def corners(facets):
    return facets.min(axis=(0, 1)).astype(float), facets.max(axis=(0, 1)).astype(float)


def check_of(facets, **options):
    return cross_check(TriangleArray(facets), *corners(facets), **options)


def counted_of(facets, **options):
    return counted(TriangleArray(facets), *corners(facets), **options)


def star(radius, bands=12, sides=17):
    """A closed star-shaped body: ``radius(direction)`` on a grid of latitudes and longitudes."""
    t, p = np.pi * np.arange(bands + 1) / bands, 2 * np.pi * np.arange(sides) / sides
    unit = np.stack(
        [np.outer(np.sin(t), np.cos(p)), np.outer(np.sin(t), np.sin(p)), np.outer(np.cos(t), np.ones(sides))], -1
    )
    points = unit * radius(unit)[..., None]
    points[0], points[-1] = points[0, 0], points[-1, 0]
    after = np.roll(points, -1, axis=1)
    a, b, c, d = points[:-1], points[1:], after[1:], after[:-1]
    lower = np.stack([a, b, c], axis=2)[:-1].reshape(-1, 3, 3)
    upper = np.stack([a, c, d], axis=2)[1:].reshape(-1, 3, 3)
    return np.concatenate([lower, upper])


def rough_star(seed):
    """A star-shaped body with random radii, turned, stretched and moved off the origin."""
    rng = np.random.default_rng(seed)
    body = star(lambda unit: 1.0 + 0.6 * rng.random(unit.shape[:2]), bands=int(rng.integers(3, 16)))
    return mapped(body, TURN) * (1.0 + 2.0 * rng.random(3)) + 10.0 * rng.standard_normal(3)


def tidy_grid(lower, upper, axis, lines):
    """A lattice that is not turned and has its lines on tidy coordinates, so that edges and vertices lie on lines."""
    return RayGrid.over(lower, upper, axis, lines, shift=(0.0, 0.0), turn=(1.0, 0.0))


# --- what is found -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_volume_of_star_shaped_bodies(seed):
    facets = rough_star(seed)
    check = check_of(facets)
    assert check.volume == pytest.approx(signed_volume(facets), rel=0.004)
    assert (check.lines, check.stray_lines) == (96 * 96, 0)
    assert check.overlap_volume == check.inverted_volume == 0.0


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_body_inside_out_is_negative(axis):
    facets = rough_star(3)
    right, wrong = check_of(facets, axes=(axis,)), check_of(reversed_facets(facets), axes=(axis,))
    assert wrong.volume == pytest.approx(-right.volume, rel=1e-13)
    assert wrong.inverted_volume == pytest.approx(right.volume, rel=1e-13)
    assert right.inverted_volume == wrong.overlap_volume == 0.0


def test_a_box_in_its_own_box_is_exact():
    check = check_of(box((10, 20, 30), (12, 23, 35)))
    assert check.volume == pytest.approx(2 * 3 * 5, rel=1e-13)


@pytest.mark.parametrize("axes", [None, (0,), (1,), (2,), (0, 1, 2)])
def test_overlapping_boxes(axes):
    facets = joined(box((-1, -1, -1), (1, 1, 1)), box((0, -1, -1), (2, 1, 1)))
    check = check_of(facets, axes=axes)
    assert check.volume == pytest.approx(16, rel=0.002)
    assert check.overlap_volume == pytest.approx(4, rel=0.005)
    assert check.inverted_volume == 0.0


def test_a_region_enclosed_three_times_is_one_region():
    """Box within box within box, all outward: 4^3 + 2^3 + 1 counted, 2^3 enclosed twice or more."""
    facets = joined(box((0, 0, 0), (4, 4, 4)), box((1, 1, 1), (3, 3, 3)), box((1.3, 1.4, 1.5), (2.3, 2.4, 2.5)))
    check = check_of(facets)
    assert check.volume == pytest.approx(64 + 8 + 1, rel=0.002)
    assert check.overlap_volume == pytest.approx(8, rel=0.005)
    assert check.enclosed_volume == pytest.approx(64, rel=0.002)


def test_a_doubled_body_overlaps_all_of_itself():
    facets = mapped(rough_star(5), TURN)
    volume = signed_volume(facets)
    check = check_of(joined(facets, facets))
    assert check.volume == pytest.approx(2 * volume, rel=0.004)
    assert check.overlap_volume == pytest.approx(volume, rel=0.004)
    assert check.inverted_volume == 0.0


def test_cavities():
    outer, inner = box((0, 0, 0), (4, 4, 4)), box((1, 1, 1), (3, 3, 3))
    sound, wrong = check_of(joined(outer, reversed_facets(inner))), check_of(joined(outer, inner))
    assert sound.volume == pytest.approx(56, rel=0.001)
    assert sound.overlap_volume == sound.inverted_volume == 0.0
    assert sound.enclosed_volume == sound.volume
    assert wrong.volume == pytest.approx(72, rel=0.001)
    assert wrong.enclosed_volume == pytest.approx(64, rel=0.001)
    assert wrong.overlap_volume == pytest.approx(8, rel=0.005)


def test_a_part_turned_inside_out_beside_another():
    facets = joined(box((0, 0, 0), (3, 3, 3)), reversed_facets(box((4, 1, 1), (5, 2, 2))))
    check = check_of(facets)
    assert check.volume == pytest.approx(27 - 1, rel=0.002)
    assert check.inverted_volume == pytest.approx(1, rel=0.02)
    assert check.overlap_volume == 0.0


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_bodies_that_touch_do_not_overlap(axis):
    """A double wall, an edge and a vertex in common, walls cut along different diagonals, coordinates that round."""
    third = 1 / 3
    facets = joined(
        box((0, 0, 0), (third, 1, 1)),
        box((third, 0, 0), (1, 1, 1)),
        box((1, 1, 0), (1.7, 1.7, 1)),
        box((1.7, 1.7, 1), (2.1, 2.1, 1.4)),
        box((0, 0, 1), (1, 1, 1.9))[:, :, [1, 0, 2]][:, ::-1],
    )
    volume = 1 + 0.49 + 0.4**3 + 0.9
    check = check_of(facets, axes=(axis,))
    assert check.volume == pytest.approx(volume, rel=0.004)
    assert max(check.overlap_volume, check.inverted_volume) < 1e-9 * volume
    assert notices(check, volume) == ()
    turned = check_of(mapped(facets, TURN), axes=(axis,))
    assert max(turned.overlap_volume, turned.inverted_volume) < 1e-9 * volume


@pytest.mark.parametrize("position", [0.11, 0.37, 0.5])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_thin_overlaps_are_not_missed(axis, position):
    """Two boxes that overlap by a three-hundredth of the box, thinner than a third of a cell, in any direction."""
    upper, lower = np.ones(3), np.zeros(3)
    upper[axis], lower[axis] = position + 1 / 300, position
    facets = joined(box((0, 0, 0), upper), box(lower, (1, 1, 1)))
    check = check_of(facets, axes=(0,))
    assert check.overlap_volume == pytest.approx(1 / 300, rel=0.2)


# --- every hit once, also on edges and vertices ---------------------------------------------------------------------

@st.composite
def closed_soups(draw, reach):
    """Closed surfaces of tetrahedra between whole coordinates: needles, sheets, points, coincident facets."""
    whole = st.integers(-reach, reach)
    points = st.tuples(whole, whole, whole)
    bodies = draw(st.lists(st.lists(points, min_size=4, max_size=4), min_size=1, max_size=6))
    facets = np.concatenate([np.array(body, dtype=float)[TETRAHEDRON] for body in bodies])
    order = draw(st.permutations(range(3)))
    return facets[:, :, list(order)]


def exact_lines(facets, lower, upper, axis, lines):
    """Volume, overlap and inverted volume that the lines of `tidy_grid` count, in rational arithmetic.

    A line on an edge or a vertex is decided as if it stood a little further along and, far less, further across.
    """
    low, high = [Fraction(v) for v in lower], [Fraction(v) for v in upper]
    u, v, w = (axis + 1) % 3, (axis + 2) % 3, axis
    little = Fraction(1, 10**20), Fraction(1, 10**40)
    exact = [[[Fraction(x) for x in corner] for corner in facet] for facet in facets.tolist()]
    sums = [Fraction(0)] * 3
    for i in range(-lines // 2, lines // 2 + 1):
        for j in range(-lines // 2, lines // 2 + 1):
            x = (low[u] + high[u]) / 2 + (i + little[0]) * (high[u] - low[u]) / lines
            y = (low[v] + high[v]) / 2 + (j + little[1]) * (high[v] - low[v]) / lines
            hits = []
            for facet in exact:
                (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ((p[u] - x, p[v] - y, p[w]) for p in facet)
                wa, wb, wc = bx * cy - cx * by, cx * ay - ax * cy, ax * by - bx * ay
                if (wa > 0) == (wb > 0) == (wc > 0) and wa and wb and wc:
                    total = wa + wb + wc
                    hits.append(((wa * az + wb * bz + wc * cz) / total, -1 if total > 0 else 1))
            hits.sort()
            number = 0
            for (t0, step), (t1, _) in pairwise(hits):
                number += step
                sums[0] += number * (t1 - t0)
                sums[1] += (number >= 2) * (t1 - t0)
                sums[2] += (number < 0) * (t1 - t0)
    return [float(s * (high[u] - low[u]) * (high[v] - low[v]) / lines**2) for s in sums]


@settings(deadline=None, max_examples=40)
@given(closed_soups(reach=1), st.sampled_from([0, 1, 2]), st.sampled_from([4, 8]))
def test_lines_on_edges_and_vertices_count_as_in_rational_arithmetic(facets, axis, lines):
    """Lines on whole and half coordinates, and coordinates so small that float64 meets every edge exactly."""
    lower, upper = np.full(3, -2.0), np.full(3, 2.0)
    grid = tidy_grid(lower, upper, axis, lines)
    check = winding_check(crossings_of([TriangleArray(facets).block(0)], grid), grid)
    expected = exact_lines(facets, lower, upper, axis, grid.lines)
    assert check.stray_lines == 0
    found = (check.volume, check.overlap_volume, check.inverted_volume)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=100)
@given(closed_soups(reach=3), st.integers(0, 2**32 - 1), st.booleans())
def test_signed_crossings_of_closed_surfaces_cancel_on_every_line(facets, seed, single):
    """Soups squeezed by random maps: needles at all angles, in float32 and float64, against both lattices."""
    rng = np.random.default_rng(seed)
    moved = mapped(facets, rng.standard_normal((3, 3))) * 10.0 ** rng.integers(-8, 1, 3) + rng.standard_normal(3)
    moved = moved.astype(np.float32 if single else np.float64)
    lower, upper = corners(moved)
    if not has_depth(lower, upper):
        return
    for axis in range(3):
        for grid in (RayGrid.over(lower, upper, axis, 40), tidy_grid(lower, upper, axis, 40)):
            crossings = crossings_of([TriangleArray(moved).block(0)], grid)
            balance = np.bincount(line_numbers(crossings, grid), steps(crossings), grid.numbers)
            assert not balance.any()


def test_boxes_whose_edges_lie_on_lines():
    """Every line of the lattice on an edge or a diagonal of a small cube: cells counted exactly, none twice."""
    cubes = [box((x, y, z), (x + 1, y + 1, z + 1)) for x in range(4) for y in range(4) for z in range(2)]
    grid = tidy_grid((0, 0, 0), (4, 4, 2), 2, 4)
    check = winding_check(crossings_of([TriangleArray(joined(*cubes)).block(0)], grid), grid)
    assert (check.volume, check.stray_lines) == (pytest.approx(32, rel=1e-12), 0)
    assert check.overlap_volume < 1e-10


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_facet_gives_the_same_crossings_from_any_corner(order):
    facets = rough_star(8)
    grid = RayGrid.over(*corners(facets), axis=1, lines=64)
    first = np.sort(crossings_of([TriangleArray(facets).block(0)], grid))
    again = np.sort(crossings_of([TriangleArray(facets[:, list(order)]).block(0)], grid))
    even = order in [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    np.testing.assert_array_equal(line_numbers(again, grid), line_numbers(first, grid))
    np.testing.assert_allclose(depths(again, grid), depths(first, grid), rtol=0, atol=1e-11)
    np.testing.assert_array_equal(steps(again), steps(first) * (1 if even else -1))


def test_lines_through_an_open_surface_are_left_out():
    facets = box((0, 0, 0), (1, 2, 3))[:-1]  # half of the face x = 1 is missing
    check = check_of(facets, axes=(0,))
    assert check.stray_lines == pytest.approx(96 * 96 / 2, rel=0.02)
    assert check.volume == pytest.approx(6 / 2, rel=0.02)
    assert check.overlap_volume == check.inverted_volume == 0.0
    assert check_of(facets, axes=(2,)).stray_lines == 0


def test_an_edge_that_meets_a_row_an_ulp_beyond_its_end():
    """A sheet at the rim of the box: its edges round past lines that its corners do not reach."""
    rng = np.random.default_rng(16743981)
    corners_of_sheet = np.array([[0.0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0]])[TETRAHEDRON]
    for _ in range(100):
        moved = mapped(corners_of_sheet, rng.standard_normal((3, 3))) * 1e-6 + rng.standard_normal(3)
        moved = moved.astype(np.float32)
        lower, upper = corners(moved)
        if has_depth(lower, upper):
            grid = tidy_grid(lower, upper, 0, 40)
            crossings = np.sort(crossings_of([TriangleArray(moved).block(0)], grid))
            assert winding_check(crossings, grid).stray_lines == 0


# --- laws ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1e6), (2.0**-200, 0.0), (1e-60, 0.0), (1e60, 3e60), (0.05, -1e3)])
def test_place_and_size_do_not_matter(scale, shift):
    facets = joined(rough_star(1), box((-20, -21, -22), (-18, -17, -19)))
    here, there = check_of(facets), check_of(facets * scale + shift)
    unit = scale**3
    assert there.volume / unit == pytest.approx(here.volume, rel=1e-6)
    assert there.stray_lines == 0
    assert there.overlap_volume == there.inverted_volume == 0.0


def assert_precision_does_not_matter(single, grid):
    """The first sieve works in the precision of the block; what passes is decided in float64."""
    found = (crossings_of([TriangleArray(part).block(0)], grid) for part in (single, single.astype(float)))
    np.testing.assert_array_equal(*map(np.sort, found))


@pytest.mark.parametrize(
    ("scale", "shift"),
    [(1, (0, 0, 0)), (1, (1000, -2000, 3000)), (1e-25, (9, 8, 7)), (1e-38, (0, 0, 0)), (1e37, (1, 2, 3))],
)
def test_single_precision_finds_what_double_precision_finds(scale, shift):
    rng = np.random.default_rng(0)
    facets = star(lambda unit: 1 + rng.random(unit.shape[:2]), bands=50, sides=60)
    single = ((facets + np.array(shift)) * scale).astype(np.float32)
    assert_precision_does_not_matter(single, RayGrid.over(*corners(single), axis=0, lines=96))


def test_vertices_beside_lines_by_less_than_single_precision_tells():
    """Multiples of a tenth of a cell: products round to one side in float32, to the other in float64, or not at all."""
    rng = np.random.default_rng(1)
    corner = rng.integers(0, 970, (8000, 1, 3))
    single = ((corner + rng.integers(0, 11, (8000, 3, 3))) * 0.1).astype(np.float32)
    lower, upper = np.full(3, np.float32(-0.1)), np.full(3, np.float32(98.9))
    for axis in range(3):
        assert_precision_does_not_matter(single, tidy_grid(lower, upper, axis, 99))


def test_a_box_that_single_precision_cannot_hold():
    """Corners between two float32 numbers, far from the origin: the sieve must not lose a facet."""
    facets = star(lambda unit: np.ones(unit.shape[:2]), bands=40, sides=60)
    single = (facets + 1e5).astype(np.float32)
    lower, upper = (corner + side * 0.0035 for corner, side in zip(corners(single), (-1, 1), strict=True))
    for axis in range(3):
        assert_precision_does_not_matter(single, RayGrid.over(lower, upper, axis, lines=96))


@pytest.mark.parametrize("size", [1e-38, 3e38])
def test_boxes_as_small_and_as_large_as_single_precision_goes(size):
    """The extents of the large one are beyond float32."""
    facets = box((-size, -size, -size), (size, size, size)).astype(np.float32)
    side = 2 * float(np.float32(size))
    volume = pytest.approx(side**3, rel=1e-3, abs=0)
    assert check_of(facets) == WindingCheck(96 * 96, volume, 0.0, 0.0, volume, 0.0, 0.0)


def test_neither_workers_nor_the_order_of_facets_change_a_bit():
    rng = np.random.default_rng(2)
    facets = star(lambda unit: 1 + 0.3 * rng.random(unit.shape[:2]), bands=70, sides=150)
    assert len(facets) > 2 * BLOCK
    check, counts = check_of(facets), counted_of(facets, lines=20)
    assert check_of(facets, workers=3) == check
    again = counted_of(facets, lines=20, workers=3)
    np.testing.assert_array_equal(again.inertia, counts.inertia)
    assert check_of(rng.permutation(facets), axes=(narrow_axis(*corners(facets)),)) == check
    assert check.volume == pytest.approx(signed_volume(facets), rel=0.002)


def test_the_lines_run_along_the_longest_side():
    """Two boxes overlapping along z only: seen by lines along z as two stretches of the same length each."""
    facets = joined(box((0, 0, 0), (1, 2, 3)), box((0, 0, 2.999), (1, 2, 5)))
    assert narrow_axis((0, 0, 0), (1, 2, 5)) == 2
    assert narrow_axis((0, 0, 0), (2, 2, 1)) == 0
    assert check_of(facets) == check_of(facets, axes=(2,))
    assert check_of(facets).overlap_volume == pytest.approx(0.001 * 2, rel=1e-9)


@pytest.mark.parametrize("flat", [0, 1, 2])
def test_a_flat_box_holds_no_lines(flat):
    facets = box((1, 2, 3), (2, 4, 6))
    facets[:, :, flat] = 1.5
    assert check_of(facets) == WindingCheck(0, *[0.0] * 6) == WindingCheck(0, *[0.0] * 6, 0)
    result = counted_of(facets)
    assert (result.lines, result.volume, result.stray_lines) == (0, 0.0, 0)
    np.testing.assert_allclose(result.center, np.mean(corners(facets), axis=0))
    assert result.inertia.tolist() == np.zeros((3, 3)).tolist()


@pytest.mark.parametrize("upper", [(1, 1, np.inf), (1, 1, 5e-324), (1, 1, -1), (1, 1, np.nan)])
def test_boxes_without_usable_depth(upper):
    assert not has_depth((0, 0, 0), upper)
    assert cross_check(TriangleArray(box((0, 0, 0), (1, 1, 1))), (0, 0, 0), upper).lines == 0
    assert has_depth((0, 0, 0), (1, 1, 1e-300))


def test_an_empty_surface():
    check = cross_check(TriangleArray(np.empty((0, 3, 3))), (0, 0, 0), (1, 1, 1))
    assert check == WindingCheck(96 * 96, *[0.0] * 6, 0)
    none = counted(TriangleArray(np.empty((0, 3, 3))), (0, 0, 0), (1, 1, 1), lines=4)
    assert (none.lines, none.volume, none.center.tolist()) == (3 * 4 * 4, 0.0, [0.5, 0.5, 0.5])
    assert none.inertia.tolist() == np.zeros((3, 3)).tolist()


@pytest.mark.parametrize("lines", [0, -5, raygrid.MAX_LINES + 1])
def test_numbers_of_lines_out_of_range(lines):
    with pytest.raises(ValueError, match=f"{lines} lines along a side; between 1 and {raygrid.MAX_LINES}"):
        check_of(box((0, 0, 0), (1, 1, 1)), lines=lines)


def test_facets_that_reach_out_of_the_box_are_cut():
    """Not promised, but nothing may go wrong: no line is numbered wrongly, no crossing lies outside the box."""
    check = cross_check(TriangleArray(box((-7, -8, -9), (10, 11, 12))), (0, 0, 0), (1, 2, 3))
    assert check.stray_lines == 0
    assert 6 * 0.99 < check.volume < 6 * 3  # every line there is, some of them beside the box, from end to end of it


# --- bounded memory --------------------------------------------------------------------------------------------------


def test_a_crowd_of_large_facets_gets_fewer_lines(monkeypatch):
    facets = joined(*[box((0, 0, 0), (1, 1, 1 + k / 100)) for k in range(100)])
    for module in (crossing, winding):
        monkeypatch.setattr(module, "MAX_CROSSINGS", 20_000)
    check = check_of(facets)
    assert check.lines == 6 * 6  # 2 x 100 x 12^2 are too many still
    assert check.volume == pytest.approx(sum(1 + k / 100 for k in range(100)), rel=0.2)
    grid = RayGrid.over(*corners(facets), axis=2, lines=96)
    found = crossings_of([TriangleArray(facets).block(0)], grid)
    assert 20_000 < len(found) < 20_000 + 96 * 96 + 2 * crossing._PART
    monkeypatch.setattr(winding, "MAX_CROSSINGS", 10)
    assert check_of(facets, lines=16).lines == 1
    crossings = len(crossings_of([TriangleArray(facets).block(0)], RayGrid.over(*corners(facets), axis=2, lines=5)))
    for limit, side in ((crossings, 5), (crossings - 1, 2)):  # as many as that are kept
        monkeypatch.setattr(winding, "MAX_CROSSINGS", limit)
        assert check_of(facets, lines=5).lines == side**2


def test_the_sieve_that_a_few_facets_are_spared_does_not_change_a_bit(monkeypatch):
    facets = joined(rough_star(4), box((-30, -30, -30), (30, 30, 30)))
    grid = RayGrid.over(*corners(facets), axis=2, lines=32)
    sieved = crossings_of([TriangleArray(facets).block(0)], grid)
    monkeypatch.setattr(near_lines, "_FEW", len(facets))
    np.testing.assert_array_equal(crossings_of([TriangleArray(facets).block(0)], grid), sieved)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("distance", [0.0, 5.0, 40.0, 1e3, 1e5])
def test_no_facet_that_meets_a_line_is_sieved_out(monkeypatch, distance, kind):
    """Near the origin, where corners are not moved first, and far from it, where rounding is coarse."""
    body = mapped(star(lambda unit: 1.0 + 0.3 * unit[..., 0] ** 2, bands=50, sides=80), TURN)
    facets = (body + distance).astype(kind)
    for axis in range(3):
        grid = RayGrid.over(*corners(facets), axis, lines=12)
        monkeypatch.setattr(near_lines, "_FEW", len(facets))
        found = np.sort(crossings_of([TriangleArray(facets).block(0)], grid))
        monkeypatch.setattr(near_lines, "_FEW", 0)
        np.testing.assert_array_equal(np.sort(crossings_of([TriangleArray(facets).block(0)], grid)), found)
        sieves = [near_lines.Sieve.of(form, grid, facets.dtype) for form in (grid.across, grid.along)]
        assert near_lines._sieved(TriangleArray(facets).block(0), sieves).shape[2] < len(facets) / 4


@pytest.mark.parametrize("part", [1, 7, 100, 10**6])
def test_parts_do_not_change_a_bit(monkeypatch, part):
    facets = joined(rough_star(4), box((-30, -30, -30), (30, 30, 30)))
    grid = RayGrid.over(*corners(facets), axis=2, lines=32)
    whole = np.sort(crossings_of([TriangleArray(facets).block(0)], grid))
    monkeypatch.setattr(crossing, "_PART", part)
    np.testing.assert_array_equal(np.sort(crossings_of([TriangleArray(facets).block(0)], grid)), whole)


# --- the lattice -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [1, 2, 9, 96, 256, 500])
def test_the_face_holds_the_lines_asked_for(lines):
    grid = RayGrid.over((10, 20, 30), (12, 23, 35), axis=1, lines=lines)
    x, y = places(np.arange(grid.numbers), grid)
    inside = (x > 0) & (x < 1) & (y > 0) & (y < 1)
    assert abs(np.count_nonzero(inside) - lines**2) <= 2
    for place in (x[inside], y[inside]):
        assert len(np.unique(place)) == np.count_nonzero(inside)  # no two lines on a common tidy coordinate
        assert place.mean() == pytest.approx(0.5, abs=0.4 / lines)


@pytest.mark.parametrize("form", [Form(3.5, 0.25, -7.3), Form(-3.5, 0.25, 1.5), Form(-0.5, -4.0, 0.1)])
def test_the_rows_reach_one_beyond_the_box_at_either_end(form):
    values = [form.at(x, y) for x in (0.0, 2.0) for y in (0.0, 3.0)]
    assert form.reach((2.0, 3.0)) == (math.floor(min(values)) - 1, math.ceil(max(values)) + 2)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_places_and_depths_are_where_lines_cross(axis):
    """A slanted plane cut out of a box: the depth of each crossing follows from its place."""
    facets = box((0, 0, 0), (1, 1, 1))
    facets[:, :, axis] += 0.25 * facets[:, :, (axis + 1) % 3] + 0.125 * facets[:, :, (axis + 2) % 3]
    lower, upper = np.zeros(3), np.ones(3)
    upper[axis] = 1.375
    grid = RayGrid.over(lower, upper, axis, 50)
    crossings = np.sort(crossings_of([TriangleArray(facets).block(0)], grid))
    x, y = places(line_numbers(crossings, grid), grid)
    enters = steps(crossings) == 1
    np.testing.assert_allclose(
        depths(crossings, grid) * 1.375, 0.25 * x + 0.125 * y + np.where(enters, 0.0, 1.0), rtol=0, atol=1e-9
    )
    assert np.count_nonzero(enters) == np.count_nonzero(~enters) == pytest.approx(2500, abs=2)


# --- counted moments -------------------------------------------------------------------------------------------------


def tetrahedron():
    """V 1, c (1/4, 1/2, 3/4), I (39/80, 3/8, 3/16, +1/40, +3/80, +3/40)."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
    inertia = np.array(
        [[39 / 80, 1 / 40, 3 / 80], [1 / 40, 3 / 8, 3 / 40], [3 / 80, 3 / 40, 3 / 16]],
    )
    return corners[TETRAHEDRON], np.array([1 / 4, 1 / 2, 3 / 4]), inertia


def test_counted_moments_of_a_tetrahedron_converge():
    facets, center, inertia = tetrahedron()
    errors = []
    for lines in (8, 64, 512):
        found = counted_of(facets, lines=lines)
        assert (found.lines, found.stray_lines) == (3 * lines**2, 0)
        errors.append(
            [abs(found.volume - 1), abs(found.center - center).max(), abs(found.inertia - inertia).max()]
        )
    coarse, middle, fine = np.array(errors)
    assert (coarse < [0.1, 0.1, 0.1]).all()
    assert (middle < [1e-3, 1e-3, 1e-3]).all()
    assert (fine < [3e-5, 3e-5, 3e-5]).all()


def test_counted_moments_of_a_generic_body():
    facets, center, inertia = tetrahedron()
    move = np.array([300.0, -200.0, 100.0])
    found = counted_of(mapped(facets, TURN) + move)
    np.testing.assert_allclose(found.volume, 1, rtol=2e-3)
    np.testing.assert_allclose(found.center, TURN @ center + move, rtol=0, atol=1e-3)
    np.testing.assert_allclose(found.inertia, TURN @ inertia @ TURN.T, rtol=0, atol=2e-3)
    np.testing.assert_array_equal(found.inertia, found.inertia.T)


def test_counted_moments_of_boxes():
    """B(0, (2, 3, 5)): I = V/12 (y^2 + z^2, ...); a cavity wound outward counts as the sum does."""
    found = counted_of(box((10, 20, 30), (12, 23, 35)), lines=96)
    assert found.volume == pytest.approx(30, rel=1e-12)
    np.testing.assert_allclose(found.center, (11, 21.5, 32.5), rtol=0, atol=1e-3)
    np.testing.assert_allclose(found.inertia, np.diag([85, 72.5, 32.5]), rtol=0, atol=0.01)
    both = counted_of(joined(box((0, 0, 0), (4, 4, 4)), box((1, 1, 1), (3, 3, 3))))
    assert both.volume == pytest.approx(72, rel=1e-3)
    np.testing.assert_allclose(both.inertia, np.eye(3) * 176, rtol=0, atol=0.3)


def test_counted_moments_need_no_volume():
    facets = joined(box((0, 0, 0), (2, 3, 5)), reversed_facets(box((0, 0, 0), (2, 3, 5))))
    found = counted_of(facets, lines=10)
    assert abs(found.volume) < 1e-12
    assert np.isfinite(found.inertia).all()


def test_counted_moments_far_beyond_and_below_the_range_of_a_tensor():
    for size in (1e-100, 1e100):
        found = counted_of(box((0, 0, 0), (size, size, size)), lines=10)
        assert found.volume == pytest.approx(size**3, rel=0.05)
        np.testing.assert_allclose(found.center / size, (0.5, 0.5, 0.5), rtol=0, atol=0.05)


def test_counted_moments_in_portions(monkeypatch):
    facets, _, _ = tetrahedron()
    found = counted_of(facets, lines=30)
    monkeypatch.setattr(counting, "_PART", 101)
    np.testing.assert_allclose(counted_of(facets, lines=30).inertia, found.inertia, rtol=1e-12)


def test_counted_leaves_stray_lines_out():
    found = counted_of(box((0, 0, 0), (1, 2, 3))[:-1], lines=30)
    assert found.stray_lines == pytest.approx(30 * 30 / 2, rel=0.1)


# --- what is told ----------------------------------------------------------------------------------------------------


def test_notices():
    told = notices(WindingCheck(9216, 16.0, 4.0, 0.03, 20.0, 4.0, 0.03), 16.0)
    assert [notice.code for notice in told] == ["overlap", "inverted"]
    assert [dict(notice.details) for notice in told] == [{"overlap_volume": 4.0}, {"inverted_volume": 0.03}]
    assert told[0].message.startswith("a volume of about 4 (25 % of the whole) is enclosed twice or more: ")
    assert told[1].message.startswith("a volume of about 0.03 (0.188 % of the whole) is enclosed inside out: ")
    assert all("--sanitize" in notice.message and "\n" not in notice.message for notice in told)


@pytest.mark.parametrize("volume", [8.0, -8.0])
def test_notices_begin_above_a_thousandth_of_the_volume(volume):
    assert notices(WindingCheck(9216, volume, 0.008, 0.008, 9.0, 0.008, 0.008), volume) == ()
    told = notices(WindingCheck(9216, volume, 0.00801, 0.00801, 9.0, 0.00801, 0.00801), volume)
    assert [notice.code for notice in told] == ["overlap", "inverted"]
    assert all("(0.1 % of the whole)" in notice.message for notice in told)
    assert notices(WindingCheck(0, *[0.0] * 6), 0.0) == ()
    assert [notice.code for notice in notices(WindingCheck(4, 0.0, 0.0, 1.0, 2.0, 0.0, 1.0), 0.0)] == ["inverted"]


@pytest.mark.parametrize("facets", [rough_star(5), reversed_facets(rough_star(5))], ids=["overlap", "inverted"])
def test_thousands_of_copies_are_told(facets):
    """They add to the volume, not to what is enclosed: 3000 copies of a tilted body, and nothing else."""
    size = signed_volume(facets)
    copies = joined(*[facets] * 3000)
    check = check_of(copies, lines=20)
    told = notices(check, 3000 * size)
    assert check.enclosed_volume == pytest.approx(abs(size), rel=0.05)
    assert [notice.code for notice in told] == ["overlap" if size > 0 else "inverted"]
    assert "(100 % of the whole)" in told[0].message
    assert "3e+03 times" in told[0].message


@pytest.mark.parametrize(("facets", "code"), [(box((5, 1, 1), (6, 2, 2)), "overlap"),
                                              (reversed_facets(box((5, 1, 1), (6, 2, 2))), "inverted")])  # fmt: skip
def test_copies_beside_a_body_that_is_much_larger_are_told(facets, code):
    """Of 8000, 1 is little; copied 1000 times it is an eighth."""
    check = check_of(joined(box((-20, 0, 0), (0, 20, 20)), *[facets] * 1000))
    volume = 8000.0 + 1000.0 * signed_volume(facets)
    assert check.volume == pytest.approx(volume, rel=0.05)
    assert max(check.overlap_volume, check.inverted_volume) < 0.001 * min(volume, check.enclosed_volume)
    told = notices(check, volume)
    assert [notice.code for notice in told] == [code]
    assert "e+03 times: " in told[0].message


def test_what_is_enclosed_is_counted_once_whatever_its_sense():
    """4^3 with 2^3 outward in it, and 1 inside out beside it."""
    bodies = box((0, 0, 0), (4, 4, 4)), box((1, 1, 1), (3, 3, 3)), reversed_facets(box((5, 1, 1), (6, 2, 2)))
    for axes in (None, (0, 1, 2)):
        check = check_of(joined(*bodies, bodies[1], bodies[2]), axes=axes)
        found = check.enclosed_volume, check.excess_volume, check.negative_volume
        assert found == pytest.approx((65, 2 * 8, 2), rel=0.02)
