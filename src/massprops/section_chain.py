"""One plane section through the chain: read, join, nest, move, measure."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from massprops.core.area_moments import PlaneMap
from massprops.core.curve import Curve
from massprops.core.joining import boxes_of
from massprops.core.moments import AffineMap, rationals
from massprops.core.outline import Section, build_section
from massprops.core.raster import SIDE, Counted, count_squares
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
    try:
        section = build_section(
            found.shapes, winding=plan.winding, fill=plan.fill, join_tolerance=_join_tolerance(found, plan)
        )
    except (OpenSurface, SelfIntersecting, InsideOut, ZeroArea) as verdict:
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

    paths = [path for shape in found.shapes for path in shape.paths]
    return draw_refused_plane(result, paths, plan, verdict)


def _unit(found: SectionReading, units: str | None) -> Unit | None:
    if units != FILE_UNIT:
        return None if units is None else UNITS[units]
    if found.unit is None:
        raise Unsupported("--units file: the file declares no unit; name it, as in --units mm")
    return found.unit


def _join_tolerance(found: SectionReading, plan: Plan) -> float | None:
    """Largest distance of ends that are joined; None for the default."""
    paths = [path for shape in found.shapes for path in shape.paths]
    if not plan.connect_nearby or not paths:
        return None
    boxes = boxes_of(paths)
    return plan.weld_tolerance * float(np.hypot(*(boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0))))


def _measured(result: Result, section: Section, plan: Plan, unit: Unit | None) -> Result:
    metres = 1 if unit is None else unit.metres
    affine = plan.affine.then(AffineMap.of(np.diag([metres] * 3)))
    try:
        plane = PlaneMap.of_solid(affine)
    except ValueError:
        raise Unsupported("the map turns the section out of its plane; rotate about 0 0 1") from None
    moments = section.integrals.moments.mapped(plane)
    curve, integrals = section.curve, section.integrals
    if not plane.is_identity:
        curve = curve.mapped(*plane.floats())
        integrals = section_integrals(curve)
    if not plan.mass_properties:
        from massprops.core.section_statistics import SectionStatistics  # only for runs that print them

        return result._replace(section_statistics=SectionStatistics.of(moments, curve, integrals), curve=curve)
    about = None if plan.about is None else rationals(plan.about[:2]) * metres
    properties = SectionProperties.of(moments, plan.density, about, curve, integrals)
    return result._replace(section=properties, curve=curve, squares=_squares(curve, plan))


def _squares(curve: Curve, plan: Plan) -> Counted | None:
    return count_squares(curve, plan.check_lines or SIDE) if plan.verify else None
