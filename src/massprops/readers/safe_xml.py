"""XML, read by expat: no document types, so no entities, and no other file is ever opened."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import IO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from zipfile import BadZipFile

from massprops.errors import Unreadable
from massprops.readers.end_marks import without_end_marks
from massprops.readers.xml_encoding import encoding_of, told

Attributes = dict[str, str]

PIECE = 1 << 18
"""Bytes that are read at a time."""

DEEPEST = 10_000
"""Elements within elements that a tree may have: each level takes a hundred times the bytes that open it."""


def read_xml(
    stream: IO[bytes],
    what: str,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] | None = None,
    text: Callable[[str], object] | None = None,
    namespace: Callable[[str, str], None] | None = None,
) -> None:
    """Run through an XML document.

    Parameters
    ----------
    stream : file
        Read from its place on; memory does not grow with the document.
    what : str
        What it is, for messages.
    start : callable
        Called with each element's name, ``namespace|local`` or just ``local``, and its attributes.
    end : callable, optional
        Called with the name of each element that ends.
    text : callable, optional
        Called with the text between tags.
    namespace : callable, optional
        Called with each prefix that is declared and what it stands for, before the element that declares it.

    Raises
    ------
    Unreadable
        It is not well-formed, or declares a document type; or `start` or `end` raised KeyError (an attribute is
        missing) or ValueError (one makes no sense).
    """
    try:
        pieces = _pieces(stream)
        piece = next(pieces, b"")
        parser, done = expat.ParserCreate(encoding_of(piece), "|"), 0
        parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, _refuse
        if end:
            parser.EndElementHandler = end
        if text:
            parser.buffer_text = True
            parser.CharacterDataHandler = text
        if namespace:
            parser.StartNamespaceDeclHandler = lambda prefix, uri: namespace(prefix or "", uri or "")
        while piece:
            parser.Parse(piece)
            done += len(piece)
            piece = next(pieces, b"")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Unreadable(f"{what} is not well-formed XML: {told(error, parser.ErrorByteIndex - done, piece)}") from None
    except _Doctype:
        raise Unreadable(f"{what} declares a document type, which is not read; remove its DOCTYPE") from None
    except KeyError as error:
        raise Unreadable(f"{what}, line {parser.CurrentLineNumber}: an element without {error}") from None
    except LookupError as error:
        raise Unreadable(f"{what}: {error}") from None
    except OverflowError:
        raise Unreadable(f"{what}, line {parser.CurrentLineNumber}: a number is too large") from None
    except ValueError as error:
        raise Unreadable(f"{what}, line {parser.CurrentLineNumber}: {error}") from None
    except (BadZipFile, zlib.error, EOFError) as error:
        raise Unreadable(f"{what} is damaged: {error}") from None


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a document without the marks that old systems put behind it."""
    piece = stream.read(PIECE)
    is_wide = 0 in piece[:4]  # zeros belong to the characters of UTF-16
    held: list[bytes] = []
    while piece:
        bare = piece if is_wide else without_end_marks(piece)
        if bare.strip():
            yield b"".join([*held, bare])
            held, piece = [], piece[len(bare) :]
        held.append(piece)
        piece = stream.read(PIECE)


def xml_tree(data: bytes, what: str) -> Element:
    """A whole XML document, its elements and attributes without their namespaces.

    Raises
    ------
    Unreadable
        As `read_xml` does.

    >>> xml_tree(b"<a xmlns='urn:x'><b c='1'>text</b></a>", "example").findtext("b")
    'text'
    """
    builder = TreeBuilder()
    depth = 0

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ValueError(f"elements are nested more than {DEEPEST} deep")
        builder.start(local(tag), {local(key): attributes[key] for key in attributes})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(local(tag))

    read_xml(BytesIO(data), what, start, end, builder.data)
    return builder.close()


class _Doctype(Exception):
    """The document declares a document type."""


def _refuse(*_: object) -> None:
    raise _Doctype


def local(name: str) -> str:
    """The part of an element's or attribute's name after its namespace.

    >>> local("http://example.org/ns|item"), local("item")
    ('item', 'item')
    """
    return name.rpartition("|")[2]
