"""SVG documents: shapes, paths, transforms, views, styles."""

import gzip
import math
import re
from fractions import Fraction

import numpy as np
import pytest

from massprops.core.outline import build_section
from massprops.core.section_errors import SelfIntersecting, ZeroArea
from massprops.errors import Empty, NonFinite, OpenSurface, Unreadable, Unsupported
from massprops.readers.sections import read_section
from massprops.readers.svg import read_svg
from massprops.readers.svg_path import path_of
from massprops.readers.svg_style import StyleSheet
from massprops.readers.svg_values import fitted, numbers, transform

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def read(body, attributes=""):
    return read_svg(f"{HEAD} {attributes}>{body}</svg>".encode())


def measure(body, attributes="", **options):
    return build_section(read(body, attributes).shapes, **options).integrals


def area(body, attributes="", **options):
    return float(measure(body, attributes, **options).moments.area)


def path_area(data):
    return area(f'<path d="{data}"/>')


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<rect x="1" y="2" width="4" height="3"/>', 12),
        ('<rect width="4" height="3" rx="1"/>', 12 - (4 - math.pi)),
        ('<rect width="4" height="3" rx="1" ry=".5"/>', 12 - (4 - math.pi) / 2),
        ('<rect width="4" height="3" ry="9"/>', math.pi * 2 * 1.5),
        ('<circle cx="3" cy="4" r="2"/>', 4 * math.pi),
        ('<ellipse cx="3" cy="4" rx="2" ry="1"/>', 2 * math.pi),
        ('<ellipse rx="2"/>', 4 * math.pi),
        ('<polygon points="0,0 4,0 4,3"/>', 6),
        ('<polyline points="0 0 4 0 4 3 0 0"/>', 6),
        ('<line x2="4"/><line x1="4" x2="4" y2="3"/><line x1="4" y1="3"/>', 6),
        ('<rect width="1in" height="96"/>', 96**2),
        ('<circle r="10%"/>', 100 * math.pi),
    ],
)
def test_basic_shapes(body, expected):
    assert area(body, 'width="100" height="100"') == pytest.approx(expected, rel=2e-15)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M0,0L4,0L4,3Z", 6),
        ("m1 1 4 0 0 3z", 6),
        ("M0 0H4V3h-4v-3", 12),
        ("M.5.5l4 0 0-3z", 6),
        ("M0 0h1e1v1E+1h-10z", 100),
        ("M0 0h4v4h-4zM1 1h1v1h-1z", 15),
        ("M0 0h4v4h-4z m1 1v1h1v-1z", 15),
        ("M1 0A1 1 0 0 1-1 0 1 1 0 0 1 1 0z", math.pi),
        ("M1 0a1 1 0 01-2 0a1 1 0 012 0", math.pi),
        ("M0 0a1 1 0 11.5.5z", None),
        ("M1 0Q0-2-1 0Z", 4 / 3),
        ("M-1 0q1 2 2 0z", 4 / 3),
        ("M0 0C1 0 2 3 3 3L0 3Z", 9 / 2),
        ("M0 0C0 1 1 1 1 0S2-1 2 0S3 1 3 0L3-2L0-2Z", 6 + 3 / 5),
        ("M0 0Q.5 1 1 0T2 0T3 0V-2H0Z", 6 + 1 / 3),
        ("M0 0A3 0 0 1 0 4 0L4 3Z", 6),
        ("M0 0L4 0L4 0L4 3L0 0Z", 6),
    ],
)
def test_path_commands(data, expected):
    if expected is None:
        path = path_of(data)[0]
        assert path.end.tolist() == [0, 0]
        assert path.pieces[0].end.tolist() == [0.5, 0.5]
        assert path.pieces[0].sweep > math.pi
    else:
        assert path_area(data) == pytest.approx(expected, rel=4e-15)


def test_what_smooth_commands_reflect():
    smooth = path_of("M0 0C0 1 1 1 1 0S2-1 2 0")[0].pieces
    assert smooth[1].points.tolist() == [[1, 0], [1, -1], [2, -1], [2, 0]]
    after_a_line = path_of("M0 0L1 0S2-1 2 0")[0].pieces
    assert after_a_line[1].points.tolist() == [[1, 0], [1, 0], [2, -1], [2, 0]]


def test_circles_of_two_arcs_are_exact():
    for offset in (0, 1e6):
        found = measure(f'<path d="M{offset + 1} 0A1 1 0 0 1 {offset - 1} 0A1 1 0 0 1 {offset + 1} 0Z"/>').moments
        assert float(found.area) == pytest.approx(math.pi, rel=1e-14)
        second = found.central_second.astype(float)
        np.testing.assert_allclose([second[0, 0], second[1, 1]], math.pi / 4, rtol=1e-14)


@pytest.mark.parametrize("r", [2e-15, 1e-20, 1e-99])
@pytest.mark.parametrize("place", ['x="165" y="150"', 'x="165"', 'y="150"', 'x="-10" y="0"', 'x="-165.3" y="-5"'])
def test_corners_whose_radius_is_lost_to_rounding_are_plain(r, place):
    for radii in (f'rx="{r}"', f'ry="{r}"', f'rx="{r}" ry="1"', f'rx="2" ry="{r}"'):
        assert area(f'<rect {place} width="10" height="5" {radii}/>') == pytest.approx(50, rel=1e-15)


