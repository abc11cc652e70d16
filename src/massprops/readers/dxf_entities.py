"""DXF entities to paths: lines, arcs and splines as what they are.

A `Placement` brings each to the drawing's plane, seen along z; arcs are mapped as arcs, whatever the scales of the
blocks around them.

Sources: Autodesk, DXF Reference, "Entities"; ezdxf's documentation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from massprops.core.bernstein import bezier_segments
from massprops.core.curve import Path
from massprops.core.segments import AnyPiece, Arc, Bezier, Polyline, RationalBezier
from massprops.core.surface import Floats
from massprops.errors import Unreadable
from massprops.readers.dxf_placement import Placement, ocs_of
from massprops.readers.dxf_sweeps import check_finite, ellipse_sweep, full_sweep

READ = (
    "LINE", "LWPOLYLINE", "POLYLINE", "ARC", "CIRCLE", "ELLIPSE", "SPLINE", "HATCH", "MPOLYGON", "SOLID", "TRACE",
)  # fmt: skip
"""Entities that become paths."""

SPLINE_FRAME = 16
"""Flag of vertices of polylines that are not drawn: those of the frame of a spline."""

_POLYLINE_MESHES = 16 | 64


class Degenerate(Exception):
    """The entity draws nothing: a circle without a radius, a spline without control points."""


def is_tilted(entity: Any, placement: Placement) -> bool:
    """Whether an entity that draws something is tilted against the plane that is seen."""
    points = _in_space(entity)
    if points is None:
        return placement.of(ocs_of(entity)).is_tilted
    return bool(placement.tilts(np.array([list(point) for point in points])))


def _in_space(entity: Any) -> Sequence[Any] | None:
    """Points between which an entity lies that is given in space; None of one that is given in a plane."""
    kind = entity.dxftype()
    if kind == "LINE":
        return entity.dxf.start, entity.dxf.end
    if kind == "ELLIPSE":
        tool = entity.construction_tool()
        return [tool.center + sign * axis for axis in (tool.major_axis, tool.minor_axis) for sign in (1, -1)]
    if kind == "SPLINE":
        return list(entity.control_points if len(entity.control_points) else entity.fit_points)
    if kind == "POLYLINE" and entity.is_3d_polyline:
        return [vertex.dxf.location for vertex in entity.vertices if not vertex.dxf.flags & SPLINE_FRAME]
    return None


def paths_of(entity: Any, placement: Placement) -> list[Path]:
    """The paths that an entity draws.

    Parameters
    ----------
    entity : ezdxf entity
        Of a type in `READ`.
    placement : Placement
        From the coordinates in which the entity is given, its OCS not included, to the world.

    Raises
    ------
    Degenerate
        It draws nothing.
    Unreadable
        It makes no sense.
    NonFinite
        A radius or an angle is not finite.
    """
    kind = entity.dxftype()
    if kind == "LINE":
        ends = placement.points(np.array([list(entity.dxf.start), list(entity.dxf.end)]))
        return [Path((Polyline(ends),))]
    if kind == "ELLIPSE":
        tool = entity.construction_tool()
        return [_ellipse(tool, placement, ellipse_sweep(tool.start_param, tool.end_param))]
    if kind == "SPLINE":
        return _spline(entity, placement)
    if kind == "POLYLINE" and entity.is_3d_polyline:
        points = np.array([list(v.dxf.location) for v in entity.vertices if not v.dxf.flags & SPLINE_FRAME])
        return _polyline(placement.points(points.reshape(-1, 3)), np.zeros(len(points)), entity.is_closed)
    paths, elevation = _planar(entity, kind)
    matrix, translation = placement.of(ocs_of(entity)).plane(elevation)
    return [path.mapped(matrix, translation) for path in paths]


def _planar(entity: Any, kind: str) -> tuple[list[Path], float]:
    """Paths in the entity's OCS, and its elevation there."""
    dxf = entity.dxf
    if kind in ("ARC", "CIRCLE"):
        check_finite(dxf.radius)
        if not dxf.radius > 0:
            raise Degenerate
        sweep = 2 * math.pi if kind == "CIRCLE" else full_sweep(dxf.start_angle, dxf.end_angle)
        begin = 0.0 if kind == "CIRCLE" else math.radians(dxf.start_angle)
        return [Path((Arc.circle([dxf.center.x, dxf.center.y], dxf.radius, begin, sweep),))], dxf.center.z
    if kind == "LWPOLYLINE":
        values = np.array(entity.lwpoints.values, float).reshape(-1, 5)  # u, v, two widths, bulge
        return _polyline(values[:, :2], values[:, 4], entity.closed), dxf.get("elevation", 0.0)
    if kind == "POLYLINE":
        vertices = [vertex for vertex in entity.vertices if not vertex.dxf.flags & SPLINE_FRAME]
        points = np.array([list(vertex.dxf.location)[:2] for vertex in vertices]).reshape(-1, 2)
        bulges = np.array([vertex.dxf.get("bulge", 0.0) for vertex in vertices])
        return _polyline(points, bulges, entity.is_closed), dxf.elevation.z if dxf.hasattr("elevation") else 0.0
    if kind in ("SOLID", "TRACE"):
        fourth = dxf.vtx3 if dxf.hasattr("vtx3") else dxf.vtx2  # as AutoCAD fills it in
        corners = [dxf.vtx0, dxf.vtx1, fourth, dxf.vtx2]  # drawn crosswise
        points = np.array([list(corner)[:2] for corner in corners])
        return _polyline(points, np.zeros(4), True), dxf.vtx0.z
    elevation = dxf.elevation.z if dxf.hasattr("elevation") else 0.0
    return [path for boundary in entity.paths for path in boundary_paths(boundary)], elevation


