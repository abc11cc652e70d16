"""Headings that say which column is which."""

import pytest

from massprops.core.outline import build_section
from massprops.errors import Unreadable
from massprops.readers.column_names import column_names
from massprops.readers.column_order import points_first
from massprops.readers.point_loops import read_points

POINTS = [(0, 0), (5, 0), (5, 1), (0, 2)]


def read(heading, points=POINTS, separator=",", **options):
    rows = "\n".join(separator.join(str(x) for x in point) for point in points)
    return read_points(f"{heading}\n{rows}\n".encode(), **options)


def corners(reading):
    return [[tuple(p) for p in path.pieces[0].points[:-1].tolist()] for path in reading.shapes[0].paths]


SWAPPED = [(v, u) for u, v in POINTS]


@pytest.mark.parametrize(
    ("heading", "separator"),
    [
        ("y,x", ","), ("Y, X", ","), ("v;u", ";"), ("Y\tX", "\t"), ("y x", " "), ('"y","x"', ","),
        ("y [mm],x [mm]", ","),
        ("y (mm)   x (mm)", " "), ("y_mm,x_mm", ","), ("y/c x/c", " "), ("Y in mm; X in mm", ";"), ("y, x in mm", ","),
        ("y coordinate,x coordinate", ","), ("coord_y;coord_x", ";"), ("POINT_Y,POINT_X", ","),
        ("Y-Koordinate;X-Koordinate", ";"),
        ("Northing,Easting", ","), ("Hochwert [m];Rechtswert [m]", ";"), ("lat,lon", ","), ("Ordonnée;Abscisse", ";"),
        ("ordinate_mm abscissa_mm", " "), ("Latitude,Longitude", ","), ("ypos,xpos", ","),
        ("a plate\n\ny,x\n", ","), ("# y,x", ","), ("y,x # of a plate", ","), ("y,x [µm]", ","),
    ],
)  # fmt: skip
def test_columns_that_are_called_the_other_way_round(heading, separator):
    reading = read(heading, separator=separator)
    assert corners(reading) == [SWAPPED]
    (notice,) = reading.notices
    assert notice.code == "columns"
    assert notice.message.endswith(": u is taken from column 2, v from column 1")


@pytest.mark.parametrize(
    "heading", ["x,y", "u,v", "X [mm]; Y [mm]", "x/c y/c", "y,z", "x,z", "width,height", "# y x of a wing", "y", "yx",
                "x,height", "yes,x-ray", "y2,x2", "Easting [m];Northing [m]", "X Coordinate,Y Coordinate",
                "long,short"],
)  # fmt: skip
def test_columns_that_are_as_they_are_called(heading):
    reading = read(heading)
    assert corners(reading) == [POINTS]
    assert reading.notices == ()


@pytest.mark.parametrize("heading", ["z,y", "z,x", "x,x", "u,y", "y,u"])
def test_names_that_are_unclear_are_told(heading):
    reading = read(heading)
    assert corners(reading) == [POINTS]
    (notice,) = reading.notices
    assert notice.code == "columns"
    assert notice.message.endswith("u is taken from column 1, v from column 2")


def test_names_of_loops_beside_them():
    rows = [(*p, "a") for p in POINTS] + [(*p, "b") for p in [(1, 0.5), (2, 0.5), (2, 0.75)]]
    reading = read("y,x,loop", rows)
    assert corners(reading) == [SWAPPED, [(0.5, 1), (0.5, 2), (0.75, 2)]]
    found, straight = (build_section(r.shapes).integrals.moments for r in (reading, read("x,y,loop", rows)))
    assert found.area == straight.area
    assert found.center.tolist() == straight.center.tolist()[::-1]


def test_a_third_coordinate():
    flat, steep = [(*p, 3) for p in POINTS], [(*p, k) for k, p in enumerate(POINTS)]
    assert corners(read("x,y,z", flat)) == [POINTS]
    assert corners(read("y,x,z", flat)) == [SWAPPED]
    for heading in ("x,y,z", "Y [mm],X [mm],Z [mm]", "x,z,y"):
        with pytest.raises(Unreadable, match=r"^line 1: the third column is called [yz] and differs"):
            read(heading, steep)
    named = [(*p, "a" if p[0] else "b") for p in POINTS]
    with pytest.raises(Unreadable, match="third column"):
        read("x,y,z", named)


