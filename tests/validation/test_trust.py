"""How far a number may be trusted, from the command line: verdicts beside numbers, bounds, and what lines count."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core import polyhedron
from tests.oracle import (
    Body,
    Run,
    Triangles,
    ascii_stl,
    binary_stl,
    box,
    exact,
    exact_array,
    l_prism,
    massprops,
    moved,
    rays,
    reverse,
    rotation,
    star,
    tetrahedron,
    torus,
)

TURN = rotation(3, 1, -2, 5)


def joined(*parts: Triangles) -> Triangles:
    return np.concatenate(parts)


def cube(corner: Any, side: float = 1.0) -> Triangles:
    return box(corner, np.add(corner, side).tolist())


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """A file of a body that keeps every bit of its coordinates."""

    def to_file(triangles: Triangles, name: str = "part.stl") -> Path:
        is_single = (triangles.astype(np.float32) == triangles).all()
        (tmp_path / name).write_bytes(binary_stl(triangles) if is_single else ascii_stl(triangles).encode())
        return tmp_path / name

    return to_file


def run(*arguments: Any) -> Run:
    return massprops("-i", *arguments, "--mass_properties")


def one(*arguments: Any) -> dict[str, Any]:
    (result,) = run(*arguments, "--json").results
    assert result["status"] == "ok", result["message"]
    return result


def codes(result: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in result["warnings"]]


# Bounds of the round-off

SPHERES = {
    "sphere": moved(star(6, [1 / math.dist(p, (0, 0, 0)) for p in np.unique(np.concatenate(
        [np.argwhere(np.abs(np.indices((13, 13, 13)) - 6).sum(axis=0) == 6) - 6]), axis=0)]), TURN, (0.1, -0.1, 0.05)),
}  # fmt: skip
SHAPES = {
    "star": star(3, np.linspace(0.6, 1.4, rays(3)) / 3),
    "L": l_prism(),
    "needle": moved(box((0, 0, 0), (1, 1e-4, 1e-6)), TURN),
    "plate": moved(box((0, 0, 0), (1, 1, 1e-6)), TURN),
    **SPHERES,
}
SHIFTS = [(0, 0, 0), (871.3, -433.9, 12.7), (-0.3, 999.1, -512.5)]


def check_bounds(result: dict[str, Any], body: Body, density: Any = 1) -> None:
    """Each number is as right as is said, and very right."""
    bounds, rho = result["roundoff"], Fraction(density)
    assert abs(Fraction(result["volume"]) - body.volume) <= Fraction(bounds["volume"])
    assert (abs(exact_array(result["center"]) - body.center) <= Fraction(bounds["center"])).all()
    assert (abs(exact_array(result["inertia"]) - rho * body.inertia) <= Fraction(bounds["inertia"])).all()
    assert bounds["volume"] <= 1e-14 * result["volume"]
    assert bounds["inertia"] <= 1e-13 * np.abs(result["inertia"]).max()
    assert bounds["center"] <= 1e-14 * body.size + 2**-52 * np.abs(result["center"]).max()


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("shift", SHIFTS)
def test_the_bounds_hold_and_are_sharp(name: str, shift: Any, write: Any) -> None:
    body = moved(SHAPES[name], None, shift)
    check_bounds(one(write(body)), exact(body))


CHANGES = {
    "turned": ([("--rotate_axis", 1, 2, 3), ("--rotate_angle", 0.7)], None),
    "uneven": ([("--resize_factor", 2, 3, 0.125)], np.diag([2, 3, Fraction(1, 8)])),
    "mirrored": ([("--mirror_normal", 1, 2, 2)], exact_array([[7, -4, -4], [-4, 1, -8], [-4, -8, 1]]) / 9),
    "in inches": ([("--units", "in")], np.diag([Fraction(254, 10000)] * 3)),
    "in millimetres, uneven": (
        [("--resize_factor", 1, -5, 0.5), ("--units", "mm")],
        np.diag([Fraction(1, 1000), Fraction(-5, 1000), Fraction(1, 2000)]),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("change", CHANGES)
def test_the_bounds_hold_after_a_map(name: str, change: str, write: Any) -> None:
    body = moved(SHAPES[name], None, (1.3, -2.9, 3.1))
    flags, matrix = CHANGES[change]
    if matrix is None:
        from massprops.motion import motion

        matrix = motion(rotate_axis=(1.0, 2.0, 3.0), rotate_angle=0.7).matrix
    image = exact_array(body.tolist()) @ matrix.T
    is_mirrored = change in ("mirrored", "in millimetres, uneven")
    result = one(write(body), "--density", 7850, *(word for flag in flags for word in flag))
    check_bounds(result, exact(reverse(image) if is_mirrored else image), 7850)


@pytest.mark.parametrize("name", SPHERES)
def test_spheres_are_sharp_in_one_pass(name: str, write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polyhedron, "double_kernel", None)
    body = SPHERES[name].astype(np.float32)
    check_bounds(one(write(body)), exact(body))


BOUND = re.compile(r"  \+- (\d\.\dE[+-]\d+)$")


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("more", [(), ("--units", "mm", "--density", 7850.1), ("--density", 0.3)])
def test_printed_bounds_are_those_of_the_document_rounded_up(name: str, more: Any, write: Any) -> None:
    file = write(moved(SHAPES[name], None, (1.3, -2.9, 3.1)))
    told, lines = one(file, *more), run(file, *more, "--bounds").out.splitlines()
    bounds = told["roundoff"]
    printed = [float(match[1]) for match in map(BOUND.search, lines) if match]
    wanted = [bounds["volume"] * told["density"], bounds["center"], *3 * [bounds["inertia"]], 3 * bounds["inertia"]]
    assert len(printed) == len(wanted)
    for value, least in zip(printed, wanted, strict=True):
        assert least <= value <= 1.11 * least
    assert [BOUND.sub("", line) for line in lines] == run(file, *more).out.splitlines()


# What lines count


@pytest.mark.parametrize(("more", "lines"), [((), 9216), (("--check_lines", 32), 1024), (("--verify",), 3 * 256**2)])
def test_the_check_is_always_there(more: Any, lines: int, write: Any) -> None:
    body = moved(l_prism(), TURN, (1, 2, 3))
    check = one(write(body), *more)["check"]
    assert check["lines"] == pytest.approx(lines, abs=6)
    assert check["volume"] == pytest.approx(5, rel=0.02)
    assert (check["overlap_volume"], check["inverted_volume"]) == (0, 0)


def test_no_lines_no_check(write: Any) -> None:
    doubled = write(joined(tetrahedron(), tetrahedron()))
    result = one(doubled, "--check_lines", 0)
    assert result["check"] is None
    assert "overlap" not in codes(result)
    assert "overlap" in codes(one(doubled))


SMALLER = joined(cube((0, 0, 0), 4), reverse(cube((10, 0, 0))))
TOLD = {
    "overlap": (joined(box((-1, -1, -1), (1, 1, 1)), box((0, -1, -1), (2, 1, 1))), 16, {"overlap": 4}),
    "cavity wound outwards": (joined(cube((0, 0, 0), 4), cube((1, 1, 1), 2)), 72, {"overlap": 8}),
    "doubled body": (joined(box((0, 0, 0), (2, 3, 5)), box((0, 0, 0), (2, 3, 5))), 60, {"overlap": 30}),
    "smaller one inverted": (SMALLER, 63, {"inverted": 1}),
    "overlap and inverted": (joined(SMALLER, cube((-1, 1, 1), 2)), 71, {"overlap": 4, "inverted": 1}),
    "cavity of nothing": (joined(cube((0, 0, 0), 4), reverse(cube((-5, 1, 1), 2))), 56, {"inverted": 8}),
}  # fmt: skip
"""Bodies, the volume that is weighed, and the volumes that are weighed twice or negatively."""


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("turn", [None, TURN])
def test_what_is_weighed_wrongly_is_told_with_its_volume(name: str, turn: Any, write: Any) -> None:
    shape, volume, parts = TOLD[name]
    file = write(moved(shape, turn, (0.3, 7.1, -5.2)))
    result = one(file)
    assert result["volume"] == pytest.approx(volume, rel=1e-12)
    assert {code for code in codes(result) if code in ("overlap", "inverted")} == set(parts)
    for warning in result["warnings"]:
        if warning["code"] in parts:
            part = parts[warning["code"]]
            assert warning[f"{warning['code']}_volume"] == pytest.approx(part, rel=0.15)
            assert "try --sanitize" in warning["message"]
    for code in ("overlap", "inverted"):
        assert result["check"][f"{code}_volume"] == pytest.approx(parts.get(code, 0), rel=0.15)
    assert result["check"]["volume"] == pytest.approx(volume, rel=0.05)


SOUND = {
    "box": box((10, 20, 30), (12, 23, 35)),
    "tetrahedron": tetrahedron(),
    "L": l_prism(),
    "torus": torus(3, 1, 24, 16),
    "star": star(3, np.linspace(0.6, 1.4, rays(3)) / 3),
    "cavity": joined(cube((0, 0, 0), 4), reverse(cube((1, 1, 1), 2))),
    "body in a cavity": joined(cube((0, 0, 0), 4), reverse(cube((1, 1, 1), 2)), cube((1.5, 1.5, 1.5))),
    "touching along an edge": joined(cube((0, 0, 0)), cube((1, 1, 0))),
    "touching along a face": joined(box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))),
    "two bodies": joined(box((0, 0, 0), (2, 3, 5)), cube((10, 0, 0))),
    "plate": box((0, 0, 0), (1, 1, 1e-3)),
    "zero-area facet": joined(box((0, 0, 0), (2, 3, 5)), [[(0, 0, 0), (2, 3, 0), (2, 3, 0)]]),
}


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize(("turn", "shift"), [(None, (0, 0, 0)), (TURN, (0.3, 7.1, -5.2)), (TURN, (1e5, -2e5, 3e5))])
def test_sound_bodies_are_told_nothing(name: str, turn: Any, shift: Any, write: Any) -> None:
    file = write(moved(SOUND[name], turn, shift))
    for more in ((), ("--units", "in", "--resize_factor", 0.5, -2, 3)):
        result = one(file, *more)
        assert codes(result) == []
        assert result["check"]["volume"] == pytest.approx(result["volume"], rel=0.05)
        assert run(file, *more, "--strict").code == 0


def test_strict_lets_any_warning_fail_the_run(write: Any) -> None:
    good, odd = write(tetrahedron(), "good.stl"), write(TOLD["overlap"][0], "odd.stl")
    hairline = (tetrahedron() + 1).astype(np.float32)
    hairline[0, 1, 1] += np.spacing(np.float32(4))
    crack = write(hairline, "crack.stl")
    for files, strict in (((good,), 0), ((odd,), 1), ((crack,), 1), ((good, odd), 1), ((good, good), 0)):
        plain, told = run(*files), run(*files, "--strict")
        assert (plain.code, told.code) == (0, strict)
        assert (plain.out, plain.err) == (told.out, told.err)
        assert run(*files, "--strict", "--quiet").code == strict
        assert run(*files, "--strict", "--json").code == strict
    assert massprops(crack, "--strict").code == 1  # of statistics too
    assert run(write(SMALLER, "smaller.stl"), "--strict").code == 1
    assert run(write(SMALLER, "smaller.stl"), "--strict", "--check_lines", 0).code == 0


ENTRIES = ("xx", "yy", "zz", "xy", "xz", "yz")
TITLES = ["volume", *(f"centre {axis}" for axis in "xyz"), *(f"inertia {name}" for name in ENTRIES)]


def table(out: str) -> tuple[int, np.ndarray]:
    """The number of lines laid, and the columns counted, computed and difference."""
    lines = out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("counted along"))
    rows = lines[start + 2 :]
    assert [row[:22].strip() for row in rows] == TITLES
    count = int(lines[start].split()[2])
    return count, np.array([[float(word) for word in row[22:].split()] for row in rows])


def values(part: dict[str, Any]) -> list[float]:
    i = part["inertia"]
    return [part["volume"], *part["center"], i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]]


def test_the_table_is_what_the_document_says(write: Any) -> None:
    file = write(moved(l_prism(), TURN, (1, 2, 3)))
    more = ("--verify", "--check_lines", 64, "--density", 3, "--resize_factor", 1, -2, 3)
    result, (count, found) = one(file, *more), table(run(file, *more).out)
    assert count == result["check"]["lines"]
    assert found[:, 0] == pytest.approx(values(result["counted"]), rel=1e-15)
    assert found[:, 1] == pytest.approx(values(result), rel=1e-15)
    assert found[:, 0] - found[:, 1] == pytest.approx(found[:, 2], rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("name", ["L", "torus", "star", "cavity"])
def test_counting_converges_to_what_is_computed(name: str, write: Any) -> None:
    file = write(moved(SOUND[name], TURN, (0.3, 1.1, -0.2)))
    errors = []
    for lines in (8, 32, 128):
        _, found = table(run(file, "--verify", "--check_lines", lines).out)
        size = np.array([found[0, 1], *3 * [1.0], *6 * [np.abs(found[4:7, 1]).max()]])
        errors.append(np.abs(found[:, 2] / size).max())
    assert errors[1] < errors[0] / 3
    assert errors[2] < errors[1] / 3
    assert errors[2] < 2e-3


def test_without_verify_nothing_is_counted_in_full(write: Any) -> None:
    file = write(l_prism())
    assert one(file)["counted"] is None
    assert "counted" not in run(file).out
