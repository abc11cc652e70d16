"""DXF drawings: entities, blocks, layers, damage."""

import io
import math
import sys
from fractions import Fraction

import numpy as np
import pytest

from massprops.core.outline import build_section
from massprops.core.units import Unit
from massprops.errors import Empty, OpenSurface, Unreadable, Unsupported
from massprops.readers.dxf import read_dxf
from massprops.readers.dxf_entities import spline_pieces
from massprops.readers.dxf_sweeps import ellipse_sweep, full_sweep

ezdxf = pytest.importorskip("ezdxf")

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]


def drawing(draw, version="R2010", units=0):
    document = ezdxf.new(version, units=units)
    draw(document.modelspace(), document)
    return document


def data_of(document):
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue().encode("utf-8" if document.dxfversion >= "AC1021" else document.encoding)


def read(draw, version="R2010", units=0, **options):
    return read_dxf(data_of(drawing(draw, version, units)), **options)


def measure(draw, version="R2010", **options):
    return build_section(read(draw, version, **options).shapes).integrals


def area(draw, version="R2010", **options):
    return float(measure(draw, version, **options).moments.area)


def lines(space, corners, **attributes):
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        space.add_line(a, b, dxfattribs=attributes)


def half_moon(space, document):
    space.add_arc((0, 0), 2, 0, 180)
    space.add_line((-2, 0), (2, 0))


def spline_drop(space, document):
    space.add_open_spline([(0, 0), (1, 0), (2, 3), (3, 3)], degree=3)
    space.add_lwpolyline([(3, 3), (0, 3), (0, 0)])


def nurbs_circle(space, document):
    root = math.sqrt(0.5)
    corners = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)]
    knots = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
    space.add_rational_spline(corners, [1, root] * 4 + [1], degree=2, knots=knots)


def polyline_2d(space, document):
    space.add_polyline2d([(0, 0, 1), (2, 0, 1)], format="xyb", close=True)


CASES = {
    "lines": (lambda s, d: lines(s, SQUARE), 16),
    "circle": (lambda s, d: s.add_circle((3, 4), 2), 4 * math.pi),
    "arc and line": (half_moon, 2 * math.pi),
    "lwpolyline": (lambda s, d: s.add_lwpolyline(SQUARE, close=True), 16),
    "bulges": (lambda s, d: s.add_lwpolyline([(0, 0, 1), (2, 0, 1)], format="xyb", close=True), math.pi),
    "clockwise bulges": (lambda s, d: s.add_lwpolyline([(0, 0, -1), (2, 0, -1)], format="xyb", close=True), math.pi),
    "stadium": (
        lambda s, d: s.add_lwpolyline([(0, 0, 0), (4, 0, 1), (4, 2, 0), (0, 2, 1)], format="xyb", close=True),
        8 + math.pi,
    ),
    "polyline": (polyline_2d, math.pi),
    "polyline 3d": (lambda s, d: s.add_polyline3d([(x, y, 7) for x, y in SQUARE], close=True), 16),
    "ellipse": (lambda s, d: s.add_ellipse((1, 1), (3, 1), 0.5), 5 * math.pi),
    "spline": (spline_drop, 9 / 2),
    "nurbs": (nurbs_circle, math.pi),
    "solid": (lambda s, d: s.add_solid([(0, 0), (4, 0), (0, 4), (4, 4)]), 16),
}


@pytest.mark.parametrize(("draw", "expected"), CASES.values(), ids=CASES.keys())
def test_entities(draw, expected):
    assert area(draw) == pytest.approx(expected, rel=3e-15)


@pytest.mark.parametrize("version", ["R12", "R2000", "R2004", "R2007", "R2013", "R2018"])
def test_versions(version):
    assert area(lambda s, d: s.add_circle((3, 4), 2), version) == pytest.approx(4 * math.pi, rel=1e-15)
    assert area(polyline_2d, version) == pytest.approx(math.pi, rel=1e-15)


def test_circles_are_exact_far_away():
    second = measure(lambda s, d: s.add_circle((1e6, 1e6), 1)).moments.central_second.astype(float)
    np.testing.assert_allclose(np.diag(second), math.pi / 4, rtol=1e-14)


