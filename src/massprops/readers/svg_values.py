"""Values in SVG attributes: lengths, transforms, view boxes, style sheets.

Sources: SVG 2, chapters 6 to 8; CSS Values 3, chapter 6 (units); CSS Transforms 1, chapter 8.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.surface import Floats
from massprops.errors import Unreadable

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

_EXACT = r"[-+]?(?:\d{1,50}\.?\d{0,50}|\.\d{1,50})(?:[eE][-+]?\d{1,2})?"
"""A number of which a fraction can be made: 1e999999999 would take all memory."""

_LENGTH = re.compile(rf"\s*({_EXACT})\s*([a-zA-Z]*|%)\s*")
_FUNCTION = re.compile(r"\s*(\w+)\s*\(([^)]*)\)[\s,]*")
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SELECTOR = re.compile(r"(\*|[\w-]*)((?:[.#][\w-]+)*)$")


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
        raise Unreadable(f"{text[:40]!r} is no length in px, mm, cm, in, pt, pc or %")
    return Fraction(match[1]), match[2]


def sides(text: str) -> list[Fraction]:
    """Width and height of a view box, without error; empty where there is none.

    Raises
    ------
    Unreadable
        It is not four numbers, or a size is not positive.
    """
    words = text.replace(",", " ").split()
    if not words:
        return []
    found = [Fraction(word) for word in words if re.fullmatch(_EXACT, word)]
    if len(found) != 4 or min(found[2:]) <= 0:
        raise Unreadable(f"viewBox {text[:40]!r} is no four numbers with a positive size")
    return found[2:]


def user_units(text: str | None, whole: float, default: float = 0.0) -> float:
    """A length in user units; a percentage is one of ``whole``."""
    if text is None or text.strip() in ("", "auto"):
        return default
    number, unit = measure(text)
    return float(number) * whole / 100 if unit == "%" else float(number * METRES[unit] / METRES["px"])


def numbers(text: str) -> list[float]:
    """Numbers separated by blanks or commas.

    Raises
    ------
    Unreadable
        A word is no number.
    """
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise Unreadable(f"{text[:40]!r} where numbers are expected") from None


@dataclass(frozen=True, eq=False)
class Transform:
    """The map x -> A x + t from an element's coordinates to those of the drawing."""

    matrix: Floats
    translation: Floats

    @classmethod
    def identity(cls) -> Transform:
        """The map that changes nothing."""
        return cls(np.eye(2), np.zeros(2))

    def of(self, inner: Transform) -> Transform:
        """The map that does ``inner`` first."""
        return Transform(self.matrix @ inner.matrix, self.matrix @ inner.translation + self.translation)


def transform(text: str | None) -> Transform:
    """The map of a ``transform`` attribute.

    Raises
    ------
    Unreadable
        There is no such transform.

    >>> transform("translate(5) rotate(90)").translation.tolist()
    [5.0, 0.0]
    """
    result, position = Transform.identity(), 0
    text = (text or "").strip()
    while position < len(text):
        match = _FUNCTION.match(text, position)
        if match is None:
            raise Unreadable(f"transform {text[position : position + 40]!r} makes no sense")
        result = result.of(_function(match[1], numbers(match[2])))
        position = match.end()
    return result


def _function(name: str, x: list[float]) -> Transform:
    count = len(x)
    if name == "matrix" and count == 6:
        return Transform(np.array([[x[0], x[2]], [x[1], x[3]]]), np.array(x[4:]))
    if name == "translate" and count in (1, 2):
        return Transform(np.eye(2), np.array([x[0], x[1] if count == 2 else 0.0]))
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


@dataclass(frozen=True)
class StyleSheet:
    """Rules of ``style`` elements, for simple selectors: names, classes and identifiers."""

    rules: tuple[tuple[str, frozenset[str], dict[str, str], int], ...] = ()

    @classmethod
    def of(cls, texts: list[str]) -> StyleSheet:
        """Read style sheets; selectors that combine several elements are passed over."""
        rules = []
        for text in texts:
            plain = re.sub(r"/\*.*?\*/|<!--|-->|@import[^;]*;|@charset[^;]*;", "", text, flags=re.DOTALL)
            for selectors, body in _RULE.findall(plain):
                for selector in selectors.split(","):
                    match = _SELECTOR.fullmatch(selector.strip())
                    if match and selector.strip():
                        marks = re.findall(r"[.#][\w-]+", match[2])
                        weight = sum(100 if mark[0] == "#" else 10 for mark in marks) + (match[1] not in ("", "*"))
                        rules.append((match[1], frozenset(marks), declarations(body), weight))
        return cls(tuple(sorted(rules, key=lambda rule: rule[3])))

    @property
    def size(self) -> int:
        """Number of rules and their declarations, all of which may have to be looked at for each element."""
        return sum(1 + len(body) for _, _, body, _ in self.rules)

    def properties(self, element: Element, name: str) -> dict[str, str]:
        """What the rules and the element's own attribute ``style`` declare, the strongest last."""
        marks = {f".{word}" for word in element.get("class", "").split()} | {f"#{element.get('id', '')}"}
        found: dict[str, str] = {}
        for tag, needed, body, _ in self.rules:
            if tag in ("", "*", name) and needed <= marks:
                found.update(body)
        found.update(declarations(element.get("style", "")))
        return found


def declarations(text: str) -> dict[str, str]:
    """Properties and values of a style attribute.

    >>> declarations("fill: none; stroke:red !important")
    {'fill': 'none', 'stroke': 'red'}
    """
    pairs = (part.partition(":") for part in text.split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value.strip()}
