"""Rotations as quaternions, matrices, roll-pitch-yaw angles, and axis and angle.

A rotation turns points about the origin, x -> R x, in one coordinate system (active, right-handed). Quaternions are
(w, x, y, z), of unit length, with w >= 0. Roll, pitch and yaw are those of URDF: turns about the FIXED axes x, then
y, then z, R = Rz(yaw) Ry(pitch) Rx(roll).

Sources: S. W. Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1, 1978; J. Diebel, Representing
attitude, Stanford 2006; URDF, <origin rpy>.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from massprops.core.surface import Floats

Quaternion = tuple[float, float, float, float]
"""(w, x, y, z)."""

Triple = tuple[float, float, float]


def unit_quaternion(w: float, x: float, y: float, z: float) -> Quaternion:
    """The same rotation with unit length and w >= 0 (for w = 0: the first of x, y, z that is not 0 is positive).

    Raises
    ------
    ZeroDivisionError
        All four are 0.
    """
    scale = max(abs(w), abs(x), abs(y), abs(z))
    parts = [part / scale for part in (w, x, y, z)]  # so that no square under- or overflows
    length = math.sqrt(math.fsum(part * part for part in parts))
    first = next(part for part in parts if part != 0)
    sign = math.copysign(length, first if parts[0] == 0 else parts[0])
    w, x, y, z = (part / sign + 0.0 for part in parts)  # + 0.0: no negative zeros
    return w, x, y, z


def matrix_of_quaternion(q: Sequence[float]) -> Floats:
    """The rotation matrix of a quaternion of any length but 0, each entry rounded once.

    Parameters
    ----------
    q : sequence of 4 floats
        (w, x, y, z).

    Returns
    -------
    ndarray, shape (3, 3)

    Examples
    --------
    >>> matrix_of_quaternion((1, 0, 0, 1))  # a quarter turn about z
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    w, x, y, z = (Fraction(part) for part in q)
    n = w * w + x * x + y * y + z * z
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.array([[float(entry / n) for entry in row] for row in rows])


def quaternion_of_matrix(rotation: Floats) -> Quaternion:
    """The unit quaternion, w >= 0, of a rotation matrix (Shepperd: divide by the largest component)."""
    (a, b, c), (d, e, f), (g, h, i) = rotation.tolist()
    trace = a + e + i
    largest = max(trace, a, e, i)
    if largest == trace:
        return unit_quaternion(1.0 + trace, h - f, c - g, d - b)
    if largest == a:
        return unit_quaternion(h - f, 1.0 + a - e - i, b + d, c + g)
    if largest == e:
        return unit_quaternion(c - g, b + d, 1.0 - a + e - i, f + h)
    return unit_quaternion(d - b, c + g, f + h, 1.0 - a - e + i)


def quaternion_of_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """The unit quaternion of Rz(yaw) Ry(pitch) Rx(roll); radians."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return unit_quaternion(
        cy * cp * cr + sy * sp * sr,
        cy * cp * sr - sy * sp * cr,
        cy * sp * cr + sy * cp * sr,
        sy * cp * cr - cy * sp * sr,
    )


def rpy_of_matrix(rotation: Floats) -> Triple:
    """Roll in [-pi, pi], pitch in [-pi/2, pi/2], yaw in [-pi, pi]; radians.

    Roll is taken after the yaw has been undone, so that the three together give the matrix back to round-off even
    where pitch is next to +-pi/2 and yaw and roll are not determined one by one. At +-pi/2 itself yaw is 0.
    """
    (a, b, c), (d, e, f), (g, _, _) = rotation.tolist()
    pitch = math.atan2(-g, math.hypot(a, d))
    yaw = math.atan2(d, a) if a or d else 0.0
    sy, cy = math.sin(yaw), math.cos(yaw)
    roll = math.atan2(sy * c - cy * f, cy * e - sy * b)
    return roll + 0.0, pitch + 0.0, yaw + 0.0


_SUBNORMAL = 2.0**-960


def quaternion_of_axis_angle(axis: Sequence[float], angle: float) -> Quaternion:
    """The unit quaternion of a turn by an angle, in radians, about an axis of any length but 0."""
    scale = max(abs(part) for part in axis)
    x, y, z = (part / scale for part in axis)
    length = math.hypot(x, y, z)
    s = math.sin(angle / 2) / length
    return unit_quaternion(math.cos(angle / 2), s * x, s * y, s * z)


def axis_angle_of_quaternion(q: Quaternion) -> tuple[Triple, float]:
    """Unit axis and angle in [0, pi], in radians; without a rotation the axis is x."""
    w, x, y, z = q
    length = math.hypot(x, y, z)
    if length == 0:
        return (1.0, 0.0, 0.0), 0.0
    angle = 2 * math.atan2(length, w)
    if length < _SUBNORMAL:  # too few bits for a quotient: larger ones have the same direction
        x, y, z = x * 2.0**200, y * 2.0**200, z * 2.0**200
        length = math.hypot(x, y, z)
    return (x / length, y / length, z / length), angle
