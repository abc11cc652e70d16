"""The motion of a body without torque, as L. D. Landau and E. M. Lifshitz solve it (Mechanics, 3rd edition, 33, 37).

With I1 < I2 < I3 and M^2 > 2 E I2, in time s = t sqrt((I3 - I2)(M^2 - 2 E I1) / (I1 I2 I3)) and with the parameter
m = k^2 = (I2 - I1)(2 E I3 - M^2) / ((I3 - I2)(M^2 - 2 E I1)),

    w1 = a cn s        a^2 = (2 E I3 - M^2) / (I1 (I3 - I1))
    w2 = b sn s        b^2 = (2 E I3 - M^2) / (I2 (I3 - I2))
    w3 = c dn s        c^2 = (M^2 - 2 E I1) / (I3 (I3 - I1))

(37.8-10); with M^2 < 2 E I2 the indices 1 and 3 change places, and a sign with them. The period is 4 K(m) (37.11).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from massprops.core.frames import Pose
from massprops.core.spin import Method, spin

HANDLE = np.array([6437 / 52500000, 10519 / 37500000, 157 / 420000])
METHODS: tuple[Method, ...] = ("rk4", "dop853")

# w3 / w1 at w2 = 0 on the curve M^2 = 2 E I2 that parts the polhodes around the first axis from those around the third.
SEPARATRIX = math.sqrt(HANDLE[0] * (HANDLE[1] - HANDLE[0]) / (HANDLE[2] * (HANDLE[2] - HANDLE[1])))


@dataclass(frozen=True)
class Free:
    """Landau and Lifshitz's solution, from the moments, ascending, and w at the time at which w2 = 0 and grows."""

    moments: np.ndarray
    w1: float
    w3: float

    @property
    def start(self) -> np.ndarray:
        return np.array([self.w1, 0.0, self.w3])

    @property
    def _around_third(self) -> bool:
        twice, square = self._invariants
        return bool(square > twice * self.moments[1])

    @property
    def _invariants(self) -> tuple[float, float]:
        """2 E and M^2."""
        momentum = self.moments * self.start
        return float(momentum @ self.start), float(momentum @ momentum)

    @property
    def _solution(self) -> tuple[float, float, float, float, float]:
        """Amplitudes of cn, sn and dn, rate and parameter; cn is w1 or, around the first axis, w3."""
        i1, i2, i3 = self.moments if self._around_third else self.moments[::-1]
        twice, square = self._invariants
        rate = math.sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3))
        m = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1))
        cn = math.sqrt((twice * i3 - square) / (i1 * (i3 - i1)))
        sn = math.sqrt((twice * i3 - square) / (i2 * (i3 - i2)))
        dn = math.sqrt((square - twice * i1) / (i3 * (i3 - i1)))
        return cn, sn, dn, rate, m

    @property
    def period(self) -> float:
        *_, rate, m = self._solution
        return float(4 * ellipk(m) / rate)

    def omega(self, t: np.ndarray) -> np.ndarray:
        """w along the principal axes, (n, 3). The sign of w2 is that of dw2/dt = (I3 - I1) w3 w1 / I2 at time 0."""
        a, b, c, rate, m = self._solution
        sn, cn, dn, _ = ellipj(rate * t, m)
        first, third = (a * cn, c * dn) if self._around_third else (c * dn, a * cn)
        signs = np.sign([self.w1, self.w1 * self.w3, self.w3])
        return np.column_stack([first, b * sn, third]) * signs


CASES = {
    "around the third axis": Free(np.array([1.0, 1.7, 2.2]), 0.9, 1.6),
    "around the first axis": Free(np.array([1.0, 1.7, 2.2]), 1.6, -0.9),
    "a needle": Free(np.array([0.02, 1.3, 1.31]), 2.6, 0.7),
    "a plate": Free(np.array([0.7, 0.8, 1.5]), -0.4, -2.0),
    "next to the separatrix": Free(HANDLE, 3.0, 3.0 * SEPARATRIX * 1.001),
}


@pytest.fixture(params=list(CASES), ids=list(CASES))
def free(request: pytest.FixtureRequest) -> Free:
    return CASES[request.param]


def test_the_solution_solves_eulers_equations(free: Free) -> None:
    """A check of this file: the derivative of the solution, by Richardson's extrapolation."""
    t, h = np.linspace(0, 3, 7), 1e-3

    def difference(h: float) -> np.ndarray:
        return (free.omega(t + h) - free.omega(t - h)) / (2 * h)

    rates = (4 * difference(h) - difference(2 * h)) / 3
    (w1, w2, w3), (i1, i2, i3) = free.omega(t).T, free.moments
    torque = np.column_stack([(i2 - i3) * w2 * w3, (i3 - i1) * w3 * w1, (i1 - i2) * w1 * w2])
    assert np.abs(rates * free.moments - torque).max() <= 1e-8 * np.abs(torque).max()
    assert np.abs(free.omega(np.zeros(1))[0] - free.start).max() <= 1e-14


@pytest.mark.parametrize(("method", "tolerance"), [("rk4", 1e-11), ("dop853", 1e-12)])
def test_w_is_given_by_elliptic_functions_to_1e_11(free: Free, method: Method, tolerance: float) -> None:
    run = spin(free.moments, np.eye(3), free.start, 6.0, method=method)
    error = np.abs(run.omega - free.omega(run.times)).max()
    assert error <= tolerance * np.abs(run.omega).max()


