"""Euler's equations: laws, the flipping handle, torques with closed forms, refusals, and the reports."""

from __future__ import annotations

import csv
import io
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from massprops.core.angular_momentum import angular_momentum, rotational_energy
from massprops.core.frames import Pose, inertia_to_world
from massprops.core.integrators import STEP_LIMIT
from massprops.core.spin import DRIFT_LIMIT, TRIANGLE_TOLERANCE, BodyTorque, SpinError, spin
from massprops.core.torque import Torque
from massprops.core.trajectory import Trajectory
from massprops.report.spin_csv import COLUMNS, write_spin_csv
from massprops.report.spin_text import spin_lines

# The T-handle: a bar of 0.1 x 0.02 x 0.02 m along x on a stem of 0.04 m along y, steel of 7850 kg/m3.
HANDLE = np.array([6437 / 52500000, 10519 / 37500000, 157 / 420000])
HANDLE_SPIN = np.array([0.0, 6.0, 0.1])
TURN = Pose.from_rpy((0.4, -1.1, 2.3)).rotation
METHODS = ("rk4", "dop853")


def handle(method: str = "rk4", **options: object) -> Trajectory:
    return spin(HANDLE, np.eye(3), HANDLE_SPIN, 6.0, method=method, **options)  # type: ignore[arg-type]


# The flipping handle


def test_the_moments_of_the_handle() -> None:
    """Two boxes, by the parallel-axis theorem; the centre is 1/700 m inside the bar."""
    bar, stem, height = 7850 * 0.1 * 0.02 * 0.02, 7850 * 0.04 * 0.02 * 0.02, 1 / 700
    lift = bar * (0.01 - height) ** 2 + stem * (0.02 + height) ** 2
    xx = bar / 12 * (2 * 0.02**2) + stem / 12 * (0.04**2 + 0.02**2) + lift
    yy = bar / 12 * (0.1**2 + 0.02**2) + stem / 12 * (2 * 0.02**2)
    zz = bar / 12 * (0.1**2 + 0.02**2) + stem / 12 * (0.04**2 + 0.02**2) + lift
    assert np.allclose(HANDLE, [xx, yy, zz], rtol=1e-14)


@pytest.mark.parametrize(("method", "energy", "momentum"), [("rk4", 3e-12, 2e-11), ("dop853", 1e-13, 1e-13)])
def test_the_handle_flips_over_twice_in_six_seconds(method: str, energy: float, momentum: float) -> None:
    run = handle(method)
    assert len(run.times) == 6001
    assert run.times[-1] == 6.0
    assert run.spun_axis == 1
    assert run.flips == 2
    assert np.abs(run.flip_times - [1.5005, 4.5015]).max() < 1e-4
    assert run.energy_drift <= energy
    assert run.momentum_drift <= momentum
    assert run.momentum_wander <= momentum  # L as a vector in space


@pytest.mark.parametrize("axis", [0, 2])
def test_about_the_other_axes_it_never_flips(axis: int) -> None:
    start = np.full(3, 0.1)
    start[axis] = 6.0
    run = spin(HANDLE, np.eye(3), start, 6.0, step=2e-3)
    assert run.spun_axis == axis
    assert run.flips == 0


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_about_a_principal_axis_it_turns_evenly(axis: int) -> None:
    start = 3.0 * np.eye(3)[axis]
    run = spin(HANDLE, np.eye(3), start, 2.0, step=1e-2)
    assert np.abs(run.omega - start).max() <= 1e-15
    assert np.abs(run.turn(-1) - Pose.from_axis_angle(start, 6.0).rotation).max() <= 1e-8
    assert run.flips == 0


def trajectory_of(along: list[float]) -> Trajectory:
    n = len(along)
    omega = np.column_stack([np.full(n, 0.1), along, np.zeros(n)])
    return Trajectory(np.arange(float(n)), omega, np.tile([1.0, 0, 0, 0], (n, 1)), np.array([1.0, 2, 3]), np.eye(3))


