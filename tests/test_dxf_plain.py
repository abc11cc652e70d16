"""Plain entities taken out of a DXF text: read as ezdxf reads them, to the last bit, or left to it."""

import io
import math
import random

import numpy as np
import pytest

from massprops.core.segments import Arc
from massprops.errors import MassPropsError
from massprops.readers import dxf
from massprops.readers.dxf_forms import form_of
from massprops.readers.dxf_tags import MARK, taken_out

ezdxf = pytest.importorskip("ezdxf")

VERSIONS = ("R12", "R2000", "R2010", "R2018")


def text_of(document):
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()


def drawn(draw, version="R2010"):
    document = ezdxf.new(version)
    draw(document.modelspace(), document)
    return text_of(document)


def read(text, whole, monkeypatch, **options):
    """Pieces as bytes, notices and unit; or the verdict."""
    with monkeypatch.context() as patch:
        if whole:
            patch.setattr(dxf, "taken_out", lambda text: None)
        try:
            found = dxf.read_dxf(text.encode("utf-8", "surrogateescape"), **options)
        except MassPropsError as verdict:
            return type(verdict), verdict.message
    pieces = [[numbers(p) for p in path.pieces] for shape in found.shapes for path in shape.paths]
    return pieces, found.notices and [(n.code, n.message, n.details) for n in found.notices], found.unit


def numbers(piece):
    if isinstance(piece, Arc):
        parts = [piece.center, piece.axes, np.array([piece.begin, piece.sweep]), piece.ends]
    else:
        parts = [piece.points, getattr(piece, "weights", np.empty(0))]
    return type(piece).__name__, *(np.ascontiguousarray(part).tobytes() for part in parts)


def check_same(text, monkeypatch, **options):
    assert read(text, False, monkeypatch, **options) == read(text, True, monkeypatch, **options)


def taken(text):
    found = taken_out(text)
    return [] if found is None else [entity.kind for run in found.runs for entity in run]


def some_attributes(chance, kind):
    found = {"layer": chance.choice(["0", "A", "Hidden"])}
    if chance.random() < 0.3:
        found["extrusion"] = chance.choice([(0, 0, -1), (0, 0.6, 0.8), (1, 2, 3), (0, 0, 2)])
    if chance.random() < 0.1:
        found["invisible"] = chance.choice([0, 1])
    return found


def some_corners(chance, most):
    corners = []
    for _ in range(chance.randrange(most + 1)):
        width, bulge = chance.choice([0, 0.1]), chance.choice([0, 0.4, -2])
        corners.append((chance.uniform(-9, 9), chance.uniform(-9, 9), 0, width, bulge))
    return corners


def some_entity(space, chance):
    def at(size=9.0):
        return chance.uniform(-size, size)

    modern = space.doc.dxfversion > "AC1009"
    kind = chance.randrange(8 if modern else 4)
    attributes = some_attributes(chance, kind)
    center = (at(), at(), chance.choice([0, at()]))
    if kind == 0:
        space.add_line(center, (at(), at(), 1), dxfattribs=attributes)
    elif kind == 1:
        space.add_circle(center, chance.choice([0, -1, 2, chance.random()]), dxfattribs=attributes)
    elif kind == 2:
        space.add_arc(center, 1 + chance.random(), at(720), chance.choice([0, at(720)]), dxfattribs=attributes)
    elif kind == 3:
        corners = some_corners(chance, 4)
        space.add_polyline2d(corners, format="xyseb", close=chance.random() < 0.5, dxfattribs=attributes)
    elif kind == 4:
        corners = some_corners(chance, 5)
        entity = space.add_lwpolyline(corners[:1] + corners, close=chance.random() < 0.5, dxfattribs=attributes)
        if chance.random() < 0.3:
            entity.dxf.const_width, entity.dxf.elevation = chance.choice([0, 0.5]), at()
    elif kind == 5:
        span = chance.choice([0, at()]), chance.choice([2 * math.pi, at()])
        space.add_ellipse(center, (at(), at(), chance.choice([0, at()])), 0.5, *span, dxfattribs=attributes)
    elif kind == 6:
        control = [(at(), at(), at()) for _ in range(chance.randrange(5, 9))]
        weights = chance.choice([[1] * len(control), [chance.random() + 0.1 for _ in control]])
        space.add_rational_spline(control, weights, degree=chance.choice([1, 2, 3]), dxfattribs=attributes)
    else:
        entity = space.add_spline([(at(), at(), 0) for _ in range(chance.randrange(2, 7))], dxfattribs=attributes)
        if chance.random() < 0.5:
            entity.dxf.start_tangent, entity.dxf.end_tangent = (1, 0, 0), (0, 1, 0)


def some_drawing(seed):
    chance = random.Random(seed)
    document = ezdxf.new(chance.choice(VERSIONS))
    document.layers.add("Hidden").off()
    block = document.blocks.new("B", base_point=(1, 2, 0))
    for _ in range(6):
        some_entity(block, chance)
    space = document.modelspace()
    for _ in range(25):
        some_entity(space, chance)
        if chance.random() < 0.2:
            space.add_text("beside")
        if chance.random() < 0.1:
            scales = {"xscale": chance.choice([1, -1, 2.5]), "yscale": 0.7, "rotation": chance.uniform(0, 360)}
            space.add_blockref("B", (chance.random(), 2), dxfattribs={**scales, "layer": "A"})
    return text_of(document), chance


@pytest.mark.parametrize("seed", range(12))
def test_the_same_bits_are_read(seed, monkeypatch):
    text, _ = some_drawing(seed)
    assert len(taken(text)) > 25
    check_same(text, monkeypatch)
    check_same(text, monkeypatch, layers=["a"])
    check_same(text.replace("\n", "\r\n"), monkeypatch)


