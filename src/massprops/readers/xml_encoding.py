"""In which encoding an XML document is read, where what it declares is not what expat can use.

Only ASCII is ever asked of the text: what else there is stands in names, which need only be told apart.
"""

from __future__ import annotations

import codecs
import re
from xml.parsers import expat

_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']""")
_WIDE = re.compile(r"utf-?(?:16|32)(?:-?[lb]e)?|ucs-?[24]|unicode", re.IGNORECASE)
_MULTI_BYTE = frozenset((
    "gb2312", "gbk", "gb18030", "big5", "big5hkscs", "cp950", "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949",
))  # fmt: skip
"""Encodings as Python spells them, in whose characters of several bytes none is a sign of XML, such as < or quotes."""


def encoding_of(head: bytes) -> str | None:
    """The encoding that a parser has to be told; None where it finds out itself.

    Documents that declare UTF-16 in plain bytes, as .NET writes them, are UTF-8. Those of Chinese, Japanese and Korean
    encodings are read as if they were ISO-8859-1, byte by byte.

    Parameters
    ----------
    head : bytes
        The beginning of the document.

    >>> encoding_of(b"<?xml version='1.0' encoding='utf-16'?><a/>"), encoding_of(b"<?xml encoding='GB2312'?><a/>")
    ('utf-8', 'iso-8859-1')
    >>> encoding_of(b"<a/>"), encoding_of("<?xml version='1.0' encoding='utf-16'?>".encode("utf-16"))
    (None, None)
    """
    found = _DECLARED.match(head.removeprefix(codecs.BOM_UTF8))
    if found is None:
        return None
    name = found[1].decode("ascii", "replace")
    if _WIDE.fullmatch(name):
        return "utf-8"
    try:
        is_multi_byte = codecs.lookup(name).name in _MULTI_BYTE
    except LookupError:
        return None
    return "iso-8859-1" if is_multi_byte else None


def told(error: expat.ExpatError, place: int, piece: bytes) -> str:
    """What to say of a document that is not well-formed.

    Parameters
    ----------
    error : ExpatError
    place : int
        Of the error in the piece of the document that was read last.
    piece : bytes
    """
    if 0 <= place < len(piece) and piece[place] > 127:
        byte = f"byte {piece[place]:#x} in line {error.lineno}"
        return f"{byte} does not belong to the encoding declared; save it as UTF-8, or declare its own"
    return str(error)
