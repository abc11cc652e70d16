"""Plain entities of a DXF text, taken out of it so that they can be read many at once.

A DXF file is a list of tags: a line with a group code, a line with a value. ezdxf makes an object of each tag and of
each entity, which for drawings of thousands of entities takes far longer than all that is done with them. So those
entities of the sections ENTITIES and BLOCKS whose group codes follow a plain pattern are taken out, and each run of
them leaves a mark in its place; ezdxf reads what is left: header, layers, blocks, and every entity that is anything
but plain. An entity is plain where there is no doubt how ezdxf would read it: each code stands where it belongs, once,
and each number is one. The first doubt about the text as a whole leaves all of it to ezdxf.

Source: Autodesk, DXF Reference, "Group Codes" and "Entities".
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats
from massprops.readers.dxf_forms import FLOATS, WHOLES, Form, form_of
from massprops.readers.dxf_text import VERSION_OF_SUBCLASSES, code_of

MARK = "\x01"
"""What the name of a layer begins with on which a mark lies: no drawing has such names."""

_YOUNGER = ("LWPOLYLINE", "SPLINE")
_PLAIN = frozenset(("LINE", "CIRCLE", "ARC", "ELLIPSE", "POLYLINE", *_YOUNGER))
_FLAT = ("0", "1", "128", "129")
"""Flags of polylines that are no meshes, lie in a plane and are not smoothed."""

_SECTIONS = ("ENTITIES", "BLOCKS")

Ints = NDArray[np.intp]


class Plain(NamedTuple):
    """A plain entity: its kind, its first tag, where its values are, and for POLYLINE the same of its vertices."""

    kind: str
    first: int
    form: Form
    vertices: tuple[tuple[int, Form], ...] = ()


class Tags(NamedTuple):
    """The tags of a text up to its end mark: codes, values as text, and values as numbers where they were looked at."""

    codes: Ints
    values: list[str]
    numbers: Floats


class Taken(NamedTuple):
    """What has been taken out of a text.

    Parameters
    ----------
    text : str
        What is left, with marks: points on layers that are called `MARK` and the number of a run.
    tags : Tags
        Of the whole text.
    runs : list of list of Plain
        Entities that follow one another and have the same owner.
    removed : int
        Entities fewer in what is left; vertices count as such.
    """

    text: str
    tags: Tags
    runs: list[list[Plain]]
    removed: int


def taken_out(text: str) -> Taken | None:
    """Take plain entities out of a DXF text; None where there are none, or where there is any doubt about the text.

    Parameters
    ----------
    text : str
        With line ends of one character.

    Examples
    --------
    >>> line = "0\\nLINE\\n8\\n0\\n10\\n1\\n20\\n2\\n11\\n3\\n21\\n4\\n"
    >>> found = taken_out("0\\nSECTION\\n2\\nENTITIES\\n" + line + "0\\nENDSEC\\n0\\nEOF\\n")
    >>> found.runs[0][0].kind, found.tags.numbers[[6 - 2, 7 - 2]].tolist(), "LINE" in found.text
    ('LINE', [1.0, 2.0], False)
    """
    if MARK in text:
        return None
    lines = text.split("\n")
    known = {line: code_of(line) for line in set(lines[::2])}
    codes = np.array([known[line] for line in lines[: len(lines) // 2 * 2 : 2]], np.intp)
    values = lines[1::2]
    starts: list[int] = np.flatnonzero(codes == 0).tolist()
    last = next((k for k, start in enumerate(starts) if values[start] == "EOF"), None)
    if last is None or (codes[: starts[last]] < 0).any():
        return None
    runs, spans, removed = _runs(codes.tolist(), values, starts[: last + 1], _has_subclasses(codes, values))
    numbers = _numbers(codes, values, spans)
    if not runs or numbers is None:
        return None
    left = _left(lines, values, runs, spans, starts[last] + 1)
    return Taken(left, Tags(codes, values, numbers), runs, removed - len(runs))


def _has_subclasses(codes: Ints, values: list[str]) -> bool:
    """Whether the header declares a version that has them; without a header it is an old one."""
    try:
        place = values.index("$ACADVER")
    except ValueError:
        return False
    return bool(codes[place] == 9 and codes[place + 1] == 1 and values[place + 1] >= VERSION_OF_SUBCLASSES)


def _runs(
    codes: list[int], values: list[str], starts: list[int], subclasses: bool
) -> tuple[list[list[Plain]], list[tuple[int, int]], int]:
    """Runs of plain entities, the tags from which to which each lasts, and how many entities there are in them."""
    runs: list[list[Plain]] = []
    spans: list[tuple[int, int]] = []
    removed, inside, owner, following = 0, False, None, 0
    forms: dict[Any, Form | None] = {}
    for k, (first, end) in enumerate(pairwise(starts)):
        if k < following:  # a vertex that has been taken
            continue
        kind = values[first].strip()
        if kind in ("SECTION", "ENDSEC"):
            inside = kind == "SECTION" and codes[first + 1] == 2 and values[first + 1] in _SECTIONS
            continue
        if not inside or kind not in _PLAIN or (kind in _YOUNGER and not subclasses):
            continue
        entity, following = _plain(codes, values, starts, k, kind, forms)
        if entity is None:
            continue
        end, removed = starts[following], removed + following - k
        own = values[first + entity.form.at[330]] if 330 in entity.form.at else None
        if spans and spans[-1][1] == first and own == owner:
            runs[-1].append(entity)
            spans[-1] = spans[-1][0], end
        else:
            runs.append([entity])
            spans.append((first, end))
        owner = own
    return runs, spans, removed


def _plain(
    codes: list[int], values: list[str], starts: list[int], k: int, kind: str, forms: dict[Any, Form | None]
) -> tuple[Plain | None, int]:
    """Entity k if it is plain, and the number of the one after it."""
    form = _form(codes, values, starts, k, kind, forms)
    if form is None or kind != "POLYLINE":
        return (None if form is None else Plain(kind, starts[k], form)), k + 1
    if 70 in form.at and values[starts[k] + form.at[70]].strip() not in _FLAT:
        return None, k + 1
    vertices: list[tuple[int, Form]] = []
    for m in range(k + 1, len(starts) - 1):
        part = values[starts[m]].strip()
        found = _form(codes, values, starts, m, part, forms) if part in ("VERTEX", "SEQEND") else None
        if found is None:
            break
        if part == "SEQEND":
            return Plain(kind, starts[k], form, tuple(vertices)), m + 1
        vertices.append((starts[m], found))
    return None, k + 1


def _form(
    codes: list[int], values: list[str], starts: list[int], k: int, kind: str, forms: dict[Any, Form | None]
) -> Form | None:
    """The pattern of an entity, if it is a plain one."""
    first = starts[k]
    key = kind, tuple(codes[first + 1 : starts[k + 1]])
    if key not in forms:
        forms[key] = form_of(*key)
    form = forms[key]
    if form is None:
        return None
    grouped = all(values[first + a].startswith("{") and values[first + z] == "}" for a, z in form.groups)
    zeros = all(values[first + at].strip() == "0" for at in form.zeros)
    handled = 5 not in form.at or _is_handle(values[first + form.at[5]])
    return form if grouped and zeros and handled else None


def _is_handle(value: str) -> bool:
    try:
        return value != "0" and int(value, 16) is not None
    except ValueError:
        return False


def _numbers(codes: Ints, values: list[str], spans: list[tuple[int, int]]) -> Floats | None:
    """Numbers of all tags within the spans that must have one; None where one is none, or not finite."""
    within = np.zeros(len(codes), bool)
    for first, end in spans:
        within[first:end] = True
    where = np.flatnonzero(within)
    found = np.zeros(len(codes))
    floats, wholes = where[np.isin(codes[where], FLOATS)], where[np.isin(codes[where], WHOLES)]
    try:
        found[floats] = [float(values[k]) for k in floats.tolist()]
        known = {value: int(float(value)) for value in {values[k] for k in wholes.tolist()}}
    except (ValueError, OverflowError):
        return None
    found[wholes] = [known[values[k]] for k in wholes.tolist()]
    return found if np.isfinite(found).all() else None


def _left(
    lines: list[str], values: list[str], runs: list[list[Plain]], spans: list[tuple[int, int]], end: int
) -> str:
    """The text without what is taken out, with a mark for each run."""
    parts, begin = [], 0
    for number, (run, (first, last)) in enumerate(zip(runs, spans, strict=True)):
        owner = ["330", values[run[0].first + run[0].form.at[330]]] if 330 in run[0].form.at else []
        parts += [lines[2 * begin : 2 * first], ["0", "POINT", *owner, "8", f"{MARK}{number}", "10", "0", "20", "0"]]
        begin = last
    return "\n".join([*chain(*parts), *lines[2 * begin : 2 * end], ""])
