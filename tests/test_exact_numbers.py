"""Numbers of any kind become the same fractions; what is none is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from massprops.core.exact_numbers import Quotients, exact, exact_array, is_masked, positive, real


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (0.1, Fraction(0.1)),
        (np.float32(0.1), Fraction(13421773, 2**27)),
        (np.float16(0.1), Fraction(1638, 2**14)),
        (np.longdouble(3) / 4, Fraction(3, 4)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
        (10**30 + 1, Fraction(10**30 + 1)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
        (np.int8(-128), Fraction(-128)),
        (np.array(0.5), Fraction(1, 2)),
        (np.array(Decimal("0.1"), object), Fraction(1, 10)),
    ],
)
def test_no_digit_is_lost(value: Any, wanted: Fraction) -> None:
    for found in (exact(value), real(value, "x"), exact_array([value], (1,), "x")[0]):
        assert (type(found), found) == (Fraction, wanted)


@pytest.mark.parametrize("value", ["1/3", b"1", None, 1j, np.bool_(True), [1], np.array([1]), np.ma.masked,
    np.timedelta64(3, "s")])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(TypeError, match="a number is wanted"):
        exact(value)


@pytest.mark.parametrize("value", [5e-324, np.finfo(float).max, Fraction(1, 10**300)])
def test_the_range_of_positive_numbers(value: Any) -> None:
    assert positive(value, "x") == Fraction(value)


@pytest.mark.parametrize("value", [0.0, -0.0, -5e-324, Fraction(1, 10**330), 2**1024, -(2**1024)])
def test_beyond_that_range(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^x"):
        positive(value, "x")


def test_arrays_are_of_the_shape_that_is_wanted_or_none() -> None:
    square = np.arange(9).reshape(3, 3)
    assert exact_array(square.T, (3, 3), "x").tolist() == square.T.tolist()
    for values, told in (
        (square[0], "3 x 3 numbers are wanted, not 3"),
        (square[None], r"3 x 3 numbers are wanted, not an array of shape \(1, 3, 3\)"),
        ([[1], [1, 2], [3]], "3 x 3 numbers are wanted"),
        (7, "3 x 3 numbers are wanted, not a value of type int"),
        (np.full((3, 3), np.nan), "x nan: a finite number is wanted"),
        (np.ma.array(square, mask=square == 4), "some entries are masked"),
    ):
        with pytest.raises(ValueError, match=told):
            exact_array(values, (3, 3), "x")


@pytest.mark.parametrize("values", ["abc", b"abc", bytearray(b"abc"), ["1", "2", "3"], np.array([1, 2, 3], "m8[s]")])
def test_text_and_times_are_no_numbers(values: Any) -> None:
    with pytest.raises(TypeError, match=r"^x: "):
        exact_array(values, (3,), "x")


@pytest.mark.parametrize(("value", "told"), [
    (Fraction(1, 10**330), "a number too small for double"), (2**1024, "a number too large for double"),
    (-Fraction(1, 10**330), "a number greater than 0 is wanted"), (-3, "a number greater than 0 is wanted"),
])  # fmt: skip
def test_what_is_wrong_with_a_positive_number(value: Any, told: str) -> None:
    with pytest.raises(ValueError, match=rf"^x\b.*: {told}"):
        positive(value, "x")


def test_masks() -> None:
    assert is_masked(np.ma.array([1, 2], mask=[0, 1]))
    assert not is_masked(np.ma.array([1, 2]))
    assert not is_masked([1, 2])


def test_quotients_are_the_same_fractions_in_lowest_terms_and_rounded_once() -> None:
    values = np.array([[Fraction(1, 3), Fraction(-5, 7 * 2**90)], [Fraction(0), Fraction(10**40 + 1, 11)]])
    found = Quotients.of(values)
    assert found.denominator == 3 * 7 * 11 * 2**90
    assert found.rationals.tolist() == values.tolist()
    assert found.floats.tolist() == [[float(value) for value in row] for row in values.tolist()]
    turned = Quotients(-found.numerators, -found.denominator)
    assert turned.rationals.tolist() == values.tolist()
    assert turned.floats.tolist() == found.floats.tolist()
    with pytest.raises(OverflowError):
        _ = Quotients(np.array([10**400], object), 3).floats
