"""Work shared among forked processes: whole results, whatever becomes of a process, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from massprops.core.closure import survey
from massprops.core.polyhedron import integrals
from massprops.core.surface import BLOCK, TriangleArray
from massprops.core.winding import cross_check
from massprops.core.workers import forked_workers, map_blocks
from massprops.errors import Unreadable

if sys.platform != "linux":
    pytest.skip("processes are forked on Linux only", allow_module_level=True)

from massprops.core.processes import Work, in_processes
from tests.leftovers import nothing_is_left_behind as nothing_is_left_behind
from tests.leftovers import written_by_a_program

HERE = os.getpid()


def numbers(taken: Iterator[int]) -> list[int]:
    return list(taken)


def slowly(taken: Iterator[int]) -> list[tuple[int, int]]:
    """Numbers, with the process that took each: none is so fast that the others get nothing."""
    found = []
    for number in taken:
        time.sleep(0.01)
        found.append((number, os.getpid()))
    return found


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [1, 2, 7, 1024, 1025, 5000])
def test_each_number_is_taken_once(count: int, workers: int) -> None:
    parts = in_processes(numbers, count, workers)
    assert len(parts) == workers
    assert sorted(number for part in parts for number in part) == list(range(count))
    assert all(part == sorted(part) for part in parts)


def test_each_process_takes_some_of_the_work() -> None:
    parts = in_processes(slowly, 20, 3)
    processes = [{process for _, process in part} for part in parts]
    assert processes[0] == {HERE}
    assert len(set.union(*processes)) == 3


def test_a_result_may_be_larger_than_a_pipe_holds() -> None:
    def large(taken: Iterator[int]) -> np.ndarray:
        return np.concatenate([np.empty(0), *(np.full(100_000, float(number)) for number in taken)])

    found = np.concatenate(in_processes(large, 12, 2))
    assert np.array_equal(np.sort(found), np.repeat(np.arange(12.0), 100_000))


def raises(taken: Iterator[int]) -> list[int]:
    found = list(taken)
    if os.getpid() != HERE:
        raise ValueError("in a fork")
    return found


def is_killed(taken: Iterator[int]) -> list[int]:
    if os.getpid() != HERE:
        next(taken, None)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return list(taken)


@pytest.mark.parametrize("work", [raises, is_killed])
def test_what_a_process_leaves_undone_is_done_here(work: Work[list[int]], capfd: pytest.CaptureFixture[str]) -> None:
    parts = in_processes(work, 50, 3)
    assert sorted(number for part in parts for number in part) == list(range(50))
    assert capfd.readouterr() == ("", "")


def test_a_result_cut_off_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pickle.dumps", lambda found, protocol: b"\x80\x05\x95\x20\x00\x00\x00\x00\x00\x00\x00]")
    assert in_processes(numbers, 9, 2) == [list(range(9))]


def test_without_another_process_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert in_processes(numbers, 9, 4) == [list(range(9))]


def test_an_error_of_the_work_is_raised() -> None:
    def fails(taken: Iterator[int]) -> list[int]:
        if 3 in list(taken):
            raise Unreadable("block 3")
        return []

    with pytest.raises(Unreadable, match="block 3"):
        in_processes(fails, 20, 2)


def test_an_interruption_ends_the_others_at_once() -> None:
    def waits(taken: Iterator[int]) -> list[int]:
        if os.getpid() == HERE:
            raise KeyboardInterrupt
        time.sleep(600)
        return []

    with pytest.raises(KeyboardInterrupt):
        in_processes(waits, 20, 3)


def test_a_process_does_not_do_what_its_parent_does_at_a_signal() -> None:
    def heeds(taken: Iterator[int]) -> list[object]:
        list(taken)
        return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]

    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    here, there = in_processes(heeds, 1, 2)
    assert here[0] is signal.default_int_handler
    assert there == [signal.SIG_DFL] * 3
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_a_signal_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert in_processes(lambda taken: signal.getsignal(signal.SIGHUP), 1, 2) == [signal.SIG_IGN] * 2
    finally:
        signal.signal(signal.SIGHUP, before)


def test_without_its_parent_a_process_takes_no_more_work(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, time\n"
        "from massprops.core.processes import in_processes\n"
        "here = os.getpid()\n"
        "def work(taken):\n"
        "    number = -1\n"
        "    for number in taken:\n"
        "        if os.getpid() == here:\n"
        "            os.kill(here, signal.SIGKILL)\n"
        "        time.sleep(0.1)\n"
        "    open(sys.argv[1], 'w').write(str(number))\n"
        "in_processes(work, 1000, 2)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "last")])
    assert done.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 30
    while not (tmp_path / "last").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert int((tmp_path / "last").read_text() or 0) < 50


def test_a_large_result_that_nobody_waits_for_keeps_no_process() -> None:
    script = (
        "import os, signal, sys, time\n"
        "from massprops.core.processes import in_processes\n"
        "here = os.getpid()\n"
        "def work(taken):\n"
        "    numbers = list(taken)\n"
        "    if os.getpid() == here:\n"
        "        time.sleep(0.5)\n"
        "        os.kill(here, signal.SIGKILL)\n"
        "    return bytes(10**6)\n"
        "in_processes(work, 8, 4)\n"
    )
    # A process that is left would keep standard output open, for which this waits.
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, timeout=30)
    assert done.returncode == -signal.SIGKILL


def test_what_waits_in_a_buffer_is_written_once() -> None:
    written = written_by_a_program("massprops.core.processes:in_processes", "len(in_processes(list, 10, 3))")
    assert written == ("begin 3 end\n", "")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_processes_do_not_change_a_bit(dtype: type) -> None:
    turn = np.linspace(0, 2 * np.pi, 40 * 1024 + 1)[:-1]
    ring = np.stack([5.0 + np.cos(turn), 7.0 + np.sin(turn), 3.0 + 0.1 * np.sin(3 * turn)], axis=1)
    after = np.roll(ring, -1, axis=0)
    upper = np.stack([ring, after, np.full_like(ring, 5.5)], axis=1)
    lower = np.stack([after, ring, np.full_like(ring, 2.0)], axis=1)
    surface = TriangleArray(np.concatenate([upper, lower]).astype(dtype))
    assert surface.facets > 8 * BLOCK
    found = []
    for workers in (1, 2, 5):
        with forked_workers():
            seen = survey(surface, workers)
            body = integrals(surface, seen.lower, seen.upper, workers)
            check = cross_check(surface, seen.lower, seen.upper, workers=workers)
        moments = body.moments
        assert seen.is_closed
        found.append((moments.volume, moments.first.tolist(), moments.second.tolist(), body.area, check))
    assert found[0] == found[1] == found[2]


def test_results_come_in_the_order_of_the_blocks() -> None:
    facets = 5 * BLOCK + 1
    surface = TriangleArray(np.repeat(np.arange(facets) // BLOCK, 9).reshape(-1, 3, 3).astype(float))
    with forked_workers():
        assert map_blocks(surface, lambda: lambda block: int(block[0, 0, 0]), 3) == list(range(6))
