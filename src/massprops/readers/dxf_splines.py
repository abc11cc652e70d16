"""Plain DXF splines to paths, all at once, with the bits that `massprops.readers.dxf_entities` finds one by one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from massprops.core.bernstein import segments_of_splines
from massprops.core.curve import Path
from massprops.core.segments import AnyPiece
from massprops.core.surface import Floats
from massprops.readers.dxf_columns import NULL, counts_of, firsts_of, many_points, points_of, rows_of, values_of
from massprops.readers.dxf_entities import bezier, fitted
from massprops.readers.dxf_forms import Ints
from massprops.readers.dxf_placement import Placement
from massprops.readers.dxf_tags import Plain, Tags


@dataclass(frozen=True, eq=False)
class Splines:
    """Splines, those that are not rational first: control points, knots and weights of all, and the degree of each."""

    points: Floats
    counts: Ints
    knots: Floats
    weights: list[Floats]
    degrees: list[int]
    is_in_space: ClassVar[bool] = True

    @classmethod
    def of(cls, tags: Tags, members: list[Plain]) -> Splines:
        """From control points, or else from points to pass through.

        Raises
        ------
        ValueError
            Numbers of points, knots and weights do not fit, knots descend, or a weight is not positive.
        """
        degrees = values_of(tags, members, 71, 3).astype(int).tolist()
        points = np.split(many_points(tags, members, 10), np.cumsum(counts_of(members, 10))[:-1])
        knots = np.split(tags.numbers[rows_of(members, 40)], np.cumsum(counts_of(members, 40))[:-1])
        weights = np.split(tags.numbers[rows_of(members, 41)], np.cumsum(counts_of(members, 41))[:-1])
        for k, entity in enumerate(members):
            if len(points[k]) == 0 and len(entity.form.rows[11]) >= 2:
                points[k], knots[k], weights[k], degrees[k] = _through(tags, entity)
            if len(points[k]):
                _check(len(points[k]), len(knots[k]), degrees[k], weights[k])
            else:
                knots[k] = knots[k][:0]
        counts = np.array([len(part) for part in points], np.intp)
        lasts = np.cumsum([len(part) for part in knots])[:-1] - 1
        every = np.concatenate(knots)
        descends = np.diff(every) < 0
        descends[lasts[(lasts >= 0) & (lasts < len(descends))]] = False
        if descends.any():
            raise ValueError("a spline whose knots descend")
        return cls(np.concatenate(points), counts, every, weights, degrees)

    def paths(self, placement: Placement) -> list[Path | None]:
        points = placement.points(self.points)
        pieces: list[tuple[AnyPiece, ...]] = [()] * len(self.counts)
        groups: dict[tuple[int, bool], list[int]] = {}
        for k, (degree, weights) in enumerate(zip(self.degrees, self.weights, strict=True)):
            if self.counts[k]:
                groups.setdefault((degree, not _is_plain(weights)), []).append(k)
        for (degree, rational), group in groups.items():
            for k, found in zip(group, self._pieces(points, group, degree, rational), strict=True):
                pieces[k] = found
        return [Path(found) if found else None for found in pieces]

    def tilted(self, placement: Placement) -> list[bool]:
        if not (self.points[:, 2].any() or placement.is_tilted):
            return [False] * len(self.counts)
        parts = np.split(self.points, np.cumsum(self.counts)[:-1])
        return [len(part) > 0 and bool(placement.tilts(part)) for part in parts]

    def _pieces(
        self, points: Floats, group: list[int], degree: int, rational: bool
    ) -> list[tuple[AnyPiece, ...]]:
        """Segments of the splines of one degree, all of them rational or none."""
        counts = self.counts[group]
        knot_counts = np.where(self.counts > 0, self.counts + np.array(self.degrees) + 1, 0)
        own, knots = _chosen(points, self.counts, group), _chosen(self.knots, knot_counts, group)
        if not rational:
            segments, number = segments_of_splines(own, knots, counts, degree)
            found: list[AnyPiece] = [bezier(segment) for segment in segments]
        else:
            start, w = own[firsts_of(counts)], np.concatenate([self.weights[k] for k in group])
            lifted = np.column_stack([(own - np.repeat(start, counts, axis=0)) * w[:, None], w])
            segments, number = segments_of_splines(lifted, knots, counts, degree)
            control = np.repeat(start, number, axis=0)[:, None] + segments[..., :2] / segments[..., 2:]
            found = [bezier(p, q) for p, q in zip(control, segments[..., 2], strict=True)]
        bounds = pairwise([0, *np.cumsum(number).tolist()])
        return [tuple(found[low:high]) for low, high in bounds]


def _chosen(values: Floats, counts: Ints, group: list[int]) -> Floats:
    """Those values of a list of parts that belong to the parts of a group."""
    chosen = np.zeros(len(counts), bool)
    chosen[group] = True
    found: Floats = values[np.repeat(chosen, counts)]
    return found


def _is_plain(weights: Floats) -> bool:
    return len(weights) == 0 or bool((weights == weights[0]).all())


def _check(points: int, knots: int, degree: int, weights: Floats) -> None:
    if degree < 1 or points <= degree or knots != points + degree + 1:
        raise ValueError("a spline whose knots and control points do not fit")
    if not _is_plain(weights) and (len(weights) != points or not (weights > 0).all()):
        raise ValueError("a spline with weights that are not positive, or not one a control point")


def _through(tags: Tags, entity: Plain) -> tuple[Floats, Floats, Floats, int]:
    """The spline through the points of an entity."""
    at = entity.form.at
    tangents = [points_of(tags, [entity], code)[0] for code in (12, 13) if code in at]
    tangents = [tangent for tangent in tangents if (np.abs(tangent) > NULL).any()]
    return fitted(many_points(tags, [entity], 11), tangents if len(tangents) == 2 else None)
