"""The fixed-width report: labels of 22 characters, numbers in Fortran's ES23.15."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import ROUND_UP, Context
from typing import TYPE_CHECKING

from massprops.core.accuracy import Accuracy
from massprops.core.inertia import MassProperties
from massprops.core.surface import Floats
from massprops.report.escaped import escaped
from massprops.report.fortran import LABEL_WIDTH, es, line
from massprops.result import Result

if TYPE_CHECKING:
    from massprops.core.section_properties import SectionProperties
    from massprops.core.statistics import Statistics

_TWO_DIGITS_UP = Context(prec=2, rounding=ROUND_UP)

_ENTRIES = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def text(result: Result, heading: bool, bounds: bool = False) -> str:
    """The block of one input, with a line feed after each line.

    Parameters
    ----------
    result : Result
    heading : bool
        Whether the file's name stands on top: when there are several inputs.
    bounds : bool
        Whether the bounds of the errors stand behind the numbers.
    """
    lines = [result.file] if heading else []
    si = result.unit is not None
    if result.section is not None:
        lines += _section_lines(result, result.section, si)
    elif result.section_statistics is not None:
        from massprops.report.section_text import section_statistics_lines  # only for sections

        lines += [f"{'file'.ljust(LABEL_WIDTH)}{result.file}", f"{'format'.ljust(LABEL_WIDTH)}{result.format}"]
        lines += section_statistics_lines(result.section_statistics, si)
    elif result.properties is not None and result.is_ok:
        lines += mass_properties_lines(result.properties, si, result.accuracy if bounds else None)
        if result.counted is not None and result.check is not None:
            lines += counted_lines(result.counted, result.properties, result.check.lines)
        if result.trajectory is not None:
            from massprops.report.spin_text import spin_lines  # only for runs that spin

            lines += spin_lines(result.trajectory, es)
    elif result.statistics is not None:
        lines += [f"{'file'.ljust(LABEL_WIDTH)}{result.file}", f"{'format'.ljust(LABEL_WIDTH)}{result.format}"]
        lines += statistics_lines(result.statistics, result.before, si)
    else:
        lines.append(f"mass properties: not measured: {result.status}: {result.message}")
    return "\n".join(map(escaped, lines)) + "\n"


def _section_lines(result: Result, properties: SectionProperties, si: bool) -> Iterator[str]:
    from massprops.report.section_text import section_count_lines, section_lines  # only for sections

    yield from section_lines(properties, si)
    if result.squares is not None:
        yield from section_count_lines(result.squares, properties)


def mass_properties_lines(
    properties: MassProperties, si: bool = False, accuracy: Accuracy | None = None
) -> Iterator[str]:
    """Lines of the mass properties of one body.

    Parameters
    ----------
    properties : MassProperties
    si : bool
        Whether each label names its SI unit.
    accuracy : Accuracy, optional
        Puts the bound of the error behind the numbers of a line.
    """

    def named(label: str, unit: str) -> str:
        return f"{label} [{unit}]" if si else label

    mass, center, tensor, moments = _bounds(properties, accuracy)
    yield f"{named('mass properties, density', 'kg/m^3')} {es(properties.density)}"
    yield line(named("  mass", "kg"), [properties.mass]) + mass
    yield line(named("  centre of mass", "m"), properties.center.tolist()) + center
    yield f"  {named('inertia tensor about the centre of mass', 'kg m^2')}:"
    yield from (row + tensor for row in _matrix(properties.inertia))
    if properties.about is not None and properties.inertia_about is not None:
        yield f"  {named('inertia tensor about the point', 'kg m^2')}:"
        yield line(named("  point", "m"), properties.about.tolist())
        yield from _matrix(properties.inertia_about)
    yield line("  principal [kg m^2]" if si else "  principal moments", properties.principal_moments.tolist()) + moments
    yield "  principal axes (columns):"
    yield from _matrix(properties.principal_axes)
    if properties.repeated_moments:
        yield "  equal moments: their axes are one set of many"


def _matrix(matrix: Floats) -> Iterator[str]:
    return (line("", row) for row in matrix.tolist())


def _bounds(properties: MassProperties, accuracy: Accuracy | None) -> Iterable[str]:
    """What stands behind mass, centre, tensor and moments."""
    if accuracy is None:
        return ("", "", "", "")
    mass = properties.density * accuracy.volume * (1 + 1e-9)
    return map(_bound, (mass, accuracy.center, accuracy.inertia, accuracy.principal_moments))


def _bound(value: float) -> str:
    """A bound in two digits, rounded up.

    >>> _bound(1.01e-16)
    '  +- 1.1E-16'
    """
    return f"  +- {float(_TWO_DIGITS_UP.create_decimal_from_float(value)):.1E}"


def counted_lines(counted: MassProperties, computed: MassProperties, lines: int) -> Iterator[str]:
    """The table Counted / Computed / Difference of volume, centre and tensor."""
    yield f"counted along {lines} lines against computed:"
    yield " " * LABEL_WIDTH + "".join(title.rjust(23) for title in ("counted", "computed", "difference"))
    rows = [("  volume", counted.volume, computed.volume)]
    rows += [(f"  centre {axis}", counted.center[k], computed.center[k]) for k, axis in enumerate("xyz")]
    rows += [(f"  inertia {name}", counted.inertia[at], computed.inertia[at]) for name, at in _ENTRIES.items()]
    yield from (line(label, [first, second, first - second]) for label, first, second in rows)


def statistics_lines(found: Statistics, before: Statistics | None = None, si: bool = False) -> Iterator[str]:
    """Lines of the statistics of one surface; with those before its repairs, both side by side.

    Parameters
    ----------
    found : Statistics
    before : Statistics, optional
    si : bool
        Whether each label names its SI unit.
    """
    rows = list(_statistics_rows(found, si))
    if before is None:
        yield from (label.ljust(LABEL_WIDTH) + value for label, value in rows)
        return
    yield " " * LABEL_WIDTH + "before".rjust(23) + "after".rjust(23)
    for (label, old), (_, new) in zip(_statistics_rows(before, si), rows, strict=True):
        yield f"{label.ljust(LABEL_WIDTH)}{old.rjust(23)}{new.rjust(23)}"


def _statistics_rows(found: Statistics, si: bool) -> Iterator[tuple[str, str]]:
    def named(label: str, unit: str) -> str:
        return f"{label} [{unit}]" if si else label

    lower, upper = found.bounds
    for label, vector in (("extents", upper - lower), ("from", lower), ("to", upper)):
        yield from ((named(f"{label} {axis}", "m"), es(vector[k])) for k, axis in enumerate("xyz"))
    volume = f"none: {found.verdict}"
    yield named("volume", "m^3"), volume if found.volume is None else es(found.volume)
    for k, axis in enumerate("xyz"):
        yield named(f"centroid {axis}", "m"), "none" if found.centroid is None else es(found.centroid[k])
    yield named("area", "m^2"), es(found.area)
    yield "facets", str(found.facets)
    for count, facets in enumerate(found.disconnected, 1):
        yield f"  with {count} open edge{'s' * (count > 1)}", str(facets)
    yield "non-manifold edges", str(found.non_manifold_edges)


def notices(result: Result) -> Iterator[str]:
    """Lines for standard error: what was repaired, what should be told beside the numbers, and why there are none."""
    lines = [record.message for record in result.repairs]
    lines += [f"warning: {notice.code}: {notice.message}" for notice in result.warnings]
    if not result.is_ok:
        lines.append(f"{result.status}: {result.message}")
    return (escaped(f"{result.file}: {line}") for line in lines)


def summary(inputs: int, measured: int) -> str:
    """One line about a run over several inputs."""
    return f"{inputs} inputs: {measured} measured, {inputs - measured} not"
