"""FOSSIL's validation table of plane sections (fossil_test_curve_mass_properties), each row at least as accurate.

The names are those of the table. ``LIMITS`` holds the errors that FOSSIL measures; where it measures 0 or less than
half an ulp, the round-off of printing the result, 2^-53, is the limit.
"""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from massprops.core.area_moments import AreaMoments
from massprops.core.curve import Curve
from massprops.core.inertia import MassProperties
from massprops.core.section import section_moments
from massprops.errors import InsideOut, OpenSurface
from massprops.sections import section_properties

HALF_ULP = 2.0**-53
LIMITS = {"rectangle": 0.0, "triangle": HALF_ULP, "L": 1.2e-16, "annulus": 1.4e-16, "turned": 3.6e-16, "moved": 1.8e-16}

L = np.array([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], float)
TURN = np.array([[math.cos(0.6), -math.sin(0.6)], [math.sin(0.6), math.cos(0.6)]])


def measured(found, area, center, second):
    """Largest error: of area and moments relative to their size, of the centroid relative to its own."""
    size = max(abs(x) for x in second)
    errors = [abs(Fraction(found.area) / Fraction(area) - 1)]
    reach = max(abs(x) for x in center)
    errors += [abs(Fraction(float(a)) - b) / reach for a, b in zip(found.center, center, strict=True)]
    errors += [abs(Fraction(float(a)) - b) / size for a, b in zip(found.second_moments, second, strict=True)]
    return float(max(errors))


def test_rectangle_away_from_the_origin():
    a, b, rho = Fraction(3, 2), Fraction(5, 4), 3
    corners = [(7, -3), (7 + a, -3), (7 + a, -3 + b), (7, -3 + b)]
    found = section_properties(tuple(np.array(corners, float).T), density=rho)
    area = a * b
    second = [rho * area * a**2 / 12, rho * area * b**2 / 12, Fraction(0)]
    assert measured(found, area, (7 + a / 2, -3 + b / 2), second) <= LIMITS["rectangle"]
    assert found.mass == rho * area


def test_right_triangle():
    a, b = Fraction(3), Fraction(2)
    found = section_properties(([0, 3, 0], [0, 0, 2]))
    area = a * b / 2
    second = [area * a**2 / 18, area * b**2 / 18, -area * a * b / 36]
    assert measured(found, area, (a / 3, b / 3), second) <= LIMITS["triangle"]


def rectangle_moments(u0, v0, a, b):
    """Area, centroid and central second moments of a rectangle, in fractions."""
    u0, v0, a, b = map(Fraction, (u0, v0, a, b))
    return AreaMoments.of(a * b, [0, 0], [[a**3 * b / 12, 0], [0, a * b**3 / 12]], [u0 + a / 2, v0 + b / 2])


def test_l_shape():
    expected = rectangle_moments(0, 0, 3, 1) + rectangle_moments(0, 1, 1, 2)
    second = expected.central_second
    found = section_properties(tuple(L.T))
    assert measured(found, expected.area, expected.center, [second[0, 0], second[1, 1], second[0, 1]]) <= LIMITS["L"]


def regular(count, radius, turn=1):
    angle = turn * 2 * np.pi * np.arange(count) / count
    return radius * np.cos(angle), radius * np.sin(angle)


def annulus(count):
    (u, v), (hole_u, hole_v) = regular(count, 2.0), regular(count, 1.0, -1)
    return section_properties((np.concatenate([u, hole_u]), np.concatenate([v, hole_v]), [count, count]))


def polygon_polar(count, radius):
    """Polar moment of a regular polygon by its circumradius: A R^2 (2 + cos 2 pi / N) / 6."""
    angle = 2 * math.pi / count
    return count / 2 * radius**4 * math.sin(angle) * (2 + math.cos(angle)) / 6


def test_annulus_of_regular_polygons():
    errors = []
    for count in (64, 128, 256):
        found = annulus(count)
        expected = polygon_polar(count, 2) - polygon_polar(count, 1)
        assert abs(found.polar_moment / expected - 1) <= 4 * LIMITS["annulus"]  # the formula itself rounds
        errors.append(abs(found.polar_moment / (math.pi * (2**4 - 1) / 2) - 1))
    orders = [math.log2(a / b) for a, b in pairwise(errors)]
    assert [round(order, 2) for order in orders] == [2.0, 2.0]


def test_annulus_corners_as_they_are_rounded():
    for count in (64, 128, 256):
        (u, v), (hole_u, hole_v) = regular(count, 2.0), regular(count, 1.0, -1)
        exact = _exact(np.column_stack([u, v])) + _exact(np.column_stack([hole_u, hole_v]))
        second = exact.central_second
        polar = second[0, 0] + second[1, 1]
        found = annulus(count)
        assert abs(Fraction(found.polar_moment) / polar - 1) <= LIMITS["annulus"]
        assert abs(Fraction(found.area) / exact.area - 1) <= LIMITS["annulus"]


def test_ellipse_polygon():
    errors = []
    for count in (64, 128, 256):
        u, v = regular(count, 1.0)
        errors.append(abs(section_properties((3 * u, 2 * v)).second_moments[1] / (math.pi * 3 * 2**3 / 4) - 1))
    orders = [math.log2(a / b) for a, b in pairwise(errors)]
    assert [round(order, 2) for order in orders] == [2.0, 2.0]