@pytest.mark.parametrize("heading", ["x,id,y", "x;loop;v"])
def test_coordinates_in_other_columns_are_refused(heading):
    with pytest.raises(Unreadable, match=r"^line 2: .* calls other columns than the first two coordinates"):
        read("a plate\n" + heading, [(k, *p) for k, p in enumerate(POINTS)])


def test_brackets_of_a_heading_are_looked_at_once():
    assert corners(read("y [a],x (b)" + "(" * 300_000)) == [POINTS]
    assert corners(read("y ((mm)),x ((mm)")) == [POINTS]
    assert corners(read("y (mm),x {mm}")) == [SWAPPED]


def test_no_heading():
    assert column_names([]) == column_names(["", " ", "#"]) == (False, "", 0, ())


LOOPS = [("a", *p) for p in POINTS] + [("b", *p) for p in [(1, 0.5), (2, 0.5), (2, 0.75)]]


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
@pytest.mark.parametrize(
    "heading", ["id x y", "No. u v", "Point\tX [mm]\tY [mm]", "a plate\nid;x coord;y coord\n[1]"]
)
def test_numbers_of_points_in_front(heading, separator):
    if separator == " " and "mm" in heading:
        heading = "# id x y"
    rows = [(k + 7, *p) for k, p in enumerate(POINTS)]
    reading = read(heading.replace(" ", separator) if heading in ("id x y", "No. u v") else heading, rows, separator)
    assert corners(reading) == [POINTS]
    assert reading.notices == ()


@pytest.mark.parametrize(
    "heading", [",x,y", '"",x,y', ",0,1", '"","x","y"', "Point No,X Coordinate,Y Coordinate", "Point #,x,y", "#,x,y",
                "OBJECTID,POINT_X,POINT_Y", "nr,easting,northing"],
)  # fmt: skip
def test_an_index_in_front_is_none_of_the_coordinates(heading):
    """Columns 1 and 2 would enclose an area too, wherever some points have the same y."""
    shape = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    reading = read(heading, [(k, *p) for k, p in enumerate(shape)])
    assert corners(reading) == [shape]
    assert reading.notices == ()
    again = read(heading, [(k % 8, *shape[k % 8]) for k in range(9)])
    assert build_section(again.shapes).integrals.moments.area == 5


def test_an_index_beside_headings_of_two_names():
    rows = [(k, *p) for k, p in enumerate(POINTS)]
    for first, heading in ((0, "   x  y"), (1, '"x" "y"')):
        assert corners(read(heading, [(k + first, *p) for k, *p in rows], " ")) == [POINTS]
    loops = [(0, 0, "a"), (1, 0, "a"), (2, 5, "a")]
    assert corners(read("x y", loops, " ")) == [[(0, 0), (1, 0), (2, 5)]]
    assert corners(read("x y", [(5, 0, 1), (6, 0, 1), (5, 9, 1), (1, 0, 2), (2, 0, 2), (1, 9, 2)], " ")) == [
        [(5, 0), (6, 0), (5, 9)],
        [(1, 0), (2, 0), (1, 9)],
    ]


def test_names_of_loops_in_front():
    reading = read("loop,x,y", LOOPS)
    assert corners(reading) == [POINTS, [(1, 0.5), (2, 0.5), (2, 0.75)]]
    assert corners(read("loop,y,x", LOOPS))[0] == SWAPPED
    german = read("loop;x;y", [(*row[:2], str(row[2]).replace(".", ",")) for row in LOOPS], ";")
    assert [notice.code for notice in german.notices] == ["decimal_comma"]
    assert corners(german) == corners(reading)
    assert corners(read("loop,x,y", [("", *p) for p in POINTS])) == [POINTS]


def test_a_third_column_that_names_points():
    for rows in ([(*p, k) for k, p in enumerate(POINTS)], [(*p, f"P{k}") for k, p in enumerate(POINTS)]):
        for heading in ("x,y,name", "# a plate"):
            reading = read(heading, [*rows, rows[0]])
            assert corners(reading) == [[*POINTS, POINTS[0]]]
            (notice,) = reading.notices
            assert notice.code == "columns"
            assert notice.message.startswith("the third column is another at each point")


def test_what_keeps_its_order():
    assert corners(read_points(b",0,1\n,4,0\n,4,4\n")) == [[(0, 1), (4, 0), (4, 4)]]
    for text in ("x,y,id\n0,0,1\n", "id,x,y\n", "id,x,y\nwords,of,it\n", "0,0,1\n4,0,1\n", ""):
        found = points_first(text, text.split("\n", 3)[:3])
        assert (found.text, found.is_moved) == (text, False)
