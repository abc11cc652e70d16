"""Units of length, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from massprops.core.units import UNITS, Unit, overridden


@pytest.mark.parametrize(("name", "numerator", "denominator"), [
    ("um", 1, 1_000_000), ("mm", 1, 1000), ("cm", 1, 100), ("m", 1, 1), ("in", 127, 5000), ("ft", 381, 1250),
])  # fmt: skip
def test_each_unit_is_exact(name: str, numerator: int, denominator: int) -> None:
    assert UNITS[name].name == name
    assert UNITS[name].metres == Fraction(numerator, denominator)


def test_a_foot_is_twelve_inches_and_nothing_else_is_known() -> None:
    assert UNITS["ft"].metres == 12 * UNITS["in"].metres
    assert list(UNITS) == ["um", "mm", "cm", "m", "in", "ft"]


@pytest.mark.parametrize(("said_by", "codes"), [("file", ["units"]), ("format", ["format_unit"]), ("screen", [])])
def test_a_unit_that_gives_way_is_told_by_who_said_it(said_by: str, codes: list[str]) -> None:
    declared = Unit("cubit", Fraction(4572, 10_000), said_by)  # type: ignore[arg-type]
    told = overridden(declared, UNITS["mm"])
    assert [notice.code for notice in told] == codes
    assert all(notice.message.startswith(f"the {said_by}'s unit, cubit, gives way to --units mm") for notice in told)
    assert overridden(declared, None) == overridden(declared, declared) == ()
    assert declared == Unit("cubit", Fraction(4572, 10_000))
