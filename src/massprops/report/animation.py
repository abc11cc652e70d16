"""``--animate``: a spinning body at its poses, its angular velocity, and the line of its angular momentum."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.surface import Floats, Surface
from massprops.core.trajectory import Trajectory
from massprops.report.extras import FILMS, require, require_all
from massprops.report.film import write_film
from massprops.report.numbers import shown
from massprops.report.picture_format import picture_format
from massprops.report.rendering import Pixels, add_arrow, add_ball, add_body, move, stage
from massprops.report.scene import BodyScene
from massprops.report.view import View

WIDTH, HEIGHT = 640, 480
"""Pixels."""

MOMENTUM_COLOR, OMEGA_COLOR = "#6a3fa0", "#d1560f"

FRAMES_A_SECOND = {"gif": 20, "mp4": 30}
SHORTEST, LONGEST = 3.0, 15.0
"""Seconds of a film between which the motion is shown in its own time."""

TURN, FRAMES = 0.5, 600
"""Largest turn from frame to frame, radians, so that the eye follows it; and the most frames."""

_SUPERSAMPLING = 1.5
_INK, _MUTED = "#1d2733", "#5b6979"

Progress = Callable[[Iterable[int]], Iterable[int]]


def animate(
    path: str | os.PathLike[str],
    surface: Surface,
    properties: MassProperties,
    trajectory: Trajectory,
    *,
    progress: Progress | None = None,
) -> None:
    """Write a film of a spinning body.

    The angular momentum at the start, L, points up and its line stays where it is. The body is seen at its poses, its
    centre of mass at rest, and its angular velocity w starts there. A motion of 3 to 15 seconds is shown in its own
    time, others are stretched or shortened to that; a fast one is slowed down, and only as much of it is shown as
    fits, so that the eye can follow it.

    Parameters
    ----------
    path : str or path
        Ends in ``.gif`` or ``.mp4``.
    surface : Surface
        The body, in the coordinates of ``properties``.
    properties : MassProperties
    trajectory : Trajectory
        From `massprops.core.spin.spin`, with the principal axes of ``properties``.
    progress : callable, optional
        Wraps the numbers of the frames while they are drawn, as `rich.progress.track` does.

    Raises
    ------
    PictureError
        The name ends otherwise, or there is no facet to draw.
    MissingExtra
        The packages of the extra ``figures`` are not installed.
    OSError
        The file cannot be written.
    """
    suffix = picture_format(path, "gif", "mp4")
    require_all(FILMS[suffix])
    script = Script.of(trajectory, FRAMES_A_SECOND[suffix])
    scene = BodyScene.of(surface, properties)
    frames = _frames(scene, trajectory, script, progress or iter)
    write_film(path, suffix, frames, (WIDTH, HEIGHT), FRAMES_A_SECOND[suffix])


@dataclass(frozen=True, eq=False)
class Script:
    """Which samples of a motion are shown.

    Parameters
    ----------
    samples : ndarray of int, shape (n,)
        One for each frame.
    """

    samples: np.ndarray[Any, np.dtype[np.intp]]

    @classmethod
    def of(cls, trajectory: Trajectory, rate: int) -> Script:
        """The script for a number of frames a second.

        Examples
        --------
        >>> from massprops.core.spin import spin
        >>> six_seconds = spin([1, 2, 3], np.eye(3), [0, 1, 0.1], duration=6.0)
        >>> len(Script.of(six_seconds, 20).samples)
        121
        """
        duration = float(trajectory.times[-1])
        fastest = float(np.linalg.norm(trajectory.omega, axis=1).max())
        seconds = min(max(duration, SHORTEST), LONGEST)
        wanted = max(seconds * rate, duration * fastest / TURN)
        count = math.ceil(min(wanted, FRAMES))
        share = min(1.0, FRAMES * TURN / (duration * fastest)) if fastest else 1.0
        last = max(1.0, share * (len(trajectory.times) - 1))
        return cls(np.rint(np.linspace(0.0, last, count + 1)).astype(np.intp))


def _frames(
    scene: BodyScene, trajectory: Trajectory, script: Script, progress: Progress
) -> Iterator[Pixels]:
    """The pictures of a script, one after the other."""
    assert scene.center is not None
    center, radius = scene.center, _radius(scene)
    momentum, omega = _direction(trajectory.momentum), trajectory.omega_space
    omega = omega * (1.12 * radius / (np.linalg.norm(omega, axis=1).max() or 1.0))
    view = _view(center, radius, momentum, trajectory)
    size = (round(WIDTH * _SUPERSAMPLING), round(HEIGHT * _SUPERSAMPLING))
    with stage(size, view) as plotter:
        thickness = 0.005 * radius
        actors = [*add_body(plotter, scene), add_ball(plotter, scene, 9 * thickness)]
        line = 1.22 * radius * momentum
        add_arrow(plotter, center - line, center + line, MOMENTUM_COLOR, 1.1 * thickness)
        arrow: list[Any] = []
        for sample in progress(script.samples.tolist()):
            for actor in actors:
                move(actor, trajectory.turn(sample), center)
            plotter.remove_actor(arrow, render=False)
            if np.linalg.norm(omega[sample]) > 1e-3 * radius:
                tip = center + omega[sample]
                arrow = add_arrow(plotter, center, tip, OMEGA_COLOR, 1.8 * thickness)
            plotter.render()
            pixels = plotter.screenshot(return_img=True)
            marks = [("L", MOMENTUM_COLOR, center + line), ("\u03c9", OMEGA_COLOR, center + omega[sample])]
            yield _lettered(pixels, view, marks, trajectory.times[sample], trajectory.times[-1])


def _radius(scene: BodyScene) -> float:
    """Of the ball that the body sweeps."""
    assert scene.center is not None
    return float(np.linalg.norm(scene.mesh.vertices - scene.center, axis=1).max())


def _direction(momentum: Floats) -> Floats:
    """Unit vector of the first L that is not zero."""
    lengths = np.linalg.norm(momentum, axis=1)
    first = int(np.argmax(lengths > 0.5 * lengths.max()))
    direction: Floats = momentum[first] / (lengths[first] or 1.0)
    return direction if lengths[first] else np.array([0.0, 0.0, 1.0])


def _view(center: Floats, radius: float, momentum: Floats, trajectory: Trajectory) -> View:
    """L up; the flat side of the body, across the axis of its largest moment, towards the viewer at the start."""
    axes = trajectory.axes
    flat = [axis - (axis @ momentum) * momentum for axis in axes.T[::-1]]
    front = next(axis for axis in flat if np.linalg.norm(axis) > 0.4)
    front = front / np.linalg.norm(front)
    side = np.cross(momentum, front)
    toward = 0.88 * front + 0.32 * side + 0.34 * momentum
    ball = center + 1.2 * radius * np.concatenate([np.eye(3), -np.eye(3), [momentum, -momentum]])
    half = 1.3 * radius
    seen = View.of(toward, ball, WIDTH / HEIGHT, up=momentum)
    return View(seen.axes, center, half * WIDTH / HEIGHT, half)


def _lettered(
    pixels: Pixels, view: View, marks: list[tuple[str, str, Floats]], time: float, end: float
) -> Pixels:
    """A frame in its final size, with the names of its arrows and the time."""
    image, draw = require("PIL.Image", "figures"), require("PIL.ImageDraw", "figures")
    frame = image.fromarray(pixels).resize((WIDTH, HEIGHT), image.Resampling.BILINEAR)
    pen = draw.Draw(frame)
    for name, color, tip in marks:
        place = view.project(tip[None])[0] * [WIDTH, -HEIGHT] + [0, HEIGHT]
        pen.text((place[0] + 13, place[1] + 4), name, fill=color, font=_font(19), anchor="lm")
    pen.text((18, HEIGHT - 16), f"t = {shown(float(time), 4)}", fill=_INK, font=_font(15), anchor="ls")
    pen.text((110, HEIGHT - 16), f"of {shown(float(end), 4)}", fill=_MUTED, font=_font(15), anchor="ls")
    return np.asarray(frame)


def _font(size: int) -> Any:
    matplotlib, fonts = require("matplotlib", "figures"), require("PIL.ImageFont", "figures")
    return fonts.truetype(os.path.join(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"), size)
