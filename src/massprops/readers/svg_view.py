"""The outermost view of an SVG document: its size, and the length of its unit.

Source: Scalable Vector Graphics (SVG) 2, chapter "Coordinate systems, transformations and units".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from massprops.core.notice import Notice
from massprops.core.units import UNITS, Unit
from massprops.readers.svg_values import METRES, measure, sides

PIXELS = ("", "px", "%")
"""Units of width and height that declare no length: pixels, and shares of whatever shows the drawing."""

PIXEL = Unit("px", METRES["px"], "screen")

_SIDES = ("width", "height")


def root_view(root: Element) -> tuple[tuple[float, float], Unit | None, list[Notice]]:
    """Size of the outermost view in user units, their length, and what is to be told."""
    notices = [Notice("y_up", "y points down in SVG; coordinates are given with v = -y, pointing up")]
    box = sides(root.get("viewBox", ""))
    sizes = [measure("100%" if root.get(name, "auto").strip() == "auto" else root.attrib[name]) for name in _SIDES]
    if not box:
        lengths = [float(n * METRES[unit] / METRES[""]) if unit != "%" else 100.0 for n, unit in sizes]
        return (lengths[0], lengths[1]), PIXEL, notices
    given = [n * METRES[unit] / side for (n, unit), side in zip(sizes, box, strict=True) if unit != "%" and n > 0]
    aspect = root.get("preserveAspectRatio", "")
    if len(given) == 2 and given[0] != given[1] and "none" in aspect:
        notices.append(Notice("stretched", "width and height stretch the view box; coordinates are those of the box"))
        given = []
    metres = (max(given) if "slice" in aspect else min(given)) if given else None
    unit = None if metres is None else _unit(metres)
    if unit is not None:
        unit = replace(unit, said_by="screen" if all(name in PIXELS for _, name in sizes) else "file")
    return (float(box[0]), float(box[1])), unit, notices


def _unit(metres: Fraction) -> Unit:
    for unit in (*UNITS.values(), PIXEL, Unit("pt", METRES["pt"])):
        if unit.metres == metres:
            return unit
    return Unit(f"user unit of {float(metres * 1000):.6g} mm", metres)
