"""One input through the chain: units, motion, statistics, warnings."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.chain import process
from massprops.errors import MassPropsError, OpenSurface, Unsupported
from massprops.motion import motion
from massprops.plan import Plan
from massprops.result import Result
from tests import mesh_files as files

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    ends = np.array([lower, upper], float)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


def written(path: Path, triangles: np.ndarray) -> str:
    rows = np.zeros(len(triangles), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = triangles
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + rows.tobytes())
    return str(path)


def last(path: str, **given: Any) -> Result:
    *_, result = process(path, Plan((path,), **{"mass_properties": True, **given}))
    return result


@pytest.fixture
def block(tmp_path: Path) -> str:
    return written(tmp_path / "block.stl", box((0, 0, 0), (100, 60, 40)))


@pytest.fixture
def part(tmp_path: Path) -> str:
    return written(tmp_path / "part.stl", box((10, 20, 30), (12, 23, 35)))


def test_pure_numbers(part: str) -> None:
    result = last(part, density=7850.0, about=(0.0, 0.0, 0.0))
    found = result.properties
    assert (result.status, result.format, result.facets, result.unit) == ("ok", "stl", 12, None)
    assert found.mass == 7850 * 30
    assert found.center.tolist() == [11, 21.5, 32.5]
    assert np.diag(found.inertia) == pytest.approx(7850 * np.array([85, 72.5, 32.5]), rel=1e-15)
    assert found.inertia_about[0, 1] == -7850 * 30 * 11 * 21.5
    assert (found.area, found.bounds.tolist()) == (62, [[10, 20, 30], [12, 23, 35]])
    assert result.warnings == ()


def test_millimetres(block: str) -> None:
    result = last(block, units="mm", density=7850.0, about=(50.0, 30.0, 20.0))
    found = result.properties
    assert result.unit == "mm"
    assert found.mass == pytest.approx(1.884, rel=1e-15)
    assert found.center == pytest.approx([0.05, 0.03, 0.02], rel=1e-15)
    assert np.diag(found.inertia) == pytest.approx([8.164e-4, 1.8212e-3, 2.1352e-3], rel=1e-14)
    assert found.about == pytest.approx(found.center, rel=1e-15)  # the point is in the unit of the coordinates
    assert found.inertia_about == pytest.approx(found.inertia, rel=1e-14)
    assert found.area == pytest.approx(2e-6 * (6000 + 2400 + 4000), rel=1e-14)
    assert result.warnings == ()


@pytest.mark.parametrize(("unit", "metres"), [("um", 1e-6), ("cm", 0.01), ("m", 1), ("in", 0.0254), ("ft", 0.3048)])
def test_units_are_a_scale(part: str, unit: str, metres: float) -> None:
    found = last(part, units=unit).properties
    assert found.volume == pytest.approx(30 * metres**3, rel=1e-14)
    assert found.bounds == pytest.approx(np.array([[10, 20, 30], [12, 23, 35]]) * metres, rel=1e-14)


@pytest.mark.parametrize(("given", "words"), [
    ({"units": "m", "affine": motion(resize=(1000.0,) * 3)}, "long"),
    ({"units": "um", "affine": motion(resize=(0.1,) * 3)}, "only"),
    ({"units": "m", "density": 1e5}, "kg"),
])  # fmt: skip
def test_what_is_implausible_in_metres_is_told(part: str, given: dict[str, Any], words: str) -> None:
    found = last(part, **given).warnings
    assert [n.code for n in found] == ["implausible"]
    assert words in found[0].message
    pure = {name: value for name, value in given.items() if name != "units"}
    assert last(part, **pure).warnings == ()  # without units nothing is implausible


def test_the_unit_of_an_stl_file_is_not_declared(part: str) -> None:
    with pytest.raises(Unsupported, match="declares no unit"):
        last(part, units="file")


@pytest.mark.parametrize(("units", "codes"), [
    ("mm", ["units"]), ("in", []), ("file", []), (None, []),
])  # fmt: skip
def test_another_unit_than_that_of_the_file_is_told(tmp_path: Path, units: str | None, codes: list[str]) -> None:
    corners = "".join(
        f"<vertex><coordinates><x>{x}</x><y>{y}</y><z>{z}</z></coordinates></vertex>"
        for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    )
    facets = "".join(
        f"<triangle><v1>{a}</v1><v2>{b}</v2><v3>{c}</v3></triangle>"
        for a, b, c in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    )
    body = f"<mesh><vertices>{corners}</vertices><volume>{facets}</volume></mesh>"
    (tmp_path / "part.amf").write_text(f'<amf unit="inch"><object id="1">{body}</object></amf>')
    found = last(str(tmp_path / "part.amf"), units=units)
    assert [notice.code for notice in found.warnings] == codes
    metres = {"mm": 1e-3, None: 1.0}.get(units, 0.0254)
    assert found.properties.volume == pytest.approx(metres**3 / 6, rel=1e-14)


@pytest.mark.parametrize(("name", "codes"), [
    ("part.glb", ["format_unit"]), ("plain.3mf", ["format_unit"]), ("plain.amf", ["format_unit"]),
    ("inch.3mf", ["units"]),
])  # fmt: skip
def test_the_unit_of_a_format_is_no_word_of_a_file(tmp_path: Path, name: str, codes: list[str]) -> None:
    body = box((0, 0, 0), (2, 3, 5))
    data = {
        "part.glb": files.glb(body), "plain.3mf": files.threemf(body, attributes=""),
        "plain.amf": files.amf(body).replace(b' unit="millimeter"', b""),
        "inch.3mf": files.threemf(body, attributes='unit="inch"'),
    }  # fmt: skip
    (tmp_path / name).write_bytes(data[name])
    assert [notice.code for notice in last(str(tmp_path / name), units="cm").warnings] == codes
    for units in ("file", None):
        assert last(str(tmp_path / name), units=units).warnings == ()


@pytest.mark.parametrize(("units", "codes", "metres"), [
    ("file", [], 0.0254), ("mm", ["units"], 1e-3), (None, ["units"], 1.0),
])  # fmt: skip
def test_glb_is_written_in_metres_where_the_unit_is_known(
    tmp_path: Path, units: str | None, codes: list[str], metres: float
) -> None:
    (tmp_path / "inch.3mf").write_bytes(files.threemf(box((0, 0, 0), (2, 3, 5)), attributes='unit="inch"'))
    output = tmp_path / "out.glb"
    found = last(str(tmp_path / "inch.3mf"), units=units, output=str(output), affine=motion(resize=(2.0, 1.0, 1.0)))
    assert [notice.code for notice in found.warnings] == codes
    again = last(str(output), units="file")
    assert again.properties.volume == pytest.approx(60 * metres**3, rel=1e-6)
    if units is not None:
        assert again.properties.volume == pytest.approx(found.properties.volume, rel=1e-6)


def test_nothing_is_written_to_glb_in_a_unit_that_the_file_does_not_declare(part: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="declares no unit"):
        last(part, units="file", output=str(tmp_path / "out.glb"))
    assert not (tmp_path / "out.glb").exists()
    assert last(part, output=str(tmp_path / "out.glb")).warnings == ()
    assert last(str(tmp_path / "out.glb")).properties.volume == 30


def test_a_mirrored_body_is_not_inside_out(part: str) -> None:
    found = last(part, affine=motion(mirror_normal=(1.0, 0.0, 0.0))).properties
    assert found.volume == 30
    assert found.center.tolist() == [-11, 21.5, 32.5]


def test_resize_and_rotate(part: str) -> None:
    assert last(part, affine=motion(resize=(2.0, 1.0, 1.0))).properties.center.tolist() == [22, 21.5, 32.5]
    turned = last(part, affine=motion(rotate_axis=(0.0, 0.0, 1.0), rotate_angle=math.pi / 2)).properties
    assert turned.center == pytest.approx([-21.5, 11, 32.5], rel=1e-15)
    assert np.diag(turned.inertia) == pytest.approx([72.5, 85, 32.5], rel=1e-15)
    assert turned.bounds == pytest.approx(np.array([[-23, 10, 30], [-20, 12, 35]]), rel=1e-14)


def test_statistics(part: str) -> None:
    result = last(part, mass_properties=False)
    assert result.properties is None
    assert (result.statistics.volume, result.statistics.facets) == (30, 12)


def test_what_was_found_before_a_verdict_is_not_lost(tmp_path: Path) -> None:
    path = written(tmp_path / "open.stl", box((0, 0, 0), (1, 1, 1))[:10])
    seen: list[Result] = []
    with pytest.raises(OpenSurface):
        seen.extend(process(path, Plan((path,), mass_properties=True)))
    links = process(path, Plan((path,), mass_properties=True))
    first = next(links)
    assert (first.file, first.format, first.facets) == (path, "stl", 10)


def cracked(tmp_path: Path) -> str:
    triangles = box((10, 20, 30), (12, 23, 35)).astype(np.float32)
    triangles[2, (triangles[2] == (12, 23, 35)).all(axis=1), 2] += np.spacing(np.float32(35))
    return written(tmp_path / "cracked.stl", triangles)


def test_a_hairline_is_told(tmp_path: Path) -> None:
    path = cracked(tmp_path)
    assert [n.code for n in last(path).warnings] == ["hairline"]
    with pytest.raises(OpenSurface):
        last(path, exact=True)


def test_a_hairline_is_told_with_statistics_too(tmp_path: Path) -> None:
    result = last(cracked(tmp_path), mass_properties=False)
    assert result.statistics.volume == pytest.approx(30, rel=1e-6)
    assert [n.code for n in result.warnings] == ["hairline"]


LONG, LARGE, SMALL = (1e200, 1.0, 1.0), (1e150, 1e150, 1e150), (1e-150, 1e-150, 1e-150)


@pytest.mark.parametrize(("factors", "mass_properties"), [
    (LARGE, True), (LARGE, False), (LONG, True), (LONG, False), (SMALL, True), (SMALL, False),
])  # fmt: skip
def test_extreme_factors_end_in_a_verdict(part: str, factors: tuple[float, ...], mass_properties: bool) -> None:
    with pytest.raises(MassPropsError):
        last(part, affine=motion(resize=factors), mass_properties=mass_properties)  # type: ignore[arg-type]
