"""The library's one function: paths, arrays and meshes; a verdict is an exception."""

from __future__ import annotations

import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import massprops
from massprops import MassPropsError, mass_properties
from massprops.errors import (
    Empty,
    InconsistentWinding,
    InsideOut,
    NonFinite,
    NotFound,
    OpenSurface,
    Unreadable,
    ZeroVolume,
)

VERTICES = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
REVERSED = [face[::-1] for face in FACES]


def check(found: massprops.MassProperties) -> None:
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


@pytest.mark.parametrize("density", [0, -1.0, np.nan, np.inf])
def test_densities_refused(density: float) -> None:
    with pytest.raises(ValueError, match="density"):
        mass_properties((VERTICES, FACES), density)


@pytest.mark.parametrize("about", [[0, 0], [0, 0, np.nan], 3.0, [[0, 0, 0]], []])
def test_points_refused(about: Any) -> None:
    with pytest.raises(ValueError, match="about"):
        mass_properties((VERTICES, FACES), about=about)


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
    for name in massprops.__all__:
        assert getattr(massprops, name).__doc__
    with pytest.raises(AttributeError):
        massprops.nonsense  # noqa: B018
