"""What is asked, and the refusal of what makes no sense."""

from __future__ import annotations

import math
from typing import Any

import pytest

from massprops.core.raygrid import MAX_LINES
from massprops.errors import PlanError
from massprops.plan import MOST_LINES, Plan, SpinPlan, unit_symbol

NAN, INF = math.nan, math.inf


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


@pytest.mark.parametrize("units", [None, "um", "mm", "cm", "m", "in", "ft", "file"])
def test_accepted(units: str | None) -> None:
    plan = Plan(("a.stl", "-"), density=5e-324, about=(1.0, -2.0, 0.0), units=units)
    assert plan.affine.is_identity
    assert not plan.mass_properties


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
