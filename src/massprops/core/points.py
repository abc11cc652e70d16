"""Points, compared by their exact coordinates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from massprops.core.surface import Floats


def distinct_points(points: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The distinct ones among many points, and which of them each point is.

    Parameters
    ----------
    points : ndarray, shape (n, 3)
        Without NaN; -0 must have been made 0.

    Returns
    -------
    vertices : ndarray, shape (m, 3)
        Sorted lexicographically, so that they do not depend on the order of ``points``.
    number : ndarray of int, shape (n,)
        ``points == vertices[number]``.

    Examples
    --------
    >>> distinct_points(np.array([[1.0, 0, 0], [0, 2, 0], [1, 0, 0]]))[1]
    array([1, 0, 1])
    """
    order = np.lexsort(points.T[::-1])
    ranked = points[order]
    is_new = np.ones(len(points), bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    number = np.empty(len(points), np.intp)
    number[order] = np.cumsum(is_new) - 1
    return ranked[is_new], number