def test_the_l_rotated():
    straight, turned = section_properties(tuple(L.T)), section_properties(tuple((L @ TURN.T).T))
    uu, vv, uv = straight.second_moments
    expected = TURN @ np.array([[uu, uv], [uv, vv]]) @ TURN.T
    size = np.abs(expected).max()
    found = turned.second_moments
    differences = [found[0] - expected[0, 0], found[1] - expected[1, 1], found[2] - expected[0, 1]]
    assert max(abs(x) for x in differences) / size <= LIMITS["turned"]
    assert abs(turned.polar_moment / straight.polar_moment - 1) <= LIMITS["turned"]
    assert np.abs(turned.principal_moments - straight.principal_moments).max() / size <= LIMITS["turned"]
    assert abs(turned.principal_angle - (0.6 - math.pi / 4)) <= LIMITS["turned"]


def _exact(points):
    """Moments of a polygon by the shoelace sums, in fractions."""
    total = AreaMoments.of(0, [0, 0], [[0, 0], [0, 0]])
    corners = [(Fraction(float(x)), Fraction(float(y))) for x, y in points]
    for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True):
        w = a * d - b * c
        uv = w / 24 * (2 * a * b + a * d + c * b + 2 * c * d)
        second = [[w / 12 * (a * a + a * c + c * c), uv], [uv, w / 12 * (b * b + b * d + d * d)]]
        total = total + AreaMoments.of(w / 2, [w / 6 * (a + c), w / 6 * (b + d)], second)
    return total


def test_the_rotated_l_moved_by_a_million():
    far = L @ TURN.T + 1e6
    back = far - 1e6  # exact: the same rounded polygon
    found, near = section_properties(tuple(far.T)), section_properties(tuple(back.T))
    assert np.abs(found.second_moments - near.second_moments).max() / near.polar_moment <= LIMITS["moved"]
    assert abs(found.area / near.area - 1) <= LIMITS["moved"]
    second = _exact(far).central_second
    for value, exact in zip(found.second_moments, (second[0, 0], second[1, 1], second[0, 1]), strict=True):
        assert abs(Fraction(float(value)) / exact - 1) <= HALF_ULP


def test_open_and_clockwise_loops_are_refused(tmp_path):
    with pytest.raises(InsideOut):
        section_properties(tuple(L[::-1].T), winding="as_drawn")
    assert section_properties(tuple(L[::-1].T)).area == 5
    path = tmp_path / "open.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" d="M0 0H3V1H1V3H0"/></svg>')
    with pytest.raises(OpenSurface):
        section_properties(path)


def test_the_l_extruded():
    depth = Fraction(7, 8)
    plane = section_moments(Curve.from_loops(*L.T))
    solid = MassProperties.of(plane.extruded(depth))
    flat = section_properties(tuple(L.T))
    _, vv, uv = flat.second_moments
    d = float(depth)
    assert solid.mass == flat.area * d
    # each entry is rounded once on either side
    assert abs(solid.inertia[2, 2] / (d * flat.polar_moment) - 1) <= 2 * HALF_ULP
    assert abs(solid.inertia[0, 0] / (d * vv + flat.area * d**3 / 12) - 1) <= 2 * HALF_ULP
    assert abs(solid.inertia[0, 1] / (-d * uv) - 1) <= 2 * HALF_ULP
    second, tensor = plane.central_second, plane.extruded(depth).central_second
    assert tensor[0, 0] + tensor[1, 1] == depth * (second[0, 0] + second[1, 1])
    assert tensor[1, 1] + tensor[2, 2] == depth * second[1, 1] + plane.area * depth**3 / 12
    assert tensor[0, 1] == depth * second[0, 1]


def test_the_tube():
    u = [-0.05, 0.05, 0.05, -0.05, -0.04, -0.04, 0.04, 0.04]
    v = [-0.10, -0.10, 0.10, 0.10, -0.09, 0.09, 0.09, -0.09]
    tube = section_properties((u, v, [4, 4]))
    printed = [f"{x:.5E}" for x in (tube.area, tube.second_moments[1], tube.second_moments[0], tube.polar_moment)]
    assert printed == ["5.60000E-03", "2.77867E-05", "8.98667E-06", "3.67733E-05"]
    assert [f"{x:9.5f}" for x in tube.center] == ["  0.00000", "  0.00000"]


def test_a_pitched_airfoil():
    x = (1 - np.cos(np.linspace(0, np.pi, 101))) / 2
    y = 0.6 * (0.2969 * np.sqrt(x) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    points = np.concatenate([np.column_stack([x, -y]), np.column_stack([x, y])[-2:0:-1]])
    assert len(points) == 200
    pitch = math.radians(-12)
    turn = np.array([[math.cos(pitch), -math.sin(pitch)], [math.sin(pitch), math.cos(pitch)]])
    wing = section_properties(tuple((points @ turn.T).T))
    along = wing.center @ turn[:, 0]
    assert round(wing.area, 3) == 0.082
    assert wing.area == pytest.approx(0.0817, abs=1e-4)
    assert round(along, 2) == 0.42
    assert round(math.degrees(wing.principal_angle), 2) == -12.0
