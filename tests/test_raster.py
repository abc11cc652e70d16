"""Counting little squares."""

import math

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop
from massprops.core.raster import count_squares
from massprops.core.section import section_moments
from massprops.core.segments import Arc, Bezier, Polyline

RING = Curve((Loop((Arc.circle([3.1, 4.2], 1.3, 0.2),)), Loop((Arc.circle([3.4, 4.3], 0.4, 0.2, -2 * math.pi),))))
PROFILE = Curve(
    (
        Loop(
            (
                Polyline(np.array([[0.1, 0], [3, 0.5], [3.2, 2]])),
                Arc.from_bulge([3.2, 2], [1, 3], 0.9),
                Bezier(np.array([[1.0, 3], [0, 6], [-3, 1], [0.1, 0]])),
            )
        ),
    )
)


def errors(curve, side):
    moments, counted = section_moments(curve), count_squares(curve, side)
    second = moments.central_second
    polar = float(second[0, 0] + second[1, 1])
    return [
        abs(counted.area / float(moments.area) - 1),
        float(np.abs(counted.center - moments.center.astype(float)).max()),
        abs(counted.polar_moment / polar - 1),
    ]


def test_whole_squares_are_counted_exactly():
    counted = count_squares(Curve.from_loops([0, 3, 3, 1, 1, 0], [0, 0, 1, 1, 3, 3]), side=3)
    assert counted.squares == 5
    assert counted.center.tolist() == [1.1, 1.1]
    assert counted.polar_moment == pytest.approx(sum((u - 1.1) ** 2 + (v - 1.1) ** 2 for u, v in
        [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5), (0.5, 1.5), (0.5, 2.5)]))  # fmt: skip


@pytest.mark.parametrize("curve", [RING, PROFILE])
def test_the_count_converges(curve):
    coarse, middle, fine = (np.array(errors(curve, side)) for side in (48, 384, 3072))
    assert (fine < 5e-5).all()
    assert fine.sum() < middle.sum() < coarse.sum()


def test_holes_and_what_is_enclosed_twice():
    u, v = [0, 4, 4, 0, 1, 1, 2, 2], [0, 0, 4, 4, 1, 2, 2, 1]
    assert count_squares(Curve.from_loops(u, v, [4, 4]), side=4).squares == 15
    twice = Curve.from_loops([0, 2, 2, 0, 1, 3, 3, 1], [0, 0, 2, 2, 1, 1, 3, 3], [4, 4])
    assert count_squares(twice, side=3).squares == 8


def test_a_curve_far_away():
    curve = RING.mapped(np.eye(2), np.array([1e6, -1e6]))
    counted, near = count_squares(curve), count_squares(RING)
    assert counted.area == pytest.approx(near.area, rel=1e-5)
    np.testing.assert_allclose(counted.center - [1e6, -1e6], near.center, atol=1e-5)


def test_many_long_edges_and_nothing_at_all(monkeypatch):
    monkeypatch.setattr("massprops.core.raster._ROWS", 100)
    assert max(errors(PROFILE, 300)) < 1e-2
    assert count_squares(Curve.from_loops([1, 1, 1], [2, 2, 2])).squares == 0
    assert count_squares(Curve.from_loops([1, 2, 3], [2, 2, 2])).squares == 0