@pytest.mark.parametrize("ulps", [0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8, 13, 40])
def test_corners_of_a_few_ulps(ulps):
    for x, y in ((165, 150), (-165.3, 150.1), (0.1, -7.7)):
        r = ulps * math.ulp(max(abs(x), abs(y)))
        body = f'<rect x="{x}" y="{y}" width="10" height="5" rx="{r}"/>'
        assert area(body) == pytest.approx(50, rel=1e-13)


@pytest.mark.parametrize("r", [1e-15, 1e-20, 1e-99])
def test_circles_whose_radius_is_lost_to_rounding_are_flat(r):
    point, line = f'<circle cx="100.1" cy="7" r="{r}"/>', f'<ellipse cx="7" cy="-100.1" rx="4" ry="{r}"/>'
    for shape, codes in ((point, []), (line, ["degenerate"])):
        with pytest.raises(ZeroArea):
            area(shape)
        section = build_section(read(shape + square(3)).shapes)
        assert float(section.integrals.moments.area) == 9
        assert [notice.code for notice in section.notices] == codes
    assert area(f'<circle r="{r}"/>') == pytest.approx(math.pi * r**2, rel=1e-15)


CHORD = "M100 0A{} 104 0L104 3Z"


@pytest.mark.parametrize("radii", ["1 1e-20", "1e-20 1", "1e-320 1", "7 1e-320", "1e300 1e-300", "-1 1e-20", "0 1"])
def test_arcs_with_a_radius_lost_beside_the_other_are_straight(radii):
    for rest in ("0 0 1", "30 1 0"):
        assert path_area(CHORD.format(f"{radii} {rest}")) == 4 * 3 / 2


@pytest.mark.parametrize("r", ["1", "-1", "1e-20", "1e-300", "5e-324", "1e-320"])
def test_arcs_too_small_for_their_ends_are_enlarged_from_any_size(r):
    for flags in ("0 1", "1 1"):
        found = path_area(CHORD.format(f"{r} {r} 0 {flags}"))
        assert found == pytest.approx(4 * 3 / 2 + math.pi * 2**2 / 2, rel=1e-14)


@pytest.mark.parametrize("end", ["0 0", "1e-320 0", "0 5e-324", "-5e-324 5e-324"])
def test_arcs_whose_ends_are_one_point_are_none(end):
    for flags in ("0 1", "1 1", "1 0"):
        assert path_area(f"M0 0A5 5 0 {flags} {end}L4 0L4 3Z") == pytest.approx(4 * 3 / 2, rel=1e-15)
    assert path_area("M100 0a5 5 0 1 1 1e-20 0L104 0L104 3Z") == 4 * 3 / 2
    assert path_area("M0 0A5 5 0 1 1 1e-20 0Z") == pytest.approx(25 * math.pi, rel=1e-14)


@pytest.mark.parametrize("numbers", ["1e400 1 0", "1 1e400 0", "1 1 1e400"])
def test_arcs_of_no_size(numbers):
    with pytest.raises(NonFinite, match="'1e400' is too large a number"):
        path_area(CHORD.format(f"{numbers} 0 1"))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('<path id="a" d="M0 0L1e400 0L1 1z"/>', "<path 'a'>: path data, character 6: '1e400' is too large a number"),
        ('<path d="M0 0h1e400v1z"/>', "<path>: path data, character 6: '1e400' is too large a number"),
        ('<polygon points="0 0 1 0 -1e999 1"/>', "<polygon>: '-1e999' is too large a number"),
        ('<g transform="rotate(1e400)">{}</g>', "transform 'rotate(1e400)' has too large a number"),
        ('<g transform="scale(2) rotate(1e308rad)">{}</g>', "transform 'rotate(1e308rad)' has too large a number"),
        ('<g transform="matrix(1e400 0 0 1 0 0)">{}</g>', "transform 'matrix(1e400 0 0 1 0 0)' has too large a number"),
        ('<g transform="scale(1e200)"><g transform="scale(1e200)">{}</g></g>', "<path 'b'>: its transforms make"),
        ('<path d="M0 0h1e200v1z"/>', "a coordinate that is not finite, or larger than 1e+75: (1e+200, 0)"),
        ('<path d="M1e308 0h1e308v1z"/>', "a coordinate that is not finite, or larger than 1e+75"),
    ],
)
def test_numbers_too_large_are_told_with_their_place(body, told):
    document = f"{HEAD}>{body}</svg>".format('<path id="b" d="M0 0h1v1z"/>')
    with pytest.raises(NonFinite) as caught:
        read_section(document.encode(), "svg")
    assert caught.value.message.startswith(told)
    assert "nan" not in caught.value.message


