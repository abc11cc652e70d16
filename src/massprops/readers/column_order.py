"""Lists of points whose first column numbers or names the points, or names their loops: it is moved to the end.

So does pandas write its index, R its names of rows, and so do surveyors and geographic programs. Only a heading can
tell: one that calls the second and third of three columns x and y, or has two names for three columns, the first of
which counts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from massprops.readers.column_names import letters_of
from massprops.readers.decimals import is_number

_LOOKED_AT = 20
"""Lines below a heading that are asked whether they fit it."""

_BARE = re.compile(r'(?:"")?([,;\t])"?0"?\1"?1"?\s*')
"""The heading that pandas writes over an index and two columns without names."""

_COMMAS = str.maketrans(",\x1a", "..")


class Ordered(NamedTuple):
    """A text whose points come first.

    Parameters
    ----------
    text : str
        Without quotes and comments.
    headings : list of str
        Lines on top, as they were written.
    is_moved : bool
        Whether a first column has been moved to the end.
    """

    text: str
    headings: list[str]
    is_moved: bool = False


def points_first(text: str, headings: list[str]) -> Ordered:
    """Move a first column that is no coordinate to the end.

    Parameters
    ----------
    text : str
        Without quotes and comments.
    headings : list of str
        The lines on top among which there may be headings, as they were written.

    Examples
    --------
    >>> found = points_first("id,x,y\\n1,0,5\\n2,4,5\\n", ["id,x,y"])
    >>> found.text, found.headings
    ('x,y\\n0,5,1\\n4,5,2\\n', ['x,y'])
    """
    for number, line in enumerate(headings):
        is_bare = bool(_BARE.fullmatch(line))
        letters = ["", "x", "y"] if is_bare else letters_of(line)
        if letters[-2:].count("") or not (len(letters) == 2 or (len(letters) == 3 and not letters[0])):
            continue
        *above, body = text.split("\n", number + 1)
        below = body.split("\n", _LOOKED_AT)[:_LOOKED_AT]
        mark = next((mark for mark in ";\t," if mark in "".join(below)), " ")
        rows = [row for row in (_fields(row, mark) for row in below) if len(row) == 3]
        is_point = is_bare and not (rows and rows[0][0] == "0")
        if len(above) <= number or is_point or not _is_first_other(len(letters), rows):
            break
        top = mark.join(letters[-2:])
        moved = "\n".join([*above[:number], top, _moved(body, mark)])
        return Ordered(moved, [*headings[:number], top, *headings[number + 1 :]], True)
    return Ordered(text, headings)


def _fields(line: str, mark: str) -> list[str]:
    return [field.strip(" \t\"'") for field in line.strip().split(None if mark == " " else mark)]


def _is_first_other(names: int, rows: list[list[str]]) -> bool:
    """Whether the first of three columns is no coordinate, by the number of names above them."""
    points = [row for row in rows if all(is_number(word.translate(_COMMAS)) for word in row[1:])]
    if names == 3:
        return bool(points)
    counted = [row[0] for row in points] in [[str(k + first) for k in range(len(points))] for first in (0, 1)]
    return len(points) > 2 and counted and len({row[2] for row in points}) > 1


def _moved(body: str, mark: str) -> str:
    if mark == " ":
        return re.sub(r"(?m)^ *(\S+) +(\S+ +\S[^\n]*)$", r"\2 \1", body)
    return re.sub(rf"(?m)^([^{mark}\n]*){mark}([^{mark}\n]*{mark}[^\n]*)$", rf"\2{mark}\1", body)
