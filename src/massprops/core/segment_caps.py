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

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.arc import CIRCULAR
from massprops.core.bernstein import bernstein, difference
from massprops.core.piecetable import ArcTable, PieceTable
from massprops.core.quadrature import adaptive, gauss
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


def caps(table: PieceTable) -> Caps:
    """Integrals over the caps of curved segments.

    Examples
    --------
    A half disc, about its corner:

    >>> from massprops.core.segments import Arc
    >>> found = caps(PieceTable.of([Arc.circle([0, 0], 1, 0, np.pi)]))
    >>> (found.moments[:3, 0] / [np.pi / 2, -np.pi / 2, 2 / 3]).round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    count = len(table.ends)
    moments, errors, lengths = np.zeros((6, count)), np.zeros((6, count)), np.zeros(count)
    for kind in table.kinds:
        if isinstance(kind, ArcTable):
            moments[:, kind.index], lengths[kind.index] = _arcs(kind), _arc_lengths(kind)
            continue
        points = kind.points - kind.points[:, :1]
        if kind.is_rational:
            moments[:, kind.index], errors[:, kind.index] = _rationals(points, kind.weights)
        else:
            moments[:, kind.index] = _polynomials(points)
        lengths[kind.index] = _lengths(points, kind.weights, kind.is_rational)
    start, end = table.ends[:, 0], table.ends[:, 1]
    return Caps(start, moments, errors, lengths, np.hypot(*(end - start).T))


def _arcs(arcs: ArcTable) -> Floats:
    axes, ends = arcs.axes, arcs.ends
    half = arcs.sweep / 2
    middle = arcs.begin + half
    distinct, which = np.unique(half, return_inverse=True)
    area, first, pp, qq = _unit_caps(distinct)[:, which]
    cosine, sine = np.cos(middle)[:, None], np.sin(middle)[:, None]
    p = cosine * axes[:, 0] + sine * axes[:, 1]  # conjugate semi-diameters, the first through the arc's middle
    q = cosine * axes[:, 1] - sine * axes[:, 0]
    size = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    area, first, pp, qq = area * size, first * size, pp * size, qq * size
    second = [pp * p[:, i] * p[:, j] + qq * q[:, i] * q[:, j] for i, j in ((0, 0), (1, 1), (0, 1))]
    moments = np.array([area, first * p[:, 0], first * p[:, 1], *second])
    return shifted(moments, (ends[:, 1] - ends[:, 0]) / 2)


def _unit_caps(half: Floats) -> Floats:
    """Area, and integrals of x, x^2 and y^2, of caps of the unit circle with half angles (n,), shape (4, n)."""
    nodes, weights = gauss(_ARC_NODES)
    right = half[:, None] * (2 * nodes[_ARC_NODES // 2 :] - 1)
    s = np.concatenate([-right[:, ::-1], right], axis=1)
    x, y = 2 * np.sin((half[:, None] + s) / 2) * np.sin((half[:, None] - s) / 2), np.sin(s)
    measure = 2 * half[:, None] * weights * np.cos(s)
    return np.array([(f * measure).sum(axis=1) for f in (x, x * x / 2, x**3 / 3, x * y * y)])


def _arc_lengths(arcs: ArcTable) -> Floats:
    axes, begin, sweep = arcs.axes, arcs.begin, arcs.sweep
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
    values = np.einsum("kmi,kic->ckm", _bases(degree, t), lifted)
    rise = np.moveaxis(difference(np.moveaxis(lifted, 1, 0)), 0, 1)
    slopes = np.einsum("kmi,kic->ckm", _bases(degree - 1, t), rise)
    return values, slopes


def _bases(degree: int, t: Floats) -> Floats:
    """Bernstein polynomials at parameters (k, m), shape (k, m, degree + 1)."""
    rows, which = _distinct(t)
    return bernstein(degree, rows.ravel()).reshape(*rows.shape, -1)[which]


def _sums(degree: int, t: Floats) -> Floats:
    """Sums of the Bernstein polynomials, shape (k, m): 1 but for round-off, and the weight by which is divided."""
    rows, which = _distinct(t)
    first, *others = np.moveaxis(bernstein(degree, rows.ravel()).reshape(*rows.shape, -1), 2, 0)
    return np.asarray(sum(others, first)[which])


def _distinct(t: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Rows of parameters (k, m) that differ, and which of them each row is: most segments are asked for the same."""
    _, first, which = np.unique(t[:, -1], return_index=True, return_inverse=True)
    return (t[first], which) if (t[first][which] == t).all() else (t, np.arange(len(t)))


def _rationals(points: Floats, weights: Floats) -> tuple[Floats, Floats]:
    def integrand(index: NDArray[np.intp], t: Floats) -> Floats:
        (x, y, w), (dx, dy, _) = _homogeneous(points[index], weights[index], t)
        return _polar(x / w, y / w, (x * dy - y * dx) / (w * w))

    return adaptive(integrand, len(points), 6)


def _lengths(points: Floats, weights: Floats, is_rational: bool) -> Floats:
    def speed(index: NDArray[np.intp], t: Floats) -> Floats:
        if not is_rational:
            dx, dy, w = _derivatives(points[index], t)
            return np.asarray(np.hypot(dx, dy) / w)[None]
        (x, y, w), (dx, dy, dw) = _homogeneous(points[index], weights[index], t)
        return np.asarray(np.hypot(dx - x * dw / w, dy - y * dw / w) / w)[None]

    found, _ = adaptive(speed, len(points), 1)
    lengths: Floats = found[0]
    return lengths


def _derivatives(points: Floats, t: Floats) -> Floats:
    """Derivatives of k polynomial segments at their parameters (k, m), and the sums of the weights, shape (3, k, m)."""
    degree = points.shape[1] - 1
    rise = np.moveaxis(difference(np.moveaxis(points, 1, 0)), 0, 1)
    dx, dy = np.einsum("kmi,kic->ckm", _bases(degree - 1, t), rise)
    return np.stack([dx, dy, _sums(degree, t)])


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
