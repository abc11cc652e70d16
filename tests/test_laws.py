"""What holds for every body: laws of motion and scale, of order and orientation, of putting together and taking apart.

The bodies are stars: an octahedron, cut finely, whose corners are moved along their rays, so that nothing about them
is symmetric. Where their corners are integers and motions are those of `tests.oracle.rotation`, the moved corners are
floats without rounding, so that the laws hold exactly, and results must obey them to round-off.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops import AffineMap, MassProperties, Moments, mass_properties
from massprops.core.measure import measure
from massprops.core.surface import TriangleArray
from massprops.errors import InsideOut
from massprops.readers.reader import reading
from tests.oracle import (
    Body,
    Exact,
    Triangles,
    binary_stl,
    box,
    errors,
    exact,
    exact_array,
    floats,
    indexed,
    moved,
    rays,
    reverse,
    rotation,
    star,
)

ROUND_OFF = 1e-15  # of the largest entry of a tensor, or relative
CUTS = 2
COUNT = rays(CUTS)

settings.register_profile("laws", deadline=None, max_examples=30)
laws = settings(settings.get_profile("laws"))

integer_stars = st.lists(st.integers(20, 45), min_size=COUNT, max_size=COUNT).map(lambda radii: star(CUTS, radii))
quaternions = st.tuples(*4 * [st.integers(-5, 5)]).filter(any)
offsets = st.tuples(*3 * [st.integers(-(2**40), 2**40)])
seeds = st.integers(0, 2**32 - 1)

UNIT = exact_array(np.eye(3, dtype=int))


def found_of(triangles: Triangles, **options: Any) -> MassProperties:
    return mass_properties(indexed(triangles), **options)


def check(found: MassProperties, body: Body, density: Any = 1) -> None:
    assert max(errors(found, body, density)) <= ROUND_OFF, errors(found, body, density)


def check_moments(moments: Moments, body: Body) -> None:
    check(MassProperties.of(moments, area=body.area), body)


def moments_of(triangles: Triangles) -> Moments:
    return measure(TriangleArray(triangles)).integrals.moments


def transformed(body: Body, matrix: Exact, shift: Any = (0, 0, 0), scale: int = 1) -> Body:
    """The body after a rotation or rotary reflection, a uniform scale and a shift, by the laws."""
    return Body(
        body.volume * scale**3,
        scale * (matrix @ body.center) + exact_array(shift),
        scale**5 * (matrix @ body.inertia @ matrix.T),
        body.area * scale**2,
        body.size * scale,
    )


# Stars with integer corners: the laws hold exactly


@given(integer_stars, offsets)
@laws
def test_a_shift_moves_the_centre_and_nothing_else(triangles: Triangles, shift: tuple[int, ...]) -> None:
    check(found_of(triangles + np.array(shift)), transformed(exact(triangles), UNIT, shift))


@given(integer_stars, quaternions)
@laws
def test_a_rotation_turns_centre_and_tensor(triangles: Triangles, quaternion: tuple[int, int, int, int]) -> None:
    turn, clearing = rotation(*quaternion), sum(q * q for q in quaternion)
    image = moved(triangles * clearing, turn)
    assert (image == np.rint(image)).all()
    check(found_of(image), transformed(exact(triangles), turn, scale=clearing))


@given(integer_stars, st.integers(1, 10**6), st.sampled_from([3.0, 7850.0, 1e-3]))
@laws
def test_mass_grows_as_the_cube_and_the_tensor_as_the_fifth_power(triangles: Triangles, scale: int, rho: float) -> None:
    check(found_of(triangles * scale, density=rho), transformed(exact(triangles), UNIT, scale=scale), rho)


@given(integer_stars, quaternions)
@laws
def test_a_mirror_image_wound_outwards_again(triangles: Triangles, quaternion: tuple[int, int, int, int]) -> None:
    clearing = sum(q * q for q in quaternion)
    mirror = rotation(*quaternion) @ exact_array(np.diag([-1, 1, 1]))
    image = reverse(moved(triangles * clearing, mirror))
    check(found_of(image), transformed(exact(triangles), mirror, scale=clearing))


@given(integer_stars, offsets, offsets)
@laws
def test_the_tensor_about_a_point(triangles: Triangles, shift: tuple[int, ...], point: tuple[int, ...]) -> None:
    image = triangles + np.array(shift)
    body, found = exact(image), found_of(image, density=3, about=point)
    wanted = 3 * body.inertia_about(point)
    assert found.inertia_about is not None
    assert np.abs(exact_array(found.inertia_about) - wanted).max() <= ROUND_OFF * np.abs(wanted).max()


@given(integer_stars)
@laws
def test_facets_wound_inwards_are_inside_out(triangles: Triangles) -> None:
    with pytest.raises(InsideOut):
        found_of(reverse(triangles))


@given(st.lists(integer_stars, min_size=2, max_size=4), offsets)
@laws
def test_moments_of_parts_add_up(parts: list[Triangles], shift: tuple[int, ...]) -> None:
    apart = [part + np.array([k * 400, 0, 0]) + np.array(shift) for k, part in enumerate(parts)]
    whole = np.concatenate(apart)
    first, *others = map(moments_of, apart)
    body = exact(whole)
    check(found_of(whole), body)
    check_moments(sum(others, first), body)


@given(integer_stars, st.integers(2, 5), offsets)
@laws
def test_a_cavity_takes_away(triangles: Triangles, ratio: int, shift: tuple[int, ...]) -> None:
    outer, inner = triangles * ratio + np.array(shift), triangles + np.array(shift)
    hollow = np.concatenate([outer, reverse(inner)])
    body = exact(hollow)
    check(found_of(hollow), body)
    check_moments(moments_of(outer) + -moments_of(inner), body)


def test_moments_of_files_add_up(tmp_path: Path) -> None:
    parts = anywhere(1, np.float32, 10.0), anywhere(2, np.float32, 10.0), anywhere(3, np.float32, 10.0)
    found = []
    for k, part in enumerate(parts):
        file = tmp_path / f"{k}.stl"
        file.write_bytes(binary_stl(part))
        with reading(str(file)) as read:
            found.append(measure(read.surface).integrals.moments)
    check_moments(found[0] + found[1] + found[2], exact(np.concatenate(parts)))


@given(integer_stars, quaternions, offsets, st.tuples(*3 * [st.fractions(-3, 3, max_denominator=9).filter(bool)]))
@laws
def test_moments_follow_an_affine_map(
    triangles: Triangles, quaternion: tuple[int, int, int, int], shift: tuple[int, ...], factors: tuple[Fraction, ...]
) -> None:
    matrix = rotation(*quaternion) @ np.diag(exact_array(factors))
    image = exact_array(triangles.astype(int)) @ matrix.T + exact_array(shift)
    wanted = exact(image if np.prod(factors) > 0 else reverse(image))
    check_moments(moments_of(triangles).mapped(AffineMap.of(matrix, shift)), wanted)


# Stars with any corners, anywhere


def anywhere(seed: int, dtype: type, away: float) -> Triangles:
    """A star of any size and position, up to ``away`` times its size from the origin, its corners as stored."""
    random = np.random.default_rng(seed)
    turn = rotation(*(int(q) for q in random.integers(1, 9, 4)))
    scale = 10.0 ** random.uniform(-6, 6)
    shift = scale * 10.0 ** random.uniform(-2, np.log10(away)) * random.uniform(-1, 1, 3)
    triangles = moved(star(CUTS, scale / CUTS * random.uniform(0.6, 1.4, COUNT)), turn, shift.tolist())
    return triangles.astype(dtype).astype(np.float64)


@given(seeds, st.sampled_from([(np.float32, 1e3), (np.float64, 1e9)]))
@laws
def test_any_star_anywhere_is_right_to_round_off(seed: int, kind: tuple[type, float]) -> None:
    triangles = anywhere(seed, *kind)
    check(found_of(triangles), exact(triangles))


@given(seeds)
@laws
def test_the_order_of_facets_and_corners_does_not_matter(seed: int) -> None:
    triangles = anywhere(seed, np.float64, 1e3)
    random = np.random.default_rng(seed)
    facets, turns = random.permutation(len(triangles)), random.integers(0, 3, len(triangles))
    shuffled = np.stack([np.roll(triangles[k], turn, axis=0) for k, turn in zip(facets, turns, strict=True)])
    check(found_of(shuffled), exact(triangles))


@given(seeds)
@laws
def test_moments_and_axes_belong_to_the_tensor(seed: int) -> None:
    found = found_of(anywhere(seed, np.float64, 1e6))
    moments, axes, tensor = found.principal_moments, found.principal_axes, found.inertia
    size = moments[2]
    assert (np.diff(moments) >= 0).all()
    assert moments[0] + moments[1] >= moments[2]
    assert abs(np.trace(tensor) - moments.sum()) <= 2e-15 * size
    assert np.abs(tensor @ axes - axes * moments).max() <= 2e-15 * size
    assert np.abs(axes.T @ axes - np.eye(3)).max() <= 1e-15
    assert abs(np.linalg.det(axes) - 1) <= 1e-15
    largest = np.abs(axes).argmax(axis=0)
    assert (axes[largest[:2], [0, 1]] > 0).all()


# Boxes, as thin as they come: each principal moment keeps its relative accuracy


@given(st.tuples(*3 * [st.integers(1, 10**5)]), quaternions, offsets)
@laws
def test_any_box_turned_keeps_each_moment(
    sides: tuple[int, int, int], quaternion: tuple[int, int, int, int], shift: tuple[int, ...]
) -> None:
    clearing = sum(q * q for q in quaternion)
    lengths = [clearing * side for side in sides]
    image = moved(box((0, 0, 0), lengths), rotation(*quaternion), shift)
    found = found_of(image)
    a, b, c = (Fraction(length) ** 2 for length in lengths)
    mass = np.prod(exact_array(lengths))
    wanted = sorted(mass / 12 * pair for pair in (b + c, a + c, a + b))
    assert found.mass == float(mass)
    assert np.allclose(found.principal_moments, floats(wanted), rtol=ROUND_OFF, atol=0)
