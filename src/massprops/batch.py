"""Many inputs: in their order, one after the other or several at a time. One that fails never stops the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from massprops.chain import process
from massprops.errors import MassPropsError, Unreadable
from massprops.plan import Plan
from massprops.result import Result

DEBUG = "MASSPROPS_DEBUG"
"""Environment variable that lets an unexpected exception through, with its traceback."""


def run(plan: Plan, jobs: int = 1) -> Iterator[Result]:
    """Results of all inputs of a plan, in their order, each as soon as it is there.

    Parameters
    ----------
    plan : Plan
    jobs : int
        Number of processes; the results do not depend on it.
    """
    if jobs <= 1 or len(plan.inputs) <= 1:
        yield from (measured(path, plan) for path in plan.inputs)
        return
    import multiprocessing  # only for runs that ask for it
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(plan.inputs)), mp_context=context) as pool:
        yield from pool.map(partial(measured, plan=plan), plan.inputs, chunksize=4)


def measured(path: str, plan: Plan) -> Result:
    """The result of one input; a verdict against it is part of the result."""
    result = Result(path)
    try:
        for more in process(path, plan):
            result = more
    except MassPropsError as verdict:
        return replace(result, status=verdict.status, message=verdict.message, diagnosis=verdict.diagnosis)
    except MemoryError:
        return replace(result, status=Unreadable.status, message="too large for the memory of this machine")
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        message = f"an error of massprops itself: {type(error).__name__}: {error}; please report it with the file"
        return replace(result, status=Unreadable.status, message=" ".join(message.split()))
    return result