def test_half_ellipse():
    def draw(space, document):
        space.add_ellipse((0, 0), (2, 0), 0.5, 0, math.pi)
        space.add_line((-2, 0), (2, 0))

    assert area(draw) == pytest.approx(math.pi, rel=1e-15)


def test_binary_files():
    stream = io.BytesIO()
    drawing(lambda s, d: s.add_circle((3, 4), 2)).write(stream, fmt="bin")
    assert stream.getvalue().startswith(b"AutoCAD Binary DXF")
    assert float(build_section(read_dxf(stream.getvalue()).shapes).integrals.moments.area) == pytest.approx(4 * math.pi)


def washer(space, document):
    block = document.blocks.new("WASHER", base_point=(1, 1))
    block.add_circle((1, 1), 2)
    block.add_circle((1, 1), 1)
    return block


def test_blocks_with_unequal_scales_keep_their_arcs():
    def draw(space, document):
        washer(space, document)
        space.add_blockref("WASHER", (10, 0), {"xscale": 3, "yscale": 0.5, "rotation": 30})
        space.add_blockref("WASHER", (30, 0), {"xscale": -1})

    found = measure(draw)
    assert float(found.moments.area) == pytest.approx(3 * math.pi * (1.5 + 1), rel=1e-14)
    center = (1.5 * 10 + 30) / 2.5
    np.testing.assert_allclose(found.moments.center.astype(float), [center, 0], atol=1e-13)


def test_blocks_within_blocks_and_arrays():
    def draw(space, document):
        washer(space, document)
        pair = document.blocks.new("PAIR")
        pair.add_blockref("WASHER", (0, 0))
        pair.add_blockref("WASHER", (5, 0))
        space.add_blockref("PAIR", (0, 0), {"row_count": 3, "row_spacing": 10, "column_count": 2, "column_spacing": 20})

    assert area(draw) == pytest.approx(12 * 3 * math.pi, rel=1e-14)


def test_turned_blocks_within_unequal_scales_keep_their_base_points():
    turn, base, inner_base = math.radians(30), np.array([1.5, -2.0]), np.array([0.7, 0.4])

    def draw(space, document):
        inner = document.blocks.new("INNER", base_point=(*inner_base, 0))
        inner.add_lwpolyline([(0, 0, 1), (2, 0, 1)], format="xyb", close=True)
        outer = document.blocks.new("OUTER", base_point=(*base, 0))
        outer.add_blockref("INNER", (5, 3), {"xscale": 0.8, "yscale": -1.1, "rotation": 30})
        space.add_blockref("OUTER", (-40, 7), {"xscale": 3, "yscale": 0.5, "rotation": 90, "extrusion": (0, 0, -1)})

    within = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ np.diag([0.8, -1.1])
    around = np.diag([-1, 1]) @ np.array([[0, -1], [1, 0]]) @ np.diag([3, 0.5])
    offset = np.array([5, 3]) - within @ inner_base
    matrix = around @ within
    found = measure(draw).moments
    assert float(found.area) == pytest.approx(math.pi * abs(np.linalg.det(matrix)), rel=1e-14)
    center = np.array([40, 7]) + matrix @ [1, 0] + around @ (offset - base)
    np.testing.assert_allclose(found.center.astype(float), center, rtol=1e-14)
    second = math.pi / 4 * abs(np.linalg.det(matrix)) * matrix @ matrix.T
    np.testing.assert_allclose(found.central_second.astype(float), second, rtol=1e-13)


def test_a_block_that_contains_itself():
    def draw(space, document):
        block = washer(space, document)
        block.add_blockref("WASHER", (9, 9))
        space.add_blockref("WASHER", (0, 0))

    with pytest.raises(Unreadable, match="contains itself"):
        read(draw)


def test_a_drawing_of_a_body_is_told_what_to_export():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 1)]
    with pytest.raises(Empty, match=r"passed over: 1 3DFACE; to measure a body, export it as STL or 3MF$"):
        read(lambda space, document: space.add_3dface(corners))
    with pytest.raises(Empty, match=r"passed over: 1 TEXT$"):
        read(lambda space, document: space.add_text("a note"))


