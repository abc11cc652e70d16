"""Many inputs: in their order, one after the other or several at a time. One that fails never stops the others."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from massprops.advice import with_advice
from massprops.chain import process
from massprops.core.workers import cores, forked_workers, keep_freed_memory
from massprops.errors import DEBUG, MassPropsError, Unreadable
from massprops.plan import Plan
from massprops.result import Result
from massprops.targets import STANDARD_INPUT

_INPUTS_A_JOB = 16  # fewer are not worth the start of a process

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
    keep_freed_memory()
    count = len(plan.inputs)
    jobs = min(cores(), count // _INPUTS_A_JOB) if jobs is None else min(jobs, count)
    if jobs > 1 and STANDARD_INPUT not in plan.inputs and _may_have_children():
        yield from _run_in_processes(plan, jobs)
        return
    with forked_workers():
        yield from (measured(path, plan) for path in plan.inputs)


def _may_have_children() -> bool:
    processes = sys.modules.get("multiprocessing.process")  # which whoever was started by it has
    return processes is None or not processes.current_process().daemon


def _run_in_processes(plan: Plan, jobs: int) -> Iterator[Result]:
    """Results of several processes; whatever ends the run early, Ctrl-C or a closed pipe, ends these too, at once."""
    if hasattr(os, "fork"):
        from massprops.forked_batch import in_order  # only for runs over many inputs
    else:
        from massprops.spawned_batch import in_order  # which takes longer to start
    apart = plan if plan.animate is None else replace(plan, watched=False)  # several would draw on one terminal
    with contextlib.closing(in_order(partial(_measured_at, apart), len(plan.inputs), jobs)) as results:
        for path, result in zip(plan.inputs, results, strict=True):
            yield result or _refused(Result(path), Unreadable(_LOST))


def _measured_at(plan: Plan, index: int) -> Result:
    return measured(plan.inputs[index], plan)


def measured(path: str, plan: Plan) -> Result:
    """The result of one input; a verdict against it is part of the result."""
    return with_advice(_measured(path, plan), plan)


def _measured(path: str, plan: Plan) -> Result:
    result = Result(path)
    try:
        for more in process(path, plan):
            result = more
    except MassPropsError as verdict:
        return _refused(result, verdict)
    except MemoryError:
        return _refused(result, Unreadable("too large for the memory of this machine"))
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        message = f"an error of massprops itself: {type(error).__name__}: {error}; please report it with the file"
        return _refused(result, Unreadable(" ".join(message.split())))
    return result


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
