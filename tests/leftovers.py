"""What processes may leave behind: a fixture for tests that fork, used by those that import it."""

from __future__ import annotations

import os
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
