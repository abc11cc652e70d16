"""`massprops.forked_batch` where processes cannot be forked: a pool of Python's own, whose processes begin anew."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TypeVar

from massprops.leaving import INTERRUPTED

Found = TypeVar("Found")

_MOST = 60
"""Processes that a pool may have on Windows."""


def in_order(work: Callable[[int], Found], count: int, workers: int) -> Generator[Found | None, None, None]:
    """What each number below a count yields, in their order, found by several processes.

    Parameters
    ----------
    work : callable
        It, and what it returns, can be pickled.
    count : int
    workers : int
        Number of processes; this one works alone where the system gives none.

    Yields
    ------
    Found or None
        None for all that is left when a process was ended from outside.

    Raises
    ------
    Exception
        What ``work`` raises.
    """
    done = 0
    try:
        with ProcessPoolExecutor(min(workers, _MOST), multiprocessing.get_context("spawn"), _leave_quietly) as pool:
            try:
                for found in pool.map(partial(_done, work), range(count), chunksize=max(1, count // (8 * workers))):
                    yield found
                    done += 1
            except BaseException:
                for child in multiprocessing.active_children():
                    child.terminate()
                raise
    except BrokenProcessPool:
        yield from [None] * (count - done)
    except (OSError, NotImplementedError):  # no more processes, or no locks for them
        yield from map(work, range(done, count))


def _done(work: Callable[[int], Found], number: int) -> Found:
    """Work in a process of the pool, which lets go of what is in hand at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return work(number)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    finally:
        _leave_quietly()


def _leave_quietly() -> None:
    """Let Ctrl-C end this process without a word: the first process says what is to say."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
