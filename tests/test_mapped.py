"""Surfaces seen through affine maps: corners where they belong, bodies that stay bodies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from massprops.core.affine_map import AffineMap
from massprops.core.mapped import MappedSurface
from massprops.core.surface import BLOCK, Surface, TriangleArray, block_count
from tests.oracle import box, exact, rotation, tetrahedron

SHEAR = [[2, Fraction(1, 2), 0], [0, 3, -1], [Fraction(1, 4), 0, 5]]
SHIFT = [7, -11, Fraction(13, 8)]
MIRROR = [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]


def corners(surface: Surface) -> np.ndarray:
    """Facet, corner, axis."""
    blocks = [surface.block(k) for k in range(block_count(surface))]
    return np.concatenate([block.transpose(2, 0, 1) for block in blocks])


def mapped(triangles: np.ndarray, matrix: object, shift: object = (0, 0, 0)) -> MappedSurface:
    return MappedSurface(TriangleArray(triangles), AffineMap.of(matrix, shift))


def test_the_corners_are_the_images() -> None:
    """Numbers of few bits, so that the image has no round-off."""
    triangles = tetrahedron(1.5, 2.25, 3.0)
    found = mapped(triangles, SHEAR, SHIFT)
    wanted = triangles @ np.array(SHEAR, float).T + np.array(SHIFT, float)
    assert corners(found).tolist() == wanted.tolist()
    assert (found.facets, found.dtype) == (4, np.float64)
    assert found.block(0).flags.c_contiguous


def test_the_identity_changes_nothing() -> None:
    triangles = box((0.1, 0.2, 0.3), (1.7, 2.9, 3.1))
    found = mapped(triangles, np.eye(3, dtype=int))
    assert corners(found).tolist() == triangles.tolist()


@pytest.mark.parametrize("matrix", [SHEAR, MIRROR, rotation(1, 2, -3, 4), -rotation(1, 2, -3, 4)])
def test_a_body_stays_a_body(matrix: object) -> None:
    """V |det|, and the centre's image, also where the map mirrors."""
    body = exact(tetrahedron())
    image = exact(corners(mapped(tetrahedron(), matrix, SHIFT)))
    affine = AffineMap.of(matrix, SHIFT)
    assert image.volume > 0
    assert float(image.volume) == pytest.approx(float(abs(affine.determinant) * body.volume), rel=1e-14)
    wanted = affine.matrix @ body.center + affine.translation
    assert [float(c) for c in image.center] == pytest.approx([float(c) for c in wanted], rel=1e-14, abs=1e-14)


def test_a_mirror_reverses_facets_and_not_their_order() -> None:
    triangles = box((0.5, 0, 0), (1, 2, 3))
    found = corners(mapped(triangles, MIRROR))
    assert found.tolist() == (triangles * [-1, 1, 1])[:, ::-1].tolist()


def test_the_base_is_left_as_it_is() -> None:
    triangles = box((0, 0, 0), (1, 2, 3)).astype(np.float32)
    base = TriangleArray(triangles)
    before = base.block(0).copy()
    found = MappedSurface(base, AffineMap.of(SHEAR, SHIFT)).block(0)
    assert found.dtype == np.float64
    assert (base.block(0) == before).all()


def test_equal_corners_have_equal_images_in_every_facet_and_block() -> None:
    """Whatever a library for matrices does with the lengths of its arguments: the image of a closed mesh is closed."""
    rng = np.random.default_rng(5)
    triangles, shared = rng.normal(size=(BLOCK + 37, 3, 3)), rng.normal(size=3)
    at = (np.arange(len(triangles)), np.arange(len(triangles)) % 3)
    triangles[at] = shared
    matrix = rng.normal(size=(3, 3))
    matrix[0] *= np.sign(np.linalg.det(matrix))
    found = mapped(triangles, matrix, rng.normal(size=3))
    assert block_count(found) == 2
    assert len(np.unique(corners(found)[at], axis=0)) == 1
