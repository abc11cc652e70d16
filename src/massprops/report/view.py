"""Where a picture is looked at from: a parallel projection, and the direction that shows a body's axes best."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from massprops.core.surface import Floats

_UP = np.array([0.0, 0.0, 1.0])

_AZIMUTHS = np.radians(np.arange(-80, 90, 10))
_ELEVATIONS = np.radians([16, 22, 28, 34, 40])
_PREFERRED = np.radians([-50, 24])
_PREFERENCE = 0.05
"""How much the usual direction is favoured: what it may lack in the score of another one, a radian away."""


@dataclass(frozen=True, eq=False)
class View:
    """A parallel projection on to a rectangle.

    Parameters
    ----------
    axes : ndarray, shape (3, 3)
        Rows: unit vectors to the right, up, and towards the viewer.
    middle : ndarray, shape (3,)
        The point in the middle of the picture.
    half_width, half_height : float
        Of the rectangle.
    """

    axes: Floats
    middle: Floats
    half_width: float
    half_height: float

    @classmethod
    def of(
        cls, toward: Floats, points: Floats, aspect: float, margin: float = 0.1, up: Floats = _UP
    ) -> View:
        """The view that just shows all points.

        Parameters
        ----------
        toward : ndarray, shape (3,)
            Direction from the body to the viewer.
        points : ndarray, shape (n, 3)
        aspect : float
            Width of the picture over its height.
        margin : float
            Room left at each edge, as a fraction of the picture.
        up : ndarray, shape (3,)
            Direction that points up in the picture; not that of ``toward``.
        """
        axes = _frame(toward, up)
        seen = points @ axes.T
        low, high = seen.min(axis=0), seen.max(axis=0)
        half = np.maximum((high - low)[:2] / 2, 1e-12) / (1 - 2 * margin)
        half_height = max(float(half[1]), float(half[0]) / aspect)
        return cls(axes, (low + high) / 2 @ axes, half_height * aspect, half_height)

    def project(self, points: Floats) -> Floats:
        """Where points, shape (n, 3), are seen: from (0, 0), lower left, to (1, 1); shape (n, 2)."""
        seen = (points - self.middle) @ self.axes[:2].T
        placed: Floats = seen / [2 * self.half_width, 2 * self.half_height] + 0.5
        return placed


def best_direction(axes: Floats) -> Floats:
    """The direction, from the front and above, from which three axes are long and well apart.

    Parameters
    ----------
    axes : ndarray, shape (3, 3)
        Unit vectors as columns.

    Returns
    -------
    ndarray, shape (3,)
        Unit vector towards the viewer.
    """
    azimuth, elevation = (grid.ravel() for grid in np.meshgrid(_AZIMUTHS, _ELEVATIONS))
    toward = np.column_stack(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    away = np.hypot(azimuth - _PREFERRED[0], elevation - _PREFERRED[1])
    score = np.array([_spread(direction, axes) for direction in toward]) - _PREFERENCE * away
    best: Floats = toward[int(score.argmax())]
    return best


def _frame(toward: Floats, up: Floats = _UP) -> Floats:
    front = toward / np.linalg.norm(toward)
    right = np.cross(up, front)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(front, right), front])


def _spread(toward: Floats, axes: Floats) -> float:
    """The smallest of the areas between two axes as they are seen: 0 where two fall on one line or one is a point."""
    seen = _frame(toward)[:2] @ axes
    pairs = ((0, 1), (1, 2), (2, 0))
    areas = [abs(float(seen[0, i] * seen[1, j] - seen[1, i] * seen[0, j])) for i, j in pairs]
    return math.sqrt(min(areas))
