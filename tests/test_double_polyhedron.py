"""The kernel in double-double arithmetic against fractions, facet by facet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.double_polyhedron import double_kernel
from massprops.core.integrands import BlockSums, Frame, integrand_bounds, reference_frame
from massprops.core.polyhedron import PlainKernel
from massprops.core.surface import BLOCK, TriangleArray
from tests.oracle import exact_array, moved, rotation, star
from tests.test_integrands import integrands

RIGHT, LOST = 2.0**-90, Fraction(2) ** -1064
"""Of the largest integrand that the box allows; and what is below the smallest float64, before it is multiplied."""

coordinates = st.floats(-1e3, 1e3)
triangles = st.lists(st.lists(coordinates, min_size=9, max_size=9), min_size=1, max_size=5)


def framed(facets: np.ndarray) -> Frame:
    points = facets.reshape(-1, 3).astype(float)
    return reference_frame(points.min(axis=0), points.max(axis=0), facets.dtype == np.float32)


def total(sums: BlockSums) -> np.ndarray:
    return sum(exact_array(list(part)) for part in sums.parts)  # type: ignore[return-value]


def exactly(facets: np.ndarray, frame: Frame) -> np.ndarray:
    """The ten sums, in the scale of the frame."""
    x = (exact_array(facets.tolist()) - exact_array(frame.origin.tolist())) * Fraction(2) ** frame.exponent
    return sum(integrands(facet) for facet in x)  # type: ignore[return-value]


def check(facets: np.ndarray) -> BlockSums:
    frame = framed(facets)
    found = double_kernel(TriangleArray(facets).block(0), frame)
    bound = exact_array(integrand_bounds(frame.half).tolist()) * Fraction(RIGHT)
    lost = LOST * Fraction(max(1.0, frame.half.max())) ** 3
    assert (abs(total(found) - exactly(facets, frame)) <= len(facets) * (bound + lost)).all()
    return found


@settings(deadline=None, max_examples=60)
@given(triangles, st.sampled_from([(0.0, 0.0, 0.0), (1e3, -1e6, 0.1), (1e12, 1.0, -1e9)]), st.booleans())
def test_any_facets_anywhere(parts: Any, shift: Any, single: bool) -> None:
    facets = np.array(parts).reshape(-1, 3, 3) + shift
    check(facets.astype(np.float32) if single else facets)


@pytest.mark.parametrize("size", [1e-60, 1e-25, 1e25, 1e60])
def test_bodies_of_any_size(size: float) -> None:
    body = moved(star(2, np.linspace(0.7, 1.4, 18)), rotation(5, 1, -3, 2), (1, -2, 3)) * size
    check(body)


def test_flat_ones_keep_their_digits() -> None:
    """A millionth thick and turned: the plain kernel loses half of its digits, this one none."""
    flat = moved(star(2, np.linspace(0.7, 1.4, 18)) * [1, 1, 1e-9], rotation(5, 1, -3, 2), (1, -2, 3))
    frame = framed(flat)
    volume = exactly(flat, frame)[0]
    plain, double = (total(k(TriangleArray(flat).block(0)))[0] for k in (
        PlainKernel([frame], [BLOCK]), lambda block: double_kernel(block, frame)
    ))  # fmt: skip
    assert abs(double / volume - 1) < 2.0**-60
    assert abs(plain / volume - 1) > 2.0**-40


def test_area_and_what_the_bound_needs() -> None:
    """The same as from the plain kernel, to round-off, and at least as large as what they are bounds of."""
    body = moved(star(3, np.linspace(0.7, 1.4, 38)), rotation(5, 1, -3, 2), (1, -2, 3))
    frame, block = framed(body), TriangleArray(body).block(0)
    plain, double = PlainKernel([frame], [BLOCK])(block), double_kernel(block, frame)
    assert double.area == pytest.approx(plain.area, rel=1e-14)
    assert double.products == pytest.approx(plain.products, rel=1e-14)
    assert double.terms == double.products >= plain.terms
    assert double.terms >= float(sum(abs(integrands(facet)[0]) for facet in body - frame.origin)) * (1 - 1e-12)


def test_the_order_of_facets_changes_digits_that_are_lost_anyway() -> None:
    body = moved(star(3, np.linspace(0.7, 1.4, 38)), rotation(5, 1, -3, 2), (1, -2, 3))
    turned = np.random.default_rng(4).permutation(body)
    one, other = check(body), check(turned)
    assert (abs(total(one) - total(other)) <= Fraction(2) ** -80).all()


def test_facets_without_area_add_nothing() -> None:
    found = double_kernel(TriangleArray(np.full((3, 3, 3), 0.7)).block(0), framed(np.eye(3)[None]))
    assert not total(found).any()
    assert found.area == 0
