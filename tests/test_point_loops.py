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


def points(data):
    reading = read_points(data.encode())
    paths = [path.pieces[0].points[:-1].tolist() for path in reading.shapes[0].paths]
    return paths, [notice.code for notice in reading.notices]


HOUSE = [[0, 0], [10, 0], [10, 8.5], [5, 9.5], [0, 8.5]]


@pytest.mark.parametrize("separator", [";", "\t", " ; ", ";\t", " \t ", " "])
@pytest.mark.parametrize("zero", ["0", "0,0"])
@pytest.mark.parametrize("heading", ["", "Breite;Höhe\n", "x, y in mm\n\n"])
def test_a_comma_anywhere_beside_another_separator_is_decimal(separator, zero, heading):
    rows = [["0", zero], ["10", "0"], ["10", "8,5"], ["5", "9,5"], ["0", "8,5"]]
    assert points(heading + text(rows, separator)) == ([HOUSE], ["decimal_comma"])
    assert area(heading + text(rows, separator)) == 90


def test_decimal_commas_with_names_of_loops_quotes_and_blank_lines():
    assert points("0;0;a\n2,5;0;a\n0;1;a\n5;5;b\n6;5;b\n5;6,5;b\n") == (
        [[[0, 0], [2.5, 0], [0, 1]], [[5, 5], [6, 5], [5, 6.5]]],
        ["decimal_comma"],
    )
    assert points('"0";"0"\n"2,5";"0"\n"0";"1"\n') == ([[[0, 0], [2.5, 0], [0, 1]]], ["decimal_comma"])
    assert points("0,5 1,5 1\n2,5 1,5 1\n0,5 -1e1 1\n") == ([[[0.5, 1.5], [2.5, 1.5], [0.5, -10]]], ["decimal_comma"])
    assert points("0 0\n4 0\n0 1\n\n5 5\n6,5 5,5\n5 6\n")[1] == ["decimal_comma"]


def test_decimal_commas_within_quotes():
    triangle = [[0, 0], [4.5, 0], [0, 3.25]]
    assert points('"x","y"\n"0,0","0,0"\n"4,5","0,0"\n"0,0","3,25"\n') == ([triangle], ["decimal_comma"])
    assert points('0,0,"a, b"\n"4,5",0,"a, b"\n0,"32,5e-1",1\n') == (
        [[[0, 0], [4.5, 0]], [[0, 3.25]]],
        ["decimal_comma", "degenerate"],
    )
    assert points('"0,125",0\n"4,500",0\n0,"3,250"\n')[0] == [[[0.125, 0], [4.5, 0], [0, 3.25]]]


def test_a_mark_at_the_end_of_the_file_is_none_of_it():
    assert points("0 0\n4 0\n0 3\n\x1a") == points("0 0\n4 0\n0 3\n\x1a\x1a") == points("0 0\n4 0\n0 3\n")


def test_line_ends_that_were_translated_twice():
    """As Python's csv writes them into a text file on Windows."""
    rows = ["x,y", "0,0", "4,0", "0,3", "", "5,5", "6,5", "5,6"]
    assert points("\r\r\n".join(rows)) == points("\n".join(rows))
    (notice,) = read_points(b"0,0\n\n4,0\n\n0,3\n").notices
    assert notice.message == "3 loops are one point each and enclose nothing; are blank lines not meant to part loops?"


def test_exponents_of_fortran():
    data = "NACA 0012\n 0.0D+00  0.0D+00\n 4.00D+00 -.5d-01\n-1.D+000  0.3D+01\n"
    reading = read_points(data.encode(), "dat")
    assert reading.shapes[0].paths[0].pieces[0].points[:-1].tolist() == [[0, 0], [4, -0.05], [-1, 3]]
    names = read_points(b"0,0,1D+2\n4,0,1D+2\n0,3,1D+2\n1,1,2.0d\n2,1,2.0d\n1,2,2.0d\n")
    assert len(names.shapes[0].paths) == 2
    with pytest.raises(Unreadable, match="line 1"):
        read_points(b"1.0D,2\n3,4\n5,6\n")


def test_minus_signs_are_no_hyphens():
    for encoding in ("utf-8", "utf-16", "utf-8-sig"):
        data = "x,y\n\u22121,0\n3,\u22122e\u22121\n3,2\n".encode(encoding)
        assert read_points(data).shapes[0].paths[0].pieces[0].points[:-1].tolist() == [[-1, 0], [3, -0.2], [3, 2]]


