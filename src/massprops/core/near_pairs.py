"""Pairs of points of the plane that lie within a small distance of each other, and their groups.

Points that are close are close along any direction: sorted along one that no drawing has for its own, each point need
be compared with the next few alone. What is found is what `massprops.core.clusters` finds by a k-d tree, without the
0.3 s that loading one takes.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from massprops.core.clusters import clusters
from massprops.core.surface import Floats

_DIRECTION = np.array([math.cos(1.0), math.sin(1.0)])
_FOLLOWING = 16
"""Points within the distance, along the direction, beyond which the tree is quicker."""


def plane_clusters(points: Floats, radius: float) -> NDArray[np.intp]:
    """Join points of the plane within a distance of each other, transitively; see `massprops.core.clusters.clusters`.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        Distinct points, sorted lexicographically.
    radius : float
        Largest distance that is joined; length.

    Returns
    -------
    ndarray of int, shape (n,)
        For each point the index of the lexicographically first point of its group.

    Examples
    --------
    >>> plane_clusters(np.array([[0.0, 0], [1, 0], [2, 0], [9, 0]]), radius=1.5)
    array([0, 0, 0, 3])
    """
    pairs = _near_pairs(points, math.nextafter(radius, math.inf))
    if pairs is None:
        return clusters(points, radius)
    parent = list(range(len(points)))
    for a, b in pairs.tolist():
        one, other = _root(parent, a), _root(parent, b)
        parent[max(one, other)] = min(one, other)
    return np.array([_root(parent, k) for k in parent], np.intp)


def _near_pairs(points: Floats, reach: float) -> NDArray[np.intp] | None:
    """Pairs of points at most so far apart, shape (k, 2); None where too many points are near along the direction."""
    along = points @ _DIRECTION
    order = np.argsort(along, kind="stable")
    sorted_along, (u, v) = along[order], points[order].T
    room = reach + 8 * float(np.spacing(np.abs(points).max(initial=0.0)))
    found = [np.empty((0, 2), np.intp)]
    low = np.arange(len(points))
    for step in range(1, _FOLLOWING + 1):
        low = low[low + step < len(points)]
        low = low[sorted_along[low + step] - sorted_along[low] <= room]
        if len(low) == 0:
            return np.concatenate(found)
        high = low + step
        near = (u[high] - u[low]) ** 2 + (v[high] - v[low]) ** 2 <= reach * reach
        found.append(np.column_stack([order[low[near]], order[high[near]]]))
    return None


def _root(parent: list[int], k: int) -> int:
    while parent[k] != k:
        parent[k] = k = parent[parent[k]]
    return k
