"""Text to numbers: each the float64 nearest to its decimal digits, and nothing let pass that is not a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.errors import Unreadable
from massprops.readers.end_marks import without_ctrl_z

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PIECE = 1 << 22
"""Characters that are split into words at a time: the words of a whole file would take ten times its size."""

_DOUBLE = re.compile(r"(?<!\S)([-+]?(?:\d+\.\d*|\.\d+))[dD]([-+]\d{1,3})(?!\S)")
"""A number as Fortran writes it in double precision."""

_NOT_A_NUMBER = re.compile(r"(?<!\S)[-+]?(?:1\.?#(?:IND|INF|QNAN|SNAN)[0-9]*|nan\((?:ind|snan)\))(?!\S)", re.I)
"""What the C libraries of Windows write for what is no number, as for the normal of a facet without an area."""

DECIMAL_COMMA = re.compile(r"(?:^|\s)[-+]?[0-9]*,[0-9]+(?:[eE][-+]?[0-9]+)?(?:\s|$)")


def text_of(data: bytes) -> str:
    """Text of a file: UTF-8, UTF-16 or any other superset of ASCII, with its line ends made newlines.

    Only ASCII is ever asked of the text, so bytes above 127 stand for themselves. Ctrl-Z ends it.

    Raises
    ------
    Unreadable
        There are zero bytes, which no text has.

    >>> text_of("v 1\\r\\nv 2\\r".encode("utf-16"))
    'v 1\\nv 2\\n'
    """
    zeros = [byte == 0 for byte in data[:4]]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
    elif zeros == [True, False, True, False]:
        text = data.decode("utf-16-be", "replace")
    elif zeros == [False, True, False, True]:
        text = data.decode("utf-16-le", "replace")
    else:
        text = without_ctrl_z(data).decode("latin-1")
        _check_zeros(text)
        text = text.removeprefix("\xef\xbb\xbf")
    _check_zeros(text)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _check_zeros(text: str) -> None:
    place = text.find("\0")
    if place < 0:
        return
    if text.rstrip(" \n\r\0").find("\0") < 0:
        told = "and zero bytes follow: it was not written to its end; if it was, delete them"
        raise Unreadable(f"its text ends at byte {place}, {told}")
    raise Unreadable(f"binary data where text is expected: a zero byte at {place}")


def columns(lines: Sequence[str], count: int | None, dtype: Any = np.float64) -> NDArray[Any]:
    """The first `count` numbers of each line, and no look at further words; all of them where `count` is None.

    Returns
    -------
    ndarray, shape (lines, count)

    Raises
    ------
    ValueError
        A line has fewer words, or one of them is no number; or not all have the same number, where `count` is None.

    >>> columns(["1 .5 2e3", "nan -4 5 red"], 3).tolist()
    [[1.0, 0.5, 2000.0], [nan, -4.0, 5.0]]
    """
    if len(lines) == 0:
        return np.empty((0, count or 0), dtype)
    if not lines[0].strip():
        raise ValueError("a blank line")
    usecols = range(count) if count else None
    try:
        table = np.loadtxt(lines, dtype=dtype, usecols=usecols, comments=None, ndmin=2)
    except ValueError:
        plain = list(map(_plain, lines)) if dtype is np.float64 else lines
        if plain == lines:
            raise
        table = np.loadtxt(plain, dtype=dtype, usecols=usecols, comments=None, ndmin=2)
    if len(table) < len(lines):
        raise ValueError("a blank line")
    return table


def _plain(text: str) -> str:
    """Numbers that other languages write in their own way, as ours.

    >>> _plain("1.5D+02 -.5d-3 -1.#IND nan(ind) 1d3 x.5D+1")
    '1.5e+02 -.5e-3 nan nan 1d3 x.5D+1'
    """
    return _NOT_A_NUMBER.sub("nan", _DOUBLE.sub(r"\1e\2", text))


def integers(words: Sequence[str]) -> Ints:
    """Words as integers.

    Raises
    ------
    ValueError
        A word is no integer, or does not fit 64 bits; says which one.

    >>> integers(["1", "-20"]).tolist()
    [1, -20]
    """
    try:
        return np.loadtxt(words, dtype=np.int64, comments=None, ndmin=1) if len(words) else np.empty(0, np.int64)
    except ValueError:
        word = next((word for word in words if not _fits(word)), "")
        raise ValueError(f"{word[:40]!r} where a whole number is expected") from None


def _fits(word: str) -> bool:
    try:
        return len(np.loadtxt([word], dtype=np.int64, comments=None, ndmin=1)) == 1
    except ValueError:
        return False


def one_number(word: str) -> float:
    """A word as a number.

    Raises
    ------
    ValueError
        It is none, nor is one with Python's own mark between digits.

    >>> one_number(" -2.5e3 ")
    -2500.0
    >>> one_number("1_0")
    Traceback (most recent call last):
    ValueError: '1_0' is no number
    """
    try:
        if "_" not in word:
            return float(word)
    except ValueError:
        pass
    raise ValueError(f"{word[:40]!r} is no number{comma_advice(word)}")


def is_number(word: str) -> bool:
    """Whether a word is a number; one with Python's own mark between digits is none.

    >>> is_number("-2.5e3"), is_number("1_0"), is_number("x")
    (True, False, False)
    """
    try:
        one_number(word)
    except ValueError:
        return False
    return True


def one_integer(word: str) -> int:
    """A word as an integer. Raises as `one_number` does."""
    try:
        if "_" not in word:
            return int(word)
    except ValueError:
        pass
    raise ValueError(f"{word[:40]!r} is no integer")


def numbers(text: str, what: str) -> Floats:
    """All numbers of a text of nothing else.

    Raises
    ------
    Unreadable
        A word is no number; `what` says of what.

    >>> numbers("1 2.5\\n-inf", "body").tolist()
    [1.0, 2.5, -inf]
    """
    parts = [np.empty(0)]
    start = 0
    while start < len(text):
        end = start + PIECE
        while end < len(text) and not text[end].isspace():
            end += 1
        words = text[start:end].split()
        if words:
            try:
                parts.append(columns(words, 1)[:, 0])
            except ValueError:
                word = words[bad_line(words, 1)]
                raise Unreadable(f"{what}: {word[:40]!r} where a number is expected{comma_advice(word)}") from None
        start = end
    return np.concatenate(parts)


def comma_advice(text: str) -> str:
    """What to add to the message on a number that is none: that its decimal comma is the reason, where it is.

    >>> comma_advice("v 1,5 2 3"), comma_advice("1.5.2")
    ('; a decimal comma: export with a point', '')
    """
    return "; a decimal comma: export with a point" if DECIMAL_COMMA.search(text) else ""


def bad_line(lines: Sequence[str], count: int) -> int:
    """Index of the first line that does not begin with `count` numbers, of lines among which there is one."""
    for index, line in enumerate(lines):
        try:
            columns([line], count)
        except ValueError:
            return index
    raise AssertionError("every line is good")
