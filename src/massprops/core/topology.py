"""Which facets meet where: vertices, compared by their exact coordinates, and the edges between them.

For steps that must see a whole surface at once. Everything is found by sorting, never facet by facet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from massprops.core.closure import VertexHasher
from massprops.core.points import distinct_points
from massprops.core.surface import Block, Floats, Surface, triangle_array
from massprops.core.workers import map_blocks

Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Mesh:
    """Facets as triples of vertex numbers.

    Parameters
    ----------
    vertices : ndarray, shape (m, 3)
        Distinct points, -0 written as 0; length. Their order depends on the coordinates alone.
    corners : ndarray of int, shape (n, 3)
        The vertices of each facet, in its order.
    """

    vertices: Floats
    corners: Ints

    def in_unit_box(self) -> tuple[Mesh, int]:
        """The same with coordinates from -1 to 1, and the power of two that they were divided by."""
        points, exponent = in_unit_box(self.vertices)
        return Mesh(points, self.corners), exponent


@dataclass(frozen=True)
class Edges:
    """The edges of some facets. Half-edge ``3 f + k`` is the side of facet f from its corner k to the next one.

    Parameters
    ----------
    half : ndarray of int, shape (3 n,)
        All half-edges, those of one edge side by side.
    starts : ndarray of int, shape (e + 1,)
        Edge i owns the entries ``starts[i]`` up to ``starts[i + 1]`` of the arrays per half-edge.
    ends : ndarray of int, shape (e, 2)
        The two vertices of each edge, the lower number first.
    sign : ndarray of int, shape (3 n,)
        Beside ``half``: 1 where it runs from the lower vertex to the higher, otherwise -1.
    """

    half: Ints
    starts: Ints
    ends: Ints
    sign: NDArray[np.int8]

    @cached_property
    def uses(self) -> Ints:
        """How many facets use each edge."""
        return np.diff(self.starts)

    @cached_property
    def net(self) -> Ints:
        """Uses of each edge along it less those against it; 0 where it is balanced."""
        total = np.concatenate([[0], np.cumsum(self.sign, dtype=np.intp)])
        return np.asarray(np.diff(total[self.starts]))

    @property
    def facet(self) -> Ints:
        """Beside ``half``: the facet it belongs to."""
        return self.half // 3

    @cached_property
    def edge(self) -> Ints:
        """Beside ``half``: the edge it belongs to."""
        return np.repeat(np.arange(len(self.uses)), self.uses)


def in_unit_box(points: Floats) -> tuple[Floats, int]:
    """Points divided by a power of two, without error, so that products of their coordinates do not overflow.

    >>> points, exponent = in_unit_box(np.array([[3.0, 0.0, -6.0]]))
    >>> points.tolist(), exponent
    ([[0.375, 0.0, -0.75]], 3)
    """
    _, exponent = np.frexp(np.abs(points).max(initial=0.0))
    return np.ldexp(points, -int(exponent)), int(exponent)


def mesh_of(surface: Surface) -> Mesh:
    """Number the vertices of a surface whose coordinates are finite.

    Examples
    --------
    >>> from massprops.core.surface import TriangleArray
    >>> square = np.array([[[0.0, 0, 0], [1, 0, 0], [1, 1, 0]], [[-0.0, 0, 0], [1, 1, 0], [0, 1, 0]]])
    >>> mesh = mesh_of(TriangleArray(square))
    >>> len(mesh.vertices), bool((mesh.vertices[mesh.corners] == square).all())
    (4, True)
    """
    points = triangle_array(surface).reshape(-1, 3)
    key = _vertex_hashes(surface)
    order = np.argsort(key)
    first, number = _groups(key, order)
    vertices = points[first]
    if (np.take(vertices, number, axis=0) != points).any():  # points that share a hash: sort the coordinates instead
        vertices, number = distinct_points(points + points.dtype.type(0))
    return Mesh(vertices.astype(np.float64) + 0.0, number.reshape(-1, 3))


def _vertex_hashes(surface: Surface) -> NDArray[np.uint64]:
    def hasher() -> Callable[[Block], NDArray[np.uint64]]:
        hashes = VertexHasher()
        return lambda block: hashes(block)[0].T.copy()

    parts = map_blocks(surface, hasher)
    return np.concatenate(parts).ravel() if parts else np.empty(0, np.uint64)


def _groups(key: NDArray[np.uint64], order: Ints) -> tuple[Ints, Ints]:
    """One member of each group of equal keys, groups ascending, and the group of each key."""
    ranked = key[order]
    is_new = np.ones(len(key), bool)
    is_new[1:] = ranked[1:] != ranked[:-1]
    number = np.empty(len(key), np.intp)
    number[order] = np.cumsum(is_new) - 1
    return order[is_new], number


def edges_of(corners: Ints) -> Edges:
    """The edges of facets with three distinct corners each.

    Examples
    --------
    >>> edges = edges_of(np.array([[0, 1, 2], [0, 2, 3]]))
    >>> edges.ends.tolist(), edges.uses.tolist(), edges.net.tolist()
    ([[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]], [1, 2, 1, 1, 1], [1, 0, -1, 1, 1])
    """
    start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    count = int(corners.max(initial=0)) + 1  # below 2^32, or the surface would not fit into memory
    key = low * count + high
    half = np.argsort(key)
    ranked = key[half]
    is_new = np.ones(len(key), bool)
    is_new[1:] = ranked[1:] != ranked[:-1]
    starts = np.append(np.flatnonzero(is_new), len(key))
    first = ranked[starts[:-1]]
    sign = np.where(start < end, 1, -1).astype(np.int8)[half]
    return Edges(half, starts, np.stack([first // count, first % count], axis=1), sign)


def is_proper(corners: Ints) -> Flags:
    """Which facets have three distinct corners; the others have no boundary and no area."""
    a, b, c = corners.T
    return np.asarray((a != b) & (b != c) & (c != a))


def components(count: int, a: Ints, b: Ints) -> Ints:
    """Group the nodes 0 .. count - 1 that are joined by the links ``a[i]`` - ``b[i]``; the group of each node.

    >>> components(4, np.array([0, 3]), np.array([2, 3])).tolist()
    [0, 1, 0, 2]
    """
    from scipy.sparse import coo_array  # 0.2 s: only for surfaces that are to be repaired
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(a), bool), (a, b)), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    return np.asarray(label, np.intp)


@dataclass(frozen=True)
class SignedGroups:
    """Nodes grouped by links, each of which says whether its ends are alike or opposite.

    Parameters
    ----------
    label : ndarray of int, shape (count,)
        The group of each node.
    is_odd : ndarray of bool, shape (count,)
        Within a group, nodes with the same value are alike, others opposite.
    is_consistent : ndarray of bool, shape (groups,)
        Whether all links of a group can be satisfied at once.
    """

    label: Ints
    is_odd: Flags
    is_consistent: Flags


def signed_groups(count: int, a: Ints, b: Ints, opposite: Flags) -> SignedGroups:
    """Satisfy links ``a[i]`` - ``b[i]`` whose ends are ``opposite[i]`` or alike.

    Every node is doubled into its two states; a link joins the states that go together. A group that cannot be
    satisfied has both states of a node in one component.

    Examples
    --------
    >>> found = signed_groups(3, np.array([0, 1]), np.array([1, 2]), np.array([True, False]))
    >>> found.is_odd.tolist(), found.is_consistent.tolist()
    ([False, True, True], [True])
    >>> signed_groups(2, np.array([0, 0]), np.array([1, 1]), np.array([True, False])).is_consistent.tolist()
    [False]
    """
    alike = components(count, a[~opposite], b[~opposite])  # most links: keep the doubled graph small
    m = int(alike.max(initial=-1)) + 1
    p, q = alike[a[opposite]], alike[b[opposite]]
    state = components(2 * m, np.concatenate([p, p + m]), np.concatenate([q + m, q]))
    one, other = state[:m], state[m:]
    names, label = np.unique(np.minimum(one, other), return_inverse=True)
    consistent = np.ones(len(names), bool)
    consistent[label[one == other]] = False
    return SignedGroups(label[alike], (one > other)[alike], consistent)
