"""Loops as lists of points: CSV, and airfoil files.

The layout of CSV, row by row:

* A point: u and v, separated by commas, semicolons, tabs or blanks; quotes around them are passed over.
* A third column, if there is one, names the loop: where it changes, the next loop starts. One that is another at each
  point names the points, and is passed over. It may stand first (`massprops.readers.column_order`).
* A blank line starts the next loop, too. Each loop is closed from its last point to its first.
* ``#`` starts a comment.
* A heading may call the columns y and x (`massprops.readers.column_names`).
* Up to three lines on top may be headings: words, none of which is a number, or the name of an airfoil, which may have
  numbers in it (``NACA 0012``). Any other line that is no point is refused.
* Commas may be decimal ones (`massprops.readers.decimal_commas`).

Airfoil files may have both surfaces apart (`massprops.readers.airfoils`), a box above the points, and
remarks below them, which are left out and told (`massprops.readers.point_lines`).
"""

from __future__ import annotations

import re
from itertools import compress, pairwise
from operator import not_

import numpy as np

from massprops.core.curve import Shape
from massprops.core.notice import Notice
from massprops.core.segments import Polyline
from massprops.core.surface import Floats
from massprops.errors import Empty, NonFinite, Unreadable
from massprops.number_of import number_of
from massprops.readers.airfoils import counts_doubted, surfaces_joined
from massprops.readers.column_names import Names, check_third, column_names
from massprops.readers.column_order import points_first
from massprops.readers.decimal_commas import QUOTED_COMMA, plain_numbers
from massprops.readers.decimals import is_number, text_of
from massprops.readers.point_lines import COLUMNS, MISTYPED, elements_apart, is_box, without_remarks
from massprops.readers.section_reading import SectionReading

_MOST_HEADINGS = 3
_END_OF_FILE = "\x1a"
"""What old programs put there."""

_LINE_END = b"\r\r\n"
"""What Python's csv writes on Windows where the file has not been told to leave line ends alone."""

_DOUBLE = re.compile(r"(?<![\w.])(\d+\.\d*|\.\d+)[dD]([-+]\d{1,3})(?![\w.])")
"""A number as Fortran writes it in double precision."""

_MINUS = "\u2212", "\u2212".encode().decode("latin-1")
"""The sign that some languages and spreadsheets write, as text of UTF-16 and of UTF-8 has it."""

_POINTS_NAMED = "the third column is another at each point: it is taken to name points, not loops, and passed over"


def read_points(data: bytes, format: str = "csv") -> SectionReading:
    """Read lists of points.

    Parameters
    ----------
    data : bytes
        The file.
    format : str
        ``csv`` or ``dat``; they are read alike.

    Raises
    ------
    Empty
        There is no point.
    Unreadable
        A line is no point.
    NonFinite
        A coordinate is NaN or infinite.

    Examples
    --------
    >>> found = read_points(b"u,v\\n0,0\\n4,0\\n0,3\\n\\n1,1\\n2,1\\n1,2\\n")
    >>> [path.pieces[0].points[:-1].tolist() for path in found.shapes[0].paths]
    [[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]], [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]]
    """
    original = text_of(data.replace(_LINE_END, b"\r\n")).rstrip(_END_OF_FILE)
    for minus in _MINUS:
        original = original.replace(minus, "-")
    if any(mark in original for mark in ("D+", "D-", "d+", "d-")):  # which is found out faster
        original = _DOUBLE.sub(r"\1e\2", original)
    text, headings, is_moved = points_first(_unquoted(original), original.split("\n", _MOST_HEADINGS)[:_MOST_HEADINGS])
    skipped, start, is_boxed = _headings(text, format)
    names = column_names(headings[:skipped])
    body = elements_apart(text[start:]) if is_boxed else text[start:]
    told = list(names.notices)
    try:
        loops, notices = _loops(body, skipped, names, format, is_moved)
    except Unreadable:
        points = without_remarks(body, skipped) if format == "dat" else None
        if points is None:
            raise
        loops, notices = _loops(points[0], skipped, names, format, is_moved)
        told += points[1]
    rings = (Polyline(np.concatenate([loop, loop[:1]])) for loop in loops)
    return SectionReading((Shape.of(*rings),), format, (*told, *notices))


