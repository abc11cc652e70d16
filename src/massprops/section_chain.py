"""One plane section through the chain: read, join, nest, move, measure."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from massprops.advice import unfollowed
from massprops.core.affine_map import AffineMap
from massprops.core.area_moments import PlaneMap
from massprops.core.curve import Path
from massprops.core.exact_numbers import rationals
from massprops.core.joining import boxes_of
from massprops.core.outline import Section, build_section
from massprops.core.raster import counted_section
from massprops.core.section import section_integrals
from massprops.core.section_errors import SelfIntersecting, ZeroArea
from massprops.core.section_properties import SectionProperties
from massprops.core.units import UNITS, Unit, overridden
from massprops.errors import InsideOut, MassPropsError, OpenSurface, Unsupported, Unwritable
from massprops.not_applied import not_applied
from massprops.plan import FILE_UNIT, Plan
from massprops.readers.section_reading import SectionReading
from massprops.readers.source import Source
from massprops.result import Result
from massprops.sections import reading_of


def process_section(path: str, source: Source, plan: Plan) -> Iterator[Result]:
    """What becomes of one section, link by link; see `massprops.chain.process`.

    Raises
    ------
    MassPropsError
        The verdict for which it is not measured; what was found before has been yielded.
    """
    result = Result(path, kind="section")
    yield result
    found = reading_of(source, plan.format, plan.layers)
    notices = *found.notices, *not_applied(plan, "section"), *overridden(found.unit, UNITS.get(plan.units or ""))
    result = result._replace(format=found.format, warnings=notices)
    yield result
    unit = _unit(found, plan.units)
    result = result._replace(unit=None if unit is None else unit.name)
    yield result
    try:
        section = build_section(
            found.shapes, winding=plan.winding, fill=plan.fill, join_tolerance=_join_tolerance(found, plan)
        )
    except (OpenSurface, SelfIntersecting, InsideOut, ZeroArea) as verdict:
        if not plan.mass_properties:
            yield _refused_with_statistics(result, found, plan, unit, verdict)
            return
        if plan.draws:
            with contextlib.suppress(Unwritable):  # the verdict says more
                yield _refused_and_drawn(result, found, plan, verdict)
        raise
    result = result._replace(warnings=(*result.warnings, *section.notices))
    result = _measured(result, section, plan, unit)
    if plan.draws:
        from massprops.pictures import draw_plane  # only for runs that draw

        result = draw_plane(result, plan)
    yield result


def _refused_and_drawn(result: Result, found: SectionReading, plan: Plan, verdict: MassPropsError) -> Result:
    """The result with a view of what the file draws, in its own coordinates, as those that the verdict names."""
    from massprops.pictures import draw_refused_plane  # only for runs that draw

    return draw_refused_plane(result, _paths(found), plan, verdict)


def _refused_with_statistics(
    result: Result, found: SectionReading, plan: Plan, unit: Unit | None, verdict: MassPropsError
) -> Result:
    """The result with what can be said of a section all the same."""
    from massprops.core.section_statistics import SectionStatistics  # only for runs that print them

    plane, tolerance = _plane(plan, _metres(unit)), _join_tolerance(found, plan)
    message = unfollowed(verdict.message, verdict.remedy, plan, verdict.status, "section")
    statistics = SectionStatistics.of_refused(_paths(found), tolerance, plane, verdict, message)
    return result._replace(section_statistics=statistics)


def _paths(found: SectionReading) -> list[Path]:
    return [path for shape in found.shapes for path in shape.paths]


def _unit(found: SectionReading, units: str | None) -> Unit | None:
    if units != FILE_UNIT:
        return None if units is None else UNITS[units]
    if found.unit is None:
        raise Unsupported("--units file: the file declares no unit; name it, as in --units mm")
    return found.unit


def _join_tolerance(found: SectionReading, plan: Plan) -> float | None:
    """Largest distance of ends that are joined; None for the default."""
    paths = _paths(found)
    if not plan.connect_nearby or not paths:
        return None
    boxes = boxes_of(paths)
    return plan.weld_tolerance * float(np.hypot(*(boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0))))


def _metres(unit: Unit | None) -> Fraction:
    return Fraction(1) if unit is None else unit.metres


def _plane(plan: Plan, metres: Fraction) -> PlaneMap:
    """What the chain, and the unit, do to the plane."""
    affine = plan.affine.then(AffineMap.of(np.diag([metres] * 3)))
    try:
        return PlaneMap.of_solid(affine)
    except ValueError:
        raise Unsupported("the map turns the section out of its plane; rotate about 0 0 1") from None


def _measured(result: Result, section: Section, plan: Plan, unit: Unit | None) -> Result:
    plane = _plane(plan, _metres(unit))
    moments = section.integrals.moments.mapped(plane)
    curve, integrals = section.curve, section.integrals
    if not plane.is_identity:
        curve = curve.mapped(*plane.floats())
        integrals = section_integrals(curve)
    if not plan.mass_properties:
        from massprops.core.section_statistics import SectionStatistics  # only for runs that print them

        return result._replace(section_statistics=SectionStatistics.of(moments, curve, integrals), curve=curve)
    about = None if plan.about is None else rationals(plan.about[:2]) * _metres(unit)
    properties = SectionProperties.of(moments, plan.density, about, curve, integrals)
    result = result._replace(section=properties, curve=curve)
    if not plan.verify:
        return result
    sizes = properties.area, integrals.perimeter
    squares, told = counted_section(curve, *sizes, side=plan.check_lines, density=properties.density)
    return result._replace(squares=squares, warnings=(*result.warnings, *told))
