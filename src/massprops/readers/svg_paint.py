"""What SVG paints a shape with, as far as it says whether anything of it is seen.

Programs draw shapes with neither fill nor stroke, such as the boxes that LibreOffice puts around all it exports.

Source: Scalable Vector Graphics (SVG) 2, chapter "Painting"; CSS Color 4, chapters "Transparency" and "transparent".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from massprops.core.curve import Fill

_UNIT = re.compile(r"[a-zA-Z%]+$")
_WHITE = ("white", "#fff", "#ffffff", "rgb(255,255,255)")
_COLORS = ("rgb", "rgba", "hsl", "hsla")
PROPERTIES = ("fill", "fill-opacity", "stroke", "stroke-opacity", "opacity")
"""What says of a shape whether it is seen."""


@dataclass(frozen=True)
class Paint:
    """The paint that an element inherits.

    Parameters
    ----------
    fill, stroke : str
        As they are written.
    fill_opacity, stroke_opacity : str
        Likewise.
    opacity : str
        ``0`` where the element, or one around it, is transparent.
    """

    fill: str = "black"
    fill_opacity: str = "1"
    stroke: str = "none"
    stroke_opacity: str = "1"
    opacity: str = "1"

    def styled(self, style: Mapping[str, str]) -> Paint:
        """What an element's attributes and style make of it.

        >>> Paint().styled({"fill": "none", "opacity": "0.5"}).styled({"stroke": "red"})
        Paint(fill='none', fill_opacity='1', stroke='red', stroke_opacity='1', opacity='1')
        """
        given = {name: style[name].strip() for name in PROPERTIES if style.get(name, "inherit").strip() != "inherit"}
        if not _is_nothing(given.get("opacity", "1")):
            given.pop("opacity", None)
        return replace(self, **{name.replace("-", "_"): value for name, value in given.items()}) if given else self

    @property
    def fills(self) -> bool:
        """Whether the inside is filled, be it with a paint that nobody sees."""
        return self.fill != "none"

    def fill_of(self, has_inside: bool = True) -> Fill | None:
        """What a shape is seen to be filled with; None where it is not.

        >>> Paint("#FFF", stroke="red").fill_of(), Paint("none").fill_of()
        (Fill(color='white', is_outlined=True), None)
        """
        if not has_inside or not replace(self, stroke="none").is_seen():
            return None
        color = "".join(self.fill.lower().split())
        return Fill("white" if color in _WHITE else color, replace(self, fill="none").is_seen())

    def is_seen(self, has_inside: bool = True) -> bool:
        """Whether a shape so painted is seen: of a line, the stroke alone is.

        A stroke of no width counts: for cutters that is a hairline.

        >>> Paint().is_seen(), Paint(fill="none").is_seen(), Paint(fill="none", stroke="#f000").is_seen()
        (True, False, False)
        """
        filled = has_inside and not (_is_clear(self.fill) or _is_nothing(self.fill_opacity))
        return self.opacity == "1" and (filled or not (_is_clear(self.stroke) or _is_nothing(self.stroke_opacity)))


PLAIN = Paint()
"""What is painted where nothing is said."""


def _is_clear(paint: str) -> bool:
    """Whether a paint leaves no trace.

    >>> [_is_clear(text) for text in ("none", "Transparent", "#12345600", "rgb(1 2 3 / 0%)", "rgb(1,2,0)", "#000")]
    [True, True, True, True, False, False]
    """
    if paint.startswith("#"):
        return (len(paint), set(paint[4:])) == (5, {"0"}) or (len(paint), set(paint[7:])) == (9, {"0"})
    words = re.split(r"[\s,/()]+", paint.lower())
    return words[0] in ("none", "transparent") or (words[0] in _COLORS and len(words) > 5 and _is_nothing(words[4]))


def _is_nothing(number: str) -> bool:
    """Whether a number is zero.

    >>> [_is_nothing(text) for text in ("0", ".0", "0px", "0%", "0.01", "", "1e0", "10", "thin")]
    [True, True, True, True, False, False, False, False, False]
    """
    try:
        return float(_UNIT.sub("", number)) == 0
    except ValueError:
        return False
