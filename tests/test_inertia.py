"""Mass properties from moments."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from massprops.core.affine_map import AffineMap
from massprops.core.exact_numbers import rationals
from massprops.core.inertia import MassProperties, inertia_of, parallel_axes
from massprops.core.moments import Moments
from massprops.errors import NonFinite


def block(sides: tuple[object, ...], center: tuple[object, ...] = (0, 0, 0)) -> Moments:
    a, b, c = (Fraction(side) for side in sides)
    volume = a * b * c
    about = Moments.of(volume, [0, 0, 0], np.diag([volume * s * s / 12 for s in (a, b, c)]))
    return about.mapped(AffineMap.of(np.eye(3), center))


def test_a_block_of_any_density_anywhere() -> None:
    a, b, c = 2, 3, 5
    found = MassProperties.of(block((a, b, c), (11, 21.5, 32.5)), density=7850)
    mass = 7850 * a * b * c
    assert found.density == 7850
    assert found.volume == a * b * c
    assert found.mass == mass
    assert found.center.tolist() == [11, 21.5, 32.5]
    squares = (b * b + c * c, a * a + c * c, a * a + b * b)
    assert found.inertia.tolist() == np.diag([mass * s / 12 for s in squares]).tolist()
    assert found.principal_moments.tolist() == sorted(np.diag(found.inertia).tolist())
    assert found.radii_of_gyration.tolist() == [math.sqrt(m / mass) for m in found.principal_moments]
    assert (found.about, found.inertia_about, found.area, found.bounds) == (None, None, None, None)
    assert not found.repeated_moments


def test_the_corner_of_a_tetrahedron() -> None:
    """Corners 0 and 1, 2, 3 on the axes; about the origin int x_i x_j = V s_i s_j (1 + delta_ij) / 20."""
    second = [[Fraction(s * t * (1 + (s == t)), 20) for t in (1, 2, 3)] for s in (1, 2, 3)]
    body = Moments.of(1, [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)], second)
    found = MassProperties.of(body, about=(0, 0, 0))
    products = [(0, 1, 1 / 40), (0, 2, 3 / 80), (1, 2, 3 / 40)]
    assert np.diag(found.inertia).tolist() == [39 / 80, 3 / 8, 3 / 16]
    assert all(found.inertia[i, j] == found.inertia[j, i] == value for i, j, value in products)
    assert found.inertia_about.tolist() == [[1.3, -0.1, -0.15], [-0.1, 1.0, -0.3], [-0.15, -0.3, 0.5]]
    assert found.about.tolist() == [0, 0, 0]
    assert found.principal_moments == pytest.approx([0.15891753, 0.38861481, 0.50246766], rel=1e-7)


@pytest.mark.parametrize("point", [(0, 0, 0), (1.25, -3, 7), (1e6, -2e6, 3e6)])
def test_about_a_point_is_the_parallel_axis_theorem(point: tuple[float, ...]) -> None:
    body = block((1, 2, 4), (0.5, -1, 8))
    found = MassProperties.of(body, density=3, about=point)
    d = [Fraction(p) - q for p, q in zip(point, body.center.tolist(), strict=True)]
    for i, j in itertools.product(range(3), repeat=2):
        shift = 24 * ((i == j) * sum(x * x for x in d) - d[i] * d[j])
        assert found.inertia_about[i, j] == float(Fraction(found.inertia[i, j]) + shift)


def test_the_tensor_of_second_moments_and_of_a_distance() -> None:
    assert inertia_of(rationals(np.diag([1, 2, 4]))).tolist() == rationals(np.diag([6, 5, 3])).tolist()
    assert parallel_axes(rationals([1, 2, 3])).tolist() == [[13, -2, -3], [-2, 10, -6], [-3, -6, 5]]


def test_printed_moments_keep_the_triangle_inequality() -> None:
    found = MassProperties.of(block((1, 1, 0.001)), density=1000)
    a, b, c = found.principal_moments
    assert a + b >= c
    assert found.repeated_moments


def test_equal_moments_are_flagged() -> None:
    cube = MassProperties.of(block((2, 2, 2), (7, 8, 9)))
    assert cube.repeated_moments
    assert cube.principal_axes.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("side", [1e70, 1e150, 1e300])
def test_what_is_too_large_for_a_float_is_refused(side: float) -> None:
    with pytest.raises(NonFinite, match="too large"):
        MassProperties.of(block((side, side, side)))
    with pytest.raises(NonFinite, match="too large"):
        MassProperties.of(block((1, 1, 1)), density=1e300, about=(1e300, 0, 0))


@pytest.mark.parametrize("side", [1e-70, 1e-120])
def test_what_is_too_small_for_a_float_is_refused(side: float) -> None:
    """The inertia of a cube of 1e-70, 1e-351, would be given as 0, the mass of one of 1e-120 too."""
    with pytest.raises(NonFinite):
        MassProperties.of(block((side, side, side)))


def test_a_cube_of_the_smallest_side_is_measured() -> None:
    found = MassProperties.of(block((1e-60,) * 3))
    assert found.mass == float(Fraction(1e-60) ** 3)
    assert found.inertia[0, 0] == float(Fraction(1e-60) ** 5 / 6)


def test_the_smallest_tensor_is_measured() -> None:
    """Second moments of which the largest entry of the tensor, C_xx + C_yy, is the limit itself."""
    limit = Fraction(2) ** -1020
    second = np.diag([limit / 2, limit / 2, Fraction(0)])
    assert MassProperties.of(Moments.of(1, [0, 0, 0], second)).inertia[2, 2] == float(limit)
    with pytest.raises(NonFinite, match="too small"):
        MassProperties.of(Moments.of(1, [0, 0, 0], second * Fraction(2**53 - 1, 2**53)))


def test_a_mass_too_small_is_refused_however_large_the_body() -> None:
    """A mass below the smallest normal float, spread so widely that its tensor is an ordinary one."""
    second = np.diag([Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)])
    with pytest.raises(NonFinite, match="too small"):
        MassProperties.of(Moments.of(Fraction(2) ** -1021, [0, 0, 0], second))


def test_a_point_mass_has_no_inertia() -> None:
    found = MassProperties.of(Moments.of(3, [3, 6, -9], np.outer([3, 6, -9], [1, 2, -3])), about=(0, 0, 0))
    assert found.inertia.tolist() == np.zeros((3, 3)).tolist()
    assert found.inertia_about.tolist() == [[39, -6, 9], [-6, 30, 18], [9, 18, 15]]


@pytest.mark.parametrize(("body", "volume"), [
    (-block((0.5, 0.5, 0.5), (1, 2, 3)), "-0.125"), (block((1, 1, 1)) - 2 * block((2, 2, 2)), "-15"),
    (-(10**400) * block((1, 1, 1)), r"-1.79769e\+308"), (block((1, 1, 1)) * -1e-300, "-1e-300"),
])  # fmt: skip
def test_a_difference_the_wrong_way_round_is_no_body(body: Moments, volume: str) -> None:
    with pytest.raises(ValueError, match=rf"^no body has a negative volume, {volume}: is the difference the right way"):
        MassProperties.of(body)


def test_area_and_bounds_of_any_kind_are_floats() -> None:
    found = MassProperties.of(block((1, 2, 3)), area=np.int64(22), bounds=[[0, 0, 0], [1, Fraction(2), np.float32(3)]])
    assert (found.area, type(found.area)) == (22, float)
    assert (found.bounds.tolist(), found.bounds.flags.writeable) == ([[0, 0, 0], [1, 2, 3]], False)


@pytest.mark.parametrize(("given", "error"), [
    ({"area": "22"}, TypeError), ({"area": [22]}, TypeError), ({"area": True}, TypeError), ({"area": 1j}, TypeError),
    ({"bounds": "box"}, TypeError), ({"bounds": [0, 1]}, ValueError), ({"bounds": np.eye(3)}, ValueError),
    ({"bounds": [[0, 0, None], [1, 1, 1]]}, TypeError), ({"bounds": [[0, 0, 0], [1, 1, math.nan]]}, ValueError),
])  # fmt: skip
def test_area_and_bounds_refused(given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error, match=rf"^{next(iter(given))}\b"):
        MassProperties.of(block((1, 2, 3)), **given)


def test_a_void_is_taken_out() -> None:
    found = MassProperties.of(3 * (block((2, 2, 2), (1, 2, 3)) - block((1, 1, 1), (1, 2, 3))))
    assert (found.mass, found.center.tolist()) == (21, [1, 2, 3])
    assert found.inertia.tolist() == (np.eye(3) * 3 * (2**5 - 1) / 6).tolist()


@pytest.mark.parametrize("wrong", [None, 7850, "cube", [block((1, 2, 3))], np.eye(3)])
def test_what_is_no_moments_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"^moments: Moments are wanted, not a value of type \w+$"):
        MassProperties.of(wrong)  # type: ignore[arg-type]


def test_of_mass_properties_their_moments_are_asked_for() -> None:
    found = MassProperties.of(block((1, 2, 3)))
    with pytest.raises(TypeError, match=r"not a value of type MassProperties: give its moments$"):
        MassProperties.of(found)  # type: ignore[arg-type]


def test_a_moment_below_zero_by_round_off_has_no_radius() -> None:
    found = MassProperties.of(Moments.of(1, [0, 0, 0], np.diag([1, -1e-20, -1e-20])))
    assert found.principal_moments[0] < 0
    assert found.radii_of_gyration.tolist() == [0, 1, 1]


def test_a_negative_moment_has_no_radius() -> None:
    found = MassProperties.of(Moments.of(2, [0, 0, 0], np.diag([9, 1, -4])))
    assert found.principal_moments.tolist() == [-3, 5, 10]
    assert found.radii_of_gyration[1:].tolist() == [math.sqrt(5 / 2), math.sqrt(10 / 2)]
    assert np.isnan(found.radii_of_gyration[0])


@pytest.mark.parametrize(("density", "error"), [(0, ValueError), (-2, ValueError), ("2", TypeError), (None, TypeError)])
def test_densities_refused(density: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^density"):
        MassProperties.of(block((1, 2, 3)), density)


@pytest.mark.parametrize("about", [[1, 2], [[1, 2, 3]], 4, [1, 2, math.nan]])
def test_points_refused(about: object) -> None:
    with pytest.raises(ValueError, match=r"^about"):
        MassProperties.of(block((1, 2, 3)), about=about)


def test_a_body_without_volume_is_refused() -> None:
    with pytest.raises(ValueError, match="volume 0"):
        MassProperties.of(Moments.of(0, [0, 0, 0], np.zeros((3, 3))))


def test_radii_of_gyration_of_a_small_block() -> None:
    found = MassProperties.of(block((0.02, 0.03, 0.05)), density=7.8)
    wanted = [math.sqrt((a * a + b * b) / 12) for a, b in ((0.02, 0.03), (0.02, 0.05), (0.03, 0.05))]
    assert found.radii_of_gyration == pytest.approx(wanted, rel=1e-15)


def test_no_results_share_memory_with_arguments() -> None:
    bounds = np.zeros((2, 3))
    found = MassProperties.of(block((1, 2, 3)), area=22.0, bounds=bounds)
    assert found.area == 22.0
    assert found.bounds.tolist() == bounds.tolist()
    bounds[0] = 7
    assert found.bounds.tolist() == np.zeros((2, 3)).tolist()
    with pytest.raises(ValueError, match="read-only"):
        found.center[0] = 9
    with pytest.raises(AttributeError):
        found.mass = 1.0  # type: ignore[misc]
