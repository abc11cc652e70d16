"""What is asked, and the refusal of what makes no sense."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.moments import rationals
from massprops.core.raygrid import MAX_LINES
from massprops.errors import PlanError
from massprops.plan import MOST_LINES, Plan, SpinPlan, motion, unit_symbol

NAN, INF = math.nan, math.inf
parts = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)
directions = st.tuples(parts, parts, parts).filter(any)


@pytest.mark.parametrize(("given", "words"), [
    ({"inputs": ()}, "no input"),
    ({"density": 0.0}, "--density 0"),
    ({"density": -0.0}, "--density"),
    ({"density": -7850.0}, "--density -7850"),
    ({"density": NAN}, "--density nan"),
    ({"density": INF}, "--density inf"),
    ({"about": (0.0, NAN, 0.0)}, "--about"),
    ({"about": (0.0, 0.0, -INF)}, "--about"),
    ({"units": "furlong"}, "--units furlong"),
    ({"units": "MM"}, "--units MM"),
    ({"units": ""}, "--units"),
    ({"inputs": ("-", "a.stl", "-")}, "standard input"),
    ({"inputs": ("-",), "merge": "-"}, "standard input"),
    ({"inputs": ("a.stl", "b.stl"), "merge": "-"}, "standard input"),  # which the first would have read to its end
    ({"clip": (0.0, 0.0, 0.0, 1.0, NAN, 1.0)}, "--clip 0 0 0 1 nan 1"),
    ({"clip": (0.0, 0.0, 0.0, 1.0, 1.0, INF)}, "--clip"),
    ({"weld_tolerance": 0.0, "sanitize": True}, "--weld_tolerance 0"),
    ({"weld_tolerance": -1e-5, "sanitize": True}, "--weld_tolerance -1e-05"),
    ({"weld_tolerance": 1.0, "sanitize": True}, "--weld_tolerance 1"),
    ({"weld_tolerance": NAN, "sanitize": True}, "--weld_tolerance nan"),
    ({"weld_tolerance": 1e-4}, "--weld_tolerance needs --connect_nearby or --sanitize"),
    ({"weld_tolerance": 1e-4, "fill_holes": True}, "--weld_tolerance needs"),
    ({"max_hole_edges": 8}, "--max_hole_edges needs --fill_holes"),
    ({"max_hole_edges": 8, "sanitize": True}, "--max_hole_edges needs"),
    ({"check_lines": -1}, "--check_lines -1"),
    ({"check_lines": MOST_LINES + 1}, f"--check_lines {MOST_LINES + 1}: from 0 to {MOST_LINES}"),
    ({"verify": True, "mass_properties": True, "check_lines": 0}, "--check_lines 0 leaves it none"),
    ({"verify": True}, "--verify needs --mass_properties"),
    ({"spin": SpinPlan((0.0, 0.0, 1.0))}, "--spin needs --mass_properties"),
])  # fmt: skip
def test_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words) as caught:
        Plan(**{"inputs": ("a.stl",), **given})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("given", "words"), [
    ({"mirror_normal": (0.0, 0.0, 0.0)}, "--mirror_normal"),
    ({"mirror_normal": (0.0, NAN, 1.0)}, "--mirror_normal"),
    ({"resize": (1.0, 0.0, 1.0)}, "factor of 0"),
    ({"resize": (1.0, -0.0, 1.0)}, "factor of 0"),
    ({"resize": (1.0, INF, 1.0)}, "--resize_factor"),
    ({"rotate_axis": (0.0, 0.0, 1.0)}, "--rotate_axis without --rotate_angle"),
    ({"rotate_angle": 1.0}, "--rotate_angle without --rotate_axis"),
    ({"rotate_axis": (0.0, -0.0, 0.0), "rotate_angle": 1.0}, "--rotate_axis 0 0 0"),
    ({"rotate_axis": (0.0, INF, 0.0), "rotate_angle": 1.0}, "--rotate_axis"),
    ({"rotate_axis": (0.0, 1.0, 0.0), "rotate_angle": NAN}, "--rotate_angle nan"),
    ({"translate": (0.0, 0.0, NAN)}, "--translate_delta"),
])  # fmt: skip
def test_motions_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words) as caught:
        motion(**given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("units", [None, "um", "mm", "cm", "m", "in", "ft", "file"])
def test_accepted(units: str | None) -> None:
    plan = Plan(("a.stl", "-"), density=5e-324, about=(1.0, -2.0, 0.0), units=units)
    assert plan.affine.is_identity
    assert not plan.mass_properties


@pytest.mark.parametrize("factor", [1e-300, -3.0, 0.1, 1e300])
def test_resizing_is_exact(factor: float) -> None:
    found = motion(resize=(factor, 1.0, 2.0))
    assert found.matrix.tolist() == rationals(np.diag([factor, 1, 2])).tolist()


@settings(deadline=None, max_examples=50)
@given(directions)
def test_a_mirror_is_an_exact_reflection(normal: tuple[float, float, float]) -> None:
    found = motion(mirror_normal=normal)
    n = rationals(normal)
    assert np.all(found.matrix @ n == -n)
    assert found.determinant == -1
    assert found.then(found).is_identity
    assert np.all(found.matrix == found.matrix.T)


@settings(deadline=None, max_examples=50)
@given(directions, st.floats(-100, 100))
def test_a_rotation_is_right_handed_and_keeps_its_axis(axis: tuple[float, float, float], angle: float) -> None:
    matrix = motion(rotate_axis=axis, rotate_angle=angle).matrix.astype(float)
    u = np.array(axis) / np.linalg.norm(axis)
    assert np.abs(matrix.T @ matrix - np.eye(3)).max() <= 2e-15
    assert np.abs(matrix @ u - u).max() <= 1e-15
    side = np.cross(u, np.eye(3)[np.argmin(np.abs(u))])
    side /= np.linalg.norm(side)
    wanted = math.cos(angle) * side + math.sin(angle) * np.cross(u, side)
    assert np.abs(matrix @ side - wanted).max() <= 2e-15


@pytest.mark.parametrize("axis", [(1e-320, 0.0, 0.0), (1e308, 1e308, -1e308), (0.0, 3e-200, 4e-200)])
def test_axes_of_any_length(axis: tuple[float, float, float]) -> None:
    matrix = motion(rotate_axis=axis, rotate_angle=0.3).matrix.astype(float)
    assert np.abs(matrix.T @ matrix - np.eye(3)).max() <= 2e-15
    assert np.trace(matrix) == pytest.approx(1 + 2 * math.cos(0.3), rel=1e-15)


def test_the_order_is_mirror_resize_rotate_translate() -> None:
    found = motion((1.0, 0.0, 0.0), (2.0, 3.0, 5.0), (0.0, 0.0, 1.0), math.pi / 2, (10.0, 20.0, 30.0))
    image = found.apply(rationals([1, 1, 1])).astype(float)
    # (1, 1, 1) -> (-1, 1, 1) -> (-2, 3, 5) -> (-3, -2, 5) -> (7, 18, 35)
    assert image == pytest.approx([7, 18, 35], rel=1e-15)


def test_nothing_asked_is_the_identity() -> None:
    assert motion().is_identity
    assert motion(resize=(1.0, 1.0, 1.0), translate=(0.0, -0.0, 0.0)).is_identity
    assert motion(translate=(0.1, 0.0, 0.0)).translation.tolist() == [Fraction(0.1), 0, 0]


@pytest.mark.parametrize(("given", "words"), [
    ({"omega": (0.0, 0.0, -0.0)}, "--spin 0 0 0"),
    ({"omega": (0.0, NAN, 1.0)}, "--spin 0 nan 1"),
    ({"omega": (0.0, INF, 1.0)}, "--spin"),
    ({"duration": 0.0}, "--duration 0"),
    ({"duration": -1.0}, "--duration -1"),
    ({"duration": INF}, "--duration inf"),
    ({"step": 0.0}, "--step 0"),
    ({"step": NAN}, "--step nan"),
    ({"method": "euler"}, "--spin_method euler: known are rk4, dop853"),
    ({"method": "RK4"}, "--spin_method RK4"),
])  # fmt: skip
def test_spins_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words) as caught:
        SpinPlan(**{"omega": (0.0, 0.0, 1.0), **given})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("given", "repairs"), [
    ({}, False), ({"exact": True, "check_lines": 0}, False), ({"clip": (0.0,) * 6}, True), ({"merge": ""}, True),
    ({"connect_nearby": True, "weld_tolerance": 0.5}, True), ({"sanitize": True}, True), ({"fill_holes": True}, True),
])  # fmt: skip
def test_what_changes_facets(given: dict[str, Any], repairs: bool) -> None:
    assert Plan(("a.stl",), **given).repairs is repairs


def test_one_of_many_inputs_may_come_from_the_pipe() -> None:
    assert Plan(("a.stl", "-", "b.stl")).inputs[1] == "-"
    assert Plan(("a.stl",), merge="-").merge == "-"


@pytest.mark.parametrize(("symbol", "names"), [
    ("um", "um UM micron Microns micrometer \u00b5m \u03bcm \u00b5M"), ("mm", "mm MM Mm millimetre Millimeters"),
    ("cm", "CM centimeter"), ("m", "m M metre METERS"), ("in", "in IN inch Inches"), ("ft", "ft FT foot Feet"),
    ("file", "file FILE"),
])  # fmt: skip
def test_units_by_any_of_their_names(symbol: str, names: str) -> None:
    assert {unit_symbol(name) for name in names.split()} == {symbol}
    assert unit_symbol(f" {names.split()[0]} ") == symbol


@pytest.mark.parametrize("name", ["furlong", "", "Furlong", "mmm", "m m", "micron microns"])
def test_units_that_are_not_known_stay_as_they_are(name: str) -> None:
    assert unit_symbol(name) == name
    with pytest.raises(PlanError, match=f"--units {name}: known are um, mm, cm, m, in, ft and file; reach others by"):
        Plan(("a.stl",), units=name)


def test_as_many_lines_are_allowed_as_are_counted_along() -> None:
    assert MOST_LINES == MAX_LINES