@pytest.mark.parametrize("data", ["M0 0L1", "L0 0", "M0 0X1", "M0 0A1 1 0 2 1 3 3", "M0 0z1 1", "0 0", "M0 0L1 nan"])
def test_path_data_that_break_the_grammar(data):
    with pytest.raises(Unreadable, match="path"):
        path_area(data)


@pytest.mark.parametrize("data", ["", "M1 1", "M1 1z", "M1 1L1 1z"])
def test_paths_that_draw_nothing(data):
    assert path_of(data) == []
    with pytest.raises(Empty):
        path_area(data)


def test_v_points_up_and_it_is_told():
    reading = read('<rect x="1" y="2" width="4" height="3"/>')
    assert reading.notices[0].code == "y_up"
    center = build_section(reading.shapes).integrals.moments.center
    assert center.tolist() == [3, Fraction(-7, 2)]


@pytest.mark.parametrize(
    ("text", "point", "image"),
    [
        ("translate(5)", (1, 2), (6, 2)),
        ("translate(5 -1)", (1, 2), (6, 1)),
        ("scale(2)", (1, 2), (2, 4)),
        ("scale(2,-1)", (1, 2), (2, -2)),
        ("rotate(90)", (1, 2), (-2, 1)),
        ("rotate(-90, 1, 1)", (1, 2), (2, 1)),
        ("skewX(45)", (1, 2), (3, 2)),
        ("skewY(45)", (1, 2), (1, 3)),
        ("matrix(1 2 3 4 5 6)", (1, 2), (12, 16)),
        ("translate(1,0),scale(2) ", (1, 2), (3, 4)),
        ("", (1, 2), (1, 2)),
        ("translate(10-5)", (1, 2), (11, -3)),
        ("translate(.5.5)", (1, 2), (1.5, 2.5)),
        ("translate(-1e1-5e-1)", (1, 2), (-9, 1.5)),
        ("translate( 1 , 2 )", (1, 2), (2, 4)),
        ("matrix(1 0 0-1 0 10)", (1, 2), (1, 8)),
        ("rotate(90 5-5)", (6, -3), (3, -4)),
        ("translate(10px-5px)rotate(90deg)", (1, 2), (8, -4)),
    ],
)
def test_transforms(text, point, image):
    found = transform(text)
    np.testing.assert_allclose(found.matrix @ point + found.translation, image, atol=1e-15)


@pytest.mark.parametrize("text", ["turn(3)", "scale(1 2 3)", "translate(a)", "rotate 3", *(
    f"translate({words})" for words in ("1_0", "1,,2", "1, ,2", "1--2", "1.2.", "1 px", "1e", "nan", "inf 0", "0x1 2")
)])  # fmt: skip
def test_transforms_that_make_no_sense(text):
    with pytest.raises(Unreadable):
        read(f'<rect width="1" height="1" transform="{text}"/>')


def test_skewed_circles_stay_exact():
    body = '<g transform="scale(3 2)"><circle transform="skewX(30) rotate(20)" r="1"/></g>'
    assert area(body) == pytest.approx(6 * math.pi, rel=1e-15)


def test_use_and_symbols():
    body = """<defs><circle id="c" r="1"/>
    <symbol id="s" viewBox="0 0 10 10"><rect width="10" height="5"/></symbol></defs>
    <use href="#c" x="5"/><use xlink:href="#c" transform="scale(2)" y="10"/>
    <use href="#s" width="20" height="40" x="50"/>"""
    found = measure(body, 'viewBox="0 0 100 100"')
    assert float(found.moments.area) == pytest.approx(5 * math.pi + 20 * 10, rel=1e-14)
    assert found.bounds[1, 0] == 70
    np.testing.assert_allclose(found.bounds[0, 1], -22)


def test_use_that_refers_to_itself_or_to_nothing():
    with pytest.raises(Unreadable, match="refers to itself"):
        read('<g id="a"><use href="#a"/><rect width="1" height="1"/></g>')
    reading = read('<use href="#b"/><rect width="1" height="1"/>')
    assert "not there" in reading.notices[1].message


def test_nested_views():
    body = '<svg x="10" y="20" width="50" height="50" viewBox="0 0 5 10"><rect width="5" height="10"/></svg>'
    found = measure(body)
    assert float(found.moments.area) == 25 * 50
    assert found.bounds.tolist() == [[22.5, -70], [47.5, -20]]


@pytest.mark.parametrize(
    ("aspect", "corner"),
    [("xMinYMin", (0, 0)), (None, (0, 25)), ("xMaxYMax meet", (0, 50)), ("none", (0, 0)), ("xMidYMid slice", (-50, 0))],
)
def test_view_boxes_are_fitted(aspect, corner):
    found = fitted([0, 0, 10, 5], 100, 100, aspect)
    np.testing.assert_allclose(found.translation, corner)
    scale = {"none": (10, 20), "xMidYMid slice": (20, 20)}.get(aspect, (10, 10))
    np.testing.assert_allclose(np.diag(found.matrix), scale)