def is_mesh(entity: Any) -> bool:
    """Whether a POLYLINE is a mesh, which has no outline."""
    return entity.dxftype() == "POLYLINE" and bool(entity.dxf.flags & _POLYLINE_MESHES)


def has_width(entity: Any) -> bool:
    """Whether a polyline is drawn with a width."""
    if entity.dxftype() == "LWPOLYLINE":
        return bool(entity.dxf.get("const_width", 0.0)) or bool(entity.has_width)
    return entity.dxftype() == "POLYLINE" and bool(entity.has_width)


def _polyline(points: Floats, bulges: Floats, closed: bool) -> list[Path]:
    """Lines and arcs by bulges from point to point."""
    if len(points) < 2:
        raise Degenerate
    if closed:
        points, bulges = np.concatenate([points, points[:1]]), np.append(bulges, 0.0)
    moves = (points[1:] != points[:-1]).any(axis=1)
    bends = np.flatnonzero((bulges[: len(moves)] != 0) & moves)
    pieces: list[AnyPiece] = []
    begin = 0
    for k in (*bends, len(points) - 1):
        if k > begin:
            pieces.append(Polyline(points[begin : k + 1]))
        if k < len(points) - 1:
            pieces.append(Arc.from_bulge(points[k], points[k + 1], float(bulges[k])))
        begin = k + 1
    return [Path(tuple(pieces))]


def _ellipse(tool: Any, placement: Placement, sweep: float) -> Path:
    """An arc of an ellipse from its centre and conjugate semi-diameters, each seen along z."""
    axes = np.array([list(tool.major_axis), list(tool.minor_axis)])
    if check_finite(float(np.abs(axes).max())) <= 0:
        raise Degenerate
    center = placement.points(np.array([list(tool.center)]))[0]
    return Path((Arc.ellipse(center, axes @ placement.matrix[:2].T, tool.start_param, sweep),))


