"""The fixed-width report, to the letter, and read back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.accuracy import Accuracy
from massprops.core.affine_map import AffineMap
from massprops.core.inertia import MassProperties
from massprops.core.moments import Moments
from massprops.core.notice import Notice
from massprops.core.repair import Record
from massprops.core.statistics import statistics
from massprops.core.surface import TriangleArray
from massprops.core.winding import WindingCheck
from massprops.report.text import _bound, notices, summary, text
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
    assert summary(2, 1) == "2 inputs: 1 measured, 1 not"


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


# Bounds


def test_bounds_stand_behind_the_numbers_that_have_one() -> None:
    properties = MassProperties.of(CUBE, density=2, about=(0.5, 0.5, 1.5))
    result = Result("cube.stl", "stl", properties=properties, accuracy=Accuracy(1.23e-16, 5e-17, 9.91e-17))
    plain, bounded = text(result, heading=False), text(result, heading=False, bounds=True)
    tails = [new.removeprefix(old) for old, new in zip(plain.splitlines(), bounded.splitlines(), strict=True)]
    row = "  +- 1.0E-16"
    assert tails == [
        "", "  +- 2.5E-16", "  +- 5.0E-17", "", row, row, row, "", "", "", "", "", "  +- 3.0E-16", "", "", "", "", ""
    ]  # fmt: skip


def test_without_bounds_none_are_printed() -> None:
    assert block(accuracy=Accuracy(1e-16, 1e-16, 1e-16)) == block()


@settings(deadline=None, max_examples=300)
@given(st.floats(0, 1e307))
def test_a_printed_bound_is_never_below_the_bound_nor_much_above(value: float) -> None:
    printed = _bound(value)
    assert printed.startswith("  +- ")
    assert value <= float(printed[5:]) <= 1.1 * value + 5e-324
    assert len(printed[5:].partition("E")[0]) == 3


@pytest.mark.parametrize(("value", "printed"), [
    (0.0, "0.0E+00"), (1e-16, "1.0E-16"), (np.nextafter(1e-16, 1), "1.1E-16"), (9.91e-16, "1.0E-15"), (2.0, "2.0E+00"),
    (np.nextafter(2, 3), "2.1E+00"), (99.0, "9.9E+01"), (99.1, "1.0E+02"), (1.2e-308, "1.2E-308"), (5e-324, "4.9E-324"),
    (1.5e-323, "1.5E-323"),
])  # fmt: skip
def test_bounds_are_rounded_up(value: float, printed: str) -> None:
    assert _bound(value) == f"  +- {printed}"
    assert float(printed) >= value


# What was counted


def test_the_table_of_what_was_counted() -> None:
    computed = MassProperties.of(CUBE)
    shifted = AffineMap.of(np.diag([2, 1, 1]).tolist(), [0.25, 0, -0.5])
    counted = MassProperties.of(CUBE.mapped(shifted))
    check = WindingCheck(196608, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    lines = text(Result("a.stl", properties=computed, counted=counted, check=check), heading=False).splitlines()
    start = lines.index("counted along 196608 lines against computed:")
    titles, *rows = lines[start + 1 :]
    assert titles == " " * 22 + "counted".rjust(23) + "computed".rjust(23) + "difference".rjust(23)
    assert [row[:22].strip() for row in rows] == [
        "volume", "centre x", "centre y", "centre z", "inertia xx", "inertia yy", "inertia zz", "inertia xy",
        "inertia xz", "inertia yz",
    ]  # fmt: skip
    assert all(len(row) == 22 + 3 * 23 for row in rows)
    numbers = np.array([[float(word) for word in row[22:].split()] for row in rows])
    assert numbers[:, 0] - numbers[:, 1] == pytest.approx(numbers[:, 2], abs=1e-15)
    assert numbers[:4].tolist() == [[2, 1, 1], [1.25, 0.5, 0.75], [0.5, 0.5, 0], [0, 0.5, -0.5]]
    assert numbers[4:7, 0] == pytest.approx([1 / 3, 5 / 6, 5 / 6], rel=1e-15)
    assert "principal axes" in "".join(lines[:start])


def test_no_table_without_counting() -> None:
    check = WindingCheck(9216, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    assert block(check=check) == block()


# Repairs


def test_statistics_before_and_after_stand_side_by_side() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
    triangles = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    identity = AffineMap.identity()
    before, after = statistics(TriangleArray(triangles[1:]), identity), statistics(TriangleArray(triangles), identity)
    lines = text(Result("a.stl", "stl", statistics=after, before=before), heading=False).splitlines()
    titles = " " * 22 + "before".rjust(23) + "after".rjust(23)
    assert lines[:3] == ["file                  a.stl", "format                stl", titles]
    assert {len(line) for line in lines[3:]} == {22 + 2 * 23}
    rows = {line[:22].rstrip(): (line[22:45].strip(), line[45:].strip()) for line in lines[3:]}
    assert rows["volume"] == ("none: open", "1.000000000000000E+00")
    assert rows["centroid y"] == ("none", "5.000000000000000E-01")
    assert rows["facets"] == ("3", "4")
    assert rows["  with 1 open edge"] == ("3", "0")
    alone = text(Result("a.stl", "stl", statistics=after), heading=False).splitlines()[2:]
    assert [(line[:22], line[22:].strip()) for line in alone] == [(line[:22], line[45:].strip()) for line in lines[3:]]


def test_statistics_side_by_side_name_their_units() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
    found = statistics(TriangleArray(corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]), AffineMap.identity())
    lines = text(Result("a.stl", "stl", statistics=found, before=found, unit="mm"), heading=False).splitlines()
    assert {len(line) for line in lines[3:]} == {22 + 2 * 23}
    assert [line[:22].rstrip() for line in lines if "[" in line] == [
        *(f"{name} {axis} [m]" for name in ("extents", "from", "to") for axis in "xyz"), "volume [m^3]",
        *(f"centroid {axis} [m]" for axis in "xyz"), "area [m^2]",
    ]  # fmt: skip


def test_repairs_come_first_on_standard_error_a_line_each() -> None:
    records = (Record("clip", "clip: 2 facets dropped", True), Record("sanitize", "sanitize: nothing to do", False))
    result = Result("a.stl", "stl", "open", "1 edge", repairs=records, warnings=(Notice("solids", "two"),))
    assert list(notices(result)) == [
        "a.stl: clip: 2 facets dropped", "a.stl: sanitize: nothing to do", "a.stl: warning: solids: two",
        "a.stl: open: 1 edge",
    ]  # fmt: skip
