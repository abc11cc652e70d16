"""From shapes to a region: nesting, verdicts, fill rules, against an exact oracle for polygons."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops import section_properties
from massprops.core.curve import Shape
from massprops.core.outline import build_section
from massprops.core.section_errors import SelfIntersecting, ZeroArea
from massprops.core.segments import Arc, Bezier, Polyline
from massprops.errors import Empty, InsideOut, NonFinite, OpenSurface

TURN = np.array([[math.cos(0.6), -math.sin(0.6)], [math.sin(0.6), math.cos(0.6)]])
BOW_TIE = [(0, 0), (2, 2), (2, 0), (0, 2)]


def ring(points):
    points = np.array(points, float)
    return Polyline(np.concatenate([points, points[:1]]))


def square(u0, v0, u1, v1):
    return ring([(u0, v0), (u1, v0), (u1, v1), (u0, v1)])


def build(*pieces, **options):
    return build_section([Shape.of(*pieces)], **options)


def area(section):
    return float(section.integrals.moments.area)


def codes(section):
    return [notice.code for notice in section.notices]


def exact_fill(loops, rule):
    """Filled area, lowest and highest winding number, in fractions: between the heights of all corners and crossings
    edges do not meet, and each slab is a row of trapezia."""
    edges = []
    for loop in loops:
        points = [(Fraction(float(x)), Fraction(float(y))) for x, y in loop]
        for a, b in pairwise([*points, points[0]]):
            if a[1] != b[1]:
                edges.append((a, b, 1) if a[1] < b[1] else (b, a, -1))
    heights = {y for a, b, _ in edges for y in (a[1], b[1])}
    for k, (a, b, _) in enumerate(edges):
        for c, d, _ in edges[:k]:
            p, q, w = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1]), (c[0] - a[0], c[1] - a[1])
            den = p[0] * q[1] - p[1] * q[0]
            if den:
                s, t = (w[0] * q[1] - w[1] * q[0]) / den, (w[0] * p[1] - w[1] * p[0]) / den
                if 0 <= s <= 1 and 0 <= t <= 1:
                    heights.add(a[1] + s * p[1])
    total, windings = Fraction(0), {0}
    for low, high in pairwise(sorted(heights)):
        y = (low + high) / 2
        row = sorted(
            (a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]), sign) for a, b, sign in edges if a[1] < y < b[1]
        )
        winding = 0
        for (x, sign), (following, _) in pairwise(row):
            winding -= sign
            if following > x:
                windings.add(winding)
                total += (following - x) * (high - low) * (winding % 2 if rule == "evenodd" else winding != 0)
    return float(total), min(windings), max(windings)


@st.composite
def scribbles(draw):
    """Loops of few corners: on a grid, full of touches and overlaps, on the grid turned, or anywhere."""
    kind = draw(st.sampled_from(["grid", "turned", "anywhere"]))
    loops = []
    for _ in range(draw(st.integers(1, 3))):
        coordinate = st.integers(0, 4) if kind != "anywhere" else st.integers(-(10**6), 10**6).map(lambda k: k / 1e6)
        points = np.array(draw(st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=7)), float)
        loops.append(points @ TURN.T if kind == "turned" else points)
    return kind, loops


@given(scribbles(), st.sampled_from(["evenodd", "nonzero"]))
@settings(deadline=None, max_examples=150)
def test_fill_rules_fill_what_they_should(drawn, rule):
    _, loops = drawn
    expected, _, _ = exact_fill(loops, rule)
    try:
        found = area(build(*(ring(loop) for loop in loops), fill=rule))
    except ZeroArea:
        found = 0.0
    assert found == pytest.approx(expected, abs=1e-9)


@given(scribbles())
@settings(deadline=None, max_examples=150)
def test_loops_are_refused_if_and_only_if_they_wind_more_than_once(drawn):
    kind, loops = drawn
    if kind != "grid":
        return  # elsewhere round-off makes slivers, which the exact oracle sees
    _, low, high = exact_fill(loops[:1], "nonzero")
    try:
        build(ring(loops[0]))
        refused = False
    except SelfIntersecting:
        refused = True
    except ZeroArea:
        refused = False
    assert refused == (high - low > 1)


@pytest.mark.parametrize("turned", [False, True])
def test_a_hole_is_a_hole_whichever_way_it_is_wound(turned):
    hole = square(1, 1, 2, 2)
    section = build(square(0, 0, 4, 4), hole.reversed() if turned else hole)
    assert section.integrals.moments.area == 15
    assert section.segments == 8
    assert section.notices == ()


def test_loops_within_loops_within_loops():
    rings = [Arc.circle([0, 0], r, 0.3 * r, (-1) ** r * 2 * math.pi) for r in (1, 2, 3, 4, 5)]
    assert area(build(*rings)) == pytest.approx(math.pi * (25 - 16 + 9 - 4 + 1), rel=1e-15)


def test_as_drawn_takes_the_winding_at_its_word():
    outer, hole = square(0, 0, 4, 4), square(1, 1, 2, 2)
    assert area(build(outer, hole.reversed(), winding="as_drawn")) == 15
    doubled = build(outer, hole, winding="as_drawn")
    assert area(doubled) == 17
    assert codes(doubled) == ["overlap"]
    with pytest.raises(InsideOut, match="clockwise"):
        build(outer.reversed(), winding="as_drawn")
    with pytest.raises(ZeroArea):
        build(outer, outer.reversed(), winding="as_drawn")


def test_squares_that_overlap():
    section = build(square(0, 0, 2, 2), square(1, 1, 3, 3))
    assert area(section) == 8
    (notice,) = section.notices
    assert notice.code == "overlap"
    assert notice.details["union"] == 7
    assert sorted(notice.details["where"]) == [[1, 2], [2, 1]]


def test_the_same_loop_twice_is_told_and_counts_once():
    section = build(square(0, 0, 2, 2), square(0, 0, 2, 2).reversed())
    assert area(section) == 4
    assert [(notice.code, notice.details) for notice in section.notices] == [("duplicate", {"segments": 4})]
    discs = build(Arc.circle([1, 2], 1), Arc.circle([1, 2], 1, 0.3))
    assert area(discs) == pytest.approx(math.pi, rel=1e-12)
    assert codes(discs) == ["duplicate"]
    with_halves = build(Arc.circle([1, 2], 1, 0.3), *(Arc.circle([1, 2], 1, k * math.pi, math.pi) for k in (0, 1)))
    assert area(with_halves) == pytest.approx(math.pi, rel=1e-12)
    assert codes(with_halves) == ["duplicate"]


@pytest.mark.parametrize("begin", [0.0, 0.3])
def test_holes_and_outlines_drawn_twice_count_once(begin):
    plate, hole, again = square(0, 0, 9, 9), Arc.circle([4, 5], 2), Arc.circle([4, 5], 2, begin)
    for pieces, segments in (((plate, hole, again), 1), ((plate, plate, hole), 4), ((hole, plate, again, plate), 5)):
        section = build(*pieces)
        assert area(section) == pytest.approx(81 - 4 * math.pi, rel=1e-13)
        assert [(notice.code, notice.details["segments"]) for notice in section.notices] == [("duplicate", segments)]
    doubled = build(plate, plate, hole.reversed(), winding="as_drawn")
    assert area(doubled) == pytest.approx(162 - 4 * math.pi, rel=1e-13)
    assert codes(doubled) == ["overlap"]


def test_what_fills_a_hole_exactly_is_told_to_be_a_hole():
    plate, hole = square(0, 0, 9, 9), Arc.circle([4, 5], 2)
    again = Arc.circle([4, 5], 2, 0.3)
    side = [Polyline(np.array(ends, float)) for ends in ([[1, 1], [2, 1]], [[2, 1], [2, 2]], [[2, 2], [1, 1]])]
    for pieces, told in (
        ([plate, hole, again], True),
        ([plate, hole, *side, side[0]], True),
        ([plate, plate, hole], False),
        ([*side, side[0]], False),
    ):
        (notice,) = build(*pieces).notices
        assert (notice.code, "if a body fills it" in notice.message) == ("duplicate", told)
    halves = [Shape.of(plate, hole), Shape.of(again)]
    assert area(build_section(halves)) == pytest.approx(81 - 4 * math.pi, rel=1e-13)


def test_loops_that_enclose_nothing_are_told():
    line = Polyline(np.array([[1.1, 1], [2.3, 2.7], [1.1, 1]]))
    sliver = Polyline(np.array([[3, 1], [3.5, 1.5], [4, 2], [3.5, 1.5 + 1e-15], [3, 1]]))
    section = build(square(0, 0, 9, 9), line, sliver)
    assert area(section) == 81
    (notice,) = section.notices
    assert (notice.code, notice.details) == ("degenerate", {"loops": 2})
    assert "the first near (1.1, 1)" in notice.message


def test_of_loops_that_are_the_same_the_one_with_company_counts():
    outer, inner = square(0, 0, 4, 4), square(1, 1, 2, 2)
    filled = Shape.of(outer, inner, rule="nonzero", filled=True)
    for shapes in ([filled, Shape.of(outer)], [Shape.of(outer), filled]):
        section = build_section(shapes)
        assert area(section) == 16
        assert codes(section) == ["duplicate"]


def test_circles_that_overlap():
    section = build(Arc.circle([0, 0], 1), Arc.circle([1, 0], 1, 2.2, -2 * math.pi))
    lens = 2 * math.pi / 3 - math.sqrt(3) / 2
    assert area(section) == pytest.approx(2 * math.pi, rel=1e-15)
    assert section.notices[0].details["union"] == pytest.approx(2 * math.pi - lens, rel=1e-14)
    both = build(Arc.circle([0, 0], 1), Arc.circle([1, 0], 1), fill="evenodd")
    assert area(both) == pytest.approx(2 * (math.pi - lens), rel=1e-14)


@pytest.mark.parametrize("offset", [(0, 0), (1e6, 1e6)])
def test_what_touches_does_not_overlap(offset):
    bars = [square(0, 0, 10, 1), square(4, 1, 5, 9), square(0, 9, 10, 10)]
    section = build(*(bar.mapped(TURN, np.array(offset, float)) for bar in bars))
    assert area(section) == pytest.approx(28, rel=1e-15 if offset == (0, 0) else 1e-10)
    assert section.notices == ()
    assert build(Arc.circle([0, 0], 1), Arc.circle([2, 0], 1)).notices == ()
    assert area(build(Arc.circle([0, 0], 3), Arc.circle([1, 0], 2))) == pytest.approx(5 * math.pi, rel=1e-15)
    inscribed = build(square(-1, -1, 1, 1), Arc.circle([0, 0], 1))
    assert area(inscribed) == pytest.approx(4 - math.pi, rel=1e-15)
    assert inscribed.notices == ()


def test_a_hole_that_shares_an_edge_with_the_outline():
    assert area(build(square(0, 0, 4, 4), square(0, 1, 1, 2))) == 15


def test_a_keyhole_is_no_crossing():
    slit = [(0, 0), (4, 0), (4, 4), (1, 4), (1, 3), (2, 3), (2, 2), (1, 2), (1, 3), (1, 4), (0, 4)]
    section = build(ring(slit))
    assert area(section) == 15
    assert section.notices == ()


@pytest.mark.parametrize("points", [BOW_TIE, [(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2)]])
def test_the_bow_tie(points):
    with pytest.raises(SelfIntersecting, match=r"near \(1, 1\).*--fill evenodd") as refusal:
        build(ring(points))
    assert refusal.value.diagnosis["where"] == [[1, 1]]
    moments = build(ring(points), fill="evenodd").integrals.moments
    assert moments.area == 2
    assert moments.center.tolist() == [1, 1]
    assert moments.central_second.tolist() == [[1, 0], [0, Fraction(1, 3)]]


def test_a_loop_that_winds_twice_is_refused():
    twice = ring([*[(math.cos(a), math.sin(a)) for a in np.arange(5) * 4 * math.pi / 5]])
    with pytest.raises(SelfIntersecting):
        build(twice)
    with pytest.raises(SelfIntersecting):
        build(twice, winding="as_drawn")
    inner = math.cos(2 * math.pi / 5) / math.cos(math.pi / 5)
    pentagon = 5 * math.sin(math.pi / 5) * math.cos(math.pi / 5) * inner**2
    star = area(build(twice, fill="nonzero"))
    assert star - area(build(twice, fill="evenodd")) == pytest.approx(pentagon, rel=1e-13)


def test_a_curve_that_crosses_itself():
    cubic, chord = Bezier(np.array([[0.0, 0], [3, 2], [-2, 2], [1, 0]])), Polyline(np.array([[1.0, 0], [0, 0]]))
    with pytest.raises(SelfIntersecting, match=r"near \(0.5, 0.375\)"):
        build(cubic, chord)
    filled = build(cubic, chord, fill="evenodd")
    whole = abs(float(build(cubic, chord, fill="nonzero").integrals.moments.area))
    assert area(filled) == pytest.approx(whole, rel=1e-14)


def test_loose_ends():
    u_shape = Polyline(np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0, 0.25]]))
    with pytest.raises(OpenSurface, match=r"2 loose ends of 1 open chain.*0.25 apart.*draw what is missing") as refusal:
        build(u_shape)
    assert refusal.value.diagnosis == {
        "open_edges": 2,
        "loops": 1,
        "inconsistent_edges": 0,
        "largest_gap": 0.25,
        "where": [[0, 0], [0, 0.25]],
    }
    joined = build(u_shape, join_tolerance=0.3)
    assert area(joined) == 1
    assert codes(joined) == ["joined"]


@pytest.mark.parametrize(("gap", "advice"), [
    (1e-6, "try --connect_nearby"), (1e-3, "try --connect_nearby --weld_tolerance 0.00071"),
    (0.0141, "try --connect_nearby --weld_tolerance 0.01"), (0.0142, "leave out what bounds nothing"),
])  # fmt: skip
def test_what_is_advised_joins_what_is_not_too_far_apart(gap: float, advice: str) -> None:
    u_shape = Polyline(np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0, gap]]))
    with pytest.raises(OpenSurface) as refusal:
        build(u_shape)
    assert refusal.value.message.endswith(advice)
    tolerance = refusal.value.remedy and refusal.value.remedy.weld_tolerance
    if tolerance is not None:
        assert area(build(u_shape, join_tolerance=tolerance * math.sqrt(2))) == 1


def test_filled_paths_are_closed_as_filling_does():
    path = Polyline(np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
    section = build_section([Shape.of(path, filled=True)])
    assert area(section) == 1
    assert codes(section) == ["closed_by_fill"]
    with pytest.raises(OpenSurface):
        build_section([Shape.of(path, filled=True), Shape.of(path.mapped(np.eye(2), np.array([5.0, 0])))])


def test_segments_that_bound_nothing():
    with pytest.raises(OpenSurface, match=r"odd number of segments meet.*\(0, 0\)"):
        build(*(Polyline(np.array(ends, float)) for ends in ([[0, 0], [1, 0]], [[0, 0], [0, 1]], [[0, 0], [1, 1]])))


def test_a_segment_drawn_twice_is_told():
    corners = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
    sides = [Polyline(corners[k : k + 2]) for k in range(4)]
    section = build(*sides, sides[2].reversed())
    assert area(section) == 1
    assert codes(section) == ["duplicate"]


def test_fill_rules_that_a_drawing_states():
    outer, inner = square(0, 0, 4, 4), square(1, 1, 2, 2)
    expected = {"evenodd": 15, "nonzero": 16, None: 15}
    for rule, value in expected.items():
        section = build_section([Shape.of(outer, inner, rule=rule, filled=True)])
        assert area(section) == value
        assert codes(section) == (["fill_rule"] if rule is None else [])
        assert area(build_section([Shape.of(outer, inner.reversed(), rule=rule, filled=True)])) == 15
    apart = build_section([Shape.of(k, rule="nonzero", filled=True) for k in (outer, inner)])
    assert area(apart) == 15
    assert area(build(outer, inner, fill="nonzero")) == 16


@pytest.mark.parametrize("scale", [1e-155, 1e-161, 1e-200, 1e-300, 1e-310, 5e-324])
def test_a_section_that_is_too_small_is_told_as_one(scale):
    corners = np.array([(0, 0), (4, 0), (4, 2), (1, 3)]) * scale
    with pytest.raises(NonFinite, match="too small for double precision"):
        section_properties((corners[:, 0], corners[:, 1]))


def test_what_cannot_be_measured():
    with pytest.raises(Empty):
        build_section([])
    with pytest.raises(NonFinite, match="nan"):
        build(ring([(0, 0), (1, math.nan), (1, 1)]))
    with pytest.raises(NonFinite, match="inf"):
        build(Arc.circle([math.inf, 0], 1))
    with pytest.raises(ZeroArea):
        build(ring([(0, 0), (1, 0), (3, 0)]))
    with pytest.raises(ZeroArea):
        build(ring([(2, 1), (2, 1), (2, 1)]))
    with pytest.raises(ValueError, match="no such winding or fill rule"):
        build(square(0, 0, 1, 1), fill="odd")


def test_thin_strips_are_no_zero():
    assert area(build(square(0, 0, 1, 1e-12))) == 1e-12


def test_many_loops():
    holes = [Arc.circle([3 * k + 2, 3 * m + 2], 1, k) for k in range(20) for m in range(20)]
    section = build(square(0, 0, 61, 61), *holes)
    assert area(section) == pytest.approx(61**2 - 400 * math.pi, rel=1e-14)
    assert section.notices == ()


def test_a_scribble_is_refused(monkeypatch):
    monkeypatch.setattr("massprops.core.nesting2d._MOST_CONTACTS", 0)
    with pytest.raises(SelfIntersecting, match="scribble"):
        build(ring(BOW_TIE), fill="evenodd")


@pytest.mark.parametrize("rule", ["evenodd", "nonzero"])
def test_a_line_that_folds_back_along_an_edge_bounds_nothing(rule):
    line, triangle = [(0, 1), (0, 0), (0, 2)], [(0, 0), (0, 2), (1, 0)]
    for turn in (np.eye(2), TURN):
        assert area(build(*(ring(np.array(p) @ turn.T) for p in (line, triangle)), fill=rule)) == pytest.approx(1)