@pytest.mark.parametrize(
    ("attributes", "name", "metres"),
    [
        ("", "px", Fraction(254, 960000)),
        ('width="100mm" height="50mm" viewBox="0 0 100 50"', "mm", Fraction(1, 1000)),
        ('width="100mm" height="100mm" viewBox="-100 -200 500 500"', "user unit of 0.2 mm", Fraction(1, 5000)),
        ('width="2in" height="9in" viewBox="0 0 4 4"', "user unit of 12.7 mm", Fraction(127, 10000)),
        ('width="345.6pt" viewBox="0 0 345.6 345.6"', "pt", Fraction(254, 720000)),
        ('width="10" height="10" viewBox="0 0 10 10"', "px", Fraction(254, 960000)),
    ],
)
def test_the_length_of_a_user_unit(attributes, name, metres):
    unit = read('<rect width="1" height="1"/>', attributes).unit
    assert unit.name == name
    assert unit.metres == metres
    assert unit.said_by == ("screen" if name == "px" else "file")


def test_pixels_declare_no_length_however_they_are_scaled():
    for attributes, said_by in (
        ('width="10" height="5px" viewBox="0 0 20 10"', "screen"),
        ('width="96" viewBox="0 0 25.4 25.4"', "screen"),  # a user unit of 1 mm, by chance
        ('width="25.4mm" height="25.4mm" viewBox="0 0 96 96"', "file"),  # and of a pixel, as it says
        ('width="10mm" height="100%" viewBox="0 0 20 20"', "file"),
    ):
        assert read('<rect width="1" height="1"/>', attributes).unit.said_by == said_by


def test_units_that_are_not_known():
    assert read('<rect width="1" height="1"/>', 'viewBox="0 0 1 1"').unit is None
    assert read('<rect width="1" height="1"/>', 'width="100%" viewBox="0 0 1 1"').unit is None
    aspect = 'width="10" height="20" viewBox="0 0 1 1" preserveAspectRatio="none"'
    reading = read('<rect width="1" height="1"/>', aspect)
    assert reading.unit is None
    assert reading.notices[1].code == "stretched"


NESTED = "M0 0h4v4h-4zM1 1h1v1h-1z"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f'<path fill-rule="evenodd" d="{NESTED}"/>', 15),
        (f'<path fill-rule="nonzero" d="{NESTED}"/>', 16),
        (f'<g fill-rule="nonzero"><path d="{NESTED}"/></g>', 16),
        (f'<path style="fill-rule: nonzero" fill-rule="evenodd" d="{NESTED}"/>', 16),
        (f"<style>.solid {{ fill-rule: nonzero }}</style><path class='solid' d='{NESTED}'/>", 16),
        (f"<style>path {{ fill-rule: evenodd }} #p {{ fill-rule: nonzero }}</style><path id='p' d='{NESTED}'/>", 16),
        (f'<path d="{NESTED}"/>', 15),
    ],
)
def test_fill_rules(body, expected):
    assert area(body) == expected


def test_an_unstated_rule_that_would_fill_a_hole_is_told():
    notices = build_section(read(f'<path d="{NESTED}"/>').shapes).notices
    assert [notice.code for notice in notices] == ["fill_rule"]


def test_open_paths_are_closed_where_they_are_filled():
    open_path = '<path d="M0 0H4V3" {}/>'
    assert area(open_path.format("")) == 6
    with pytest.raises(OpenSurface):
        area(open_path.format('fill="none"'))
    with pytest.raises(OpenSurface):
        area(f'<g style="fill:none">{open_path.format("")}</g>')


def test_a_bow_tie_through_its_crossing():
    body = '<path d="M0 0L1 1L2 2L2 0L1 1L0 2Z"/>'
    with pytest.raises(SelfIntersecting):
        area(body)
    assert area(body, fill="evenodd") == 2


def test_what_is_not_drawn():
    body = """<rect width="1" height="1"/><text>words</text><image/><rect display="none" width="9" height="9"/>
    <rect visibility="hidden" width="9" height="9"/><clipPath id="k"><rect width="5" height="5"/></clipPath>
    <rect x="5" width="1" height="1" clip-path="url(#k)"/><linearGradient/>
    <g style="display:none"><circle r="4"/></g>"""
    reading = read(body)
    (notice,) = [notice for notice in reading.notices if notice.code == "ignored"]
    assert notice.details == {"text": 1, "image": 1, "hidden": 3, "clip-path": 1}
    assert float(build_section(reading.shapes).integrals.moments.area) == 2
    with pytest.raises(Empty, match="1 text"):
        read("<text>words</text>")


def square(side, attributes=""):
    return f'<rect width="{side}" height="{side}" {attributes}/>'


GERMAN, ENGLISH, FOREIGN = 'systemLanguage="de, fr"', 'systemLanguage="de, en-GB"', 'requiredExtensions="http://a.example"'