def test_commas_that_are_not_decimal():
    triangle = [[0, 0], [4, 0], [0, 3.5]]
    assert points("0,\t0\n4,\t0\n0,\t3.5\n") == ([triangle], [])
    assert points("0,0\t\n\t4,0\n0,3.5\n") == ([triangle], [])
    assert points("0 0\n4,0\n0 3.5\n") == ([triangle], [])
    assert points("0,0 a\n4,0 a\n0,3.5 a\n") == ([triangle], [])
    assert points("0;0;a,1\n4;0;a,1\n0;3.5;a,1\n") == ([triangle], [])
    assert points('0,0,"a, b"\n4,0,"a, b"\n0,3.5,"a, b"\n') == ([triangle], [])


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("0;0\n1.5;0\n1,5;2\n", 3),
        ("0,5;0\n1;0\n1.5;2\n", 3),
        ("u;v\n1.234,5;0\n2;0\n0;1\n", 2),
        ("0;0\n2;0\n1,234.5;1\n", 3),
        ("0;0\n2;0\n1,234,5;1\n", 3),
        ("0.5,0.5;1\n1.5,0.5;1\n", 1),
        ("0;0\n1,;2\n3;4\n", 2),
        ("0,0 1\n1,0 1\n1,1 1\n", 1),
        ("0 0\n1 0\n\n1,5 2\n3,5 4\n", 4),
        ('"1,500",2\n3,4\n5,6\n', 1),
        ('"1,5",2\n"3,4,5",4\n5,6\n', 1),
        ('"1,5",2\n3.5,4\n5,6\n', 1),
        ('1,2\n3,4\n"1,234","5"\n', 3),
    ],
)
def test_what_may_be_read_in_two_ways(data, line):
    with pytest.raises(Unreadable, match=f"^line {line}: .* more than one way; write numbers with decimal points"):
        read_points(data.encode())


@pytest.mark.parametrize("quote", ['"0","0"\n', '"0",0\n', '"0" , "0"\n', 'u,"v"\n"0","0"\n', '"u, v"\n0,"0"\n'])
def test_quoted_numbers_are_numbers(quote):
    assert area(quote + "10,0\n10,8\n0,8\n") == 80


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("O,0", 1),
        ("O,O", 1),
        ("l0,1O", 1),
        ("O 0", 1),
        ("0;x", 1),
        ("u,v\n0mm,0mm", 2),
        ("u,v\n\nx,0", 3),
        ("thickness,12", 1),
        ("'0','0'", 1),
        ("0", 1),
        ('"0,0"', 1),
        ("#\nN/A,0", 2),
        ("N/A 0", 1),
        ("x 0", 1),
        ("U 0", 1),
        ("null,None", 1),
    ],
)
def test_a_broken_first_point_is_no_heading(first, line):
    separator = ";" if ";" in first else "," if "," in first else " "
    data = first + "\n" + text([(10, 0), (10, 8), (0, 8), (5, 5)], separator)
    with pytest.raises(Unreadable, match=f"^line {line}: .* two numbers are expected; correct it"):
        read_points(data.encode())
    with pytest.raises(Unreadable, match=f"^line {line}: "):
        read_points((first + "\n").encode())


@pytest.mark.parametrize(
    "name", ["NACA 0012", "S 1223", "20-32C AIRFOIL", "2032c", "0012", "23012 NACA", "FX 63,2-137", '"E 387"']
)
def test_names_of_airfoils_may_have_numbers(name):
    data = name + "\n1.0 0.0\n0.5 0.25\n0 0\n"
    assert area(data, format="dat") == 0.125
    if not name.startswith(("0012", "23012")):
        assert area(data) == 0.125
        assert area(data.replace(" 0", ", 0").replace(", 0012", " 0012")) == 0.125


@pytest.mark.parametrize(
    "heading", ["u,v\n---,---\n", "[mm],[mm]\n", "breadth in mm,height 2\n", "ü,ö\n", "profile 1\nu,v\n", '"u","v"\n']
)
def test_headings_of_words(heading):
    assert area(heading + text(L_SHAPE)) == 5


