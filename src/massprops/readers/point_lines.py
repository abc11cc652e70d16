"""Lines of airfoil files that are no points, though points stand above or below.

* Remarks below the last point: where the profile comes from, who drew it, its polar. They begin with a line of words.
* The box of the grid in files of MSES: four numbers between the name and the points.

Source: M. Drela, "A User's Guide to MSES 3.05", "Airfoil coordinate file blade.xxx".
"""

from __future__ import annotations

import re

from massprops.core.notice import Notice
from massprops.errors import Unreadable
from massprops.number_of import number_of
from massprops.readers.decimals import is_number

COLUMNS = re.compile(r"[,;\s]+")
MISTYPED = re.compile(r"[-+.]*\d.*|[-+.\dOoIl]+|#?(?i:n/?a|null|none|missing)")
"""Words that are meant for numbers: ``1.5mm``, the letters O and l for digits, and what stands for one left out."""

_NO_COMMAS = re.compile(r"[;\s]+")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_AROUND = " \t\f\v,;"

_FEWEST = 3
"""Points of an outline, below which there may be remarks."""

_NEXT_ELEMENT = re.compile(r"^[ \t]*999\.?0*[ \t]+999\.?0*[ \t]*$", re.M)
"""What stands between elements in files of MSES."""


def without_remarks(body: str, skipped: int) -> tuple[str, list[Notice]] | None:
    """Points without the remarks below the last one, and what to tell of these; None where there are none.

    Parameters
    ----------
    body : str
        Lines of points of an airfoil file that cannot be read as they are.
    skipped : int
        Number of lines above.

    Raises
    ------
    Unreadable
        What looks like points follows below the words: it may be another element or surface.

    Examples
    --------
    >>> found = without_remarks("0 0\\n4 0\\n0 3\\n\\nby A. N. Other\\n", 1)
    >>> found[0], found[1][0].message
    ('0 0\\n4 0\\n0 3\\n', "not read: 1 line below the last point, from line 6 on: 'by A. N. Other'")
    """
    lines = body.split("\n")
    widths = {2} | {len(words) for words in _readings(lines[0]) if len(words) == 3}
    first = next((number for number, line in enumerate(lines) if _is_remark(line, widths)), len(lines))
    if first == len(lines) or _filled(lines[:first]) < _FEWEST:
        return None
    place = f"line {skipped + first + 1}"
    text = repr(lines[first].strip()[:40])
    are_commas = "," in lines[0] and len(_readings(lines[0])[0]) in widths
    for number in range(first + 1, len(lines)):
        if _is_point(lines[number], widths, are_commas):
            raise Unreadable(
                f"{place}: {text} is no point, but line {skipped + number + 1} below it looks like one; delete it, put "
                "a # before it if a surface or a loop ends there, or delete all from it on if these are remarks"
            )
    message = f"not read: {number_of(_filled(lines[first:]), 'line')} below the last point, from {place} on: {text}"
    return "\n".join(lines[:first]), [Notice("trailing_bytes", message, {"lines": _filled(lines[first:])})]


def _filled(lines: list[str]) -> int:
    return sum(1 for line in lines if line.strip())


def _readings(line: str) -> tuple[list[str], list[str]]:
    """Words of a line if commas separate them, and if they are decimal ones."""
    line = line.strip(_AROUND)
    return COLUMNS.split(line), [word.replace(",", ".") for word in _NO_COMMAS.split(line)]


def _is_numeric(word: str) -> bool:
    return is_number(word) or bool(MISTYPED.fullmatch(word))


def _is_pair(words: list[str]) -> bool:
    """Whether a line begins as a point does; one of its numbers may be mistyped."""
    pair = words[:2]
    return len(pair) == 2 and any(map(is_number, pair)) and all(map(_is_numeric, pair))


def _is_remark(line: str, widths: set[int]) -> bool:
    """Whether a line, of those between points, has words and cannot be meant for a point."""
    if not _LETTERS.search(line):  # which is found out faster
        return False
    for words in _readings(line):
        has_label = len(words) == 3 and 3 in widths
        if _is_pair(words) or (len(words) in widths and is_number(words[0])):
            return False
        if has_label and any(map(_is_numeric, words[:2])):
            return False
    return any(_LETTERS.search(word) and not _is_numeric(word) for word in COLUMNS.split(line))


def _is_point(line: str, widths: set[int], are_commas: bool) -> bool:
    """Whether a line below words may be a point: two numbers, and at most words without any digit."""
    by_commas, by_blanks = _readings(line)
    if any(_is_pair(words) and len(words) in widths for words in (by_commas, by_blanks)):
        return True
    words = by_commas if are_commas else by_blanks
    return _is_pair(words) and not any(map(str.isdigit, "".join(words[2:])))


def is_box(line: str, following: str) -> bool:
    """Whether a line holds the ends of a grid in x and in y, and the next one a point.

    >>> is_box("-2 3 -2.5 3.5", "1.0 0.001"), is_box("1 2 3 4", "1 2 3 4")
    (True, False)
    """
    words, point = line.split(), following.split()
    if len(words) != 4 or len(point) != 2 or not all(map(is_number, words + point)):
        return False
    left, right, bottom, top = map(float, words)
    return left < right and bottom < top


def elements_apart(body: str) -> str:
    """Points below a box, with blank lines between elements.

    >>> elements_apart("1 0\\n999. 999.\\n2 0")
    '1 0\\n\\n2 0'
    """
    return _NEXT_ELEMENT.sub("", body)
