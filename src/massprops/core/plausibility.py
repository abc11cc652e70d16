"""What no sound body can have, and a surface that overlaps itself or is partly inside-out may."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.notice import Notice
from massprops.core.sums import U

_TOLERANCE = 1e-12
"""Relative excess that round-off may cause in a sound body."""

_ROUNDINGS = 16
"""More than the roundings on the way to a coordinate of the bounds."""


def implausibilities(properties: MassProperties, reach: float = 0.0) -> Iterator[Notice]:
    """Warnings about results that are impossible for a sound body.

    Parameters
    ----------
    properties : MassProperties
        With the area and the bounds of the surface.
    reach : float
        The largest coordinate on the way to the bounds, where it is larger than they are: a part that is turned far
        from the origin and then moved there has bounds that are as rough as they were far away; L.
    """
    assert properties.bounds is not None
    assert properties.area is not None
    (lower, upper), area = properties.bounds, properties.area
    grain = _ROUNDINGS * U * max(reach, float(np.abs(properties.bounds).max()))
    extent = upper - lower
    outside = np.maximum(lower - properties.center, properties.center - upper)
    if (outside > _TOLERANCE * extent.max() + grain).any():
        yield Notice("center_outside", "the centre of mass lies outside the bounding box", {})
    box, largest = math.prod(extent.tolist()), math.prod((extent * (1 + _TOLERANCE) + grain).tolist())
    if properties.volume > largest:
        message = f"the volume {properties.volume:.6g} is larger than that of the bounding box, {box:.6g}"
        yield Notice("volume_exceeds_box", message, {"box_volume": box})
    ball = area * math.sqrt(area) / (6.0 * math.sqrt(math.pi))  # isoperimetric inequality, 36 pi V^2 <= A^3
    if properties.volume > ball * (1 + _TOLERANCE):
        message = f"the volume {properties.volume:.6g} is larger than a ball of the same area has, {ball:.6g}"
        yield Notice("volume_exceeds_ball", message, {"ball_volume": ball})
    one, two, three = properties.principal_moments.tolist()
    if one <= 0:
        yield Notice("moment_not_positive", f"the principal moment {one:.6g} is not positive", {})
    elif one + two < three * (1 - _TOLERANCE):
        message = f"the principal moments break the triangle inequality: {one:.6g} + {two:.6g} < {three:.6g}"
        yield Notice("triangle_inequality", message, {})