@pytest.mark.parametrize(
    ("branches", "side", "left_out"),
    [
        (square(1) + square(5), 1, 1),
        (square(1, GERMAN) + square(2), 2, 1),
        (square(1, GERMAN) + square(2, ENGLISH) + square(3), 2, 2),
        (square(1, 'systemLanguage=""') + square(2, 'systemLanguage="EN"'), 2, 1),
        (square(1, FOREIGN) + square(2, GERMAN) + f"<g>{square(3)}</g>", 3, 2),
        (square(1, 'requiredFeatures="http://www.w3.org/TR/SVG11/feature#Shape"') + square(2), 1, 1),
        (f"<title>words</title><foreignObject {FOREIGN}><p/></foreignObject><g>{square(3)}</g>", 3, 0),
        (f"<g {GERMAN}><text>Worte</text></g><switch>{square(4)}<text>words</text></switch>", 4, 0),
        (f"<g {GERMAN}><g>{square(1)}</g></g>{square(4)}", 4, 1),
    ],
)
def test_a_switch_shows_the_first_choice_whose_conditions_hold(branches, side, left_out):
    reading = read(f"<switch>{branches}</switch>")
    assert float(build_section(reading.shapes).integrals.moments.area) == side**2
    told = [notice.details for notice in reading.notices if notice.code == "ignored"]
    assert told == ([{"branch of a switch": left_out}] if left_out else [])


def test_conditions_hold_without_a_switch_too():
    reading = read(square(1, GERMAN) + f"<g {FOREIGN}>{square(2)}</g>" + square(3, ENGLISH))
    assert float(build_section(reading.shapes).integrals.moments.area) == 9
    assert reading.notices[-1].details == {"hidden": 2}
    with pytest.raises(Empty, match="2 branch of a switch"):
        read(f"<switch>{square(1, GERMAN)}{square(2, FOREIGN)}</switch>")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no xml",
        b"<svg>",
        b"<html/>",
        b"\x1f\x8bnonsense",
        b'<?xml version="1.0" encoding="nonsense"?><svg/>',
        b'<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><svg/>',
    ],
)
def test_what_is_no_svg(data):
    with pytest.raises(Unreadable):
        read_svg(data)


@pytest.mark.parametrize(
    "body",
    ['<rect width="-1" height="1"/>', '<circle r="-1"/>', '<rect width="1em" height="1"/>', '<polygon points="1 2 3"/>',
     '<rect id="r" width="x" height="1"/>', '<svg viewBox="0 0 a b"><rect/></svg>'],
)  # fmt: skip
def test_values_that_make_no_sense(body):
    with pytest.raises(Unreadable):
        read(body)


def test_views_that_make_no_sense():
    for box in ("1 2 3", "0 0 0 1", "a b c d", "0 0 1 nan"):
        with pytest.raises(Unreadable, match="viewBox"):
            read('<rect width="1" height="1"/>', f'viewBox="{box}"')


