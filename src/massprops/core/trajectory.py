"""What a spinning body did: its motion, sampled at equal times, and how well the conserved quantities were kept.

Two sets of axes: those of *space*, fixed, in which the body's geometry was given at time 0; and the *principal* axes
of the body, carried along with it. An orientation is the turn that the body has made since time 0: a point that was
at x, from the centre of mass, is at ``turn x``; the principal axes are the columns of ``turn axes``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.checked import checked
from massprops.core.exact_numbers import rationals
from massprops.core.frames import Pose
from massprops.core.frozen import Frozen
from massprops.core.rotations import matrix_of_quaternion
from massprops.core.surface import Floats


@dataclass(frozen=True, eq=False)
class Trajectory(Frozen):
    """The motion of a spinning body about its centre of mass, at n times.

    Parameters
    ----------
    times : ndarray, shape (n,)
        From 0 to the duration, at equal steps.
    omega : ndarray, shape (n, 3)
        Angular velocity along the principal axes, in radians; 1 / time.
    orientation : ndarray, shape (n, 4)
        Unit quaternions (w, x, y, z) of the turn since time 0, in space; the first is (1, 0, 0, 0), and the sign
        follows the motion without jumps.
    moments : ndarray, shape (3,)
        Principal moments, in the order of the axes; mass length^2.
    axes : ndarray, shape (3, 3)
        Principal axes as columns, in space, at time 0.
    """

    times: Floats
    omega: Floats
    orientation: Floats
    moments: Floats
    axes: Floats

    @property
    def momentum(self) -> Floats:
        """L about the centre of mass in space, shape (n, 3); constant where there is no torque."""
        return self.to_space(self.omega * self.moments)

    @property
    def energy(self) -> Floats:
        """Kinetic energy of the rotation, sum of I_k w_k^2 / 2, shape (n,); mass length^2 / time^2."""
        twice: Floats = (self.omega * self.moments * self.omega).sum(axis=1)
        return twice / 2

    @property
    def omega_space(self) -> Floats:
        """Angular velocity in space, shape (n, 3)."""
        return self.to_space(self.omega)

    @property
    def omega_body(self) -> Floats:
        """Angular velocity in the axes of the body's geometry, carried along with it, shape (n, 3)."""
        return _turned(self.axes, self.omega)

    def to_space(self, vectors: Floats) -> Floats:
        """Vectors (n, 3) along the principal axes at the n times, in space."""
        return rotate(self.orientation, _turned(self.axes, vectors))

    def turn(self, index: int) -> Floats:
        """Rotation matrix, shape (3, 3), of the turn from time 0 to the time of a sample."""
        return matrix_of_quaternion(self.orientation[index].tolist())

    def pose(self, index: int, center: ArrayLike = (0, 0, 0)) -> Pose:
        """The motion x -> turn (x - c) + c that takes the body's geometry to where it is at a sample.

        Parameters
        ----------
        index : int
            Number of the sample; -1 is the last.
        center : array_like, shape (3,)
            c, the centre of mass, which stays at rest; length.
        """
        turn, c = self.turn(index), checked("center", center, 3)
        return Pose(turn, (rationals(c) - rationals(turn) @ rationals(c)).astype(np.float64))

    @property
    def energy_drift(self) -> float:
        """max |T - T(0)| / max T over the run. Without torque an error, with torque the work done."""
        return _drift((self._relative_omega**2 * self._relative_moments).sum(axis=1))

    @property
    def momentum_drift(self) -> float:
        """max | |L| - |L(0)| | / max |L| over the run. Without torque an error."""
        return _drift(np.linalg.norm(self._relative_omega * self._relative_moments, axis=1))

    @property
    def momentum_wander(self) -> float:
        """max |L - L(0)| / max |L| over the run, as vectors in space: the drift of its direction counts too."""
        momentum = self.to_space(self._relative_omega * self._relative_moments)
        away = np.linalg.norm(momentum - momentum[0], axis=1).max()
        return float(away / (np.linalg.norm(momentum, axis=1).max() or 1.0))

    @property
    def spun_axis(self) -> int:
        """The principal axis (0, 1 or 2) spun about: along which w is largest at the start.

        A body that starts at rest is judged by its first sample in motion.
        """
        moving = self.omega.any(axis=1)
        return int(np.argmax(np.abs(self.omega[int(np.argmax(moving))])))

    @property
    def flip_times(self) -> Floats:
        """When the body flips over: the times at which w along the axis spun about changes its sign.

        Then the half of that axis which pointed along L points against it, or the other way round: without torque
        the component of L along an axis has the sign of that of w. A body spun about its intermediate axis does so
        again and again (Dzhanibekov's tennis-racket effect); about the axis of the largest or the smallest moment,
        never. Samples at which the component is 0 are passed over; times are interpolated linearly.
        """
        along = self.omega[:, self.spun_axis]
        known = np.flatnonzero(along)
        before = np.flatnonzero(np.sign(along[known[1:]]) != np.sign(along[known[:-1]]))
        i, j = known[before], known[before + 1]
        share = np.abs(along[i]) / (np.abs(along[i]) + np.abs(along[j]))
        crossing: Floats = self.times[i] + share * (self.times[j] - self.times[i])
        return crossing

    @property
    def flips(self) -> int:
        """How many times the body flips over; see `flip_times`."""
        return len(self.flip_times)

    @property
    def _relative_omega(self) -> Floats:
        """w in units of its largest component, so that no square under- or overflows."""
        relative: Floats = self.omega / (np.abs(self.omega).max() or 1.0)
        return relative

    @property
    def _relative_moments(self) -> Floats:
        relative: Floats = self.moments / self.moments.max()
        return relative


def _drift(values: Floats) -> float:
    return float(np.abs(values - values[0]).max() / (values.max() or 1.0))


def _turned(matrix: Floats, vectors: Floats) -> Floats:
    turned: Floats = vectors @ matrix.T
    return turned


def rotate(quaternions: Floats, vectors: Floats) -> Floats:
    """Vectors (n, 3) turned each by its unit quaternion (n, 4): v + 2 w (u x v) + 2 u x (u x v).

    >>> rotate(np.array([[0.5**0.5, 0, 0, 0.5**0.5]]), np.array([[1.0, 0, 0]])).round(15) + 0.0
    array([[0., 1., 0.]])
    """
    w, u = quaternions[:, :1], quaternions[:, 1:]
    twice = 2.0 * np.cross(u, vectors)
    turned: Floats = vectors + w * twice + np.cross(u, twice)
    return turned
