"""Loops drawn more than once."""

import math

import numpy as np
import pytest

from massprops.core.copies import copies_of
from massprops.core.curve import Curve, Loop, Path, Shape
from massprops.core.outline import build_section
from massprops.core.segments import Arc, Bezier, Polyline, RationalBezier

CIRCLE = (Arc.circle([1, 5], 1.5),)
ELLIPSE = (Arc.ellipse([1, 5], [[1.2, 0.5], [-0.2, 0.48]], 0.7),)
LENS = (Bezier(np.array([[0.0, 0], [1, 2], [3, 0]])), Bezier(np.array([[3.0, 0], [2, -1], [1, -2], [0, 0]])))
CONIC = (
    RationalBezier(np.array([[0.0, 0], [1, 2], [3, 0]]), np.array([1.0, 0.4, 1])),
    Polyline(np.array([[3.0, 0], [0, 0]])),
)
PLATE = (Polyline(np.array([[0.0, 0], [3, 0], [3, 2.5], [0, 2], [0, 0]])),)


def backwards(pieces):
    return Loop(pieces).reversed().pieces


def section(*loops, **options):
    return build_section([Shape((Path(tuple(pieces)),)) for pieces in loops], **options)


def area(*loops, **options):
    return float(section(*loops, **options).integrals.moments.area)


def test_copies_are_found_in_either_direction_and_from_any_corner():
    turned = (Polyline(np.roll(PLATE[0].points[:-1], 2, axis=0)),)
    loops = (PLATE, CIRCLE, backwards(PLATE), turned, LENS, LENS[::-1], backwards(CIRCLE))
    found = copies_of(Curve(tuple(Loop(pieces) for pieces in loops)))
    assert found.original.tolist() == [0, 1, 0, 0, 2, 2, 1]
    assert found.turn.tolist() == [1, 1, -1, 1, 1, 1, -1]
    assert [found.members()[k].tolist() for k in (0, 1)] == [[0, 2, 3], [1, 6]]
    assert found.counted(np.arange(7)).tolist() == [0 - 2 + 3, 1 - 6, 4 + 5]


def test_other_weights_make_another_curve():
    other = (RationalBezier(CONIC[0].points, np.array([1.0, 0.5, 1])), CONIC[1])
    assert copies_of(Curve((Loop(CONIC), Loop(other)))).are_none


@pytest.mark.parametrize("pieces", [CIRCLE, ELLIPSE, LENS, CONIC, PLATE])
@pytest.mark.parametrize("count", [3, 500])
def test_a_loop_drawn_many_times_is_told_and_its_union_is_the_loop(pieces, count):
    one = area(pieces)
    loops = [pieces if k % 3 else backwards(pieces) for k in range(count)]
    found = section(*loops)
    assert [notice.code for notice in found.notices] == ["duplicate"]
    assert float(found.integrals.moments.area) == pytest.approx(one, rel=1e-12)
    along = section(pieces).curve.loops[0].pieces
    drawn = section(*[along] * count, winding="as_drawn")
    [notice] = [notice for notice in drawn.notices if notice.code == "overlap"]
    assert float(drawn.integrals.moments.area) == pytest.approx(count * one, rel=1e-12)
    assert notice.details["union"] == pytest.approx(one, rel=1e-12)
    assert area(*loops, fill="nonzero") == pytest.approx(one, rel=1e-12)


def test_an_even_number_of_copies_fills_nothing_by_the_even_odd_rule():
    rim = (Arc.circle([1, 5], 4),)
    assert area(rim, CIRCLE, CIRCLE, fill="evenodd") == pytest.approx(16 * math.pi)
    assert area(rim, CIRCLE, CIRCLE, CIRCLE, fill="evenodd") == pytest.approx((16 - 2.25) * math.pi)


def test_a_loop_within_two_copies_is_a_hole():
    hole = (Arc.circle([1, 5], 0.5),)
    found = section(CIRCLE, CIRCLE, hole)
    assert float(found.integrals.moments.area) == pytest.approx((2.25 - 0.25) * math.pi)
    assert [notice.code for notice in found.notices] == ["duplicate"]


def test_copies_that_cross_others_are_cut_as_their_original_is():
    other = (Arc.circle([2, 5], 1.5),)
    lens = 2 * 2.25 * math.acos(1 / 3) - 0.5 * math.sqrt(9 - 1)  # what two discs of radius 1.5 at distance 1 share
    union = 2 * 2.25 * math.pi - lens
    found = section(CIRCLE, CIRCLE, CIRCLE, other, backwards(other))
    assert [notice.code for notice in found.notices] == ["duplicate", "overlap"]
    assert found.notices[1].details["union"] == pytest.approx(union, rel=1e-12)
    assert area(CIRCLE, CIRCLE, CIRCLE, other, fill="evenodd") == pytest.approx(union - lens, rel=1e-12)
