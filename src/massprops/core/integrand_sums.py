"""Sums of the integrands over the facets of a block, given the corners x and D of each facet.

In the notation of `massprops.core.polyhedron`: D itself, D (a + b + c), and the six entries of
D (p p^T + q q^T + r r^T) with the sides p = a + b, q = b + c, r = c + a, whose sum is twice a + b + c.

Of a small surface each integrand is formed, and the sum of each is free of error. Of a large one they are sums of
products over runs of `RUN` facets, as a matrix product forms them; what the runs amount to is added without error. That
is twice as fast, and errs by at most `RUN` roundings of the sum of absolute values, in truth by far less. No product
here is so large that BLAS would share it among threads, which would make its rounding depend on their number.

Source of the bound: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, 3.1, for a scalar product
summed in any order, with or without fused operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from massprops.core.integrands import ENTRIES, integrand_bounds
from massprops.core.scratch import scratch
from massprops.core.sums import shifted_sums, shifts
from massprops.core.surface import BLOCK, Floats

RUN = 64
"""Facets whose integrands are added as a matrix product adds them: half as many take a tenth longer."""

_PLACES = (3, 7, 11, *(4 * i + j for i, j in ENTRIES))
"""Where D (a + b + c) and the six entries stand in the product of three rows with four."""


class Sums(NamedTuple):
    """Sums over one block."""

    parts: Sequence[list[float]]
    """As in `massprops.core.integrands.BlockSums`."""
    squares: Sequence[float]
    """The same."""


class IntegrandSums(Protocol):
    """Sums the integrands of a block, in memory of its own, some of which others may use between its calls.

    ``sides`` is ``(3, m, size)`` with m at least 3, of which the first three rows are free; ``spare`` has nine rows.
    """

    sides: Floats
    spare: Floats

    def __call__(self, x: Floats, determinant: Floats) -> Sums:
        """Sums for corners x, shape (3, 3, n): corner, axis, facet; and D, shape (n,), which is overwritten."""
        ...


class ExactSums:
    """Each integrand is formed, and their sums are free of summation error.

    Parameters
    ----------
    half : ndarray, shape (3,)
        Bounds of the coordinates.
    size : int
        Largest number of facets in a block.
    """

    def __init__(self, half: Floats, size: int) -> None:
        self._bound = integrand_bounds(half)
        memory = scratch(32, size)
        self._rows, self._terms, sides = memory[:10], memory[10:13], memory[13:22]
        self.sides = sides.reshape(3, 3, size)
        self.spare = memory[22:]  # holds the weighted sides, then the rounded integrands

    def __call__(self, x: Floats, determinant: Floats) -> Sums:
        n = len(determinant)
        rows = self._rows[:, :n]
        np.copyto(rows[0], determinant)
        self._integrands(x, rows)
        high, low = shifted_sums(rows, shifts(self._bound, n), self.spare[:, :n])
        return Sums([high.tolist(), low.tolist()], (0.0, 0.0, 0.0))

    def _integrands(self, x: Floats, rows: Floats) -> None:
        """Rows 1 to 9, row 0 being D."""
        n = x.shape[2]
        sides, terms = self.sides[:, :, :n], self._terms[:, :n]
        weighted = self.spare[:9].reshape(3, 3, -1)[:, :, :n]
        _add_corners(x, sides)
        np.add(sides[0], x[2], out=terms)
        np.multiply(terms, rows[0], out=rows[1:4])
        np.multiply(sides, rows[0], out=weighted)
        for row, (i, j) in zip(rows[4:], ENTRIES, strict=True):
            np.multiply(weighted[:, i], sides[:, j], out=terms)
            np.add(terms[0], terms[1], out=row)
            np.add(row, terms[2], out=row)


class RunSums:
    """D is summed without error; all else as matrix products of runs of facets, whose sums are added without error.

    For each side and each run, three rows D p times four: p, of which come the entries, and halves, of which comes the
    sum of D p / 2, that of D (a + b + c) over all three sides.

    Parameters
    ----------
    half : ndarray, shape (3,)
        Bounds of the coordinates.
    """

    def __init__(self, half: Floats) -> None:
        bound, runs = integrand_bounds(half), BLOCK // RUN
        self._shift, self._determinants = shifts(bound[:1], BLOCK), scratch(1, BLOCK)
        self.sides, self.spare = scratch(3, 4, BLOCK), scratch(9, BLOCK)
        self.sides[:, 3] = 0.5
        self._weighted = self.spare.reshape(3, 3, BLOCK)
        self._left = self._weighted.reshape(3, 3, runs, RUN).transpose(0, 2, 1, 3)
        self._right = self.sides.reshape(3, 4, runs, RUN).transpose(0, 2, 3, 1)
        self._products, self._rounded = scratch(3 * runs, 12), scratch(3 * runs, 12)
        places = np.zeros(12)
        places[list(_PLACES)] = shifts(bound[1:], BLOCK)
        self._shifts, self._ones = np.tile(places, (3 * runs, 1)), np.ones(3 * runs)

    def __call__(self, x: Floats, determinant: Floats) -> Sums:
        n = len(determinant)
        sides, weighted = self.sides[:, :3, :n], self._weighted[:, :, :n]
        _add_corners(x, sides)
        np.multiply(sides, determinant, out=weighted)
        if n < BLOCK:  # what a former block has left
            self.sides[:, :3, n:], self._weighted[:, :, n:] = 0.0, 0.0
        np.matmul(self._left, self._right, out=self._products.reshape(3, -1, 3, 4))
        high, low = (values.tolist() for values in self._added())
        squares = [abs(high[k] + low[k]) for k in (0, 5, 10)]
        if determinant.min() < 0.0 < determinant.max():  # or else those are sums of like signs
            np.square(sides, out=weighted)
            squares = np.vecdot(weighted, np.abs(determinant)).sum(axis=0).tolist()
        of_volume = shifted_sums(determinant[None], self._shift, self._determinants[:, :n])
        return Sums([_ten(*pair) for pair in zip(of_volume, (high, low), strict=True)], squares)

    def _added(self) -> tuple[Floats, Floats]:
        """What the runs amount to, added as `shifted_sums` does, along the other axis: that is four times faster."""
        products, rounded = self._products, self._rounded
        np.add(products, self._shifts, out=rounded)
        np.subtract(rounded, self._shifts, out=rounded)
        high = self._ones @ rounded
        np.subtract(products, rounded, out=products)
        return high, self._ones @ products


def _ten(of_determinant: Floats, of_products: Sequence[float]) -> list[float]:
    return [*of_determinant.tolist(), *(of_products[k] for k in _PLACES)]


def _add_corners(x: Floats, sides: Floats) -> None:
    np.add(x[:2], x[1:], out=sides[:2])
    np.add(x[2], x[0], out=sides[2])
