"""Statistics of a plane section: what it is made of, and how large it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.area_moments import AreaMoments
from massprops.core.curve import Curve
from massprops.core.section import SectionIntegrals
from massprops.core.segments import Polyline
from massprops.core.surface import Floats
from massprops.errors import NonFinite


@dataclass(frozen=True, eq=False)
class SectionStatistics:
    """What can be said of any section that is closed.

    Parameters
    ----------
    bounds : ndarray, shape (2, 2)
        Lower and upper corner of the bounding box; L.
    area : float
        Of the region, holes taken away; L^2.
    perimeter : float
        Of all loops, holes too; L.
    center : ndarray, shape (2,)
        Centroid; L.
    loops : int
    segments : int
        Straight ones, arcs, and so on.
    """

    bounds: Floats
    area: float
    perimeter: float
    center: Floats
    loops: int
    segments: int

    @classmethod
    def of(cls, moments: AreaMoments, curve: Curve, integrals: SectionIntegrals) -> SectionStatistics:
        """Statistics of a region and its boundary, in the same coordinates.

        Raises
        ------
        NonFinite
            A result is too large for a float64.
        """
        try:
            area, center = float(moments.area), np.array([float(c) for c in moments.center])
        except OverflowError:
            raise NonFinite("the section is too large for double precision; give the size in a larger unit") from None
        return cls(integrals.bounds, area, integrals.perimeter, center, len(curve.loops), _segments(curve))


def _segments(curve: Curve) -> int:
    """Of the loops as they run, each back to its start."""
    count = 0
    for loop in curve.loops:
        count += sum(len(piece.points) - 1 if isinstance(piece, Polyline) else 1 for piece in loop.pieces)
        count += int((loop.pieces[0].start != loop.pieces[-1].end).any())
    return count
