"""A plane section as a JSON object: the same numbers as the library, null for what it has not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from massprops.core.curve import Curve
from massprops.core.notice import Notice
from massprops.core.raster import count_squares
from massprops.core.section_properties import SectionModuli
from massprops.report.json_report import document, result_object
from massprops.report.section_json import OF_SOLIDS, section_object
from massprops.result import Result
from massprops.sections import section_properties

U, V = [0.5, 4.25, 4.5, 1.25, 0.75], [-1.5, -1.25, 0.5, 0.25, 3.0]
FOUND = section_properties((U, V), density=2.5, about=(1, -2))
RESULT = Result("l.csv", "csv", section=FOUND, kind="section", unit="mm")


def test_the_numbers_are_those_of_the_library() -> None:
    found = section_object(RESULT)
    for name in ("density", "mass", "area", "perimeter", "polar_moment", "principal_angle", "equal_moments"):
        assert found[name] == getattr(FOUND, name), name
    for name in ("bounds", "center", "second_moments", "principal_moments", "radii_of_gyration"):
        assert found[name] == getattr(FOUND, name).tolist(), name
    assert FOUND.second_moments_about is not None
    assert found["about"] == {
        "point": [1, -2], "second_moments": FOUND.second_moments_about.tolist(),
        "polar_moment": FOUND.polar_moment_about,
    }  # fmt: skip
    assert FOUND.section_moduli is not None
    names = ("about_u", "about_v", "about_long", "about_short")
    assert found["section_moduli"] == {name: getattr(FOUND.section_moduli, name).tolist() for name in names}
    assert (found["file"], found["format"], found["kind"], found["status"], found["message"], found["units"]) == (
        "l.csv", "csv", "section", "ok", None, "mm",
    )  # fmt: skip


def test_what_only_solids_have_is_null() -> None:
    found = section_object(RESULT)
    assert [found[name] for name in OF_SOLIDS] == [None] * len(OF_SOLIDS)
    assert (found["repairs"], found["warnings"], found["diagnosis"], found["counted"]) == ([], [], None, None)


def test_without_a_point_there_is_none() -> None:
    found = section_object(RESULT._replace(section=section_properties((U, V))))
    assert (found["about"], found["density"]) == (None, 1)


def test_counted_squares() -> None:
    squares = count_squares(Curve.from_loops(U, V), 16, density=2.5)
    found = section_object(RESULT._replace(squares=squares))["counted"]
    assert found == {
        "squares": squares.squares, "area": squares.area, "center": squares.center.tolist(),
        "polar_moment": squares.polar_moment,
    }  # fmt: skip


def test_a_refused_section_has_no_numbers() -> None:
    diagnosis = {"loops": 1, "where": [[1.0, -0.0]]}
    found = section_object(
        Result("a.csv", "csv", "self_intersecting", "a loop crosses itself", diagnosis=diagnosis, kind="section")
    )
    numbers = {"density", "mass", "area", "perimeter", "bounds", "center", "second_moments", "polar_moment",
               "principal_moments", "principal_angle", "equal_moments", "radii_of_gyration", "about",
               "section_moduli", "counted"}  # fmt: skip
    assert {name for name in numbers if found[name] is None} == numbers
    assert found["diagnosis"] == {"loops": 1, "where": [[1.0, 0.0]]}


def test_both_kinds_have_the_shared_fields() -> None:
    section, solid = section_object(RESULT), result_object(Result("a.stl"))
    shared = {"file", "format", "kind", "status", "message", "facets", "density", "mass", "volume", "area", "center",
              "inertia", "about", "principal_moments", "principal_axes", "bounds", "repairs", "warnings", "check",
              "roundoff", "units", "diagnosis", "counted", "radii_of_gyration"}  # fmt: skip
    assert shared <= set(solid) <= set(section)
    assert result_object(RESULT) == section


def test_warnings_with_their_numbers() -> None:
    notices = (
        Notice("overlap", "loops overlap", {"union": 7.0, "where": [[1.0, 2.0]]}),
        Notice("ignored", "passed over: 2 TEXT, 1 code", {"code": 1, "TEXT": 2}),
        Notice("y_up", "y points down", {}),
    )
    assert section_object(RESULT._replace(warnings=notices))["warnings"] == [
        {"code": "overlap", "message": "loops overlap", "union": 7.0, "where": [[1.0, 2.0]]},
        {"code": "ignored", "message": "passed over: 2 TEXT, 1 code",
         "ignored": [{"name": "TEXT", "count": 2}, {"name": "code", "count": 1}]},
        {"code": "y_up", "message": "y points down"},
    ]  # fmt: skip


def test_an_infinite_modulus_is_null() -> None:
    pair = np.array([np.inf, 2.0])
    section = replace(FOUND, section_moduli=SectionModuli(pair, pair, pair, pair))
    found: dict[str, Any] = json.loads(document([RESULT._replace(section=section)]))["results"][0]
    assert found["section_moduli"]["about_u"] == [None, 2]


@pytest.mark.parametrize("scale", [1e-50, 1.0, 1e50])
def test_numbers_come_back_bit_for_bit(scale: float) -> None:
    section = section_properties((np.array(U) * scale, np.array(V) * scale))
    found = json.loads(document([RESULT._replace(section=section)]))["results"][0]
    assert found["second_moments"] == section.second_moments.tolist()
    assert found["principal_angle"] == section.principal_angle
