"""Text to numbers: the nearest float64, and only numbers."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.errors import Unreadable
from massprops.readers import decimals
from massprops.readers.decimals import bad_line, columns, integers, numbers, text_of

WRONG = ["1_0", "0x10", "1,5", "1.2.3", "1.5-2", "1e", "one", "１", "1d3", "--1"]


@settings(deadline=None, max_examples=100)
@given(st.integers(-(10**22), 10**22), st.integers(-40, 20))
def test_the_nearest_float64(digits: int, exponent: int) -> None:
    word = f"{digits}e{exponent}"
    nearest = float(Fraction(digits) * Fraction(10) ** exponent)
    assert columns([word], 1)[0, 0] == nearest
    assert numbers(word, "test")[0] == nearest


@pytest.mark.parametrize("word", WRONG)
def test_what_is_no_number(word: str) -> None:
    with pytest.raises(ValueError, match="could not convert"):
        columns(["1 2 3", f"1 {word} 3"], 3)
    with pytest.raises(Unreadable, match="test: "):
        numbers(f"1 {word} 3", "test")
    with pytest.raises(ValueError, match=f"^{re.escape(repr(word))} where a whole number is expected$"):
        integers(["1", word, "x"])
    assert bad_line(["1 2 3", f"1 2 {word}"], 3) == 1


@pytest.mark.parametrize(
    ("word", "value"),
    [("1.5D+02", 150.0), ("-.5d-1", -0.05), ("+2.D+00", 2.0), ("-1.#IND", np.nan), ("1.#QNAN0", np.nan),
     ("1.#INF", np.nan), ("-nan(ind)", np.nan), ("NAN(IND)", np.nan)],
)  # fmt: skip
def test_numbers_of_other_languages(word: str, value: float) -> None:
    np.testing.assert_array_equal(columns(["1 2 3", f"4 {word} 6 x"], 3)[1], [4, value, 6])
    np.testing.assert_array_equal(numbers(f"1 {word}\n3", "test"), [1, value, 3])
    with pytest.raises(ValueError, match="could not convert"):
        columns([f"1 {word}"], 2, np.int64)


def test_columns() -> None:
    assert columns([], 3).shape == (0, 3)
    assert columns(["1 2 3 4 x", " 4\t5 6"], 3).tolist() == [[1, 2, 3], [4, 5, 6]]
    assert columns(["1 2", "3 -4"], None, np.int64).tolist() == [[1, 2], [3, -4]]


@pytest.mark.parametrize("lines", [["1 2"], ["1 2 3", "4 5"], ["", "1 2 3"], ["1 2 3", " "], [" "]])
def test_lines_with_too_few_words(lines: list[str]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        columns(lines, 3)
    assert bad_line(lines, 3) == next(k for k, line in enumerate(lines) if len(line.split()) < 3)


def test_numbers_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decimals, "PIECE", 5)
    assert numbers("  123456789 1 22\n\n  333 4444 -inf", "test").tolist() == [123456789, 1, 22, 333, 4444, -np.inf]
    assert numbers(" \n ", "test").tolist() == []


@pytest.mark.parametrize("encoding", ["ascii", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    text = f"v 1 2 3{end}f 1 2{end}"
    assert text_of(text.encode(encoding)) == "v 1 2 3\nf 1 2\n"


def test_bytes_that_no_text_has() -> None:
    with pytest.raises(Unreadable, match="a zero byte at 3"):
        text_of(b"v 1\x00 2")
    assert text_of(b"o Geh\xe4use\n") == "o Geh\xe4use\n"
