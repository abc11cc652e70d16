"""Which shapes loops come from."""

import numpy as np

from massprops.core.curve import Path, Shape
from massprops.core.joining import join
from massprops.core.owners import Owners
from massprops.core.segments import Polyline


def line(*points):
    return Polyline(np.array(points, float))


TRIANGLE = line((0, 0), (9, 0), (0, 9), (0, 0))
HOLE = line((1, 1), (2, 1), (1, 2), (1, 1))


def owners(*shapes):
    return Owners.of(shapes, join([path for shape in shapes for path in shape.paths], 1e-9))


def test_loops_and_open_paths_of_shapes():
    found = owners(
        Shape.of(HOLE, line((5, 5), (6, 5))),
        Shape.of(line((6, 5), (6, 6)), TRIANGLE),
        Shape.of(line((6, 6), (5, 5)), line((20, 1), (21, 2))),
    )
    assert found.shape.tolist() == [0, 3, 1, 2]
    assert found.role.tolist() == [0, 0, 0, 0]


def test_roles_of_the_rings_of_polygons():
    polygon = Shape((Path((TRIANGLE,)), Path((HOLE,)), Path((HOLE,))), is_polygon=True)
    found = owners(Shape.of(HOLE), polygon, polygon)
    assert found.shape.tolist() == [0, 1, 1, 1, 2, 2, 2]
    assert found.role.tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert found.of_loops(np.array([1, 5])).role.tolist() == [1, -1]
