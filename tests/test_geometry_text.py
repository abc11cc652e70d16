"""GeoJSON and well-known text."""

import json
import re

import pytest

from massprops import mass_properties, section_properties
from massprops.core.outline import build_section
from massprops.errors import Empty, InsideOut, NonFinite, Unreadable, Unsupported
from massprops.readers.geometry_text import read_geojson, read_wkt

OUTER = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
HOLE = [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]
FAR = [[9, 0], [10, 0], [10, 1], [9, 1], [9, 0]]
POLYGON = {"type": "Polygon", "coordinates": [OUTER, HOLE]}
MULTI = {"type": "MultiPolygon", "coordinates": [[OUTER, HOLE], [FAR]]}


def area(reading):
    return float(build_section(reading.shapes).integrals.moments.area)


def geojson(document):
    return read_geojson(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (POLYGON, 15),
        (MULTI, 16),
        ({"type": "Feature", "properties": {}, "geometry": POLYGON}, 15),
        ({"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": g} for g in (MULTI, None)]}, 16),
        ({"type": "GeometryCollection", "geometries": [POLYGON, {"type": "Polygon", "coordinates": [FAR]}]}, 16),
        ({"type": "Polygon", "coordinates": [[[*p, 7] for p in OUTER]]}, 16),
        ({"type": "Polygon", "coordinates": [OUTER[:-1]]}, 16),
    ],
)
def test_geojson(document, expected):
    assert area(geojson(document)) == expected


def test_other_geometries_are_told():
    point = {"type": "Point", "coordinates": [1, 2]}
    reading = geojson({"type": "GeometryCollection", "geometries": [point, POLYGON, point]})
    assert reading.notices[0].code == "ignored"
    assert "2 Point" in reading.notices[0].message
    with pytest.raises(Empty, match="only 1 Point"):
        geojson(point)


@pytest.mark.parametrize(
    "document",
    [[], {}, {"type": "Blob"}, {"type": 3}, {"type": "Polygon", "coordinates": [[1, 2, 3]]},
     {"type": "Polygon", "coordinates": [[["a", "b"]]]}, {"type": "Polygon", "coordinates": [[[1], [2]]]}],
)  # fmt: skip
def test_what_is_no_geojson(document):
    with pytest.raises(Unreadable):
        geojson(document)


def test_what_is_no_json():
    for data in (b"{", b"[" * 100000, b"\xff\xfe\x00"):
        with pytest.raises(Unreadable):
            read_geojson(data)
    with pytest.raises(NonFinite):
        read_geojson(b'{"type": "Polygon", "coordinates": [[[0, 0], [1, NaN], [1, 1]]]}')
    with pytest.raises(Empty):
        geojson({"type": "FeatureCollection", "features": []})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))", 15),
        ("polygon((0 0,4 0,4 4,0 4))", 16),
        ("SRID=4326;POLYGON Z ((0 0 1, 4 0 1, 4 4 1, 0 4 1, 0 0 1))", 16),
        ("POLYGONZ((0 0 1, 4 0 1, 4 4 1))", 8),
        ("MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((9 0, 10 0, 10 1, 9 1, 9 0)))", 17),
        ("GEOMETRYCOLLECTION (POINT (1 2), POLYGON ((0 0, 1e0 0, 1 1)), POLYGON EMPTY)", 0.5),
        ("POLYGON ((0 0, 4 0, 4 4))\nPOLYGON ((5 0, 7 0, 7 2))\n", 10),
    ],
)
def test_wkt(data, expected):
    assert area(read_wkt(data.encode())) == expected


@pytest.mark.parametrize(
    "data",
    ["POLYGON ((0 0, 1 0", "POLYGON ((0 0, 1 x, 1 1))", "POLYGON 0 0", "hello world", "POLYGON ((0 0, 1 0, !))", "5"],
)
def test_what_is_no_wkt(data):
    with pytest.raises(Unreadable):
        read_wkt(data.encode())


