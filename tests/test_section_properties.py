"""Centroid, second moments, principal axes and moduli of sections."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.area_moments import AreaMoments
from massprops.core.curve import Curve, Loop
from massprops.core.exact_numbers import rationals
from massprops.core.section import section_integrals
from massprops.core.section_properties import SectionProperties, principal_values
from massprops.core.segments import Arc
from massprops.errors import NonFinite


def measure(points, density=1, about=None):
    curve = points if isinstance(points, Curve) else Curve.from_loops(*np.array(points, float).T)
    found = section_integrals(curve)
    return SectionProperties.of(found.moments, density, about, curve, found)


RECTANGLE = [(10, 20), (14, 20), (14, 22), (10, 22)]


def test_a_rectangle_away_from_the_origin():
    found = measure(RECTANGLE, density=3)
    assert found.mass == 24
    assert found.center.tolist() == [12, 21]
    assert found.second_moments.tolist() == [3 * 2 * 4**3 / 12, 3 * 4 * 2**3 / 12, 0]
    assert found.polar_moment == 3 * 8 * (16 + 4) / 12
    assert found.principal_moments.tolist() == [8, 32]
    assert found.principal_angle == 0
    assert found.perimeter == 12
    assert found.bounds.tolist() == [[10, 20], [14, 22]]
    np.testing.assert_allclose(found.radii_of_gyration, [4 / math.sqrt(12), 2 / math.sqrt(12), math.sqrt(20 / 12)])
    assert found.about is None
    assert found.second_moments_about is None


def test_moduli_of_a_rectangle_do_not_depend_on_the_density():
    moduli = measure(RECTANGLE, density=3).section_moduli
    assert moduli.about_u.tolist() == [4 * 2**2 / 6] * 2
    assert moduli.about_v.tolist() == [2 * 4**2 / 6] * 2
    assert moduli.about_long.tolist() == moduli.about_u.tolist()
    assert moduli.about_short.tolist() == moduli.about_v.tolist()


def test_moduli_of_a_triangle_differ_from_side_to_side():
    moduli = measure([(0, 0), (6, 0), (0, 3)]).section_moduli
    np.testing.assert_allclose(moduli.about_u, [6 * 27 / 36 / 1, 6 * 27 / 36 / 2], rtol=1e-15)  # b h^3 / 36
    np.testing.assert_allclose(moduli.about_v, [3 * 216 / 36 / 2, 3 * 216 / 36 / 4], rtol=1e-15)


def test_moduli_of_a_disc_count_the_round_side():
    moduli = measure(Curve((Loop((Arc.circle([3, 4], 2, 0.3),)),))).section_moduli
    np.testing.assert_allclose([moduli.about_u, moduli.about_short], math.pi * 8 / 4, rtol=1e-14)


def test_moments_about_a_point():
    found = measure(RECTANGLE, density=3, about=(10, 20))
    assert found.second_moments_about.tolist() == [3 * 2 * 4**3 / 3, 3 * 4 * 2**3 / 3, 3 * 8 * 2 * 1]
    assert found.polar_moment_about == 3 * (2 * 64 + 4 * 8) / 3
    assert found.second_moments.tolist() == measure(RECTANGLE, density=3).second_moments.tolist()


@pytest.mark.parametrize("degrees", [-89.9, -60, -45, 0, 12, 45, 77, 89.99])
def test_the_angle_is_that_of_the_long_axis(degrees):
    a = math.radians(degrees)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    found = measure(np.array(RECTANGLE) @ turn.T)
    assert found.principal_angle == pytest.approx(a, abs=1e-14)
    np.testing.assert_allclose(found.principal_moments, [8 / 3, 32 / 3], rtol=1e-14)
    np.testing.assert_allclose(found.section_moduli.about_short, 2 * 4**2 / 6, rtol=1e-13)


@pytest.mark.parametrize("noise", [0.0, 1e-17, -1e-17])
def test_an_upright_section_has_the_angle_plus_ninety_degrees_whatever_the_noise(noise):
    moments = AreaMoments.of(1, [0, 0], [[1, noise], [noise, 2]])
    assert SectionProperties.of(moments).principal_angle == math.pi / 2


@pytest.mark.parametrize("noise", [0.0, 1e-13, -1e-13])
def test_equal_moments_have_the_angle_zero_and_are_flagged(noise):
    moments = AreaMoments.of(1, [0, 0], [[1, noise], [noise, 1 + 2 * noise]])
    found = SectionProperties.of(moments)
    assert found.equal_moments
    assert found.principal_angle == 0
    assert not measure(RECTANGLE).equal_moments


@given(st.floats(-10, 10), st.floats(0.01, 10), st.floats(-20, 0))
@settings(deadline=None)
def test_both_principal_moments_are_right_however_unequal(angle, large, exponent):
    small = large * 10**exponent
    c, s = Fraction(math.cos(angle)), Fraction(math.sin(angle))
    norm, l1, l2 = c * c + s * s, Fraction(large), Fraction(small)
    matrix = [[(l1 * c * c + l2 * s * s) / norm, (l1 - l2) * c * s / norm], [0, (l1 * s * s + l2 * c * c) / norm]]
    matrix[1][0] = matrix[0][1]
    found = principal_values(rationals(matrix))
    np.testing.assert_allclose(found[:2], [min(small, large), max(small, large)], rtol=1e-15)


def test_nothing_at_all():
    assert principal_values(rationals([[0, 0], [0, 0]])) == (0, 0, 0)


def test_a_result_beyond_the_range_of_floats_is_refused():
    with pytest.raises(NonFinite, match="larger unit"):
        measure(np.array(RECTANGLE) * 1e90)
    with pytest.raises(NonFinite):
        SectionProperties.of(AreaMoments.of(1, [0, 0], [[10**10, 0], [0, 1]]), density=1e300)
    with pytest.raises(ValueError, match="density"):
        SectionProperties.of(AreaMoments.of(1, [0, 0], [[1, 0], [0, 1]]), density=Fraction(10) ** 400)


def test_results_cannot_be_written_to():
    found = measure(RECTANGLE, about=(1, 2))
    arrays = [a for value in (found, found.section_moduli) for a in vars(value).values() if isinstance(a, np.ndarray)]
    assert len(arrays) == 11
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 9