def test_a_million_points_are_not_looked_at_one_by_one(monkeypatch):
    from massprops.readers import decimal_commas, point_loops

    table = np.random.default_rng(1).normal(size=(1_000_000, 2)).round(3)
    for separator in (",", ";", " ", "\t", ", "):
        row = np.char.add(np.char.add(table[:1000, 0].astype(str), separator), table[:1000, 1].astype(str))
        data = ("\n".join(row) + "\n") * 1000
        calls = []
        with monkeypatch.context() as patch:
            number = point_loops.is_number
            patch.setattr(point_loops, "is_number", lambda word, n=number, c=calls: c.append(word) or n(word))
            for slow in ("_with_points", "_are_columns"):
                patch.setattr(decimal_commas, slow, None)
            found = read_points(data.encode()).shapes[0].paths[0].pieces[0].points
        assert (found[:1000] == table[:1000]).all()
        assert (len(found), len(calls)) == (1_000_001, 2)


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


def test_surfaces_apart_without_their_numbers_are_one_loop():
    """Each closed by a chord, they would lack what lies between the chords, or overlap."""
    x, y = naca(40)
    camber, blunt = 0.3 * x * (1 - x), 0.002 * x
    upper, lower = np.column_stack([x, camber + y + blunt]), np.column_stack([x, camber - y - blunt])
    selig = "cambered\n" + text(np.concatenate([upper[::-1], lower[1:]]), "  ")
    for first, second in ((upper, lower), (lower, upper), (upper[::-1], lower), (upper[::-1], lower[::-1])):
        apart = "cambered\n" + text(first, "  ") + "\n\n" + text(second, "  ")
        reading = read_points(apart.encode(), "dat")
        assert [notice.code for notice in reading.notices] == ["lednicer"]
        assert area(apart, format="dat") == pytest.approx(area(selig), rel=1e-15)
    flap = "two\n" + text(upper, "  ") + "\n\n" + text(np.add(lower, [1.1, 0]), "  ")
    assert len(read_points(flap.encode(), "dat").shapes[0].paths) == 2
    assert len(read_points(apart.encode()).shapes[0].paths) == 2


def test_a_heading_that_looks_like_counts_but_is_none_is_a_point():
    assert area("3 2\n0 0\n4 0\n") == 4
    assert read_points(b"3 2\n0 0\n4 0\n", "dat").notices == ()


def test_counts_that_are_not_those_of_the_file_are_told():
    data = b"N\n 41. 40.\n\n0 0\n.5 .1\n1 0\n\n0 0\n.5 -.1\n1 0\n"
    single, doubted = read_points(data, "dat").notices
    assert (single.code, single.details) == ("degenerate", {"loops": 1})
    assert doubted.code == "lednicer"
    assert "(41, 40), may be meant for the numbers of points on two surfaces, but 6 follow" in doubted.message
    assert len(read_points(data).notices) == 1


REMARKS = [
    "Profilbeiwerte\t\t\nProfildicke(d):\t7.85\t%\nNullauftrieb(a0):\t-2.6335\n",
    "Profildicke(d): 6,55 %\nMomentenbeiwert(cm0): -0,0615\n\nNullauftrieb(a 0): -2,3118\n",
    "http://a.example/?p=1,2\n6/7/2003\n14:55\n",
    "6/7/2003 http://a.example/\n500,000 and more.\n",
    "20 nov 2005\n\n\nby an author",
    "Polar\nalpha CL CD\n0.0 0.11 0.0071\n1.0 0.22 0.0072\n",
    "modif tracfoil\n0.00000     0.00102 -> 0.00001     0.00102\n",
    "ZZ",
]


@pytest.mark.parametrize("remarks", REMARKS)
@pytest.mark.parametrize("blank", ["", "\n", "\t\n\n"])
def test_remarks_below_the_points_of_an_airfoil_are_left_out_and_told(remarks, blank):
    points = "a name\n" + text(L_SHAPE, "  ") + "\n"
    reading = read_points((points + blank + remarks).encode(), "dat")
    (notice,) = reading.notices
    below = sum(bool(line.strip()) for line in remarks.split("\n"))
    assert (notice.code, notice.details) == ("trailing_bytes", {"lines": below})
    first, line = remarks.split("\n")[0].strip()[:40], 8 + blank.count("\n")
    assert notice.message.endswith(f"below the last point, from line {line} on: {first!r}")
    assert area(points + blank + remarks, format="dat") == 5
    with pytest.raises(Unreadable):
        read_points((points + blank + remarks).encode())


