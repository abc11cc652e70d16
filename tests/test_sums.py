"""Compensated sums and double-double arithmetic, against rational numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.sums import (
    Double2,
    U,
    add2,
    exact_sum,
    multiply2,
    negate2,
    shifted_sums,
    shifts,
    two_product,
    two_sum,
)

wide = st.floats(-1e100, 1e100, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-100)
plain = settings(deadline=None, max_examples=200)


def exact(x: Double2) -> Fraction:
    return Fraction(float(x.high)) + Fraction(float(x.low))


def double2(a: float, b: float) -> Double2:
    """The double-double of a high part and a second number far below it."""
    high = np.float64(a)
    low = np.float64(a * U * (b / 1e100))
    return two_sum(high, low)


@plain
@given(wide, wide)
def test_two_sum_and_two_product_lose_nothing(a: float, b: float) -> None:
    x, y = np.float64(a), np.float64(b)
    assert exact(two_sum(x, y)) == Fraction(a) + Fraction(b)
    assert two_sum(x, y).high == a + b
    if abs(a * b) > 1e-200 or a * b == 0:
        assert exact(two_product(x, y)) == Fraction(a) * Fraction(b)


@plain
@given(wide, wide, wide, wide)
def test_double_double_sums_and_products_are_right_to_a_few_u_squared(a: float, b: float, c: float, d: float) -> None:
    x, y = double2(a, b), double2(c, d)
    total, product = exact(x) + exact(y), exact(x) * exact(y)
    assert abs(exact(add2(x, y)) - total) <= 3 * Fraction(U) ** 2 * abs(total)
    if abs(a * c) > 1e-150:
        assert abs(exact(multiply2(x, y)) - product) <= 7 * Fraction(U) ** 2 * abs(product)
    assert exact(negate2(x)) == -exact(x)


@pytest.mark.parametrize("count", [1, 2, 8191, 8192])
def test_shifts_are_powers_of_two_that_suffice(count: int) -> None:
    bound = np.array([1.0, 0.3, 1e-30, 7e200, 0.0])
    found = shifts(bound, count)
    assert all(np.frexp(s)[0] == 0.5 for s in found[:-1])
    assert (found[:-1] >= 2 * count * bound[:-1]).all()
    assert (found[:-1] <= 4 * count * bound[:-1]).all()
    assert found[-1] == 0.0


@pytest.mark.parametrize("seed", range(5))
def test_shifted_sums_keep_what_a_plain_sum_loses(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terms = rng.normal(size=(4, 5000)) * 10.0 ** rng.integers(-12, 1, size=(4, 5000))
    terms[1] -= terms[1].mean()  # cancels almost altogether
    terms[2, ::2] = -terms[2, 1::2]  # cancels altogether
    terms[3] = 0.0
    wanted = [sum(map(Fraction, row)) for row in terms.tolist()]
    bound = np.abs(terms).max(axis=1)
    high, low = shifted_sums(terms.copy(), shifts(bound, 5000), np.empty_like(terms))
    for row in range(4):
        error = abs(Fraction(high[row]) + Fraction(low[row]) - wanted[row])
        assert error <= 2.0**-100 * 5000**2 * bound[row]
    assert high[2] + low[2] == 0.0


def test_shifted_sums_are_the_same_in_any_order_up_to_the_low_part() -> None:
    rng = np.random.default_rng(7)
    terms = rng.normal(size=(1, 3000))
    shift = shifts(np.abs(terms).max(axis=1), 3000)
    high, _ = shifted_sums(terms.copy(), shift, np.empty_like(terms))
    turned, _ = shifted_sums(terms[:, rng.permutation(3000)], shift, np.empty_like(terms))
    assert high == turned


@plain
@given(st.lists(wide, max_size=30), st.randoms(use_true_random=False))
def test_exact_sum_has_twice_the_precision_in_any_order(values: list[float], random: Random) -> None:
    wanted = sum(map(Fraction, values), Fraction(0))
    found = exact_sum(values)
    assert abs(found - wanted) <= Fraction(U) ** 2 * abs(wanted) + Fraction(5e-324)
    random.shuffle(values)
    assert exact_sum(values) == found


def test_exact_sum_of_a_cancelling_series() -> None:
    assert exact_sum([1e16, 1.0, -1e16, 2.0**-40]) == 1 + Fraction(1, 2**40)
    assert exact_sum([]) == 0
    assert exact_sum(iter([math.pi, -math.pi])) == 0
