"""The 3-D kernel: from the triangles of a closed surface to the moments of the body inside.

Each facet (a, b, c) and a reference point o span a signed tetrahedron. With the corners taken relative to o and
D = a . ((b - a) x (c - a)), six times its volume, the divergence theorem gives

    V = sum D / 6
    int x dV = sum D / 24 (a + b + c)
    int x x^T dV = sum D / 120 (p p^T + q q^T + r r^T),    p = a + b,  q = b + c,  r = c + a

The last bracket is the covariance form a a^T + b b^T + c c^T + (a + b + c)(a + b + c)^T, with fewer products.

Sources: F. Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex coordinates,
J. Math. Stat. 1, 2004; B. Mirtich, Fast and accurate computation of polyhedral mass properties, J. Graphics Tools 1,
1996; D. Eberly, Polyhedral mass properties (revisited), Geometric Tools, 2002. Written with the edge vectors, the
round-off of D is proportional to the area of the facet. Error analysis: N. J. Higham, Accuracy and Stability of
Numerical Algorithms, 2002, chapter 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from massprops.core.moments import Moments, rationals
from massprops.core.sums import (
    Double2,
    U,
    add2,
    exact_sum,
    multiply2,
    negate2,
    shifted_sums,
    shifts,
    two_sum,
)
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import map_blocks

_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""The six different entries of a symmetric tensor, in the order of rows 4 to 9 of the integrands."""

_PRODUCT_ROUNDINGS = 3
"""Roundings of size u on the way to the products e1_i e2_j: those of e1, e2 and the product."""

_TERM_ROUNDINGS = np.array([4] + 3 * [7] + 6 * [10])
"""Roundings on the way from there to D, to D (a + b + c) and to D (p p^T + q q^T + r r^T)."""

_DOUBLE2_ROUNDING = 2.0**-97
"""The same for the whole way in double-double arithmetic: 50 operations of relative error 10 u^2 at most."""

SHARP_VOLUME, SHARP_SECOND = 1e-15, 1e-14
"""Relative error bounds of volume and second moments above which the sums are formed again in double-double."""

_SAFE_EXPONENT = 60
"""Bodies larger than 2^60 or smaller than 2^-60 are scaled, so that the fifth power of a length is a float64."""


@dataclass(frozen=True)
class RoundOff:
    """Upper bounds of the errors of the integrals, absolute, about the same point as the `Moments` they belong to.

    Parameters
    ----------
    volume : float
        length^3.
    first : ndarray, shape (3,)
        length^4.
    second : ndarray, shape (3, 3)
        length^5.
    """

    volume: float
    first: Floats
    second: Floats


@dataclass(frozen=True)
class Integrals:
    """What the kernel finds.

    Parameters
    ----------
    moments : Moments
        Of the body, at unit density, in the surface's coordinates.
    area : float
        Area of the surface; length^2.
    round_off : RoundOff
        Bounds of the errors of ``moments``.
    """

    moments: Moments
    area: float
    round_off: RoundOff


class Frame(NamedTuple):
    """Where and in which scale the sums are formed: x = scale (v - origin), each |x_i| at most ``half[i]``."""

    origin: Floats
    scale: float
    half: Floats
    rounded: Floats
    """Largest round-off of x_i, as a multiple of u; 0 where the subtraction is exact."""


class BlockSums(NamedTuple):
    """Sums over one block: the ten integrands, area, and what the error bound needs."""

    high: Floats
    low: Floats
    area: float
    products: float
    """Sum of |a_k| (|e1_i e2_j| + |e1_j e2_i|) over the facets and the three axes."""
    terms: float
    """Sum of |a_k (e1 x e2)_k| over the facets and the three axes."""


