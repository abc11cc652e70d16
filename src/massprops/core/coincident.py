"""Facets that lie upon each other: which of several copies belong to the surface.

Copies are facets with the same three vertices, wound either way. Seen without regard to winding, a body's surface
uses every edge an even number of times; whether one copy of a facet stays or none follows from that wherever other
facets meet its edges: one of a facet and its stray copy, none of the two sides of a wall between two bodies.

Copies that share an edge with nothing else stand or fall together, so the unknowns are groups of facets. Groups are
settled by a majority of the edges at which everything else is known, then the next ones; what no edge decides (a
whole body that is there twice) is decided by the sum of the windings: a body stays once, a folded sheet as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.topology import Edges, Flags, Ints, SignedGroups, edges_of, signed_groups


@dataclass(frozen=True)
class Copies:
    """The choice among coincident facets.

    Parameters
    ----------
    kept : ndarray of int, shape (k,)
        Facets that make up the surface, no two of them coincident; ascending.
    mirrored : ndarray of int, shape (k,)
        Beside ``kept``: a copy wound the other way, or -1.
    paired : ndarray of int, shape (j,)
        Facets that stay as they are although they do not matter: both sides of walls and folded sheets.
    removed : ndarray of int, shape (r,)
        Facets that go with all their copies; they may be needed where a surface passes through itself.
    """

    kept: Ints
    mirrored: Ints
    paired: Ints
    removed: Ints
    are_some_left: bool
    """Whether facets that stay coincide."""

    def without_removal(self) -> Copies:
        """The choice that keeps what was removed, copies and all."""
        kept = np.concatenate([self.kept, self.removed])
        order = np.argsort(kept)
        mirrored = np.concatenate([self.mirrored, np.full(len(self.removed), -1)])
        return Copies(kept[order], mirrored[order], self.paired, self.removed[:0], True)


@dataclass(frozen=True)
class _Classes:
    """Sets of coincident facets with at least two members."""

    members: Ints
    """All facets that coincide with another one, ordered by class, within a class by number."""
    starts: Ints
    forward: Flags
    """Beside ``members``: whether a facet runs through its sorted vertices in cyclic order."""

    @property
    def count(self) -> Ints:
        return np.diff(self.starts)

    @property
    def net(self) -> Ints:
        return np.add.reduceat(np.where(self.forward, 1, -1), self.starts[:-1])


def choose_copies(corners: Ints) -> Copies:
    """Which of coincident facets to keep.

    Parameters
    ----------
    corners : ndarray of int, shape (n, 3)
        Facets with three distinct corners each.

    Examples
    --------
    A tetrahedron, one facet of which is there twice:

    >>> found = choose_copies(np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [1, 3, 2]]))
    >>> found.kept.tolist(), found.mirrored.tolist(), found.paired.tolist()
    ([0, 1, 2, 3], [-1, -1, -1, 4], [])
    """
    classes = _classes(corners)
    everything = np.arange(len(corners))
    if len(classes.members) == 0:
        return Copies(everything, np.full(len(corners), -1, np.intp), everything[:0], everything[:0], False)
    first, other = _representatives(classes)
    single = np.setdiff1d(everything, classes.members, assume_unique=True)
    distinct = np.concatenate([first, single])
    stays = _settle(edges_of(corners[distinct]), classes.net)
    pair = ~stays & (classes.count == 2) & (classes.net == 0)
    kept = np.concatenate([first[stays], single])
    mirrored = np.concatenate([other[stays], np.full(len(single), -1)])
    order = np.argsort(kept)
    paired = classes.members[np.repeat(pair, classes.count)]
    removed = classes.members[np.repeat(~stays & ~pair, classes.count)]
    return Copies(kept[order], mirrored[order], np.sort(paired), np.sort(removed), bool(pair.any()))


def all_cancel(corners: Ints) -> bool:
    """Whether every facet, shape (n, 3), is there as often the other way round.

    >>> all_cancel(np.array([[0, 1, 2], [3, 1, 2], [1, 0, 2], [2, 1, 3]]))
    True
    """
    classes = _classes(corners)
    return 0 < len(corners) == len(classes.members) and not classes.net.any()


def _classes(corners: Ints) -> _Classes:
    ranked = np.sort(corners, axis=1)
    factors = np.array([0x9E3779B97F4A7C15, 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B], np.uint64)
    key = (ranked.astype(np.uint64) * factors).sum(axis=1)
    in_order = np.sort(key)
    repeated = np.unique(in_order[1:][in_order[1:] == in_order[:-1]])
    if len(repeated) == 0:
        nothing = np.empty(0, np.intp)
        return _Classes(nothing, np.zeros(1, np.intp), nothing.astype(bool))
    place = np.searchsorted(repeated, key).clip(max=len(repeated) - 1)
    suspects = np.flatnonzero(repeated[place] == key)
    order = suspects[np.lexsort((suspects, *ranked[suspects].T))]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (ranked[order[1:]] != ranked[order[:-1]]).any(axis=1)
    count = np.diff(np.append(np.flatnonzero(is_new), len(order)))
    members = order[np.repeat(count > 1, count)]
    a, b, c = corners[members].T
    forward = (a < b).astype(int) + (b < c) + (c < a) == 2
    return _Classes(members, np.concatenate([[0], np.cumsum(count[count > 1])]).astype(np.intp), forward)


def _representatives(classes: _Classes) -> tuple[Ints, Ints]:
    """For each class the first facet wound as most of its members are, and one wound the other way or -1."""
    name = np.repeat(np.arange(len(classes.count)), classes.count)
    with_most = classes.forward == (classes.net >= 0)[name]
    first = np.full(len(classes.count), -1, np.intp)
    other = first.copy()
    for target, chosen in ((first, with_most), (other, ~with_most)):
        target[name[chosen][::-1]] = classes.members[chosen][::-1]  # the last assignment is the first facet
    return first, other


def _settle(edges: Edges, net: NDArray[np.intp]) -> Flags:
    """Which of the first ``len(net)`` facets stay; these have copies, the facets after them have none.

    Parameters
    ----------
    edges : Edges
        Of all facets, each class of coincident ones taken once.
    net : ndarray of int
        Copies wound one way less those wound the other way.
    """
    problem = _Problem.of(edges, len(net))
    group, side = problem.groups.label, problem.groups.is_odd
    count = len(problem.groups.is_consistent)
    most = np.bincount(group, np.where(side, -1, 1), minlength=count) >= 0  # the state that keeps more facets
    weight = np.bincount(group, np.where(net != 0, 1, -1), minlength=count)
    settled = ~problem.groups.is_consistent
    stays = np.ones(len(net), bool)
    while not settled.all():
        votes, is_even = problem.votes(settled, stays)
        decided = ~settled & (votes != 0)
        state = votes > 0
        if not decided.any():
            decided = ~settled & problem.beside_removed(settled, stays)
            state = ~most
        if not decided.any():
            decided, state = ~settled & (weight > 0), most
        if not decided.any():
            decided, state = ~settled, np.where(is_even, most, ~most)
        chosen = decided[group]
        stays[chosen] = (state[group] != side)[chosen]
        settled = settled | decided
    return stays


@dataclass(frozen=True)
class _Problem:
    """Groups of facets with copies, and the edges at which they meet each other and facets without copies."""

    groups: SignedGroups
    edge: Ints
    facet: Ints
    """Half-edges of facets with copies: their edge, counted from 0, and their facet."""
    singles: Ints
    """For each of these edges the number of facets without copies."""

    @classmethod
    def of(cls, edges: Edges, copied: int) -> _Problem:
        has_copies = edges.facet < copied
        touched, edge = np.unique(edges.edge[has_copies], return_inverse=True)
        facet = edges.facet[has_copies]
        count = np.bincount(edge, minlength=len(touched))
        singles = edges.uses[touched] - count
        double = np.flatnonzero((count == 2)[edge]).reshape(-1, 2)
        a, b = facet[double].T
        return cls(signed_groups(copied, a, b, singles[edge[double[:, 0]]] % 2 == 1), edge, facet, singles)

    def votes(self, settled: Flags, stays: Flags) -> tuple[Ints, Flags]:
        """For each group the edges that want state True less those that want False; whether it borders on nothing.

        An edge votes when a single unsettled group uses it an odd number of times, and something else does.
        """
        group = self.groups.label[self.facet]
        is_settled = settled[group]
        value = np.where(is_settled, stays[self.facet], self.groups.is_odd[self.facet])
        known = self.singles + np.bincount(self.edge, value, minlength=len(self.singles)).astype(np.intp)
        uses = self.singles + np.bincount(self.edge, minlength=len(self.singles))
        names = len(settled)
        meeting, times = np.unique(self.edge[~is_settled] * names + group[~is_settled], return_counts=True)
        odd = times % 2 == 1
        edge, who, times = meeting[odd] // names, meeting[odd] % names, times[odd]
        alone = np.bincount(edge, minlength=len(uses))[edge] == 1
        voting = alone & (uses[edge] > times)
        ballot = np.where(known[edge] % 2 == 1, 1, -1)[voting]
        votes = np.bincount(who[voting], ballot, minlength=names).astype(np.intp)
        return votes, np.bincount(who, minlength=names) == 0

    def beside_removed(self, settled: Flags, stays: Flags) -> Flags:
        """Which groups share an edge with a facet that has been removed."""
        group = self.groups.label[self.facet]
        removed = settled[group] & ~stays[self.facet]
        near = np.bincount(self.edge[removed], minlength=len(self.singles)) > 0
        found = np.zeros(len(settled), bool)
        found[group[near[self.edge]]] = True
        return found
