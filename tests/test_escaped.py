"""Nothing that is shown moves the cursor or turns a line round."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.report.escaped import escaped


@pytest.mark.parametrize(("text", "wanted"), [
    ("part.stl", "part.stl"), ("café \u7532.stl", "café \u7532.stl"), ("\x1b[2J", r"\x1b[2J"),
    ("a\nb\tc\rd", r"a\nb\tc\rd"),
    ("\x00\x7f\x85\x9b", r"\x00\x7f\x85\x9b"), ("\u202elts.exe", r"\u202elts.exe"), ("\u2028\u2066", r"\u2028\u2066"),
    ("\udcff", r"\udcff"), ("\ud800", r"\ud800"), ("\U000e0001", r"\U000e0001"), ("a\\b", "a\\b"),
])  # fmt: skip
def test_escapes(text: str, wanted: str) -> None:
    assert escaped(text) == wanted


@settings(deadline=None, max_examples=100)
@given(st.text(st.characters(exclude_categories=())))
def test_all_is_printable_and_what_was_stays(text: str) -> None:
    assert escaped(text).isprintable()
    assert escaped(escaped(text)) == escaped(text)
    assert not text.isprintable() or escaped(text) == text
