"""Many inputs: in their order, one after the other or several at a time. One that fails never stops the others."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from functools import partial

from massprops.advice import with_advice
from massprops.chain import process
from massprops.core.workers import cores, forked_workers, keep_freed_memory
from massprops.errors import DEBUG, MassPropsError, Unreadable
from massprops.leaving import INTERRUPTED
from massprops.plan import Plan
from massprops.result import Result
from massprops.targets import STANDARD_INPUT

_INPUTS_A_JOB = 32  # fewer are not worth the start of a process
_PATIENCE = 0.5  # seconds after which a process of several notices that the first one is no more
_CLEANING = 2.0  # seconds in which one that is interrupted has removed what is half written


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
    if jobs <= 1 or STANDARD_INPUT in plan.inputs or not (_may_have_children() and _have_room(2 * jobs + 2)):
        with forked_workers():
            yield from (measured(path, plan) for path in plan.inputs)
        return
    yield from _run_in_processes(plan, jobs)


def _may_have_children() -> bool:
    import multiprocessing  # only for runs over many inputs

    return not multiprocessing.current_process().daemon


def _have_room(threads: int) -> bool:
    """Whether the system allows this run so many more threads: a limit on processes counts their threads alike.

    Asked before, because a pool whose own threads cannot start waits for them for ever. It has two, and each of its
    processes has one and that of `_begin_worker`.
    """
    is_asked, held = threading.Event(), []
    try:
        for _ in range(threads):
            thread = threading.Thread(target=is_asked.wait)
            thread.start()
            held.append(thread)
    except RuntimeError:
        return False
    finally:
        is_asked.set()
        for thread in held:
            thread.join()
    return True


def _run_in_processes(plan: Plan, jobs: int) -> Iterator[Result]:
    """Results of several processes; whatever ends the run early, Ctrl-C or a closed pipe, ends these too, at once."""
    import multiprocessing  # only for runs over many inputs
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    chunk = max(1, len(plan.inputs) // (8 * jobs))
    done = 0
    context = multiprocessing.get_context(method)
    with contextlib.ExitStack() as pools:
        try:
            pool = ProcessPoolExecutor(jobs, context, initializer=_begin_worker, initargs=(os.getpid(),))
            pools.enter_context(pool)
            with warnings.catch_warnings():  # of forks beside threads, here those of NumPy's libraries, at rest
                warnings.simplefilter("ignore", DeprecationWarning)
                results = pool.map(partial(_measured_in_worker, plan=plan), plan.inputs, chunksize=chunk)
        except (OSError, NotImplementedError):  # no more processes, or no locks for them: this one works alone
            for child in multiprocessing.active_children():
                child.kill()
            results = (measured(path, plan) for path in plan.inputs)
        try:
            for result in results:
                done += 1
                yield result
        except BrokenProcessPool:
            message = "the process for this input was ended from outside, perhaps for want of memory; try --jobs 1"
            yield from (_refused(Result(path), Unreadable(message)) for path in plan.inputs[done:])
        except BaseException:
            for process_id in [child.pid for child in multiprocessing.active_children() if child.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process_id, signal.SIGINT)
            raise


_is_busy = _is_ending = False
"""Whether this process, one of several, has an input in hand: something to clean up before it ends; whether it does."""


def _begin_worker(first: int) -> None:
    """Let signals, and the end of the first process, end this one without a word: the first one says what is to say.

    Out of work, it waits for locks that another process may have taken to its end. There SIGTERM, by which a pool
    ends its processes, must be left to the system: a function of ours might never be called.
    """

    def watch() -> None:
        while os.getppid() == first:
            time.sleep(_PATIENCE)
        os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _interrupt)
    threading.Thread(target=watch, daemon=True).start()


def _interrupt(*_: object) -> None:
    """Let go of what is in hand, and end; after some time in any case."""
    global _is_ending
    if not _is_busy:
        os._exit(INTERRUPTED)
    if not _is_ending:  # a second signal must not interrupt the cleaning up
        _is_ending = True
        threading.Timer(_CLEANING, os._exit, (INTERRUPTED,)).start()
        raise KeyboardInterrupt


def _measured_in_worker(path: str, plan: Plan) -> Result:
    """`measured`, in one of several processes."""
    global _is_busy
    _is_busy = True
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return measured(path, plan)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _is_busy = False


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
