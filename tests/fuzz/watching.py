"""A watch over one input: its time, its memory, the files and connections that it opens."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import sysconfig
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import massprops

SECONDS = 30.0
"""Processor time that an input of a few kilobytes may take; nearly all take some milliseconds."""

MEGABYTES, MULTIPLE = 64, 100
"""Memory that an input may take: a fixed amount for blocks and chunks, and so many times its own size."""

_LIBRARIES = tuple(
    str(Path(path).resolve())
    for path in {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, Path(massprops.__file__).parent}
)
_OUTSIDE = (
    *("socket.connect", "socket.getaddrinfo", "socket.bind", "urllib.Request", "subprocess.Popen", "os.system"),
    *("os.exec", "os.posix_spawn", "os.fork", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "shutil.rmtree"),
    *("glob.glob", "webbrowser.open", "ftplib.connect", "http.client.connect"),
)
_LOOKS = ("open", "os.listdir", "os.scandir")
_open: list[str] | None = None
_installed = False


class Finding(Exception):
    """A fault of the program."""


class TooLong(BaseException):
    """Not to be caught by anybody who catches errors."""


@contextlib.contextmanager
def watched(path: Path, allowed: Collection[Path] = (), seconds: float = SECONDS) -> Iterator[None]:
    """Watch what is done with an input.

    Parameters
    ----------
    path : Path
        The input.
    allowed : collection of Path
        Other files that may be opened.
    seconds : float
        Processor time that it may take.

    Raises
    ------
    Finding
        It took too long or too much memory, or opened what is none of its business.
    """
    global _open
    _install()
    limit = MEGABYTES * 2**20 + MULTIPLE * path.stat().st_size
    before = _reset_peak()
    _open = opened = []
    handler = signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except TooLong:
        raise Finding(f"hangs: more than {seconds:g} s") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        _open = None
    taken = _peak() - before
    if taken > limit:
        raise Finding(f"takes {taken / 2**20:.0f} MB for a file of {path.stat().st_size} bytes")
    foreign = [name for name in opened if not _is_harmless(name, {path, *allowed})]
    if foreign:
        raise Finding(f"opens {foreign[0]}")


def _interrupt(*_: Any) -> None:
    raise TooLong


def _install() -> None:
    """Hook into the interpreter's audit events, of which there is no way out again."""
    global _installed
    if not _installed:
        sys.addaudithook(_audit)
        _installed = True


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _open is None:
        return
    if event in _LOOKS and isinstance(arguments[0], (str, bytes, os.PathLike)):
        _open.append(os.fsdecode(arguments[0]))
    elif event in _OUTSIDE:
        _open.append(f"{event} {arguments[:1]!r}")


def _is_harmless(name: str, allowed: Collection[Path]) -> bool:
    """Whether a file is one of those named, a part of a program, or temporary."""
    path = os.path.abspath(name)
    is_temporary = path == tempfile.gettempdir() or (Path(path).name.startswith("tmp") and not os.path.exists(path))
    is_program = os.path.realpath(path).startswith(_LIBRARIES) or path in map(os.path.abspath, sys.path)
    return is_temporary or is_program or path in map(str, allowed)


def _reset_peak() -> int:
    """Set the largest memory so far to what is in use, where the system lets us; bytes in use."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as control:
        control.write("5")
    return _status("VmRSS:")


def _peak() -> int:
    return _status("VmHWM:")


def _status(name: str) -> int:
    with contextlib.suppress(OSError), open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))
    return 0
