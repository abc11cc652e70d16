"""3MF: components, parts of a package, types, units, and packages that are damaged."""

from __future__ import annotations

import io
import re
import zipfile
from fractions import Fraction

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.threemf import read_3mf
from tests import mesh_files as files
from tests.oracle import Triangles, moved, rays, star, tetrahedron

BODY = star(1, np.linspace(0.7, 1.9, rays(1)))
MESH = files.mesh_3mf(BODY)
OBJECT = f'<object id="1" type="model">{MESH}</object>'
ITEM = '<item objectid="1"/>'


def triangles(data: bytes) -> Triangles:
    reading = read_3mf(data)
    assert reading.format == "3mf"
    return reading.surface.triangles  # type: ignore[attr-defined]


def model(resources: str = OBJECT, items: str = ITEM, **attributes: str) -> bytes:
    words = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return files.package(files.model_3mf(resources, items, words))


def component(number: int, transform: str = files.ONE, path: str = "") -> str:
    where = f' p:path="{path}"' if path else ""
    return f'<component objectid="{number}" transform="{transform}"{where}/>'


def first_corner(word: str) -> str:
    """The object, with another word for the first corner of its first triangle."""
    return re.sub(r'v1="\d"', f'v1="{word}"', OBJECT, count=1)


# What is built


def test_a_transform_multiplies_row_vectors() -> None:
    matrix = np.array([[0.5, 0.25, 0], [0, 2, -1], [1, 0, 1], [10, 20, 30]])
    found = triangles(files.threemf(BODY, [files.words(matrix)]))
    assert np.allclose(found, BODY @ matrix[:3] + matrix[3], rtol=1e-15, atol=1e-14)


def test_every_item_is_one_more_body() -> None:
    found = triangles(files.threemf(BODY, [files.ONE, "0 1 0 -1 0 0 0 0 1 0 20 0", "1 0 0 0 1 0 0 0 1 5 0 0"]))
    turned = moved(BODY, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], (0, 20, 0))
    assert np.array_equal(found, np.concatenate([BODY, turned, moved(BODY, shift=(5, 0, 0))]))


def test_a_transform_that_mirrors() -> None:
    reading = read_3mf(files.threemf(BODY, ["-1 0 0 0 1 0 0 0 1 0 0 0"]))
    assert measure(reading.surface).integrals.moments.volume > 0


def test_components_within_components() -> None:
    resources = (
        OBJECT
        + f'<object id="2"><components>{component(1)}{component(1, "1 0 0 0 1 0 0 0 1 4 0 0")}</components></object>'
        + f'<object id="3"><components>{component(2, "2 0 0 0 2 0 0 0 2 0 0 0")}</components></object>'
    )
    found = triangles(model(resources, '<item objectid="3" transform="1 0 0 0 1 0 0 0 1 0 0 7"/>'))
    assert np.array_equal(found, np.concatenate([2 * BODY + (0, 0, 7), 2 * BODY + (8, 0, 7)]))


def test_objects_that_are_not_built_do_not_count() -> None:
    resources = OBJECT + f'<object id="2">{files.mesh_3mf(tetrahedron())}</object>'
    assert np.array_equal(triangles(model(resources)), BODY)


@pytest.mark.parametrize("kind", ["support", "solidsupport", "surface", "other"])
def test_only_models_are_bodies(kind: str) -> None:
    resources = (
        OBJECT
        + f'<object id="2" type="{kind}">{files.mesh_3mf(tetrahedron())}</object>'
        + f'<object id="3"><components>{component(1)}{component(2)}</components></object>'
    )
    reading = read_3mf(model(resources, '<item objectid="3"/>'))
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("skipped", {"types": [kind]})
    with pytest.raises(Empty, match=f"only objects of the type {kind}"):
        triangles(model(resources, '<item objectid="2"/>'))


def test_items_that_are_not_to_be_printed_count_and_are_told() -> None:
    items = '<item objectid="1" printable="1"/><item objectid="1" printable="0" transform="1 0 0 0 1 0 0 0 1 9 0 0"/>'
    reading = read_3mf(model(OBJECT, items))
    assert np.array_equal(reading.surface.triangles, np.concatenate([BODY, moved(BODY, shift=(9, 0, 0))]))  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("ignored", {"items": 1})


