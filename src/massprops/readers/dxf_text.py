r"""Texts of DXF drawings, put into the form that ezdxf expects: marks, versions and subclasses as they should be.

ezdxf looks for what an entity says in its subclasses, which versions since AC1012 have, or else takes the entity as a
whole; it goes by the version that the header declares. Texts without a header, or with an old version, that have such
subclasses, or entities that came with them, would be read in part only, and without a word.

Source: Autodesk, DXF Reference, "Group Codes", "Subclass Markers", "HEADER Section".
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from massprops.core.notice import Notice
from massprops.errors import NonFinite, Unreadable

VERSION_OF_SUBCLASSES = "AC1012"
"""The first version that has them; ezdxf reads polylines and splines otherwise in older ones."""

_YOUNG_VERSION = "AC1015"
_CLASSES = {
    "LWPOLYLINE": "AcDbPolyline",
    "SPLINE": "AcDbSpline",
    "ELLIPSE": "AcDbEllipse",
    "HATCH": "AcDbHatch",
    "MPOLYGON": "AcDbMPolygon",
}
"""Entities that came with the subclasses, and the one in which each has its geometry."""

_COMMON = frozenset((0, 5, 6, 8, 48, 60, 62, 67, 92, 102, 310, 330, 347, 348, 360, 370, 380, 390, 410, 420, 430, 440))
"""Codes of what any entity may have, which precede its geometry."""

_HEADS = frozenset((5, 330))
_GEOMETRY = frozenset((*range(10, 48), *range(49, 60), *range(70, 80), *range(90, 100), *range(140, 150)))
_SINGLE = "HEADER", "TABLES", "BLOCKS", "ENTITIES"
_DRAWN = "ENTITIES", "BLOCKS"

_ODD = re.compile(
    r"[ \t](?:\n|\Z)|\n[ \t]+[A-Za-z$]"
    r"|\n(?:[Ss]ection|[Ee]nd[Ss]ec|[Ee]of|[Ee]ntities|[Bb]locks|[Hh]eader|[Tt]ables)(?:\n|\Z)"
)
"""What there is at least where there is anything to tidy: most texts are left as they are."""

_SECTION = re.compile(r"^[ \t]*0[ \t]*\nSECTION\n[ \t]*2[ \t]*\n(.*)$", re.MULTILINE)
_END = re.compile(r"^[ \t]*0[ \t]*\nEOF$", re.MULTILINE)
_MARK = re.compile(r"^([ \t]*0[ \t]*\n)[ \t]*(SECTION|ENDSEC|EOF)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_NAME = re.compile(r"^([ \t]*0[ \t]*\nSECTION\n[ \t]*2[ \t]*\n)[ \t]*(\w+)[ \t]*$", re.MULTILINE)
_PADDED = re.compile(r"^([ \t]*0[ \t]*\n)(?=[ \t]|\w+[ \t])[ \t]*(\d?[A-Z_]\w*)[ \t]*$", re.MULTILINE)
_VARIABLE = re.compile(r"^([ \t]*9[ \t]*\n)[ \t]*(\$\w+)[ \t]*$", re.MULTILINE)
_VERSION = re.compile(r"^([ \t]*9[ \t]*\n\$ACADVER\n[ \t]*1[ \t]*\n)[ \t]*(\w*)[ \t]*$", re.MULTILINE)
_YOUNG = re.compile(rf"^(?:[ \t]*100[ \t]*\nAcDb|[ \t]*0[ \t]*\n(?:{'|'.join(_CLASSES)})$)", re.MULTILINE)
_SUBCLASS = re.compile(r"^[ \t]*100[ \t]*\nAcDb.*\n", re.MULTILINE)
_OBJECTS = re.compile(r"\s*0\s*SECTION\s*2\s*OBJECTS\n")
_LOST = re.compile(rf"^[ \t]*0[ \t]*\n(?:{'|'.join(_CLASSES)}|SPATIAL_FILTER)$", re.MULTILINE)
"""What would be read in part, or not at all, without its subclasses."""
_ESCAPED = re.compile(r"\\U\+([0-9A-Fa-f]{4})")


def tidied(data: bytes) -> str:
    """A text, each byte a character, without byte order mark and blanks around its marks, lines ended by one character.

    Parameters
    ----------
    data : bytes
        The file.

    Examples
    --------
    >>> tidied(b"  0\\rSECTION \\r2\\rentities\\r0\\rENDSEC\\r0\\reof\\r")
    '  0\\nSECTION\\n2\\nENTITIES\\n0\\nENDSEC\\n0\\nEOF\\n'
    """
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    if not _ODD.search(text):
        return text
    text = _MARK.sub(lambda found: found[1] + found[2].upper(), text)
    text = _NAME.sub(lambda found: found[1] + found[2].upper(), text)
    return _VARIABLE.sub(r"\1\2", _PADDED.sub(r"\1\2", text))


def check_sections(text: str, size: int) -> list[Notice]:
    """Refuse what is no DXF, is cut off, or has sections twice; tell what lacks only its end mark.

    Parameters
    ----------
    text : str
        Tidied.
    size : int
        Bytes of the file.

    Raises
    ------
    Unreadable
    """
    names = Counter(found[1].strip() for found in _SECTION.finditer(text))
    if not re.search(r"^[ \t]*0[ \t]*\nSECTION$", text, re.MULTILINE):
        raise Unreadable("no DXF file: there is no section in it")
    for name, count in names.items():
        if count > 1 and name in _SINGLE:
            raise Unreadable(f"{count} sections {name}, as of several drawings in one file; take them apart")
    if _END.search(text):
        return []
    if re.search(r"ENDSEC\s*\Z", text):
        return [Notice("no_eof", "the file lacks its end mark, EOF")]
    raise Unreadable(f"the file is cut off: it ends at byte {size} within a section, without EOF")


def forms(text: str) -> tuple[str, ...]:
    """The forms in which a text may be read, the likeliest first.

    Some programs write old drawings, with the tables and blocks of such, that have subclasses here and there. They are
    whole without them, as long as nothing that needs them is drawn; ezdxf needs those of objects that are not drawn.

    Parameters
    ----------
    text : str
        Tidied.
    """
    likely = with_subclasses(text)
    if likely == text or _LOST.search(text):
        return (likely,)
    starts = [found.start() for found in _SECTION.finditer(text)]
    parts = (text[low:high] for low, high in pairwise((0, *starts, len(text))))
    return likely, "".join(part if _OBJECTS.match(part) else _SUBCLASS.sub("", part) for part in parts)


def with_subclasses(text: str) -> str:
    """A text with a version that has subclasses, if it has any, or entities that came with them; and with these.

    Parameters
    ----------
    text : str
        Tidied.
    """
    version = _VERSION.search(text)
    is_young = version is not None and version[2] >= VERSION_OF_SUBCLASSES
    if _UNMARKED in text or not (is_young or _YOUNG.search(text)):
        return text
    if version is None:
        given = f"9\n$ACADVER\n1\n{_YOUNG_VERSION}\n"
        head = re.search(r"^[ \t]*0[ \t]*\nSECTION\n[ \t]*2[ \t]*\nHEADER\n", text, re.MULTILINE)
        at = 0 if head is None else head.end()
        given = given if head else f"0\nSECTION\n2\nHEADER\n{given}0\nENDSEC\n"
        text = text[:at] + given + text[at:]
    elif not is_young:
        text = text[: version.start()] + version[1] + _YOUNG_VERSION + text[version.end() :]
    for kind, subclass in _CLASSES.items():
        if text.count(f"\n{kind}\n") > text.count(f"\n{subclass}\n"):
            text = re.sub(rf"^[ \t]*0[ \t]*\n{kind}\n", rf"\g<0>{_UNMARKED}\n", text, flags=re.MULTILINE)
    return _marked(text) if _UNMARKED in text else text


_UNMARKED = "\x02"
"""Where an entity begins that may lack its subclasses."""


def _marked(text: str) -> str:
    """The same where entities are given the subclasses that they lack, and each value its place in them."""
    first, *parts = text.split(f"{_UNMARKED}\n")
    found = [first]
    for before, part in pairwise((first, *parts)):
        lines = part.split("\n")
        tags = list(zip(lines[::2], lines[1::2], strict=False))
        end = next((k for k, (code, _) in enumerate(tags) if code_of(code) == 0), len(tags))
        codes = [code_of(code) for code, _ in tags[:end]]
        if 100 in codes:
            found.append(part)
            continue
        kind = before.rsplit("\n", 2)[-2]
        heads, common, own = (
            [tag for tag, code in zip(tags, codes, strict=False) if place(code)]
            for place in (_HEADS.__contains__, (_COMMON - _HEADS).__contains__, lambda code: code not in _COMMON)
        )
        ordered = [*heads, ("100", "AcDbEntity"), *common, ("100", _CLASSES[kind]), *own]
        found.append("\n".join([*(line for tag in ordered for line in tag), *lines[2 * end :]]))
    return "".join(found)


def code_of(line: str) -> int:
    """The group code in a line; -1 where there is none."""
    try:
        return int(line)
    except ValueError:
        return -1


def unescaped(text: str) -> str:
    r"""A text with the characters that it writes as ``\U+`` and four digits.

    Examples
    --------
    >>> unescaped(r"M\U+00C4R")
    'MÄR'
    """
    return _ESCAPED.sub(_character, text) if "\\U+" in text else text


def _character(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return found[0] if number < 0xA0 or 0xD800 <= number < 0xE000 else chr(number)


def check_numbers(text: str) -> None:
    """Refuse a coordinate, an angle or the like of an entity that is no number, or not finite.

    Parameters
    ----------
    text : str
        Tidied.

    Raises
    ------
    Unreadable
        Of the first that is none, with its line.
    NonFinite
    """
    lines, inside = text.split("\n"), False
    codes = list(map(code_of, lines[::2]))
    for k, value in enumerate(lines[1::2]):
        if codes[k] == 0 and value in ("SECTION", "ENDSEC"):
            inside = value == "SECTION" and lines[2 * k + 3 : 2 * k + 4] in [[name] for name in _DRAWN]
        elif inside and (codes[k] in _GEOMETRY or 210 <= codes[k] < 240):
            where = f"line {2 * k + 2}: {value.strip()[:40]!r}"  # of the values, every second line
            try:
                number = float(value)
            except ValueError:
                message = f"{where} is no number, as group code {codes[k]} needs; correct it in the file"
                raise Unreadable(message) from None
            if number - number != 0:
                raise NonFinite(f"{where} is not finite; correct it in the file")
