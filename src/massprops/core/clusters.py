"""Groups of points that lie close together."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats


def clusters(points: Floats, radius: float, norm: float = 2.0) -> NDArray[np.intp]:
    """Join points within a distance of each other, transitively.

    Parameters
    ----------
    points : ndarray, shape (n, 3)
        Distinct points, sorted lexicographically, so that the result does not depend on the order of a file.
    radius : float
        Largest distance that is joined; length.
    norm : float
        Minkowski norm of the distance: 2 for Euclid's, inf for the largest component.

    Returns
    -------
    ndarray of int, shape (n,)
        For each point the index of the lexicographically first point of its group.

    Examples
    --------
    >>> clusters(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [9, 0, 0]]), radius=1.5)
    array([0, 0, 0, 3])
    """
    from scipy.sparse import coo_array  # 0.2 s: only for surfaces with something to join
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    count = len(points)
    reach = math.nextafter(radius, math.inf)
    pairs = cKDTree(points).query_pairs(reach, p=norm, output_type="ndarray") if count else np.empty((0, 2), int)
    graph = coo_array((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    first = np.full(count, count, np.intp)
    np.minimum.at(first, label, np.arange(count))
    joined: NDArray[np.intp] = first[label]
    return joined
