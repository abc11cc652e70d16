"""Which facets of a drawn mesh lie inside others: the walls of cavities, and bodies within bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from massprops.report.decimation import DrawnMesh

_LARGEST = 32
"""Pieces that others are looked for in, the largest of a mesh."""


def within_others(mesh: DrawnMesh) -> NDArray[np.bool_]:
    """For each facet, whether the box of its piece lies in the box of a larger piece, shape (n,).

    A piece is what hangs together by vertices. A box says less than the surface itself: of what lies beside the arms
    of a bracket it says that it is inside. For a picture that does no harm, as it is drawn at its own depth.

    Examples
    --------
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)
    >>> both = DrawnMesh(np.concatenate([corners, 0.1 + 0.1 * corners]), np.concatenate([faces, faces + 4]), 8, False)
    >>> within_others(both).astype(int).tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    from scipy.sparse import coo_array  # 0.2 s, on top of the seconds that a picture takes
    from scipy.sparse.csgraph import connected_components

    ends = mesh.faces[:, [0, 1, 1, 2]].reshape(-1, 2)
    count = len(mesh.vertices)
    joined = coo_array((np.ones(len(ends), bool), (ends[:, 0], ends[:, 1])), shape=(count, count))
    pieces, piece = connected_components(joined, directed=False)
    low, high = np.full((pieces, 3), np.inf), np.full((pieces, 3), -np.inf)
    np.minimum.at(low, piece, mesh.vertices)
    np.maximum.at(high, piece, mesh.vertices)
    size = np.linalg.norm(high - low, axis=1)
    inside = np.zeros(pieces, bool)
    for largest in np.argsort(-size, kind="stable")[:_LARGEST]:
        inside |= (low >= low[largest]).all(axis=1) & (high <= high[largest]).all(axis=1) & (size < size[largest])
    found: NDArray[np.bool_] = inside[piece[mesh.faces[:, 0]]]
    return found
