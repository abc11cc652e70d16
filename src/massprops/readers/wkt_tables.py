"""Tables with a column of well-known text, as QGIS and data bases export them to CSV.

All their polygons are one section, as those of a GeoJSON document are.
"""

from __future__ import annotations

import re

from massprops.readers.decimals import text_of

_KINDS = r"(?:MULTI)?(?:POLYGON|POINT|LINESTRING|CURVE|SURFACE)|CURVEPOLYGON|GEOMETRYCOLLECTION|TRIANGLE"
_FIELD = re.compile(rf'(?:^|[,;\t])[ "]*+(?=(?:SRID=\d+; *)?(?:{_KINDS}) *(?:ZM?|M)? *\()', re.I | re.M)
_PARENTHESIS = re.compile(r"[()]")


def wkt_of_table(data: bytes) -> bytes | None:
    """The well-known text of a table, each geometry on the line where it stands; None where there is none.

    >>> wkt_of_table(b'id,WKT\\n1,"POLYGON ((0 0, 4 0, 0 3, 0 0))"\\n').split(b"\\n")[1].strip()
    b'POLYGON ((0 0, 4 0, 0 3, 0 0))'
    """
    if b"(" not in data:
        return None
    text = text_of(data)
    parts, position = [], 0
    for match in _FIELD.finditer(text):
        if match.end() < position:
            continue
        end = _end(text, match.end())
        parts += [_blank(text[position : match.end()]), text[match.end() : end]]
        position = end
    return "".join([*parts, _blank(text[position:])]).encode("latin-1", "replace") if parts else None


def _end(text: str, start: int) -> int:
    """Place after the parenthesis that closes the first one; the end of the text where none does."""
    depth = 0
    for mark in _PARENTHESIS.finditer(text, start):
        depth += 1 if mark[0] == "(" else -1
        if depth <= 0:
            return mark.end()
    return len(text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]+", " ", text)
