"""Tables with a column of well-known text."""

import pytest

from massprops.core.outline import build_section
from massprops.errors import NonFinite, Unreadable, Unsupported
from massprops.readers.sections import read_section
from massprops.readers.wkt_tables import wkt_of_table

PLATE = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))"
OTHER = "MULTIPOLYGON (((10 0, 14 0, 14 1, 10 0)), ((20 0, 21 0, 21 1, 20 0)))"


def read(text, format="csv"):
    found = read_section(text.encode(), format)
    return float(build_section(found.shapes).integrals.moments.area), [n.code for n in found.notices], found.format


@pytest.mark.parametrize(
    "table",
    [
        f'WKT,id\n"{PLATE}",1\n"{OTHER}",2\n',
        f'\ufeffid,name,geom\r\n1,"a (b), c","{PLATE}"\r\n2,,"{OTHER}"\r\n',
        f"id;geometry\n1;{PLATE}\n2;{OTHER};more\n",
        f"{PLATE}\t1\n{OTHER}\t2\n",
        f'geom\n"SRID=25832;{PLATE}"\n"SRID=25832; {OTHER.lower()}"\n',
        f'"GEOMETRYCOLLECTION ({PLATE}, {OTHER})",1\n',
        f'"{PLATE}",1\n"POLYGON EMPTY",2\n"{OTHER}",3\n'.replace("4 4, ", "4 4,\n"),
    ],
)
def test_tables(table):
    assert read(table) == (15 + 2 + 0.5, [], "wkt")


def test_what_is_no_polygon_is_told():
    assert read(f'1,"{PLATE}"\n2,"POINT (1 2)"\n3,"LINESTRING (1 2, 3 4)"\n')[1] == ["ignored"]
    with pytest.raises(Unsupported, match="CURVEPOLYGON"):
        read('1,"CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))"\n')


def test_lines_are_those_of_the_file():
    with pytest.raises(Unreadable, match=r"^line 3: "):
        read(f'id,WKT\n1,"{PLATE}"\n2,"POLYGON ((0 0, ?))"\n')
    with pytest.raises(NonFinite):
        read('1,"POLYGON ((0 0, 1 0, nan 1, 0 0))"\n')
    with pytest.raises(Unreadable):
        read('1,"POLYGON ((0 0, 1 0, 1 1"\n')


@pytest.mark.parametrize("data", ["0,0\n4,0\n0,3\n", "x (mm),y (mm)\n0,0\n", "a polygon (of three)\n0,0\n", ""])
def test_lists_of_points_are_no_such_tables(data):
    assert wkt_of_table(data.encode()) is None
