"""Plain DXF entities of one kind to paths, all at once.

What is done with the numbers of each entity, and in which order, is as in `massprops.readers.dxf_entities` and in
ezdxf, so that the same bits come out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Protocol

import numpy as np

from massprops.core.arc import arc_ends, arcs, bulged
from massprops.core.curve import Path
from massprops.core.segments import AnyPiece, Polyline
from massprops.core.surface import Floats
from massprops.readers.dxf_columns import NULL, counts_of, firsts_of, points_of, rows_of, values_of
from massprops.readers.dxf_entities import SPLINE_FRAME
from massprops.readers.dxf_forms import Ints
from massprops.readers.dxf_placement import Placement
from massprops.readers.dxf_splines import Splines
from massprops.readers.dxf_sweeps import ellipse_sweep, full_sweep
from massprops.readers.dxf_tags import Plain, Tags


class Batch(Protocol):
    """Entities of one kind, in the coordinates in which they are given."""

    is_in_space: ClassVar[bool]
    """Whether these are those around the entity; else they are its OCS."""

    def paths(self, placement: Placement) -> list[Path | None]:
        """What each draws, None for what draws nothing, with its coordinates placed in the world."""
        ...

    def tilted(self, placement: Placement) -> list[bool]:
        """Whether each is tilted against the plane that is seen."""
        ...


def batch_of(kind: str, tags: Tags, members: list[Plain], extrusion: tuple[float, ...]) -> Batch:
    """Entities of one kind with the same extrusion.

    Raises
    ------
    ValueError
        They make no sense.
    """
    if kind == "LINE":
        return _Lines(np.stack([points_of(tags, members, 10), points_of(tags, members, 11)], axis=1))
    if kind in ("CIRCLE", "ARC"):
        return _Circles.of(tags, members, kind)
    if kind == "ELLIPSE":
        return _Ellipses.of(tags, members, extrusion)
    if kind == "SPLINE":
        return Splines.of(tags, members)
    return _Polylines.of_light(tags, members) if kind == "LWPOLYLINE" else _Polylines.of(tags, members)


@dataclass(frozen=True, eq=False)
class _Lines:
    ends: Floats
    is_in_space: ClassVar[bool] = True

    def paths(self, placement: Placement) -> list[Path | None]:
        return [Path((Polyline(ends),)) for ends in placement.points(self.ends)]

    def tilted(self, placement: Placement) -> list[bool]:
        found: list[bool] = placement.tilts(self.ends).tolist()
        return found


@dataclass(frozen=True, eq=False)
class _Circles:
    """Circles and their arcs: centre (n, 3) with the elevation, semi-axes, angles, ends."""

    center: Floats
    axes: Floats
    begin: list[float]
    sweep: list[float]
    ends: Floats
    drawn: list[bool]
    is_in_space: ClassVar[bool] = False

    @classmethod
    def of(cls, tags: Tags, members: list[Plain], kind: str) -> _Circles:
        center, radius = points_of(tags, members, 10), values_of(tags, members, 40)
        begin, sweep = [0.0] * len(members), [2 * math.pi] * len(members)
        if kind == "ARC":
            first, last = (values_of(tags, members, code).tolist() for code in (50, 51))
            begin, sweep = list(map(math.radians, first)), list(map(full_sweep, first, last))
        axes = radius[:, None, None] * np.eye(2)
        return cls(center, axes, begin, sweep, arc_ends(center[:, :2], axes, begin, sweep), (radius > 0).tolist())

    def paths(self, placement: Placement) -> list[Path | None]:
        center, axes, ends = _mapped(placement, self.center[:, 2], self.center[:, :2], self.axes, self.ends)
        found = zip(arcs(center, axes, self.begin, self.sweep, ends), self.drawn, strict=True)
        return [Path((arc,)) if drawn else None for arc, drawn in found]

    def tilted(self, placement: Placement) -> list[bool]:
        return [placement.is_tilted] * len(self.center)


def _mapped(
    placement: Placement, elevation: Floats, center: Floats, axes: Floats, ends: Floats
) -> tuple[Floats, Floats, Floats]:
    """Images of centres (n, 2), semi-axes and ends (n, 2, 2) of arcs in planes z = elevation (n,)."""
    matrix, shift = placement.matrix[:2, :2], _shifts(placement, elevation)
    moved: Floats = (matrix @ center[..., None])[..., 0] + shift
    return moved, axes @ matrix.T, ends @ matrix.T + shift[:, None]


def _shifts(placement: Placement, elevation: Floats) -> Floats:
    """Where the origins of planes z = elevation come to lie, shape (n, 2)."""
    shifts: Floats = placement.matrix[:2, 2] * elevation[:, None] + placement.translation[:2]
    return shifts


@dataclass(frozen=True, eq=False)
class _Ellipses:
    center: Floats
    axes: Floats
    begin: list[float]
    sweep: list[float]
    is_in_space: ClassVar[bool] = True

    @classmethod
    def of(cls, tags: Tags, members: list[Plain], extrusion: tuple[float, ...]) -> _Ellipses:
        major, ratio = points_of(tags, members, 11), values_of(tags, members, 40)
        if (np.abs(major) <= NULL).all(axis=1).any():
            raise ValueError("an ellipse without a major axis")
        begin, end = (values_of(tags, members, code).tolist() for code in (41, 42))
        sweep = list(map(ellipse_sweep, begin, end))
        axes = np.stack([major, _minor(major, ratio, extrusion)], axis=1)
        return cls(points_of(tags, members, 10), axes, begin, sweep)

    def paths(self, placement: Placement) -> list[Path | None]:
        center, axes = placement.points(self.center), self.axes @ placement.matrix[:2].T
        ends = arc_ends(center, axes, self.begin, self.sweep)
        return [Path((arc,)) for arc in arcs(center, axes, self.begin, self.sweep, ends)]

    def tilted(self, placement: Placement) -> list[bool]:
        center = self.center[:, None]
        found: list[bool] = placement.tilts(np.concatenate([center + self.axes, center - self.axes], axis=1)).tolist()
        return found


def _minor(major: Floats, ratio: Floats, extrusion: tuple[float, ...]) -> Floats:
    """Minor semi-axes (n, 3), at right angles to the normal of the plane and to the major ones."""
    across = np.cross(extrusion, major)
    factor = np.linalg.norm(major, axis=1) * ratio / np.linalg.norm(across, axis=1)
    minor: Floats = across * factor[:, None]
    if not np.isfinite(minor).all():
        raise ValueError("an ellipse without a plane")
    return minor


@dataclass(frozen=True, eq=False)
class _Polylines:
    """Vertices (n, 2) of all polylines, of closed ones with the first once more at the end, and their arcs."""

    points: Floats
    counts: Ints
    elevation: Floats
    bends: Ints
    """Vertices from which an arc leads to the next."""
    center: Floats
    axes: Floats
    sweep: list[float]
    is_in_space: ClassVar[bool] = False

    @classmethod
    def of_light(cls, tags: Tags, members: list[Plain]) -> _Polylines:
        """From entities LWPOLYLINE."""
        counts, x = counts_of(members, 10), rows_of(members, 10)
        bulges = np.zeros(len(x))
        owner = np.concatenate([entity.form.vertex[42] for entity in members])
        bulges[owner + np.repeat(firsts_of(counts), counts_of(members, 42))] = tags.numbers[rows_of(members, 42)]
        points = np.stack([tags.numbers[x], tags.numbers[x + 1]], axis=1)
        closed = values_of(tags, members, 70).astype(int) & 1 == 1
        return cls._closed(points, bulges, counts, closed, values_of(tags, members, 38))

    @classmethod
    def of(cls, tags: Tags, members: list[Plain]) -> _Polylines:
        """From entities POLYLINE."""
        vertices = [
            [Plain("VERTEX", first, form) for first, form in entity.vertices if not _is_frame(tags, first, form.at)]
            for entity in members
        ]
        parts = [vertex for group in vertices for vertex in group]
        points = points_of(tags, parts, 10)[:, :2] if parts else np.empty((0, 2))
        counts = np.array([len(group) for group in vertices], np.intp)
        elevation = np.zeros(len(members))
        raised = [k for k, entity in enumerate(members) if 10 in entity.form.at]
        if raised:
            elevation[raised] = points_of(tags, [members[k] for k in raised], 10)[:, 2]
        closed = values_of(tags, members, 70).astype(int) & 1 == 1
        return cls._closed(points, values_of(tags, parts, 42), counts, closed, elevation)

    @classmethod
    def _closed(cls, points: Floats, bulges: Floats, counts: Ints, closed: Ints, elevation: Floats) -> _Polylines:
        back = closed & (counts >= 2)
        after, first = (firsts_of(counts) + counts)[back], firsts_of(counts)[back]
        points, bulges = np.insert(points, after, points[first], axis=0), np.insert(bulges, after, 0.0)
        counts = counts + back
        goes_on = np.ones(len(points), bool)
        goes_on[(firsts_of(counts) + counts - 1)[counts > 0]] = False
        following = np.roll(points, -1, axis=0)
        bends = np.flatnonzero(goes_on & (bulges != 0) & (points != following).any(axis=1))
        center, axes, sweep = bulged(points[bends], following[bends], bulges[bends])
        return cls(points, counts, elevation, bends, center, axes, sweep)

    def paths(self, placement: Placement) -> list[Path | None]:
        owner = np.repeat(np.arange(len(self.counts)), self.counts)
        ends = np.stack([self.points[self.bends], self.points[self.bends + 1]], axis=1)
        raised = self.elevation[owner]
        center, axes, ends = _mapped(placement, raised[self.bends], self.center, self.axes, ends)
        bent = arcs(center, axes, [0.0] * len(self.bends), self.sweep, ends)
        points = self.points @ placement.matrix[:2, :2].T + _shifts(placement, raised)
        bounds = np.append(firsts_of(self.counts), len(points))
        slots = pairwise(np.searchsorted(self.bends, bounds).tolist())
        bends, found = self.bends.tolist(), []
        for (first, end), (low, high) in zip(pairwise(bounds.tolist()), slots, strict=True):
            pieces: list[AnyPiece] = []
            for k in range(low, high):
                if bends[k] > first:
                    pieces.append(Polyline(points[first : bends[k] + 1]))
                pieces.append(bent[k])
                first = bends[k] + 1
            if end - 1 > first:
                pieces.append(Polyline(points[first:end]))
            found.append(Path(tuple(pieces)) if pieces else None)
        return found

    def tilted(self, placement: Placement) -> list[bool]:
        return [placement.is_tilted] * len(self.counts)


def _is_frame(tags: Tags, first: int, at: dict[int, int]) -> bool:
    """Whether a vertex belongs to the frame of a spline."""
    return 70 in at and bool(int(tags.numbers[first + at[70]]) & SPLINE_FRAME)
