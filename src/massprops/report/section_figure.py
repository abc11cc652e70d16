"""``--figure`` for a section: the region with its holes, centroid, principal axes and their angle, inertia ellipse."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from massprops.core.curve import Curve
from massprops.core.ellipsoid import EllipsoidError, InertiaEllipse
from massprops.core.section_properties import SectionProperties
from massprops.core.surface import Floats
from massprops.report.canvas import paper, styled, write
from massprops.report.extras import DRAWS_SECTIONS, require, require_all
from massprops.report.framing import Framing
from massprops.report.numbers import shortened, shown, shown_point, wrapped
from massprops.report.outline import outline
from massprops.report.picture_format import PictureError, picture_format

WIDTH, HEIGHT, CAPTION = 1400, 1060, 190
"""Pixels of the whole picture, and of the caption at its foot."""

LONG_COLOR, SHORT_COLOR, ELLIPSE_COLOR = "#c8442b", "#2563b8", "#e8992b"

_FILL, EDGE, MUTED, WRONG = "#cfe1f5", "#33475c", "#5b6979", "#d81e2c"
_MARGINS = (104, 66, 52, 36)
"""Room for the ticks, at the left, bottom, right and top of the drawing; pixels."""
_CHARACTER, _BESIDE_NUMBERS = 10, 56
"""Width of a character of the numbers at an axis, and room for its name and for gaps; pixels."""


def draw_section(
    path: str | os.PathLike[str],
    curve: Curve | Sequence[Floats],
    properties: SectionProperties | None,
    *,
    title: str | None = None,
    message: str | None = None,
    si: bool = False,
) -> None:
    """Write a picture of a section and what was measured of it.

    Parameters
    ----------
    path : str or path
        Ends in ``.png`` or ``.svg``.
    curve : Curve, or sequence of ndarray, shape (n, 2)
        The region's boundary, in the coordinates of ``properties``; clockwise loops are holes.
    properties : SectionProperties or None
        None for a section that was not measured: its outline is then drawn without a filling, axes and ellipse.
    title : str, optional
        What it is; the file's name.
    message : str, optional
        Why it was not measured.
    si : bool
        Whether the numbers are in metres and kilograms; units are then written beside them.

    Raises
    ------
    PictureError
        The name ends otherwise, or there is nothing to draw.
    MissingExtra
        The packages of the extra ``figures`` are not installed.
    OSError
        The file cannot be written.
    """
    suffix = picture_format(path, "png", "svg")
    require_all(DRAWS_SECTIONS)
    loops = [loop for loop in outline(curve) if len(loop) and np.isfinite(loop).all()]
    if not loops:
        raise PictureError("no loops to draw")
    framing = Framing.of(np.concatenate(loops))
    ellipse = None if properties is None else _ellipse(properties, framing)
    with styled():
        figure = paper(WIDTH, HEIGHT)
        sheet = sheet_around(figure, loops, framing, ellipse)
        _draw_region(sheet, [framing.apply(loop) for loop in loops], filled=properties is not None)
        foot = foot_of(figure)
        if title:
            foot.text(36, 151, shortened(title, 60), fontweight="bold", fontsize=11.5, va="center")
        if properties is None:
            foot.text(36, 118, "not measured", color=WRONG, fontweight="bold", va="center")
            foot.text(216, 118, "".join(wrapped(message, 108)[:1]), va="center")
        else:
            if ellipse is not None:
                _draw_axes(sheet, ellipse, properties)
            _draw_centroid(sheet, framing.apply(properties.center))
            _tell(foot, properties, framing, si, ellipse is not None)
        write(figure, path, suffix)


def foot_of(figure: Any) -> Any:
    """The caption below the drawing, empty; its coordinates are pixels."""
    foot = figure.add_axes((0, 0, 1, CAPTION / HEIGHT))
    foot.set(xlim=(0, WIDTH), ylim=(0, CAPTION))
    foot.set_axis_off()
    foot.axhline(CAPTION - 1, color="#d4dbe3", linewidth=1)
    return foot


def _ellipse(properties: SectionProperties, framing: Framing) -> InertiaEllipse | None:
    """The framed ellipse; None where the second moments belong to no region."""
    try:
        found = InertiaEllipse.of(
            properties.mass, properties.center, properties.principal_moments, properties.principal_angle
        )
    except EllipsoidError:
        return None
    return InertiaEllipse(
        framing.apply(found.center), found.angle, np.maximum(framing.length(found.semi_axes), 1e-9)
    )


def sheet_around(figure: Any, loops: list[Floats], framing: Framing, ellipse: InertiaEllipse | None) -> Any:
    """Axes of equal scale around all that is drawn, with ticks in the section's own coordinates."""
    left, bottom, right, top = _MARGINS
    height = HEIGHT - CAPTION - bottom - top
    points = [framing.apply(loop) for loop in loops]
    if ellipse is not None:
        points += [ellipse.outline(), np.concatenate(_axis_ends(ellipse))]
    every = np.concatenate(points)
    low, high = every.min(axis=0), every.max(axis=0)
    middle = (low + high) / 2
    for _ in range(2):  # the room for the numbers of the v axis is known once they are
        width = WIDTH - left - right
        half = max(float((high - low)[0]) / width, float((high - low)[1]) / height) * 0.55 * np.array([width, height])
        marks = [
            ticks(middle[k] - half[k], middle[k] + half[k], half.max() / 4, float(framing.origin[k]), framing.scale)
            for k in range(2)
        ]
        left = max(left, _BESIDE_NUMBERS + _CHARACTER * max(map(len, marks[1][1]), default=0))
    sheet = figure.add_axes(
        (left / WIDTH, (CAPTION + bottom) / HEIGHT, width / WIDTH, height / HEIGHT)
    )
    sheet.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))
    for axis, name, k in ((sheet.xaxis, "u", 0), (sheet.yaxis, "v", 1)):
        axis.set_ticks(*marks[k])
        axis.set_label_text(name)
    sheet.grid(color="#eceff3", linewidth=1)
    sheet.set_axisbelow(True)
    sheet.spines[["top", "right"]].set_visible(False)
    return sheet


