"""Many inputs: in their order, one after the other or several at a time. One that fails never stops the others."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from functools import partial

from massprops.chain import process
from massprops.core.workers import cores, keep_freed_memory
from massprops.errors import DEBUG, MassPropsError, Unreadable
from massprops.plan import STANDARD_INPUT, Plan
from massprops.result import Result

_INPUTS_A_JOB = 32  # fewer are not worth the start of a process


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
    if jobs <= 1 or STANDARD_INPUT in plan.inputs:
        yield from (measured(path, plan) for path in plan.inputs)
        return
    import multiprocessing  # only for runs over many inputs
    from concurrent.futures import ProcessPoolExecutor

    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context(method)) as pool:
        with warnings.catch_warnings():  # of forks beside threads, which here are those of NumPy's libraries, at rest
            warnings.simplefilter("ignore", DeprecationWarning)
            results = pool.map(partial(measured, plan=plan), plan.inputs, chunksize=max(1, count // (8 * jobs)))
        yield from results


def measured(path: str, plan: Plan) -> Result:
    """The result of one input; a verdict against it is part of the result."""
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
    )
