"""Caps of curved segments against exact integration: rational for polynomials, 50 digits for the others."""

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest

from massprops.core.piecetable import PieceTable
from massprops.core.segment_caps import caps, shifted
from massprops.core.segments import Arc, Bezier, RationalBezier

POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1))


def _multiply(a, b):
    product = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def _exact_powers(points):
    """Power coefficients of u(t) and v(t), from the start, in fractions."""
    n, columns = len(points) - 1, []
    for axis in (0, 1):
        rows, powers = [Fraction(float(p[axis])) - Fraction(float(points[0][axis])) for p in points], []
        for k in range(n + 1):
            powers.append(math.comb(n, k) * rows[0])
            rows = [b - a for a, b in pairwise(rows)]
        columns.append(powers)
    return columns


def exact_bezier_cap(points):
    """int u^a v^b dA = oint u^(a + 1) / (a + 1) v^b dv, along the segment and back along the chord."""
    u, v = _exact_powers(points)
    back = [[sum(u), -sum(u)], [sum(v), -sum(v)]]  # end (1 - t): the chord from the end to the start, which is 0
    totals = []
    for a, b in POWERS:
        total = Fraction(0)
        for x, y in ((u, v), back):
            term = [Fraction(1, a + 1)]
            for factor in [x] * (a + 1) + [y] * b + [[k * c for k, c in enumerate(y)][1:]]:
                term = _multiply(term, factor)
            total += sum(c / (k + 1) for k, c in enumerate(term))
        totals.append(total)
    return np.array([float(x) for x in totals])


def exact_cap(motion):
    """The same for a motion t -> ((u, v), (du, dv)), in 50 digits: polar form about the start."""
    with mpmath.workdps(50):
        (su, sv), _ = motion(mpmath.mpf(0))
        seen = {}

        def polar(t, a, b):
            if t not in seen:
                (u, v), (du, dv) = motion(t)
                seen[t] = u - su, v - sv, (u - su) * dv - (v - sv) * du
            x, y, w = seen[t]
            return x**a * y**b * w / (a + b + 2)

        cuts = [mpmath.mpf(k) / 4 for k in range(5)]
        quad = [mpmath.quad(lambda t, a=a, b=b: polar(t, a, b), cuts, method="gauss-legendre") for a, b in POWERS]
        return np.array([float(x) for x in quad])


def rational_motion(points, weights):
    n = len(points) - 1
    pairs = zip(points, weights, strict=True)
    lifted = [[mpmath.mpf(float(w)) * mpmath.mpf(float(x)) for x in (*p, 1)] for p, w in pairs]

    def bezier(rows, t):
        while len(rows) > 1:
            rows = [[x + t * (y - x) for x, y in zip(p, q, strict=True)] for p, q in pairwise(rows)]
        return rows[0]

    rise = [[n * (y - x) for x, y in zip(p, q, strict=True)] for p, q in pairwise(lifted)]

    def motion(t):
        x, y, w = bezier(lifted, t)
        dx, dy, dw = bezier(rise, t)
        return (x / w, y / w), ((dx - x * dw / w) / w, (dy - y * dw / w) / w)

    return motion


def arc_motion(arc):
    c, (p, q) = ([mpmath.mpf(float(x)) for x in arc.center], [[mpmath.mpf(float(x)) for x in row] for row in arc.axes])
    begin, sweep = mpmath.mpf(arc.begin), mpmath.mpf(arc.sweep)

    def motion(t):
        cos, sin = mpmath.cos(begin + sweep * t), mpmath.sin(begin + sweep * t)
        point = [c[k] + p[k] * cos + q[k] * sin for k in (0, 1)]
        return point, [sweep * (q[k] * cos - p[k] * sin) for k in (0, 1)]

    return motion


@pytest.mark.parametrize("degree", [2, 3, 4, 6, 11])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_polynomial_segments_are_exact(degree, offset):
    points = np.random.default_rng(degree).normal(size=(degree + 1, 2)) + np.array([offset, -2 * offset])
    found = caps(PieceTable.of([Bezier(points)]))
    expected = exact_bezier_cap(points)
    np.testing.assert_allclose(found.moments[:, 0], expected, rtol=1e-13, atol=2e-15 * np.abs(expected).max())
    assert not found.errors.any()


