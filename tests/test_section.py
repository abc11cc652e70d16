"""The 2-D kernel against exact rational integration and closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.curve import Curve, Loop
from massprops.core.section import section_integrals, section_moments
from massprops.core.segments import Arc, Bezier, Polyline, RationalBezier


def exact_polygon(loops):
    """Area, centroid and central second moments by the shoelace sums, in fractions."""
    sums = [Fraction(0)] * 6
    for loop in loops:
        points = [(Fraction(float(x)), Fraction(float(y))) for x, y in loop]
        for (a, b), (c, d) in zip(points, points[1:] + points[:1], strict=True):
            w = a * d - b * c
            terms = (Fraction(1, 2), (a + c) / 6, (b + d) / 6, (a * a + a * c + c * c) / 12)
            terms += ((b * b + b * d + d * d) / 12, (2 * a * b + a * d + c * b + 2 * c * d) / 24)
            sums = [total + w * term for total, term in zip(sums, terms, strict=True)]
    area, fu, fv, uu, vv, uv = sums
    cu, cv = fu / area, fv / area
    return area, (cu, cv), (uu - area * cu * cu, vv - area * cv * cv, uv - area * cu * cv)


def relative_errors(moments, expected):
    area, center, (uu, vv, uv) = expected
    second = moments.central_second
    pairs = zip((second[0, 0], second[1, 1], second[0, 1]), (uu, vv, uv), strict=True)
    size, reach = max(abs(uu), abs(vv)), math.sqrt(abs(float((uu + vv) / area)))
    return (
        abs(float((moments.area - area) / area)),
        max(abs(float(x - y)) for x, y in zip(moments.center, center, strict=True)) / reach,
        max(abs(float((x - y) / size)) for x, y in pairs),
    )


def _star(rng, count):
    angle = np.sort(rng.uniform(0, 2 * np.pi, count))
    return np.column_stack([np.cos(angle), np.sin(angle)]) * rng.uniform(0.5, 1.5, count)[:, None]


@given(st.integers(0, 10**6), st.integers(3, 40), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-100, 100))
@settings(deadline=None, max_examples=60)
def test_polygons_are_exact_wherever_they_stand(seed, count, u, v, exponent):
    points = _star(np.random.default_rng(seed), count) * 2.0**exponent + np.array([u, v]) * 2.0**exponent
    errors = relative_errors(section_moments(Curve.from_loops(*points.T)), exact_polygon([points]))
    assert max(errors) < 1e-20


@pytest.mark.parametrize("count", [8_200, 16_411])
def test_many_corners_stay_right_to_roundoff_within_the_stated_bound(count):
    points = _star(np.random.default_rng(count), count) @ np.array([[3.0, 0.4], [-0.2, 1.1]]) + [7.3, -2.9]
    found = section_integrals(Curve.from_loops(*points.T))
    expected = exact_polygon([points])
    assert max(relative_errors(found.moments, expected)) < 4e-15
    assert abs(float(found.moments.area - expected[0])) <= found.round_off.area


def test_thin_strips_are_summed_again_in_double_double():
    u = np.linspace(0, 1, 6001)
    points = np.column_stack([np.concatenate([u, u[::-1]]), np.concatenate([u / 3, u[::-1] / 3 + 1e-9])])
    found = section_integrals(Curve.from_loops(*points.T))
    assert max(relative_errors(found.moments, exact_polygon([points]))) < 1e-15
    assert found.round_off.area < 1e-20 * float(found.moments.area)


@pytest.mark.parametrize("size", [1e-60, 1e-9, 1e60])
def test_sizes_far_from_one(size):
    points = np.array([[0.1, 0.2], [3.3, 0.1], [1.2, 2.9]]) * size
    assert max(relative_errors(section_moments(Curve.from_loops(*points.T)), exact_polygon([points]))) < 1e-20
    disc = section_integrals(Curve((Loop((Arc.circle([3 * size, size], size),)),)))
    assert float(disc.moments.area / Fraction(size) ** 2) == pytest.approx(math.pi, rel=1e-15)
    assert disc.perimeter == pytest.approx(2 * math.pi * size, rel=1e-15)


def test_holes_subtract():
    outer = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4]])
    hole = np.array([[1.0, 1], [1, 2], [2, 2], [2, 1]])
    curve = Curve.from_loops(*np.concatenate([outer, hole]).T, [4, 4])
    moments = section_moments(curve)
    assert moments.area == 15
    assert moments.center.tolist() == [Fraction(61, 30)] * 2
    same, product = Fraction(1259, 60), Fraction(-4, 15)
    assert moments.central_second.tolist() == [[same, product], [product, same]]


def _closed(*pieces):
    return section_integrals(Curve((Loop(pieces),)))


def _central(found):
    second = found.moments.central_second.astype(float)
    return [float(found.moments.area), *found.moments.center.astype(float), second[0, 0], second[1, 1], second[0, 1]]


def test_the_parabola():
    found = _closed(Bezier(np.array([[1.0, 0], [0, 2], [-1, 0]])))
    np.testing.assert_allclose(_central(found), [4 / 3, 0, 2 / 5, 4 / 15, 16 / 175, 0], rtol=1e-15, atol=2e-16)


def test_the_cubic():
    found = _closed(Bezier(np.array([[0.0, 0], [1, 0], [2, 3], [3, 3]])), Polyline(np.array([[3.0, 3], [0, 3]])))
    np.testing.assert_allclose(_central(found)[:3], [9 / 2, 9 / 10, 66 / 35], rtol=1e-15)


def _kappa_circle():
    k = 4 * (math.sqrt(2) - 1) / 3
    quarter = np.array([[1, 0], [1, k], [k, 1], [0, 1]])
    turn = np.array([[0, 1], [-1, 0]])
    return [Bezier(quarter @ np.linalg.matrix_power(turn, n)) for n in range(4)]


def test_the_circle_of_four_cubics_is_not_pi():
    found = _central(_closed(*_kappa_circle()))
    np.testing.assert_allclose(found[0], 16 * math.sqrt(2) / 3 - 22 / 5, rtol=4e-16)
    np.testing.assert_allclose(found[0], 3.142472332656507, rtol=4e-16)
    np.testing.assert_allclose(found[3:5], 0.785838093440714, rtol=1e-15)


@pytest.mark.parametrize("radius", [1.0, 0.37, 1e5])
@pytest.mark.parametrize(
    "pieces",
    [
        lambda r: [Arc.circle([0.3, -1.7], r)],
        lambda r: [Arc.circle([0.3, -1.7], r, 0.7, 2), Arc.circle([0.3, -1.7], r, 2.7, 2 * math.pi - 2)],
        lambda r: [Arc.from_bulge([0.3 - s, -1.7], [0.3 + s, -1.7], 1) for s in (r, -r)],
    ],
)
def test_circles_of_arcs(radius, pieces):
    found = _closed(*pieces(radius))
    area, *center, uu, vv, uv = _central(found)
    assert area == pytest.approx(math.pi * radius**2, rel=1e-15)
    np.testing.assert_allclose(center, [0.3, -1.7], atol=1e-15 * (1 + radius))
    np.testing.assert_allclose([uu, vv], math.pi * radius**4 / 4, rtol=2e-15)
    assert abs(uv) < 1e-15 * uu
    assert found.perimeter == pytest.approx(2 * math.pi * radius, rel=1e-15)


def test_the_half_disc_and_the_nurbs_disc():
    half = _central(_closed(Arc.circle([0, 0], 1, 0, math.pi)))
    expected = [math.pi / 2, 0, 4 / (3 * math.pi), math.pi / 8, math.pi / 8 - 8 / (9 * math.pi), 0]
    np.testing.assert_allclose(half, expected, rtol=2e-15, atol=1e-16)
    root = math.sqrt(0.5)
    corners = np.array([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0]], float)
    quarters = [RationalBezier(corners[k : k + 3], np.array([1, root, 1])) for k in (0, 2, 4, 6)]
    found = _closed(*quarters)
    np.testing.assert_allclose(_central(found), [math.pi, 0, 0, math.pi / 4, math.pi / 4, 0], rtol=1e-15, atol=1e-16)
    assert abs(float(found.moments.area) - math.pi) <= found.round_off.area
    assert found.round_off.area < 1e-13


def test_the_ellipse_turned_and_far_away():
    turn = np.array([[math.cos(0.6), math.sin(0.6)], [-math.sin(0.6), math.cos(0.6)]])
    found = _closed(Arc.ellipse([1e6, -2e6], np.diag([3.0, 1.0]) @ turn))
    second = turn @ found.moments.central_second.astype(float) @ turn.T
    np.testing.assert_allclose(second, np.diag([math.pi * 27 / 4, math.pi * 3 / 4]), atol=1e-13)


@pytest.mark.parametrize("offset", [(1e6, 1e6), (-1e6, 3e5)])
def test_curves_far_away_keep_their_centroidal_moments(offset):
    pieces = [*_kappa_circle(), Arc.circle([5, 0], 0.3)]
    near = section_integrals(Curve((Loop(tuple(pieces[:4])), Loop((pieces[4],)))))
    moved = [piece.mapped(np.eye(2), np.array(offset)) for piece in pieces]
    far = section_integrals(Curve((Loop(tuple(moved[:4])), Loop((moved[4],)))))
    np.testing.assert_allclose(_central(far)[3:5], _central(near)[3:5], rtol=1e-9)
    assert far.perimeter == pytest.approx(near.perimeter, rel=1e-9)


def test_a_gap_is_bridged_by_a_straight_line():
    arc = Arc.circle([0, 0], 1, 0, math.pi)
    lid = Polyline(np.array([[-1.0, -0.25], [1.0, -0.25]]))
    found = _closed(arc, lid)
    assert float(found.moments.area) == pytest.approx(math.pi / 2 + 0.5, rel=1e-15)
    assert found.perimeter == pytest.approx(math.pi + 2.5, rel=1e-15)
