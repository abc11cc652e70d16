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
from tests.oracle import (
    Body,
    Triangles,
    box,
    cube_grid,
    exact,
    exact_array,
    l_prism,
    moved,
    rays,
    rotation,
    star,
    torus,
)

KERNELS = ("plain", "runs", "double")
"""In the first two the sums are those of small and of large surfaces."""

MANY = 10**6  # facets

SECONDS = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])


def about(body: Body, frame: Frame) -> tuple[Any, Any, Any]:
    """Volume, first and second moments about the origin of a frame, in its scale."""
    scale, d = Fraction(2) ** frame.exponent, body.center - exact_array(frame.origin.tolist())
    central = np.trace(body.inertia) / 2 * np.eye(3, dtype=int) - body.inertia
    second = central + body.volume * np.outer(d, d)
    return body.volume * scale**3, body.volume * d * scale**4, second * scale**5


def bounded(triangles: Triangles, kernel: str = "plain") -> tuple[RoundOff, tuple[Any, Any, Any], Frame]:
    """The bounds of one of the kernels, and the integrals that it finds."""
    points = triangles.reshape(-1, 3).astype(float)
    frame = reference_frame(points.min(axis=0), points.max(axis=0), triangles.dtype == np.float32)
    kernels = {
        "plain": PlainKernel([frame], [BLOCK]),
        "runs": PlainKernel([frame], [MANY]),
        "double": lambda block: double_kernel(block, frame),
    }
    parts = [kernels[kernel](block) for block in blocks(TriangleArray(triangles))]
    sums = [exact_sum(values[q] for part in parts for values in part.parts) for q in range(10)]
    second = exact_array(sums[4:])[SECONDS] / 120
    bound = round_off(parts, frame, float(exact_sum(part.area for part in parts)), len(triangles), kernel == "double")
    return bound, (sums[0] / 6, exact_array(sums[1:4]) / 24, second), frame


def check(triangles: Triangles, kernel: str = "plain") -> tuple[RoundOff, Fraction]:
    """Errors are within their bounds. The bounds, and the volume, in the scale of the frame."""
    bound, found, frame = bounded(triangles, kernel)
    wanted = about(exact(triangles), frame)
    for value, right, limit in zip(found, wanted, (bound.volume, bound.first, bound.second), strict=True):
        assert (abs(value - right) <= exact_array(np.asarray(limit).tolist())).all()
    return bound, abs(wanted[0])


def test_entries_are_in_the_order_of_the_sums() -> None:
    assert [SECONDS[i, j] for i, j in ENTRIES] == list(range(6))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_bounds_hold_for_all_kernels(data: st.DataObject) -> None:
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
        for kernel in KERNELS:
            check(body, kernel)


def has_volume(body: Triangles) -> bool:
    try:
        exact(body)
    except ZeroDivisionError:
        return False
    return bool(np.ptp(body, axis=(0, 1)).all())


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("size", [1e-106, 1e-103, 1e-90])
def test_bounds_hold_where_products_sink_below_the_smallest_float(kernel: str, size: float) -> None:
    """Long bodies whose cross-sections are as small as that: the length keeps the frame from scaling them."""
    check(box((0.1, 1.1 * size, -0.3 * size), (1.3, 2.7 * size, 4.1 * size)), kernel)
    check(box((0.1, 1.1 * size**1.5, -0.3 * size**1.5), (1.3, 2.7 * size**1.5, 4.1 * size**1.5)), kernel)


def test_bounds_are_some_roundings_of_compact_bodies() -> None:
    turned = moved(star(4, np.linspace(0.8, 1.2, rays(4))), rotation(3, 1, -2, 5), (0.3, -0.1, 0.2))
    for body in (box((0, 0, 0), (2, 3, 5)), l_prism(), torus(3, 1, 20, 12), turned):
        plain, volume = check(body)
        double, _ = check(body, "double")
        assert plain.volume <= 4e-15 * volume
        assert double.volume <= 1e-27 * volume
        for name in ("first", "second"):
            assert (getattr(double, name) <= 1e-10 * getattr(plain, name)).all()


def test_bounds_of_a_tensor_are_symmetric_and_entry_by_entry() -> None:
    """The entries of a thin body are as different as its sides are."""
    bound, _ = check(box((-2, -1e-3, -1e-6), (1, 3e-3, 2e-6)))
    assert (bound.second == bound.second.T).all()
    sides = np.array([3, 4e-3, 3e-6])
    ratio = bound.second / np.outer(sides, sides)
    assert ratio.max() / ratio.min() < 10


