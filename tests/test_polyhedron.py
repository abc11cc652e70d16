"""The kernel against rational arithmetic: errors are within their bounds, whatever the shape and wherever it stands."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.double_polyhedron import double_kernel
from massprops.core.eigen import principal
from massprops.core.exact_numbers import rationals
from massprops.core.inertia import inertia_of
from massprops.core.integrands import reference_frame
from massprops.core.moments import Moments
from massprops.core.polyhedron import Integrals, PlainKernel, integrals
from massprops.core.surface import BLOCK, TriangleArray

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"
OCTAHEDRON = np.concatenate([np.eye(3), -np.eye(3)])[
    [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]]
]


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    ends = np.array([lower, upper], float)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


def exact(triangles: np.ndarray) -> Moments:
    """Moments about the origin, from signed tetrahedra in integers; no formula is shared with the kernel."""
    ratios = [x.as_integer_ratio() for x in triangles.astype(float).ravel().tolist()]
    unit = max(denominator for _, denominator in ratios)  # a power of two
    x = np.array([n * (unit // d) for n, d in ratios], dtype=object).reshape(-1, 3, 3)
    a, b, c = x[:, 0], x[:, 1], x[:, 2]
    determinant = sum(
        a[:, i] * (b[:, j] * c[:, k] - b[:, k] * c[:, j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    )[:, None]
    total = a + b + c
    first = (determinant * total).sum(axis=0)
    second = sum((determinant * p).T @ p for p in (a, b, c, total))
    u = Fraction(1, unit)
    return Moments(
        Fraction(determinant.sum(), 6) * u**3, rationals(first) * u**4 / 24, rationals(second) * u**5 / 120,
        rationals([0, 0, 0]),
    )  # fmt: skip


def measured(triangles: np.ndarray, threads: int | None = None) -> Integrals:
    points = triangles.reshape(-1, 3).astype(float)
    return integrals(TriangleArray(triangles), points.min(axis=0), points.max(axis=0), threads)


def check_bounds(triangles: np.ndarray, sharp: float = 1e-15) -> Integrals:
    """Errors are within the bounds told, and the centre and the tensor as sharp as asked, against the body's size."""
    found, wanted = measured(triangles), exact(triangles)
    at_origin = wanted.about(found.moments.origin)
    assert abs(found.moments.volume - at_origin.volume) <= found.round_off.volume
    assert np.all(np.abs(found.moments.first - at_origin.first) <= rationals(found.round_off.first))
    assert np.all(np.abs(found.moments.second - at_origin.second) <= rationals(found.round_off.second))
    tensor, right = inertia_of(found.moments.central_second), inertia_of(wanted.central_second)
    assert np.abs(tensor - right).max() <= sharp * np.abs(right).max()
    size = float(np.ptp(triangles.reshape(-1, 3), axis=0).max())
    assert float(np.abs(found.moments.center - wanted.center).max()) <= sharp * size
    assert abs(found.moments.volume / wanted.volume - 1) <= sharp
    return found


def rotation(seed: int) -> np.ndarray:
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def star(radii: list[float], center: np.ndarray, rounds: int = 1) -> np.ndarray:
    """A body that is star-shaped seen from its centre: a refined octahedron, its corners at given distances."""
    triangles = OCTAHEDRON
    for _ in range(rounds):
        a, b, c = triangles.transpose(1, 0, 2)
        p, q, r = a + b, b + c, c + a
        triangles = np.concatenate([[a, p, r], [p, b, q], [r, q, c], [p, q, r]], axis=1).transpose(1, 0, 2)
        triangles = triangles / np.linalg.norm(triangles, axis=2, keepdims=True)
    vertices, number = np.unique(triangles.reshape(-1, 3).round(12), axis=0, return_inverse=True)
    lengths = np.resize(np.array(radii), len(vertices))
    return (vertices * lengths[:, None] + center)[number.reshape(-1, 3)]


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.floats(0.5, 2), min_size=18, max_size=18), st.sampled_from([0, 1, 1e3, 1e6]), st.integers(0, 10**6),
    st.booleans(),
)  # fmt: skip
def test_star_shaped_bodies_anywhere(radii: list[float], away: float, seed: int, single: bool) -> None:
    center = np.random.default_rng(seed).normal(size=3) * away
    triangles = star(radii, center)
    check_bounds(triangles.astype(np.float32) if single and away < 10 else triangles)


