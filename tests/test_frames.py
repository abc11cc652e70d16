"""Poses, and inertia tensors in other frames, against rational arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from massprops.core.affine_map import AffineMap
from massprops.core.checked import FrameError
from massprops.core.exact_numbers import rationals
from massprops.core.frames import ROTATION_TOLERANCE, SYMMETRY_TOLERANCE, Pose, inertia_to_world, principal_frame
from massprops.core.moments import Moments

EPS = 2.0**-52
QUICK = settings(deadline=None, max_examples=60)
angles = st.floats(-7, 7)
parts = st.floats(-1, 1)
vectors = st.tuples(parts, parts, parts)
quaternions = st.tuples(parts, parts, parts, parts).filter(lambda q: math.hypot(*q) > 1e-3)


def elementary(axis: int, angle: float) -> np.ndarray:
    """The rotation matrix about x, y or z."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    r = np.eye(3)
    r[i, i] = r[j, j] = math.cos(angle)
    r[i, j], r[j, i] = -math.sin(angle), math.sin(angle)
    return r


def random_pose(rng: np.random.Generator) -> Pose:
    return Pose.from_quaternion(rng.normal(size=4), 3 * rng.normal(size=3))


def tetrahedra(rng: np.random.Generator, count: int = 3) -> Moments:
    """Exact moments of a few random tetrahedra, taken together (Tonon 2004)."""
    total = None
    for _ in range(count):
        v = rationals(rng.uniform(-2, 3, size=(4, 3)) * rng.uniform(0.2, 1, size=3))
        a, b, c = (v[k] - v[0] for k in (1, 2, 3))
        volume = abs(AffineMap(np.array([a, b, c], dtype=object), a).determinant) / 6
        s = v.sum(axis=0)
        second = (sum(np.outer(p, p) for p in v) + np.outer(s, s)) * volume / 20
        body = Moments(volume, s * volume / 4, second, rationals([0, 0, 0]))
        total = body if total is None else total + body
    assert total is not None
    return total


def exact_tensor(body: Moments) -> np.ndarray:
    c = body.central_second
    return rationals(np.eye(3, dtype=int).tolist()) * (c[0, 0] + c[1, 1] + c[2, 2]) - c


def best_axes(tensor: np.ndarray) -> np.ndarray:
    """Principal axes right to the last bit: LAPACK's, and one step of Newton's method without rounding."""
    v = np.linalg.eigh(tensor)[1]
    if np.linalg.det(v) < 0:
        v = v * [1, 1, -1]
    exact = rationals(v)
    d, g = exact.T @ rationals(tensor) @ exact, exact.T @ exact
    step = np.empty((3, 3), dtype=object)
    for i in range(3):
        for j in range(3):
            step[i, j] = (1 - g[i, i]) / 2 if i == j else (d[j, j] * g[i, j] - d[i, j]) / (d[i, i] - d[j, j])
    return (exact + exact @ step).astype(np.float64)


# Poses


@QUICK
@given(quaternions)
def test_a_quaternion_gives_its_matrix_to_the_last_bit_and_comes_back(q: tuple[float, ...]) -> None:
    w, x, y, z = (Fraction(part) for part in q)
    n = w * w + x * x + y * y + z * z
    pose = Pose.from_quaternion(q)
    for vector in np.eye(3):
        # v' = q v q* / |q|^2, written out with u = (x, y, z): v + 2 (w (u x v) + u x (u x v)) / n
        u, v = rationals([x, y, z]), rationals(vector)
        cross = np.array([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])
        again = np.array(
            [
                u[1] * cross[2] - u[2] * cross[1],
                u[2] * cross[0] - u[0] * cross[2],
                u[0] * cross[1] - u[1] * cross[0],
            ]
        )
        assert (pose.rotation @ vector).tolist() == (v + 2 * (w * cross + again) / n).astype(float).tolist()
    back = np.array(pose.to_quaternion())
    unit = np.array(q) / math.hypot(*q)
    assert abs(np.linalg.norm(back) - 1) <= EPS
    assert back[0] >= 0
    assert min(np.abs(back - unit).max(), np.abs(back + unit).max()) <= 4 * EPS


