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
from massprops.core.scratch import row_size, scratch
from massprops.core.sums import part, shifts, stretch_sums
from massprops.core.surface import BLOCK, Floats, starts_of

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
    """Sums the integrands of a block, in memory of its own, on the way to which the kernel uses it too.

    Before a call, the kernel writes the corners x, shape (3, 3, size): corner, axis, facet; and D, shape (size,). What
    else it works out on the way has room in ``edges``, shape (2, 3, size), and in three arrays of shape (3, size).
    Small memory that is used again and again stays in the caches.
    """

    corners: Floats
    determinant: Floats
    edges: Floats
    normal: Floats
    terms: Floats
    spare: Floats
    free: Floats
    """Six rows, which others may overwrite between calls."""

    def __call__(self, n: int) -> list[Sums]:
        """Sums over the first n facets, those of each surface; overwrites the memory."""
        ...

    def total(self, rows: Floats) -> list[float]:
        """Sum of all numbers in some rows, shape (q, n), for each surface."""
        ...

    def dot(self, u: Floats, v: Floats) -> list[float]:
        """Sum of all products in some rows, for each surface; may overwrite the first factors."""
        ...

    def sizes(self, terms: Floats, products: list[float]) -> list[float]:
        """Sum of the absolute values of the terms of D, for each surface, or what is no smaller; may overwrite them.

        ``products`` are those of the absolute values of the products that the terms are made of.
        """
        ...


class ExactSums:
    """Each integrand is formed, and their sums are free of summation error.

    Parameters
    ----------
    halves : sequence of ndarray, shape (3,)
        Bounds of the coordinates; of several surfaces if their facets stand side by side in the one block that is to
        come, so that the price of a step is paid once for all of them.
    facets : sequence of int
        Of each surface.
    """

    def __init__(self, halves: Sequence[Floats], facets: Sequence[int]) -> None:
        self._bound = np.array([integrand_bounds(half) for half in halves]).T
        self._counts, self._starts = np.array(facets), starts_of(facets)
        size = row_size(min(sum(facets), BLOCK))
        memory = scratch(41, size)
        self._rows, self._sides, self._spare = memory[:10], memory[10:19].reshape(3, 3, size), memory[19:29]
        self.corners, self.terms, self.determinant = memory[29:38].reshape(3, 3, size), memory[38:], memory[0]
        self.edges, self.normal, self.spare = self._sides[:2], self._sides[2], self._spare[:3]
        self.free = self._spare[:6]

    def __call__(self, n: int) -> list[Sums]:
        rows = self._rows[:, :n]
        self._integrands(rows)
        found = stretch_sums(rows, self._shift(n), self._spare[:, :n], self._starts)
        return [Sums(parts, (0.0, 0.0, 0.0)) for parts in zip(*(part.T.tolist() for part in found), strict=True)]

    def _shift(self, n: int) -> Floats:
        """For a single surface that of its rows, the last of whose blocks is shorter; else for each number."""
        if len(self._counts) == 1:
            return shifts(self._bound, n)
        return shifts(self._bound, self._counts).repeat(self._counts, axis=1)

    def total(self, rows: Floats) -> list[float]:
        found: list[float] = np.add.reduceat(rows, self._starts, axis=1).sum(axis=0).tolist()
        return found

    def dot(self, u: Floats, v: Floats) -> list[float]:
        return self.total(np.multiply(u, v, out=u))

    def sizes(self, terms: Floats, products: list[float]) -> list[float]:
        return self.total(np.abs(terms, out=terms))

    def _integrands(self, rows: Floats) -> None:
        """Rows 1 to 9, row 0 being D."""
        n = rows.shape[1]
        x, sides, terms = self.corners[:, :, :n], self._sides[:, :, :n], self.terms[:, :n]
        weighted = self._spare[:9].reshape(3, 3, -1)[:, :, :n]
        np.add(x[:2], x[1:], out=sides[:2])
        np.add(x[2], x[0], out=sides[2])
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
        memory, weighted = scratch(4, 4, BLOCK), scratch(3, 3, BLOCK)
        self.corners, self.determinant, self.normal = memory[:3, :3], memory[0, 3], memory[3, :3]
        self._sides, self._weighted = memory[1:], weighted  # the sides take the place of the corners
        self._sides[:, 3] = 0.5
        self.edges, self.spare, self.terms = weighted[:2], weighted[2], scratch(3, BLOCK)
        self.free = weighted.reshape(9, BLOCK)[:6]
        self._left = weighted.reshape(3, 3, runs, RUN).transpose(0, 2, 1, 3)
        self._right = self._sides.reshape(3, 4, runs, RUN).transpose(0, 2, 3, 1)
        self._products, self._rounded = scratch(3 * runs, 12), scratch(3 * runs, 12)
        shift, places = shifts(bound, BLOCK), np.zeros(12)
        places[list(_PLACES)] = shift[1:]
        self._shift, self._shifts, self._ones = float(shift[0]), np.tile(places, (3 * runs, 1)), np.ones(BLOCK)

    def __call__(self, n: int) -> list[Sums]:
        sides, weighted = self._sides[:, :3, :n], self._weighted[:, :, :n]
        self._add_corners(n)
        np.multiply(sides, self.determinant[:n], out=weighted)
        if n < BLOCK:  # what a former block has left
            self._sides[:, :3, n:], self._weighted[:, :, n:] = 0.0, 0.0
        np.matmul(self._left, self._right, out=self._products.reshape(3, -1, 3, 4))
        high, low = (values.tolist() for values in self._added())
        determinant = self.determinant[:n]
        squares = [abs(high[k] + low[k]) for k in (0, 5, 10)]
        if determinant.min() < 0.0 < determinant.max():  # or else those are sums of like signs
            np.square(sides, out=weighted)
            squares = np.vecdot(weighted, np.abs(determinant)).sum(axis=0).tolist()
        parts = zip(self._volume(determinant, self.terms[0, :n]), (high, low), strict=True)
        return [Sums([_ten(*pair) for pair in parts], squares)]

    def total(self, rows: Floats) -> list[float]:
        return [float(rows.sum())]

    def dot(self, u: Floats, v: Floats) -> list[float]:
        return [float(np.vecdot(u, v).sum())]

    def sizes(self, terms: Floats, products: list[float]) -> list[float]:
        return products  # a seventh more for a smooth body, and a twentieth of the kernel's time less

    def _volume(self, determinant: Floats, rounded: Floats) -> tuple[float, float]:
        """Sum of D, as `shifted_sums` forms it, by scalar products: these are faster."""
        part(determinant, self._shift, rounded)
        ones = self._ones[: len(rounded)]
        return float(ones @ rounded), float(ones @ determinant)

    def _added(self) -> tuple[Floats, Floats]:
        """What the runs amount to, added as `shifted_sums` does, along the other axis: that is four times faster."""
        products, rounded = self._products, self._rounded
        np.add(products, self._shifts, out=rounded)
        np.subtract(rounded, self._shifts, out=rounded)
        ones = self._ones[: len(rounded)]
        high = ones @ rounded
        np.subtract(products, rounded, out=products)
        return high, ones @ products

    def _add_corners(self, n: int) -> None:
        """The sides a + b, b + c and c + a, the first in memory of its own, the others where b and c were."""
        a, b, c = self.corners[:, :, :n]
        np.add(a, b, out=self.normal[:, :n])
        np.add(b, c, out=b)
        np.add(c, a, out=c)


def _ten(of_determinant: float, of_products: Sequence[float]) -> list[float]:
    return [of_determinant, *(of_products[k] for k in _PLACES)]