@pytest.mark.parametrize("away", [0, 1, 1e4])
@pytest.mark.parametrize("seed", range(3))
def test_plates_of_a_millionth(seed: int, away: float) -> None:
    check_bounds(box((-0.5, -0.5, -5e-7), (0.5, 0.5, 5e-7)) @ rotation(seed).T + away, 2e-15)


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 16, 19])
def test_the_principal_moments_of_a_rotated_needle_are_right_each_for_itself(seed: int) -> None:
    triangles = box((-0.5, -5e-5, -5e-9), (0.5, 5e-5, 5e-9)) @ rotation(seed).T + 0.3
    found = check_bounds(triangles)
    moments = principal(inertia_of(found.moments.central_second)).moments.tolist()
    wanted = principal(inertia_of(exact(triangles).central_second)).moments.tolist()
    assert max(abs(x / y - 1) for x, y in zip(moments, wanted, strict=True)) <= 1e-12


@pytest.mark.parametrize("scale", [1e-50, 1e-25, 1.0, 1e25, 1e60])
def test_the_scale_does_not_matter(scale: float) -> None:
    triangles = star([1, 1.3, 0.8], np.array([0.3, 0.4, -0.7])) * scale
    check_bounds(triangles)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("triangles", [
    box((-0.5, -0.5, -5e-7), (0.5, 0.5, 5e-7)),
    # A speck beside a ball makes the box larger: the volume keeps its digits, the second moments do not.
    np.concatenate([star([1.0], np.zeros(3), 4), box((1.65, 0, 0), (1.66, 0.01, 0.01))]).astype(np.float32),
    np.concatenate([star([1.0], np.zeros(3), 6) * [1, 1, 0.5], box((6, 0, 0), (6.01, 0.01, 0.01))]),
])  # fmt: skip
def test_bounds_are_sharp_for_bodies_that_need_double_double_arithmetic(triangles: np.ndarray, turned: bool) -> None:
    found = measured(triangles @ rotation(1).T if turned else triangles)
    assert found.round_off.volume <= 2e-15 * found.moments.volume
    assert np.max(found.round_off.second) <= 1e-14 * np.diag(found.moments.central_second).max()


def test_compact_bodies_do_not_pay_for_double_double_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("massprops.core.polyhedron.double_kernel", None)
    measured(box((-1, -2, -3), (1, 2, 3)))
    measured(star([1.0], np.zeros(3), 3))
    large = star([1.0], np.zeros(3), 6) * [1, 1, 0.2] @ rotation(2).T  # a small one with such bounds would be sharpened
    found = measured(large)
    assert len(large) > 2 * BLOCK
    assert 1e-15 < found.round_off.volume / found.moments.volume < 5e-15


def test_a_box_far_away_is_exact() -> None:
    found = measured(box((1e6, -2e6, 3e6), (1e6 + 2, -2e6 + 3, 3e6 + 5)))
    assert found.moments.volume == 30
    assert found.moments.center.tolist() == [1e6 + 1, -2e6 + 1.5, 3e6 + 2.5]
    assert np.diag(inertia_of(found.moments.central_second)).tolist() == [85, 72.5, 32.5]
    assert found.area == 2 * (2 * 3 + 3 * 5 + 5 * 2)


def test_a_faceted_torus() -> None:
    n, m = 48, 32
    u, v = 2 * np.pi * np.arange(n)[:, None] / n, 2 * np.pi * np.arange(m)[None] / m
    x = np.stack([(3 + np.cos(v)) * np.cos(u), (3 + np.cos(v)) * np.sin(u), np.sin(v) + 0 * u], axis=2)
    r, t = np.roll(x, -1, axis=0), np.roll(x, -1, axis=1)
    rt = np.roll(r, -1, axis=1)
    triangles = np.concatenate([np.stack([x, r, rt], axis=2), np.stack([x, rt, t], axis=2)]).reshape(-1, 3, 3)
    big, small = 2 * np.pi / n, 2 * np.pi / m
    area, polar = m / 2 * np.sin(small), m * np.sin(small) * (2 + np.cos(small)) / 12
    volume = 3 * n * np.sin(big) * area
    about_axis = n * np.sin(big) * (2 + np.cos(big)) / 3 * (27 * area + 9 * polar / 2)
    found = measured(triangles)
    assert float(found.moments.volume) == pytest.approx(volume, rel=2e-15)
    assert float(inertia_of(found.moments.central_second)[2, 2]) == pytest.approx(about_axis, rel=4e-15)


