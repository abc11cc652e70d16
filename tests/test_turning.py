"""Curved segments cut where they turn: as each of them says, one by one."""

from __future__ import annotations

import numpy as np

from massprops.core.curve import Curve, Loop
from massprops.core.segments import Arc, Bezier, Polyline, RationalBezier
from massprops.core.spans import spans_of
from massprops.core.turning import steady


def _pieces(rng: np.random.Generator) -> list[Arc | Bezier | RationalBezier]:
    found: list[Arc | Bezier | RationalBezier] = []
    for count in (3, 4, 4, 6):
        points = rng.normal(size=(count, 2)) + 3
        found += [Bezier(points), RationalBezier(points[::-1], rng.uniform(0.5, 2, count))]
        found += [Arc.ellipse(points[0], points[1:3], rng.uniform(-4, 4), sweep) for sweep in (0.1, -4.0, 2 * np.pi)]
    return [found[k] for k in rng.permutation(len(found))]


def test_cuts_and_points_are_those_of_each_segment():
    for seed in range(20):
        pieces = _pieces(np.random.default_rng(seed))
        found = steady(pieces)
        low = 0
        for piece, count in zip(pieces, found.counts, strict=True):
            cuts, points = found.cuts[low : low + count + 1], found.points[low : low + count + 1]
            expected = np.unique([0.0, *piece.turns([1, 0]), *piece.turns([0, 1]), 1.0])
            assert cuts.tolist() == expected.tolist()
            assert points[[0, -1]].tolist() == [piece.start.tolist(), piece.end.tolist()]
            assert np.abs(points[1:-1] - piece.at(expected[1:-1])).max(initial=0.0) <= 1e-14
            low += count + 1
        assert low == len(found.cuts) == len(found.points)


def test_nothing_to_cut():
    found = steady([])
    assert len(found.counts) == len(found.cuts) == 0
    assert found.points.shape == (0, 2)


def test_runs_that_do_not_meet_are_joined_by_straight_spans():
    line = Polyline(np.array([[0.5, 0.25], [4.0, 0.25]]))
    arc = Arc.circle([4.0, 1.25], 0.75, -np.pi / 2, np.pi / 2)
    triangle = Polyline(np.array([[9.0, 0.0], [10.0, 0.5], [9.0, 1.5]]))
    spans = spans_of(Curve((Loop((line, arc)), Loop((triangle,)), Loop((arc, line)))))
    assert spans.loop.tolist() == [0] * 4 + [1] * 3 + [2] * 4
    assert spans.piece.tolist() == [-1, -1, 0, -1, -1, -1, -1, 1, -1, -1, -1]
    assert (spans.start == spans.end[np.argsort(spans.after())]).all()
    assert spans.start[1].tolist() == [4.0, 0.25]
    assert (spans.start[3] == arc.end).all()