def test_a_block_that_is_missing_is_told():
    def draw(space, document):
        space.add_circle((0, 0), 1)
        space.add_blockref("NOWHERE", (0, 0))

    assert read(draw).notices[0].details == {"INSERT of what is not in the file": 1}


def layered(space, document):
    document.layers.add("Outline")
    document.layers.add("HOLES")
    document.layers.add("construction").off()
    space.add_circle((0, 0), 3, {"layer": "Outline"})
    space.add_circle((0, 0), 1, {"layer": "HOLES"})
    space.add_circle((0, 0), 9, {"layer": "construction"})
    block = document.blocks.new("DOT")
    block.add_circle((0, 0), 0.5)
    space.add_blockref("DOT", (2, 0), {"layer": "HOLES"})


def test_layers():
    assert area(layered) == pytest.approx(math.pi * (9 - 1.25), rel=1e-14)
    assert area(layered, layers=["outline"]) == pytest.approx(9 * math.pi, rel=1e-14)
    assert area(layered, layers=["Holes"]) == pytest.approx(1.25 * math.pi, rel=1e-14)
    assert area(layered, layers=["construction"]) == pytest.approx(81 * math.pi, rel=1e-14)
    with pytest.raises(Empty, match="layers in use: HOLES, Outline, construction"):
        read(layered, layers=["none such"])
    assert read(layered).notices[0].details == {"hidden": 1}


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    ("state", "radii", "hidden"),
    [("on", (20, 1, 2, 3, 4), 0), ("off", (20, 1, 3), 2), ("freeze", (20,), 1)],
)
def test_a_layer_that_is_off_hides_what_lies_on_it_and_a_frozen_one_the_whole_insert(
    state, radii, hidden, whole, monkeypatch
):
    if whole:
        monkeypatch.setattr("massprops.readers.dxf.taken_out", lambda text: None)

    def draw(space, document):
        getattr(document.layers.add("Outer"), state)()
        inner, block = document.blocks.new("INNER"), document.blocks.new("BLOCK")
        inner.add_circle((3, 100), 3, {"layer": "X"})
        inner.add_circle((15, 100), 4)
        block.add_circle((3, 0), 1, {"layer": "X"})
        block.add_circle((10, 0), 2)
        block.add_blockref("INNER", (0, 0))  # on the layer of the insert
        space.add_circle((0, -100), 20)
        space.add_blockref("BLOCK", (0, 0), {"layer": "Outer"})

    assert area(draw) == pytest.approx(math.pi * sum(r * r for r in radii), rel=1e-13)
    assert [notice.details for notice in read(draw).notices] == ([{"hidden": hidden}] if hidden else [])


def test_what_outlines_nothing_is_told():
    def draw(space, document):
        lines(space, SQUARE)
        space.add_text("words")
        space.add_point((9, 9))
        space.add_point((9, 8))
        space.add_linear_dim((0, 5), (0, 0), (4, 0)).render()

    assert read(draw).notices[0].details == {"TEXT": 1, "POINT": 2, "DIMENSION": 1}
    assert area(draw) == 16


def test_circles_without_a_radius_are_told():
    def draw(space, document):
        space.add_circle((0, 0), 0)
        space.add_circle((0, 0), -1)
        space.add_circle((0, 0), 2)

    reading = read(draw)
    assert [notice.code for notice in reading.notices] == ["degenerate"]
    assert reading.notices[0].details == {"entities": 2}
    with pytest.raises(Empty, match="2 entities draw nothing"):
        read(lambda s, d: (s.add_circle((0, 0), 0), s.add_circle((0, 0), -1)))


def hatch(space, document):
    fill = space.add_hatch()
    fill.paths.add_polyline_path([(0, 0), (4, 0, 1), (4, 2), (0, 2, 1)], is_closed=True)
    hole = fill.paths.add_edge_path()
    hole.add_arc((2, 1), 0.5, 0, 180)
    hole.add_line((1.5, 1), (2.5, 1))
    other = fill.paths.add_edge_path()
    other.add_ellipse((1, 1), (0.4, 0), 0.5)
    last = fill.paths.add_edge_path()
    last.add_spline(control_points=[(3, 0.5), (3.2, 1.5), (3.4, 0.5)], knot_values=[0, 0, 0, 1, 1, 1], degree=2)
    last.add_line((3.4, 0.5), (3, 0.5))


