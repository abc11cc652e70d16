"""Numbers in Fortran's ES23.15 read back as themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from massprops.report.fortran import LABEL_WIDTH, es, line


@given(st.floats(-1e308, 1e308, allow_subnormal=False))
def test_a_number_keeps_sixteen_digits_and_a_blank(value: float) -> None:
    text = es(value)
    assert len(text) in (23, 24)
    assert text.startswith(" ")
    assert float(text) == pytest.approx(value, rel=6.2e-16, abs=0)  # half of the last digit, and reading it back
    mantissa, exponent = text.strip().lstrip("-").split("E")
    assert len(mantissa) == 17
    assert exponent[0] in "+-"
    assert len(exponent) >= 3


@pytest.mark.parametrize(("value", "text"), [
    (0.0, "  0.000000000000000E+00"), (-0.0, "  0.000000000000000E+00"), (2.0, "  2.000000000000000E+00"),
    (-1 / 3, " -3.333333333333333E-01"), (1e100, " 1.000000000000000E+100"), (-1e-300, " -1.000000000000000E-300"),
    (1e23, "  9.999999999999999E+22"), (5e-324, " 4.940656458412465E-324"),
])  # fmt: skip
def test_as_fortran_prints_it(value: float, text: str) -> None:
    assert es(value) == text


def test_columns_can_be_told_apart() -> None:
    row = line("  label", [-1e-100, -1e200, -0.0])
    assert row.startswith("  label".ljust(LABEL_WIDTH))
    assert [float(word) for word in row[LABEL_WIDTH:].split()] == [-1e-100, -1e200, 0.0]
    assert line("", []) == " " * LABEL_WIDTH
