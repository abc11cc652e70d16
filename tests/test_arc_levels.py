"""Sides told in closed form are those that the search for the level tells."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.arc_levels import plain_sides
from massprops.core.curve import Curve, Loop
from massprops.core.levels import parameter_at
from massprops.core.segments import Arc, Bezier, Polyline
from massprops.core.selfcrossing import tolerance_of
from massprops.core.spans import Spans, spans_of


def _arcs(rng: np.random.Generator, far: float, thin: float) -> Spans:
    loops = []
    for _ in range(20):
        p, q = rng.normal(size=(2, 2))
        axes = [p, thin * q + (rng.random() < 0.5) * p]
        sweep = rng.choice([-1, 1]) * rng.uniform(0.05, 2 * np.pi)
        loops.append(Loop((Arc.ellipse(rng.normal(size=2) + far, axes, rng.uniform(-7, 7), sweep),)))
    return spans_of(Curve(tuple(loops)))


def _levels(rng: np.random.Generator, spans: Spans, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Curved spans, and levels within them: anywhere, and close to their ends."""
    index = rng.choice(np.flatnonzero(spans.piece >= 0), 1500)
    a, b = spans.start[index, 1 - axis], spans.end[index, 1 - axis]
    level = a + rng.choice([0, 1e-17, 1e-12, 1e-6, 0.5, 1 - 1e-12, 1], len(a)) * rng.random(len(a)) * (b - a)
    passed = (np.minimum(a, b) <= level) & (level < np.maximum(a, b))
    return index[passed], level[passed]


@pytest.mark.parametrize("far", [0.0, 1e3, 1e9])
@pytest.mark.parametrize("thin", [1.0, 1e-3, 1e-9])
@pytest.mark.parametrize("axis", [0, 1])
def test_sides_are_those_of_the_exact_place(far, thin, axis):
    rng = np.random.default_rng(5)
    spans = _arcs(rng, far, thin)
    tolerance = tolerance_of(spans)
    index, level = _levels(rng, spans, axis)
    place = far + rng.normal(size=len(index))
    beyond, before = plain_sides(spans, index, axis, level, place, tolerance)
    gap = spans.at(index, parameter_at(spans, index, np.full(len(index), 1 - axis), level))[:, axis] - place
    assert (gap[beyond] > tolerance).all()
    assert (gap[before] < -tolerance).all()
    assert thin < 1 or far > 1e3 or (beyond | before).mean() > 0.9


def test_only_arcs_are_plain():
    line = Polyline(np.array([[0.0, 0.0], [1.0, 2.0]]))
    bend = Bezier(np.array([[1.0, 2.0], [3.0, 4.0], [4.0, 9.0]]))
    for loop in (Loop((line, bend)), Loop((line, bend, Arc.from_bulge([4.0, 9.0], [0.0, 0.0], 0.25)))):
        spans = spans_of(Curve((loop,)))
        index = np.flatnonzero(np.arange(len(spans)) < 2)
        level = (spans.start[index, 1] + spans.end[index, 1]) / 2
        beyond, before = plain_sides(spans, index, 0, level, np.full(2, -50.0), 1e-12)
        assert not beyond.any()
        assert not before.any()