def _loops(body: str, skipped: int, names: Names, format: str, is_moved: bool) -> tuple[list[Floats], list[Notice]]:
    """Points of each loop, and what to tell of them."""
    body, notices = plain_numbers(body, skipped)
    lines = body.split("\n")
    blocks = [(skipped + first, _table(lines[first:last], skipped + first)) for first, last in _blocks(lines)]
    if not blocks:
        raise Empty("the file holds no points")
    check_third(names, not names.third or _is_constant([table for _, table in blocks]))
    loops = surfaces_joined([table for _, table in blocks], format == "dat")
    if loops is None:
        tables = [table for _, table in blocks]
        if _are_points_named(tables):
            tables = [_first_two(table) for table in tables]
            notices += [] if is_moved else [Notice("columns", _POINTS_NAMED)]
        loops = [loop for table in tables for loop in _by_label(table)]
        notices += _single_points(loops, any(len(table[0]) > 2 for _, table in blocks))
        notices += counts_doubted(loops) if format == "dat" else []
    else:
        notices.append(Notice("lednicer", "the two surfaces of an airfoil in Lednicer's layout make one loop"))
    if names.is_swapped:
        loops = [np.ascontiguousarray(loop[:, ::-1]) for loop in loops]
    return loops, notices


def _unquoted(text: str) -> str:
    """Neither comments nor quotes."""
    if "#" in text:
        text = re.sub(r"#[^\n]*", "", text)
    return re.sub(r'"([^"\n]*)"', _field, text) if '"' in text else text


def _field(quoted: re.Match[str]) -> str:
    """A quoted field as one word."""
    inside = quoted[1].strip()
    if is_number(inside.replace(",", "")):
        return inside.replace(",", QUOTED_COMMA)
    return COLUMNS.sub("_", inside)


def _headings(text: str, format: str) -> tuple[int, int, bool]:
    """Number of lines above the first point, the place where it starts, and whether the last is a box of MSES."""
    start, above, is_boxed = 0, list[tuple[int, str]](), False
    for number in range(text.count("\n") + 1):
        line = _line_at(text, start)
        end = start + len(line)
        words = COLUMNS.split(line.strip(" \t\f\v,;"))
        if format == "dat" and above and len(line.split()) == 4 and is_box(line, _line_at(text, end + 1)):
            is_boxed = True
        elif len(words) > 1 and all(is_number(word.replace(QUOTED_COMMA, ".")) for word in words[:2]):
            _check_headings(above, line, format)
            return number, start, is_boxed
        elif line.strip():
            above.append((number, line))
            if number >= _MOST_HEADINGS:
                break
        start = end + 1
    _check_headings(above, ",", format)
    if above and above[-1][0] >= _MOST_HEADINGS:
        raise _no_point(above[-1][0], above[-1][1].replace(QUOTED_COMMA, ","))
    return text.count("\n") + 1, len(text), is_boxed


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _no_point(number: int, line: str) -> Unreadable:
    return Unreadable(
        f"line {number + 1}: {line.strip()[:40]!r} where two numbers are expected; "
        "correct it, or put a # before it if it is a comment"
    )


def _check_headings(above: list[tuple[int, str]], point: str, format: str) -> None:
    """Refuse what stands above the first point and may have been meant for one."""
    separator = re.compile("[,;\t]") if any(mark in point for mark in ",;\t") else None
    for number, line in above:
        if not _is_heading(line.replace(QUOTED_COMMA, "."), separator, format):
            raise _no_point(number, line.replace(QUOTED_COMMA, ","))


def _is_heading(line: str, separator: re.Pattern[str] | None, format: str) -> bool:
    words = [word.strip("\"'") for word in COLUMNS.split(line) if word]
    if len(words) == 1:  # airfoils are called 0012 or 20-32c
        return not is_number(words[0]) or (format == "dat" and words[0].isdigit() and len(words[0]) > 2)
    fields = separator.split(line) if separator else [words[0]] if words and format != "dat" else []
    if any(is_number(field.strip(" \t\"'")) for field in fields):
        return False
    if format != "dat" and len(words) == 2 and words[0].lower() in "uvxyz" and is_number(words[1]):
        return False  # a point whose first number is missing; no profile is called x
    names = (word for word in words if any(map(str.isalpha, word)) and not MISTYPED.fullmatch(word))
    return any(names) or not any(map(str.isalnum, line))


