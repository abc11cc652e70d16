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
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from massprops.core.double_polyhedron import double_kernel
from massprops.core.exact_numbers import Rationals, rationals
from massprops.core.integrand_sums import ExactSums, IntegrandSums, RunSums
from massprops.core.integrands import BlockSums, Frame, reference_frame
from massprops.core.moments import Moments
from massprops.core.round_off import RoundOff, round_off
from massprops.core.sums import exact_sum, two_sum
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import Numbered, in_order, map_blocks, share_blocks, worked_through

Part = TypeVar("Part")

SHARP, SHARP_ENOUGH = (1e-15, 1e-14), (5e-15, 5e-14)
"""Relative error bounds of volume and second moments above which the sums are formed again in double-double: those
of small surfaces, and those of large ones, where it multiplies the time."""

_SMALL = 2 * BLOCK
"""Number of facets up to which a surface is small: double-double arithmetic costs it some hundredths of a second."""


_DIVISORS = (6, *[24] * 3, *[120] * 6)
"""Of the sums of the ten integrands, as in the formulas above."""


class Integrals(NamedTuple):
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
    """`integrals`, and what other work makes of the blocks that each worker takes, in one reading."""
    frame = frame_of(surface, lower, upper)

    def take(blocks: Numbered) -> tuple[list[tuple[int, BlockSums]], Part]:
        kernel, sums = PlainKernel([frame], [surface.facets]), []

        def summed() -> Iterator[Block]:
            for index, block in blocks:
                yield block
                sums.append((index, kernel(block)))

        part = worked_through(work, summed())
        return sums, part

    found = share_blocks(surface, take, workers)
    return sharpened(in_order(sums for sums, _ in found), frame, surface, workers), [part for _, part in found]


def frame_of(surface: Surface, lower: Floats, upper: Floats) -> Frame:
    """Where the sums over a surface in a box are formed."""
    return reference_frame(lower, upper, surface.dtype == np.float32)


def sharpened(parts: Sequence[BlockSums], frame: Frame, surface: Surface, workers: int | None = None) -> Integrals:
    """The integrals by plain sums, those of all blocks in their order, or in double-double if these are not sharp."""
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
    frames : sequence of Frame
        Of one surface, or of several whose facets stand side by side in the one block that is to come.
    facets : sequence of int
        Of each surface; see `massprops.core.integrand_sums` for what depends on it.
    """

    def __init__(self, frames: Sequence[Frame], facets: Sequence[int]) -> None:
        self._origin, self._exponent = _placed(frames, facets)
        halves = [frame.half for frame in frames]
        is_small = max(facets) <= _SMALL
        self._sums: IntegrandSums = ExactSums(halves, facets) if is_small else RunSums(halves[0])

    @property
    def free(self) -> Floats:
        """Six rows of memory, as long as a block can be, which others may overwrite between calls."""
        return self._sums.free

    def __call__(self, block: Block) -> BlockSums:
        """The sums over a block of a single surface."""
        return self.of_each(block)[0]

    def of_each(self, block: Block) -> list[BlockSums]:
        """The sums over a block, those of each surface."""
        memory, n = self._sums, block.shape[2]
        x, edges, normal = memory.corners[:, :, :n], memory.edges[:, :, :n], memory.normal[:, :n]
        terms, determinant = memory.terms[:, :n], memory.determinant[:n]
        np.copyto(x, block)  # apart: faster than to convert within the subtraction
        if self._origin is not None:
            np.subtract(x, self._origin, out=x)
        if self._exponent is not None:
            np.ldexp(x, self._exponent, out=x)
        np.subtract(x[1:], x[0], out=edges)
        products = self._cross(x[0], edges, normal)
        _dot(x[0], normal, terms, determinant)
        sizes = memory.sizes(terms, products)
        length = memory.spare[:1, :n]
        _dot(normal, normal, terms, length[0])
        areas = memory.total(np.sqrt(length, out=length))
        found = zip(memory(n), areas, products, sizes, strict=True)
        return [BlockSums(sums.parts, 0.5 * area, product, size, sums.squares) for sums, area, product, size in found]

    def _cross(self, a: Floats, edges: Floats, normal: Floats) -> list[float]:
        """The normals u x v; and the sums of the absolute values of the products that a . (u x v) is made of.

        Overwrites the edges u and v.
        """
        n = a.shape[1]
        u, v = edges
        subtrahend, size = self._sums.terms[:, :n], self._sums.spare[:, :n]
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            np.multiply(u[j], v[k], out=normal[i])
            np.multiply(u[k], v[j], out=subtrahend[i])
        np.abs(normal, out=size)
        np.subtract(normal, subtrahend, out=normal)
        np.abs(subtrahend, out=subtrahend)
        np.add(size, subtrahend, out=size)
        return self._sums.dot(size, np.abs(a, out=u))


def _placed(frames: Sequence[Frame], facets: Sequence[int]) -> tuple[Floats | None, NDArray[np.intp] | None]:
    """What is subtracted from the coordinates, and the power of two by which they are multiplied; None for nothing."""
    origin, exponent = np.array([frame.origin for frame in frames]).T, np.array([frame.exponent for frame in frames])
    if len(frames) > 1:
        origin, exponent = origin.repeat(facets, axis=1), exponent.repeat(facets)
    return origin if origin.any() else None, exponent if exponent.any() else None


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