def test_what_counts_as_a_flip() -> None:
    assert trajectory_of([2, 1, -3, -1, 2]).flip_times.tolist() == [1.25, 3 + 1 / 3]
    assert trajectory_of([2, 0, 0, -2]).flip_times.tolist() == [1.5]  # samples of 0 are passed over
    assert trajectory_of([2, 0, 2]).flips == 0
    assert trajectory_of([-2, -1, 0]).flips == 0
    moving = trajectory_of([0, 2, -2])
    resting = replace(moving, omega=moving.omega * [[0], [1], [1]])
    assert resting.spun_axis == 1
    assert resting.flips == 1


# Frames, and laws


def test_the_quantities_of_a_trajectory_agree_with_the_tensor() -> None:
    start = np.array([1.0, -2.0, 3.0])
    run = spin(HANDLE, TURN, start, 0.7, step=0.01)
    tensor = inertia_to_world(np.diag(HANDLE), Pose(TURN, np.zeros(3)))
    assert np.abs(run.omega_body[0] - start).max() <= 4e-15
    assert np.abs(run.omega[0] - TURN.T @ start).max() <= 4e-15
    assert run.orientation[0].tolist() == [1, 0, 0, 0]
    for k in (0, 17, -1):
        turn = run.turn(k)
        moved = inertia_to_world(tensor, Pose(turn, np.zeros(3)))
        assert np.abs(run.omega_space[k] - turn @ run.omega_body[k]).max() <= 1e-14
        assert np.abs(run.momentum[k] - angular_momentum(moved, run.omega_space[k])).max() <= 1e-17
        assert abs(run.energy[k] - rotational_energy(moved, run.omega_space[k])) <= 1e-17
        assert abs(np.linalg.norm(run.orientation[k]) - 1) <= 4e-16
    rates = np.gradient(run.orientation, run.times, axis=0)[30]  # dq/dt = w q / 2, w in space
    w, q = run.omega_space[30], run.orientation[30]
    product = np.array([-w @ q[1:], *(q[0] * w + np.cross(w, q[1:]))]) / 2
    assert np.abs(rates - product).max() <= 1e-3


def test_the_pose_of_a_sample_turns_the_geometry_about_its_centre() -> None:
    center = np.array([5.0, -7.0, 11.0])
    run = spin(HANDLE, TURN, [1, -2, 3], 0.7, step=0.01)
    pose = run.pose(-1, center)
    assert np.abs(pose.apply(center) - center).max() <= 1e-14
    assert np.abs(pose.apply(center + np.eye(3)[0]) - center - run.turn(-1)[:, 0]).max() <= 1e-14
    assert run.pose(0, center).to_matrix().tolist() == np.eye(4).tolist()


@pytest.mark.parametrize("method", METHODS)
def test_turning_everything_turns_the_motion(method: str) -> None:
    here = spin(HANDLE, np.eye(3), HANDLE_SPIN, 1.0, step=5e-3, method=method)  # type: ignore[arg-type]
    there = spin(HANDLE, TURN, TURN @ HANDLE_SPIN, 1.0, step=5e-3, method=method)  # type: ignore[arg-type]
    assert np.abs(there.omega - here.omega).max() <= 1e-13
    assert np.abs(there.momentum - here.momentum @ TURN.T).max() <= 1e-13 * np.abs(here.momentum).max()
    assert np.abs(there.turn(-1) - TURN @ here.turn(-1) @ TURN.T).max() <= 1e-13


def test_the_units_of_mass_length_and_time_do_not_matter() -> None:
    plain = handle(step=0.01)
    heavy = spin(HANDLE * 2.0**-900, np.eye(3), HANDLE_SPIN, 6.0, step=0.01)
    fast = spin(HANDLE, np.eye(3), HANDLE_SPIN * 2.0**60, 6.0 * 2.0**-60, step=0.01 * 2.0**-60)
    assert heavy.omega.tolist() == plain.omega.tolist()
    assert (heavy.energy_drift, heavy.momentum_drift) == (plain.energy_drift, plain.momentum_drift)
    assert fast.orientation.tolist() == plain.orientation.tolist()
    assert fast.flips == 2


