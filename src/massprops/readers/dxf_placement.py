"""Where DXF entities lie: the maps from their axes to the world.

Planar entities are given in the axes of their object coordinate system (OCS), others in world axes; blocks are placed
by maps of their own.

Source: Autodesk, DXF Reference, "Object Coordinate Systems (OCS)".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats

_TILT = 1e-9
"""A plane whose normal leans more than this fraction out of z is told: the drawing is seen along z."""


@dataclass(frozen=True, eq=False)
class Placement:
    """The map x -> A x + t of space from an entity's axes to the world.

    Parameters
    ----------
    matrix : ndarray, shape (3, 3)
    translation : ndarray, shape (3,)
    """

    matrix: Floats
    translation: Floats

    @classmethod
    def world(cls) -> Placement:
        """The map that changes nothing."""
        return _WORLD

    @classmethod
    def of_matrix44(cls, matrix: Any) -> Placement:
        """From ezdxf's matrix, which acts on rows."""
        rows = np.array(list(matrix)).reshape(4, 4)
        return cls(rows[:3, :3].T, rows[3, :3])

    def of(self, inner: Placement) -> Placement:
        """The map that does ``inner`` first."""
        if inner is _WORLD:
            return self
        return Placement(self.matrix @ inner.matrix, self.matrix @ inner.translation + self.translation)

    def plane(self, elevation: float) -> tuple[Floats, Floats]:
        """What it does to the plane z = elevation, seen along z: matrix (2, 2) and translation (2,)."""
        return self.matrix[:2, :2], self.matrix[:2, 2] * elevation + self.translation[:2]

    def points(self, points: Floats) -> Floats:
        """Images (n, 2), seen along z, of points (n, 3)."""
        seen: Floats = points @ self.matrix[:2].T + self.translation[:2]
        return seen

    def tilts(self, points: Floats) -> NDArray[np.bool_]:
        """Whether the images of each list of points (..., n, 3) lie at different z, shape (...)."""
        images = points @ self.matrix.T + self.translation
        rise: NDArray[np.bool_] = np.ptp(images[..., 2], axis=-1) > _TILT * np.abs(images).max(axis=(-2, -1))
        return rise

    @cached_property
    def is_tilted(self) -> bool:
        """Whether the image of the plane z = 0 is not parallel to it."""
        rise = np.abs(self.matrix[2, :2]).max()
        return bool(rise > _TILT * np.abs(self.matrix).max())


_WORLD = Placement(np.eye(3), np.zeros(3))


def ocs_of(entity: Any) -> Placement:
    """From the entity's own axes to those around it."""
    z = entity.dxf.get("extrusion", (0, 0, 1))
    return Placement.world() if tuple(z) == (0, 0, 1) else _of_ocs(entity.ocs())


def placement_of(extrusion: tuple[float, ...]) -> Placement:
    """The same from the axis z of an entity that has axes of its own."""
    if extrusion == (0, 0, 1):
        return Placement.world()
    from ezdxf.math import OCS  # loaded by whoever has read a drawing

    return _of_ocs(OCS(extrusion))


def _of_ocs(ocs: Any) -> Placement:
    axes = np.array([list(axis) for axis in (ocs.ux, ocs.uy, ocs.uz)])
    return Placement(axes.T, np.zeros(3))
