"""Clips of SVG that cut nothing off: rectangles around all that they clip.

Programs clip to the page or to the axes of a plot as a matter of course. Other clips are not applied, and told.

Source: CSS Masking 1, chapter "Clipping paths".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.curve import Path
from massprops.core.segments import Arc, frame_of
from massprops.core.surface import Floats
from massprops.errors import MassPropsError
from massprops.readers.svg_shapes import paths_of
from massprops.readers.svg_values import Transform
from massprops.readers.svg_values import transform as transform_of

_REFERENCE = re.compile(r"url\(\s*[\"']?#(.*?)[\"']?\s*\)")
_TELLING = {"clip-path", "style", "class", "display"}
"""Attributes by which a clip may be another one than its rectangle."""

_SLACK = 1e-9
"""How far beyond a clip a shape may reach, in sizes of the clip."""


class Clip(NamedTuple):
    """A rectangle that clips.

    Parameters
    ----------
    box : ndarray, shape (2, 2)
        Its lowest and highest corner, in the coordinates of the element that it clips.
    transform : Transform
        From these to those of the drawing.
    """

    box: Floats
    transform: Transform

    def holds(self, paths: Iterable[Path]) -> bool:
        """Whether paths, in the coordinates of the drawing, lie within."""
        parts = [frame_of(piece) for path in paths for piece in path.pieces]
        if not parts or np.linalg.det(self.transform.matrix) == 0:
            return not parts
        points = (np.concatenate(parts) - self.transform.translation) @ np.linalg.inv(self.transform.matrix).T
        slack = _SLACK * np.ptp(self.box, axis=0).max()
        return bool((points >= self.box[0] - slack).all() and (points <= self.box[1] + slack).all())


def clip_of(
    value: str, by_id: Mapping[str, Element], transform: Transform, width: float, height: float
) -> Clip | None:
    """The rectangle that a property ``clip-path`` refers to; None where it is anything else.

    Parameters
    ----------
    value : str
        Of the property.
    by_id : mapping of str to Element
    transform : Transform
        From the coordinates of the element that is clipped to those of the drawing.
    width, height : float
        Of the view around it; user units.

    >>> clip = Element("clipPath")
    >>> clip.append(Element("rect", x="1", width="4", height="2"))
    >>> clip_of("url(#c)", {"c": clip}, Transform.identity(), 9.0, 9.0).box.tolist()
    [[1.0, 0.0], [5.0, 2.0]]
    """
    match = _REFERENCE.fullmatch(value.strip())
    target = None if match is None else by_id.get(match[1])
    if target is None or target.tag != "clipPath" or len(target) != 1 or target[0].tag != "rect":
        return None
    shape = target[0]
    units = target.get("clipPathUnits", "userSpaceOnUse")
    if units != "userSpaceOnUse" or _TELLING & (target.attrib.keys() | shape.attrib.keys()):
        return None
    try:
        paths = paths_of(shape, "rect", width, height)
        for element in (target, shape):
            transform = transform.of(transform_of(element.get("transform")))
    except MassPropsError:
        return None
    if len(paths) != 1 or len(paths[0].pieces) != 1 or isinstance(paths[0].pieces[0], Arc):
        return None
    corners = paths[0].pieces[0].points
    return Clip(np.array([corners.min(axis=0), corners.max(axis=0)]), transform)
