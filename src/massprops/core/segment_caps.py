"""The region between a curved segment and its chord, integrated about the segment's own start.

A closed curve is the polygon of its chords plus one such cap for each curved segment. Taken about the segment's
start, nothing in a cap cancels, wherever it lies and however shallow it is.

For r measured from the start, w = r x r' and a homogeneous f of degree k, Green's theorem in polar form gives
int f dA = 1 / (k + 2) int f(r) w dt along the segment; the chord, which points at the start, adds nothing. For Bezier
segments the integrand is a polynomial of degree 4 n - 2 at most, for which Gauss-Legendre quadrature is exact; for
rational ones it is adaptive. An elliptic arc is the affine image of a cap of the unit circle, of half angle d:

    a = int X cos s ds,  xx = int X^3 cos s / 3 ds,  yy = int X sin^2 s cos s ds,  X = cos s - cos d,  |s| <= d

with X = 2 sin((d + s) / 2) sin((d - s) / 2), free of cancellation; 32 nodes are exact to round-off up to d = pi.

Sources: G. Bashein, P. R. Detmer, Centroid of a polygon, Graphics Gems IV, 1994 (the polar form); P. J. Davis,
P. Rabinowitz, Methods of Numerical Integration, 1984 (quadrature).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.arc import CIRCULAR
from massprops.core.bernstein import bernstein, difference
from massprops.core.quadrature import adaptive, gauss
from massprops.core.segments import Arc, Bezier, Curved
from massprops.core.surface import Floats

_ARC_NODES = 32


@dataclass(frozen=True, eq=False)
class Caps:
    """Integrals over the caps of many curved segments; positive where the segment runs anticlockwise round its cap.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Points about which the integrals are taken; length.
    moments : ndarray, shape (6, n)
        Area; int u, int v; int u^2, int v^2, int u v; powers 2, 3 and 4 of length.
    errors : ndarray, shape (6, n)
        What quadrature adds to round-off: 0 but for rational segments.
    lengths, chords : ndarray, shape (n,)
        Of the segments, and of their chords; length.
    """

    start: Floats
    moments: Floats
    errors: Floats
    lengths: Floats
    chords: Floats


def caps(pieces: Sequence[Curved]) -> Caps:
    """Integrals over the caps of curved segments.

    Examples
    --------
    A half disc, about its corner:

    >>> found = caps([Arc.circle([0, 0], 1, 0, np.pi)])
    >>> (found.moments[:3, 0] / [np.pi / 2, -np.pi / 2, 2 / 3]).round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    count = len(pieces)
    start: Floats = np.array([piece.start for piece in pieces]).reshape(count, 2)
    end: Floats = np.array([piece.end for piece in pieces]).reshape(count, 2)
    moments, errors, lengths = np.zeros((6, count)), np.zeros((6, count)), np.zeros(count)
    for kind, group in _groups(pieces).items():
        members = [pieces[k] for k in group]
        if kind[0] is Arc:
            moments[:, group], lengths[group] = _arcs([piece for piece in members if isinstance(piece, Arc)])
            continue
        points = np.array([piece.points for piece in members if not isinstance(piece, Arc)])
        points = points - points[:, :1]
        weights = np.ones(points.shape[:2])
        if kind[0] is not Bezier:
            weights = np.array([piece.weights for piece in members if not isinstance(piece, Arc)])
        if kind[0] is Bezier:
            moments[:, group] = _polynomials(points)
        else:
            moments[:, group], errors[:, group] = _rationals(points, weights)
        lengths[group] = _lengths(points, weights)
    return Caps(start, moments, errors, lengths, np.hypot(*(end - start).T))


def _groups(pieces: Sequence[Curved]) -> dict[tuple[type, int], NDArray[np.intp]]:
    """Positions of the pieces of each kind and degree."""
    found: dict[tuple[type, int], list[int]] = {}
    for position, piece in enumerate(pieces):
        degree = 0 if isinstance(piece, Arc) else len(piece.points) - 1
        found.setdefault((type(piece), degree), []).append(position)
    return {kind: np.array(positions) for kind, positions in found.items()}


