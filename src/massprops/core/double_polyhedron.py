"""The 3-D kernel in double-double arithmetic: the formulas of `massprops.core.polyhedron` with twice as many digits."""

from __future__ import annotations

import numpy as np

from massprops.core.integrands import ENTRIES, BlockSums, Frame, integrand_bounds
from massprops.core.sums import Double2, U, add2, multiply2, negate2, shifted_sums, shifts, two_sum
from massprops.core.surface import Block, Floats


def double_kernel(block: Block, frame: Frame) -> BlockSums:
    """The integrands of a block in double-double arithmetic, about twice 53 bits, and their sums."""
    vertices = np.ldexp(block.astype(np.float64), frame.exponent)
    origin = np.ldexp(-frame.origin, frame.exponent)
    a, b, c = ([two_sum(v, o) for v, o in zip(corner, origin, strict=True)] for corner in vertices)
    e1, e2 = ([add2(end, negate2(start)) for start, end in zip(a, corner, strict=True)] for corner in (b, c))
    normal = [
        add2(multiply2(e1[j], e2[k]), negate2(multiply2(e1[k], e2[j]))) for j, k in ((1, 2), (2, 0), (0, 1))
    ]
    determinant = _dot2(a, normal)
    sides = [[add2(s, e) for s, e in zip(start, end, strict=True)] for start, end in ((a, b), (b, c), (c, a))]
    total = [add2(side, corner) for side, corner in zip(sides[0], c, strict=True)]
    rows = [determinant, *(multiply2(determinant, t) for t in total)]
    rows += [multiply2(determinant, _dot2([s[i] for s in sides], [s[j] for s in sides])) for i, j in ENTRIES]
    length = np.linalg.norm([component.high for component in normal], axis=0)
    products = sum(
        float((np.abs(a[i].high) * (np.abs(e1[j].high * e2[k].high) + np.abs(e1[k].high * e2[j].high))).sum())
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    )
    sums = [part.tolist() for part in _sums2(rows, integrand_bounds(frame.half))]
    return BlockSums(sums, 0.5 * float(length.sum()), products, products)


def _dot2(u: list[Double2], v: list[Double2]) -> Double2:
    first, second, third = (multiply2(x, y) for x, y in zip(u, v, strict=True))
    return add2(add2(first, second), third)


def _sums2(rows: list[Double2], bound: Floats) -> tuple[Floats, ...]:
    """Sums of double-double rows: the high parts on two grids without error, what remains plainly."""
    n = len(rows[0].high)
    high = np.stack([row.high for row in rows])
    scratch = np.empty_like(high)
    shift = shifts(bound, n)
    first, _ = shifted_sums(high, shift, scratch)  # leaves the remainders, at most 2^-53 shift, in `high`
    second, rest = shifted_sums(high, shifts(U * shift, n), scratch)
    return first, second, rest, np.stack([row.low for row in rows]).sum(axis=1)
