"""The library's one function for bodies: from a path or a mesh to mass properties."""

from __future__ import annotations

import contextlib
import operator
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from massprops.core.exact_numbers import exact_array, is_masked, positive
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.notice import MassPropsWarning
from massprops.core.plausibility import implausibilities
from massprops.core.raygrid import MAX_LINES
from massprops.core.surface import TriangleArray
from massprops.core.winding import LINES, notices
from massprops.errors import NotFound, Unreadable
from massprops.named import file_name, named
from massprops.readers.reader import reading
from massprops.readers.reading import Reading

if TYPE_CHECKING:
    import trimesh


def mass_properties(
    mesh: str | os.PathLike[str] | tuple[ArrayLike, ArrayLike] | trimesh.Trimesh,
    density: SupportsFloat = 1.0,
    about: Sequence[SupportsFloat] | NDArray[Any] | None = None,
    exact: bool = False,
    *,
    check_lines: SupportsIndex | None = None,
) -> MassProperties:
    """Mass properties of the body inside a closed surface.

    What the command line warns of is in the ``warnings`` of the result, and told once by a Python warning as well.
    Flags that a message advises, such as ``--fill_holes``, are those of the command line: repairs are made there only.

    Parameters
    ----------
    mesh : path, (vertices, faces) or trimesh.Trimesh
        A file in any format that the command line reads; or vertices (n, 3), length, with faces (m, 3), indices; or a
        mesh of trimesh. Facets are oriented outwards. It is not changed.
    density : real number
        Uniform density, finite and positive; M L^-3. Of any kind: NumPy scalars, fractions and decimals too.
    about : sequence of 3 real numbers, optional
        A point about which the inertia tensor is wanted as well; L.
    exact : bool
        Whether to refuse hairline cracks, which are otherwise closed.
    check_lines : int, optional
        Lines along each side of the box by which overlaps and inverted parts are found, at most 1024; 96 unless given.
        0 leaves this check out, which takes about half of the time of a small mesh.

    Returns
    -------
    MassProperties
        In the axes of the mesh's coordinates; lengths in their unit.

    Warns
    -----
    MassPropsWarning
        The body was measured, but bodies overlap, a part is inside out, hairline cracks were closed, or the like.

    Raises
    ------
    ValueError
        A density that is not finite and positive, a point that is not three finite numbers, or a number of lines that
        is out of range.
    TypeError
        The mesh is none of these; another argument is no number.
    NotFound, Unreadable, Unsupported
        The file is missing, damaged, a plane section, or in a format that is not read; vertices and faces are no arrays
        of real numbers and indices, of the right shapes, none masked, or faces refer to vertices that are not there.
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
    rho, is_exact, lines = positive(density, "density"), _flag(exact), _lines(check_lines)
    point = None if about is None else exact_array(about, (3,), "about")
    name = file_name(mesh)
    if name == "":
        raise NotFound("an empty name: there is no such file")
    with named(name), _reading(mesh) as read:
        found = measure(read.surface, is_exact, lines)
        told = (*read.notices, *found.notices)
        bounds = np.stack([found.survey.lower, found.survey.upper])
        result = MassProperties.of(found.integrals.moments, rho, point, found.integrals.area, bounds)
        told += (*implausibilities(result), *(notices(found.check, result.volume) if found.check else ()))
    if not told:
        return result
    warnings.warn(MassPropsWarning(told, name), stacklevel=2)
    return replace(result, warnings=told)


def _flag(exact: Any) -> bool:
    """Whether hairline cracks are refused: words such as ``no`` must not be taken for a yes."""
    if isinstance(exact, np.bool_) or (isinstance(exact, int) and exact in (0, 1)):
        return bool(exact)
    raise TypeError(f"exact: True or False is wanted, not a value of type {type(exact).__name__}")


def _lines(given: SupportsIndex | None) -> int:
    """The number of lines along a side: a whole number, of NumPy's or Python's."""
    if isinstance(given, bool):  # a check is there anyway, and a single line is none
        raise TypeError(f"check_lines: a whole number is wanted, not {given}")
    try:
        lines = LINES if given is None else operator.index(given)
    except TypeError:
        raise TypeError(f"check_lines: a whole number is wanted, not a value of type {type(given).__name__}") from None
    if not 0 <= lines <= MAX_LINES:
        raise ValueError(f"check_lines {lines}: from 1 to {MAX_LINES} lines along a side, or 0 for no check")
    return lines


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


@contextlib.contextmanager
def _reading(mesh: Any) -> Iterator[Reading]:
    if _is_path(mesh):
        with reading(os.fspath(mesh)) as found:
            yield found
    elif isinstance(mesh, (tuple, list)) and len(mesh) == 2 and not any(map(_is_path, mesh)):
        yield Reading(_indexed(*mesh), "arrays")
    elif hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        yield Reading(_indexed(mesh.vertices, mesh.faces), "arrays")
    else:
        hint = ": give its to_mesh()" if hasattr(mesh, "to_mesh") else ""  # scenes of trimesh
        raise TypeError(f"a path, (vertices, faces) or a mesh of trimesh is wanted, not {type(mesh).__name__}{hint}")


def _indexed(vertices: ArrayLike, faces: ArrayLike) -> TriangleArray:
    points, corners = _array(vertices, "vertices"), _array(faces, "faces")
    if corners.size == 0:
        return TriangleArray(np.empty((0, 3, 3)))
    if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
        raise Unreadable(f"vertices {points.shape} and faces {corners.shape}, where (n, 3) and (m, 3) are wanted")
    if points.dtype.kind not in "fiu":
        raise Unreadable(f"vertices of type {points.dtype}, where real numbers are wanted, as floats")
    if corners.dtype.kind not in "iu":
        raise Unreadable(f"faces of type {corners.dtype}, where indices are wanted, as integers")
    if not (corners.min() >= 0 and corners.max() < len(points)):
        raise Unreadable(f"faces refer to vertices {corners.min()} to {corners.max()} of {len(points)}")
    with np.errstate(over="ignore"):  # what does not fit is infinite, and refused as such
        return TriangleArray(points.astype(np.float64, copy=False)[corners])


def _array(values: ArrayLike, name: str) -> NDArray[Any]:
    if is_masked(values):
        raise Unreadable(f"{name} with masked entries: leave out what uses them, or fill them in")
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"{name} are no array of numbers: {error}") from None
