"""What the heading of a list of points calls its columns.

Columns that are called y and x, or v and u, are taken as they are called, with or without a unit: ``y [mm]``,
``Y_mm``, ``x/c``, ``y coordinate``, ``POINT_Y``. So are x and y, and words that mean them: northing and easting,
latitude and longitude, ordinate and abscissa. Other names mean nothing; a heading that calls the columns by such
letters in another way is told, or refused where the coordinates stand in other columns than the first two, but for one
column that numbers or names them (`massprops.readers.column_order`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from massprops.core.notice import Notice
from massprops.errors import Unreadable

_BRACKETS = re.compile(r"[\[({][^\])}\[({\n]*+[\])}]")
_COMMENT = re.compile(r"#(?! *[,;\t]).*")
"""But for the sign in ``Point #, x, y``."""

_UNIT = r"(?:[ _/.]+(?:in )?[^\W\d_]{1,4}|[ _]*%)?"
_KIND = r"(?:coordonn\S{1,2}e|coord[^\W\d_]*|koord[^\W\d_]*|pos(?:ition)?|points?|achse|axis)"
_NAME = re.compile(rf"(?:{_KIND}[ _.-]*)?([u-z])(?:[ _.-]*{_KIND})?{_UNIT}", re.I)
_WORD = re.compile(
    r"(easting|rechtswert|ostwert|abscissae?|abszisse|abscisse|ascissa|abscisa|longitude|long?|lng)"
    r"|(northing|hochwert|nordwert|ordinate|ordonn\S{1,2}e|ordinata|ordenada|latitude|lat)",
    re.I,
)
"""Words for x and for y. Letters with accents may be any, as not even their encoding is known."""
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
    letters = letters_of(line)
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


def letters_of(line: str) -> list[str]:
    """For each column of a heading the letter that it is called by, empty where it has another name.

    >>> letters_of("No.;Northing [m];x coordinate;"), letters_of(",x,y")
    (['', 'y', 'x'], ['', 'x', 'y'])
    """
    words = _BRACKETS.sub("", _COMMENT.sub("", line.strip(" #"))).replace('"', "").replace("'", "").rstrip(" \t,;")
    fields = re.split("[,;\t]", words) if re.search("[,;\t]", words.strip()) else words.split()
    return [_letter(field.strip()) for field in fields]


def _letter(field: str) -> str:
    match = _NAME.fullmatch(field)
    if match:
        return match[1].lower()
    word = _WORD.match(field)
    return "" if word is None or not re.fullmatch(_UNIT, field[word.end() :]) else "x" if word[1] else "y"


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