LISTS = [
    ("0,0.0  0,-100\t,\t1.0e-1-1e2,0,0", [0, 0, 0, -100, 0.1, -100, 0, 0]),
    ("10-5", [10, -5]),
    (".5.5", [0.5, 0.5]),
    ("1+2-.5e1.5", [1, 2, -5, 0.5]),
    ("1.-2.", [1, -2]),
    ("1e-005\n1E+003", [1e-5, 1e3]),
    (" ,1 2, ", [1, 2]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_numbers_need_nothing_between_them_where_there_is_no_doubt(text, expected):
    assert numbers(text) == expected


@pytest.mark.parametrize(
    "text",
    ["1_0", "1,,2", "1 , , 2", "1;2", "--1", "1-", "1e", "1e+", "1..", ".", "nan", "1 inf", "1px", "5%", "a", "0x1"],
)
def test_what_is_no_list_of_numbers(text):
    with pytest.raises(Unreadable, match=f"^{re.escape(repr(text))} where numbers are expected$"):
        numbers(text)


def test_polygons_and_views_without_separators():
    assert area('<polygon points="0,0 4-0 4-3"/>') == 4 * 3 / 2
    body = f'<svg width="9" height="9" viewBox="-1-1 3,3">{square(1)}</svg>'
    assert area(body) == (9 / 3) ** 2
    unit = read(square(1), 'width="6mm" height="6mm" viewBox="-1-1,3+3"').unit
    assert unit.metres == Fraction(2, 1000)
    with pytest.raises(Unreadable, match="viewBox"):
        read(square(1), 'viewBox="0 0 a 1 1"')


def test_exponents_of_three_digits():
    """Inkscape of old wrote them, on Windows."""
    found = measure('<rect x="1e+000" y="3.8999999e-005" width="4e000mm" height="3E-0000000001"/>').moments
    width, height = Fraction(4 * 960, 254), Fraction(3, 10)
    assert float(found.area) == pytest.approx(float(width * height), rel=1e-14)
    center = [1 + float(width / 2), -3.8999999e-5 - float(height / 2)]
    assert np.array(found.center, float) == pytest.approx(center, rel=1e-14)
    assert read(square(1), 'width="1e-001in" viewBox="0 0 1e+002 1e002"').unit.metres == Fraction(254, 10_000_000)
    for far in ("1e100", "1e-0000000000001", "1e999999999"):
        with pytest.raises(Unreadable, match="is no length"):
            read(f'<rect width="{far}" height="1"/>')


def test_entities_document_types_and_gzip():
    document = f'<!DOCTYPE svg [<!ENTITY side "4">]>{HEAD}><rect width="&side;" height="3"/></svg>'.encode()
    for data in (document, gzip.compress(document)):
        assert float(build_section(read_svg(data).shapes).integrals.moments.area) == 12


def test_style_sheets_and_numbers():
    sheet = StyleSheet.of(["/* c */ path.a, .b { fill : none } g > path { fill: red } .a { fill: blue }"])
    assert len(sheet.rules) == 3
    assert sheet.unread == 0  # it tells nothing of shapes
    assert numbers("1,2 3") == [1, 2, 3]
    assert numbers("") == []


@pytest.mark.parametrize(
    ("body", "expected", "center"),
    [
        ('<rect style="x:1;width:10px;height:5px"/>', 50, [6, -2.5]),
        ('<style>.a{width:10px;HEIGHT:5px}</style><rect class="a" width="1"/>', 50, [5, -2.5]),
        ('<rect width="10" height="10" rx="1" style="rx:5"/>', 25 * math.pi, [5, -5]),
        ('<circle r="1" style="cx:1in;r:2"/>', 4 * math.pi, [96, 0]),
        ("<path d=\"M0 0\" style=\"d:path('M0 0H10V10H0Z')\"/>", 100, [5, -5]),
        ('<path d="M0 0H1V1Z" style="d:none"/><circle r="1"/>', math.pi, [0, 0]),
        ('<rect width="4" height="4" transform="scale(2)" transform-origin="4 4"/>', 64, [0, 0]),
        ('<rect width="8" height="4" transform="rotate(90)" style="transform-origin:right 25%"/>', 32, [23, 11]),
        ('<rect width="8" height="4" transform="scale(2)" style="transform:none"/>', 32, [4, -2]),
        ('<circle id="a" r="1"/><use href="#a" style="x:5px;y:-2px"/>', 2 * math.pi, [2.5, 1]),
        (f'<svg style="x:2;width:4px;height:4px" viewBox="0 0 2 2">{square(1)}</svg>', 4, [3, -1]),
        ("<style>rect{width:3px!important}</style>" + square(5, 'style="width:9px"'), 15, [1.5, -2.5]),
        ("<style>rect{width:3px !important}</style>" + square(5, 'style="width:9px ! Important"'), 45, [4.5, -2.5]),
        ("<style>@media screen{rect{width:3px}} @font-face{x:y} @keyframes a{b{d:none}}</style>" + square(5), 15, None),
        ("<style>@import url(a.css); rect{width:3px} /* rect{width:9px}</style>" + square(5), 15, None),
        ("<style>rect:hover{display:none} g>path{fill:red}</style>" + square(5), 25, None),
    ],
)
def test_properties_of_styles_that_shape(body, expected, center):
    reading = read(body, 'viewBox="0 0 20 20"')
    assert [notice.code for notice in reading.notices] == ["y_up"]
    moments = build_section(reading.shapes).integrals.moments
    assert float(moments.area) == pytest.approx(expected, rel=1e-14)
    assert center is None or [float(x) for x in moments.center] == pytest.approx(center, abs=1e-13)


def test_style_elements_of_other_kinds():
    rule = "rect{width:3px}"
    for attributes, expected, told in (
        ("", 15, False),
        ('type="text/css" media="all"', 15, False),
        ('type="text/less"', 25, False),
        ('media="print"', 25, True),
    ):
        reading = read(f"<style {attributes}>{rule}</style>" + square(5))
        assert float(build_section(reading.shapes).integrals.moments.area) == expected
        assert any(notice.code == "ignored" for notice in reading.notices) == told


@pytest.mark.parametrize("rule", ["g rect{display:none}", "g>rect{r:3px}", "[x]{d:none}", "@media print{rect{r:1}}"])
def test_rules_that_are_not_read_are_told(rule):
    reading = read(f"<style>{rule}</style>" + square(5))
    assert reading.notices[-1].details == {"style rule": 1}


@pytest.mark.parametrize(
    "style", ["scale:2", "rotate:45deg", "translate:1px", "transform-origin:0 0;transform-box:fill-box", "width:2em"]
)
def test_properties_that_are_not_read_are_refused(style):
    with pytest.raises((Unsupported, Unreadable), match=r"not read|no length"):
        read(square(5, f'style="{style}"'))
    assert area(square(5, 'translate="no"')) == 25
    with pytest.raises(Unsupported, match="refX"):
        read(f'<symbol id="a" refX="5">{square(5)}</symbol><use href="#a"/>')


@pytest.mark.parametrize("text", ["/*" * 300_000, "@a " * 300_000, "a{x:" + " " * 300_000 + "b ! x}", "a" * 300_000])
def test_style_sheets_that_never_end(text):
    assert StyleSheet.of([text]).unread == 0
    with pytest.raises(Unreadable, match="nested"):
        StyleSheet.of(["@media all{a{b:c}" * 200])


def test_other_namespaces():
    other = 'xmlns:o="http://other.example"'
    shape = '<s:rect xmlns:s="http://www.w3.org/2000/svg" width="2" height="2"/>'
    shapes = shape + square(3, 'x="5" o:x="1" o:width="9"')
    body = f'<g {other}><o:rect width="7" height="7"/><o:g>{square(8)}</o:g>{shapes}</g>'
    assert area(body) == 4 + 9
    both = '<defs><rect id="a" width="2" height="2"/><rect id="b" width="3" height="3"/></defs>'
    for links in ('href="#a" xlink:href="#b"', 'xlink:href="#b" href="#a"', 'xlink:href="#a"'):
        assert area(f"{both}<use {links}/>") == 4
    assert read_svg(b'<svg><rect width="2" height="2"/></svg>').shapes


BOX = '<rect width="9" height="9" {}/>'


@pytest.mark.parametrize(
    "unseen",
    [
        BOX.format('fill="none"'),
        BOX.format('class="BoundingBox" stroke="none" fill="none"'),
        BOX.format('style="fill:transparent;stroke:#12345600"'),
        BOX.format('fill-opacity="0%"'),
        BOX.format('fill="rgba(9, 9, 9, 0.0)" stroke="hsl(9 9% 9% / 0)"'),
        BOX.format('fill="none" stroke="red" stroke-opacity=".0"'),
        BOX.format('opacity="0"'),
        f'<g opacity="0"><g opacity="1">{BOX.format("")}</g></g>',
        "<style>.b{fill:none}</style>" + BOX.format('class="b"'),
        '<line x2="9" y2="9"/>',
        '<g fill="none" stroke="none"><path d="M2 2L9 9"/></g>',
    ],
)
def test_shapes_that_nobody_sees_are_passed_over_and_told(unseen):
    """LibreOffice draws such a box around each shape that it exports."""
    reading = read(unseen + square(3))
    assert float(build_section(reading.shapes).integrals.moments.area) == 9
    (notice,) = [notice for notice in reading.notices if notice.code == "ignored"]
    assert notice.message == "passed over: 1 invisible"
    alone = read(unseen)
    assert len(alone.shapes) == 1
    assert [notice.code for notice in alone.notices] == ["y_up"]


@pytest.mark.parametrize(
    "seen",
    [
        BOX.format('fill="rgb(255,255,0)"'),
        BOX.format('fill="rgba(0,0,0)" opacity="0.1"'),
        BOX.format('fill="#000" stroke="none"'),
        BOX.format('fill="#f00" fill-opacity="0.5"'),
        BOX.format('fill="none" stroke="#000000"'),
        BOX.format('fill="url(#a) none"'),
        BOX.format('fill="none" style="stroke:red;stroke-width:0.1px"'),
        BOX.format('fill="none" stroke="red" stroke-width="0"'),
        '<g stroke="red" stroke-opacity="inherit">' + BOX.format('fill="none"') + "</g>",
        "<style>g > rect{stroke:red}</style>" + BOX.format('fill="none"'),
        "<style>@media print{rect{stroke:red}}</style>" + BOX.format('fill="none"'),
    ],
)
def test_shapes_that_are_seen_in_some_way_count(seen):
    reading = read(seen + square(3))
    assert float(build_section(reading.shapes).integrals.moments.area) == 81 - 9
    assert [notice.code for notice in reading.notices] == ["y_up"]


def told(body):
    found = build_section(read(body).shapes)
    assert float(found.integrals.moments.area) == 81 - 9
    return [notice.code for notice in found.notices]


SHEET = '<rect width="9" height="9" {}/>'
PATCH = '<rect x="2" y="1" width="3" height="3" {}/>'


@pytest.mark.parametrize(
    ("sheet", "patch"),
    [
        ("", ""),
        ('fill="#F00"', 'style="fill:#f00"'),
        ('fill="rgb(1, 2, 3)"', 'fill="rgb(1,2,3)" stroke="none"'),
        ('fill="white"', 'fill="black"'),
        ('fill="#FFFFFF"', 'fill="red"'),
        ('fill="url(#a)"', 'fill="url(#a)"'),
    ],
)
def test_filled_shapes_that_do_not_look_like_holes_are_told(sheet, patch):
    assert told(SHEET.format(sheet) + PATCH.format(patch)) == ["fill_rule"]


def test_shapes_hidden_behind_others_are_told():
    for patch in ('fill="red"', 'fill="white" stroke="black"', 'fill="none" stroke="red"'):
        assert told(PATCH.format(patch) + SHEET.format('fill="blue" stroke="black"')) == ["fill_rule"]
        assert told(PATCH.format(patch) + SHEET.format('fill="none" stroke="black"')) == []


@pytest.mark.parametrize(
    ("sheet", "patch"),
    [
        ('fill="red"', 'fill="white"'),
        ('fill="red"', 'fill="blue"'),
        ('fill="red" stroke="black"', 'fill="red" stroke="black"'),
        ('fill="white" stroke="black"', 'fill="white" stroke="black"'),
        ('fill="red"', 'fill="red" stroke="black"'),
        ('fill="none" stroke="black"', 'fill="none" stroke="black"'),
        ('fill="none" stroke="black"', 'fill="black"'),
        ('fill="red"', 'fill="none" stroke="black"'),
        ('fill="none"', 'fill="none"'),
        ("", 'fill="white" fill-opacity="0.5"'),
    ],
)
def test_filled_shapes_that_look_like_holes_are_not_told(sheet, patch):
    assert told(SHEET.format(sheet) + PATCH.format(patch)) == []
    assert told("<style>g > rect{fill:white}</style>" + SHEET.format("") + PATCH.format("")) == []


def test_the_innermost_shape_around_tells_what_is_hidden():
    disc = '<circle cx="4" cy="4" r="{}" fill="{}"/>'.format
    ring = SHEET.format('fill="red"') + disc(3, "white") + disc(2, "red")
    assert build_section(read(ring).shapes).notices == ()
    (notice,) = build_section(read(ring + disc(1, "red")).shapes).notices
    assert notice.details == {"loops": 1}
    dots = "".join(f'<circle cx="4" cy="{y}" r=".25"/>' for y in (3, 4, 5))
    (notice,) = build_section(read(SHEET.format("") + dots).shapes).notices
    assert notice.message.endswith("; so are 2 more")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("translate(10px, -.5in)", "translate(10 -48)"),
        ("rotate(90deg)", "rotate(90)"),
        ("rotate(0.25turn)", "rotate(90)"),
        ("rotate(100grad)", "rotate(90)"),
        ("rotate(1.5707963267948966rad)", "rotate(90)"),
        ("translateX(3px) translateY(-4px)", "translate(3 -4)"),
        ("scaleX(2) scaleY(-3)", "scale(2 -3)"),
        ("skew(30deg)", "skewX(30)"),
        ("skewX(30deg) scale(2)", "skewX(30) scale(2)"),
    ],
)
def test_transforms_of_styles_have_units(written, meant):
    one, other = (
        measure(f'<g {attribute}><rect x="1" y="2" width="4" height="3"/></g>').moments
        for attribute in (f'style="transform: {written}"', f'transform="{meant}"')
    )
    assert float(one.area) == pytest.approx(float(other.area), rel=1e-14)
    assert np.array(one.center, float) == pytest.approx(np.array(other.center, float), rel=1e-14)


