"""What is wrong with a surface that is not closed: how many edges, in how many loops, where, and what might help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from massprops.core.boundary import Boundary, Ints
from massprops.core.clusters import clusters
from massprops.core.surface import Floats
from massprops.core.tolerances import WELD_TOLERANCE, wide_enough
from massprops.errors import InconsistentWinding, MassPropsError, OpenSurface
from massprops.number_of import number_of
from massprops.remedy import Remedy

SHORTEST_EDGE_FRACTION = 0.9
"""A weld wider than this fraction of the shortest edge would close a facet instead of a crack."""

WIDEST_CRACK = 1e-3
"""A weld wider than this fraction of the diagonal is not advised where filling may do: the gap may be a wall."""

CRACK_OF_EDGE = 0.1
"""Nor is one wider than this fraction of the shortest edge beside the gap, unless it is within the default one."""

_MOSTLY = 0.5
"""But any is where more than this part of the facets beside the gaps are loose: filling would give each a back."""

_FEW = 0.5
"""A weld that leaves more than this part of the unbalanced edges is not advised."""

_APART = 4.0
"""Ratio of distances between which those across cracks are told from those along edges."""

_MANY, _NEARLY = 1000, 0.01
"""Of more distances than that, of those that are the same to 1 % only the largest is tried."""

_STEP, _STEPS = 1.1, 24
"""Widths beyond the largest distance to a nearest vertex are tried in steps of this factor, up to ten times as wide."""


@dataclass(frozen=True)
class Trial:
    """What a weld would do.

    Parameters
    ----------
    left : int
        Number of edges that are not balanced after it.
    folds : bool
        Whether somewhere it joins facets back to back, as the two sides of a wall are.
    """

    left: int
    folds: bool


def diagnose(
    boundary: Boundary, lower: Floats, upper: Floats, trial: Callable[[float], Trial] | None = None
) -> MassPropsError:
    """The verdict on a surface with unbalanced edges, as an exception to be raised.

    An edge with an odd number of uses lies on a boundary: the surface is open. An even number whose directions do
    not cancel means facets wound against their neighbours.

    Parameters
    ----------
    boundary : Boundary
        With at least one edge.
    lower, upper : ndarray, shape (3,)
        The surface's box; length.
    trial : callable, optional
        What `connect_nearby` with a tolerance does, asked before it is advised: the boundary alone does not show
        facets that a weld would spoil or fold, nor shorter edges elsewhere.
    """
    ends, uses, _ = boundary.undirected()
    is_open = uses % 2 == 1
    loops, longest = _loops(boundary, ends[is_open])
    with np.errstate(over="ignore"):  # lengths beyond a float64 are infinite, and no crack
        shortest = float(_lengths(boundary, ends).min())
        gap, left = _weld_gap(boundary, float(np.nextafter(SHORTEST_EDGE_FRACTION * shortest, 0)))
        diagonal = float(np.linalg.norm(upper - lower))
    gap = None if left else gap
    tried = None if gap is None or trial is None else trial(wide_enough(gap, diagonal))
    if tried is not None and tried.left:
        gap = None
    diagnosis = {
        "open_edges": int(is_open.sum()),
        "loops": loops,
        "inconsistent_edges": int((~is_open).sum()),
        "largest_gap": gap,
        "where": (boundary.vertices[longest] if loops else boundary.vertices[ends[0, 0]]).tolist(),
        "facets": [int(facet) + 1 for facet in np.unique(boundary.facets)[:10]],
    }
    if loops:
        fill = Remedy("fill_holes", with_sanitize=bool(diagnosis["inconsistent_edges"]) or _has_copies(boundary))
        if gap is None:
            weld, remedy = _partial_advice(boundary, shortest, diagonal, trial) or ("", fill)
        else:
            weld, remedy = _weld_advice(boundary, shortest, gap, diagonal, tried, fill)
        return OpenSurface(_open_message(diagnosis, weld), diagnosis, remedy)
    return InconsistentWinding(_inconsistent_message(boundary, diagnosis), diagnosis, Remedy("sanitize"))


def _open_message(diagnosis: dict[str, object], weld: str) -> str:
    edges = number_of(diagnosis["open_edges"], "boundary edge")
    where = f"{edges} in {number_of(diagnosis['loops'], 'loop')}, the longest near {_point(diagnosis['where'])}"
    return f"{where}; {weld}" if weld else where


def _weld_advice(
    boundary: Boundary, shortest: float, gap: float, diagonal: float, tried: Trial | None, fill: Remedy
) -> tuple[str, Remedy]:
    """What is said of the weld that closes the surface: to try it, or why rather to fill."""
    tolerance = wide_enough(gap, diagonal)
    is_wide = tolerance > WELD_TOLERANCE
    joining = _joining(gap, tolerance)
    loose = _loose_part(boundary)
    if loose < 1 and tried is not None and tried.folds:
        return f"{joining} would close it, but joins facets back to back, as the sides of a wall are", fill
    if loose <= _MOSTLY and is_wide and not (tolerance <= WIDEST_CRACK and gap <= CRACK_OF_EDGE * shortest):
        return f"{joining} {_verb(tried)} it,", replace(fill, weld_tolerance=tolerance)
    return f"{joining} {_verb(tried)} it:", Remedy("connect_nearby", tolerance, is_default=not is_wide)


def _partial_advice(
    boundary: Boundary, shortest: float, diagonal: float, trial: Callable[[float], Trial] | None
) -> tuple[str, Remedy] | None:
    """The same of a weld that closes most of it: what is left is easier to tell, and to fill. None where none does.

    Caps over the two sides of a crack may overlap, and those over loose facets are their backs.
    """
    every, loose = len(boundary.undirected()[0]), _loose_part(boundary)
    widest = SHORTEST_EDGE_FRACTION * shortest
    if loose <= _MOSTLY:
        widest = min(WIDEST_CRACK * diagonal, CRACK_OF_EDGE * shortest)
    widest = float(np.nextafter(widest, 0))
    with np.errstate(over="ignore"):
        for limit in _scales(_nearest(boundary, widest), widest):
            gap, left = _weld_gap(boundary, limit)
            if gap is not None and left <= _FEW * every:
                break
        else:
            return None
    tolerance = wide_enough(gap, diagonal)
    tried = None if trial is None else trial(tolerance)
    if tried is not None and (tried.left > _FEW * every or (tried.folds and loose < 1)):
        return None
    count = number_of(left if tried is None else tried.left, "edge")
    verb = _verb(tried)
    said = f"{_joining(gap, tolerance)} {verb} all but {count}:"
    return said, Remedy("connect_nearby", tolerance, is_default=tolerance <= WELD_TOLERANCE)


def _joining(gap: float, tolerance: float) -> str:
    share = f", {tolerance:.2g} of the diagonal," if tolerance > WELD_TOLERANCE else ""
    return f"joining vertices up to {gap:.3g} apart{share}"


def _verb(tried: Trial | None) -> str:
    return "may close" if tried is None else "closes"


def _loose_part(boundary: Boundary) -> float:
    """Part of the facets beside the boundary that have no neighbour: they could only be filled with themselves."""
    _, uses = np.unique(boundary.facets, return_counts=True)
    return float((uses == 3).mean())


def _has_copies(boundary: Boundary) -> bool:
    """Whether facets beside the boundary are there twice: then nothing may be missing, and the copies are to go."""
    order = np.argsort(boundary.facets, kind="stable")
    facets, edges = boundary.facets[order], boundary.edges[order]
    pair = np.flatnonzero(facets[1:] == facets[:-1])  # two edges of a facet have one corner in common, and all of them
    four = np.sort(np.concatenate([edges[pair], edges[pair + 1]], axis=1), axis=1)
    middle = np.where(four[:, 0] == four[:, 1], four[:, 2], four[:, 1])
    corners, first = np.unique(np.stack([four[:, 0], middle, four[:, 3]], axis=1), axis=0, return_inverse=True)
    named = np.unique(np.stack([first.ravel(), facets[pair]], axis=1), axis=0)
    return len(named) > len(corners)


def _inconsistent_message(boundary: Boundary, diagnosis: dict[str, object]) -> str:
    start = boundary.edges[0].min()
    end = boundary.edges[0].max()
    same = (boundary.edges.min(axis=1) == start) & (boundary.edges.max(axis=1) == end)
    pair = " and ".join(str(int(facet) + 1) for facet in boundary.facets[same][:2])
    edges = number_of(diagnosis["inconsistent_edges"], "edge")
    return (
        f"{edges} with facets wound against each other, the first between facets {pair} "
        f"near {_point(boundary.vertices[start].tolist())}"
    )


def _loops(boundary: Boundary, ends: Ints) -> tuple[int, int]:
    """Number of connected groups of open edges, and a vertex of the group with the most edges."""
    if len(ends) == 0:
        return 0, 0
    from scipy.sparse import coo_array  # 0.2 s: only for surfaces that are open
    from scipy.sparse.csgraph import connected_components

    count = len(boundary.vertices)
    graph = coo_array((np.ones(len(ends), bool), (ends[:, 0], ends[:, 1])), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    group = label[ends[:, 0]]
    names, edges = np.unique(group, return_counts=True)
    return len(names), int(ends[group == names[edges.argmax()], 0].min())


def _lengths(boundary: Boundary, ends: Ints) -> Floats:
    lengths: Floats = np.linalg.norm(boundary.vertices[ends[:, 0]] - boundary.vertices[ends[:, 1]], axis=1)
    return lengths


def _weld_gap(boundary: Boundary, limit: float) -> tuple[float | None, int]:
    """The smallest distance within which joining vertices closes as much as within ``limit``, and the edges left.

    None where no vertices are so close.
    """
    nearest = _nearest(boundary, limit)
    if len(nearest) == 0:
        return None, len(boundary.undirected()[0])
    # of a group all are joined only when the widest gap within it is: mostly a bit more than to the nearest
    wider = nearest[-1] * _STEP ** np.arange(1, 1 + _STEPS)
    widths = [*nearest.tolist(), *wider[wider < limit].tolist(), limit]

    def left(width: float) -> int:
        return len(boundary.renamed(clusters(boundary.vertices, width)).undirected()[0])

    fewest = left(limit)
    low, high, step = 0, len(widths) - 1, 1
    guess = len(nearest) - 1
    while guess > low and left(widths[guess]) <= fewest:  # it is mostly the widest, or nearly so
        high, guess, step = guess, guess - step, 2 * step
    low = guess + 1 if guess > low else low
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if left(widths[middle]) <= fewest else (middle + 1, high)
    return float(widths[low]), fewest


def _nearest(boundary: Boundary, limit: float) -> Floats:
    """Distances of vertices to the nearest other one, ascending, below ``limit``; of many, none nearly the same."""
    from scipy.spatial import cKDTree  # 0.2 s: only for surfaces that are open

    distances, _ = cKDTree(boundary.vertices).query(boundary.vertices, k=[2], distance_upper_bound=limit)
    found = np.unique(distances[np.isfinite(distances)])
    if len(found) > _MANY:
        found = found[np.append(np.diff(np.floor(np.log(found) / _NEARLY)) > 0, True)]
    return found


def _scales(nearest: Floats, limit: float) -> list[float]:
    """Widths, ascending, between distances of which the next is far larger: no weld within a crack ends there.

    >>> _scales(np.array([1.0, 2.0, 32.0, 50.0]), 60.0)
    [8.0, 60.0]
    """
    if len(nearest) == 0:
        return []
    ends = nearest[:-1][nearest[1:] >= _APART * nearest[:-1]]
    nexts = nearest[1:][nearest[1:] >= _APART * nearest[:-1]]
    last = float(np.sqrt(nearest[-1] * limit)) if limit >= _APART * nearest[-1] else limit
    return [*np.sqrt(ends * nexts).tolist(), last]


def _point(coordinates: object) -> str:
    assert isinstance(coordinates, list)
    return "(" + ", ".join(f"{x:.6g}" for x in coordinates) + ")"
