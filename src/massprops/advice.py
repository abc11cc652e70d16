"""Advice that was followed already is none: what a message says to try, given the flags of a run.

The core says what is wrong and what to try; what is tried already it cannot know.
"""

from __future__ import annotations

from dataclasses import replace

from massprops.plan import Plan
from massprops.remedy import TOO_WIDE, Remedy
from massprops.result import Result

_DRAWN = ("open", "inconsistent", "self_intersecting")
"""Verdicts of which a picture shows the place."""


def unfollowed(
    message: str, remedy: Remedy | None, plan: Plan, status: str | None = None, kind: str = "solid"
) -> str:
    """A message whose advice is not what was asked for already.

    Parameters
    ----------
    message : str
        Ends in the remedy, as `massprops.remedy.advising` puts it.
    remedy : Remedy or None
    plan : Plan
        Of the run.
    status : str, optional
        The verdict that the message belongs to.
    kind : str, optional
        Of the input: ``--sanitize`` welds no sections.

    Examples
    --------
    >>> message, remedy = "closed, but inside-out; try --sanitize", Remedy("sanitize")
    >>> unfollowed(message, remedy, Plan(("a.stl",)))
    'closed, but inside-out; try --sanitize'
    >>> unfollowed(message, remedy, Plan(("a.stl",), sanitize=True))
    'closed, but inside-out; --sanitize did not mend it'
    """
    if remedy is None:
        return message
    said = message.removesuffix(str(remedy))
    welds = plan.connect_nearby or (plan.sanitize and kind == "solid")
    if not remedy.is_weld and remedy.weld_tolerance is not None:
        is_asked_for = welds and plan.weld_tolerance >= remedy.weld_tolerance
        said += "but the weld left it; " if is_asked_for else f"{TOO_WIDE}; "
        remedy = replace(remedy, weld_tolerance=None)
    is_followed = welds if remedy.is_weld and remedy.weld_tolerance is not None else getattr(plan, remedy.step)
    if not is_followed:
        return f"{said}{remedy}"
    more = _more(remedy, plan, status)
    if more is None:
        more = f"--{remedy.step} did not mend it"
        more += "; --figure draws where" if status in _DRAWN and not plan.draws else ""
    return said + more


def _more(remedy: Remedy, plan: Plan, status: str | None) -> str | None:
    """What may be tried beyond a flag that is in use; None where nothing is left."""
    if remedy.step == "sanitize" and plan.fill_holes and status == "inside_out":
        return "it was still open when --sanitize saw it; write it with --output and --sanitize that"
    if remedy.is_weld:
        return _wider(remedy.weld_tolerance, plan)
    if remedy.step == "fill_holes" and plan.max_hole_edges is not None and not remedy.with_sanitize:
        return f"try more than {plan.max_hole_edges} as --max_hole_edges"
    if remedy.step == "fill_holes" and not plan.sanitize:  # all that it leaves is near facets that are there twice
        return "try --sanitize as well"
    return None


def _wider(tolerance: float | None, plan: Plan) -> str | None:
    """Another weld than the one that is in use, be it that of ``--sanitize``; None where nothing is left."""
    if tolerance is None:
        return f"try a --weld_tolerance wider than {plan.weld_tolerance:g}"
    if tolerance != plan.weld_tolerance:  # where it is narrower, what is in use joined what it should not have
        return f"try --weld_tolerance {tolerance:g}"
    if plan.connect_nearby and plan.sanitize:
        return None
    other = "sanitize" if plan.connect_nearby else "connect_nearby"  # then there are two welds, one after the other
    return f"try --{other} as well"


def with_advice(result: Result, plan: Plan) -> Result:
    """The result with all that it says relieved of what was followed already."""
    message = result.message
    if message is None and not result.repairs and not result.warnings:
        return result
    if message is not None:
        message = unfollowed(message, result.remedy, plan, result.status, result.kind)
    return result._replace(
        message=message,
        repairs=tuple(replace(each, message=unfollowed(each.message, each.remedy, plan)) for each in result.repairs),
        warnings=tuple(replace(each, message=unfollowed(each.message, each.remedy, plan)) for each in result.warnings),
    )
