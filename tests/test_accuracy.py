"""Every error is within the bound that is told of it, against fractions; and the bounds are sharp."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core import polyhedron
from massprops.core.accuracy import Accuracy, accuracy
from massprops.core.affine_map import AffineMap
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.moments import Moments
from massprops.core.round_off import RoundOff
from massprops.core.sums import U
from massprops.core.surface import BLOCK, TriangleArray
from massprops.core.units import UNITS
from massprops.motion import motion
from tests.oracle import (
    Body,
    Triangles,
    box,
    exact,
    exact_array,
    floats,
    indexed,
    l_prism,
    moved,
    rays,
    reverse,
    rotation,
    star,
    torus,
)

TURN = rotation(3, 1, -2, 5)


class Told(NamedTuple):
    """What is said of a body, and what is true of it."""

    properties: MassProperties
    bounds: Accuracy
    body: Body
    density: Fraction


def told(triangles: Triangles, affine: AffineMap | None = None, density: float = 1.0) -> Told:
    affine = AffineMap.identity() if affine is None else affine
    integrals = measure(TriangleArray(triangles)).integrals
    properties = MassProperties.of(integrals.moments.mapped(affine), density)
    corners, faces = indexed(triangles.astype(float))
    image = (exact_array(corners.tolist()) @ affine.matrix.T + affine.translation)[faces]
    body = exact(reverse(image) if affine.determinant < 0 else image)
    return Told(properties, accuracy(integrals, affine, properties), body, Fraction(density))


def check(found: Told) -> Told:
    """Each number is as right as is said."""
    properties, bounds, body, density = found
    assert abs(Fraction(properties.volume) - body.volume) <= Fraction(bounds.volume)
    assert (abs(exact_array(properties.center.tolist()) - body.center) <= Fraction(bounds.center)).all()
    error = abs(exact_array(properties.inertia.tolist()) - density * body.inertia)
    assert (error <= Fraction(bounds.inertia)).all()
    moments = exact_array(properties.principal_moments.tolist())
    slack = Fraction(2) ** -200 * max(body.principal_moments)  # to which those of the oracle are right
    right = density * exact_array(body.principal_moments)
    assert (abs(moments - right) <= Fraction(bounds.principal_moments) + density * slack).all()
    return found


def check_sharp(found: Told) -> None:
    properties, bounds, _, _ = check(found)
    assert bounds.volume <= 1e-14 * properties.volume
    assert bounds.inertia <= 1e-13 * np.abs(properties.inertia).max()


turns = st.tuples(*[st.integers(-9, 9)] * 4).filter(any)
positive = st.floats(0.1, 10)
factors = st.tuples(*[positive.flatmap(lambda x: st.sampled_from([x, -x]))] * 3)
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda n: max(map(abs, n)) > 0.1)
shifts = st.tuples(*[st.floats(-1e3, 1e3)] * 3)


@st.composite
def bodies(draw: Any) -> Triangles:
    """Compact or thin, turned, anywhere; compact ones not too far away in float32 too."""
    kind = draw(st.sampled_from(["star", "plate", "needle", "l", "torus"]))
    if kind == "star":
        shape = star(1, draw(st.lists(st.floats(0.3, 1.5), min_size=6, max_size=6)))
    elif kind in ("plate", "needle"):
        b, c = draw(st.floats(-8, 0)), draw(st.floats(-8, -3))
        shape = box((0, 0, 0), (1, 1 if kind == "plate" else 10**b, 10**c))
    else:
        shape = {"l": l_prism(), "torus": torus(3, 1, 4, 3)}[kind]
    shift = draw(st.sampled_from([(0, 0, 0), (1, -2, 3), (1e3, -7e2, 3e3), (1e6, 2e4, -3e6)]))
    body = moved(shape, rotation(*draw(turns)), shift)
    is_rounded = kind in ("star", "l", "torus") and abs(shift[0]) < 1e4 and draw(st.booleans())
    return body.astype(np.float32) if is_rounded else body


@st.composite
def maps(draw: Any) -> AffineMap:
    """What the command line can ask for, with a change of units at the end."""
    found = motion(
        draw(st.none() | directions),
        draw(st.just((1.0, 1.0, 1.0)) | factors),
        *draw(st.just((None, None)) | st.tuples(directions, st.floats(-7, 7))),
        draw(st.just((0.0, 0.0, 0.0)) | shifts),
    )
    unit = draw(st.sampled_from([None, "mm", "in"]))
    return found if unit is None else found.then(AffineMap.of(np.diag([UNITS[unit].metres] * 3)))


@settings(deadline=None, max_examples=30)
@given(bodies(), st.floats(1e-3, 1e4))
def test_bounds_hold_for_bodies_anywhere(body: Triangles, density: float) -> None:
    check(told(body, density=density))


@settings(deadline=None, max_examples=30)
@given(bodies(), maps())
def test_bounds_hold_after_what_the_command_line_can_ask_for(body: Triangles, affine: AffineMap) -> None:
    check(told(body, affine))


def test_factors_of_many_digits() -> None:
    """Mirrored, turned and in micrometres: nothing here is large, but the fractions have many digits."""
    affine = motion((0.1, 0.2, 0.3), (0.001, 0.001, 0.001), (1.0, 2.0, 3.0), 0.7)
    body = moved(SHARP["star"], TURN, (0.3, 1.4, -3))
    check(told(body, affine.then(AffineMap.of(np.diag([UNITS["um"].metres] * 3))), density=0.0077))


SHARP = {
    "star": star(3, np.linspace(0.6, 1.4, rays(3)) / 3),
    "L": l_prism(),
    "needle": moved(box((0, 0, 0), (1, 1e-4, 1e-6)), TURN),
    "thinner needle": moved(box((0, 0, 0), (1, 1e-4, 1e-8)), TURN),
    "plate": moved(box((0, 0, 0), (1, 1, 1e-6)), TURN),
}


@pytest.mark.parametrize("name", SHARP)
@pytest.mark.parametrize("shift", [(0, 0, 0), (1, 2, 3), (871.3, -433.9, 12.7), (1e6, -2e6, 3e6)])
def test_bounds_are_sharp(name: str, shift: tuple[float, ...]) -> None:
    """Of coordinates as they are: far away, a thin body is what rounding has made of it."""
    if name.endswith(("needle", "plate")) and shift[0] > 1e5:
        return
    check_sharp(told(moved(SHARP[name], None, shift)))


SPHERE = star(12, [1 / math.dist(p, (0, 0, 0)) for p in np.unique(np.concatenate(
    [np.argwhere(np.abs(np.indices((25, 25, 25)) - 12).sum(axis=0) == 12) - 12]), axis=0)])  # fmt: skip
"""A sphere about the origin, of 1152 facets."""


def test_that_sphere_is_one() -> None:
    assert np.allclose(np.linalg.norm(SPHERE, axis=2), 1, rtol=1e-15)
    assert exact(SPHERE).volume == pytest.approx(4 / 3 * math.pi, rel=0.03)


ORDINARY = {
    "sphere": SPHERE,
    "sphere in single precision": SPHERE.astype(np.float32),
    "sphere elsewhere, in single precision": np.add(SPHERE, (10.1, -3.7, 25.3)).astype(np.float32),
    "small sphere": SPHERE * 1e-3,
    "box in single precision": box((10.1, 20.2, 30.3), (12.4, 23.5, 35.6)).astype(np.float32),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_bodies_need_one_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> Any:
        raise AssertionError("formed again in double-double arithmetic")

    monkeypatch.setattr(polyhedron, "double_kernel", refused)
    check_sharp(told(ORDINARY[name]))


@pytest.mark.parametrize("shift", [0, 1.3])
def test_large_ordinary_bodies_need_one_pass(shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of float64 coordinates off the origin too: the bound may then be some roundings larger."""
    monkeypatch.setattr(polyhedron, "double_kernel", None)
    body = torus(3, 1, 160, 60)
    assert len(body) > 2 * BLOCK
    measured = measure(TriangleArray(moved(body, TURN, (shift, -shift, 2 * shift))))
    assert measured.integrals.round_off.volume <= 5e-15 * measured.integrals.moments.volume


