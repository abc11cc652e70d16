"""Principal moments and axes: accurate each for itself, right-handed, with fixed signs."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from massprops.core.eigen import REPEATED, jacobi_axes, principal
from massprops.core.exact_numbers import rationals

TOL = 1e-14


def orthonormal(seed: int) -> np.ndarray:
    """A rotation in fractions, without error: Cayley's transform of a random antisymmetric matrix."""
    a, b, c = (Fraction(int(k), 97) for k in np.random.default_rng(seed).integers(-200, 200, 3))
    n = 1 + a * a + b * b + c * c
    return rationals([
        [1 + a * a - b * b - c * c, 2 * (a * b - c), 2 * (a * c + b)],
        [2 * (a * b + c), 1 - a * a + b * b - c * c, 2 * (b * c - a)],
        [2 * (a * c - b), 2 * (b * c + a), 1 - a * a - b * b + c * c],
    ]) / n  # fmt: skip


def of_values(values: list[Fraction], seed: int) -> np.ndarray:
    turn = orthonormal(seed)
    return turn @ np.diag(values) @ turn.T


def check(matrix: np.ndarray) -> None:
    """What every result must be."""
    moments, axes = principal(matrix)
    size = float(np.abs(matrix).max())
    assert np.all(np.diff(moments) >= 0)
    assert np.abs(axes.T @ axes - np.eye(3)).max() <= TOL
    assert abs(np.linalg.det(axes) - 1) <= TOL
    exact_axes = rationals(axes)
    residual = matrix @ exact_axes - exact_axes * rationals(moments)
    assert float(np.abs(residual).max()) <= 3 * TOL * size
    for k in (0, 1):
        assert axes[np.argmax(np.abs(axes[:, k])), k] > 0 or np.isclose(*np.sort(np.abs(axes[:, k]))[1:])


def test_two_hundred_random_matrices() -> None:
    rng = np.random.default_rng(1)
    for a in rng.normal(size=(200, 3, 3)):
        check(rationals(a + a.T))


@pytest.mark.parametrize("scale", [1e-200, 1e-12, 1.0, 1e12, 1e200])
def test_the_scale_does_not_matter(scale: float) -> None:
    rng = np.random.default_rng(2)
    for a in rng.normal(size=(10, 3, 3)):
        matrix = rationals((a + a.T) * scale)
        check(matrix)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("values", [
    (1, 2, 3), (Fraction(1, 10**16), 1, 1 + Fraction(1, 10**16)), (Fraction(1, 10**8), 1, 1),
    (Fraction(1, 10**18), 1, 2),
    (2, 2, 5), (2, 5, 5), (1, 1 + Fraction(1, 10**5), 1 + Fraction(2, 10**5)),
])  # fmt: skip
def test_each_moment_is_right_relative_to_itself(values: tuple[Fraction, ...], seed: int) -> None:
    matrix = of_values([Fraction(v) for v in values], seed)
    check(matrix)
    found = principal(matrix)
    relative = [abs(Fraction(x) / v - 1) for x, v in zip(found.moments.tolist(), sorted(values), strict=True)]
    assert max(relative) <= 1e-12
    close = np.diff([float(v) for v in sorted(values)]).min() <= REPEATED * float(max(values))
    assert found.is_repeated is bool(close)


@pytest.mark.parametrize("gap", [1, Fraction(1, 10**3), Fraction(1, 10**6)])
@pytest.mark.parametrize("seed", range(5))
def test_axes_are_right_to_the_last_bit_however_close_the_moments(seed: int, gap: Fraction) -> None:
    """Rounding the matrix alone turns axes of moments that differ by a millionth by some 1e-10."""
    turn = orthonormal(seed)
    axes = principal(turn @ np.diag([Fraction(1), 1 + gap, Fraction(4)]) @ turn.T).axes
    for k in (0, 1, 2):
        sign = np.sign(float(axes[:, k] @ turn[:, k].astype(float)))
        assert np.abs(axes[:, k] * sign - turn[:, k].astype(float)).max() <= 2.0**-52


