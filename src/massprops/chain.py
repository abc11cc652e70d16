"""One input through the chain: load -> mirror -> resize -> rotate -> translate -> measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from massprops.core.extent import mapped_extent
from massprops.core.inertia import MassProperties
from massprops.core.measure import Measurement, measure
from massprops.core.moments import AffineMap
from massprops.core.notice import Notice
from massprops.core.statistics import statistics
from massprops.core.units import UNITS, Unit
from massprops.errors import Unsupported
from massprops.plan import FILE_UNIT, Plan
from massprops.readers.reader import reading
from massprops.readers.reading import Reading
from massprops.result import Result

_LARGEST, _SMALLEST, _HEAVIEST = 1000.0, 1e-6, 1e6
"""Metres and kilograms beyond which a part with units is told as implausible."""


def process(path: str, plan: Plan) -> Iterator[Result]:
    """What becomes of one input, link by link: each result says more than the one before.

    Parameters
    ----------
    path : str
        As given on the command line.
    plan : Plan

    Raises
    ------
    MassPropsError
        The verdict for which it is not measured; what was found before has been yielded.
    """
    with reading(path, plan.format) as found:
        result = Result(path, found.format, facets=found.surface.facets, warnings=found.notices)
        yield result
        yield _finished(result, found, plan)


def _finished(result: Result, found: Reading, plan: Plan) -> Result:
    unit = _unit(found, plan.units)
    affine = plan.affine if unit is None else plan.affine.then(_scaling(unit.metres))
    result = replace(result, unit=None if unit is None else unit.name)
    if not plan.mass_properties:
        return replace(result, statistics=statistics(found.surface, affine, plan.exact))
    measured = measure(found.surface, plan.exact)
    properties = _properties(measured, affine, plan, unit)
    notices = found.notices + measured.notices + (() if unit is None else _implausible(properties))
    return replace(result, properties=properties, warnings=notices)


def _unit(found: Reading, units: str | None) -> Unit | None:
    if units != FILE_UNIT:
        return None if units is None else UNITS[units]
    if found.unit is None:
        raise Unsupported("--units file: the file declares no unit; name it, as in --units mm")
    return found.unit


def _scaling(factor: Fraction) -> AffineMap:
    return AffineMap.of(np.diag([factor] * 3))


def _properties(measured: Measurement, affine: AffineMap, plan: Plan, unit: Unit | None) -> MassProperties:
    found, survey = measured.integrals, measured.survey
    bounds, area = mapped_extent(measured.surface, survey.lower, survey.upper, found.area, affine)
    about = None if plan.about is None else _scaling(unit.metres if unit else Fraction(1)).apply(np.array(
        [Fraction(x) for x in plan.about]
    ))  # fmt: skip
    return MassProperties.of(found.moments.mapped(affine), plan.density, about, area, bounds)


def _implausible(properties: MassProperties) -> tuple[Notice, ...]:
    """Parts whose size or mass says that their unit is not what was given."""
    assert properties.bounds is not None
    size = float((properties.bounds[1] - properties.bounds[0]).max())
    if size > _LARGEST:
        told = f"{size:.6g} m long"
    elif size < _SMALLEST:
        told = f"only {size:.6g} m long"
    elif properties.mass > _HEAVIEST:
        told = f"a mass of {properties.mass:.6g} kg"
    else:
        return ()
    details = {"size": size, "mass": properties.mass}
    return (Notice("implausible", f"{told}: are --units and --density what the file means?", details),)

