"""Where labels stand: beside what they name, inside the picture, and not on each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from massprops.core.surface import Floats

CHARACTER, LINE = 15.0, 38.0
"""Width of a character and height of a line, in pixels, generously."""

_GAP, _MARGIN = 12.0, 14.0
_ROUNDS = 60


@dataclass(frozen=True, eq=False)
class Label:
    """A line of text.

    Parameters
    ----------
    text : str
    middle : ndarray, shape (2,)
        Pixels, from the lower left corner.
    """

    text: str
    middle: Floats

    @property
    def half(self) -> Floats:
        """Half of its width and height, shape (2,); pixels."""
        return np.array([CHARACTER * len(self.text), LINE]) / 2

    @classmethod
    def beyond(cls, text: str, middle: Floats, tip: Floats) -> Label:
        """A label beyond the tip of a line that comes from a middle, just touching it."""
        away = tip - middle
        length = float(np.hypot(*away))
        direction = away / length if length > 0 else np.array([0.0, 1.0])
        label = cls(text, tip)
        with np.errstate(divide="ignore"):
            inside = float((label.half / np.abs(direction)).min())  # from the label's middle to its rim
        return replace(label, middle=tip + (inside + _GAP) * direction)


def spread(labels: Sequence[Label], size: tuple[int, int]) -> list[Label]:
    """The labels, moved up and down until none covers another, and kept inside a picture.

    Parameters
    ----------
    labels : sequence of Label
    size : tuple of int
        Width and height of the picture; pixels.

    Examples
    --------
    >>> first, second = spread([Label("one", np.array([100.0, 50])), Label("two", np.array([100.0, 50]))], (200, 200))
    >>> bool(abs(first.middle[1] - second.middle[1]) >= LINE)
    True
    """
    placed = [replace(label, middle=_inside(label, size)) for label in labels]
    for _ in range(_ROUNDS):
        moved = False
        for i in range(len(placed)):
            for j in range(i):
                a, b = placed[i], placed[j]
                apart = a.middle - b.middle
                overlap = a.half + b.half - np.abs(apart)
                if overlap.min() > 0:
                    push = np.array([0.0, (overlap[1] / 2 + 1) * (1 if apart[1] >= 0 else -1)])
                    placed[i] = replace(a, middle=_inside(replace(a, middle=a.middle + push), size))
                    placed[j] = replace(b, middle=_inside(replace(b, middle=b.middle - push), size))
                    moved = True
        if not moved:
            break
    return placed


def _inside(label: Label, size: tuple[int, int]) -> Floats:
    least = label.half + _MARGIN
    room = np.array(size) - least
    placed: Floats = np.clip(label.middle, np.minimum(least, room), np.maximum(least, room))
    return placed
