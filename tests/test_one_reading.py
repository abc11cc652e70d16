"""A large surface in one reading where a sample tells its box, and in two where it does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core import one_reading
from massprops.core.measure import Measurement, measure, surveyed
from massprops.core.one_reading import LARGE, Sampled, expected_box, read_once
from massprops.core.polyhedron import integrals
from massprops.core.surface import BLOCK, Block, TriangleArray, block_count
from massprops.errors import InsideOut, MassPropsError, NonFinite, OpenSurface
from massprops.readers.stored import StoredTriangles
from tests.oracle import binary_stl, exact

BANDS, SIDES = 100, 150
COUNT = BANDS * SIDES * 2


def torus(ring: float = 5.0, tube: float = 2.0, center: tuple[float, float, float] = (1.0, 2.0, 3.0)) -> np.ndarray:
    """Facets of a torus that is closed bit by bit."""
    u, v = np.meshgrid(np.arange(BANDS) * 2 * np.pi / BANDS, np.arange(SIDES) * 2 * np.pi / SIDES, indexing="ij")
    away = ring + tube * np.cos(v)
    points = np.stack([away * np.cos(u), away * np.sin(u), tube * np.sin(v)], axis=-1) + center
    a, b = points, np.roll(points, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    return np.concatenate([np.stack([a, b, c], 2), np.stack([a, c, d], 2)]).reshape(-1, 3, 3).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Told(TriangleArray):
    """A surface in memory, a few facets of which stand for all; notes which blocks are read."""

    few: Any
    read: list[int] = field(default_factory=list)

    def block(self, index: int) -> Block:
        self.read.append(index)
        return super().block(index)

    def sample(self) -> Block:
        return np.ascontiguousarray(self.few.transpose(1, 2, 0))


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_reading, "LARGE", 20_000)


def bits(found: Measurement) -> tuple[Any, ...]:
    moments, bound = found.integrals.moments, found.integrals.round_off
    return (
        moments.volume, moments.first.tolist(), moments.second.tolist(), moments.origin.tolist(), found.integrals.area,
        bound.volume, bound.first.tolist(), bound.second.tolist(), found.check, found.survey.residue,
        found.survey.lower.tolist(), found.survey.upper.tolist(),
    )  # fmt: skip


def read_twice(triangles: np.ndarray, lines: int = 24) -> Measurement:
    return measure(Told(triangles, triangles[:1]), lines=lines)


@pytest.mark.parametrize("lines", [0, 24])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(("few", "readings"), [
    (slice(None), 1), (slice(None, None, 7), 1), (slice(0, 50), 2), (slice(0, 1), 2),
])  # fmt: skip
def test_the_sample_decides_how_often_the_surface_is_read(few: slice, readings: int, kind: type, lines: int) -> None:
    triangles = torus().astype(kind)
    surface = Told(triangles, triangles[few])
    found, exact_body = measure(surface, lines=lines), exact(triangles)
    assert sorted(surface.read) == sorted(list(range(block_count(surface))) * readings)
    moments, bound = found.integrals.moments, found.integrals.round_off
    assert abs(moments.volume - exact_body.volume) <= bound.volume
    assert float(abs(moments.volume - exact_body.volume) / exact_body.volume) < 1e-15
    for center, expected in zip(moments.center, exact_body.center, strict=True):
        assert abs(float(center - expected)) < 1e-15
    assert (found.check is None) is (lines == 0)
    if found.check is not None:
        assert found.check.volume == pytest.approx(float(exact_body.volume), rel=2e-2)
        assert found.check.overlap_volume == found.check.inverted_volume == 0


def test_whatever_the_sample_lacks_the_numbers_are_those_of_two_readings() -> None:
    triangles = torus()
    corners = triangles.astype(float).reshape(-1, 3)
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    samples = [triangles[0:50], triangles[(triangles[:, 0, 0] > 2)], triangles[(triangles[:, 0, 2] < 4)]]
    alone = integrals(TriangleArray(triangles), lower, upper)
    for few in samples:
        found = measure(Told(triangles, few), lines=24)
        assert bits(found) == bits(read_twice(triangles))
        assert found.integrals.moments.volume == alone.moments.volume


@pytest.mark.parametrize("index", [3, BLOCK + 5, COUNT - 1])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_coordinate_that_is_no_number_is_told_wherever_it_is(index: int, value: float) -> None:
    triangles = torus()
    triangles[index, 1, 2] = value
    for few in (triangles[::100], np.delete(triangles, index, axis=0)):
        with pytest.raises(NonFinite, match=f"facet {index + 1} of {COUNT}"):
            measure(Told(triangles, few), lines=24)


@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("damage", ["hole", "spike", "turned", "crack"])
def test_verdicts_and_notices_are_those_of_two_readings(damage: str, offset: float) -> None:
    triangles = torus(center=(offset, 0, 0))
    if damage == "hole":
        triangles = triangles[1:]
    elif damage == "spike":
        tip = triangles[10, 0].copy()
        triangles[(triangles == tip).all(axis=2)] = tip + np.float32([0, 0, 50])
    elif damage == "turned":
        triangles = triangles[:, ::-1].copy()
    else:
        triangles[10, 0, 2] = np.nextafter(triangles[10, 0, 2], np.float32(99))
    ends = []
    for few in (triangles[::13], triangles[:1]):
        try:
            found = measure(Told(triangles, few), lines=24)
            ends.append((float(found.integrals.moments.volume), found.notices))
        except MassPropsError as verdict:
            ends.append((type(verdict), verdict.message, verdict.diagnosis))
    assert ends[0][1:] == ends[1][1:]
    assert ends[0][0] == (ends[1][0] if isinstance(ends[0][0], type) else pytest.approx(ends[1][0], rel=1e-14))
    expected = {"hole": OpenSurface, "turned": InsideOut}.get(damage)
    assert ends[0][0] is expected if expected else len(ends[0]) == 2


def test_more_crossings_than_fit_into_memory_are_counted_along_fewer_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    triangles = torus()
    for module in ("crossings", "winding"):
        monkeypatch.setattr(f"massprops.core.{module}.MAX_CROSSINGS", 300)
    for few in (triangles, triangles[:1]):
        found = measure(Told(triangles, few), lines=64)
        assert found.check is not None
        assert found.check.lines < 64**2
        assert float(found.integrals.moments.volume) == pytest.approx(2 * np.pi**2 * 5 * 4, rel=3e-3)


def test_small_surfaces_and_those_samples_without_depth_tell_no_box() -> None:
    triangles = torus()
    assert expected_box(Told(triangles[:20_000], triangles)) is None
    assert expected_box(Told(triangles, np.full((2, 3, 3), np.nan))) is None
    assert expected_box(Told(triangles, triangles[:1] * [1, 1, 0])) is None
    assert expected_box(Told(triangles, triangles)) is not None


@pytest.mark.parametrize("near", [1e-3, 4.0, -1e-3, -4.0])
def test_a_box_on_one_side_of_0_stays_there(near: float) -> None:
    """So that the centre is subtracted from float32 coordinates without round-off."""
    triangles = torus()
    corner = triangles.min(axis=(0, 1)) if near > 0 else triangles.max(axis=(0, 1))
    moved = (triangles - corner + np.float32(near)).astype(np.float32)
    box = expected_box(Told(moved, moved))
    assert box is not None
    assert (box[0] * box[1] > 0).all()
    found, other = measure(Told(moved, moved)), read_twice(moved, 0)
    assert found.integrals.round_off.volume <= 1.1 * other.integrals.round_off.volume


@pytest.mark.parametrize("few", [slice(None), slice(0, 1)])
def test_minus_0_is_0_in_the_box_in_whatever_block_it_is(few: slice) -> None:
    triangles = torus(center=(0, 0, 0))
    triangles[:, :, 2] = np.abs(triangles[:, :, 2])  # a folded sheet, closed, that stands on 0
    for start in (0, BLOCK):
        turned = triangles.copy()
        part = turned[start : start + BLOCK, :, 2]
        part[part == 0] = -0.0
        surface = Told(turned, turned[few])
        box = expected_box(surface)
        survey_ = surveyed(surface) if box is None else read_once(surface, box, 0).survey
        assert survey_.lower[2] == 0
        assert not np.signbit(survey_.lower[2])


def test_a_file_tells_its_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    triangles = np.concatenate([torus(center=(20.0 * k, 0, 0)) for k in range(LARGE // COUNT + 1)])
    path = tmp_path / "a.stl"
    path.write_bytes(binary_stl(triangles))
    with path.open("rb") as file:
        surface = StoredTriangles(file, len(triangles), 84, 50, 12, np.dtype("<f4"))
        assert isinstance(surface, Sampled)
        sample = surface.sample()
        assert {facet.tobytes() for facet in sample.transpose(2, 0, 1)} <= {facet.tobytes() for facet in triangles}
        assert {facet.tobytes() for facet in triangles[[0, -1]]} <= {f.tobytes() for f in sample.transpose(2, 0, 1)}
        np.testing.assert_array_equal(TriangleArray(triangles).sample(), sample)
        box = expected_box(surface)
        assert box is not None
        assert (box[0] < triangles.min(axis=(0, 1))).all()
        assert (box[1] > triangles.max(axis=(0, 1))).all()
        assert bits(measure(surface, lines=24)) == bits(measure(TriangleArray(triangles), lines=24))
