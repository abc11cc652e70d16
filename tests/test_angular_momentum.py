"""The identities of inertia and angular momentum, on clouds of point masses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from massprops.core.angular_momentum import (
    angular_momentum,
    angular_momentum_about,
    parallel_axes,
    point_mass_inertia,
    rotational_energy,
    skew,
)
from massprops.core.checked import FrameError
from massprops.core.frames import Pose, inertia_to_world

TOL = 2e-14


class Cloud:
    """Point masses in a rigid motion: v_i = v + w x (r_i - c)."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.masses = rng.uniform(0.5, 2, size=9)
        self.points = rng.normal((3, -2, 5), size=(9, 3))
        self.mass = float(self.masses.sum())
        self.center = self.masses @ self.points / self.mass
        self.omega = rng.normal(size=3)
        self.velocity = rng.normal(size=3)
        self.velocities = self.velocity + np.cross(self.omega, self.points - self.center)

    def inertia(self, about: np.ndarray) -> np.ndarray:
        pairs = zip(self.masses, self.points, strict=True)
        return sum((point_mass_inertia(m, p - about) for m, p in pairs), np.zeros((3, 3)))

    def momentum(self, about: np.ndarray) -> np.ndarray:
        return np.cross(self.points - about, self.masses[:, None] * self.velocities).sum(axis=0)


@pytest.fixture(params=[1, 2, 3])
def cloud(request: pytest.FixtureRequest) -> Cloud:
    return Cloud(request.param)


def test_skew_is_the_cross_product() -> None:
    rng = np.random.default_rng(4)
    r, x = rng.normal(size=(2, 3))
    assert np.abs(skew(r) @ x - np.cross(r, x)).max() <= TOL
    assert skew(r).tolist() == (-skew(r).T).tolist()
    assert np.abs(skew(r) @ skew(r) - (np.outer(r, r) - r @ r * np.eye(3))).max() <= TOL
    turn = Pose.from_rpy((0.3, -1.2, 2.5)).rotation
    assert np.abs(skew(turn @ r) - turn @ skew(r) @ turn.T).max() <= TOL


def test_a_point_mass_is_minus_m_r_r() -> None:
    rng = np.random.default_rng(5)
    m, r, w = 2.5, rng.normal(size=3), rng.normal(size=3)
    tensor = point_mass_inertia(m, r)
    assert np.abs(tensor + m * skew(r) @ skew(r)).max() <= TOL
    assert np.abs(angular_momentum(tensor, w) - m * np.cross(r, np.cross(w, r))).max() <= TOL
    assert abs(rotational_energy(tensor, w) - m / 2 * np.sum(np.cross(w, r) ** 2)) <= TOL
    assert np.abs(tensor @ r).max() <= TOL  # a point does not resist a turn about the line it is on
    assert abs(np.trace(tensor) - 2 * m * r @ r) <= TOL


def test_momentum_and_energy_of_a_cloud(cloud: Cloud) -> None:
    tensor = cloud.inertia(cloud.center)
    spin = angular_momentum(tensor, cloud.omega)
    assert np.abs(spin - cloud.momentum(cloud.center)).max() <= 20 * TOL
    total = np.sum(cloud.masses[:, None] * cloud.velocities**2) / 2
    drift = cloud.mass * cloud.velocity @ cloud.velocity / 2
    assert abs(rotational_energy(tensor, cloud.omega) + drift - total) <= 20 * TOL * total


def test_momentum_about_another_point(cloud: Cloud) -> None:
    point = np.array([-4.0, 1.5, 2.25])
    spin = angular_momentum(cloud.inertia(cloud.center), cloud.omega)
    moved = angular_momentum_about(point, cloud.mass, cloud.center, cloud.velocity, spin)
    assert np.abs(moved - cloud.momentum(point)).max() <= 100 * TOL
    same = angular_momentum_about(cloud.center, cloud.mass, cloud.center, cloud.velocity, spin)
    assert same.tolist() == spin.tolist()


