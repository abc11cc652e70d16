"""An SVG document as a tree of elements: unpacked, and read by expat without following it anywhere.

Source: XML 1.0; RFC 1952, GZIP file format.
"""

from __future__ import annotations

from io import BytesIO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from massprops.errors import Unreadable
from massprops.readers.end_marks import bare_document
from massprops.readers.xml_encoding import encoding_of, told

_SVG = "http://www.w3.org/2000/svg"
_LINK = "http://www.w3.org/1999/xlink|href"
_DEEPEST = 10_000
"""Elements within elements, drawn or not."""

_MOST_UNZIPPED = 1 << 23
_LARGEST_RATIO = 100
"""Bytes that a gzipped file may always expand to, and how many times its own size beyond that."""


def svg_tree(data: bytes) -> Element:
    """The elements of an SVG document, gzipped or not.

    Those of the namespace of SVG, or of the root, have plain names, as ``href`` of XLink has; names of other elements
    and attributes keep their namespace. Of document types only plain entities are read, and no other file.

    Raises
    ------
    Unreadable
        It is damaged, no well-formed XML, or expands beyond all bounds.

    >>> svg_tree(b"<s:svg xmlns:s='http://www.w3.org/2000/svg' width='3'/>").items()
    [('width', '3')]
    """
    if data[:2] == b"\x1f\x8b":
        data = _unzipped(data)
    data = bare_document(data)
    builder, parser = TreeBuilder(), expat.ParserCreate(encoding_of(data), "|")
    depth, known = 0, {_SVG}

    def plain(tag: str) -> str:
        space, _, name = tag.rpartition("|")
        return name if space in known else tag

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if depth == 0:
            known.add(tag.rpartition("|")[0])
        depth += 1
        if depth > _DEEPEST:
            raise ValueError(f"elements are nested more than {_DEEPEST} deep")
        linked = attributes.pop(_LINK, None)
        builder.start(plain(tag), attributes if linked is None else {"href": linked, **attributes})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(plain(tag))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _check_entity
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as error:
        raise Unreadable(f"not well-formed XML: {told(error, parser.ErrorByteIndex, data)}") from None
    except (LookupError, ValueError, AssertionError) as error:
        raise Unreadable(f"not well-formed XML: {error}") from None


def _unzipped(data: bytes) -> bytes:
    import gzip
    import zlib

    most = max(_MOST_UNZIPPED, _LARGEST_RATIO * len(data))
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as stream:
            content = stream.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"damaged gzip data: {error}") from None
    if len(content) > most:
        raise Unreadable(f"{len(data)} bytes of gzip data expand to more than {most}; they are not read")
    return content


def _check_entity(name: str, _parameter: bool, value: str | None, *_: object) -> None:
    if value is not None and ("&" in value or len(value) > 1000):
        raise Unreadable(f"the entity {name[:40]!r} stands for more than plain text, which is not read")