def integrals(surface: Surface, lower: Floats, upper: Floats, threads: int | None = None) -> Integrals:
    """Moments and area of the body that a closed surface bounds.

    Sums are formed in float64, each free of summation error, and formed again in double-double arithmetic when their
    error bound is not small against the result: thin plates and rotated needles need it, compact bodies do not.

    Parameters
    ----------
    surface : Surface
        Closed; facets oriented outwards enclose positive volume. Finite coordinates.
    lower, upper : ndarray, shape (3,)
        Its bounding box; length.
    threads : int, optional
        See `massprops.core.workers.map_blocks`; the result does not depend on it.

    Examples
    --------
    >>> from massprops.core.surface import TriangleArray
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
    >>> tetrahedron = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    >>> found = integrals(TriangleArray(tetrahedron), corners.min(axis=0), corners.max(axis=0))
    >>> float(found.moments.volume), [float(x) for x in found.moments.center]
    (1.0, [0.25, 0.5, 0.75])
    """
    frame = reference_frame(lower, upper, surface.dtype == np.float32)
    plain = _total(map_blocks(surface, lambda: PlainKernel(frame), threads), frame, surface.facets)
    if _is_sharp(plain):
        return plain
    double = map_blocks(surface, lambda: lambda block: double_kernel(block, frame), threads)
    return _total(double, frame, surface.facets, doubled=True)


def reference_frame(lower: Floats, upper: Floats, is_single: bool = False) -> Frame:
    """The box centre as reference point, and a power of two that brings extreme sizes back into the range of floats.

    Where the box holds the coordinate 0 well inside, 0 itself is taken: subtracting it has no round-off. Nor has
    subtracting a float32 from float32 coordinates that differ by less than 2^28 times: there the centre is rounded.
    """
    center = lower + 0.5 * (upper - lower)
    low, high = np.minimum(np.abs(lower), np.abs(upper)), np.maximum(np.abs(lower), np.abs(upper))
    is_aligned = is_single & (lower * upper > 0) & (low >= 2.0**-28 * high)
    with np.errstate(over="ignore"):
        origin = np.where(is_aligned, center.astype(np.float32).astype(np.float64), center)
    origin = np.where(np.abs(center) <= 0.125 * (upper - lower), 0.0, origin)
    half = np.maximum(upper - origin, origin - lower) * (1 + 4 * U)
    _, exponent = np.frexp(half.max())
    scale = 1.0 if abs(int(exponent)) <= _SAFE_EXPONENT else float(np.ldexp(1.0, -int(exponent)))
    half = half * scale
    return Frame(origin, scale, half, np.where(is_aligned | (origin == 0.0), 0.0, half))


