"""``--figure`` for a section that was not measured: what is drawn in the file, and in red where it is wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from massprops.core.curve import Path
from massprops.core.surface import Floats
from massprops.report.canvas import paper, styled, write
from massprops.report.extras import DRAWS_SECTIONS, require_all
from massprops.report.framing import Framing
from massprops.report.numbers import shortened, wrapped
from massprops.report.outline import chains
from massprops.report.picture_format import PictureError, picture_format
from massprops.report.section_figure import EDGE, HEIGHT, MUTED, WIDTH, WRONG, foot_of, sheet_around


def draw_refused_section(
    path: str | os.PathLike[str],
    paths: Sequence[Path],
    wrong: Floats,
    *,
    title: str | None = None,
    message: str | None = None,
) -> None:
    """Write a picture of a section that was not measured: its lines, no region, and no axes.

    Parameters
    ----------
    path : str or path
        Ends in ``.png`` or ``.svg``.
    paths : sequence of Path
        What the file draws; open ones stay open.
    wrong : ndarray, shape (k, 2)
        Points to be marked in red, such as loose ends and crossings; may be none.
    title, message : str, optional
        The file's name, and why it was not measured.

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
    lines = chains(paths)
    if not lines:
        raise PictureError("no lines to draw")
    framing = Framing.of(np.concatenate(lines))
    with styled():
        figure = paper(WIDTH, HEIGHT)
        sheet = sheet_around(figure, lines, framing, None)
        for line in lines:
            sheet.plot(*framing.apply(line).T, color=EDGE, linewidth=1.8, solid_capstyle="round")
        look = {"marker": "o", "linestyle": "none", "markerfacecolor": "none", "markeredgecolor": WRONG}
        sheet.plot(*framing.apply(wrong.reshape(-1, 2)).T, markersize=13, markeredgewidth=2.4, zorder=6, **look)
        foot = foot_of(figure)
        if title:
            foot.text(36, 151, shortened(title, 60), fontweight="bold", fontsize=11.5, va="center")
        foot.text(36, 118, "not measured", color=WRONG, fontweight="bold", va="center")
        for row, told in enumerate(wrapped(message, 112)):
            foot.text(216, 118 - 33 * row, told, va="center")
        if len(wrong):
            foot.plot([59], [48], markersize=11, markeredgewidth=2.4, **look)
            foot.text(216, 48, "where it is wrong", color=MUTED, va="center")
        write(figure, path, suffix)
