"""Advice that was followed already is none: what a message says to try, given the flags of a run.

The core says what is wrong and, at the end, what to try; what is tried already it cannot know.
"""

from __future__ import annotations

import re
from dataclasses import replace

from massprops.core.tolerances import WELD_TOLERANCE
from massprops.plan import Plan
from massprops.result import Result

_ADVICE = re.compile(r"try (--\w+)(?: --weld_tolerance (\S+))?( with --sanitize)?$")
"""The end of a message, by convention."""

_DRAWN = ("open", "inconsistent", "self_intersecting")
"""Verdicts of which a picture shows the place."""


def unfollowed(message: str, plan: Plan, status: str | None = None) -> str:
    """A message whose advice is not what was asked for already.

    Parameters
    ----------
    message : str
        Ends in ``try --flag``, or in no advice.
    plan : Plan
        Of the run.
    status : str, optional
        The verdict that the message belongs to.

    Examples
    --------
    >>> unfollowed("closed, but inside-out; try --sanitize", Plan(("a.stl",)))
    'closed, but inside-out; try --sanitize'
    >>> unfollowed("closed, but inside-out; try --sanitize", Plan(("a.stl",), sanitize=True))
    'closed, but inside-out; --sanitize did not mend it'
    """
    found = _ADVICE.search(message)
    if found is None or not getattr(plan, found[1].removeprefix("--"), False):
        return message
    more = _more(found, plan)
    if more is None:
        more = f"{found[1]} did not mend it"
        more += "; --figure draws where" if status in _DRAWN and not plan.draws else ""
    return message[: found.start()] + more


def _more(found: re.Match[str], plan: Plan) -> str | None:
    """What may be tried beyond a flag that is in use; None where nothing is left."""
    flag, tolerance, with_sanitize = found.groups()
    if flag == "--connect_nearby" and tolerance is not None:
        return f"try --weld_tolerance {tolerance}" if float(tolerance) != plan.weld_tolerance else None
    if flag == "--connect_nearby" and plan.weld_tolerance > WELD_TOLERANCE:  # it joined what it should not have
        return f"try --weld_tolerance {WELD_TOLERANCE:g}"
    if flag == "--connect_nearby":
        return f"try a --weld_tolerance wider than {plan.weld_tolerance:g}"
    if flag == "--fill_holes" and with_sanitize is not None and not plan.sanitize:
        return "try --sanitize as well"
    if flag == "--fill_holes" and plan.max_hole_edges is not None:
        return f"try more than {plan.max_hole_edges} as --max_hole_edges"
    return None


def with_advice(result: Result, plan: Plan) -> Result:
    """The result with all that it says relieved of what was followed already."""
    return replace(
        result,
        message=None if result.message is None else unfollowed(result.message, plan, result.status),
        repairs=tuple(replace(record, message=unfollowed(record.message, plan)) for record in result.repairs),
        warnings=tuple(replace(notice, message=unfollowed(notice.message, plan)) for notice in result.warnings),
    )
