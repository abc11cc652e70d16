"""A large surface in one reading: its box, whether it is closed, its integrals, and what other work makes of it.

The sums are formed about a point that the box tells, and the box is known only when all has been read. Where a sample
of the facets tells it well enough, the surface need not be read again: what counts is a box that is rounded outwards,
in steps so coarse that most samples lead to the same one as all facets do. Where they do not, the sums are formed anew;
the results never depend on the sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

import numpy as np

from massprops.core.closure import BlockSurvey, Survey, box_of, surveyor, whole
from massprops.core.integrands import BlockSums
from massprops.core.polyhedron import Integrals, PlainKernel, frame_of, sharpened
from massprops.core.surface import BLOCK, Block, Floats, Surface
from massprops.core.workers import Numbered, in_order, share_blocks, worked_through

Part = TypeVar("Part")
Box = tuple[Floats, Floats]

LARGE = 32 * BLOCK
"""Facets above which the box is rounded."""

_STEPS = 5
"""Binary places of an extent, at most, in which its box is rounded: a step is a fortieth of it to a twentieth."""

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
"""Where the steps begin, and extents at which they change: irrational, so that no tidy coordinate lies there."""


@runtime_checkable
class Sampled(Protocol):
    """A surface of which some facets can be had much sooner than all."""

    def sample(self) -> Block:
        """Facets from all over the surface."""
        ...


@dataclass(frozen=True, eq=False)
class OneReading(Generic[Part]):
    """What one reading finds.

    Parameters
    ----------
    survey : Survey
    box : tuple of two ndarrays, shape (3,)
        That was expected; length.
    sums : list of BlockSums
        Of the blocks, in their order; of all of them unless one lies outside the box.
    parts : list
        What the other work makes of the same blocks.
    """

    survey: Survey
    box: Box
    sums: list[BlockSums]
    parts: list[Part]

    def is_whole_in(self, box: Box) -> bool:
        """Whether all is as if this box had been known from the first."""
        return len(self.sums) == -(-self.survey.facets // BLOCK) and np.array_equal(self.box, box)

    def integrals(self, surface: Surface) -> Integrals:
        """The integrals over the surface that was read."""
        return sharpened(self.sums, frame_of(surface, *self.box), surface)


def reference_box(surface: Surface, lower: Floats, upper: Floats) -> Box:
    """The box about whose centre sums are formed, and through which lines are laid: rounded for a large surface."""
    return rounded_box(lower, upper) if surface.facets > LARGE else (lower, upper)


def rounded_box(lower: Floats, upper: Floats) -> Box:
    """The box that counts for a large surface: up to a twentieth of each extent larger at either end.

    Parameters
    ----------
    lower, upper : ndarray, shape (3,)
        Corners of the box of its facets; length.

    Examples
    --------
    >>> lower, upper = rounded_box(np.array([0.0, 0.0, -1.0]), np.array([0.999, 1.0, 1.0]))
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([-0.012, -0.012, -1.024], [1.019, 1.019, 1.039])
    """
    with np.errstate(all="ignore"):
        _, exponent = np.frexp((upper - lower) / _GOLDEN)
        step = np.ldexp(1.0, exponent - 1 - _STEPS)
        below = (np.floor(lower / step - _GOLDEN) + _GOLDEN) * step
        above = (np.ceil(upper / step - _GOLDEN) + _GOLDEN) * step
    is_usable = (upper > lower) & np.isfinite(below) & np.isfinite(above)
    return np.where(is_usable, np.minimum(below, lower), lower), np.where(is_usable, np.maximum(above, upper), upper)


def expected_box(surface: Surface) -> Box | None:
    """What the rounded box of a large surface will most likely be; None if there is nothing to tell it by."""
    if surface.facets <= LARGE or not isinstance(surface, Sampled):
        return None
    with np.errstate(invalid="ignore"):
        lower, upper = (corner.astype(np.float64) for corner in box_of(surface.sample()))
        extents = upper - lower
    return rounded_box(lower, upper) if np.isfinite(extents).all() and extents.all() else None


def read_once(surface: Surface, box: Box, work: Callable[[Iterator[Block]], Part]) -> OneReading[Part]:
    """Survey a surface, and form the sums over all blocks as long as they lie within a box.

    Parameters
    ----------
    surface : Surface
    box : tuple of two ndarrays, shape (3,)
        From `expected_box`.
    work : callable
        Takes blocks that lie within the box.
    """
    frame = frame_of(surface, *box)
    low, high = (corner.tolist() for corner in box)

    def holds(found: BlockSurvey) -> bool:
        return all(map(float.__le__, low, found.lower)) and all(map(float.__le__, found.upper, high))

    def take(blocks: Numbered) -> tuple[list[BlockSurvey], list[tuple[int, BlockSums]], Part]:
        kernel = PlainKernel(frame, surface.facets)
        survey_of = surveyor(kernel.free.shape[1], kernel.free)
        surveys: list[BlockSurvey] = []
        sums: list[tuple[int, BlockSums]] = []

        def within() -> Iterator[Block]:
            is_expected = True
            for index, block in blocks:
                surveys.append(survey_of(block))
                is_expected = is_expected and holds(surveys[-1])
                if is_expected:
                    yield block
                    sums.append((index, kernel(block)))

        part = worked_through(work, within())
        return surveys, sums, part

    found = share_blocks(surface, take)
    surveys = [survey for parts, _, _ in found for survey in parts]
    sums = in_order(sums for _, sums, _ in found)
    return OneReading(whole(surveys, surface.facets), box, sums, [part for *_, part in found])
