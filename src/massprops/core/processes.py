"""Share work out among forked processes.

A process that was forked has all that its parent had, so that nothing need be sent to it; what it found comes back
through a pipe. A worker that comes to an end without a result, because it failed or was killed, is not asked why: this
process does all of the work again, alone, and whatever is wrong then shows where it can be told. A worker whose parent
is no more takes no more work.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Iterator, Set
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

Part = TypeVar("Part")
Work = Callable[[Iterator[int]], Part]

_RUNS = 1024
"""Runs of consecutive numbers that workers take at most: four bytes for each fit the smallest pipe there is."""

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Child(NamedTuple, Generic[Part]):
    """A forked process, and the pipe through which its part comes."""

    process: int
    pipe: int


def in_processes(work: Callable[[Iterator[int]], Part], count: int, workers: int) -> list[Part]:
    """What each of several processes, this one among them, makes of the numbers below a count that it takes.

    Parameters
    ----------
    work : callable
        Takes numbers in rising order; what it returns can be pickled.
    count : int
    workers : int
        Number of processes; fewer where the system gives no more.

    Raises
    ------
    Exception
        What ``work`` raises.
    """
    run = -(-count // _RUNS)
    queue, here = _queue_of(range(0, count, run)), os.getpid()
    children: list[_Child[Part]] = []

    def taken() -> Iterator[int]:
        while (token := os.read(queue, 4)) and here in (os.getpid(), os.getppid()):
            start = int.from_bytes(token, "little")
            yield from range(start, min(start + run, count))

    try:
        with contextlib.suppress(OSError):
            while len(children) < workers - 1:
                children.append(_forked(work, taken()))
        parts = [work(taken()), *map(_received, children)]
    except (EOFError, pickle.UnpicklingError):
        parts = [work(iter(range(count)))]
    finally:
        os.close(queue)
        for child in children:
            _ended(child)
    return parts


def _queue_of(numbers: range) -> int:
    """A pipe from which any process can take the next number, four bytes at a time."""
    queue, end = os.pipe()
    os.write(end, b"".join(number.to_bytes(4, "little") for number in numbers))
    os.close(end)
    return queue


def _forked(work: Work[Part], numbers: Iterator[int]) -> _Child[Part]:
    pipe, end = os.pipe()
    # Held back until the child has taken leave of what its parent does at a signal.
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        with warnings.catch_warnings():  # of forks beside threads: those of NumPy's libraries, at rest
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        if process == 0:
            os.close(pipe)  # whose only reader is the parent: without it, there is nobody to write to
            _work_and_leave(work, numbers, end, held)
    except OSError:
        os.close(pipe)
        raise
    finally:
        os.close(end)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return _Child(process, pipe)


def _work_and_leave(work: Work[Part], numbers: Iterator[int], end: int, signals: Set[int]) -> NoReturn:
    """Work, send what was found, and leave without a trace: buffers and files to be removed are the parent's."""
    try:
        gc.disable()  # so that nothing of the parent's is finalized here
        for number in _ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)
        found = pickle.dumps(work(numbers), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(end, "wb") as stream:
            stream.write(found)
    finally:
        os._exit(0)


def _received(child: _Child[Part]) -> Part:
    with os.fdopen(child.pipe, "rb", closefd=False) as stream:
        found: Part = pickle.load(stream)
    return found


def _ended(child: _Child[Any]) -> None:
    os.close(child.pipe)
    with contextlib.suppress(OSError):  # it may be gone
        os.kill(child.process, signal.SIGKILL)
        os.waitpid(child.process, 0)
