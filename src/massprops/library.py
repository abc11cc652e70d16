"""The library's one function for bodies: from a path or a mesh to mass properties."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.surface import Surface, TriangleArray
from massprops.errors import Unreadable
from massprops.readers.reader import reading

if TYPE_CHECKING:
    import trimesh


def mass_properties(
    mesh: str | os.PathLike[str] | tuple[ArrayLike, ArrayLike] | trimesh.Trimesh,
    density: float = 1.0,
    about: Sequence[float] | None = None,
    exact: bool = False,
) -> MassProperties:
    """Mass properties of the body inside a closed surface.

    Parameters
    ----------
    mesh : path, (vertices, faces) or trimesh.Trimesh
        A file in any format that the command line reads; or vertices (n, 3), length, with faces (m, 3), indices; or a
        mesh of trimesh. Facets are oriented outwards. It is not changed.
    density : float
        Uniform density, finite and positive; M L^-3.
    about : sequence of 3 floats, optional
        A point about which the inertia tensor is wanted as well; L.
    exact : bool
        Whether to refuse hairline cracks, which are otherwise closed.

    Returns
    -------
    MassProperties
        In the axes of the mesh's coordinates; lengths in their unit.

    Raises
    ------
    ValueError
        A density that is not finite and positive, or a point that is not three finite numbers.
    TypeError
        The mesh is none of these.
    NotFound, Unreadable, Unsupported
        The file is missing, damaged, or in a format that is not read; vertices and faces are no arrays of the right
        shapes, or faces refer to vertices that are not there.
    Empty
        No facets.
    NonFinite
        A coordinate is NaN or infinite, or a result is too large.
    OpenSurface, InconsistentWinding
        The surface has boundary edges, or facets wound against their neighbours.
    ZeroVolume, InsideOut
        The surface encloses nothing, or its facets point inwards.

    Examples
    --------
    >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]
    >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    >>> found = mass_properties((vertices, faces), density=10.0, about=[0, 0, 0])
    >>> found.mass, found.center.tolist()
    (10.0, [0.25, 0.5, 0.75])
    >>> found.inertia_about.tolist()
    [[13.0, -1.0, -1.5], [-1.0, 10.0, -3.0], [-1.5, -3.0, 5.0]]
    """
    if not (np.isfinite(density) and density > 0):
        raise ValueError(f"density {density}: a density is finite and greater than 0")
    if about is not None and (np.shape(about) != (3,) or not np.isfinite(about).all()):
        raise ValueError(f"about {about}: a point is three finite numbers")
    with _surface(mesh) as surface:
        found = measure(surface, exact)
    bounds = np.stack([found.survey.lower, found.survey.upper])
    return MassProperties.of(found.integrals.moments, density, about, found.integrals.area, bounds)


@contextlib.contextmanager
def _surface(mesh: Any) -> Iterator[Surface]:
    if isinstance(mesh, (str, os.PathLike)):
        with reading(os.fspath(mesh)) as found:
            yield found.surface
    elif isinstance(mesh, (tuple, list)) and len(mesh) == 2:
        yield _indexed(*mesh)
    elif hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        yield _indexed(mesh.vertices, mesh.faces)
    else:
        raise TypeError(f"a path, (vertices, faces) or a mesh of trimesh is wanted, not {type(mesh).__name__}")


def _indexed(vertices: ArrayLike, faces: ArrayLike) -> TriangleArray:
    try:
        points, corners = np.asarray(vertices, np.float64), np.asarray(faces)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"vertices and faces are no arrays of numbers: {error}") from None
    if corners.size == 0:
        return TriangleArray(np.empty((0, 3, 3)))
    if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
        raise Unreadable(f"vertices {points.shape} and faces {corners.shape}, where (n, 3) and (m, 3) are wanted")
    if corners.dtype.kind not in "iu":
        raise Unreadable(f"faces of type {corners.dtype}, where indices are wanted")
    if corners.size and not (corners.min() >= 0 and corners.max() < len(points)):
        raise Unreadable(f"faces refer to vertices {corners.min()} to {corners.max()} of {len(points)}")
    return TriangleArray(points[corners])
