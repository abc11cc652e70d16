"""The fixed-width report: labels of 22 characters, numbers in Fortran's ES23.15."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.statistics import Statistics
from massprops.core.surface import Floats
from massprops.report.fortran import es, line
from massprops.result import Result


def text(result: Result, heading: bool) -> str:
    """The block of one input, with a line feed after each line.

    Parameters
    ----------
    result : Result
    heading : bool
        Whether the file's name stands on top: when there are several inputs.
    """
    lines = [result.file] if heading else []
    if result.properties is not None:
        lines += mass_properties_lines(result.properties, result.unit is not None)
    elif result.statistics is not None:
        lines += statistics_lines(result, result.statistics)
    else:
        lines.append(f"mass properties: not measured: {result.status}: {result.message}")
    return "\n".join(lines) + "\n"


def mass_properties_lines(properties: MassProperties, si: bool = False) -> Iterator[str]:
    """Lines of the mass properties of one body; with ``si`` each label names its unit."""

    def named(label: str, unit: str) -> str:
        return f"{label} [{unit}]" if si else label

    yield f"{named('mass properties, density', 'kg/m^3')} {es(properties.density)}"
    yield line(named("  mass", "kg"), [properties.mass])
    yield line(named("  centre of mass", "m"), properties.center.tolist())
    yield f"  {named('inertia tensor about the centre of mass', 'kg m^2')}:"
    yield from _matrix(properties.inertia)
    if properties.about is not None and properties.inertia_about is not None:
        yield line(f"  {named('inertia tensor about the point', 'kg m^2')}:", [])
        yield line(named("  point", "m"), properties.about.tolist())
        yield from _matrix(properties.inertia_about)
    yield line("  principal [kg m^2]" if si else "  principal moments", properties.principal_moments.tolist())
    yield "  principal axes (columns):"
    yield from _matrix(properties.principal_axes)
    if properties.repeated_moments:
        yield "  equal moments: their axes are one set of many"


def _matrix(matrix: Floats) -> Iterator[str]:
    return (line("", row) for row in matrix.tolist())


def statistics_lines(result: Result, found: Statistics) -> Iterator[str]:
    """Lines of the statistics of one surface."""
    si = result.unit is not None

    def named(label: str, unit: str) -> str:
        return f"{label} [{unit}]" if si else label

    lower, upper = found.bounds
    yield f"{'file'.ljust(22)}{result.file}"
    yield f"{'format'.ljust(22)}{result.format}"
    yield line(named("extents", "m"), (upper - lower).tolist())
    yield line("  from", lower.tolist())
    yield line("  to", upper.tolist())
    if found.volume is None or found.centroid is None:
        yield f"{'volume'.ljust(22)}none: {found.verdict}"
    else:
        yield line(named("volume", "m^3"), [found.volume])
        yield line(named("centroid", "m"), found.centroid.tolist())
    yield line(named("area", "m^2"), [found.area])
    yield f"{'facets'.ljust(22)}{found.facets}"
    for count, facets in enumerate(found.disconnected, 1):
        yield f"{f'  with {count} open edge' + 's' * (count > 1):<22}{facets}"
    yield f"{'non-manifold edges'.ljust(22)}{found.non_manifold_edges}"


def notices(result: Result) -> Iterator[str]:
    """Lines for standard error: what should be told beside the numbers, and why there are none."""
    for notice in result.warnings:
        yield f"{result.file}: warning: {notice.code}: {notice.message}"
    if not result.is_ok:
        yield f"{result.file}: {result.status}: {result.message}"


def summary(results: list[Result]) -> str:
    """One line about a run over several inputs."""
    measured = int(np.sum([result.is_ok for result in results]))
    return f"{len(results)} inputs: {measured} measured, {len(results) - measured} not"
