"""The results of a run as they come: reports on standard output, what must be told on standard error, a page."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from massprops import batch
from massprops.plan import Plan
from massprops.report import text
from massprops.report.whole_file import write_text
from massprops.result import Result


def report(
    plan: Plan, json: bool = False, strict: bool = False, quiet: bool = False, jobs: int | None = None
) -> bool:
    """Measure, and report each input in its order.

    Parameters
    ----------
    plan : Plan
    json : bool
        Whether all results make one document, at the end.
    strict : bool
        Whether warnings count as failures.
    quiet : bool
        Whether nothing is told on standard error.
    jobs : int, optional
        See `massprops.batch.run`.

    Returns
    -------
    bool
        Whether every input was measured, for a strict run without a warning.
    """
    told = partial(_told, plan=plan, json=json)
    verdicts: list[tuple[bool, bool]] = []
    results: list[Result] = []
    for each in _watched(batch.run_and_tell(plan, told, jobs), len(plan.inputs), quiet):
        verdicts.append((each.is_ok, each.has_doubts))
        if each.result is not None:
            results.append(each.result)
        if not quiet:
            sys.stderr.write(each.notices)
        sys.stdout.write(each.text)
    if json:
        from massprops.report.json_report import document

        sys.stdout.write(document(results))
    if plan.html is not None:
        _write_page(plan.html, results)
    measured = sum(is_ok for is_ok, _ in verdicts)
    if len(verdicts) > 1 and not quiet:
        sys.stderr.write(text.summary(len(verdicts), measured) + "\n")
    sys.stdout.flush()
    return measured == len(verdicts) and not (strict and any(has_doubts for _, has_doubts in verdicts))


class _Told(NamedTuple):
    """What is told of one input, and what is kept of it."""

    is_ok: bool
    has_doubts: bool  # for which a strict run fails
    notices: str  # for standard error
    text: str  # for standard output
    result: Result | None  # where something is made of all of them at the end


def _told(result: Result, plan: Plan, json: bool) -> _Told:
    has_doubts = any(notice.is_doubt for notice in result.warnings)
    notices = "".join(f"{line}\n" for line in text.notices(result))
    report = "" if json else text.text(result, len(plan.inputs) > 1, plan.bounds)
    return _Told(result.is_ok, has_doubts, notices, report, result if json or plan.html is not None else None)


def _write_page(name: str, results: list[Result]) -> None:
    from massprops.report.html.html import html_report

    page = html_report(results, {result.file: result.view for result in results if result.view is not None})
    write_text(Path(name), lambda stream: stream.writelines([page]))


def _watched(results: Iterable[_Told], count: int, quiet: bool) -> Iterable[_Told]:
    """The same results, with a progress bar where somebody can see it and nothing else is written."""
    if count < 2 or quiet or sys.stdout.isatty() or not sys.stderr.isatty():
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, "measuring", total=count, console=Console(stderr=True), transient=True)
