"""The map that flags ask for which mirror, resize, rotate and translate."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from massprops.core.affine_map import AffineMap
from massprops.core.exact_numbers import rationals
from massprops.errors import PlanError
from massprops.finite import check_finite, shown_numbers

Vector = tuple[float, float, float]
Parts = tuple[float | None, float | None, float | None]


def motion(
    mirror_normal: Vector | None = None,
    resize: Vector = (1.0, 1.0, 1.0),
    rotate_axis: Vector | None = None,
    rotate_angle: float | None = None,
    translate: Vector = (0.0, 0.0, 0.0),
) -> AffineMap:
    """The map that mirrors at a plane through the origin, resizes, rotates about an axis through the origin and
    translates, in this order.

    Parameters
    ----------
    mirror_normal : tuple of float, optional
        Normal of the plane; any length but 0.
    resize : tuple of float
        Factors along x, y and z; negative ones mirror.
    rotate_axis : tuple of float, optional
        Any length but 0; right-handed.
    rotate_angle : float, optional
        Radians.
    translate : tuple of float
        Length.

    Raises
    ------
    PlanError
        A zero or non-finite normal, axis or factor; an angle without an axis or an axis without an angle.
    """
    result = AffineMap.identity()
    if mirror_normal is not None:
        result = result.then(AffineMap.of(_mirror(mirror_normal)))
    check_finite("--resize_factor", resize)
    if 0.0 in resize:
        raise PlanError(f"--resize_factor {shown_numbers(resize)}: a factor of 0 leaves nothing to measure")
    result = result.then(AffineMap.of(np.diag(resize)))
    if (rotate_axis is None) != (rotate_angle is None):
        given, missing = ("angle", "axis") if rotate_axis is None else ("axis", "angle")
        raise PlanError(f"--rotate_{given} without --rotate_{missing}")
    if rotate_axis is not None and rotate_angle is not None:
        result = result.then(AffineMap.of(_rotation(rotate_axis, rotate_angle)))
    check_finite("--translate_delta", translate)
    return result.then(AffineMap.of(np.eye(3), translate))


def only_along_z(
    flag: str, vector: Vector | None, parts: Parts = (None, None, None), neutral: float = 0.0
) -> list[str]:
    """The flag, if one was given, that acts along z only, and so does nothing to a section.

    The third number of a vector that acts along x or y as well is none: three numbers are what its flag takes. Nor is a
    flag for z beside one for x and one for y, which say the same.

    Parameters
    ----------
    flag : str
        That of the whole vector, without hyphens, such as ``resize_factor``.
    vector : tuple of float or None
        What it was given.
    parts : tuple of float or None
        What the flags for x, y and z were given, such as ``resize_z``.
    neutral : float
        What leaves everything as it is.

    Examples
    --------
    >>> only_along_z("resize_factor", None, (None, None, 2.0), 1.0), only_along_z("translate_delta", (0.0, 0.0, 5.0))
    (['resize_z'], ['translate_delta'])
    >>> only_along_z("translate_delta", (1.0, 2.0, 3.0)), only_along_z("resize_factor", None, (2.0, 2.0, 2.0), 1.0)
    ([], [])
    """
    x, y, z = parts if vector is None else vector
    others = [value for value in (x, y) if value not in (None, neutral)]
    if z in (None, neutral) or len(others) == 2 or (others and vector is not None):
        return []
    return [flag if vector is not None else f"{flag.partition('_')[0]}_z"]


def _mirror(normal: Vector) -> object:
    """1 - 2 n n^T / n.n, without round-off (A. S. Householder 1958)."""
    _check_direction("--mirror_normal", normal)
    n = rationals(normal)
    return rationals(np.eye(3)) - np.outer(n, n) * Fraction(2) / (n @ n)


def _rotation(axis: Vector, angle: float) -> object:
    """cos 1 + sin [u] + (1 - cos) u u^T (O. Rodrigues 1840), 1 - cos as 2 sin^2 of half the angle."""
    _check_direction("--rotate_axis", axis)
    check_finite("--rotate_angle", [angle])
    u = np.array(axis) / max(map(abs, axis))
    u = u / np.linalg.norm(u)
    cross = np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])
    return np.eye(3) + math.sin(angle) * cross + 2.0 * math.sin(angle / 2.0) ** 2 * (cross @ cross)


def _check_direction(flag: str, vector: Vector) -> None:
    check_finite(flag, vector)
    if not any(vector):
        raise PlanError(f"{flag} 0 0 0: a direction has a length")