@QUICK
@given(st.tuples(angles, angles, angles))
def test_rpy_turns_about_the_fixed_axes_x_then_y_then_z(rpy: tuple[float, float, float]) -> None:
    roll, pitch, yaw = rpy
    expected = elementary(2, yaw) @ elementary(1, pitch) @ elementary(0, roll)
    pose = Pose.from_rpy(rpy)
    assert np.abs(pose.rotation - expected).max() <= 8 * EPS
    r, p, y = pose.to_rpy()
    assert max(abs(r), abs(y)) <= math.pi
    assert abs(p) <= math.pi / 2
    assert np.abs(Pose.from_rpy((r, p, y)).rotation - pose.rotation).max() <= 8 * EPS


@pytest.mark.parametrize("tilt", [0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("side", [1, -1])
def test_rpy_comes_back_next_to_the_gimbal_lock(tilt: float, side: int) -> None:
    pose = Pose.from_rpy((0.7, side * (math.pi / 2 - tilt), -1.9))
    assert np.abs(Pose.from_rpy(pose.to_rpy()).rotation - pose.rotation).max() <= 8 * EPS


def test_rpy_at_the_gimbal_lock_has_no_yaw() -> None:
    pose = Pose.from_quaternion((1, 0, 1, 0))
    assert pose.to_rpy() == (0, math.pi / 2, 0)


@QUICK
@example(axis=(0.0, 1.0, 1.0), angle=2.225073858507e-311)
@given(vectors.filter(lambda a: math.hypot(*a) > 1e-3), angles)
def test_axis_and_angle_follow_rodrigues(axis: tuple[float, float, float], angle: float) -> None:
    n = np.array(axis) / math.hypot(*axis)
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    expected = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    pose = Pose.from_axis_angle(axis, angle)
    assert np.abs(pose.rotation - expected).max() <= 8 * EPS
    found, turned = pose.to_axis_angle()
    assert 0 <= turned <= math.pi
    assert abs(np.linalg.norm(found) - 1) <= 2 * EPS
    assert np.abs(Pose.from_axis_angle(found, turned).rotation - pose.rotation).max() <= 8 * EPS


def test_half_turns_come_back() -> None:
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 2, 2), (-1, 2, -2), (0, -3, 4)):
        pose = Pose.from_quaternion((0, *axis))
        found, turned = pose.to_axis_angle()
        assert turned == math.pi
        unit = np.array(axis) / math.hypot(*axis)
        assert np.abs(np.array(found) - unit * np.sign(unit[np.flatnonzero(unit)[0]])).max() <= EPS


def test_no_rotation_has_an_axis_too() -> None:
    assert Pose.identity().to_axis_angle() == ((1, 0, 0), 0)
    assert Pose.identity().to_quaternion() == (1, 0, 0, 0)
    assert Pose.identity().to_rpy() == (0, 0, 0)


def test_tiny_and_huge_quaternions_and_axes_are_directions() -> None:
    for scale in (2.0**-1000, 2.0**1000):
        q = np.array([1, -2, 3, 5]) * scale
        assert Pose.from_quaternion(q).to_quaternion() == Pose.from_quaternion((1, -2, 3, 5)).to_quaternion()
        axis = Pose.from_axis_angle(np.array([1, -2, 3]) * scale, 0.5)
        assert axis.rotation.tolist() == Pose.from_axis_angle((1, -2, 3), 0.5).rotation.tolist()


def test_the_homogeneous_matrix_comes_back_as_it_was() -> None:
    pose = random_pose(np.random.default_rng(3))
    matrix = pose.to_matrix()
    again = Pose.from_matrix(matrix)
    assert again.rotation.tolist() == pose.rotation.tolist()
    assert again.translation.tolist() == pose.translation.tolist()
    assert np.allclose((matrix @ [1, 2, 3, 1])[:3], pose.apply([1, 2, 3]), rtol=4 * EPS)


def test_compose_does_the_second_pose_first() -> None:
    rng = np.random.default_rng(4)
    a, b, points = random_pose(rng), random_pose(rng), rng.normal(size=(7, 3))
    for both in (a.compose(b), a @ b):
        assert np.abs(both.apply(points) - a.apply(b.apply(points))).max() <= 16 * EPS
    exact = rationals(a.rotation) @ rationals(b.translation) + rationals(a.translation)
    assert (a @ b).translation.tolist() == exact.astype(float).tolist()


def test_the_inverse_undoes() -> None:
    rng = np.random.default_rng(5)
    pose, points = random_pose(rng), rng.normal(size=(7, 3))
    assert np.abs(pose.inverse().apply(pose.apply(points)) - points).max() <= 16 * EPS
    assert np.abs((pose @ pose.inverse()).to_matrix() - np.eye(4)).max() <= 8 * EPS
    assert pose.inverse().inverse().rotation.tolist() == pose.rotation.tolist()


