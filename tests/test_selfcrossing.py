"""Where spans meet."""

import math

import numpy as np
import pytest

from massprops.core.boxtree import BoxTree
from massprops.core.curve import Curve, Loop
from massprops.core.levels import parameter_at
from massprops.core.segments import Arc, Bezier, Polyline
from massprops.core.selfcrossing import contacts, meeting_of_lines, tolerance_of
from massprops.core.spans import spans_of


def meetings(*loops):
    curve = loops[0] if isinstance(loops[0], Curve) else Curve(tuple(Loop(tuple(pieces)) for pieces in loops))
    spans = spans_of(curve)
    points = []
    for batch in contacts(spans, BoxTree.of(spans), tolerance_of(spans)):
        one, two = spans.at(batch.one, batch.s), spans.at(batch.two, batch.t)
        np.testing.assert_allclose(one, two, atol=8 * tolerance_of(spans))
        points += one.tolist()
    return np.unique(np.round(points, 9), axis=0) if points else np.empty((0, 2))


def circle(u, v, radius, begin=0.0):
    return [Arc.circle([u, v], radius, begin)]


def test_a_simple_loop_meets_itself_nowhere():
    assert len(meetings(circle(0.3, 0.2, 1.7, 0.4))) == 0
    assert len(meetings(Curve.from_loops([0, 3, 3, 1, 1, 0], [0, 0, 1, 1, 3, 3]))) == 0


def test_two_circles_cross_in_two_points():
    height = math.sqrt(0.75)
    np.testing.assert_allclose(meetings(circle(0, 0, 1), circle(1, 0, 1)), [[0.5, -height], [0.5, height]])


def test_circles_that_touch_meet_in_a_point():
    for far in (2, 0.5):  # from outside and from inside
        points = meetings(circle(0, 0, 1), circle(far, 0, abs(1 - far), 0.3))
        assert np.abs(points - [1, 0]).max() < 1e-5


def test_circles_a_hair_apart_do_not_meet():
    assert len(meetings(circle(0, 0, 1), circle(2 + 1e-9, 0, 1))) == 0
    assert len(meetings(circle(0, 0, 1), circle(0, 0, 1 + 1e-9))) == 0


def test_a_common_arc_has_two_ends():
    ends = np.array([[math.cos(a), math.sin(a)] for a in (1.3, 0.2)])
    slice_of_it = [Arc.circle([0, 0], 1, 0.2, 1.1), Polyline(np.array([ends[0], [0, 0], ends[1]]))]
    points = meetings(circle(0, 0, 1), slice_of_it)
    assert min(np.hypot(*(points - ends[0]).T)) < 1e-8
    assert min(np.hypot(*(points - ends[1]).T)) < 1e-8
    assert len(points) < 12


def test_the_same_loop_twice_meets_at_its_ends_of_spans_only():
    cubic = [Bezier(np.array([[0.0, 0], [3, 0], [2, 2], [0, 1]]))]
    assert 0 < len(meetings(cubic, cubic)) < 10


def test_a_cubic_that_crosses_itself():
    loop = [Bezier(np.array([[0.0, 0], [3, 2], [-2, 2], [1, 0]]))]
    points = meetings(loop)
    np.testing.assert_allclose(points, [[0.5, 0.375]], atol=1e-9)  # by symmetry u = 1/2


def test_neighbours_that_cross_again():
    arc = Arc.from_bulge([0, 0], [1, 0], 3)
    start, end = arc.at(np.array([0.0, 0.62]))
    beyond = start + 1.5 * (end - start)
    points = meetings([arc, Polyline(np.array([[1.0, 0], [1.2, 0.1], beyond, start]))])
    assert np.hypot(*(points - end).T).min() < 1e-9


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ([[0.5, -1], [0.5, 1]], 1),  # crosses
        ([[0.5, 0], [0.5, 1]], 1),  # ends on it
        ([[0.5, 1e-3], [0.5, 1]], 0),  # ends before it
        ([[1, 0], [2, 0]], 1),  # goes on from it
        ([[0.3, 0], [2, 0]], 2),  # overlaps
        ([[2, 0], [3, 0]], 0),  # lies behind it
        ([[0.3, 1e-3], [2, 1e-3]], 0),  # runs beside it
    ],
)
def test_straight_segments(line, expected):
    a, b = np.array([[0.0, 0]]), np.array([[1.0, 0]])
    c, d = (np.array([point], float) for point in line)
    which, s, t = meeting_of_lines(a, b, c, d, 1e-12)
    points = a + s[:, None] * (b - a)
    np.testing.assert_allclose(points, c + t[:, None] * (d - c), atol=1e-12)
    assert len(np.unique(points.round(9), axis=0)) == expected
    assert len(which) >= expected


def test_where_a_span_passes_a_level():
    spans = spans_of(Curve((Loop((Arc.circle([0, 0], 2),)),)))
    rising = np.array([0, 3])  # the quadrants at the right
    s = parameter_at(spans, rising, np.array([1, 1]), np.array([1.0, -1.0]))
    np.testing.assert_allclose(spans.at(rising, s), [[math.sqrt(3), 1], [math.sqrt(3), -1]], atol=1e-15)
    assert parameter_at(spans, rising, np.array([1, 1]), np.array([5.0, -5.0])).tolist() == [1, 0]


def test_the_tolerance_knows_the_coordinates():
    near, far = (spans_of(Curve.from_loops(np.array([0, 1, 0.0]) + d, [0, 0, 1])) for d in (0, 1e6))
    assert tolerance_of(near) == pytest.approx(1e-12 * math.sqrt(2))
    assert tolerance_of(far) == 4 * np.spacing(1e6 + 1)