def test_the_order_of_the_axes_does_not_matter() -> None:
    cyclic = spin(HANDLE[[1, 2, 0]], np.eye(3)[:, [1, 2, 0]], HANDLE_SPIN, 6.0, step=0.01)
    assert np.abs(cyclic.omega_body - handle(step=0.01).omega_body).max() <= 1e-12
    assert cyclic.spun_axis == 0
    assert cyclic.flips == 2


def test_runge_kutta_is_of_order_four() -> None:
    exact = handle("dop853", step=0.5).omega[-1]
    errors = [np.abs(handle(step=step).omega[-1] - exact).max() for step in (0.02, 0.01)]
    assert 15 < errors[0] / errors[1] < 17.5


def test_backwards_it_comes_back() -> None:
    """Turned round at the end, w -> -w, the body goes the way it came."""
    there = handle("dop853", step=0.5)
    back = spin(HANDLE, there.turn(-1), -there.omega_space[-1], 6.0, step=0.5, method="dop853")
    assert np.abs(back.omega[-1] + HANDLE_SPIN).max() <= 1e-11
    assert np.abs(back.turn(-1) @ there.turn(-1) - np.eye(3)).max() <= 1e-11


def test_a_step_that_does_not_divide_the_duration_is_shortened() -> None:
    run = spin(HANDLE, np.eye(3), HANDLE_SPIN, 1.0, step=0.03)
    assert len(run.times) == 35
    assert np.abs(np.diff(run.times) - 1 / 34).max() <= 1e-15
    assert spin(HANDLE, np.eye(3), HANDLE_SPIN, 0.01, step=5.0).times.tolist() == [0, 0.01]
    for digits in range(1, 5):
        assert len(spin([1, 1, 1], np.eye(3), [0, 0, 0.1], 0.3, step=10.0**-digits).times) == 3 * 10 ** (digits - 1) + 1


def test_a_trajectory_is_a_value_and_the_input_is_untouched() -> None:
    moments, start = HANDLE.copy(), HANDLE_SPIN.copy()
    run = spin(moments, np.eye(3), start, 0.1, step=0.01)
    moments[0] = start[0] = 9
    assert run.moments[0] == HANDLE[0]
    for array in (run.times, run.omega, run.orientation, run.moments, run.axes):
        assert not array.flags.writeable