@pytest.mark.parametrize("method", METHODS)
def test_the_polhode_is_closed_and_periodic(free: Free, method: Method) -> None:
    """After 4 K the angular velocity is what it was, and halfway w2 vanishes and two signs have changed."""
    count = 2 * math.ceil(free.period * 500)
    run = spin(free.moments, np.eye(3), free.start, free.period, step=free.period / count, method=method)
    assert len(run.times) == count + 1
    size = np.abs(run.omega).max()
    assert np.abs(run.omega[-1] - run.omega[0]).max() <= 1e-10 * size
    assert abs(run.omega[count // 2, 1]) <= 1e-10 * size
    dn = 2 if free._around_third else 0
    assert np.abs(run.omega[count // 2] - free.start * np.where(np.arange(3) == dn, 1, -1)).max() <= 1e-10 * size
    # It lies on the ellipsoid of energy and on that of the momentum.
    twice, square = free._invariants
    assert np.abs((run.omega**2 * free.moments).sum(axis=1) / twice - 1).max() <= 1e-11
    assert np.abs((run.omega**2 * free.moments**2).sum(axis=1) / square - 1).max() <= 1e-11


@pytest.mark.parametrize(("method", "tolerance"), [("rk4", 2e-11), ("dop853", 1e-13)])
def test_l_stays_where_it_is_in_space(free: Free, method: Method, tolerance: float) -> None:
    turn = Pose.from_rpy((0.4, -1.1, 2.3)).rotation
    start = turn @ free.start
    run = spin(free.moments, turn, start * 4 / np.linalg.norm(start), 6.0, method=method)
    assert run.momentum_wander <= tolerance
    assert run.momentum_drift <= tolerance
    assert run.energy_drift <= tolerance


def simpson(rate: Callable[[np.ndarray], np.ndarray], end: float, count: int = 20000) -> float:
    t = np.linspace(0, end, 2 * count + 1)
    y = rate(t)
    return float((y[0] + y[-1] + 4 * y[1::2].sum() + 2 * y[2:-1:2].sum()) * end / (6 * count))


@pytest.mark.parametrize("method", METHODS)
def test_the_orientation_is_given_by_eulers_angles(free: Free, method: Method) -> None:
    """With the third axis of space along M: M sin(theta) sin(psi) = I1 w1, M sin(theta) cos(psi) = I2 w2,
    M cos(theta) = I3 w3 (37.14) and dphi/dt = M (I1 w1^2 + I2 w2^2) / (I1^2 w1^2 + I2^2 w2^2) (37.16)."""
    end = 4.3
    _, square = free._invariants
    size = math.sqrt(square)

    def precession(t: np.ndarray) -> np.ndarray:
        w1, w2, _ = free.omega(t).T
        i1, i2, _ = free.moments
        rate: np.ndarray = size * (i1 * w1**2 + i2 * w2**2) / (i1**2 * w1**2 + i2**2 * w2**2)
        return rate

    def body(phi: float, w: np.ndarray) -> np.ndarray:
        """Principal axes as columns in space: Rz(phi) Rx(theta) Rz(psi)."""
        m = free.moments * w / size
        theta, psi = math.acos(m[2]), math.atan2(m[0], m[1])
        z, x = (0, 0, 1), (1, 0, 0)
        turns = (Pose.from_axis_angle(z, phi), Pose.from_axis_angle(x, theta), Pose.from_axis_angle(z, psi))
        return (turns[0] @ turns[1] @ turns[2]).rotation

    first = body(0.3, free.start)
    last = body(0.3 + simpson(precession, end), free.omega(np.array([end]))[0])
    run = spin(free.moments, first, first @ free.start, end, method=method)
    assert np.abs(run.momentum[0] - [0, 0, size]).max() <= 1e-14 * size
    assert np.abs(run.turn(-1) @ first - last).max() <= 2e-11


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("moments", [(2.0, 2.0, 3.5), (2.0, 2.0, 0.3)], ids=["oblate", "prolate"])
def test_a_symmetric_top_precesses_evenly(moments: tuple[float, float, float], method: Method) -> None:
    """In the body w circles the axis at w3 (I3 - I1) / I1; in space the axis circles L at |L| / I1 (33.4, 33.5)."""
    i1, _, i3 = moments
    start = np.array([0.8, 0.3, 1.7])
    run = spin(moments, np.eye(3), start, 6.0, method=method)
    t = run.times
    around = complex(*start[:2]) * np.exp(1j * start[2] * (i3 - i1) / i1 * t)
    assert np.abs(run.omega[:, 2] - start[2]).max() <= 1e-12
    assert np.abs(run.omega[:, 0] + 1j * run.omega[:, 1] - around).max() <= 1e-11
    momentum = np.array(moments) * start
    for k in (1000, 3500, 6000):
        precession = Pose.from_axis_angle(momentum, np.linalg.norm(momentum) / i1 * t[k]).rotation
        assert np.abs(run.turn(k)[:, 2] - precession[:, 2]).max() <= 1e-11
        # The whole turn: about the axis at w3 - L3 / I1, then about L.
        own = Pose.from_axis_angle((0, 0, 1), start[2] * (1 - i3 / i1) * t[k]).rotation
        assert np.abs(run.turn(k) - precession @ own).max() <= 1e-11


def test_the_handle_flips_when_the_sine_amplitude_vanishes() -> None:
    """Spun about the intermediate axis with a small w3: w2 = b sn(s + K) is 0 after a quarter and three of a period."""
    start = np.array([0.0, 6.0, 0.1])
    i1, i2, i3 = HANDLE
    twice, square = float(HANDLE @ start**2), float(HANDLE**2 @ start**2)
    rate = math.sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1))
    period = float(4 * ellipk(m) / rate)
    assert abs(period - 6.002) < 1e-3
    run = spin(HANDLE, np.eye(3), start, 6.0, method="dop853")
    assert np.abs(run.flip_times - [period / 4, 3 * period / 4]).max() <= 1e-8
