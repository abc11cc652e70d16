"""What a picture of a body shows, in the picture's own coordinates: mesh, centre, axes, ellipsoid, open edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.ellipsoid import EllipsoidError, InertiaEllipsoid
from massprops.core.inertia import MassProperties
from massprops.core.surface import Floats, Surface, triangle_array
from massprops.report.decimation import DrawnMesh, drawn_mesh
from massprops.report.framing import Framing
from massprops.report.picture_format import PictureError

AXIS_COLORS = ("#c8442b", "#178a5b", "#2563b8")
"""Colours of the axes of the smallest, middle and largest moment: apart for colour-blind eyes, too."""

_OVERHANG = 0.16
"""How far an axis reaches beyond the body and its ellipsoid, as a fraction of half the box's longest side."""


@dataclass(frozen=True, eq=False)
class BodyScene:
    """A body with what was measured of it, framed: the box of its mesh fills [-1, 1] along its longest side.

    Parameters
    ----------
    framing : Framing
        From the body's coordinates to those of everything below.
    mesh : DrawnMesh
    center : ndarray, shape (3,), or None
        Centre of mass; None for a body that was not measured.
    axes : ndarray, shape (3, 3), or None
        Principal axes as columns.
    reach : ndarray, shape (3, 2), or None
        How far each axis is drawn: the coordinates along it, from the centre, of its start and its tip.
    ellipsoid : InertiaEllipsoid or None
    open_edges : ndarray, shape (k, 2, 3)
        Edges to mark as wrong.
    """

    framing: Framing
    mesh: DrawnMesh
    center: Floats | None
    axes: Floats | None
    reach: Floats | None
    ellipsoid: InertiaEllipsoid | None
    open_edges: Floats

    @classmethod
    def of(
        cls, surface: Surface, properties: MassProperties | None, open_edges: Floats | None = None
    ) -> BodyScene:
        """The scene of a surface.

        Parameters
        ----------
        surface : Surface
        properties : MassProperties or None
            In the coordinates of the surface; None for a body that was not measured.
        open_edges : ndarray, shape (k, 2, 3), optional
            Ends of the edges that kept it from being measured; length.

        Raises
        ------
        PictureError
            There is no facet with finite coordinates and three different corners.
        """
        triangles = triangle_array(surface)
        finite = triangles if np.isfinite(triangles).all() else triangles[np.isfinite(triangles).all(axis=(1, 2))]
        if len(finite) == 0:
            raise PictureError("no facets to draw")
        framing = Framing.of(finite)
        mesh = drawn_mesh(framing.apply(finite))
        if len(mesh.faces) == 0:
            raise PictureError("no facets to draw: all of them are points or lines")
        edges = np.empty((0, 2, 3)) if open_edges is None else framing.apply(np.asarray(open_edges, np.float64))
        if properties is None:
            return cls(framing, mesh, None, None, None, None, edges)
        center, axes = framing.apply(properties.center), properties.principal_axes
        ellipsoid = _ellipsoid(properties, framing)
        return cls(framing, mesh, center, axes, _reach(mesh, center, axes, ellipsoid), ellipsoid, edges)

    @property
    def points(self) -> Floats:
        """Points that must be in the picture, shape (n, 3)."""
        parts = [self.mesh.vertices, self.open_edges.reshape(-1, 3)]
        if self.reach is not None:
            parts += [np.stack(self.axis_ends(k)) for k in range(3)]
        if self.ellipsoid is not None:
            parts += [self.ellipsoid.section(k, 24) for k in range(3)]
        return np.concatenate(parts)

    def axis_ends(self, k: int) -> tuple[Floats, Floats]:
        """Start and tip of a principal axis as drawn."""
        assert self.reach is not None
        start, tip = self.reach[k]
        return self.along(k, start), self.along(k, tip)

    def along(self, k: int, distance: float) -> Floats:
        """The point at a distance from the centre of mass along a principal axis."""
        assert self.center is not None
        assert self.axes is not None
        point: Floats = self.center + distance * self.axes[:, k]
        return point


def _ellipsoid(properties: MassProperties, framing: Framing) -> InertiaEllipsoid | None:
    """The framed ellipsoid; None where the moments belong to no body, so that nothing is pretended."""
    try:
        found = InertiaEllipsoid.of(
            properties.mass, properties.center, properties.principal_moments, properties.principal_axes
        )
    except EllipsoidError:
        return None
    return InertiaEllipsoid(
        found.mass, framing.apply(found.center), found.axes, framing.length(found.semi_axes)
    )


def _reach(mesh: DrawnMesh, center: Floats, axes: Floats, ellipsoid: InertiaEllipsoid | None) -> Floats:
    along = (mesh.vertices - center) @ axes
    semi = np.zeros(3) if ellipsoid is None else ellipsoid.semi_axes
    low = np.minimum(along.min(axis=0), -semi) - _OVERHANG / 2
    high = np.maximum(along.max(axis=0), semi) + _OVERHANG
    return np.stack([low, high], axis=1)
