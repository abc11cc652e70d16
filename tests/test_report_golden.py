"""The printed report, read back line by line and compared with the JSON document of the same run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.make_samples import ROOT
from tests.oracle import Triangles, ascii_stl, box, massprops, moved, reverse, rotation, star, tetrahedron

LABEL, NUMBER = 22, 23
FORTRAN = re.compile(r"-?\d\.\d{15}E[+-]\d{2,3}")
EQUAL = "  equal moments: their axes are one set of many"
SI = {"density": "kg/m^3", "mass": "kg", "center": "m", "inertia": "kg m^2", "point": "m", "moments": "kg m^2"}


@dataclass
class Printed:
    """The lines of one block: labels as printed, numbers under their JSON names."""

    labels: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
    is_repeated: bool = False

    def take(self, name: str, label: str, text: str) -> None:
        self.labels[name], self.numbers[name] = label, numbers(text)


def numbers(text: str) -> list[float]:
    """Numbers of a line, each with a blank before it and as wide as Fortran prints it."""
    found = [match.group() for match in FORTRAN.finditer(text)]
    assert text == "".join(number.rjust(max(NUMBER, len(number) + 1)) for number in found)
    assert not any(re.fullmatch(r"-0\.0+E\+00", number) for number in found)
    return [float(number) for number in found]


def read_back(block: str) -> Printed:
    """The block of one input, without its heading."""
    assert block.endswith("\n")
    lines = iter(block[:-1].split("\n"))
    printed = Printed()
    first = next(lines)
    printed.take("density", first[: -NUMBER - 1], first[-NUMBER:])
    for name in ("mass", "center"):
        take_line(printed, name, next(lines))
    take_matrix(printed, "inertia", lines)
    line = next(lines)
    if line.startswith("  inertia tensor about the point"):
        printed.labels["about"] = line
        take_line(printed, "point", next(lines))
        printed.numbers["about"] = [row(next(lines)) for _ in range(3)]
        line = next(lines)
    take_line(printed, "principal_moments", line)
    take_matrix(printed, "principal_axes", lines)
    rest = list(lines)
    assert rest in ([], [EQUAL])
    printed.is_repeated = rest == [EQUAL]
    return printed


def take_line(printed: Printed, name: str, line: str) -> None:
    printed.take(name, line[:LABEL], line[LABEL:])


def take_matrix(printed: Printed, name: str, lines: Iterator[str]) -> None:
    printed.labels[name] = next(lines)
    printed.numbers[name] = [row(next(lines)) for _ in range(3)]


def row(line: str) -> list[float]:
    assert line[:LABEL].strip() == ""
    return numbers(line[LABEL:])


def check(printed: Printed, result: dict[str, Any]) -> None:
    """Every printed number is the one of the document, rounded to 16 digits."""
    wanted = {name: result[name] for name in ("center", "inertia", "principal_moments", "principal_axes")}
    wanted |= {name: [result[name]] for name in ("density", "mass")}
    if result["about"] is not None:
        wanted |= {"point": result["about"]["point"], "about": result["about"]["inertia"]}
    assert printed.numbers.keys() == wanted.keys()
    for name, values in wanted.items():
        rounded = [float(f"{value:.15E}") for value in np.ravel(values)]
        assert np.ravel(printed.numbers[name]).tolist() == rounded, name
    assert printed.is_repeated == result["repeated_moments"]


BODIES: dict[str, Triangles] = {
    "star": moved(star(2, range(20, 38)), rotation(1, -2, 3, 4), (11.3, -7.7, 0.4)),
    "cube, equal moments": box((0, 0, 0), (1, 1, 1)),
    "centre and products at zero": box((-1, -1.5, -2.5), (1, 1.5, 2.5)),
    "exponents of three digits": moved(star(2, range(20, 38)), rotation(1, -2, 3, 4) / 10**41),
    "exponents of three digits and minus signs": 1e-40 * tetrahedron(),
    "large": 1e30 * tetrahedron(),
}
FLAGS: dict[str, list[Any]] = {
    "plain": [],
    "density": ["--density", 7850],
    "about": ["--about", -1, 2.5, 0],
    "about zero, from below": ["--about", -0.0, "-0", "-0.0"],
    "mirrored": ["--mirror_normal", 1, 0, 0],
    "turned back to zero": ["--resize_x", -1, "--about", 0, 0, 0],
}


@pytest.fixture(params=BODIES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "body.stl"
    path.write_text(ascii_stl(BODIES[request.param]))
    return path


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
@pytest.mark.parametrize("units", [[], ["--units", "mm"]], ids=["pure", "millimetres"])
def test_printed_lines_say_what_the_document_says(file: Path, flags: list[Any], units: list[str]) -> None:
    arguments = ["-i", file, "--mass_properties", *flags, *units]
    text, document = massprops(*arguments), massprops(*arguments, "--json")
    (result,) = document.results
    assert (text.code, document.code) == (0, 0)
    assert text.err == document.err
    assert not re.search(r"-0(\.0*)?(?![.\d])", document.out)
    printed = read_back(text.out)
    check(printed, result)
    check_labels(printed, si=bool(units))


def check_labels(printed: Printed, si: bool) -> None:
    def unit(name: str) -> str:
        return f" [{SI[name]}]" if si else ""

    labels = {
        "density": f"mass properties, density{unit('density')}",
        "mass": f"  mass{unit('mass')}".ljust(LABEL),
        "center": f"  centre of mass{unit('center')}".ljust(LABEL),
        "inertia": f"  inertia tensor about the centre of mass{unit('inertia')}:",
        "principal_moments": f"  principal{unit('moments') or ' moments'}".ljust(LABEL),
        "principal_axes": "  principal axes (columns):",
    }
    if "about" in printed.labels:
        labels["about"] = f"  inertia tensor about the point{unit('inertia')}:"
        labels["point"] = f"  point{unit('point')}".ljust(LABEL)
    assert printed.labels == labels
    assert all(len(labels[name]) == LABEL for name in ("mass", "center", "principal_moments"))


def test_three_digits_of_exponent_do_occur(tmp_path: Path) -> None:
    path = tmp_path / "body.stl"
    path.write_text(ascii_stl(BODIES["exponents of three digits"]))
    assert len(re.findall(r" -\d\.\d{15}E-\d{3}\b", massprops(path, "--mass_properties").out)) >= 2


def test_the_report_to_the_letter() -> None:
    run = massprops("-i", ROOT / "sample_meshes" / "cube.stl", "--mass_properties", "--density", 2)
    assert run.out.splitlines() == [
        "mass properties, density   2.000000000000000E+00",
        "  mass                  2.000000000000000E+00",
        "  centre of mass        5.000000000000000E-01  5.000000000000000E-01  5.000000000000000E-01",
        "  inertia tensor about the centre of mass:",
        "                        3.333333333333333E-01  0.000000000000000E+00  0.000000000000000E+00",
        "                        0.000000000000000E+00  3.333333333333333E-01  0.000000000000000E+00",
        "                        0.000000000000000E+00  0.000000000000000E+00  3.333333333333333E-01",
        "  principal moments     3.333333333333333E-01  3.333333333333333E-01  3.333333333333333E-01",
        "  principal axes (columns):",
        "                        1.000000000000000E+00  0.000000000000000E+00  0.000000000000000E+00",
        "                        0.000000000000000E+00  1.000000000000000E+00  0.000000000000000E+00",
        "                        0.000000000000000E+00  0.000000000000000E+00  1.000000000000000E+00",
        EQUAL,
    ]
    assert run.err == ""


def test_blocks_of_several_inputs_have_headings(tmp_path: Path) -> None:
    names = {"one.stl": tetrahedron(), "inside out.stl": reverse(tetrahedron()), "two.stl": box((0, 0, 0), (1, 2, 3))}
    for name, triangles in names.items():
        (tmp_path / name).write_text(ascii_stl(triangles))
    files = [str(tmp_path / name) for name in names]
    arguments = ("-i", *files, "--mass_properties")
    text, document = massprops(*arguments), massprops(*arguments, "--json")
    assert (text.code, document.code) == (1, 1)
    first, refused, last = re.split("|".join(f"(?m:^{re.escape(name)}\n)" for name in files), text.out)[1:]
    results = document.results
    check(read_back(first), results[0])
    assert refused == f"mass properties: not measured: {results[1]['status']}: {results[1]['message']}\n"
    check(read_back(last), results[2])
    assert "inside out.stl: inside_out: " in text.err
    assert text.err.endswith("3 inputs: 2 measured, 1 not\n")
