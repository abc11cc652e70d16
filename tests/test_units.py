"""Units of length, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from massprops.core.units import UNITS


@pytest.mark.parametrize(("name", "numerator", "denominator"), [
    ("um", 1, 1_000_000), ("mm", 1, 1000), ("cm", 1, 100), ("m", 1, 1), ("in", 127, 5000), ("ft", 381, 1250),
])  # fmt: skip
def test_each_unit_is_exact(name: str, numerator: int, denominator: int) -> None:
    assert UNITS[name].name == name
    assert UNITS[name].metres == Fraction(numerator, denominator)


def test_a_foot_is_twelve_inches_and_nothing_else_is_known() -> None:
    assert UNITS["ft"].metres == 12 * UNITS["in"].metres
    assert list(UNITS) == ["um", "mm", "cm", "m", "in", "ft"]