def ticks(
    low: float, high: float, apart: float, origin: float, scale: float
) -> tuple[list[float], list[str]]:
    """Places of ticks in a framed interval, and the round coordinates that stand there.

    Parameters
    ----------
    low, high : float
        The interval, framed.
    apart : float
        About the distance between ticks, framed.
    origin, scale : float
        The framing of this coordinate.

    Examples
    --------
    >>> places, labels = ticks(-1.0, 1.0, 0.4, 1e6 + 5, 5.0)
    >>> labels
    ['1000000', '1000002', '1000004', '1000006', '1000008', '1000010']
    """
    if not 1e-290 < scale < 1e290:
        return [], []
    wanted = apart * scale
    power = 10.0 ** math.floor(math.log10(wanted))
    step = min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(math.log(s / wanted)))
    first, last = math.ceil((origin / step) + low * (scale / step)), math.floor((origin / step) + high * (scale / step))
    numbers = list(range(first, last + 1))
    places = [(k - origin / step) * (step / scale) for k in numbers]
    largest = max([abs(first), abs(last), 1]) * step
    digits = min(16, max(6, 1 + round(math.log10(largest / power))))
    return places, [shown(k * step, digits) for k in numbers]


def _draw_region(sheet: Any, loops: list[Floats], filled: bool) -> None:
    path_class = require("matplotlib.path", "figures").Path
    patch_class = require("matplotlib.patches", "figures").PathPatch
    closed = [np.concatenate([loop, loop[:1]]) for loop in loops]
    codes = [
        [path_class.MOVETO] + [path_class.LINETO] * (len(loop) - 2) + [path_class.CLOSEPOLY] for loop in closed
    ]
    path = path_class(np.concatenate(closed), np.concatenate(codes))
    sheet.add_patch(
        patch_class(path, facecolor=_FILL if filled else "none", edgecolor=EDGE if filled else WRONG, linewidth=1.6)
    )


def _axis_ends(ellipse: InertiaEllipse) -> list[Floats]:
    """Both ends of the long and of the short axis as drawn, (2, 2) each."""
    overhang = 0.18 * float(ellipse.semi_axes[0])
    lengths = ellipse.semi_axes + overhang
    return [
        np.stack([ellipse.center - length * axis, ellipse.center + length * axis])
        for length, axis in zip(lengths, ellipse.axes.T, strict=True)
    ]


