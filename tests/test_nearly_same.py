"""Loops that lie a hair within others."""

import math

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop, Path, Shape
from massprops.core.nearly_same import HAIR, nearly_same
from massprops.core.nesting2d import layout
from massprops.core.outline import build_section
from massprops.core.segments import Arc, Bezier, Polyline


def square(half):
    corners = [[-half, -half], [half, -half], [half, half], [-half, half], [-half, -half]]
    return (Polyline(np.array(corners, float)),)


def disc(half):
    return (Arc.circle([0, 0], half, 0.3 / half),)


def halves(half):
    return tuple(Arc.circle([0, 0], half, half + k * math.pi, math.pi) for k in (0, 1))


def leaf(half):
    bow = half * np.array([[-1, 0], [0, -1.3], [1, 0]])
    return Bezier(bow), Bezier(-bow)


def pairs(*loops, far=(0.0, 0.0)):
    matrix = np.array([[0.8, -0.6], [0.6, 0.8]])
    curve = Curve(tuple(Loop(tuple(piece.mapped(matrix, np.array(far)) for piece in loop)) for loop in loops))
    return nearly_same(curve, layout(curve, 0.0)).tolist()


@pytest.mark.parametrize("draw", [square, disc, halves, leaf])
@pytest.mark.parametrize("far", [(0.0, 0.0), (700.0, -2e4)])
def test_a_millionth_of_the_area_is_a_hair(draw, far):
    inner, outer = 0.4 * HAIR, 0.6 * HAIR  # twice that is the difference of the areas
    loops = draw(3 * (1 - inner)), draw(3), draw(3 * (1 + outer)), draw(1), draw(1 - inner), draw(9)
    assert pairs(*loops, far=far) == [[0, 1], [4, 3]]


def test_a_circle_of_one_arc_and_of_two():
    assert pairs(disc(3), halves(3 - HAIR), disc(7)) == [[1, 0]]


def test_thin_loops_and_loops_side_by_side_are_none():
    def strip(half):
        corners = [[-half, 0], [500, 0], [500, half], [-half, half], [-half, 0]]
        return (Polyline(np.array(corners)),)

    inner = (Polyline(np.array([[-1e-3, 2e-4], [499, 2e-4], [499, 7e-4], [-1e-3, 7e-4], [-1e-3, 2e-4]])),)
    assert pairs(strip(1e-3), inner) == []
    assert pairs(square(1), (Polyline(square(1)[0].points + 2.5),)) == []


@pytest.mark.parametrize("size", [1e-60, 1e60])
def test_of_any_size(size):
    loops = [Arc.circle([0, 0], size * radius) for radius in (9, 3, 3 - HAIR)]
    (notice,) = build_section([Shape(tuple(Path((piece,)) for piece in loops))]).notices
    assert (notice.code, notice.details) == ("duplicate", {"loops": 1})
    assert "differs by less than a millionth of the area" in notice.message


def test_rings_of_polygons_are_what_they_are():
    plate, pocket, plug = (Path(square(half)) for half in (9, 3, 3 - HAIR))
    shapes = [Shape((plate, pocket), is_polygon=True), Shape((plug,), is_polygon=True)]
    assert build_section(shapes).notices == ()
