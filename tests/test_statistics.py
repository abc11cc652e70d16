"""Statistics of any surface: edges counted one by one, volume only where there is one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import statistics as module
from massprops.core.affine_map import AffineMap
from massprops.core.statistics import edge_statistics, statistics
from massprops.core.surface import BLOCK, TriangleArray
from massprops.errors import Empty, NonFinite
from massprops.motion import motion

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"
VERTICES = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [-0.0, 0.5, 3], [1, 1, 1]])
IDENTITY = AffineMap.identity()


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    ends = np.array([lower, upper], float)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


BODY = box((10, 20, 30), (12, 23, 35))


def counted(triangles: np.ndarray) -> tuple[tuple[int, int, int], int]:
    edges = [
        [frozenset([p, q]) for p, q in ((a, b), (b, c), (c, a)) if p != q]
        for a, b, c in (map(tuple, facet) for facet in (triangles + 0.0).tolist())
    ]
    uses = Counter(edge for facet in edges for edge in facet)
    own = Counter(sum(uses[edge] == 1 for edge in facet) for facet in edges)
    return (own[1], own[2], own[3]), sum(count > 2 for count in uses.values())


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=16), st.sampled_from([1 << 23, 1, 7]))
def test_edges_are_those_counted_one_by_one_in_any_passes(soup: list[tuple[int, int, int]], some: int) -> None:
    triangles = VERTICES[np.array(soup)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_EDGES_A_PASS", some)
        assert edge_statistics(TriangleArray(triangles)) == counted(triangles)


def test_edges_over_several_blocks() -> None:
    many = np.concatenate([BODY + [3.0 * k, 0, 0] for k in range(BLOCK // 6)])  # noqa: RUF005 (a sum)
    assert edge_statistics(TriangleArray(many)) == ((0, 0, 0), 0)
    assert edge_statistics(TriangleArray(np.delete(many, [0, BLOCK], axis=0)))[0][0] in (5, 6)


def test_a_body() -> None:
    found = statistics(TriangleArray(BODY), IDENTITY)
    assert (found.facets, found.volume, found.verdict) == (12, 30, "ok")
    assert found.centroid.tolist() == [11, 21.5, 32.5]
    assert found.bounds.tolist() == [[10, 20, 30], [12, 23, 35]]
    assert found.area == 62
    assert (found.disconnected, found.non_manifold_edges) == ((0, 0, 0), 0)


@pytest.mark.parametrize(("triangles", "verdict"), [
    (np.delete(BODY, [10, 11], axis=0), "open"), (BODY[:, [0, 2, 1]], "inside_out"),
    (np.concatenate([BODY[:2], BODY[:2, [0, 2, 1]]]), "zero_volume"),
    (np.concatenate([BODY[:1, [0, 2, 1]], BODY[1:]]), "inconsistent"),
])  # fmt: skip
def test_without_a_volume_there_is_a_verdict(triangles: np.ndarray, verdict: str) -> None:
    found = statistics(TriangleArray(triangles), IDENTITY)
    a, b, c = triangles.transpose(1, 0, 2)
    assert found.verdict == verdict
    assert found.volume is None
    assert found.centroid is None
    assert found.area == pytest.approx(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum(), rel=1e-14)
    assert found.bounds.tolist() == [triangles.min(axis=(0, 1)).tolist(), triangles.max(axis=(0, 1)).tolist()]


def test_they_are_those_of_the_mapped_surface() -> None:
    found = statistics(TriangleArray(BODY), motion(resize=(-2, 1, 1), translate=(1, 2, 3)))
    assert found.volume == 60
    assert found.centroid.tolist() == [-21, 23.5, 35.5]
    assert found.bounds.tolist() == [[-23, 22, 33], [-19, 25, 38]]
    assert found.area == 2 * (4 * 3 + 3 * 5 + 5 * 4)


def test_nothing_can_be_said_of_nothing() -> None:
    with pytest.raises(Empty):
        statistics(TriangleArray(np.empty((0, 3, 3))), IDENTITY)
    with pytest.raises(NonFinite):
        statistics(TriangleArray(BODY * np.nan), IDENTITY)


def test_hairlines_are_closed_unless_refused() -> None:
    triangles = BODY.astype(np.float32)
    triangles[2, (BODY[2] == BODY.max(axis=(0, 1))).all(axis=1), 2] += np.spacing(np.float32(35))
    assert statistics(TriangleArray(triangles), IDENTITY).verdict == "ok"
    assert statistics(TriangleArray(triangles), IDENTITY, exact=True).verdict == "open"
