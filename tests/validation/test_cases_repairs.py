"""Broken bodies with known answers, most of them from faults that users of other tools reported: what is said of each
unasked, and what repair makes of it, by the library's steps and from the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction as Q
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core import repair
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.repair import Record
from massprops.core.surface import Surface, TriangleArray
from massprops.errors import MassPropsError
from tests.oracle import (
    Body,
    Triangles,
    binary_stl,
    box,
    errors,
    exact,
    l_prism,
    massprops,
    moved,
    reverse,
    rotation,
    star,
    tensor_error,
    tetrahedron,
)

ROUND_OFF = 1e-15
TURN = rotation(3, 1, -2, 5)

STEPS: dict[str, Callable[[Surface], tuple[Surface, Record]]] = {
    "--connect_nearby": repair.connect_nearby, "--sanitize": repair.sanitize, "--fill_holes": repair.fill_holes
}  # fmt: skip


def joined(*parts: Any) -> Triangles:
    return np.concatenate([np.asarray(part, float).reshape(-1, 3, 3) for part in parts])


def cube(corner: Any, side: float = 1.0) -> Triangles:
    return box(corner, np.add(corner, side).tolist())


def flipped(triangles: Triangles, *which: int) -> Triangles:
    result = triangles.copy()
    result[list(which)] = result[list(which)][:, [0, 2, 1]]
    return result


@dataclass(frozen=True)
class Case:
    """A surface, what is said of it unasked, the flags that repair it, and what they make of it and say."""

    triangles: Triangles
    status: str
    flags: str
    volume: Any
    center: Any
    inertia: Any
    said: str
    counts: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def diagonal(*entries: Any) -> Any:
    return np.diag([Q(x) for x in entries])


BOX, HALVES = box((0, 0, 0), (2, 3, 5)), box((-0.5,) * 3, (0.5,) * 3)
BOX_OF = (30, (1, Q(3, 2), Q(5, 2)), diagonal(85, Q(145, 2), Q(65, 2)))
CUBE_OF = (1, (Q(1, 2),) * 3, diagonal(*3 * [Q(1, 6)]))
A, B, C = BOX[0]
TETRAHEDRON = exact(tetrahedron())
OCTAHEDRON = star(1, [1] * 6)
BELOW = OCTAHEDRON[OCTAHEDRON[:, :, 2].min(axis=1) < 0]
CAVITY, BODY_IN_IT = cube((1, 1, 1), 2), cube((1.5, 1.5, 1.5))
CASES = {
    "inside-out": Case(
        reverse(tetrahedron()), "inside_out", "--sanitize", 1, (Q(1, 4), Q(1, 2), Q(3, 4)), TETRAHEDRON.inertia,
        "sanitize: 4 facets reversed", {"reversed_facets": 4, "bodies": 1},
    ),
    "open, filled": Case(
        cube((0, 0, 0))[:10], "open", "--fill_holes", *CUBE_OF, "fill_holes: 1 hole filled with 2 facets of area 1",
        {"holes": 1, "facets": 2, "area": 1.0, "flatness": [0.0], "estimated": 0},
    ),
    "open at both ends, filled": Case(
        cube((0, 0, 0))[4:], "open", "--fill_holes", *CUBE_OF, "fill_holes: 2 holes filled with 4 facets of area 2",
        {"holes": 2, "facets": 4, "area": 2.0},
    ),
    "open apex": Case(
        BELOW, "open", "--fill_holes", Q(2, 3), (0, 0, Q(-1, 4)), diagonal(Q(11, 120), Q(11, 120), Q(2, 15)),
        "fill_holes: 1 hole filled with 2 facets of area 2", {"holes": 1, "facets": 2, "area": 2.0},
    ),
    "open L": Case(
        l_prism()[4:], "open", "--fill_holes", 5, (Q(11, 10), Q(11, 10), Q(1, 2)), exact(l_prism()).inertia,
        "fill_holes: 1 hole filled with 4 facets of area 5", {"holes": 1, "facets": 4, "area": 5.0},
    ),
    "one flipped": Case(
        flipped(HALVES, 2), "inconsistent", "--sanitize", 1, (0, 0, 0), diagonal(*3 * [Q(1, 6)]),
        "sanitize: 1 facet reversed", {"reversed_facets": 1},
    ),
    "cavity wound outwards": Case(
        joined(cube((0, 0, 0), 4), CAVITY), "ok", "--sanitize", 56, (2, 2, 2), diagonal(*3 * [Q(496, 3)]),
        "sanitize: 12 facets reversed", {"reversed_facets": 12, "bodies": 2, "cavities": 1},
        ("overlap", "volume_exceeds_box"),
    ),
    "all wound inwards, a body in the cavity": Case(
        reverse(joined(cube((0, 0, 0), 4), CAVITY, BODY_IN_IT)), "inside_out", "--sanitize", 57, (2, 2, 2),
        diagonal(*3 * [Q(993, 6)]), "sanitize: 24 facets reversed", {"bodies": 3, "cavities": 1},
    ),
    "one of two inverted": Case(
        joined(cube((0, 0, 0)), reverse(cube((3, 0, 0)))), "zero_volume", "--sanitize", 2, (2, Q(1, 2), Q(1, 2)),
        diagonal(Q(1, 3), Q(29, 6), Q(29, 6)), "sanitize: 12 facets reversed", {"reversed_facets": 12, "bodies": 2},
    ),
    "a smaller one inverted": Case(
        joined(BOX, reverse(cube((10, 0, 0)))), "ok", "--sanitize", 31, (Q(81, 62), Q(91, 62), Q(151, 62)),
        exact(joined(BOX, cube((10, 0, 0)))).inertia, "sanitize: 12 facets reversed", {"reversed_facets": 12},
        ("inverted", "moment_not_positive"),
    ),
    "doubled body": Case(
        joined(BOX, BOX), "ok", "--sanitize", *BOX_OF, "sanitize: 12 coincident facets dropped",
        {"coincident_facets": 12, "bodies": 1}, ("overlap", "volume_exceeds_box"),
    ),
    "facet repeated": Case(
        joined(BOX, [A, B, C]), "open", "--sanitize", *BOX_OF, "sanitize: 1 coincident facet dropped",
        {"coincident_facets": 1},
    ),
    "facet repeated, reversed": Case(
        joined(BOX, [A, C, B]), "open", "--sanitize", *BOX_OF, "sanitize: 1 coincident facet dropped",
        {"coincident_facets": 1},
    ),
    "zero-area facet": Case(
        joined(BOX, [A, B, B]), "ok", "--sanitize", *BOX_OF, "sanitize: 1 facet with two equal corners dropped",
        {"degenerate_facets": 1},
    ),
    "double wall": Case(
        joined(BOX, box((2, 0, 0), (3, 3, 5))), "ok", "--sanitize", 45, (Q(3, 2), Q(3, 2), Q(5, 2)),
        Q(45, 12) * diagonal(34, 34, 18), "sanitize: nothing to do", {"coincident_facets": 0},
    ),
    "double wall, one side inverted": Case(
        joined(BOX, reverse(box((2, 0, 0), (3, 3, 5)))), "ok", "--sanitize", 45, (Q(3, 2), Q(3, 2), Q(5, 2)),
        Q(45, 12) * diagonal(34, 34, 18), "", {}, ("inverted", "center_outside", "moment_not_positive"),
    ),
    "two bodies": Case(
        joined(BOX, cube((10, 0, 0))), "ok", "--sanitize", 31, (Q(81, 62), Q(91, 62), Q(151, 62)),
        exact(joined(BOX, cube((10, 0, 0)))).inertia, "sanitize: nothing to do", {"bodies": 2},
    ),
    "inverted and open": Case(
        reverse(cube((0, 0, 0)))[:10], "open", "--sanitize --fill_holes", *CUBE_OF,
        "sanitize: 10 facets reversed; 1 body still open", {"reversed_facets": 10, "open_bodies": 1},
    ),
}  # fmt: skip


def measured(surface: Surface) -> MassProperties:
    found = measure(surface)
    bounds = np.stack([found.survey.lower, found.survey.upper])
    return MassProperties.of(found.integrals.moments, area=found.integrals.area, bounds=bounds)


def test_answers_are_those_of_exact_arithmetic() -> None:
    """Of the bodies that are meant; so that what the table says is checked, too."""
    whole = {
        "open apex": joined(BELOW, [(1, 0, 0), (0, 1, 0), (-1, 0, 0)], [(1, 0, 0), (-1, 0, 0), (0, -1, 0)]),
        "cavity wound outwards": joined(cube((0, 0, 0), 4), reverse(CAVITY)),
        "all wound inwards, a body in the cavity": joined(cube((0, 0, 0), 4), reverse(CAVITY), BODY_IN_IT),
        "one of two inverted": joined(cube((0, 0, 0)), cube((3, 0, 0))),
        "double wall": joined(BOX, box((2, 0, 0), (3, 3, 5))),
        "doubled body": BOX,
        "open, filled": cube((0, 0, 0)),
    }
    for name, triangles in whole.items():
        body, case = exact(triangles), CASES[name]
        assert body.volume == case.volume
        assert body.center.tolist() == list(case.center)
        assert (body.inertia == case.inertia).all(), name


@pytest.mark.parametrize("name", CASES)
def test_unasked_each_has_its_verdict(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    file = tmp_path / "part.stl"
    file.write_bytes(binary_stl(case.triangles))
    run = massprops("-i", file, "--mass_properties", "--json")
    (result,) = run.results
    assert result["status"] == case.status
    assert (result["repairs"], run.code) == ([], 0 if case.status == "ok" else 1)
    if case.status == "ok":
        assert {warning["code"] for warning in result["warnings"]} == set(case.warnings)
        return
    assert result["mass"] is None
    with pytest.raises(MassPropsError) as caught:
        measure(TriangleArray(case.triangles))
    assert (caught.value.status, caught.value.message) == (case.status, result["message"])


@pytest.mark.parametrize("name", CASES)
def test_repaired_by_the_library(name: str) -> None:
    case = CASES[name]
    given = case.triangles.copy()
    surface: Surface = TriangleArray(given)
    records = []
    for flag in case.flags.split():
        surface, record = STEPS[flag](surface)
        records.append(record)
    assert (given == case.triangles).all()
    check(case, measured(surface))
    assert records[0].message == (case.said or records[0].message)
    assert {key: records[0].counts[key] for key in case.counts} == case.counts
    assert records[0].changed == (not case.said.endswith("nothing to do"))


@pytest.mark.parametrize("name", CASES)
def test_repaired_from_the_command_line(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    file = tmp_path / "part.stl"
    file.write_bytes(binary_stl(case.triangles))
    flags = case.flags.split()
    run = massprops("-i", file, *flags, "--mass_properties", "--json")
    (result,) = run.results
    assert (run.code, result["status"], result["warnings"]) == (0, "ok", [])
    check(case, result)
    assert [record["step"] for record in result["repairs"]] == [flag.removeprefix("--") for flag in flags]
    assert {key: result["repairs"][0][key] for key in case.counts} == case.counts
    lines = run.err.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [[str(file), flag.removeprefix("--")] for flag in flags]
    assert lines[0] == f"{file}: {case.said or lines[0].removeprefix(f'{file}: ')}"
    assert massprops("-i", file, *flags, "--mass_properties", "--quiet").err == ""


def check(case: Case, found: Any) -> None:
    body = Body(Q(case.volume), np.array([Q(x) for x in case.center]), case.inertia, 1.0, 10.0)
    names = ("volume", "center", "inertia")
    volume, center, inertia = (found[n] if isinstance(found, dict) else getattr(found, n) for n in names)
    assert abs(Q(volume) / body.volume - 1) <= ROUND_OFF
    assert max(abs(Q(x) - y) for x, y in zip(center, body.center, strict=True)) <= 10 * ROUND_OFF
    assert tensor_error(inertia, body.inertia) <= ROUND_OFF


@pytest.mark.parametrize("name", CASES)
def test_repaired_wherever_it_stands(name: str) -> None:
    """Turned and far from the origin, the same is done; what comes out is the body as it was turned."""
    case = CASES[name]
    place = partial(moved, matrix=TURN, shift=(13.7, -21.3, 5.9))
    surface: Surface = TriangleArray(place(case.triangles))
    counts = []
    for flag in case.flags.split():
        surface, record = STEPS[flag](surface)
        counts.append(record.counts)
    found = measured(surface)
    assert abs(Q(found.volume) / Q(case.volume) - 1) <= 1e-13
    wanted = TURN @ case.inertia @ TURN.T
    assert tensor_error(found.inertia, wanted) <= 1e-12
    for key, value in case.counts.items():
        assert counts[0][key] == pytest.approx(value, rel=1e-12, abs=1e-12)


# Cracks

CRACK = BOX.copy()
CRACK[6, 1] += (1e-6, -1e-6, 2e-6)


@pytest.mark.parametrize("flag", ["--connect_nearby", "--sanitize"])
def test_a_crack_is_open_and_welded_on_request(flag: str, tmp_path: Path) -> None:
    file = tmp_path / "part.stl"
    file.write_bytes(binary_stl(CRACK))
    (refused,) = massprops("-i", file, "--mass_properties", "--json").results
    assert refused["status"] == "open"
    assert "--connect_nearby" in refused["message"]
    run = massprops("-i", file, "--mass_properties", "--json", flag)
    (result,) = run.results
    assert result["volume"] == pytest.approx(30, rel=1e-6)
    (record,) = result["repairs"]
    assert (record["vertices"], record["clusters"]) == (1, 1)
    assert record["largest_gap"] == pytest.approx(6**0.5 * 1e-6, rel=0.2)
    assert run.err.count("\n") == 1
    assert "the largest gap" in run.err


def test_a_stray_copy_of_a_cracked_facet_goes_with_the_crack() -> None:
    surface, _ = repair.sanitize(TriangleArray(joined(CRACK, [A, B, C])))
    assert measured(surface).volume == pytest.approx(30, rel=1e-6)


# What repair does not do


@pytest.mark.parametrize(("triangles", "flags", "status"), [
    (tetrahedron()[1:], "--sanitize", "open"), (tetrahedron()[1:], "--connect_nearby", "open"),
    (flipped(HALVES, 2), "--fill_holes", "inconsistent"), (flipped(HALVES, 2), "--connect_nearby", "inconsistent"),
    (reverse(tetrahedron()), "--fill_holes --connect_nearby", "inside_out"),
    (joined(BOX, [A, B, C]), "--connect_nearby", "open"),
])  # fmt: skip
def test_no_step_does_more_than_it_says(triangles: Triangles, flags: str, status: str, tmp_path: Path) -> None:
    file = tmp_path / "part.stl"
    file.write_bytes(binary_stl(triangles))
    (result,) = massprops("-i", file, "--mass_properties", "--json", *flags.split()).results
    assert result["status"] == status
    assert len(result["repairs"]) == len(flags.split())


# Statistics, before and after


def test_statistics_of_a_repair_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "part.stl"
    file.write_bytes(binary_stl(reverse(cube((0, 0, 0)))[:10]))
    run = massprops("-i", file, "--sanitize", "--fill_holes")
    assert run.code == 0
    assert run.err.splitlines() == [
        f"{file}: sanitize: 10 facets reversed; 1 body still open",
        f"{file}: fill_holes: 1 hole filled with 2 facets of area 1",
    ]
    rows = {line[:22].strip(): line[22:].split() for line in run.out.splitlines()}
    assert rows[""] == ["before", "after"]
    assert rows["volume"] == ["none:", "open", "1.000000000000000E+00"]
    assert rows["area"] == ["5.000000000000000E+00", "6.000000000000000E+00"]
    assert rows["facets"] == ["10", "12"]
    assert rows["with 1 open edge"] == ["4", "0"]
    assert rows["centroid x"] == ["none", "5.000000000000000E-01"]


def test_a_good_body_is_left_alone_to_the_last_bit(tmp_path: Path) -> None:
    file = tmp_path / "part.stl"
    file.write_bytes(binary_stl(moved(star(2, np.linspace(0.7, 1.4, 18)), TURN, (1, 2, 3))))
    plain = massprops("-i", file, "--mass_properties")
    repaired = massprops("-i", file, "--mass_properties", *STEPS)
    assert repaired.out == plain.out
    assert [line.split(": ", 1)[1] for line in repaired.err.splitlines()] == [
        "connect_nearby: no cracks to close", "sanitize: nothing to do", "fill_holes: no holes"
    ]  # fmt: skip


def test_errors_of_the_oracle_and_of_this_table_are_measured_alike() -> None:
    """The doubled box, sanitized, against the oracle's own comparison."""
    surface, _ = repair.sanitize(TriangleArray(joined(BOX, BOX)))
    assert max(errors(measured(surface), exact(BOX))) <= ROUND_OFF
