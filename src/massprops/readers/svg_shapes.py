"""The basic shapes of SVG, and its paths, as curves.

Source: Scalable Vector Graphics (SVG) 2, chapter "Basic shapes".
"""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.curve import Path
from massprops.core.segments import AnyPiece, Arc, Polyline
from massprops.errors import Unreadable
from massprops.readers.svg_path import path_of
from massprops.readers.svg_values import numbers, user_units

SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
"""Names of the elements that are shapes."""


def paths_of(element: Element, name: str, width: float, height: float) -> list[Path]:
    """The paths of a shape, in the element's own coordinates; none of one that is not drawn.

    Parameters
    ----------
    element : Element
    name : str
        Its name, one of `SHAPES`.
    width, height : float
        Of the view around it, of which lengths may be shares; user units.

    Raises
    ------
    Unreadable
        A number is none, or a size is negative.

    Examples
    --------
    >>> (disc,) = paths_of(Element("circle", cx="3", cy="50%", r="1"), "circle", 10.0, 8.0)
    >>> disc.pieces[0].center.tolist()
    [3.0, 4.0]
    """
    if name == "path":
        return path_of(element.get("d", ""))
    diagonal = float(np.hypot(width, height) / np.sqrt(2))

    def length(key: str) -> float:
        whole = {"x": width, "w": width, "c": width, "y": height, "h": height}
        share = height if key in ("cy", "ry", "y1", "y2") else whole.get(key[0], width)
        return user_units(element.get(key), diagonal if key == "r" else share)

    if name == "rect":
        return _rectangle(length("x"), length("y"), length("width"), length("height"), _radii(element, length))
    if name == "line":
        return _polyline([length("x1"), length("y1"), length("x2"), length("y2")], closed=False)
    if name in ("polyline", "polygon"):
        return _polyline(numbers(element.get("points", "")), closed=name == "polygon")
    radii = (length("r"), length("r")) if name == "circle" else _radii(element, length)
    return _ellipse(length("cx"), length("cy"), *radii)


def _radii(element: Element, length: Callable[[str], float]) -> tuple[float, float]:
    """rx and ry; one that is not given is as the other."""
    given = [key for key in ("rx", "ry") if element.get(key, "auto").strip() != "auto"]
    if not given:
        return 0.0, 0.0
    return length(given[0]), length(given[-1])


def _polyline(values: list[float], closed: bool) -> list[Path]:
    if len(values) % 2:
        raise Unreadable("an odd number of coordinates")
    points = np.reshape(values, (-1, 2))
    if len(points) < 2:
        return []
    return [Path((Polyline(np.concatenate([points, points[:1]]) if closed else points),))]


def _ellipse(x: float, y: float, rx: float, ry: float) -> list[Path]:
    if rx < 0 or ry < 0:
        raise Unreadable("a negative radius")
    if rx == 0 or ry == 0:
        return []
    left, right, top, bottom = x - rx, x + rx, y - ry, y + ry
    if left == right or top == bottom:  # as flat as a rectangle of this size, and to be told as such
        return _polyline([left, y, x, top, right, y, x, bottom], closed=True)
    return [Path((Arc.ellipse([x, y], np.diag([rx, ry])),))]


def _rectangle(x: float, y: float, width: float, height: float, radii: tuple[float, float]) -> list[Path]:
    if width < 0 or height < 0 or min(radii) < 0:
        raise Unreadable("a negative size")
    if width == 0 or height == 0:
        return []
    rx, ry = min(radii[0], width / 2), min(radii[1], height / 2)
    right, bottom = x + width, y + height
    if x + rx == x or right - rx == right or y + ry == y or bottom - ry == bottom:  # none, or lost to rounding
        return _polyline([x, y, right, y, right, bottom, x, bottom], closed=True)
    corners = [
        ((x + rx, y), (right - rx, y), (right, y + ry)),
        ((right, y + ry), (right, bottom - ry), (right - rx, bottom)),
        ((right - rx, bottom), (x + rx, bottom), (x, bottom - ry)),
        ((x, bottom - ry), (x, y + ry), (x + rx, y)),
    ]
    pieces: list[AnyPiece] = []
    for start, corner, end in corners:
        if start != corner:
            pieces.append(Polyline(np.array([start, corner])))
        pieces.append(Arc.from_ends(corner, end, [rx, ry], 0.0, False, True))
    return [Path(tuple(pieces))]
