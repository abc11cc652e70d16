"""The equivalent inertia ellipsoid: closed forms, round trips, extreme shapes and refusals."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.ellipsoid import EllipsoidError, InertiaEllipse, InertiaEllipsoid, semi_axes

# The columns of 1/3 [[2, -2, 1], [1, 2, 2], [-2, -1, 2]]: a turn with rational entries.
TURN = np.array([[2.0, -2.0, 1.0], [1.0, 2.0, 2.0], [-2.0, -1.0, 2.0]]) / 3
CENTER = np.array([0.3, -math.e, math.pi])

lengths = st.floats(1e-3, 1e3)


def uniform_moments(mass: float, semi: np.ndarray) -> np.ndarray:
    squares = np.asarray(semi) ** 2
    return mass / 5 * np.array([squares[1] + squares[2], squares[2] + squares[0], squares[0] + squares[1]])


def test_a_box_has_an_ellipsoid_longer_by_the_root_of_five_thirds() -> None:
    sides, mass = np.array([1.1, 2.3, 3.7]), 7.0
    moments = mass / 12 * np.array(
        [sides[1] ** 2 + sides[2] ** 2, sides[2] ** 2 + sides[0] ** 2, sides[0] ** 2 + sides[1] ** 2]
    )
    assert np.allclose(semi_axes(mass, moments), math.sqrt(5 / 3) * sides / 2, rtol=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.tuples(lengths, lengths, lengths), st.floats(1e-6, 1e6))
def test_an_ellipsoid_is_its_own(semi: tuple[float, float, float], mass: float) -> None:
    found = semi_axes(mass, uniform_moments(mass, np.array(semi)))
    error = 4 * 2.0**-52 * max(semi) ** 2  # of the moments, in units of length squared
    assert np.abs(found**2 - np.array(semi) ** 2).max() <= 5 * error


def test_the_longest_semi_axis_lies_along_the_axis_of_the_smallest_moment() -> None:
    body = InertiaEllipsoid.of(3.0, CENTER, [1.0, 2.0, 2.5], TURN)
    assert np.all(np.diff(body.semi_axes) < 0)
    assert np.allclose(body.moments, [1.0, 2.0, 2.5], rtol=1e-14)


def test_the_tensor_of_the_ellipsoid_is_that_of_the_body() -> None:
    moments = np.array([2.5, 5.0, 6.5])
    body = InertiaEllipsoid.of(6.0, CENTER, moments, TURN)
    tensor = TURN @ np.diag(body.moments) @ TURN.T
    assert np.allclose(tensor, TURN @ np.diag(moments) @ TURN.T, rtol=1e-14, atol=1e-14)


def test_principal_sections_lie_on_the_ellipsoid_and_in_their_planes() -> None:
    body = InertiaEllipsoid.of(2.0, CENTER, [1.0, 1.7, 2.2], TURN)
    for axis in range(3):
        points = body.section(axis, 50)
        local = (points - CENTER) @ TURN
        assert points.shape == (50, 3)
        assert np.abs(local[:, axis]).max() < 1e-14
        assert np.allclose(((local / body.semi_axes) ** 2).sum(axis=1), 1.0, rtol=1e-13)


def test_a_needle_keeps_its_thickness() -> None:
    """The moments of a box of 1 x 2^-12 x 2^-13: the differences are exact, only the moments were rounded."""
    a, b, c = Fraction(1), Fraction(1, 2**12), Fraction(1, 2**13)
    moments = [float((b * b + c * c) / 12), float((c * c + a * a) / 12), float((a * a + b * b) / 12)]
    assert np.allclose(semi_axes(1.0, moments), math.sqrt(5 / 3) * np.array([1, 2**-12, 2**-13]) / 2, rtol=1e-8)


def test_a_plate_whose_thickness_is_round_off_is_flat() -> None:
    semi = semi_axes(1.0, [1 / 12, 1 / 12, np.nextafter(1 / 6, 1)])
    assert semi[2] == 0.0
    assert np.allclose(semi[:2], math.sqrt(5 / 12), rtol=1e-14)


@pytest.mark.parametrize("size", [1e-60, 1e60, 1e100])
def test_no_size_is_too_small_or_too_large(size: float) -> None:
    mass = size if size < 1 else 1.0
    moments = mass * size * size * np.array([5.0, 10.0, 13.0]) / 5
    assert np.allclose(semi_axes(mass, moments) / size, [3.0, 2.0, 1.0], rtol=1e-13)


def test_a_point_has_no_size() -> None:
    assert semi_axes(1.0, [0.0, 0.0, 0.0]).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("mass", "moments", "told"),
    [
        (0.0, [1, 1, 1], "mass 0: it must be positive"),
        (-2.0, [1, 1, 1], "mass -2"),
        (math.nan, [1, 1, 1], "finite"),
        (1.0, [1, math.inf, 1], "finite"),
        (1.0, [-1, 1, 1], "negative"),
        (1.0, [1, 1, 2.5], "exceeds the sum"),
        (1.0, [1, 1], "three numbers"),
    ],
)
def test_what_no_body_has_is_refused(mass: float, moments: list[float], told: str) -> None:
    with pytest.raises(EllipsoidError, match=told):
        semi_axes(mass, moments)


def test_the_ellipse_of_a_rectangle() -> None:
    """2 x 6 at density 1.5, turned by 0.4: int s^2 dA along a side of length l is A l^2 / 12."""
    width, height, density = 2.0, 6.0, 1.5
    mass = density * width * height
    found = InertiaEllipse.of(mass, [3.0, -1.0], [mass * width**2 / 12, mass * height**2 / 12], 0.4)
    assert np.allclose(found.semi_axes, [height / math.sqrt(3), width / math.sqrt(3)], rtol=1e-14)
    local = (found.outline(30) - [3.0, -1.0]) @ found.axes
    assert np.allclose(((local / found.semi_axes) ** 2).sum(axis=1), 1.0, rtol=1e-13)


def test_an_ellipse_needs_a_mass() -> None:
    with pytest.raises(EllipsoidError, match="positive"):
        InertiaEllipse.of(0.0, [0, 0], [1, 1], 0.0)
    with pytest.raises(EllipsoidError, match="negative"):
        InertiaEllipse.of(1.0, [0, 0], [-1, 1], 0.0)
