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
from typing import Any, NamedTuple, NoReturn, TypeVar

Part = TypeVar("Part")
Work = Callable[[Iterator[int]], Part]

_RUNS = 1024
"""Runs of consecutive numbers that processes take at most: four bytes for each fit the smallest pipe there is."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a process, unless whoever started it ignores them."""


class Child(NamedTuple):
    """A forked process, and the pipe through which comes what it found."""

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
    with shared(count) as taken:

        def tell(end: int) -> None:
            write(end, pickle.dumps(work(taken()), pickle.HIGHEST_PROTOCOL))

        try:
            with forks(tell, workers - 1) as children:
                return [work(taken()), *map(_received, children)]
        except (EOFError, pickle.UnpicklingError):
            return [work(iter(range(count)))]


@contextlib.contextmanager
def shared(count: int) -> Iterator[Callable[[], Iterator[int]]]:
    """A function by which several processes take the numbers below a count, each of which is taken once.

    A pipe holds where runs of numbers start, and any process can take the next four bytes from it.
    """
    run, here = -(-count // _RUNS), os.getpid()
    queue, end = os.pipe()
    os.write(end, b"".join(start.to_bytes(4, "little") for start in range(0, count, run)))
    os.close(end)

    def taken() -> Iterator[int]:
        while (token := os.read(queue, 4)) and here in (os.getpid(), os.getppid()):
            start = int.from_bytes(token, "little")
            yield from range(start, min(start + run, count))

    try:
        yield taken
    finally:
        os.close(queue)


@contextlib.contextmanager
def forks(work: Callable[[int], object], count: int) -> Iterator[list[Child]]:
    """Forked processes that are there until they are done, and no longer than what is done with them here.

    Parameters
    ----------
    work : callable
        What each does. It takes the end of a pipe to write to; nobody is told what it raises.
    count : int
        Number of processes; fewer where the system gives no more.
    """
    children: list[Child] = []
    try:
        with contextlib.suppress(OSError):
            while len(children) < count:
                _fork(work, children)
        yield children
    finally:
        for child in children:
            _end(child)


def write(end: int, data: bytes) -> None:
    """Write all of the data into a pipe, as room comes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(end, rest) :]


def _fork(work: Callable[[int], object], children: list[Child]) -> None:
    """Add one to the children: while signals are held back, so that none is forgotten."""
    pipe, end = os.pipe()
    # Held back, too, until the child has taken leave of what its parent does at a signal.
    held = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        with warnings.catch_warnings():  # of forks beside threads: those of NumPy's libraries, at rest
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        children.append(Child(process, pipe))
        if process == 0:
            _work_and_leave(work, children, end, held)
    except OSError:
        os.close(pipe)
        raise
    finally:
        os.close(end)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _work_and_leave(
    work: Callable[[int], object], children: list[Child], end: int, signals: Set[signal.Signals | int]
) -> NoReturn:
    """Work, and leave without a trace: buffers and files to be removed are the parent's."""
    try:
        gc.freeze()  # so that nothing of the parent's is finalized here
        for child in children:  # whose only reader is the parent: without it, there is nobody to write to
            os.close(child.pipe)
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)
        work(end)
    finally:
        os._exit(0)


def _received(child: Child) -> Any:
    with os.fdopen(child.pipe, "rb", closefd=False) as stream:
        return pickle.load(stream)


def _end(child: Child) -> None:
    os.close(child.pipe)
    with contextlib.suppress(OSError):  # it may be gone
        os.kill(child.process, signal.SIGKILL)
        os.waitpid(child.process, 0)
