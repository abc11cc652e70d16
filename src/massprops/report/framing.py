"""Where a picture puts its origin and its unit of length, so that any body fits it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats


@dataclass(frozen=True, eq=False)
class Framing:
    """The map x -> (x - origin) / scale from a body's coordinates to those of its picture.

    A picture is drawn in single precision; a part far from the origin, or 1e-60 in size, must look like any other.

    Parameters
    ----------
    origin : ndarray, shape (d,)
        Centre of the bounding box; L.
    scale : float
        Half of its longest side; L. 1 for a single point.
    """

    origin: Floats
    scale: float

    @classmethod
    def of(cls, points: NDArray[np.floating]) -> Framing:
        """The framing that puts points, shape (..., d), in the box [-1, 1]^d; at least one, all finite.

        Examples
        --------
        >>> framing = Framing.of(np.array([[1e6, 10.0], [1e6, 14.0]]))
        >>> framing.apply(np.array([[1e6, 14.0]])).tolist()
        [[0.0, 1.0]]
        """
        flat = points.reshape(-1, points.shape[-1])
        lower, upper = flat.min(axis=0).astype(np.float64), flat.max(axis=0).astype(np.float64)
        half = upper / 2 - lower / 2  # halves first: the box of a large body must not overflow
        return cls(lower / 2 + upper / 2, float(half.max()) or 1.0)

    def apply(self, points: NDArray[np.floating]) -> Floats:
        """Points, shape (..., d), in the picture's coordinates."""
        return (points - self.origin) / self.scale

    def length(self, lengths: Floats) -> Floats:
        """Lengths in the picture's unit."""
        return lengths / self.scale
