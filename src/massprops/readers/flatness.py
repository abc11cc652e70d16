"""Polygons that are not flat: the body that they bound depends on how they are cut into triangles.

A polygon of area vector A whose corners spread by h along A leaves |A| h / 3 open. For a quadrilateral this is exact:
it is the tetrahedron between the cuts along either diagonal. For more corners it is an estimate.
"""

from __future__ import annotations

import numpy as np

from massprops.core.notice import Notice
from massprops.readers.polygons import Floats, Ints

LEAST_SHARE = 1e-4
"""Of the bounding box, a volume left open that is told; rounding to the six digits of a text file leaves some 1e-6."""


def warped(sizes: Ints, corners: Ints, points: Floats) -> tuple[Notice, ...]:
    """What to tell of polygons that are not flat.

    Parameters
    ----------
    sizes : ndarray, shape (p,)
        Corners of each polygon.
    corners : ndarray, shape (sum of sizes,)
        Indices of vertices, polygon after polygon, within range.
    points : ndarray, shape (v, 3)
        Vertices.

    Returns
    -------
    tuple of Notice
        One with the code ``not_flat`` where the volume left open is more than `LEAST_SHARE` of the bounding box.

    >>> bent = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]])
    >>> warped(np.array([4]), np.arange(4), bent)[0].details
    {'faces': 1, 'share': 0.16666666666666666}
    """
    volumes = gaps(sizes, corners, points)
    return not_flat(volumes, points[corners]) if len(volumes) else ()


def gaps(sizes: Ints, corners: Ints, points: Floats) -> Floats:
    """Volumes between the ways to cut those polygons that have more than three corners; L^3. See `warped`."""
    if len(sizes) == 0 or int(sizes.max()) <= 3:
        return np.empty(0)
    with np.errstate(all="ignore"):
        return open_volumes(sizes[sizes > 3], points[corners[np.repeat(sizes > 3, sizes)]])


def not_flat(volumes: Floats, points: Floats) -> tuple[Notice, ...]:
    """What to tell of polygons that leave volumes open, L^3, in a box around points, shape (n, 3)."""
    if len(volumes) == 0:
        return ()
    with np.errstate(all="ignore"):
        shares = volumes / float(np.prod(points.max(axis=0) - points.min(axis=0)))
        share = float(shares.sum())
    if not LEAST_SHARE < share < np.inf:
        return ()
    faces = int(np.count_nonzero(shares > LEAST_SHARE * share))
    what = "1 face of more than three corners is" if faces == 1 else f"{faces} faces of more than three corners are"
    message = (
        f"{what} not flat: cut into triangles in another way, the volume might "
        f"differ by about {100 * share:.2g} % of the bounding box; export triangles"
    )
    return (Notice("not_flat", message, {"faces": faces, "share": share}),)


def open_volumes(sizes: Ints, rims: Floats) -> Floats:
    """Volumes between the ways to cut polygons.

    Parameters
    ----------
    sizes : ndarray, shape (p,)
        Corners of each polygon, none with 0.
    rims : ndarray, shape (sum of sizes, 3)
        Corners, polygon after polygon.

    Returns
    -------
    ndarray, shape (p,)
        L^3.
    """
    starts = np.cumsum(sizes) - sizes
    edges = rims - np.repeat(rims[starts], sizes, axis=0)
    following = np.arange(1, len(rims) + 1)
    following[starts + sizes - 1] = starts
    doubled = np.add.reduceat(np.cross(edges, edges[following]), starts)
    heights = (edges * np.repeat(doubled, sizes, axis=0)).sum(axis=1)
    spread: Floats = (np.maximum.reduceat(heights, starts) - np.minimum.reduceat(heights, starts)) / 6
    return spread
