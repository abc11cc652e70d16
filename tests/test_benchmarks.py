"""The benchmark: its spheres are what they are said to be, its table and its remarks say what was found. No timing."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from massprops import mass_properties
from massprops.errors import OpenSurface
from tests.benchmarks import benchmark, peers, spheres
from tests.benchmarks.benchmark import CONTESTS, ONE_MILLION, TEN_MILLION, TWENTY_THOUSAND, Contest, Duel
from tests.benchmarks.peers import LEGEND, START, Cost, Programs
from tests.benchmarks.spheres import CENTER, THOUSAND, Grid
from tests.oracle import exact

SMALL = Grid(45, 31)  # 2728 facets
ROUNDED = 1e-6  # relative change of a volume by float32 coordinates

ROW = [
    Duel(TWENTY_THOUSAND, START, Cost(0.2, 40.0), Cost(0.18, 30.0)),
    Duel(ONE_MILLION, "libigl", Cost(0.298, 46.0), Cost(0.5, 343.0)),
    Duel(TEN_MILLION, "libigl", Cost(1.5, 46.4), Cost(10.04, 2883.0)),
    Duel(TEN_MILLION, "trimesh", Cost(1.198, 47.6), None, 1, "exit 1: MemoryError"),
]
"""Made-up results: a start of 0.2 s, then 0.1 s a million facets."""


def triangles(grid: Grid) -> np.ndarray:
    return np.concatenate(list(spheres.sphere(grid)))


def test_sizes() -> None:
    sizes = [spheres.THOUSAND_20, spheres.MILLION, spheres.MILLION_10, spheres.THOUSAND_200, THOUSAND]
    assert [grid.facets for grid in sizes] == [20_000, 1_000_000, 10_000_000, 200_000, 1000]


@pytest.mark.parametrize("grid", [Grid(2, 3), SMALL])
def test_a_sphere_is_closed_and_of_the_right_volume(grid: Grid) -> None:
    found = triangles(grid)
    assert found.shape == (grid.facets, 3, 3)
    assert mass_properties((found.reshape(-1, 3), np.arange(3 * len(found)).reshape(-1, 3))).volume == pytest.approx(
        grid.volume, rel=ROUNDED
    )
    body = exact(found.astype(float))
    assert float(body.volume) == pytest.approx(grid.volume, rel=ROUNDED)
    assert np.abs(body.center.astype(float) - CENTER).max() < ROUNDED


def test_the_volume_tends_to_that_of_a_ball() -> None:
    ball = 4 * np.pi / 3
    assert Grid(2, 4).volume == pytest.approx(4 / 3, rel=1e-15)  # an octahedron
    assert (ball - Grid(100, 200).volume) / (ball - Grid(200, 400).volume) == pytest.approx(4, rel=1e-3)


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "sphere.stl"
    spheres.write_binary(path, spheres.sphere(SMALL))
    assert path.stat().st_size == 84 + 50 * SMALL.facets
    stored = np.frombuffer(path.read_bytes(), spheres.RECORD, offset=84)
    outward = stored["corners"].mean(axis=1) - CENTER
    assert np.linalg.norm(stored["normal"], axis=1) == pytest.approx(1, rel=ROUNDED)
    assert np.einsum("ij,ij->i", stored["normal"], outward).min() > 0.9
    assert mass_properties(path).volume == pytest.approx(SMALL.volume, rel=ROUNDED)


def test_ascii_file(tmp_path: Path) -> None:
    path = tmp_path / "sphere.stl"
    spheres.write_ascii(path, spheres.sphere(SMALL))
    assert path.read_text().count("facet normal") == SMALL.facets
    assert mass_properties(path).volume == pytest.approx(SMALL.volume, rel=ROUNDED)


def test_small_files(tmp_path: Path) -> None:
    spheres.write_small(tmp_path / "small", count=3)
    found = [mass_properties(path) for path in sorted((tmp_path / "small").iterdir())]
    assert [body.volume for body in found] == pytest.approx([THOUSAND.volume] * 3, rel=ROUNDED)
    assert [body.center[0] for body in found] == pytest.approx([0.7, 3.7, 6.7], rel=ROUNDED)


def test_a_damaged_sphere_lacks_facets(tmp_path: Path) -> None:
    path = tmp_path / "damaged.stl"
    spheres.write_binary(path, spheres.damaged(SMALL))
    assert path.stat().st_size == 84 + 50 * (SMALL.facets - 2 * spheres.HOLES)
    with pytest.raises(OpenSurface):
        mass_properties(path)


def test_flips_alone() -> None:
    whole, found = triangles(SMALL), np.concatenate(list(spheres.damaged(SMALL, holes=0)))
    turned = (found != whole).any(axis=(1, 2))
    assert turned.sum() == SMALL.facets // 100
    np.testing.assert_array_equal(found[turned], whole[turned, ::-1])


def test_holes_alone() -> None:
    facets = np.concatenate(list(spheres.damaged(SMALL, flipped=0)))
    edges = facets[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2, 3)
    ends = {edge.tobytes() for edge in edges}
    rim = [edge for edge in edges if edge[::-1].tobytes() not in ends]
    assert len(rim) == 4 * spheres.HOLES
    assert len({edge[0].tobytes() for edge in rim}) == 4 * spheres.HOLES  # no hole touches another


def test_the_script_writes_what_it_is_asked_for(tmp_path: Path) -> None:
    spheres.main(str(tmp_path), "20k.stl")
    assert (tmp_path / "20k.stl").stat().st_size == 84 + 50 * 20_000
    assert {contest.input for contest in CONTESTS} == set(spheres.FILES)


def test_table_in_markdown() -> None:
    assert benchmark.markdown(benchmark.rows(ROW[1:])).split("\n") == [
        "| task | compared with | its time | our time | ratio | its memory | our memory |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
        "| 1 million facets, 50 MB | libigl | 0.500 s | 0.298 s | 1.68 | 343 MB | 46 MB |",
        "| 10 million facets, 500 MB | libigl | 10.0 s | 1.50 s | 6.69 | 2883 MB | 46 MB |",
        "|  | trimesh | failed | 1.20 s |  |  | 48 MB |",
    ]


def test_table_in_columns() -> None:
    lines = benchmark.plain(benchmark.rows(ROW)).split("\n")
    assert len(lines) == 5
    peers_there = [START, "libigl", "libigl", "trimesh"]
    assert len({line.index(name) for line, name in zip(lines[1:], peers_there, strict=True)}) == 1
    assert len({len(line) for line in lines}) == 1


def test_growth_from_three_sizes() -> None:
    start, linear = benchmark.growth(ROW)
    assert "0.200 s for 20 thousand" in start
    assert "0.100 s a million facets up to 1 million, 0.100 s up to 10" in start
    assert "4.02 times as long as 1 million" in linear
    assert "10.2 times (10.2 is linear), and 2 MB more" in linear
    assert benchmark.growth(ROW[1:]) == []


def test_missed_goals() -> None:
    assert benchmark.missed(ROW, CONTESTS) == [
        f"{TEN_MILLION}: libigl takes 6.69 times as long, not 8.00",
    ]
    slow = [
        Duel(TEN_MILLION, "VTK", Cost(3.0, 300.0), Cost(30.0, 1.0)),
        Duel(ONE_MILLION, "VTK", Cost(1, 46), Cost(1, 1)),
    ]
    assert benchmark.missed(slow, CONTESTS) == [
        f"{TEN_MILLION}: 3.00 s, not 2.50 s",
        f"{TEN_MILLION}: 300 MB, not 250 MB",
        f"{TEN_MILLION}: 254 MB more than 1 million, not 20 MB",
    ]


def test_legend_names_what_is_not_installed_and_what_failed() -> None:
    lines = benchmark.legend(ROW, {START: "", "libigl": "2.6", "trimesh": "5.2"})
    assert lines[0].startswith("massprops: --mass_properties: ")
    assert lines[2] == f"libigl 2.6: {LEGEND['libigl']}."
    assert lines[-2].startswith("Not installed, so left out: massprops --check_lines 0, libigl, checked, ")
    assert lines[-1] == f"trimesh, {TEN_MILLION}: exit 1: MemoryError."
    assert set(LEGEND) > {peer for contest in CONTESTS for peer in contest.peers}
    assert all(len(LEGEND[name]) > 20 and "\n" not in LEGEND[name] for name in LEGEND)


@pytest.mark.parametrize(
    ("printed", "volume"),
    [
        ("mass properties, density   1.000000000000000E+00\n  mass                  2.500000000000000E+00\n", 2.5),
        ("  mass   2.5E+00\n  mass   1.5E+00\n", 4.0),
        ("mass 4.185452045158575\n", 4.185452045158575),
        ("Number of parts       :     0        Volume   :  4.247406\n", 4.247406),
        ("nothing\n", None),
    ],
)
def test_volumes_are_found_in_reports(printed: str, volume: float | None) -> None:
    assert peers.answer(printed) == volume


def test_a_run_is_measured_and_its_failure_kept() -> None:
    found = peers.run([sys.executable, "-c", "print('mass 3.5')"])
    assert (found.answer, found.failure) == (3.5, "")
    assert found.cost.seconds > 0
    assert 1 < found.cost.megabytes < 10_000
    broken = peers.run([sys.executable, "-c", "raise SystemExit('out of luck')"])
    assert (broken.answer, broken.failure) == (None, "exit 1: out of luck")


def test_a_duel_tells_a_different_volume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def printing(volume: float) -> list[str]:
        return [sys.executable, "-c", f"print('mass', {volume!r})"]

    monkeypatch.setattr(Programs, "massprops", lambda *_: printing(4.0))
    monkeypatch.setattr(Programs, "peer", lambda _, name, __: printing({"good": 4.0, "bad": 4.2}[name]))
    contest, found = Contest("a task", "file", {"good": None, "bad": None}), Programs("", {})
    assert benchmark.duel(contest, "good", found, [], 2).remark == ""
    bad = benchmark.duel(contest, "bad", found, [], 1)
    assert bad.remark == "the volume is given as 4.2, by massprops as 4.0"
    assert bad.theirs is not None


def test_programs_that_are_there() -> None:
    found = peers.programs(sys.executable)
    assert found.versions["trimesh"]
    assert found.massprops(["a.stl"])[-3:] == ["--mass_properties", "-i", "a.stl"]
    assert found.peer("trimesh", ["a.stl"])[2:] == ["trimesh", "a.stl"]


@pytest.mark.parametrize("number", [9.999, 0.09999])
def test_digits_that_round_up(number: float) -> None:
    assert float(benchmark.digits(number)) == pytest.approx(number, rel=1e-3)
