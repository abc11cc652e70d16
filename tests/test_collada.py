"""COLLADA: primitives of every kind, transforms, instances, units; damage."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.collada import read_dae, read_zae
from tests import mesh_files as files
from tests.oracle import Triangles, exact, floats, indexed, moved, rays, rotation, star, tetrahedron

BODY = star(1, np.linspace(0.7, 1.9, rays(1)))
POINTS, FACES = indexed(BODY)
GEOMETRY = files.geometry_dae(POINTS, files.triangles_dae(FACES))
PLACED = '<instance_geometry url="#part"/>'
VERTEX = '<input semantic="VERTEX" source="#vertices" offset="0"/>'
NORMAL = '<input semantic="NORMAL" source="#normals" offset="1"/>'


def triangles(data: bytes) -> Triangles:
    reading = read_dae(data)
    assert reading.format == "dae"
    return reading.surface.triangles  # type: ignore[attr-defined]


def node(inner: str, name: str = "n") -> str:
    return f'<node id="{name}">{inner}</node>'


# Primitives


def test_polygons_strips_and_fans() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 2, 1]])
    primitives = (
        f'<polylist count="2">{VERTEX}{NORMAL}<vcount>3 4</vcount><p>0 9 1 9 2 9 0 9 1 9 2 9 3 9</p></polylist>'
        f'<polygons count="2">{VERTEX}<p>0 1 2 3</p><p>2 4 3</p></polygons>'
        f'<tristrips count="2">{VERTEX}<p>0 1 3 2 4</p><p>0 1 2</p></tristrips>'
        f'<trifans count="1">{VERTEX}<p>0 1 2 3</p></trifans>'
        f'<lines count="1">{VERTEX}<p>0 1</p></lines><triangles count="0"/>'
    )
    faces = [[0, 1, 2], [0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3], [2, 4, 3]]
    faces += [[0, 1, 3], [3, 1, 2], [3, 2, 4], [0, 1, 2], [0, 1, 2], [0, 2, 3]]
    assert np.array_equal(triangles(files.dae_of(files.geometry_dae(points, primitives))), points[faces])


def test_sources_with_more_numbers_than_positions() -> None:
    rows = np.column_stack([np.full(len(POINTS), 9.0), POINTS, np.full(len(POINTS), np.nan)])
    params = '<param/><param name="X"/><param name="Y"/><param name="Z"/><param name="W"/>'
    source = files.source_dae(POINTS)
    other = (
        f'<source id="positions"><float_array id="a" count="{rows.size + 2}">7 7 {files.words(rows)}</float_array>'
        f'<technique_common><accessor source="#a" count="{len(rows)}" offset="2" stride="5">{params}</accessor>'
        "</technique_common></source>"
    )
    assert np.array_equal(triangles(files.dae_of(GEOMETRY.replace(source, other))), BODY)
    bare = source[: source.index("<technique")] + "</source>"
    assert np.array_equal(triangles(files.dae_of(GEOMETRY.replace(source, bare))), BODY)


@pytest.mark.parametrize("names", ["x y z", "A B C", "X Y Z"])
def test_columns_without_a_name_are_skipped(names: str) -> None:
    """The first one here, as the schema has it; names may be any."""
    rows = np.column_stack([np.linspace(5, 9, len(POINTS)), POINTS])
    old = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    new = '<param type="float"/>' + "".join(f'<param name="{name}" type="float"/>' for name in names.split())
    changed = GEOMETRY.replace(old, new).replace('stride="3"', 'stride="4"').replace(
        f'count="{3 * len(POINTS)}">{files.words(POINTS)}', f'count="{4 * len(POINTS)}">{files.words(rows)}'
    )
    assert np.array_equal(triangles(files.dae_of(changed)), BODY)


def test_positions_in_the_array_of_another_source() -> None:
    twice = f'<float_array id="others" count="{3 * len(POINTS)}">{files.words(2 * POINTS)}</float_array>'
    changed = GEOMETRY.replace('source="#positions-array"', 'source="#others"')
    assert np.array_equal(triangles(files.dae_of(changed)), BODY)  # an array that is not there: the source's own
    changed = changed.replace("</mesh>", f'<source id="normals">{twice}</source></mesh>')
    assert np.array_equal(triangles(files.dae_of(changed)), 2 * BODY)


def test_coordinates_keep_double_precision() -> None:
    body = moved(BODY, floats(rotation(1, 2, 3, 4)), (1e3, -1e4, 77.7))
    assert np.array_equal(triangles(files.dae(body)), body)


def test_several_primitives_are_one_surface() -> None:
    parts = files.triangles_dae(FACES[:3]) + files.triangles_dae(FACES[3:])
    reading = read_dae(files.dae_of(files.geometry_dae(POINTS, parts)))
    assert measure(reading.surface).notices == ()


# Scenes


def test_transforms_apply_from_the_inside_out() -> None:
    w, x, y, z = 2, 1, -2, 3
    degrees = float(np.degrees(2 * np.arctan2(np.sqrt(14), w)))
    inner = (
        f"<translate>1 -2 3</translate><rotate>{x} {y} {z} {degrees!r}</rotate><scale>2 3 0.5</scale>"
        f"<extra/>{PLACED}"
    )
    outer = f"<matrix>0 -1 0 10  1 0 0 20  0 0 1 30  0 0 0 1</matrix>{node(inner, 'inner')}"
    found = triangles(files.dae_of(GEOMETRY, node(outer)))
    matrix = floats(rotation(w, x, y, z)) * (2, 3, 0.5)
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    wanted = (BODY @ matrix.T + (1, -2, 3)) @ turn.T + (10, 20, 30)
    assert np.allclose(found, wanted, rtol=1e-14, atol=1e-13)


@pytest.mark.parametrize("last", ["0 0 0 2", "1 2 3 1", "0 0 0 0", "0 0 1e-3 1"])
def test_maps_that_are_not_affine_are_refused(last: str) -> None:
    nodes = node(f"<matrix>1 0 0 0 0 1 0 0 0 0 1 0 {last}</matrix>{PLACED}")
    told = f"matrix is no affine map, as its last row is {last.replace('1e-3', '0.001')}"
    with pytest.raises(Unsupported, match=told):
        triangles(files.dae_of(GEOMETRY, nodes))
    rounded = node(f"<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 -1e-9 0 0.9999999</matrix>{PLACED}")
    assert np.array_equal(triangles(files.dae_of(GEOMETRY, rounded)), BODY)


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e-3, 1e150, 1e308])
def test_an_axis_may_have_any_length(size: float) -> None:
    nodes = node(f"<rotate>{size!r} 0 0 90</rotate>{PLACED}")
    found = triangles(files.dae_of(GEOMETRY, nodes))
    assert np.allclose(found, BODY @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), rtol=1e-14, atol=1e-14)


def test_the_up_axis_is_not_applied() -> None:
    for axis in ("X_UP", "Z_UP"):
        assert np.array_equal(triangles(files.dae(BODY).replace(b"Y_UP", axis.encode())), BODY)


def test_nodes_placed_from_the_library_and_twice() -> None:
    library = f"<library_nodes>{node(PLACED, 'kept')}</library_nodes>"
    nodes = node('<translate>5 0 0</translate><instance_node url="#kept"/>') + node('<instance_node url="#kept"/>')
    found = triangles(files.dae_of(GEOMETRY, nodes, more=library))
    assert np.array_equal(found, np.concatenate([moved(BODY, shift=(5, 0, 0)), BODY]))


def test_a_mirrored_node_stays_a_body() -> None:
    reading = read_dae(files.dae_of(GEOMETRY, node(f"<scale>1 -1 1</scale>{PLACED}")))
    assert measure(reading.surface).integrals.moments.volume == pytest.approx(float(exact(BODY).volume))


def test_a_skinned_mesh_is_taken_as_it_is_bound_and_this_is_told() -> None:
    skin = (
        '<library_controllers><controller id="c"><skin source="#m"><bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1'
        '</bind_shape_matrix></skin></controller><controller id="m"><morph source="#part"/></controller>'
        "</library_controllers>"
    )
    nodes = node('<translate>0 0 1</translate><instance_controller url="#c"/>')
    reading = read_dae(files.dae_of(GEOMETRY, nodes, more=skin))
    assert np.array_equal(reading.surface.triangles, 2 * BODY + (0, 0, 1))  # type: ignore[attr-defined]
    assert [notice.code for notice in reading.notices] == ["pose"]
    with pytest.raises(Unreadable, match="moves itself"):
        read_dae(files.dae_of(GEOMETRY, nodes, more=skin.replace("#part", "#c")))
    with pytest.raises(Unreadable, match="moves nothing"):
        read_dae(files.dae_of(GEOMETRY, nodes, more=skin.replace("morph", "nonsense")))


def test_geometry_that_is_not_shown_does_not_count() -> None:
    other = files.geometry_dae(*indexed(tetrahedron())[:1], "<nonsense/>", "other")
    assert np.array_equal(triangles(files.dae_of(GEOMETRY + other)), BODY)


def test_without_a_scene_the_only_one_there_is_is_shown() -> None:
    data = files.dae(BODY)
    bare = data[: data.index(b"<scene>")] + b"</COLLADA>"
    assert np.array_equal(triangles(bare), BODY)
    with pytest.raises(Unreadable, match="does not say which scene"):
        triangles(bare.replace(b"</library_visual", b'<visual_scene id="t"/></library_visual'))
    with pytest.raises(Unreadable, match="one that is not there"):
        triangles(data.replace(b'url="#s"', b'url="#t"'))
    with pytest.raises(Empty, match="has no scene"):
        triangles(bare.replace(b"visual_scene", b"nothing"))


@pytest.mark.parametrize(
    ("unit", "name", "metres"),
    [
        ('<unit meter="0.025400" name="centimeter"/>', "in", Fraction(254, 10**4)),
        ('<unit meter="1e-3"/>', "mm", Fraction(1, 1000)),
        ('<unit meter=" 0.9144 " name="yard"/>', "0.9144 m", Fraction(9144, 10**4)),
        ("<unit/>", "m", Fraction(1)),
    ],
)
def test_units(unit: str, name: str, metres: Fraction) -> None:
    reading = read_dae(files.dae_of(GEOMETRY, unit=unit))
    assert reading.unit is not None
    assert (reading.unit.name, reading.unit.metres) == (name, metres)
    assert read_dae(files.dae_of(GEOMETRY)).unit is None


# Damage


@pytest.mark.parametrize("meter", ["0", "-1", "nan", "inf", "1e-999999999", "1e999999999", "inch", ""])
def test_units_that_are_none(meter: str) -> None:
    with pytest.raises(Unreadable, match="a unit of"):
        read_dae(files.dae_of(GEOMETRY, unit=f'<unit meter="{meter}"/>'))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('count="18"', 'count="17"', "17 numbers are announced, 18 there"),
        ('count="6" stride', 'count="7" stride', "7 positions of 3 numbers in an array of 18"),
        ('stride="3"', 'stride="2"', "6 positions of 2 numbers"),
        ('count="6" stride="3"', 'count="99999999999" stride="3"', "99999999999 positions"),
        ('count="6" stride', 'count="-6" stride', "a accessor with count '-6'"),
        ('<triangles count="8"', '<triangles count="9"', "9 triangles are announced, but there are 8"),
        ("<p>", "<p>1 ", "8 triangles are announced, but there are 8, of 24 corners, and 25 corners in the list"),
        ("<p>", "<p>1 2 3 ", "8 triangles are announced, but there are 9"),
        ("<p>", "<p>x ", "'x' where a whole number is expected"),
        ("<p>1", "<p>77", "face 1 refers to vertex 77"),
        ('source="#positions"', 'source="#nowhere"', "refers to positions 'nowhere'"),
        ('source="#vertices"', 'source="#nowhere"', "refers to positions 'nowhere'"),
        ('semantic="VERTEX"', 'semantic="NORMAL"', "has triangles without positions"),
        ('offset="0"', 'offset="1"', "8 triangles are announced, but there are 4"),
        ('offset="0"', 'offset="4"', "not a multiple of 5"),
        ('offset="0"', 'offset="-1"', "offset '-1'"),
        ("float_array", "int_array", "have no float_array"),
        ('url="#part"', 'url="#other"', "refers to geometry '#other', which is not there"),
        ('url="#part"', 'url="other.dae#part"', "in another file, which is not opened"),
        ("<node>", "<node><matrix>1 2 3</matrix>", "matrix of 3 numbers, not 16"),
        ("<node>", "<node><scale>1 x 3</scale>", "'x' where a number is expected"),
        ("<node>", '<node id="a"><instance_node url="#a"/>', r"cycle: node 1 \(a\) contains itself"),
        ("<node>", '<node><instance_node url="#b"/>', "refers to node '#b'"),
        ("</COLLADA>", "", "not well-formed XML"),
        ('<?xml version="1.0"?>', '<!DOCTYPE COLLADA SYSTEM "file:///etc/passwd">', "declares a document type"),
    ],
)
def test_what_is_damaged(old: str, new: str, told: str) -> None:
    data = files.dae_of(files.geometry_dae(POINTS, files.triangles_dae(np.roll(FACES, 1, axis=1)))).decode()
    if old == "<p>1":
        old = data[data.index("<p>") : data.index("<p>") + 4]
    assert old in data
    with pytest.raises(Unreadable, match=told):
        read_dae(data.replace(old, new).encode())


@pytest.mark.parametrize("lists", ["<vcount>3 4</vcount>", "<vcount>3 3 1</vcount>", "<vcount>-3 10</vcount>", ""])
def test_lists_of_polygons_that_do_not_agree(lists: str) -> None:
    polygons = f'<polylist count="2">{VERTEX}{lists}<p>0 1 2 0 2 3</p></polylist>'
    with pytest.raises(Unreadable, match="polylist are announced"):
        read_dae(files.dae_of(files.geometry_dae(POINTS, polygons)))


def test_shapes_that_are_not_read() -> None:
    for shape in ("<brep/>", '<convex_mesh convex_hull_of="#x"/>'):
        with pytest.raises(Unsupported, match="which is not read; export it as a mesh"):
            read_dae(files.dae_of(f'<geometry id="part">{shape}</geometry>'))
    hole = f'<polygons count="1">{VERTEX}<ph><p>0 1 2</p><h>3 4 5</h></ph></polygons>'
    with pytest.raises(Unsupported, match="polygons with holes"):
        read_dae(files.dae_of(files.geometry_dae(POINTS, hole)))
    for moved_by in ("skew", "lookat"):
        with pytest.raises(Unsupported, match=moved_by):
            read_dae(files.dae_of(GEOMETRY, node(f"<{moved_by}>1 2 3</{moved_by}>{PLACED}")))
    camera = node("<lookat>0 0 0 0 0 1 0 1 0</lookat>", "camera")
    assert np.array_equal(triangles(files.dae_of(GEOMETRY, camera + node(PLACED))), BODY)


def test_nothing() -> None:
    for data in (files.dae_of('<geometry id="part"><spline/></geometry>'), files.dae_of(GEOMETRY, node(""))):
        with pytest.raises(Empty, match="has none"):
            read_dae(data)
    with pytest.raises(Unreadable, match="its root element is 'svg'"):
        read_dae(b"<svg/>")


def test_archives() -> None:
    reading = read_zae(files.archive({"part.DAE": files.dae(BODY), "picture.png": b""}))
    assert reading.format == "zae"
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    manifest = "<dae_root>b.dae#x</dae_root>"
    both = {"a.dae": b"", "b.dae": files.dae(BODY)}
    assert read_zae(files.archive(both | {"manifest.xml": manifest})).surface.facets == len(BODY)
    encoded = {"my part.dae": files.dae(BODY), "manifest.xml": "<dae_root>./my%20part.dae</dae_root>"}
    assert read_zae(files.archive(encoded)).surface.facets == len(BODY)
    for damaged in (both, {}, {"manifest.xml": "<dae_root>c.dae</dae_root>"}):
        with pytest.raises(Unreadable, match="not one document to begin with"):
            read_zae(files.archive(damaged))