@pytest.mark.parametrize(
    "written", ["rotate(90px)(", "translate(5%)", "translate(4em)", "rotate3d(1 2 3)", "skew(1 2 3)"]
)
def test_transforms_that_are_not_read(written):
    with pytest.raises(Unreadable):
        read(f'<g style="transform:{written}"><rect width="1" height="1"/></g>')


def test_a_size_of_the_picture_may_be_automatic():
    assert area(square(3), 'width="auto" height=" auto " viewBox="0 0 9 9"') == 9


CLIP = '<clipPath id="c"><rect x="1" y="2" width="4" height="3" {}/></clipPath>'


def clips_told(clip, clipped):
    return [notice.details for notice in read(clip + clipped).notices if notice.code == "ignored"]


@pytest.mark.parametrize(
    "clipped",
    [
        '<rect x="1" y="2" width="4" height="3" clip-path="url(#c)"/>',
        '<circle cx="3" cy="3.5" r="1.5" style="clip-path:url(&quot;#c&quot;)"/>',
        '<g clip-path="url(#c)" transform="rotate(30) scale(2 -3)"><path d="M1 2C2 4 3 5 5 5V2Z"/></g>',
        '<g transform="scale(9)"><g clip-path="url( #c )"><ellipse cx="2" cy="3" rx=".5" ry="1"/></g></g>',
    ],
)
def test_clips_around_all_they_clip_change_nothing(clipped):
    assert clips_told(CLIP.format(""), clipped) == []


