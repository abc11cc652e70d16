"""XAML: transforms, meshes with and without indices, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.xaml import read_xaml
from tests import mesh_files as files
from tests.oracle import moved, rays, rotation, star

BODY = moved(star(1, np.linspace(0.7, 1.4, rays(1))), rotation(2, 1, 3, -1), (5.1, 0.7, -3.3))
QUARTER = "0 1 0 0 -1 0 0 0 0 0 1 0 5 6 7 1"
TURN = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]


def triangles(data: bytes) -> np.ndarray:
    reading = read_xaml(data)
    assert reading.format == "xaml"
    assert reading.unit is None
    return reading.surface.triangles  # type: ignore[attr-defined]


def transform(owner: str, matrix: str) -> str:
    return f'<{owner}.Transform><MatrixTransform3D Matrix="{matrix}"/></{owner}.Transform>'


def model(more: str = "", mesh: str = "") -> str:
    return f"<GeometryModel3D>{more}<GeometryModel3D.Geometry>{mesh}</GeometryModel3D.Geometry></GeometryModel3D>"


def mesh(body: np.ndarray) -> str:
    return f'<MeshGeometry3D Positions="{files.words(body.reshape(-1, 3))}"/>'


def test_a_mesh_with_indices() -> None:
    assert np.array_equal(triangles(files.xaml(BODY)), BODY)


def test_a_mesh_without_normals_material_or_indices() -> None:
    assert np.array_equal(triangles(model(mesh=mesh(BODY)).encode()), BODY)
    listed = mesh(BODY).replace("/>", f' TriangleIndices="{",".join(map(str, range(3 * len(BODY))))}"/>')
    assert np.array_equal(triangles(model(mesh=listed).encode()), BODY)


def test_transforms_within_transforms() -> None:
    once = moved(BODY, TURN, (5, 6, 7))
    assert np.allclose(triangles(files.xaml(BODY, transform("ModelVisual3D", QUARTER))), once, rtol=1e-15, atol=1e-13)
    inner = model(transform("GeometryModel3D", "1,0,0,0, 0,1,0,0, 0,0,2,0, 1,2,3,1"), mesh(BODY))
    group = f"<Model3DGroup>{transform('Model3DGroup', QUARTER)}{inner}{model(mesh=mesh(BODY))}</Model3DGroup>"
    stretched = moved(BODY * [1, 1, 2], np.eye(3), (1, 2, 3))
    both = np.concatenate([moved(stretched, TURN, (5, 6, 7)), once])
    assert np.allclose(triangles(group.encode()), both, rtol=1e-14, atol=1e-13)


def test_a_mirror_does_not_turn_a_body_inside_out() -> None:
    mirror = transform("ModelVisual3D", "-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")
    volume = measure(read_xaml(files.xaml(BODY)).surface).integrals.moments.volume
    found = measure(read_xaml(files.xaml(BODY, mirror)).surface).integrals.moments
    assert found.volume == pytest.approx(volume, rel=1e-13)
    assert found.center[0] < 0


def test_a_camera_and_a_resource_place_and_add_nothing() -> None:
    camera = "<PerspectiveCamera><PerspectiveCamera.Transform><RotateTransform3D/></PerspectiveCamera.Transform>"
    kept = f"<Grid.Resources>{model(mesh=mesh(BODY))}</Grid.Resources>"
    data = f"<Grid>{kept}{camera}</PerspectiveCamera>{model(mesh=mesh(BODY))}</Grid>"
    assert np.array_equal(triangles(data.encode()), BODY)


def test_an_identity_by_name_or_by_nothing() -> None:
    for held in (transform("GeometryModel3D", "Identity"), "<GeometryModel3D.Transform/>"):
        assert np.array_equal(triangles(model(held, mesh(BODY)).encode()), BODY)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (model("<GeometryModel3D.Transform><RotateTransform3D/></GeometryModel3D.Transform>"), "RotateTransform3D"),
        (model().replace("3D>", '3D Transform="{StaticResource a}">', 1), "that is not read"),
        (model().replace("3D>", '3D Geometry="{StaticResource a}">', 1), "model 1 keeps its mesh elsewhere"),
        (model(transform("GeometryModel3D", "1 0 0 .5 0 1 0 0 0 0 1 0 0 0 0 1")), "no affine map"),
    ],
)
def test_what_is_not_read(data: str, told: str) -> None:
    with pytest.raises(Unsupported, match=told):
        triangles(data.encode())


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (model(transform("GeometryModel3D", "1 0 0 0")), "a matrix of 4 numbers, not 16"),
        (model(mesh='<MeshGeometry3D Positions="0 0 0 1"/>'), "4 coordinates and 1 corner,"),
        (model(mesh='<MeshGeometry3D Positions="0 0 0 1 0 0"/>'), "6 coordinates and 2 corners"),
        (model(mesh='<MeshGeometry3D Positions="0 0 0" TriangleIndices="0 0 x"/>'), "TriangleIndices of model 1"),
        (model(mesh='<MeshGeometry3D Positions="0 0 0" TriangleIndices="0 0 1"/>'), "face 1 refers to vertex 1"),
        (model(mesh='<MeshGeometry3D Positions="0 0 zero"/>'), "'zero' where a number is expected"),
        (model()[:-3], "not well-formed"),
    ],
)
def test_what_is_damaged(data: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        triangles(data.encode())


def test_nothing() -> None:
    with pytest.raises(Empty, match="no GeometryModel3D"):
        triangles(b"<Viewport3D/>")
    with pytest.raises(Empty, match="1 model without any"):
        triangles(model().encode())