def test_objects_of_other_parts_have_numbers_of_their_own() -> None:
    """Two parts each have an object 1; only the named ones are built, and builds of other parts do not count."""
    root = files.model_3mf(
        f'<object id="1">{files.mesh_3mf(tetrahedron())}</object>'
        f'<object id="2"><components>{component(1, path="/3D/Parts/a.model")}</components></object>',
        '<item objectid="2"/><item objectid="1" p:path="/3D/Parts/B.model" transform="1 0 0 0 1 0 0 0 1 9 0 0"/>',
        'requiredextensions="p"',
    )
    other = files.model_3mf(OBJECT, ITEM * 5)
    data = files.package(root, **{"3D/Parts/a.model": other, "3D/parts/b.model": other})
    assert np.array_equal(triangles(data), np.concatenate([BODY, moved(BODY, shift=(9, 0, 0))]))


def test_a_model_of_any_name() -> None:
    assert np.array_equal(triangles(files.package(files.model_3mf(OBJECT, ITEM), "Geometry/my part.custom")), BODY)
    encoded = {"_rels/.rels": files.relationships("/a%20b.model"), "a b.model": files.model_3mf(OBJECT, ITEM)}
    assert np.array_equal(triangles(files.archive(encoded)), BODY)
    bare = files.archive({"3D/3dmodel.model": files.model_3mf(OBJECT, ITEM)})
    assert np.array_equal(triangles(bare), BODY)


def test_a_model_that_leaves_its_namespace_out() -> None:
    model = files.model_3mf(f'<metadata/><object id="1">{files.mesh_3mf(BODY)}</object>', '<item objectid="1"/>')
    bare = model.replace(f' xmlns="{files.CORE}"', "")
    assert bare != model
    assert np.array_equal(triangles(files.package(bare)), BODY)
    other = bare.replace("<mesh>", f'<b:beamlattice xmlns:b="{files.PRODUCTION}"/><mesh>')
    with pytest.raises(Unsupported, match="beamlattice"):
        triangles(files.package(other))


def test_vertices_of_other_extensions_are_no_vertices() -> None:
    slices = '<s:slicestack id="9" xmlns:s="urn:/slice/"><s:vertex x="1" y="2"/></s:slicestack>'
    assert np.array_equal(triangles(model(slices + OBJECT)), BODY)


@pytest.mark.parametrize(
    ("name", "symbol", "metres"),
    [
        ("micron", "um", Fraction(1, 10**6)),
        ("millimeter", "mm", Fraction(1, 1000)),
        ("centimeter", "cm", Fraction(1, 100)),
        ("inch", "in", Fraction(254, 10**4)),
        ("foot", "ft", Fraction(3048, 10**4)),
        ("meter", "m", Fraction(1)),
        ("", "mm", Fraction(1, 1000)),
    ],
)
def test_units(name: str, symbol: str, metres: Fraction) -> None:
    reading = read_3mf(model(unit=name) if name else model())
    assert reading.unit is not None
    assert (reading.unit.name, reading.unit.metres) == (symbol, metres)
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]


# What is refused