@pytest.mark.parametrize(
    "arc",
    [
        Arc.circle([1.3, -0.7], 2.1, 0.4, 1.3),
        Arc.circle([1.3, -0.7], 2.1, -2.4, -5.9),
        Arc.ellipse([0.2, 0.9], [[3.0, 1.0], [-0.4, 0.8]], 0.3, 4.4),
        Arc.ellipse([0.2, 0.9], [[0.3, 1.0], [0.4, 0.8]], 0.3, 0.01),
    ],
)
def test_arcs_are_right_to_roundoff(arc):
    found, expected = caps(PieceTable.of([arc])).moments[:, 0], exact_cap(arc_motion(arc))
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=4e-16 * np.abs(expected).max())


def test_shallow_arcs_keep_their_relative_accuracy():
    bulge = 1e-7
    moments = caps(PieceTable.of([Arc.from_bulge([0, 0], [1, 0], bulge)])).moments[:, 0]
    area = bulge / 3  # 2/3 chord sagitta, the sagitta half the bulge; a parabola to 1e-14
    np.testing.assert_allclose(moments[[0, 1, 3]], [area, area / 2, area * 0.3], rtol=1e-12)
    np.testing.assert_allclose(moments[2], -area * bulge / 5, rtol=1e-12)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rational_segments_are_right_within_the_stated_bound(seed):
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(seed + 2, 2)), rng.uniform(0.05, 3, seed + 2)
    found = caps(PieceTable.of([RationalBezier(points, weights)]))
    expected = exact_cap(rational_motion(points, weights))
    error = np.abs(found.moments[:, 0] - expected)
    assert (error <= found.errors[:, 0] + 1e-15 * np.abs(expected).max()).all()
    np.testing.assert_allclose(found.moments[:, 0], expected, atol=1e-14 * np.abs(expected).max())


def test_a_quarter_circle_in_three_notations():
    root = math.sqrt(0.5)
    pieces = [
        Arc.circle([0, 0], 1, 0, math.pi / 2),
        Arc.from_bulge([1, 0], [0, 1], math.tan(math.pi / 8)),
        RationalBezier(np.array([[1.0, 0], [1, 1], [0, 1]]), np.array([1, root, 1])),
    ]
    found = caps(PieceTable.of(pieces))
    about_center = shifted(found.moments, found.start)
    sixteenth = math.pi / 16
    expected = [4 * sixteenth - 1 / 2, 1 / 6, 1 / 6, sixteenth - 1 / 12, sixteenth - 1 / 12, 1 / 8 - 1 / 24]
    np.testing.assert_allclose(about_center, np.transpose([expected] * 3), atol=3e-16)
    np.testing.assert_allclose(found.lengths, math.pi / 2, rtol=1e-15)


def test_lengths():
    parabola = Bezier(np.array([[-1.0, 1], [0, -1], [1, 1]]))  # v = u^2
    cusp = Bezier(np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]))
    ellipse = Arc.ellipse([5, 6], [[3 * 0.6, 3 * 0.8], [-0.8, 0.6]], 0.1)
    found = caps(PieceTable.of([parabola, cusp, ellipse])).lengths
    expected = [math.sqrt(5) + math.asinh(2) / 2, float(_cusp_length()), float(4 * 3 * mpmath.ellipe(1 - 1 / 9))]
    np.testing.assert_allclose(found, expected, rtol=2e-15)


def _cusp_length():
    def speed(t):
        return mpmath.hypot(3 * (1 - 4 * t + 4 * t * t), 3 * (1 - 2 * t))

    return mpmath.quad(speed, [0, mpmath.mpf(1) / 2, 1])


def test_no_segment_at_all():
    found = caps(PieceTable.of([]))
    assert found.moments.shape == (6, 0)
    assert found.lengths.shape == (0,)