def test_a_long_chain_of_poses_stays_a_rotation() -> None:
    pose, total = Pose.from_axis_angle((1, 2, 3), 0.3), Pose.identity()
    for _ in range(2000):
        total = pose @ total
    assert np.abs(total.rotation.T @ total.rotation - np.eye(3)).max() <= 2 * EPS
    assert np.abs(total.rotation - Pose.from_axis_angle((1, 2, 3), 600.0).rotation).max() <= 2000 * EPS


def test_apply_takes_one_point_or_many() -> None:
    pose = random_pose(np.random.default_rng(6))
    points = [[1, 2, 3], [4, 5, 6]]
    assert pose.apply(points[1]).tolist() == pose.apply(points)[1].tolist()
    assert pose.apply(np.zeros((0, 3))).shape == (0, 3)


def test_a_pose_is_a_value() -> None:
    rotation, translation = np.eye(3), np.zeros(3)
    pose = Pose(rotation, translation)
    rotation[0, 0], translation[0] = 5, 5
    assert pose.to_matrix().tolist() == np.eye(4).tolist()
    with pytest.raises(ValueError, match="read-only"):
        pose.rotation[0, 0] = 2
    with pytest.raises(AttributeError):
        pose.translation = translation  # type: ignore[misc]


SHEAR = [[1, 1e-2, 0], [0, 1, 0], [0, 0, 1]]
NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pose(2 * np.eye(3), np.zeros(3)), "not orthonormal"),
        (lambda: Pose(1e200 * np.eye(3), np.zeros(3)), "not orthonormal"),
        (lambda: Pose(np.array(SHEAR), np.zeros(3)), "not orthonormal"),
        (lambda: Pose(np.zeros((3, 3)), np.zeros(3)), "not orthonormal"),
        (lambda: Pose(np.diag([1.0, 1.0, -1.0]), np.zeros(3)), "determinant -1, a mirror"),
        (lambda: Pose(elementary(0, 0.3).round(7), np.zeros(3)), "orthonormal only to .*e-0[78].*more digits"),
        (lambda: Pose(np.full((3, 3), NAN), np.zeros(3)), "rotation: nan"),
        (lambda: Pose(np.eye(3), np.array([0, INF, 0])), "translation: inf"),
        (lambda: Pose(np.eye(2), np.zeros(3)), "rotation: of shape 2 x 2; give 3 x 3"),
        (lambda: Pose(np.eye(3), np.zeros(2)), "translation: of shape 2; give 3"),
        (lambda: Pose.from_quaternion((0, 0, 0, 0)), "quaternion: all zero"),
        (lambda: Pose.from_quaternion((1, 0, NAN, 0)), "quaternion: nan"),
        (lambda: Pose.from_quaternion((1, 0, 0)), "give 4 numbers"),
        (lambda: Pose.from_quaternion("wxyz"), "quaternion: not an array of numbers"),
        (lambda: Pose.from_quaternion((1, 0, 0, 0), [[1, 2], [3]]), "translation: not an array"),
        (lambda: Pose.from_axis_angle((0, 0, 0), 1.0), "axis: zero"),
        (lambda: Pose.from_axis_angle((0, INF, 0), 1.0), "axis: inf"),
        (lambda: Pose.from_axis_angle((0, 1, 0), NAN), "angle: nan"),
        (lambda: Pose.from_rpy((0, -INF, 0)), "rpy: -inf"),
        (lambda: Pose.from_matrix(np.eye(3)), "matrix: of shape 3 x 3; give 4 x 4"),
        (lambda: Pose.from_matrix(np.vstack([np.eye(4)[:3], [1, 2, 3, 1]])), r"last row is \(1, 2, 3, 1\)"),
        (lambda: Pose.from_matrix(np.diag([1, 1, 1, 2])), "last row"),
        (lambda: Pose.identity().apply([1, 2]), "points: of shape 2; give 3"),
        (lambda: Pose.identity().apply([[1, 2]]), "points: of shape 1 x 2; give n x 3"),
        (lambda: Pose.identity().apply([[1, 2, 3], [4]]), "points: not an array"),
        (lambda: Pose.identity().apply([1, 2, NAN]), "points: nan"),
        (lambda: Pose(np.eye(3), [1e308] * 3).apply([1.7e308] * 3), "points: too large"),  # type: ignore[arg-type]
        (lambda: Pose(np.eye(3), [1.7e308] * 3) @ Pose(np.eye(3), [1e308] * 3), "too large"),  # type: ignore[arg-type]
        (lambda: inertia_to_world(np.eye(2), Pose.identity()), "inertia: of shape 2 x 2"),
        (lambda: inertia_to_world(np.full((3, 3), INF), Pose.identity()), "inertia: inf"),
        (lambda: inertia_to_world(SHEAR, Pose.identity()), "not symmetric, 0.01 at 1,2 and 0 at 2,1"),
        (lambda: inertia_to_world(np.full((3, 3), 1.7e308), Pose.from_rpy((1, 2, 3))), "inertia: too large"),
        (lambda: principal_frame((0, 0, NAN), np.eye(3)), "center: nan"),
        (lambda: principal_frame((0, 0, 0), np.eye(3)[:, ::-1]), "mirror"),
    ],
)
def test_refused_in_one_line(make: object, message: str) -> None:
    with pytest.raises(FrameError, match=message) as refusal:
        make()  # type: ignore[operator]
    assert "\n" not in str(refusal.value)


