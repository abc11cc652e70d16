"""Lengths that are small against a part, where more than one module asks for them."""

from __future__ import annotations

import math

WELD_TOLERANCE = 1e-5
"""Default width of a weld, as a fraction of the diagonal of the bounding box."""

_SLACK = 1 + 1e-12
"""Covers the round-off of the diagonal and of distances."""


def wide_enough(gap: float, diagonal: float) -> float:
    """The tolerance to be given for a gap, as a fraction of the diagonal: the default one, or rounded up to two digits.

    >>> wide_enough(1e-6, 1.0), wide_enough(0.0212, 2.0)
    (1e-05, 0.011)
    """
    value = gap / diagonal * _SLACK
    if value <= WELD_TOLERANCE:
        return WELD_TOLERANCE
    digits = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.ceil(value / digits) * digits:.2g}")
