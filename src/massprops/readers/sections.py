"""One way in for every format of plane sections: by suffix, by name, or by what the first bytes say."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from massprops.core.curve import Shape
from massprops.core.segments import Arc
from massprops.errors import NonFinite, Unreadable, Unsupported
from massprops.readers.plain_verdicts import plain_notices, plain_verdicts
from massprops.readers.section_reading import SectionReading
from massprops.readers.source import check_beginning

SECTION_FORMATS = {
    "dxf": "dxf",
    "svg": "svg",
    "svgz": "svg",
    "csv": "csv",
    "tsv": "csv",
    "dat": "dat",
    "geojson": "geojson",
    "wkt": "wkt",
}
"""Suffixes, and names for ``--format``, of what is read as a section."""

_FAILURES = ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError
"""What a file that is made to break its reader may raise."""

LARGEST = 1e75
"""Length of a coordinate: second moments have its fourth power."""

_GEOMETRY = re.compile(
    rb"\s*(SRID=\d+;)?\s*((MULTI)?POLYGON|GEOMETRYCOLLECTION|TRIANGLE|(MULTI)?(POINT|LINESTRING))[\s(]*[ZM(]?", re.I
)
_DXF = re.compile(rb"\s*(999[ \t]*\r?\n[^\n]*\n\s*)*0[ \t]*\r?\n\s*SECTION")
_GEOJSON = re.compile(rb'"type"\s*:\s*"(Feature|(Multi)?Polygon|GeometryCollection|Topology")')
_PAIR = re.compile(
    rb'\s*"?[-+.\d][-+.\deEdD]*+"?[\s,;]+"?[-+.\d][-+.\deEdD]*+"?[\s,;]*(?:"[^"]*"|[\w.+-]*)[\s,;]*$'
    rb'|\s*"?[-+.,\d][-+.,\deEdD]*+"?[\s;]+"?[-+.,\d][-+.,\deEdD]*+"?[\s;]*(?:"[^"]*"|[\w.+-]*)[\s;]*$'
)
"""A line of a list of points: two numbers and perhaps a name, between commas or, with decimal commas, other marks."""


def section_format(suffix: str, head: bytes) -> str | None:
    """The format of sections that a file is in; None for what is no section.

    Parameters
    ----------
    suffix : str
        Of its name, in lower case and without the dot, or what ``--format`` says; may be empty.
    head : bytes
        Its first kilobytes.

    Examples
    --------
    >>> section_format("", b"<svg xmlns='http://www.w3.org/2000/svg'>"), section_format("stl", b"solid")
    ('svg', None)
    """
    if suffix in SECTION_FORMATS:
        check_beginning(head)
        return SECTION_FORMATS[suffix]
    if suffix not in ("", "json", "topojson", "txt", "xml"):
        return None
    if head.startswith(b"AutoCAD Binary DXF") or _DXF.match(head):
        return "dxf"
    if re.search(rb"<(\w+:)?svg[\s>]", head):
        return "svg"
    if head.lstrip().startswith(b"{") and _GEOJSON.search(head):
        return "geojson"
    if _GEOMETRY.match(head):
        return "wkt"
    lines = head.splitlines()[:-1] if len(head) > 1000 else head.splitlines()
    filled = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return "csv" if len(filled) > 2 and all(_PAIR.match(line) for line in filled[1:]) else None


def read_section(data: bytes, format: str, *, layers: Collection[str] | None = None) -> SectionReading:
    """Read a section.

    Parameters
    ----------
    data : bytes
        The whole file.
    format : str
        One of the values of `SECTION_FORMATS`.
    layers : collection of str, optional
        Layers to read, for DXF.

    Raises
    ------
    MassPropsError
        The verdict on a file that cannot be read.

    Examples
    --------
    >>> len(read_section(b"0,0\\n1,0\\n0,1\\n", "csv").shapes)
    1
    """
    if layers is not None and format != "dxf":
        raise Unsupported(f"{format} files have no layers; leave out --layer")
    with plain_verdicts():
        try:
            with np.errstate(all="ignore"):  # what overflows is refused below
                found = _read(data, format, layers)
        except _FAILURES as error:
            raise Unreadable(f"{format}: not understood ({type(error).__name__}: {error})") from error
        try:
            check_size(found.shapes)
        except NonFinite:
            _say_where(data, format)
            raise
    return replace(found, notices=plain_notices(found.notices))


def _say_where(data: bytes, format: str) -> None:
    """Raise for the number that is not finite, where it can be found."""
    if format == "dxf" and not data.startswith(b"AutoCAD Binary DXF"):
        from massprops.readers.dxf_text import check_numbers, tidied

        check_numbers(tidied(data))


def check_size(shapes: Collection[Shape]) -> None:
    """Refuse coordinates whose fourth powers, or whose products with others, do not fit a float64.

    Raises
    ------
    NonFinite
        There is such a coordinate, or one that is not finite.
    """
    pieces = [piece for shape in shapes for path in shape.paths for piece in path.pieces]
    parts = [part for p in pieces for part in ((p.center[None], p.axes) if isinstance(p, Arc) else (p.points,))]
    points = parts[0] if len(parts) == 1 else np.concatenate([np.empty((0, 2)), *parts])
    fits = np.abs(points) <= LARGEST
    if not fits.all():
        u, v = points[~fits.all(axis=1)][0]
        place = f": ({u:g}, {v:g})" if np.isfinite([u, v]).all() else ""
        raise NonFinite(f"a coordinate that is not finite, or larger than {LARGEST:g}{place}")


def _read(data: bytes, format: str, layers: Collection[str] | None) -> SectionReading:
    if format == "dxf":
        from massprops.readers.dxf import read_dxf

        return read_dxf(data, layers)
    if format == "svg":
        from massprops.readers.svg import read_svg

        return read_svg(data)
    if format in ("csv", "dat"):
        from massprops.readers.point_loops import read_points
        from massprops.readers.wkt_tables import wkt_of_table

        geometries = wkt_of_table(data)
        if geometries is not None:
            return _read(geometries, "wkt", layers)
        return read_points(data, format)
    if format in ("geojson", "wkt"):
        from massprops.readers.geometry_text import read_geojson, read_wkt

        return read_geojson(data) if format == "geojson" else read_wkt(data)
    raise Unsupported(f"{format[:40]!r} is no format of sections; there are {', '.join(sorted(SECTION_FORMATS))}")
