"""Headings that say which column is which."""

import pytest

from massprops.core.outline import build_section
from massprops.errors import Unreadable
from massprops.readers.column_names import column_names
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
                "x,height", "yes,x-ray", "y2,x2"],
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


@pytest.mark.parametrize("heading", ["id,x,y", "loop;u;v", "x,id,y", "no y x"])
def test_coordinates_in_other_columns_are_refused(heading):
    with pytest.raises(Unreadable, match=r"^line 2: .* calls other columns than the first two coordinates"):
        read("a plate\n" + heading, [(k, *p) for k, p in enumerate(POINTS)])


def test_no_heading():
    assert column_names([]) == column_names(["", " ", "#"]) == (False, "", 0, ())