def test_hatches_count_where_nothing_else_is_drawn():
    parabola = 0.4 * 0.5 * 2 / 3
    expected = 8 + math.pi - math.pi / 8 - 0.08 * math.pi - parabola
    assert area(hatch) == pytest.approx(expected, rel=1e-14)

    def both(space, document):
        hatch(space, document)
        space.add_circle((20, 0), 1)

    assert area(both) == pytest.approx(math.pi, rel=1e-14)
    assert "HATCH beside outlines" in read(both).notices[0].details


def test_entities_seen_from_behind():
    def draw(space, document):
        attributes = {"extrusion": (0, 0, -1)}
        space.add_arc((-5, 0), 2, 0, 90, dxfattribs=attributes)  # centre at x = 5, running to x = 3
        space.add_lwpolyline([(-3, 0), (-5, 0), (-5, 2)], dxfattribs=attributes)

    found = measure(draw)
    assert float(found.moments.area) == pytest.approx(math.pi, rel=1e-14)
    np.testing.assert_allclose(found.bounds, [[3, 0], [5, 2]], atol=1e-15)


def test_tilted_planes_are_told():
    def draw(space, document):
        space.add_circle((0, 0), 1, {"extrusion": (0, 1, 1)})

    reading = read(draw)
    assert [notice.code for notice in reading.notices] == ["tilted"]
    assert float(build_section(reading.shapes).integrals.moments.area) == pytest.approx(math.pi / math.sqrt(2))


def test_splines_through_points_and_widths_are_told():
    def draw(space, document):
        space.add_spline([(0, 0), (1, 1), (2, 0)])
        space.add_lwpolyline([(0, 0, 0.1, 0.1), (2, 0, 0.1, 0.1)])

    assert {notice.code for notice in read(draw).notices} == {"fitted", "width"}


@pytest.mark.parametrize(
    ("code", "metres"),
    [(1, Fraction(254, 10000)), (4, Fraction(1, 1000)), (6, 1), (8, Fraction(254, 10**10)), (0, None)],
)
def test_units(code, metres):
    unit = read(lambda s, d: s.add_circle((0, 0), 1), units=code).unit
    assert (None if unit is None else unit.metres) == metres


def test_a_gap_is_open():
    with pytest.raises(OpenSurface, match=r"0\.1 apart"):
        area(lambda s, d: [s.add_line(a, b) for a, b in (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 0.1)))])


def test_a_degree_of_one_and_faulty_splines():
    (piece, second) = spline_pieces(np.array([[0.0, 0], [1, 0], [1, 1]]), np.array([0, 0, 1, 2, 2.0]), np.empty(0), 1)
    assert piece.points.tolist() == [[0, 0], [1, 0]]
    assert second.points.tolist() == [[1, 0], [1, 1]]
    points, knots = np.array([[0.0, 0], [1, 0], [1, 1]]), np.array([0, 0, 0, 1, 1, 1.0])
    for faulty in (
        (points, knots[:-1], np.empty(0), 2),
        (points, knots, np.array([1.0, -1, 1]), 2),
        (points, knots, np.array([1.0, 2]), 2),
        (points, knots[::-1], np.empty(0), 2),
        (points[:2], knots, np.empty(0), 2),
    ):
        with pytest.raises(Unreadable, match="spline"):
            spline_pieces(*faulty)


def test_damaged_files():
    data = data_of(drawing(lambda s, d: s.add_circle((3, 4), 2)))
    for cut in (0.2, 0.5, 0.9):
        with pytest.raises(Unreadable, match="cut off"):
            read_dxf(data[: int(len(data) * cut)])
    for nonsense in (b"", b"hello", b"\x89PNG\r\n\x1a\n" + bytes(100), b"AutoCAD Binary DXF\r\n\x1a\x00" + bytes(50)):
        with pytest.raises((Unreadable, Empty)):
            read_dxf(nonsense)
    with pytest.raises(Unsupported, match="DWG"):
        read_dxf(b"AC1027" + bytes(100))


