"""The fixed-width report of a section: labels of 22 characters, Fortran's ES23.15, and what each number is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from massprops.core.raster import Counted
from massprops.core.section_properties import SectionModuli, SectionProperties
from massprops.core.section_statistics import SectionStatistics
from massprops.report.fortran import LABEL_WIDTH, es, line

Row = Callable[[str, str, Iterable[float], str], str]

REMINDER_COLUMN = LABEL_WIDTH + 2 * 23 + 2
"""Where the words begin that say what a number is."""

_MODULI = (
    ("about_u", "about u", "bending about the u axis: lower, upper fibre"),
    ("about_v", "about v", "bending about the v axis: left, right fibre"),
    ("about_long", "about long", "bending about the long axis: right, left of it"),
    ("about_short", "about short", "bending about the short axis: behind, ahead"),
)


def section_lines(properties: SectionProperties, si: bool = False) -> Iterator[str]:
    """Lines of the properties of one section, per unit depth.

    Parameters
    ----------
    properties : SectionProperties
    si : bool
        Whether each label names its SI unit.
    """

    def row(label: str, unit: str, values: Iterable[float], reminder: str) -> str:
        return told(line(f"  {label} [{unit}]" if si else f"  {label}", values), reminder)

    p = properties
    yield f"{'section properties, density [kg/m^3]' if si else 'section properties, density'} {es(p.density)}"
    yield row("mass", "kg/m", [p.mass], "density times area: per unit depth")
    yield row("area", "m^2", [p.area], "of the region, holes taken away")
    if p.perimeter is not None:
        yield row("perimeter", "m", [p.perimeter], "of all loops, holes too")
    yield row("centroid", "m", p.center, "u, v")
    yield "  second moments about the centroid:"
    yield from _second(row, p.second_moments, p.polar_moment)
    if p.about is not None and p.second_moments_about is not None and p.polar_moment_about is not None:
        yield "  second moments about the point:"
        yield row("point", "m", p.about, "u, v")
        yield from _second(row, p.second_moments_about, p.polar_moment_about)
    yield row("principal", "kg m", p.principal_moments, "smallest and largest second moment about the centroid")
    degrees = round(float(np.degrees(p.principal_angle)), 2) + 0.0
    yield row("angle", "rad", [p.principal_angle], f"of the long axis from u, anticlockwise: {degrees:.2f} degrees")
    if p.equal_moments:
        yield "  equal moments: every axis is a principal one"
    yield row("radii", "m", p.radii_of_gyration[:2], "of gyration: root of int u^2, int v^2 over area")
    yield row("polar radius", "m", p.radii_of_gyration[2:], "of gyration: root of the polar moment over mass")
    if p.section_moduli is not None:
        yield "  elastic section moduli, second moment over distance of the outermost fibre:"
        yield from _moduli(row, p.section_moduli)


def _second(row: Row, second: Iterable[float], polar: float) -> Iterator[str]:
    uu, vv, uv = second
    yield row("I_uu", "kg m", [uu], "density times int u^2 dA: bending about the v axis")
    yield row("I_vv", "kg m", [vv], "density times int v^2 dA: bending about the u axis, a beam engineer's I")
    yield row("I_uv", "kg m", [uv], "density times int u v dA: 0 where u or v is an axis of symmetry")
    yield row("polar", "kg m", [polar], "I_uu + I_vv: inertia against rotation in the plane")


def _moduli(row: Row, moduli: SectionModuli) -> Iterator[str]:
    for name, label, reminder in _MODULI:
        yield row(label, "m^3", getattr(moduli, name), reminder)


def section_statistics_lines(found: SectionStatistics, si: bool = False) -> Iterator[str]:
    """Lines of the statistics of one section.

    Parameters
    ----------
    found : SectionStatistics
    si : bool
        Whether each label names its SI unit.
    """

    def row(label: str, unit: str, value: float | None, otherwise: str = "none") -> str:
        return (f"{label} [{unit}]" if si else label).ljust(LABEL_WIDTH) + (otherwise if value is None else es(value))

    lower, upper = found.bounds
    for label, vector in (("extents", upper - lower), ("from", lower), ("to", upper)):
        yield from (row(f"{label} {axis}", "m", vector[k]) for k, axis in enumerate("uv"))
    yield row("area", "m^2", found.area, f"none: {found.verdict}: {found.message}")
    yield row("perimeter", "m", found.perimeter)
    center = (None, None) if found.center is None else found.center
    yield from (row(f"centroid {axis}", "m", value) for axis, value in zip("uv", center, strict=True))
    yield f"{'loops'.ljust(LABEL_WIDTH)}{found.loops}"
    yield f"{'open chains'.ljust(LABEL_WIDTH)}{found.open_chains}"
    yield f"{'segments'.ljust(LABEL_WIDTH)}{found.segments}"


def section_count_lines(counted: Counted, properties: SectionProperties) -> Iterator[str]:
    """The table Counted / Computed / Difference of area, centroid and polar moment."""
    yield f"counted: {counted.squares} squares of side {es(counted.width).strip()}, against computed:"
    yield " " * LABEL_WIDTH + "".join(title.rjust(23) for title in ("counted", "computed", "difference"))
    rows = [("  area", counted.area, properties.area)]
    rows += [(f"  centroid {axis}", counted.center[k], properties.center[k]) for k, axis in enumerate("uv")]
    rows += [("  polar moment", counted.polar_moment, properties.polar_moment)]
    yield from (line(label, [first, second, first - second]) for label, first, second in rows)


def told(text: str, reminder: str) -> str:
    """A line of numbers with words behind them, aligned.

    >>> told(line("  area", [2.0]), "of the region")[39:]
    '00E+00                         of the region'
    """
    return text.ljust(REMINDER_COLUMN) + reminder
