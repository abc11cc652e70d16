"""A surface seen through an affine map, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from massprops.core.affine_map import AffineMap
from massprops.core.surface import Block, Surface


@dataclass(frozen=True)
class MappedSurface:
    """The image of a surface under an affine map; one that mirrors turns the facets, so that a body stays a body.

    Parameters
    ----------
    base : Surface
    affine : AffineMap
    """

    base: Surface
    affine: AffineMap

    @property
    def facets(self) -> int:
        return self.base.facets

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64)

    def block(self, index: int) -> Block:
        matrix, translation = self.affine.matrix.astype(np.float64), self.affine.translation.astype(np.float64)
        image = np.einsum("ij,cjn->cin", matrix, self.base.block(index).astype(np.float64)) + translation[:, None]
        return np.ascontiguousarray(image[::-1]) if self.affine.determinant < 0 else image
