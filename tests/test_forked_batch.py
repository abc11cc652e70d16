"""What forked processes find: in order, whatever becomes of a process, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

if not hasattr(os, "fork"):
    pytest.skip("processes are forked", allow_module_level=True)

from massprops.forked_batch import in_order
from tests.leftovers import nothing_is_left_behind as nothing_is_left_behind
from tests.leftovers import written_by_a_program

HERE = os.getpid()


def square(number: int) -> int:
    return number**2


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7, 5000])
def test_order_and_more_numbers_than_fit_a_pipe(count: int, workers: int) -> None:
    assert list(in_order(square, count, workers)) == [number**2 for number in range(count)]


def test_each_comes_as_soon_as_it_is_there() -> None:
    def slow_at_last(number: int) -> int:
        if number == 3:
            time.sleep(600)
        return number

    with contextlib.closing(in_order(slow_at_last, 4, 2)) as found:
        assert [next(found) for _ in range(3)] == [0, 1, 2]


def test_all_are_found_by_others() -> None:
    assert HERE not in list(in_order(lambda number: time.sleep(0.01) or os.getpid(), 8, 2))


def test_results_larger_than_a_pipe_holds() -> None:
    found = list(in_order(lambda number: bytes([number]) * 10**6, 12, 3))
    assert found == [bytes([number]) * 10**6 for number in range(12)]


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("count", [40, 3000])
def test_a_process_that_is_killed_costs_one(count: int, workers: int) -> None:
    def dies(number: int) -> int:
        if number in (5, 17, count - 1):
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    lost = {5, 17, count - 1}
    assert list(in_order(dies, count, workers)) == [None if k in lost else k for k in range(count)]


def test_a_process_that_is_killed_while_it_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    from massprops import forked_batch

    def cut_off(end: int, data: bytes) -> None:
        if len(data) > 10_000:
            os.write(end, data[:9000])
            os.kill(os.getpid(), signal.SIGKILL)
        os.write(end, data)

    monkeypatch.setattr(forked_batch, "write", cut_off)
    assert list(in_order(lambda number: bytes(10**5 if number == 2 else 1), 5, 2)) == [
        None if number == 2 else bytes(1) for number in range(5)
    ]


@pytest.mark.parametrize("found", [lambda: 1, ValueError])
def test_what_cannot_be_sent_and_what_fails_is_done_here(found: object) -> None:
    def work(number: int) -> object:
        if number == 1 and os.getpid() != HERE:
            if found is ValueError:
                raise ValueError
            return found
        return number

    assert list(in_order(work, 3, 2)) == [0, 1, 2]


def test_what_fails_here_too_is_raised_in_its_turn() -> None:
    def fails(number: int) -> int:
        return 1 // (2 - number)

    found = in_order(fails, 5, 2)
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(found)


@pytest.mark.parametrize("allowed", [0, 1])
def test_with_fewer_processes(allowed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    forks = iter([os.fork] * allowed)

    def fork() -> int:
        for real in forks:
            return real()
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", fork)
    assert list(in_order(square, 9, 4)) == [number**2 for number in range(9)]


def test_processes_that_come_to_nothing() -> None:
    """Killed before they take anything in hand, by whatever allows no processes."""
    from massprops.core import processes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes.gc, "freeze", lambda: os.kill(os.getpid(), signal.SIGKILL))
        assert list(in_order(square, 9, 2)) == [number**2 for number in range(9)]


def test_an_early_end_ends_them_at_once_and_lets_them_clean_up(tmp_path: Path) -> None:
    def writes(number: int) -> None:
        name = tmp_path / str(number)
        name.touch()
        try:
            time.sleep(600 if number else 0)
        finally:
            name.unlink()

    with contextlib.closing(in_order(writes, 5, 3)) as found:
        next(found)
    assert not list(tmp_path.iterdir())


def test_an_interrupt_that_is_swallowed_ends_it_after_what_is_in_hand(tmp_path: Path) -> None:
    """As modules swallow it that try to import others."""

    def swallows(number: int) -> None:
        if number:
            with contextlib.suppress(BaseException):
                (tmp_path / str(number)).touch()
                time.sleep(600)

    with contextlib.closing(in_order(swallows, 99, 2)) as found:
        next(found)
        while not list(tmp_path.iterdir()):
            time.sleep(0.01)
    assert len(list(tmp_path.iterdir())) <= 2


def test_an_interrupt_that_is_swallowed_comes_again(tmp_path: Path) -> None:
    def swallows(number: int) -> None:
        name = tmp_path / str(number)
        try:
            name.touch()
            with contextlib.suppress(BaseException):
                time.sleep(600 if number else 0)
            while number:
                pass
        finally:
            deadline = time.process_time() + 0.1  # which is not interrupted
            while time.process_time() < deadline:
                pass
            name.unlink()

    with contextlib.closing(in_order(swallows, 2, 1)) as found:
        next(found)
        while not (tmp_path / "1").exists():
            time.sleep(0.01)
    assert not list(tmp_path.iterdir())


def test_one_that_does_not_listen_is_ended_too() -> None:
    def deaf(number: int) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGALRM])
        time.sleep(600 if number else 0)

    with contextlib.closing(in_order(deaf, 2, 1)) as found:
        next(found)


def test_what_waits_in_a_buffer_is_written_once() -> None:
    written = written_by_a_program("massprops.forked_batch:in_order", "sum(in_order(abs, 10, 3))")
    assert written == ("begin 45 end\n", "")
