"""Box and area of a surface after an affine map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from massprops.core.affine_map import AffineMap
from massprops.core.sums import exact_sum
from massprops.core.surface import Block, Floats, Surface
from massprops.core.workers import map_blocks
from massprops.errors import NonFinite

_SIMILARITY = 1e-13
"""A matrix this close to a multiple of a rotation keeps the shape of a surface to round-off."""


def mapped_extent(
    surface: Surface, lower: Floats, upper: Floats, area: float | None, affine: AffineMap
) -> tuple[Floats, float]:
    """Bounding box and area of a surface after an affine map.

    From the box and area before it where they determine the result; by one pass over the facets where they do not,
    as for the box of a rotated or the area of an unevenly stretched body.

    Parameters
    ----------
    surface : Surface
    lower, upper : ndarray, shape (3,)
        Its box; length.
    area : float or None
        Its area, where known; length^2.
    affine : AffineMap

    Returns
    -------
    bounds : ndarray, shape (2, 3)
    area : float

    Raises
    ------
    NonFinite
        They do not fit a float64.
    """
    if affine.is_identity and area is not None:
        return np.array([lower, upper]), area
    with np.errstate(over="ignore", invalid="ignore"):
        bounds, area = _mapped(surface, np.stack([lower, upper]), area, affine)
    if not (np.isfinite(bounds).all() and np.isfinite(area)):
        raise NonFinite("the part becomes too large for double precision; give smaller factors or a larger unit")
    return bounds, area


def _mapped(surface: Surface, box: Floats, area: float | None, affine: AffineMap) -> tuple[Floats, float]:
    matrix, translation = affine.matrix.astype(np.float64), affine.translation.astype(np.float64)
    gram = matrix.T @ matrix
    is_similar = np.abs(gram - np.eye(3) * gram[0, 0]).max() <= _SIMILARITY * gram[0, 0]
    is_straight = np.count_nonzero(matrix) == 3 and bool(np.diag(matrix).all())
    if is_similar and is_straight and area is not None:
        return np.sort(box * np.diag(matrix) + translation, axis=0), area * float(gram[0, 0])
    return _mapped_by_facets(surface, matrix, translation)


def _mapped_by_facets(surface: Surface, matrix: Floats, translation: Floats) -> tuple[Floats, float]:
    def work(block: Block) -> tuple[Floats, Floats, float]:
        with np.errstate(over="ignore", invalid="ignore"):  # of this thread
            x = np.einsum("ij,cjn->cin", matrix, block.astype(np.float64))
            normal = np.cross(x[1] - x[0], x[2] - x[0], axis=0)
            return x.min(axis=(0, 2)), x.max(axis=(0, 2)), float(np.linalg.norm(normal, axis=0).sum())

    def worker() -> Callable[[Block], tuple[Floats, Floats, float]]:
        return work

    parts = map_blocks(surface, worker)
    bounds = np.stack([np.min([part[0] for part in parts], axis=0), np.max([part[1] for part in parts], axis=0)])
    areas = [part[2] for part in parts]
    return bounds + translation, 0.5 * float(exact_sum(areas)) if np.isfinite(areas).all() else np.inf
