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
from numpy.polynomial import polynomial
from numpy.typing import ArrayLike, NDArray

from massprops.core.arc import Arc as Arc
from massprops.core.bernstein import bernstein, difference, power_basis, split
from massprops.core.surface import Floats

Parameters: TypeAlias = NDArray[np.float64]

_ROOT_IMAGINARY = 1e-4
"""Roots with a smaller imaginary part are taken as real: one split too many is harmless."""


_TRIFLE = 2.0**-60
"""Coefficients of polynomials below this fraction of the largest are taken as 0."""


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
        if len(along) <= 4:
            with np.errstate(all="ignore"):  # of roots that there are not
                found = np.unique(turns_of_cubics(along[None])[0])
            return found[(found > 0) & (found < 1)]
        return _roots(power_basis(difference(along)))


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
        x, w = power_basis(along * self.weights), power_basis(self.weights)
        slope = polynomial.polysub(
            polynomial.polymul(polynomial.polyder(x), w), polynomial.polymul(x, polynomial.polyder(w))
        )
        return _roots(np.asarray(slope, float))


def box_of(points: Floats) -> Floats:
    """Lower and upper corner of the box of points (n, 2), shape (2, 2). Column by column: far faster for many."""
    columns = points[:, 0], points[:, 1]
    return np.array([[column.min() for column in columns], [column.max() for column in columns]])


Curved: TypeAlias = Arc | Bezier | RationalBezier
AnyPiece: TypeAlias = Polyline | Arc | Bezier | RationalBezier


def ends_of(piece: AnyPiece) -> Floats:
    """All points of a polyline, shape (n, 2); the start and the end of a curved segment."""
    if isinstance(piece, Polyline):
        return piece.points
    if isinstance(piece, Arc):
        return np.array([piece.start, piece.end]) if piece.ends is None else piece.ends
    return piece.points[:: len(piece.points) - 1]


def turns_of_cubics(values: Floats) -> Floats:
    """Parameters where quadratic or cubic Bezier functions turn, shape (n, 2), from their coefficients (n, 3 or 4).

    Those outside of (0, 1), and NaN, are none. They are the roots of a t^2 + b t + c.

    Source: W. Kahan, On the cost of floating-point computation without extra-precise arithmetic, 2004.
    """
    p, q, *r = np.diff(values, axis=1).T
    c, b, a = (p, q - p, np.zeros_like(p)) if not r else (p, 2 * (q - p), (r[0] - q) - (q - p))
    least = _TRIFLE * np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    half, product = b / (2 * a), c / a
    square = half * half - product
    far = -half - np.copysign(np.sqrt(square), half)
    none = np.full(len(a), np.nan)
    one = np.where(square >= 0, far, np.where(-square < _ROOT_IMAGINARY**2, -half, none))
    other = np.where((square >= 0) & (far != 0), product / far, none)
    straight = np.abs(a) <= least
    one = np.where(straight, np.where(np.abs(b) <= least, none, -c / b), one)
    return np.stack([one, np.where(straight, none, other)], axis=1)


def _roots(coefficients: Floats) -> Parameters:
    """Real roots within (0, 1) of a polynomial, lowest power first, ascending."""
    size = np.abs(coefficients).max(initial=0.0)
    if size == 0:
        return np.empty(0)
    trimmed = polynomial.polytrim(coefficients / size, tol=_TRIFLE)
    if len(trimmed) == 1:
        return np.empty(0)
    found = polynomial.polyroots(trimmed)
    real = found.real[np.abs(found.imag) < _ROOT_IMAGINARY]
    return np.sort(real[(real > 0) & (real < 1)])
