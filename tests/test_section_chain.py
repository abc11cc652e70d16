"""Plane sections through the command line: exact values from every format, moved, scaled, joined, or refused."""

from __future__ import annotations

import builtins
import math
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.oracle import Run, binary_stl, box, massprops

PI, ROOT2 = math.pi, math.sqrt(2)
FAR = 1_000_000

SVG = '<svg xmlns="http://www.w3.org/2000/svg" {size}>{shapes}</svg>'


def svg(shapes: str, size: str = 'width="9" height="9"') -> bytes:
    return SVG.format(size=size, shapes=shapes).encode()


def csv(*loops: Any, shift: float = 0) -> bytes:
    return "\n".join("".join(f"{u + shift!r},{v + shift!r}\n" for u, v in loop) for loop in loops).encode()


def dxf(*entities: str, unit: int | None = None) -> bytes:
    """A drawing of the entities, each as its type and pairs of group code and value: ``LINE 10 0 20 0 ...``."""
    header = "" if unit is None else f" 9 $INSUNITS 70 {unit}"
    tags = f"0 SECTION 2 HEADER 9 $ACADVER 1 AC1015{header} 0 ENDSEC 0 SECTION 2 ENTITIES "
    tags += " ".join(f"0 {entity}" for entity in entities) + " 0 ENDSEC 0 EOF"
    return "\n".join(tags.split()).encode() + b"\n"


def line(u0: float, v0: float, u1: float, v1: float, layer: str = "0") -> str:
    return f"LINE 8 {layer} 100 AcDbEntity 100 AcDbLine 10 {u0} 20 {v0} 11 {u1} 21 {v1}"


def polyline(*corners: tuple[float, ...], layer: str = "0") -> str:
    """Closed; a third number of a corner is the bulge of the segment after it."""
    rows = (f"10 {c[0]!r} 20 {c[1]!r}" + (f" 42 {c[2]!r}" if len(c) > 2 else "") for c in corners)
    return f"LWPOLYLINE 8 {layer} 100 AcDbEntity 100 AcDbPolyline 90 {len(corners)} 70 1 " + " ".join(rows)


def circle(u: float, v: float, radius: float, layer: str = "0") -> str:
    return f"CIRCLE 8 {layer} 100 AcDbEntity 100 AcDbCircle 10 {u} 20 {v} 40 {radius}"


L = [(0, 0), (100, 0), (100, 8), (8, 8), (8, 100), (0, 100)]
TRIANGLE = [(0, 0), (100, 0), (0, 80)]
Z = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (-3, 3), (-3, 2), (0, 2)]
SQUARE, HOLE = [(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 1), (2, 1), (2, 2), (1, 2)]
TUBE = [(-0.05, -0.1), (0.05, -0.1), (0.05, 0.1), (-0.05, 0.1)]
BORE = [(-0.04, -0.09), (0.04, -0.09), (0.04, 0.09), (-0.04, 0.09)]
TEN = [(0, 0), (10, 0), (10, 10), (0, 10)]
BOW_TIE = [(0, 0), (2, 2), (2, 0), (0, 2)]
KAPPA = 4 * (ROOT2 - 1) / 3
FOUR_CUBICS = (
    f'<path d="M1 0C1 {KAPPA} {KAPPA} 1 0 1S-1 {KAPPA}-1 0S{-KAPPA}-1 0-1S1 {-KAPPA} 1 0Z"/>'
)
DISC = (PI, (0, 0), (PI / 4, PI / 4, 0))
HALF_DISC = (PI / 2, (0, 4 / (3 * PI)), (PI / 8, PI / 8 - 8 / (9 * PI), 0))
CUBIC = (9 / 2, (9 / 10, 66 / 35), None)

