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
round-off of D is proportional to the area of the facet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from massprops.core.double_polyhedron import double_kernel
from massprops.core.integrand_sums import ExactSums, IntegrandSums, RunSums
from massprops.core.integrands import BlockSums, Frame, reference_frame
from massprops.core.moments import Moments, Rationals, rationals
from massprops.core.round_off import RoundOff, round_off
from massprops.core.scratch import row_size, scratch
from massprops.core.sums import exact_sum, two_sum
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import map_blocks, map_blocks_beside

Part = TypeVar("Part")

SHARP, SHARP_ENOUGH = (1e-15, 1e-14), (5e-15, 5e-14)
"""Relative error bounds of volume and second moments above which the sums are formed again in double-double: those
of small surfaces, and those of large ones, where it multiplies the time."""

_SMALL = 2 * BLOCK
"""Number of facets up to which a surface is small: double-double arithmetic costs it some hundredths of a second."""


_DIVISORS = (6, *[24] * 3, *[120] * 6)
"""Of the sums of the ten integrands, as in the formulas above."""


@dataclass(frozen=True, eq=False)
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


def integrals(surface: Surface, lower: Floats, upper: Floats, workers: int | None = None) -> Integrals:
    """Moments and area of the body that a closed surface bounds.

    Sums are formed in float64, each free of summation error, and formed again in double-double arithmetic when their
    error bound is not small against the result: thin plates and rotated needles need it, compact bodies do not.

    Parameters
    ----------
    surface : Surface
        Closed; facets oriented outwards enclose positive volume. Finite coordinates.
    lower, upper : ndarray, shape (3,)
        Its bounding box; length.
    workers : int, optional
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
    return integrals_beside(surface, lower, upper, lambda _: None, workers)[0]


def integrals_beside(
    surface: Surface,
    lower: Floats,
    upper: Floats,
    work: Callable[[Iterator[Block]], Part],
    workers: int | None = None,
) -> tuple[Integrals, list[Part]]:
    """`integrals`, and what other work makes of the same blocks; see `massprops.core.workers.share_blocks`."""
    frame = reference_frame(lower, upper, surface.dtype == np.float32)
    parts, others = map_blocks_beside(surface, lambda: PlainKernel(frame, surface.facets), work, workers)
    return _sharpened(parts, frame, surface, workers), others


def _sharpened(parts: Sequence[BlockSums], frame: Frame, surface: Surface, workers: int | None) -> Integrals:
    """The plain sums if they are sharp, or else those in double-double arithmetic."""
    found = _total(parts, frame, surface.facets)
    is_sharp = _is_sharp(found, surface.facets)
    if not is_sharp and frame.rounded.any() and _shifts_exactly(surface, frame, workers):
        found = _total(parts, frame._replace(rounded=np.zeros(3)), surface.facets)
        is_sharp = _is_sharp(found, surface.facets)
    if not is_sharp:
        double = map_blocks(surface, lambda: lambda block: double_kernel(block, frame), workers)
        found = _total(double, frame, surface.facets, doubled=True)
    return _in_file_units(found, frame)


class PlainKernel:
    """The integrands of a block in float64, and their sums.

    Holds the scratch memory: fresh memory for each of the arrays would cost more time than the arithmetic. What is no
    longer needed makes room for what comes next, so that more of it stays in the caches.

    Parameters
    ----------
    frame : Frame
    facets : int, optional
        Of the whole surface; see `massprops.core.integrand_sums` for what depends on it.
    """

    def __init__(self, frame: Frame, facets: int = BLOCK) -> None:
        self._frame = frame
        size = row_size(min(facets, BLOCK))
        self._sums: IntegrandSums = ExactSums(frame.half, size) if facets <= _SMALL else RunSums(frame.half)
        memory = scratch(13, size)
        self._corners, self._terms, self._determinant = memory[:9].reshape(3, 3, size), memory[9:12], memory[12]

    def __call__(self, block: Block) -> BlockSums:
        n = block.shape[2]
        x, terms, determinant = self._corners[:, :, :n], self._terms[:, :n], self._determinant[:n]
        np.copyto(x, block)  # apart: faster than to convert within the subtraction
        np.subtract(x, self._frame.origin[:, None], out=x)
        if self._frame.exponent:
            np.ldexp(x, self._frame.exponent, out=x)
        edges, normal = self._sums.sides[:2, :3, :n], self._sums.sides[2, :3, :n]
        np.subtract(x[1:], x[0], out=edges)
        products, size = self._cross(edges[0], edges[1], x[0], normal)
        _dot(x[0], normal, terms, determinant)
        length = self._sums.spare[0, :n]
        _dot(normal, normal, terms, length)
        area = 0.5 * float(np.sqrt(length, out=length).sum())
        sums = self._sums(x, determinant)
        return BlockSums(sums.parts, area, products, size, sums.squares)

    def _cross(self, u: Floats, v: Floats, a: Floats, normal: Floats) -> tuple[float, float]:
        """u x v; and sums of absolute values: of the products that a . (u x v) is made of, and of its three terms."""
        n = u.shape[1]
        subtrahend, size, distance = self._terms[:, :n], self._sums.spare[:3, :n], self._sums.spare[3:6, :n]
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            np.multiply(u[j], v[k], out=normal[i])
            np.multiply(u[k], v[j], out=subtrahend[i])
        np.abs(normal, out=size)
        np.subtract(normal, subtrahend, out=normal)
        np.abs(subtrahend, out=subtrahend)
        np.add(size, subtrahend, out=size)
        np.abs(a, out=distance)
        products = np.vecdot(size, distance)
        return float(products.sum()), float(np.vecdot(np.abs(normal, out=size), distance).sum())


def _dot(u: Floats, v: Floats, terms: Floats, out: Floats) -> None:
    np.multiply(u, v, out=terms)
    np.add(terms[0], terms[1], out=out)
    np.add(out, terms[2], out=out)


def _total(parts: Sequence[BlockSums], frame: Frame, facets: int, doubled: bool = False) -> Integrals:
    """Sums over the blocks with their error bounds, in the scale of the frame and about its origin."""
    columns = zip(*(values for part in parts for values in part.parts), strict=True)
    volume, x, y, z, xx, yy, zz, xy, xz, yz = map(exact_sum, columns, _DIVISORS)
    first, second = rationals([x, y, z]), rationals([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    area = float(exact_sum(part.area for part in parts))
    bounds = round_off(parts, frame, area, facets, doubled)
    if doubled:  # what its bound does not tell from zero is most likely zero, by symmetry
        first, second = _beyond(first, bounds.first), _beyond(second, bounds.second)
        bounds = RoundOff(bounds.volume, 2 * bounds.first, 2 * bounds.second)
    return Integrals(Moments(volume, first, second, rationals(frame.origin)), area, bounds)


def _beyond(values: Rationals, bounds: Floats) -> Rationals:
    """The values, with zeros for those that are not larger than their bounds."""
    kept = values.copy()
    kept[(np.abs(values) <= bounds).astype(bool)] = Fraction(0)
    return kept


def _shifts_exactly(surface: Surface, frame: Frame, workers: int | None) -> bool:
    """Whether subtracting the origin rounds no coordinate: not promised by the box, and often so all the same."""
    origin = -frame.origin[:, None]

    def work(block: Block) -> bool:
        return not two_sum(block.astype(np.float64), origin).low.any()

    return all(map_blocks(surface, lambda: work, workers))


def _is_sharp(found: Integrals, facets: int) -> bool:
    """Whether the error bounds of the plain sums are small enough against the volume and the second moments."""
    of_volume, of_second = SHARP if facets <= _SMALL else SHARP_ENOUGH
    moments, volume = found.moments, abs(float(found.moments.volume))
    if volume == 0.0 or found.round_off.volume > of_volume * volume:
        return False
    spread = max(float(moments.second[k, k]) - float(moments.first[k]) ** 2 / volume for k in range(3))
    return float(found.round_off.second.max()) <= of_second * spread


def _in_file_units(found: Integrals, frame: Frame) -> Integrals:
    """The integrals in the coordinates of the file, which is where the origin of the frame is given."""
    if frame.exponent == 0:
        return found
    scaled, size = found.moments, Fraction(2) ** -frame.exponent
    moments = Moments(scaled.volume * size**3, scaled.first * size**4, scaled.second * size**5, scaled.origin)
    with np.errstate(over="ignore", under="ignore"):
        area = float(np.ldexp(found.area, -2 * frame.exponent))
    return Integrals(moments, area, found.round_off.scaled(-frame.exponent))
