"""DXF texts before they are read: versions, subclasses, marks, sections, numbers."""

import io
import math

import pytest

from massprops.core.outline import build_section
from massprops.errors import NonFinite, Unreadable
from massprops.readers import dxf
from massprops.readers.dxf_text import tidied, with_subclasses

ezdxf = pytest.importorskip("ezdxf")


def tags(*values):
    return "".join(f"{value}\n" for value in values)


def section(name, *parts):
    return tags(0, "SECTION", 2, name) + "".join(parts) + tags(0, "ENDSEC")


def outline(*codes, points=((1, 0), (2, 0), (2, 1), (1, 1))):
    return tags(*codes) + "".join(tags(10, x, 20, y) for x, y in points)


END = tags(0, "EOF")
CIRCLE = tags(0, "CIRCLE", 8, 0, 10, 0, 20, 0, 40, 1)
DRAWING = section("ENTITIES", CIRCLE) + END
MARKED = outline(0, "LWPOLYLINE", 100, "AcDbEntity", 8, 0, 100, "AcDbPolyline", 90, 4, 70, 1, 210, 0, 220, 0, 230, -1)
UNMARKED = outline(0, "LWPOLYLINE", 70, 1, 8, 0, 90, 4, 210, 0, 220, 0, 230, -1)
_KNOTS = tags(*(value for knot in (0, 0, 1, 2, 3, 4, 4) for value in (40, knot)))
_CONTROL = tags(*(v for x, y in [(5, 0), (6, 0), (6, 1), (5, 1), (5, 0)] for v in (10, x, 20, y, 30, 0)))
SPLINE = tags(0, "SPLINE", 8, 0, 70, 8, 71, 1, 72, 7, 73, 5, 74, 0) + _KNOTS + _CONTROL


def read(text, whole=False, monkeypatch=None, **options):
    if whole:
        monkeypatch.setattr(dxf, "taken_out", lambda text: None)
    return dxf.read_dxf(text if isinstance(text, bytes) else text.encode(), **options)


def moments(text, *rest, **options):
    return build_section(read(text, *rest, **options).shapes).integrals.moments


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("entity", [MARKED, UNMARKED])
@pytest.mark.parametrize(
    "head",
    [
        "",
        section("HEADER", tags(9, "$ACADVER", 1, "AC1009")),
        section("HEADER", tags(9, "$INSUNITS", 70, 4)),
        section("HEADER", tags(9, "$ACADVER", 1, "AC1015")),
    ],
)
def test_polylines_are_read_whole_whatever_the_version(head, entity, whole, monkeypatch):
    """Closed, and seen from behind, so that u is turned round."""
    found = moments(head + section("ENTITIES", entity, SPLINE) + END, whole, monkeypatch)
    assert float(found.area) == 2
    assert found.center.tolist() == [(-1.5 + 5.5) / 2, 0.5]


@pytest.mark.parametrize("whole", [False, True])
def test_old_drawings_with_young_entities(whole, monkeypatch):
    """Old polylines have no subclasses, and are read beside those that have."""
    document = ezdxf.new("R12")
    space, block = document.modelspace(), document.blocks.new("B")
    space.add_polyline2d([(10, 0, 1), (12, 0, 1)], format="xyb", close=True)
    space.add_polyline3d([(20, 0), (21, 0), (21, 1), (20, 1)], close=True)
    block.add_circle((30, 0), 1)
    space.add_blockref("B", (0, 0))
    stream = io.StringIO()
    document.write(stream)
    text = stream.getvalue()
    start = text.index("ENTITIES\n") + len("ENTITIES\n")
    further = outline(0, "LWPOLYLINE", 8, 0, 90, 4, 70, 1, points=((40, 0), (41, 0), (41, 1), (40, 1)))
    found = moments(text[:start] + further + MARKED + SPLINE + text[start:], whole, monkeypatch)
    assert float(found.area) == pytest.approx(2 * math.pi + 1 + 3, rel=1e-14)


def test_what_needs_no_version_is_left_as_it_is():
    assert with_subclasses(DRAWING) == DRAWING
    young = section("HEADER", tags(9, "$ACADVER", 1, "AC1015")) + section("ENTITIES", MARKED) + END
    assert with_subclasses(young) == young


@pytest.mark.parametrize(
    "text",
    [
        section("ENTITIES", CIRCLE) + DRAWING,
        DRAWING + DRAWING,
        section("BLOCKS") + section("BLOCKS") + DRAWING,
        DRAWING.replace("ENTITIES", "ENTITIES ") + DRAWING,
    ],
)
def test_sections_are_there_once(text):
    with pytest.raises(Unreadable, match=r"2 sections (ENTITIES|BLOCKS), .* take them apart"):
        read(text)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + DRAWING.encode(),
        DRAWING.replace("\n", "\r").encode(),
        DRAWING.replace("EOF", "eof").encode(),
        DRAWING.replace("ENTITIES", "ENTITIES  ").encode(),
        DRAWING.replace("ENTITIES", "entities").encode(),
        DRAWING.replace("CIRCLE", " CIRCLE ").encode(),
        "".join(f" {line} \r\n" for line in DRAWING.splitlines()).encode(),
    ],
)
def test_odd_marks_blanks_and_line_ends(data):
    found = read(data)
    assert float(build_section(found.shapes).integrals.moments.area) == pytest.approx(math.pi, rel=1e-15)
    assert not found.notices


def test_nothing_to_tidy():
    assert tidied(DRAWING.encode()) == DRAWING


@pytest.mark.parametrize(
    ("code", "value", "line"), [(40, "2.5D1", 14), (10, "1,5", 10), (20, "0 0", 12), (40, "abc", 14), (10, "", 10)]
)
def test_numbers_are_not_cut_short(code, value, line):
    given = tags(code, {10: 0, 20: 0, 40: 1}[code])
    entity = CIRCLE.replace("8\n0\n", "8\nL\n").replace(given, tags(code, value))
    with pytest.raises(Unreadable, match=f"^line {line}: '{value}' is no number, as group code {code} needs"):
        read(section("ENTITIES", entity) + END)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
@pytest.mark.parametrize("code", [40, 50, 51])
def test_what_is_not_finite_is_no_hole(code, value):
    values = {10: 0, 20: 0, 40: 1, 50: 0, 51: 360} | {code: value}
    arc = tags(0, "ARC", 8, 0, *(item for pair in values.items() for item in pair))
    wrong = section("ENTITIES", MARKED, arc) + END
    with pytest.raises(NonFinite, match=r"ARC #.*not finite"):
        read(wrong)


@pytest.mark.parametrize("name", ["\u00c4", "\\U+00C4", "\\U+00e4"])
@pytest.mark.parametrize("written", ["\\U+00C4", "\\U+00E4"])
def test_layers_with_characters_in_ascii(written, name):
    text = section("ENTITIES", CIRCLE, CIRCLE.replace("8\n0\n", f"8\n{written}\n").replace("40\n1", "40\n3")) + END
    assert float(moments(text, layers=[name]).area) == pytest.approx(9 * math.pi, rel=1e-15)
