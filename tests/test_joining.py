"""Segments joined into loops."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.curve import Curve, Path
from massprops.core.joining import JOIN, boxes_of
from massprops.core.joining import join as join_paths
from massprops.core.section import section_moments
from massprops.core.segments import Arc, Bezier, Polyline


def join(pieces, tolerance):
    return join_paths([Path((piece,)) for piece in pieces], tolerance)


def lines(*points, closed=True):
    ends = [*points, points[0]] if closed else points
    return [Polyline(np.array([a, b], float)) for a, b in pairwise(ends)]


OUTLINE = [
    Polyline(np.array([[0.0, 0], [3, 0.5], [3, 2]])),
    Arc.from_bulge([3, 2], [1, 3], 0.4),
    Bezier(np.array([[1.0, 3], [0, 4], [-1, 1], [0, 0]])),
]


@given(st.permutations(range(7)), st.lists(st.booleans(), min_size=7, max_size=7))
@settings(deadline=None, max_examples=50)
def test_order_and_direction_do_not_matter(order, turned):
    pieces = OUTLINE + lines((10, 0), (12, 1), (11, 3)) + [Arc.circle([20, 0], 1)]
    given_pieces = [pieces[k].reversed() if turned[k] else pieces[k] for k in order]
    found = join(given_pieces, 1e-9)
    assert len(found.loops) == 3
    assert not found.chains
    areas = sorted(abs(float(section_moments(Curve((loop,))).area)) for loop in found.loops)
    expected = sorted(abs(float(section_moments(Curve((loop,))).area)) for loop in join(pieces, 1e-9).loops)
    np.testing.assert_allclose(areas, expected, rtol=1e-14)
    assert sorted(k for members in found.members for k in members) == list(range(7))


def test_gaps_within_the_tolerance_are_joined_and_told():
    ragged = lines((0, 0), (1, 0), (0, 1))
    ragged[1] = Polyline(ragged[1].points + 1e-4)
    found = join(ragged, 1e-3)
    assert len(found.loops) == 1
    assert found.largest_gap == pytest.approx(math.sqrt(2) * 1e-4)
    assert len(join(ragged, 1e-5).chains) == 2


def test_loose_ends_make_a_chain():
    found = join(lines((0, 0), (1, 0), (1, 1), (0, 0.5), closed=False)[::-1], 1e-9)
    assert not found.loops
    (chain,) = found.chains
    assert [chain.start.tolist(), chain.end.tolist()] in ([[0, 0], [0, 0.5]], [[0, 0.5], [0, 0]])
    assert sorted(found.chain_members[0]) == [0, 1, 2]


def test_a_single_open_segment_is_one_chain():
    assert len(join(lines((0, 0), (1, 0), closed=False), 1e-9).chains) == 1


def test_three_segments_that_meet_are_a_branch():
    found = join(lines((0, 0), (2, 0), (2, 2), (0, 2)) + lines((0, 0), (2, 2), closed=False), 1e-9)
    assert sorted(found.branches.tolist()) == [[0, 0], [2, 2]]
    assert not found.loops


def test_what_is_drawn_twice_counts_once():
    triangle = lines((0, 0), (2, 0), (1, 2))
    arc = [Arc.from_bulge([5, 0], [6, 0], 1), Arc.from_bulge([6, 0], [5, 0], 1)]
    found = join([*triangle, triangle[1].reversed(), *arc, arc[0].reversed()], 1e-9)
    assert found.duplicates == 2
    assert len(found.loops) == 2


def test_loops_that_touch_in_a_corner_are_not_crossed():
    found = join(lines((0, 0), (1, 0), (1, 1), (0, 1)) + lines((1, 1), (2, 1), (2, 2), (1, 2)), 1e-9)
    assert sum(float(section_moments(Curve((loop,))).area) for loop in found.loops) == 2


def test_round_petals_that_touch_in_a_point_are_not_crossed():
    petals = [Arc.from_bulge([0, 0], [math.cos(a), math.sin(a)], b) for a in (0, 2, 4) for b in (0.2, -0.2)]
    found = join(petals, 1e-9)
    total = sum(abs(float(section_moments(Curve((loop,))).area)) for loop in found.loops)
    sweep = 4 * math.atan(0.2)
    radius = 0.5 / math.sin(sweep / 2)
    assert total == pytest.approx(6 * radius**2 * (sweep - math.sin(sweep)) / 2, rel=1e-13)


def test_specks_are_passed_over():
    found = join([*lines((0, 0), (1, 0), (0, 1)), Polyline(np.array([[0.0, 0], [1e-12, 0]]))], JOIN)
    assert len(found.loops) == 1
    assert not found.chains


def test_boxes():
    boxes = boxes_of([Path((Arc.circle([1, 2], 3),)), Path((Polyline(np.array([[5.0, 1], [4, 2]])),))])
    np.testing.assert_allclose(boxes, [[[-2, -1], [4, 5]], [[4, 1], [5, 2]]])


def test_a_path_is_followed_as_it_is_drawn():
    corners = np.array([[0.0, 0], [1, 1], [2, 2], [2, 0], [1, 1], [0, 2], [0, 0]])
    bow_tie = Path(tuple(Polyline(corners[k : k + 2]) for k in range(6)))
    (loop,) = join_paths([bow_tie], 1e-9).loops
    assert loop.vertices().tolist() == corners.tolist()
    single = join([Polyline(corners[k : k + 2]) for k in range(6)], 1e-9)
    assert sum(abs(float(section_moments(Curve((loop,))).area)) for loop in single.loops) == 2
    back = bow_tie.reversed().mapped(2 * np.eye(2), np.zeros(2))
    assert back.start.tolist() == (2 * corners[-1]).tolist()
    assert back.end.tolist() == (2 * corners[0]).tolist()
