"""A large surface in one reading: its box, whether it is closed, its integrals, and where lines cross it.

The sums are formed about the centre of the box, which is known only when all has been read. A sample of the facets
tells it nearly: where all the others lie in the box of the sample, grown a little, its centre will do, and the surface
need not be read again. Where one does not, it is read again, with its own box. The result depends on the surface alone,
as the sample does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from massprops.core.closure import BlockSurvey, Survey, box_of, joined, surveyor, whole
from massprops.core.crossings import crossings
from massprops.core.integrands import BlockSums
from massprops.core.polyhedron import Integrals, PlainKernel, frame_of, sharpened
from massprops.core.raygrid import Crossings, RayGrid
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import Numbered, in_order, share_blocks, worked_through

Box = tuple[Floats, Floats]

LARGE = 32 * BLOCK
"""Facets above which a surface is worth a sample."""

_GROWN = 1.0 / 64.0
"""Part of its extent by which the box of a sample is grown at either end. Of a smooth body it lacks far less."""


@runtime_checkable
class Sampled(Protocol):
    """A surface of which some facets can be had much sooner than all."""

    def sample(self) -> Block:
        """Facets from all over the surface, which has at least `massprops.core.surface.SIDE_BY_SIDE`."""
        ...


class OneReading(NamedTuple):
    """What one reading finds.

    Parameters
    ----------
    survey : Survey
    box : tuple of two ndarrays, shape (3,)
        About whose centre the sums were formed; length.
    sums : list of BlockSums
        Of the blocks, in their order; of all of them unless one lies outside the box.
    grid : RayGrid or None
        Lines through the box.
    crossed : list of Crossings
        Of these lines with some of the blocks each.
    """

    survey: Survey
    box: Box
    sums: list[BlockSums]
    grid: RayGrid | None
    crossed: list[Crossings]

    @property
    def is_whole(self) -> bool:
        """Whether there are sums over all facets."""
        return len(self.sums) == -(-self.survey.facets // BLOCK)

    def integrals(self, surface: Surface) -> Integrals:
        """The integrals over the surface that was read; only of the whole of it."""
        return sharpened(self.sums, frame_of(surface, *self.box), surface)


def expected_box(surface: Surface) -> Box | None:
    """A box in which a large surface most likely lies; None if there is nothing to tell it by."""
    if surface.facets <= LARGE or not isinstance(surface, Sampled):
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        lower, upper = (corner.astype(np.float64) for corner in box_of(surface.sample()))
        grown = _GROWN * (upper - lower)
        # A box on one side of 0 stays there: its centre is then subtracted from float32 coordinates without round-off.
        below = np.where(lower > 0.0, np.minimum(grown, 0.5 * lower), grown)
        above = np.where(upper < 0.0, np.minimum(grown, -0.5 * upper), grown)
        box = lower - below, upper + above
    return box if np.isfinite(box).all() and grown.all() else None


def read_once(surface: Surface, box: Box, lines: int) -> OneReading:
    """Survey a surface, form the sums over all blocks as long as they lie within a box, and find where lines cross it.

    Parameters
    ----------
    surface : Surface
    box : tuple of two ndarrays, shape (3,)
        From `expected_box`.
    lines : int
        Along each side of the box; 0 for none.
    """
    frame, grid = frame_of(surface, *box), RayGrid.through(*box, lines)
    low, high = (corner.tolist() for corner in box)

    def holds(found: BlockSurvey) -> bool:
        return all(map(float.__le__, low, found.lower)) and all(map(float.__le__, found.upper, high))

    def take(blocks: Numbered) -> tuple[list[BlockSurvey], list[tuple[int, BlockSums]], Crossings]:
        kernel = PlainKernel([frame], [surface.facets])
        survey_of = surveyor(kernel.free.shape[1], kernel.free)
        surveys: list[BlockSurvey] = []
        sums: list[tuple[int, BlockSums]] = []

        def within() -> Iterator[Block]:
            is_expected = True
            for index, block in blocks:
                found = survey_of(block)
                surveys.append(found)
                is_expected = is_expected and holds(found)
                if is_expected:
                    yield block
                    sums.append((index, kernel(block)))

        crossed = worked_through(partial(crossings, grid=grid), within())
        return [joined(surveys)] if surveys else [], sums, crossed  # one: to send many takes some milliseconds

    found = share_blocks(surface, take)
    surveys, sums = [one for some, *_ in found for one in some], in_order(sums for _, sums, _ in found)
    return OneReading(whole(surveys, surface.facets), box, sums, grid, [crossed for *_, crossed in found])
