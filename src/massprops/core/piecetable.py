"""Many curved segments evaluated at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.bernstein import bernstein
from massprops.core.segments import Arc, Curved, RationalBezier, ends_of
from massprops.core.surface import Floats

Ints = NDArray[Any]
"""Arrays of indices, or masks."""

_SLIGHT = 2.0**-10
"""Arcs that sweep less are followed from their starts; radians."""

ROUNDING = 2.0**-48
"""Distances from the centres of arcs, and their radii, are taken as exact to this fraction of the larger one."""


@dataclass(frozen=True, eq=False)
class PieceTable:
    """Curved segments, sorted by kind and degree.

    Examples
    --------
    >>> table = PieceTable.of([Arc.circle([0, 0], 1), Arc.circle([5, 0], 2)])
    >>> table.at(np.array([1, 0]), np.array([0.5, 0.25])).round(12).tolist()
    [[3.0, 0.0], [0.0, 1.0]]
    """

    kinds: tuple[ArcTable | BezierTable, ...]

    @classmethod
    def of(cls, pieces: Sequence[Curved]) -> PieceTable:
        """A table of segments, in the order given."""
        groups: dict[tuple[type, int], list[int]] = {}
        for k, piece in enumerate(pieces):
            kind = (Arc, 0) if isinstance(piece, Arc) else (type(piece), len(piece.points))
            groups.setdefault(kind, []).append(k)
        return cls(tuple(_table([pieces[k] for k in group], group, len(pieces)) for group in groups.values()))

    @cached_property
    def ends(self) -> Floats:
        """First and last points of the segments, shape (n, 2, 2); length."""
        ends = np.empty((len(self.kinds[0].row) if self.kinds else 0, 2, 2))
        for kind in self.kinds:
            ends[kind.index] = kind.ends
        return ends

    @property
    def arcs(self) -> ArcTable | None:
        """The arcs among the segments."""
        return next((kind for kind in self.kinds if isinstance(kind, ArcTable)), None)

    def at(self, index: Ints, t: Floats) -> Floats:
        """Points of the segments ``index`` at the parameters t, both of shape (k,); shape (k, 2)."""
        points = np.empty((len(index), 2))
        for kind in self.kinds:
            row = kind.row[index]
            mine = np.flatnonzero(row >= 0)
            if len(mine):
                points[mine] = kind.at(row[mine], t[mine])
        return points


@dataclass(frozen=True, eq=False)
class ArcTable:
    """Arcs, a row each: their `Arc.center`, `Arc.axes`, and so on."""

    row: Ints
    """Row of each segment in the arrays below; -1 for segments of other kinds."""
    index: Ints
    """Position of each row's segment."""
    ends: Floats
    center: Floats
    axes: Floats
    begin: Floats
    sweep: Floats

    @cached_property
    def reaches(self) -> Floats:
        """Least and greatest distance of each ellipse from its centre, its semi-axes, shape (2, n); length."""
        values = np.linalg.svd(self.axes, compute_uv=False)
        return np.asarray(values.T[::-1], float)

    def at(self, row: Ints, t: Floats) -> Floats:
        angle = (self.begin[row] + self.sweep[row] * t)[:, None]
        axes = self.axes[row]
        points: Floats = self.center[row] + np.cos(angle) * axes[:, 0] + np.sin(angle) * axes[:, 1]
        return self.sharpened(points, row, t)

    def sharpened(self, points: Floats, row: Ints, t: Floats) -> Floats:
        """The points (k, 2) at t, (k,), where arcs are all but straight from their starts: centres are too far away.

        cos(a + d) - cos(a) = -2 sin(d / 2) sin(a + d / 2), sin(a + d) - sin(a) = 2 sin(d / 2) cos(a + d / 2).
        """
        flat = np.flatnonzero(np.abs(self.sweep[row]) < _SLIGHT)
        if len(flat) == 0:
            return points
        row, half = row[flat], self.sweep[row[flat]] * t[flat] / 2
        middle, step = self.begin[row] + half, 2 * np.sin(half)
        p, q = self.axes[row, 0], self.axes[row, 1]
        points[flat] = self.ends[row, 0] + (step * np.cos(middle))[:, None] * q - (step * np.sin(middle))[:, None] * p
        return points


@dataclass(frozen=True, eq=False)
class BezierTable:
    """Bezier segments of one degree, all of them rational or none; a row each."""

    row: Ints
    index: Ints
    points: Floats
    """Control points, shape (n, degree + 1, 2)."""
    weights: Floats
    """Shape (n, degree + 1)."""
    is_rational: bool

    @cached_property
    def ends(self) -> Floats:
        """First and last points, shape (n, 2, 2)."""
        ends: Floats = self.points[:, :: self.points.shape[1] - 1]
        return ends

    @cached_property
    def lifted(self) -> Floats:
        """Control points from the start, in homogeneous form."""
        weights = self.weights[..., None]
        return np.concatenate([(self.points - self.points[:, :1]) * weights, weights], axis=2)

    def at(self, row: Ints, t: Floats) -> Floats:
        basis = bernstein(self.points.shape[1] - 1, t)
        x = np.einsum("ki,kic->kc", basis, self.lifted[row])
        points: Floats = self.points[row, 0] + x[:, :2] / x[:, 2:]
        return points


def _table(pieces: list[Curved], group: list[int], count: int) -> ArcTable | BezierTable:
    row, index = np.full(count, -1, np.intp), np.array(group, np.intp)
    row[index] = np.arange(len(group))
    arcs = [piece for piece in pieces if isinstance(piece, Arc)]
    if arcs:
        center = np.concatenate([arc.center for arc in arcs]).reshape(-1, 2)
        axes = np.concatenate([arc.axes for arc in arcs]).reshape(-1, 2, 2)
        ends = np.concatenate([ends_of(arc) for arc in arcs]).reshape(-1, 2, 2)
        begin, sweep = np.array([arc.begin for arc in arcs]), np.array([arc.sweep for arc in arcs])
        return ArcTable(row, index, ends, center, axes, begin, sweep)
    others = [piece for piece in pieces if not isinstance(piece, Arc)]
    points = np.concatenate([piece.points for piece in others]).reshape(len(others), -1, 2)
    is_rational = isinstance(others[0], RationalBezier)
    if not is_rational:
        return BezierTable(row, index, points, np.ones(points.shape[:2]), False)
    weights = np.concatenate([piece.weights for piece in others]).reshape(len(others), -1)
    return BezierTable(row, index, points, weights, True)