class PlainKernel:
    """The integrands of a block in float64, and their sums.

    Holds the scratch memory: fresh memory for each of the arrays would cost more time than the arithmetic.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._bound = _integrand_bounds(frame.half)
        self._corners = np.empty((3, 3, BLOCK))
        self._edges = np.empty((2, 3, BLOCK))
        self._normals, self._scratch = np.empty((2, 3, BLOCK))
        self._sides, self._weighted = np.empty((2, 3, 3, BLOCK))
        self._rows, self._rounded = np.empty((2, 10, BLOCK))

    def __call__(self, block: Block) -> BlockSums:
        n = block.shape[2]
        x = self._corners[:, :, :n]
        np.subtract(block, self._frame.origin[:, None], out=x)
        if self._frame.scale != 1.0:
            x *= self._frame.scale
        edges = np.subtract(x[1:], x[0], out=self._edges[:, :, :n])
        normal, products = self._cross(edges[0], edges[1], x[0])
        rows, scratch = self._rows[:, :n], self._scratch[:, :n]
        _dot(x[0], normal, scratch, rows[0])
        terms = float(np.abs(scratch, out=scratch).sum())
        self._integrands(x, rows)
        length = self._sides[0, 0, :n]
        _dot(normal, normal, scratch, length)
        area = 0.5 * float(np.sqrt(length, out=length).sum())
        high, low = shifted_sums(rows, shifts(self._bound, n), self._rounded[:, :n])
        return BlockSums(high, low, area, products, terms)

    def _cross(self, u: Floats, v: Floats, a: Floats) -> tuple[Floats, float]:
        """u x v, and the sum of the absolute values of the products that a . (u x v) is made of."""
        n = u.shape[1]
        normal, subtrahend = self._normals[:, :n], self._scratch[:, :n]
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            np.multiply(u[j], v[k], out=normal[i])
            np.multiply(u[k], v[j], out=subtrahend[i])
        size = self._rounded[:3, :n]
        np.abs(normal, out=size)
        np.subtract(normal, subtrahend, out=normal)
        np.abs(subtrahend, out=subtrahend)
        np.add(size, subtrahend, out=size)
        products = float(np.einsum("ij,ij->", size, np.abs(a, out=subtrahend)))
        return normal, products

    def _integrands(self, x: Floats, rows: Floats) -> None:
        """Rows 1 to 9: D (a + b + c) and the six entries of D (p p^T + q q^T + r r^T); row 0 is D."""
        n = x.shape[2]
        sides, weighted, scratch = self._sides[:, :, :n], self._weighted[:, :, :n], self._scratch[:, :n]
        for side, (start, end) in zip(sides, ((0, 1), (1, 2), (2, 0)), strict=True):
            np.add(x[start], x[end], out=side)
        np.add(sides[0], x[2], out=scratch)
        np.multiply(scratch, rows[0], out=rows[1:4])
        np.multiply(sides, rows[0], out=weighted)
        for row, (i, j) in zip(rows[4:], _ENTRIES, strict=True):
            np.multiply(weighted[:, i], sides[:, j], out=scratch)
            np.add(scratch[0], scratch[1], out=row)
            np.add(row, scratch[2], out=row)


def _dot(u: Floats, v: Floats, scratch: Floats, out: Floats) -> None:
    np.multiply(u, v, out=scratch)
    np.add(scratch[0], scratch[1], out=out)
    np.add(out, scratch[2], out=out)


def double_kernel(block: Block, frame: Frame) -> BlockSums:
    """The integrands of a block in double-double arithmetic, about twice 53 bits, and their sums."""
    x = [[two_sum(v * frame.scale, -o * frame.scale) for v, o in zip(corner, frame.origin, strict=True)]
         for corner in block.astype(np.float64)]  # fmt: skip
    a, b, c = x
    e1, e2 = ([add2(end, negate2(start)) for start, end in zip(a, corner, strict=True)] for corner in (b, c))
    normal = [
        add2(multiply2(e1[j], e2[k]), negate2(multiply2(e1[k], e2[j]))) for j, k in ((1, 2), (2, 0), (0, 1))
    ]
    determinant = _dot2(a, normal)
    sides = [[add2(s, e) for s, e in zip(start, end, strict=True)] for start, end in ((a, b), (b, c), (c, a))]
    total = [add2(side, corner) for side, corner in zip(sides[0], c, strict=True)]
    rows = [determinant, *(multiply2(determinant, t) for t in total)]
    rows += [
        multiply2(determinant, _dot2([s[i] for s in sides], [s[j] for s in sides])) for i, j in _ENTRIES
    ]
    high, low = _sums2(rows, _integrand_bounds(frame.half))
    length = np.linalg.norm([component.high for component in normal], axis=0)
    products = sum(
        float((np.abs(a[i].high) * (np.abs(e1[j].high * e2[k].high) + np.abs(e1[k].high * e2[j].high))).sum())
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    )
    return BlockSums(high, low, 0.5 * float(length.sum()), products, products)


def _dot2(u: list[Double2], v: list[Double2]) -> Double2:
    first, second, third = (multiply2(x, y) for x, y in zip(u, v, strict=True))
    return add2(add2(first, second), third)


def _sums2(rows: list[Double2], bound: Floats) -> tuple[Floats, Floats]:
    """Sums of double-double rows: the high parts on two grids without error, the rest plainly."""
    n = len(rows[0].high)
    high = np.stack([row.high for row in rows])
    scratch = np.empty_like(high)
    shift = shifts(bound, n)
    first, _ = shifted_sums(high, shift, scratch)  # leaves the remainders, at most 2^-53 shift, in `high`
    second, rest = shifted_sums(high, shifts(U * shift, n), scratch)
    return first, second + (rest + np.stack([row.low for row in rows]).sum(axis=1))


def _integrand_bounds(half: Floats) -> Floats:
    """Upper bounds of the ten integrands of a facet in the box |x_i| <= half_i (Hadamard: a 3 x 3 sign matrix has
    |det| <= 4)."""
    determinant = 4.0 * np.prod(half)
    second = [12.0 * half[i] * half[j] for i, j in _ENTRIES]
    bounds: Floats = 2.0 * determinant * np.array([1.0, *(3.0 * half), *second])
    return bounds


def _total(parts: list[BlockSums], frame: Frame, facets: int, doubled: bool = False) -> Integrals:
    """Sums over the blocks, in the units of the file, with their error bounds."""
    sums = [exact_sum(x for part in parts for x in (part.high[q], part.low[q])) for q in range(10)]
    area = float(exact_sum(part.area for part in parts))
    ratio = 1 / Fraction(frame.scale)
    divisors = [6 / ratio**3] + 3 * [24 / ratio**4] + 6 * [120 / ratio**5]
    volume, *rest = (total / divisor for total, divisor in zip(sums, divisors, strict=True))
    xx, yy, zz, xy, xz, yz = rest[3:]
    second = rationals([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments = Moments(volume, rationals(rest[:3]), second, rationals(frame.origin))
    return Integrals(moments, area * float(ratio**2), _round_off(parts, frame, area, facets, doubled))


def _round_off(parts: list[BlockSums], frame: Frame, area: float, facets: int, doubled: bool) -> RoundOff:
    """Bounds of the errors: a running analysis of the sums that were formed.

    Three sources: the roundings within each integrand; those of x = v - o, which move each vertex by u |x_i| at
    most and so change the integral of f by the integral of |f| u |x . n| over the surface; and what summing the
    remainders leaves. The factor 1.01 covers products of roundings and the rounding of the bound itself.
    """
    half = frame.half
    sizes = np.array([1.0, *half, *(half[i] * half[j] for i, j in _ENTRIES)])
    weights = np.array([1 / 6] + 3 * [3 / 24] + 6 * [12 / 120]) * sizes
    products, terms = sum(part.products for part in parts), sum(part.terms for part in parts)
    if doubled:
        within = _DOUBLE2_ROUNDING * products * weights
        moved, left = np.zeros(10), 2.0**-52
    else:
        within = U * (_PRODUCT_ROUNDINGS * products + _TERM_ROUNDINGS * terms) * weights
        moved, left = U * area * float(np.linalg.norm(frame.rounded)) * sizes, 1.0
    summing = left * 32.0 * U * U * facets * BLOCK * _integrand_bounds(half)
    bound = 1.01 * (within + moved + summing) / frame.scale ** np.array([3] + 3 * [4] + 6 * [5])
    tensor = np.empty((3, 3))
    for value, (i, j) in zip(bound[4:], _ENTRIES, strict=True):
        tensor[i, j] = tensor[j, i] = value
    return RoundOff(float(bound[0]), bound[1:4], tensor)


def _is_sharp(found: Integrals) -> bool:
    """Whether the error bounds of the plain sums are small enough against the volume and the second moments."""
    moments, volume = found.moments, abs(float(found.moments.volume))
    if found.round_off.volume > SHARP_VOLUME * volume:
        return False
    spread = max(float(moments.second[k, k]) - float(moments.first[k]) ** 2 / volume for k in range(3))
    return float(found.round_off.second.max()) <= SHARP_SECOND * spread
