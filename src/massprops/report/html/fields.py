"""The numbers of one input as HTML: whatever the JSON object of a result holds, under readable names.

Every number carries the path of its JSON value in ``data-field`` and is written as JSON writes it, so that what is
read on the page is what programs read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

ELSEWHERE = ("file", "status", "message", "warnings", "kind", "format", "units", "repairs")
"""Members that the page shows in other places."""

_LABELS = {
    "center": "centre of mass",
    "inertia": "inertia tensor about the centre of mass",
    "about": "about the point",
    "principal_axes": "principal axes (columns)",
    "repeated_moments": "equal moments",
    "bounds": "bounding box (lower, upper)",
    "check": "check by counting along lines",
    "counted": "counted once",
    "roundoff": "bounds of round-off",
    "diagnosis": "what is wrong",
}

_SECTION_LABELS = {"center": "centroid", "inertia": "inertia"}

_UNITS = {
    "density": "kg/m\u00b3",
    "mass": "kg",
    "volume": "m\u00b3",
    "area": "m\u00b2",
    "bounds": "m",
    "center": "m",
    "inertia": "kg m\u00b2",
    "about": "m, kg m\u00b2",
    "principal_moments": "kg m\u00b2",
    "radii_of_gyration": "m",
}

_SECTION_UNITS = {
    "density": "kg/m\u00b3",
    "mass": "kg/m",
    "area": "m\u00b2",
    "perimeter": "m",
    "bounds": "m",
    "center": "m",
    "second_moments": "kg m",
    "polar_moment": "kg m",
    "principal_moments": "kg m",
    "radii_of_gyration": "m",
}


def table(content: Mapping[str, Any]) -> str:
    """The table of all numbers of a result.

    Parameters
    ----------
    content : mapping
        A result as a JSON object.
    """
    is_solid, units = content.get("kind") != "section", units_of(content)
    rows = (
        f'<tr><th scope="row">{label(name, is_solid)}{_unit(units.get(name))}</th><td>{cell(value, name)}</td></tr>'
        for name, value in content.items()
        if name not in ELSEWHERE and not _is_empty(value)
    )
    return f'<table class="numbers"><tbody>{"".join(rows)}</tbody></table>'


def units_of(content: Mapping[str, Any]) -> Mapping[str, str]:
    """Units of the members of a result, by name; none where numbers are pure."""
    if not content.get("units"):
        return {}
    return _SECTION_UNITS if content.get("kind") == "section" else _UNITS


def label(name: str, is_solid: bool = True) -> str:
    """A member's name in words, escaped.

    >>> label("principal_moments"), label("inertia")
    ('principal moments', 'inertia tensor about the centre of mass')
    """
    special = _LABELS.get(name) if is_solid else _SECTION_LABELS.get(name, _LABELS.get(name))
    return escape(special or name.replace("_", " "))


def cell(value: Any, path: str) -> str:
    """A JSON value as HTML.

    Examples
    --------
    >>> cell(0.1, "mass")
    '<data class="n" data-field="mass" value="0.1">0.1</data>'
    >>> cell("a < b", "where")
    'a &lt; b'
    """
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "\u2013"}[value]
    if isinstance(value, (int, float)):
        return number(value, path)
    if isinstance(value, Mapping):
        return _nested(value, path)
    if isinstance(value, (list, tuple)):
        return _sequence(value, path)
    return escape(visible(str(value)))


def number(value: float, path: str, text: str | None = None) -> str:
    """A number, in full or as a shorter text."""
    full = json.dumps(value)
    shown = full if text is None else text
    return f'<data class="n" data-field="{escape(path)}" value="{full}">{escape(shown)}</data>'


def visible(text: str) -> str:
    """Text that any encoding can hold: bytes of a name that are no characters are written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _unit(unit: str | None) -> str:
    return "" if unit is None else f' <span class="unit">[{unit}]</span>'


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (list, tuple, Mapping)) and len(value) == 0)


def _nested(value: Mapping[str, Any], path: str) -> str:
    rows = (
        f"<div><dt>{escape(name.replace('_', ' '))}</dt><dd>{cell(item, f'{path}.{name}')}</dd></div>"
        for name, item in value.items()
        if not _is_empty(item)
    )
    return f"<dl>{''.join(rows)}</dl>"


def _sequence(value: list[Any] | tuple[Any, ...], path: str) -> str:
    items = [cell(item, f"{path}.{index}") for index, item in enumerate(value)]
    if value and all(isinstance(item, (list, tuple)) for item in value):
        return f'<table class="matrix"><tbody>{"".join(_matrix_rows(value, path))}</tbody></table>'
    if any(isinstance(item, Mapping) for item in value):
        return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
    return f'<span class="vector">{" ".join(items)}</span>'


def _matrix_rows(value: list[Any] | tuple[Any, ...], path: str) -> Iterator[str]:
    for i, row in enumerate(value):
        cells = "".join(f"<td>{cell(item, f'{path}.{i}.{j}')}</td>" for j, item in enumerate(row))
        yield f"<tr>{cells}</tr>"
