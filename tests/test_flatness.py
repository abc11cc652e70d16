"""Polygons that are not flat, and how much volume that leaves open."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.readers.collada import read_dae
from massprops.readers.flatness import LEAST_SHARE, open_volumes, warped
from massprops.readers.obj import read_obj
from massprops.readers.off import read_off
from massprops.readers.ply import read_ply
from tests import mesh_files as files
from tests.oracle import rotation

QUADS = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [3, 7, 6, 2], [0, 4, 7, 3], [1, 2, 6, 5]])
TURN = rotation(1, 1, -2, 4).astype(float)


def brick(lift: float) -> np.ndarray:
    """A brick of 2 x 3 x 5, turned and moved, one corner of whose roof is lifted; the other faces stay flat."""
    corners = np.array([[0, 0, 0], [2, 0, 0], [2, 3, 0], [0, 3, 0], [0, 0, 5], [2, 0, 5], [2, 3, 5 + lift], [0, 3, 5]])
    return corners @ TURN.T + (4.1, -0.7, 0.3)  # type: ignore[no-any-return]


def rows(numbers: np.ndarray, before: str = "") -> str:
    return "".join(before + " ".join(map(repr, row)) + "\n" for row in numbers.tolist())


def test_the_volume_between_both_cuts_of_a_quadrilateral() -> None:
    points = brick(0.6)
    faces = np.concatenate([[QUADS[1, [0, 1, 2]], QUADS[1, [0, 2, 3]]], [QUADS[1, [1, 2, 3]], QUADS[1, [1, 3, 0]]]])
    cuts = [np.linalg.det(points[faces[k : k + 2]] - points[0]).sum() / 6 for k in (0, 2)]
    opened = open_volumes(np.full(6, 4), points[QUADS.ravel()])
    assert opened[1] == pytest.approx(abs(cuts[0] - cuts[1]), rel=1e-12)
    assert opened[1] == pytest.approx(2 * 3 * 0.6 / 6, rel=1e-12)
    assert np.abs(np.delete(opened, 1)).max() < 1e-13


def test_flat_polygons_of_any_size_leave_nothing_open() -> None:
    angles = np.linspace(0, 2 * np.pi, 7, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles]) * [1, 2, 1] @ TURN.T + (5, 7, -3)
    sizes = np.array([3, 7, 4])
    corners = np.array([0, 1, 2, *range(7), 6, 5, 4, 3])
    assert warped(sizes, corners, rim) == ()
    assert open_volumes(sizes, rim[corners]).max() < 1e-14


@pytest.mark.parametrize("scale", [1e-60, 1.0, 1e60])
def test_what_is_told_is_a_share_of_the_box(scale: float) -> None:
    points = brick(0.6) * scale
    (notice,) = warped(np.full(6, 4), QUADS.ravel(), points)
    box = np.ptp(points / scale, axis=0).prod()
    assert notice.code == "not_flat"
    assert notice.details["faces"] == 1
    assert notice.details["share"] == pytest.approx(0.6 / box, rel=1e-9)


def test_what_rounding_leaves_is_not_told() -> None:
    points = np.round(brick(0.0), 5)
    assert warped(np.full(6, 4), QUADS.ravel(), points) == ()
    small = brick(0.5 * LEAST_SHARE)
    assert warped(np.full(6, 4), QUADS.ravel(), small) == ()


def test_nothing_to_tell() -> None:
    points = brick(0.6)
    assert warped(np.empty(0, int), np.empty(0, int), points) == ()
    assert warped(np.array([3, 2]), np.array([0, 1, 2, 3, 4]), points) == ()
    points[3] = np.nan
    assert warped(np.full(6, 4), QUADS.ravel(), points) == ()


def test_the_readers_of_polygons_tell() -> None:
    points = brick(0.6)
    lists = rows(np.column_stack([np.full(6, 4), QUADS]))
    vertices = "".join(f"property double {axis}\n" for axis in "xyz")
    ply = f"ply\nformat ascii 1.0\nelement vertex 8\n{vertices}element face 6\n"
    ply += "property list uchar int vertex_indices\nend_header\n"
    for found in (
        read_obj((rows(points, "v ") + rows(QUADS + 1, "f ")).encode()),
        read_off(("OFF\n8 6 0\n" + rows(points) + lists).encode()),
        read_ply((ply + rows(points) + lists).encode()),
    ):
        assert [notice.code for notice in found.notices] == ["not_flat"]
        assert measure(found.surface).integrals.moments.volume == pytest.approx(30.6, abs=0.61)


VERTEX = '<input semantic="VERTEX" source="#vertices" offset="0"/>'


def quads(points: np.ndarray) -> str:
    sizes = "4 " * len(QUADS)
    listed = f"<polylist count='6'>{VERTEX}<vcount>{sizes}</vcount><p>{files.words(QUADS)}</p></polylist>"
    return files.geometry_dae(points, listed)


def test_a_scene_is_told_once_with_what_all_its_places_leave_open() -> None:
    geometry = quads(brick(0.6))
    (alone,) = read_dae(files.dae_of(geometry)).notices
    assert alone.details["faces"] == 1
    assert alone.details["share"] == pytest.approx(0.6 / np.ptp(brick(0.6), axis=0).prod(), rel=1e-9)
    placed = '<instance_geometry url="#part"/>'
    moved = "<translate>40 0 0</translate><scale>2 -1 3</scale>"
    nodes = f'<node id="a">{placed}</node><node id="b">{moved}{placed}</node>'
    found = read_dae(files.dae_of(geometry, nodes))
    (told,) = found.notices
    box = np.ptp(found.surface.triangles.reshape(-1, 3), axis=0).prod()  # type: ignore[attr-defined]
    assert told.details["share"] == pytest.approx(7 * 0.6 / box, rel=1e-9)
    assert read_dae(files.dae_of(quads(brick(0.0)))).notices == ()


def test_strips_and_fans_are_no_polygons() -> None:
    points = brick(0.6)
    for kind in ("tristrips", "trifans"):
        primitive = f'<{kind} count="1">{VERTEX}<p>0 1 6 5 4</p></{kind}>'
        assert read_dae(files.dae_of(files.geometry_dae(points, primitive))).notices == ()
