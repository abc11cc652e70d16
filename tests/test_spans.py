"""Spans, their evaluation, and the tree of boxes over them."""

import math

import numpy as np
import pytest

from massprops.core.boxtree import BoxTree
from massprops.core.curve import Curve, Loop, Shape
from massprops.core.outline import build_section
from massprops.core.piecetable import PieceTable
from massprops.core.segments import Arc, Bezier, Polyline, RationalBezier
from massprops.core.spans import spans_of

PIECES = [
    Polyline(np.array([[0.0, 0], [3, 0.5], [3, 2]])),
    Arc.from_bulge([3, 2], [1, 3], 0.9),
    Bezier(np.array([[1.0, 3], [0, 6], [-3, 1], [0, 1]])),
    RationalBezier(np.array([[0.0, 1], [4, 2], [-1, -5], [0, 0]]), np.array([1, 0.3, 2, 1])),
]
CURVE = Curve((Loop(tuple(PIECES)), Loop((Arc.ellipse([8, 8], [[2, 1], [-1, 0.5]]),))))
SPANS = spans_of(CURVE)


def test_spans_follow_each_other_and_close():
    np.testing.assert_allclose(SPANS.end, SPANS.start[SPANS.after()], atol=1e-15)
    assert SPANS.loop.tolist() == sorted(SPANS.loop)
    assert (SPANS.loop[SPANS.after()] == SPANS.loop).all()


def test_no_span_turns():
    s = np.linspace(0, 1, 101)
    for k in range(len(SPANS)):
        steps = np.diff(SPANS.at(np.full(101, k), s), axis=0)
        assert (steps.min(axis=0) * steps.max(axis=0) >= -1e-15).all()


def test_no_span_leaves_its_strip():
    s = np.linspace(0, 1, 101)
    for k in range(len(SPANS)):
        points = SPANS.at(np.full(101, k), s)
        chord = SPANS.end[k] - SPANS.start[k]
        normal = np.array([-chord[1], chord[0]]) / math.hypot(*chord)
        assert np.abs((points - SPANS.start[k]) @ normal).max() <= SPANS.bend[k] / 8 + 1e-15


def test_points_of_spans_are_those_of_the_pieces():
    table = PieceTable.of(PIECES[1:])
    index, t = np.array([2, 0, 1, 2]), np.array([0.3, 0.0, 0.7, 1.0])
    expected = [PIECES[1 + k].at(np.array([x]))[0] for k, x in zip(index, t, strict=True)]
    np.testing.assert_allclose(table.at(index, t), expected, atol=1e-15)


def test_corners_that_repeat_and_gaps():
    gap = Curve((Loop((Polyline(np.array([[0.0, 0], [0, 0], [1, 0], [1, 1]])),)),))
    assert spans_of(gap).end.tolist() == [[1, 0], [1, 1], [0, 0]]


def _brute_pairs(spans, slack):
    low, high = np.minimum(spans.start, spans.end), np.maximum(spans.start, spans.end)
    near = ((low[:, None] <= high[None] + slack) & (low[None] <= high[:, None] + slack)).all(axis=2)
    return {(i, j) for i, j in zip(*np.nonzero(near), strict=True) if i < j}


@pytest.mark.parametrize("count", [3, 8, 33, 200])
def test_the_tree_finds_all_close_pairs_but_steady_neighbours(count):
    rng = np.random.default_rng(count)
    points = np.cumsum(rng.normal(size=(count, 2)), axis=0)
    spans = spans_of(Curve.from_loops(*points.T, [3, count - 3] if count > 6 else None))
    found = {pair for one, two in BoxTree.of(spans).close_pairs(0.1) for pair in zip(one, two, strict=True)}
    missed = _brute_pairs(spans, 0.1) - found
    assert found <= _brute_pairs(spans, 0.1)
    step = np.sign(spans.end - spans.start)
    for i, j in missed:  # only along stretches that go one way
        assert spans.loop[i] == spans.loop[j]
        assert ((step[i : j + 1] == step[i]).all(axis=0) & (step[i] != 0)).any()


def test_a_steady_polygon_costs_almost_no_pairs():
    angle = np.linspace(0, 2 * np.pi, 5000, endpoint=False)
    spans = spans_of(Curve.from_loops(np.cos(angle), np.sin(angle)))
    assert sum(len(one) for one, _ in BoxTree.of(spans).close_pairs(1e-12)) < 50


@pytest.mark.parametrize("axis", [0, 1])
def test_rays_meet_the_boxes_ahead(axis):
    points = np.random.default_rng(1).normal(size=(20, 2)) * 3
    query, node = BoxTree.of(SPANS).ray_pairs(points, axis, 0.0)
    low, high = np.minimum(SPANS.start, SPANS.end), np.maximum(SPANS.start, SPANS.end)
    other = 1 - axis
    level = points[:, None, other]
    hit = (high[None, :, axis] >= points[:, None, axis]) & (low[None, :, other] <= level)
    hit &= level <= high[None, :, other]
    assert set(zip(query, node, strict=True)) == set(zip(*np.nonzero(hit), strict=True))


def test_rational_segments_of_degree_1_are_straight_lines():
    corners, weights = [[0.0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], [1.0, 1, 1, 2, 1]
    sides = (RationalBezier(np.array(corners[k : k + 2]), np.array(weights[k : k + 2])) for k in range(4))
    section = build_section([Shape.of(*sides)])
    assert float(section.integrals.moments.area) == pytest.approx(1, rel=1e-15)
    assert section.notices == ()
