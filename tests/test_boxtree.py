"""Boxes over spans: rays that leave out loops which begin beyond their start."""

import numpy as np
import pytest

from massprops.core.boxtree import BoxTree
from massprops.core.curve import Curve, Loop
from massprops.core.segments import Arc
from massprops.core.spans import spans_of


def some_loops(rng, count):
    centers, radii = rng.uniform(-5, 5, (count, 2)), rng.uniform(0.1, 3, count)
    return Curve(tuple(Loop((Arc.circle(c, r, rng.uniform(0, 6)),)) for c, r in zip(centers, radii, strict=True)))


def windings(spans, tree, points, axis, beginnings):
    """Sums of the rises and falls that rays from points pass, by point and loop."""
    query, span = tree.ray_pairs(points, axis, 0.0, beginnings)
    a, b = spans.start[span], spans.end[span]
    level, across = points[query, 1 - axis], 1 - axis
    low, high = np.minimum(a[:, across], b[:, across]), np.maximum(a[:, across], b[:, across])
    beyond = np.minimum(a[:, axis], b[:, axis]) > points[query, axis]
    sign = np.sign(b[:, across] - a[:, across]) * (low <= level) * (level < high) * beyond
    found = np.zeros((len(points), spans.loop[-1] + 1))
    np.add.at(found, (query, spans.loop[span]), sign)
    return found, len(query)


@pytest.mark.parametrize("count", [2, 3, 5, 16, 33])
@pytest.mark.parametrize("axis", [0, 1])
def test_loops_left_out_have_no_winding(count, axis):
    rng = np.random.default_rng(count)
    spans = spans_of(some_loops(rng, count))
    tree, points = BoxTree.of(spans), rng.uniform(-9, 9, (50, 2))
    beginnings = tree.beginnings(spans.loop)
    lowest = np.array([spans.start[spans.loop == k].min(axis=0) for k in range(count)])[:, axis]
    every, looked_at = windings(spans, tree, points, axis, None)
    fewer, left = windings(spans, tree, points, axis, beginnings)
    begins_beyond = lowest[None] > points[:, axis, None]
    assert (every[begins_beyond] == 0).all()
    assert (fewer == every).all()
    assert left < looked_at
    query, span = tree.ray_pairs(points, axis, 0.0, beginnings)
    assert not begins_beyond[query, spans.loop[span]].any()


def test_levels_of_beginnings_are_those_of_the_tree():
    spans = spans_of(some_loops(np.random.default_rng(1), 7))
    tree = BoxTree.of(spans)
    assert [x.shape for x in tree.beginnings(spans.loop)] == [(2, level.box.shape[1]) for level in tree.levels]
