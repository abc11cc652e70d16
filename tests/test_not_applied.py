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
