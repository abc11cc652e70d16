"""Torques on a spinning body: constant in space, carried along with the body, or a function of the motion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.checked import FrameError, checked
from massprops.core.integrators import SpinError
from massprops.core.rotations import Triple
from massprops.core.surface import Floats


@dataclass(frozen=True)
class BodyTorque:
    """A constant torque that turns with the body, such as that of a thruster fixed to it.

    Parameters
    ----------
    vector : sequence of 3 floats
        About the centre of mass, in the axes of the body's geometry; mass length^2 / time^2.
    """

    vector: Sequence[float]


TorqueFunction: TypeAlias = Callable[[float, Floats, Floats], ArrayLike]
"""The torque in space (3,), from the time, the turn (3, 3) of the body since time 0, and w (3,) in space.

For a torque that turns with the body return ``turn @ vector``.
"""

Torque: TypeAlias = ArrayLike | BodyTorque | TorqueFunction
"""Three numbers are a constant torque in space, about the centre of mass; mass length^2 / time^2."""

PrincipalTorque = Callable[[float, Sequence[float]], Triple]
"""The torque along the principal axes, from the time and the state of `integrators`."""

_UNITS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def principal_torque(torque: Torque, axes: Floats) -> PrincipalTorque:
    """A torque as Euler's equations take it: along the principal axes of the body where it is.

    Parameters
    ----------
    torque : Torque
        In any of its forms.
    axes : ndarray, shape (3, 3)
        Principal axes at time 0, as columns, in space.

    Raises
    ------
    SpinError
        It is not three finite numbers; for a function, when it is called.
    """
    if isinstance(torque, BodyTorque):
        fixed = _triple("torque", torque.vector, axes)
        return lambda time, state: fixed
    if callable(torque):
        return _from_function(torque, axes)
    constant = _triple("torque", torque, axes)
    return lambda time, state: _turned_back(state, constant)


def _triple(what: str, vector: ArrayLike, axes: Floats) -> Triple:
    """A vector of space along the principal axes at time 0."""
    try:
        t1, t2, t3 = (axes.T @ checked(what, vector, 3)).tolist()
    except FrameError as error:
        raise SpinError(str(error)) from None
    return t1, t2, t3


def _turned_back(state: Sequence[float], vector: Triple) -> Triple:
    """The vector turned by the inverse of the state's quaternion, which between steps is of unit length only nearly."""
    _, _, _, w, x, y, z = state
    a, b, c = vector
    s = 2.0 / (w * w + x * x + y * y + z * z)
    p, q, r = s * (y * c - z * b), s * (z * a - x * c), s * (x * b - y * a)
    return a - w * p + y * r - z * q, b - w * q + z * p - x * r, c - w * r + x * q - y * p


def _from_function(function: TorqueFunction, axes: Floats) -> PrincipalTorque:
    def along_axes(time: float, state: Sequence[float]) -> Triple:
        if not all(map(math.isfinite, state)):  # the integrator will tell; there is no turn to give
            return math.nan, math.nan, math.nan
        turned = np.array([_turned_back(state, unit) for unit in _UNITS])
        turn = axes @ turned @ axes.T
        vector = function(time, turn, axes @ turned @ np.array(state[:3]))
        return _turned_back(state, _triple(f"torque at time {time:.4g}", vector, axes))

    return along_axes
