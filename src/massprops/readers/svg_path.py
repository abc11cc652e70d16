"""The path data of SVG: commands to segments, arcs kept as arcs.

Source: Scalable Vector Graphics (SVG) 2, chapter 9 and appendix B.2.
"""

from __future__ import annotations

import math
import re

import numpy as np

from massprops.core.curve import Path
from massprops.core.segments import AnyPiece, Arc, Bezier, Polyline
from massprops.core.surface import Floats
from massprops.errors import NonFinite, Unreadable
from massprops.readers.svg_values import NUMBER, finite

_NUMBER = re.compile(rf"[\s,]*({NUMBER})")
_FLAG = re.compile(r"[\s,]*([01])")
_COMMAND = re.compile(r"[\s,]*([MmZzLlHhVvCcSsQqTtAa])")
_BLANK = re.compile(r"[\s,]*$")

_LOST = 2.0**-53
"""A radius of an arc that is no more than this share of the other one is lost to rounding."""

_SHORTEST = 2.0**-1000
"""Ends of an arc that are no further apart, in diameters, are one point: its reciprocal may be no float64."""

_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAGS = (3, 4)  # the arguments of an arc that are single digits, with no need of a blank between them


def path_of(data: str) -> list[Path]:
    """The subpaths of path data.

    Parameters
    ----------
    data : str
        The attribute ``d``.

    Returns
    -------
    list of Path
        In the coordinates of the data. A subpath that ends in Z ends where it starts; those of a single point are
        left out.

    Raises
    ------
    Unreadable
        The data break the grammar.
    NonFinite
        A number is too large for a float64.

    Examples
    --------
    >>> [path.end.tolist() for path in path_of("M0 0h4v3z m10,0 a1 1 0 011-1")]
    [[0.0, 0.0], [11.0, -1.0]]
    """
    pen = _Pen()
    position, command = 0, ""
    while not _BLANK.match(data, position):
        match = _COMMAND.match(data, position)
        if match:
            position, command = match.end(), match[1]
            if not pen.moved and command not in "Mm":
                raise Unreadable(f"path data begin with {command!r} instead of 'M'")
        elif command in ("", "Z", "z"):
            raise _bad(data, position)
        else:
            command = {"M": "L", "m": "l"}.get(command, command)  # further pairs after a move are lines
        numbers, position = _numbers(data, position, command.upper())
        pen.draw(command, numbers)
    pen.finish()
    return pen.paths


def _numbers(data: str, position: int, command: str) -> tuple[list[float], int]:
    numbers: list[float] = []
    for k in range(_COUNTS[command]):
        pattern = _FLAG if command == "A" and k in _FLAGS else _NUMBER
        match = pattern.match(data, position)
        if match is None:
            raise _bad(data, position)
        numbers.append(_finite(match[1], match.start(1)))
        position = match.end()
    return numbers, position


def _finite(word: str, position: int) -> float:
    try:
        return finite(word)
    except NonFinite as error:
        raise NonFinite(f"path data, character {position + 1}: {error.said}") from None


def _bad(data: str, position: int) -> Unreadable:
    return Unreadable(f"path data, character {position + 1}: {data[position : position + 20]!r} makes no sense")


def _radii(rx: float, ry: float, chord: float) -> tuple[float, float] | None:
    """The radii of an arc, large enough to reckon with; None of one that is a straight line.

    That is what the specification makes of a radius of 0; one lost to rounding beside the other is taken for such.
    Radii too small for the chord are enlarged later. Here, they are doubled while that makes no difference, so that no
    quotient is too large for a float64.
    """
    low, high = sorted((abs(rx), abs(ry)))
    if low <= _LOST * high or not _SHORTEST * high < chord / 2 < math.inf:
        return None
    doublings = max(math.frexp(chord)[1] - math.frexp(high)[1] - 2, 0)
    return math.ldexp(rx, doublings), math.ldexp(ry, doublings)


class _Pen:
    """Draws command by command; a reader's own notebook, not a value."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.moved = False
        self._pieces: list[AnyPiece] = []
        self._line: list[Floats] = []
        self._start = self._at = np.zeros(2)
        self._handle: tuple[str, Floats] = ("", np.zeros(2))
        """Kind and last control point of the last curve, which smooth commands reflect."""

    def draw(self, command: str, numbers: list[float]) -> None:
        kind = command.upper()
        origin = self._at if command.islower() else np.zeros(2)
        handle = ("", self._at)
        if kind == "Z":
            self._line_to(self._start)
            self.finish()
        elif kind == "M":
            self.finish()
            self.moved, self._start = True, origin + numbers
            self._at = self._start
        elif kind == "L":
            self._line_to(origin + numbers)
        elif kind == "H":
            self._line_to(np.array([origin[0] + numbers[0], self._at[1]]))
        elif kind == "V":
            self._line_to(np.array([self._at[0], origin[1] + numbers[0]]))
        elif kind == "A":
            self._arc_to(numbers, origin + numbers[5:])
        else:
            handle = self._curve_to(kind, origin + np.reshape(numbers, (-1, 2)))
        self._handle = handle

    def finish(self) -> None:
        """End the subpath."""
        self._end_line()
        if self._pieces:
            self.paths.append(Path(tuple(self._pieces)))
        self._pieces = []
        self._at = self._start

    def _line_to(self, end: Floats) -> None:
        if (end != self._at).any():
            self._line += [end] if self._line else [self._at, end]
            self._at = end

    def _end_line(self) -> None:
        if self._line:
            self._pieces.append(Polyline(np.array(self._line)))
            self._line = []

    def _arc_to(self, numbers: list[float], end: Floats) -> None:
        rotation, large, positive = numbers[2:5]
        radii = _radii(numbers[0], numbers[1], math.dist(self._at, end))
        if radii is None:
            self._line_to(end)
        else:
            self._end_line()
            arc = Arc.from_ends(self._at, end, radii, math.radians(rotation), large == 1, positive == 1)
            self._pieces.append(arc)
            self._at = end

    def _curve_to(self, kind: str, points: Floats) -> tuple[str, Floats]:
        family = "C" if kind in "CS" else "Q"
        if kind in "ST":
            last_kind, last = self._handle
            reflected = 2 * self._at - last if last_kind == family else self._at
            points = np.concatenate([[reflected], points])
        control = np.concatenate([[self._at], points])
        if (control != self._at).any():
            self._end_line()
            self._pieces.append(Bezier(control))
        self._at = points[-1]
        return family, points[-2]