def test_runge_kutta_needs_no_scipy() -> None:
    """It must be quick to start."""
    code = (
        "import sys; from massprops.core.spin import spin; "
        "spin([1, 2, 3], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 0.1], 1.0, step=0.1); "
        "sys.exit(any(name.split('.')[0] == 'scipy' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Torques


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_torque_along_a_principal_axis(axis: int, method: str) -> None:
    """w = w0 + t tau / I and the angle w0 t + t^2 tau / (2 I), whether the torque is fixed in space or to the body."""
    unit, moment, size, first, end = TURN[:, axis], HANDLE[axis], 3e-4, -0.7, 1.3
    torques: list[Torque] = [size * unit, BodyTorque(size * unit), lambda t, turn, w: size * turn @ unit]
    for torque in torques:
        run = spin(HANDLE, TURN, first * unit, end, step=0.02, torque=torque, method=method)  # type: ignore[arg-type]
        expected = first + size / moment * run.times
        assert np.abs(run.omega[:, axis] - expected).max() <= 1e-12
        assert np.abs(np.delete(run.omega, axis, axis=1)).max() <= 1e-12
        angle = first * end + size / moment * end**2 / 2
        assert np.abs(run.turn(-1) - Pose.from_axis_angle(unit, angle).rotation).max() <= (
            1e-12 if method == "dop853" else 1e-7
        )


@pytest.mark.parametrize("method", METHODS)
def test_from_rest(method: str) -> None:
    run = spin([2e-30, 3e-30, 4e-30], np.eye(3), [0, 0, 0], 2.0, step=0.01, torque=(0, 0, 4e-30), method=method)  # type: ignore[arg-type]
    assert np.abs(run.omega[:, 2] - run.times).max() <= 1e-13
    assert run.flips == 0
    assert run.energy_drift == 1  # all of it is work
    still = spin([2, 3, 4], np.eye(3), [0, 0, 0], 1.0, step=0.1, torque=(0, 0, 0), method=method)  # type: ignore[arg-type]
    assert not still.omega.any()
    assert (still.energy_drift, still.momentum_drift, still.momentum_wander, still.flips) == (0, 0, 0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_a_torque_about_the_axis_of_a_top(method: str) -> None:
    """I1 = I2: w3 = w30 + t tau / I3, and w1 + i w2 turns by (I3 - I1) / I1 times the integral of w3."""
    i1, i3, tau = 2.0, 3.5, 1.4
    run = spin([i1, i1, i3], np.eye(3), [0.8, 0.3, 1.1], 2.0, step=2e-3, torque=BodyTorque((0, 0, tau)), method=method)  # type: ignore[arg-type]
    t = run.times
    around = (0.8 + 0.3j) * np.exp(1j * (i3 - i1) / i1 * (1.1 * t + tau / i3 * t**2 / 2))
    assert np.abs(run.omega[:, 2] - (1.1 + tau / i3 * t)).max() <= 1e-12
    assert np.abs(run.omega[:, 0] + 1j * run.omega[:, 1] - around).max() <= 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_a_ball_under_a_torque_fixed_in_space(method: str) -> None:
    """I w = L in space, so that w = w0 + t tau / I there, whatever the body does."""
    torque, start = np.array([1.0, -2.0, 0.5]), np.array([0.3, 1.0, -1.5])
    run = spin([2, 2, 2], TURN, start, 2.0, step=2e-3, torque=torque, method=method)  # type: ignore[arg-type]
    assert np.abs(run.omega_space - (start + np.outer(run.times, torque) / 2)).max() <= 1e-11


@pytest.mark.parametrize("method", METHODS)
def test_torque_is_the_rate_of_l_and_power_that_of_energy(method: str) -> None:
    torque = np.array([2e-4, -1e-4, 3e-4])
    run = handle(method, torque=torque)
    gained = run.momentum - run.momentum[0] - np.outer(run.times, torque)
    assert np.abs(gained).max() <= 1e-10 * np.abs(run.momentum).max()
    power = run.omega_space @ torque
    work = (power[:-2:2] + 4 * power[1:-1:2] + power[2::2]).sum() * 1e-3 / 3  # Simpson
    assert abs(run.energy[-1] - run.energy[0] - work) <= 1e-10 * run.energy.max()


@pytest.mark.parametrize("method", METHODS)
def test_a_function_says_the_same_as_a_constant(method: str) -> None:
    torque = np.array([2e-4, -1e-4, 3e-4])
    seen: list[tuple[float, np.ndarray, np.ndarray]] = []

    def fixed(time: float, turn: np.ndarray, omega: np.ndarray) -> np.ndarray:
        seen.append((time, turn, omega))
        return torque

    options = {"moments": HANDLE, "axes": TURN, "omega": [1, 2, 3], "duration": 0.5, "step": 5e-3, "method": method}
    constant = spin(torque=torque, **options)  # type: ignore[arg-type]
    function = spin(torque=fixed, **options)  # type: ignore[arg-type]
    carried = spin(torque=BodyTorque(torque), **options)  # type: ignore[arg-type]
    turned = spin(torque=lambda time, turn, omega: turn @ torque, **options)  # type: ignore[arg-type]
    assert np.abs(function.omega - constant.omega).max() <= 1e-13
    assert np.abs(turned.omega - carried.omega).max() <= 1e-13
    time, turn, omega = seen[0]
    assert time == 0
    assert np.abs(turn - np.eye(3)).max() <= 1e-15
    assert np.abs(omega - [1, 2, 3]).max() <= 4e-15
    assert all(np.abs(turn.T @ turn - np.eye(3)).max() <= 1e-14 for _, turn, _ in seen)


@pytest.mark.parametrize("method", METHODS)
def test_drag_slows_a_ball_down(method: str) -> None:
    run = spin([2, 2, 2], np.eye(3), [0, 1, 2], 3.0, step=0.01, torque=lambda t, turn, w: -0.5 * w, method=method)  # type: ignore[arg-type]
    assert np.abs(run.omega - np.outer(np.exp(-run.times / 4), [0, 1, 2])).max() <= 1e-10


# Refusals

NAN, INF = math.nan, math.inf
GOOD = {"moments": (1.0, 2.0, 2.5), "axes": np.eye(3), "omega": (0.1, 1.0, 0.0), "duration": 1.0, "step": 0.1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moments": (0, 1, 1)}, r"moments: \(0, 1, 1\): all three must be positive; a point or a line"),
        ({"moments": (0, 0, 0)}, "all three must be positive"),
        ({"moments": (2e-14, 1, 1)}, r"\(2e-14, 1, 1\): the smallest is 2e-14 of the largest; below 1e-13 .* needle"),
        ({"moments": (1, 1, 5e-324)}, "the smallest is 5e-324 of the largest"),
        ({"moments": (-1, 2, 2)}, "all three must be positive"),
        ({"moments": (1, 2, 4)}, r"\(1, 2, 4\): the largest exceeds the sum of the others by 1; .*units and signs"),
        ({"moments": (4, 2, 1)}, "the largest exceeds"),
        ({"moments": (1, 1, 2 * (1 + 10 * TRIANGLE_TOLERANCE))}, "the largest exceeds"),
        ({"moments": (1e308, 1e308, 1.7e308), "omega": (9e10, 1, 1), "step": 1e-13, "duration": 1e-12}, "too large"),
        ({"moments": (NAN, 1, 1)}, "moments: nan"),
        ({"moments": (1, 1)}, "moments: of shape 2; give 3"),
        ({"moments": np.eye(3)}, "moments: of shape 3 x 3; give 3"),
        ({"axes": -np.eye(3)}, "axes: .*mirror"),
        ({"axes": np.ones((3, 3))}, "axes: .*not orthonormal"),
        ({"axes": np.full((3, 3), NAN)}, "axes: .*nan"),
        ({"omega": (0, 0, 0)}, "omega: zero"),
        ({"omega": (0, INF, 0)}, "omega: inf"),
        ({"omega": "fast"}, "omega: not an array"),
        ({"step": 0}, "step: 0; it must be positive"),
        ({"step": -1e-3}, "step: -0.001; it must be positive"),
        ({"step": NAN}, "step: nan"),
        ({"duration": 0}, "duration: 0; it must be positive"),
        ({"duration": -6}, "duration: -6; it must be positive"),
        ({"duration": INF}, "duration: inf"),
        ({"step": 1e-12}, rf"makes 1e\+12 steps, more than {STEP_LIMIT}; try a step of 5e-07 or more"),
        (
            {"omega": (0, 3, 4), "duration": 1e9},
            "steps, more than .*; try a duration of 8e\\+03 or less, with a step of 0.004$",
        ),
        (
            {"omega": (0, 3, 4), "duration": 1e9, "method": "dop853"},
            "steps, more than .*; try a duration of 4e\\+04 or less, with a step of 0.02$",
        ),
        ({"omega": (0, 0.01, 0), "duration": 2.1e5, "step": 1e-3}, "steps, more than .*; try a step of 0.2 or more$"),
        ({"omega": (0, 1e305, 1e305), "duration": 1e9}, "steps, more than .*; try a shorter duration$"),
        ({"step": 1e-320, "duration": 1e300}, "makes inf steps"),
        ({"torque": (0, NAN, 0)}, "torque: nan"),
        ({"torque": (1, 2)}, "torque: of shape 2; give 3"),
        ({"torque": BodyTorque((0, 0, INF))}, "torque: inf"),
        ({"torque": lambda t, turn, w: (0, 0, NAN if t > 0.45 else 0)}, r"torque at time 0.5: nan"),
        ({"torque": lambda t, turn, w: None}, "torque at time 0: of shape one number; give 3"),
        ({"torque": lambda t, turn, w: (1, 2)}, "torque at time 0: of shape 2; give 3"),
        ({"torque": lambda t, turn, w: 1e3 * w}, "step: 0.1 is too long"),
        ({"torque": lambda t, turn, w: 1e300 * w}, "torque at time 0.05: inf"),
        ({"method": "euler"}, "method: 'euler' is unknown; rk4 or dop853"),
        ({"omega": (0, 20, 1)}, r"step: 0.1 is too long: at time 0 the body turns by 2 rad in it; try .* 0.001"),
        ({"omega": (0, 1e200, 1e200)}, r"step: 0.1 is too long: at time 0 .* try a step of 1e-202"),
        (
            {"omega": (0, 1e200, 1e200), "step": 1e-203, "duration": 1e-202},
            "the motion diverges at time 1e-203 with a step of 1e-203; try 1e-204",
        ),
        ({"omega": (3, 8, 2), "duration": 20}, "step: 0.1 is too long: energy or momentum drift by .*; try"),
        ({"omega": (0, 1e7, 0), "method": "dop853"}, "omega: 1e.07 rad in the duration are too many"),
        ({"torque": lambda t, turn, w: 1e3 * w * (w @ w), "method": "dop853"}, "diverges"),
        ({"torque": lambda t, turn, w: 1e300 * w, "method": "dop853"}, "diverges"),
    ],
)
def test_refused_in_one_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SpinError, match=message) as refusal:
        spin(**{**GOOD, **changes})  # type: ignore[arg-type]
    assert "\n" not in str(refusal.value)


