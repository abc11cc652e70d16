"""Ctrl-C: the program ends at once, quietly, with exit code 130, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

SAMPLE = Path(__file__).parent.parent / "sample_meshes" / "cube.stl"


def interrupted(*arguments: str, folder: Path) -> tuple[int, str, str]:
    """Exit code and output of a run that is interrupted while it waits for standard input."""
    command = [sys.executable, "-m", "massprops", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
    ) as run:
        assert run.stdin is not None
        run.stdin.write("solid endless\n")
        run.stdin.flush()
        time.sleep(1.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    return run.returncode, out, err


def test_an_endless_standard_input_can_be_interrupted(tmp_path: Path) -> None:
    assert interrupted("-", "--mass_properties", folder=tmp_path) == (130, "", "")


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    code, _, err = interrupted(str(SAMPLE), "-", "--mass_properties", "--output", "{stem}.stl", folder=tmp_path)
    assert (code, err) == (130, "")
    assert {path.name for path in tmp_path.iterdir()} <= {"cube.stl"}
