"""Values in SVG attributes: lengths, transforms, view boxes.

Sources: SVG 2, chapters 7 and 8; CSS Values 3, chapter 6 (units); CSS Transforms 1, chapter 8.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from massprops.core.surface import Floats
from massprops.errors import NonFinite, Unreadable

INCH = Fraction(254, 10000)
METRES = {
    "": INCH / 96,
    "px": INCH / 96,
    "pt": INCH / 72,
    "pc": INCH / 6,
    "in": INCH,
    "cm": Fraction(1, 100),
    "mm": Fraction(1, 1000),
    "Q": Fraction(1, 4000),
    "q": Fraction(1, 4000),
}
"""Length of each unit; a user unit without a view box is a pixel of 1/96 inch."""

_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": math.degrees(1.0), "turn": 360.0}

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
"""A number of path data and of other lists; nothing need part it from the next one, as in 0-1 and .5.5."""

_EXACT = r"[-+]?(?:\d{1,50}\.?\d{0,50}|\.\d{1,50})(?:[eE][-+]?0{0,9}\d{1,2})?"
"""A number of which a fraction can be made: 1e999999999 would take all memory. Old Inkscape writes 1e-005."""

_PLACES = {"left": "0", "top": "0", "center": "50%", "right": "100%", "bottom": "100%"}
_ITEM = re.compile(rf"({NUMBER})([a-zA-Z]+|%)?\s*,?\s*|(?s:.)")
_LENGTH = re.compile(rf"\s*({_EXACT})\s*([a-zA-Z]*|%)\s*")
_FUNCTION = re.compile(r"\s*(\w+)\s*\(([^)]*)\)[\s,]*")


def measure(text: str) -> tuple[Fraction, str]:
    """A length as a number and its unit.

    Raises
    ------
    Unreadable
        It is no length.

    >>> measure(" 1.5mm")
    (Fraction(3, 2), 'mm')
    """
    match = _LENGTH.fullmatch(text)
    if match is None or (match[2] not in METRES and match[2] != "%"):
        raise Unreadable(f"{text[:40]!r} is no length in px, mm, cm, in, pt, pc or %, or too large")
    return Fraction(match[1]), match[2]


def sides(text: str) -> list[Fraction]:
    """Width and height of a view box, without error; empty where there is none.

    Raises
    ------
    Unreadable
        It is not four numbers, or a size is not positive.
    """
    items = _items(text)
    if not items:
        return []
    found = [Fraction(word) for word, unit in items if not unit and re.fullmatch(_EXACT, word)]
    if len(items) != 4 or len(found) != 4 or min(found[2:]) <= 0:
        raise Unreadable(f"viewBox {text[:40]!r} is no four numbers with a positive size")
    return found[2:]


def user_units(text: str | None, whole: float, default: float = 0.0) -> float:
    """A length in user units; a percentage is one of ``whole``."""
    if text is None or text.strip() in ("", "auto"):
        return default
    number, unit = measure(text)
    return float(number) * whole / 100 if unit == "%" else float(number * METRES[unit] / METRES["px"])


def finite(word: str) -> float:
    """A number of a list or of path data, of which the digits are in order.

    Raises
    ------
    NonFinite
        It is too large for a float64.
    """
    number = float(word)
    if math.isinf(number):
        raise NonFinite(f"{word[:40]!r} is too large a number")
    return number


def numbers(text: str) -> list[float]:
    """Numbers separated by blanks, by a comma, or by nothing where that leaves no doubt.

    Raises
    ------
    Unreadable
        Something is no number, or there are two commas between numbers.
    NonFinite
        One is too large.

    >>> numbers("0,0.0 , 1e-1-1e2 .5.5")
    [0.0, 0.0, 0.1, -100.0, 0.5, 0.5]
    """
    items = _items(text)
    if not all(word and not unit for word, unit in items):
        raise Unreadable(f"{text[:40]!r} where numbers are expected")
    return [finite(word) for word, _ in items]


def _items(text: str) -> list[tuple[str, str]]:
    """Numbers of a list, each with the unit behind it; an empty one for each character that belongs to none."""
    return _ITEM.findall(text.strip(" \t\r\n\f,"))


@dataclass(frozen=True, eq=False)
class Transform:
    """The map x -> A x + t from an element's coordinates to those of the drawing."""

    matrix: Floats
    translation: Floats

    @classmethod
    def identity(cls) -> Transform:
        """The map that changes nothing."""
        return cls(np.eye(2), np.zeros(2))

    @property
    def is_finite(self) -> bool:
        """Whether no number of it is NaN or infinite."""
        return bool(np.isfinite(self.matrix).all() and np.isfinite(self.translation).all())

    def of(self, inner: Transform) -> Transform:
        """The map that does ``inner`` first."""
        return Transform(self.matrix @ inner.matrix, self.matrix @ inner.translation + self.translation)