def test_a_flat_body_spins() -> None:
    third = 1 / 3
    for moments in ((third, third, 2 * third), (0.1, 0.2, 0.1 + 0.2 + 1e-12)):
        assert spin(moments, np.eye(3), (1, 1, 1), 1.0, step=0.01).energy_drift < DRIFT_LIMIT


# Reports


def es(number: float) -> str:
    return f"{number:23.15E}"


def test_the_printed_lines_read_back() -> None:
    run = spin(HANDLE, TURN, [0.5, 6, -1], 6.0)
    lines = spin_lines(run, es)
    labels = [line[:22].strip() for line in lines]
    assert labels[:2] == ["spin, duration", "step"]
    assert lines[2] == "  angular velocity in the axes of the body, at the start and at the end:"
    assert labels[3:] == ["", "", "kinetic energy", "angular momentum", "drift of energy", "drift of |L|", "flips"]
    numbers = [[float(word) for word in line[22:].split()] for line in lines[:2] + lines[3:]]
    expected = [
        [6.0],
        [1e-3],
        run.omega_body[0].tolist(),
        run.omega_body[-1].tolist(),
        [run.energy[0]],
        run.momentum[0].tolist(),
        [run.energy_drift],
        [run.momentum_drift],
        [run.flips],
    ]
    assert len(numbers) == len(expected)
    for read, meant in zip(numbers, expected, strict=True):
        assert np.allclose(read, meant, rtol=1e-15, atol=0)
    assert all((len(line) - 22) % 23 == 0 for line in lines[:2] + lines[3:])


