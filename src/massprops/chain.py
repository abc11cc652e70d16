"""One input through the chain: load -> repair -> resize and move -> write -> measure."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from massprops.core.accuracy import accuracy
from massprops.core.affine_map import AffineMap
from massprops.core.closure import Survey
from massprops.core.exact_numbers import Numbers, rationals
from massprops.core.extent import mapped_extent
from massprops.core.inertia import MassProperties
from massprops.core.measure import Measurement, measure
from massprops.core.notice import Notice
from massprops.core.plausibility import implausibilities
from massprops.core.side_by_side import SideBySide
from massprops.core.surface import Surface
from massprops.core.units import UNITS, Unit, overridden
from massprops.core.winding import LINES, WindingCheck, cross_check, notices, scaled
from massprops.errors import (
    InconsistentWinding,
    InsideOut,
    MassPropsError,
    OpenSurface,
    Unphysical,
    Unsupported,
    Unwritable,
    ZeroVolume,
)
from massprops.named import named
from massprops.not_applied import not_applied
from massprops.plan import FILE_UNIT, Plan, SpinPlan
from massprops.readers.reader import is_section, reading, reading_of
from massprops.readers.reading import Reading
from massprops.readers.source import open_source
from massprops.report.whole_file import write_text
from massprops.result import Result
from massprops.targets import written_name

if TYPE_CHECKING:
    from massprops.core.repair import Record

Step = Callable[[Surface], "tuple[Surface, Record]"]

_LARGEST, _SMALLEST, _HEAVIEST = 1000.0, 1e-6, 1e6
"""Metres and kilograms beyond which a part with units is told as implausible."""

_MORE_LINES = "--verify has nothing to compare; try a larger --check_lines"


def process(path: str, plan: Plan, beside: SideBySide | None = None) -> Iterator[Result]:
    """What becomes of one input, link by link: each result says more than the one before.

    Parameters
    ----------
    path : str
        As given on the command line.
    plan : Plan
    beside : SideBySide, optional
        From `side_by_side`. The surface is added to it before the first result is yielded, and looked for in it after
        that: so much of several inputs can be done at once.

    Raises
    ------
    MassPropsError
        The verdict for which it is not measured; what was found before has been yielded.
    """
    with contextlib.ExitStack() as files:
        source = files.enter_context(open_source(path))
        if is_section(source, plan.format):
            from massprops.section_chain import process_section  # only for sections

            yield from process_section(path, source, plan)
            return
        found = reading_of(source, plan.format, files)
        surface = found.surface
        told = *found.notices, *not_applied(plan, "solid"), *overridden(found.unit, UNITS.get(plan.units or ""))
        result = Result(path, found.format, facets=surface.facets, warnings=told)
        if beside is not None:
            beside.add(surface)
        yield result
        other = None if plan.merge is None else _other(plan.merge, plan, found.unit, files)
        if other is not None:
            result = result._replace(warnings=(*result.warnings, *other.notices))
        for step in _steps(plan, other):
            surface, record = step(surface)
            repairs, told = (*result.repairs, record), (*result.warnings, *record.notices)
            result = result._replace(facets=surface.facets, repairs=repairs, warnings=told)
            yield result
        if plan.output is not None:
            told = _written(surface, found, plan, written_name(plan.output, path))
            result = result._replace(warnings=(*result.warnings, *told))
        yield from _finished_and_drawn(result, found, surface, plan, beside)


def side_by_side(plan: Plan) -> SideBySide | None:
    """Where small inputs stand together; None if their surfaces change first, or other things take longer by far."""
    is_quick = plan.mass_properties and not (plan.repairs or plan.verify or plan.draws or plan.spin is not None)
    return SideBySide(_lines(plan)) if is_quick else None


def _written(surface: Surface, found: Reading, plan: Plan, path: Path) -> tuple[Notice, ...]:
    """Write the mesh as changed: in the unit of its coordinates, but in metres where the format has no other."""
    from massprops.report.mesh_file import METRIC, write_mesh  # only for runs that write

    suffix = path.suffix.lower()
    if suffix not in METRIC:
        return write_mesh(surface, plan.affine, path)
    told = write_mesh(surface, _affine(found, plan), path)
    if plan.units is not None or found.unit is None or found.unit.metres == 1:
        return told
    message = f"coordinates in {found.unit.name} are written to {suffix} as they are, whose unit is the metre; "
    return (*told, Notice("units", f"{message}--units file converts them"))


def _finished_and_drawn(
    result: Result, found: Reading, surface: Surface, plan: Plan, beside: SideBySide | None
) -> Iterator[Result]:
    """The measured body and its motion, and pictures of it, or of what is wrong with it."""
    unit, affine = _unit(found, plan.units), _affine(found, plan)
    if unit is not None:
        result = result._replace(unit=unit.name)
    yield result
    try:
        result = _finished(result, found, surface, plan, beside)
        if plan.spin is not None:
            yield result
            result = _spun(result, plan.spin)
    except (OpenSurface, InconsistentWinding, InsideOut, ZeroVolume, Unphysical) as verdict:
        if plan.draws:
            with contextlib.suppress(Unwritable):  # the verdict says more
                yield _drawn(result, surface, affine, plan, verdict)
        raise
    yield _drawn(result, surface, affine, plan) if plan.draws else result


def _drawn(
    result: Result, surface: Surface, affine: AffineMap, plan: Plan, verdict: MassPropsError | None = None
) -> Result:
    from massprops.pictures import draw_solid  # only for runs that draw

    return draw_solid(result, surface, affine, plan, verdict)


def _affine(found: Reading, plan: Plan) -> AffineMap:
    unit = _unit(found, plan.units)
    return plan.affine if unit is None else plan.affine.then(_scaling(unit.metres))


def _other(path: str, plan: Plan, unit: Unit | None, files: contextlib.ExitStack) -> Reading:
    """The file whose facets are added; its name stands in front of what is said of it."""
    name = f"--merge {path}"
    with named(name):
        other = files.enter_context(reading(path, plan.format))
    is_known = other.unit is not None and unit is not None
    if other.unit != unit and (plan.units == FILE_UNIT or (plan.units is None and is_known)):
        units = [None if each is None else each.name for each in (other.unit, unit)]
        told = " and ".join(f"{each or 'no unit'}" for each in units)
        raise Unsupported(f"{name}: declares another unit than the input: {told}; name one for both, as in --units mm")
    given = *other.notices, *overridden(other.unit, UNITS.get(plan.units or ""))
    notices = tuple(replace(notice, message=f"{name}: {notice.message}") for notice in given)
    return replace(other, notices=notices)


def _steps(plan: Plan, other: Reading | None) -> Iterator[Step]:
    """The repairs that are asked for, in the chain's order."""
    if not plan.repairs:
        return
    from massprops.core import repair  # only for runs that repair

    if plan.clip is not None:
        yield partial(repair.clip, lower=plan.clip[:3], upper=plan.clip[3:])
    if other is not None:
        yield partial(repair.merge, other=other.surface)
    if plan.connect_nearby:
        yield partial(repair.connect_nearby, tolerance=plan.weld_tolerance)
    if plan.sanitize:
        yield partial(repair.sanitize, tolerance=plan.weld_tolerance)
    if plan.fill_holes:
        yield partial(repair.fill_holes, max_edges=plan.max_hole_edges, turn=plan.sanitize, exact=plan.exact)


