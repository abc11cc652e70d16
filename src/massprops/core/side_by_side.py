"""Small surfaces side by side: what takes longer to ask NumPy for than to work out is asked for all of them at once.

What is found of a surface is the same, bit by bit, whatever stands beside it, and the same as if it stood alone.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from massprops.core.closure import surveys
from massprops.core.crossings import crossings_of_each
from massprops.core.one_reading import OneReading
from massprops.core.polyhedron import PlainKernel, frame_of
from massprops.core.raygrid import Crossings, RayGrid
from massprops.core.surface import BLOCK, Block, Surface

_LARGEST = BLOCK // 2
"""Facets up to which a surface has others beside it: at twice as many a step costs what its arithmetic does."""


class SideBySide:
    """Small surfaces that are read together, when what there is to find in one of them is asked for.

    Parameters
    ----------
    lines : int
        Along each side of their boxes; 0 for none.
    """

    def __init__(self, lines: int) -> None:
        self._lines = lines
        self._waiting: list[Surface] = []
        self._found: list[tuple[Surface, OneReading]] = []

    def add(self, surface: Surface) -> None:
        """Have a surface stand with the others, if it is small.

        Raises
        ------
        MassPropsError
            It cannot be read.
        """
        if 0 < surface.facets <= _LARGEST:
            surface.block(0)  # which it keeps, and if it cannot be read, this is the time to tell
            self._waiting.append(surface)

    def reading(self, surface: Surface) -> OneReading | None:
        """What was found in a surface; None for one that is not among the others."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            with contextlib.suppress(MemoryError):  # they are read one by one then
                for alike in _alike(waiting):
                    self._found += zip(alike, read_together(alike, self._lines), strict=True)
        return next((reading for one, reading in self._found if one is surface), None)


def _alike(surfaces: Sequence[Surface]) -> list[list[Surface]]:
    """Surfaces of one precision each, with no more facets together than a block has."""
    found: dict[np.dtype[np.generic], list[list[Surface]]] = defaultdict(lambda: [[]])
    for surface in surfaces:
        stands = found[surface.dtype]
        if sum(other.facets for other in stands[-1]) + surface.facets > BLOCK:
            stands.append([])
        stands[-1].append(surface)
    return [stand for stands in found.values() for stand in stands]


def read_together(surfaces: Sequence[Surface], lines: int) -> list[OneReading]:
    """What there is to find in each of some small surfaces.

    Parameters
    ----------
    surfaces : sequence of Surface
        Of one precision, with at least one facet each, and no more than a block has together.
    lines : int
        Along each side of their boxes; 0 for none.
    """
    blocks = [surface.block(0) for surface in surfaces]
    block = _joined(blocks)
    found = surveys(block, [surface.facets for surface in surfaces])
    readings = [OneReading(one, (one.lower, one.upper), [], None, []) for one in found]
    whole = [k for k, one in enumerate(found) if one.is_closed and one.is_finite and one.has_finite_extents]
    if not whole:
        return readings
    chosen = [blocks[k] for k in whole]
    boxes = [readings[k].box for k in whole]
    frames = [frame_of(surfaces[k], *box) for k, box in zip(whole, boxes, strict=True)]
    kernel = PlainKernel(frames, [part.shape[2] for part in chosen])
    sums = kernel.of_each(block if len(whole) == len(blocks) else _joined(chosen))
    grids = [RayGrid.through(*box, lines) for box in boxes]
    for k, of_one, grid, crossed in zip(whole, sums, grids, _crossed(chosen, grids), strict=True):
        readings[k] = OneReading(found[k], readings[k].box, [of_one], grid, [crossed])
    return readings


def _joined(blocks: Sequence[Block]) -> Block:
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=2)


def _crossed(blocks: Sequence[Block], grids: Sequence[RayGrid | None]) -> list[Crossings]:
    """Crossings of each surface with its lines; those whose grids have the same ranges are found together."""
    found = [np.empty(0, np.int64)] * len(blocks)
    alike: dict[object, list[tuple[int, Block, RayGrid]]] = defaultdict(list)
    for k, (block, grid) in enumerate(zip(blocks, grids, strict=True)):
        if grid is not None:
            alike[grid.rows, grid.columns].append((k, block, grid))
    for group in alike.values():
        numbers, parts, lines = zip(*group, strict=True)
        for k, crossed in zip(numbers, crossings_of_each(parts, lines), strict=True):
            found[k] = crossed
    return found
