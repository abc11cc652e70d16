"""The frame in which sums are formed, and the bounds of what is summed."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.integrands import ENTRIES, SAFE_EXPONENT, integrand_bounds, reference_frame
from massprops.core.sums import U
from tests.oracle import exact_array

numbers = st.floats(-1e6, 1e6)
singles = st.floats(-1e6, 1e6, width=32)
sizes = st.floats(1e-3, 1e3)


def boxed(points: Any, is_single: bool = False) -> tuple[np.ndarray, Any]:
    corners = np.array(points, float)
    return corners, reference_frame(corners.min(axis=0), corners.max(axis=0), is_single)


def moved_exactly(points: np.ndarray, origin: np.ndarray) -> np.ndarray:
    return exact_array(points.tolist()) - exact_array(origin.tolist())


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=6))
def test_coordinates_lie_in_the_frame_and_round_as_told(points: list[tuple[float, ...]]) -> None:
    corners, frame = boxed(points)
    rounded, right = corners - frame.origin, moved_exactly(corners, frame.origin)
    assert (np.abs(np.ldexp(rounded, frame.exponent)) <= frame.half).all()
    error = abs(exact_array(rounded.tolist()) - right) * Fraction(2) ** frame.exponent
    assert (error <= Fraction(U) * exact_array(frame.rounded.tolist())).all()


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(singles, singles, singles), min_size=2, max_size=6), st.booleans())
def test_of_single_precision_the_frame_takes_away_exactly(points: list[tuple[float, ...]], far: bool) -> None:
    corners, frame = boxed(np.add(points, 2.0**21).astype(np.float32) if far else points, is_single=True)
    right = moved_exactly(corners, frame.origin)
    off = (exact_array((corners - frame.origin).tolist()) != right).any(axis=0)
    assert not (off & (frame.rounded == 0)).any()
    if far:
        assert not frame.rounded.any()


@pytest.mark.parametrize(("lower", "upper", "is_single", "origin", "rounded"), [
    ((-1.0, -3.0, -0.5), (1.0, 3.0, 0.5), False, (0, 0, 0), (0, 0, 0)),
    ((-1.0, -3.0, -4.0), (1.2, 4.0, 6.5), False, (0, 0, 0), (0, 0, 0)),  # |centre| up to an eighth of the extent
    ((0.0, 2.0, -4.0), (1.0, 3.0, 6.9), False, (0.5, 2.5, 1.4500000000000002), (1, 1, 1)),
    ((0.0, 2.0, -4.0), (1.0, 3.0, -2.0), True, (0.5, 2.5, -3.0), (1, 0, 0)),  # 0 is not within 2^28 times of 1
    ((2.0**-27, 1.0, 1.0), (1.0, 2.0**27, 2.0**29), True, None, (0, 0, 1)),
])  # fmt: skip
def test_origins(lower: Any, upper: Any, is_single: bool, origin: Any, rounded: Any) -> None:
    frame = reference_frame(np.array(lower), np.array(upper), is_single)
    assert origin is None or frame.origin.tolist() == list(origin)
    assert (frame.rounded > 0).tolist() == [bool(x) for x in rounded]
    assert all(r in (0.0, h) for r, h in zip(frame.rounded, frame.half, strict=True))


def test_coordinates_are_taken_for_double_precision_unless_told_otherwise() -> None:
    corners = np.array([[10.1, -20.9, 30.7], [10.2, -20.3, 30.8]])
    assert reference_frame(*corners).rounded.all()
    assert not reference_frame(*corners, True).rounded.any()


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-30, 1e-18, 1.0, 1e18, 1e30, 1e300, 8e307])
def test_extreme_sizes_are_scaled(size: float) -> None:
    frame = reference_frame(np.array([-0.1, -1.0, -0.7]) * size, np.array([0.1, 1.0, 0.7]) * size)
    is_extreme = not 2.0**-SAFE_EXPONENT <= size <= 2.0**SAFE_EXPONENT
    assert (frame.exponent != 0) == is_extreme
    if is_extreme:
        assert 0.49 <= frame.half.max() <= 1.01
    assert 2.0 ** -(SAFE_EXPONENT + 1) <= frame.half.max() <= 2.0 ** (SAFE_EXPONENT + 1)
    assert frame.half.max() == pytest.approx(math.ldexp(size, frame.exponent), rel=1e-15)


def test_the_scale_of_a_frame() -> None:
    frame = reference_frame(np.array([0.0, 0, 0]), np.array([2.0**-70, 1e-30, 1e-30]))
    assert frame.scale == 2.0**frame.exponent
    assert frame.scale * 2.0**-70 == pytest.approx(1, rel=0.5)


def integrands(facet: Any) -> np.ndarray:
    """Of one facet, exactly: D, D (a + b + c), and D times the tensor of the midpoints, twice as far out."""
    a, b, c = exact_array(facet)
    normal = np.array([a[j] * b[k] - a[k] * b[j] for j, k in ((1, 2), (2, 0), (0, 1))])
    d = normal @ c
    p, q, r = a + b, b + c, c + a
    return d * np.array([1, *(a + b + c), *(p[i] * p[j] + q[i] * q[j] + r[i] * r[j] for i, j in ENTRIES)])


@settings(deadline=None, max_examples=100)
@given(st.tuples(sizes, sizes, sizes), st.lists(st.floats(-1, 1), min_size=9, max_size=9))
def test_no_integrand_is_larger_than_its_bound(half: tuple[float, ...], parts: list[float]) -> None:
    facet = np.array(parts).reshape(3, 3) * half
    assert (abs(integrands(facet.tolist())) <= exact_array(integrand_bounds(np.array(half)).tolist())).all()


def test_bounds_are_reached_to_a_factor_of_two_and_the_rounding_of_integrands() -> None:
    signs = list(itertools.product((-1, 1), repeat=3))
    found = [abs(integrands(facet)) for facet in itertools.combinations(signs, 3)]
    largest, bound = np.max(found, axis=0), integrand_bounds(np.ones(3))
    assert largest[0] == 4  # Hadamard
    assert (largest <= bound).all()
    assert bound[0] == 2 * largest[0]
