"""Many arcs, and segments of many splines, at once: as one by one."""

import math

import numpy as np
import pytest

from massprops.core.arc import Arc, arc_ends, arc_parts, arcs, bulged
from massprops.core.bernstein import bezier_segments, segments_of_splines
from massprops.core.curve import Shape
from massprops.core.outline import build_section
from massprops.core.segments import Polyline

RNG = np.random.default_rng(11)
COUNT = 50
CENTER, AXES = RNG.normal(size=(COUNT, 2)), RNG.normal(size=(COUNT, 2, 2))
BEGIN, SWEEP = RNG.uniform(-7, 7, COUNT).tolist(), [*RNG.uniform(-6, 6, COUNT - 2).tolist(), 2 * math.pi, -2 * math.pi]
ENDS = arc_ends(CENTER, AXES, BEGIN, SWEEP)
MANY = arcs(CENTER, AXES, BEGIN, SWEEP, ENDS)


def numbers(arc):
    return [arc.center.tolist(), arc.axes.tolist(), arc.begin, arc.sweep, arc.ends.tolist()]


def test_many_arcs_are_those_one_by_one():
    one_by_one = [Arc.ellipse(*row) for row in zip(CENTER, AXES, BEGIN, SWEEP, strict=True)]
    assert [numbers(arc) for arc in MANY] == [numbers(arc) for arc in one_by_one]
    assert (ENDS[-2:, 0] == ENDS[-2:, 1]).all()


def test_many_parts_are_those_one_by_one():
    first = RNG.choice([0.0, 0.125, 0.3], COUNT)
    last = RNG.choice([1.0, 0.75, 0.6], COUNT)
    found = arc_parts((CENTER, AXES, np.array(BEGIN), np.array(SWEEP), ENDS), first, last)
    for arc, part, a, z in zip(MANY, found, first.tolist(), last.tolist(), strict=True):
        expected = arc.part(a, z)
        assert (part.begin, part.sweep) == (expected.begin, expected.sweep)
        assert np.abs(part.ends - expected.ends).max() <= 1e-14
        assert a > 0 or (part.ends[0] == arc.ends[0]).all()
        assert z < 1 or (part.ends[1] == arc.ends[1]).all()


@pytest.mark.parametrize("bulge", [1.0, -1.0, 0.25, -3.0, 1e-6])
def test_bulges(bulge):
    start, end = RNG.normal(size=(4, 2)), RNG.normal(size=(4, 2))
    center, axes, sweep = bulged(start, end, np.full(4, bulge))
    radius = np.hypot(*(end - start).T) * (1 + bulge**2) / (4 * abs(bulge))
    assert np.hypot(*(start - center).T) == pytest.approx(radius, rel=1e-12)
    assert np.hypot(*(end - center).T) == pytest.approx(radius, rel=1e-9)
    assert sweep == [4 * math.atan(bulge)] * 4
    for k, arc in enumerate(arcs(center, axes, [0.0] * 4, sweep, np.stack([start, end], axis=1))):
        assert numbers(arc) == numbers(Arc.from_bulge(start[k], end[k], bulge))


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_segments_of_many_splines(degree):
    counts = degree + RNG.integers(1, 6, 20)
    points = [RNG.normal(size=(n, 3)) for n in counts]
    knots = [np.sort(RNG.integers(0, 4, n + degree + 1)).astype(float) for n in counts]
    for spline in knots:
        spline[: degree + 1], spline[-degree - 1 :] = 0, 4
    segments, numbers_ = segments_of_splines(np.concatenate(points), np.concatenate(knots), counts, degree)
    expected = [bezier_segments(p, k, degree) for p, k in zip(points, knots, strict=True)]
    assert numbers_.tolist() == [len(each) for each in expected]
    assert segments.tolist() == [segment.tolist() for each in expected for segment in each]


@pytest.mark.parametrize("bulge", [1e-16, 1e-76, -1e-200, 5e-324])
def test_a_bulge_too_small_to_be_seen_is_a_straight_line(bulge):
    start, end = np.array([3.0, -1]), np.array([4.0, 1])
    arc = Arc.from_bulge(start, end, bulge)
    assert arc.ends.tolist() == [start.tolist(), end.tolist()]
    assert math.copysign(1, arc.sweep) == math.copysign(1, bulge)
    others = np.array([[4.0, 1], [0, 3], [3, -1]])
    section = build_section([Shape.of(arc, Polyline(others))])
    assert float(section.integrals.moments.area) == pytest.approx(5, rel=1e-14)
