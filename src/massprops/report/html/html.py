"""``--html``: one file that shows what became of all inputs, and lets one turn the bodies and drag the sections.

The file asks for nothing from anywhere: styles, scripts and coordinates are in it, and its own security policy
forbids the browser to load anything else or to run any script but the one whose hash it names. Names of files are
escaped; they are data, in HTML and in JSON.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from massprops.number_of import number_of
from massprops.report.html.fields import cell, number, table, units_of, visible
from massprops.report.html.views import HtmlView
from massprops.report.json_report import result_object
from massprops.report.numbers import shown
from massprops.report.version import version
from massprops.result import Result

_SCRIPTS = ("packing.js", "stage.js", "solid.js", "region.js", "section.js", "page.js")


def html_report(results: Sequence[Result], views: Mapping[str, HtmlView]) -> str:
    """The page for a run.

    Parameters
    ----------
    results : sequence of Result
        In the order of the inputs.
    views : mapping of str to HtmlView
        What to draw of an input, by ``file``; inputs without one get no drawing.

    Returns
    -------
    str
        A whole HTML document. Write it as UTF-8.
    """
    contents = [result_object(result) for result in results]
    style, script = _asset("page.css"), _script()
    measured = sum(content["status"] == "ok" for content in contents)
    told = f"{number_of(len(results), 'input')}: {measured} measured, {len(results) - measured} not"
    title = f"Mass properties of {visible(results[0].file)}" if len(results) == 1 else "Mass properties"
    articles = (
        _article(index, result, content, views.get(result.file))
        for index, (result, content) in enumerate(zip(results, contents, strict=True), 1)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<a class="skip" href="#overview">To the results</a>
<header>
<h1>Mass properties</h1>
<p>{escape(told)} <span class="version">massprops {escape(version())}</span></p>
</header>
<main>
<noscript><p class="told">The drawings need JavaScript; the numbers do not.</p></noscript>
{_overview(contents)}
{"".join(articles)}
</main>
<script>{script}</script>
</body>
</html>
"""


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text("utf-8")


def _script() -> str:
    parts = "\n".join(_asset(name) for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


def _policy(style: str, script: str) -> str:
    """Nothing from outside, and only this style and this script, known by their hashes."""

    def source(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"

    return (
        f"default-src 'none'; img-src data:; style-src {source(style)}; script-src {source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _overview(contents: Sequence[Mapping[str, Any]]) -> str:
    """One line an input, in few digits."""
    heads = ("input", "verdict", "mass", "volume", "area", "centre of mass", "principal moments", "warnings")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    rows = "".join(_overview_row(index, content) for index, content in enumerate(contents, 1))
    return (
        '<section id="overview" aria-labelledby="overview-title"><h2 id="overview-title">Results</h2>'
        '<div class="scroll" tabindex="0" role="region" aria-label="Results, a table that scrolls sideways">'
        f'<table class="overview"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>'
    )


def _overview_row(index: int, content: Mapping[str, Any]) -> str:
    units = units_of(content)

    def short(name: str) -> str:
        value = content.get(name)
        if value is None:
            return "\u2013"
        unit = f' <span class="unit">{units[name]}</span>' if name in units else ""
        if not isinstance(value, list):
            return number(value, name, shown(value)) + unit
        return "<br>".join(number(item, f"{name}.{i}", shown(item)) + unit for i, item in enumerate(value))

    names = ("mass", "volume", "area", "center", "principal_moments")
    cells = "".join(f'<td class="right">{short(name)}</td>' for name in names)
    codes = ", ".join(escape(str(warning["code"])) for warning in content["warnings"])
    link = f'<a href="#input-{index}"><bdi>{escape(visible(content["file"]))}</bdi></a>'
    return f'<tr><th scope="row">{link}</th><td>{_verdict(content)}</td>{cells}<td>{codes}</td></tr>'


def _verdict(content: Mapping[str, Any]) -> str:
    status = str(content["status"])
    kind = "good" if status == "ok" else "bad"
    return f'<span class="verdict {kind}">{escape(status.replace("_", " "))}</span>'


def _article(index: int, result: Result, content: Mapping[str, Any], view: HtmlView | None) -> str:
    """Everything about one input."""
    name = escape(visible(result.file))
    facts = [str(content[key]) for key in ("format", "kind") if content[key]]
    if content["units"]:
        facts.append(f"given in {content['units']}, results in SI")
    drawing = "" if view is None else _drawing(index, name, view)
    return (
        f'<article id="input-{index}" aria-labelledby="title-{index}">'
        f'<h2 id="title-{index}"><bdi>{name}</bdi> {_verdict(content)}</h2>'
        f'<p class="facts">{escape(", ".join(facts))}</p>'
        f"{_told(content)}"
        f'<div class="columns">{drawing}'
        f'<div class="scroll" tabindex="0" role="region" aria-label="Numbers of {name}">{table(content)}</div>'
        "</div></article>"
    )


def _told(content: Mapping[str, Any]) -> str:
    """Why it was not measured, what was repaired, and what should be known beside the numbers."""
    lines = []
    if content["message"]:
        lines.append(f'<p class="told bad">{escape(visible(content["message"]))}</p>')
    for warning in content["warnings"]:
        code, message = escape(str(warning["code"])), escape(visible(str(warning["message"])))
        lines.append(f'<p class="told"><strong>{code}</strong> {message}</p>')
    for position, repair in enumerate(content["repairs"]):
        counts = {key: value for key, value in repair.items() if key != "step"}
        step = escape(str(repair.get("step")))
        lines.append(
            f'<div class="told repair"><strong>{step}</strong> {cell(counts, f"repairs.{position}")}</div>'
        )
    return "".join(lines)


def _drawing(index: int, name: str, view: HtmlView) -> str:
    """The frame of a drawing, its controls, and its data."""
    notes = "".join(f"<p>{escape(note)}</p>" for note in view.notes)
    data = json.dumps(dict(view.data), allow_nan=False)
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    values = {"index": str(index), "name": name, "notes": notes, "data": safe}
    if view.kind == "outline":
        values |= _still(view)
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], _asset(f"{view.kind}.html"))


def _still(view: HtmlView) -> dict[str, str]:
    """The lines of a drawing that stands still, and its marks, as SVG."""
    lines = ("M" + "L".join(f"{x:g} {y:g}" for x, y in line) for line in view.data["lines"])
    marks = (f'<circle class="wrong" cx="{x:g}" cy="{y:g}" r="0.05"/>' for x, y in view.data["wrong"])
    return {"lines": "".join(lines), "marks": "".join(marks)}
