"""Small bodies and files with known answers, most of them from faults that users of other tools reported.

The answers are fractions, worked out by hand or symbolically. Each body goes through the library, as arrays and as a
file, and through the command line. Tensors are (xx, yy, zz, xy, xz, yz), with minus the products of inertia.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops import AffineMap, MassProperties, MassPropsError, MassPropsWarning, mass_properties
from massprops.core.measure import measure
from massprops.core.surface import TriangleArray
from massprops.readers.reader import reading
from tests.oracle import (
    Body,
    Exact,
    Run,
    Triangles,
    ascii_stl,
    binary_stl,
    box,
    errors,
    exact,
    exact_array,
    floats,
    indexed,
    l_prism,
    massprops,
    moved,
    regular_prism,
    relative_error,
    reverse,
    rotation,
    star,
    tensor_error,
    tetrahedron,
    torus,
)

ROUND_OFF = 1e-15  # of the largest entry of a tensor, or relative


def symmetric(xx: Any, yy: Any, zz: Any, xy: Any = 0, xz: Any = 0, yz: Any = 0) -> Exact:
    return exact_array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def joined(*parts: Triangles) -> Triangles:
    return np.concatenate(parts)


def cube(corner: Any, side: float = 1.0) -> Triangles:
    return box(corner, np.add(corner, side).tolist())


def written(folder: Path, triangles: Triangles, name: str = "part.stl") -> Path:
    """A file that keeps every bit of the coordinates: binary where they are float32, else text."""
    with np.errstate(over="ignore"):
        is_single = (triangles.astype(np.float32) == triangles).all()
    contents = binary_stl(triangles) if is_single else ascii_stl(triangles).encode()
    file = folder / name
    file.write_bytes(contents)
    return file


def found_everywhere(folder: Path, triangles: Triangles, density: float = 1.0, about: Any = None) -> Iterator[Any]:
    """Mass properties of arrays and of a file by the library, and of the file by the command line."""
    file = written(folder, triangles)
    yield mass_properties(indexed(triangles), density, about)
    yield mass_properties(file, density, about)
    point = [] if about is None else ["--about", *about]
    yield one(massprops("-i", file, "--mass_properties", "--json", "--density", density, *point))


def one(run: Run) -> dict[str, Any]:
    """The only result of a run that measured it."""
    assert run.code == 0, run.err
    (result,) = run.results
    assert result["status"] == "ok"
    return result


def refused_everywhere(folder: Path, triangles: Triangles) -> tuple[str, str, Any]:
    """Status, message and diagnosis of a surface that neither the library nor the command line measures."""
    file = written(folder, triangles)
    with pytest.raises(MassPropsError) as of_arrays:
        mass_properties(indexed(triangles))
    status, message, diagnosis = refused_file(file)
    assert (of_arrays.value.status, of_arrays.value.message) == (status, message)
    return status, message, diagnosis


def refused_file(file: Path) -> tuple[str, str, Any]:
    with pytest.raises(MassPropsError) as refusal:
        mass_properties(file)
    run = massprops("-i", file, "--mass_properties", "--json")
    (result,) = run.results
    assert run.code == 1
    named = f"{file}: {result['message']}"  # from Python, where no line begins with the file's name
    assert (result["status"], named) == (refusal.value.status, refusal.value.message)
    assert all(result[name] is None for name in ("mass", "volume", "center", "inertia", "principal_moments"))
    assert "\n" not in result["message"]
    return result["status"], result["message"], result["diagnosis"]


# Bodies whose corners are floats without rounding


@dataclass(frozen=True)
class Case:
    """A body and its answer at density 1."""

    triangles: Triangles
    volume: Any
    center: Any
    inertia: Exact
    density: float = 1.0


TWO_BODIES = joined(box((0, 0, 0), (2, 3, 5)), cube((10, 0, 0)))
EXACT = {
    "tetrahedron": Case(
        tetrahedron(), 1, (Q(1, 4), Q(1, 2), Q(3, 4)),
        symmetric(Q(39, 80), Q(3, 8), Q(3, 16), Q(1, 40), Q(3, 80), Q(3, 40)),
    ),
    "non-convex L": Case(
        l_prism(), 5, (Q(11, 10), Q(11, 10), Q(1, 2)), symmetric(Q(121, 30), Q(121, 30), Q(217, 30), Q(9, 5)),
    ),
    "far": Case(
        box((1e6, -2e6, 3e6), (1e6 + 2, -2e6 + 3, 3e6 + 5)), 30, (10**6 + 1, Q(-4 * 10**6 + 3, 2), 3 * 10**6 + Q(5, 2)),
        symmetric(85, Q(145, 2), Q(65, 2)), 7850,
    ),
    "cavity": Case(
        joined(cube((0, 0, 0), 4), reverse(cube((1, 1, 1), 2))), 56, (2, 2, 2), symmetric(*3 * [Q(496, 3)]),
    ),
    "cavity off centre": Case(
        joined(box((10, 20, 30), (12, 23, 35)), reverse(cube((10.5, 20.5, 31)))), 29, (11, Q(624, 29), Q(1887, 58)),
        symmetric(Q(7268, 87), Q(6203, 87), Q(5581, 174), 0, 0, Q(15, 29)),
    ),
    "touching along an edge": Case(
        joined(cube((0, 0, 0)), cube((1, 1, 0))), 2, (1, 1, Q(1, 2)), symmetric(Q(5, 6), Q(5, 6), Q(4, 3), Q(-1, 2)),
    ),
    "double wall": Case(
        joined(box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))), 45, (Q(3, 2), Q(3, 2), Q(5, 2)),
        Q(45, 12) * symmetric(34, 34, 18),
    ),
    "two bodies": Case(
        TWO_BODIES, 31, (Q(81, 62), Q(91, 62), Q(151, 62)),
        symmetric(Q(16741, 186), Q(30481, 186), Q(22501, 186), Q(285, 31), Q(570, 31), Q(-60, 31)),
    ),
    "octahedron": Case(star(1, [1] * 6), Q(4, 3), (0, 0, 0), symmetric(*3 * [Q(4, 15)])),
    "zero-area facet": Case(
        joined(box((0, 0, 0), (2, 3, 5)), [[(0, 0, 0), (2, 3, 0), (2, 3, 0)]]), 30, (1, Q(3, 2), Q(5, 2)),
        symmetric(85, Q(145, 2), Q(65, 2)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_bodies_with_exact_corners(name: str, tmp_path: Path) -> None:
    case = EXACT[name]
    body = exact(case.triangles)
    assert body.volume == case.volume
    assert body.center.tolist() == list(case.center)
    assert (body.inertia == case.inertia).all()
    for found in found_everywhere(tmp_path, case.triangles, case.density):
        assert max(errors(found, body, case.density)) <= ROUND_OFF


def test_the_tetrahedron_about_the_origin_and_its_moments(tmp_path: Path) -> None:
    wanted = symmetric("1.3", 1, "0.5", "-0.1", "-0.15", "-0.3")
    assert (exact(tetrahedron()).inertia_about((0, 0, 0)) == wanted).all()
    of_arrays, of_file, told = found_everywhere(tmp_path, tetrahedron(), about=(0, 0, 0))
    for inertia in (of_arrays.inertia_about, of_file.inertia_about, told["about"]["inertia"]):
        assert tensor_error(inertia, wanted) <= ROUND_OFF
    for moments in (of_arrays.principal_moments, told["principal_moments"]):
        assert np.abs(np.array(moments) - [0.15891753, 0.38861481, 0.50246766]).max() <= 5e-9
    assert told["area"] == 9


def test_the_mean_of_the_corners_is_not_the_centre_of_the_l() -> None:
    corners, _ = indexed(l_prism())
    mean = corners.mean(axis=0)
    assert np.allclose(mean, [4 / 3, 4 / 3, 0.5])
    assert np.abs(mass_properties(indexed(l_prism())).center - mean).max() > 0.2


def test_two_bodies_as_two_solids_of_one_text_file(tmp_path: Path) -> None:
    file = tmp_path / "two.stl"
    file.write_text(ascii_stl(TWO_BODIES[:12], "one") + ascii_stl(TWO_BODIES[12:], "two"))
    result = one(massprops(file, "--mass_properties", "--json"))
    assert max(errors(result, exact(TWO_BODIES))) <= ROUND_OFF
    assert [(warning["code"], warning["solids"]) for warning in result["warnings"]] == [("solids", 2)]


def test_two_bodies_in_two_files(tmp_path: Path) -> None:
    files = [written(tmp_path, TWO_BODIES[:12], "one.stl"), written(tmp_path, TWO_BODIES[12:], "two.stl")]
    run = massprops("-i", *files, "--mass_properties", "--json")
    assert run.code == 0
    assert [result["file"] for result in run.results] == [str(file) for file in files]
    assert [result["volume"] for result in run.results] == [30, 1]


def test_a_cube_split_in_groups(tmp_path: Path) -> None:
    corners, faces = indexed(cube((0, 0, 0)))
    lines = [f"v {x:g} {y:g} {z:g}" for x, y, z in corners]
    for group, part in (("five", faces[:10]), ("one", faces[10:])):
        lines += [f"g {group}", f"usemtl {group}", *(f"f {a} {b} {c}" for a, b, c in part + 1)]
    file = tmp_path / "cube.obj"
    file.write_text("\n".join(lines) + "\n")
    assert mass_properties(file).volume == 1
    assert one(massprops(file, "--mass_properties", "--json"))["volume"] == 1


# Bodies whose corners are rounded: compared with the formula as well as the corners allow, with the oracle entirely


def near(body: Body, volume: float, center: Any, inertia: Exact, tolerance: float) -> bool:
    far = np.abs(floats(body.center) - floats(exact_array(center))).max()
    return (
        relative_error(float(body.volume), volume) <= tolerance
        and far <= tolerance * body.size
        and tensor_error(floats(body.inertia), inertia) <= tolerance
    )


PRISM_V, PRISM_H = 64 * math.sin(math.pi / 32), 2.0
PRISM_ROUND = 2 + math.cos(math.pi / 32)
PRISM_X = PRISM_V * (PRISM_ROUND / 12 + PRISM_H**2 / 12)
TURN = exact_array([[2, -2, 1], [1, 2, 2], [-2, -1, 2]]) / 3
ROUNDED = {
    "far and small": (
        moved(box((0, 0, 0), 3 * [0.05]), None, 3 * [1000 - 0.025]), 0.05**3, 3 * [1000], symmetric(*3 * [0.05**5 / 6]),
        1e-11,
    ),
    "tiny": (cube((0, 0, 0), 1e-6), 1e-18, 3 * [5e-7], symmetric(*3 * [1e-30 / 6]), ROUND_OFF),
    "tinier": (cube((0, 0, 0), 1e-60), 1e-180, 3 * [5e-61], symmetric(*3 * [1e-300 / 6]), ROUND_OFF),
    "plate": (
        box((0, 0, 0), (1, 1, 0.001)), 1e-3, (0.5, 0.5, 0.0005),
        symmetric(*2 * [Q(1000001, 12 * 10**9)], Q(1, 6000)), ROUND_OFF,
    ),
    "turned principal frame": (
        moved(box((-0.5, -1, -1.5), (0.5, 1, 1.5)), TURN), 6, (0, 0, 0),
        symmetric(Q(97, 18), Q(73, 18), Q(41, 9), Q(-2, 9), Q(-11, 9), Q(-13, 9)), ROUND_OFF,
    ),
    "64-gon prism": (
        regular_prism(64, PRISM_H), PRISM_V, (0, 0, 1), symmetric(PRISM_X, PRISM_X, PRISM_V * PRISM_ROUND / 6), 2e-15,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROUNDED)
def test_bodies_with_rounded_corners(name: str, tmp_path: Path) -> None:
    triangles, *answer = ROUNDED[name]
    body = exact(triangles)
    assert near(body, *answer)
    for found in found_everywhere(tmp_path, triangles):
        assert max(errors(found, body)) <= ROUND_OFF


def test_a_plate_keeps_the_triangle_inequality_in_print(tmp_path: Path) -> None:
    file = written(tmp_path, ROUNDED["plate"][0])
    lines = massprops(file, "--mass_properties", "--density", 1000).out.splitlines()
    diagonal = [Q(lines[4 + k].split()[k]) for k in range(3)]
    moments = [Q(number) for number in lines[7].split()[2:]]
    assert diagonal[0] + diagonal[1] >= diagonal[2]
    assert moments[0] + moments[1] >= moments[2]
    assert np.allclose(floats(diagonal), [0.0833334167, 0.0833334167, 0.1666666667], rtol=1e-9)


NEEDLE = (10**8, 10**4, 1)
NEEDLE_LIMIT = 1e-12  # of each moment


@pytest.mark.parametrize(
    "quaternion",
    [
        (1, 0, 1, 7),
        (1, 2, 3, 4),
        (3, -1, 2, 5),
    ],
    ids=str,
)
def test_each_moment_of_a_needle(quaternion: tuple[int, int, int, int], tmp_path: Path) -> None:
    """1 x 1e-4 x 1e-8, in whole numbers of 1e-8 that stay whole when turned."""
    clearing = sum(q * q for q in quaternion)
    needle = moved(box((0, 0, 0), [clearing * side for side in NEEDLE]), rotation(*quaternion))
    a, b, c = (Q(clearing * side) ** 2 for side in NEEDLE)
    volume = Q(clearing**3 * math.prod(NEEDLE))
    wanted = sorted(volume / 12 * pair for pair in (b + c, a + c, a + b))
    assert exact(needle).volume == volume
    for found in found_everywhere(tmp_path, needle):
        moments = found["principal_moments"] if isinstance(found, dict) else found.principal_moments
        assert max(relative_error(x, y) for x, y in zip(moments, wanted, strict=True)) <= NEEDLE_LIMIT


def test_each_moment_of_a_needle_with_rounded_corners(tmp_path: Path) -> None:
    needle = moved(box((0, 0, 0), (1, 1e-4, 1e-6)), rotation(2, -3, 1, 4), (3.3, -1.7, 0.9))
    body = exact(needle)
    for found in found_everywhere(tmp_path, needle):
        assert errors(found, body).moments <= NEEDLE_LIMIT


def test_axes_of_the_turned_frame_are_right_handed(tmp_path: Path) -> None:
    for found in found_everywhere(tmp_path, ROUNDED["turned principal frame"][0]):
        of = found.__getitem__ if isinstance(found, dict) else found.__getattribute__
        axes, wanted = np.array(of("principal_axes")), floats(TURN)[:, ::-1]
        assert np.allclose(of("principal_moments"), [2.5, 5, 6.5], rtol=ROUND_OFF, atol=0)
        assert np.abs(np.abs((axes * wanted).sum(axis=0)) - 1).max() <= 1e-15
        assert abs(np.linalg.det(axes) - 1) <= 1e-15


@pytest.mark.parametrize("triangles", [cube((0, 0, 0)), star(1, [1] * 6)], ids=["cube", "octahedron"])
def test_equal_moments_have_the_coordinate_axes(triangles: Triangles, tmp_path: Path) -> None:
    of_arrays, of_file, told = found_everywhere(tmp_path, triangles)
    for found in (of_arrays, of_file):
        assert found.repeated_moments
        assert found.principal_axes.tolist() == np.eye(3).tolist()
    assert told["repeated_moments"] is True
    assert told["principal_axes"] == np.eye(3).tolist()


def torus_answer(n: int, m: int) -> tuple[float, float]:
    """Volume and polar moment of the faceted torus of radii 3 and 1, whose sections have area A and second moment J."""
    around, tube = 2 * math.pi / n, 2 * math.pi / m
    area, second = m / 2 * math.sin(tube), m * math.sin(tube) * (2 + math.cos(tube)) / 12
    swept = n * math.sin(around)
    return 3 * swept * area, swept * (2 + math.cos(around)) / 3 * (27 * area + 9 * second / 2)


def test_the_answer_for_the_torus() -> None:
    assert torus_answer(8, 6) == pytest.approx((44.0908153701, 382.9419994286), rel=1e-12)
    assert torus_answer(1000, 1000) == pytest.approx((59.2168471379, 577.3601684820), rel=1e-12)


@pytest.mark.parametrize(("n", "m"), [(8, 6), (400, 250)])
def test_the_faceted_torus(n: int, m: int) -> None:
    volume, polar = torus_answer(n, m)
    found = MassProperties.of(measure(TriangleArray(torus(3, 1, n, m))).integrals.moments)
    assert (found.volume, found.inertia[2, 2]) == pytest.approx((volume, polar), rel=5e-15)
    assert np.abs(found.inertia[[0, 0, 1], [1, 2, 2]]).max() <= ROUND_OFF * polar


def test_the_faceted_torus_in_a_file(tmp_path: Path) -> None:
    file = file_of(tmp_path, binary_stl(torus(3, 1, 120, 80)))
    told = one(massprops(file, "--mass_properties", "--json"))
    assert told["facets"] == 2 * 120 * 80
    assert (told["volume"], told["inertia"][2][2]) == pytest.approx(torus_answer(120, 80), rel=1e-7)  # float32


# Moved by the command line, and by the algebra


BOX = box((10, 20, 30), (12, 23, 35))
QUARTER = exact_array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
MOVED = {
    "mirror": (
        tetrahedron(), ("--mirror_normal", 1, 0, 0), np.diag([-1, 1, 1]), 1, (Q(-1, 4), Q(1, 2), Q(3, 4)),
        symmetric("0.4875", "0.375", "0.1875", "-0.025", "-0.0375", "0.075"),
    ),
    "mirror by a factor": (
        tetrahedron(), ("--resize_x", -1), np.diag([-1, 1, 1]), 1, (Q(-1, 4), Q(1, 2), Q(3, 4)),
        symmetric("0.4875", "0.375", "0.1875", "-0.025", "-0.0375", "0.075"),
    ),
    "scale": (
        tetrahedron(), ("--resize_factor", 2, 3, 5), np.diag([2, 3, 5]), 30, (Q(1, 2), Q(3, 2), Q(15, 4)),
        symmetric("293.625", "257.625", 45, "4.5", "11.25", "33.75"),
    ),
    "resize": (
        BOX, ("--resize_x", 2), np.diag([2, 1, 1]), 60, (22, Q(43, 2), Q(65, 2)), 5 * symmetric(34, 41, 25),
    ),
    "rotate": (
        BOX, ("--rotate_axis", 0, 0, 1, "--rotate_angle", math.pi / 2), QUARTER, 30, (Q(-43, 2), 11, Q(65, 2)),
        symmetric(Q(145, 2), 85, Q(65, 2)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVED)
def test_bodies_are_moved(name: str, tmp_path: Path) -> None:
    triangles, flags, matrix, volume, center, inertia = MOVED[name]
    told = one(massprops("-i", written(tmp_path, triangles), *flags, "--mass_properties", "--json"))
    mapped = measure(TriangleArray(triangles)).integrals.moments.mapped(AffineMap.of(matrix))
    image = moved(triangles, matrix)
    body = exact(image if name not in ("mirror", "mirror by a factor") else reverse(image))
    assert (body.volume, body.center.tolist()) == (volume, list(center))
    assert (body.inertia == inertia).all()
    assert max(errors(told, body)) <= ROUND_OFF
    assert max(errors(MassProperties.of(mapped, area=body.area), body)) <= ROUND_OFF


def test_millimetres(tmp_path: Path) -> None:
    file = written(tmp_path, box((0, 0, 0), (100, 60, 40)))
    flags = ("--mass_properties", "--json", "--density", 7850)
    told = one(massprops(file, *flags, "--units", "mm"))
    assert (told["units"], told["warnings"]) == ("mm", [])
    assert relative_error(told["mass"], Q("1.884")) <= ROUND_OFF
    assert tensor_error(told["center"], [Q("0.05"), Q("0.03"), Q("0.02")]) <= ROUND_OFF
    assert tensor_error(np.diag(told["inertia"]), [Q("8.164e-4"), Q("1.8212e-3"), Q("2.1352e-3")]) <= ROUND_OFF
    metres = one(massprops(file, *flags, "--units", "m"))
    assert metres["mass"] == 1.884e9
    assert [warning["code"] for warning in metres["warnings"]] == ["implausible"]


# Surfaces that are refused


def test_inside_out(tmp_path: Path) -> None:
    status, message, _ = refused_everywhere(tmp_path, reverse(tetrahedron()))
    assert status == "inside_out"
    assert "--sanitize" in message


@pytest.mark.parametrize("along_x", [0, 10])
@pytest.mark.parametrize("missing", [(10, 11), (6, 7)], ids=["x1", "y1"])
def test_an_open_cube(missing: tuple[int, int], along_x: int, tmp_path: Path) -> None:
    triangles = np.delete(cube((along_x, 0, 0)), missing, axis=0)
    status, message, diagnosis = refused_everywhere(tmp_path, triangles)
    assert status == "open"
    assert (diagnosis["open_edges"], diagnosis["loops"]) == (4, 1)
    assert "4 boundary edges in 1 loop" in message
    assert "--fill_holes" in message


def test_an_octahedron_without_its_upper_half(tmp_path: Path) -> None:
    triangles = star(1, [1] * 6)
    status, _, diagnosis = refused_everywhere(tmp_path, triangles[(triangles[:, :, 2] <= 0).all(axis=1)])
    assert (status, diagnosis["open_edges"], diagnosis["loops"]) == ("open", 4, 1)


def test_one_facet_flipped(tmp_path: Path) -> None:
    triangles = cube((-0.5, -0.5, -0.5))
    triangles[2] = triangles[2, [0, 2, 1]]
    assert exact(triangles).volume == Q(5, 6)  # what plain sums would say
    assert exact(triangles).center.tolist() == [Q("-0.025"), Q("0.025"), Q("-0.075")]
    status, message, diagnosis = refused_everywhere(tmp_path, triangles)
    assert (status, diagnosis["inconsistent_edges"]) == ("inconsistent", 3)
    assert "3 edges" in message


def test_a_facet_repeated(tmp_path: Path) -> None:
    whole = box((0, 0, 0), (2, 3, 5))
    for more in (whole[4:5], reverse(whole[4:5])):
        status, _, _ = refused_everywhere(tmp_path, joined(whole, more))
        assert status in ("open", "inconsistent")


def test_a_crack(tmp_path: Path) -> None:
    triangles = box((0, 0, 0), (2, 3, 5))
    triangles[3, 1, 0] += 1e-6
    status, message, _ = refused_everywhere(tmp_path, triangles)
    assert status == "open"
    assert "--connect_nearby" in message


SHEET = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)[[[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]]]


@pytest.mark.parametrize(
    "triangles",
    [SHEET, joined(cube((0, 0, 0)), reverse(cube((5, 0, 0)))), moved(SHEET, rotation(1, 2, 3, 4), (0.1, 0.2, 0.3))],
    ids=["sheet", "a cube and one reversed", "sheet turned"],
)
def test_no_volume(triangles: Triangles, tmp_path: Path) -> None:
    status, message, _ = refused_everywhere(tmp_path, triangles)
    assert status == "zero_volume"
    assert "nan" not in message.lower()


SIZES = [1e62, 1e110, 1e-63, 1e-80]


@pytest.mark.parametrize("side", SIZES)
def test_results_that_no_float_holds(side: float, tmp_path: Path) -> None:
    status, _, _ = refused_everywhere(tmp_path, cube((0, 0, 0), side))
    assert status == "non_finite"


# STL files that are read: the box of 12 facets


TEXT = ascii_stl(BOX)
SCIENTIFIC = ascii_stl(BOX, number=lambda x: f"{x:.9E}")
READ = {
    "binary": binary_stl(BOX),
    "binary that begins with solid": binary_stl(BOX, b"solid part"),
    "binary with facets in its header": binary_stl(BOX, b"solid facet normal vertex"),
    "binary with bytes above 127 in its header": binary_stl(BOX, bytes(range(128, 208))),
    "binary with attributes": binary_stl(BOX, attribute=0x8421),
    "binary with normals NaN": binary_stl(BOX, normal=math.nan),
    "binary with normals zero": binary_stl(BOX, normal=0),
    "binary with wrong normals": binary_stl(BOX, normal=(1, 2, 3)),
    "text": TEXT,
    "CRLF": TEXT.replace("\n", "\r\n"),
    "CR": TEXT.replace("\n", "\r"),
    "tabs": TEXT.replace("  ", "\t"),
    "leading blanks": "\n \n  " + TEXT,
    "leading comment": "; exported today\n" + TEXT,
    "upper case": TEXT.upper(),
    "no name": ascii_stl(BOX, ""),
    "a name with blanks": ascii_stl(BOX, "left bracket, 2nd"),
    "a name with endsolid": ascii_stl(BOX, "my endsolid part"),
    "a name with facet": ascii_stl(BOX, "part facet"),
    "not UTF-8": TEXT.encode().replace(b"solid part", b"solid \xff\xfe\xe9"),
    "UTF-8 with BOM": TEXT.encode("utf-8-sig"),
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "all on one line": " ".join(TEXT.split()),
    "long lines": TEXT.replace("vertex ", "vertex" + 90 * " "),
    "no line feed at the end": TEXT.rstrip(),
    "normals NaN": TEXT.replace("normal 0 0 0", "normal nan nan nan"),
    "exponents": SCIENTIFIC,
    "small exponents": ascii_stl(BOX, number=lambda x: f"{x * 1000:.0f}e-3"),
    "Fortran's exponents": SCIENTIFIC.replace("E+", "D+"),
    "no leading zero": ascii_stl(BOX, number=lambda x: f"{x / 100:g}".lstrip("0") + "e2"),
    "no digit after the point": ascii_stl(BOX, number=lambda x: f"{x:.0f}."),
}


def file_of(folder: Path, contents: str | bytes, name: str = "part.stl") -> Path:
    file = folder / name
    file.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    return file


def read_everywhere(file: Path) -> dict[str, Any]:
    body = exact(BOX)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = mass_properties(file)
    assert max(errors(found, body)) <= ROUND_OFF
    told = one(massprops("-i", file, "--mass_properties", "--json"))
    assert [notice.message for notice in found.warnings] == [warning["message"] for warning in told["warnings"]]
    assert len(caught) == bool(found.warnings)
    assert max(errors(told, body)) <= ROUND_OFF
    assert told["facets"] == 12
    return told


@pytest.mark.parametrize("name", READ)
def test_files_that_are_read(name: str, tmp_path: Path) -> None:
    assert read_everywhere(file_of(tmp_path, READ[name]))["warnings"] == []


@pytest.mark.parametrize("name", ["PART.STL", "part with blanks (1) é.stl"])
def test_names_of_files(name: str, tmp_path: Path) -> None:
    for contents in (READ["binary"], READ["text"]):
        assert read_everywhere(file_of(tmp_path, contents, name))["warnings"] == []


WARNED = {
    "count of 0": (binary_stl(BOX, count=0), "facet_count", "12"),
    "count of 10": (binary_stl(BOX, count=10), None, "10"),
    "count of 1000": (binary_stl(BOX, count=1000), "facet_count", "1000"),
    "largest count": (binary_stl(BOX, count=2**32 - 1), "facet_count", str(2**32 - 1)),
    "trailing bytes": (binary_stl(BOX, tail=b"trailer"), "trailing_bytes", "7 bytes"),
    "a whole record of trailing bytes": (binary_stl(BOX, tail=bytes(57)), "trailing_bytes", "57 bytes"),
    "no endsolid": (ascii_stl(BOX, end=""), "no_endsolid", "12"),
    "two solids": (ascii_stl(BOX[:5], "one") + ascii_stl(BOX[5:], "two"), "solids", "2 solids"),
    "three solids": (ascii_stl(BOX[:5]) + ascii_stl(BOX[5:9], "") + ascii_stl(BOX[9:]), "solids", "3 solids"),
}


@pytest.mark.parametrize("name", WARNED)
def test_files_that_are_read_with_a_warning(name: str, tmp_path: Path) -> None:
    contents, code, said = WARNED[name]
    (warning,) = read_everywhere(file_of(tmp_path, contents))["warnings"]
    assert code in (None, warning["code"])
    assert said in warning["message"]


# STL files that are refused


def with_bad_coordinate(value: float) -> Triangles:
    triangles = BOX.copy()
    triangles[7, 1, 2] = value
    return triangles


LINES = TEXT.splitlines()
VERTEX = next(k for k, line in enumerate(LINES) if "vertex" in line)
REFUSED: dict[str, tuple[str | bytes, str, tuple[str, ...]]] = {
    "two corners": ("\n".join(LINES[:VERTEX] + LINES[VERTEX + 1 :]), "unreadable", ("line",)),
    "four corners": (TEXT.replace("endloop", "vertex 1 1 1\nendloop", 1), "unreadable", ("line",)),
    "a word for a number": (TEXT.replace("12.0", "twelve", 1), "unreadable", ("line", "twelve")),
    "decimal comma": (ascii_stl(BOX, number=lambda x: f"{x:.6f}".replace(".", ",")), "unreadable", ("comma",)),
    "NaN": (binary_stl(with_bad_coordinate(math.nan)), "non_finite", ("facet 8",)),
    "infinity": (binary_stl(with_bad_coordinate(math.inf)), "non_finite", ("facet 8",)),
    "minus infinity": (binary_stl(with_bad_coordinate(-math.inf)), "non_finite", ("facet 8",)),
    "NaN in text": (ascii_stl(with_bad_coordinate(math.nan)), "non_finite", ("facet 8",)),
    "infinity in text": (ascii_stl(with_bad_coordinate(math.inf)), "non_finite", ("facet 8",)),
    "empty": (b"", "empty", ()),
    "blank": ("\n \n", "empty", ()),
    "binary without facets": (binary_stl(BOX[:0]), "empty", ()),
    "text without facets": ("solid part\nendsolid part\n", "empty", ()),
    "header only": (binary_stl(BOX)[:84], "unreadable", ("12", "0")),
    "largest count, no facets": (binary_stl(BOX[:0], count=2**32 - 1), "unreadable", ()),
    "prose": (20 * "Dear Sir or Madam,\n", "unreadable", ()),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3, "unreadable", ()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused(name: str, tmp_path: Path) -> None:
    contents, wanted, words = REFUSED[name]
    status, message, _ = refused_file(file_of(tmp_path, contents))
    assert status == wanted
    for word in words:
        assert word in message


def test_what_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.stl"
    folder.mkdir()
    assert refused_file(folder)[0] == "unreadable"
    assert refused_file(tmp_path / "missing.stl")[0] == "not_found"


def status_of(file: Path) -> tuple[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MassPropsWarning)
        try:
            mass_properties(file)
        except MassPropsError as refusal:
            return refusal.status, refusal.message
    return "ok", ""


def test_a_binary_file_cut_off_at_any_byte(tmp_path: Path) -> None:
    whole = binary_stl(tetrahedron(), b"part")
    for size in range(1, len(whole)):
        status, message = status_of(file_of(tmp_path, whole[:size]))
        facets, more = divmod(size - 84, 50)
        if size < 84:
            assert status == "unreadable", size
        elif facets and not more:  # whole facets, whatever the count says
            assert status == "open", size
        else:
            assert status == "unreadable", size
            assert f"4 facets expected by the header, {facets} found" in message
    run = massprops(file_of(tmp_path, whole[:-50]), "--mass_properties", "--json")
    assert "4 facets" in run.results[0]["warnings"][0]["message"]


CUT_WORDS = ["endsolid"[:size] for size in range(1, len("endsolid"))]


def test_a_text_file_cut_off_at_any_byte(tmp_path: Path) -> None:
    text = ascii_stl(tetrahedron())
    for size in range(1, len(text.rstrip())):
        status, _ = status_of(file_of(tmp_path, text[:size]))
        facets, (*_, rest) = text[:size].count("endfacet"), text[:size].split("endfacet")
        if facets == len(tetrahedron()):
            assert status == ("unreadable" if rest.strip() in CUT_WORDS else "ok"), size
        elif facets and not rest.strip():
            assert status == "open", size
        else:
            assert status in ("unreadable", "empty"), size
    status, message, _ = refused_file(file_of(tmp_path, text[: text.rindex("vertex") + 10]))
    assert (status, "line" in message) == ("unreadable", True)


def test_sizes_beyond_two_and_four_gibibytes(tmp_path: Path) -> None:
    """Sparse files: their sizes are real, their zeros take no room."""
    for facets in (2**31 // 50 + 1000, 2**32 // 50 + 1000):
        file = file_of(tmp_path, binary_stl(BOX[:0], b"large", count=facets))
        os.truncate(file, 84 + 50 * facets)
        with reading(str(file)) as found:
            assert found.surface.facets == facets
            assert not found.surface.block((facets - 1) // 8192).any()
        os.truncate(file, 84 + 50 * facets - 1)
        status, message, _ = refused_file(file)
        assert status == "unreadable"
        assert str(facets) in message
        assert str(facets - 1) in message


# The program as a process


def process(*arguments: Any, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "massprops", *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)


def test_processes_print_what_the_function_prints(tmp_path: Path) -> None:
    good, bad = written(tmp_path, l_prism(), "good.stl"), written(tmp_path, l_prism()[1:], "bad.stl")
    arguments = ("-i", good, bad, tmp_path / "missing.stl", "--mass_properties", "--about", 1, 2, 3)
    left, run = process(*arguments), massprops(*arguments)
    assert (left.returncode, left.stdout.decode(), left.stderr.decode()) == run
    assert left.returncode == 1
    assert b"Traceback" not in left.stderr


def test_standard_input(tmp_path: Path) -> None:
    for contents in (binary_stl(l_prism()), ascii_stl(l_prism()).encode()):
        piped = process("-", "--mass_properties", given=contents)
        assert piped.returncode == 0
        assert piped.stdout.decode() == massprops(file_of(tmp_path, contents), "--mass_properties").out
