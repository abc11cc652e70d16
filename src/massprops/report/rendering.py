"""From a scene to pixels, off screen, by VTK."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats
from massprops.report.creases import ShadedMesh, shaded
from massprops.report.extras import require
from massprops.report.layers import Layer, composed
from massprops.report.nested import layers as layers_of
from massprops.report.scene import AXIS_COLORS, BodyScene
from massprops.report.view import View

Pixels = NDArray[np.uint8]

BODY_COLOR, INSIDE_COLOR, EDGE_COLOR = "#7fb0ea", "#cf9a5c", "#33475c"
ELLIPSOID_COLOR = "#ffc15e"
WRONG_COLOR = "#d81e2c"

_BODY_OPACITY, _ELLIPSOID_OPACITY, _EDGE_OPACITY = 0.5, 0.36, 0.75
_HIDDEN_EDGE = 0.6
"""What is left of the strength of an edge behind a surface."""

_FLATTEST = 1e-6
"""Semi-axis of a flat ellipsoid as drawn, so that its normals are defined."""

_SHOWING = 0.85
"""How far what is inside covers what is before it."""

_SUPERSAMPLING = 1.5


@contextlib.contextmanager
def stage(size: tuple[int, int], view: View) -> Iterator[Any]:
    """An empty white picture to put things on: a `pyvista.Plotter` off screen, seen through a view.

    Parameters
    ----------
    size : tuple of int
        Width and height in pixels.
    view : View

    Raises
    ------
    MissingExtra
        PyVista is not installed.
    """
    pyvista = require("pyvista", "figures")
    with _quiet():
        plotter = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="light kit")
        try:
            plotter.render_window.SetMultiSamples(0)  # the supersampling smooths; depths are of whole pixels
            plotter.set_background("white")
            look_through(plotter, view)
            yield plotter
        finally:
            plotter.close()


def look_through(plotter: Any, view: View) -> None:
    """Point the camera of a plotter."""
    camera, distance = plotter.camera, 10.0 * max(view.half_width, view.half_height)
    camera.enable_parallel_projection()
    camera.focal_point = view.middle.tolist()
    camera.position = (view.middle + distance * view.axes[2]).tolist()
    camera.up = view.axes[1].tolist()
    camera.parallel_scale = view.half_height
    camera.clipping_range = (0.01 * distance, 3.0 * distance)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep VTK from writing to standard error that there is no display, before it renders without one."""
    logger = require("vtkmodules.vtkCommonCore", "figures").vtkLogger
    before = logger.GetCurrentVerbosityCutoff()
    logger.SetStderrVerbosity(logger.VERBOSITY_OFF)
    try:
        yield
    finally:
        logger.SetStderrVerbosity(before)


def render(scene: BodyScene, view: View, size: tuple[int, int]) -> Pixels:
    """A picture of a scene, shape (height, width, 3), without any text.

    What lies inside the body is drawn once more over the translucent picture, half covering it, so that axes keep
    their colours and the eye still sees what is in front.

    Raises
    ------
    MissingExtra
        PyVista is not installed.
    """
    image = require("PIL.Image", "figures")
    large = round(size[0] * _SUPERSAMPLING), round(size[1] * _SUPERSAMPLING)
    with stage(large, view) as plotter:
        thickness = 0.004 * view.half_height
        found, wound = shaded(scene.mesh), None if scene.center is None else "back"
        parts = layers_of(scene.mesh, view.axes)
        surfaces = [(add_facets(plotter, found, part, wound), _BODY_OPACITY) for part in parts]
        surfaces += [(actor, _ELLIPSOID_OPACITY) for actor in add_ellipsoid(plotter, scene)]
        lines = add_lines(plotter, found.edges)
        opaque = [*add_wrong(plotter, scene), *add_measured(plotter, scene, thickness)]
        layers = [_layer(plotter, [actor], cover) for actor, cover in surfaces]
        edges, inner = _layer(plotter, lines, _EDGE_OPACITY), _layer(plotter, opaque, 1.0)
        pixels = composed([*layers, _faded(edges, layers, 0.01 * view.half_height), inner])
        if scene.center is not None:
            cover = _SHOWING * inner.cover[..., None]
            pixels = np.rint(pixels * (1 - cover) + inner.color * cover).astype(np.uint8)
    return np.asarray(image.fromarray(pixels).resize(size, image.Resampling.LANCZOS))


def _layer(plotter: Any, actors: list[Any], opacity: float) -> Layer:
    """What is seen of some actors by themselves."""
    for actor in plotter.actors.values():
        actor.visibility = False
    for actor in actors:
        actor.visibility = True
    plotter.render()
    seen = plotter.screenshot(return_img=True, transparent_background=True)
    height = np.asarray(plotter.get_image_depth(fill_value=None), np.float32)
    return Layer(seen[..., :3], opacity * (seen[..., 3] / np.float32(255)), height)


def _faded(lines: Layer, surfaces: list[Layer], slack: float) -> Layer:
    """The lines, fainter where a surface hides them."""
    behind = sum(lines.hidden_by(surface, slack).astype(np.float32) for surface in surfaces)
    return replace(lines, cover=lines.cover * _HIDDEN_EDGE**behind, height=lines.height + np.float32(slack))


