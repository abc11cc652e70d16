"""Signals: the program ends at once, quietly, as who sent the signal expects, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from massprops.leaving import held_back

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


SLOW = """
import os, time
from massprops.cli import main
from massprops.report import mesh_file

def normals(corners):
    os.write(2, b"writing\\n")
    time.sleep(60)

mesh_file._normals = normals
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, -15), (signal.SIGHUP, -1), (signal.SIGINT, 130)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_signal_while_a_file_is_written(number: int, code: int, jobs: str, tmp_path: Path) -> None:
    for name in ("a.stl", "b.stl"):
        (tmp_path / name).write_bytes(SAMPLE.read_bytes())
    command = [sys.executable, "-c", SLOW, "a.stl", "b.stl", "--output", "{stem}.stl", "--overwrite", "--jobs", jobs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as run:
        assert run.stderr is not None
        for _ in range(int(jobs)):
            assert run.stderr.readline() == "writing\n"
        assert len(list(tmp_path.iterdir())) == 2 + int(jobs)
        run.send_signal(number)
        out, err = run.communicate(timeout=30)
    assert (run.returncode, out, err) == (code, "", "")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("a.stl", "b.stl"), SAMPLE.read_bytes()
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_for_an_import_that_would_swallow_it(number: int) -> None:
    is_swallowed = False

    def imported() -> None:
        nonlocal is_swallowed
        try:
            signal.raise_signal(number)  # to this thread: others of the tests hold nothing back
            time.sleep(0.01)
        except BaseException:
            is_swallowed = True

    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), held_back():
            imported()
    finally:
        signal.signal(number, before)
    assert not is_swallowed


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As under ``nohup``."""
    (tmp_path / "a.stl").write_bytes(SAMPLE.read_bytes())
    with subprocess.Popen(
        [sys.executable, "-c", SLOW.replace("60", "1"), "a.stl", "--output", "b.stl"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as run:  # fmt: skip
        assert run.stderr is not None
        run.stderr.readline()
        run.send_signal(signal.SIGHUP)
        run.communicate(timeout=30)
    assert run.returncode != -signal.SIGHUP


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, -15), (signal.SIGINT, 130)])
def test_a_signal_while_python_makes_a_class(number: int, code: int) -> None:
    """Before version 3.12, Python puts an error of its own around what the handler raises."""
    script = (
        "import functools, os, sys\n"
        "made = functools.cached_property.__set_name__\n"
        "def named(self, owner, name):\n"
        "    if name == 'is_identity':\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "    return made(self, owner, name)\n"
        "functools.cached_property.__set_name__ = named\n"
        "from massprops.cli import main\n"
        f"sys.argv = ['massprops', {str(SAMPLE)!r}, '--mass_properties']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
