"""One input through repairs, writing, cross-check and spin: links of the chain in their order, and what they leave."""

from __future__ import annotations

import io
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops import batch
from massprops.chain import process
from massprops.core.surface import triangle_array
from massprops.errors import (
    Empty,
    InconsistentWinding,
    InsideOut,
    NotFound,
    OpenSurface,
    Unphysical,
    Unreadable,
    Unsupported,
    Unwritable,
)
from massprops.motion import motion
from massprops.plan import Plan, SpinPlan
from massprops.readers.reader import reading
from massprops.result import Result
from tests.mesh_files import obj, threemf
from tests.oracle import Triangles, ascii_stl, binary_stl, box, exact, l_prism, moved, reverse, rotation, star

TURN = rotation(3, 1, -2, 5)
BOX = box((10, 20, 30), (12, 23, 35))
FAR = box((20, 20, 30), (21, 21, 31))


def joined(*parts: Triangles) -> Triangles:
    return np.concatenate(parts)


class Place:
    """A folder of parts, and the chain over them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, triangles: Triangles, name: str = "part.stl") -> str:
        data = obj(triangles) if name.endswith(".obj") else binary_stl(triangles)
        (self.folder / name).write_bytes(data)
        return str(self.folder / name)

    def links(self, path: str, **given: Any) -> list[Result]:
        return list(process(path, Plan((path,), **{"mass_properties": True, **given})))

    def last(self, path: str, **given: Any) -> Result:
        return self.links(path, **given)[-1]

    def read(self, name: str) -> Triangles:
        with reading(str(self.folder / name)) as found:
            return np.array(triangle_array(found.surface))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def steps(result: Result) -> list[str]:
    return [record.step for record in result.repairs]


def codes(result: Result) -> list[str]:
    return [notice.code for notice in result.warnings]


# The order of the chain

ALL = {
    "clip": (0.0, 0.0, 0.0, 15.0, 25.0, 36.0), "connect_nearby": True, "sanitize": True, "fill_holes": True
}  # fmt: skip


def test_steps_come_in_the_chains_order_and_say_what_they_did(place: Place) -> None:
    crack = joined(BOX, box((40, 0, 0), (41, 1, 1)))[1:]  # a facet is missing, and a body lies outside the clip
    crack[6, 0] += (1e-6, 0, 0)  # 30 times a float32 ulp away
    crack[8] = crack[8, ::-1]
    part, other = place.write(crack), place.write(FAR, "other.stl")
    links = place.links(part, merge=other, **ALL)
    assert steps(links[-1]) == ["clip", "merge", "connect_nearby", "sanitize", "fill_holes"]
    done = [len(result.repairs) for result in links]
    assert done == sorted(done)
    assert {len(result.repairs): result.facets for result in links} == {0: 23, 1: 11, 2: 23, 3: 23, 4: 23, 5: 24}
    counts = {record.step: record.counts for record in links[-1].repairs}
    assert counts["clip"]["facets"] == counts["merge"]["facets"] == 12
    assert counts["sanitize"]["reversed_facets"] == 1
    assert counts["fill_holes"]["holes"] == 1
    assert links[-1].properties is not None
    assert links[-1].properties.volume == pytest.approx(31, rel=1e-5)


def test_a_merged_file_is_not_clipped(place: Place) -> None:
    part, other = place.write(BOX), place.write(FAR, "other.stl")
    found = place.last(part, merge=other, clip=(10.0, 20.0, 30.0, 12.0, 23.0, 35.0))
    assert found.properties.volume == 31
    assert found.facets == 24


def test_repairs_work_on_the_coordinates_of_the_file(place: Place) -> None:
    """The box that clips is not resized, nor is the part before it is clipped."""
    part = place.write(joined(BOX, FAR))
    twice = motion(resize=(2.0, 2.0, 2.0))
    found = place.last(part, clip=(9.0, 19.0, 29.0, 13.0, 24.0, 36.0), affine=twice, units="mm")
    assert found.properties.volume == pytest.approx(8 * 30e-9, rel=1e-15)


def test_nothing_asked_is_nothing_done(place: Place) -> None:
    part = place.write(BOX)
    assert place.last(part).repairs == ()
    assert place.last(part, mass_properties=False).before is None
    with pytest.raises(OpenSurface):
        place.last(place.write(BOX[1:]))


def test_a_good_part_comes_through_all_steps_as_it_is(place: Place) -> None:
    part = place.write(moved(star(2, np.linspace(0.7, 1.4, 18)), TURN, (1, 2, 3)).astype(np.float32))
    plain, repaired = place.last(part), place.last(part, connect_nearby=True, sanitize=True, fill_holes=True)
    assert not any(record.changed for record in repaired.repairs)
    assert plain.properties.volume == repaired.properties.volume
    assert plain.properties.inertia.tolist() == repaired.properties.inertia.tolist()
    assert plain.accuracy == repaired.accuracy
    assert plain.check == repaired.check


def test_what_was_repaired_before_a_verdict_is_not_lost(place: Place) -> None:
    part = place.write(reverse(BOX)[1:])
    found = batch.measured(part, Plan((part,), mass_properties=True, sanitize=True))
    assert (found.status, steps(found)) == ("open", ["sanitize"])
    assert found.repairs[0].counts["reversed_facets"] == 11
    assert found.properties is found.accuracy is found.check is None


def test_a_narrower_weld_or_shorter_holes_may_leave_it_open(place: Place) -> None:
    crack = BOX.copy()
    crack[6, 0] += (1e-3, 0, 0)
    part = place.write(crack)
    for step in ("connect_nearby", "sanitize"):
        with pytest.raises(OpenSurface):
            place.last(part, **{step: True})
        found = place.last(part, **{step: True}, weld_tolerance=1e-3)
        assert found.properties.volume == pytest.approx(30, rel=1e-3)
    cup = place.write(BOX[2:], "cup.stl")
    assert place.last(cup, fill_holes=True, max_hole_edges=4).properties.volume == 30
    with pytest.raises(OpenSurface):
        place.last(cup, fill_holes=True, max_hole_edges=3)


@pytest.mark.parametrize("step", ["connect_nearby", "sanitize"])
def test_a_weld_that_loses_a_wall_is_told(place: Place, step: str) -> None:
    side = BOX[np.ptp(BOX[:, :, 2], axis=1) > 0] - (11, 21.5, 30)
    pipe = place.write(moved(joined(side, reverse(side * (0.98, 0.98, 1))), TURN))
    cap = place.write(moved(joined(side, reverse(side * (0.98, 0.98, 1)))[:-1], TURN), "cap.stl")
    for part, given in ((pipe, {}), (cap, {"fill_holes": True})):
        found = batch.measured(part, Plan((part,), mass_properties=True, weld_tolerance=0.01, **{step: True}, **given))
        assert codes(found) == ["folded"]
    assert codes(place.last(pipe, fill_holes=True)) == []


def test_what_its_caps_close_is_turned_where_facets_are_made_to_agree(place: Place) -> None:
    """More hole than surface, it shows in from out only once it is filled."""
    dish = place.write(reverse(box((0, 0, 0), (0.5, 3, 3))[:10]))
    found = place.last(dish, sanitize=True, fill_holes=True)
    assert found.properties.volume == 4.5
    assert found.repairs[-1].message.endswith("1 body turned, inside out until now")
    with pytest.raises(InsideOut, match="try --sanitize"):
        place.last(dish, fill_holes=True)


def test_clipping_everything_away_is_empty(place: Place) -> None:
    with pytest.raises(Empty, match=r"no facet touches the clip box; the part reaches from \(10, 20, 30\)"):
        place.last(place.write(BOX), clip=(0.0, 0.0, 0.0, 1.0, 1.0, 1.0))


# Statistics before and after


def test_statistics_before_and_after(place: Place) -> None:
    part = place.write(joined(reverse(BOX)[2:], FAR))
    shift = motion(translate=(1.0, 0.0, 0.0))
    found = place.last(part, mass_properties=False, sanitize=True, fill_holes=True, affine=shift)
    before, after = found.before, found.statistics
    assert before is not None
    assert after is not None
    assert (before.facets, before.verdict, before.volume, before.disconnected) == (22, "open", None, (4, 0, 0))
    assert (after.facets, after.verdict, after.volume, after.disconnected) == (24, "ok", 31, (0, 0, 0))
    assert before.area == pytest.approx(62 - 6 + 6)
    assert after.area == pytest.approx(62 + 6)
    assert before.bounds.tolist() == after.bounds.tolist() == [[11, 20, 30], [22, 23, 35]]


def test_statistics_before_are_of_the_file_alone(place: Place) -> None:
    found = place.last(place.write(BOX), mass_properties=False, merge=place.write(FAR, "other.stl"))
    assert (found.before.volume, found.statistics.volume) == (30, 31)


# Merging


def test_what_is_wrong_with_a_merged_file_is_said_of_it(place: Place) -> None:
    part = place.write(BOX)
    with pytest.raises(NotFound, match=r"^--merge .*no\.stl: there is no such file"):
        place.last(part, merge=str(place.folder / "no.stl"))
    with pytest.raises(NotFound, match=r"^--merge : there is no such file"):
        place.last(part, merge="")
    (place.folder / "cut.stl").write_bytes(binary_stl(FAR)[:-20])
    with pytest.raises(Unreadable, match=r"^--merge .*cut\.stl: "):
        place.last(part, merge=str(place.folder / "cut.stl"))
    (place.folder / "empty.stl").write_bytes(b"")
    with pytest.raises(Empty, match=r"^--merge .*empty\.stl: "):
        place.last(part, merge=str(place.folder / "empty.stl"))


def test_what_is_odd_about_a_merged_file_is_told(place: Place) -> None:
    (place.folder / "odd.stl").write_bytes(binary_stl(FAR, tail=b"more"))
    found = place.last(place.write(BOX), merge=str(place.folder / "odd.stl"))
    assert found.properties.volume == 31
    (notice,) = found.warnings
    assert notice.message.startswith(f"--merge {place.folder / 'odd.stl'}: ")


def test_other_formats_may_be_merged(place: Place) -> None:
    found = place.last(place.write(BOX), merge=place.write(FAR, "other.obj"))
    assert (found.format, found.properties.volume) == ("stl", 31)


def test_a_part_merged_with_itself_is_there_twice(place: Place) -> None:
    part = place.write(BOX)
    found = place.last(part, merge=part)
    assert found.properties.volume == 60
    assert set(codes(found)) == {"overlap", "volume_exceeds_box"}
    assert place.last(part, merge=part, sanitize=True).properties.volume == 30


@pytest.fixture
def units(place: Place) -> dict[str, str]:
    """The same box in files that declare different units, or none."""
    found = {}
    for unit in ("millimeter", "inch"):
        path = place.folder / f"{unit}.3mf"
        path.write_bytes(threemf(BOX, attributes=f'unit="{unit}"'))
        found[unit] = str(path)
    return {**found, "none": place.write(FAR)}


def test_files_in_different_units_are_not_merged(place: Place, units: dict[str, str]) -> None:
    mm, inch, none = units["millimeter"], units["inch"], units["none"]
    for given in ({}, {"units": "file"}):
        with pytest.raises(Unsupported, match="another unit than the input: in and mm; name one for both"):
            place.last(mm, merge=inch, **given)
    with pytest.raises(Unsupported, match="no unit and mm"):
        place.last(mm, merge=none, units="file")
    assert place.last(mm, merge=none).properties.volume == 31  # pure numbers
    assert place.last(mm, merge=inch, units="cm").properties.volume == pytest.approx(60e-6)  # as was said
    assert place.last(mm, merge=mm, units="file").properties.volume == pytest.approx(60e-9)
    warned = place.last(none, merge=inch, units="mm").warnings
    assert [(notice.code, notice.message.split(": ")[0]) for notice in warned] == [("units", f"--merge {inch}")]


def test_standard_input_may_be_merged(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    class Piped:
        buffer = io.BytesIO(binary_stl(FAR))

        def fileno(self) -> int:
            raise OSError

    part = place.write(BOX)
    monkeypatch.setattr(sys, "stdin", Piped())
    assert place.last(part, merge="-", format="stl").properties.volume == 31


# Writing


def test_what_is_written_is_the_mesh_as_changed(place: Place) -> None:
    part = place.write(joined(reverse(BOX)[2:]))
    affine = motion((1.0, 0.0, 0.0), (2.0, 1.0, 1.0))
    target = str(place.folder / "{stem}_out.obj")
    found = place.last(part, sanitize=True, fill_holes=True, affine=affine, units="mm", output=target)
    body = exact(place.read("part_out.obj"))
    assert body.volume == 60  # of the file's unit, and outside out
    assert body.center.tolist() == [-22, 21.5, 32.5]
    assert found.properties.volume == pytest.approx(60e-9)


def test_what_is_not_measured_may_be_written(place: Place) -> None:
    part = place.write(BOX[2:])
    with pytest.raises(OpenSurface):
        place.last(part, output=str(place.folder / "out.stl"))
    assert (place.read("out.stl") == BOX[2:]).all()


def test_an_input_may_be_replaced_by_what_becomes_of_it(place: Place) -> None:
    part = place.write(reverse(BOX))
    plan = {"sanitize": True, "output": part, "overwrite": True}
    assert place.last(part, **plan).properties.volume == 30
    assert place.last(part).properties.volume == 30
    assert [path.name for path in place.folder.iterdir()] == ["part.stl"]


def test_a_disk_that_is_full_is_a_verdict_with_what_was_done_before(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("massprops.report.mesh_file._write_stl", full)
    part = place.write(BOX)
    plan = Plan((part,), mass_properties=True, sanitize=True, output=str(place.folder / "out.stl"))
    found = batch.measured(part, plan)
    assert found.status == "unwritable"
    assert found.message == f"{place.folder / 'out.stl'} cannot be written: no space left on device"
    assert steps(found) == ["sanitize"]
    assert [path.name for path in place.folder.iterdir()] == ["part.stl"]


# The cross-check


def test_the_check_is_on_unless_turned_off(place: Place) -> None:
    part = place.write(BOX)
    assert place.last(part).check.lines == 96**2
    assert place.last(part, check_lines=32).check.lines == pytest.approx(32**2, abs=2)
    assert place.last(part, check_lines=0).check is None
    assert place.last(part, verify=True, check_lines=40).check.lines == pytest.approx(3 * 40**2, abs=6)
    assert place.last(part).counted is None


def test_the_check_goes_through_the_map_and_the_unit(place: Place) -> None:
    part = place.write(joined(BOX, box((11, 20, 30), (13, 23, 35)), reverse(box((14, 21, 32), (15, 22, 33)))))
    plain = place.last(part)
    scaled = place.last(part, affine=motion(None, (2.0, -3.0, 0.5)), units="mm", density=7.0)
    for name in ("volume", "overlap_volume", "inverted_volume"):
        assert getattr(scaled.check, name) == pytest.approx(3e-9 * getattr(plain.check, name), rel=1e-14)
    assert codes(plain) == codes(scaled) == ["overlap", "inverted"]
    assert plain.check.overlap_volume == pytest.approx(15, rel=0.05)
    assert plain.check.inverted_volume == pytest.approx(1, rel=0.05)
    assert [notice.details for notice in scaled.warnings] == [
        {"overlap_volume": scaled.check.overlap_volume}, {"inverted_volume": scaled.check.inverted_volume}
    ]  # fmt: skip


def test_counted_properties_are_those_computed_but_for_the_counting(place: Place) -> None:
    part = place.write(moved(l_prism(), TURN, (1, 2, 3)))
    given = {"affine": motion((1.0, 2.0, 0.0), (2.0, 3.0, 0.5)), "units": "mm", "density": 7850.0}
    found = place.last(part, verify=True, **given)
    counted, computed = found.counted, found.properties
    assert counted.volume == pytest.approx(computed.volume, rel=1e-3)
    assert counted.center == pytest.approx(computed.center, rel=1e-3)
    assert np.abs(counted.inertia - computed.inertia).max() <= 2e-3 * np.abs(computed.inertia).max()


def test_a_body_between_the_lines_is_told_when_it_was_to_be_verified(place: Place) -> None:
    needle = moved(box((0, 0, 0), (1, 1e-6, 1e-6)), TURN)
    (place.folder / "needle.stl").write_text(ascii_stl(needle))
    part = str(place.folder / "needle.stl")
    found = place.last(part, verify=True, check_lines=3)
    assert found.counted is None
    assert codes(found) == ["uncounted"]
    assert codes(place.last(part)) == []


def test_sound_parts_far_away_are_no_cause_for_alarm(place: Place) -> None:
    part = place.write(box((1e6, -2e6, 3e6), (1e6 + 2, -2e6 + 3, 3e6 + 5)))
    turn = {"rotate_axis": (0.0, 0.0, 1.0), "rotate_angle": math.pi / 2}
    for affine in (motion(), motion(**turn), motion(**turn, translate=(-2e6, -1e6, -3e6))):
        for unit in (None, "in", "ft"):
            assert codes(place.last(part, affine=affine, units=unit)) == []


# Spin


def test_a_spin_is_of_the_repaired_and_resized_body(place: Place) -> None:
    part = place.write(reverse(BOX))
    csv = str(place.folder / "{stem}.csv")
    plan = SpinPlan((0.0, 0.0, 2.0), duration=0.5, step=0.125, csv=csv)
    found = place.last(part, sanitize=True, units="mm", density=1000.0, spin=plan)
    trajectory = found.trajectory
    assert trajectory.times.tolist() == [0, 0.125, 0.25, 0.375, 0.5]
    assert trajectory.energy[0] == pytest.approx(0.5 * 4 * found.properties.inertia[2, 2], rel=1e-14)
    lines = (place.folder / "part.csv").read_text().splitlines()
    assert len(lines) == 6
    assert lines[0].startswith("time,wx,wy,wz,")


def test_bodies_that_cannot_spin(place: Place) -> None:
    odd = place.write(joined(box((-1, -1, -1), (1, 1, 1)), reverse(box((4, 0, 0), (4.5, 0.5, 0.5))),
                             reverse(box((-4.5, 0, 0), (-4, 0.5, 0.5)))))  # fmt: skip
    with pytest.raises(Unphysical, match=r"^--spin: "):
        place.last(odd, spin=SpinPlan((0.0, 0.0, 1.0)))


def test_a_table_that_cannot_be_written(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    part = place.write(BOX)
    plan = SpinPlan((0.0, 0.0, 1.0), duration=0.01, csv=str(place.folder / "a.csv"))

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(Unwritable, match="no space left"):
        place.last(part, spin=plan)
    assert [path.name for path in place.folder.iterdir()] == ["part.stl"]


def test_what_is_wound_inconsistently_stays_so_unasked(place: Place) -> None:
    flipped = BOX.copy()
    flipped[2] = flipped[2, ::-1]
    part = place.write(flipped)
    for given in ({}, {"fill_holes": True}, {"connect_nearby": True}):
        with pytest.raises(InconsistentWinding):
            place.last(part, **given)
    assert place.last(part, sanitize=True).properties.volume == 30