@pytest.mark.parametrize("odd", [True, "0", None, [1], {}])
@pytest.mark.parametrize("axis", [0, 1])
def test_coordinates_that_are_no_numbers(odd, axis):
    point = [odd, 4] if axis == 0 else [4, odd]
    rings = [OUTER, [*HOLE[:2], point]]
    expected = "polygon 1, ring 2, point 3: " + json.dumps(point)
    for kind, coordinates in (("Polygon", rings), ("MultiPolygon", [rings])):
        with pytest.raises(Unreadable, match=re.escape(expected)):
            geojson({"type": kind, "coordinates": coordinates})


def test_coordinates_that_are_not_finite():
    with pytest.raises(NonFinite, match=r"^polygon 1, ring 1, point 2: "):
        read_geojson(b'{"type": "Polygon", "coordinates": [[[0, 0], [1, Infinity], [1, 1]]]}')
    with pytest.raises(NonFinite, match=r"^polygon 1, ring 1: .* too large"):
        geojson({"type": "Polygon", "coordinates": [[[0, 0], [10**400, 0], [1, 1]]]})


@pytest.mark.parametrize("odd", ["4 0, 4 4 0 4, 0 0", "4 0, 4 4 1, 0 4", "4 0, 4 4, 4", "4, 4 4"])
def test_a_comma_too_few_or_too_many(odd):
    with pytest.raises(Unreadable, match=r"coordinates after points of 2: .* comma"):
        read_wkt(f"POLYGON ((0 0, {odd}))".encode())
    with pytest.raises(Unreadable, match=r"^a point of 6 coordinates: 0 0 4 0 4;"):
        read_wkt(b"POLYGON ((0 0 4 0 4 4, 0 4))")


def ring(a, b, c, d):
    return f"({a} {b}, {c} {b}, {c} {d}, {a} {d}, {a} {b})"


PLATE, POCKET = ring(0, 0, 9, 9), ring(1, 1, 5, 5)


@pytest.mark.parametrize(
    ("hole", "expected", "where"),
    [
        (ring(10, 10, 11, 11), 80, [10, 10]),
        (ring(7, 1, 12, 2), 76, [9, 1]),
        (f"{POCKET}, {ring(2, 2, 3, 3)}", 64, [2, 2]),
    ],
)
def test_holes_that_are_not_in_their_polygon_are_told_and_taken_away(hole, expected, where):
    section = build_section(read_wkt(f"POLYGON ({PLATE}, {hole})".encode()).shapes)
    assert section.integrals.moments.area == expected
    (notice,) = section.notices
    assert notice.code == "inverted"
    assert where in notice.details["where"]


def test_holes_larger_than_their_polygon_are_refused():
    with pytest.raises(InsideOut):
        build_section(read_wkt(f"POLYGON ({POCKET}, {PLATE})".encode()).shapes)
    section = build_section(read_wkt(f"POLYGON ({POCKET}, {PLATE})".encode()).shapes, fill="evenodd")
    assert section.integrals.moments.area == 65


@pytest.mark.parametrize("plug", [POCKET, "(5 5, 5 1, 1 1, 1 5, 5 5)", "(1 1, 3 1, 5 1, 5 5, 1 5)"])
def test_a_polygon_that_fills_the_hole_of_another_is_one(plug):
    dot = ring(2, 2, 3, 3)
    for text, expected in (
        (f"POLYGON ({PLATE}, {POCKET})\nPOLYGON ({plug})", 81),
        (f"POLYGON ({plug}, {dot})\nPOLYGON ({PLATE}, {POCKET})", 80),
        (f"MULTIPOLYGON (({PLATE}, {POCKET}), ({plug}, {dot}), ({dot}))", 81),
        (f"MULTIPOLYGON (({PLATE}, {POCKET}), ({dot}))", 66),
    ):
        section = build_section(read_wkt(text.encode()).shapes)
        assert section.integrals.moments.area == expected
        assert section.notices == ()


