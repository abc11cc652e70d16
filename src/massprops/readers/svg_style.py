"""Styles of SVG: rules of style sheets, and declarations of elements.

Only simple selectors are read: names, classes, identifiers. Others, and rules for other media than screens, are counted
where they could change what is measured.

Sources: SVG 2, chapter "Styling"; Cascading Style Sheets 2.2, chapters 5 and 6.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from massprops.errors import Unreadable
from massprops.readers.svg_paint import PROPERTIES

GEOMETRY = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d")
"""Attributes of shapes that are properties, too."""

PLACED = ("translate", "rotate", "scale", "offset-path")
"""Properties that move or scale, and are not read."""

_TELLING = frozenset(("display", "visibility", "fill-rule", "transform", "transform-origin", *GEOMETRY, *PLACED))
"""Properties that change what is measured."""

_SCREENS = ("@media all", "@media screen", "@media only screen")
_SELECTOR = re.compile(r"(\*|[\w-]*)((?:[.#][\w-]+)*)")
_PASSING = re.compile(r":(?:hover|active|focus|target|visited)")
_DEEPEST = 100
_STRONGER = 1000
"""What is important weighs so much more than any selector."""


@dataclass(frozen=True)
class StyleSheet:
    """Rules of ``style`` elements.

    Parameters
    ----------
    rules : tuple of (str, frozenset of str, dict of str, int)
        Name, classes and identifiers of the elements that it holds for, properties, weight; the weightiest last.
    unread : int
        Rules that could change what is measured, and are not read.
    may_paint : bool
        Whether rules that are not read paint something.
    """

    rules: tuple[tuple[str, frozenset[str], dict[str, str], int], ...] = ()
    unread: int = 0
    may_paint: bool = False

    @classmethod
    def of(cls, texts: list[str]) -> StyleSheet:
        """Read style sheets.

        Raises
        ------
        Unreadable
            Its blocks are nested too deeply.
        """
        rules, unread, may_paint = [], 0, False
        for blocks, selectors, body in (rule for text in texts for rule in _rules(text)):
            if not all(block in _SCREENS for block in blocks):
                unread += blocks[0].startswith("@media") and _tells(body)
                may_paint = may_paint or _tells(body, PROPERTIES)
                continue
            for selector in filter(None, map(str.strip, selectors.split(","))):
                match = _SELECTOR.fullmatch(selector)
                if match is None:
                    unread += _tells(body) and not _PASSING.search(selector)
                    may_paint = may_paint or _tells(body, PROPERTIES)
                    continue
                marks = re.findall(r"[.#][\w-]+", match[2])
                weight = sum(100 if mark[0] == "#" else 10 for mark in marks) + (match[1] not in ("", "*"))
                for declared, more in zip(_declared(body), (0, _STRONGER), strict=True):
                    if declared:
                        rules.append((match[1], frozenset(marks), declared, weight + more))
        return cls(tuple(sorted(rules, key=lambda rule: rule[3])), unread, may_paint)

    @property
    def size(self) -> int:
        """Number of rules and their declarations, all of which may have to be looked at for each element."""
        return sum(1 + len(body) for _, _, body, _ in self.rules)

    def properties(self, element: Element, name: str) -> dict[str, str]:
        """What the rules and the element's own attribute ``style`` declare, the strongest last."""
        marks = {f".{word}" for word in element.get("class", "").split()} | {f"#{element.get('id', '')}"}
        found: dict[str, str] = {}
        strong: dict[str, str] = {}
        for tag, needed, body, weight in self.rules:
            if tag in ("", "*", name) and needed <= marks:
                (strong if weight >= _STRONGER else found).update(body)
        plain, important = _declared(element.get("style", ""))
        return {**found, **plain, **strong, **important}


def sheet_text(element: Element) -> str:
    """The rules of a ``style`` element, within those of its medium; none where they are no CSS.

    >>> sheet = Element("style", media="print")
    >>> sheet.text = "a{b:c}"
    >>> sheet_text(sheet)
    '@media print{a{b:c}}'
    """
    if element.get("type", "text/css").strip().lower() not in ("", "text/css"):
        return ""
    text, medium = "".join(element.itertext()), element.get("media", "")
    return f"@media {medium}{{{text}}}" if medium.strip() else text


def _rules(text: str) -> Iterator[tuple[list[str], str, str]]:
    """Of each rule the blocks around it, such as ``@media print``, its selectors and its declarations."""
    first, *others = text.replace("<!--", "").replace("-->", "").split("/*")
    text = first + "".join(part.partition("*/")[2] for part in others)
    around: list[str] = []
    current = ""
    for part in re.split(r"([{}])", text):
        if part == "{":
            if len(around) > _DEEPEST:
                raise Unreadable(f"blocks of a style sheet are nested more than {_DEEPEST} deep")
            around.append(" ".join(current.rpartition(";")[2].split()))
        elif part == "}" and around:
            selectors = around.pop()
            if not selectors.startswith("@"):
                yield around, selectors, current
        current = "" if part in ("{", "}") else part


def _tells(body: str, properties: Collection[str] = _TELLING) -> bool:
    return not declarations(body).keys().isdisjoint(properties)


def declarations(text: str) -> dict[str, str]:
    """Properties and values of a style attribute.

    >>> declarations("fill: none; stroke:red !important")
    {'fill': 'none', 'stroke': 'red'}
    """
    plain, important = _declared(text)
    return {**plain, **important}


def _declared(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Those that are plain, and those that are important."""
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.partition(":")
        short, mark, word = value.rpartition("!")
        is_important = bool(mark) and word.strip().lower() == "important"
        value = (short if is_important else value).strip()
        if value:
            (important if is_important else plain)[name.strip().lower()] = value
    return plain, important
