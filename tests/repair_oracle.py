"""Damaged surfaces, and what counting edges one by one and rational arithmetic say about them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from massprops.core.orientation import Orientation, orientation
from massprops.core.surface import TriangleArray
from massprops.core.topology import edges_of, mesh_of
from tests.oracle import Triangles, box, l_prism, moved, reverse, rotation, star, tetrahedron, torus

TILT = rotation(9, 2, 4, 1)
"""A rotation about no axis of the frame."""


def surface(*parts: Triangles) -> TriangleArray:
    """Facets of several bodies as one surface."""
    return TriangleArray(np.concatenate(parts))


def volume(triangles: Triangles) -> Fraction:
    """Signed volume in rational arithmetic: the sum of the determinants of the corners, over six."""
    total = Fraction(0)
    for facet in np.asarray(triangles, float).tolist():
        a, b, c = ([Fraction(x) for x in corner] for corner in facet)
        total += sum(a[i] * (b[j] * c[k] - b[k] * c[j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    return total / 6


def boundary(triangles: Triangles) -> Counter[Any]:
    """Directed edges that are not balanced, with their multiplicity."""
    uses: Counter[Any] = Counter()
    for facet in (np.asarray(triangles, float) + 0.0).tolist():
        a, b, c = map(tuple, facet)
        for start, end in ((a, b), (b, c), (c, a)):
            uses[start, end] += 1
            uses[end, start] -= 1
    return Counter({edge: count for edge, count in uses.items() if count > 0 and edge[0] != edge[1]})


def facets(triangles: Triangles) -> Counter[Any]:
    """Facets with their winding, whichever corner comes first, as a multiset: what a surface is but for its order."""
    found: Counter[Any] = Counter()
    for facet in (np.asarray(triangles, float) + 0.0).tolist():
        corners = [tuple(corner) for corner in facet]
        first = corners.index(min(corners))
        found[tuple(corners[first:] + corners[:first])] += 1
    return found


def flipped(triangles: Triangles, which: Any) -> Triangles:
    """Some facets wound the other way, without changing their first corner."""
    result = triangles.copy()
    result[which] = result[which][:, [0, 2, 1]]
    return result


def area(triangles: Triangles) -> float:
    """Sum of the areas of all facets."""
    a, b, c = np.asarray(triangles, float).transpose(1, 0, 2)
    return 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


@st.composite
def bodies(draw: st.DrawFn) -> Triangles:
    """A polyhedron wound outwards, in a generic position."""
    kind = draw(st.sampled_from(["star", "tetrahedron", "box", "l", "torus"]))
    if kind == "star":
        radii = draw(st.lists(st.integers(6, 14), min_size=18, max_size=18))
        shape = star(2, [r / 10 for r in radii])
    else:
        shape = {
            "tetrahedron": tetrahedron(),
            "box": box((-1, -0.5, 0), (1, 2, 1.5)),
            "l": l_prism(1.25),
            "torus": torus(3.0, 1.0, 6, 5),
        }[kind]
    return moved(shape, TILT, draw(st.sampled_from([(0, 0, 0), (10, -20.5, 30.25), (0.1, 1 / 3, -7.7)])))


@st.composite
def nested(draw: st.DrawFn) -> list[Triangles]:
    """One to four bodies, the first three inside each other, the last one apart; wound solid, cavity, solid, solid."""
    shells = [box((-s, -s - 0.5, -s), (s, s, s + 0.25)) for s in (4.0, 2.5, 1.0)]
    shells[1] = reverse(shells[1])
    count = draw(st.integers(1, 3))
    found = shells[:count] + ([np.add(star(2, [1.0] * 18), (9.0, 0.5, -0.25))] if draw(st.booleans()) else [])
    return [moved(shell, TILT, (1.5, -3.0, 0.7)) for shell in found]


@st.composite
def damage(draw: st.DrawFn, triangles: Triangles, copies: bool = True) -> Triangles:
    """The same facets in another order and from another corner, some reversed, some there twice."""
    count = len(triangles)
    order = draw(st.permutations(range(count)))
    turned = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    result = flipped(triangles, np.array(turned))
    if copies:
        more = draw(st.lists(st.integers(0, count - 1), max_size=5, unique=True))
        ways = draw(st.lists(st.booleans(), min_size=len(more), max_size=len(more)))
        extra = flipped(triangles[more], np.array(ways, bool))
        result = np.concatenate([result[order], extra])
    else:
        result = result[order]
    shift = draw(st.integers(0, 2))
    return np.roll(result, shift, axis=1)


def oriented(triangles: Triangles) -> tuple[Triangles, Orientation]:
    """The same facets, some of them turned round, and why."""
    mesh = mesh_of(surface(triangles))
    found = orientation(mesh, edges_of(mesh.corners))
    return flipped(triangles, found.is_reversed), found


def dome(height: float, n: int = 7) -> Triangles:
    """A cone over a circle in the plane z = 0, without its base, facing upwards."""
    angle = 2 * np.pi * np.arange(n) / n
    rim = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return np.stack([rim, np.roll(rim, -1, axis=0), np.tile([0.1, 0.0, height], (n, 1))], axis=1)