CIRCLE_R12 = "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n8\n0\n10\n0.0\n20\n0.0\n40\n1.5\n0\nENDSEC\n0\nEOF\n"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (CIRCLE_R12, []),
        (CIRCLE_R12 + "ignore\ninvalid\ndata\nbeyond\nEOF\n", []),
        (CIRCLE_R12.replace("\n", "\r\n"), []),
        (CIRCLE_R12.replace("0\nEOF\n", ""), ["no_eof"]),
        ("999\na comment\n" + CIRCLE_R12, []),
        ("0\nSECTION\n2\nHEADER\n9\n$LTSCALE\n40\n1,5\n0\nENDSEC\n" + CIRCLE_R12, ["recovered"]),
    ],
)
def test_small_and_odd_files(text, codes):
    reading = read_dxf(text.encode())
    assert [notice.code for notice in reading.notices] == codes
    assert float(build_section(reading.shapes).integrals.moments.area) == pytest.approx(2.25 * math.pi, rel=1e-15)


def test_errors_of_a_recovered_file_are_counted_where_there_are_any():
    damaged = "0\nSECTION\n2\nHEADER\n9\n$LTSCALE\n40\n1,5\n0\nENDSEC\n" + CIRCLE_R12
    (notice,) = read_dxf(damaged.encode()).notices
    errors = notice.details["errors"]
    assert (f"recovered, with {errors} error" in notice.message) is (errors > 0)
    assert ("recovered; " in notice.message) is (errors == 0)


def test_without_ezdxf(monkeypatch):
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    with pytest.raises(Unsupported, match=r"pip install 'massprops\[sections\]'"):
        read_dxf(CIRCLE_R12.encode())


def test_objects_of_other_programs_are_passed_over():
    """Their attributes are unknown, those among them that every entity has."""
    text = data_of(drawing(lambda space, document: lines(space, SQUARE))).decode()
    start = text.index("ENTITIES\n") + len("ENTITIES\n")
    alien = "  0\nACMPARTREF\n  5\nFFFF\n  8\nhidden\n100\nAcDbEntity\n100\nAcmPartRef\n 70\n1\n"
    found = read_dxf((text[:start] + alien + text[start:]).encode())
    assert build_section(found.shapes).integrals.moments.area == 16
    assert [(notice.code, notice.message) for notice in found.notices] == [("ignored", "passed over: 1 ACMPARTREF")]


TURNS = [
    (30, 30), (30, math.nextafter(30, 31)), (math.nextafter(30, 31), 30), (0, 360), (0, 360 + 1e-10),
    (0, 360.00001), (0, 359.99999), (-1e-6, 360), (30, 390.0001), (360, 0), (-180, 180), (0, 720), (30, 29.9999),
]  # fmt: skip


@pytest.mark.parametrize(("start", "end"), TURNS)
def test_full_turns_that_were_rounded_are_full_turns(start, end):
    """Written with few digits, the end of a circle lies a little before or behind its start."""
    assert full_sweep(start, end) == 2 * math.pi
    assert ellipse_sweep(math.radians(start), math.radians(end)) == 2 * math.pi
    kind = {"start_angle": start, "end_angle": end}
    found = area(lambda space, document: (lines(space, SQUARE), space.add_arc((2, 2), 1, **kind)))
    assert found == pytest.approx(16 - math.pi, rel=1e-14)


@pytest.mark.parametrize("written", ["6.28318531", "6.283186", "6.28319", "6.28318"])
@pytest.mark.parametrize("whole", [False, True])
def test_ellipses_with_their_end_in_few_digits_are_whole(written, whole, monkeypatch):
    end = float(written)
    if whole:
        monkeypatch.setattr("massprops.readers.dxf.taken_out", lambda text: None)

    def draw(space, document):
        lines(space, SQUARE)
        space.add_ellipse((2, 2), (1, 0), 0.5, 0, end)

    assert area(draw) == pytest.approx(16 - math.pi / 2, rel=1e-14)


