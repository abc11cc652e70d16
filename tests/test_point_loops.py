"""Lists of points: CSV and airfoils."""

import numpy as np
import pytest

from massprops.core.outline import build_section
from massprops.errors import Empty, NonFinite, Unreadable
from massprops.readers.point_loops import read_points

L_SHAPE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]


def text(points, separator=","):
    return "\n".join(separator.join(str(x) for x in point) for point in points)


def area(data, **options):
    return float(build_section(read_points(data.encode(), **options).shapes).integrals.moments.area)


@pytest.mark.parametrize("separator", [",", ";", " ", "\t", " , ", "   "])
@pytest.mark.parametrize("heading", ["", "u,v\n", "a profile, drawn\nu v\n", "# u v\n"])
def test_separators_and_headings(separator, heading):
    assert area(heading + text(L_SHAPE, separator) + "\n") == 5


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n\n"])
def test_line_ends(end):
    if end == "\n\n":
        assert area("\n\n" + text(L_SHAPE) + "\n\n\n") == 5
    else:
        assert area(text(L_SHAPE).replace("\n", end)) == 5


def test_loops_by_blank_lines_or_by_a_third_column():
    outer, hole = [(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 1), (2, 1), (2, 2), (1, 2)]
    assert area(text(outer) + "\n\n" + text(hole)) == 15
    assert area(text([(*p, 0) for p in outer] + [(*p, 1) for p in hole])) == 15
    assert area("u,v,loop\n" + text([(*p, "out") for p in outer] + [(*p, "in") for p in hole])) == 15


def test_a_repeated_first_point_changes_nothing():
    assert area(text([*L_SHAPE, L_SHAPE[0]])) == 5


def test_decimal_commas_are_told():
    reading = read_points(b"0,0;0,0\n2,5;0,0\n2,5;1,5\n")
    assert [notice.code for notice in reading.notices] == ["decimal_comma"]
    assert float(build_section(reading.shapes).integrals.moments.area) == 2.5 * 1.5 / 2


def naca(count):
    """Half thickness of a NACA 0012 section at cosine spaced stations."""
    x = (1 - np.cos(np.linspace(0, np.pi, count))) / 2
    return x, 0.6 * (0.2969 * np.sqrt(x) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)


def test_both_layouts_of_airfoils_are_the_same_section():
    x, y = naca(40)
    upper, lower = np.column_stack([x, y]), np.column_stack([x, -y])
    selig = "NACA 0012\n" + text(np.concatenate([upper[::-1], lower[1:]]), "  ")
    lednicer = f"NACA 0012 Lednicer\n  {len(x)}.  {len(x)}.\n\n" + text(upper, "  ") + "\n\n" + text(lower, "  ")
    reading = read_points(lednicer.encode(), "dat")
    assert [notice.code for notice in reading.notices] == ["lednicer"]
    assert reading.format == "dat"
    assert area(lednicer) == area(selig)
    assert area(selig) == pytest.approx(0.0817, abs=3e-4)


def test_a_heading_that_looks_like_counts_but_is_none_is_a_point():
    assert area("3 2\n0 0\n4 0\n") == 4


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("0,0\n1,0\n1\n", "line 3: '1' where 2 columns"),
        ("0,0\n1,0\n1,x\n", "line 3: '1 x' where 2 columns"),
        ("0,0\n1,0\n1,1,7\n", "line 3"),
        ("0,0,1,1\n1,0,1,1\n", "line 1"),
        ("a text\nwithout\nany\nnumber\nat all\n", "line 4"),
    ],
)
def test_what_is_no_list_of_points(data, message):
    with pytest.raises(Unreadable, match=message):
        read_points(data.encode())


def test_what_is_empty_or_not_finite():
    for data in (b"", b"\n\n", b"u,v\n", b"# nothing\n"):
        with pytest.raises(Empty):
            read_points(data)
    with pytest.raises(NonFinite, match="line 3"):
        read_points(b"u v\n0 0\nnan 0\n1 1\n")
    with pytest.raises(NonFinite, match="line 2"):
        read_points(b"0 0 a\n1 inf a\n1 1 a\n")
    with pytest.raises(Unreadable, match="binary"):
        read_points(b"\x00\x01\x02\x03 1 2")
