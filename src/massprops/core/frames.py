"""Frames: where a body stands and how it is turned, and what that does to its inertia tensor.

A pose is a rigid motion x -> R x + t. It is also a frame: the one with origin t and the columns of R as axes, whose
coordinates it takes to those of the world. Products of small matrices are worked out exactly and rounded once, so
that going to a frame and back costs no more than the rounding of the tensor itself.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2; J. J. Craig, Introduction to Robotics, 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.checked import FrameError, checked, fitting, is_row
from massprops.core.exact_numbers import Rationals, rationals
from massprops.core.rotations import (
    Quaternion,
    Triple,
    axis_angle_of_quaternion,
    matrix_of_quaternion,
    quaternion_of_axis_angle,
    quaternion_of_matrix,
    quaternion_of_rpy,
    rpy_of_matrix,
)
from massprops.core.surface import Floats

ROTATION_TOLERANCE = 1e-12
"""Largest entry of R^T R - 1 that round-off may leave in a rotation matrix."""

SYMMETRY_TOLERANCE = 1e-12
"""Largest asymmetry of an inertia tensor that is taken for round-off, relative to its largest entry."""


def _rounded(what: str, exact: Rationals) -> Floats:
    """Exact fractions as floats, each rounded once."""
    try:
        return exact.astype(np.float64)
    except OverflowError:
        raise FrameError(f"{what}: too large for a float64; use a larger unit") from None


def _checked_rotation(values: ArrayLike) -> Floats:
    r = checked("rotation", values, 3, 3)
    if np.abs(r).max() > 2.0 or (off := float(np.abs(r.T @ r - np.eye(3)).max())) > 1e-3:
        raise FrameError("rotation: its columns are not orthonormal; a rotation has no scale and no shear")
    if np.linalg.det(r) < 0:
        raise FrameError("rotation: determinant -1, a mirror; reverse one of the axes")
    if off > ROTATION_TOLERANCE:
        raise FrameError(
            f"rotation: orthonormal only to {off:.1e}, {ROTATION_TOLERANCE:g} is needed; "
            "give more digits, or a quaternion"
        )
    return r


def _nearest_rotation(almost: Rationals) -> Floats:
    """R (3 - R^T R) / 2, a step of Newton's method for the polar factor: a long chain of products stays orthonormal."""
    excess = (almost.T @ almost - rationals(np.eye(3))).astype(np.float64)
    correction = almost.astype(np.float64) @ excess / 2
    return (almost - rationals(correction)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Pose:
    """The rigid motion x -> R x + t.

    Parameters
    ----------
    rotation : array_like, shape (3, 3)
        R; orthonormal to `ROTATION_TOLERANCE`, determinant +1. Kept as it is, in a read-only copy.
    translation : array_like, shape (3,)
        t; length.

    Raises
    ------
    FrameError
        A shape is wrong, a number is not finite, or the matrix is not a rotation.

    Examples
    --------
    >>> quarter = Pose.from_quaternion((1, 0, 0, 1), translation=(5, 0, 0))
    >>> quarter.apply([1, 0, 0])
    array([5., 1., 0.])
    >>> quarter.inverse().apply([5, 1, 0])
    array([1., 0., 0.])
    """

    rotation: Floats
    translation: Floats

    def __post_init__(self) -> None:
        rotation = _checked_rotation(self.rotation)
        translation = checked("translation", self.translation, 3)
        for name, array in (("rotation", rotation), ("translation", translation)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def identity(cls) -> Pose:
        """The motion that moves nothing; the frame of the world."""
        return cls(np.eye(3), np.zeros(3))

    @classmethod
    def from_quaternion(cls, quaternion: ArrayLike, translation: ArrayLike = (0, 0, 0)) -> Pose:
        """From (w, x, y, z), of any length but 0 (it is normalised).

        Raises
        ------
        FrameError
            The quaternion is 0, not finite, or not of 4 numbers.
        """
        q = checked("quaternion", quaternion, 4)
        if not q.any():
            raise FrameError("quaternion: all zero, which is no rotation; (1, 0, 0, 0) turns nothing")
        return cls(matrix_of_quaternion(q.tolist()), checked("translation", translation, 3))

    @classmethod
    def from_rpy(cls, rpy: ArrayLike, translation: ArrayLike = (0, 0, 0)) -> Pose:
        """From roll, pitch, yaw about the fixed axes x, y, z, as URDF has them; radians."""
        q = quaternion_of_rpy(*checked("rpy", rpy, 3).tolist())
        return cls(matrix_of_quaternion(q), checked("translation", translation, 3))

    @classmethod
    def from_axis_angle(cls, axis: ArrayLike, angle: float, translation: ArrayLike = (0, 0, 0)) -> Pose:
        """From an axis through the origin, of any length but 0, and an angle; radians, right-handed.

        Raises
        ------
        FrameError
            The axis is 0, or a number is not finite.
        """
        a = checked("axis", axis, 3)
        if not a.any():
            raise FrameError("axis: zero, which is no direction; give three numbers that are not all 0")
        q = quaternion_of_axis_angle(a.tolist(), float(checked("angle", angle)))
        return cls(matrix_of_quaternion(q), checked("translation", translation, 3))

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Pose:
        """From a homogeneous 4x4 matrix [[R, t], [0, 1]].

        Raises
        ------
        FrameError
            The last row is not (0, 0, 0, 1), or the rest is not a pose.
        """
        m = checked("matrix", matrix, 4, 4)
        if m[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
            row = ", ".join(f"{entry:g}" for entry in m[3])
            raise FrameError(f"matrix: its last row is ({row}), not (0, 0, 0, 1); columns are axes, transpose it?")
        return cls(m[:3, :3], m[:3, 3])

    def to_quaternion(self) -> Quaternion:
        """(w, x, y, z) of the rotation; unit length, w >= 0."""
        return quaternion_of_matrix(self.rotation)

    def to_rpy(self) -> Triple:
        """Roll, pitch, yaw of the rotation, as URDF has them; radians. At pitch +-pi/2 yaw is 0."""
        return rpy_of_matrix(self.rotation)

    def to_axis_angle(self) -> tuple[Triple, float]:
        """Unit axis and angle in [0, pi] of the rotation; radians. Without a rotation the axis is x."""
        return axis_angle_of_quaternion(self.to_quaternion())

    def to_matrix(self) -> Floats:
        """The homogeneous matrix [[R, t], [0, 1]], shape (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.translation
        return matrix

    def compose(self, first: Pose) -> Pose:
        """The motion that does ``first`` and then this one: x -> self(first(x)). Also ``self @ first``."""
        r, t = rationals(self.rotation), rationals(self.translation)
        return Pose(
            _nearest_rotation(r @ rationals(first.rotation)),
            _rounded("translation", r @ rationals(first.translation) + t),
        )

    __matmul__ = compose

    def inverse(self) -> Pose:
        """The motion that undoes this one: x -> R^T (x - t)."""
        back = rationals(self.rotation.T)
        return Pose(self.rotation.T, _rounded("translation", -(back @ rationals(self.translation))))

    def apply(self, points: ArrayLike) -> Floats:
        """Images of points, shape (3,) or (n, 3); length. A direction is turned by ``rotation`` alone.

        Raises
        ------
        FrameError
            The shape is another, a coordinate is not finite, or an image does not fit a float64.
        """
        p = checked("points", points, *((3,) if is_row(points) else (-1, 3)))
        with np.errstate(over="ignore", invalid="ignore"):
            return fitting("points", p @ self.rotation.T + self.translation)


def checked_inertia(inertia: ArrayLike) -> Floats:
    """A symmetric (3, 3) tensor from one that is symmetric to `SYMMETRY_TOLERANCE`.

    Raises
    ------
    FrameError
        It is not symmetric, or not 3 x 3 finite numbers.
    """
    tensor = checked("inertia", inertia, 3, 3)
    half = tensor / 2  # halves, so that nothing overflows
    i, j = np.unravel_index(np.argmax(np.abs(half - half.T)), (3, 3))
    if abs(half[i, j] - half[j, i]) > SYMMETRY_TOLERANCE * np.abs(half).max():
        raise FrameError(
            f"inertia: not symmetric, {tensor[i, j]:g} at {i + 1},{j + 1} and {tensor[j, i]:g} at {j + 1},{i + 1}"
        )
    symmetric: Floats = half + half.T
    return symmetric


def inertia_to_world(inertia: ArrayLike, pose: Pose) -> Floats:
    """The tensor R I R^T of a body in world axes, from the one in the axes of its frame.

    Parameters
    ----------
    inertia : array_like, shape (3, 3)
        I about the centre of mass, in the axes of the body's frame; off-diagonals are minus the products of
        inertia; mass length^2.
    pose : Pose
        Frame of the body in the world. Its translation does not enter: the tensor stays about the centre of mass.

    Returns
    -------
    ndarray, shape (3, 3)
        In world axes; exactly symmetric, each entry the exact product rounded once.

    Raises
    ------
    FrameError
        The tensor is not symmetric, or not 3 x 3 finite numbers.

    Examples
    --------
    >>> inertia_to_world(np.diag([1.0, 2.0, 3.0]), Pose.from_quaternion((1, 0, 0, 1)))
    array([[2., 0., 0.],
           [0., 1., 0.],
           [0., 0., 3.]])
    """
    r = rationals(pose.rotation)
    return _rounded("inertia", r @ rationals(checked_inertia(inertia)) @ r.T)


def principal_frame(center: ArrayLike, principal_axes: ArrayLike) -> Pose:
    """The frame at the centre of mass along the principal axes, in whose coordinates the tensor is diagonal.

    Parameters
    ----------
    center : array_like, shape (3,)
        Centre of mass; length.
    principal_axes : array_like, shape (3, 3)
        Unit axes as columns, right-handed.

    Returns
    -------
    Pose
        Takes principal coordinates to those of the world. ``inertia_to_world(I, frame.inverse())`` is the diagonal
        matrix of the principal moments, to the rounding of I and of the axes.

    Raises
    ------
    FrameError
        The axes are not orthonormal or left-handed, or a number is not finite.
    """
    return Pose(checked("principal_axes", principal_axes, 3, 3), checked("center", center, 3))
