"""Edges at which several patches of a surface meet, and how the patches must be wound there.

A patch is a set of facets joined across edges that have no third facet. At an edge of four or more facets, a patch that
balances itself (each of two cubes that touch along an edge) does not care. The others belong together, so that inside
and outside take turns around the edge. Where that cannot be had at all edges of a group of patches, because the surface
passes through itself, the group stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.surface import Floats
from massprops.core.topology import Edges, Flags, Ints, Mesh, SignedGroups, components, signed_groups

TIED = 1e-6
"""Facets at an edge that lie within this angle of each other have the same direction; radians."""

OBLIQUE = np.array([0.36, 0.48, 0.8]) + np.sqrt([2e-4, 3e-4, 5e-4])
"""A direction that lies in the plane of no wall of a part made by people: it tells the two sides of a plane apart."""


@dataclass(frozen=True)
class Rims:
    """Half-edges at edges that several patches must balance together, edge by edge, in the order around each.

    Parameters
    ----------
    edge : ndarray of int, shape (k,)
        The edge of each half-edge.
    first, uses : ndarray of int, shape (k,)
        Where the half-edges of that edge begin, and how many there are.
    angle : ndarray, shape (k,)
        Direction of the facet around the edge; radians.
    sign : ndarray of int, shape (k,)
        1 if the facet faces where the angle rises to, -1 if it faces back, as most facets of its patch are wound.
    patch : ndarray of int, shape (k,)
        Its patch.
    rank : ndarray of int, shape (k,)
        An order of the patches that does not depend on that of the facets, reversed where the angle rises from the
        upper to the lower side of the facet's plane.
    """

    edge: Ints
    first: Ints
    uses: Ints
    angle: Floats
    sign: Ints
    patch: Ints
    rank: Ints

    def neighbour(self, place: Ints, steps: int) -> Ints:
        """The half-edge so many steps further around the same edge."""
        first = self.first[place]
        return np.asarray(first + (place - first + steps) % self.uses[place])


def rims_of(mesh: Mesh, edges: Edges, patches: SignedGroups) -> Rims:
    """Half-edges at edges with an even number of at least four uses, but for those that their own patch balances.

    Parameters
    ----------
    mesh : Mesh
    edges : Edges
        Of its facets.
    patches : SignedGroups
        The patch of each facet, and whether the facet is wound against most others in it.
    """
    several = np.repeat((edges.uses > 2) & (edges.uses % 2 == 0), edges.uses)
    half, edge = edges.half[several], edges.edge[several]
    patch = patches.label[half // 3]
    sign = np.where(patches.is_odd[half // 3], -1, 1) * edges.sign[several]
    name, place = np.unique(edge * len(patches.is_consistent) + patch, return_inverse=True)
    left = (np.bincount(place, sign, minlength=len(name)) != 0)[place] & patches.is_consistent[patch]
    half, edge, patch, sign = half[left], edge[left], patch[left], sign[left]
    angle, side = _directions(mesh, edges.ends[edge], half)
    rank = _ranks(mesh, patches.label)[patch] * side if len(patch) else patch
    order = np.lexsort((angle, edge))
    _, first, number, uses = np.unique(edge[order], return_index=True, return_inverse=True, return_counts=True)
    return Rims(edge[order], first[number], uses[number], angle[order], sign[order], patch[order], rank[order])


def around_rims(rims: Rims, patches: SignedGroups) -> SignedGroups:
    """Which patches belong together, and which of these to turn.

    Parameters
    ----------
    rims : Rims
    patches : SignedGroups

    Returns
    -------
    SignedGroups
        Of the patches.
    """
    count = len(patches.is_consistent)
    if len(rims.edge) == 0:
        return SignedGroups(np.arange(count), np.zeros(count, bool), np.ones(count, bool))
    pair = _tied_pairs(rims)
    found = signed_groups(count, *_vote(*_alternation(rims, pair[_stands_wrong(rims, pair)])))
    stays = ~found.is_consistent
    net = _sums(rims.first, np.where(found.is_odd[rims.patch], -1, 1) * rims.sign)
    stays[found.label[rims.patch[net[rims.first] != 0]]] = True
    is_odd = found.is_odd & ~stays[found.label] & ~_alternate_already(rims, pair, count)
    return SignedGroups(found.label, is_odd, found.is_consistent)


def _sums(first: Ints, values: Ints) -> Ints:
    return np.bincount(first, values, minlength=len(first)).astype(np.intp)


def _tied_pairs(rims: Rims) -> Ints:
    """Half-edges whose facet has the direction of the next one, and of no other.

    Such are the two sides of a wall between bodies that is divided along different diagonals.
    """
    place = np.arange(len(rims.edge))
    after = rims.neighbour(place, 1)
    apart = np.abs(np.remainder(rims.angle[after] - rims.angle + np.pi, 2 * np.pi) - np.pi)
    tied = (apart < TIED) & (rims.uses > 3)
    return np.flatnonzero(tied & ~tied[after] & ~tied[rims.neighbour(place, -1)])


def _stands_wrong(rims: Rims, pair: Ints) -> Flags:
    """Which tied half-edges are to be exchanged with the next one.

    What lies between the sides of a wall is outside: the one that faces ahead comes first. Where both face the same
    way, either could be the first; they go by rank, so that the choice is the same at all edges of the wall.
    """
    other = rims.neighbour(pair, 1)
    same = rims.sign[pair] == rims.sign[other]
    return np.asarray(np.where(same, rims.rank[pair] > rims.rank[other], rims.sign[pair] < 0))


def _alternation(rims: Rims, exchanged: Ints) -> tuple[Ints, Ints, Flags]:
    """Links between patches that follow each other around an edge, and whether they face in turns as they are.

    Parameters
    ----------
    exchanged : ndarray of int
        Half-edges that change places with the next one.
    """
    order = np.arange(len(rims.edge))
    other = rims.neighbour(exchanged, 1)
    order[exchanged], order[other] = other, exchanged
    follows = np.flatnonzero((rims.edge[1:] == rims.edge[:-1]) & (rims.uses[1:] % 2 == 0))
    one, next_one = order[follows], order[follows + 1]
    return rims.patch[one], rims.patch[next_one], rims.sign[one] != rims.sign[next_one]


def _alternate_already(rims: Rims, pair: Ints, count: int) -> Flags:
    """Patches in groups that face in turns around all their edges, if tied ones are put in the order that suits.

    These stay as they are: a surface that has been wound once is not wound again in another of several possible ways.
    """
    unsuited = rims.sign[pair] == rims.sign[rims.neighbour(pair, -1)]
    a, b, alike = _alternation(rims, pair[unsuited])
    group = components(count, a, b)
    return ~np.isin(group, group[a[~alike]])


def _vote(a: Ints, b: Ints, alike: Flags) -> tuple[Ints, Ints, Flags]:
    """One link for each pair of patches, as most of their common edges want it; none where they are tied."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    count = int(high.max(initial=0)) + 1
    pair, place = np.unique(low * count + high, return_inverse=True)
    votes = np.bincount(place, np.where(alike, 1, -1), minlength=len(pair))
    decided = (votes != 0) & (pair // count != pair % count)
    return pair[decided] // count, pair[decided] % count, votes[decided] < 0


def _ranks(mesh: Mesh, patch: Ints) -> Ints:
    """An order of the patches that depends on their facets alone, by their lowest facet; from 1."""
    rank = np.empty(int(patch.max()) + 1, np.intp)
    order = np.lexsort(np.sort(mesh.corners, axis=1).T)
    names, first = np.unique(patch[order], return_index=True)
    rank[names[np.argsort(first)]] = np.arange(1, len(names) + 1)
    return rank


def _directions(mesh: Mesh, ends: Ints, half: Ints) -> tuple[Floats, Ints]:
    """Direction of facets around an edge, and on which side of its plane the rising angle enters a facet: 1 or -1.

    The edge runs from its lower to its higher vertex; the angle counts from a direction that the edge alone fixes.
    """
    start, end = mesh.vertices[ends[:, 0]], mesh.vertices[ends[:, 1]]
    apex = mesh.vertices[mesh.corners[half // 3, (half + 2) % 3]]
    axis = end - start
    across = apex - start
    u = np.cross(axis, np.eye(3)[np.abs(axis).argmin(axis=1)])
    v = np.cross(axis, u)
    length = np.linalg.norm(axis, axis=1)
    angle: Floats = np.arctan2((across * v).sum(axis=1), (across * u).sum(axis=1) * length)
    return angle, np.where(np.cross(axis, across) @ OBLIQUE > 0, 1, -1)
