"""Where Bezier functions turn: against slopes on a fine grid, and against roots that are known."""

import numpy as np
import pytest

from massprops.core.bernstein import bernstein, power_basis
from massprops.core.segments import Bezier, RationalBezier
from massprops.core.turns import turns_of_polynomials, turns_of_rationals, within

GRID = np.linspace(0, 1, 4001)


def changes(values):
    """Middles of the steps of the grid beside which values turn."""
    rises = np.diff(values) > 0
    return GRID[1:-1][rises[1:] != rises[:-1]]


@pytest.mark.parametrize("degree", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("is_rational", [False, True])
def test_turns_lie_where_values_turn(degree, is_rational):
    rng = np.random.default_rng(degree)
    values, weights = rng.normal(size=(200, degree + 1)) + 5, rng.uniform(0.3, 3, (200, degree + 1))
    found = turns_of_rationals(values, weights) if is_rational else turns_of_polynomials(values)
    basis = bernstein(degree, GRID)
    for row, coefficients, w in zip(found, values, weights, strict=True):
        w = w if is_rational else np.ones(degree + 1)
        expected = changes(basis @ (coefficients * w) / (basis @ w))
        turns = within(row)
        assert all(np.abs(turns - t).min() <= 2 / 4000 for t in expected)
        inner = turns[(turns > 0.01) & (turns < 0.99)]
        assert len(inner) == np.sum((expected > 0.01) & (expected < 0.99))


def test_roots_that_are_known():
    # the integral of (t - 1/4)(t - 1/2)(t - 3/4) = t^3 - 3/2 t^2 + 11/16 t - 3/32
    powers = np.array([0, -3 / 32, 11 / 32, -1 / 2, 1 / 4])
    to_powers = power_basis(np.eye(5)).T
    values = np.linalg.solve(to_powers, powers)
    assert within(turns_of_polynomials(values[None])[0]) == pytest.approx([0.25, 0.5, 0.75], abs=1e-13)
    assert within(turns_of_rationals(values[None], np.ones((1, 5)))[0]) == pytest.approx([0.25, 0.5, 0.75], abs=1e-13)


def test_a_quarter_of_a_circle_turns_nowhere_and_a_half_once():
    weights = np.array([1.0, np.sqrt(0.5), 1.0])
    quarter = RationalBezier(np.array([[1.0, 0], [1, 1], [0, 1]]), weights)
    assert len(quarter.turns([1, 0])) == len(quarter.turns([0, 1])) == 0
    assert quarter.turns([1, 1]) == pytest.approx([0.5])


@pytest.mark.parametrize("values", [[1.0, 2, 3, 4, 5], [5.0, 4, 4, 2, 1], [3.0] * 5, [0.0, 1, 2], [1.0] * 4])
def test_what_keeps_its_way_turns_nowhere(values):
    values = np.array([values])
    assert len(within(turns_of_polynomials(values))) == 0
    assert len(within(turns_of_rationals(values, np.arange(1.0, values.shape[1] + 1)[None]))) == 0


def test_one_by_one_is_as_all_at_once():
    rng = np.random.default_rng(3)
    points, weights = rng.normal(size=(40, 5, 2)), rng.uniform(0.5, 2, (40, 5))
    rational = turns_of_rationals((points - points[:, :1])[:, :, 0], weights)
    plain = turns_of_polynomials(points[:, :, 0])
    for k in range(40):
        assert RationalBezier(points[k], weights[k]).turns([1, 0]) == pytest.approx(within(rational[k]), abs=1e-12)
        assert Bezier(points[k]).turns([1, 0]) == pytest.approx(within(plain[k]), abs=1e-12)


def test_no_functions():
    assert turns_of_polynomials(np.empty((0, 6))).shape == (0, 4)
    assert turns_of_rationals(np.empty((0, 3)), np.empty((0, 3))).shape[0] == 0
