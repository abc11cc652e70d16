"""DXF texts before they are read: versions, subclasses, marks, sections, numbers."""

import io
import math

import pytest

from massprops.core.outline import build_section
from massprops.errors import NonFinite, Unreadable
from massprops.readers import dxf
from massprops.readers.dxf_text import forms, tidied, with_subclasses
from massprops.readers.sections import read_section

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


@pytest.mark.parametrize("value", ["nan", "-inf", "1e999"])
@pytest.mark.parametrize(("code", "line"), [(10, 18), (20, 20), (42, 22)])
def test_coordinates_that_are_not_finite_are_told_with_their_line(code, line, value):
    corners = [tags(10, u, 20, v, 42, 0) for u, v in ((0, 0), (4, 0), (4, 3))]
    corners[1] = corners[1].replace(tags(code, {10: 4, 20: 0, 42: 0}[code]), tags(code, value))
    outline = tags(0, "LWPOLYLINE", 90, 3, 70, 1) + "".join(corners)
    with pytest.raises(NonFinite, match=rf"^line {line}: '{value}' is not finite"):
        read_section((section("ENTITIES", outline) + END).encode(), "dxf")


@pytest.mark.parametrize("name", ["\u00c4", "\\U+00C4", "\\U+00e4"])
@pytest.mark.parametrize("written", ["\\U+00C4", "\\U+00E4"])
def test_layers_with_characters_in_ascii(written, name):
    text = section("ENTITIES", CIRCLE, CIRCLE.replace("8\n0\n", f"8\n{written}\n").replace("40\n1", "40\n3")) + END
    assert float(moments(text, layers=[name]).area) == pytest.approx(9 * math.pi, rel=1e-15)


LINES = "".join(
    tags(0, "LINE", 100, "AcDbEntity", 8, 0, 100, "AcDbLine", 10, a, 20, b, 11, c, 21, d)
    for a, b, c, d in ((0, 0, 4, 0), (4, 0, 0, 3), (0, 3, 0, 0))
)
VERTICES = "".join(
    tags(0, "VERTEX", 100, "AcDbVertex", 8, 0, 10, x, 20, y) for x, y in ((7, 0), (9, 0), (9, 5), (7, 5))
)
OLD_OUTLINE = tags(0, "POLYLINE", 100, "AcDbEntity", 8, 0, 66, 1, 70, 1) + VERTICES + tags(0, "SEQEND", 8, 0)
OLD = section("HEADER", tags(9, "$ACADVER", 1, "AC1009"))
OLD_TABLE = tags(0, "TABLE", 2, "LAYER", 70, 1, 0, "LAYER", 100, "AcDbSymbolTableRecord", 2, "OBJECTS", 70, 0, 62, 100)
OLD_VIEW = tags(0, "TABLE", 2, "VPORT", 70, 1, 0, "VPORT", 100, "AcDbSymbolTableRecord", 2, "*ACTIVE", 70, 0)
OLD_TABLES = section(
    "TABLES", OLD_VIEW, tags(10, 0, 20, 0, 0, "ENDTAB"), OLD_TABLE, tags(6, "CONTINUOUS", 0, "ENDTAB")
)
OLD_LAYOUT = tags(0, "LAYOUT", 5, "1E", 330, "1A", 100, "AcDbPlotSettings", 100, "AcDbLayout", 1, "Layout1", 330, "1B")
OLD_OBJECTS = section(
    "OBJECTS",
    tags(0, "DICTIONARY", 5, "C", 100, "AcDbDictionary", 281, 1, 3, "ACAD_LAYOUT", 350, "1A"),
    tags(0, "DICTIONARY", 5, "1A", 330, "C", 100, "AcDbDictionary", 281, 1, 3, "Layout1", 350, "1E"),
    tags(0, "MLINESTYLE", 5, "18", 330, "C", 100, "AcDbMlineStyle", 2, "STANDARD", 70, 0, 71, 0),
    OLD_LAYOUT,
)


@pytest.mark.parametrize(
    ("text", "area"),
    [
        (OLD + OLD_TABLES + section("ENTITIES", LINES, OLD_OUTLINE), 3 * 4 / 2 + 2 * 5),
        (OLD + section("ENTITIES", OLD_OUTLINE) + OLD_OBJECTS, 2 * 5),
        (OLD + OLD_TABLES + OLD_OBJECTS + section("ENTITIES", LINES, OLD_OUTLINE), 3 * 4 / 2 + 2 * 5),
    ],
)
def test_old_drawings_with_subclasses_here_and_there(text, area):
    """Such as dxflib writes: of the tables and blocks of newer versions they have nothing."""
    for end in (END, ""):
        reading = read(text + end)
        assert [notice.code for notice in reading.notices] == ([] if end else ["no_eof"])
        assert float(build_section(reading.shapes).integrals.moments.area) == pytest.approx(area, rel=1e-15)


@pytest.mark.parametrize("young", [MARKED, UNMARKED, SPLINE, tags(0, "SPATIAL_FILTER", 5, "3F")])
def test_what_needs_its_subclasses_keeps_them(young):
    drawn = OLD + OLD_TABLES + section("ENTITIES", LINES, young) + END
    assert forms(drawn) == (with_subclasses(drawn),)


def test_values_that_look_like_marks_stay():
    drawn = OLD + OLD_TABLES + section("ENTITIES", CIRCLE.replace("8\n0\n", "62\n100\n")) + END
    likely, other = forms(drawn)
    assert likely == with_subclasses(drawn)
    assert other == drawn.replace("100\nAcDbSymbolTableRecord\n", "")
