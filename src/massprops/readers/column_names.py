"""What the heading of a list of points calls its columns.

Columns that are called y and x, or v and u, are taken as they are called, with or without a unit: ``y [mm]``,
``Y_mm``, ``x/c``. So are x and y. Other names mean nothing; a heading that calls the columns by such letters in another
way is told, or refused where the coordinates stand in other columns than the first two.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from massprops.core.notice import Notice
from massprops.errors import Unreadable

_BRACKETS = re.compile(r"[\[({][^\])}\n]*[\])}]")
_NAME = re.compile(r"([u-z])(?:[ _/.]+(?:in )?[^\W\d_]{1,4}|[ _]*%)?", re.I)
_PAIRS = {"xy": False, "uv": False, "yx": True, "vu": True, "xz": False, "yz": False}
"""What two columns may be called, and whether they have to be swapped."""


class Names(NamedTuple):
    """What a heading says.

    Parameters
    ----------
    is_swapped : bool
        Whether the first column is v and the second u.
    third : str
        The letter of a third column that is a coordinate; empty otherwise.
    line : int
        Number of the heading, from 1.
    notices : tuple of Notice
    """

    is_swapped: bool = False
    third: str = ""
    line: int = 0
    notices: tuple[Notice, ...] = ()


def column_names(lines: list[str]) -> Names:
    """Names of columns in the last line that is not blank; comments count if they are nothing but names.

    Raises
    ------
    Unreadable
        Coordinates stand elsewhere than in the first two columns.

    Examples
    --------
    >>> column_names(["a profile", "# Y [mm]; X [mm]", ""])[:3]
    (True, '', 2)
    >>> column_names(["x,y,z"]).third
    'z'
    """
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip(" \t#")]
    if not filled:
        return Names()
    number, line = filled[-1]
    letters = _letters(line)
    first, third = "".join(letters[:2]), letters[2] if len(letters) > 2 else ""
    if len(letters) not in (2, 3) or len("".join(letters)) < 2:
        return Names()
    if len(first) < 2 or not all(letters[:2]):
        raise Unreadable(
            f"line {number}: {line.strip()[:40]!r} calls other columns than the first two coordinates; "
            "write u and v in these, and names of loops in a third one"
        )
    notices: tuple[Notice, ...] = ()
    if _PAIRS.get(first, True):
        u, v = (1, 2) if first not in _PAIRS else (2, 1)
        message = f"the columns are called {first[0]} and {first[1]}: u is taken from column {u}, v from column {v}"
        notices = (Notice("columns", message),)
    return Names(_PAIRS.get(first, False), third, number, notices)


def _letters(line: str) -> list[str]:
    """For each column the letter that it is called by, empty where it has another name."""
    words = _BRACKETS.sub("", line.lstrip(" \t#").split("#")[0].strip(" \t,;")).replace('"', "").replace("'", "")
    fields = re.split("[,;\t]" if re.search("[,;\t]", words) else r"\s+", words.strip())
    found = [_NAME.fullmatch(field.strip()) for field in fields]
    return [match[1].lower() if match else "" for match in found]


def check_third(names: Names, is_constant: bool) -> None:
    """Refuse loops that are told apart by a third coordinate.

    Raises
    ------
    Unreadable
        The third column is a coordinate, and not the same for all points.
    """
    if names.third and not is_constant:
        raise Unreadable(
            f"line {names.line}: the third column is called {names.third} and differs from point to point, "
            "but a section is plane; leave the column out, or write names of loops in it"
        )
