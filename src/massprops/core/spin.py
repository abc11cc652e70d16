"""Euler's equations: how a rigid body spins about its centre of mass, with or without a torque.

In the principal frame, carried along with the body, tau = w x (I w) + I dw/dt reads

    I1 dw1/dt = (I2 - I3) w2 w3 + tau1        and cyclically,

and the orientation, a unit quaternion q that takes the principal frame from where it was at time 0 to where it is,
obeys dq/dt = q w / 2, w being the quaternion (0, w1, w2, w3).

Sources: L. D. Landau, E. M. Lifshitz, Mechanics, 3rd edition, 36 and 37; J. Diebel, Representing attitude, 2006.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.checked import FrameError, checked
from massprops.core.frames import principal_frame
from massprops.core.integrators import (
    STEP_LIMIT,
    TURN_ADVISED,
    TURN_SAMPLED,
    Rates,
    SpinError,
    State,
    dop853,
    rk4,
)
from massprops.core.surface import Floats
from massprops.core.torque import BodyTorque, PrincipalTorque, Torque, principal_torque
from massprops.core.trajectory import Trajectory

__all__ = ["BodyTorque", "SpinError", "Torque", "Trajectory", "spin"]

Method = Literal["rk4", "dop853"]

TRIANGLE_TOLERANCE = 1e-9
"""By how much of the largest moment the two others may fail to reach it: the round-off of a flat body."""

SINGULAR = 1e-13
"""Smallest ratio of two moments that is followed: in I1 dw1/dt = (I2 - I3) w2 w3 the round-off of I2 and I3, some 1e-16
of them, must stay well below I1."""

DRIFT_LIMIT = 1e-3
"""Relative drift of energy or |L| without torque at which a fixed step is refused."""


def spin(
    moments: ArrayLike,
    axes: ArrayLike,
    omega: ArrayLike,
    duration: float,
    step: float = 1e-3,
    torque: Torque | None = None,
    method: Method = "rk4",
) -> Trajectory:
    """The motion of a rigid body about its centre of mass.

    Parameters
    ----------
    moments : array_like, shape (3,)
        Principal moments about the centre of mass, in the order of the axes; mass length^2.
    axes : array_like, shape (3, 3)
        Principal axes as columns, right-handed, in the axes of the body's geometry. At time 0 these are the axes of
        space, too.
    omega : array_like, shape (3,)
        Angular velocity at time 0, in the axes of the geometry (NOT along the principal axes), in radians; 1 / time.
    duration : float
        Time at the end; the start is 0.
    step : float
        Time between samples, and the step of ``rk4``. Where it does not divide the duration it is shortened until it
        does.
    torque : Torque, optional
        About the centre of mass: three numbers, constant in space; a `BodyTorque`, turning with the body; or a function
        ``torque(time, turn, omega)`` that returns the torque in space, ``turn`` (3, 3) being the turn of the body since
        time 0 and ``omega`` (3,) the angular velocity in space; mass length^2 / time^2.
    method : {"rk4", "dop853"}
        Runge-Kutta of order 4 with a fixed step; or scipy's Dormand-Prince of order 8, which chooses its own steps
        (energy and |L| then drift by less than 1e-13 over some turns).

    Returns
    -------
    Trajectory
        Samples at the times 0, step, ..., duration.

    Raises
    ------
    SpinError
        The moments are not those of a rigid body (one is not positive, or they break the triangle inequality), or one
        is below 1e-13 of another; the axes are not orthonormal and right-handed; the spin is zero and there is no
        torque; a number is not finite; step or duration are not positive; the step is so long that the motion
        diverges; or there are too many steps.

    Examples
    --------
    A handle of steel in the shape of a T, its bar 0.1 m along x and its stem 0.04 m along y, both 0.02 m thick, spun
    about the stem flips over twice in six seconds:

    >>> handle = spin([1.22610e-4, 2.80507e-4, 3.73810e-4], np.eye(3), omega=[0, 6, 0.1], duration=6)
    >>> handle.flips, handle.flip_times.round(2).tolist()
    (2, [1.5, 4.5])
    >>> handle.energy_drift < 3e-12, handle.momentum_wander < 2e-11
    (True, True)
    """
    body, frame, start = _checked_body(moments, axes, omega, resting=torque is not None)
    turn = TURN_SAMPLED if method == "dop853" else TURN_ADVISED
    count, exact_step = _samples(duration, step, math.hypot(*start.tolist()) / turn)
    rates = _euler(body, None if torque is None else principal_torque(torque, frame))
    state = [*(frame.T @ start).tolist(), 1.0, 0.0, 0.0, 0.0]
    times: Floats = exact_step * np.arange(count + 1.0)
    if method == "dop853":
        _refuse_fast(start, times[-1])
    elif method != "rk4":
        raise SpinError(f"method: {method!r} is unknown; rk4 or dop853")
    with np.errstate(all="ignore"):  # an overflow is told by the integrator
        states = rk4(rates, state, exact_step, count) if method == "rk4" else dop853(rates, state, times)
    return _trajectory(times, states, body, frame, exact_step if torque is None else None)


def _checked(what: str, values: ArrayLike, *shape: int) -> Floats:
    try:
        return checked(what, values, *shape)
    except FrameError as error:
        raise SpinError(str(error)) from None


def _checked_body(
    moments: ArrayLike, axes: ArrayLike, omega: ArrayLike, resting: bool
) -> tuple[Floats, Floats, Floats]:
    """Moments, axes and angular velocity of a body that can spin; at rest only where ``resting`` allows it."""
    body, start = _checked("moments", moments, 3), _checked("omega", omega, 3)
    told = ", ".join(f"{moment:.6g}" for moment in body)
    low, middle, high = sorted(body.tolist())
    if low <= 0:
        raise SpinError(f"moments: ({told}): all three must be positive; a point or a line has no spin of its own")
    if low <= SINGULAR * high:
        raise SpinError(
            f"moments: ({told}): the smallest is {low / high:.1g} of the largest; below {SINGULAR:g} it is lost in the "
            "round-off of the others, so that no spin of so thin a needle can be followed"
        )
    if low / 2 + middle / 2 < high / 2 * (1 - TRIANGLE_TOLERANCE):
        raise SpinError(
            f"moments: ({told}): the largest exceeds the sum of the others by {high - low - middle:.3g}; "
            "no body has such moments, check units and signs of the tensor"
        )
    try:
        frame = principal_frame(np.zeros(3), axes).rotation
    except FrameError as error:
        raise SpinError(f"axes: {error}") from None
    if not start.any() and not resting:
        raise SpinError("omega: zero; without spin and torque the body stays as it is")
    return body, frame, start


def _samples(duration: float, step: float, rate: float) -> tuple[int, float]:
    """How many steps, and how long each is exactly; ``rate`` is the number of steps a time that the spin asks for."""
    total, each = float(_checked("duration", duration)), float(_checked("step", step))
    for what, value in (("duration", total), ("step", each)):
        if value <= 0:
            raise SpinError(f"{what}: {value:g}; it must be positive")
    if total / each > STEP_LIMIT:
        raise SpinError(
            f"step: {each:g} for a duration of {total:g} makes {total / each:.3g} steps, more than {STEP_LIMIT}; "
            f"{_advice(total, rate)}"
        )
    count = max(1, math.ceil(total / each * (1 - 1e-12)))  # 6 / 1e-3 must not become 6001
    return count, total / count


def _advice(total: float, rate: float) -> str:
    """What to try in place of too many steps: a step that the spin allows, or else a duration with its step."""
    if total * rate <= STEP_LIMIT:
        return f"try a step of {_one_digit(total / STEP_LIMIT, math.ceil)} or more"
    longest = STEP_LIMIT / rate
    if longest < sys.float_info.min * STEP_LIMIT * 10:  # of a step that is no number
        return "try a shorter duration"
    step = _one_digit(longest / STEP_LIMIT, math.ceil)
    return f"try a duration of {_one_digit(longest, math.floor)} or less, with a step of {step}"


def _one_digit(value: float, rounded: Callable[[float], int]) -> str:
    """A number rounded up or down to one digit."""
    power = math.floor(math.log10(value))
    digit = rounded(round(value / 10.0**power, 9))
    return f"{float(f'{digit}e{power}'):.1g}"


def _refuse_fast(omega: Floats, duration: float) -> None:
    angle = float(np.linalg.norm(omega)) * float(duration)
    if not angle <= STEP_LIMIT * TURN_SAMPLED:
        raise SpinError(f"omega: {angle:.3g} rad in the duration are too many to follow; try a shorter duration")


def _euler(moments: Floats, torque: PrincipalTorque | None) -> Rates:
    """Derivative of the state (w1, w2, w3, q0, q1, q2, q3)."""
    i1, i2, i3 = moments.tolist()
    k1, k2, k3 = (i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3

    def free(_: float, state: State) -> State:
        a, b, c, w, x, y, z = state
        return (
            k1 * b * c,
            k2 * c * a,
            k3 * a * b,
            -0.5 * (x * a + y * b + z * c),
            0.5 * (w * a + y * c - z * b),
            0.5 * (w * b + z * a - x * c),
            0.5 * (w * c + x * b - y * a),
        )

    if torque is None:
        return free
    along_axes = torque

    def driven(time: float, state: State) -> State:
        t1, t2, t3 = along_axes(time, state)
        d1, d2, d3, *turning = free(time, state)
        return d1 + t1 / i1, d2 + t2 / i2, d3 + t3 / i3, *turning

    return driven


def _trajectory(times: Floats, states: Floats, body: Floats, frame: Floats, free_step: float | None) -> Trajectory:
    """The result, once it is known to fit; ``free_step`` is the step of a motion without torque."""
    # The state's quaternion turns the principal frame in its own coordinates; the same turn in space has the same
    # scalar, and the vector along the principal axes.
    turns = np.column_stack([states[:, 3], states[:, 4:] @ frame.T])
    result = Trajectory(times, states[:, :3].copy(), turns, body, frame)
    for array in (times, result.omega, turns, body):
        array.flags.writeable = False
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(result.energy).all():
            raise SpinError("the kinetic energy is too large for a float64; use larger units")
    if free_step is not None:
        drift = max(result.energy_drift, result.momentum_drift)
        if drift > DRIFT_LIMIT:
            rate = float(np.linalg.norm(result.omega, axis=1).max())
            raise SpinError(
                f"step: {free_step:g} is too long: energy or momentum drift by {drift:.1e}; "
                f"try a step of {TURN_ADVISED / rate:.1g}"
            )
    return result