@pytest.mark.parametrize(
    ("start", "end", "degrees"),
    [(30, 30.0001, 1e-4), (359.9999, 0, 1e-4), (359.9999, 0.0001, 2e-4), (0, 359.99, 359.99), (0, 360.01, 0.01)],
)
def test_short_arcs_stay_short(start, end, degrees):
    """They join others, where the radius is large."""
    assert full_sweep(start, end) == pytest.approx(math.radians(degrees), rel=1e-6)
    assert ellipse_sweep(math.radians(start), math.radians(end)) == pytest.approx(math.radians(degrees), rel=1e-6)


@pytest.mark.parametrize("kind", ["SOLID", "TRACE"])
def test_a_solid_without_its_fourth_corner_is_a_triangle(kind):
    corners = "10\n5\n20\n5\n11\n6\n21\n5\n12\n5\n22\n6\n"
    data = f"0\nSECTION\n2\nENTITIES\n0\n{kind}\n8\n0\n{corners}0\nENDSEC\n0\nEOF\n".encode()
    assert build_section(read_dxf(data).shapes).integrals.moments.area == Fraction(1, 2)


CIRCLE = "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n8\n0\n10\n0\n20\n0\n40\n10\n0\nENDSEC\n0\nEOF\n"


def header(*tags):
    return "0\nSECTION\n2\nHEADER\n" + "".join(f"{line}\n" for line in tags) + "0\nENDSEC\n"


@pytest.mark.parametrize("head", ["", header("9", "$ACADVER", "1", "AC1015"), header("9", "$INSUNITS", "70", "0")])
def test_no_unit_is_made_up(head):
    found = read_dxf((head + CIRCLE).encode())
    assert found.unit is None
    assert not found.notices


@pytest.mark.parametrize(("number", "name", "meters"), [(21, "US survey ft", Fraction(1200, 3937)), (6, "m", 1)])
def test_units_that_are_declared(number, name, meters):
    unit = read_dxf((header("9", "$INSUNITS", "70", number) + CIRCLE).encode()).unit
    assert unit == Unit(name, Fraction(meters))


@pytest.mark.parametrize("number", [20, 99])
def test_a_unit_that_is_not_supported_is_told(number):
    found = read_dxf((header("9", "$INSUNITS", "70", number) + CIRCLE).encode())
    (notice,) = found.notices
    assert found.unit is None
    assert notice.code == "unknown_unit"
    assert f"{number}" in notice.message


def squares(hatch, *sides):
    for side in sides:
        hatch.paths.add_polyline_path([(-side, -side), (side, -side), (side, side), (-side, side)])


@pytest.mark.parametrize(
    ("style", "sides", "told"),
    [(0, (1, 2, 3), 0), (1, (2, 3), 0), (1, (1, 2, 3), 1), (2, (2, 3), 1), (2, (3,), 0), (2, (3, 2, 1), 1)],
)
def test_styles_of_hatches_are_told_where_they_matter(style, sides, told):
    found = read(lambda space, document: squares(space.add_hatch(dxfattribs={"hatch_style": style}), *sides))
    assert [(notice.code, notice.details) for notice in found.notices] == [("hatch_style", {"entities": 1})] * told


def test_holes_side_by_side_are_holes_in_every_style_but_ignore():
    def draw(space, document):
        hatch = space.add_hatch(dxfattribs={"hatch_style": 1})
        squares(hatch, 5)
        for u in (-2, 2):
            hatch.paths.add_edge_path().add_arc((u, 0), 1, 0, 360)

    assert not read(draw).notices
    assert area(draw) == pytest.approx(100 - 2 * math.pi, rel=1e-14)


def test_styles_of_hatches_beside_outlines_matter_to_nobody():
    def draw(space, document):
        squares(space.add_hatch(dxfattribs={"hatch_style": 2}), 1, 2)
        lines(space, SQUARE)

    assert [notice.code for notice in read(draw).notices] == ["ignored"]


SLOPE = [(0, 0, 0), (1, 0, 0), (1, 1, 1), (0, 1, 1)]
_CLOSED = [*SLOPE, SLOPE[0]]


