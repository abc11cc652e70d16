"""Flags that were given and do nothing for an input: told, so that nobody waits for what they do."""

from __future__ import annotations

from collections.abc import Iterator

from massprops.core.notice import Notice
from massprops.plan import Plan

_OF_SOLIDS = ("clip", "merge", "sanitize", "fill_holes", "exact", "output", "spin", "animate")
_OF_SECTIONS = {"layers": "layer", "winding": "winding", "fill": "fill"}
_OF_MEASURING = ("density", "about", "check_lines")


def not_applied(plan: Plan, kind: str) -> Iterator[Notice]:
    """What was asked of a run that an input of a kind, ``solid`` or ``section``, passes by.

    Examples
    --------
    >>> [notice.message for notice in not_applied(Plan(("plate.stl",), mass_properties=True, fill="evenodd"), "solid")]
    ['--fill: of sections, and not applied to a solid']
    """
    if kind == "section":
        given = (name for name in _OF_SOLIDS if getattr(plan, name))
        yield from _told(given, "of solids, and not applied to a section")
    else:
        given = (flag for name, flag in _OF_SECTIONS.items() if _is_given(plan, name))
        yield from _told(given, "of sections, and not applied to a solid")
    if not plan.mass_properties:
        given = (name for name in _OF_MEASURING if _is_given(plan, name))
        yield from _told(given, "without --mass_properties, and not applied to statistics")
    elif kind == "section" and not plan.verify:
        given = (name for name in ("check_lines",) if _is_given(plan, name))
        yield from _told(given, "of a section only with --verify, and not applied without")


def _is_given(plan: Plan, name: str) -> bool:
    """Whether a flag was given and is not what the program does anyway; 0 lines are what is not counted."""
    value = getattr(plan, name)
    return bool(value != Plan.__dataclass_fields__[name].default and value != 0)


def _told(flags: Iterator[str], why: str) -> Iterator[Notice]:
    names = [f"--{flag}" for flag in flags]
    if names:
        yield Notice("not_applied", f"{', '.join(names)}: {why}")
