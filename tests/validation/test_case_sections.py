"""Small sections with exact answers, from faults that users of other tools have reported.

Second moments are about the centroid: Ixx = int v^2, Iyy = int u^2, Ixy = int u v; theta is the direction of the long
axis. Every case is measured where it stands, a million away, through the library and through files.
"""

import math

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop
from massprops.core.section_errors import SelfIntersecting
from massprops.core.segments import Arc, Bezier, Polyline
from massprops.sections import section_properties

SQUARE_WITH_HOLE = np.array([(0, 0), (4, 0), (4, 4), (0, 4), (1, 1), (2, 1), (2, 2), (1, 2)], float)
TUBE = np.array([(-5, -10), (5, -10), (5, 10), (-5, 10), (-4, -9), (-4, 9), (4, 9), (4, -9)]) / 100
PI, ROOT2 = math.pi, math.sqrt(2)

# corners, loop sizes; area, centroid, (Ixx, Iyy, Ixy)
POLYGONS = {
    "L 100 x 100 x 8": (
        [(0, 0), (100, 0), (100, 8), (8, 8), (8, 100), (0, 100)],
        None,
        (1536, (671 / 24, 671 / 24), (4445176 / 3, 4445176 / 3, -2645000 / 3)),
    ),
    "right triangle": (
        [(0, 0), (100, 0), (0, 80)],
        None,
        (4000, (100 / 3, 80 / 3), (12800000 / 9, 20000000 / 9, -8000000 / 9)),
    ),
    "Z": (
        [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (-3, 3), (-3, 2), (0, 2)],
        None,
        (9, (1 / 2, 3 / 2), (35 / 4, 115 / 4, -12)),
    ),
    "square with a hole": (SQUARE_WITH_HOLE, [4, 4], (15, (61 / 30, 61 / 30), (1259 / 60, 1259 / 60, -4 / 15))),
    "hole the other way": (
        np.concatenate([SQUARE_WITH_HOLE[:4], SQUARE_WITH_HOLE[:3:-1]]),
        [4, 4],
        (15, (61 / 30, 61 / 30), (1259 / 60, 1259 / 60, -4 / 15)),
    ),
    "square": ([(0, 0), (10, 0), (10, 10), (0, 10)], None, (100, (5, 5), (2500 / 3, 2500 / 3, 0))),
    "tube": (TUBE, [4, 4], (5.6e-3, (0, 0), (2.778666666666667e-05, 8.986666666666667e-06, 0))),
}

# pieces of one loop; area, centroid, (Ixx, Iyy, Ixy) where known
KAPPA = 4 * (ROOT2 - 1) / 3
QUARTER, QUARTER_TURN = np.array([[1, 0], [1, KAPPA], [KAPPA, 1], [0, 1]]), np.array([[0, 1], [-1, 0]])
CURVES = {
    "parabola": (
        [Bezier(np.array([[1.0, 0], [0, 2], [-1, 0]]))],
        (4 / 3, (0, 2 / 5), (16 / 175, 4 / 15, 0)),
    ),
    "circle of four cubics": (
        [Bezier(QUARTER @ np.linalg.matrix_power(QUARTER_TURN, n)) for n in range(4)],
        (16 * ROOT2 / 3 - 22 / 5, (0, 0), (0.785838093440714, 0.785838093440714, 0)),
    ),
    "circle of two arcs": (
        [Arc.from_ends([s, 0], [-s, 0], [1, 1], 0, False, True) for s in (1, -1)],
        (PI, (0, 0), (PI / 4, PI / 4, 0)),
    ),
    "circle of two bulges": (
        [Arc.from_bulge([1, 0], [-1, 0], 1), Arc.from_bulge([-1, 0], [1, 0], 1)],
        (PI, (0, 0), (PI / 4, PI / 4, 0)),
    ),
    "circle": ([Arc.circle([0, 0], 1)], (PI, (0, 0), (PI / 4, PI / 4, 0))),
    "half disc": (
        [Arc.circle([0, 0], 1, 0, PI)],
        (PI / 2, (0, 4 / (3 * PI)), (PI / 8 - 8 / (9 * PI), PI / 8, 0)),
    ),
    "cubic": (
        [Bezier(np.array([[0.0, 0], [1, 0], [2, 3], [3, 3]])), Polyline(np.array([[3.0, 3], [0, 3]]))],
        (9 / 2, (9 / 10, 66 / 35), None),
    ),
}


def curve_of(name):
    if name in POLYGONS:
        corners, sizes, expected = POLYGONS[name]
        return Curve.from_loops(*np.array(corners, float).T, sizes), expected
    pieces, expected = CURVES[name]
    return Curve((Loop(tuple(pieces)),)), expected


