"""AMF: the objects of an additive manufacturing file, as its constellations place them; plain or in a zip archive.

trimesh does not read AMF.

Source: ISO/ASTM 52915:2020. An instance turns its object about the axes x, y and z, in this order, and then shifts it.
What no constellation places is taken where it stands. Triangles with curved edges or normals are taken as flat.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from io import BytesIO

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.core.units import Unit
from massprops.errors import Empty, Unreadable
from massprops.number_of import number_of
from massprops.readers.decimals import one_integer, one_number
from massprops.readers.packages import content, names, opened
from massprops.readers.reading import Reading
from massprops.readers.safe_xml import Attributes, local, read_xml
from massprops.readers.scene import IDENTITY, Floats, Part, Placement, assemble, indexed

UNITS = {
    "millimeter": Unit("mm", Fraction(1, 1000)),
    "inch": Unit("in", Fraction(254, 10000)),
    "feet": Unit("ft", Fraction(3048, 10000)),
    "meter": Unit("m", Fraction(1)),
    "micron": Unit("um", Fraction(1, 10**6)),
}
OWNERS = ("coordinates", "triangle", "instance")
"""Elements whose children hold the numbers that are read."""


@dataclass
class Document:
    """An AMF document; filled while it is read.

    Parameters
    ----------
    unit : Unit
    points, corners : dict
        Coordinates and vertex indices of each object, all in a row.
    instances : dict
        What each constellation places: ids, and [A | t].
    passed_over : set of str
        What was met that is not read: ``support``, ``curved``.
    """

    unit: Unit = UNITS["millimeter"]
    points: dict[str, array[float]] = field(default_factory=dict)
    corners: dict[str, array[int]] = field(default_factory=dict)
    instances: dict[str, list[Placement]] = field(default_factory=dict)
    passed_over: set[str] = field(default_factory=set)


def read_amf(data: bytes) -> Reading:
    """The facets of an AMF file, in its unit.

    Raises
    ------
    Empty
        No facets.
    Unreadable
        It is damaged, refers to something that is not there, or contains itself.
    """
    if data[:2] == b"PK":
        data = _unpacked(data)
    if not data.strip():
        raise Empty("the file is empty")
    document = _document(data)
    parts = _parts(document)
    placed = {name for instances in document.instances.values() for name, _ in instances}
    roots: list[Placement] = [(name, IDENTITY) for name in parts if name not in placed]
    left_out = set(parts) - _reached(parts, roots)
    if left_out:
        raise Unreadable(f"its scene has a cycle: {min(map(str, left_out))} is placed only by what it places itself")
    triangles = assemble(parts, roots)
    if len(triangles) == 0:
        raise Empty(f"no facets: {number_of(len(document.points), 'object')} and no triangle")
    return Reading(TriangleArray(triangles), "amf", _notices(document.passed_over), document.unit)


def _unpacked(data: bytes) -> bytes:
    archive = opened(data)
    found = names(archive, ".amf", ".xml")
    unpacked = content(archive, found[0]) if len(found) == 1 else None
    if unpacked is None:
        raise Unreadable(f"not an AMF archive: it holds {len(found)} documents, where one is expected")
    return unpacked


def _document(data: bytes) -> Document:
    document = Document()
    path: list[str] = []
    words: list[str] = []
    values: dict[str, str] = {}
    owner = target = ""
    base = 0
    is_support = False

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal owner, target, base, is_support
        name = local(tag)
        words.clear()
        if not path:
            document.unit = _unit(name, attributes)
        elif name in ("object", "constellation"):
            owner = attributes["id"]
            if owner in document.points or owner in document.instances:
                raise ValueError(f"two objects have the id {owner}")
            if name == "object":
                document.points[owner], document.corners[owner] = array("d"), array("q")
            else:
                document.instances[owner] = []
        elif name == "mesh":
            base = len(document.points[owner]) // 3
        elif name == "volume":
            is_support = attributes.get("type") == "support"
            document.passed_over |= {"support"} if is_support else set()
        elif name == "instance":
            target = attributes["objectid"]
        elif name in ("normal", "edge"):
            document.passed_over.add("curved")
        if name in OWNERS:
            values.clear()
        path.append(name)

    def end(tag: str) -> None:
        name = path.pop()
        if path and path[-1] in OWNERS:
            values[name] = "".join(words)
        elif name == "coordinates":
            document.points[owner].extend(one_number(values[axis]) for axis in "xyz")
        elif name == "triangle" and not is_support:
            document.corners[owner].extend(one_integer(values[corner]) + base for corner in ("v1", "v2", "v3"))
        elif name == "instance":
            document.instances[owner].append((target, _matrix(values)))

    read_xml(BytesIO(data), "the AMF document", start, end, words.append)
    return document


def _unit(name: str, attributes: Attributes) -> Unit:
    if name.lower() != "amf":
        raise ValueError(f"not an AMF document: its root element is {name[:40]!r}")
    unit = attributes.get("unit", "millimeter").lower()
    if unit not in UNITS:
        raise ValueError(f"the unit {unit[:20]!r} is unknown; it must be one of {', '.join(UNITS)}")
    return UNITS[unit] if "unit" in attributes else replace(UNITS[unit], said_by="format")


def _matrix(values: dict[str, str]) -> Floats:
    """[R | t] of an instance: R = Rz Ry Rx, angles in degrees."""
    shift = [one_number(values.get(name, "0")) for name in ("deltax", "deltay", "deltaz")]
    turn = np.eye(3)
    with np.errstate(all="ignore"):
        for axis, name in enumerate(("rx", "ry", "rz")):
            angle = np.radians(one_number(values.get(name, "0")))
            one = np.eye(3)
            j, k = (axis + 1) % 3, (axis + 2) % 3
            one[[j, k, j, k], [j, k, k, j]] = np.cos(angle), np.cos(angle), -np.sin(angle), np.sin(angle)
            turn = one @ turn
    return np.column_stack([turn, shift])


def _parts(document: Document) -> dict[Hashable, Part]:
    parts: dict[Hashable, Part] = {}
    for name, points in document.points.items():
        corners = document.corners[name]
        mesh = indexed(
            np.array(points, np.float64).reshape(-1, 3), np.array(corners, np.int64).reshape(-1, 3), f"object {name}"
        )
        parts[name] = Part([mesh])
    return parts | {name: Part((), instances) for name, instances in document.instances.items()}


def _reached(parts: dict[Hashable, Part], roots: list[Placement]) -> set[Hashable]:
    """Names of the parts that some are made of, these included."""
    reached: set[Hashable] = set()
    ahead = [name for name, _ in roots]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += [child for child, _ in parts[name].children] if name in parts else []
    return reached


def _notices(passed_over: set[str]) -> tuple[Notice, ...]:
    found = []
    if "support" in passed_over:
        found.append(Notice("skipped", "volumes of the type support were not counted", {"types": ["support"]}))
    if "curved" in passed_over:
        found.append(Notice("curved", "triangles with curved edges are measured as flat ones"))
    return tuple(found)
