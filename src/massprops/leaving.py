"""Standard streams that are closed, signals that end a process, and its end."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import NoReturn

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

_ENDING = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
"""Signals other than Ctrl-C that end a process; Windows has one."""


def end_in_order() -> None:
    """Let signals that end the process remove first what is half written, unless whoever started it ignores them."""

    def end(number: int, _: object) -> NoReturn:
        signal.signal(number, signal.SIG_DFL)  # a second one means: at once
        raise SystemExit(128 + number)

    for number in _ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Let signals that end the process wait while a package is imported: some catch whatever is raised on their way."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *_ENDING})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave(code: int) -> NoReturn:
    """End the process without taking the interpreter apart, which takes longer than measuring a part."""
    if code == INTERRUPTED:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever is in a hurry does not wait for what is left to do
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or not there: nobody listens
            stream.flush()
    if code - 128 in _ENDING:
        os.kill(os.getpid(), code - 128)  # whoever sent it sees that it was heeded
    os._exit(code)


def fill_gaps() -> None:
    """Put something in the place of standard streams that are closed: else the next file to be opened takes it."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")


def forget_output() -> None:
    """Let what is still in the buffer of standard output go nowhere, quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