@pytest.mark.parametrize("seed", range(30))
def test_damage_is_seen_as_before(seed, monkeypatch):
    text, chance = some_drawing(seed % 4)
    lines = text.split("\n")
    place = chance.randrange(len(lines))
    damage = chance.choice(["x", "", "nan", "inf", "1e400", "0", "-1", "10"])
    if seed % 3 == 0:
        del lines[place]
    else:
        lines[place : place + seed % 2] = [damage]
    check_same("\n".join(lines), monkeypatch)


CIRCLE = [("5", "2F"), ("8", "0"), ("10", "1"), ("20", "2"), ("40", "3")]


def section(*entities, kind="CIRCLE", name="ENTITIES"):
    tags = [("0", "SECTION"), ("2", name)]
    for entity in entities:
        tags += [("0", kind), *entity]
    return "\n".join(f"{code}\n{value}" for code, value in [*tags, ("0", "ENDSEC"), ("0", "EOF")]) + "\n"


@pytest.mark.parametrize(
    "changed",
    [
        [*CIRCLE, ("40", "4")],  # twice
        [*CIRCLE, ("38", "4")],  # the elevation of old versions
        [*CIRCLE, ("60", "1")],
        [*CIRCLE, ("67", "1")],
        [*CIRCLE, ("1001", "X"), ("1010", "1"), ("1020", "1")],
        [*CIRCLE, ("102", "{X"), ("330", "1")],
        [*CIRCLE, ("102", "X"), ("330", "1"), ("102", "}")],
        [*CIRCLE, ("310", "FF")],
        [("5", "0"), *CIRCLE[1:]],
        [("5", "x"), *CIRCLE[1:]],
        CIRCLE[:-1],
        [*CIRCLE[:2], ("20", "2"), ("10", "1"), ("40", "3")],
    ],
)
def test_what_is_not_plain_is_left(changed):
    assert taken(section(CIRCLE, changed)) == ["CIRCLE"]


@pytest.mark.parametrize(
    "extended",
    [
        [("60", "0")],
        [("67", " 0")],
        [("62", "7"), ("210", "0"), ("220", "0"), ("230", "-1")],
        [("102", "{X"), ("330", "1"), ("102", "}")],
        [("1001", "X"), ("1070", "1")],
    ],
)
def test_what_changes_nothing_is_plain(extended):
    assert taken(section([*CIRCLE, *extended])) == ["CIRCLE"]


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "one", ""])
def test_numbers_that_are_none_leave_all(value):
    assert taken(section(CIRCLE, [*CIRCLE[:-1], ("40", value)])) == []
    assert taken(section(CIRCLE, [*CIRCLE, ("62", value)])) == []


def test_other_sections_are_left():
    assert taken(section(CIRCLE, name="OBJECTS")) == []
    assert taken(section(CIRCLE, name="BLOCKS")) == ["CIRCLE"]


@pytest.mark.parametrize("text", ["", "0\nEOF", section(CIRCLE).replace("EOF", "END"), "x\n" + section(CIRCLE)])
def test_texts_of_doubt_are_left(text):
    assert taken_out(text) is None


def test_a_layer_named_like_a_mark_leaves_all():
    assert taken(section([("8", MARK + "0"), *CIRCLE[2:]])) == []


def test_splines_and_light_polylines_need_subclasses():
    text = drawn(lambda space, _: space.add_lwpolyline([(0, 0), (4, 0), (0, 4)], close=True))
    assert taken(text) == ["LWPOLYLINE"]
    assert taken(text.replace("AC1024", "AC1009")) == []


def test_polylines_with_flags_are_left():
    def draw(space, _):
        space.add_polyline3d([(0, 0, 0), (4, 0, 1), (0, 4, 2)])
        space.add_polymesh((2, 2))
        space.add_polyline2d([(0, 0), (4, 0), (0, 4)])

    assert taken(drawn(draw, "R12")) == ["POLYLINE"]


def test_entities_on_paper_are_not_read(monkeypatch):
    def draw(space, document):
        space.add_circle((0, 0), 1)
        document.layout("Layout1").add_circle((0, 0), 5)

    text = drawn(draw)
    check_same(text, monkeypatch)
    assert len(read(text, False, monkeypatch)[0]) == 1


def test_too_many_entities_of_blocks(monkeypatch):
    def draw(space, document):
        block = document.blocks.new("B")
        for k in range(3):
            block.add_circle((k, 0), 1)
        space.add_blockref("B", (0, 0), dxfattribs={"row_count": 9, "row_spacing": 1})

    monkeypatch.setattr(dxf, "_MOST_REPEATED", 36)
    check_same(drawn(draw), monkeypatch)
    monkeypatch.setattr(dxf, "_MOST_REPEATED", -100)
    assert "repeat more than" in read(drawn(draw), False, monkeypatch)[1]
    check_same(drawn(draw), monkeypatch)


def test_forms_of_vertices():
    codes = (5, 330, 100, 8, 100, 90, 70, 43, 10, 20, 42, 10, 20, 91, 10, 20, 40, 41, 42)
    form = form_of("LWPOLYLINE", codes)
    assert form.rows[10].tolist() == [9, 12, 15]
    assert (form.rows[42].tolist(), form.vertex[42].tolist()) == ([11, 19], [0, 2])
    assert form_of("LWPOLYLINE", (5, 100, 8, 100, 90, 42, 10, 20)) is None
    assert form_of("LWPOLYLINE", (5, 100, 8, 100, 90, 10, 20, 30)) is None
