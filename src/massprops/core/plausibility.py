"""What no sound body can have, and a surface that overlaps itself or is partly inside-out may."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.notice import Notice

_TOLERANCE = 1e-12
"""Relative excess that round-off may cause in a sound body."""


def implausibilities(properties: MassProperties) -> Iterator[Notice]:
    """Warnings about results that are impossible for a sound body.

    Parameters
    ----------
    properties : MassProperties
        With the area and the bounds of the surface.
    """
    assert properties.bounds is not None
    assert properties.area is not None
    (lower, upper), area = properties.bounds, properties.area
    extent = upper - lower
    outside = np.maximum(lower - properties.center, properties.center - upper)
    if (outside > _TOLERANCE * extent.max() + 1e-15 * np.abs(properties.center).max()).any():
        yield Notice("center_outside", "the centre of mass lies outside the bounding box", {})
    box = float(np.prod(extent))
    if properties.volume > box * (1 + _TOLERANCE):
        message = f"the volume {properties.volume:.6g} is larger than that of the bounding box, {box:.6g}"
        yield Notice("volume_exceeds_box", message, {"box_volume": box})
    ball = area**1.5 / (6.0 * math.sqrt(math.pi))  # isoperimetric inequality, 36 pi V^2 <= A^3
    if properties.volume > ball * (1 + _TOLERANCE):
        message = f"the volume {properties.volume:.6g} is larger than a ball of the same area has, {ball:.6g}"
        yield Notice("volume_exceeds_ball", message, {"ball_volume": ball})
    one, two, three = properties.principal_moments.tolist()
    if one <= 0:
        yield Notice("moment_not_positive", f"the principal moment {one:.6g} is not positive", {})
    elif one + two < three * (1 - _TOLERANCE):
        message = f"the principal moments break the triangle inequality: {one:.6g} + {two:.6g} < {three:.6g}"
        yield Notice("triangle_inequality", message, {})
