"""Loops as lists of points: CSV, and airfoil files.

One point a line, u and v, separated by commas, semicolons, blanks or tabs. A blank line, or another number or name in a
third column, starts the next loop. A line of words on top is a heading; ``#`` starts a comment. Each loop is closed
from its last point to its first. Airfoil files come in two layouts: Selig's, one loop from the trailing edge round to
it; and Lednicer's, with the numbers of points on top and both surfaces from the leading edge on, which are put
together here.

Source: M. S. Selig, UIUC Airfoil Coordinates Database, "Airfoil formats".
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
from massprops.readers.decimals import text_of
from massprops.readers.section_reading import SectionReading

_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(;|$)")
_MOST_HEADINGS = 3


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
    text, notices = _plain(text_of(data))
    lines = text.split("\n")
    skipped = _headings(lines)
    blocks = [(first, _table(lines[first:last], first)) for first, last in _blocks(lines, skipped)]
    if not blocks:
        raise Empty("the file holds no points")
    loops = _lednicer(blocks)
    if loops is None:
        loops = [loop for _, table in blocks for loop in _by_label(table)]
    else:
        notices.append(Notice("lednicer", "the two surfaces of an airfoil in Lednicer's layout make one loop"))
    rings = (Polyline(np.concatenate([loop, loop[:1]])) for loop in loops)
    return SectionReading((Shape.of(*rings),), format, tuple(notices))


def _plain(text: str) -> tuple[str, list[Notice]]:
    """Numbers separated by blanks, with decimal points."""
    if "#" in text:
        text = re.sub(r"#[^\n]*", "", text)
    if ";" in text:
        first = next((line for line in text.split("\n") if line[:1] in "-+.0123456789" and line), "")
        if _DECIMAL_COMMA.match(first.replace(" ", "")):
            message = "commas are read as decimal points, as the columns are separated by semicolons"
            return text.replace(",", ".").replace(";", " "), [Notice("decimal_comma", message)]
    return text.translate(str.maketrans(",;\t\f\v", "     ")), []


def _headings(lines: list[str]) -> int:
    """Number of lines at the top that hold words."""
    for number, line in enumerate(lines):
        words = line.split()
        if words and _is_number(words[0]) and len(words) > 1 and _is_number(words[1]):
            return number
        if words and number >= _MOST_HEADINGS:
            raise Unreadable(f"line {number + 1}: {line.strip()[:40]!r} where two numbers are expected")
    return len(lines)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _blocks(lines: list[str], skipped: int) -> list[tuple[int, int]]:
    """First and last but one line of each run of lines between blank ones."""
    filled = map(str.strip, lines[skipped:])  # of millions of lines: no step of Python for each
    blank = compress(range(skipped, len(lines)), map(not_, filled))
    edges = [skipped - 1, *blank, len(lines)]
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
        if len(row) != width or len(row) not in (2, 3) or not (_is_number(row[0]) and _is_number(row[1])):
            text = lines[number].strip()[:40]
            raise Unreadable(f"line {first + number + 1}: {text!r} where {min(width, 3)} columns are expected")
    _checked(np.array([[float(x) for x in row[:2]] for row in rows]), first)
    return rows


def _checked(table: Floats, first: int) -> Floats:
    finite = np.isfinite(table)
    if not finite.all():
        number = int(np.flatnonzero(~finite.all(axis=1))[0])
        raise NonFinite(f"line {first + number + 1}: a coordinate is not finite; correct it in the file")
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


def _lednicer(blocks: list[tuple[int, Floats | list[list[str]]]]) -> list[Floats] | None:
    """One loop of the upper surface backwards and the lower one, if the first line gives their numbers of points."""
    tables = [table for _, table in blocks if not isinstance(table, list)]
    if len(tables) < len(blocks) or any(table.shape[1] != 2 for table in tables):
        return None
    points = np.concatenate(tables)
    counts = points[0]
    if (counts != np.floor(counts)).any() or counts.min() < 2 or counts.sum() != len(points) - 1:
        return None
    upper, lower = points[1 : 1 + int(counts[0])], points[1 + int(counts[0]) :]
    same = bool((upper[0] == lower[0]).all())
    return [np.concatenate([upper[::-1], lower[1:] if same else lower])]