def test_remarks_below_other_layouts_of_airfoils():
    x, y = naca(40)
    upper, lower = text(np.column_stack([x, y]), "  "), text(np.column_stack([x, -y]), "  ")
    lednicer = f"NACA 0012\n40. 40.\n\n{upper}\n\n{lower}\n"
    told = read_points((lednicer + "\ndrawn by hand\n").encode(), "dat").notices
    assert [notice.code for notice in told] == ["trailing_bytes", "lednicer"]
    assert area(lednicer + "\ndrawn by hand\n", format="dat") == area(lednicer, format="dat")
    decimal = "a name\n0,0 0,0\n4,5 0,0\n0,0 3,5\nTiefe 6,5 %\n"
    assert area(decimal, format="dat") == 4.5 * 3.5 / 2
    assert area("a name\n0,0,a\n4,0,a\n0,3,a\n\nby hand\nCL CD\n1,2,3,4\n", format="dat") == 6


@pytest.mark.parametrize(
    "below",
    [
        "Lower surface\n0 0\n0.5 -0.1\n1 0\n",
        "\nflap\n1.1 0\n1.2 -0.1\n1.3 0\n",
        "\nLower surface\n0,0\n0,5 -0,1\n",
        "\nslat\nx y\n-0.1 O.1\n",
        "Lower surface\n0.0 0.0 leading edge\n",
        "Polar\nalpha CL\n1.0 0.11\n",
    ],
)
def test_points_below_words_are_never_left_out(below):
    data = "a name\n1 0\n0.5 0.25\n0.25 0.2\n0 0\n" + below
    with pytest.raises(Unreadable, match=r": '\w+.*' is no point, but line \d+ below it looks like one") as told:
        read_points(data.encode(), "dat")
    number = 6 + below.startswith("\n")
    assert str(told.value).startswith(f"line {number}: ")


@pytest.mark.parametrize(
    "last", ["0.0 O.0", "0.0 0.1x", "0 0 trailing edge", "0 O.1 trailing edge", "0.5 abc", "x 0.5", "0.5", "(0.2)", "x"]
)
def test_a_last_point_that_is_mistyped_is_no_remark(last):
    for further in ("", "\nby hand\n"):
        with pytest.raises(Unreadable, match="line 5"):
            read_points(f"a name\n1 0\n0.5 0.25\n0.25 0.2\n{last}\n{further}".encode(), "dat")
    with pytest.raises(Unreadable, match="line 4"):
        read_points(f"a name\n1 0 a\n2 0 a\n{last} a\nby hand\n".encode(), "dat")


def test_words_below_fewer_than_three_points_are_refused():
    with pytest.raises(Unreadable, match="line 4: 'by hand and eye'"):
        read_points(b"a name\n1 0\n0.5 0.25\nby hand and eye\n", "dat")


def test_a_box_of_mses_is_a_heading():
    points = text(L_SHAPE, "   ") + "\n"
    box = "NE100\n   -2.000000    3.000000   -2.500000    3.500000\n"
    reading = read_points((box + points).encode(), "dat")
    assert reading.notices == ()
    assert reading.shapes[0].paths[0].pieces[0].points[:-1].tolist() == [[u, v] for u, v in L_SHAPE]
    two = box + points + " 999.0  999.\n" + text(np.add(L_SHAPE, [10, 0]), " ")
    assert len(read_points(two.encode(), "dat").shapes[0].paths) == 2
    assert area(two, format="dat") == 10
    with pytest.raises(Unreadable, match="line 2"):
        read_points((box + points).encode())


@pytest.mark.parametrize(
    ("above", "line"), [("-2 3 -2 3\n", 1), ("a\n3 -2 -2 3\n", 2), ("a\n-2 3 -2\n", 3), ("a\n0 1 0 1\n0 1 0 1\n", 2)]
)
def test_four_numbers_that_are_no_box(above, line):
    with pytest.raises(Unreadable, match=f"line {line}"):
        read_points((above + text(L_SHAPE, " ")).encode(), "dat")


def test_loops_of_one_point_are_told():
    reading = read_points(b"0,0,a\n1,0,a\n5,5,b\n0,1,c\n9,9,d\n8,9,d\n9,8,d\n")
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("degenerate", {"loops": 2})
    assert notice.message.startswith("2 loops are one point each and enclose nothing")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("0,0\n1,0\n1\n", "line 3: '1' where 2 columns"),
        ("0,0\n1,0\n1,x\n", "line 3: '1 x' where two numbers are"),
        ("0,0\n1,0\n1,1,7\n", "line 3"),
        ("0,0,1,1\n1,0,1,1\n", "line 1"),
        ("0,0\n1_0,0\n1,1\n", "line 2: '1_0 0'"),
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