def test_round_off_is_no_shear_and_no_asymmetry() -> None:
    slightly = np.eye(3)
    slightly[0, 1] = ROTATION_TOLERANCE / 2
    assert Pose(slightly, np.zeros(3)).rotation.tolist() == slightly.tolist()
    tensor = np.diag([1.0, 2.0, 3.0])
    tensor[0, 2] = SYMMETRY_TOLERANCE
    assert inertia_to_world(tensor, Pose.identity())[2, 0] == SYMMETRY_TOLERANCE / 2


# Tensors


def test_the_tensor_in_the_world_is_the_exact_product_rounded_once() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        pose = random_pose(rng)
        tensor = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-9, 9)
        tensor += tensor.T
        moved = inertia_to_world(tensor, pose)
        r, i = rationals(pose.rotation), rationals(tensor)
        for a in range(3):
            for b in range(3):
                exact = sum(r[a, k] * i[k, n] * r[b, n] for k in range(3) for n in range(3))
                assert moved[a, b] == float(exact)
        assert moved.tolist() == moved.T.tolist()
        assert moved.tolist() == inertia_to_world(tensor, Pose(pose.rotation, np.zeros(3))).tolist()


def test_moving_the_body_and_moving_the_tensor_agree_to_5_5e_16() -> None:
    rng = np.random.default_rng(8)
    for _ in range(60):
        body, pose = tetrahedra(rng), random_pose(rng)
        tensor = exact_tensor(body).astype(float)
        moved = exact_tensor(body.mapped(AffineMap.of(pose.rotation, pose.translation))).astype(float)
        assert np.abs(inertia_to_world(tensor, pose) - moved).max() <= 5.5e-16 * np.linalg.eigvalsh(tensor)[2]


def test_in_the_principal_frame_the_tensor_is_diagonal_to_1_2e_16() -> None:
    rng = np.random.default_rng(9)
    for _ in range(100):
        body = tetrahedra(rng)
        tensor = exact_tensor(body).astype(float)
        center = body.center.astype(float)
        frame = principal_frame(center, best_axes(tensor))
        assert frame.apply(np.zeros(3)).tolist() == center.tolist()
        diagonal = inertia_to_world(tensor, frame.inverse())
        moments = np.linalg.eigvalsh(tensor)
        assert np.abs(diagonal[np.triu_indices(3, 1)]).max() <= 1.2e-16 * moments[2]
        assert np.abs(np.diag(diagonal) - moments).max() <= 8.5e-16 * moments[2]
        assert np.abs(inertia_to_world(np.diag(np.diag(diagonal)), frame) - tensor).max() <= 5.5e-16 * moments[2]


def test_the_rotated_box_has_the_tensor_worked_out_by_hand() -> None:
    """A box of 1 x 2 x 3 turned by 1/3 [[2,-2,1],[1,2,2],[-2,-1,2]]."""
    turn = Pose(np.array([[2, -2, 1], [1, 2, 2], [-2, -1, 2]]) / 3, np.zeros(3))
    tensor = inertia_to_world(np.diag([6.5, 5.0, 2.5]), turn)
    expected = np.array([[97 / 18, -2 / 9, -11 / 9], [-2 / 9, 73 / 18, -13 / 9], [-11 / 9, -13 / 9, 41 / 9]])
    assert np.abs(tensor - expected).max() <= 4 * EPS
