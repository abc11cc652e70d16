"""The library's one function: paths, arrays and meshes; a verdict is an exception."""

from __future__ import annotations

import copy
import pickle
import struct
import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import massprops as package
from massprops import MassProperties, MassPropsError, MassPropsWarning, mass_properties
from massprops.errors import (
    Empty,
    InconsistentWinding,
    InsideOut,
    NonFinite,
    NotFound,
    OpenSurface,
    Unreadable,
    Unsupported,
    ZeroVolume,
)
from tests.oracle import binary_stl, box, massprops

VERTICES = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
REVERSED = [face[::-1] for face in FACES]


def boxes(*corners: Any) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces of boxes, each vertex as often as facets use it."""
    triangles = np.concatenate([box(*ends) for ends in corners])
    return triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3)


def check(found: package.MassProperties) -> None:
    assert (found.volume, found.center.tolist()) == (1, [0.25, 0.5, 0.75])
    assert found.bounds.tolist() == [[0, 0, 0], [1, 2, 3]]
    assert found.area == pytest.approx(9, rel=1e-15)  # 1 + 1.5 + 3 + 3.5
    assert found.inertia[0].tolist() == [39 / 80, 1 / 40, 3 / 80]


@pytest.mark.parametrize("mesh", [
    (VERTICES, FACES), (np.array(VERTICES, np.float32), np.array(FACES, np.uint8)),
    (np.array(VERTICES, order="F"), np.array(FACES, np.int64)), (tuple(map(tuple, VERTICES)), FACES),
    ([*VERTICES, [np.nan] * 3], FACES),
    SimpleNamespace(vertices=np.array(VERTICES, float), faces=np.array(FACES)),
])  # fmt: skip
def test_arrays_and_meshes(mesh: Any) -> None:
    check(mass_properties(mesh))


def test_a_trimesh() -> None:
    trimesh = pytest.importorskip("trimesh")
    mesh = trimesh.Trimesh(VERTICES, FACES, process=False)
    before = mesh.vertices.copy()
    check(mass_properties(mesh))
    assert np.array_equal(mesh.vertices, before)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path(tmp_path: Path, kind: type) -> None:
    rows = np.zeros(4, np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = np.array(VERTICES)[FACES]
    (tmp_path / "a.stl").write_bytes(bytes(80) + struct.pack("<I", 4) + rows.tobytes())
    check(mass_properties(kind(tmp_path / "a.stl")))


def test_density_and_point() -> None:
    found = mass_properties((VERTICES, FACES), density=7.5, about=[0, 0, 0])
    assert found.mass == 7.5
    assert found.inertia_about[1, 2] == 7.5 * -0.3


REFUSED: list[tuple[Any, type[MassPropsError]]] = [
    ((VERTICES, FACES[1:]), OpenSurface), ((VERTICES, REVERSED), InsideOut),
    ((VERTICES, [*FACES[:3], REVERSED[3]]), InconsistentWinding), ((VERTICES, []), Empty),
    ((np.empty((0, 3)), []), Empty),
    ((VERTICES, FACES[:1] + REVERSED[:1]), ZeroVolume),
    ((np.full((4, 3), np.inf), FACES), NonFinite), ("no such file.stl", NotFound), (Path("."), Unreadable),
    ((VERTICES, [[0, 1, 4]]), Unreadable), ((VERTICES, [[0, 1, -1]]), Unreadable),
    ((VERTICES, [[0.0, 1.0, 2.0]]), Unreadable), ((VERTICES, [[0, 1, 2, 3]]), Unreadable),
    ((VERTICES, [0, 1, 2]), Unreadable), (([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]]), Unreadable),
    ((np.zeros((3, 4)), [[0, 1, 2]]), Unreadable), ((VERTICES, [[True, False, True]]), Unreadable),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_refused(case: int) -> None:
    mesh, verdict = REFUSED[case]
    with np.errstate(invalid="ignore"), pytest.raises(verdict) as caught:
        mass_properties(mesh)
    assert type(caught.value) is verdict
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("density", [
    3, np.int64(3), np.uint8(3), np.float64(3), np.float32(3), np.float16(3), np.longdouble(3), np.array(3),
    np.array(3, np.float32), Fraction(3), Decimal(3),
], ids=repr)  # fmt: skip
def test_densities_of_any_kind(density: Any) -> None:
    found = mass_properties((VERTICES, FACES), density, check_lines=0)
    assert (found.mass, found.density, type(found.density)) == (3, 3, float)


def test_a_density_is_taken_without_rounding() -> None:
    found = mass_properties((VERTICES, FACES), np.float32(0.1))
    assert found.mass == float(np.float32(0.1))
    assert mass_properties((VERTICES, FACES), Fraction(1, 3)).mass == 1 / 3


@pytest.mark.parametrize("density", [
    0, -1.0, np.nan, np.inf, np.float32("nan"), Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity"),
    10**400, -(10**5000), Fraction(1, 10**400), np.int64(-3),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_densities_refused(density: Any) -> None:
    with pytest.raises(ValueError, match=r"^density[^\n]{5,80}$"):
        mass_properties((VERTICES, FACES), density)


@pytest.mark.parametrize("density", [
    "3", b"3", None, True, np.bool_(True), 3j, np.complex64(3), [3], np.array([3.0]), np.ma.masked,
    np.datetime64(3, "s"),
], ids=repr)  # fmt: skip
def test_what_is_no_number_is_no_density(density: Any) -> None:
    with pytest.raises(TypeError, match=r"^density: a number is wanted, not [^\n]{4,40}$"):
        mass_properties((VERTICES, FACES), density)


@pytest.mark.parametrize("about", [
    (1, 2, 3), np.array([1, 2, 3], np.float32), np.array([1, 2, 3]), [np.int8(1), Decimal(2), Fraction(3)],
    np.ma.array([1, 2, 3]), np.array([1, 2, 3], object), np.arange(1, 6)[:3],
])  # fmt: skip
def test_points_of_any_kind(about: Any) -> None:
    found = mass_properties((VERTICES, FACES), about=about, check_lines=0)
    assert found.about is not None
    assert (found.about.tolist(), found.about.dtype) == ([1, 2, 3], np.float64)


@pytest.mark.parametrize(
    "about",
    [[0, 0], [0, 0, np.nan], 3.0, [[0, 0, 0]], [], {1, 2, 3}, np.zeros((3, 1)), np.ma.array([1, 2, 3], mask=[0, 1, 0])],
)
def test_points_refused(about: Any) -> None:
    with pytest.raises(ValueError, match=r"^about"):
        mass_properties((VERTICES, FACES), about=about)


@pytest.mark.parametrize("about", ["123", ["1", "2", "3"], [None] * 3, [1j, 0, 0], [1, [2], 3], [True, False, True]])
def test_what_is_no_number_is_no_coordinate(about: Any) -> None:
    with pytest.raises(TypeError, match=r"^about"):
        mass_properties((VERTICES, FACES), about=about)


def test_a_point_too_far_away_is_refused() -> None:
    with pytest.raises(NonFinite, match="too large"):
        mass_properties((VERTICES, FACES), about=(10**400, 0, 0))


OVERLAPPING = boxes(((-1, -1, -1), (1, 1, 1)), ((0, -1, -1), (2, 1, 1)))
INVERTED = boxes(((0, 0, 0), (2, 2, 2)), ((5, 5, 5), (6, 6, 6)))
INVERTED[1][12:] = INVERTED[1][12:, ::-1]


@pytest.mark.parametrize(("mesh", "code", "mass"), [(OVERLAPPING, "overlap", 16), (INVERTED, "inverted", 7)])
def test_what_is_wrong_beside_a_number_is_told_and_kept(mesh: Any, code: str, mass: float) -> None:
    with pytest.warns(MassPropsWarning, match=f"{code}: a volume of about ") as caught:
        found = mass_properties(mesh)
    assert (found.mass, len(caught)) == (mass, 1)
    assert caught[0].filename == __file__
    assert isinstance(caught[0].message, MassPropsWarning)
    assert caught[0].message.notices == found.warnings
    assert found.warnings[-1].code == code
    assert found.warnings[-1].details[f"{code}_volume"] == pytest.approx(4 if code == "overlap" else 1, rel=0.05)


def test_a_warning_as_an_error_says_what_is_wrong() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", MassPropsWarning)
        with pytest.raises(MassPropsWarning, match=r"overlap: .* \(33.\d % of the whole\) is enclosed twice or more"):
            mass_properties(OVERLAPPING)


def test_several_things_are_told_at_once() -> None:
    wrong = boxes(((0, 0, 0), (2, 2, 2)), ((50, 50, 50), (51, 51, 51)))
    wrong[1][12:] = wrong[1][12:, ::-1]
    with pytest.warns(MassPropsWarning, match="; inverted: ") as caught:
        found = mass_properties(wrong)
    assert len(caught) == 1
    assert {"center_outside", "moment_not_positive", "inverted"} == {notice.code for notice in found.warnings}


def test_a_warning_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "two.stl"
    path.write_bytes(binary_stl(OVERLAPPING[0][OVERLAPPING[1]]))
    with pytest.warns(MassPropsWarning, match=r"two\.stl: .*overlap: ") as caught:
        mass_properties(path)
    kept = pickle.loads(pickle.dumps(caught[0].message))
    assert (str(kept), kept.notices) == (str(caught[0].message), caught[0].message.notices)


def test_what_is_odd_about_a_file_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "long.stl"
    path.write_bytes(binary_stl(np.array(VERTICES, float)[FACES]) + b"more")
    with pytest.warns(MassPropsWarning, match="trailing_bytes"):
        assert mass_properties(path).volume == 1


def test_the_check_can_be_left_out() -> None:
    corners = boxes(((0, 0, 0), (2, 2, 2)), ((1, 1, 1), (5, 5, 5)))
    assert mass_properties(corners, check_lines=0).warnings == ()
    with pytest.warns(MassPropsWarning, match="overlap"):
        mass_properties(corners, check_lines=np.int64(64))


def test_sound_bodies_are_told_nothing() -> None:
    assert mass_properties((VERTICES, FACES)).warnings == ()


@pytest.mark.parametrize(("lines", "error"), [
    (-1, ValueError), (1025, ValueError), (9.0, TypeError), ("9", TypeError), (True, TypeError), (False, TypeError),
    (np.True_, TypeError), ([96], TypeError),
])  # fmt: skip
def test_numbers_of_lines_refused(lines: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^check_lines"):
        mass_properties((VERTICES, FACES), check_lines=lines)


@pytest.mark.parametrize("exact", [True, False, np.True_, np.False_, 0, 1])
def test_cracks_are_refused_or_not(exact: Any) -> None:
    triangles = box((0, 0, 0), (2, 3, 5)).astype(np.float32)
    triangles[2, (triangles[2] == [2, 3, 5]).all(axis=1), 2] += np.float32(5e-7)
    mesh = triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3)
    with pytest.raises(OpenSurface) if exact else pytest.warns(MassPropsWarning, match="hairline"):
        mass_properties(mesh, exact=exact)


@pytest.mark.parametrize("exact", ["no", "", None, 2, -1, 1.0, np.array([1, 2]), np.array([True]), []], ids=str)
def test_what_is_no_yes_or_no_is_refused(exact: Any) -> None:
    with pytest.raises(TypeError, match=r"^exact: True or False is wanted, not a value of type \w+$"):
        mass_properties((VERTICES, FACES), exact=exact)


@pytest.mark.parametrize("measured", [mass_properties, package.section_properties])
def test_an_empty_name_is_no_file(measured: Any) -> None:
    with pytest.raises(NotFound, match=r"^an empty name: there is no such file$"):
        measured("")


@pytest.mark.parametrize("files", [["a.stl", "b.stl"], ("a.stl", Path("b.stl")), ["a.stl", "b.stl", "c.stl"]])
def test_files_are_measured_one_by_one(files: Any) -> None:
    with pytest.raises(TypeError, match=r"^a path, .* is wanted, not (list|tuple)$"):
        mass_properties(files)


@pytest.mark.parametrize("sample", ["channel.dxf", "bracket.svg", "naca0012.csv"])
def test_sections_are_sent_to_their_own_function(sample: str) -> None:
    path = Path(__file__).parent.parent / "sample_meshes" / sample
    with pytest.raises(Unsupported, match=r"a plane section .* massprops\.section_properties"):
        mass_properties(path)


def test_a_section_has_no_facets_to_merge(tmp_path: Path) -> None:
    (tmp_path / "plate.txt").write_text("0,0\n4,0\n4,3\n")
    (tmp_path / "part.stl").write_bytes(binary_stl(np.array(VERTICES, float)[FACES]))
    run = massprops(tmp_path / "part.stl", "--merge", tmp_path / "plate.txt", "--mass_properties")
    assert run.code == 1
    assert "plate.txt: a plane section (csv), not a body" in run.err


REAL = np.array(VERTICES, float)


@pytest.mark.parametrize(("mesh", "told"), [
    ((REAL.astype(complex), FACES), "vertices of type complex128"),
    ((REAL.astype(object), FACES), "vertices of type object"),
    ((REAL.astype(str), FACES), "vertices of type <U"), ((REAL > 0, FACES), "vertices of type bool"),
    ((np.ma.array(REAL, mask=REAL > 2), FACES), "vertices with masked entries"),
    ((VERTICES, np.ma.array(FACES, mask=np.array(FACES) > 2)), "faces with masked entries"),
    ((VERTICES, np.array(FACES, object)), "faces of type object"),
    ((VERTICES, np.array(FACES, complex)), "faces of type complex128"),
])  # fmt: skip
def test_arrays_of_other_kinds_are_refused(mesh: Any, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        mass_properties(mesh)


def test_a_mask_that_hides_nothing_does_no_harm() -> None:
    check(mass_properties((np.ma.array(REAL), np.ma.array(FACES))))


def test_long_doubles_beyond_range_are_infinite() -> None:
    if np.finfo(np.longdouble).max > np.finfo(float).max:
        with pytest.raises(NonFinite):
            mass_properties((REAL.astype(np.longdouble) * np.longdouble("1e400"), FACES))


def test_results_cannot_be_written_to() -> None:
    found = mass_properties((VERTICES, FACES), about=[0, 0, 0])
    arrays = [value for value in vars(found).values() if isinstance(value, np.ndarray)]
    assert len(arrays) == 7
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 9


def test_the_file_is_named_in_front_of_what_is_wrong_with_it(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"^nope\.stl: there is no such file$"):
        mass_properties("nope.stl")
    path = tmp_path / "open.stl"
    path.write_bytes(binary_stl(np.array(VERTICES, float)[np.array(FACES[:3])]))
    with pytest.raises(OpenSurface, match=r"open\.stl: 3 boundary edges") as caught:
        mass_properties(path)
    assert caught.value.message == str(caught.value)
    assert caught.value.diagnosis is not None
    with pytest.raises(OpenSurface, match=r"^3 boundary edges"):
        mass_properties((VERTICES, FACES[:3]))


def _arrays(value: Any) -> list[np.ndarray]:
    held = list(vars(value).values())
    inner = [array for item in held if hasattr(item, "__dict__") for array in _arrays(item)]
    return [item for item in held if isinstance(item, np.ndarray)] + inner


@pytest.mark.parametrize("again", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy, copy.copy])
def test_copies_and_pickles_cannot_be_written_to_either(again: Any) -> None:
    body = mass_properties((VERTICES, FACES), about=[0, 0, 0])
    section = package.section_properties(([0, 2, 0], [0, 0, 1]), about=[0, 0])
    for found in (body, section):
        arrays = _arrays(again(found))
        assert [array.tolist() for array in arrays] == [array.tolist() for array in _arrays(found)]
        assert len(arrays) >= 10
        assert not any(array.flags.writeable for array in arrays)


def test_results_keep_exact_moments_to_be_added_up() -> None:
    found = mass_properties((VERTICES, FACES), density=0.1)
    assert found.moments.volume == found.volume == 1
    two = MassProperties.of(2 * found.moments + 3 * found.moments)
    np.testing.assert_array_equal(two.inertia, mass_properties((VERTICES, FACES), density=5).inertia)
    assert "Fraction" not in repr(found)


@pytest.mark.parametrize(
    "mesh", [([[0, 0, 0], [1]], FACES), (VERTICES, FACES, 1), (VERTICES,), None, 3]
)
def test_what_is_no_mesh_is_told(mesh: Any) -> None:
    with pytest.raises((MassPropsError, TypeError), match=r"vertices|path"):
        mass_properties(mesh)


def test_arguments_are_not_changed() -> None:
    vertices, faces = np.array(VERTICES, float), np.array(FACES)
    before = vertices.copy(), faces.copy()
    mass_properties((vertices, faces))
    assert np.array_equal(vertices, before[0])
    assert np.array_equal(faces, before[1])


def test_the_public_names() -> None:
    for name in package.__all__:
        assert getattr(package, name).__doc__
    with pytest.raises(AttributeError):
        package.nonsense  # noqa: B018
    assert set(package.__all__) <= set(dir(package))


def test_the_version_is_there_and_asked_for_only_when_wanted() -> None:
    assert package.__version__ == installed("massprops")
    assert "__version__" in dir(package)
    code = "import sys, massprops; print(*{'importlib.metadata', 'massprops.report'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stdout) == (0, "\n")


def test_a_copy_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise PackageNotFoundError("massprops")

    monkeypatch.setattr("massprops.report.version.version", missing)
    assert not hasattr(package, "__version__")


def test_a_scene_is_told_how_to_be_a_mesh() -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene([trimesh.Trimesh(VERTICES, FACES, process=False)])
    with pytest.raises(TypeError, match=r"not Scene: give its to_mesh\(\)$"):
        mass_properties(scene)
    assert mass_properties(scene.to_mesh()).mass == mass_properties((VERTICES, FACES)).mass