def test_rounded_coordinates_are_accounted_for_only_where_they_occur() -> None:
    """Coordinates of float64 round when the centre is taken away, those of float32 do not."""
    body = (box((10.1, 20.3, 30.7), (10.2, 20.9, 30.8))).astype(np.float32)
    single, _, frame = bounded(body)
    double, _, other = bounded(body.astype(np.float64))
    assert not frame.rounded.any()
    assert other.rounded.all()
    assert double.volume > single.volume


def test_many_facets_cost_no_digits() -> None:
    """Summation adds next to nothing: what remains is the rounding within each facet."""
    body = torus(3, 1, 160, 90)  # four blocks
    bound, volume = check(body)
    assert len(body) > 3 * 8192
    assert bound.volume <= 4e-15 * volume


def test_runs_of_facets_cost_no_digits_in_truth() -> None:
    """Errors are those of single roundings; the bound is some times larger than that of the other sums."""
    ring, block = torus(3, 1, 160, 90), cube_grid(40) * (0.1, 1 / 3, 0.7)
    for body in (ring, moved(ring, shift=(5, -7, 11)), block):
        bound, _ = check(body, "runs")
        plain, _ = check(body)
        _, (_, _, second), frame = bounded(body, "runs")
        wanted = about(exact(body), frame)[2]
        assert np.abs(second - wanted).max() <= 5e-16 * abs(wanted).max()
        assert plain.volume * (1 - 1e-12) <= bound.volume <= 7 / 3 * plain.volume  # 3 and 4 roundings, or 7
        assert (plain.second < bound.second).all()
        assert (bound.second <= 2e-14 * float(abs(wanted).max())).all()


def test_runs_are_bounded_by_what_they_amount_to_whatever_its_sign() -> None:
    body = torus(3, 1, 160, 90)[:5000]  # its D has both signs
    frame = reference_frame(body.min(axis=(0, 1)), body.max(axis=(0, 1)))
    a, b, c = np.moveaxis(body - frame.origin, 1, 0)
    determinant = np.einsum("fi,fi->f", a, np.cross(b - a, c - a))
    sizes = np.abs(determinant)[:, None] * ((a + b) ** 2 + (b + c) ** 2 + (c + a) ** 2)
    assert determinant.min() < 0 < determinant.max()
    for chosen in (determinant > -np.inf, determinant > 0, determinant < 0):
        found = PlainKernel([frame], [MANY])(TriangleArray(body[chosen]).block(0)).squares
        assert found == pytest.approx(sizes[chosen].sum(axis=0).tolist(), rel=1e-12)


def test_what_a_full_block_leaves_does_not_count_in_the_next() -> None:
    body = torus(3, 1, 160, 90)
    frame = reference_frame(body.min(axis=(0, 1)), body.max(axis=(0, 1)))
    kernel, surface = PlainKernel([frame], [MANY]), TriangleArray(body)
    last = len(list(blocks(surface))) - 1
    alone = kernel(surface.block(last))
    kernel(surface.block(0))
    assert kernel(surface.block(last)) == alone


HALF = np.array([2.0, 3.0, 0.5])
ENTRY_SIZES = np.array([4, 6, 1, 6, 9, 1.5, 1, 1.5, 0.25])
"""h_i h_j, row by row."""


def bound_of(
    area: float, products: float, terms: float, facets: int, doubled: bool, rounded: Any = 0, squares: Any = (0, 0, 0)
) -> RoundOff:
    """The bounds for sums of which that much is known, in a box of half sides 2, 3 and 1/2."""
    frame = Frame(np.zeros(3), 0, HALF, np.zeros(3) + rounded)
    return round_off([BlockSums((), area, products, terms, squares)], frame, area, facets, doubled)


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


def test_runs_count_as_derived() -> None:
    """`RUN` roundings of the sums of |D p_i p_j|, and of |D p_i| / 2; either by Cauchy's inequality."""
    squares, roundings = np.array([1.0, 4.0, 16.0]), 1.01 * 64 * U
    found, plain = bound_of(0, 0, 3, 0, False, 0, squares), bound_of(0, 0, 3, 0, False)
    assert found.volume == plain.volume
    assert found.first - plain.first == pytest.approx(roundings * np.sqrt(3 * 3 * squares) / 48, rel=1e-13)
    of_entries = roundings * np.sqrt(np.outer(squares, squares)) / 120
    assert (found.second - plain.second).ravel() == pytest.approx(of_entries.ravel(), rel=1e-13)


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
