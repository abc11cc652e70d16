"""Bernstein polynomials and the Bezier segments of B-splines."""

from itertools import pairwise

import numpy as np
import pytest

from massprops.core.bernstein import bernstein, bezier_segments, difference, power_basis, split


def _de_boor(points, knots, degree, x):
    """Value of a B-spline by the Cox-de Boor recursion of its basis functions."""

    def basis(i, p):
        if p == 0:
            return 1.0 if knots[i] <= x < knots[i + 1] else 0.0
        left, right = knots[i + p] - knots[i], knots[i + p + 1] - knots[i + 1]
        value = (x - knots[i]) / left * basis(i, p - 1) if left else 0.0
        return value + ((knots[i + p + 1] - x) / right * basis(i + 1, p - 1) if right else 0.0)

    return sum(basis(i, degree) * points[i] for i in range(len(points)))


def test_values_add_up_to_one():
    t = np.linspace(0, 1, 9)
    np.testing.assert_allclose(bernstein(7, t).sum(axis=1), 1, atol=1e-15)
    np.testing.assert_allclose(bernstein(2, t), np.column_stack([(1 - t) ** 2, 2 * t * (1 - t), t * t]))


def test_derivative_and_powers_of_a_cubic():
    cubic = np.array([1.0, -2.0, 4.0, 0.5])
    powers = power_basis(cubic)
    t = np.linspace(0, 1, 5)
    np.testing.assert_allclose(np.polynomial.polynomial.polyval(t, powers), bernstein(3, t) @ cubic, atol=1e-14)
    slope = np.polynomial.polynomial.polyder(powers)
    np.testing.assert_allclose(bernstein(2, t) @ difference(cubic), np.polynomial.polynomial.polyval(t, slope))


def test_parts_keep_the_ends_bit_for_bit():
    points = np.array([[0.1, 0.2], [1.3, 2.2], [2.7, 0.4], [5.1, 3.3]])
    assert split(points, 0, 0.3)[0].tolist() == points[0].tolist()
    assert split(points, 0.3, 1)[-1].tolist() == points[-1].tolist()
    assert split(points, 0, 1) is points


@pytest.mark.parametrize(
    ("degree", "knots"),
    [
        (3, [0, 0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 4]),
        (2, [0, 1, 2, 3, 4.5, 5, 6, 7, 8, 9, 10]),
        (5, [0, 0, 0, 0, 0, 0, 0.25, 1, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]),
        (1, [0, 0, 1, 2, 3, 3]),
    ],
)
def test_segments_run_along_the_spline(degree, knots):
    knots = np.array(knots, float)
    count = len(knots) - degree - 1
    points = np.random.default_rng(3).normal(size=(count, 2))
    spans = [(a, b) for a, b in zip(knots[degree:count], knots[degree + 1 : count + 1], strict=True) if a < b]
    segments = bezier_segments(points, knots, degree)
    assert len(segments) == len(spans)
    for segment, (low, high) in zip(segments, spans, strict=True):
        for t in (0.0, 0.3, 0.99):
            expected = _de_boor(points, knots, degree, low + t * (high - low))
            np.testing.assert_allclose(bernstein(degree, np.array([t]))[0] @ segment, expected, atol=1e-13)
    for before, after in pairwise(segments):
        assert before[-1].tolist() == after[0].tolist()