def _blocks(lines: list[str]) -> list[tuple[int, int]]:
    """First and last but one line of each run of lines between blank ones."""
    filled = map(str.strip, lines)  # of millions of lines: no step of Python for each
    blank = compress(range(len(lines)), map(not_, filled))
    edges = [-1, *blank, len(lines)]
    return [(a + 1, b) for a, b in pairwise(edges) if b > a + 1]


def _table(lines: list[str], first: int) -> Floats | list[list[str]]:
    """Numbers of a block, shape (n, 2) or (n, 3); rows of words where the third column has names."""
    width = len(lines[0].split())
    if width in (2, 3):
        try:
            table = np.loadtxt(lines, comments=None, ndmin=2)
            return _checked(table, first)
        except ValueError:
            pass
    rows = [line.split() for line in lines]
    for number, row in enumerate(rows):
        if len(row) != width or len(row) not in (2, 3) or not (is_number(row[0]) and is_number(row[1])):
            text = lines[number].strip()[:40]
            raise Unreadable(f"line {first + number + 1}: {text!r} where {_wanted(row, width)} expected")
    _checked(np.array([[float(x) for x in row[:2]] for row in rows]), first)
    return rows


def _wanted(row: list[str], width: int) -> str:
    """What a row should have that it lacks, after rows of some width."""
    if width not in (2, 3):
        return "two numbers, and at most the name of a loop, in one word or quoted, are"
    if len(row) != width:
        return f"{width} columns are"
    return "two numbers are" if width == 2 else "two numbers and the name of a loop are"


def _checked(table: Floats, first: int) -> Floats:
    finite = np.isfinite(table)
    if not finite.all():
        number = int(np.flatnonzero(~finite.all(axis=1))[0])
        what = "a coordinate is not finite; correct it in the file, or leave the line blank if it parts loops"
        raise NonFinite(f"line {first + number + 1}: {what}")
    return table


def _by_label(table: Floats | list[list[str]]) -> list[Floats]:
    """A block cut where its third column changes."""
    if isinstance(table, list) and len(table[0]) == 2:  # digits that only Python takes for numbers
        return [np.array([[float(x) for x in row] for row in table])]
    if isinstance(table, list):
        labels = np.array([row[2] for row in table])
        points = np.array([[float(x) for x in row[:2]] for row in table])
    elif table.shape[1] == 2:
        return [table]
    else:
        labels, points = table[:, 2], table[:, :2]
    return np.split(points, np.flatnonzero(labels[1:] != labels[:-1]) + 1)


def _are_points_named(tables: list[Floats | list[list[str]]]) -> bool:
    """Whether the third column is nowhere the same twice within a block, so that it can name no loops."""
    if not all(len(table) > 2 and len(table[0]) == 3 for table in tables):
        return False
    columns = ([row[2] for row in table] if isinstance(table, list) else table[:, 2].tolist() for table in tables)
    open_ones = (names[:-1] if names[-1] == names[0] else names for names in columns)  # the first point once more
    return all(names[0] != names[1] and len(set(names)) == len(names) for names in open_ones)


def _first_two(table: Floats | list[list[str]]) -> Floats | list[list[str]]:
    return [row[:2] for row in table] if isinstance(table, list) else table[:, :2]


def _is_constant(tables: list[Floats | list[list[str]]]) -> bool:
    """Whether the third column, if there is one, is the same throughout."""
    rows = [table if isinstance(table, list) else table.tolist() for table in tables]
    return len({row[2] for table in rows for row in table if len(row) > 2}) < 2


def _single_points(loops: list[Floats], are_named: bool) -> list[Notice]:
    single = sum(len(loop) == 1 for loop in loops)
    doubt = "is the third column no name of loops?" if are_named else "are blank lines not meant to part loops?"
    message = f"{number_of(single, 'loop is', 'loops are')} one point each and enclose nothing; {doubt}"
    return [Notice("degenerate", message, {"loops": single})] if single else []
