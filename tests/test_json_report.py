"""The JSON document against its schema, which is strict, and shipped with the package."""

from __future__ import annotations

import copy
import json
import struct
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.cli import main
from massprops.core.notice import Notice
from massprops.report.json_report import document, result_object
from massprops.report.plain import plain
from massprops.result import Result

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(files("massprops.report").joinpath("schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
TETRAHEDRON = CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    ends = np.array([lower, upper], float)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


def flipped(triangles: np.ndarray, *facets: int) -> np.ndarray:
    changed = triangles.copy()
    for facet in facets:
        changed[facet] = changed[facet, [0, 2, 1]]
    return changed


def binary(triangles: np.ndarray, count: int | None = None) -> bytes:
    rows = np.zeros(len(triangles), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = triangles
    return bytes(80) + struct.pack("<I", len(triangles) if count is None else count) + rows.tobytes()


BODY = box((10, 20, 30), (12, 23, 35))
CRACKED = BODY.astype(np.float32)
CRACKED[2, (BODY[2] == (12, 23, 35)).all(axis=1), 2] += np.spacing(np.float32(35))
GAP = BODY.copy()
GAP[2, (BODY[2] == (12, 23, 35)).all(axis=1), 2] += 1e-3
HOLED = BODY.copy()
HOLED[3, 1, 0] = np.nan

INPUTS: dict[str, tuple[bytes, str]] = {
    "box": (binary(BODY), "ok"),
    "tetrahedron": (binary(TETRAHEDRON), "ok"),
    "hairline": (binary(CRACKED), "ok"),
    "count": (binary(BODY, 10), "ok"),
    "trailing": (binary(BODY) + b"end", "ok"),
    "overlap": (binary(np.concatenate([BODY, BODY + np.array([1, 0.5, 0.25])])), "ok"),
    "inverted": (binary(np.concatenate([BODY, flipped(box((20, 0, 0), (21, 1, 1)), *range(12))])), "ok"),
    "open": (binary(BODY[:10]), "open"),
    "gap": (binary(GAP), "open"),
    "inconsistent": (binary(flipped(BODY, 2)), "inconsistent"),
    "inside_out": (binary(flipped(BODY, *range(12))), "inside_out"),
    "zero_volume": (binary(np.concatenate([BODY, flipped(BODY, *range(12)) + np.array([9, 1, 2])])), "zero_volume"),
    "non_finite": (binary(HOLED), "non_finite"),
    "empty": (b"", "empty"),
    "unreadable": (b"nonsense " * 30, "unreadable"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, (data, _) in INPUTS.items():
        (tmp_path / f"{name}.stl").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> dict[str, Any]:
        with pytest.raises(SystemExit):
            main([*arguments, "--json"])
        return strictly(capsys.readouterr().out)

    return call


def strictly(text: str) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    content: dict[str, Any] = json.loads(text, parse_constant=refuse)
    VALIDATOR.validate(content)
    return content


def test_the_schema_is_one_and_strict_everywhere() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(SCHEMA)
    for kind in ("result", "section"):
        assert set(SCHEMA["$defs"][kind]["required"]) == set(SCHEMA["$defs"][kind]["properties"])


FLAGS: list[list[str]] = [
    ["--mass_properties"], [], ["--mass_properties", "--units", "mm", "--density", "7850"],
    ["--mass_properties", "--about", "1", "-2", "3.5"], ["--mass_properties", "--exact"], ["--units", "in"],
    ["--mass_properties", "--rotate_axis", "1", "2", "3", "--rotate_angle", "0.3", "--resize_x", "-2"],
    ["--mass_properties", "--units", "m", "--density", "1e6"], ["--mass_properties", "--units", "file"],
]  # fmt: skip


@pytest.mark.parametrize("flags", FLAGS)
def test_every_verdict_in_every_mode_is_valid(run: Any, flags: list[str]) -> None:
    names = [f"{name}.stl" for name in INPUTS]
    content = run(*names, "missing.stl", ".", *flags)
    results = content["results"]
    assert [result["file"] for result in results] == [*names, "missing.stl", "."]
    assert content["summary"]["inputs"] == len(results)
    assert content["summary"]["measured"] == sum(result["status"] == "ok" for result in results)
    assert content["summary"]["failed"] == sum(result["status"] != "ok" for result in results)
    if flags == ["--mass_properties"]:
        assert [result["status"] for result in results] == [
            *(status for _, status in INPUTS.values()), "not_found", "unreadable",
        ]  # fmt: skip


@pytest.mark.parametrize("name", INPUTS)
def test_one_input_alone(run: Any, name: str) -> None:
    assert run(f"{name}.stl", "--mass_properties")["results"][0]["status"] == INPUTS[name][1]


def test_the_numbers_of_a_body(run: Any) -> None:
    found = run("tetrahedron.stl", "--mass_properties", "--density", "2", "--about", "0", "0", "0")["results"][0]
    assert (found["format"], found["kind"], found["units"], found["facets"]) == ("stl", "solid", None, 4)
    assert (found["density"], found["mass"], found["volume"]) == (2, 2, 1)
    assert found["center"] == [0.25, 0.5, 0.75]
    assert found["inertia"][0] == [39 / 40, 1 / 20, 3 / 40]
    assert found["about"] == {"point": [0, 0, 0], "inertia": [[2.6, -0.2, -0.3], [-0.2, 2, -0.6], [-0.3, -0.6, 1]]}
    axes, moments = np.array(found["principal_axes"]), np.diag(found["principal_moments"])
    assert axes @ moments @ axes.T == pytest.approx(np.array(found["inertia"]), rel=1e-13)
    assert found["bounds"] == [[0, 0, 0], [1, 2, 3]]
    assert found["statistics"] is None
    assert found["warnings"] == []
    assert found["repairs"] == []


def test_diagnoses(run: Any) -> None:
    found = {name: run(f"{name}.stl", "--mass_properties")["results"][0] for name in ("open", "gap", "non_finite")}
    assert found["open"]["diagnosis"] == {
        "open_edges": 4, "loops": 1, "inconsistent_edges": 0, "largest_gap": None, "where": [12, 20, 30],
        "facets": found["open"]["diagnosis"]["facets"],
    }  # fmt: skip
    assert found["gap"]["diagnosis"]["largest_gap"] == pytest.approx(1e-3, rel=1e-2)
    assert found["non_finite"]["diagnosis"] == {"facet": 4, "facets": 1}
    assert found["open"]["mass"] is found["open"]["inertia"] is None


@pytest.mark.parametrize(("name", "code"), [
    ("hairline", "hairline"), ("count", "facet_count"), ("trailing", "trailing_bytes"),
])  # fmt: skip
def test_warnings(run: Any, name: str, code: str) -> None:
    assert [warning["code"] for warning in run(f"{name}.stl", "--mass_properties")["results"][0]["warnings"]] == [code]


PLY = (
    "ply\nformat ascii 1.0\na comment\nelement vertex 4\n" + "".join(f"property float {axis}\n" for axis in "xyz")
    + "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n1 1 1\n0 1 0\n4 0 1 2 3\n7\n"
)  # fmt: skip
FACET = "color 1 0 0\nfacet normal 0 0 1\nouter loop\n" + 3 * "vertex 1 2 3\n" + "endloop\nendfacet\n"


@pytest.mark.parametrize(("name", "text", "codes"), [
    ("a.ply", PLY, ["header", "trailing_bytes", "not_flat"]),
    ("a.stl", f"solid a\n{FACET}endsolid a\nsolid b\n{FACET}", ["solids", "colors", "no_endsolid"]),
    ("b.stl", (binary(BODY, 22) + bytes(500)).decode("latin-1"), ["recovered"]),
    ("a.dat", "NACA\n1 0\n0.5 0.1\n0 0\n0.5 -0.1\n1 0\na remark\n", ["trailing_bytes"]),
    ("point.csv", "0,0\n9,0\n9,9\n\n3,3\n", ["degenerate"]),
    ("flat.csv", "0,0\n9,0\n9,9\n0,9\n\n3,3\n4,4\n", ["degenerate"]),
    ("hair.csv", "0,0\n9,0\n9,9\n0,9\n\n1e-8,1e-8\n9,1e-8\n9,9\n1e-8,9\n", ["duplicate"]),
    ("again.csv", "0,0\n9,0\n9,9\n\n0,0\n9,0\n9,9\n", ["duplicate"]),
    ("in.wkt", "MULTIPOLYGON (((0 0,9 0,9 9,0 0)),((5 1,7 1,7 2,5 1)))", ["fill_rule"]),
    ("grey.svg", '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="grey"/>'
     '<rect x="1" y="1" width="2" height="2" fill="grey"/></svg>', ["y_up", "fill_rule"]),
    ("unit.dxf", "0 SECTION 2 HEADER 9 $ACADVER 1 AC1015 9 $INSUNITS 70 77 0 ENDSEC 0 SECTION 2 ENTITIES 0 CIRCLE 8 0 "
     "100 AcDbEntity 100 AcDbCircle 10 0 20 0 40 3 0 ENDSEC 0 EOF".replace(" ", "\n") + "\n", ["unknown_unit"]),
])  # fmt: skip
def test_what_readers_tell(folder: Path, run: Any, name: str, text: str, codes: list[str]) -> None:
    (folder / name).write_bytes(text.encode("latin-1"))
    warnings = run(name, "--mass_properties")["results"][0]["warnings"]
    assert [warning["code"] for warning in warnings] == codes


def test_repairs(run: Any) -> None:
    flags = ["--clip", "0", "0", "0", "100", "100", "100", "--connect_nearby", "--sanitize", "--fill_holes"]
    content = run("open.stl", "gap.stl", "inconsistent.stl", "box.stl", "inside_out.stl", "--mass_properties", *flags)
    assert [r["status"] for r in content["results"]] == ["ok"] * 5
    assert all([step["step"] for step in r["repairs"]] == ["clip", "connect_nearby", "sanitize", "fill_holes"]
               for r in content["results"])  # fmt: skip
    run("open.stl", "gap.stl", "--merge", "tetrahedron.stl", "--sanitize", "--fill_holes")


def test_check_and_verify(run: Any) -> None:
    run("box.stl", "tetrahedron.stl", "open.stl", "--mass_properties", "--verify", "--check_lines", "16")
    assert run("box.stl", "--mass_properties", "--check_lines", "0")["results"][0]["check"] is None


def test_a_spin(run: Any) -> None:
    found = run("box.stl", "open.stl", "--mass_properties", "--spin", "0.1", "5", "0.2", "--duration", "0.1")["results"]
    assert found[0]["spin"]["energy"] > 0
    assert found[1]["spin"] is None


@pytest.mark.parametrize("change", [
    {"extra": 1}, {"file": None}, {"status": "fine"}, {"kind": "other"}, {"mass": "2"}, {"mass": None},
    {"center": [1, 2]},
    {"inertia": [[1, 2, 3]]}, {"message": "told"}, {"warnings": [{"code": "x"}]}, {"about": [0, 0, 0]},
    {"warnings": [{"code": "x", "message": "y", "extra": 1}]}, {"repairs": [{"step": "paint"}]}, {"repairs": None},
    {"check": {"lines": 1}}, {"roundoff": {"volume": 1e-16}}, {"diagnosis": {}}, {"status": "open"}, {"volume": -1.0},
])  # fmt: skip
def test_the_schema_refuses_what_is_not_so(run: Any, change: dict[str, Any]) -> None:
    content = copy.deepcopy(run("tetrahedron.stl", "--mass_properties"))
    content["results"][0].update(change)
    assert not VALIDATOR.is_valid(content)


@pytest.mark.parametrize("name", SCHEMA["$defs"]["result"]["required"])
def test_no_field_may_be_missing(run: Any, name: str) -> None:
    content = run("tetrahedron.stl", "--mass_properties")
    del content["results"][0][name]
    assert not VALIDATOR.is_valid(content)


SECTIONS: dict[str, tuple[str, str]] = {
    "l.csv": ("0,0\n3,0\n3,1\n1,1\n1,3\n0,3\n", "ok"),
    "far.csv": ("1e6,1e6\n1000010,1e6\n1000010,1000010\n1e6,1000010\n", "ok"),
    "overlap.csv": ("0,0\n2,0\n2,2\n0,2\n\n1,1\n3,1\n3,3\n1,3\n", "ok"),
    "comma.csv": ("0,0;0,0\n1,5;0,0\n0,0;1,5\n", "ok"),
    "disc.svg": ('<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/><text>r</text><foo/></svg>', "ok"),
    "closed.svg": ('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H4V3"/></svg>', "ok"),
    "plate.wkt": ("GEOMETRYCOLLECTION (POLYGON ((0 0,4 0,4 4,0 0)), POINT (1 1))", "ok"),
    "plate.geojson": ('{"type":"Polygon","coordinates":[[[0,0],[100,0],[0,80],[0,0]]]}', "ok"),
    "open.svg": ('<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" stroke="red" d="M0 0H4V3"/></svg>', "open"),
    "tie.csv": ("0,0\n2,2\n2,0\n0,2\n", "self_intersecting"),
    "flat.csv": ("0,0\n1,0\n2,0\n", "zero_area"),
    "nan.csv": ("0,0\n1,nan\n2,2\n", "non_finite"),
    "nothing.svg": ('<svg xmlns="http://www.w3.org/2000/svg"/>', "empty"),
    "bad.svg": ("<svg", "unreadable"),
    "bad.csv": ("0,0\n1,x\n2,2\n", "unreadable"),
}


@pytest.fixture
def drawings(folder: Path) -> list[str]:
    for name, (contents, _) in SECTIONS.items():
        (folder / name).write_text(contents)
    return list(SECTIONS)


@pytest.mark.parametrize("flags", [
    [], ["--mass_properties"], ["--mass_properties", "--about", "1", "2", "--density", "3"],
    ["--mass_properties", "--verify", "--check_lines", "32"], ["--mass_properties", "--fill", "evenodd"],
    ["--mass_properties", "--winding", "as_drawn"], ["--mass_properties", "--units", "mm", "--sanitize"],
    ["--mass_properties", "--connect_nearby", "--rotate_axis", "1", "0", "0", "--rotate_angle", "1"],
])  # fmt: skip
def test_sections_in_every_mode_are_valid(run: Any, drawings: list[str], flags: list[str]) -> None:
    results = run("box.stl", *drawings, "gone.csv", *flags)["results"]
    assert [result["file"] for result in results] == ["box.stl", *drawings, "gone.csv"]
    assert {result["kind"] for result in results[1:-1]} == {"section"}
    if flags == ["--mass_properties"]:
        assert [result["status"] for result in results[1:-1]] == [status for _, status in SECTIONS.values()]


@pytest.mark.parametrize("change", [
    {"extra": 1}, {"kind": "solid"}, {"kind": "other"}, {"status": "inconsistent"}, {"status": "zero_area"},
    {"mass": None}, {"area": -1}, {"perimeter": "6"}, {"center": [1, 2, 3]}, {"bounds": [[0, 0, 0], [1, 1, 1]]},
    {"second_moments": [1, 2]}, {"principal_angle": 2}, {"equal_moments": None}, {"volume": 1}, {"facets": 6},
    {"inertia": [[1, 0], [0, 1]]}, {"section_moduli": {"about_u": [1, 1]}}, {"about": {"point": [0, 0]}},
    {"counted": {"squares": 1}}, {"repairs": [{"step": "clip"}]}, {"message": "told"}, {"diagnosis": {}},
    {"warnings": [{"code": "ignored", "message": "m", "TEXT": 1}]}, {"warnings": [{"code": "x"}]},
])  # fmt: skip
def test_the_schema_refuses_sections_that_are_not_so(run: Any, drawings: list[str], change: dict[str, Any]) -> None:
    content = copy.deepcopy(run("l.csv", "--mass_properties"))
    content["results"][0].update(change)
    assert not VALIDATOR.is_valid(content)


STATISTICS = {"verdict": "ok", "loops": 1, "open_chains": 0, "segments": 6}


@pytest.mark.parametrize("change", [
    {"area": None}, {"center": None}, {"perimeter": 0}, {"statistics": None}, {"statistics": {"loops": 1}},
    {"statistics": {**STATISTICS, "verdict": "open"}}, {"statistics": {**STATISTICS, "open_chains": 1}},
    {"statistics": {**STATISTICS, "loops": 0}}, {"bounds": None}, {"mass": 5.0},
])  # fmt: skip
def test_the_schema_refuses_statistics_that_are_not_so(run: Any, drawings: list[str], change: dict[str, Any]) -> None:
    content = copy.deepcopy(run("l.csv"))
    content["results"][0].update(change)
    assert not VALIDATOR.is_valid(content)


@pytest.mark.parametrize("name", SCHEMA["$defs"]["section"]["required"])
def test_no_field_of_a_section_may_be_missing(run: Any, drawings: list[str], name: str) -> None:
    content = run("l.csv", "--mass_properties")
    del content["results"][0][name]
    assert not VALIDATOR.is_valid(content)


def test_a_solid_is_no_section(run: Any) -> None:
    content = copy.deepcopy(run("tetrahedron.stl", "--mass_properties"))
    content["results"][0]["kind"] = "section"
    assert not VALIDATOR.is_valid(content)


def test_no_input_at_all_and_odd_names_are_documents() -> None:
    assert strictly(document([]))["results"] == []
    names = ['a "b"\\c.stl', "tab\t.stl", "líne\n.stl", "\u2028.stl", "😀.stl"]
    content = strictly(document([Result(name, status="not_found", message="there is no such file") for name in names]))
    assert [result["file"] for result in content["results"]] == names


def test_counts_that_do_not_apply_may_be_missing() -> None:
    counts = [("clip", {"facets": 2}), ("sanitize", {"reversed_facets": 1}), ("fill_holes", {"area": 1.0})]
    for step in [{"step": name, **numbers} for name, numbers in counts]:
        jsonschema.Draft202012Validator({**SCHEMA["$defs"]["repair"], "$defs": SCHEMA["$defs"]}).validate(step)


def test_a_negative_moment_has_no_radius_of_gyration(folder: Path, run: Any) -> None:
    small = flipped(box((50, 50, 50), (51, 51, 51)), *range(12))
    (folder / "wrong.stl").write_bytes(binary(np.concatenate([box((0, 0, 0), (2, 2, 2)), small])))
    (found,) = run("wrong.stl", "--mass_properties")["results"]
    assert "moment_not_positive" in {warning["code"] for warning in found["warnings"]}
    radii = found["radii_of_gyration"]
    assert [moment < 0 for moment in found["principal_moments"]] == [radius is None for radius in radii]
    assert None in radii


def test_plain_values() -> None:
    found = plain({"a": np.array([[-0.0, 1.0]]), "b": (-0.0, [2]), "c": None, "d": np.float64(0.1)})
    assert json.dumps(found) == '{"a": [[0.0, 1.0]], "b": [0.0, [2]], "c": null, "d": 0.1}'


def test_numbers_are_the_shortest_that_come_back() -> None:
    text = document([Result("a", status="open", message="m", warnings=(Notice("x", "y", {"size": 0.1}),))])
    assert '"size": 0.1\n' in text
    assert text.endswith("}\n")
    assert result_object(Result("a"))["status"] == "ok"
