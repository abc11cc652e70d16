"""XML: events and trees, and documents that must not be followed."""

from __future__ import annotations

import io

import pytest

from massprops.errors import Unreadable
from massprops.readers import safe_xml
from massprops.readers.safe_xml import Attributes, local, read_xml, xml_tree


def events(data: bytes) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    read_xml(
        io.BytesIO(data),
        "test",
        lambda tag, attributes: found.append(("start", tag, *attributes.items())),  # type: ignore[arg-type]
        lambda tag: found.append(("end", tag)),
        lambda text: found.append(("text", text)),
        lambda prefix, uri: found.append(("namespace", prefix, uri)),
    )
    return found


def test_events() -> None:
    data = b'<?xml version="1.0"?><a xmlns="urn:x" xmlns:p="urn:y" p:k="1"><p:b>t&amp;u</p:b></a>'
    assert events(data) == [
        ("namespace", "", "urn:x"),
        ("namespace", "p", "urn:y"),
        ("start", "urn:x|a", ("urn:y|k", "1")),
        ("start", "urn:y|b"),
        ("text", "t&u"),
        ("end", "urn:y|b"),
        ("end", "urn:x|a"),
    ]


def test_documents_larger_than_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_xml, "PIECE", 7)
    assert events(b"<a>" + b"<b/>" * 100 + b"</a>").count(("end", "b")) == 100


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings(encoding: str) -> None:
    name = encoding.removesuffix("-sig")
    root = xml_tree(f'<?xml version="1.0" encoding="{name}"?><a>\xe4</a>'.encode(encoding), "test")
    assert root.text == "\xe4"


@pytest.mark.parametrize("encoding", ["gb2312", "GBK", "gb18030", "Big5", "Shift_JIS", "EUC-JP", "euc-kr"])
def test_encodings_of_several_bytes_keep_names_apart(encoding: str) -> None:
    one, other = ("\u4e00", "\u4e8c") if encoding != "euc-kr" else ("\uac00", "\uac01")
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<a id="{one}" is="{other}" as="{one}">{other}</a>'
    root = xml_tree(text.encode(encoding), "test")
    assert root.get("id") == root.get("as") != root.get("is") == root.text


@pytest.mark.parametrize("name", ["utf-16", "UTF-16LE", "unicode", "utf-32"])
def test_plain_bytes_that_are_declared_wide_are_utf_8(name: str) -> None:
    assert xml_tree(f"<?xml version='1.0' encoding='{name}'?><a>\u4e00</a>".encode(), "test").text == "\u4e00"


@pytest.mark.parametrize("piece", [14, 1000])
def test_bytes_of_another_encoding_are_told_with_their_line(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(safe_xml, "PIECE", piece)
    with pytest.raises(Unreadable, match="byte 0xe4 in line 2 does not belong to the encoding declared"):
        xml_tree(b"<a>\n<b id='\xe4 '/></a>", "test")
    with pytest.raises(Unreadable, match="mismatched tag: line 2"):
        xml_tree("<a>\n<b>\u00e4</a>".encode(), "test")


def test_a_tree_has_no_namespaces() -> None:
    root = xml_tree(b'<p:a xmlns:p="urn:x" p:k="1"><p:b/></p:a>', "test")
    assert (root.tag, root.get("k"), [child.tag for child in root]) == ("a", "1", ["b"])
    assert local("urn:x|a") == local("a") == "a"


@pytest.mark.parametrize(
    "declaration",
    [
        b'<!DOCTYPE a [<!ENTITY b "c">]>',
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd">',
        b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1:9/b.dtd"> %b;]>',
        b"<!DOCTYPE a>",
    ],
)
def test_document_types_are_refused(declaration: bytes) -> None:
    with pytest.raises(Unreadable, match="test declares a document type"):
        xml_tree(declaration + b"<a>&b;</a>", "test")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "test is not well-formed XML: no element found"),
        (b"text", "not well-formed XML: syntax error: line 1, column 0"),
        (b"<a><b></a>", "mismatched tag: line 1"),
        (b"<a>\n&b;</a>", "undefined entity: line 2"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', "unknown encoding"),
        (b'<?xml version="1.0" encoding="utf-7"?><a/>', "test"),
        (b"<a>\xff</a>", "byte 0xff in line 1 does not belong to the encoding declared"),
    ],
)
def test_what_is_damaged(data: bytes, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        events(data)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("x"), "test, line 3: an element without 'x'"),
        (ValueError("no unit"), "test, line 3: no unit"),
        (OverflowError("too large"), "test, line 3: a number is too large"),
    ],
)
def test_what_a_handler_finds_is_told_with_its_line(error: Exception, told: str) -> None:
    def start(tag: str, attributes: Attributes) -> None:
        if tag == "b":
            raise error

    with pytest.raises(Unreadable, match=told):
        read_xml(io.BytesIO(b"<a>\n\n<b/></a>"), "test", start)


def test_deep_documents_need_no_deep_stack() -> None:
    assert len(events(b"<a>" * 50_000 + b"</a>" * 50_000)) == 100_000
    root = xml_tree(b"<a>" * 5_000 + b"</a>" * 5_000, "test")
    assert sum(1 for _ in root.iter()) == 5_000