def add_body(plotter: Any, scene: BodyScene) -> list[Any]:
    """Put a measured body on a stage, translucent, with its sharp edges; its actors.

    All its layers show: VTK mixes translucent facets whatever their order (M. McGuire and L. Bavoil, Weighted Blended
    Order-Independent Transparency, 2013), at a quarter of what it costs to peel them by depth.
    """
    found = shaded(scene.mesh)
    facets = add_facets(plotter, found, np.ones(len(found.faces), bool), "back")
    facets.prop.opacity = _BODY_OPACITY
    return [facets, *add_lines(plotter, found.edges, _EDGE_OPACITY)]


def add_facets(plotter: Any, mesh: ShadedMesh, part: NDArray[np.bool_], culling: str | None) -> Any:
    """Put facets of a body on a stage, their backs in another colour; ``part``, shape (n,), says which; their actor."""
    pyvista = require("pyvista", "figures")
    facets = pyvista.PolyData.from_regular_faces(mesh.points, mesh.faces[part])
    facets.point_data.active_normals = mesh.normals
    look = {"ambient": 0.42, "diffuse": 0.7}
    back = None if culling else {"color": INSIDE_COLOR, **look}
    actor = plotter.add_mesh(facets, color=BODY_COLOR, culling=culling, backface_params=back, **look)
    actor.prop.interpolation = "phong"
    return actor


def add_lines(plotter: Any, edges: Floats, opacity: float = 1.0) -> list[Any]:
    """Put the sharp edges of a body, shape (e, 2, 3), on a stage; their actor, where there are any."""
    if not len(edges):
        return []
    look = {"color": EDGE_COLOR, "line_width": 1.6, "opacity": opacity, "lighting": False}
    return [plotter.add_mesh(_lines(edges), **look)]


def add_wrong(plotter: Any, scene: BodyScene) -> list[Any]:
    """Put the edges that are wrong on a stage; their actor, where there are any."""
    if not len(scene.open_edges):
        return []
    return [plotter.add_mesh(_lines(scene.open_edges), color=WRONG_COLOR, line_width=7.0, lighting=False)]


def _lines(edges: Floats) -> Any:
    return require("pyvista", "figures").line_segments_from_points(edges.reshape(-1, 3))


def add_ellipsoid(plotter: Any, scene: BodyScene) -> list[Any]:
    """Put the surface of the ellipsoid on a stage, where the body has one; its actor."""
    if scene.ellipsoid is None:
        return []
    pyvista = require("pyvista", "figures")
    ball = pyvista.Sphere(radius=1.0, theta_resolution=72, phi_resolution=72)
    local = ball.points.astype(np.float64) * np.maximum(scene.ellipsoid.semi_axes, _FLATTEST)
    ball.points = scene.ellipsoid.center + local @ scene.ellipsoid.axes.T
    look = {"color": ELLIPSOID_COLOR, "ambient": 0.42, "diffuse": 0.7, "culling": "back"}
    return [plotter.add_mesh(ball, smooth_shading=True, **look)]


def add_measured(plotter: Any, scene: BodyScene, thickness: float) -> list[Any]:
    """Put centre of mass, principal axes and the ellipsoid's principal sections on a stage, where the body has them;
    their actors."""
    if scene.center is None:
        return []
    actors = []
    for k, color in enumerate(AXIS_COLORS):
        start, tip = scene.axis_ends(k)
        actors += add_arrow(plotter, start, tip, color, 1.3 * thickness)
        if scene.ellipsoid is not None:
            ring = _tube(scene.ellipsoid.section(k), 0.9 * thickness)
            actors.append(plotter.add_mesh(ring, color=color, ambient=0.6))
    return [*actors, add_ball(plotter, scene, 9.0 * thickness)]


def add_arrow(plotter: Any, start: Floats, tip: Floats, color: str, radius: float) -> list[Any]:
    """A rod with a cone at its tip; its actors."""
    pyvista = require("pyvista", "figures")
    length = float(np.linalg.norm(tip - start))
    direction = (tip - start) / length
    head = min(16.0 * radius, 0.5 * length)
    base = tip - head * direction
    rod = pyvista.Cylinder(
        center=(start + base) / 2, direction=direction, radius=radius, height=length - head, resolution=24
    )
    cone = pyvista.Cone(
        center=tip - head / 2 * direction, direction=direction, height=head, radius=4.2 * radius, resolution=32
    )
    return [plotter.add_mesh(part, color=color, ambient=0.6, render=False) for part in (rod, cone)]


def add_ball(plotter: Any, scene: BodyScene, radius: float) -> Any:
    """Put the draughtsman's sign of a centre of mass on a stage: a ball with octants, black and white; its actor."""
    pyvista = require("pyvista", "figures")
    ball = pyvista.Sphere(radius=radius, center=scene.center, theta_resolution=48, phi_resolution=48)
    local = (ball.cell_centers().points - scene.center) @ scene.axes
    black = np.prod(local, axis=1) > 0
    ball.cell_data["color"] = np.where(black[:, None], 20, 250).repeat(3, axis=1).astype(np.uint8)
    return plotter.add_mesh(ball, scalars="color", rgb=True, ambient=0.4)


def move(actor: Any, turn: Floats, center: Floats) -> None:
    """Turn an actor about a point, from where it was put."""
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    matrix[:3, 3] = center - turn @ center
    actor.user_matrix = matrix


def _tube(loop: Floats, radius: float) -> Any:
    pyvista = require("pyvista", "figures")
    return pyvista.lines_from_points(loop, close=True).tube(radius=radius, n_sides=12)
