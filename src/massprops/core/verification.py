"""Counted results carried through the maps that the computed ones went through, so that both can be compared."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.moments import AffineMap, Moments
from massprops.core.winding import Counted, WindingCheck

_VOLUMES = ("volume", "overlap_volume", "inverted_volume")


def scaled(check: WindingCheck, affine: AffineMap) -> WindingCheck:
    """A check of a body after an affine map: volumes grow by the absolute determinant."""
    if affine.is_identity:
        return check
    factor = abs(affine.determinant)  # may be too large or small for a float, where the volumes are not
    volumes = {name: float(factor * Fraction(getattr(check, name))) for name in _VOLUMES}
    return replace(check, **volumes)  # type: ignore[arg-type]


def counted_properties(counted: Counted, affine: AffineMap, density: float) -> MassProperties | None:
    """Mass properties of a body from what was counted along lines, after an affine map.

    None where nothing was counted: in a box too thin to hold a line, of a body so thin that it lies between the lines,
    or where the tensor does not fit a float64.
    """
    if counted.volume <= 0.0 or not np.isfinite(counted.inertia).all():
        return None
    second = np.trace(counted.inertia) / 2.0 * np.eye(3) - counted.inertia
    moments = Moments.of(counted.volume, [0, 0, 0], second, counted.center)
    return MassProperties.of(moments.mapped(affine), density)