@pytest.mark.parametrize("order", list(itertools.permutations([2, 3, 7])))
def test_a_diagonal_matrix_has_the_coordinate_axes(order: tuple[int, ...]) -> None:
    found = principal(rationals(np.diag(order)))
    assert found.moments.tolist() == [2, 3, 7]
    for k in (0, 1):
        assert found.axes[:, k].tolist() == np.eye(3)[order.index(found.moments[k])].tolist()
    assert found.axes[:, 2].tolist() == np.cross(found.axes[:, 0], found.axes[:, 1]).tolist()
    assert not found.is_repeated


@pytest.mark.parametrize("values", [(4, 4, 4), (1, 1, 3), (2, 5, 5)])
def test_equal_moments_along_the_axes_keep_their_order_and_are_flagged(values: tuple[int, ...]) -> None:
    found = principal(rationals(np.diag(values)))
    assert found.axes.tolist() == np.eye(3).tolist()
    assert found.moments.tolist() == list(values)
    assert found.is_repeated


@pytest.mark.parametrize("values", [
    (5.0, np.nextafter(5.0, 0), np.nextafter(5.0, 9)), (2.0, np.nextafter(5.0, 9), 5.0),
    (5.0, np.nextafter(5.0, 0), 9.0),
])  # fmt: skip
def test_equal_moments_up_to_round_off_keep_the_order_of_the_axes(values: tuple[float, ...]) -> None:
    found = principal(rationals(np.diag(values)))
    assert found.axes.tolist() == np.eye(3).tolist()
    assert found.is_repeated


def test_the_same_matrix_gives_the_same_axes() -> None:
    matrix = of_values([Fraction(2), Fraction(2), Fraction(5)], 3)
    one, two = principal(matrix), principal(matrix.copy())
    assert one.axes.tobytes() == two.axes.tobytes()
    assert one.moments.tobytes() == two.moments.tobytes()


def test_the_first_of_equal_components_counts_for_the_sign() -> None:
    found = principal(rationals([[2, 1, 0], [1, 2, 0], [0, 0, 5]]))
    assert found.axes[0, 0] > 0 > found.axes[1, 0]
    assert found.axes[0, 1] > 0
    assert np.all(np.isfinite(found.axes))
    assert not np.signbit(found.axes[found.axes == 0]).any()


def test_the_zero_matrix() -> None:
    found = principal(rationals(np.zeros((3, 3))))
    assert found.moments.tolist() == [0, 0, 0]
    assert found.axes.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("exponent", [-250, -80, 0, 80, 250])
def test_jacobi_axes_are_orthonormal_in_any_range(exponent: int) -> None:
    a = np.random.default_rng(exponent % 97).normal(size=(3, 3)) * 2.0**exponent
    axes = jacobi_axes(a + a.T)
    assert np.abs(axes.T @ axes - np.eye(3)).max() <= TOL


def test_the_argument_is_not_changed() -> None:
    matrix = np.array([[2.0, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 4]])
    before = matrix.copy()
    jacobi_axes(matrix)
    assert np.array_equal(matrix, before)


@pytest.mark.parametrize("gap", [1e-8, 1e-10, 1e-11, 3e-12, 1e-12, 1e-13, 1e-14, 1e-15])
def test_axes_of_nearly_equal_moments_are_orthonormal_and_belong_to_their_moments(gap: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        matrix = turn @ np.diag([1.0, 1.0 + gap, 1.5]) @ turn.T
        matrix = (matrix + matrix.T) / 2
        moments, axes = principal(rationals(matrix))
        assert np.abs(axes.T @ axes - np.eye(3)).max() <= 1e-15
        assert np.abs(matrix @ axes - axes * moments).max() <= 2e-14
