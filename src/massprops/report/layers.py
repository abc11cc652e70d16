"""Pictures of single surfaces, one behind the other, made into one: translucent, told apart by depth at every pixel.

Of each surface only the layer nearest to the viewer counts. What a translucent surface hides of itself, such as the
folds of a seam on the far side, would else show through as dark spots that nobody can read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]

_BAND = 64


@dataclass(frozen=True, eq=False)
class Layer:
    """What is seen of one surface by itself.

    Parameters
    ----------
    color : ndarray of uint8, shape (height, width, 3)
    cover : ndarray, shape (height, width)
        How far it covers what is behind, from 0 to 1; 0 where it is not.
    height : ndarray, shape (height, width)
        How near to the viewer; larger is nearer. Any number where it is not.
    """

    color: NDArray[np.uint8]
    cover: Image
    height: Image

    def hidden_by(self, other: Layer, slack: float) -> NDArray[np.bool_]:
        """Where another layer lies before this one by more than ``slack``, a length, shape (height, width)."""
        hidden: NDArray[np.bool_] = (other.cover > 0) & (other.height > self.height + slack)
        return hidden


def composed(layers: Sequence[Layer]) -> NDArray[np.uint8]:
    """Layers on white paper, shape (height, width, 3); of those at one height the last one is on top.

    Examples
    --------
    >>> def dot(color, cover, height):
    ...     return Layer(np.full((1, 1, 3), color, "u1"), np.full((1, 1), cover, "f4"), np.full((1, 1), height, "f4"))
    >>> composed([dot(0, 0.5, 1), dot(100, 1, 0)])[0, 0].tolist()
    [50, 50, 50]
    """
    seen = np.empty(layers[0].color.shape, np.uint8)
    for start in range(0, len(seen), _BAND):  # a few rows at a time, to take little memory
        rows = slice(start, start + _BAND)
        seen[rows] = _composed([Layer(each.color[rows], each.cover[rows], each.height[rows]) for each in layers])
    return seen


def _composed(layers: Sequence[Layer]) -> NDArray[np.uint8]:
    heights = np.stack([np.where(layer.cover > 0, layer.height, -np.inf) for layer in layers])
    colors, covers = np.stack([layer.color for layer in layers]), np.stack([layer.cover for layer in layers])
    seen = np.full(layers[0].color.shape, 255, np.float32)
    for rank in heights.argsort(axis=0, kind="stable"):
        at = rank[None]
        cover = np.take_along_axis(covers, at, axis=0)[0][..., None]
        seen += cover * (np.take_along_axis(colors, at[..., None], axis=0)[0] - seen)
    return np.rint(seen).astype(np.uint8)
