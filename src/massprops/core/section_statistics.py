"""Statistics of a plane section, whether it bounds a region or not: what it is made of, and how large it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from massprops.core.area_moments import AreaMoments, PlaneMap
from massprops.core.curve import Curve, Loop, Path
from massprops.core.joining import JOIN, boxes_of, join
from massprops.core.section import SectionIntegrals, section_integrals
from massprops.core.segments import Polyline
from massprops.core.surface import Floats
from massprops.errors import MassPropsError, NonFinite


@dataclass(frozen=True, eq=False)
class SectionStatistics:
    """What can be said of any section.

    Parameters
    ----------
    bounds : ndarray, shape (2, 2)
        Lower and upper corner of the bounding box; L.
    area : float or None
        Of the region, holes taken away; L^2. None where none is bounded.
    perimeter : float
        Of all loops, holes too, and of what is open; L.
    center : ndarray, shape (2,), or None
        Centroid; L. None without an area.
    loops : int
        Closed ones.
    open_chains : int
        Segments that follow one another and do not close.
    segments : int
        Straight ones, arcs, and so on.
    verdict : str
        ``ok``, or why there is no area.
    message : str
        The same for people; empty where there is an area.
    """

    bounds: Floats
    area: float | None
    perimeter: float
    center: Floats | None
    loops: int
    open_chains: int
    segments: int
    verdict: str = "ok"
    message: str = ""

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
        segments = sum(_segments(loop) + _is_apart(loop) for loop in curve.loops)
        return cls(integrals.bounds, area, integrals.perimeter, center, len(curve.loops), 0, segments)

    @classmethod
    def of_refused(
        cls, paths: Sequence[Path], tolerance: float | None, plane: PlaneMap, verdict: MassPropsError, message: str
    ) -> SectionStatistics:
        """Statistics of what a drawing draws where it bounds no region, or not clearly.

        Parameters
        ----------
        paths : sequence of Path
            One or more.
        tolerance : float or None
            Largest distance of ends that are joined; None for the default; L.
        plane : PlaneMap
            From the coordinates of the paths to those of the statistics.
        verdict : MassPropsError
            Why it is not measured.
        message : str
            The same for people.

        Examples
        --------
        >>> from massprops.errors import OpenSurface
        >>> side = Path((Polyline(np.array([[0.0, 0], [3, 0], [3, 4]])),))
        >>> found = SectionStatistics.of_refused([side], None, PlaneMap.of(np.eye(2)), OpenSurface("open"), "open")
        >>> found.area, found.perimeter, found.loops, found.open_chains, found.segments, found.verdict
        (None, 7.0, 0, 1, 2, 'open')
        """
        loops, chains = _joined(paths, tolerance)
        curve = Curve((*loops, *chains)).mapped(*plane.floats())
        found = section_integrals(curve)
        gaps = sum(math.dist(chain.pieces[-1].end, chain.pieces[0].start) for chain in curve.loops[len(loops) :])
        segments = sum(_segments(loop) + _is_apart(loop) for loop in loops) + sum(map(_segments, chains))
        length, counts = found.perimeter - gaps, (len(loops), len(chains), segments)
        return cls(found.bounds, None, length, None, *counts, verdict=verdict.status, message=message)


def _joined(paths: Sequence[Path], tolerance: float | None) -> tuple[list[Loop], list[Loop]]:
    """What closes, and what does not, which is a loop but for its last segment."""
    boxes = boxes_of(paths)
    least = JOIN * float(np.hypot(*(boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0))))
    width = least if tolerance is None else max(tolerance, least)
    found = join(paths, width, boxes)
    if found.loops or found.chains:
        return list(found.loops), [Loop(chain.pieces) for chain in found.chains]
    loops: list[Loop] = []
    chains: list[Loop] = []
    for path in paths:  # nothing is joined where an odd number of ends meet
        (loops if math.dist(path.start, path.end) <= width else chains).append(Loop(path.pieces))
    return loops, chains


def _segments(loop: Loop) -> int:
    """Of a loop as it is drawn."""
    return sum(len(piece.points) - 1 if isinstance(piece, Polyline) else 1 for piece in loop.pieces)


def _is_apart(loop: Loop) -> bool:
    """Whether a last segment goes back to its start."""
    return bool((loop.pieces[0].start != loop.pieces[-1].end).any())
