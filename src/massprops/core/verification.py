"""Counted results carried through the maps that the computed ones went through, so that both can be compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.moments import AffineMap, Moments
from massprops.core.winding import Counted, WindingCheck


def scaled(check: WindingCheck, affine: AffineMap) -> WindingCheck:
    """A check of a body after an affine map: volumes grow by the absolute determinant."""
    if affine.is_identity:
        return check
    factor = abs(float(affine.determinant))
    return replace(
        check,
        volume=factor * check.volume,
        overlap_volume=factor * check.overlap_volume,
        inverted_volume=factor * check.inverted_volume,
    )


def counted_properties(counted: Counted, affine: AffineMap, density: float) -> MassProperties | None:
    """Mass properties of a body from what was counted along lines, after an affine map.

    None where nothing was counted: in a box too thin to hold a line.
    """
    if counted.volume <= 0.0:
        return None
    second = np.trace(counted.inertia) / 2.0 * np.eye(3) - counted.inertia
    moments = Moments.of(counted.volume, [0, 0, 0], second, counted.center)
    return MassProperties.of(moments.mapped(affine), density)
