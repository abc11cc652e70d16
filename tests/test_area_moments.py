"""The algebra of area moments, and extrusion."""

from fractions import Fraction

import numpy as np
import pytest

from massprops.core.affine_map import AffineMap
from massprops.core.area_moments import AreaMoments, PlaneMap
from massprops.core.curve import Curve
from massprops.core.exact_numbers import rationals
from massprops.core.polyhedron import integrals
from massprops.core.section import section_moments
from massprops.core.surface import TriangleArray

TRIANGLE = np.array([[0.3, -0.7], [5.1, 1.2], [1.9, 4.4]])
L_SHAPE = np.array([[0.25, 0.5], [3.25, 0.5], [3.25, 1.5], [1.25, 1.5], [1.25, 3.5], [0.25, 3.5]])


def _moments(points):
    return section_moments(Curve.from_loops(*np.array(points, float).T))


def _same(found, expected, rtol=1e-14):
    assert float(found.area) == pytest.approx(float(expected.area), rel=rtol)
    np.testing.assert_allclose(found.center.astype(float), expected.center.astype(float), rtol=rtol)
    size = max(abs(float(x)) for x in expected.central_second.flat)
    difference = (found.central_second - expected.central_second).astype(float)
    assert np.abs(difference).max() <= rtol * size


def test_moving_the_reference_point_and_back_changes_nothing():
    moments = _moments(TRIANGLE)
    there = moments.about(rationals([Fraction(1, 3), 1e6]))
    assert there.central_second.tolist() == moments.central_second.tolist()
    assert there.center.tolist() == moments.center.tolist()


def test_parts_add_up_and_holes_subtract():
    whole = _moments(L_SHAPE)
    foot = _moments([[0.25, 0.5], [3.25, 0.5], [3.25, 1.5], [0.25, 1.5]])
    leg = _moments([[0.25, 1.5], [1.25, 1.5], [1.25, 3.5], [0.25, 3.5]])
    assert (foot + leg).central_second.tolist() == whole.central_second.tolist()
    assert (whole + -leg).center.tolist() == foot.center.tolist()


@pytest.mark.parametrize("matrix", [[[1.5, -0.5], [0.25, 2.0]], [[-1.0, 0.0], [0.0, 1.0]], [[0.0, 3.0], [1.0, 0.0]]])
def test_maps_act_as_on_the_mapped_curve(matrix):
    plane = PlaneMap.of(matrix, [3.5, -1.25])
    points = L_SHAPE @ np.array(matrix).T + [3.5, -1.25]
    if plane.determinant < 0:
        points = points[::-1]
    _same(_moments(L_SHAPE).mapped(plane), _moments(points), 1e-15)
    matrix_back, translation = plane.floats()
    assert matrix_back.tolist() == matrix
    assert translation.tolist() == [3.5, -1.25]


def test_the_identity_is_known():
    assert PlaneMap.of(np.eye(2)).is_identity
    assert not PlaneMap.of(np.eye(2), [0, 1]).is_identity


def test_a_map_of_space_that_leaves_the_plane_is_refused():
    tilt = AffineMap.of([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    with pytest.raises(ValueError, match="out of itself"):
        PlaneMap.of_solid(tilt)


def _prism(points, depth):
    """A prism over an L-shaped hexagon."""
    bottom, top = np.column_stack([points, np.zeros(6)]), np.column_stack([points, np.full(6, depth)])
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    facets = [bottom[[i, k, j]] for i, j, k in caps] + [top[[i, j, k]] for i, j, k in caps]
    for i in range(6):
        j = (i + 1) % 6
        facets += [np.array([bottom[i], bottom[j], top[j]]), np.array([bottom[i], top[j], top[i]])]
    return TriangleArray(np.array(facets))


def test_an_extruded_section_has_the_moments_of_the_prism():
    points, depth = L_SHAPE @ np.array([[0.8, 0.6], [-0.6, 0.8]]), 0.7
    solid = _moments(points).extruded(depth)
    prism = _prism(points, depth)
    corners = prism.triangles.reshape(-1, 3)
    expected = integrals(prism, corners.min(axis=0), corners.max(axis=0)).moments
    assert float(solid.volume) == pytest.approx(float(expected.volume), rel=1e-15)
    np.testing.assert_allclose(solid.center.astype(float), expected.center.astype(float), rtol=2e-15)
    difference = (solid.central_second - expected.central_second).astype(float)
    assert np.abs(difference).max() < 1e-15 * float(expected.central_second[0, 0])


def test_extrusion_in_formulas():
    depth = Fraction(7, 4)
    plane, solid = _moments(L_SHAPE), _moments(L_SHAPE).extruded(depth)
    second = plane.central_second
    assert solid.volume == plane.area * depth
    assert solid.central_second[0, 1] == depth * second[0, 1]
    assert solid.central_second[2, 2] == plane.area * depth**3 / 12
    assert solid.center.tolist() == [*plane.center, depth / 2]
    assert AreaMoments.of(1, [0, 0], [[1, 0], [0, 1]]).extruded(2).volume == 2


def test_regions_are_summed_subtracted_and_multiplied_from_either_side():
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    square = AreaMoments.of(1, [0.5, 0.5], [[third, quarter], [quarter, third]])
    other = square.mapped(PlaneMap.of(np.eye(2), [2, 1]))
    assert sum([square, other]).area == 2
    assert sum([square, other]).center.tolist() == [Fraction(3, 2), 1]
    assert (square - square).second.tolist() == [[0, 0], [0, 0]]
    assert (square * 3).first.tolist() == (np.float64(3) * square).first.tolist() == [Fraction(3, 2)] * 2
    for wrong in (lambda: square + 1, lambda: 1 + square, lambda: square - 1, lambda: square * square):
        with pytest.raises(TypeError, match=r"^unsupported operand|^density: a number is wanted"):
            wrong()
    with pytest.raises(TypeError, match=r"^mapped: PlaneMap\.of\(.*\) is wanted, not a value of type ndarray"):
        square.mapped(np.eye(2))
    with pytest.raises(ValueError, match="read-only"):
        square.first[0] = 7
