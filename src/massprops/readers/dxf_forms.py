"""Patterns of group codes of plain DXF entities: where each of their values stands.

Source: Autodesk, DXF Reference, "Entities".
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

FLOATS = [*range(10, 60), *range(110, 150), *range(210, 240), *range(460, 470), *range(1010, 1060)]
WHOLES = [*range(60, 80), *range(90, 100), *range(160, 180), *range(270, 300), *range(370, 390), *range(400, 460)]
WHOLES += [*range(1060, 1072)]
"""Codes of what is a number."""

_ANY = frozenset((5, 6, 8, 39, 48, 60, 62, 67, 284, 347, 348, 370, 380, 390, 420, 430, 440))
"""Codes that any entity may have: layer, colour, and the like."""

_ZERO = 60, 67
"""Codes, of what is invisible or on paper, that must be 0 if they are there."""

_EXTENDED = frozenset((1000, 1001, 1002, 1003, 1005, 1040, 1070, 1071))
_LINKED = frozenset((330, 360))

_POINTS = {
    "LINE": (10, 11, 210),
    "CIRCLE": (10, 210),
    "ARC": (10, 210),
    "ELLIPSE": (10, 11, 210),
    "POLYLINE": (10, 210),
    "VERTEX": (10,),
    "SEQEND": (),
    "LWPOLYLINE": (210,),
    "SPLINE": (12, 13, 210),
}
_SINGLE = {
    "LINE": (),
    "CIRCLE": (40,),
    "ARC": (40, 50, 51),
    "ELLIPSE": (40, 41, 42),
    "POLYLINE": (40, 41, 66, 70, 71, 72, 73, 74, 75),
    "VERTEX": (40, 41, 42, 50, 70, 91),
    "SEQEND": (),
    "LWPOLYLINE": (38, 43, 70, 90),
    "SPLINE": (42, 43, 44, 70, 71, 72, 73, 74),
}
_NEEDED = {
    "LINE": (8, 10, 11),
    "CIRCLE": (8, 10, 40),
    "ARC": (8, 10, 40, 50, 51),
    "ELLIPSE": (8, 10, 11, 40, 41, 42),
    "POLYLINE": (8,),
    "VERTEX": (10,),
    "SEQEND": (),
    "LWPOLYLINE": (8,),
    "SPLINE": (8,),
}
_REPEATED = {"LWPOLYLINE": (10, 40, 41, 42, 91), "SPLINE": (10, 11, 40, 41)}
_OF_VERTICES = (40, 41, 42, 91)


class Form(NamedTuple):
    """Where the values of an entity stand, as offsets from its first tag."""

    at: dict[int, int]
    """By code, of what stands once; of a point's third coordinate by the code of the first plus 20."""
    rows: dict[int, Ints]
    """By code, of what may stand any number of times: of points the first coordinate."""
    vertex: dict[int, Ints]
    """Beside ``rows`` of widths and bulges: the number of the vertex that each belongs to."""
    groups: list[tuple[int, int]]
    """Beginnings and ends of groups of other programs."""
    zeros: list[int]
    """Of values that must be 0."""


def form_of(kind: str, codes: tuple[int, ...]) -> Form | None:
    """Where the values of an entity stand; None where its codes are not plain.

    Parameters
    ----------
    kind : str
        ``LINE``, ``CIRCLE``, ``ARC``, ``ELLIPSE``, ``LWPOLYLINE``, ``SPLINE``, ``POLYLINE``, ``VERTEX``, ``SEQEND``.
    codes : tuple of int
        Codes of its tags but the first.

    Examples
    --------
    >>> form_of("CIRCLE", (5, 8, 10, 20, 40)).at
    {5: 1, 8: 2, 10: 3, 40: 5}
    >>> form_of("CIRCLE", (5, 8, 20, 10, 40)) is None
    True
    """
    form, classes, k = Form({}, {}, {}, [], []), 0, 0
    rows: dict[int, list[int]] = defaultdict(list)
    vertex: dict[int, list[int]] = defaultdict(list)
    repeated = _REPEATED.get(kind, ())
    while k < len(codes):
        code = codes[k]
        if code >= 1000:
            if code != 1001 or not _EXTENDED.issuperset(codes[k:]):
                return None
            break
        if code == 102:
            end = _group_end(codes, k)
            if classes or end is None:
                return None
            form.groups.append((k + 1, end + 1))
            k = end + 1
        elif code == 100:
            classes, k = classes + 1, k + 1
        elif code in repeated and classes == 2:
            step = _coordinates(codes, k) if code in (10, 11) else 1
            if step == 0 or (code in (10, 11) and step != (2 if kind == "LWPOLYLINE" else 3)):
                return None
            rows[code].append(k + 1)
            if kind == "LWPOLYLINE" and code in _OF_VERTICES:
                if not rows[10]:
                    return None
                vertex[code].append(len(rows[10]) - 1)
            k += step
        elif code in form.at or (code == 330 and classes) or (repeated and not _is_in_place(code, classes)):
            return None
        elif code in _POINTS[kind]:
            step = _coordinates(codes, k)
            if step == 0:
                return None
            form.at[code] = k + 1
            if step == 3:
                form.at[code + 20] = k + 3
            k += step
        elif code in _ANY or code in _SINGLE[kind] or code == 330:
            form.at[code] = k + 1
            k += 1
        else:
            return None
    if any(code not in form.at for code in _NEEDED[kind]) or (repeated and classes != 2):
        return None
    form.rows.update({code: np.array(rows[code], np.intp) for code in repeated})
    form.vertex.update({code: np.array(vertex[code], np.intp) for code in _OF_VERTICES})
    form.zeros.extend(form.at[code] for code in _ZERO if code in form.at)
    return form


def _group_end(codes: tuple[int, ...], k: int) -> int | None:
    """Where a group of another program that begins at k ends, if there is nothing in it but links."""
    end = next((m for m in range(k + 1, len(codes)) if codes[m] not in _LINKED), len(codes))
    return end if end < len(codes) and codes[end] == 102 else None


def _coordinates(codes: tuple[int, ...], k: int) -> int:
    """How many coordinates a point that begins at k has: 2 or 3; 0 where it is none."""
    if codes[k + 1 : k + 2] != (codes[k] + 10,):
        return 0
    return 3 if codes[k + 2 : k + 3] == (codes[k] + 20,) else 2


def _is_in_place(code: int, classes: int) -> bool:
    """Whether a code stands in the subclass that it belongs to, of entities that ezdxf reads by subclasses."""
    return classes == (0 if code in (5, 330) else 1 if code in _ANY and code != 39 else 2)
