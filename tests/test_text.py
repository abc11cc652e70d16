"""The fixed-width report, to the letter, and read back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from massprops.core.inertia import MassProperties
from massprops.core.moments import AffineMap, Moments
from massprops.core.notice import Notice
from massprops.core.statistics import statistics
from massprops.core.surface import TriangleArray
from massprops.report.text import notices, summary, text
from massprops.result import Result

TWELFTH = Fraction(1, 12)
CUBE = Moments.of(1, [0, 0, 0], [[TWELFTH, 0, 0], [0, TWELFTH, 0], [0, 0, TWELFTH]], [0.5, 0.5, 0.5])


def block(**more: Any) -> str:
    properties = MassProperties.of(CUBE, density=2, about=more.pop("about", None))
    return text(Result("cube.stl", "stl", properties=properties, **more), heading=False)


ZERO, THIRD, HALF = "  0.000000000000000E+00", "  3.333333333333333E-01", "  5.000000000000000E-01"
ONE, TWO, BLANK = "  1.000000000000000E+00", "  2.000000000000000E+00", " " * 22


def rows(*diagonal: str) -> list[str]:
    return [BLANK + "".join(d if i == j else ZERO for j in range(3)) for i, d in enumerate(diagonal)]


def test_the_printed_example() -> None:
    assert block().splitlines() == [
        "mass properties, density " + TWO,
        "  mass                " + TWO,
        "  centre of mass      " + HALF * 3,
        "  inertia tensor about the centre of mass:",
        *rows(THIRD, THIRD, THIRD),
        "  principal moments   " + THIRD * 3,
        "  principal axes (columns):",
        *rows(ONE, ONE, ONE),
        "  equal moments: their axes are one set of many",
    ]


def test_about_a_point_comes_after_the_first_tensor() -> None:
    lines = block(about=(0.5, 0.5, 1.5)).splitlines()
    at = lines.index("  inertia tensor about the point:")
    assert at == 7
    assert lines[at + 1].startswith("  point               " + HALF * 2)
    assert [float(x) for x in lines[at + 2].split()] == pytest.approx([1 / 3 + 2, 0, 0], rel=1e-15)


def test_labels_name_their_units_and_stay_22_wide() -> None:
    lines = block(unit="mm", about=(0, 0, 0)).splitlines()
    for label in ("  mass [kg]", "  centre of mass [m]", "  point [m]", "  principal [kg m^2]"):
        line = next(line for line in lines if line.startswith(label))
        assert line[: len(label.ljust(22))] == label.ljust(22)
        assert (len(line) - 22) % 23 == 0
    assert lines[0].startswith("mass properties, density [kg/m^3] ")
    assert "  inertia tensor about the centre of mass [kg m^2]:" in lines


def test_the_numbers_read_back_are_those_of_the_body() -> None:
    rng = np.random.default_rng(3)
    affine = AffineMap.of(rng.normal(size=(3, 3)).tolist(), rng.normal(size=3).tolist())
    found = MassProperties.of(CUBE.mapped(affine), density=7.25, about=(1, 2, 3))
    lines = text(Result("a", "stl", properties=found), heading=False).splitlines()
    numbers = [[float(word) for word in line[22:].split()] for line in lines[1:] if not line.endswith(":")]
    wanted = [
        [found.mass], found.center, *found.inertia, found.about, *found.inertia_about, found.principal_moments,
        *found.principal_axes,
    ]  # fmt: skip
    for read, value in zip(numbers, wanted, strict=True):
        assert read == pytest.approx(list(value), rel=1e-15, abs=0)


def test_zeros_are_never_negative() -> None:
    assert "-0.000000000000000E+00" not in block()
    mirrored = MassProperties.of(CUBE.mapped(AffineMap.of(np.diag([-1, 1, 1]), [-0.0, -0.5, -0.5])))
    assert "-0.000000000000000E+00" not in text(Result("a", properties=mirrored), heading=False)


def test_what_was_not_measured_is_one_line_under_its_heading() -> None:
    result = Result("a.stl", "stl", "open", "3 boundary edges", 3)
    assert text(result, heading=True) == "a.stl\nmass properties: not measured: open: 3 boundary edges\n"
    assert text(result, heading=False) == "mass properties: not measured: open: 3 boundary edges\n"
    assert list(notices(result)) == ["a.stl: open: 3 boundary edges"]


def test_warnings_and_summary_for_standard_error() -> None:
    result = Result("a.stl", warnings=(Notice("hairline", "one"), Notice("solids", "two")))
    assert list(notices(result)) == ["a.stl: warning: hairline: one", "a.stl: warning: solids: two"]
    assert summary([result, Result("b.stl", status="open")]) == "2 inputs: 1 measured, 1 not"


def test_statistics() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
    triangles = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    identity = AffineMap.identity()
    whole = Result("a.stl", "stl", statistics=statistics(TriangleArray(triangles), identity))
    lines = text(whole, heading=True).splitlines()
    assert lines[:3] == ["a.stl", "file                  a.stl", "format                stl"]
    labels = {line[:22].strip(): line[22:].strip() for line in lines[1:]}
    assert float(labels["volume"]) == 1
    assert float(labels["area"]) == pytest.approx(9, rel=1e-15)
    assert labels["facets"] == "4"
    assert [labels[f"with {k} open edge{'s' * (k > 1)}"] for k in (1, 2, 3)] == ["0", "0", "0"]
    assert labels["non-manifold edges"] == "0"
    broken = Result("a.stl", "stl", statistics=statistics(TriangleArray(triangles[1:]), identity))
    labels = {line[:22].strip(): line[22:].strip() for line in text(broken, heading=False).splitlines()}
    assert labels["volume"] == "none: open"
    assert labels["with 1 open edge"] == "3"
