"""Commas in lists of points: between columns, or decimal ones.

Where semicolons or tabs separate the columns, commas are decimal commas, which is told; likewise between blanks, where
nothing else makes sense, and commas of quoted numbers. A file that has decimal points as well, or makes sense both
ways, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from massprops.core.notice import Notice
from massprops.errors import Unreadable

QUOTED_COMMA = "\x1a"
"""Stands for a comma of a quoted number until it is known what separates the columns; no text has it."""

_QUOTED_DECIMAL = re.compile(rf"[-+]?\d*{QUOTED_COMMA}\d+(?:[eE][-+]?\d+)?")
_QUOTED_THOUSANDS = re.compile(rf"[-+]?[1-9]\d{{0,2}}{QUOTED_COMMA}\d{{3}}")
_TAB = re.compile(r"\t(?<![,\n\t]\t)[ \t]*[^\s,]")
_SEMICOLONS = re.compile(r"\s*[;\t]\s*")
_BLANKS = re.compile(r"\s+")
_LOOSE_COMMA = re.compile(r",(?:(?!\d)|\d*,|(?<=[^-+\d;\s],))")  # a literal first is searched for fast
_NUMBER = r"[-+]?(?:\d+(?:,\d+)?|\d*\.\d*)(?:[eE][-+]?\d+)?"
_BETWEEN_BLANKS = re.compile(rf"\s*{_NUMBER}\s+{_NUMBER}(\s+\S+)?\s*$")
_SEPARATORS = str.maketrans(",;\t\f\v", "     ")


def plain_numbers(body: str, skipped: int) -> tuple[str, list[Notice]]:
    """Numbers separated by blanks, with decimal points; what holds for one line holds for all.

    Parameters
    ----------
    body : str
        Lines of points, with commas of quoted numbers as `QUOTED_COMMA`.
    skipped : int
        Number of lines above.

    Raises
    ------
    Unreadable
        A comma may be read in more than one way.

    >>> plain_numbers("0,5;1\\n", 0)[0], plain_numbers("0,5\\n", 0)[0]
    ('0.5 1\\n', '0 5\\n')
    """
    quoted = QUOTED_COMMA in body
    if not quoted and "," not in body:
        return body.translate(_SEPARATORS), []
    if ";" in body or _TAB.search(body):
        return _with_points(body.replace(QUOTED_COMMA, ","), skipped, _SEMICOLONS, "semicolons or tabs")
    if quoted and _are_decimals(body):
        message = "commas within quotes are read as decimal points"
        return body.replace(QUOTED_COMMA, ".").translate(_SEPARATORS), [Notice("decimal_comma", message)]
    if quoted:
        place = body.index(QUOTED_COMMA)
        raise _comma(body.replace(QUOTED_COMMA, ",").split("\n"), body.count("\n", 0, place), skipped)
    if _blanks_separate(body, skipped):
        return _with_points(body, skipped, _BLANKS, "blanks")
    return body.translate(_SEPARATORS), []


def _are_decimals(body: str) -> bool:
    """Whether quoted numbers have decimal commas: one each, and not each where one may stand between thousands."""
    words = re.findall(rf"[^\s,]*{QUOTED_COMMA}[^\s,]*", body)
    return (
        "." not in body
        and all(map(_QUOTED_DECIMAL.fullmatch, words))
        and not all(map(_QUOTED_THOUSANDS.fullmatch, words))
    )


def _comma(lines: list[str], number: int, skipped: int) -> Unreadable:
    return Unreadable(
        f"line {skipped + number + 1}: {lines[number].strip()[:40]!r} may be read in more than one way; "
        "write numbers with decimal points, none between thousands, and separate the columns by semicolons"
    )


def _with_points(body: str, skipped: int, separator: re.Pattern[str], name: str) -> tuple[str, list[Notice]]:
    """Decimal points for the commas of the first two columns."""
    commas = points = False
    lines = body.split("\n")
    strict = "." in body or bool(_LOOSE_COMMA.search(body))
    for number, line in enumerate(lines):
        for word in separator.split(line.strip(), 2)[:2]:
            commas, points = commas or "," in word, points or "." in word
            if (commas and points) or ("," in word and _LOOSE_COMMA.search(word)):
                raise _comma(lines, number, skipped)
        if commas and not strict:
            break
    if not commas:  # they are in the names of loops
        return body.replace(",", "_").translate(_SEPARATORS), []
    message = f"commas are read as decimal points, as the columns are separated by {name}"
    return body.replace(",", ".").translate(_SEPARATORS), [Notice("decimal_comma", message)]


def _blanks_separate(body: str, skipped: int) -> bool:
    """Whether the commas of a file of commas and blanks are decimal commas."""
    if not _BETWEEN_BLANKS.match(body[: body.find("\n")] if "\n" in body else body):
        return False
    lines = body.split("\n")
    if not all(_are_columns(block) for filled, block in groupby(lines, _is_filled) if filled):
        return True
    if not all(_BETWEEN_BLANKS.match(line) for line in lines if _is_filled(line)):
        return False
    raise _comma(lines, next(number for number, line in enumerate(lines) if "," in line), skipped)


def _is_filled(line: str) -> bool:
    return bool(line) and not line.isspace()


def _are_columns(block: Iterator[str]) -> bool:
    """Whether lines have two or three columns each, and the same number, if commas separate them."""
    width = 0
    for line in block:
        count = len(line.translate(_SEPARATORS).split())
        if count not in (2, 3) or width not in (0, count):
            return False
        width = count
    return True
