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

from massprops.core.curve import Shape
from massprops.core.notice import Notice
from massprops.core.segments import Polyline
from massprops.errors import Empty, NonFinite, Unreadable, Unsupported
from massprops.readers.decimals import text_of
from massprops.readers.section_reading import SectionReading

_CURVED = ("CURVEPOLYGON", "MULTISURFACE", "CIRCULARSTRING", "COMPOUNDCURVE", "MULTICURVE")
_TOKEN = re.compile(r"\s*(?:([A-Za-z]+)|([-+.\deE]+|nan|inf)|([(),;=]))")
_DEPTH = 50


def read_geojson(data: bytes) -> SectionReading:
    """Read the polygons of a GeoJSON document; other geometries are passed over and told.

    Raises
    ------
    Unreadable
        It is no JSON, or no GeoJSON.
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
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not valid JSON: {error}") from None
    ignored: Counter[str] = Counter()
    polygons = list(_geojson_polygons(document, ignored, 0))
    return _reading(polygons, ignored, "geojson")


def _geojson_polygons(item: Any, ignored: Counter[str], depth: int) -> Iterator[Any]:
    if item is None:
        return  # a feature may be without geometry
    kind = item.get("type") if isinstance(item, dict) else None
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
    if kind in _CURVED or kind == "TIN":
        raise Unsupported(f"{kind} is not read; write its boundary as POLYGON")
    position += 1
    if position < len(tokens) and tokens[position] in ("Z", "M", "ZM"):
        position += 1
    if position < len(tokens) and tokens[position] == "EMPTY":
        return position + 1
    if depth > _DEPTH or position >= len(tokens) or tokens[position] != "(" or not kind.isalpha():
        raise Unreadable(f"{kind[:40]!r} is no geometry of well-known text")
    if kind.startswith("GEOMETRYCOLLECTION"):
        position += 1
        while position < len(tokens) and tokens[position] != ")":
            position = _wkt_geometry(tokens, position, polygons, ignored, depth + 1)
        return position + 1
    nested, position = _wkt_list(tokens, position)
    if kind.startswith("POLYGON") or kind == "TRIANGLE":
        polygons.append(nested)
    elif kind.startswith("MULTIPOLYGON"):
        polygons += nested
    else:
        ignored[kind] += 1
    return position


def _wkt_list(tokens: list[str], position: int) -> tuple[list[Any], int]:
    """A parenthesis of points or of further parentheses, and the position after it."""
    stack: list[list[Any]] = []
    point: list[float] = []
    for k in range(position, len(tokens)):
        token = tokens[k]
        if token in ("(", ",", ")") and point:
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


def _reading(polygons: list[Any], ignored: Counter[str], format: str) -> SectionReading:
    if not all(isinstance(polygon, list) for polygon in polygons):
        raise Unreadable("a polygon is no list of rings")
    shapes = tuple(Shape.of(*(_ring(ring) for ring in polygon)) for polygon in polygons if polygon)
    notices: tuple[Notice, ...] = ()
    names = ""
    if ignored:
        names = ", ".join(f"{count} {name}" for name, count in sorted(ignored.items()))
        notices = (Notice("ignored", f"passed over, as they bound nothing: {names}", dict(ignored)),)
    if not shapes:
        raise Empty("there is no polygon" + (f", only {names}" if ignored else ""))
    return SectionReading(shapes, format, notices)


def _ring(ring: Any) -> Polyline:
    try:
        points = np.array([[float(x) for x in point[:2]] for point in ring])
        if points.ndim != 2 or points.shape[1] != 2:
            raise ValueError
    except (TypeError, ValueError, KeyError, OverflowError):
        raise Unreadable("a ring of a polygon is no list of points") from None
    if not np.isfinite(points).all():
        raise NonFinite("a coordinate is not finite; correct it in the file")
    closed = bool((points[0] == points[-1]).all())
    return Polyline(points if closed else np.concatenate([points, points[:1]]))
