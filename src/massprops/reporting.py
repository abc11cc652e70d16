"""The results of a run as they come: reports on standard output, what must be told on standard error, a page."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

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
    results: list[Result] = []
    for result in _watched(batch.run(plan, jobs), len(plan.inputs), quiet):
        results.append(result)
        if not quiet:
            sys.stderr.writelines(f"{line}\n" for line in text.notices(result))
        if not json:
            sys.stdout.write(text.text(result, len(plan.inputs) > 1, plan.bounds))
    if json:
        from massprops.report.json_report import document

        sys.stdout.write(document(results))
    if plan.html is not None:
        _write_page(plan.html, results)
    if len(results) > 1 and not quiet:
        sys.stderr.write(text.summary(results) + "\n")
    sys.stdout.flush()
    return all(result.is_ok for result in results) and not (strict and any(map(_has_doubts, results)))


def _has_doubts(result: Result) -> bool:
    """Whether a strict run fails for a warning."""
    return any(notice.is_doubt for notice in result.warnings)


def _write_page(name: str, results: list[Result]) -> None:
    from massprops.report.html.html import html_report

    page = html_report(results, {result.file: result.view for result in results if result.view is not None})
    write_text(Path(name), lambda stream: stream.writelines([page]))


def _watched(results: Iterable[Result], count: int, quiet: bool) -> Iterable[Result]:
    """The same results, with a progress bar where somebody can see it and nothing else is written."""
    if count < 2 or quiet or sys.stdout.isatty() or not sys.stderr.isatty():
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, "measuring", total=count, console=Console(stderr=True), transient=True)
