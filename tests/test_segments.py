"""Pieces of curves: ends, parts, reversal, affine images, turns."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.segments import Arc, Bezier, Polyline, RationalBezier

T = np.linspace(0, 1, 17)
PIECES = {
    "polyline": Polyline(np.array([[0.3, 0.1], [2.0, 1.5], [1.1, 4.0], [-2.0, 0.7]])),
    "circle": Arc.circle([1.3, -0.7], 2.1),
    "arc": Arc.circle([1.3, -0.7], 2.1, 0.4, -2.2),
    "ellipse": Arc.ellipse([0.2, 0.9], [[3.0, 1.0], [-0.4, 0.8]], 0.3, 4.4),
    "bulge": Arc.from_bulge([0.2, 0.1], [1.7, -0.4], -0.6),
    "ends": Arc.from_ends([0.2, 0.1], [1.7, -0.4], [2.0, 1.1], 0.5, True, False),
    "quadratic": Bezier(np.array([[1.0, 0.2], [0.1, 2.0], [-1.0, 0.3]])),
    "quintic": Bezier(np.array([[1.0, 0.2], [0.1, 2.0], [-1.0, 0.3], [0.5, 0.5], [3.0, 1.0], [2.0, -1.0]])),
    "rational": RationalBezier(
        np.array([[1.0, 0.2], [0.1, 2.0], [-1.0, 0.3], [0.5, -2.5]]), np.array([1.0, 0.4, 2.5, 0.7])
    ),
}
EACH = pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES.keys())


@EACH
def test_a_piece_starts_and_ends_at_its_ends(piece):
    np.testing.assert_allclose(piece.at(np.array([0.0, 1.0])), [piece.start, piece.end], atol=4e-15)


@EACH
def test_reversed_pieces_have_the_same_points(piece):
    back = piece.reversed()
    np.testing.assert_allclose(back.at(T), piece.at(1 - T), atol=4e-15)
    assert back.start.tolist() == piece.end.tolist()
    assert back.end.tolist() == piece.start.tolist()


@EACH
@pytest.mark.parametrize(("first", "last"), [(0, 0.3), (0.2, 0.9), (0.55, 1), (0, 1)])
def test_parts_are_arcs_of_the_whole(piece, first, last):
    part = piece.part(first, last)
    ends = [part.start, part.end]
    np.testing.assert_allclose(ends, piece.at(np.array([first, last], float)), atol=4e-15)
    if isinstance(piece, Polyline):
        return  # its parameter runs from corner to corner, and a part has fewer corners
    np.testing.assert_allclose(part.at(np.array([0.5]))[0], _closest(piece, part.at(np.array([0.5]))[0]), atol=1e-6)
    if not isinstance(piece, RationalBezier):
        np.testing.assert_allclose(part.at(T), piece.at(first + (last - first) * T), atol=1e-14)


def _closest(piece, point):
    points = piece.at(np.linspace(0, 1, 200001))
    return points[np.argmin(np.hypot(*(points - point).T))] if len(points) else point


@EACH
def test_maps_act_on_points(piece):
    matrix, translation = np.array([[1.2, -0.7], [0.4, 2.2]]), np.array([3.3, -1.8])
    image = piece.mapped(matrix, translation)
    np.testing.assert_allclose(image.at(T), piece.at(T) @ matrix.T + translation, atol=2e-14)
    np.testing.assert_allclose(image.end, matrix @ piece.end + translation, atol=4e-15)


@EACH
@pytest.mark.parametrize("direction", [(1, 0), (0, 1), (0.8, -0.6)])
def test_no_point_lies_beyond_the_turns_and_the_ends(piece, direction):
    along = np.array(direction, float)
    found = piece.at(np.concatenate([[0.0], piece.turns(along), [1.0]])) @ along
    everywhere = piece.at(np.linspace(0, 1, 5001)) @ along
    assert found.min() <= everywhere.min() + 1e-14
    assert found.max() >= everywhere.max() - 1e-14


def test_a_straight_bezier_has_no_turns():
    line = Bezier(np.array([[0.0, 1], [1, 1], [2, 1]]))
    assert line.turns([1, 0]).size == 0
    assert line.turns([0, 1]).size == 0
    assert RationalBezier(line.points, np.array([1.0, 2, 3])).turns([0, 1]).size == 0


@pytest.mark.parametrize("bulge", [1.0, -1.0, 0.3, -2.5, 1e-9, 40.0])
def test_a_bulge_is_the_tangent_of_a_quarter_of_the_sweep(bulge):
    start, end = np.array([1.0, 2.0]), np.array([4.0, -1.5])
    arc = Arc.from_bulge(start, end, bulge)
    chord = end - start
    right = np.array([chord[1], -chord[0]])
    middle = (start + end) / 2 + bulge / 2 * right  # the sagitta is half the chord times the bulge, to the right
    np.testing.assert_allclose(arc.at(np.array([0.5]))[0], middle, rtol=1e-6 if abs(bulge) < 1e-6 else 1e-13)
    assert arc.sweep == 4 * math.atan(bulge)
    assert arc.is_circular


@given(st.floats(0.2, 6), st.floats(0.2, 6), st.floats(-3, 3), st.booleans(), st.booleans(), st.floats(0, 6.2))
@settings(deadline=None, max_examples=200)
def test_arcs_by_their_ends_lie_on_the_ellipse_and_obey_the_flags(rx, ry, rotation, large, positive, spread):
    c, s = math.cos(rotation), math.sin(rotation)
    axes = np.array([[rx * c, rx * s], [-ry * s, ry * c]])
    full = Arc.ellipse([0.3, -0.2], axes, spread, 1.3)
    arc = Arc.from_ends(full.start, full.end, [rx, ry], rotation, large, positive)
    local = np.linalg.solve(axes.T, (arc.at(T) - arc.center).T)
    np.testing.assert_allclose((local**2).sum(axis=0), 1, atol=1e-9)
    np.testing.assert_allclose(arc.at(np.array([0.0, 1.0])), [full.start, full.end], atol=1e-9)
    assert (arc.sweep > 0) == positive
    assert (abs(arc.sweep) > math.pi) == large
    if positive and not large:
        np.testing.assert_allclose([arc.sweep, *arc.center], [1.3, 0.3, -0.2], atol=1e-7)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_ends_a_diameter_apart_to_roundoff_make_half_an_ellipse(offset):
    for radius in (0.1, 0.3, 1 / 3, 0.7):
        start = np.array([offset + 0.1, 0.7])
        arc = Arc.from_ends(start, start + np.array([2 * radius, 0]), [radius, radius], 0.0, False, True)
        assert arc.sweep == math.pi


def test_radii_too_small_are_enlarged_together():
    arc = Arc.from_ends([0, 0], [8, 0], [2, 1], 0, False, False)
    np.testing.assert_allclose(np.abs(arc.axes), [[4, 0], [0, 2]])
    np.testing.assert_allclose(arc.center, [4, 0], atol=1e-15)


def test_circles_stay_circles_under_turns_only():
    turn = np.array([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]])
    assert PIECES["arc"].mapped(3 * turn, np.zeros(2)).is_circular
    assert not PIECES["arc"].mapped(np.diag([1.0, 2.0]), np.zeros(2)).is_circular
    assert PIECES["quintic"].weights.tolist() == [1.0] * 6


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 0], [0.5]),
        ([0, 1, 2], []),
        ([1, 1, 1], []),
        ([0, 2, -1, 1], [(5 - math.sqrt(5)) / 10, (5 + math.sqrt(5)) / 10]),
        ([0, 1, 1, 0], [0.5]),
        ([0, 0, 1, 1], []),
    ],
)
def test_turns_of_quadratics_and_cubics_are_where_the_slope_vanishes(values, expected):
    curve = Bezier(np.array([values, range(len(values))], float).T)
    np.testing.assert_allclose(curve.turns([1, 0]), expected, rtol=1e-15)
    raised = curve.points.copy()  # the same curve as one of higher degree, whose slope is solved in another way
    for _ in range(5 - len(raised)):
        n = len(raised)
        k = np.arange(1, n)[:, None] / n
        raised = np.concatenate([raised[:1], k * raised[:-1] + (1 - k) * raised[1:], raised[-1:]])
    np.testing.assert_allclose(Bezier(raised).turns([1, 0]), expected, atol=1e-7)
