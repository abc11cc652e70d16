"""Small surfaces side by side: what is found of each is what is found of it alone, bit by bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import side_by_side
from massprops.core.measure import Measurement, measure
from massprops.core.one_reading import OneReading
from massprops.core.side_by_side import SideBySide, read_together
from massprops.core.surface import BLOCK, Block, TriangleArray
from massprops.errors import MassPropsError, Unreadable
from tests.oracle import cube_grid, exact, moved, prism, regular_prism, reverse, star, tetrahedron, torus

TURN = np.array([[2, -2, 1], [1, 2, 2], [-2, -1, 2]]) / 3.0


def bits(found: Measurement) -> tuple[Any, ...]:
    moments, bound = found.integrals.moments, found.integrals.round_off
    return (
        moments.volume, moments.first.tolist(), moments.second.tolist(), moments.origin.tolist(), found.integrals.area,
        bound.volume, bound.first.tolist(), bound.second.tolist(), found.check, found.survey.residue,
        found.survey.lower.tolist(), found.survey.upper.tolist(), found.notices,
    )  # fmt: skip


def told(surface: TriangleArray, lines: int, read: OneReading | None = None) -> tuple[Any, ...]:
    """The bits of a measurement, or the verdict."""
    try:
        return bits(measure(surface, lines=lines, read=read))
    except MassPropsError as verdict:
        return type(verdict), verdict.message, verdict.diagnosis


def bodies() -> dict[str, np.ndarray]:
    """Sound ones of all kinds, and one for each verdict."""
    ring, block = torus(3, 1, 40, 24), cube_grid(6)
    sheet = np.concatenate([block[:4], reverse(block[:4])])
    spoilt = block.copy()
    spoilt[7, 1, 2] = np.nan
    huge = block.copy()
    huge[0, 0, 0] = np.inf
    crack = block + np.array([0.1, 0.7, 0.3])
    return {
        "tetrahedron": tetrahedron(), "ring": ring, "turned": moved(ring, TURN, (5, -7, 11)), "block": block,
        "far": block + 1e5, "needle": moved(block * (1000, 1, 1), TURN), "plate": moved(block * (1e4, 1e4, 1), TURN),
        "large": block * 2.0**70, "tiny": ring * 2.0**-75, "open": ring[1:], "inside out": reverse(ring),
        "flat": sheet, "spoilt": spoilt, "infinite": huge, "prism": regular_prism(31, 0.3),
        "twice": np.concatenate([block, block]), "holed": np.concatenate([ring, ring[:1]]),
        "crack": np.concatenate([np.nextafter(crack[:3].astype(np.float32), np.float32(9)), crack[3:]]),
        "fine": torus(5, 2, 60, 34),
    }  # fmt: skip


BODIES = bodies()


@pytest.mark.parametrize("lines", [0, 24, 96])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_nothing_depends_on_what_stands_beside(kind: type, lines: int) -> None:
    with np.errstate(over="ignore"):
        surfaces = [TriangleArray(body.astype(kind)) for body in BODIES.values()]
    alone = [told(surface, lines) for surface in surfaces]
    assert len({each[0] for each in alone if isinstance(each[0], type)}) == 4  # verdicts: open, inside out, and so on
    for order in (surfaces, surfaces[::-1], surfaces[::2], surfaces[3:4]):
        beside = SideBySide(lines)
        for surface in order:
            beside.add(surface)
        for surface in order:
            reading = beside.reading(surface)
            assert reading is not None
            assert told(surface, lines, reading) == alone[surfaces.index(surface)]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 2**32 - 1)), min_size=1, max_size=6))
def test_any_company_of_stars(kinds: list[tuple[int, int]]) -> None:
    surfaces = []
    for size, seed in kinds:
        rng = np.random.default_rng(seed)
        body = star(size, (1 + rng.random(4 * size * size + 2)).tolist()) * rng.uniform(0.1, 9, 3) + rng.normal(size=3)
        surfaces.append(TriangleArray(body.astype(np.float32 if seed % 2 else np.float64)))
    beside = SideBySide(30)
    for surface in surfaces:
        beside.add(surface)
    for surface in surfaces:
        found = measure(surface, lines=30, read=beside.reading(surface))
        assert bits(found) == bits(measure(surface, lines=30))
        wanted = exact(surface.triangles).volume
        assert abs(found.integrals.moments.volume - wanted) <= found.integrals.round_off.volume


def test_whole_readings_are_used_and_no_others() -> None:
    surfaces = [TriangleArray(BODIES[name]) for name in ("ring", "open", "spoilt", "flat")]
    readings = read_together(surfaces, 24)
    assert [reading.is_whole for reading in readings] == [True, False, False, True]
    assert [len(reading.crossed) for reading in readings] == [1, 0, 0, 1]
    lied_to = measure(TriangleArray(BODIES["block"]), lines=24, read=readings[0])
    assert lied_to.check == measure(surfaces[0], lines=24).check


def test_large_and_empty_surfaces_stand_alone() -> None:
    many = torus(3, 1, 80, 40)
    beside = SideBySide(8)
    surfaces = [TriangleArray(np.empty((0, 3, 3))), TriangleArray(many), TriangleArray(BODIES["ring"])]
    for surface in surfaces:
        beside.add(surface)
    assert [beside.reading(surface) is None for surface in surfaces] == [True, True, False]
    assert SideBySide(8).reading(surfaces[2]) is None


def test_more_than_a_block_are_read_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    surfaces = [TriangleArray(BODIES["fine"].astype(kind)) for kind in (np.float32, np.float64) for _ in range(4)]
    sizes: list[int] = []
    real = side_by_side.read_together
    monkeypatch.setattr(
        side_by_side, "read_together",
        lambda some, lines: sizes.append(sum(each.facets for each in some)) or real(some, lines),
    )  # fmt: skip
    beside = SideBySide(8)
    for surface in surfaces:
        beside.add(surface)
    assert all(beside.reading(surface) is not None for surface in surfaces)
    assert max(sizes) <= BLOCK
    assert sum(sizes) == sum(surface.facets for surface in surfaces)
    assert len(sizes) > 2


def test_more_crossings_than_fit_into_memory_are_counted_along_fewer_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    surfaces = [TriangleArray(BODIES[name]) for name in ("ring", "block", "turned")]
    for module in ("crossings", "winding"):
        monkeypatch.setattr(f"massprops.core.{module}.MAX_CROSSINGS", 700)
    for part in (1 << 15, 100):
        monkeypatch.setattr("massprops.core.crossings._PART", part)
        readings = read_together(surfaces, 64)
        for surface, reading in zip(surfaces, readings, strict=True):
            found, alone = measure(surface, lines=64, read=reading), measure(surface, lines=64)
            assert found.check == alone.check
            assert found.check is not None
            assert found.check.lines < 64**2


@dataclass(frozen=True, eq=False)
class Cut(TriangleArray):
    """A surface that cannot be read."""

    def block(self, index: int) -> Block:
        raise Unreadable("became shorter while it was read")


def test_what_cannot_be_read_tells_when_it_is_added() -> None:
    beside = SideBySide(8)
    beside.add(TriangleArray(BODIES["ring"]))
    with pytest.raises(Unreadable):
        beside.add(Cut(BODIES["block"]))


def test_without_memory_for_all_each_is_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(side_by_side, "read_together", fail)
    beside, surface = SideBySide(8), TriangleArray(BODIES["ring"])
    beside.add(surface)
    assert beside.reading(surface) is None
    assert bits(measure(surface, lines=8, read=None))


def test_an_outline_and_its_prism() -> None:
    """Facets of very different sizes, of which the large ones meet many lines."""
    body = prism([(0, 0), (4, 0), (4, 1), (0, 3)], [(0, 1, 2), (0, 2, 3)], -1, 2)
    surfaces = [TriangleArray(body), TriangleArray(BODIES["fine"]), TriangleArray(body[::-1] * (1, 2, 1))]
    for surface, reading in zip(surfaces, read_together(surfaces, 96), strict=True):
        assert told(surface, 96, reading) == told(surface, 96)
