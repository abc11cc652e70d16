"""The library's one function for plane sections: from a path or a curve to section properties."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from massprops.core.curve import Curve, Path, Shape
from massprops.core.exact_numbers import LARGEST, exact_array, is_masked, positive, real
from massprops.core.notice import MassPropsWarning, Notice
from massprops.core.outline import Section, build_section
from massprops.core.section_properties import SectionProperties
from massprops.core.segments import Polyline
from massprops.errors import NotFound, Unsupported
from massprops.named import file_name, named
from massprops.number_of import number_of
from massprops.readers.section_reading import SectionReading
from massprops.readers.sections import SECTION_FORMATS, check_size, read_section, section_format
from massprops.readers.source import Source, open_source

_POINTS = "; of points, give the columns: (points[:, 0], points[:, 1])"


def section_properties(
    section: str | os.PathLike[str] | Curve | tuple[ArrayLike, ...],
    density: SupportsFloat = 1.0,
    about: Sequence[SupportsFloat] | NDArray[Any] | None = None,
    *,
    winding: str = "nesting",
    fill: str | None = None,
    join_tolerance: SupportsFloat | None = None,
    layers: str | Collection[str] | None = None,
) -> SectionProperties:
    """Properties of the plane region inside closed curves, per unit depth.

    Parameters
    ----------
    section : path, Curve, (u, v) or (u, v, loop_sizes)
        A DXF, SVG, CSV, airfoil, GeoJSON or WKT file; a curve; or the coordinates of the corners of polygons, length,
        with the number of corners of each, each polygon closed from its last corner to its first.
    density : real number
        Uniform density, finite and positive; M L^-3. Of any kind: NumPy scalars, fractions and decimals too.
    about : sequence of 2 real numbers, optional
        A point about which the second moments are wanted as well; L.
    winding : str
        ``nesting``: loops within others are holes, whichever way they are wound. ``as_drawn``: clockwise loops are.
    fill : str, optional
        ``evenodd`` or ``nonzero``: measure what this rule fills, also where loops cross.
    join_tolerance : real number, optional
        Largest distance of ends that are joined, finite and not negative; L. No less than 1e-9 of the section's size.
    layers : str or collection of str, optional
        Layers of a DXF file to read.

    Returns
    -------
    SectionProperties
        In the axes of the section's coordinates; lengths in their unit. v points up, so for SVG it is -y.

    Warns
    -----
    MassPropsWarning
        The section was measured, but regions overlap, loops were closed, entities passed over, or the like: all that
        is in the ``warnings`` of the result, but that SVG has y pointing down.

    Raises
    ------
    ValueError
        A density that is not finite and positive, a point that is not two finite numbers, a tolerance that is negative
        or not finite, arrays that do not fit or are masked, layers of arrays, or no such winding or fill rule.
    TypeError
        The section is none of these; another argument is no number, or no text, where that is wanted.
    NotFound, Unreadable, Unsupported
        The file is missing, damaged, or in a format that is not read.
    Empty
        No segment.
    NonFinite
        A coordinate is NaN or infinite, or a result is too large.
    OpenSurface, SelfIntersecting, ZeroArea, InsideOut
        Segments do not close; a loop crosses itself; nothing is enclosed; holes are larger than what they are cut from.

    Examples
    --------
    A tube of 0.1 x 0.2 with walls of 0.01:

    >>> u = [-0.05, 0.05, 0.05, -0.05, -0.04, -0.04, 0.04, 0.04]
    >>> v = [-0.10, -0.10, 0.10, 0.10, -0.09, 0.09, 0.09, -0.09]
    >>> tube = section_properties((u, v, [4, 4]))
    >>> print(f"{tube.area:.5E} {tube.second_moments[1]:.5E} {tube.second_moments[0]:.5E} {tube.polar_moment:.5E}")
    5.60000E-03 2.77867E-05 8.98667E-06 3.67733E-05
    """
    rho, point = positive(density, "density"), None if about is None else exact_array(about, (2,), "about")
    tolerance, wanted = _tolerance(join_tolerance), _names(layers)
    if not (isinstance(winding, str) and isinstance(fill, str | None)):
        raise TypeError("winding and fill: words are wanted, such as 'nesting' and 'evenodd'")
    name = file_name(section)
    if name == "":
        raise NotFound("an empty name: there is no such file")
    with named(name):
        shapes, odd = _shapes(section, wanted)
        if name is None:  # of files this has been done
            check_size(shapes)
        found = build_section(shapes, winding=winding, fill=fill, join_tolerance=tolerance)
        result = replace(properties_of(found, rho, point), warnings=(*odd, *found.notices))
    told = tuple(notice for notice in result.warnings if notice.is_doubt)
    if told:
        warnings.warn(MassPropsWarning(told, name), stacklevel=2)
    return result


def _tolerance(given: Any) -> float | None:
    """A distance, 0 or more, that a float64 holds."""
    if given is None:
        return None
    found = real(given, "join_tolerance")
    if not 0 <= found <= LARGEST:
        told = "is negative" if found < 0 else "is too large for double precision"
        raise ValueError(f"join_tolerance: a distance that {told}")
    return float(found)


def _names(layers: Any) -> tuple[str, ...] | None:
    """Names of layers; a single one need not be put in a list."""
    if layers is None:
        return None
    try:
        names = (layers,) if isinstance(layers, str | bytes) else tuple(layers)
    except TypeError:
        names = (layers,)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"layers: names are wanted, as text, not a value of type {type(name).__name__}")
    return names


def properties_of(found: Section, density: Any = 1.0, about: Any = None) -> SectionProperties:
    """Properties of a section that has been built; see `section_properties`."""
    integrals = found.integrals
    return SectionProperties.of(integrals.moments, density, about, found.curve, integrals)


def section_reading(path: str, format: str | None = None, layers: Collection[str] | None = None) -> SectionReading:
    """Read a file, or standard input for ``-``.

    Raises
    ------
    Unsupported
        It is no section.
    NotFound, Unreadable, Empty, NonFinite
        It is missing, damaged, empty, or holds NaN or infinity.
    """
    with open_source(path) as source:
        return reading_of(source, format, layers)


def reading_of(source: Source, format: str | None = None, layers: Collection[str] | None = None) -> SectionReading:
    """Read a file that has been opened."""
    found = section_format(format or source.suffix, source.head())
    if found is None:
        known = ", ".join(sorted(SECTION_FORMATS))
        told = f"this is no section in a format that is read: {known}; name it with --format"
        raise Unsupported(f"{told}, or measure a body with massprops.mass_properties")
    source.file.seek(0)
    return read_section(source.file.read(), found, layers=layers)


def _shapes(section: Any, layers: Collection[str] | None) -> tuple[tuple[Shape, ...], tuple[Notice, ...]]:
    """What is to be measured, and what its reader has to say about it."""
    if isinstance(section, str | os.PathLike):
        found = section_reading(os.fspath(section), None, layers)
        return found.shapes, found.notices
    if layers is not None:
        raise ValueError("layers: only DXF files have some; leave them out")
    if isinstance(section, tuple | list) and len(section) in (2, 3):
        rings = [loop.vertices() for loop in _polygons(*section).loops]
        closed = [Polyline(np.concatenate([ring, ring[:1]])) for ring in rings]
        return ((Shape.of(*closed),) if closed else ()), _single_corners(rings)
    if isinstance(section, Curve):
        return (Shape(tuple(Path(_closed(loop.pieces)) for loop in section.loops if loop.pieces)),), ()
    told = _POINTS if isinstance(section, tuple | list | np.ndarray) or hasattr(section, "to_numpy") else ""
    kind = type(section).__name__
    raise TypeError(f"a section is a path, a Curve, or coordinates (u, v, loop_sizes), not {kind}{told}")


def _single_corners(rings: Sequence[NDArray[np.float64]]) -> tuple[Notice, ...]:
    single = sum(len(ring) == 1 for ring in rings)
    loops = number_of(single, "loop of one corner encloses", "loops of one corner enclose")
    message = f"{loops} nothing; are loop_sizes right?"
    return (Notice("degenerate", message, {"loops": single}),) if single else ()


def _polygons(u: ArrayLike, v: ArrayLike, *sizes: Any) -> Curve:
    try:
        if is_masked(u) or is_masked(v):
            raise ValueError("some are masked")
        if _is_ragged(u) or _is_ragged(v):
            raise ValueError("nested sequences of different lengths")
        if not (_is_row(u) and _is_row(v)):
            shapes = f"u of shape {np.shape(u)} and v of shape {np.shape(v)}, where each is a row of numbers"
            raise ValueError(shapes + (_POINTS if np.ndim(u) > 1 or np.ndim(v) > 1 else ""))
        if np.size(u) != np.size(v):
            raise ValueError(f"{np.size(u)} of u and {np.size(v)} of v, where there must be as many of both")
        if {np.asarray(u).dtype.kind, np.asarray(v).dtype.kind} - set("fiu"):
            raise TypeError("real numbers are wanted, as floats")
        if sizes and is_masked(sizes[0]):
            raise ValueError("loop_sizes: some are masked")
        _check_sizes(np.size(u), *sizes)
        return Curve.from_loops(u, v, *sizes)
    except (TypeError, ValueError) as error:
        given = u, v, *sizes
        are_points = len(given) == 3 and not any(map(_is_ragged, given)) and set(map(np.shape, given)) == {(2,)}
        raise ValueError(f"coordinates of polygons: {error}{_POINTS if are_points else ''}") from None


def _check_sizes(corners: int, sizes: Any = None) -> None:
    """Refuse numbers of corners that no loops have."""
    if sizes is None:
        return
    given = np.empty((0, 0)) if _is_ragged(sizes) else np.asarray(sizes)
    is_number = given.ndim == 1 and given.dtype.kind in "fiu"
    if not is_number or not (np.isfinite(given) & (given == np.floor(given))).all():
        raise ValueError("loop_sizes: whole numbers are wanted, that of the corners of each loop")
    if given.size and given.min() < 0:
        raise ValueError(f"loop_sizes: a loop of {given.min():.0f} corners")
    if given.sum() != corners:
        raise ValueError(f"loop_sizes add up to {given.sum():.0f}, not to {corners} corners")


def _is_row(values: Any) -> bool:
    """Whether there is one number after the other: arrays of points would be taken apart in the wrong order."""
    shape = np.shape(values)
    return bool(shape) and math.prod(shape) == max(shape)


def _is_ragged(values: Any) -> bool:
    try:
        np.asarray(values)
    except ValueError:
        return True
    return False


def _closed(pieces: tuple[Any, ...]) -> tuple[Any, ...]:
    """Pieces of a loop, with the straight segment from the last to the first where they do not meet."""
    start, end = pieces[0].start, pieces[-1].end
    return pieces if (start == end).all() else (*pieces, Polyline(np.array([end, start])))
