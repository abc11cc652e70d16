"""The pieces that curves are made of: straight lines, arcs, Bezier and rational Bezier segments.

Each piece is a frozen value that runs from ``start`` to ``end`` as its parameter t runs from 0 to 1. The four kinds
are closed under what is done to them: reversal, restriction to a part, and affine maps of the plane. That is why an
arc is kept as a centre and two conjugate semi-diameters, c + p cos(a) + q sin(a): a circle under an unequal resize
or a skew is still such an arc, and nothing is ever chopped into chords.

Source: G. Farin, Curves and Surfaces for CAGD, 2002, chapters 4 to 6 and 13.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from massprops.core.arc import Arc as Arc
from massprops.core.bernstein import bernstein, split
from massprops.core.surface import Floats
from massprops.core.turns import turns_of_polynomials, turns_of_rationals, within

Parameters: TypeAlias = NDArray[np.float64]


class Piece(Protocol):
    """What every kind of segment offers. Points are arrays ``(2,)`` or ``(k, 2)``, in the plane's (u, v)."""

    @property
    def start(self) -> Floats:
        """First point."""
        ...

    @property
    def end(self) -> Floats:
        """Last point."""
        ...

    def at(self, t: Parameters) -> Floats:
        """Points at the parameters ``t``, shape (k,); shape (k, 2)."""
        ...

    def reversed(self) -> Piece:
        """The same points from the last to the first."""
        ...

    def part(self, first: float, last: float) -> Piece:
        """The part between two parameters."""
        ...

    def mapped(self, matrix: Floats, translation: Floats) -> Piece:
        """The image under x -> A x + t."""
        ...

    def turns(self, direction: ArrayLike) -> Parameters:
        """Parameters within (0, 1) where the tangent is at right angles to a direction."""
        ...


@dataclass(frozen=True, eq=False)
class Polyline:
    """Straight segments from point to point.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        Two points or more; length.
    """

    points: Floats

    @property
    def start(self) -> Floats:
        point: Floats = self.points[0]
        return point

    @property
    def end(self) -> Floats:
        point: Floats = self.points[-1]
        return point

    def at(self, t: Parameters) -> Floats:
        count = len(self.points) - 1
        index = np.clip((t * count).astype(int), 0, count - 1)
        a, b = self.points[index], self.points[index + 1]
        fraction = (t * count - index)[:, None]
        points: Floats = np.where(fraction < 0.5, a + fraction * (b - a), b - (1 - fraction) * (b - a))
        return points

    def reversed(self) -> Polyline:
        return Polyline(self.points[::-1])

    def part(self, first: float, last: float) -> Polyline:
        count = len(self.points) - 1
        low, high = math.floor(first * count) + 1, math.ceil(last * count)
        ends = self.at(np.array([first, last]))
        return Polyline(np.concatenate([ends[:1], self.points[low:high], ends[1:]]))

    def mapped(self, matrix: Floats, translation: Floats) -> Polyline:
        return Polyline(self.points @ matrix.T + translation)

    def turns(self, direction: ArrayLike) -> Parameters:
        return np.arange(1, len(self.points) - 1) / (len(self.points) - 1)


@dataclass(frozen=True, eq=False)
class Bezier:
    """A polynomial Bezier segment.

    Parameters
    ----------
    points : ndarray, shape (n + 1, 2)
        Control points; the degree n is 2 or more; length.
    """

    points: Floats

    @property
    def start(self) -> Floats:
        point: Floats = self.points[0]
        return point

    @property
    def end(self) -> Floats:
        point: Floats = self.points[-1]
        return point

    @property
    def weights(self) -> Floats:
        """All ones."""
        return np.ones(len(self.points))

    def at(self, t: Parameters) -> Floats:
        points: Floats = self.start + bernstein(len(self.points) - 1, t) @ (self.points - self.start)
        return points

    def reversed(self) -> Bezier:
        return Bezier(self.points[::-1])

    def part(self, first: float, last: float) -> Bezier:
        return Bezier(split(self.points, first, last))

    def mapped(self, matrix: Floats, translation: Floats) -> Bezier:
        return Bezier(self.points @ matrix.T + translation)

    def turns(self, direction: ArrayLike) -> Parameters:
        along = self.points @ np.asarray(direction, float)
        return within(turns_of_polynomials(along[None])[0])


@dataclass(frozen=True, eq=False)
class RationalBezier:
    """A rational Bezier segment, sum w_k P_k B_k(t) / sum w_k B_k(t).

    Parameters
    ----------
    points : ndarray, shape (n + 1, 2)
        Control points P_k; length.
    weights : ndarray, shape (n + 1,)
        w_k, all positive.
    """

    points: Floats
    weights: Floats

    @property
    def start(self) -> Floats:
        point: Floats = self.points[0]
        return point

    @property
    def end(self) -> Floats:
        point: Floats = self.points[-1]
        return point

    def at(self, t: Parameters) -> Floats:
        basis = bernstein(len(self.points) - 1, t) * self.weights
        points: Floats = self.start + (basis @ (self.points - self.start)) / basis.sum(axis=1, keepdims=True)
        return points

    def reversed(self) -> RationalBezier:
        return RationalBezier(self.points[::-1], self.weights[::-1])

    def part(self, first: float, last: float) -> RationalBezier:
        local = self.points - self.start
        lifted = split(np.column_stack([local * self.weights[:, None], self.weights]), first, last)
        points = self.start + lifted[:, :2] / lifted[:, 2:]
        return RationalBezier(points, lifted[:, 2])

    def mapped(self, matrix: Floats, translation: Floats) -> RationalBezier:
        return RationalBezier(self.points @ matrix.T + translation, self.weights)

    def turns(self, direction: ArrayLike) -> Parameters:
        along = (self.points - self.start) @ np.asarray(direction, float)
        return within(turns_of_rationals(along[None], self.weights[None])[0])


def box_of(points: Floats) -> Floats:
    """Lower and upper corner of the box of points (n, 2), shape (2, 2). Column by column: far faster for many."""
    columns = points[:, 0], points[:, 1]
    return np.array([[column.min() for column in columns], [column.max() for column in columns]])


Curved: TypeAlias = Arc | Bezier | RationalBezier
AnyPiece: TypeAlias = Polyline | Arc | Bezier | RationalBezier


def frame_of(piece: AnyPiece) -> Floats:
    """Points (n, 2) whose box holds a piece: those that give it, or two corners around the whole ellipse of an arc."""
    if not isinstance(piece, Arc):
        return piece.points
    reach = np.hypot(*piece.axes)  # the rows are conjugate semi-diameters
    return np.array([piece.center - reach, piece.center + reach])


def ends_of(piece: AnyPiece) -> Floats:
    """All points of a polyline, shape (n, 2); the start and the end of a curved segment."""
    if isinstance(piece, Polyline):
        return piece.points
    if isinstance(piece, Arc):
        return np.array([piece.start, piece.end]) if piece.ends is None else piece.ends
    return piece.points[:: len(piece.points) - 1]