def _finished(
    result: Result, found: Reading, surface: Surface, plan: Plan, beside: SideBySide | None
) -> Result:
    unit, affine = _unit(found, plan.units), _affine(found, plan)
    if not plan.mass_properties:
        return _with_statistics(result, found.surface, surface, affine, plan)
    measured = measure(surface, plan.exact, _lines(plan), None if beside is None else beside.reading(surface))
    properties = _properties(measured, affine, plan, unit)
    result = result._replace(
        properties=properties,
        accuracy=accuracy(measured.integrals, affine, properties),
        warnings=(*result.warnings, *measured.notices, *_doubts(properties, _reach(measured.survey, affine), unit)),
    )
    if plan.verify:
        return _verified(result, measured, affine, plan)
    return result if measured.check is None else _with_check(result, measured.check, affine)


def _with_statistics(result: Result, read: Surface, repaired: Surface, affine: AffineMap, plan: Plan) -> Result:
    from massprops.core.statistics import statistics  # only for runs that print them

    after = statistics(repaired, affine, plan.exact)
    before = statistics(read, affine, plan.exact) if plan.repairs else None
    return result._replace(statistics=after, before=before, warnings=(*result.warnings, *after.notices))


def _unit(found: Reading, units: str | None) -> Unit | None:
    if units != FILE_UNIT:
        return None if units is None else UNITS[units]
    if found.unit is None:
        raise Unsupported("--units file: the file declares no unit; name it, as in --units mm")
    return found.unit