def check(found, expected, rtol, offset=0.0):
    area, center, second = expected
    size = math.sqrt(area)
    assert found.area == pytest.approx(area, rel=rtol)
    np.testing.assert_allclose(found.center - offset, center, atol=rtol * size + 2 * np.spacing(offset))
    if second is not None:
        ixx, iyy, ixy = second
        np.testing.assert_allclose(found.second_moments, [iyy, ixx, ixy], atol=rtol * max(ixx, iyy))
        assert found.polar_moment == pytest.approx(ixx + iyy, rel=rtol)


@pytest.mark.parametrize("name", [*POLYGONS, *CURVES])
def test_where_it_stands(name):
    curve, expected = curve_of(name)
    check(section_properties(curve), expected, 1e-14)


@pytest.mark.parametrize("name", [*POLYGONS, *CURVES])
def test_a_million_away(name):
    curve, expected = curve_of(name)
    if name == "tube":
        pytest.skip("its corners cannot be written to 1e-9 a million away")
    moved = curve.mapped(np.eye(2), np.array([1e6, 1e6]))
    check(section_properties(moved), expected, 1e-9, offset=1e6)


@pytest.mark.parametrize(
    ("name", "moments", "degrees"),
    [
        ("L 100 x 100 x 8", (1800176 / 3, 2363392), -45),
        ("right triangle", (847479.4578, 2796964.9866), -32.88613),
        ("Z", ((37.5 - math.sqrt(976)) / 2, (37.5 + math.sqrt(976)) / 2), -25.09721),
    ],
)
def test_principal_moments_and_the_long_axis(name, moments, degrees):
    found = section_properties(curve_of(name)[0])
    np.testing.assert_allclose(found.principal_moments, moments, rtol=2e-9)
    assert math.degrees(found.principal_angle) == pytest.approx(degrees, abs=1e-5)


def test_the_bow_tie():
    corners = ([0, 2, 2, 0], [0, 2, 0, 2])
    with pytest.raises(SelfIntersecting, match=r"\(1, 1\)"):
        section_properties(corners)
    check(section_properties(corners, fill="evenodd"), (2, (1, 1), (1 / 3, 1, 0)), 1e-15)


SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
FILES = {
    "a.svg": (SVG.format('<path d="M1 0A1 1 0 0 1-1 0A1 1 0 0 1 1 0Z"/>'), CURVES["circle"][1]),
    "b.svg": (SVG.format('<path d="M1 0Q0-2-1 0Z"/>'), CURVES["parabola"][1]),
    "c.svg": (SVG.format('<path d="M0 0C1 0 2-3 3-3L0-3Z"/>'), CURVES["cubic"][1]),
    "d.csv": ("0,0\n100,0\n0,80\n", POLYGONS["right triangle"][2]),
    "e.csv": ("0,0\n4,0\n4,4\n0,4\n\n1,1\n1,2\n2,2\n2,1\n", POLYGONS["square with a hole"][2]),
    "f.wkt": ("POLYGON ((0 0,4 0,4 4,0 4),(1 1,1 2,2 2,2 1))", POLYGONS["square with a hole"][2]),
    "g.geojson": ('{"type":"Polygon","coordinates":[[[0,0],[100,0],[0,80],[0,0]]]}', POLYGONS["right triangle"][2]),
}


@pytest.mark.parametrize("name", FILES)
def test_through_files(name, tmp_path):
    text, expected = FILES[name]
    (tmp_path / name).write_text(text)
    check(section_properties(tmp_path / name), expected, 1e-14)


def test_through_dxf(tmp_path):
    ezdxf = pytest.importorskip("ezdxf")
    for name, draw in {
        "circle": lambda space: space.add_circle((0, 0), 1),
        "bulges": lambda space: space.add_lwpolyline([(1, 0, 1), (-1, 0, 1)], format="xyb", close=True),
        "arcs": lambda space: [space.add_arc((0, 0), 1, a, a + 180) for a in (0, 180)],
    }.items():
        document = ezdxf.new()
        draw(document.modelspace())
        document.saveas(tmp_path / f"{name}.dxf")
        check(section_properties(tmp_path / f"{name}.dxf"), CURVES["circle"][1], 1e-14)


def test_against_sectionproperties():
    pytest.importorskip("sectionproperties")
    from sectionproperties.analysis import Section
    from sectionproperties.pre.library import angle_section, rectangular_hollow_section

    for geometry in (angle_section(150, 100, 8, 12, 5, 8), rectangular_hollow_section(100, 150, 6, 15, 8)):
        section = Section(geometry.create_mesh(mesh_sizes=[0]))
        section.calculate_geometric_properties()
        rings = [np.array(geometry.geom.exterior.coords), *(np.array(r.coords) for r in geometry.geom.interiors)]
        u, v = np.concatenate(rings).T
        found = section_properties((u, v, [len(ring) for ring in rings]))
        ixx, iyy, ixy = section.get_ic()
        assert found.area == pytest.approx(section.get_area(), rel=1e-9)
        np.testing.assert_allclose(found.center, section.get_c(), rtol=1e-9)
        np.testing.assert_allclose(found.second_moments, [iyy, ixx, ixy], rtol=1e-6, atol=1e-6 * ixx)
