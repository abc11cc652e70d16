"""Paper for pictures: a Matplotlib figure without global state, and how it is written."""

from __future__ import annotations

import io
import os
from typing import Any

from massprops.report.extras import require

DPI = 140
"""Pixels per inch of a PNG; text sizes are in points of 1/72 inch."""

_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.color": "#1d2733",
    "axes.edgecolor": "#8795a5",
    "axes.labelcolor": "#1d2733",
    "xtick.color": "#5b6979",
    "ytick.color": "#5b6979",
    "svg.fonttype": "path",  # the same look everywhere, whatever fonts are there
    "svg.hashsalt": "massprops",  # the same bytes on every run
}

_COARSE = "image-rendering:crisp-edges;image-rendering:pixelated"
"""What Matplotlib asks of whoever shows an image in an SVG, and which makes dots of thin lines."""


def styled() -> Any:
    """A context in which Matplotlib draws in the house's style.

    Raises
    ------
    MissingExtra
        Matplotlib is not installed.
    """
    matplotlib = require("matplotlib", "figures")
    return matplotlib.rc_context(_STYLE)


def paper(width: int, height: int) -> Any:
    """A white figure of the given size in pixels."""
    figure = require("matplotlib.figure", "figures").Figure(figsize=(width / DPI, height / DPI), dpi=DPI)
    require("matplotlib.backends.backend_agg", "figures").FigureCanvasAgg(figure)
    figure.patch.set_facecolor("white")
    return figure


def write(figure: Any, path: str | os.PathLike[str], suffix: str) -> None:
    """Write a figure as ``png`` or ``svg``; the same figure gives the same bytes.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    if suffix == "svg":
        stream = io.StringIO()
        figure.savefig(stream, format=suffix, dpi=DPI, metadata={"Date": None, "Creator": "massprops"})
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(stream.getvalue().replace(_COARSE, ""))
    else:
        figure.savefig(os.fspath(path), format=suffix, dpi=DPI, metadata={"Software": "massprops"})
