"""From a scene to pixels, off screen, by VTK."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats
from massprops.report.creases import shaded
from massprops.report.extras import require
from massprops.report.scene import AXIS_COLORS, BodyScene
from massprops.report.view import View

Pixels = NDArray[np.uint8]

BODY_COLOR, EDGE_COLOR = "#7fb0ea", "#33475c"
ELLIPSOID_COLOR = "#ffc15e"
WRONG_COLOR = "#d81e2c"

_BODY_OPACITY, _ELLIPSOID_OPACITY = 0.5, 0.36
_FLATTEST = 1e-6
"""Semi-axis of a flat ellipsoid as drawn, so that its normals are defined."""

_SHOWING = 0.85
"""How far what is inside covers what is before it."""

_PEELS = 4
"""Layers of translucent surfaces told apart; deeper ones are drawn together."""

_SUPERSAMPLING = 1.5


@contextlib.contextmanager
def stage(size: tuple[int, int], view: View, peels: int = _PEELS) -> Iterator[Any]:
    """An empty white picture to put things on: a `pyvista.Plotter` off screen, seen through a view.

    Parameters
    ----------
    size : tuple of int
        Width and height in pixels.
    view : View
    peels : int
        Layers of translucent surfaces told apart; 0 draws them in the order in which they are put there, faster.

    Raises
    ------
    MissingExtra
        PyVista is not installed.
    """
    pyvista = require("pyvista", "figures")
    with _quiet():
        plotter = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="light kit")
        try:
            plotter.render_window.SetMultiSamples(0)  # the supersampling smooths, and peeling cannot use them
            plotter.set_background("white")
            if peels:
                plotter.enable_depth_peeling(peels)
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
        covers = add_body(plotter, scene) + add_ellipsoid(plotter, scene)
        add_measured(plotter, scene, thickness)
        pixels: Pixels = plotter.screenshot(return_img=True)
        if scene.center is not None:
            for actor in covers:
                actor.visibility = False
            plotter.render()
            pixels = _blended(pixels, plotter.screenshot(return_img=True, transparent_background=True))
    return np.asarray(image.fromarray(pixels).resize(size, image.Resampling.LANCZOS))


def _blended(below: Pixels, above: Pixels) -> Pixels:
    """One picture over another, which shows through: ``above`` has four channels, the last one its cover."""
    cover = _SHOWING * (above[..., 3:] / np.float32(255))
    return np.rint(below * (1 - cover) + above[..., :3] * cover).astype(np.uint8)


def add_body(plotter: Any, scene: BodyScene) -> list[Any]:
    """Put the body on a stage, with its sharp edges and the edges that are wrong; the actors of its surface."""
    pyvista = require("pyvista", "figures")
    found = shaded(scene.mesh)
    mesh = pyvista.PolyData.from_regular_faces(found.points, found.faces)
    mesh.point_data.active_normals = found.normals
    look = {"color": BODY_COLOR, "opacity": _BODY_OPACITY, "ambient": 0.42, "diffuse": 0.7}
    actors = [plotter.add_mesh(mesh, culling=None if scene.center is None else "back", **look)]
    actors[0].prop.interpolation = "phong"
    if len(found.edges):
        look = {"color": EDGE_COLOR, "line_width": 1.6, "opacity": 0.75, "lighting": False}
        actors.append(plotter.add_mesh(_lines(found.edges), **look))
    if len(scene.open_edges):
        plotter.add_mesh(_lines(scene.open_edges), color=WRONG_COLOR, line_width=7.0, lighting=False)
    return actors


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
    look = {"color": ELLIPSOID_COLOR, "opacity": _ELLIPSOID_OPACITY, "ambient": 0.42, "diffuse": 0.7, "culling": "back"}
    return [plotter.add_mesh(ball, smooth_shading=True, **look)]


def add_measured(plotter: Any, scene: BodyScene, thickness: float) -> None:
    """Put centre of mass, principal axes and the ellipsoid's principal sections on a stage, where the body has them."""
    if scene.center is None:
        return
    for k, color in enumerate(AXIS_COLORS):
        start, tip = scene.axis_ends(k)
        add_arrow(plotter, start, tip, color, 1.3 * thickness)
        if scene.ellipsoid is not None:
            plotter.add_mesh(_tube(scene.ellipsoid.section(k), 0.9 * thickness), color=color, ambient=0.6)
    add_ball(plotter, scene, 9.0 * thickness)


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
