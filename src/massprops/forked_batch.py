"""What forked processes find, number by number: in order, each as soon as it is there, whatever becomes of a process.

Each process tells which number it takes in hand before it begins, so that one that is ended from outside, perhaps for
want of memory, costs no other; those that nobody has told of are left to new processes.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from struct import Struct
from typing import NoReturn, TypeVar

from massprops.core.processes import ENDING, Child, forks, shared, write

Found = TypeVar("Found")
Outcome = Callable[[], Found | None]

_ASKED = signal.SIGUSR1
"""By which the parent asks a child to end, which no one else ignores for it."""

_PATIENCE = 0.5  # seconds after which a child notices that its parent is no more
_CLEANING = 2.0  # seconds in which one that is interrupted has removed what is half written
_SWALLOWED = 0.02  # seconds of work after which one that is still at it is interrupted again

_REST = 0.01
"""Seconds for which the parent lets things come: to be woken for each costs more than the sending of it."""

_HEAD, _NONE = Struct("<qq"), -1
"""Before each thing found: how many bytes it takes, and the number that is taken in hand next."""


def in_order(work: Callable[[int], Found], count: int, workers: int) -> Generator[Found | None, None, None]:
    """What each number below a count yields, in their order, found by several processes.

    Whatever ends this early ends them too, at once.

    Parameters
    ----------
    work : callable
        What it returns can be pickled. Where it raises, it is done again by this process.
    count : int
    workers : int
        Number of processes; fewer where the system gives no more. This one only collects, unless there is no other.

    Yields
    ------
    Found or None
        None in the place of a number which a process had in hand when it was ended from outside.

    Raises
    ------
    Exception
        What ``work`` raises.
    """
    found: dict[int, Outcome[Found]] = {}
    done = 0
    while done < count:
        wanted = [number for number in range(done, count) if number not in found]
        with contextlib.closing(_outcomes(work, wanted, workers)) as outcomes:
            for number, outcome in outcomes:
                found[number] = outcome
                while done in found:
                    yield found.pop(done)()
                    done += 1


def _outcomes(
    work: Callable[[int], Found], numbers: Sequence[int], workers: int
) -> Generator[tuple[int, Outcome[Found]], None, None]:
    """Numbers as they are done, but for those that no process took in hand; all are done here if there is none."""
    here, are_some = os.getpid(), False
    with shared(len(numbers)) as taken:

        def answer(end: int) -> None:
            _heed_signals(here)
            _answer(work, (numbers[index] for index in taken()), end)

        with forks(answer, _with_room(min(workers, len(numbers)))) as children:
            try:
                for number, found in _received(children, len(numbers)):
                    are_some = True
                    yield number, _outcome(work, number, found)
            except BaseException:
                _ask_to_end(children)
                raise
    if not are_some:
        yield from ((number, partial(work, number)) for number in numbers)


def _with_room(workers: int) -> int:
    """As many processes, but so few that their pipes leave most of the files that may be open to others."""
    files = os.sysconf("SC_OPEN_MAX")
    return min(workers, files // 4) if files > 0 else workers


def _outcome(work: Callable[[int], Found], number: int, found: bytes | None) -> Outcome[Found]:
    if found is None:
        return lambda: None
    return partial(pickle.loads, found) if found else partial(work, number)


# Here


def _received(children: Sequence[Child], left: int) -> Iterator[tuple[int, bytes | None]]:
    """Numbers as they are done: pickles, empty ones where work failed, None where a process was lost."""
    in_hand = {child.pipe: _NONE for child in children}
    pipes = _registered(children)
    while in_hand:
        if not (ready := pipes.poll(0)) and left > len(in_hand):
            time.sleep(_REST)
        for pipe, _ in ready or pipes.poll():
            number = in_hand.pop(pipe)
            head = _read(pipe, _HEAD.size)
            size, following = _HEAD.unpack(head) if len(head) == _HEAD.size else (1, _NONE)
            found = _read(pipe, size)
            is_whole = len(found) == size
            if is_whole:
                in_hand[pipe] = following
            else:
                pipes.unregister(pipe)
            if number != _NONE:
                left -= 1
                yield number, found if is_whole else None


def _registered(children: Sequence[Child]) -> select.poll:
    pipes = select.poll()
    for child in children:
        pipes.register(child.pipe, select.POLLIN)
    return pipes


def _read(pipe: int, size: int) -> bytes:
    """So many bytes, fewer at the end."""
    found = os.read(pipe, size)
    if len(found) == size:
        return found
    parts, missing = [found], size - len(found)
    while missing and parts[-1]:
        parts.append(os.read(pipe, min(missing, 1 << 16)))
        missing -= len(parts[-1])
    return b"".join(parts)


def _ask_to_end(children: Sequence[Child]) -> None:
    """Let the children remove what is half written, and wait for them; not for ever."""
    for child in children:
        with contextlib.suppress(OSError):  # it may be gone
            os.kill(child.process, _ASKED)
    pipes, left, deadline = _registered(children), len(children), time.monotonic() + _CLEANING
    while left and (ready := pipes.poll(1000 * max(0.0, deadline - time.monotonic()))):
        for pipe, _ in ready:
            if not os.read(pipe, 1 << 16):
                pipes.unregister(pipe)
                left -= 1


# In the children


def _answer(work: Callable[[int], object], numbers: Iterator[int], end: int) -> None:
    number = next(numbers, _NONE)
    write(end, _HEAD.pack(0, number))
    while number != _NONE:
        found = _pickled(work, number)
        if _is_interrupted():  # and whoever was at work has swallowed it
            return
        number = next(numbers, _NONE)
        write(end, _HEAD.pack(len(found), number) + found)


def _pickled(work: Callable[[int], object], number: int) -> bytes:
    """What work finds; nothing where it fails."""
    try:
        return pickle.dumps(work(number), pickle.HIGHEST_PROTOCOL)
    except Exception:
        return b""


def _heed_signals(parent: int) -> None:
    """Let signals, and the end of the parent, end this process without a word: the parent says what is to say."""

    def watch(*_: object) -> None:
        if os.getppid() != parent:
            _interrupt()

    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    signal.signal(_ASKED, _interrupt)
    signal.signal(signal.SIGALRM, watch)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE, _PATIENCE)


def _interrupt(*_: object) -> NoReturn:
    """Let go of what is in hand, and end; after some time the system ends this process in any case.

    Again and again before that: modules that try to import others, as those of meshes and films do, swallow interrupts.
    """
    for number in (*ENDING, _ASKED):  # a second signal must not interrupt the cleaning up
        signal.signal(number, lambda *_: None)
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, _CLEANING)
    signal.signal(signal.SIGVTALRM, _interrupt_again)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SWALLOWED, _SWALLOWED)
    raise KeyboardInterrupt


def _interrupt_again(*_: object) -> None:
    """Unless the interrupt is still on its way, through what cleans up."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    if error is None:
        raise KeyboardInterrupt


def _is_interrupted() -> bool:
    return signal.getsignal(_ASKED) != _interrupt
