"""Curves that run along each other: arcs in closed form, all others by the polynomial of their difference."""

import math

import numpy as np
import pytest

from massprops.core.arc_contacts import arc_contacts
from massprops.core.boxtree import BoxTree
from massprops.core.curve import Curve, Loop, Path, Shape
from massprops.core.levels import nearest_parameter, passing
from massprops.core.outline import build_section
from massprops.core.section_errors import SelfIntersecting
from massprops.core.segments import Arc, Bezier, Polyline
from massprops.core.selfcrossing import contacts, tolerance_of
from massprops.core.spans import spans_of

KAPPA = 4 * (math.sqrt(2) - 1) / 3


def circle(u, v, radius, begin=0.4):
    return (Arc.circle([u, v], radius, begin),)


def ellipse(u, v, size, begin=0.4):
    return (Arc.ellipse([u, v], size * np.array([[1.2, 0.5], [-0.2, 0.48]]), begin),)


def cubics(u, v, radius, turn=0.0):
    """Four cubics, nearly a circle."""
    quarter = radius * np.array([[1, 0], [1, KAPPA], [KAPPA, 1], [0, 1]])
    c, s = math.cos(turn), math.sin(turn)
    rows = [quarter @ np.array([[c, s], [-s, c]]) + [u, v]]
    for _ in range(3):
        rows.append((rows[-1] - [u, v]) @ np.array([[0.0, 1], [-1, 0]]) + [u, v])
    for row, following in zip(rows, rows[1:] + rows[:1], strict=True):
        row[-1] = following[0]
    return tuple(Bezier(row) for row in rows)


def section(*loops, **options):
    return build_section([Shape((Path(tuple(pieces)),)) for pieces in loops], **options)


def area(*loops, **options):
    return float(section(*loops, **options).integrals.moments.area)


@pytest.mark.parametrize("draw", [circle, ellipse, cubics])
@pytest.mark.parametrize("gap", [1e-10, 1e-8, 1e-6])
def test_loops_a_hair_within_each_other_are_a_rim(draw, gap):
    radii = [1.5 + k * gap for k in range(12)]
    loops = [draw(1.1, 5.2, radius) for radius in radii]
    found = section(*loops)
    told = [(notice.code, notice.details) for notice in found.notices]
    assert told == ([("duplicate", {"loops": 11})] if gap < 1e-7 else [])
    one = area(draw(1.1, 5.2, 1.0))
    expected = one * sum((b - a) * (b + a) for a, b in zip(radii[::2], radii[1::2], strict=True))
    assert float(found.integrals.moments.area) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("draw", [circle, ellipse, cubics])
@pytest.mark.parametrize("shift", [0, 1e-15, 1e-13, 1e-12, 3e-12, 1e-11, 1e-9, 1e-7])
def test_loops_shifted_by_a_hair_overlap(draw, shift):
    """Those that differ by less than the tolerance are one loop, drawn more than once; the others overlap."""
    turns = [() if draw is cubics else (0.4 + k,) for k in range(6)]
    loops = [draw(1.1 + k * shift, 5.2 - 0.3 * k * shift, 1.5, *turns[k]) for k in range(6)]
    found = section(*loops)
    one = area(loops[0])
    told = {notice.code: notice.details for notice in found.notices}
    assert ("duplicate" in told, "overlap" in told) == (shift < 1e-11, shift > 1e-12)
    union = told.get("overlap", {}).get("union")
    assert union is None or union == pytest.approx(one, rel=1e-6)
    counted = len(found.curve.loops)
    assert counted == (1 if shift <= 1e-12 else 6) or 1e-12 < shift < 1e-11
    assert float(found.integrals.moments.area) == pytest.approx(counted * one, rel=1e-12)


def test_cubics_that_cross_at_a_tiny_angle_are_cut_where_they_cross():
    shift = 1e-6
    found = section(cubics(0, 0, 1), cubics(shift, 0, 1))
    one = area(cubics(0, 0, 1))
    assert found.notices[0].details["union"] - one == pytest.approx(2 * shift, rel=1e-6)  # height times the shift


def test_overlapping_sectors_of_a_disc():
    def sector(begin):
        arc = Arc.circle([1, 5], 1.5, begin, 1.0)
        return (arc, Polyline(np.array([arc.end, [1, 5], arc.start])))

    found = section(*(sector(0.13 * k) for k in range(8)))
    assert found.notices[0].details["union"] == pytest.approx(1.5**2 / 2 * (1 + 7 * 0.13), rel=1e-12)


def met(*loops):
    spans = spans_of(Curve(tuple(Loop(pieces) for pieces in loops)))
    pairs = np.triu_indices(len(spans), 1)
    return spans, *arc_contacts(spans, *pairs, tolerance_of(spans))


def test_similar_ellipses_are_settled_in_closed_form():
    spans, settled, found = met(ellipse(0, 0, 1), ellipse(0.7, 0.2, 1.3, 2.0))
    assert settled.all()
    points = spans.at(found.one, found.s)
    np.testing.assert_allclose(points, spans.at(found.two, found.t), atol=1e-12)
    crossing = points[spans.loop[found.one] != spans.loop[found.two]]
    assert len(crossing) == 2
    inverse = np.linalg.inv(np.array([[1.2, 0.5], [-0.2, 0.48]]))
    np.testing.assert_allclose(np.hypot(*(crossing @ inverse).T), 1, rtol=1e-12)


def test_other_ellipses_and_flat_ones_are_left():
    flat = (Arc.ellipse([0, 0], [[1, 0], [0, 1e-4]]),)
    for loops in ((ellipse(0, 0, 1), circle(0, 0, 1)), (flat, flat)):
        spans, settled, _ = met(*loops)
        assert not settled[: len(spans) // 2].all()


def test_pairs_without_arcs_are_left():
    _, settled, found = met(cubics(0, 0, 1), cubics(1, 0, 1))
    assert not settled.any()
    assert len(found.one) == 0


def test_what_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("massprops.core.selfcrossing._MOST_PARTS", 100)
    monkeypatch.setattr("massprops.core.selfcrossing._PARTS_A_PAIR", 1)
    spans = spans_of(Curve((Loop(cubics(0, 0, 1)), Loop(cubics(1e-9, 0, 1)))))
    with pytest.raises(SelfIntersecting, match="run so close along each other, near"):
        list(contacts(spans, BoxTree.of(spans), tolerance_of(spans)))


def test_a_level_is_passed_where_the_span_says():
    spans = spans_of(Curve((Loop(cubics(0.3, -0.2, 1.5)),)))
    index = np.arange(len(spans)).repeat(5)
    s = np.tile([0.0, 1e-9, 0.3, 0.77, 1.0], len(spans))
    for axis in (0, 1):
        level = spans.at(index, s)[:, axis]
        t = passing(spans, index, np.eye(2)[np.full(len(s), axis)], level, np.zeros(len(s)), np.ones(len(s)))
        np.testing.assert_allclose(spans.at(index, t)[:, axis], level, atol=4e-16)
    t, gap = nearest_parameter(spans, index, spans.at(index, s))
    np.testing.assert_allclose(t, s, atol=1e-12)
    assert gap.max() < 1e-14
