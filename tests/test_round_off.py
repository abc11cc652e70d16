"""Bounds of the errors of the integrals: they hold, they are not loose, and they survive any change of scale."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.double_polyhedron import double_kernel
from massprops.core.integrands import ENTRIES, BlockSums, Frame, reference_frame
from massprops.core.polyhedron import PlainKernel
from massprops.core.round_off import RoundOff, round_off
from massprops.core.sums import U, exact_sum
from massprops.core.surface import BLOCK, TriangleArray, blocks
from tests.oracle import Body, Triangles, box, exact, exact_array, l_prism, moved, rays, rotation, star, torus

SECONDS = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])


def about(body: Body, frame: Frame) -> tuple[Any, Any, Any]:
    """Volume, first and second moments about the origin of a frame, in its scale."""
    scale, d = Fraction(2) ** frame.exponent, body.center - exact_array(frame.origin.tolist())
    central = np.trace(body.inertia) / 2 * np.eye(3, dtype=int) - body.inertia
    second = central + body.volume * np.outer(d, d)
    return body.volume * scale**3, body.volume * d * scale**4, second * scale**5


def bounded(triangles: Triangles, doubled: bool) -> tuple[RoundOff, tuple[Any, Any, Any], Frame]:
    """The bounds of one of the kernels, and the integrals that it finds."""
    points = triangles.reshape(-1, 3).astype(float)
    frame = reference_frame(points.min(axis=0), points.max(axis=0), triangles.dtype == np.float32)
    plain = PlainKernel(frame)
    kernel = (lambda block: double_kernel(block, frame)) if doubled else plain
    parts = [kernel(block) for block in blocks(TriangleArray(triangles))]
    sums = [exact_sum(values[q] for part in parts for values in part.parts) for q in range(10)]
    second = exact_array(sums[4:])[SECONDS] / 120
    bound = round_off(parts, frame, float(exact_sum(part.area for part in parts)), len(triangles), doubled)
    return bound, (sums[0] / 6, exact_array(sums[1:4]) / 24, second), frame


def check(triangles: Triangles, doubled: bool) -> tuple[RoundOff, Fraction]:
    """Errors are within their bounds. The bounds, and the volume, in the scale of the frame."""
    bound, found, frame = bounded(triangles, doubled)
    wanted = about(exact(triangles), frame)
    for value, right, limit in zip(found, wanted, (bound.volume, bound.first, bound.second), strict=True):
        assert (abs(value - right) <= exact_array(np.asarray(limit).tolist())).all()
    return bound, abs(wanted[0])


def test_entries_are_in_the_order_of_the_sums() -> None:
    assert [SECONDS[i, j] for i, j in ENTRIES] == list(range(6))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_bounds_hold_for_both_kernels(data: st.DataObject) -> None:
    m = data.draw(st.integers(1, 2))
    radii = data.draw(st.lists(st.floats(0.3, 3), min_size=rays(m), max_size=rays(m)))
    flat = data.draw(st.sampled_from([1, 1e-3, 1e-6, 1e-12]))
    turn = data.draw(st.sampled_from([(1, 0, 0, 0), (3, 1, -2, 5), (9, 2, 4, 1)]))
    shift = data.draw(st.sampled_from([(0, 0, 0), (1, -2, 3), (1e3, 2e4, -7e5)]))
    size = data.draw(st.sampled_from([1.0, 1e-40, 1e40]))
    body = moved(star(m, radii) * [1, 1, flat], rotation(*turn), shift) * size
    if data.draw(st.booleans()) and size == 1:
        body = body.astype(np.float32)
    if has_volume(body):  # else rounding has left nothing of it
        for doubled in (False, True):
            check(body, doubled)


def has_volume(body: Triangles) -> bool:
    try:
        exact(body)
    except ZeroDivisionError:
        return False
    return bool(np.ptp(body, axis=(0, 1)).all())


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("size", [1e-106, 1e-103, 1e-90])
def test_bounds_hold_where_products_sink_below_the_smallest_float(doubled: bool, size: float) -> None:
    """Long bodies whose cross-sections are as small as that: the length keeps the frame from scaling them."""
    check(box((0.1, 1.1 * size, -0.3 * size), (1.3, 2.7 * size, 4.1 * size)), doubled)
    check(box((0.1, 1.1 * size**1.5, -0.3 * size**1.5), (1.3, 2.7 * size**1.5, 4.1 * size**1.5)), doubled)


def test_bounds_are_some_roundings_of_compact_bodies() -> None:
    turned = moved(star(4, np.linspace(0.8, 1.2, rays(4))), rotation(3, 1, -2, 5), (0.3, -0.1, 0.2))
    for body in (box((0, 0, 0), (2, 3, 5)), l_prism(), torus(3, 1, 20, 12), turned):
        plain, volume = check(body, doubled=False)
        double, _ = check(body, doubled=True)
        assert plain.volume <= 4e-15 * volume
        assert double.volume <= 1e-27 * volume
        for name in ("first", "second"):
            assert (getattr(double, name) <= 1e-10 * getattr(plain, name)).all()


def test_bounds_of_a_tensor_are_symmetric_and_entry_by_entry() -> None:
    """The entries of a thin body are as different as its sides are."""
    bound, _ = check(box((-2, -1e-3, -1e-6), (1, 3e-3, 2e-6)), doubled=False)
    assert (bound.second == bound.second.T).all()
    sides = np.array([3, 4e-3, 3e-6])
    ratio = bound.second / np.outer(sides, sides)
    assert ratio.max() / ratio.min() < 10


def test_rounded_coordinates_are_accounted_for_only_where_they_occur() -> None:
    """Coordinates of float64 round when the centre is taken away, those of float32 do not."""
    body = (box((10.1, 20.3, 30.7), (10.2, 20.9, 30.8))).astype(np.float32)
    single, _, frame = bounded(body, doubled=False)
    double, _, other = bounded(body.astype(np.float64), doubled=False)
    assert not frame.rounded.any()
    assert other.rounded.all()
    assert double.volume > single.volume


def test_many_facets_cost_no_digits() -> None:
    """Summation adds next to nothing: what remains is the rounding within each facet."""
    body = torus(3, 1, 160, 90)  # four blocks
    bound, volume = check(body, doubled=False)
    assert len(body) > 3 * 8192
    assert bound.volume <= 4e-15 * volume


HALF = np.array([2.0, 3.0, 0.5])
ENTRY_SIZES = np.array([4, 6, 1, 6, 9, 1.5, 1, 1.5, 0.25])
"""h_i h_j, row by row."""


def bound_of(area: float, products: float, terms: float, facets: int, doubled: bool, rounded: Any = 0) -> RoundOff:
    """The bounds for sums of which that much is known, in a box of half sides 2, 3 and 1/2."""
    frame = Frame(np.zeros(3), 0, HALF, np.zeros(3) + rounded)
    return round_off([BlockSums((), area, products, terms)], frame, area, facets, doubled)


def assert_bound(found: RoundOff, volume: float, first: float, second: float) -> None:
    """Each bound is as told, times the sizes of the box, and the hundredth on top."""
    assert found.volume == pytest.approx(1.01 * volume, rel=1e-14, abs=0)
    assert found.first == pytest.approx(1.01 * first * HALF, rel=1e-14, abs=0)
    assert found.second.ravel() == pytest.approx(1.01 * second * ENTRY_SIZES, rel=1e-14, abs=0)


def test_each_source_of_error_counts_as_derived() -> None:
    """D, D (a + b + c) and D (p p^T + q q^T + r r^T), divided by 6, 24 and 120: |a + b + c| <= 3 h, the last 12 h h.

    Three roundings to the products of edges; four more to D: their difference, the factor a_k, two sums; from there
    three to D (a + b + c), and six to the last.
    """
    assert_bound(bound_of(0, 1, 0, 0, False), 3 * U / 6, 3 * U * 3 / 24, 3 * U * 12 / 120)
    assert_bound(bound_of(0, 0, 1, 0, False), 4 * U / 6, 7 * U * 3 / 24, 10 * U * 12 / 120)
    assert_bound(bound_of(5, 0, 0, 0, False, (1, 2, 2)), 15 * U, 15 * U, 15 * U)
    assert_bound(bound_of(5, 1, 0, 0, True, (1, 2, 2)), 2.0**-97 / 6, 2.0**-97 * 3 / 24, 2.0**-97 * 12 / 120)


@pytest.mark.parametrize(("doubled", "left"), [(False, 1), (True, 2.0**-52)])
def test_summing_costs_what_the_remainders_of_a_block_do(doubled: bool, left: float) -> None:
    each = left * 32 * U**2 * 7 * BLOCK * 2 * 4 * np.prod(HALF)
    assert_bound(bound_of(0, 0, 0, 7, doubled), each, 3 * each, 12 * each)


@pytest.mark.parametrize(("half", "largest"), [(2.0**-200, 1), (8, 8)])
def test_what_sinks_below_the_smallest_float_is_multiplied_by_three_lengths(half: float, largest: float) -> None:
    frame = Frame(np.zeros(3), 0, np.array([half, 2.0**-600, 2.0**-600]), np.zeros(3))
    found = round_off([BlockSums((), 0.0, 0.0, 0.0)], frame, 0.0, 5, False)
    assert found.volume == found.second[1, 2] == 5 * 1024 * largest**3 * 2.0**-1074


BOUND = RoundOff(2.0**-53, np.array([1.0, 2.0, 0.0]) * 2.0**-53, np.eye(3) * 2.0**-50)


@pytest.mark.parametrize("exponent", [0, 1, -1, 60, -60, 300, -300])
def test_a_change_of_scale_is_exact(exponent: int) -> None:
    found, scale = BOUND.scaled(exponent), Fraction(2) ** exponent
    assert (exact_array(found.first) == exact_array(BOUND.first.tolist()) * scale**4).all()
    assert (exact_array(found.second) == exact_array(BOUND.second.tolist()) * scale**5).all()
    assert Fraction(found.volume) >= Fraction(BOUND.volume) * scale**3
    assert found.volume <= float(Fraction(BOUND.volume) * scale**3) + 5e-324


def test_bounds_beyond_floats() -> None:
    assert BOUND.scaled(400).volume == np.inf
    assert max(BOUND.scaled(400).first) == Fraction(2) ** 1548
    assert BOUND.scaled(-400).volume == 5e-324  # never 0
    assert min(x for x in BOUND.scaled(-400).second.flat if x) == Fraction(2) ** -2050
