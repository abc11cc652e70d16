"""Statistics of sections that bound no region: what can be said all the same, also where they are moved."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core.area_moments import PlaneMap
from massprops.core.curve import Path as Outline
from massprops.core.section_errors import ZeroArea
from massprops.core.section_statistics import SectionStatistics
from massprops.core.segments import Arc, Polyline
from massprops.errors import OpenSurface
from tests.oracle import massprops

PI = math.pi
ARC = Outline((Arc.from_bulge([10, 11], [14, 11], 1.0), Polyline(np.array([[14.0, 11], [14, 13.5]]))))
CORNER = Outline((Polyline(np.array([[0.25, 0], [3.25, 0], [3.25, 4]])),))
RING = Outline((Polyline(np.array([[20.0, 20], [21, 20], [21, 22], [20, 20]])),))


def refused(*paths: Outline, plane: PlaneMap | None = None, tolerance: float | None = None) -> SectionStatistics:
    plane = PlaneMap.of(np.eye(2)) if plane is None else plane
    return SectionStatistics.of_refused(paths, tolerance, plane, OpenSurface("it is open"), "it is open")


def counts(found: SectionStatistics) -> tuple[int, int, int]:
    return found.loops, found.open_chains, found.segments


def test_what_is_open_has_a_length_and_a_box() -> None:
    found = refused(ARC, RING, CORNER)
    assert (found.area, found.center, found.verdict, found.message) == (None, None, "open", "it is open")
    assert counts(found) == (1, 2, 7)
    assert found.perimeter == pytest.approx(2 * PI + 2.5 + 7 + 3 + math.sqrt(5), rel=1e-14)
    assert found.bounds == pytest.approx(np.array([[0.25, 0], [21, 22]]))


def test_arcs_reach_beyond_their_ends() -> None:
    assert refused(ARC).bounds == pytest.approx(np.array([[10, 9], [14, 13.5]]), rel=1e-14)


@pytest.mark.parametrize("matrix", [[[0, -3], [3, 0]], [[-3, 0], [0, 3]]])
def test_moved_it_has_the_length_of_its_image(matrix: Any) -> None:
    """Turned, or mirrored, and three times as large."""
    still, found = refused(ARC, CORNER), refused(ARC, CORNER, plane=PlaneMap.of(matrix, [5, -7]))
    assert counts(found) == counts(still)
    assert found.perimeter == pytest.approx(3 * still.perimeter, rel=1e-14)
    corners = still.bounds @ np.array(matrix).T + [5, -7]
    assert found.bounds == pytest.approx(np.sort(corners, axis=0), rel=1e-14)


def test_ends_are_joined_as_when_it_is_measured() -> None:
    sides = [[[0.0, 0], [3, 0]], [[3, 0.0], [3, 4]], [[3, 4.001], [0, 0]]]
    paths = [Outline((Polyline(np.array(side)),)) for side in sides]
    assert counts(refused(*paths)) == (0, 1, 3)
    assert counts(refused(*paths, tolerance=0.01)) == (1, 0, 4)


def test_nothing_is_joined_where_lines_branch() -> None:
    branch = [Outline((Polyline(np.array([[4.0, 0], end])),)) for end in ([0.0, 0], [8.0, 0], [4.0, 3])]
    found = refused(*branch, RING)
    assert counts(found) == (1, 3, 6)
    assert found.perimeter == pytest.approx(14 + math.sqrt(5))


def test_a_point_is_a_loop_without_length() -> None:
    point = Outline((Polyline(np.array([[7.0, -2.0], [7.0, -2.0]])),))
    found = SectionStatistics.of_refused([point], None, PlaneMap.of(np.eye(2)), ZeroArea("nothing"), "nothing")
    assert (found.verdict, found.perimeter, found.loops) == ("zero_area", 0, 1)


FILES = {
    "tie.csv": ("0,0\n2,2\n2,0\n0,2\n", "self_intersecting", 4 + 4 * math.sqrt(2)),
    "flat.csv": ("0,0\n1,0\n2,0\n", "zero_area", 4),
    "plate.wkt": ("GEOMETRYCOLLECTION (POLYGON ((0 0,4 0,4 4,0 0)), LINESTRING (6 1,9 1))", None, 8 + math.sqrt(32)),
    "open.svg": (
        '<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" stroke="red" d="M0 0H4V3"/></svg>', "open", 7,
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, (contents, *_) in FILES.items():
        Path(name).write_text(contents)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("folder")
def test_every_input_gets_statistics(name: str) -> None:
    _, verdict, length = FILES[name]
    (found,) = massprops(name, "--json").results
    assert (found["status"], found["message"], found["diagnosis"], found["mass"]) == ("ok", None, None, None)
    assert found["statistics"]["verdict"] == (verdict or "ok")
    assert (found["area"] is None, found["center"] is None) == (verdict is not None,) * 2
    assert found["perimeter"] == pytest.approx(length)
    run = massprops(name)
    rows = {row[:22].rstrip(): row[22:] for row in run.out.splitlines()}
    assert run.code == 0
    assert rows["centroid u"].lstrip().startswith("none" if verdict else "")
    if verdict is not None:
        assert rows["area"].startswith(f"none: {verdict}: ")
        measured = massprops(name, "--mass_properties", "--json")
        assert (measured.code, measured.results[0]["status"]) == (1, verdict)
        assert rows["area"] == f"none: {verdict}: {measured.results[0]['message']}"
    assert float(rows["perimeter"]) == pytest.approx(length)


@pytest.mark.usefixtures("folder")
def test_statistics_in_metres() -> None:
    (found,) = massprops("open.svg", "--units", "mm", "--resize_x", -2, "--json").results
    assert (found["units"], found["perimeter"]) == ("mm", pytest.approx(11e-3))
    assert found["bounds"] == [pytest.approx([-8e-3, -3e-3]), [0, 0]]
    assert "area [m^2]            none: open: " in massprops("open.svg", "--units", "mm").out


@pytest.mark.usefixtures("folder")
def test_advice_that_was_followed_is_none() -> None:
    Path("gap.svg").write_text(FILES["open.svg"][0].replace("H4V3", "H4V3H0V1e-2"))
    assert "try --connect_nearby --weld_tolerance" in massprops("gap.svg").out
    assert "; try --weld_tolerance" in massprops("gap.svg", "--connect_nearby").out
    assert "none: " not in massprops("gap.svg", "--connect_nearby", "--weld_tolerance", 0.01).out


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_or_moved_so_is_refused_as_before() -> None:
    Path("bad.csv").write_text("0,0\n1,x\n2,2\n")
    Path("nan.csv").write_text("0,0\n1,nan\n2,2\n")
    run = massprops("bad.csv", "nan.csv", "gone.csv", "--json")
    assert [found["status"] for found in run.results] == ["unreadable", "non_finite", "not_found"]
    tilted = massprops("tie.csv", "--rotate_axis", 1, 0, 0, "--rotate_angle", 1, "--json")
    assert (tilted.code, tilted.results[0]["status"]) == (1, "unsupported")


@pytest.mark.usefixtures("folder")
def test_a_refused_section_tells_the_unit() -> None:
    (found,) = massprops("tie.csv", "--mass_properties", "--units", "in", "--json").results
    assert (found["status"], found["units"], found["statistics"]) == ("self_intersecting", "in", None)
    assert json.dumps(found["diagnosis"]["where"]) == "[[1.0, 1.0]]"  # where it is in the file