@pytest.mark.parametrize(
    ("clip", "clipped"),
    [
        (CLIP.format(""), '<rect x="1" y="2" width="4.001" height="3" clip-path="url(#c)"/>'),
        (CLIP.format(""), '<g clip-path="url(#c)"><circle cx="3" cy="3.5" r="2"/><circle cx="9" cy="3.5" r="1"/></g>'),
        (CLIP.format(""), '<rect x="2" y="3" width="1" height="1" transform="scale(3)" clip-path="url(#d)"/>'),
        (CLIP.format('transform="translate(9)"'), '<circle cx="3" cy="3" r="1" clip-path="url(#c)"/>'),
        (CLIP.format('rx="1"'), '<circle cx="3" cy="3" r="1" clip-path="url(#c)"/>'),
        (CLIP.format('class="a"'), '<circle cx="3" cy="3" r="1" clip-path="url(#c)"/>'),
        (CLIP.format("").replace("rect", "circle"), '<circle cx="3" cy="3" r="1" clip-path="url(#c)"/>'),
        (
            CLIP.format("").replace("id=", 'clipPathUnits="objectBoundingBox" id='),
            '<circle cx="3" cy="3" r="1" clip-path="url(#c)"/>',
        ),
        ("", '<circle cx="3" cy="3" r="1" clip-path="circle(3px)"/>'),
    ],
)
def test_clips_that_may_cut_are_told(clip, clipped):
    assert clips_told(clip, clipped) == [{"clip-path": 1}]