def transform(text: str | None) -> Transform:
    """The map of a ``transform`` attribute.

    Raises
    ------
    Unreadable
        There is no such transform.
    NonFinite
        A number of it is too large.

    >>> transform("translate(5) rotate(90)").translation.tolist(), transform("translate(5px, 1pc)").translation.tolist()
    ([5.0, 0.0], [5.0, 16.0])
    """
    result, position = Transform.identity(), 0
    text = (text or "").strip()
    text = "" if text == "none" else text
    while position < len(text):
        match = _FUNCTION.match(text, position)
        if match is None:
            raise Unreadable(f"transform {text[position : position + 40]!r} makes no sense")
        values = [_plain(*item, match[2]) for item in _items(match[2])]
        if not all(map(math.isfinite, values)):
            raise NonFinite(f"transform {match[0].strip()[:40]!r} has too large a number")
        result = result.of(_function(match[1], values))
        position = match.end()
    return result


def _plain(word: str, unit: str, text: str) -> float:
    """A number of a transform, in user units or degrees: in CSS it may have a unit.

    >>> _plain("10", "px", ""), _plain("-0.5", "turn", ""), _plain("1e1", "", ""), _plain("2.5e-1", "in", "")
    (10.0, -180.0, 10.0, 24.0)
    """
    if word and unit in _DEGREES:
        return float(word) * _DEGREES[unit]
    if word and unit and unit in METRES:
        return user_units(word + unit, 0.0)
    if unit or not word:
        raise Unreadable(f"{text[:40]!r} where numbers are expected")
    return float(word)


def origin(text: str | None, width: float, height: float) -> Floats:
    """The point of a ``transform-origin``, shape (2,), in a view of some size; user units.

    Raises
    ------
    Unreadable
        It is no such point.

    >>> origin("right 20%", 8.0, 5.0).tolist(), origin("bottom", 8.0, 5.0).tolist()
    ([8.0, 1.0], [4.0, 5.0])
    """
    words = (text or "0 0").split()[:2]
    if {"top", "bottom"} & set(words[:1]) or {"left", "right"} & set(words[1:]):
        words = [*words[1:], "center"][:1] + words[:1]
    words = [_PLACES.get(word, word) for word in [*words, "center"][:2]]
    return np.array([user_units(word, whole) for word, whole in zip(words, (width, height), strict=True)])


def _function(name: str, x: list[float]) -> Transform:
    count = len(x)
    if name == "matrix" and count == 6:
        return Transform(np.array([[x[0], x[2]], [x[1], x[3]]]), np.array(x[4:]))
    if name == "translate" and count in (1, 2):
        return Transform(np.eye(2), np.array([x[0], x[1] if count == 2 else 0.0]))
    if name in ("translateX", "translateY") and count == 1:
        return Transform(np.eye(2), np.array([x[0], 0.0] if name == "translateX" else [0.0, x[0]]))
    if name in ("scaleX", "scaleY") and count == 1:
        return Transform(np.diag([x[0], 1.0] if name == "scaleX" else [1.0, x[0]]), np.zeros(2))
    if name == "skew" and count in (1, 2):
        tangents = [math.tan(math.radians(angle)) for angle in x]
        return Transform(np.array([[1.0, tangents[0]], [0.0 if count == 1 else tangents[1], 1.0]]), np.zeros(2))
    if name == "scale" and count in (1, 2):
        return Transform(np.diag([x[0], x[-1]]), np.zeros(2))
    if name == "rotate" and count in (1, 3):
        turn = rotation(x[0])
        about = np.array(x[1:]) if count == 3 else np.zeros(2)
        return Transform(turn, about - turn @ about)
    if name in ("skewX", "skewY") and count == 1:
        skew = np.eye(2)
        skew[(0, 1) if name == "skewX" else (1, 0)] = math.tan(math.radians(x[0]))
        return Transform(skew, np.zeros(2))
    raise Unreadable(f"there is no transform {name!r} of {count} numbers")


def rotation(degrees: float) -> Floats:
    """Matrix of a rotation, exact for quarter turns."""
    quarters = degrees / 90
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if quarters == round(quarters):
        c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarters) % 4]
    return np.array([[c, -s], [s, c]])


def fitted(box: list[float], width: float, height: float, aspect: str | None) -> Transform:
    """The map of a view box onto a viewport at the origin (preserveAspectRatio).

    Parameters
    ----------
    box : list of float
        min-x, min-y, width and height; sizes positive.
    width, height : float
        Of the viewport.
    aspect : str or None
        The attribute ``preserveAspectRatio``.
    """
    words = (aspect or "").split()
    words = words[1:] if words[:1] == ["defer"] else words
    align = words[0] if words else "xMidYMid"
    scale = np.array([width / box[2], height / box[3]])
    if align != "none":
        scale[:] = scale.max() if "slice" in words else scale.min()
    room = np.array([width, height]) - scale * box[2:]
    share = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    place = [share.get(align[1:4], 0.5), share.get(align[5:8], 0.5)] if align != "none" else [0.0, 0.0]
    return Transform(np.diag(scale), room * place - scale * box[:2])
