"""Facets that lie back to back beside a body: sheets drawn from both sides, which enclose nothing.

Both sides of a wall within a body lie so as well, and are no loss: they are told apart by the winding number of the
body around them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.surface import Block, Floats, facet_areas
from massprops.core.topology import Ints, Mesh

MOST = 0.5
"""A surface is mostly sheets when they have more than this part of its area."""

MOST_SAMPLES, FEWEST_SAMPLES, EFFORT = 256, 5, 2e7
"""Points on the sheets, fewer where points times facets of the body would exceed the effort."""


@dataclass(frozen=True)
class BackToBack:
    """Facets of which each lies upon its reverse.

    Parameters
    ----------
    facets, of : int
        How many, of how many facets of the surface.
    share : float
        Their part of its area.
    beside : float
        The part of its area that they have outside the body.
    """

    facets: int
    of: int
    share: float
    beside: float

    @property
    def are_most(self) -> bool:
        """Whether there is more of sheets than of a body; where there is no body at all, that is no question."""
        return self.beside > MOST and self.facets < self.of


def back_to_back(mesh: Mesh, body: Ints, paired: Ints) -> BackToBack:
    """What lies back to back, and how much of it outside a body.

    Parameters
    ----------
    mesh : Mesh
        With coordinates of about 1 at most.
    body : ndarray of int, shape (k, 3)
        Vertices of the facets of the body, wound as they should be.
    paired : ndarray of int, shape (j,)
        Facets of the mesh that lie upon their reverse.

    Examples
    --------
    A single facet, front and back:

    >>> mesh = Mesh(np.eye(3), np.array([[0, 1, 2], [0, 2, 1]]))
    >>> back_to_back(mesh, mesh.corners[:0], np.array([0, 1]))
    BackToBack(facets=2, of=2, share=1.0, beside=1.0)
    """
    of = len(body) + len(paired)
    if len(paired) == 0:
        return BackToBack(0, of, 0.0, 0.0)
    sheet, solid = mesh.vertices[mesh.corners[paired]], mesh.vertices[body]
    area = facet_areas(sheet)
    own = float(area.sum())
    share = own / max(own + float(facet_areas(solid).sum()), np.finfo(float).tiny)
    if share <= MOST or len(solid) == 0:
        return BackToBack(len(paired), of, share, share)
    is_beside = np.abs(_windings(_samples(sheet, area, solid), solid)) < 0.5
    return BackToBack(len(paired), of, share, share * float(is_beside.mean()))


def _samples(sheet: Block, area: Floats, solid: Block) -> Floats:
    """Middles of facets, each for the same part of the area."""
    count = int(np.clip(EFFORT / len(solid), FEWEST_SAMPLES, MOST_SAMPLES))
    reached = np.cumsum(area)
    facet = np.searchsorted(reached, (np.arange(count) + 0.5) / count * reached[-1])
    middle: Floats = sheet[facet.clip(max=len(sheet) - 1)].mean(axis=1)
    return middle


def _windings(points: Floats, solid: Block) -> Floats:
    """How often a surface, shape (k, 3, 3), goes round each point: the solid angles of its facets, over 4 pi.

    A. van Oosterom and J. Strackee, The solid angle of a plane triangle, IEEE Trans. Biomed. Eng. 30 (1983) 125.
    """
    found = np.zeros(len(points))
    for i, point in enumerate(points):
        a, b, c = (solid - point).transpose(1, 0, 2)
        p, q, r = (np.linalg.norm(x, axis=1) for x in (a, b, c))
        spanned = (a * np.cross(b, c)).sum(axis=1)
        beside = p * q * r + (a * b).sum(axis=1) * r + (b * c).sum(axis=1) * p + (c * a).sum(axis=1) * q
        found[i] = np.arctan2(spanned, beside).sum() / (2 * np.pi)
    return found
