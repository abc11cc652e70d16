"""Many inputs: in order, none stops the others, and the number of jobs changes nothing."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import struct
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops import batch
from massprops.batch import DEBUG, measured, run
from massprops.plan import Plan, SpinPlan
from massprops.report.json_report import document

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
TETRAHEDRON = CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


def written(path: Path, triangles: np.ndarray) -> str:
    rows = np.zeros(len(triangles), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = triangles
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + rows.tobytes())
    return str(path)


@pytest.fixture
def inputs(tmp_path: Path) -> tuple[str, ...]:
    """Good ones among one of every verdict."""
    damaged = TETRAHEDRON.copy()
    damaged[1, 1, 1] = np.nan
    flat = np.concatenate([TETRAHEDRON[:1], TETRAHEDRON[:1, [0, 2, 1]]]) + np.array([0.5, 1, 0.25])
    flat[:, :, 2] = flat[:, :, 0]
    shapes = {
        "a": TETRAHEDRON, "open": TETRAHEDRON[1:], "b": TETRAHEDRON * 2, "inside_out": TETRAHEDRON[:, [0, 2, 1]],
        "empty": TETRAHEDRON[:0], "non_finite": damaged, "zero_volume": flat,
        "inconsistent": np.concatenate([TETRAHEDRON[:1, [0, 2, 1]], TETRAHEDRON[1:]]), "c": TETRAHEDRON + 5,
    }  # fmt: skip
    paths = [written(tmp_path / f"{name}.stl", triangles) for name, triangles in shapes.items()]
    (tmp_path / "unreadable.stl").write_bytes(b"nonsense " * 40)
    return (*paths, str(tmp_path / "unreadable.stl"), str(tmp_path / "not_found.stl"), str(tmp_path), paths[0])


VERDICTS = [
    "ok", "open", "ok", "inside_out", "empty", "non_finite", "zero_volume", "inconsistent", "ok", "unreadable",
    "not_found", "unreadable", "ok",
]  # fmt: skip


def test_a_bad_input_does_not_stop_the_rest(inputs: tuple[str, ...]) -> None:
    results = list(run(Plan(inputs, mass_properties=True)))
    assert [result.file for result in results] == list(inputs)
    assert [result.status for result in results] == VERDICTS
    for result in results:
        assert (result.message is None) is result.is_ok
        assert (result.properties is None) is not result.is_ok
        assert result.message is None or "an error of massprops" not in result.message
    assert results[1].facets == 3
    assert results[1].diagnosis["open_edges"] == 3


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_jobs_change_nothing(inputs: tuple[str, ...], jobs: int) -> None:
    plan = Plan(inputs, mass_properties=True, about=(1.0, 2.0, 3.0))
    assert document(list(run(plan, jobs))) == document([measured(path, plan) for path in inputs])


def test_results_come_one_by_one(inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    wrapped = batch.measured
    monkeypatch.setattr(batch, "measured", lambda path, plan: seen.append(path) or wrapped(path, plan))
    results = run(Plan(inputs[:3]))
    next(results)
    assert seen == [inputs[0]]


def groups(plan: Plan, jobs: int = 1) -> list[list[int]]:
    return [list(group) for group in batch._groups(plan, jobs)]


def test_small_files_are_measured_together_and_others_alone(tmp_path: Path) -> None:
    small = [written(tmp_path / f"{k}.stl", TETRAHEDRON * (k + 1)) for k in range(20)]
    large = written(tmp_path / "large.stl", np.tile(TETRAHEDRON, (3000, 1, 1)))
    middle = written(tmp_path / "middle.stl", np.tile(TETRAHEDRON, (1500, 1, 1)))
    os.mkfifo(tmp_path / "pipe")
    odd = str(tmp_path), str(tmp_path / "none.stl"), str(tmp_path / "pipe"), "nul\0.stl"

    def grouped(*paths: str, **flags: Any) -> list[list[int]]:
        return groups(Plan((*paths, *small), mass_properties=True, **flags))

    assert grouped() == [[*range(8)], [*range(8, 16)], [*range(16, 20)]]
    assert grouped(small[0], large)[:3] == [[0], [1], [*range(2, 10)]]
    assert grouped(small[0], middle, middle)[:2] == [[0, 1], [*range(2, 10)]]
    assert grouped(*odd)[:4] == [[0], [1], [2], [*range(3, 11)]]
    one_by_one = [[k] for k in range(20)]
    assert groups(Plan(tuple(small))) == grouped(sanitize=True) == grouped(verify=True) == one_by_one
    assert grouped(figure="{stem}.png") == grouped(spin=SpinPlan((0.0, 0.0, 1.0))) == one_by_one


@pytest.mark.parametrize(("jobs", "size"), [(0, 8), (1, 8), (2, 5), (5, 2), (7, 1), (100, 1)])
def test_there_are_groups_for_all_processes(tmp_path: Path, jobs: int, size: int) -> None:
    plan = Plan((written(tmp_path / "a.stl", TETRAHEDRON),) * 20, mass_properties=True)
    assert max(map(len, groups(plan, jobs))) == size


def test_files_are_not_held_open_together_where_only_a_few_may_be(
    inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(inputs, mass_properties=True)
    wanted = document([measured(path, plan) for path in inputs])
    for most, size in ((7, 1), (25, 3), (1 << 20, 6)):
        monkeypatch.setattr(os, "sysconf", lambda _, most=most: most)
        assert max(map(len, groups(plan))) == size
        assert document(list(run(plan, 1))) == wanted


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_what_stands_beside_a_file_changes_nothing(tmp_path: Path, jobs: int) -> None:
    rng = np.random.default_rng(7)
    shapes = [np.concatenate([TETRAHEDRON * k, TETRAHEDRON * -1 - 9])[rng.permutation(8)] for k in range(1, 40)]
    shapes = [shape[:, ::-1] if k % 5 == 0 else shape[k % 7 == 0:] for k, shape in enumerate(shapes)]
    paths = [written(tmp_path / f"{k}.stl", shape + k / 3) for k, shape in enumerate(shapes)]
    plan = Plan(tuple(paths), mass_properties=True, units="mm")
    assert document(list(run(plan, jobs))) == document([measured(path, plan) for path in paths])


def test_a_process_that_is_killed_costs_the_input_that_it_had_in_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [written(tmp_path / f"{k}.stl", TETRAHEDRON * (k + 1)) for k in range(20)]
    real, here = batch.process, os.getpid()

    def process(path: str, *others: Any) -> Any:
        if path == paths[11] and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(path, *others)

    monkeypatch.setattr(batch, "process", process)
    results = list(run(Plan(tuple(paths), mass_properties=True), 2))
    assert [result.file for result in results] == paths
    assert [k for k, result in enumerate(results) if not result.is_ok] == [11]
    assert results[11].message is not None
    assert "ended from outside" in results[11].message


@pytest.mark.parametrize(("error", "words"), [
    (ZeroDivisionError("Fraction(1, 0)\n  in two lines"), "an error of massprops itself: ZeroDivisionError"),
    (MemoryError(), "memory"),
    (RecursionError("too deep"), "RecursionError"),
])  # fmt: skip
def test_an_unexpected_error_becomes_one_line(
    inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(batch, "process", fail)
    monkeypatch.delenv(DEBUG, raising=False)
    result = measured(inputs[0], Plan(inputs[:1]))
    assert result.status == "unreadable"
    assert words in result.message
    assert "\n" not in result.message


def test_unless_its_traceback_is_wanted(inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(batch, "process", fail)
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        measured(inputs[0], Plan(inputs[:1]))


def in_daemon(paths: list[str], pipe: Any) -> None:
    pipe.send([result.status for result in run(Plan(tuple(paths), mass_properties=True), 2)])


def test_a_process_that_may_have_no_children_measures_one_after_the_other(tmp_path: Path) -> None:
    here, there = multiprocessing.get_context("fork").Pipe()
    paths = [written(tmp_path / "part.stl", TETRAHEDRON)] * 3
    child = multiprocessing.get_context("fork").Process(target=in_daemon, args=(paths, there), daemon=True)
    child.start()
    assert here.recv() == ["ok"] * 3
    child.join()


@pytest.mark.parametrize("allowed", [0, 1, 3])
def test_where_no_more_processes_are_allowed_one_does_the_work(
    inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    forks = iter([os.fork] * allowed)

    def fork() -> int:
        for real in forks:
            return real()
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(os, "fork", fork)
    assert [result.status for result in run(Plan(inputs, mass_properties=True), 4)] == VERDICTS
    for child in multiprocessing.active_children():
        child.join(10)
        assert child.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("allowed", [0, 1, 9])
def test_where_no_more_threads_are_allowed_one_does_the_work(
    inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    """Four processes with a thread each, and two that serve them: ten threads."""
    starts = iter([threading.Thread.start] * allowed)

    def start(thread: threading.Thread) -> None:
        for real in starts:
            return real(thread)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert [result.status for result in run(Plan(inputs, mass_properties=True), 4)] == VERDICTS
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("error", [OSError(errno.ENOSYS, "Function not implemented"), NotImplementedError("no locks")])
def test_where_there_are_no_locks_for_processes_one_does_the_work(
    inputs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def pool(*args: Any, **given: Any) -> None:
        raise error

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", pool)
    assert [result.status for result in run(Plan(inputs, mass_properties=True), 2)] == VERDICTS
