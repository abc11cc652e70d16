"""A plane section as a JSON object."""

from __future__ import annotations

from typing import Any

import numpy as np

from massprops.core.notice import Notice
from massprops.core.section_properties import SectionModuli, SectionProperties
from massprops.report.plain import plain
from massprops.result import Result

OF_SOLIDS = (
    *("facets", "volume", "inertia", "principal_axes", "repeated_moments"),
    *("check", "principal_frame", "spin", "roundoff"),
)
"""Fields that a solid has and a section has not: null, so that programs may look at both alike."""

_EXTENT = ("area", "perimeter", "bounds", "center")
_NAMES = ("density", "mass", *_EXTENT, "second_moments", "polar_moment")
_MORE = ("principal_moments", "principal_angle", "equal_moments", "radii_of_gyration")
_MODULI = ("about_u", "about_v", "about_long", "about_short")
_COUNTED = ("squares", "area", "center", "polar_moment")
_STATISTICS = ("verdict", "loops", "open_chains", "segments")


def section_object(result: Result) -> dict[str, Any]:
    """One section; every result is null where it was not measured."""
    found, statistics = result.section, result.section_statistics
    content = {name: None if found is None else plain(getattr(found, name)) for name in (*_NAMES, *_MORE)}
    if statistics is not None:
        content |= _fields(statistics, _EXTENT)
    return {
        "file": result.file,
        "format": result.format,
        "kind": result.kind,
        "status": result.status,
        "message": result.message,
        "units": result.unit,
        **content,
        "about": None if found is None else _about(found),
        "section_moduli": None if found is None else _moduli(found.section_moduli),
        "counted": None if result.squares is None else _fields(result.squares, _COUNTED),
        "statistics": None if statistics is None else _fields(statistics, _STATISTICS),
        **dict.fromkeys(OF_SOLIDS),
        "repairs": [],
        "warnings": [_warning(notice) for notice in result.warnings],
        "diagnosis": plain(result.diagnosis),
    }


def _about(found: SectionProperties) -> dict[str, Any] | None:
    if found.about is None:
        return None
    return {
        "point": plain(found.about),
        "second_moments": plain(found.second_moments_about),
        "polar_moment": plain(found.polar_moment_about),
    }


def _moduli(found: SectionModuli | None) -> dict[str, Any] | None:
    """Each pair; null where a modulus is infinite, for JSON has no infinity."""
    if found is None:
        return None
    pairs = {name: getattr(found, name).tolist() for name in _MODULI}
    return {name: [value if np.isfinite(value) else None for value in pair] for name, pair in pairs.items()}


def _warning(notice: Notice) -> dict[str, Any]:
    """Its code, its message, and the numbers in it; what was passed over as a list, for it may have any name."""
    details = plain(notice.details)
    if notice.code == "ignored":
        details = {"ignored": [{"name": name, "count": count} for name, count in sorted(details.items())]}
    return {"code": notice.code, "message": notice.message, **details}


def _fields(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: plain(getattr(value, name)) for name in names}
