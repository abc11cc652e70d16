"""Frames into a film: GIF by Pillow, MP4 by the ffmpeg that imageio-ffmpeg brings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from massprops.report.extras import require
from massprops.report.rendering import Pixels

COLORS = 96
"""Colours of a GIF: enough for one body in one light, and small."""


_NEARLY_WHITE = 246


def write_film(
    path: str | os.PathLike[str], suffix: str, frames: Iterable[Pixels], size: tuple[int, int], rate: int
) -> None:
    """Write frames as a film that repeats for ever.

    Parameters
    ----------
    path : str or path
    suffix : {"gif", "mp4"}
    frames : iterable of ndarray, shape (height, width, 3)
        At least one.
    size : tuple of int
        Width and height; even.
    rate : int
        Frames a second.

    Raises
    ------
    MissingExtra
        The packages of the extra ``figures`` are not installed.
    OSError
        The file cannot be written.
    """
    write = {"gif": _write_gif, "mp4": _write_mp4}[suffix]
    write(os.fspath(path), iter(frames), size, rate)


def _write_gif(path: str, frames: Iterator[Pixels], size: tuple[int, int], rate: int) -> None:
    image = require("PIL.Image", "figures")
    with open(path, "wb") as stream:
        first = image.fromarray(next(frames))
        palette = _palette(first, image)

        def reduced() -> Iterator[Any]:
            for pixels in frames:
                yield image.fromarray(pixels).quantize(palette=palette, dither=image.Dither.NONE)

        start = first.quantize(palette=palette, dither=image.Dither.NONE)
        start.save(
            stream, format="GIF", save_all=True, append_images=reduced(), duration=round(1000 / rate), loop=0
        )


def _palette(first: Any, image: Any) -> Any:
    """The colours of the first frame, with a paper that is quite white."""
    palette = first.quantize(COLORS, method=image.Quantize.MEDIANCUT)
    colors = palette.getpalette()
    for at in range(0, len(colors), 3):
        if min(colors[at : at + 3]) >= _NEARLY_WHITE:
            colors[at : at + 3] = [255, 255, 255]
    palette.putpalette(colors)
    return palette


def _write_mp4(path: str, frames: Iterator[Pixels], size: tuple[int, int], rate: int) -> None:
    ffmpeg = require("imageio_ffmpeg", "figures")
    first = next(frames)
    with open(path, "wb"):
        pass  # where it cannot be written, this says so better than ffmpeg does
    writer = ffmpeg.write_frames(path, size, fps=rate, codec="libx264", quality=7, macro_block_size=2)
    writer.send(None)
    try:
        for pixels in chain([first], frames):
            writer.send(pixels.tobytes())
    finally:
        writer.close()
