"""Consistent winding: which facets to reverse so that neighbours agree, and bodies point the right way.

Facets that share an edge with no third one must run through it in opposite directions; they make up *patches*. Patches
that must balance an edge together make up a *body* (`massprops.core.rims`), which is then turned as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.nesting import turned_bodies
from massprops.core.rims import around_rims, rims_of
from massprops.core.topology import Edges, Flags, Ints, Mesh, SignedGroups, signed_groups


@dataclass(frozen=True)
class Orientation:
    """How the facets of a surface should be wound.

    Parameters
    ----------
    is_reversed : ndarray of bool, shape (n,)
        Which facets to reverse.
    body : ndarray of int, shape (n,)
        The body of each facet.
    is_one_sided : ndarray of bool, shape (bodies,)
        Bodies that cannot be oriented, such as a Moebius strip; they are left as they are.
    is_open : ndarray of bool, shape (bodies,)
        Bodies with a boundary.
    is_cavity : ndarray of bool, shape (bodies,)
        Bodies inside an odd number of others.
    has_rims : bool
        Whether some edges join several patches. Where two facets there have the same direction, which of them is
        taken to be the first depends on their winding, so that it may have to be looked at again.
    """

    is_reversed: Flags
    body: Ints
    is_one_sided: Flags
    is_open: Flags
    is_cavity: Flags
    has_rims: bool


def orientation(mesh: Mesh, edges: Edges) -> Orientation:
    """Wind the facets of each body alike, outermost bodies outwards, cavities inwards, bodies in cavities outwards.

    Parameters
    ----------
    mesh : Mesh
        Facets with three distinct corners, no two of them coincident.
    edges : Edges
        Their edges.

    Examples
    --------
    A tetrahedron with one facet wound against the others:

    >>> from massprops.core.topology import edges_of
    >>> vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> mesh = Mesh(vertices, np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 3, 2]]))
    >>> orientation(mesh, edges_of(mesh.corners)).is_reversed.tolist()
    [False, False, False, True]
    """
    patches = _patches(edges, len(mesh.corners))
    rims = rims_of(mesh, edges, patches)
    bodies = _joined(patches, around_rims(rims, patches))
    one_sided = ~bodies.is_consistent
    against = np.where(one_sided[bodies.label], False, bodies.is_odd)
    loose = np.repeat(edges.uses != 2, edges.uses)
    rim = _residual(edges, loose, bodies.label, against)
    found = turned_bodies(mesh, bodies.label, against, rim, one_sided)
    is_open = np.zeros(len(one_sided), bool)
    is_open[rim[:, 2]] = True
    is_reversed = against ^ found.is_turned[bodies.label]
    return Orientation(is_reversed, bodies.label, one_sided, is_open, found.is_cavity, len(rims.edge) > 0)


def _majority(label: Ints, is_odd: Flags, groups: int) -> Flags:
    """The same states, changed in groups in which more nodes are odd than even."""
    return np.asarray(is_odd ^ (np.bincount(label, np.where(is_odd, 1, -1), minlength=groups) > 0)[label])


def _patches(edges: Edges, facets: int) -> SignedGroups:
    """Facets joined across edges that have exactly two uses; in each patch most facets are even."""
    double = (edges.uses == 2)[edges.edge]
    a, b = edges.facet[double].reshape(-1, 2).T
    along, against = edges.sign[double].reshape(-1, 2).T
    found = signed_groups(facets, a, b, along == against)
    return SignedGroups(
        found.label, _majority(found.label, found.is_odd, len(found.is_consistent)), found.is_consistent
    )


def _joined(patches: SignedGroups, found: SignedGroups) -> SignedGroups:
    """Groups of facets from groups of patches."""
    label = found.label[patches.label]
    consistent = np.ones(len(found.is_consistent), bool)
    consistent[found.label[~patches.is_consistent]] = False
    is_odd = patches.is_odd ^ found.is_odd[patches.label]
    return SignedGroups(label, _majority(label, is_odd, len(consistent)), consistent)


def _residual(edges: Edges, loose: Flags, body: Ints, against: Flags) -> Ints:
    """The boundary of each body: rows (start, end, body), one for every use that is not balanced within the body.

    Only ``loose`` half-edges can be unbalanced: within a body that can be oriented, edges of two uses never are.
    """
    facet = edges.facet[loose]
    sign = np.where(against[facet], -1, 1) * edges.sign[loose]
    count = int(body.max(initial=0)) + 1
    key, place = np.unique(edges.edge[loose] * count + body[facet], return_inverse=True)
    net = np.bincount(place, sign, minlength=len(key)).astype(np.intp)
    ends = edges.ends[key // count]
    ends = np.where((net > 0)[:, None], ends, ends[:, ::-1])
    rows = np.concatenate([ends, (key % count)[:, None]], axis=1)
    return np.repeat(rows, np.abs(net), axis=0)
