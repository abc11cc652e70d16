"""Which facets of a drawn mesh lie inside others, as the walls of cavities do, and which of these hide others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats
from massprops.report.decimation import DrawnMesh

_LARGEST = 32
"""Pieces that others are looked for in, the largest of a mesh."""

_LAYERS = 4
"""Layers of pieces inside others, each of which is drawn by itself: a foam may have hundreds, one behind the other."""

_ONE_BY_ONE = 1000
"""Pieces whose layer is looked for, the nearest ones; those behind them go to the last."""

Flags = NDArray[np.bool_]


def layers(mesh: DrawnMesh, axes: Floats) -> list[Flags]:
    """The facets in layers, of each of which only what is nearest to the viewer need be drawn; each of shape (n,).

    First what lies inside nothing, then what does, in as many layers as there are such pieces one behind the other, up
    to `_LAYERS`. A piece is what hangs together by vertices, and its place is its box: that of a body within another
    is found, and what lies beside the arms of a bracket counts as inside too. For a picture that does no harm, as it
    is drawn at its own depth.

    Parameters
    ----------
    mesh : DrawnMesh
    axes : ndarray, shape (3, 3)
        Rows: to the right, up, and towards the viewer.

    Examples
    --------
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)
    >>> both = DrawnMesh(np.concatenate([corners, 0.1 + 0.1 * corners]), np.concatenate([faces, faces + 4]), 8, False)
    >>> [layer.astype(int).tolist() for layer in layers(both, np.eye(3))]
    [[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]
    """
    piece = _pieces(mesh)
    low, high = _boxes(piece, mesh.vertices)
    inside = np.flatnonzero(_within_others(low, high))
    layer = np.zeros(len(low), np.intp)
    layer[inside] = 1 + _in_layers(*(ends[inside] for ends in _boxes(piece, mesh.vertices @ axes.T)))
    of_facet = layer[piece[mesh.faces[:, 0]]]
    return [of_facet == number for number in np.unique(of_facet)]


def _pieces(mesh: DrawnMesh) -> NDArray[np.intp]:
    """For each vertex, its piece."""
    from scipy.sparse import coo_array  # 0.2 s, on top of the seconds that a picture takes
    from scipy.sparse.csgraph import connected_components

    ends = mesh.faces[:, [0, 1, 1, 2]].reshape(-1, 2)
    count = len(mesh.vertices)
    joined = coo_array((np.ones(len(ends), bool), (ends[:, 0], ends[:, 1])), shape=(count, count))
    return np.asarray(connected_components(joined, directed=False)[1], np.intp)


def _boxes(piece: NDArray[np.intp], points: Floats) -> tuple[Floats, Floats]:
    """Lower and upper corners of the boxes of all pieces."""
    low, high = np.full((piece.max() + 1, 3), np.inf), np.full((piece.max() + 1, 3), -np.inf)
    np.minimum.at(low, piece, points)
    np.maximum.at(high, piece, points)
    return low, high


def _within_others(low: Floats, high: Floats) -> Flags:
    """For each box, whether it lies in a larger one."""
    size = np.linalg.norm(high - low, axis=1)
    inside = np.zeros(len(low), bool)
    for largest in np.argsort(-size, kind="stable")[:_LARGEST]:
        inside |= (low >= low[largest]).all(axis=1) & (high <= high[largest]).all(axis=1) & (size < size[largest])
    return inside


def _in_layers(low: Floats, high: Floats) -> NDArray[np.intp]:
    """For each box, from the nearest to the farthest, the first layer in which it is behind no other, or the last."""
    layer = np.full(len(low), _LAYERS - 1)
    order = np.argsort(-high[:, 2], kind="stable")[:_ONE_BY_ONE]
    for count, box in enumerate(order):
        nearer = order[:count]
        over = ((low[nearer, :2] < high[box, :2]) & (high[nearer, :2] > low[box, :2])).all(axis=1)
        is_free = np.bincount(layer[nearer[over]], minlength=_LAYERS) == 0
        if is_free.any():
            layer[box] = is_free.argmax()
    return layer
