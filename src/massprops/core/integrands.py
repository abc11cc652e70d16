"""What the kernels sum over the facets, and in which frame.

The ten integrands of a facet are D, D (a + b + c) and the six entries of D (p p^T + q q^T + r r^T), in the notation
of `massprops.core.polyhedron`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from massprops.core.sums import U
from massprops.core.surface import Floats

ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""The six different entries of a symmetric tensor, in the order of rows 4 to 9 of the integrands."""

SAFE_EXPONENT = 60
"""Bodies larger than 2^60 or smaller than 2^-60 are scaled, so that the fifth power of a length is a float64."""


class Frame(NamedTuple):
    """Where and in which scale the sums are formed: x = 2^exponent (v - origin), each |x_i| at most ``half[i]``."""

    origin: Floats
    exponent: int
    half: Floats
    rounded: Floats
    """Largest round-off of x_i, as a multiple of u; 0 where the subtraction is exact."""

    @property
    def scale(self) -> float:
        """2^exponent."""
        return math.ldexp(1.0, self.exponent)


class BlockSums(NamedTuple):
    """Sums over one block: the ten integrands, area, and what the error bound needs."""

    parts: Sequence[list[float]]
    """Ten numbers each; their sum is the sum of the integrands. Lists, which are sent between processes faster."""
    area: float
    products: float
    """Sum of |a_k| (|e1_i e2_j| + |e1_j e2_i|) over the facets and the three axes."""
    terms: float
    """Sum of |a_k (e1 x e2)_k| over the facets and the three axes, or what is no smaller."""
    squares: Sequence[float] = (0.0, 0.0, 0.0)
    """Sums of |D| p_i^2 over the facets and their three sides, for each axis; zeros where no rounding of a sum depends
    on it."""


def reference_frame(lower: Floats, upper: Floats, is_single: bool = False) -> Frame:
    """The box centre as reference point, and a power of two that brings extreme sizes back into the range of floats.

    Where the box holds the coordinate 0 well inside, 0 itself is taken: subtracting it has no round-off. Nor has
    subtracting a float32 from float32 coordinates that differ by less than 2^28 times: for them the centre is rounded.

    Parameters
    ----------
    lower, upper : ndarray, shape (3,)
        The box; length.
    is_single : bool
        Whether all coordinates are float32 numbers.
    """
    axes = [_axis(low, high, is_single) for low, high in zip(lower.tolist(), upper.tolist(), strict=True)]
    origin, half = [axis.origin for axis in axes], [axis.half for axis in axes]
    _, size = math.frexp(max(half))
    exponent = 0 if abs(size) <= SAFE_EXPONENT else -size
    half = [math.ldexp(x, exponent) for x in half]
    rounded = [0.0 if axis.is_exact else x for axis, x in zip(axes, half, strict=True)]
    return Frame(np.array(origin), exponent, np.array(half), np.array(rounded))


class _Axis(NamedTuple):
    """Along one axis: the reference point, how far the box reaches from it, and whether subtracting it is exact."""

    origin: float
    half: float
    is_exact: bool


def _axis(lower: float, upper: float, is_single: bool) -> _Axis:
    origin = center = lower + 0.5 * (upper - lower)
    is_exact = False
    if abs(center) <= 0.125 * (upper - lower):
        origin, is_exact = 0.0, True
    elif is_single:
        origin = float(np.float32(center))
        near, far = min(abs(lower), abs(upper)), max(abs(lower), abs(upper))
        is_exact = lower * upper > 0.0 and near >= 2.0**-28 * far
    return _Axis(origin, max(upper - origin, origin - lower) * (1 + 4 * U), is_exact)


def integrand_bounds(half: Floats) -> Floats:
    """Upper bounds of the ten integrands of a facet in the box |x_i| <= half_i.

    A 3 x 3 matrix of entries +-1 has a determinant of 4 at most (Hadamard).
    """
    h = half.tolist()
    first, second = [3.0 * x for x in h], [12.0 * h[i] * h[j] for i, j in ENTRIES]
    bounds: Floats = 2.0 * (4.0 * math.prod(h)) * np.array([1.0, *first, *second])
    return bounds
