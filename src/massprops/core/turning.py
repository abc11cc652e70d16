"""Many curved segments cut at once where they turn: where the tangent is parallel to u or v."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.arc import turns_of_arc
from massprops.core.bernstein import bernstein
from massprops.core.segments import Arc, Bezier, Curved, ends_of, turns_of_cubic
from massprops.core.surface import Floats

_DIRECTIONS = np.eye(2)
_CUBIC = 4


class Steady(NamedTuple):
    """The stretches between turns of curved segments, of one segment after the other.

    Segment k has ``counts[k]`` stretches; ``points`` and ``cuts`` hold one more each for it.
    """

    counts: NDArray[np.intp]
    points: Floats
    """Starts, turns and ends, shape (n, 2); length."""
    cuts: Floats
    """Their parameters, from 0 to 1 for each segment, shape (n,)."""


def steady(pieces: Sequence[Curved]) -> Steady:
    """Cut curved segments where they turn.

    Examples
    --------
    >>> found = steady([Arc.circle([0, 0], 1, 0, np.pi)])
    >>> found.counts.tolist(), found.cuts.tolist(), found.points.round(12).tolist()
    ([2], [0.0, 0.5, 1.0], [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    """
    turns = _turns(pieces)
    counts = np.array([len(values) for values in turns], np.intp) + 1
    lasts = np.cumsum(counts + 1) - 1
    firsts = lasts - counts
    inner = np.ones(int(counts.sum()) + len(counts), bool)
    inner[firsts] = inner[lasts] = False
    points, cuts = np.empty((len(inner), 2)), np.zeros(len(inner))
    ends = [ends_of(piece) for piece in pieces]
    points[firsts], points[lasts] = np.array(ends).reshape(-1, 2, 2).transpose(1, 0, 2)
    cuts[lasts] = 1.0
    cuts[inner] = np.concatenate([np.empty(0), *turns])
    for index in _alike(pieces, counts):
        if counts[index[0]] > 1:
            where = firsts[index, None] + np.arange(1, counts[index[0]])
            points[where] = _points([pieces[k] for k in index], cuts[where])
    return Steady(counts, points, cuts)


def _turns(pieces: Sequence[Curved]) -> list[list[float]]:
    """Parameters within (0, 1) where segments turn, ascending."""
    found: list[list[float]] = [[] for _ in pieces]
    groups: dict[Any, list[int]] = {}
    for k, piece in enumerate(pieces):
        cubic = isinstance(piece, Bezier) and len(piece.points) <= _CUBIC
        groups.setdefault(Arc if isinstance(piece, Arc) else len(piece.points) if cubic else None, []).append(k)
    for kind, group in groups.items():
        members = [pieces[k] for k in group]
        for direction in _DIRECTIONS:
            for k, values in zip(group, _turns_of(kind, members, direction), strict=True):
                found[k] += values
    return [sorted(set(values)) if len(values) > 1 else values for values in found]


def _turns_of(kind: Any, pieces: list[Any], direction: Floats) -> list[list[float]]:
    if kind is None:
        return [piece.turns(direction).tolist() for piece in pieces]
    if kind is Arc:
        rows = (np.array([piece.axes for piece in pieces]) @ direction).tolist()
        return [turns_of_arc(p, q, arc.begin, arc.sweep) for (p, q), arc in zip(rows, pieces, strict=True)]
    return [turns_of_cubic(*row) for row in (np.array([piece.points for piece in pieces]) @ direction).tolist()]


def _alike(pieces: Sequence[Curved], counts: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Positions of pieces of one kind and degree, cut into the same number of stretches."""
    groups: dict[Any, list[int]] = {}
    for k, (piece, count) in enumerate(zip(pieces, counts.tolist(), strict=True)):
        kind = (type(piece), 0 if isinstance(piece, Arc) else len(piece.points))
        groups.setdefault((*kind, count), []).append(k)
    return [np.array(group) for group in groups.values()]


def _points(pieces: list[Any], t: Floats) -> Floats:
    """Points (n, m, 2) of n segments of one kind and degree at their parameters (n, m)."""
    if isinstance(pieces[0], Arc):
        begin, sweep = np.array([[piece.begin, piece.sweep] for piece in pieces]).T[:, :, None]
        center, axes = np.array([piece.center for piece in pieces]), np.array([piece.axes for piece in pieces])
        angle = begin + sweep * t
        return np.asarray(center[:, None] + np.stack([np.cos(angle), np.sin(angle)], axis=2) @ axes)
    if isinstance(pieces[0], Bezier):
        control = np.array([piece.points for piece in pieces])
        basis = bernstein(control.shape[1] - 1, t.ravel()).reshape(*t.shape, -1)
        return np.asarray(control[:, :1] + basis @ (control - control[:, :1]))
    return np.array([piece.at(values) for piece, values in zip(pieces, t, strict=True)])
