"""AMF: volumes, constellations, units, archives; damage."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, Unreadable
from massprops.readers.amf import read_amf
from tests import mesh_files as files
from tests.oracle import Triangles, moved, rays, reverse, star, tetrahedron

BODY = star(1, np.linspace(0.7, 1.9, rays(1)))
OBJECT = f'<object id="1">{files.mesh_amf(BODY)}</object>'


def triangles(data: bytes) -> Triangles:
    reading = read_amf(data)
    assert reading.format == "amf"
    return reading.surface.triangles  # type: ignore[attr-defined]


def first_corner(word: str) -> str:
    """The object, with another word for the first corner of its first triangle."""
    return re.sub(r"<v1>\d<", f"<v1>{word}<", OBJECT, count=1)


def instance(number: int | str, **numbers: float) -> str:
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in numbers.items())
    return f'<instance objectid="{number}">{inner}</instance>'


def test_colours_and_metadata_are_passed_over() -> None:
    colour = "<color><r>1</r><g>0</g><b>0</b></color><metadata type='x'>y</metadata>"
    data = files.amf_of(OBJECT.replace("<vertex>", "<vertex>" + colour).replace("<triangle>", "<triangle>" + colour))
    assert np.array_equal(triangles(data), BODY)


def test_volumes_share_the_vertices_of_their_object_and_supports_do_not_count() -> None:
    again = files.mesh_amf(reverse(tetrahedron()), '</volume><volume type="support">')
    more = again[again.index("<volume") : again.index("</mesh>")]
    data = files.amf_of(OBJECT.replace("</mesh>", f"<volume>{more.partition('>')[2]}{more}</mesh>"))
    reading = read_amf(data)
    assert reading.surface.facets == len(BODY) + 4
    assert [notice.code for notice in reading.notices] == ["skipped"]


def test_meshes_of_one_object_each_have_their_vertices() -> None:
    data = files.amf_of(f'<object id="1">{files.mesh_amf(BODY)}{files.mesh_amf(BODY + 5)}</object>')
    assert np.array_equal(triangles(data), np.concatenate([BODY, BODY + 5]))


def test_all_objects_count_where_nothing_is_placed() -> None:
    data = files.amf_of(OBJECT + OBJECT.replace('"1"', '"2"'))
    assert np.array_equal(triangles(data), np.concatenate([BODY, BODY]))


def test_an_instance_turns_about_x_then_y_then_z_and_then_shifts() -> None:
    place = instance(1, deltax=10, deltay=-20, deltaz=5, rx=30, ry=40, rz=50)
    found = triangles(files.amf_of(OBJECT + f'<constellation id="2">{place}</constellation>'))
    a, b, c = np.radians([30, 40, 50])
    x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    assert np.allclose(found, BODY @ (z @ y @ x).T + (10, -20, 5), rtol=1e-14, atol=1e-13)
    assert measure(read_amf(files.amf_of(OBJECT + f'<constellation id="2">{place}</constellation>')).surface)


def test_constellations_of_constellations() -> None:
    inner = f'<constellation id="2">{instance(1, deltax=1)}{instance(1, deltax=4)}</constellation>'
    outer = f'<constellation id="3">{instance(2, deltay=10)}{instance(1)}</constellation>'
    found = triangles(files.amf_of(outer + OBJECT + inner))
    shifts = [(1, 10, 0), (4, 10, 0), (0, 0, 0)]
    assert np.array_equal(found, np.concatenate([moved(BODY, shift=shift) for shift in shifts]))


def test_an_object_beside_the_constellation_stays_where_it_is() -> None:
    other = f'<object id="7">{files.mesh_amf(tetrahedron())}</object>'
    data = files.amf_of(OBJECT + f'<constellation id="2">{instance(1, deltax=3)}</constellation>' + other)
    assert len(triangles(data)) == len(BODY) + 4


@pytest.mark.parametrize(
    ("unit", "symbol", "metres"),
    [
        ("millimeter", "mm", Fraction(1, 1000)),
        ("inch", "in", Fraction(254, 10**4)),
        ("feet", "ft", Fraction(3048, 10**4)),
        ("Meter", "m", Fraction(1)),
        ("micron", "um", Fraction(1, 10**6)),
        ("", "mm", Fraction(1, 1000)),
    ],
)
def test_units(unit: str, symbol: str, metres: Fraction) -> None:
    reading = read_amf(files.amf_of(OBJECT, f'unit="{unit}"' if unit else ""))
    assert reading.unit is not None
    assert (reading.unit.name, reading.unit.metres) == (symbol, metres)


def test_an_archive() -> None:
    assert np.array_equal(triangles(files.archive({"part.amf": files.amf(BODY)})), BODY)
    for inside in ({}, {"a.amf": b"", "b.amf": b""}):
        with pytest.raises(Unreadable, match=f"it holds {len(inside)} documents"):
            triangles(files.archive(inside))


def test_curved_triangles_are_told() -> None:
    edge = "<edge><v1>0</v1><dx1>1</dx1></edge>"
    reading = read_amf(files.amf_of(OBJECT.replace("</vertices>", edge + "</vertices>")))
    assert [notice.code for notice in reading.notices] == ["curved"]
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (OBJECT * 2, "two objects have the id 1"),
        (OBJECT + '<constellation id="1"/>', "two objects have the id 1"),
        (OBJECT.replace(' id="1"', ""), "an element without 'id'"),
        (OBJECT.replace("<x>", "<q>").replace("</x>", "</q>"), "an element without 'x'"),
        (first_corner(""), "is no integer"),
        (first_corner("0_0"), "'0_0' is no integer"),
        (OBJECT.replace("<z>", "<z>1_"), "'1_.*' is no number"),
        (first_corner("6"), "object 1: face . refers to vertex 6"),
        (OBJECT.replace("<z>", "<z>one"), "is no number"),
        (f'<constellation id="2">{instance(1)}</constellation>', "refers to 1, which is not in the file"),
        (OBJECT + f'<constellation id="2">{instance(2)}</constellation>', "cycle"),
        (
            OBJECT
            + f'<constellation id="2">{instance(3)}</constellation><constellation id="3">{instance(2)}</constellation>',
            "cycle",
        ),
        (f'{OBJECT}<constellation id="2">{instance(1, rx=1)}'.replace("<rx>1", "<rx>east"), "is no number"),
        ("<object", "not well-formed XML"),
    ],
)
def test_what_is_damaged(content: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        triangles(files.amf_of(content))


def test_what_is_no_amf() -> None:
    with pytest.raises(Unreadable, match="its root element is 'html'"):
        triangles(b"<html/>")
    with pytest.raises(Unreadable, match="the unit 'parsec' is unknown"):
        triangles(files.amf_of(OBJECT, 'unit="parsec"'))
    with pytest.raises(Unreadable, match="document type"):
        triangles(b'<!DOCTYPE amf [<!ENTITY a "b">]>' + files.amf(BODY).partition(b"?>")[2])


def test_nothing() -> None:
    with pytest.raises(Empty, match="0 objects and no triangle"):
        triangles(files.amf_of(""))
    with pytest.raises(Empty, match="1 object and no triangle"):
        triangles(files.amf_of('<object id="1"/>'))