def test_parallel_axes(cloud: Cloud) -> None:
    point = np.array([-4.0, 1.5, 2.25])
    central = cloud.inertia(cloud.center)
    moved = parallel_axes(central, cloud.mass, point - cloud.center)
    assert np.abs(moved - cloud.inertia(point)).max() <= 200 * TOL
    assert moved.tolist() == parallel_axes(central, cloud.mass, cloud.center - point).tolist()


def test_what_a_rigid_motion_leaves_and_what_it_changes(cloud: Cloud) -> None:
    pose = Pose.from_rpy((0.4, -0.9, 2.2), translation=(7, -3, 1))
    moved = Cloud(1)
    moved.masses, moved.mass, moved.points = cloud.masses, cloud.mass, pose.apply(cloud.points)
    moved.center = moved.masses @ moved.points / moved.mass
    before, after = cloud.inertia(cloud.center), moved.inertia(moved.center)
    # Left: moments, trace, determinant.
    assert np.abs(np.linalg.eigvalsh(after) - np.linalg.eigvalsh(before)).max() <= 100 * TOL
    assert abs(np.trace(after) - np.trace(before)) <= 100 * TOL
    # Changed: the centre by the pose, the tensor by its rotation alone, the axes with it.
    assert np.abs(moved.center - pose.apply(cloud.center)).max() <= 10 * TOL
    assert np.abs(after - inertia_to_world(before, pose)).max() <= 100 * TOL
    assert np.abs(after - before).max() > 0.1
    axes, turned = np.linalg.eigh(before)[1], np.linalg.eigh(after)[1]
    assert np.abs(np.abs(np.diag(turned.T @ pose.rotation @ axes)) - 1).max() <= 100 * TOL
    # A translation alone leaves the tensor, and L and T, as they are.
    shifted = Pose(np.eye(3), np.array([7.0, -3.0, 1.0]))
    assert inertia_to_world(before, shifted).tolist() == ((before + before.T) / 2).tolist()
    # Both sides turn: L' = R L, T' = T.
    w = cloud.omega
    assert np.abs(
        angular_momentum(after, pose.rotation @ w) - pose.rotation @ angular_momentum(before, w)
    ).max() <= 100 * TOL
    assert abs(rotational_energy(after, pose.rotation @ w) - rotational_energy(before, w)) <= 100 * TOL


def test_nothing_on_an_axis_is_minus_zero() -> None:
    assert not np.signbit(point_mass_inertia(2, [0, 1, 0])).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: skew([1, 2]), "r: of shape 2; give 3"),
        (lambda: skew([1, 2, math.inf]), "r: inf"),
        (lambda: point_mass_inertia(-1, [1, 2, 3]), "mass: -1; it must not be negative"),
        (lambda: point_mass_inertia(math.nan, [1, 2, 3]), "mass: nan"),
        (lambda: point_mass_inertia(1, [1e200, 0, 0]), "inertia: too large"),
        (lambda: parallel_axes(np.eye(3), -2, [0, 0, 1]), "mass: -2"),
        (lambda: parallel_axes([[1, 2, 3], [0, 1, 0], [0, 0, 1]], 1, [0, 0, 1]), "not symmetric"),
        (lambda: parallel_axes(np.eye(3) * 1.7e308, 1, [0, 0, 1e154]), "inertia: too large"),
        (lambda: angular_momentum(np.eye(3), [0, math.nan, 0]), "omega: nan"),
        (lambda: angular_momentum(1e300 * np.eye(3), [1e300, 0, 0]), "momentum: too large"),
        (lambda: rotational_energy(np.eye(3), [1e200, 0, 0]), "energy: too large"),
        (lambda: angular_momentum_about([0, 0, 0], -1, [0] * 3, [0] * 3, [0] * 3), "mass: -1"),
        (lambda: angular_momentum_about([0, 0, 0], 1, [1e200] * 3, [0, 0, 1e200], [0] * 3), "momentum: too large"),
        (lambda: angular_momentum_about([0, 0, "x"], 1, [0] * 3, [0] * 3, [0] * 3), "point: not an array of numbers"),
    ],
)
def test_refused_in_one_line(make: object, message: str) -> None:
    with pytest.raises(FrameError, match=message) as refusal:
        make()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)
