"""What is impossible is told, and sound bodies are never suspected."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.affine_map import AffineMap
from massprops.core.extent import mapped_extent
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.plausibility import implausibilities
from massprops.core.surface import TriangleArray
from massprops.motion import motion
from tests.oracle import Triangles, box, exact, moved, reverse, rotation, star, torus
from tests.test_accuracy import SPHERE, TURN, bodies


def joined(*parts: Triangles) -> Triangles:
    return np.concatenate(parts)


def measured(triangles: Triangles, affine: AffineMap | None = None) -> MassProperties:
    affine = AffineMap.identity() if affine is None else affine
    found = measure(TriangleArray(triangles))
    lower, upper = found.survey.lower, found.survey.upper
    bounds, area = mapped_extent(found.surface, lower, upper, found.integrals.area, affine)
    return MassProperties.of(found.integrals.moments.mapped(affine), area=area, bounds=bounds)


def codes(properties: MassProperties, reach: float = 0.0) -> list[str]:
    return [notice.code for notice in implausibilities(properties, reach)]


CUBE = box((-1, -1, -1), (1, 1, 1))


def beside(x: float, side: float, y: float = 0.0) -> Triangles:
    """A cube turned inside out."""
    return reverse(box((x, y, 0), (x + side, y + side, side)))


FAR = (beside(4, 0.5), beside(-4.5, 0.5))
ODD = {
    "center_outside": joined(CUBE, beside(5, 1.9)),
    "volume_exceeds_box": joined(CUBE, CUBE, CUBE),
    "moment_not_positive": joined(CUBE, *FAR, beside(-0.25, 0.5, 4), beside(-0.25, 0.5, -4.5)),
    "triangle_inequality": joined(CUBE, *FAR),
}
"""Surfaces that are closed and have a positive volume all of them: only the numbers betray them."""


@pytest.mark.parametrize("code", ODD)
@pytest.mark.parametrize("shift", [(0, 0, 0), (101.3, -57.1, 12.7)])
def test_each_is_told_of_a_surface_that_has_it(code: str, shift: tuple[float, ...]) -> None:
    body = moved(ODD[code], TURN if code != "volume_exceeds_box" else None, shift)
    assert code in codes(measured(body))


def test_surfaces_that_are_odd_in_one_way_only() -> None:
    assert codes(measured(ODD["center_outside"])) in (["center_outside"], ["center_outside", "moment_not_positive"])
    assert codes(measured(ODD["volume_exceeds_box"])) == ["volume_exceeds_box"]
    assert codes(measured(ODD["triangle_inequality"])) == ["triangle_inequality"]


def test_the_odd_ones_are_odd_by_exact_arithmetic() -> None:
    outside = exact(ODD["center_outside"])
    assert outside.volume > 0
    assert outside.center[0] < -1
    assert exact(ODD["volume_exceeds_box"]).volume == 24
    assert exact(ODD["moment_not_positive"]).inertia[2, 2] < 0
    one, two, three = exact(ODD["triangle_inequality"]).principal_moments
    assert one > 0
    assert one + two < three


def test_a_volume_larger_than_a_ball_of_the_same_area() -> None:
    """No closed surface has that, whatever it encloses twice: the numbers must be wrong. Here the area is."""
    sphere = measured(SPHERE)
    ball = sphere.area**1.5 / (6 * math.sqrt(math.pi))
    smallest = sphere.area * (sphere.volume / ball) ** (2 / 3)
    assert codes(replace(sphere, area=smallest * (1 + 1e-9))) == []
    (notice,) = implausibilities(replace(sphere, area=smallest * (1 - 1e-9)))
    assert notice.code == "volume_exceeds_ball"
    assert notice.details["ball_volume"] == pytest.approx(sphere.volume, rel=1e-8)


def test_how_much_is_said() -> None:
    (notice,) = implausibilities(measured(ODD["volume_exceeds_box"]))
    assert notice.message == "the volume 24 is larger than that of the bounding box, 8"
    assert notice.details == {"box_volume": 8.0}
    messages = [n.message for code in ODD for n in implausibilities(measured(ODD[code]))]
    assert all("\n" not in message and "np." not in message for message in messages)


@settings(deadline=None, max_examples=60)
@given(bodies())
def test_sound_bodies_anywhere(body: Triangles) -> None:
    assert codes(measured(body)) == []


factor = st.floats(1e-3, 1e3)


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from([(10.1, 20.2, 30.3), (1e3, -2e3, 3e3), (1e6, -2e6, 3e6)]), st.tuples(factor, factor, factor),
    st.sampled_from([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (1.0, 2.0, 3.0)]), st.sampled_from([0.0, math.pi / 2, 0.7]),
    st.booleans(),
)  # fmt: skip
def test_a_box_far_away_is_no_larger_than_its_box(
    corner: Any, factors: Any, axis: Any, angle: float, is_brought_back: bool
) -> None:
    """The bounds are rounded where they stand, or where they stood before a translation."""
    body = box(corner, np.add(corner, (2, 3, 5)).tolist())
    away = motion(None, factors, axis, angle)
    image = away.apply(np.array([int(x) for x in corner])).astype(float)
    affine = away.then(AffineMap.of(np.eye(3), (-image).tolist())) if is_brought_back else away
    reach = float(np.abs(away.matrix.astype(float)).sum(axis=0).max() * max(map(abs, corner)) * 2)
    assert codes(measured(body, affine), reach) == []


@pytest.mark.parametrize("unit", [0.0254, 0.3048, 0.001])
def test_a_part_far_away_may_be_given_in_any_unit(unit: float) -> None:
    body = box((1e6, -2e6, 3e6), (1e6 + 2, -2e6 + 3, 3e6 + 2.0**-20))
    assert codes(measured(body, motion(resize=(unit, unit, unit)))) == []


@pytest.mark.parametrize("size", [1e-60, 1e-20, 1e20, 1e40])
def test_sizes_do_not_matter(size: float) -> None:
    body = moved(star(1, [1, 1.2, 0.7, 0.9, 1.3, 0.8]), TURN, (1, -2, 3))
    assert codes(measured(body * size)) == []
    assert codes(measured(joined(CUBE, CUBE, CUBE) * size)) == ["volume_exceeds_box"]


def test_areas_whose_powers_are_beyond_floats() -> None:
    """An area of 2e206 has a third power, and a root of it, that no float64 holds."""
    body = measured(box((-1, -1, -1), (1, 1, 1)))
    bounds = np.array([[-1e103, -1e103, 0], [1e103, 1e103, 1e-105]])
    flat = replace(body, area=8e206, volume=4e101, center=np.array([0, 0, 5e-106]), bounds=bounds)
    assert codes(flat) == []
    assert codes(replace(flat, bounds=bounds * 1e10)) == []


def test_thin_bodies_that_reach_the_triangle_inequality() -> None:
    """I1 + I2 is I3 but for the thickness, which round-off must not turn round."""
    for thickness in (1e-3, 1e-6, 1e-9, 1e-12):
        for turn in (rotation(1, 0, 0, 0), TURN):
            assert codes(measured(moved(box((0, 0, 0), (1, 1, thickness)), turn))) == []


def test_a_ring_has_its_centre_in_its_box_only() -> None:
    assert codes(measured(moved(torus(3, 0.1, 20, 5), TURN, (50, 60, 70)))) == []
