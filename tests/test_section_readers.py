"""Which reader a section goes to, and the library function."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from massprops import MassPropsError, MassPropsWarning
from massprops.core.curve import Curve, Loop
from massprops.core.segments import Arc
from massprops.errors import Empty, NonFinite, NotFound, OpenSurface, Unsupported
from massprops.readers.sections import SECTION_FORMATS, read_section, section_format
from massprops.sections import section_properties, section_reading

DXF = b"0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n8\n0\n10\n0.0\n20\n0.0\n40\n1.5\n0\nENDSEC\n0\nEOF\n"
SVG = b'<?xml version="1.0"?>\n<!-- c -->\n<svg xmlns="http://www.w3.org/2000/svg"><rect width="3" height="2"/></svg>'
GEOJSON = b'{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [0, 3]]]}'
CSV = b"u,v\n0,0\n4,0\n0,3\n"


@pytest.mark.parametrize(
    ("suffix", "head", "format"),
    [
        ("dxf", b"", "dxf"),
        ("svgz", b"\x1f\x8b", "svg"),
        ("tsv", b"", "csv"),
        ("", DXF, "dxf"),
        ("", b"999\ncomment\n" + DXF, "dxf"),
        ("", b"AutoCAD Binary DXF\r\n\x1a\x00", "dxf"),
        ("xml", SVG, "svg"),
        ("json", GEOJSON, "geojson"),
        ("txt", b"POLYGON ((0 0, 1 0, 1 1))", "wkt"),
        ("", b"SRID=4326;MULTIPOLYGON (((0 0", "wkt"),
        ("", CSV, "csv"),
        ("", b"NACA 0012\n 1.0 0.0\n 0.5 0.06\n 0.0 0.0\n", "csv"),
        ("", b"0,5;1,5\n2,5;1,5\n2;3,5\n", "csv"),
        ("", b"x;y;loop\n0,5;1,5;a\n2,5;1,5;a\n2;3,5e0;b;\n", "csv"),
        ("txt", b"0,5 1,5\n2,5 1,5\n2 3,5\n", "csv"),
        ("", b'"x","y"\n"0.5","1.5"\n"2.5", "1"\n2,"3.5","the first"\n', "csv"),
        ("", b'"0,5";"1,5"\n"2,5";"1,5"\n"2";"3,5"\n', "csv"),
        ("", b"1,2,3,4\n5,6,7,8\n9,1,2,3\n", None),
        ("", b"x\n" + b"1 " + 5000 * b"1" + b"!\n1 2\n3 4\n", None),
        ("stl", CSV, None),
        ("", b"solid part\nfacet normal 0 0 1\n", None),
        ("", b"v 0 0 0\nv 1 0 0\nv 1 1 0\n", None),
        ("json", b'{"asset": {"version": "2.0"}}', None),
        ("", b"", None),
    ],
)
def test_the_format_by_suffix_and_by_contents(suffix, head, format):
    assert section_format(suffix, head) == format


@pytest.mark.parametrize("text", ["0,5;1,5\n2,5;1,5\n2;3,5\n", '"0.5","1.5"\n"2.5","1.5"\n"2","3.5"\n'])
def test_a_list_of_points_needs_no_suffix(tmp_path, text):
    path = tmp_path / "points"
    path.write_text(text)
    (shape,) = section_reading(str(path)).shapes
    assert shape.paths[0].pieces[0].points[:-1].tolist() == [[0.5, 1.5], [2.5, 1.5], [2, 3.5]]


@pytest.mark.parametrize(
    ("format", "data"),
    [("dxf", DXF), ("svg", SVG), ("geojson", GEOJSON), ("wkt", b"POLYGON ((0 0, 1 0, 1 1))"), ("dat", CSV)],
)
def test_every_format_is_read(format, data):
    if format == "dxf":
        pytest.importorskip("ezdxf")
    assert format in SECTION_FORMATS.values()
    assert read_section(data, format).format == format


def test_what_is_not_read():
    with pytest.raises(Unsupported, match="no format of sections"):
        read_section(b"", "step")
    with pytest.raises(Unsupported, match="no layers"):
        read_section(CSV, "csv", layers=["0"])


def test_the_library_takes_files(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    (tmp_path / "b.svg").write_bytes(SVG)
    (tmp_path / "c").write_bytes(CSV)
    assert section_properties(tmp_path / "a.csv", density=2).mass == 12
    assert section_properties(str(tmp_path / "b.svg")).center.tolist() == [1.5, -1]
    assert section_reading(str(tmp_path / "c")).format == "csv"
    with pytest.raises(NotFound):
        section_properties(tmp_path / "none.csv")
    (tmp_path / "d.stl").write_bytes(b"solid\nendsolid\n")
    with pytest.raises(Unsupported, match="--format"):
        section_properties(tmp_path / "d.stl")


def test_the_library_takes_coordinates_and_curves():
    square = np.array([[0.0, 4, 4, 0], [0, 0, 4, 4]])
    assert section_properties((square[0], square[1])).area == 16
    u, v = np.concatenate([square[0], square[0] / 4 + 1]), np.concatenate([square[1], square[1] / 4 + 1])
    assert section_properties((u, v, [4, 4])).area == 15
    with pytest.warns(MassPropsWarning, match=r"overlap: .* their union has the area 16") as caught:
        found = section_properties((u, v, [4, 4]), winding="as_drawn")
    assert (found.area, found.warnings, len(caught)) == (17, caught[0].message.notices, 1)
    assert section_properties((u, v, [4, 4]), fill="nonzero").area == 16
    half_disc = Curve((Loop((Arc.circle([0, 0], 1, 0, math.pi),)),))
    assert section_properties(half_disc).area == pytest.approx(math.pi / 2, rel=1e-15)
    found = section_properties((square[0], square[1]), about=(0, 0))
    assert found.second_moments_about.tolist() == [4**4 / 3, 4**4 / 3, 64]
    assert found.about.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("section", "options", "error"),
    [
        (([0, 1, 1], [0, 0, 1]), {"density": 0}, ValueError),
        (([0, 1, 1], [0, 0, 1]), {"density": math.nan}, ValueError),
        (([0, 1, 1], [0, 0, 1]), {"about": [0, 0, 0]}, ValueError),
        (([0, 1, 1], [0, 0, 1]), {"about": [0, math.inf]}, ValueError),
        (([0, 1, 1], [0, 0, 1]), {"fill": "odd"}, ValueError),
        (([0, 1, 1], [0, 0, 1]), {"winding": "left"}, ValueError),
        (([0, 1, 1], [0, 0]), {}, ValueError),
        (([0, 1, 1], [0, 0, 1], [2, 2]), {}, ValueError),
        ((["a"], ["b"]), {}, ValueError),
        (([], []), {}, Empty),
        (3.0, {}, TypeError),
    ],
)
def test_arguments_that_make_no_sense(section, options, error):
    with pytest.raises(error):
        section_properties(section, **options)


@pytest.mark.parametrize("density", [np.int64(3), np.float32(3), np.array(3.0), Fraction(3), Decimal(3)])
def test_numbers_of_any_kind(density):
    found = section_properties(([0, 4, 4], [0, 0, 3]), density, about=np.float32([1, 2]))
    assert (found.mass, found.about.tolist(), found.warnings) == (18, [1, 2], ())


@pytest.mark.parametrize(("options", "told"), [({"density": "3"}, "density"), ({"about": [None, 1]}, "about")])
def test_what_is_no_number_is_refused_by_name(options, told):
    with pytest.raises(TypeError, match=told):
        section_properties(([0, 4, 4], [0, 0, 3]), **options)


@pytest.mark.parametrize("u", [[0, 4j, 4], np.ma.array([0, 4, 4], mask=[0, 1, 0]), np.array([0, 4, 4], object)])
def test_coordinates_of_other_kinds_are_refused(u):
    with pytest.raises(ValueError, match="coordinates of polygons"):
        section_properties((u, [0, 0, 3]))


@pytest.mark.parametrize(
    ("section", "told"),
    [
        (([0, 1, 1, 0], [0, 0, 1]), "4 of u and 3 of v, where there must be as many of both"),
        (([0, 1, 1, 0], [[0, 0], [1]]), "nested sequences of different lengths"),
        (([0, 1, 1, 0], [0, 0, 1, 1], [5, -1]), "loop_sizes: a loop of -1 corners"),
        (([0, 1, 1, 0], [0, 0, 1, 1], [3]), "loop_sizes add up to 3, not to 4 corners"),
        (([0, 1, 1, 0], [0, 0, 1, 1], [1.5, 2.5]), "loop_sizes: whole numbers are wanted"),
        (([0, 1, 1, 0], [0, 0, 1, 1], [math.inf]), "loop_sizes: whole numbers are wanted"),
        (([0, 1, 1, 0], [0, 0, 1, 1], 4), "loop_sizes: whole numbers are wanted"),
        (([0, 1, 1, 0], [0, 0, 1, 1], [[1], [1, 2]]), "loop_sizes: whole numbers are wanted"),
        (([0, 1, 1, 0], [0, 0, 1, 1], "4"), "loop_sizes: whole numbers are wanted"),
    ],
)
def test_corners_and_loops_that_do_not_fit_are_told(section, told):
    with pytest.raises(ValueError, match=f"^coordinates of polygons: {told}"):
        section_properties(section)


def test_sizes_of_loops_may_be_whole_floats():
    assert section_properties(([0, 1, 1, 0], [0, 0, 1, 1], [4.0])).area == 1


def test_the_file_is_named_in_front_of_what_is_wrong_with_it(tmp_path):
    path = tmp_path / "none.csv"
    with pytest.raises(NotFound, match=r"none\.csv: there is no such file$") as caught:
        section_properties(path)
    assert caught.value.message == str(caught.value)
    (tmp_path / "flat.csv").write_text("0,0\n1,0\n2,0\n")
    with pytest.raises(MassPropsError, match=r"flat\.csv: ") as flat:
        section_properties(str(tmp_path / "flat.csv"))
    assert flat.value.status == "zero_area"


def test_that_svg_points_up_is_kept_and_no_warning(tmp_path):
    path = tmp_path / "disc.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>')
    assert [notice.code for notice in section_properties(path).warnings] == ["y_up"]


def test_joining_across_gaps(tmp_path):
    path = tmp_path / "open.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" d="M0 0H4V3H0V.1"/></svg>')
    with pytest.raises(OpenSurface):
        section_properties(path)
    with pytest.warns(MassPropsWarning, match="joined"):
        assert section_properties(path, join_tolerance=0.2).area == pytest.approx(12)


@pytest.mark.parametrize("points", [[(0, 0), (4, 0), (4, 2)], [(0, 0), (4, 0), (4, 2), (0, 2)], np.eye(4, 2)])
def test_points_where_columns_are_wanted(points):
    with pytest.raises((TypeError, ValueError), match=r"; of points, give the columns: \(points"):
        section_properties(points)


@pytest.mark.parametrize("size", [1e76, 1e160, 1e308, np.inf])
def test_coordinates_whose_moments_do_not_fit_are_refused_from_arrays_too(size):
    arrays = [0, size, size, 0], [0, 0, size, size]
    sections = [arrays, (*arrays, [4]), *([Curve.from_loops(*arrays)] if np.isfinite(size) else [])]
    for section in sections:
        with pytest.raises(NonFinite, match=r"larger than 1e\+75"):
            section_properties(section)
