"""Share the blocks of a surface out among several workers; what comes of it does not depend on how many there are.

Workers are threads, or, where a program that has the process to itself says so, forked processes: the threads of
Python take turns at whatever is not a loop of NumPy, and with blocks that fit the caches that costs half of what a
second core brings.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import itemgetter
from typing import TypeVar

import numpy as np

from massprops.core.surface import Block, Surface, block_count

Part = TypeVar("Part")
Result = TypeVar("Result")
Numbered = Iterator[tuple[int, Block]]
"""Blocks, each with its place among those of its surface."""

_BLOCKS_A_THREAD, _BLOCKS_A_PROCESS = 4, 16  # fewer are not worth its start

_is_forking = False


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def keep_freed_memory() -> None:
    """Make the C library keep the memory of arrays that are freed, instead of asking the system for it again and again.

    glibc raises its thresholds once a large piece has been freed; page faults for the temporaries of a block would
    otherwise cost as much as the arithmetic.
    """
    with contextlib.suppress(MemoryError):
        np.empty(1 << 24, np.uint8)


@contextlib.contextmanager
def forked_workers() -> Iterator[None]:
    """Let forked processes share large surfaces, where there are any: on Linux.

    For a program that has the process to itself: locks that other threads hold would be held for ever in a fork.
    """
    global _is_forking
    before, _is_forking = _is_forking, sys.platform == "linux"
    try:
        yield
    finally:
        _is_forking = before


def map_blocks(
    surface: Surface, worker: Callable[[], Callable[[Block], Result]], workers: int | None = None
) -> list[Result]:
    """Results of one function for every block of a surface, in the order of the blocks.

    Parameters
    ----------
    surface : Surface
    worker : callable
        Makes the function that is applied to the blocks. It is called once a worker, so that each may own its
        scratch memory: fresh memory for every temporary array would cost more than the arithmetic.
    workers : int, optional
        Number of threads or processes; by default as many as there are cores, fewer for small surfaces.
    """

    def work(blocks: Numbered) -> list[tuple[int, Result]]:
        apply = worker()
        return [(index, apply(block)) for index, block in blocks]

    return in_order(share_blocks(surface, work, workers))


def in_order(parts: Iterable[Iterable[tuple[int, Result]]]) -> list[Result]:
    """Numbered results of several workers, in the order of their numbers."""
    return [result for _, result in sorted(chain.from_iterable(parts), key=itemgetter(0))]


def share_blocks(surface: Surface, work: Callable[[Numbered], Part], workers: int | None = None) -> list[Part]:
    """What each of several workers makes of the blocks that it takes, in no order that has a meaning.

    Parameters
    ----------
    surface : Surface
    work : callable
        Takes blocks, each with its number, as long as there are any or it needs no more. What it returns can be
        pickled.
    workers : int, optional
        As for `map_blocks`.

    Raises
    ------
    Exception
        What ``work`` raises.
    """

    def take(indices: Iterator[int]) -> Part:
        return work((index, surface.block(index)) for index in indices)

    return _share(take, block_count(surface), workers)


def worked_through(work: Callable[[Iterator[Block]], Part], blocks: Iterator[Block]) -> Part:
    """What some work makes of blocks, all of which are taken, even if it has no need of the last ones."""
    part = work(blocks)
    for _ in blocks:
        pass
    return part


def _share(take: Callable[[Iterator[int]], Part], count: int, workers: int | None) -> list[Part]:
    """What each of several workers makes of the numbers below a count that it takes."""
    workers = workers or _worth_starting(count)
    if workers == 1:
        return [take(iter(range(count)))]
    if _is_forking:
        from massprops.core.processes import in_processes  # only for large surfaces

        return in_processes(take, count, workers)
    return _in_threads(take, count, workers)


def _worth_starting(count: int) -> int:
    return max(1, min(cores(), count // (_BLOCKS_A_PROCESS if _is_forking else _BLOCKS_A_THREAD)))


def _in_threads(work: Callable[[Iterator[int]], Part], count: int, workers: int) -> list[Part]:
    from concurrent.futures import ThreadPoolExecutor

    indices = iter(range(count))  # taking the next one is atomic
    futures = []
    with ThreadPoolExecutor(workers - 1) as pool:
        with contextlib.suppress(RuntimeError):  # the system may give no more threads
            futures += [pool.submit(work, indices) for _ in range(workers - 1)]
        own = work(indices)
        return [own, *(future.result() for future in futures)]