@pytest.mark.parametrize("angle", [0.03, 0.5, 2.0, -1.0, np.pi / 2])
@pytest.mark.parametrize("bulge", [0.2, -0.6])
def test_curves_that_fork_meet_no_more_than_where_they_follow(angle, bulge):
    # a sharp corner between an arc and a line that both turn back in u and in v
    corner, reach = np.array([3.0, 2.0]), 5.0
    away = corner + reach * np.array([np.cos(0.8), np.sin(0.8)])
    arc = Arc.from_bulge(away, corner, bulge)
    leave = 0.8 - 2 * np.arctan(bulge) + angle
    far = corner + reach / 2 * np.array([np.cos(leave), np.sin(leave)])
    spans = spans_of(Curve((Loop((arc, Polyline(np.array([corner, far])))),)))
    tolerance = tolerance_of(spans)
    met = contacts(spans, BoxTree.of(spans), tolerance)
    points = np.concatenate([np.empty((0, 2)), *(spans.at(batch.one, batch.s) for batch in met)])
    near = np.hypot(*(points - corner).T) <= 1e3 * tolerance
    assert not near.any()


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_circles_about_one_centre_meet_others_alone(angle):
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    center = turn @ [3, 1]
    rings = [circle(*center, 1 + k / 4, k) for k in range(40)]
    assert len(meetings(*rings, circle(*(turn @ [3.1, 1]), 10.9))) == 0
    across = [Polyline(np.array([[3.0, 1], [20, 1], [20, 2], [3, 1]]) @ turn.T)]
    assert len(meetings(*rings, across)) == 80
    inscribed = circle(*(turn @ [3 + 1 / 8, 1]), 1 + 1 / 8)  # touches one from within, and crosses none
    np.testing.assert_allclose(meetings(*rings, inscribed), [turn @ [3 + 5 / 4, 1], turn @ [2, 1]][::-1], atol=1e-6)


def test_close_pairs_of_circles_about_one_centre_are_few():
    spans = spans_of(Curve(tuple(Loop((Arc.circle([3, 1], 1 + k / 4, k),)) for k in range(200))))
    assert sum(len(one) for one, _ in BoxTree.of(spans).close_pairs(1e-12)) < 10 * len(spans)


@pytest.mark.parametrize("bulge", [1e-9, 1e-12, 1e-15, 1e-19, 1e-24])
def test_arcs_that_are_all_but_straight_meet_nothing_far_away(bulge):
    flat = [Arc.from_bulge([-3, 2.5], [-2.75, 3.25], bulge), Polyline(np.array([[-2.75, 3.25], [-3, 3.5], [-3, 2.5]]))]
    assert len(meetings(flat, circle(0, 0, 7))) == 0


@pytest.mark.parametrize("gap", [0.0, 0.9, 5.0, 1e6])
@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_segments_that_end_beside_a_line_meet_it_within_the_tolerance(gap, angle):
    turn, tolerance = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]), 1e-12
    a, b, c, d = (np.array([x], float) @ turn for x in ([0, 0], [3, 0], [1, gap * tolerance], [2, 1]))
    for one, two in (((a, b), (c, d)), ((c, d), (a, b)), ((b, a), (d, c)), ((d, c), (b, a))):
        which, _, _ = meeting_of_lines(*one, *two, tolerance)
        assert len(which) >= 1 if gap < 1 else len(which) == 0


def turned(points, angle):
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.array(points, float) @ turn


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.9])
@pytest.mark.parametrize("degree", [3, 5])
def test_curves_that_rest_at_their_corners_meet_nowhere_else(angle, degree):
    """All their control points lie in the ends: they leave and arrive with the power of the degree."""
    for times in range(1, degree + 1):
        corners = turned([[3, 1], [7, 1], [6, 4]], angle)
        ends = zip(corners, np.roll(corners, -1, axis=0), strict=True)
        sides = [Bezier(np.array([a] * times + [b] * (degree + 1 - times))) for a, b in ends]
        assert len(meetings(sides)) == 0


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_curves_that_rest_at_both_of_their_common_ends_meet_nowhere_else(angle):
    a, b, c = turned([[0, 0], [5, 1], [2, 3]], angle)
    assert len(meetings([Bezier(np.array([a, a, a, b, b, b])), Bezier(np.array([b, b, b, c, a, a, a]))])) == 0


@pytest.mark.parametrize("far", [1e-2, 1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("is_backwards", [False, True])
def test_neighbours_that_cross_near_a_joint_where_one_rests_are_found(far, is_backwards):
    """A low parabola that returns to the side, y = x (1 - x) / 4 for x up to 6 / 5, in units of the distance."""
    arch = far * np.array([[0, 0], [3 / 5, 3 / 20], [6 / 5, -3 / 50]])
    side, arch, rest = (
        turned(points, 0.7)
        for points in ([[4, 0], [0, 0], [0, 0], [0, 0]], arch, [arch[-1], [4, -1], [4, 0]])
    )
    pieces = [Bezier(side), Bezier(arch), Polyline(rest)]
    if is_backwards:
        pieces = [Polyline(rest[::-1]), Bezier(arch[::-1]), Bezier(side[::-1])]
    points = meetings(pieces)
    assert len(points) > 0
    np.testing.assert_allclose(points, np.tile(turned([[far, 0]], 0.7), (len(points), 1)), atol=1.1e-9)
