"""What lies back to back, and whether there is a body around it."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.back_to_back import BackToBack, back_to_back
from massprops.core.topology import Mesh, mesh_of
from tests.oracle import Triangles, box, moved, reverse
from tests.repair_oracle import TILT, surface

BODY = moved(box((0, 0, 0), (4, 6, 10)), TILT, (1, 2, 3))


def plate(lower: float, upper: float) -> Triangles:
    """Both sides of a rectangle in the middle of the body, of area 8 times its length, or beyond it."""
    side = box((2, 1, lower), (3, 5, upper))
    side = side[np.ptp(side[:, :, 0], axis=1) == 0][:2]
    return moved(np.concatenate([side, reverse(side)]), TILT, (1, 2, 3))


def found(body: Triangles, *sheets: Triangles) -> BackToBack:
    mesh = mesh_of(surface(body, *sheets))
    scaled = Mesh(mesh.vertices / np.abs(mesh.vertices).max(), mesh.corners)
    return back_to_back(scaled, mesh.corners[: len(body)], np.arange(len(body), len(mesh.corners)))


@pytest.mark.parametrize("body", [BODY, reverse(BODY)])
@pytest.mark.parametrize(("lower", "upper", "beside"), [(1, 9, 0.0), (11, 99, 1.0), (-90, -1, 1.0)])
def test_sheets_within_a_body_and_beside_it(body: Triangles, lower: float, upper: float, beside: float) -> None:
    sheets = [plate(lower, upper) for _ in range(9)]
    told = found(body, *sheets)
    area, own = 9 * 8 * (upper - lower), 2 * (4 * 6 + 6 * 10 + 10 * 4)
    assert (told.facets, told.of) == (36, 48)
    assert told.share == pytest.approx(area / (area + own), rel=1e-12)
    assert told.beside == pytest.approx(beside * told.share)
    assert told.are_most is (beside == 1)


def test_the_part_within_is_measured_by_area() -> None:
    told = found(BODY, *[plate(1, 9)] * 3, *[plate(20, 44)] * 2)
    assert told.beside == pytest.approx(told.share * 48 / (48 + 24), rel=0.02)


def test_no_pairs_and_no_body() -> None:
    assert found(BODY) == BackToBack(0, 12, 0.0, 0.0)
    alone = found(plate(0, 1)[:0], plate(0, 1))
    assert alone == BackToBack(4, 4, 1.0, 1.0)
    assert not alone.are_most
    point = Mesh(np.zeros((3, 3)), np.array([[0, 1, 2], [0, 2, 1]]))
    assert found(BODY).share == back_to_back(point, point.corners[:0], np.array([0, 1])).share == 0
