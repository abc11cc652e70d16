"""One model part of a 3MF package: its unit, its objects, and what it builds of them.

Source: 3MF Consortium, 3D Manufacturing Format: Core Specification 1.3 and Production Extension 1.1.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import IO

import numpy as np

from massprops.core.units import Unit
from massprops.errors import Unsupported
from massprops.number_of import number_of
from massprops.readers.decimals import one_number
from massprops.readers.safe_xml import Attributes, local, read_xml
from massprops.readers.scene import IDENTITY, Floats

UNITS = {
    "micron": Unit("um", Fraction(1, 10**6)),
    "millimeter": Unit("mm", Fraction(1, 1000)),
    "centimeter": Unit("cm", Fraction(1, 100)),
    "inch": Unit("in", Fraction(254, 10000)),
    "foot": Unit("ft", Fraction(3048, 10000)),
    "meter": Unit("m", Fraction(1)),
}
KINDS = ("model", "solidsupport", "support", "surface", "other")
READ = ("/production/", "/material/", "/slice/", "/trianglesets/")
"""What the names of extensions contain that may be required: those read here, and those that leave the shape alone."""

RESOURCES = (
    *("object", "basematerials", "colorgroup", "texture2d", "texture2dgroup", "compositematerials", "multiproperties"),
    *("slicestack", "displacement2d", "normvectorgroup", "disp2dgroup"),
)


@dataclass(frozen=True)
class Reference:
    """An object that is placed: its number, the part that holds it ("" for the same one), and [A | t]."""

    number: str
    path: str
    matrix: Floats


@dataclass
class Object:
    """An object: a mesh of its own, or others that it places; filled while its element is read.

    Parameters
    ----------
    kind : str
        One of `KINDS`; only a ``model`` is a body.
    """

    kind: str
    points: array[float] = field(default_factory=lambda: array("d"))
    corners: array[int] = field(default_factory=lambda: array("q"))
    components: list[Reference] = field(default_factory=list)
    foreign: str = ""


@dataclass
class Model:
    """A model part; filled while it is read.

    Parameters
    ----------
    unprinted : int
        How many items slicers have marked as not to be printed.
    """

    unit: Unit | None = None
    objects: dict[str, Object] = field(default_factory=dict)
    items: list[Reference] = field(default_factory=list)
    unprinted: int = 0


def read_model(stream: IO[bytes], what: str) -> Model:
    """Read a model part.

    Parameters
    ----------
    stream : file
    what : str
        What it is, for messages.

    Raises
    ------
    Unreadable
        It is damaged, has two resources with one id, or an unknown unit.
    Unsupported
        It requires an extension that changes the shape.
    """
    model = Model()
    prefixes: dict[str, str] = {}
    ids: set[str] = set()
    core: str | None = None  # what the names of this format begin with; empty where the namespace was left out
    vertex = triangle = ""
    current = Object("model")

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal core, vertex, triangle, current
        if tag == vertex:
            x, y, z = attributes["x"], attributes["y"], attributes["z"]
            if "_" in x + y + z:  # Python's own mark between digits
                raise ValueError(f"{x!r}, {y!r}, {z!r} are no coordinates")
            try:
                current.points.extend((float(x), float(y), float(z)))
            except ValueError:
                current.points.extend(map(one_number, (x, y, z)))  # says what is wrong
        elif tag == triangle:
            a, b, c = attributes["v1"], attributes["v2"], attributes["v3"]
            if "_" in a + b + c:
                raise ValueError(f"{a!r}, {b!r}, {c!r} are no vertices")
            current.corners.extend((int(a), int(b), int(c)))
        elif core is None:
            if local(tag) != "model":
                raise ValueError(f"the root element is {local(tag)!r}, not 'model'")
            core = tag[: -len("model")]
            vertex, triangle = core + "vertex", core + "triangle"
            model.unit = _unit(attributes)
            _check_extensions(attributes, prefixes)
        else:
            other(local(tag), tag == core + local(tag), attributes)

    def other(name: str, is_core: bool, attributes: Attributes) -> None:
        nonlocal current
        if name in RESOURCES and "id" in attributes:
            if attributes["id"] in ids:
                raise ValueError(f"two resources have the id {attributes['id']}")
            ids.add(attributes["id"])
        if is_core and name == "object":
            current = model.objects[attributes["id"]] = Object(_kind(attributes))
        elif is_core and name == "component":
            current.components.append(_reference(attributes))
        elif is_core and name == "item":
            model.items.append(_reference(attributes))
            model.unprinted += attributes.get("printable", "1").strip().lower() in ("0", "false")
        elif not is_core and name in ("beamlattice", "booleanshape", "displacementmesh", "levelset"):
            current.foreign = name

    read_xml(stream, what, start, namespace=prefixes.__setitem__)
    return model


def _unit(attributes: Attributes) -> Unit:
    name = attributes.get("unit", "millimeter")
    if name not in UNITS:
        raise ValueError(f"the unit {name!r} is unknown; it must be one of {', '.join(UNITS)}")
    return UNITS[name] if "unit" in attributes else replace(UNITS[name], said_by="format")


def _check_extensions(attributes: Attributes, prefixes: dict[str, str]) -> None:
    for prefix in attributes.get("requiredextensions", "").split():
        name = prefixes.get(prefix, prefix)
        if not any(known in name for known in READ):
            raise Unsupported(f"3MF: it requires the extension {name[:80]}; export it without")


def _kind(attributes: Attributes) -> str:
    kind = attributes.get("type") or "model"
    if kind not in KINDS:
        raise ValueError(f"an object has the unknown type {kind!r}")
    return kind


def _reference(attributes: Attributes) -> Reference:
    path = next((value for name, value in attributes.items() if local(name) == "path"), "")
    return Reference(attributes["objectid"], path, _matrix(attributes.get("transform")))


def _matrix(transform: str | None) -> Floats:
    """[A | t] of twelve numbers that multiply a row vector from the right, row by row."""
    if transform is None:
        return IDENTITY
    values = [one_number(word) for word in transform.split()]
    if len(values) != 12:
        raise ValueError(f"a transform of {number_of(len(values), 'number')}, not 12")
    return np.array(values).reshape(4, 3).T
