"""Gauss-Legendre rules, and the adaptive integral."""

import mpmath
import numpy as np
import pytest

from massprops.core.quadrature import adaptive, gauss


@pytest.mark.parametrize("count", [1, 2, 5, 20, 32])
def test_nodes_and_weights_are_the_nearest_floats(count):
    nodes, weights = gauss(count)
    with mpmath.workdps(50):
        for node, weight in zip(nodes, weights, strict=True):
            x = mpmath.findroot(lambda x: mpmath.legendre(count, x), 2 * mpmath.mpf(node) - 1)
            slope = mpmath.diff(lambda x: mpmath.legendre(count, x), x)
            assert float((1 + x) / 2) == node
            assert float(1 / ((1 - x * x) * slope**2)) == weight


@pytest.mark.parametrize("count", [3, 8])
def test_polynomials_of_degree_two_n_minus_one_are_exact(count):
    nodes, weights = gauss(count)
    for degree in range(2 * count):
        assert abs((nodes**degree) @ weights - 1 / (degree + 1)) < 2e-16


def test_kinks_and_roots_are_followed():
    def integrand(index, t):
        return np.stack([np.where(index[:, None] == 0, np.abs(t - 1 / 3), 1 / np.sqrt(t + 1e-6)), np.ones_like(t)])

    found, errors = adaptive(integrand, 2, 2)
    expected = [(1 / 9 + 4 / 9) / 2, 2 * (np.sqrt(1 + 1e-6) - 1e-3)]
    np.testing.assert_allclose(found, [expected, [1, 1]], rtol=2e-15)
    assert (errors < 1e-14).all()
    assert (np.abs(found[0] - expected) <= errors[0] + 4e-16).all()
