"""``--figure`` for a body: translucent, with its centre of mass, principal axes and equivalent inertia ellipsoid."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from massprops.core.ellipsoid import InertiaEllipsoid
from massprops.core.inertia import MassProperties
from massprops.core.surface import Floats, Surface
from massprops.report.canvas import paper, styled, write
from massprops.report.extras import DRAWS_BODIES, require_all
from massprops.report.labels import Label, spread
from massprops.report.numbers import SUBSCRIPTS, shortened, shown, shown_point, wrapped
from massprops.report.picture_format import picture_format
from massprops.report.rendering import BODY_COLOR, ELLIPSOID_COLOR, INSIDE_COLOR, WRONG_COLOR, render
from massprops.report.scene import AXIS_COLORS, BodyScene
from massprops.report.view import View, best_direction

WIDTH, HEIGHT, CAPTION = 1400, 1076, 206
"""Pixels of the whole picture, and of the caption at its foot."""

_ISOMETRIC = np.array([0.58, -0.69, 0.43])
"""Direction to the viewer of a body without axes."""

_ROOM = 1.08
"""How much more than body and axes is in view, so that a label fits beyond the tip of its axis."""

_MUTED = "#5b6979"

_LEFT, _SWATCH, _MOMENT, _AXIS, _SEMI = 36, 640, 708, 930, 1222
"""Columns of the caption; pixels."""


def draw_body(
    path: str | os.PathLike[str],
    surface: Surface,
    properties: MassProperties | None,
    *,
    diagnosis_edges: Floats | None = None,
    title: str | None = None,
    message: str | None = None,
    si: bool = False,
) -> None:
    """Write a picture of a body and what was measured of it.

    Parameters
    ----------
    path : str or path
        Ends in ``.png`` or ``.svg``. An SVG holds the body as an image, and the labels as shapes.
    surface : Surface
        The body, in the coordinates of ``properties``. Above 200 000 facets a decimated mesh is drawn, and said so.
    properties : MassProperties or None
        None for a body that was not measured: then there are no axes and no ellipsoid.
    diagnosis_edges : ndarray, shape (k, 2, 3), optional
        Ends of the edges that kept it from being measured, drawn in red; length.
    title : str, optional
        What it is; the file's name.
    message : str, optional
        Why it was not measured; of a body that was, what else was asked of it and cannot be.
    si : bool
        Whether the numbers are in metres and kilograms; units are then written behind them.

    Raises
    ------
    PictureError
        The name ends otherwise, or there is no facet to draw.
    MissingExtra
        The packages of the extra ``figures`` are not installed.
    OSError
        The file cannot be written.
    """
    suffix = picture_format(path, "png", "svg")
    require_all(DRAWS_BODIES)
    scene = BodyScene.of(surface, properties, diagnosis_edges)
    size = (WIDTH, HEIGHT - CAPTION)
    toward = _ISOMETRIC if scene.axes is None else best_direction(scene.axes)
    view = View.of(toward, scene.points, size[0] / size[1])
    if properties is not None:
        view = replace(view, half_width=_ROOM * view.half_width, half_height=_ROOM * view.half_height)
    pixels = render(scene, view, size)
    with styled():
        figure = paper(WIDTH, HEIGHT)
        stage = figure.add_axes((0, CAPTION / HEIGHT, 1, size[1] / HEIGHT))
        stage.imshow(pixels, extent=(0, size[0], 0, size[1]), aspect="auto", interpolation="none")
        stage.set_axis_off()
        _draw_triad(stage, view)
        foot = figure.add_axes((0, 0, 1, CAPTION / HEIGHT))
        foot.set(xlim=(0, WIDTH), ylim=(0, CAPTION))
        foot.set_axis_off()
        foot.axhline(CAPTION - 1, color="#d4dbe3", linewidth=1)
        if properties is None:
            _tell_refusal(foot, scene, title, message)
        else:
            _label_axes(stage, scene, view, properties, size)
            _tell_measured(foot, scene, properties, title, si)
            _tell_refused(stage, message, size)
        write(figure, path, suffix)


def _label_axes(
    stage: Any, scene: BodyScene, view: View, properties: MassProperties, size: tuple[int, int]
) -> None:
    """The moments at the tips of their axes, moved apart where they would cover each other."""
    assert scene.center is not None
    middle = view.project(scene.center[None])[0] * size
    labels = []
    for k in range(3):
        tip = view.project(scene.axis_ends(k)[1][None])[0] * size
        text = f"I{SUBSCRIPTS[k]} = {shown(properties.principal_moments[k])}"
        labels.append(Label.beyond(text, middle, tip))
    for k, label in enumerate(spread(labels, size)):
        stage.text(
            *label.middle,
            label.text,
            color=AXIS_COLORS[k],
            fontsize=12.5,
            fontweight="bold",
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5},
        )


def _draw_triad(stage: Any, view: View) -> None:
    """The directions of x, y and z, in the lower left corner."""
    corner = np.array([70.0, 62.0])
    for name, seen in zip("xyz", view.axes[:2].T, strict=True):
        end = corner + 40.0 * seen
        stage.plot(*zip(corner, end, strict=True), color=_MUTED, linewidth=1.4, solid_capstyle="round")
        if np.linalg.norm(seen) > 0.2:
            stage.text(*(corner + 54.0 * seen), name, color=_MUTED, ha="center", va="center")


def _tell_measured(
    foot: Any, scene: BodyScene, properties: MassProperties, title: str | None, si: bool
) -> None:
    def unit(name: str) -> str:
        return f"  [{name}]" if si else ""

    _head(foot, title, 44)
    size = 2 * scene.framing.scale
    lines = [
        ("mass" + unit("kg"), shown(properties.mass)),
        ("volume" + unit("m\u00b3"), shown(properties.volume)),
        ("centre" + unit("m"), shown_point(properties.center.tolist(), size)),
    ]
    for row, (name, value) in enumerate(lines):
        foot.text(_LEFT, _row(row), name, color=_MUTED, va="center")
        foot.text(_LEFT + 150, _row(row), value, va="center")
    for x, text in ((_MOMENT, "moment" + unit("kg m\u00b2")), (_AXIS, "axis")):
        foot.text(x, _row(-1), text, color=_MUTED, va="center")
    for k, color in enumerate(AXIS_COLORS):
        foot.plot([_SWATCH, _SWATCH + 48], [_row(k)] * 2, color=color, linewidth=4, solid_capstyle="round")
        moment = f"I{SUBSCRIPTS[k]} = {shown(properties.principal_moments[k])}"
        foot.text(_MOMENT, _row(k), moment, va="center")
        for i, cosine in enumerate(properties.principal_axes[:, k].tolist()):
            told = f"{round(cosine, 4) + 0.0:.4f}".replace("-", "\u2212")
            foot.text(_AXIS + 78 + 92 * i, _row(k), told, va="center", ha="right")
    notes = ["equal moments: their axes are one set of many"] if properties.repeated_moments else []
    _tell_notes(foot, notes + _decimated(scene))
    if scene.ellipsoid is not None:
        _tell_ellipsoid(foot, scene, scene.ellipsoid, unit("m"))


def _tell_ellipsoid(foot: Any, scene: BodyScene, ellipsoid: InertiaEllipsoid, unit: str) -> None:
    foot.text(_SEMI, _row(-1), "semi-axis" + unit, color=_MUTED, va="center")
    for k in range(3):
        foot.text(_SEMI, _row(k), shown(float(ellipsoid.semi_axes[k]) * scene.framing.scale), va="center")
    y, look = 30, {"color": ELLIPSOID_COLOR, "linewidth": 8, "alpha": 0.75, "solid_capstyle": "round"}
    foot.plot([_SWATCH, _SWATCH + 48], [y, y], **look)
    told = "equivalent inertia ellipsoid: uniform, of the same mass and tensor"
    foot.text(_MOMENT, y, told, color=_MUTED, fontsize=8.5, va="center")


def _tell_refused(stage: Any, message: str | None, size: tuple[int, int]) -> None:
    """What cannot be of a body that was measured, in the upper left corner."""
    for row, line in enumerate(wrapped(message, 118)):
        look = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
        stage.text(_LEFT, size[1] - 34 - 33 * row, line, color=WRONG_COLOR, va="center", bbox=look)


def _tell_refusal(foot: Any, scene: BodyScene, title: str | None, message: str | None) -> None:
    _head(foot, title, 90)
    foot.text(_LEFT, _row(0), "not measured", color=WRONG_COLOR, fontweight="bold", va="center")
    for row, line in enumerate(wrapped(message, 112)):
        foot.text(_LEFT + 180, _row(row), line, va="center")
    if len(scene.open_edges):
        y, count = _row(2), distinct_edges(scene.open_edges)
        foot.plot([_LEFT + 2, _LEFT + 48], [y, y], color=WRONG_COLOR, linewidth=5, solid_capstyle="round")
        foot.text(_LEFT + 180, y, f"{count} edge{'s' * (count > 1)} without a matching partner", va="center")
    for x, color, side in ((_SWATCH, BODY_COLOR, "outer"), (_MOMENT + 132, INSIDE_COLOR, "inner")):
        foot.plot([x, x + 30], [_row(2)] * 2, color=color, linewidth=8, alpha=0.75, solid_capstyle="round")
        foot.text(x + 48, _row(2), f"{side} side", color=_MUTED, va="center")
    _tell_notes(foot, _decimated(scene))


def distinct_edges(edges: Floats) -> int:
    """How many edges, (k, 2, 3), there are, whichever way and however often each runs."""
    order = np.lexsort(edges.transpose(2, 0, 1)[::-1], axis=1) if len(edges) else np.empty((0, 2), np.intp)
    return len(np.unique(np.take_along_axis(edges, order[..., None], axis=1).reshape(len(edges), 6), axis=0))


def _row(number: int) -> float:
    """Height of a line of the caption; the heading's number is -1."""
    return 134.0 - 33.0 * number


def _head(foot: Any, title: str | None, length: int) -> None:
    if title:
        foot.text(_LEFT, _row(-1), shortened(title, length), fontweight="bold", fontsize=11.5, va="center")


def _tell_notes(foot: Any, notes: list[str]) -> None:
    for y, note in zip((37, 15), notes, strict=False):
        foot.text(_LEFT, y, note, color=_MUTED, fontsize=8.5, va="center")


def _decimated(scene: BodyScene) -> list[str]:
    if not scene.mesh.is_decimated:
        return []
    drawn, facets = f"{len(scene.mesh.faces):,}", f"{scene.mesh.facets:,}"
    return [f"drawn with {drawn} facets; the numbers are from all {facets}".replace(",", "\u202f")]
