"""What processes may leave behind: a fixture for tests that fork, used by those that import it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """No descriptor stays open, and no child remains, running or to be waited for."""
    files = os.listdir("/dev/fd")
    yield
    assert os.listdir("/dev/fd") == files
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def written_by_a_program(function: str, result: str) -> tuple[str, str]:
    """Output and errors of a program that forks while text waits in a buffer, and writes a result between two words.

    Parameters
    ----------
    function : str
        What to import, as ``module:name``.
    result : str
        An expression that calls it.
    """
    module, name = function.split(":")
    script = (
        f"import sys, atexit; from {module} import {name}; "
        f"atexit.register(print, 'end'); sys.stdout.write('begin '); sys.stdout.write(str({result}) + ' ')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout, done.stderr
