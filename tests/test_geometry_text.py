"""GeoJSON and well-known text."""

import json

import pytest

from massprops.core.outline import build_section
from massprops.errors import Empty, NonFinite, Unreadable, Unsupported
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


def test_what_is_not_read():
    with pytest.raises(Unsupported, match="CURVEPOLYGON"):
        read_wkt(b"CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))")
    with pytest.raises(Empty):
        read_wkt(b"POINT (1 2)")
    with pytest.raises(Empty):
        read_wkt(b"")
