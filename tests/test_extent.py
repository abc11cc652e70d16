"""Box and area after an affine map: those of the mapped facets."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.affine_map import AffineMap
from massprops.core.exact_numbers import rationals
from massprops.core.extent import mapped_extent
from massprops.core.surface import BLOCK, TriangleArray
from massprops.errors import NonFinite
from massprops.motion import motion

TRIANGLES = np.random.default_rng(8).normal((3, -1, 2), size=(BLOCK + 50, 3, 3))


def area_of(triangles: np.ndarray) -> float:
    a, b, c = triangles.transpose(1, 0, 2)
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


MAPS = {
    "identity": AffineMap.identity(),
    "translation": motion(translate=(5, -7, 0.1)),
    "scale": motion(resize=(0.001, 0.001, 0.001)),
    "mirror": motion(mirror_normal=(1, 0, 0)),
    "stretch": motion(resize=(-2, 3, 0.5)),
    "rotation": motion(rotate_axis=(1, 2, -1), rotate_angle=0.7),
    "swap": AffineMap.of([[0, 1, 0], [0, 0, 1], [1, 0, 0]], [1, 2, 3]),
    "all": motion((1, 1, 0), (2, -3, 5), (0, 1, 1), -2.0, (1e3, 0, -1e3)),
    "shear": AffineMap.of([[1, 0.5, 0], [0, 1, 0], [0, 0.25, 1]]),
}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", MAPS)
def test_it_is_the_extent_of_the_mapped_facets(name: str, known: bool) -> None:
    points = TRIANGLES.reshape(-1, 3)
    matrix, shift = MAPS[name].matrix.astype(float), MAPS[name].translation.astype(float)
    mapped = TRIANGLES @ matrix.T + shift
    before = area_of(TRIANGLES) if known else None
    bounds, area = mapped_extent(
        TriangleArray(TRIANGLES), points.min(axis=0), points.max(axis=0), before, MAPS[name]
    )
    ends = mapped.reshape(-1, 3)
    assert bounds == pytest.approx(np.stack([ends.min(axis=0), ends.max(axis=0)]), rel=1e-12, abs=1e-12)
    assert area == pytest.approx(area_of(mapped), rel=1e-12)


def test_without_a_map_box_and_area_are_handed_through() -> None:
    lower, upper = np.array([1.0, 2, 3]), np.array([4.0, 5, 6])
    bounds, area = mapped_extent(TriangleArray(TRIANGLES), lower, upper, 7.25, AffineMap.identity())
    assert bounds.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert area == 7.25


@pytest.mark.parametrize("factors", [(1e200, 1, 1), (1e160, 1e160, 1e160)])
def test_large_factors_are_refused_without_a_warning(factors: tuple[float, float, float]) -> None:
    points = TRIANGLES.reshape(-1, 3)
    affine = AffineMap.of(rationals(np.diag(factors)))
    with pytest.raises(NonFinite, match="too large"):
        mapped_extent(TriangleArray(TRIANGLES), points.min(axis=0), points.max(axis=0), 1.0, affine)