def _scaling(factor: Numbers) -> AffineMap:
    return AffineMap.of(np.diag([factor] * 3))


def _properties(measured: Measurement, affine: AffineMap, plan: Plan, unit: Unit | None) -> MassProperties:
    found, survey = measured.integrals, measured.survey
    bounds, area = mapped_extent(measured.surface, survey.lower, survey.upper, found.area, affine)
    if plan.about is not None and len(plan.about) != 3:
        raise Unsupported("--about U V is a point of a section; that of a body has three coordinates, X Y Z")
    about = None if plan.about is None else rationals(plan.about) * (unit.metres if unit else 1)
    return MassProperties.of(found.moments.mapped(affine), plan.density, about, area, bounds)


def _reach(survey: Survey, affine: AffineMap) -> float:
    """The largest coordinate before a map translates."""
    with np.errstate(over="ignore"):
        corner = np.maximum(np.abs(survey.lower), np.abs(survey.upper))
        if not affine.is_identity:
            corner = np.abs(affine.matrix.astype(np.float64)) @ corner
        return float(corner.max())


def _doubts(properties: MassProperties, reach: float, unit: Unit | None) -> Iterator[Notice]:
    """What is impossible for a sound body, or implausible for one with units."""
    yield from implausibilities(properties, reach)
    if unit is None:
        return
    assert properties.bounds is not None
    size = float((properties.bounds[1] - properties.bounds[0]).max())
    if size > _LARGEST:
        told = f"{size:.6g} m long"
    elif size < _SMALLEST:
        told = f"only {size:.6g} m long"
    elif properties.mass > _HEAVIEST:
        told = f"a mass of {properties.mass:.6g} kg"
    else:
        return
    details = {"size": size, "mass": properties.mass}
    yield Notice("implausible", f"{told}: are --units and --density what the file means?", details)


def _lines(plan: Plan) -> int:
    """Lines along a side of the box in one direction; none where there will be lines in all of them."""
    return 0 if plan.verify else LINES if plan.check_lines is None else plan.check_lines


def _verified(result: Result, measured: Measurement, affine: AffineMap, plan: Plan) -> Result:
    """The result with what lines in all directions find, and all properties counted along them."""
    from massprops.core import counted  # only for runs that verify

    survey, lines = measured.survey, plan.check_lines or counted.LINES
    check = cross_check(measured.surface, survey.lower, survey.upper, lines, (0, 1, 2))
    found = counted.counted(measured.surface, survey.lower, survey.upper, lines)
    in_full = counted.counted_properties(found, affine, plan.density)
    told = () if in_full else (Notice("uncounted", f"{found.lines} lines count nothing: {_MORE_LINES}"),)
    return _with_check(result._replace(counted=in_full, warnings=(*result.warnings, *told)), check, affine)


def _with_check(result: Result, check: WindingCheck, affine: AffineMap) -> Result:
    check = scaled(check, affine)
    assert result.properties is not None
    return result._replace(check=check, warnings=(*result.warnings, *notices(check, result.properties.volume)))


def _spun(result: Result, plan: SpinPlan) -> Result:
    """The result with the motion of the body."""
    from massprops.core.spin import SpinError, spin  # only for runs that spin

    assert result.properties is not None
    moments, axes = result.properties.principal_moments, result.properties.principal_axes
    try:
        method: Any = plan.method
        trajectory = spin(moments, axes, plan.omega, plan.duration, plan.step, method=method)
    except SpinError as error:
        raise Unphysical(f"--spin: {error}") from None
    if plan.csv is not None:
        from massprops.report.spin_csv import write_spin_csv

        write_text(written_name(plan.csv, result.file), partial(write_spin_csv, trajectory))
    return result._replace(trajectory=trajectory)