@pytest.mark.parametrize("name", ["needle", "plate"])
def test_thin_bodies_need_two(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    double = polyhedron.double_kernel
    monkeypatch.setattr(polyhedron, "double_kernel", lambda *given: (calls.append(1), double(*given))[1])
    told(SHARP[name])
    assert calls


def test_both_passes_agree_within_their_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    body = moved(star(3, np.linspace(0.6, 1.4, rays(3))), TURN, (5, -3, 8))
    monkeypatch.setattr(polyhedron, "_is_sharp", lambda *_: True)
    plain = check(told(body))
    monkeypatch.setattr(polyhedron, "_is_sharp", lambda *_: False)
    double = check(told(body))
    assert double.bounds.volume < plain.bounds.volume
    assert abs(plain.properties.volume - double.properties.volume) <= plain.bounds.volume + double.bounds.volume
    difference = np.abs(plain.properties.inertia - double.properties.inertia).max()
    assert difference <= plain.bounds.inertia + double.bounds.inertia


EXTREMES: list[Any] = [
    (1e-60, 1.0), (1e-20, 1e-20), (1e-60, 1e100), (1e-100, 1e90), (1e60, 1e-60), (1e100, 1e-110), (1e100, 1e-130),
    (1e-100, 1e120), (1e60, 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("size", "factor"), EXTREMES)
def test_sizes_and_factors_that_leave_the_range_of_floats_on_the_way(size: float, factor: float) -> None:
    body = moved(star(1, [1, 1.2, 0.7, 0.9, 1.3, 0.8]), TURN, (1, -2, 3)) * size
    found = check(told(body, motion(resize=(factor, -1.5 * factor, 0.7 * factor))))
    assert found.bounds.volume <= 1e-14 * found.properties.volume
    assert found.bounds.inertia <= 1e-13 * np.abs(found.properties.inertia).max()


@pytest.mark.parametrize("density", [1e-250, 1e200, 1e250])
def test_extreme_densities(density: float) -> None:
    check_sharp(told(moved(SHARP["star"], TURN), density=density))


@pytest.mark.parametrize("side", [6e-62, 6.1e-62, 7e-62, 1e-61])
def test_results_at_the_edge_of_what_floats_hold(side: float) -> None:
    """The tensor is next to the smallest normal float64; its bound is below it."""
    found = check(told(box((0, 0, 0), (side,) * 3)))
    assert 0 < found.bounds.inertia < 1e-300


def test_results_below_what_floats_hold_with_all_digits() -> None:
    """The mass is a number like any other, the volume has a few digits left, and the bound says so."""
    body = box((0.1, 1e-155, -1e-155), (1.3, 4e-155, 2e-155))
    sums = polyhedron.integrals(TriangleArray(body), body.min(axis=(0, 1)), body.max(axis=(0, 1)))
    properties = MassProperties.of(sums.moments, 1e200)
    bounds = accuracy(sums, AffineMap.identity(), properties)
    assert 0 < properties.volume < 2e-309
    assert abs(Fraction(properties.volume) - exact(body).volume) <= Fraction(bounds.volume)
    assert bounds.volume <= 1e-9 * properties.volume


@pytest.mark.parametrize("exponent", [-1021, -1040, -1060, -1073])
def test_the_rounding_of_subnormal_volumes(exponent: int) -> None:
    """Half of the smallest float64 and less than that, whatever the sums were."""
    third = Fraction(2) ** exponent / 3
    sums = polyhedron.Integrals(Moments.of(third, [0, 0, 0], np.eye(3) / 3), 1.0, NO_ERROR)
    properties = MassProperties.of(sums.moments, 1e300)
    found = accuracy(sums, AffineMap.identity(), properties)
    assert abs(Fraction(properties.volume) - third) <= Fraction(found.volume)
    assert Fraction(found.volume) <= third * Fraction(U) + Fraction(2) ** -1069


NO_ERROR = RoundOff(0.0, np.zeros(3), np.zeros((3, 3)))
ERRORS = RoundOff(
    0.03, np.array([0.01, 0.02, 0.05]), np.array([[0.03, 0.01, 0.02], [0.01, 0.07, 0.05], [0.02, 0.05, 0.04]])
)
SECOND = [[9, 1, -2], [1, 8, 0.5], [-2, 0.5, 11]]


@pytest.mark.parametrize("affine", [AffineMap.identity(), motion(resize=(2.0, -3.0, 0.5)), motion((1.0, 2.0, 2.0))])
@pytest.mark.parametrize("bound", [ERRORS, NO_ERROR, ERRORS.scaled(-3)])
def test_errors_grow_as_derived(affine: AffineMap, bound: RoundOff) -> None:
    """The formulas, with errors so large that each of their terms counts."""
    moments = Moments.of(2, [0.5, -1, 0.25], SECOND)
    properties = MassProperties.of(moments.mapped(affine), 3)
    found = accuracy(polyhedron.Integrals(moments, 1.0, bound), affine, properties)
    matrix, scale = abs(affine.matrix), abs(affine.determinant)
    e_v, volume = scale * Fraction(bound.volume), scale * 2
    e_1 = scale * matrix @ exact_array(bound.first)
    e_2 = scale * matrix @ exact_array(bound.second) @ matrix.T
    f = matrix @ exact_array([0.25, 0.5, 0.125])
    d = (e_1 + f * e_v) / (volume - e_v)
    e_c = e_2 + np.outer(f, e_1) + np.outer(e_1, f) + np.outer(f, f) * e_v + (volume + e_v) * np.outer(d, d)
    e_i = [[sum(e_c[k, k] for k in range(3) if k != i) if i == j else e_c[i, j] for j in range(3)] for i in range(3)]
    assert found.volume == pytest.approx(float(e_v) + U * properties.volume, rel=1e-8)
    assert found.center == pytest.approx(max(floats(d) + U * np.abs(properties.center)), rel=1e-8)
    assert found.inertia == pytest.approx((3 * floats(e_i) + U * np.abs(properties.inertia)).max(), rel=1e-8)


@pytest.mark.parametrize(("volume", "second"), [(-960, 990), (900, -900)])
def test_lengths_whose_squares_leave_the_range_of_floats(volume: int, second: int) -> None:
    """A needle, and a point of so much volume: counted in another length than that of the body, the bound is lost."""
    moments = Moments.of(Fraction(2) ** volume, [0, 0, 0], np.eye(3) * 2.0**second)
    bound = RoundOff(0.0, np.zeros(3), np.eye(3) * 2.0 ** (second - 50))
    properties = MassProperties.of(moments, 1)
    found = accuracy(polyhedron.Integrals(moments, 1.0, bound), AffineMap.identity(), properties)
    assert found.inertia == pytest.approx(2.0 ** (second - 49) + U * 2.0 ** (second + 1), rel=1e-8, abs=0)


def test_no_second_moment_at_all() -> None:
    """There is no length to count in then, and any will do."""
    moments = Moments.of(2, [0, 0, 0], np.zeros((3, 3)))
    properties = MassProperties.of(moments, 3)
    found = accuracy(polyhedron.Integrals(moments, 1.0, ERRORS), AffineMap.identity(), properties)
    e_v, e_1 = Fraction(ERRORS.volume), exact_array(ERRORS.first)
    e_c = exact_array(ERRORS.second) + np.outer(e_1, e_1) * (2 + e_v) / (2 - e_v) ** 2
    assert found.inertia == pytest.approx(3 * float(max(np.trace(e_c) - np.diag(e_c))), rel=1e-8)


def test_an_exact_body_is_right_to_its_last_digit() -> None:
    """Nothing rounds but the results: integers, and the centre of a power of two."""
    found = told(box((-2, -2, -2), (2, 2, 2)).astype(np.float32))
    assert found.bounds.volume <= 1e-15 * 64
    assert found.bounds.center <= 2e-15
    assert found.properties.volume == found.body.volume


def test_bounds_grow_with_density_and_size_as_the_numbers_do() -> None:
    body = moved(SHARP["star"], TURN, (1, 2, 3))
    one, heavy, large = told(body), told(body, density=8.0), told(body, motion(resize=(2.0, 2.0, 2.0)))
    assert heavy.bounds.volume == one.bounds.volume
    assert heavy.bounds.inertia == pytest.approx(8 * one.bounds.inertia, rel=1e-9)
    assert large.bounds.volume == pytest.approx(8 * one.bounds.volume, rel=1e-9)
    assert large.bounds.center == pytest.approx(2 * one.bounds.center, rel=1e-9)
    assert large.bounds.inertia == pytest.approx(32 * one.bounds.inertia, rel=1e-9)
    assert one.bounds.principal_moments == 3 * one.bounds.inertia


def test_a_shift_adds_the_rounding_of_the_centre_only() -> None:
    body = moved(SHARP["star"], TURN)
    near, far = told(body), check(told(body, motion(translate=(1e9, 0.0, 0.0))))
    assert (far.bounds.volume, far.bounds.inertia) == (near.bounds.volume, near.bounds.inertia)
    assert far.bounds.center == pytest.approx(1e9 * 2.0**-53, rel=1e-6)


def test_what_is_taken_for_zero_is_zero_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four corners of eight facets stand off the plane of symmetry by as much as the bound of the first moment."""
    monkeypatch.setattr(polyhedron, "_is_sharp", lambda *_: False)
    off, a, b = 2.5606498572797187e-29, -0.2019986129147251, -0.02319323776441895
    c, d, e, f = -0.08652130762749417, 0.3322999516644883, 0.02257866132279218, -0.03526307943415954
    x = 1.1234567891
    corners = np.array([[x, a, b], [-x, a, b], [off, 1.3, c], [off, -1.21, d], [off, e, 1.4], [off, f, -1.17]])
    faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    sums = measure(TriangleArray(corners[faces])).integrals
    body = exact(corners[faces])
    first = body.volume * (body.center - sums.moments.origin)
    assert abs(sums.moments.first[0] - first[0]) <= Fraction(sums.round_off.first[0])
