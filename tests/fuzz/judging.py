"""What must be true of any input whatever: a verdict in one line, or a sound result."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from massprops.batch import measured
from massprops.core.measure import Measurement, measure
from massprops.core.surface import triangle_array
from massprops.errors import MassPropsError
from massprops.plan import Plan
from massprops.readers.reader import reading
from massprops.report.json_report import document
from massprops.report.text import notices, text
from massprops.result import Result
from tests.fuzz.watching import Finding
from tests.oracle import exact

LONGEST_MESSAGE = 600
"""Characters that somebody will read."""

MOST_FACETS = 80
"""Facets of which rational arithmetic takes a few milliseconds."""

IMPOSSIBLE = ("volume_exceeds_box", "volume_exceeds_ball", "center_outside", "moment_not_positive", "overlap", "inverted")  # noqa: E501
VERDICTS = {
    *("ok", "open", "inconsistent", "inside_out", "zero_volume", "non_finite", "empty", "unreadable", "unsupported"),
    *("not_found", "self_intersecting", "zero_area"),
}


def judged(path: Path) -> str:
    """The verdict on an input, after all that it leads to has been looked at.

    Raises
    ------
    Finding
        Something is not as it must be.
    """
    try:
        result = measured(str(path), Plan((str(path),), mass_properties=True))
        _check_report(result)
        if result.is_ok and result.kind == "solid":
            _check_body(result)
            _check_by_library(path, result)
        if result.facets is not None:
            _check_report(measured(str(path), Plan((str(path),))))
    except Finding:
        raise
    except Exception as error:
        raise Finding(f"{type(error).__name__}: {error}") from error
    return result.status


def _check_report(result: Result) -> None:
    if result.status not in VERDICTS:
        raise Finding(f"the status {result.status!r}")
    for line in (result.message or "", *(notice.message for notice in result.warnings)):
        if "\n" in line or len(line) > LONGEST_MESSAGE or not line.isprintable():
            raise Finding(f"a message that is not one readable line: {line[:100]!r}")
        if "of massprops itself" in line or "MemoryError" in line or "memory of this machine" in line:
            raise Finding(line)
    lines = [text(result, True, True), *notices(result)]
    if not result.is_ok and "nan" in lines[0].split(":")[0].lower():
        raise Finding("NaN in a report")
    content = json.loads(document([result]), parse_constant=_no_constant)
    if content["results"][0]["status"] != result.status:
        raise Finding("the JSON report has another status")


def _no_constant(name: str) -> Any:
    raise Finding(f"{name} in the JSON report")


def _check_body(result: Result) -> None:
    """What is true of every body, unless a warning says that it is not one."""
    body = result.properties
    assert body is not None
    assert body.bounds is not None
    values = np.concatenate([np.ravel(part) for part in (body.volume, body.center, body.inertia, body.bounds)])
    if not np.isfinite(values).all() or not body.volume > 0:
        raise Finding(f"volume {body.volume}, or another result, is no positive finite number")
    told = {notice.code for notice in result.warnings}
    lower, upper = body.bounds
    with np.errstate(all="ignore"):
        box = float(np.prod(upper - lower))
    if math.isfinite(box) and box > 1e-300 and body.volume > box * (1 + 1e-9) and not told & set(IMPOSSIBLE):
        raise Finding(f"a volume of {body.volume} in a box of {box}, and no warning")
    one, two, three = body.principal_moments
    if not (0 <= one <= two <= three and one + two >= three * (1 - 1e-9)) and not told:
        raise Finding(f"principal moments {one}, {two}, {three}, and no warning")


def _check_by_library(path: Path, result: Result) -> None:
    """The library's result is the command line's, and both are right within the bound that they state."""
    try:
        with reading(str(path)) as found:
            body = measure(found.surface)
            if found.surface.facets <= MOST_FACETS:
                _check_exactly(body)
    except MassPropsError as error:
        raise Finding(f"the library refuses what the command line measures: {error}") from None
    assert result.properties is not None
    if float(body.integrals.moments.volume) != result.properties.volume:
        raise Finding("the library finds another volume than the command line")


def _check_exactly(body: Measurement) -> None:
    truth = exact(triangle_array(body.surface))
    error = abs(body.integrals.moments.volume - truth.volume)
    if error > body.integrals.round_off.volume:
        raise Finding(f"the volume is off by {float(error):g}, where {body.integrals.round_off.volume:g} is the bound")
