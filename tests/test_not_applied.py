"""Flags that do nothing for an input are told, and what is asked for is done all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from massprops.not_applied import not_applied
from massprops.plan import Plan, SpinPlan
from tests.oracle import binary_stl, box, massprops


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("box.stl").write_bytes(binary_stl(box((0, 0, 0), (2, 3, 5))))
    Path("plate.csv").write_text("0,0\n4,0\n4,3\n")
    return tmp_path


def flags(kind: str, **given: object) -> list[str]:
    found = not_applied(Plan(("x",), **given), kind)  # type: ignore[arg-type]
    return [flag for notice in found for flag in notice.message.partition(":")[0].split(", ")]


@pytest.mark.parametrize("kind", ["solid", "section"])
def test_plain_runs_are_told_nothing(kind: str) -> None:
    assert flags(kind) == flags(kind, mass_properties=True) == flags(kind, check_lines=0) == []


def test_flags_of_sections() -> None:
    told = flags("solid", mass_properties=True, layers=("0",), winding="as_drawn", fill="evenodd")
    assert told == ["--layer", "--winding", "--fill"]
    assert flags("section", mass_properties=True, layers=("0",), winding="as_drawn", fill="evenodd") == []


def test_flags_of_solids() -> None:
    spin = SpinPlan((0.0, 0.0, 1.0))
    assert flags("section", mass_properties=True, spin=spin, animate="a.gif") == ["--spin", "--animate"]
    assert flags("section", mass_properties=True, bounds=True) == ["--bounds"]
    assert flags("solid", mass_properties=True, bounds=True, along_z=("translate_z",)) == []
    assert flags("solid", mass_properties=True, spin=spin, animate="a.gif") == []


@pytest.mark.parametrize("kind", ["solid", "section"])
def test_flags_of_measuring(kind: str) -> None:
    given = {"density": 3.0, "about": (0.0, 0.0, 0.0), "check_lines": 9, "mass_properties": True}
    assert flags(kind, **given) == ([] if kind == "solid" else ["--check_lines"])
    assert flags(kind, **given, verify=True) == []


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("box.stl", "--mass_properties", "--fill", "evenodd"), "--fill: of sections, and not applied to a solid"),
        (
            ("plate.csv", "--mass_properties", "--exact", "--sanitize"),
            "--sanitize, --exact: of solids, and not applied to a section",
        ),
        (
            ("plate.csv", "--mass_properties", "--bounds"),
            "--bounds: of solids, and not applied to a section",
        ),
        (
            ("plate.csv", "--mirror_normal", "0", "0", "-2", "--translate_z", "3", "--resize_factor", "1", "1", "2"),
            "--mirror_normal, --resize_factor, --translate_z: along z only, in which a section has no extent, "
            "and not applied to it",
        ),
        (
            ("plate.csv", "--mass_properties", "--resize_x", "2", "--resize_z", "3"),
            "--resize_z: along z only",
        ),
        (
            ("plate.csv", "--mass_properties", "--check_lines", "9"),
            "--check_lines: of a section only with --verify, and not applied without",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_one_line_on_standard_error(arguments: tuple[str, ...], line: str) -> None:
    run = massprops(*arguments)
    assert run.code == 0
    assert line in run.err
    assert len(run.err.splitlines()) == 1
    assert massprops(*arguments, "--strict").code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--about", 1, 2, 3),
        ("--translate_delta", 1, 0, 3),
        ("--resize_factor", 0.001, 0.001, 0.001),
        ("--resize_x", 2, "--resize_y", 2, "--resize_z", 2),
        ("--translate_z", 0, "--resize_z", 1),
        ("--mirror_normal", 1, 0, 0),
        ("--rotate_axis", 0, 0, 1, "--rotate_angle", 1),
    ],
)
@pytest.mark.usefixtures("folder")
def test_three_numbers_for_solids_and_sections_alike_are_no_doubt(arguments: tuple[object, ...]) -> None:
    run = massprops("box.stl", "plate.csv", "--mass_properties", *arguments, "--strict", "--quiet")
    assert (run.code, run.err) == (0, "")


@pytest.mark.usefixtures("folder")
def test_a_solid_has_an_extent_along_z() -> None:
    flags = ("--translate_z", 3, "--resize_z", 2, "--bounds")
    assert massprops("box.stl", "--mass_properties", *flags, "--strict").code == 0
    run = massprops("box.stl", "plate.csv", "--mass_properties", *flags, "--strict", "--json")
    assert run.code == 1
    assert [[notice["code"] for notice in found["warnings"]] for found in run.results] == [[], ["not_applied"] * 2]
