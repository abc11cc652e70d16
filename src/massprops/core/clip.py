"""Which facets touch a box."""

from __future__ import annotations

import numpy as np

from massprops.core.surface import Block, Floats
from massprops.core.topology import Flags


def touches_box(block: Block, lower: Floats, upper: Floats) -> Flags:
    """Which triangles have at least one point in common with a box, its sides included.

    Two convex bodies are apart when their shadows on one of thirteen axes are: the sides of the box, the normal of
    the triangle, and the products of their edges (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996; for
    triangles T. Akenine-Moeller, Fast 3D triangle-box overlap testing, J. Graphics Tools 6, 2001).

    Parameters
    ----------
    block : ndarray, shape (3, 3, n)
        Corner, axis, facet; length.
    lower, upper : ndarray, shape (3,)
        The box; length.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    Two triangles across the corner (1, 1, 1) of a cube; the boxes of both overlap the cube:

    >>> block = np.eye(3)[:, :, None] * [2.9, 3.1]
    >>> touches_box(block, np.zeros(3), np.ones(3)).tolist()
    [True, False]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        corners = block.astype(np.float64)
        low, high = corners.min(axis=0), corners.max(axis=0)
        found = ((low <= upper[:, None]) & (high >= lower[:, None])).all(axis=0)
        near = np.flatnonzero(found)
        middle, half = 0.5 * lower + 0.5 * upper, 0.5 * upper - 0.5 * lower
        found[near] = _not_separated(corners[:, :, near] - middle[:, None], half)
    return np.asarray(found)


def _not_separated(corners: Floats, half: Floats) -> Flags:
    """The test of the other ten axes, for triangles relative to the centre of a box with half sides ``half``."""
    sides = np.roll(corners, -1, axis=0) - corners
    axes = [np.cross(sides[0], sides[1], axis=0)]
    axes += [np.cross(unit[:, None], side, axis=0) for side in sides for unit in np.eye(3)]
    found = np.ones(corners.shape[2], bool)
    for axis in axes:
        shadow = np.einsum("cin,in->cn", corners, axis)
        reach = half @ np.abs(axis)
        # Round-off must not drop a triangle that just touches; an axis of length zero separates nothing.
        slack = 1e-14 * (np.abs(corners).max(axis=0) * np.abs(axis)).sum(axis=0)
        found &= ~((shadow.min(axis=0) > reach + slack) | (shadow.max(axis=0) < -reach - slack))
    return found