def test_the_text_has_no_negative_zeros() -> None:
    run = spin(HANDLE, np.eye(3), (-0.0, 6, -0.0), 1.0)
    assert "-0.0" not in "\n".join(spin_lines(run, es))


def test_the_table_reads_back_bit_for_bit() -> None:
    run = spin(HANDLE, TURN, [0.5, 6, -1], 0.5, step=0.01)
    stream = io.StringIO(newline="")
    write_spin_csv(run, stream)
    assert "\r" not in stream.getvalue()
    assert stream.getvalue().endswith("\n")
    header, *rows = csv.reader(io.StringIO(stream.getvalue()))
    assert tuple(header) == COLUMNS
    table = np.array(rows, dtype=float)
    assert table[:, 0].tolist() == run.times.tolist()
    assert table[:, 1:4].tolist() == run.omega_body.tolist()
    assert table[:, 4:8].tolist() == run.orientation.tolist()
    assert table[:, 8:11].tolist() == run.momentum.tolist()
    assert table[:, 11].tolist() == run.energy.tolist()
    tensor = inertia_to_world(np.diag(HANDLE), Pose(TURN, np.zeros(3)))
    for row in table[::10]:  # the table alone is enough to check that L is kept
        turn = Pose.from_quaternion(row[4:8]).rotation
        assert np.abs(turn @ tensor @ row[1:4] - row[8:11]).max() <= 1e-17