def test_polygons_that_are_there_twice_count_once():
    twice = f"POLYGON ({PLATE}, {POCKET})\n" * 2
    section = build_section(read_wkt(twice.encode()).shapes)
    assert section.integrals.moments.area == 65
    (notice,) = section.notices
    assert (notice.code, notice.details, "hole" in notice.message) == ("duplicate", {"segments": 8}, False)


def test_polygons_within_others_are_taken_for_holes_and_told():
    section = build_section(read_wkt(f"MULTIPOLYGON (({PLATE}), ({POCKET}))".encode()).shapes)
    assert section.integrals.moments.area == 65
    (notice,) = section.notices
    assert notice.code == "fill_rule"
    assert "1 polygon lies within another and is taken for a hole there, the first near (1, 1)" in notice.message


POLYGONS = [{"type": "Polygon", "coordinates": [[[x, 0], [x + 4, 0], [x, 3], [x, 0]]]} for x in (0, 10, 20)]


@pytest.mark.parametrize("mark", ["", "\x1e"])
@pytest.mark.parametrize("end", ["\n", "\r\n", " ", "\n\n"])
def test_documents_one_after_another(mark, end):
    text = "".join(mark + json.dumps({"type": "Feature", "geometry": polygon}) + end for polygon in POLYGONS)
    assert len(read_geojson(text.encode()).shapes) == 3
    with pytest.raises(Unreadable, match="not valid JSON: Expecting property name"):
        read_geojson(text.encode() + b"{")
    with pytest.raises(Unreadable, match="not GeoJSON: an object without a type"):
        read_geojson(text.encode() + b"[1, 2]")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_json_in_other_encodings(encoding):
    document = POLYGONS[0] | {"name": "\u00e4"}
    assert len(read_geojson(json.dumps(document, ensure_ascii=False).encode(encoding)).shapes) == 1
    with pytest.raises(Unreadable, match=r"byte \d+ is not UTF-8"):
        read_geojson(json.dumps(document, ensure_ascii=False).encode("latin-1"))


@pytest.mark.parametrize("document", [{"rings": []}, {"geometryType": "esriGeometryPolygon", "features": []}])
def test_json_of_esri_is_another_format(document):
    with pytest.raises(Unsupported, match="Esri's JSON is not read; convert it to GeoJSON, with ogr2ogr"):
        geojson(document)


def test_topojson_is_another_format():
    square = {"type": "Polygon", "arcs": [[0]]}
    topology = {"type": "Topology", "objects": {"square": square}, "arcs": [[[0, 0], [4, 0], [4, 4], [0, 0]]]}
    with pytest.raises(Unsupported, match=r"^TopoJSON is not read; convert it to GeoJSON, with topo2geo or ogr2ogr$"):
        geojson(topology)


@pytest.mark.parametrize("name", ["map.topojson", "map.json", "map"])
def test_topojson_is_called_so_whatever_its_name(tmp_path, name):
    path = tmp_path / name
    path.write_text('{"type": "Topology", "objects": {}, "arcs": []}')
    with pytest.raises(Unsupported, match="TopoJSON is not read; convert it to GeoJSON"):
        section_properties(path)
    path.write_text('{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [0, 3], [0, 0]]]}')
    assert float(section_properties(path).area) == 6


def test_topojson_in_name_only(tmp_path):
    path = tmp_path / "map.topojson"
    path.write_text("no JSON")
    with pytest.raises(Unsupported, match="TopoJSON is not read"):
        mass_properties(path)


def test_what_is_not_read():
    with pytest.raises(Unsupported, match="CURVEPOLYGON"):
        read_wkt(b"CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))")
    for kind in ("POLYHEDRALSURFACE Z", "TINZ"):
        with pytest.raises(Unsupported, match=kind.rstrip(" Z")):
            read_wkt(f"{kind} (((0 0 0, 1 0 0, 0 1 0, 0 0 0)))".encode())
    with pytest.raises(Empty, match="only 1 POLYGONS"):
        read_wkt(b"POLYGONS ((0 0, 1 0, 0 1))")
    with pytest.raises(Empty):
        read_wkt(b"POINT (1 2)")
    with pytest.raises(Empty):
        read_wkt(b"")