@pytest.mark.parametrize("shift", [0.0, 0.37, 5e3])
def test_the_plain_and_the_double_double_kernel_agree(shift: float) -> None:
    triangles = star([1.0, 1.7, 0.6, 1.1], np.array([shift, -shift, 2 * shift]), rounds=3)
    points = triangles.reshape(-1, 3)
    frame = reference_frame(points.min(axis=0), points.max(axis=0))
    block = TriangleArray(triangles).block(0)
    plain, double = PlainKernel([frame], [BLOCK])(block), double_kernel(block, frame)
    size = np.array([1, *frame.half, *frame.half**2, *(np.roll(frame.half, -1) * frame.half)]) * np.prod(frame.half)
    assert np.abs(np.sum(plain.parts, axis=0) - np.sum(double.parts, axis=0)).max() <= 1e-13 * size.max()
    assert plain.area == pytest.approx(double.area, rel=1e-14)


@pytest.mark.parametrize("doubled", [False, True])
def test_threads_do_not_change_a_bit(doubled: bool) -> None:
    triangles = star([1.0, 1.2, 0.9], np.array([0.2, 5.0, -7.0]), rounds=6)  # 32768 facets
    triangles = np.concatenate([triangles, box((20, 20, 20), (21, 21, 21))])
    if doubled:
        triangles = triangles * [1, 1, 1e-7]
    found = [measured(triangles, threads) for threads in (1, 2, 5)]
    assert len(triangles) > 4 * BLOCK
    for other in found[1:]:
        assert other.moments.volume == found[0].moments.volume
        assert np.all(other.moments.first == found[0].moments.first)
        assert np.all(other.moments.second == found[0].moments.second)
        assert other.area == found[0].area
        assert other.round_off.volume == found[0].round_off.volume
        assert np.array_equal(other.round_off.second, found[0].round_off.second)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_facets_and_corners_changes_round_off_only(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = star([1.0, 1.2, 0.9, 1.6], rng.normal(size=3))
    turned = np.stack([np.roll(facet, rng.integers(3), axis=0) for facet in rng.permutation(triangles)])
    found, other = check_bounds(triangles), check_bounds(turned)
    assert float(found.moments.volume) == pytest.approx(float(other.moments.volume), rel=4e-16)


def test_a_reversed_body_has_the_opposite_moments() -> None:
    triangles = star([1.0, 1.2, 0.9, 1.6], np.array([0.1, 3.0, -2.0]))
    found, other = measured(triangles), measured(triangles[:, [0, 2, 1]])
    assert other.moments.volume == pytest.approx(-float(found.moments.volume), rel=1e-15)
    assert other.area == pytest.approx(found.area, rel=1e-15)


def test_a_sheet_has_no_volume_within_its_bound() -> None:
    sheet = np.array([[0, 0, 0], [1, 0, 0.3], [1, 1, 0.7], [0, 1, 0.4]], float)[
        [[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]]
    ]
    for shift in (0.0, 17.3, 1e5):
        found = measured(sheet @ rotation(4).T + shift)
        assert abs(found.moments.volume) <= found.round_off.volume
        assert found.area == pytest.approx(2 * np.linalg.norm(np.cross([1, 0, 0.3], [0, 1, 0.4])), rel=1e-9)


def test_a_point_has_no_volume() -> None:
    found = measured(np.full((4, 3, 3), 2.5))
    assert found.moments.volume == 0


@pytest.mark.parametrize("scale", [1e-80, 1e80, 1e110])
def test_moments_beyond_the_range_of_floats_are_rational_all_the_same(scale: float) -> None:
    found = measured(OCTAHEDRON * scale)
    assert float(found.moments.volume / Fraction(scale) ** 3) == pytest.approx(4 / 3, rel=1e-14)
    assert found.area == pytest.approx(4 * np.sqrt(3) * scale**2, rel=1e-14, abs=0)