# Contents; area, centroid, (int u^2, int v^2, int uv) about it; largest error relative to the largest of each
CASES: dict[str, tuple[bytes, Any, float]] = {
    "l.csv": (csv(L), (1536, (671 / 24, 671 / 24), (4445176 / 3, 4445176 / 3, -2645000 / 3)), 1e-15),
    "l.dxf": (dxf(polyline(*L)), (1536, (671 / 24, 671 / 24), (4445176 / 3, 4445176 / 3, -2645000 / 3)), 1e-15),
    "triangle.csv": (csv(TRIANGLE), (4000, (100 / 3, 80 / 3), (20000000 / 9, 12800000 / 9, -8000000 / 9)), 1e-15),
    "triangle.dxf": (  # lines in any order and direction
        dxf(line(0, 0, 100, 0), line(0, 0, 0, 80), line(100, 0, 0, 80)),
        (4000, (100 / 3, 80 / 3), (20000000 / 9, 12800000 / 9, -8000000 / 9)),
        1e-15,
    ),
    "z.wkt": (
        f"POLYGON (({', '.join(f'{u} {v}' for u, v in [*Z, Z[0]])}))".encode(),
        (9, (1 / 2, 3 / 2), (115 / 4, 35 / 4, -12)),
        1e-15,
    ),
    "hole.csv": (csv(SQUARE, HOLE), (15, (61 / 30, 61 / 30), (1259 / 60, 1259 / 60, -4 / 15)), 1e-15),
    "hole_turned.csv": (csv(SQUARE, HOLE[::-1]), (15, (61 / 30, 61 / 30), (1259 / 60, 1259 / 60, -4 / 15)), 1e-15),
    "hole.svg": (
        svg('<rect width="4" height="4" y="-4"/><rect x="1" y="-2" width="1" height="1"/>'),
        (15, (61 / 30, 61 / 30), (1259 / 60, 1259 / 60, -4 / 15)),
        1e-15,
    ),
    "far.csv": (csv(TEN, shift=FAR), (100, (FAR + 5, FAR + 5), (2500 / 3, 2500 / 3, 0)), 1e-15),
    "far_l.csv": (
        csv(L, shift=FAR), (1536, (FAR + 671 / 24, FAR + 671 / 24), (4445176 / 3, 4445176 / 3, -2645000 / 3)), 1e-15,
    ),
    "far_circle.dxf": (dxf(circle(FAR, FAR, 1)), (PI, (FAR, FAR), (PI / 4, PI / 4, 0)), 1e-9),
    "parabola.svg": (svg('<path d="M1 0Q0-2-1 0Z"/>'), (4 / 3, (0, 2 / 5), (4 / 15, 16 / 175, 0)), 1e-14),
    "cubics.svg": (
        svg(FOUR_CUBICS),
        (16 * ROOT2 / 3 - 22 / 5, (0, 0), (0.785838093440714, 0.785838093440714, 0)),
        2e-15,
    ),
    "arcs.svg": (svg('<path d="M1 0A1 1 0 0 1-1 0A1 1 0 0 1 1 0Z"/>'), DISC, 1e-14),
    "circle.svg": (svg('<circle r="1"/>'), DISC, 1e-14),
    "bulges.dxf": (dxf(polyline((1, 0, 1), (-1, 0, 1))), DISC, 1e-14),
    "circle.dxf": (dxf(circle(0, 0, 1)), DISC, 1e-14),
    "half.svg": (svg('<path d="M1 0A1 1 0 0 0-1 0Z"/>'), HALF_DISC, 1e-14),
    "half.dxf": (dxf(polyline((1, 0, 1), (-1, 0))), HALF_DISC, 1e-14),
    "cubic.svg": (svg('<path d="M0 0C1 0 2-3 3-3L0-3Z"/>'), CUBIC, 1e-14),
    "tube.csv": (
        csv(TUBE, BORE),
        (5.6e-3, (0, 0), ((0.2 * 0.1**3 - 0.18 * 0.08**3) / 12, (0.1 * 0.2**3 - 0.08 * 0.18**3) / 12, 0)),
        2e-15,
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, (contents, *_) in CASES.items():
        if name.endswith(".dxf"):
            continue
        (tmp_path / name).write_bytes(contents)
    (tmp_path / "cube.stl").write_bytes(binary_stl(box((0, 0, 0), (1, 1, 1))))
    return tmp_path


def put(name: str, contents: bytes) -> str:
    if name.endswith(".dxf"):
        pytest.importorskip("ezdxf")
    Path(name).write_bytes(contents)
    return name


def measured(*arguments: Any) -> dict[str, Any]:
    run = massprops(*arguments, "--mass_properties", "--json")
    (found,) = run.results
    assert (run.code, found["status"], found["kind"]) == (0, "ok", "section"), found["message"]
    return found


def refused(*arguments: Any) -> dict[str, Any]:
    run = massprops(*arguments, "--mass_properties", "--json")
    (found,) = run.results
    assert (run.code, found["kind"], found["mass"], found["center"]) == (1, "section", None, None)
    assert f": {found['status']}: {found['message']}" in run.err
    return found


def codes(found: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in found["warnings"]]


def near(wanted: Any, tolerance: float = 1e-15) -> Any:
    """To a part of the largest of them, and a last bit for the rounding of the formula here."""
    return pytest.approx(wanted, rel=0, abs=2 * tolerance * float(np.abs(wanted).max()))


# Exact values


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("folder")
def test_exact_values_through_files(name: str) -> None:
    contents, (area, center, second), tolerance = CASES[name]
    found = measured(put(name, contents), "--density", 3)
    assert found["area"] == near(area, tolerance)
    assert found["mass"] == near(3 * area, tolerance)
    assert found["center"] == pytest.approx(center, rel=tolerance, abs=max(tolerance, 1e-14))
    if second is not None:
        assert found["second_moments"] == near([3 * value for value in second], tolerance)
        assert found["polar_moment"] == near(3 * (second[0] + second[1]), tolerance)
    assert found["format"] == name.rpartition(".")[2]


@pytest.mark.parametrize(
    ("name", "moments", "degrees"),
    [
        ("l.csv", (600058 + 2 / 3, 2363392), -45),
        ("triangle.csv", [4e5 / 9 * (41 - sign * math.sqrt(481)) for sign in (1, -1)], -32.88613),
        ("z.wkt", [75 / 4 - sign * math.sqrt(244) for sign in (1, -1)], -25.09721),
    ],
)
@pytest.mark.usefixtures("folder")
def test_principal_moments_and_the_long_axis(name: str, moments: Any, degrees: float) -> None:
    found = measured(name)
    assert found["principal_moments"] == pytest.approx(moments, rel=1e-14)
    assert math.degrees(found["principal_angle"]) == pytest.approx(degrees, abs=5e-6)
    assert found["equal_moments"] is False


@pytest.mark.usefixtures("folder")
def test_the_tube_prints_what_the_literature_does() -> None:
    found = measured("tube.csv")
    uu, vv, _ = found["second_moments"]
    shown = " ".join(f"{value:.5E}" for value in (found["area"], vv, uu, found["polar_moment"]))
    assert shown == "5.60000E-03 2.77867E-05 8.98667E-06 3.67733E-05"


@pytest.mark.usefixtures("folder")
def test_equal_moments_are_told() -> None:
    found = measured("cubics.svg")
    assert (found["equal_moments"], found["principal_angle"]) == (True, 0)
    assert "  equal moments: every axis is a principal one\n" in massprops("cubics.svg", "--mass_properties").out


# Crossing and overlapping loops


@pytest.mark.usefixtures("folder")
def test_the_bow_tie() -> None:
    put("tie.csv", csv(BOW_TIE))
    found = refused("tie.csv")
    assert found["status"] == "self_intersecting"
    assert found["diagnosis"] == {"loops": 1, "where": [[1, 1]]}
    assert "--fill evenodd" in found["message"]
    found = measured("tie.csv", "--fill", "evenodd")
    assert (found["area"], found["center"]) == (near(2), near([1, 1]))
    assert found["second_moments"] == near([1, 1 / 3, 0])


@pytest.mark.usefixtures("folder")
def test_overlapping_squares() -> None:
    put("two.csv", csv([(0, 0), (2, 0), (2, 2), (0, 2)], [(1, 1), (3, 1), (3, 3), (1, 3)]))
    found = measured("two.csv")
    (warning,) = found["warnings"]
    assert (found["area"], warning["code"], warning["union"]) == (8, "overlap", near(7))
    assert (measured("two.csv", "--fill", "nonzero")["area"], measured("two.csv", "--fill", "evenodd")["area"]) == (
        near(7), near(6),
    )  # fmt: skip
    assert massprops("two.csv", "--mass_properties", "--strict").code == 1


@pytest.mark.usefixtures("folder")
def test_winding_as_drawn() -> None:
    put("clockwise.csv", csv(SQUARE[::-1]))
    assert measured("clockwise.csv")["area"] == 16
    assert refused("clockwise.csv", "--winding", "as_drawn")["status"] == "inside_out"
    put("both.csv", csv(SQUARE, HOLE))
    found = measured("both.csv", "--winding", "as_drawn")
    assert (found["area"], codes(found)) == (17, ["overlap"])
    assert measured("hole_turned.csv", "--winding", "as_drawn")["area"] == 15


@pytest.mark.usefixtures("folder")
def test_nothing_enclosed() -> None:
    put("flat.csv", csv([(0, 0), (1, 0), (2, 0)]))
    assert refused("flat.csv")["status"] == "zero_area"


# Open ends


@pytest.mark.usefixtures("folder")
def test_open_ends_are_refused_and_joined_when_asked() -> None:
    gap = 1e-3
    sides = [line(0, 0, 4, 0), line(4, gap, 4, 4), line(4, 4, 0, 4), line(0, 4, 0, 0)]
    name = put("gap.dxf", dxf(*sides))
    found = refused(name)
    assert (found["status"], found["diagnosis"]["open_edges"], found["diagnosis"]["loops"]) == ("open", 2, 1)
    assert found["diagnosis"]["largest_gap"] == pytest.approx(gap)
    assert "--connect_nearby" in found["message"]
    assert refused(name, "--connect_nearby")["status"] == "open"  # 1e-5 of the diagonal is less
    found = measured(name, "--connect_nearby", "--weld_tolerance", gap)
    assert (found["area"], codes(found)) == (pytest.approx(16, rel=gap), ["joined"])
    assert found["warnings"][0]["largest_gap"] == pytest.approx(gap)


# Layers, units


@pytest.mark.usefixtures("folder")
def test_layers() -> None:
    drawing = dxf(polyline(*TEN, layer="PLATE"), circle(5, 5, 2, layer="HOLES"), line(0, 5, 10, 5, layer="AXES"))
    name = put("layers.dxf", drawing)
    assert refused(name)["status"] == "open"
    assert measured(name, "--layer", "PLATE")["area"] == 100
    assert measured(name, "--layer", "PLATE", "--layer", "HOLES")["area"] == near(100 - 4 * PI)
    assert refused(name, "--layer", "NONE")["status"] == "empty"
    assert refused("l.csv", "--layer", "PLATE")["status"] == "unsupported"


@pytest.mark.usefixtures("folder")
def test_units() -> None:
    steel, (a, b) = 7850, (Fraction(100, 1000), Fraction(80, 1000))
    found = measured("triangle.csv", "--units", "mm", "--density", steel, "--about", 100, 0)
    assert (found["units"], found["area"]) == ("mm", near(float(a * b / 2)))
    assert found["mass"] == near(float(steel * a * b / 2))
    assert found["second_moments"] == near([float(steel * a**3 * b / 36), float(steel * a * b**3 / 36),
                                            float(-steel * a**2 * b**2 / 72)])  # fmt: skip
    assert found["about"]["point"] == [0.1, 0]  # given in millimetres too
    assert found["about"]["second_moments"][0] == near(float(steel * a**3 * b / 4))
    assert "area [m^2]" in massprops("triangle.csv", "--units", "mm", "--mass_properties").out
    assert refused("triangle.csv", "--units", "file")["status"] == "unsupported"


@pytest.mark.parametrize(("code", "unit", "metres"), [(1, "in", 0.0254), (4, "mm", 1e-3), (6, "m", 1.0)])
@pytest.mark.usefixtures("folder")
def test_the_unit_of_a_drawing(code: int, unit: str, metres: float) -> None:
    found = measured(put("unit.dxf", dxf(polyline(*TEN), unit=code)), "--units", "file")
    assert (found["units"], found["area"]) == (unit, near(100 * metres**2))


@pytest.mark.usefixtures("folder")
def test_another_unit_than_that_of_a_drawing_is_told() -> None:
    put("inch.dxf", dxf(polyline(*TEN), unit=1))
    told = measured("inch.dxf", "--units", "mm")["warnings"]
    assert [(notice["code"], notice["message"][:20]) for notice in told] == [("units", "the file's unit, in,")]
    for units in (["in"], ["file"]):
        assert codes(measured("inch.dxf", "--units", *units)) == []
    assert codes(measured("inch.dxf")) == []
    put("pixels.svg", svg('<rect x="1" y="1" width="4" height="2"/>'))
    assert codes(measured("pixels.svg", "--units", "mm")) == ["y_up"]


@pytest.mark.usefixtures("folder")
def test_a_drawing_without_unit() -> None:
    assert refused(put("unit.dxf", dxf(polyline(*TEN))), "--units", "file")["status"] == "unsupported"


@pytest.mark.usefixtures("folder")
def test_the_unit_of_an_svg() -> None:
    put("unit.svg", svg('<rect x="1" y="1" width="4" height="2"/>', 'width="30mm" height="20mm" viewBox="0 0 30 20"'))
    found = measured("unit.svg", "--units", "file")
    assert (found["area"], found["center"]) == (near(8e-6), near([3e-3, -2e-3]))
    assert codes(found) == ["y_up"]


# Points, moves


@pytest.mark.usefixtures("folder")
def test_a_point_of_two_numbers_or_three() -> None:
    found = measured("triangle.csv", "--about", 100, -7.5)
    about = found["about"]
    du, dv = 100 / 3 - 100, 80 / 3 + 7.5
    second = [20000000 / 9 + 4000 * du**2, 12800000 / 9 + 4000 * dv**2, -8000000 / 9 + 4000 * du * dv]
    assert (about["point"], about["second_moments"]) == ([100, -7.5], near(second))
    assert about["polar_moment"] == near(second[0] + second[1])
    assert measured("triangle.csv", "--about", 100, -7.5, 3)["about"] == about
    report = massprops("triangle.csv", "--mass_properties", "--about", 100, -7.5)
    assert (report.code, "second moments about the point:" in report.out) == (0, True)


def moved(*flags: Any) -> tuple[float, list[float], list[float]]:
    """Area, centroid and second moments of the triangle."""
    found = measured("triangle.csv", *flags)
    return found["area"], found["center"], found["second_moments"]


@pytest.mark.usefixtures("folder")
def test_resizing() -> None:
    area, center, second = moved("--resize_factor", 2, 3, 7)
    assert (area, center) == (24000, near([200 / 3, 80]))
    assert second == near([24 * 20000000 / 9, 54 * 12800000 / 9, 36 * -8000000 / 9])
    assert moved("--resize_x", 2, "--resize_y", 3) == (area, center, second)


@pytest.mark.usefixtures("folder")
def test_translating() -> None:
    area, center, second = moved("--translate_delta", 10, -20, 5)
    assert (area, center) == (4000, near([130 / 3, 20 / 3]))
    assert second == moved()[2]
    assert moved("--translate_x", 10, "--translate_y", -20) == (area, center, second)


@pytest.mark.parametrize(("normal", "matrix"), [
    ((1, 0, 0), [[-1, 0], [0, 1]]), ((0, -2, 0), [[1, 0], [0, -1]]), ((1, 1, 0), [[0, -1], [-1, 0]]),
    ((0, 0, 1), [[1, 0], [0, 1]]), ((3, 4, 0), [[7 / 25, -24 / 25], [-24 / 25, -7 / 25]]),
])  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_mirroring(normal: Any, matrix: Any) -> None:
    """R c and R M R^T; a region remains a region."""
    area, center, second = moved("--mirror_normal", *normal)
    m = np.array([[20000000, -8000000], [-8000000, 12800000]]) / 9
    m = np.array(matrix) @ m @ np.array(matrix).T
    assert area == 4000
    assert center == near(np.array(matrix) @ [100 / 3, 80 / 3])
    assert second == near([m[0, 0], m[1, 1], m[0, 1]])


@pytest.mark.parametrize(("axis", "angle"), [(1, 0.6), (-2, 0.6), (1, PI / 2), (1, -3.0)])
@pytest.mark.usefixtures("folder")
def test_rotating(axis: float, angle: float) -> None:
    area, center, second = moved("--rotate_axis", 0, 0, axis, "--rotate_angle", angle)
    c, s = math.cos(angle), math.sin(math.copysign(angle, axis * angle))
    r = np.array([[c, -s], [s, c]])
    m = r @ (np.array([[20000000, -8000000], [-8000000, 12800000]]) / 9) @ r.T
    assert (area, center) == (near(4000), near(r @ [100 / 3, 80 / 3]))
    assert second == near([m[0, 0], m[1, 1], m[0, 1]])


@pytest.mark.usefixtures("folder")
def test_a_moved_curve_has_the_moduli_and_the_perimeter_of_its_image() -> None:
    found = measured("arcs.svg", "--resize_x", 3, "--resize_y", 2, "--translate_x", 5)
    assert found["bounds"] == [near([2, -2]), near([8, 2])]
    assert found["section_moduli"]["about_u"] == near([PI / 4 * 3 * 4] * 2, 1e-14)
    assert found["section_moduli"]["about_v"] == near([PI / 4 * 9 * 2] * 2, 1e-14)
    assert measured("triangle.csv", "--mirror_normal", 1, 0, 0)["perimeter"] == near(180 + 20 * math.sqrt(41))


@pytest.mark.parametrize("flags", [
    ["--rotate_axis", 1, 0, 0, "--rotate_angle", 0.3], ["--mirror_normal", 1, 0, 1],
])  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_maps_that_leave_the_plane_are_refused(flags: list[Any]) -> None:
    found = refused("triangle.csv", *flags)
    assert (found["status"], "0 0 1" in found["message"]) == ("unsupported", True)


# Runs


@pytest.mark.usefixtures("folder")
def test_solids_and_sections_in_one_run() -> None:
    put("channel.dxf", dxf(polyline(*TEN)))
    put("open.dxf", dxf(line(0, 0, 1, 0), line(1, 0, 1, 1)))
    run = massprops("cube.stl", "channel.dxf", "open.dxf", "l.csv", "gone.csv", "--mass_properties", "--json")
    assert run.code == 1
    assert [(found["file"], found["kind"], found["status"]) for found in run.results] == [
        ("cube.stl", "solid", "ok"), ("channel.dxf", "section", "ok"), ("open.dxf", "section", "open"),
        ("l.csv", "section", "ok"), ("gone.csv", "solid", "not_found"),
    ]  # fmt: skip
    text = massprops("cube.stl", "channel.dxf", "open.dxf", "l.csv", "--mass_properties")
    assert text.code == 1
    heads = [row for row in text.out.splitlines() if row in ("cube.stl", "channel.dxf", "open.dxf", "l.csv")]
    assert heads == ["cube.stl", "channel.dxf", "open.dxf", "l.csv"]
    assert "mass properties: not measured: open: " in text.out
    assert "4 inputs: 3 measured, 1 not" in text.err


@pytest.mark.usefixtures("folder")
def test_verify_prints_the_table() -> None:
    run = massprops("z.wkt", "--mass_properties", "--verify")
    rows = run.out[run.out.index("counted: ") :].splitlines()
    assert rows[1].split() == ["counted", "computed", "difference"]
    assert [row[:22].strip() for row in rows[2:]] == ["area", "centroid u", "centroid v", "polar moment"]
    for row in rows[2:]:
        counted, computed, difference = (float(word) for word in row[22:].split())
        assert difference == pytest.approx(counted - computed, abs=1e-14 * abs(computed))
        assert abs(difference) <= 2e-3 * abs(computed)


@pytest.mark.usefixtures("folder")
def test_statistics_without_mass_properties() -> None:
    run = massprops("hole.csv", "--resize_x", 2, "--units", "mm")
    rows = {row[:22].rstrip(): row[22:] for row in run.out.splitlines()}
    assert (run.code, rows["file"], rows["format"]) == (0, "hole.csv", "csv")
    assert (rows["loops"], rows["segments"]) == ("2", "8")
    numbers = {"extents u [m]": 8e-3, "extents v [m]": 4e-3, "from u [m]": 0, "to u [m]": 8e-3, "area [m^2]": 30e-6,
               "perimeter [m]": 30e-3, "centroid u [m]": 61e-3 / 15, "centroid v [m]": 61e-3 / 30}  # fmt: skip
    assert {name: float(rows[name]) for name in numbers} == pytest.approx(numbers, rel=1e-14)
    (found,) = massprops("circle.svg", "--json").results
    assert (found["statistics"], found["area"]) == (
        {"verdict": "ok", "loops": 1, "open_chains": 0, "segments": 1}, near(PI, 1e-14)
    )
    assert (found["mass"], found["density"], found["section_moduli"]) == (None, None, None)
    assert massprops("gone.csv").code == 1


@pytest.mark.usefixtures("folder")
def test_more_squares_come_closer() -> None:
    for side in (16, 64, 256, 1024):
        found = measured("half.svg", "--verify", "--check_lines", side)
        counted = found["counted"]
        assert counted["area"] == pytest.approx(found["area"], rel=1 / side)
        assert counted["center"] == pytest.approx(found["center"], abs=1 / side)
        assert counted["polar_moment"] == pytest.approx(found["polar_moment"], rel=2 / side)


@pytest.mark.usefixtures("folder")
def test_thin_sections_are_counted_or_told() -> None:
    put("thin.csv", csv([(0, 0), (1000, 0), (1000, 0.3), (0, 0.3)]))
    run = massprops("thin.csv", "--mass_properties", "--verify", "--strict", "--density", 7, "--json")
    (found,) = run.results
    assert (run.code, found["warnings"], found["counted"]["area"]) == (0, [], pytest.approx(300, rel=1e-2))
    assert found["counted"]["polar_moment"] == pytest.approx(found["polar_moment"], rel=1e-2)  # both with the density
    for flags, is_none in ((["--check_lines", 1], True), (["--check_lines", 1024], True), (["--resize_y", 2], False)):
        more = flags if is_none else [*flags, "--check_lines", 1024]
        run = massprops("thin.csv", "--mass_properties", "--verify", "--strict", *more, "--json")
        assert (run.code, codes(run.results[0])) == (1, ["uncounted"])
        assert (run.results[0]["counted"] is None) == is_none
    run = massprops("thin.csv", "--mass_properties", "--verify", "--check_lines", 9)
    assert (run.code, "counted" in run.out) == (0, False)
    assert "warning: uncounted: 9 squares a side count nothing" in run.err


@pytest.mark.usefixtures("folder")
def test_flags_for_solids_are_told() -> None:
    flags = ["--clip", 0, 0, 0, 1, 1, 1, "--sanitize", "--fill_holes", "--exact", "--spin", 0, 0, 1]
    flags += ["--output", "o.stl"]
    found = measured("l.csv", *flags)
    (warning,) = found["warnings"]
    assert warning["code"] == "not_applied"
    for flag in ("--clip", "--sanitize", "--fill_holes", "--exact", "--spin", "--output"):
        assert flag in warning["message"]
    assert not Path("o.stl").exists()
    assert codes(measured("l.csv", "--merge", "cube.stl")) == ["not_applied"]


@pytest.mark.usefixtures("folder")
def test_formats_by_name() -> None:
    Path("points.txt").write_bytes(csv(L))
    assert measured("points.txt", "--format", "csv")["area"] == 1536


@pytest.mark.usefixtures("folder")
def test_a_missing_package_gives_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.dxf").write_bytes(dxf(polyline(*TEN)))
    load = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "ezdxf":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return load(name, *rest, **named)

    for name in [name for name in sys.modules if name.partition(".")[0] == "ezdxf"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    run: Run = massprops("a.dxf", "--mass_properties")
    assert run.code == 1
    assert run.err.startswith("a.dxf: unsupported: ")
    assert "ezdxf" in run.err
    assert "pip install" in run.err
    assert run.err.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_a_hole_pattern_used_fifty_times_over(capsys: pytest.CaptureFixture[str]) -> None:
    hole = '<circle cy="5" r="1.5"/>'
    uses = '<use href="#hole" x="1"/>' * 50
    turned = '<use href="#hole" x="1" transform="rotate(30 1 5)"/>' * 20
    far = '<rect x="10" width="3" height="2"/>'
    found = measured(put("pattern.svg", svg(f'<defs><g id="hole">{hole}</g></defs>{uses}{turned}{far}')))
    assert found["area"] == near(6 + PI * 2.25, 1e-12)
    assert "duplicate" in codes(found)