def _arcs(pieces: list[Arc]) -> tuple[Floats, Floats]:
    half = np.array([piece.sweep / 2 for piece in pieces])
    middle = np.array([piece.begin for piece in pieces]) + half
    axes = np.array([piece.axes for piece in pieces])
    ends = np.array([[piece.start, piece.end] for piece in pieces])
    nodes, weights = gauss(_ARC_NODES)
    right = half[:, None] * (2 * nodes[_ARC_NODES // 2 :] - 1)
    s = np.concatenate([-right[:, ::-1], right], axis=1)
    x, y = 2 * np.sin((half[:, None] + s) / 2) * np.sin((half[:, None] - s) / 2), np.sin(s)
    measure = 2 * half[:, None] * weights * np.cos(s)
    unit = [(f * measure).sum(axis=1) for f in (x, x * x / 2, x**3 / 3, x * y * y)]
    cosine, sine = np.cos(middle)[:, None], np.sin(middle)[:, None]
    p = cosine * axes[:, 0] + sine * axes[:, 1]  # conjugate semi-diameters, the first through the arc's middle
    q = cosine * axes[:, 1] - sine * axes[:, 0]
    area, first, pp, qq = (f * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]) for f in unit)
    second = [pp * p[:, i] * p[:, j] + qq * q[:, i] * q[:, j] for i, j in ((0, 0), (1, 1), (0, 1))]
    moments = np.array([area, first * p[:, 0], first * p[:, 1], *second])
    return shifted(moments, (ends[:, 1] - ends[:, 0]) / 2), _arc_lengths(pieces, axes)


def _arc_lengths(pieces: list[Arc], axes: Floats) -> Floats:
    begin = np.array([piece.begin for piece in pieces])
    sweep = np.array([piece.sweep for piece in pieces])
    lengths: Floats = np.hypot(axes[:, 0, 0], axes[:, 0, 1]) * np.abs(sweep)
    squares, product = (axes * axes).sum(axis=2), (axes[:, 0] * axes[:, 1]).sum(axis=1)
    skew = np.maximum(np.abs(squares[:, 0] - squares[:, 1]), np.abs(product))
    uneven = np.flatnonzero(skew > CIRCULAR * squares[:, 0])

    def speed(index: NDArray[np.intp], t: Floats) -> Floats:
        k = uneven[index]
        angle = begin[k, None] + sweep[k, None] * t
        p, q = axes[k, 0, :, None], axes[k, 1, :, None]
        tangent = q * np.cos(angle)[:, None] - p * np.sin(angle)[:, None]
        return np.asarray(np.abs(sweep[k, None]) * np.hypot(tangent[:, 0], tangent[:, 1]))[None]

    if len(uneven):
        lengths[uneven] = adaptive(speed, len(uneven), 1)[0][0]
    return lengths


def _polar(u: Floats, v: Floats, w: Floats) -> Floats:
    """The six integrands of the polar form."""
    return np.array([w / 2, u * w / 3, v * w / 3, u * u * w / 4, v * v * w / 4, u * v * w / 4])


def _polynomials(points: Floats) -> Floats:
    degree = points.shape[1] - 1
    nodes, weights = gauss(2 * degree)
    r = bernstein(degree, nodes) @ points
    slope = bernstein(degree - 1, nodes) @ (degree * np.diff(points, axis=1))
    w = r[..., 0] * slope[..., 1] - r[..., 1] * slope[..., 0]
    moments: Floats = _polar(r[..., 0], r[..., 1], w) @ weights
    return moments


def _homogeneous(points: Floats, weights: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Values and derivatives of (w u, w v, w), shape (3, k, m), of k segments at their parameters (k, m)."""
    degree = points.shape[1] - 1
    lifted = np.concatenate([points * weights[..., None], weights[..., None]], axis=2)
    shape = (*t.shape, -1)
    values = np.einsum("kmi,kic->ckm", bernstein(degree, t.ravel()).reshape(shape), lifted)
    rise = np.moveaxis(difference(np.moveaxis(lifted, 1, 0)), 0, 1)
    slopes = np.einsum("kmi,kic->ckm", bernstein(degree - 1, t.ravel()).reshape(shape), rise)
    return values, slopes


def _rationals(points: Floats, weights: Floats) -> tuple[Floats, Floats]:
    def integrand(index: NDArray[np.intp], t: Floats) -> Floats:
        (x, y, w), (dx, dy, _) = _homogeneous(points[index], weights[index], t)
        return _polar(x / w, y / w, (x * dy - y * dx) / (w * w))

    return adaptive(integrand, len(points), 6)


def _lengths(points: Floats, weights: Floats) -> Floats:
    def speed(index: NDArray[np.intp], t: Floats) -> Floats:
        (x, y, w), (dx, dy, dw) = _homogeneous(points[index], weights[index], t)
        return np.asarray(np.hypot(dx - x * dw / w, dy - y * dw / w) / w)[None]

    found, _ = adaptive(speed, len(points), 1)
    lengths: Floats = found[0]
    return lengths


def shifted(moments: Floats, d: Floats) -> Floats:
    """The same integrals about points that lie at -d from the old ones (parallel axes).

    Parameters
    ----------
    moments : ndarray, shape (6, n)
    d : ndarray, shape (n, 2)
        Old points as seen from the new ones.
    """
    area, fu, fv, uu, vv, uv = moments
    du, dv = d.T
    return np.array(
        [
            area,
            fu + area * du,
            fv + area * dv,
            uu + du * (2 * fu + area * du),
            vv + dv * (2 * fv + area * dv),
            uv + fu * dv + fv * du + area * du * dv,
        ]
    )
