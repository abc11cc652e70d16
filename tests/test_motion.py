"""The map of mirror, resize, rotate and translate, exactly where it can be."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.exact_numbers import rationals
from massprops.errors import PlanError
from massprops.motion import motion, only_along_z

NAN, INF = math.nan, math.inf
parts = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)
directions = st.tuples(parts, parts, parts).filter(any)


@pytest.mark.parametrize(("given", "words"), [
    ({"mirror_normal": (0.0, 0.0, 0.0)}, "--mirror_normal"),
    ({"mirror_normal": (0.0, NAN, 1.0)}, "--mirror_normal"),
    ({"resize": (1.0, 0.0, 1.0)}, "factor of 0"),
    ({"resize": (1.0, -0.0, 1.0)}, "factor of 0"),
    ({"resize": (1.0, INF, 1.0)}, "--resize_factor"),
    ({"rotate_axis": (0.0, 0.0, 1.0)}, "--rotate_axis without --rotate_angle"),
    ({"rotate_angle": 1.0}, "--rotate_angle without --rotate_axis"),
    ({"rotate_axis": (0.0, -0.0, 0.0), "rotate_angle": 1.0}, "--rotate_axis 0 0 0"),
    ({"rotate_axis": (0.0, INF, 0.0), "rotate_angle": 1.0}, "--rotate_axis"),
    ({"rotate_axis": (0.0, 1.0, 0.0), "rotate_angle": NAN}, "--rotate_angle nan"),
    ({"translate": (0.0, 0.0, NAN)}, "--translate_delta"),
])  # fmt: skip
def test_motions_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words) as caught:
        motion(**given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("factor", [1e-300, -3.0, 0.1, 1e300])
def test_resizing_is_exact(factor: float) -> None:
    found = motion(resize=(factor, 1.0, 2.0))
    assert found.matrix.tolist() == rationals(np.diag([factor, 1, 2])).tolist()


@settings(deadline=None, max_examples=50)
@given(directions)
def test_a_mirror_is_an_exact_reflection(normal: tuple[float, float, float]) -> None:
    found = motion(mirror_normal=normal)
    n = rationals(normal)
    assert np.all(found.matrix @ n == -n)
    assert found.determinant == -1
    assert found.then(found).is_identity
    assert np.all(found.matrix == found.matrix.T)


@settings(deadline=None, max_examples=50)
@given(directions, st.floats(-100, 100))
def test_a_rotation_is_right_handed_and_keeps_its_axis(axis: tuple[float, float, float], angle: float) -> None:
    matrix = motion(rotate_axis=axis, rotate_angle=angle).matrix.astype(float)
    u = np.array(axis) / np.linalg.norm(axis)
    assert np.abs(matrix.T @ matrix - np.eye(3)).max() <= 2e-15
    assert np.abs(matrix @ u - u).max() <= 1e-15
    side = np.cross(u, np.eye(3)[np.argmin(np.abs(u))])
    side /= np.linalg.norm(side)
    wanted = math.cos(angle) * side + math.sin(angle) * np.cross(u, side)
    assert np.abs(matrix @ side - wanted).max() <= 2e-15


@pytest.mark.parametrize("axis", [(1e-320, 0.0, 0.0), (1e308, 1e308, -1e308), (0.0, 3e-200, 4e-200)])
def test_axes_of_any_length(axis: tuple[float, float, float]) -> None:
    matrix = motion(rotate_axis=axis, rotate_angle=0.3).matrix.astype(float)
    assert np.abs(matrix.T @ matrix - np.eye(3)).max() <= 2e-15
    assert np.trace(matrix) == pytest.approx(1 + 2 * math.cos(0.3), rel=1e-15)


def test_the_order_is_mirror_resize_rotate_translate() -> None:
    found = motion((1.0, 0.0, 0.0), (2.0, 3.0, 5.0), (0.0, 0.0, 1.0), math.pi / 2, (10.0, 20.0, 30.0))
    image = found.apply(rationals([1, 1, 1])).astype(float)
    # (1, 1, 1) -> (-1, 1, 1) -> (-2, 3, 5) -> (-3, -2, 5) -> (7, 18, 35)
    assert image == pytest.approx([7, 18, 35], rel=1e-15)


def test_nothing_asked_is_the_identity() -> None:
    assert motion().is_identity
    assert motion(resize=(1.0, 1.0, 1.0), translate=(0.0, -0.0, 0.0)).is_identity
    assert motion(translate=(0.1, 0.0, 0.0)).translation.tolist() == [Fraction(0.1), 0, 0]


@pytest.mark.parametrize(("vector", "parts", "told"), [
    (None, (None, None, None), []), (None, (None, None, 2.0), ["resize_z"]), (None, (None, None, 1.0), []),
    (None, (1.0, None, 2.0), ["resize_z"]), (None, (3.0, None, 2.0), ["resize_z"]), (None, (3.0, 4.0, 2.0), []),
    (None, (1.0, 1.0, 2.0), ["resize_z"]), (None, (3.0, 4.0, None), []),
    ((1.0, 1.0, 2.0), (None, None, None), ["resize_factor"]), ((1.0, 1.0, 1.0), (None, None, None), []),
    ((2.0, 1.0, 2.0), (None, None, None), []), ((1.0, -1.0, 2.0), (None, None, None), []),
])  # fmt: skip
def test_what_acts_along_z_only(vector: object, parts: object, told: list[str]) -> None:
    assert only_along_z("resize_factor", vector, parts, 1.0) == told  # type: ignore[arg-type]
