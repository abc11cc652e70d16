"""Polygons of geographic formats: GeoJSON and well-known text (WKT).

Sources: RFC 7946, The GeoJSON Format; OGC 06-103r4, Simple feature access, part 1, chapter 7 (WKT).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from massprops.core.curve import Path, Shape
from massprops.core.notice import Notice
from massprops.core.segments import Polyline
from massprops.errors import Empty, NonFinite, Unreadable, Unsupported
from massprops.readers.decimals import text_of
from massprops.readers.end_marks import bare_document
from massprops.readers.mistaken import TOPOJSON
from massprops.readers.section_reading import SectionReading

_CURVED = (
    "CURVEPOLYGON", "MULTISURFACE", "CIRCULARSTRING", "COMPOUNDCURVE", "MULTICURVE", "TIN", "POLYHEDRALSURFACE",
)  # fmt: skip
_DIMENSIONS = re.compile("(?:Z|M|ZM)$")
_TOKEN = re.compile(r"\s*(?:([A-Za-z]+)|([-+.\deE]+|nan|inf)|([(),;=]))")
_DEPTH = 50
_BETWEEN = re.compile(r"[\s\x1e]*")
_ESRI = {"rings", "curveRings", "geometryType", "esriGeometryType"}
"""Keys of the JSON that servers of Esri give."""

_NUMBERS = {int, float}


def read_geojson(data: bytes) -> SectionReading:
    """Read the polygons of GeoJSON, of one document or of several in a row; other geometries are passed over and told.

    Raises
    ------
    Unreadable
        It is no JSON, or no GeoJSON.
    Unsupported
        It is TopoJSON, or Esri's JSON.
    Empty
        It holds no polygon.
    NonFinite
        A coordinate is not finite.

    Examples
    --------
    >>> found = read_geojson(b'{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [0, 3], [0, 0]]]}')
    >>> found.shapes[0].paths[0].pieces[0].points.tolist()
    [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0], [0.0, 0.0]]
    """
    ignored: Counter[str] = Counter()
    polygons = [polygon for item in _documents(data) for polygon in _geojson_polygons(item, ignored, 0)]
    return _reading(polygons, ignored, "geojson")


def _documents(data: bytes) -> Iterator[Any]:
    """The JSON documents of a file: one, or one after another, as RFC 8142 and ogr2ogr have them."""
    data = bare_document(data)
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        raise Unreadable(f"not valid JSON: byte {error.start} is not UTF-8; save it as UTF-8") from None
    place, decoder = _BETWEEN.match(text).end(), json.JSONDecoder()  # type: ignore[union-attr]
    while True:
        try:
            document, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"not valid JSON: {error}") from None
        yield document
        place = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]
        if place == len(text):
            return


def _geojson_polygons(item: Any, ignored: Counter[str], depth: int) -> Iterator[Any]:
    if item is None:
        return  # a feature may be without geometry
    kind = item.get("type") if isinstance(item, dict) else None
    if kind is None and isinstance(item, dict) and not _ESRI.isdisjoint(item):
        raise Unsupported("Esri's JSON is not read; convert it to GeoJSON, with ogr2ogr")
    if depth > _DEPTH or not isinstance(kind, str):
        raise Unreadable("not GeoJSON: an object without a type")
    parts = {"FeatureCollection": "features", "GeometryCollection": "geometries"}
    if kind in parts:
        for part in _listed(item, parts[kind]):
            yield from _geojson_polygons(part, ignored, depth + 1)
    elif kind == "Feature":
        yield from _geojson_polygons(item.get("geometry"), ignored, depth + 1)
    elif kind == "Polygon":
        yield _listed(item, "coordinates")
    elif kind == "MultiPolygon":
        yield from _listed(item, "coordinates")
    elif kind in ("Point", "MultiPoint", "LineString", "MultiLineString"):
        ignored[kind] += 1
    elif kind == "Topology":
        raise Unsupported(TOPOJSON)
    else:
        raise Unreadable(f"not GeoJSON: there is no type {kind[:40]!r}")


def _listed(item: dict[str, Any], key: str) -> list[Any]:
    found = item.get(key) or []
    if not isinstance(found, list):
        raise Unreadable(f"not GeoJSON: the {key} of a {item['type']} are no list")
    return found


def read_wkt(data: bytes) -> SectionReading:
    """Read the polygons of well-known text; other geometries are passed over and told.

    Raises
    ------
    Unreadable
        It is not well-known text.
    Unsupported
        It has curved polygons.
    Empty
        It holds no polygon.
    NonFinite
        A coordinate is not finite.

    Examples
    --------
    >>> found = read_wkt(b"POLYGON ((0 0, 4 0, 0 3, 0 0), (1 1, 2 1, 1 2, 1 1))")
    >>> [len(path.pieces[0].points) for path in found.shapes[0].paths]
    [4, 4]
    """
    tokens = _tokens(text_of(data))
    ignored: Counter[str] = Counter()
    polygons: list[Any] = []
    position = 0
    while position < len(tokens):
        position = _wkt_geometry(tokens, position, polygons, ignored, 0)
    return _reading(polygons, ignored, "wkt")


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            line = text.count("\n", 0, position) + 1
            raise Unreadable(f"line {line}: {text[position : position + 20]!r} is no well-known text")
        tokens.append(match[0].strip().upper())
        position = match.end()
    return tokens


def _wkt_geometry(
    tokens: list[str], position: int, polygons: list[Any], ignored: Counter[str], depth: int
) -> int:
    """Read one geometry from a position; the position after it."""
    kind = tokens[position]
    if kind in (";", ","):
        return position + 1
    if kind == "SRID":
        return position + 3
    base = _DIMENSIONS.sub("", kind)
    if base in _CURVED:
        raise Unsupported(f"{base} is not read; write its boundary as POLYGON")
    position += 1
    if position < len(tokens) and tokens[position] in ("Z", "M", "ZM"):
        position += 1
    if position < len(tokens) and tokens[position] == "EMPTY":
        return position + 1
    if depth > _DEPTH or position >= len(tokens) or tokens[position] != "(" or not kind.isalpha():
        raise Unreadable(f"{kind[:40]!r} is no geometry of well-known text")
    if base == "GEOMETRYCOLLECTION":
        position += 1
        while position < len(tokens) and tokens[position] != ")":
            position = _wkt_geometry(tokens, position, polygons, ignored, depth + 1)
        return position + 1
    nested, position = _wkt_list(tokens, position)
    if base in ("POLYGON", "TRIANGLE"):
        polygons.append(nested)
    elif base == "MULTIPOLYGON":
        polygons += nested
    else:
        ignored[kind] += 1
    return position


def _wkt_list(tokens: list[str], position: int) -> tuple[list[Any], int]:
    """A parenthesis of points or of further parentheses, and the position after it."""
    stack: list[list[Any]] = []
    point: list[float] = []
    width = 0
    for k in range(position, len(tokens)):
        token = tokens[k]
        if token in ("(", ",", ")") and point:
            width = width or len(point)
            if len(point) != width or not 2 <= width <= 4:
                raise _odd_point(point, width)
            stack[-1].append(point)
            point = []
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            if not stack:
                return done, k + 1
            stack[-1].append(done)
        elif token != ",":
            try:
                point.append(float(token))
            except ValueError:
                raise Unreadable(f"{token[:40]!r} where a number is expected") from None
    raise Unreadable("the text ends within a parenthesis")


def _odd_point(point: list[float], width: int) -> Unreadable:
    after = "" if len(point) == width else f" after points of {width}"
    words = " ".join(f"{x:g}" for x in point[:5])
    return Unreadable(f"a point of {len(point)} coordinates{after}: {words}; is a comma missing, or one too many?")


def _reading(polygons: list[Any], ignored: Counter[str], format: str) -> SectionReading:
    shapes = tuple(_polygon(polygon, number) for number, polygon in enumerate(polygons, start=1) if polygon)
    notices: tuple[Notice, ...] = ()
    names = ""
    if ignored:
        names = ", ".join(f"{count} {name}" for name, count in sorted(ignored.items()))
        notices = (Notice("ignored", f"passed over, as they bound nothing: {names}", dict(ignored)),)
    if not shapes:
        raise Empty("there is no polygon" + (f", only {names}" if ignored else ""))
    return SectionReading(shapes, format, notices)


def _polygon(polygon: Any, number: int) -> Shape:
    if not isinstance(polygon, list):
        raise Unreadable(f"polygon {number} is no list of rings")
    rings = (_ring(ring, f"polygon {number}, ring {k}") for k, ring in enumerate(polygon, start=1))
    return Shape(tuple(Path((ring,)) for ring in rings), is_polygon=True)


def _ring(ring: Any, where: str) -> Polyline:
    if not isinstance(ring, list) or not ring:
        raise Unreadable(f"{where} is no list of points")
    for number, point in enumerate(ring, start=1):
        if not _is_point(point):
            raise Unreadable(f"{where}, point {number}: {_text(point)} where two or three numbers are expected")
    try:
        points = np.array([point[:2] for point in ring], float)
    except OverflowError:
        raise NonFinite(f"{where}: a coordinate is too large for a float64") from None
    finite = np.isfinite(points).all(axis=1)
    if not finite.all():
        number = int(np.argmin(finite)) + 1
        raise NonFinite(f"{where}, point {number}: a coordinate is not finite; correct it in the file")
    closed = bool((points[0] == points[-1]).all())
    return Polyline(points if closed else np.concatenate([points, points[:1]]))


def _is_point(point: Any) -> bool:
    """Whether it begins with two numbers; neither words nor true and false are any."""
    return isinstance(point, list) and len(point) > 1 and {type(point[0]), type(point[1])} <= _NUMBERS


def _text(point: Any) -> str:
    text = json.dumps(point)
    return text if len(text) <= 40 else text[:37] + "..."
