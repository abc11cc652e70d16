"""Counting little squares."""

import math

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop
from massprops.core.raster import count_squares, counted_section
from massprops.core.section import section_integrals, section_moments
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
    monkeypatch.setattr("massprops.core.raster._CROSSINGS", 100)
    assert max(errors(PROFILE, 300)) < 1e-2
    assert count_squares(Curve.from_loops([1, 1, 1], [2, 2, 2])).squares == 0
    assert count_squares(Curve.from_loops([1, 2, 3], [2, 2, 2])).squares == 0


def turned(angle, *corners):
    c, s = math.cos(angle), math.sin(angle)
    return np.array(corners) @ np.array([[c, s], [-s, c]])


def strip(length, thickness, angle=0.0):
    return Curve.from_loops(*turned(angle, (0, 0), (length, 0), (length, thickness), (0, thickness)).T)


def counted(curve, side=None, density=1.0):
    """The squares, the notices, and how far area and polar moment are off."""
    found = section_integrals(curve)
    area, second = float(found.moments.area), found.moments.central_second
    squares, notices = counted_section(curve, area, found.perimeter, side, density)
    if squares is None:
        return None, notices, None
    polar = density * float(second[0, 0] + second[1, 1])
    return squares, notices, (abs(squares.area / area - 1), abs(squares.polar_moment / polar - 1))


@pytest.mark.parametrize("angle", [0, 0.3, math.pi / 4, math.pi / 2])
@pytest.mark.parametrize("thickness", [0.6, 0.3, 0.05])
def test_thin_strips_get_small_squares(thickness, angle):
    """Of 1024 squares along them, each as wide as 0.98, none or one would lie across."""
    squares, notices, wrong = counted(strip(1000, thickness, angle))
    assert notices == ()
    assert squares.width <= thickness / 32
    assert max(wrong) < 1 / 32


def test_thin_walls_get_small_squares():
    u = np.array([0, 100, 100, 0, 0.02, 99.98, 99.98, 0.02])
    v = np.array([0, 0, 50, 50, 0.02, 0.02, 49.98, 49.98])
    tube = Curve.from_loops(u, v, [4, 4])
    hole = Curve((tube.loops[0], tube.loops[1].reversed()))
    squares, notices, wrong = counted(hole)
    assert (notices, max(wrong) < 1 / 32) == ((), True)
    assert squares.center == pytest.approx([50, 25], rel=1e-3)


def test_other_sections_keep_their_squares():
    for curve in (RING, PROFILE):
        squares, notices, _ = counted(curve)
        assert (squares.width, notices) == (count_squares(curve).width, ())


def test_squares_are_told_where_they_count_nothing_or_something_else():
    none, (notice,), _ = counted(strip(1000, 0.3), side=1000)
    assert (none, notice.code, notice.is_doubt) == (None, "uncounted", True)
    assert notice.message == (
        "1000 squares a side count nothing: --verify has nothing to compare; leave out --check_lines"
    )
    none, (notice,), _ = counted(Curve.from_loops([0, 3, 0], [0, 0, 1]), side=1)
    assert (none, notice.message[:33]) == (None, "1 square a side counts nothing: -")
    squares, (notice,), wrong = counted(strip(1000, 0.6), side=1024)
    assert (squares.squares, notice.code) == (1024, "uncounted")
    assert wrong[0] > 0.5
    assert notice.message == (
        "squares of side 0.977 are large for a section some 0.6 thick: what --verify counts may be far off; "
        "leave out --check_lines"
    )
    assert counted(strip(1000, 100), side=64)[1] == ()


@pytest.mark.parametrize("angle", [0.7, math.pi / 2])
def test_squares_do_not_become_countless(angle):
    """A hair of one to a hundred million is counted as well as can be, and told."""
    _, (notice,), _ = counted(strip(1, 1e-8, angle))
    assert notice.code == "uncounted"
    assert "--check_lines" not in notice.message


def test_the_density_is_in_the_polar_moment():
    one, three = counted(PROFILE)[0], counted(PROFILE, density=3.0)[0]
    assert three.polar_moment == pytest.approx(3 * one.polar_moment, rel=1e-15)
    assert three[:3] == one[:3]
    assert counted(PROFILE, density=3.0)[2][1] < 1e-4


def test_what_does_not_fit_a_float_is_not_counted():
    none, (notice,), _ = counted(strip(1e74, 1e73), density=1e30)
    assert (none, notice.code) == (None, "uncounted")