def _spline(entity: Any, placement: Placement) -> list[Path]:
    points = np.array([list(point) for point in entity.control_points]).reshape(-1, 3)
    knots, weights, degree = np.array(list(entity.knots)), np.array(list(entity.weights)), entity.dxf.degree
    if len(points) == 0:
        if len(entity.fit_points) < 2:
            raise Degenerate
        given = [entity.dxf.get(name) for name in ("start_tangent", "end_tangent")]
        tangents = None if any(t is None for t in given) else [np.array(list(t)) for t in given]
        points, knots, weights, degree = fitted(np.array([list(point) for point in entity.fit_points]), tangents)
    return [Path(tuple(spline_pieces(placement.points(points), knots, weights, degree)))]


def fitted(points: Floats, tangents: list[Floats] | None) -> tuple[Floats, Floats, Floats, int]:
    """The cubic spline through points (n, 3), as CAD draws it: control points, knots, weights, degree."""
    from ezdxf.math import fit_points_to_cad_cv  # loaded by whoever has read a drawing

    tool = fit_points_to_cad_cv(points.tolist(), None if tangents is None else [t.tolist() for t in tangents])
    control = np.array([list(point) for point in tool.control_points])
    return control, np.array(list(tool.knots())), np.array(list(tool.weights())), tool.degree


def spline_pieces(points: Floats, knots: Floats, weights: Floats, degree: int) -> list[AnyPiece]:
    """Bezier segments of a B-spline, rational where it has weights that differ.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
    knots : ndarray, shape (n + degree + 1,)
    weights : ndarray, shape (n,) or (0,)
    degree : int

    Raises
    ------
    Unreadable
        The numbers of points, knots and weights do not fit, knots descend, or a weight is not positive.
    """
    if degree < 1 or len(points) <= degree or len(knots) != len(points) + degree + 1:
        raise Unreadable(
            f"a spline of degree {degree} with {len(points)} control points and {len(knots)} knots "
            f"instead of {len(points) + degree + 1}"
        )
    if (np.diff(knots) < 0).any():
        raise Unreadable("a spline whose knots descend")
    if len(weights) == 0 or (weights == weights[0]).all():
        return [bezier(segment) for segment in bezier_segments(points, knots, degree)]
    if len(weights) != len(points) or not (weights > 0).all():
        raise Unreadable("a spline with weights that are not positive, or not one a control point")
    local = points - points[0]
    lifted = np.column_stack([local * weights[:, None], weights])
    return [
        bezier(points[0] + segment[:, :2] / segment[:, 2:], segment[:, 2])
        for segment in bezier_segments(lifted, knots, degree)
    ]


def bezier(points: Floats, weights: Floats | None = None) -> AnyPiece:
    """A Bezier segment by its control points (n, 2) and their weights; a straight one where there are two."""
    if len(points) == 2:
        return Polyline(points)
    return Bezier(points) if weights is None else RationalBezier(points, weights)


def boundary_paths(boundary: Any) -> Iterator[Path]:
    """Paths of one boundary of a hatch, in its OCS."""
    if hasattr(boundary, "vertices"):
        values = np.array([tuple(vertex) for vertex in boundary.vertices]).reshape(-1, 3)
        if len(values) >= 2:
            yield from _polyline(values[:, :2], values[:, 2], True)
        return
    flat = Placement.world()
    for edge in boundary.edges:
        name = edge.type.name
        if name == "LINE":
            yield Path((Polyline(np.array([list(edge.start), list(edge.end)])),))
        elif name == "ARC":
            sweep = full_sweep(edge.start_angle, edge.end_angle)
            yield Path((Arc.circle(list(edge.center), edge.radius, math.radians(edge.start_angle), sweep),))
        elif name == "ELLIPSE":
            tool = edge.construction_tool()  # whose parameters are reduced to a turn
            is_whole = full_sweep(edge.start_angle, edge.end_angle) == 2 * math.pi
            yield _ellipse(tool, flat, 2 * math.pi if is_whole else ellipse_sweep(tool.start_param, tool.end_param))
        else:
            tool = edge.construction_tool()
            points = np.array([list(point) for point in tool.control_points])[:, :2]
            knots, weights = np.array(list(tool.knots())), np.array(list(tool.weights()))
            yield Path(tuple(spline_pieces(points, knots, weights, tool.degree)))
