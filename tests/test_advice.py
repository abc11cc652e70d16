"""No message advises what was done already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.advice import unfollowed
from massprops.batch import measured
from massprops.plan import Plan
from massprops.remedy import Remedy, advising
from tests.mesh_files import off

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
TETRAHEDRON = CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


SANITIZE, FILL, WELD = Remedy("sanitize"), Remedy("fill_holes"), Remedy("connect_nearby")
BOTH, WIDE = Remedy("fill_holes", with_sanitize=True), Remedy("connect_nearby", 0.02)
NARROW, RATHER = Remedy("connect_nearby", 1e-5, is_default=True), Remedy("fill_holes", 0.02)


@pytest.mark.parametrize(("said", "remedy", "given", "wanted"), [
    ("a", SANITIZE, {}, "a; try --sanitize"),
    ("a", SANITIZE, {"fill_holes": True}, "a; try --sanitize"),
    ("a", SANITIZE, {"sanitize": True}, "a; --sanitize did not mend it"),
    ("a", FILL, {"sanitize": True}, "a; try --fill_holes"),
    ("a", FILL, {"fill_holes": True}, "a; try --sanitize as well"),
    ("a", FILL, {"fill_holes": True, "sanitize": True}, "a; --fill_holes did not mend it"),
    ("a", FILL, {"fill_holes": True, "max_hole_edges": 9}, "a; try more than 9 as --max_hole_edges"),
    ("a", BOTH, {"sanitize": True}, "a; try --fill_holes with --sanitize"),
    ("a", BOTH, {"fill_holes": True}, "a; try --sanitize as well"),
    ("a", BOTH, {"fill_holes": True, "sanitize": True}, "a; --fill_holes did not mend it"),
    ("a:", WELD, {}, "a: try --connect_nearby"),
    ("a:", WELD, {"connect_nearby": True}, "a: try a --weld_tolerance wider than 1e-05"),
    ("a:", WIDE, {}, "a: try --connect_nearby --weld_tolerance 0.02"),
    ("a:", WIDE, {"connect_nearby": True}, "a: try --weld_tolerance 0.02"),
    ("a:", WIDE, {"connect_nearby": True, "weld_tolerance": 0.1}, "a: try --weld_tolerance 0.02"),
    ("a:", WIDE, {"connect_nearby": True, "weld_tolerance": 0.02}, "a: try --sanitize as well"),
    ("a:", WIDE, {"sanitize": True, "weld_tolerance": 0.02}, "a: try --connect_nearby as well"),
    ("a:", WIDE, {"sanitize": True}, "a: try --weld_tolerance 0.02"),
    ("a:", WIDE, {"connect_nearby": True, "sanitize": True, "weld_tolerance": 0.02},
     "a: --connect_nearby did not mend it"),
    ("a:", NARROW, {}, "a: try --connect_nearby"),
    ("a:", NARROW, {"sanitize": True}, "a: try --connect_nearby as well"),
    ("a:", NARROW, {"connect_nearby": True, "weld_tolerance": 0.1}, "a: try --weld_tolerance 1e-05"),
    ("a:", NARROW, {"sanitize": True, "weld_tolerance": 1e-7}, "a: try --weld_tolerance 1e-05"),
    ("a:", WELD, {"sanitize": True}, "a: try --connect_nearby"),
    ("a,", RATHER, {}, "a, but that is wide for a crack; try --fill_holes"),
    ("a,", RATHER, {"sanitize": True}, "a, but that is wide for a crack; try --fill_holes"),
    ("a,", RATHER, {"sanitize": True, "weld_tolerance": 0.02}, "a, but the weld left it; try --fill_holes"),
    ("a,", RATHER, {"connect_nearby": True, "weld_tolerance": 0.1}, "a, but the weld left it; try --fill_holes"),
    ("a,", RATHER, {"fill_holes": True}, "a, but that is wide for a crack; try --sanitize as well"),
    ("a,", RATHER, {"fill_holes": True, "max_hole_edges": 9},
     "a, but that is wide for a crack; try more than 9 as --max_hole_edges"),
    ("a; try --format stl", None, {"format": "obj"}, "a; try --format stl"),
    ("a; try --sanitize", None, {"sanitize": True}, "a; try --sanitize"), ("", None, {"sanitize": True}, ""),
])  # fmt: skip
def test_advice(said: str, remedy: Remedy | None, given: dict[str, Any], wanted: str) -> None:
    assert unfollowed(advising(said, remedy), remedy, Plan(("a.stl",), **given)) == wanted


@pytest.mark.parametrize("status", ["open", "inconsistent", "self_intersecting", "zero_volume", None])
def test_where_a_picture_helps(status: str | None) -> None:
    def told(**given: Any) -> str:
        plan = Plan(("a.stl",), sanitize=True, mass_properties=True, **given)
        return unfollowed("a; try --sanitize", SANITIZE, plan, status)

    helps = status in ("open", "inconsistent", "self_intersecting")
    assert told().endswith("; --sanitize did not mend it" + "; --figure draws where" * helps)
    assert told(html="a.html") == "a; --sanitize did not mend it"


def test_what_was_filled_after_it_was_sanitized() -> None:
    """Closed when it was sanitized, it would not be inside out: it may be sanitized again."""
    def told(status: str, **given: Any) -> str:
        return unfollowed("a; try --sanitize", SANITIZE, Plan(("a.stl",), mass_properties=True, **given), status)

    again = "it was still open when --sanitize saw it; write it with --output and --sanitize that"
    assert told("inside_out", sanitize=True, fill_holes=True) == f"a; {again}"
    assert told("inside_out", fill_holes=True) == "a; try --sanitize"
    assert told("inside_out", sanitize=True) == "a; --sanitize did not mend it"
    assert told("zero_volume", sanitize=True, fill_holes=True) == "a; --sanitize did not mend it"


def of(triangles: Any, folder: Path, **given: Any) -> Any:
    (folder / "a.off").write_bytes(off(triangles))
    return measured(str(folder / "a.off"), Plan((str(folder / "a.off"),), mass_properties=True, **given))


ICOSAHEDRON_HALVED = [(1, 2, 3), (1, 3, 4), (1, 4, 5), (1, 5, 6), (1, 6, 2),
                      (2, 3, 5), (3, 4, 6), (4, 5, 2), (5, 6, 3), (6, 2, 4)]  # fmt: skip
"""Facets of the projective plane: every edge has two, and no way of winding them agrees."""


def test_a_one_sided_surface(tmp_path: Path) -> None:
    triangles = np.random.default_rng(6).random((6, 3))[np.array(ICOSAHEDRON_HALVED) - 1]
    assert of(triangles, tmp_path).message.endswith("; try --sanitize")
    found = of(triangles, tmp_path, sanitize=True)
    assert found.status == "inconsistent"
    assert found.message.endswith("; --sanitize did not mend it; --figure draws where")


def test_a_hole_with_too_many_edges(tmp_path: Path) -> None:
    assert of(TETRAHEDRON[1:], tmp_path).message.endswith("; try --fill_holes")
    found = of(TETRAHEDRON[1:], tmp_path, fill_holes=True, max_hole_edges=2)
    assert found.message.endswith("; try more than 2 as --max_hole_edges")
    assert of(TETRAHEDRON[1:], tmp_path, fill_holes=True, max_hole_edges=3).is_ok


def test_a_crack_wider_than_the_weld(tmp_path: Path) -> None:
    cracked = TETRAHEDRON.copy()
    cracked[0, 1, 1] += 0.001
    words = of(cracked, tmp_path).message.split("; ")[-1].split()
    assert words[-3:-1] == ["--connect_nearby", "--weld_tolerance"]
    found = of(cracked, tmp_path, connect_nearby=True)
    assert found.message.endswith(f"try --weld_tolerance {words[-1]}")
    assert of(cracked, tmp_path, connect_nearby=True, weld_tolerance=float(words[-1])).is_ok


BOX = np.array([[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
                [3, 6, 2], [3, 7, 6], [0, 7, 3], [0, 4, 7], [1, 2, 6], [1, 6, 5]])  # fmt: skip


def shaken(seed: int, part: float, width: float) -> Any:
    """Facets of a box 1 x 2 x 3, some of their corners moved."""
    random, (z, y, x) = np.random.default_rng(seed), np.mgrid[:2, :2, :2].reshape(3, 8)[:, [0, 1, 3, 2, 4, 5, 7, 6]]
    facets = np.stack([x, 2.0 * y, 3.0 * z], axis=1)[BOX]
    moved = random.random((12, 3)) < part
    facets[moved] += width * random.normal(size=(moved.sum(), 3))
    return facets


def test_what_a_weld_that_is_wide_has_left_is_not_called_too_wide(tmp_path: Path) -> None:
    """It joined vertices as far apart; the rest stood in the way of others, and no longer does."""
    given = {"connect_nearby": True, "weld_tolerance": 0.3}
    message = of(shaken(2, 0.15, 0.2), tmp_path, **given).message
    assert message.endswith(" of the diagonal, closes it, but the weld left it; try --fill_holes")
    assert of(shaken(2, 0.15, 0.2), tmp_path, fill_holes=True, **given).is_ok


def test_facets_that_are_mostly_loose_are_joined(tmp_path: Path) -> None:
    """As all of them are where all are loose: after a weld of a few, the advice for the others is the same."""
    facets = shaken(7, 1.0, 0.002)
    words = of(facets, tmp_path).message.split()
    assert words[-3:-1] == ["--connect_nearby", "--weld_tolerance"]
    few = {"connect_nearby": True, "weld_tolerance": 7e-4}
    found = of(facets, tmp_path, **few)
    assert found.repairs[0].counts["vertices"] > 0
    assert " ".join(found.message.split()[-3:-1]) == "try --weld_tolerance"
    assert of(facets, tmp_path, connect_nearby=True, weld_tolerance=float(found.message.split()[-1])).is_ok


def test_the_weld_of_sanitize_is_one(tmp_path: Path) -> None:
    cracked = TETRAHEDRON.copy()
    cracked[0, 1, 1] += 0.001
    message = of(cracked, tmp_path, sanitize=True).message
    assert " ".join(message.split()[-3:-1]) == "try --weld_tolerance"
    assert of(cracked, tmp_path, sanitize=True, weld_tolerance=float(message.split()[-1])).is_ok


def test_bodies_that_overlap(tmp_path: Path) -> None:
    both = np.concatenate([TETRAHEDRON, TETRAHEDRON + 0.1])
    for given, end in (({}, "; try --sanitize"), ({"sanitize": True}, "; --sanitize did not mend it")):
        warnings = {notice.code: notice.message for notice in of(both, tmp_path, **given).warnings}
        assert warnings["overlap"].endswith(end)


def test_what_a_repair_advises(tmp_path: Path) -> None:
    torn = TETRAHEDRON[[0, 1, 2]].copy()
    torn[0] = torn[0, ::-1]
    for given, has_advice in (({}, True), ({"sanitize": True}, False)):
        records = {record.step: record.message for record in of(torn, tmp_path, fill_holes=True, **given).repairs}
        assert records["fill_holes"].endswith("; try --sanitize") is has_advice


def test_loose_ends_of_a_section(tmp_path: Path) -> None:
    name = tmp_path / "a.svg"
    name.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" stroke="#000" d="M0 0L9 0L9 7"/>'
        '<path fill="none" stroke="#000" d="M9 7.05L0 7L0 0.05"/></svg>'
    )
    for given, flags in (({}, "--connect_nearby"), ({"connect_nearby": True}, "--weld_tolerance")):
        found = measured(str(name), Plan((str(name),), mass_properties=True, **given))
        assert found.status == "open"
        assert flags in found.message
        assert ("--connect_nearby" in found.message) is not bool(given)
    idle = measured(str(name), Plan((str(name),), mass_properties=True, sanitize=True))  # it welds no drawings
    assert "try --connect_nearby --weld_tolerance" in idle.message
