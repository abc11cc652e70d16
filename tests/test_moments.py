"""The algebra of moments: identities that hold without any error."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.affine_map import AffineMap
from massprops.core.exact_numbers import rationals
from massprops.core.moments import Moments

quick = settings(deadline=None, max_examples=15)
ratios = st.fractions(min_value=-7, max_value=7, max_denominator=11)
vectors = st.tuples(ratios, ratios, ratios)
matrices = st.tuples(vectors, vectors, vectors).filter(lambda m: AffineMap.of(m).determinant != 0)
maps = st.builds(AffineMap.of, matrices, vectors)
corners = st.tuples(vectors, vectors, vectors, vectors).filter(lambda p: edges(*p).determinant != 0)
solids = corners.map(lambda p: tetrahedron(*p))


def edges(a: object, b: object, c: object, d: object) -> AffineMap:
    """The map of the unit simplex to a tetrahedron."""
    origin, *ends = (rationals(p) for p in (a, b, c, d))
    return AffineMap(np.stack([end - origin for end in ends], axis=1), origin)


def tetrahedron(a: object, b: object, c: object, d: object) -> Moments:
    """From the integrals over the unit simplex: int 1 = 1/6, int x_i = 1/24, int x_i x_j = (1 + delta_ij) / 120."""
    second = [[Fraction(1 + (i == j), 120) for j in range(3)] for i in range(3)]
    simplex = Moments.of(Fraction(1, 6), [Fraction(1, 24)] * 3, second)
    return simplex.mapped(edges(a, b, c, d))


def same(x: Moments, y: Moments) -> bool:
    """Whether two bodies are the same, whatever point their integrals were taken about."""
    y = y.about(x.origin)
    return x.volume == y.volume and bool(np.all(x.first == y.first)) and bool(np.all(x.second == y.second))


def test_a_tetrahedron_of_the_covariance_formula() -> None:
    corners = rationals([[0.5, 1, -2], [1, 3, 0.25], [-1, 2, 2], [4, 0, 1]])
    found = tetrahedron(*corners)
    total = corners.sum(axis=0)
    assert np.all(found.center == total / 4)
    about_zero = found.about(rationals([0, 0, 0])).second
    wanted = sum(np.outer(p, p) for p in corners) + np.outer(total, total)
    assert np.all(about_zero == found.volume / 20 * wanted)


@quick
@given(solids, vectors, vectors)
def test_the_point_of_reference_changes_nothing(body: Moments, p: object, q: object) -> None:
    moved = body.about(rationals(p)).about(rationals(q))
    assert same(moved, body)
    assert np.all(moved.center == body.center)
    assert np.all(moved.central_second == body.central_second)
    assert same(moved.about(body.origin), body)


@pytest.mark.parametrize("density", [3, 0.75, Fraction(2, 7)])
def test_a_density_multiplies_all_integrals(density: float | Fraction) -> None:
    body = tetrahedron([0.5, 1, -2], [1, 3, 0.25], [-1, 2, 2], [4, 0, 1])
    heavy = density * body
    rho = Fraction(density)
    assert (heavy.volume, heavy.origin.tolist()) == (rho * body.volume, body.origin.tolist())
    assert heavy.first.tolist() == [rho * x for x in body.first]
    assert heavy.second.tolist() == [[rho * x for x in row] for row in body.second]
    assert heavy.center.tolist() == body.center.tolist()


@quick
@given(solids, solids, solids)
def test_bodies_add_in_any_order_and_their_voids_take_them_away(a: Moments, b: Moments, c: Moments) -> None:
    assert same((a + b) + c, a + (b + c))
    assert same(a + b, b + a)
    assert same((a + b) + -b, a)
    assert same(a + -a + b, b)
    assert (a + b).volume == a.volume + b.volume


@quick
@given(solids, maps, maps)
def test_maps_compose_and_come_back(body: Moments, f: AffineMap, g: AffineMap) -> None:
    assert same(body.mapped(f).mapped(g), body.mapped(f.then(g)))
    assert body.mapped(f).volume == abs(f.determinant) * body.volume
    assert np.all(body.mapped(f).center == f.apply(body.center))
    central = abs(f.determinant) * f.matrix @ body.central_second @ f.matrix.T
    assert np.all(body.mapped(f).central_second == central)
    assert f.then(g).determinant == f.determinant * g.determinant


@quick
@given(solids, solids, maps)
def test_a_map_of_a_sum_is_the_sum_of_the_maps(a: Moments, b: Moments, f: AffineMap) -> None:
    assert same((a + b).mapped(f), a.mapped(f) + b.mapped(f))


@quick
@given(solids, st.sampled_from([(-1, 1, 1), (1, -1, 1), (-1, -1, -1), (-2, 3, 5)]))
def test_a_mirror_keeps_the_sign_of_the_volume(body: Moments, factors: tuple[int, int, int]) -> None:
    mirrored = body.mapped(AffineMap.of(np.diag(factors).tolist()))
    assert mirrored.volume == body.volume * abs(factors[0] * factors[1] * factors[2])


def test_scale_laws() -> None:
    body = tetrahedron((1, 0, 2), (3, 1, 0), (0, 4, 1), (1, 1, 7))
    grown = body.mapped(AffineMap.of(np.diag([Fraction(3, 2)] * 3)))
    s = Fraction(3, 2)
    assert grown.volume == s**3 * body.volume
    assert np.all(grown.first == s**4 * body.first)
    assert np.all(grown.second == s**5 * body.second)


def test_a_unit_cube_is_six_tetrahedra() -> None:
    cube = tetrahedron((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1))
    for order in itertools.islice(itertools.permutations(range(3)), 1, None):
        path = np.cumsum([np.zeros(3, int), *(np.eye(3, dtype=int)[k] for k in order)], axis=0)
        cube = cube + tetrahedron(*path.tolist())
    assert cube.volume == 1
    assert cube.center.tolist() == [Fraction(1, 2)] * 3
    assert np.all(cube.central_second == rationals(np.eye(3, dtype=int)) / 12)


def test_rationals_are_exact_and_keep_the_shape() -> None:
    found = rationals([[0.1, 2], [Fraction(1, 3), -0.0]])
    assert found.shape == (2, 2)
    assert found.tolist() == [[Fraction(0.1), 2], [Fraction(1, 3), 0]]
    assert rationals(np.float64(0.1)).item() == Fraction(0.1)
    assert all(type(x) is Fraction for x in rationals(np.arange(3)).tolist())


def test_the_identity_is_known_as_such() -> None:
    assert AffineMap.identity().is_identity
    assert AffineMap.of(np.eye(3)).is_identity
    assert not AffineMap.of(np.eye(3), [0, 0, 5e-324]).is_identity
    assert not AffineMap.of(np.diag([1, 1, 1 + 2.0**-52])).is_identity
    turn = AffineMap.of([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert turn.then(turn).then(turn).then(turn).is_identity


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_number_is_no_fraction(value: float) -> None:
    with pytest.raises((ValueError, OverflowError)):
        rationals([value])


@pytest.mark.parametrize("order", ["C", "F"])
def test_rationals_are_exact_however_an_array_lies_in_memory(order: Any) -> None:
    values = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], order=order)
    for array in (values, values.T, values[:, ::2], values[::-1]):
        exact = rationals(array)
        assert all(isinstance(value, Fraction) for value in exact.flat)
        assert (exact == array).all()
    assert isinstance(rationals(0.5)[()], Fraction)
    assert values.dtype == float


SECOND = np.diag([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((1, [[0, 0, 0]], SECOND), "first"),
        ((1, np.zeros((3, 1)), SECOND), "first"),
        ((1, [0, 0], SECOND), "first"),
        ((1, [0, 0, 0], [1, 2, 3]), "second"),
        ((1, [0, 0, 0], SECOND[None]), "second"),
        ((1, [0, 0, 0], [[1, 0], [0, 1]]), "second"),
        ((1, [0, 0, 0], SECOND, [0, 0]), "origin"),
        ((1, [0, 0, 0], SECOND, [[0, 0, 0]]), "origin"),
        ((np.nan, [0, 0, 0], SECOND), "volume"),
        ((1, [0, 0, np.inf], SECOND), "first"),
        ((1, [0, 0, 0], [[1, 2, 3], [0, 4, 5], [0, 0, 6]]), "second: second moments are symmetric"),
    ],
)
def test_moments_of_other_shapes_are_refused(arguments: Any, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}"):
        Moments.of(*arguments)


def test_round_off_does_not_make_moments_asymmetric() -> None:
    turned = SECOND + 1e-16 * np.arange(9).reshape(3, 3)
    assert Moments.of(np.float32(1), np.zeros(3, np.float32), turned).volume == 1


@pytest.mark.parametrize(
    ("arguments", "error", "name"),
    [
        ((np.eye(2),), ValueError, "matrix"),
        ((np.eye(3)[None],), ValueError, "matrix"),
        ((np.eye(4),), ValueError, "matrix"),
        ((np.eye(3), [[0, 0, 0]]), ValueError, "translation"),
        ((np.eye(3), 0), ValueError, "translation"),
        ((np.eye(3), [0, 0, np.nan]), ValueError, "translation"),
        ((np.eye(3) * 1j,), TypeError, "matrix"),
        ((np.eye(3), "xyz"), TypeError, "translation"),
    ],
)
def test_maps_of_other_shapes_are_refused(arguments: Any, error: type[Exception], name: str) -> None:
    with pytest.raises(error, match=f"^{name}"):
        AffineMap.of(*arguments)


def test_without_volume_there_is_no_centre() -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    nothing = body + -body
    for name in ("center", "central_second"):
        with pytest.raises(ValueError, match="volume 0 have no centre of mass"):
            getattr(nothing, name)


@pytest.mark.parametrize("density", [np.int64(3), np.float64(3), np.float32(3), np.array(3.0)])
def test_numbers_of_numpy_multiply_a_body(density: Any) -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert same(density * body, 3 * body)
    with pytest.raises(TypeError):
        np.zeros(3) * body


def test_moments_and_maps_are_read_only_and_leave_arguments_writable() -> None:
    given = rationals([1, 2, 3])
    body = Moments(Fraction(1), given, rationals(SECOND), given)
    turn = AffineMap.of(np.eye(3))
    for array in (body.first, body.second, body.origin, turn.matrix, turn.translation, body.about(given).first):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    given[0] = 9
    assert body.first[0] == 1


def test_bodies_are_summed_subtracted_and_multiplied_from_either_side() -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 1, 3))
    other = body.mapped(AffineMap.of(np.eye(3), [3, 0, 1]))
    assert same(sum([body, other]), body + other)
    assert same(body * 3, 3 * body)
    assert same(body - other, body + -other)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda body: body + 1, lambda body: 1 + body, lambda body: body - 1, lambda body: 1 - body,
        lambda body: body * body, lambda body: body * "x", lambda body: body + np.ones(3), lambda body: False + body,
    ],
)
def test_what_is_no_body_is_not_added(wrong: Any) -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    with pytest.raises(TypeError, match=r"operand|^density: a number is wanted"):
        wrong(body)


@pytest.mark.parametrize("what", ["mapped", "then"])
@pytest.mark.parametrize("wrong", [np.eye(3), None, (np.eye(3), [0, 0, 0])])
def test_only_a_map_maps(what: str, wrong: Any) -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    told = rf"^{what}: AffineMap\.of\(.*\) is wanted, not a value of type {type(wrong).__name__}"
    with pytest.raises(TypeError, match=told):
        getattr(body if what == "mapped" else AffineMap.identity(), what)(wrong)


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.diag([1, 1, 0]), [[1, 2, 3], [2, 4, 6], [0, 0, 1]]])
def test_a_map_that_flattens_leaves_no_body(matrix: Any) -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    with pytest.raises(ValueError, match=r"^mapped: the matrix is singular"):
        body.mapped(AffineMap.of(matrix, [1, 2, 3]))


FAR = (1e6, -2e6, 3e6)
TENTHS, SINGLE = [Fraction(x) for x in (0.1, 0.2, 0.3)], [Fraction(float(np.float32(x))) for x in (0.1, 0.2, 0.3)]


@pytest.mark.parametrize(
    ("point", "exact"),
    [
        ((0.1, 0.2, 0.3), TENTHS), (np.array([0.1, 0.2, 0.3]), TENTHS), (np.array([TENTHS] * 2).T[:, 0], TENTHS),
        (np.float32([0.1, 0.2, 0.3]), SINGLE), (np.array([1, 2, 3]), [1, 2, 3]), (range(3), [0, 1, 2]),
        ([Decimal("0.1"), Fraction(1, 3), np.int8(3)], [Fraction(1, 10), Fraction(1, 3), 3]),
        (np.array([1, Fraction(1, 3), 0.1], object), [1, Fraction(1, 3), Fraction(0.1)]),
    ],
)  # fmt: skip
def test_points_of_any_kind_are_taken_without_rounding(point: Any, exact: Any) -> None:
    """A body far away: floats among its fractions used to make floats of all, and of 1/6 0.167409."""
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)).mapped(AffineMap.of(np.eye(3), FAR))
    found = body.about(point)
    assert found.origin.tolist() == exact
    assert found.center.tolist() == body.center.tolist()
    assert found.central_second.tolist() == body.central_second.tolist()
    assert same(found, body.about(rationals(exact)))
    turn = AffineMap.of([[0, -1, 0], [1, 0, 0], [0, 0, 1]], FAR)
    assert turn.apply(point).tolist() == [Fraction(1e6) - exact[1], exact[0] - 2 * 10**6, exact[2] + 3 * 10**6]
    for array in (found.first, found.second, found.origin, turn.apply(point)):
        assert {type(x) for x in array.flat} == {Fraction}


@pytest.mark.parametrize(
    ("point", "error"),
    [
        ([0, math.nan, 0], ValueError), ([0, 0, math.inf], ValueError), ([1, 2], ValueError), (None, ValueError),
        ([[1, 2, 3]], ValueError), (np.eye(3), ValueError), (0, ValueError),
        ("abc", TypeError), ([1, 2, None], TypeError),
        (["1", "2", "3"], TypeError), ([1j, 0, 0], TypeError), ([True, 0, 0], TypeError), ([[1], [2, 3], 4], TypeError),
        (np.ma.array([1, 2, 3], mask=[0, 1, 0]), ValueError),
    ],
)  # fmt: skip
def test_points_that_are_none_are_refused(point: Any, error: type[Exception]) -> None:
    body = tetrahedron((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    with pytest.raises(error, match=r"^origin\b[^\n]{5,80}$"):
        body.about(point)
    with pytest.raises(error, match=r"^point\b[^\n]{5,80}$"):
        AffineMap.identity().apply(point)


EXACT = {3: rationals([1, 2, 3]), 9: rationals(SECOND)}


@pytest.mark.parametrize("wrong", [
    lambda: AffineMap(np.eye(3), np.zeros(3)), lambda: AffineMap(EXACT[9], np.array([0.1, 0.2, 0.3])),
    lambda: AffineMap(EXACT[9], [0, 0, 0]), lambda: AffineMap(EXACT[9].astype(object) * 1.0, EXACT[3]),
    lambda: AffineMap(EXACT[3], EXACT[3]),
    lambda: Moments(1.0, EXACT[3], EXACT[9], EXACT[3]), lambda: Moments(Fraction(1), np.ones(3), EXACT[9], EXACT[3]),
    lambda: Moments(Fraction(1), EXACT[3], EXACT[9], np.array([0.1, Fraction(1), Fraction(2)], object)),
    lambda: Moments(Fraction(1), EXACT[3], EXACT[9], None), lambda: Moments(Fraction(1), EXACT[3], EXACT[3], EXACT[3]),
    lambda: replace(Moments.of(1, [0, 0, 0], SECOND), origin=np.array([0.1, 0.2, 0.3])),
])  # fmt: skip
def test_constructors_take_fractions_only(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^(\w+): arrays of fractions are wanted; \1\.of makes them from numbers"):
        wrong()