def _draw_axes(sheet: Any, ellipse: InertiaEllipse, properties: SectionProperties) -> None:
    ring = ellipse.outline()
    sheet.fill(*ring.T, facecolor=ELLIPSE_COLOR, alpha=0.16, zorder=0.5)
    sheet.plot(*np.concatenate([ring, ring[:1]]).T, color=ELLIPSE_COLOR, linewidth=2)
    for ends, color in zip(_axis_ends(ellipse), (LONG_COLOR, SHORT_COLOR), strict=True):
        sheet.plot(*ends.T, color=color, linewidth=2)
    if not properties.equal_moments:
        _draw_angle(sheet, ellipse)


def _draw_angle(sheet: Any, ellipse: InertiaEllipse) -> None:
    """The angle from the u axis to the long axis."""
    center, radius = ellipse.center, 0.62 * float(ellipse.semi_axes[0])
    level = [center[0], center[0] + 1.15 * radius], [center[1]] * 2
    sheet.plot(*level, color=MUTED, linewidth=1, linestyle=(0, (6, 4)))
    if abs(ellipse.angle) > 0.01:
        turn = np.linspace(0.0, ellipse.angle, 40)
        sheet.plot(center[0] + radius * np.cos(turn), center[1] + radius * np.sin(turn), color=MUTED, linewidth=1.4)
        half, away = ellipse.angle / 2, 0.92 * radius
        place = center[0] + away * math.cos(half), center[1] + away * math.sin(half)
        look = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
        sheet.text(*place, "\u03b8", ha="center", va="center", bbox=look)


def _draw_centroid(sheet: Any, center: Floats) -> None:
    """The draughtsman's sign of a centroid: a disc in quarters, black and white."""
    marker = require("matplotlib.markers", "figures").MarkerStyle
    path_class = require("matplotlib.path", "figures").Path
    quarters = path_class.make_compound_path(path_class.wedge(0, 90), path_class.wedge(180, 270))
    x, y = center
    sheet.plot(x, y, marker="o", markersize=15, markerfacecolor="white", markeredgecolor="black", zorder=5)
    sheet.plot(
        x, y, marker=marker(quarters), markersize=15, markerfacecolor="black", markeredgewidth=0, zorder=6
    )


def _tell(foot: Any, properties: SectionProperties, framing: Framing, si: bool, has_ellipse: bool) -> None:
    def unit(name: str) -> str:
        return f"  [{name}]" if si else ""

    size = 2 * framing.scale
    lines = [
        ("area" + unit("m\u00b2"), shown(properties.area)),
        ("centroid" + unit("m"), shown_point(properties.center.tolist(), size)),
        ("polar moment" + unit("kg m"), shown(properties.polar_moment)),
    ]
    for row, (name, value) in enumerate(lines):
        foot.text(36, 118 - 33 * row, name, color=MUTED, va="center")
        foot.text(252, 118 - 33 * row, value, va="center")
    small, large = properties.principal_moments.tolist()
    rows = ((118, LONG_COLOR, "long axis", large), (85, SHORT_COLOR, "short axis", small))
    foot.text(900, 151, "second moment along it" + unit("kg m"), color=MUTED, va="center")
    for y, color, name, moment in rows:
        foot.plot([680, 728], [y, y], color=color, linewidth=4, solid_capstyle="round")
        foot.text(748, y, name, va="center")
        foot.text(900, y, shown(moment), va="center")
    if properties.equal_moments:
        foot.text(1376, 102, "equal: every axis is principal", color=MUTED, fontsize=8.5, va="center", ha="right")
    else:
        angle = round(math.degrees(properties.principal_angle), 6) + 0.0  # what is less is round-off, and never -0
        foot.text(1376, 118, f"\u03b8 = {shown(angle, 7)}\u00b0 from u", va="center", ha="right")
    if has_ellipse:
        foot.plot([680, 728], [52, 52], color=ELLIPSE_COLOR, linewidth=4, solid_capstyle="round")
        foot.text(748, 52, "inertia ellipse: uniform, of the same mass and second moments", color=MUTED, va="center")
