"""Two ways to integrate the motion of a spinning body: Runge-Kutta of fixed step, and Dormand-Prince of order 8.

The state is seven floats: the angular velocity along the three principal axes, and the unit quaternion (w, x, y, z)
of the orientation. The plain-float Runge-Kutta is some twenty times faster than the same in NumPy, whose calls cost
more than the arithmetic on seven numbers.

Sources: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd edition, II.1 and II.5
(as in `scipy.integrate.DOP853`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence

import numpy as np

from massprops.core.surface import Floats

State = Sequence[float]
Rates = Callable[[float, State], State]
"""The derivative of the state, from the time and the state."""

TURN_LIMIT = 1.0
"""Radians that a body may turn in one step of Runge-Kutta; it loses its stability at 2.8 and all accuracy before."""

TURN_ADVISED = 0.02
"""Radians a step at which Runge-Kutta keeps some ten digits over a few turns; what a refusal suggests."""

TURN_SAMPLED = 0.1
"""Radians a step of Dormand-Prince at most: its interpolant, of order 7, is then as good as its steps."""

TOLERANCE = 2.3e-14
"""Relative error a step of Dormand-Prince; the smallest that scipy takes."""

STEP_LIMIT = 2_000_000
"""Samples or steps of one run at most: a minute or two."""


class SpinError(ValueError):
    """The motion cannot be worked out: the body, its spin, the torque or the step is not what it should be."""


def rk4(rates: Rates, start: State, step: float, count: int) -> Floats:
    """The classical Runge-Kutta method of order 4; the quaternion is normalised after every step.

    Parameters
    ----------
    rates : callable
        Derivative of the state.
    start : sequence of 7 floats
        State at time 0.
    step : float
        Length of a step; time.
    count : int
        Number of steps.

    Returns
    -------
    ndarray, shape (count + 1, 7)
        States at the times 0, step, ..., count * step.

    Raises
    ------
    SpinError
        The body turns by more than `TURN_LIMIT` in a step, or a state is not finite.
    """
    half, sixth = step / 2, step / 6
    y = list(start)
    rate = math.hypot(*y[:3])
    if not rate * step <= TURN_LIMIT:
        raise _diverging(0.0, rate, step)
    states = array("d", y)
    for k in range(count):
        t = k * step
        a = rates(t, y)
        b = rates(t + half, [p + half * q for p, q in zip(y, a, strict=True)])
        c = rates(t + half, [p + half * q for p, q in zip(y, b, strict=True)])
        d = rates(t + step, [p + step * q for p, q in zip(y, c, strict=True)])
        y = [p + sixth * (q + 2.0 * (r + s) + u) for p, q, r, s, u in zip(y, a, b, c, d, strict=True)]
        w1, w2, w3, *q = y
        rate = math.sqrt(w1 * w1 + w2 * w2 + w3 * w3)
        if not rate * step <= TURN_LIMIT:  # also when it is not a number
            raise _diverging(t + step, rate, step)
        norm = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        y = [w1, w2, w3, q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm]
        states.extend(y)
    return np.frombuffer(states).reshape(-1, 7)


def _diverging(time: float, rate: float, step: float) -> SpinError:
    if math.isfinite(rate):
        return SpinError(
            f"step: {step:g} is too long: at time {time:.4g} the body turns by {rate * step:.3g} rad in it; "
            f"try a step of {TURN_ADVISED / rate:.1g}"
        )
    return SpinError(f"the motion diverges at time {time:.4g} with a step of {step:g}; try {step / 10:.1g}")


def dop853(rates: Rates, start: State, times: Floats) -> Floats:
    """Dormand and Prince's adaptive method of order 8, at the tightest tolerance that scipy takes.

    Parameters
    ----------
    rates : callable
        Derivative of the state.
    start : sequence of 7 floats
        State at the first time.
    times : ndarray, shape (n,)
        Ascending; where the states are wanted.

    Returns
    -------
    ndarray, shape (n, 7)
        States, interpolated within the method's own steps, the quaternions normalised.

    Raises
    ------
    SpinError
        The method fails, or takes more than `STEP_LIMIT` steps.
    """
    from scipy.integrate import DOP853  # takes half a second to import

    states = np.empty((len(times), 7))
    states[0] = start
    # A body at rest is measured by what the torque would give it.
    scale = math.hypot(*start[:3]) or math.hypot(*rates(times[0], start)[:3]) * float(times[-1]) or 1.0
    solver = DOP853(
        lambda t, y: np.array(rates(t, y.tolist())),
        times[0],
        np.array(start),
        times[-1],
        rtol=TOLERANCE,
        atol=np.array([0.01 * TOLERANCE * scale] * 3 + [0.01 * TOLERANCE] * 4),
    )
    done = 1
    for _ in range(STEP_LIMIT):
        solver.max_step = _longest(solver.y)
        solver.step()
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            raise SpinError(f"the motion diverges at time {solver.t:.4g}: no step is short enough for it")
        reached = int(np.searchsorted(times, solver.t, side="right"))
        if reached > done:
            states[done:reached] = solver.dense_output()(times[done:reached]).T
            done = reached
        if solver.status == "finished":
            break
    else:
        raise SpinError(f"more than {STEP_LIMIT} steps, up to time {solver.t:.4g}; try a shorter duration")
    states[:, 3:] /= np.linalg.norm(states[:, 3:], axis=1)[:, None]
    return states


def _longest(y: Floats) -> float:
    rate = float(np.linalg.norm(y[:3]))
    return TURN_SAMPLED / rate if rate > 0 else math.inf
