"""Edges at which several patches meet: inside and outside take turns, whichever patches were reversed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.oracle import box, moved, reverse, rotation
from tests.repair_oracle import TILT, boundary, dome, facets, flipped, oriented, volume


@pytest.mark.parametrize("turned", [(), (0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3), (1, 2), (0, 1, 2), range(4)])
def test_patches_that_meet_in_a_common_rim_take_turns(turned: Sequence[int]) -> None:
    """Two caps that enclose a lens-shaped cavity: above and below it the body is solid."""
    above, below = dome(1.5), reverse(dome(-1.2))
    lens = [reverse(dome(0.4)), dome(-0.3)]
    parts = [above, lens[0], lens[1], below]
    assert not boundary(np.concatenate(parts))
    damaged = np.concatenate([reverse(part) if i in turned else part for i, part in enumerate(parts)])
    result, found = oriented(damaged)
    assert facets(result) == facets(np.concatenate(parts))
    assert not found.is_open.any()


@pytest.mark.parametrize("turned", [[], [1, 5, 17], range(12), range(12, 24), range(24), [3, *range(12, 24)]])
def test_boxes_with_a_wall_divided_along_different_diagonals(turned: Sequence[int]) -> None:
    one, other = box((0, 0, 0), (2, 3, 5)), box((2, 0, 0), (3, 3, 5))
    wall = (other[:, :, 0] == 2).all(axis=1)
    a, b, c, d = (2, 0, 0), (2, 0, 5), (2, 3, 5), (2, 3, 0)
    other[wall] = np.array([[a, b, d], [b, c, d]], float)
    triangles = moved(np.concatenate([one, other]), TILT)
    assert not boundary(triangles)
    for order in (np.arange(24), np.arange(24)[::-1], np.random.default_rng(2).permutation(24)):
        result, _ = oriented(flipped(triangles, list(turned))[order])
        assert not boundary(result)
        assert abs(volume(result) - 45) < 1e-12
        if not turned:
            assert (result == triangles[order]).all()


def test_a_sheet_across_a_body_is_no_rim() -> None:
    """Three facets at an edge: the body keeps its winding, the sheet too."""
    body = box((0, 0, 0), (2, 3, 5))
    a, b, c, d = (np.array(p, float) for p in ((0, 0, 0), (2, 3, 0), (2, 3, 5), (0, 0, 5)))
    sheet = np.array([[a, b, c], [a, c, d]])
    triangles = np.concatenate([body, sheet])
    result, found = oriented(flipped(triangles, [1, 7]))
    assert (result[:12] == body).all()
    assert found.is_reversed.sum() == 2


def test_bodies_that_balance_themselves_are_no_rim() -> None:
    """Two boxes that share an edge and overlap: neither is turned, nor joined to the other."""
    triangles = np.concatenate([box((0, 0, 0), (2, 2, 2)), moved(box((0, 0, 0), (2, 1, 2)), rotation(5, 0, 0, 2))])
    for turned in ([], range(12), range(12, 24)):
        result, found = oriented(flipped(triangles, list(turned)))
        assert len(found.is_open) == 2
        assert (result == triangles).all()
