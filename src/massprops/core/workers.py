"""Run a function over the blocks of a surface, on several threads, in a result order fixed by the surface."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from massprops.core.surface import Block, Surface, block_count

Result = TypeVar("Result")

_BLOCKS_A_THREAD = 4  # fewer are not worth the start of a thread


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _threads(blocks: int) -> int:
    return max(1, min(cores(), blocks // _BLOCKS_A_THREAD))


def keep_freed_memory() -> None:
    """Make the C library keep the memory of arrays that are freed, instead of asking the system for it again and again.

    glibc raises its thresholds once a large piece has been freed; page faults for the temporaries of a block would
    otherwise cost as much as the arithmetic.
    """
    np.empty(1 << 24, np.uint8)


def map_blocks(
    surface: Surface, worker: Callable[[], Callable[[Block], Result]], threads: int | None = None
) -> list[Result]:
    """Results of one function for every block of a surface, in the order of the blocks.

    NumPy releases the interpreter during its loops, so threads run side by side.

    Parameters
    ----------
    surface : Surface
    worker : callable
        Makes the function that is applied to the blocks. It is called once a thread, so that each may own its
        scratch memory: fresh memory for every temporary array would cost more than the arithmetic.
    threads : int, optional
        Number of threads; by default as many as there are cores, fewer for small surfaces.
    """
    count = block_count(surface)
    threads = threads or _threads(count)
    results: list[Result | None] = [None] * count

    def run(start: int) -> None:
        work = worker()
        for index in range(start, count, threads):
            results[index] = work(surface.block(index))

    if threads == 1:
        run(0)
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            for future in [pool.submit(run, start) for start in range(threads)]:
                future.result()
    return results  # type: ignore[return-value]


@contextlib.contextmanager
def threads_for(blocks: int) -> Iterator[Callable[..., Any]]:
    """A ``map`` that uses several threads when there are many blocks; results come in the order of its arguments."""
    threads = _threads(blocks)
    if threads == 1:
        yield map
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        yield pool.map
