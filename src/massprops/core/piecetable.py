"""Many curved segments evaluated at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.bernstein import bernstein
from massprops.core.segments import Arc, Curved
from massprops.core.surface import Floats

Ints = NDArray[Any]
"""Arrays of indices, or masks."""


@dataclass(frozen=True, eq=False)
class PieceTable:
    """Curved segments, sorted by kind and degree.

    Examples
    --------
    >>> table = PieceTable.of([Arc.circle([0, 0], 1), Arc.circle([5, 0], 2)])
    >>> table.at(np.array([1, 0]), np.array([0.5, 0.25])).round(12).tolist()
    [[3.0, 0.0], [0.0, 1.0]]
    """

    kinds: tuple[ArcTable | _Beziers, ...]

    @classmethod
    def of(cls, pieces: Sequence[Curved]) -> PieceTable:
        """A table of segments, in the order given."""
        groups: dict[int, list[int]] = {}
        for k, piece in enumerate(pieces):
            groups.setdefault(0 if isinstance(piece, Arc) else len(piece.points), []).append(k)
        return cls(tuple(_table([pieces[k] for k in group], group, len(pieces)) for group in groups.values()))

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
    center: Floats
    axes: Floats
    begin: Floats
    sweep: Floats

    def at(self, row: Ints, t: Floats) -> Floats:
        angle = (self.begin[row] + self.sweep[row] * t)[:, None]
        axes = self.axes[row]
        points: Floats = self.center[row] + np.cos(angle) * axes[:, 0] + np.sin(angle) * axes[:, 1]
        return points


@dataclass(frozen=True, eq=False)
class _Beziers:
    row: Ints
    start: Floats
    lifted: Floats
    """Control points from the start, in homogeneous form."""

    def at(self, row: Ints, t: Floats) -> Floats:
        basis = bernstein(self.lifted.shape[1] - 1, t)
        x = np.einsum("ki,kic->kc", basis, self.lifted[row])
        points: Floats = self.start[row] + x[:, :2] / x[:, 2:]
        return points


def _table(pieces: list[Curved], group: list[int], count: int) -> ArcTable | _Beziers:
    row = np.full(count, -1, np.intp)
    row[group] = np.arange(len(group))
    arcs = [piece for piece in pieces if isinstance(piece, Arc)]
    if arcs:
        center, axes = np.array([arc.center for arc in arcs]), np.array([arc.axes for arc in arcs])
        return ArcTable(row, center, axes, np.array([arc.begin for arc in arcs]), np.array([arc.sweep for arc in arcs]))
    others = [piece for piece in pieces if not isinstance(piece, Arc)]
    points, weights = np.array([p.points for p in others]), np.array([p.weights for p in others])[..., None]
    start = points[:, 0]
    return _Beziers(row, start, np.concatenate([(points - start[:, None]) * weights, weights], axis=2))
