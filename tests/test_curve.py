"""Loops and curves: polygons from arrays, boxes, maps."""

import math

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop
from massprops.core.section import section_integrals
from massprops.core.segments import Arc, Bezier, Polyline

HALF_DISC = Curve((Loop((Arc.circle([1.5, -0.5], 2, 0.3, math.pi),)),))


def test_loops_by_their_sizes():
    curve = Curve.from_loops([0, 4, 0, 1, 1, 2], [0, 0, 4, 1, 2, 1], [3, 3])
    assert [len(loop.vertices()) for loop in curve.loops] == [3, 3]
    start, end = curve.segments()
    assert end[2].tolist() == start[0].tolist()
    assert end[5].tolist() == start[3].tolist()


def test_sizes_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="add up to 5, not to 6"):
        Curve.from_loops(range(6), range(6), [3, 2])


def test_repeating_the_first_corner_changes_nothing():
    once = section_integrals(Curve.from_loops([0.1, 4, 0], [0, 0.2, 4]))
    twice = section_integrals(Curve.from_loops([0.1, 4, 0, 0.1], [0, 0.2, 4, 0]))
    assert once.moments.area == twice.moments.area
    assert once.perimeter == twice.perimeter


def test_the_box_reaches_the_sides_of_curved_segments():
    low, high = HALF_DISC.bounds()
    ends = [[1.5 + 2 * math.cos(a), -0.5 + 2 * math.sin(a)] for a in (0.3, 0.3 + math.pi)]
    np.testing.assert_allclose([low, high], [[-0.5, ends[1][1]], [ends[0][0], 1.5]], rtol=1e-15)
    low, high = HALF_DISC.extremes([math.cos(0.3), math.sin(0.3)])
    middle = 1.5 * math.cos(0.3) - 0.5 * math.sin(0.3)
    np.testing.assert_allclose([low, high], [middle - 2, middle + 2], rtol=1e-15)


def test_a_mirror_leaves_the_region_positive():
    before = section_integrals(HALF_DISC)
    after = section_integrals(HALF_DISC.mapped(np.diag([-1.0, 1.0]), np.array([0.5, 0])))
    assert float(after.moments.area) == pytest.approx(float(before.moments.area), rel=1e-15)
    assert float(after.moments.center[0]) == pytest.approx(0.5 - float(before.moments.center[0]), rel=1e-14)


def test_pieces_in_order():
    loop = Loop((Polyline(np.array([[0.0, 0], [1, 0]])), Bezier(np.array([[1.0, 0], [1, 1], [0, 0]]))))
    curve = Curve((loop,))
    assert [type(piece).__name__ for piece in curve.pieces()] == ["Polyline", "Bezier"]
    assert [type(piece).__name__ for piece in loop.reversed().pieces] == ["Bezier", "Polyline"]
    assert len(curve.curved()) == 1