@pytest.mark.parametrize(
    ("draw", "count"),
    [
        (lambda s, d: lines(s, SLOPE), 2),
        (lambda s, d: s.add_polyline3d(SLOPE, close=True), 1),
        (lambda s, d: s.add_open_spline(_CLOSED, degree=1), 1),
        (lambda s, d: s.add_open_spline(_CLOSED, degree=3), 1),
        (lambda s, d: s.add_ellipse((0, 0, 5), (3, 0, 1), 0.5), 1),
        (lambda s, d: s.add_ellipse((0, 0, 5), (3, 0, 0), 0.5, dxfattribs={"extrusion": (0, 0.6, 0.8)}), 1),
        (lambda s, d: s.add_ellipse((0, 0, 5), (3, 0, 0), 0.5), 0),
        (lambda s, d: lines(s, [(x, y, 7) for x, y in SQUARE], extrusion=(0, 0.6, 0.8)), 0),
    ],
)
@pytest.mark.parametrize("whole", [False, True])
def test_what_lies_at_a_slope_is_told(draw, count, whole, monkeypatch):
    if whole:
        monkeypatch.setattr("massprops.readers.dxf.taken_out", lambda text: None)
    notices = [(notice.code, notice.details) for notice in read(draw).notices]
    assert notices == ([("tilted", {"entities": count})] if count else [])


@pytest.mark.parametrize("whole", [False, True])
def test_straight_splines_may_have_weights(whole, monkeypatch):
    """They change the pace along a line, not the line."""
    if whole:
        monkeypatch.setattr("massprops.readers.dxf.taken_out", lambda text: None)
    corners = [*SQUARE, SQUARE[0]]
    found = measure(lambda s, d: s.add_rational_spline(corners, [1, 2, 3, 1, 2], degree=1))
    assert float(found.moments.area) == pytest.approx(16, rel=1e-14)


@pytest.mark.parametrize(("start", "end"), TURNS[:-1])
@pytest.mark.parametrize("is_ccw", [False, True])
def test_hatches_with_edges_of_a_rounded_turn(start, end, is_ccw):
    def draw(space, document):
        hatch = space.add_hatch()
        squares(hatch, 5)
        hatch.paths.add_edge_path().add_arc((2, 2), 1, start, end, ccw=is_ccw)
        hatch.paths.add_edge_path().add_ellipse((-2, 2), (0, 1), 0.5, start, end, ccw=is_ccw)

    assert area(draw) == pytest.approx(100 - 1.5 * math.pi, rel=1e-14)


@pytest.mark.parametrize("is_on", [True, False])
def test_clipped_blocks_are_told(is_on):
    xclip = pytest.importorskip("ezdxf.xclip")

    def draw(space, document):
        document.blocks.new("BLOCK").add_lwpolyline(SQUARE, close=True)
        space.add_blockref("BLOCK", (20, 0))
        clip = xclip.XClip(space.add_blockref("BLOCK", (0, 0)))
        clip.set_block_clipping_path([(0, 0), (2, 0), (2, 2), (0, 2)])
        if not is_on:
            clip.disable_clipping()

    reading = read(draw)
    assert [(n.code, n.details) for n in reading.notices] == ([("clipped", {"entities": 1})] if is_on else [])
    assert area(draw) == 32


@pytest.mark.parametrize(("degree", "times"), [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 6)])
def test_splines_with_corners_are_polygons(degree, times):
    """Where as many control points as the degree are one, or more, the curve goes there and on straight."""

    def draw(space, document):
        for corners in ([(10, 20), (14, 20), (14, 23)], [(11, 20.25), (13, 20.25), (13, 21.25)]):
            points = [point for point in (*corners, corners[0]) for _ in range(times)]
            inner = range(1, len(points) - degree)
            knots = [0] * (degree + 1) + list(inner) + [len(points) - degree] * (degree + 1)
            space.add_spline(degree=degree, dxfattribs={"flags": 9}).control_points = points
            space[-1].knots = knots

    found = measure(draw)
    assert float(found.moments.area) == pytest.approx(4 * 3 / 2 - 2 * 1 / 2, rel=1e-14)
    outer, hole = np.array([10 + 14 + 14, 20 + 20 + 23]) / 3, np.array([11 + 13 + 13, 20.25 + 20.25 + 21.25]) / 3
    np.testing.assert_allclose([float(x) for x in found.moments.center], (6 * outer - hole) / 5, rtol=1e-14)