@pytest.mark.parametrize(
    ("resources", "items", "told"),
    [
        (OBJECT, '<item objectid="14"/>', "refers to object 14, which is not in it"),
        (OBJECT, "<item/>", r"3dmodel.model, line 1: an element without 'objectid'"),
        (OBJECT + OBJECT, ITEM, "two resources have the id 1"),
        ('<basematerials id="1"/>' + OBJECT, ITEM, "two resources have the id 1"),
        (f'<object id="1"><components>{component(1)}</components></object>', ITEM, "cycle: object 1 contains itself"),
        (f'<object id="1"><components>{component(2)}</components></object>', ITEM, "object 2, which is not in it"),
        (OBJECT.replace('"model"', '"robot"'), ITEM, "unknown type 'robot'"),
        (OBJECT, '<item objectid="1" transform="1 0 0"/>', "a transform of 3 numbers, not 12"),
        (OBJECT, '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 x"/>', "is no number"),
        (OBJECT, '<item objectid="1" p:path="/no.model"/>', "refers to /no.model, which is not in it"),
        (first_corner("99"), ITEM, r"object 1: face \d refers to vertex 99, but there are only 6"),
        (first_corner("-1"), ITEM, "refers to vertex -1"),
        (first_corner("0.5"), ITEM, "invalid literal for int"),
        (first_corner("0_0"), ITEM, "'0_0', '.*' are no vertices"),
        (OBJECT.replace('x="', 'x="1_', 1), ITEM, "'1_.*' are no coordinates"),
        (OBJECT, '<item objectid="1" transform="1_0 0 0 0 1 0 0 0 1 0 0 0"/>', "'1_0' is no number"),
        (first_corner("9" * 30), ITEM, "3dmodel.model, line 1"),
        (OBJECT.replace(" x=", " q=", 1), ITEM, "an element without 'x'"),
        (OBJECT.replace('z="', 'z="z', 1), ITEM, "is no number"),
        (OBJECT.replace(".", ",", 1), ITEM, "is no number; a decimal comma"),
        (OBJECT.replace("</mesh>", ""), ITEM, "not well-formed XML: mismatched tag"),
    ],
)
def test_damaged_models(resources: str, items: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        triangles(model(resources, items))


def test_an_unknown_unit() -> None:
    with pytest.raises(Unreadable, match="the unit 'furlong' is unknown; it must be one of micron, millimeter"):
        triangles(model(unit="furlong"))


def test_another_root_element() -> None:
    with pytest.raises(Unreadable, match="the root element is 'html', not 'model'"):
        triangles(files.package("<html/>"))


def test_a_part_in_another_unit() -> None:
    root = files.model_3mf("", '<item objectid="1" p:path="/b.model"/>', 'unit="inch"')
    with pytest.raises(Unsupported, match=r"b.model has another unit"):
        triangles(files.package(root, **{"b.model": files.model_3mf(OBJECT, ITEM)}))


@pytest.mark.parametrize("name", ["http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02", "urn:unknown"])
def test_extensions_that_are_required(name: str) -> None:
    attributes = f'requiredextensions="p x" xmlns:x="{name}"'
    with pytest.raises(Unsupported, match=f"it requires the extension {name}"):
        triangles(files.package(files.model_3mf(OBJECT, ITEM, attributes)))
    with pytest.raises(Unsupported, match="it requires the extension q"):
        triangles(files.package(files.model_3mf(OBJECT, ITEM, 'requiredextensions="q"')))


@pytest.mark.parametrize("name", ["beamlattice", "booleanshape", "displacementmesh", "levelset"])
def test_shapes_that_are_no_meshes(name: str) -> None:
    foreign = f'<x:{name} xmlns:x="urn:x"/>'
    resources = OBJECT.replace("</mesh>", foreign + "</mesh>") + f'<object id="2">{MESH}</object>'
    with pytest.raises(Unsupported, match=f"object 1 is given by a {name}"):
        triangles(model(resources))
    assert np.array_equal(triangles(model(resources, '<item objectid="2"/>')), BODY)


@pytest.mark.parametrize("items", ["", '<item objectid="2"/>'])
def test_nothing_is_built(items: str) -> None:
    with pytest.raises(Empty, match="the package builds no object"):
        triangles(model(OBJECT + '<object id="2"><mesh/></object>', items))


def test_packages_that_do_not_say_what_to_begin_with() -> None:
    no = files.archive({"_rels/.rels": "<Relationships/>", "3D/3dmodel.model": files.model_3mf(OBJECT, ITEM)})
    two = files.archive({"a.model": "", "b.model": ""})
    for data, count in ((no, 0), (two, 2), (files.archive({"a.txt": ""}), 0)):
        with pytest.raises(Unreadable, match=f"it names {count} models to begin with"):
            triangles(data)
    with pytest.raises(Unreadable, match=r"refers to /a.model, which is not in it"):
        triangles(files.archive({"_rels/.rels": files.relationships("/a.model")}))


def test_a_model_whose_checksum_is_wrong() -> None:
    data = bytearray(files.threemf(BODY))
    place = zipfile.ZipFile(io.BytesIO(bytes(data))).getinfo("3D/3dmodel.model").header_offset
    data[place + 60] ^= 1
    with pytest.raises(Unreadable, match=r"model is damaged|model is not well-formed"):
        triangles(bytes(data))


def test_documents_with_entities_are_refused_before_these_are_expanded() -> None:
    bomb = '<!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' + files.model_3mf(OBJECT, ITEM)[38:]
    with pytest.raises(Unreadable, match="declares a document type"):
        triangles(files.package(bomb))


def test_components_that_multiply_without_bound() -> None:
    few = OBJECT + "".join(
        f'<object id="{k}"><components>{component(k - 1) * 10}</components></object>' for k in range(2, 30)
    )
    with pytest.raises(Unsupported, match="more than are read"):
        triangles(model(few, '<item objectid="29"/>'))
