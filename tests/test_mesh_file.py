"""The mesh as changed, read back."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.chain import process
from massprops.core.affine_map import AffineMap
from massprops.core.closure import survey
from massprops.core.measure import measure
from massprops.core.surface import BLOCK, TriangleArray, triangle_array
from massprops.errors import NonFinite, Unwritable
from massprops.motion import motion
from massprops.plan import Plan
from massprops.readers.reader import reading
from massprops.report import mesh_file
from massprops.report.mesh_file import write_mesh
from massprops.targets import WRITTEN_FORMATS
from tests.mesh_files import off
from tests.oracle import (
    Triangles,
    box,
    exact,
    exact_array,
    floats,
    l_prism,
    moved,
    rays,
    reverse,
    rotation,
    star,
    tetrahedron,
)

TURN = rotation(3, 1, -2, 5)
BODY = moved(star(2, np.linspace(0.7, 1.4, rays(2))), TURN, (1, -2, 3))
IDENTITY = AffineMap.identity()
MAPS = {
    "identity": IDENTITY,
    "turn": motion(rotate_axis=(1.0, 2.0, 3.0), rotate_angle=0.7, translate=(0.1, -0.2, 0.3)),
    "mirror": motion((1.0, 2.0, -3.0)),
    "resize": motion(resize=(2.0, -3.0, 0.1), translate=(10.0, 20.0, 30.0)),
}
DOUBLES = ("obj", "ply", "off")


def written(triangles: Triangles, affine: AffineMap, path: Path) -> Triangles:
    write_mesh(TriangleArray(triangles), affine, path)
    with reading(str(path)) as found:
        return np.array(triangle_array(found.surface))


def image(triangles: Triangles, affine: AffineMap) -> Any:
    """Exactly, as a body whose facets point outwards."""
    corners = exact_array(triangles.astype(float).tolist()) @ affine.matrix.T + affine.translation
    return reverse(corners) if affine.determinant < 0 else corners


def sorted_facets(triangles: Any) -> list[Any]:
    """Facets, each from its smallest corner on, whatever their order."""
    turned = [[tuple(corner) for corner in facet] for facet in np.asarray(triangles).tolist()]
    starts = [facet.index(min(facet)) for facet in turned]
    return sorted([*facet[k:], *facet[:k]] for facet, k in zip(turned, starts, strict=True))


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
@pytest.mark.parametrize("name", MAPS)
def test_read_back(suffix: str, name: str, tmp_path: Path) -> None:
    """To the last bit of the format, but for the rounding of the map; closed, and outside out."""
    affine = MAPS[name]
    found = written(BODY, affine, tmp_path / f"part.{suffix}")
    wanted = exact(image(BODY, affine))
    assert survey(TriangleArray(found)).is_closed
    assert len(found) == len(BODY)
    right = exact(found)
    assert right.volume > 0
    digits = 4e-15 if suffix in DOUBLES else 4e-6
    assert abs(right.volume / wanted.volume - 1) <= digits
    assert float(abs(right.inertia - wanted.inertia).max() / abs(wanted.inertia).max()) <= digits
    assert float(abs(right.center - wanted.center).max()) <= digits * 30


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
def test_unchanged_corners_keep_every_bit(suffix: str, tmp_path: Path) -> None:
    body = BODY if suffix in DOUBLES else BODY.astype(np.float32)
    assert sorted_facets(written(body, IDENTITY, tmp_path / f"part.{suffix}")) == sorted_facets(body.astype(float))


def test_binary_stl_keeps_the_order_of_facets_and_says_their_normals(tmp_path: Path) -> None:
    body = tetrahedron().astype(np.float32)
    assert (written(body, IDENTITY, tmp_path / "part.stl") == body).all()
    data = (tmp_path / "part.stl").read_bytes()
    assert not data.startswith(b"solid")
    assert len(data) == 84 + 50 * 4
    assert struct.unpack("<I", data[80:84]) == (4,)
    normals = [struct.unpack("<3f", data[at : at + 12]) for at in range(84, len(data), 50)]
    slanted = np.array([6, 3, 2]) / 7
    assert np.allclose(normals, [(0, 0, -1), (0, -1, 0), (-1, 0, 0), slanted], atol=1e-7)
    assert {data[at + 48 : at + 50] for at in range(84, len(data), 50)} == {bytes(2)}


@pytest.mark.parametrize("name", ["part", "part.STL", "part.Stl", ".stl"])
def test_stl_is_what_is_written_unless_the_suffix_says_otherwise(name: str, tmp_path: Path) -> None:
    write_mesh(TriangleArray(tetrahedron()), IDENTITY, tmp_path / name)
    assert (tmp_path / name).stat().st_size == 84 + 50 * 4


def test_suffixes_in_capitals(tmp_path: Path) -> None:
    assert len(written(BODY, IDENTITY, tmp_path / "part.OBJ")) == len(BODY)


def test_ply_is_of_doubles_that_other_programs_read(tmp_path: Path) -> None:
    import trimesh

    far = np.add(BODY, (1e8, 0, -1e8))
    assert sorted_facets(written(far, IDENTITY, tmp_path / "part.ply")) == sorted_facets(far)
    header = (tmp_path / "part.ply").read_bytes().split(b"end_header")[0].split(b"\n")
    assert header[:2] == [b"ply", b"format binary_little_endian 1.0"]
    assert header[3:6] == [b"property double x", b"property double y", b"property double z"]
    other: Any = trimesh.load(tmp_path / "part.ply", process=False)
    assert sorted_facets(other.triangles) == sorted_facets(far)


def test_facets_without_area_have_no_normal(tmp_path: Path) -> None:
    body = np.concatenate([tetrahedron(), [[(0, 0, 0), (1, 0, 0), (1, 0, 0)]]])
    written(body, IDENTITY, tmp_path / "part.stl")
    assert (tmp_path / "part.stl").read_bytes()[-50:-38] == bytes(12)


@pytest.mark.parametrize("suffix", ["stl", "obj"])
@pytest.mark.parametrize("name", ["turn", "resize"])
def test_surfaces_longer_than_a_block_stay_closed(suffix: str, name: str, tmp_path: Path) -> None:
    """A vertex is the same number in every facet, whichever block that is in and whichever corner of it."""
    body = moved(star(34, np.full(rays(34), 1 / 34)), TURN, (0.1, 0.2, 0.3))
    assert len(body) > BLOCK
    surface = TriangleArray(np.random.default_rng(2).permutation(body))
    write_mesh(surface, MAPS[name], tmp_path / f"part.{suffix}")
    with reading(str(tmp_path / f"part.{suffix}")) as found:
        assert survey(found.surface).is_closed


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_a_corner_is_mapped_alike_in_every_facet(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(5, 3)) * 10.0 ** rng.integers(-3, 4)
    number = rng.integers(0, 5, size=(count, 3))
    affine = motion(rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), 0.7, rng.normal(size=3))
    corners = mesh_file._mapped(TriangleArray(points[number]).block(0), affine)
    corners = corners[:, ::-1] if affine.determinant < 0 else corners
    for index in range(5):
        assert len(np.unique(corners[number == index], axis=0)) <= 1


def test_what_comes_first_in_a_chain_and_goes_out_mirrored_is_a_body(tmp_path: Path) -> None:
    for normal in ((1.0, 0.0, 0.0), (1.0, -2.0, 0.5)):
        found = written(l_prism(), motion(normal), tmp_path / "part.obj")
        assert float(measure(TriangleArray(found)).integrals.moments.volume) == pytest.approx(5, rel=1e-15)


TOO_LARGE = motion(resize=(1e40, 1.0, 1.0))


@pytest.mark.parametrize("suffix", [suffix for suffix in WRITTEN_FORMATS if suffix not in DOUBLES])
def test_numbers_that_single_precision_does_not_hold(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(Unwritable, match="too large for the format"):
        write_mesh(TriangleArray(BODY), TOO_LARGE, tmp_path / f"part.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", DOUBLES)
def test_double_precision_holds_them(suffix: str, tmp_path: Path) -> None:
    found = written(BODY, TOO_LARGE, tmp_path / f"part.{suffix}")
    assert exact(found).volume / exact(BODY).volume == pytest.approx(1e40, rel=1e-14)


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
@pytest.mark.parametrize("affine", [
    motion(translate=(0.0, 3e5, 0.0)), motion(resize=(1e-43,) * 3), motion(resize=(1e-220,) * 3),
])  # fmt: skip
def test_shapes_that_single_precision_spoils_are_told(suffix: str, affine: AffineMap, tmp_path: Path) -> None:
    """Far from the origin, and smaller than the numbers of the format."""
    path = tmp_path / f"part.{suffix}"
    told = write_mesh(TriangleArray(BODY), affine, path)
    assert [notice.code for notice in told] == ([] if suffix in DOUBLES else ["rounded"])
    for notice in told:
        right = floats(image(BODY, affine)).reshape(-1, 3)
        rounding = np.abs(right - right.astype(np.float32)).max()
        share = rounding / math.hypot(*np.ptp(right, axis=0))
        assert notice.details["rounding"] == pytest.approx(rounding, rel=1e-6, abs=0)
        assert notice.details["share"] == pytest.approx(share, rel=1e-6)
        assert f"of the diagonal, as .{suffix} holds float32 numbers; " in notice.message
        assert notice.message.endswith(".obj, .ply and .off keep every digit")


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
def test_what_is_kept_well_enough_is_not_told(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"part.{suffix}"
    assert write_mesh(TriangleArray(BODY), MAPS["turn"], path) == ()
    far = np.add(BODY, (0, 3e5, 0)).astype(np.float32)
    assert write_mesh(TriangleArray(far), IDENTITY, path) == ()
    assert write_mesh(TriangleArray(np.full((1, 3, 3), 0.1)), IDENTITY, path) == ()  # a point has no shape


def test_roundings_and_the_box_of_all_blocks_count(tmp_path: Path) -> None:
    near = star(34, np.full(rays(34), 1 / 34)).astype(np.float32).astype(float)
    far = np.add(near, 3e5).astype(np.float32).astype(float)
    assert len(near) > BLOCK
    near[-1], far[-1] = near[-1] + 3e5, far[-1] + 0.01
    path = tmp_path / "part"
    assert write_mesh(TriangleArray(near), IDENTITY, path) == ()
    assert [notice.code for notice in write_mesh(TriangleArray(far), IDENTITY, path)] == ["rounded"]


def test_a_run_tells_what_was_rounded(tmp_path: Path) -> None:
    (tmp_path / "a.off").write_bytes(off(BODY))
    name = str(tmp_path / "a.off")
    for written_to, codes in (("b.stl", ["rounded"]), ("b.off", []), ("b.ply", [])):
        output = str(tmp_path / written_to)
        plan = Plan((name,), affine=motion(translate=(0.0, 3e5, 0.0)), output=output, mass_properties=True)
        *_, result = process(name, plan)
        assert [notice.code for notice in result.warnings] == codes
        assert result.is_ok


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
def test_numbers_that_nothing_holds(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(Unwritable, match="too large"):
        write_mesh(TriangleArray(BODY * 1e10), motion(resize=(1e300, 1.0, 1.0)), tmp_path / f"part.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["identity", "turn"])
def test_what_is_no_number_is_not_written(suffix: str, bad: float, name: str, tmp_path: Path) -> None:
    body = box((0, 0, 0), (1, 2, 3))
    body[7, 1, 2] = bad
    with pytest.raises(NonFinite, match="facet 8 of 12"):
        write_mesh(TriangleArray(body), MAPS[name], tmp_path / f"part.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", WRITTEN_FORMATS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interruption_leaves_nothing(
    suffix: str, error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: Path, data: bytes) -> int:
        with open(path, "wb") as file:
            file.write(data[:100])
        raise error

    def interrupted(block: Any, affine: Any) -> Any:
        raise error

    if suffix == "stl":
        monkeypatch.setattr(mesh_file, "_mapped", interrupted)  # the header is there by then
    else:
        monkeypatch.setattr(Path, "write_bytes", broken)
    (tmp_path / f"part.{suffix}").touch()
    with pytest.raises(Unwritable if isinstance(error, OSError) else error):
        write_mesh(TriangleArray(BODY), IDENTITY, tmp_path / f"part.{suffix}")
    monkeypatch.undo()
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [(f"part.{suffix}", 0)]
