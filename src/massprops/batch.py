"""Many inputs: in their order, one after the other or several at a time. One that fails never stops the others."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from massprops.advice import with_advice
from massprops.chain import process, side_by_side
from massprops.core.side_by_side import SideBySide
from massprops.core.workers import cores, forked_workers, keep_freed_memory
from massprops.errors import DEBUG, MassPropsError, Unreadable
from massprops.plan import Plan
from massprops.result import Result
from massprops.targets import STANDARD_INPUT

Told = TypeVar("Told")

_INPUTS_A_JOB = 16  # fewer are not worth the start of a process

_TOGETHER, _LITTLE = 8, 1 << 19
"""Inputs that are measured together at most, and the bytes that they have together."""

_LOST = "the process for this input was ended from outside, perhaps for want of memory; try --jobs 1"


def run(plan: Plan, jobs: int | None = None) -> Iterator[Result]:
    """Results of all inputs of a plan, in their order, each as soon as it is there.

    Parameters
    ----------
    plan : Plan
    jobs : int, optional
        Number of processes; by default as many as there are cores when there are many inputs. The results do not
        depend on it.
    """
    return run_and_tell(plan, _itself, jobs)


def _itself(result: Result) -> Result:
    return result


def run_and_tell(plan: Plan, told: Callable[[Result], Told], jobs: int | None = None) -> Iterator[Told]:
    """`run`, with something made of each result by the process that has found it.

    To send a few lines of text from one process to another takes less time than to send the numbers in them.
    """
    keep_freed_memory()
    count = len(plan.inputs)
    jobs = min(cores(), count // _INPUTS_A_JOB) if jobs is None else min(jobs, count)
    groups = _groups(plan, jobs)
    if jobs > 1 and STANDARD_INPUT not in plan.inputs and _may_have_children():
        yield from _run_in_processes(plan, groups, jobs, told)
        return
    with forked_workers():
        for group in groups:
            yield from map(told, _measured_group(plan, group))


def _groups(plan: Plan, jobs: int) -> list[range]:
    """Numbers of consecutive inputs that are measured together: a few small files, or else one."""
    most = 1
    if side_by_side(plan) is not None:  # and there is something to do for all, and no file too many is open
        most = max(1, min(_TOGETHER, len(plan.inputs) // (2 * max(1, jobs)), _open_files() // _TOGETHER))
    groups: list[range] = []
    room = -1
    for number, path in enumerate(plan.inputs):
        size = _size(path) if most > 1 else _LITTLE
        if size <= room and len(groups[-1]) < most:
            groups[-1] = range(groups[-1].start, number + 1)
        else:
            groups.append(range(number, number + 1))
            room = _LITTLE
        room -= size
    return groups


def _open_files() -> int:
    """How many files this process may have open."""
    return os.sysconf("SC_OPEN_MAX") if hasattr(os, "sysconf") else _TOGETHER**2


def _size(path: str) -> int:
    """Bytes of a file; a great many of what is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # which is told when it is its turn
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else sys.maxsize


def _may_have_children() -> bool:
    processes = sys.modules.get("multiprocessing.process")  # which whoever was started by it has
    return processes is None or not processes.current_process().daemon


def _run_in_processes(
    plan: Plan, groups: Sequence[range], jobs: int, told: Callable[[Result], Told]
) -> Iterator[Told]:
    """Results of several processes; whatever ends the run early, Ctrl-C or a closed pipe, ends these too, at once."""
    if hasattr(os, "fork"):
        from massprops.forked_batch import in_order  # only for runs over many inputs
    else:
        from massprops.spawned_batch import in_order  # which takes longer to start
    apart = plan if plan.animate is None else replace(plan, watched=False)  # several would draw on one terminal
    with contextlib.closing(in_order(partial(_told_at, apart, groups, told), len(groups), jobs)) as found:
        for group, of_group in zip(groups, found, strict=True):
            if of_group is not None:
                yield from of_group
            elif len(group) == 1:
                yield told(_refused(Result(plan.inputs[group.start]), Unreadable(_LOST)))
            else:  # so that no other is lost with the one for which the process was ended
                yield from _run_in_processes(plan, [range(number, number + 1) for number in group], jobs, told)


def _told_at(plan: Plan, groups: Sequence[range], told: Callable[[Result], Told], index: int) -> list[Told]:
    return list(map(told, _measured_group(plan, groups[index])))


def _measured_group(plan: Plan, group: range) -> Iterator[Result]:
    """Results of some inputs; all are read before the first is measured."""
    if len(group) == 1:
        yield measured(plan.inputs[group.start], plan)
        return
    beside = side_by_side(plan)
    links = [_links(plan.inputs[number], plan, beside) for number in group]
    read = [next(each) for each in links]
    for first, more in zip(read, links, strict=True):
        yield with_advice(_last(first, more), plan)


def measured(path: str, plan: Plan) -> Result:
    """The result of one input; a verdict against it is part of the result."""
    return with_advice(_last(Result(path), _links(path, plan)), plan)


def _last(result: Result, links: Iterator[Result]) -> Result:
    for more in links:
        result = more
    return result


def _links(path: str, plan: Plan, beside: SideBySide | None = None) -> Iterator[Result]:
    """What becomes of one input, link by link; where a verdict ends it, that is the last."""
    result = Result(path)
    try:
        for more in process(path, plan, beside):
            result = more
            yield result
    except MassPropsError as verdict:
        yield _refused(result, verdict)
    except MemoryError:
        yield _refused(result, Unreadable("too large for the memory of this machine"))
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        message = f"an error of massprops itself: {type(error).__name__}: {error}; please report it with the file"
        yield _refused(result, Unreadable(" ".join(message.split())))


def _refused(result: Result, verdict: MassPropsError) -> Result:
    """The result without numbers: what was refused has none."""
    return Result(
        result.file,
        result.format,
        verdict.status,
        verdict.message,
        result.facets,
        warnings=result.warnings,
        repairs=result.repairs,
        diagnosis=verdict.diagnosis,
        unit=result.unit,
        kind=result.kind,
        view=result.view,
        remedy=verdict.remedy,
    )
