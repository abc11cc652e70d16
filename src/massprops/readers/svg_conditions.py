"""Elements of SVG that are shown on conditions: that a language is spoken, that an extension is known.

The language is English, no extension is known, and ``requiredFeatures`` of SVG 1.1 hold, as they do in SVG 2. A switch
shows the first of its children whose conditions hold.

Source: Scalable Vector Graphics (SVG) 2, "Conditional processing"; BCP 47 for names of languages.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from xml.etree.ElementTree import Element

LANGUAGE = "en"
"""The language whose parts are shown, with all its regions."""


def is_shown(element: Element) -> bool:
    """Whether the conditions of an element hold; they do where it has none.

    >>> [is_shown(Element("g", systemLanguage=names)) for names in ("de, en-GB", "de", "")]
    [True, False, False]
    """
    if "requiredExtensions" in element.attrib:
        return False
    names = element.get("systemLanguage", LANGUAGE).split(",")
    return any(name.strip().lower().split("-")[0] == LANGUAGE for name in names)


def chosen(children: Sequence[Element], drawn: Collection[str]) -> Element | None:
    """The child that a switch shows; None where the conditions of none hold.

    Parameters
    ----------
    children : sequence of Element
    drawn : collection of str
        Names of elements that may be shown; others, such as titles, are no choice.

    >>> one, two = Element("title"), Element("rect")
    >>> chosen([one, two], ["rect"]) is two
    True
    """
    return next((child for child in children if child.tag in drawn and is_shown(child)), None)


def draws(element: Element, drawn: Collection[str]) -> bool:
    """Whether an element is, or holds, one of those that draw something."""
    return any(inner.tag in drawn for inner in element.iter())
