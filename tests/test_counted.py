"""What was counted goes the way of what was computed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.affine_map import AffineMap
from massprops.core.counted import Counted, counted, counted_properties
from massprops.core.surface import TriangleArray
from massprops.core.winding import WindingCheck, scaled
from massprops.motion import motion
from tests.oracle import exact, exact_array, floats, l_prism, moved, reverse, rotation, tensor_error

TURN = rotation(3, 1, -2, 5)
BODY = moved(l_prism(), TURN, (1, -2, 3))
CHECK = WindingCheck(9216, 3.5, 0.25, 0.125, 3.25, 0.375, 0.0625, 2)

factors = st.tuples(*[st.integers(-160, 160).filter(bool).map(lambda n: n / 16)] * 3)
directions = st.tuples(*[st.integers(-9, 9).map(float)] * 3).filter(any)


def exactly_counted(triangles: Any) -> Counted:
    """As if every line had been laid: the exact values, rounded."""
    body = exact(triangles)
    return Counted(1, float(body.volume), floats(body.center), floats(body.inertia))


def test_nothing_asked_changes_nothing() -> None:
    assert scaled(CHECK, AffineMap.identity()) is CHECK


@settings(deadline=None, max_examples=40)
@given(factors, directions, st.floats(-7, 7))
def test_volumes_grow_by_the_absolute_determinant(resize: Any, axis: Any, angle: float) -> None:
    found = scaled(CHECK, motion((1.0, 2.0, 3.0), resize, axis, angle, (1e3, 1e-3, -7.0)))
    factor = abs(math.prod(resize))
    assert (found.lines, found.stray_lines) == (CHECK.lines, CHECK.stray_lines)
    for name in WindingCheck._fields[1:-1]:
        assert getattr(found, name) == pytest.approx(factor * getattr(CHECK, name), rel=1e-14)


@pytest.mark.parametrize(("volume", "factor"), [(1e300, 1e-110), (1e-300, 1e110), (1e270, 1e-190), (1e-300, 1e200)])
def test_factors_whose_third_power_is_no_float(volume: float, factor: float) -> None:
    found = scaled(WindingCheck(1, volume, volume / 2, 0.0, volume, 0.0, 0.0), motion(resize=(factor, factor, factor)))
    wanted = Fraction(volume) * Fraction(factor) ** 3
    assert found.volume == pytest.approx(float(wanted), rel=1e-15)
    assert found.overlap_volume == pytest.approx(float(wanted) / 2, rel=1e-15)
    assert found.inverted_volume == 0


@settings(deadline=None, max_examples=25)
@given(st.none() | directions, factors, st.sampled_from([0.5, 1.0, 7850.0]))
def test_all_properties_go_through_a_map(mirror: Any, resize: Any, density: float) -> None:
    affine = motion(mirror, resize, (1.0, 2.0, 3.0), 0.7, (5.0, -6.0, 7.0))
    image = exact_array(BODY.tolist()) @ affine.matrix.T + affine.translation
    wanted = exact(reverse(image) if affine.determinant < 0 else image)
    found = counted_properties(exactly_counted(BODY), affine, density)
    assert found is not None
    assert found.volume == pytest.approx(float(wanted.volume), rel=1e-14)
    assert found.center == pytest.approx(floats(wanted.center), rel=1e-13, abs=1e-13)
    assert tensor_error(found.inertia, Fraction(density) * wanted.inertia) <= 1e-13
    assert found.density == density


@pytest.mark.parametrize("affine", [AffineMap.identity(), motion((1.0, 1.0, 0.0), (2.0, 3.0, 0.5))])
def test_counting_along_lines_converges_to_the_exact_values(affine: AffineMap) -> None:
    image = exact_array(BODY.tolist()) @ affine.matrix.T + affine.translation
    wanted = exact(reverse(image) if affine.determinant < 0 else image)
    errors = []
    for lines in (8, 32, 128):
        found = counted_properties(
            counted(TriangleArray(BODY), BODY.min(axis=(0, 1)), BODY.max(axis=(0, 1)), lines), affine, 1.0
        )
        assert found is not None
        errors.append([
            abs(found.volume / float(wanted.volume) - 1), np.abs(found.center - floats(wanted.center)).max(),
            tensor_error(found.inertia, wanted.inertia),
        ])  # fmt: skip
    coarse, middle, fine = np.array(errors)
    assert (middle < coarse / 2).all()
    assert (fine < middle / 2).all()
    assert fine.max() < 1e-3


NOTHING = [
    Counted(0, 0.0, np.zeros(3), np.zeros((3, 3))),
    Counted(64, -1.5, np.ones(3), np.eye(3)),
    Counted(64, 1e200, np.ones(3), np.full((3, 3), np.inf)),
    Counted(64, 1e200, np.ones(3), np.where(np.eye(3) > 0, np.inf, np.nan)),
]


@pytest.mark.parametrize("case", range(len(NOTHING)))
def test_nothing_counted_is_nothing(case: int) -> None:
    assert counted_properties(NOTHING[case], motion(resize=(2.0, 2.0, 2.0)), 1.0) is None
