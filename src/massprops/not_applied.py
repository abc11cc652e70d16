"""Flags that were given and do nothing for an input: told, so that nobody waits for what they do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from massprops.core.notice import Notice
from massprops.plan import Plan

_OF_SOLIDS = ("clip", "merge", "sanitize", "fill_holes", "exact", "bounds", "output", "spin", "animate")
_OF_SECTIONS = {"layers": "layer", "winding": "winding", "fill": "fill"}


def not_applied(plan: Plan, kind: str) -> Iterator[Notice]:
    """What was asked of a run that an input of a kind, ``solid`` or ``section``, passes by.

    That a section takes the first two of the three numbers of a point, a shift or factors is what these are for, and no
    notice; a flag that moves, resizes or mirrors it along z only is one.

    Examples
    --------
    >>> [notice.message for notice in not_applied(Plan(("plate.stl",), mass_properties=True, fill="evenodd"), "solid")]
    ['--fill: of sections, and not applied to a solid']
    """
    if kind == "section":
        given = (name for name in _OF_SOLIDS if getattr(plan, name))
        yield from _told(given, "of solids, and not applied to a section")
        yield from _told(plan.along_z, "along z only, in which a section has no extent, and not applied to it")
        if plan.check_lines and not plan.verify:
            yield from _told(["check_lines"], "of a section only with --verify, and not applied without")
    else:
        given = (flag for name, flag in _OF_SECTIONS.items() if _is_given(plan, name))
        yield from _told(given, "of sections, and not applied to a solid")


def _is_given(plan: Plan, name: str) -> bool:
    """Whether a flag was given and is not what the program does anyway."""
    return bool(getattr(plan, name) != Plan.__dataclass_fields__[name].default)


def _told(flags: Iterable[str], why: str) -> Iterator[Notice]:
    names = [f"--{flag}" for flag in flags]
    if names:
        yield Notice("not_applied", f"{', '.join(names)}: {why}")
