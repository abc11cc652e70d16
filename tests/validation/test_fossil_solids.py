"""The validation table of FOSSIL's documentation (S. Zaghi, FOSSIL, mass properties), row by row.

Each row is at least as accurate as FOSSIL's own figure for it. An error is the largest difference from the exact
value, rounded to a float64, against the largest entry of what is compared; 0 says that every digit is right. Bodies
are moved by rotations of fractions that take float64 corners to float64 corners, so that nothing but the program's
own error is seen. The rows are printed as a table by `python -m tests.validation.table`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from massprops import MassProperties, MassPropsError, mass_properties
from massprops.core.eigen import principal
from massprops.core.exact_numbers import rationals
from tests.make_samples import ROOT, marching_tetrahedra
from tests.oracle import (
    Exact,
    Triangles,
    box,
    cube_grid,
    exact_array,
    floats,
    indexed,
    l_prism,
    massprops,
    moved,
    reverse,
    rotation,
)

SIDES = (1.25, 2.5, 3.75)
DENSITY = 2
TURN = rotation(1, 2, 3, 4)
CLEARING = 30  # times which TURN is a matrix of integers
GRIDS = (12, 24, 48)
MATRICES = 200
UNIT = exact_array(np.eye(3, dtype=int))


@dataclass(frozen=True)
class Row:
    """One quantity of one body: FOSSIL's figure, how ours is found, and a stricter limit where one is promised."""

    body: str
    quantity: str
    fossil: float
    error: Callable[[], float]
    limit: float | None = None


def measured(triangles: Triangles, about: Any = None) -> MassProperties:
    return mass_properties(indexed(triangles), DENSITY, about)


def error(found: Any, wanted: Any) -> float:
    rounded = floats(wanted)
    return float(np.abs(np.asarray(found) - rounded).max() / np.abs(rounded).max())


def cuboid(sides: Any) -> Exact:
    """Inertia tensor of a box about its centre: m/12 (b^2 + c^2) and so on."""
    a, b, c = exact_array(sides) ** 2
    mass = DENSITY * np.prod(exact_array(sides))
    return mass / 12 * np.diag([b + c, a + c, a + b])


def parallel_axes(mass: Any, d: Exact) -> Exact:
    return mass * ((d @ d) * UNIT - np.outer(d, d))


def middle(lower: Any, sides: Any) -> Exact:
    return exact_array(lower) + exact_array(sides) / 2


# The bodies


BOX_AT, CORNER = (0.5, -1.25, 2.0), (0.5, -1.25, 2.0)
FAR = (1e6, -2e6, 3e6)


@cache
def box_at(lower: tuple[float, float, float]) -> MassProperties:
    return measured(box(lower, np.add(lower, SIDES).tolist()), CORNER)


def box_rows() -> list[Row]:
    mass = DENSITY * np.prod(exact_array(SIDES))
    center, tensor = middle(BOX_AT, SIDES), cuboid(SIDES)
    about = tensor + parallel_axes(mass, center - exact_array(CORNER))
    name = "box a x b x c, density 2"
    return [
        Row(name, "mass", 0, lambda: error(box_at(BOX_AT).mass, mass)),
        Row(name, "centre", 0, lambda: error(box_at(BOX_AT).center, center)),
        Row(name, "tensor", 0, lambda: error(box_at(BOX_AT).inertia, tensor)),
        Row(name, "tensor about a corner", 0, lambda: error(box_at(BOX_AT).inertia_about, about)),
    ]


def l_tensor() -> tuple[Exact, Exact]:
    """Centre and tensor of the L prism of height 1: two boxes, moved to their common centre."""
    parts = [((0, 0, 0), (3, 1, 1)), ((0, 1, 0), (1, 2, 1))]
    masses = [DENSITY * np.prod(exact_array(sides)) for _, sides in parts]
    centers = [middle(*part) for part in parts]
    center = sum(m * c for m, c in zip(masses, centers, strict=True)) / sum(masses)
    tensors = [
        cuboid(sides) + parallel_axes(m, c - center)
        for (_, sides), m, c in zip(parts, masses, centers, strict=True)
    ]
    return center, tensors[0] + tensors[1]


def l_rows() -> list[Row]:
    _, tensor = l_tensor()
    return [Row("L prism, as two boxes", "tensor", 2.4e-16, lambda: error(measured(l_prism()).inertia, tensor))]


def hollow_rows() -> list[Row]:
    inner = (0.5, 1.25, 2.25)
    lower = [float(x) for x in (exact_array(SIDES) - exact_array(inner)) / 2]
    void = reverse(box(lower, np.add(lower, inner).tolist()))
    hollow = np.concatenate([box((0, 0, 0), SIDES), void])
    tensor = cuboid(SIDES) - cuboid(inner)
    return [Row("hollow box, outer minus inner", "tensor", 1.7e-16, lambda: error(measured(hollow).inertia, tensor))]


@cache
def turned_box() -> MassProperties:
    return measured(moved(box((0, 0, 0), [CLEARING * side for side in SIDES]), TURN))


def turned_rows() -> list[Row]:
    tensor = cuboid([CLEARING * side for side in SIDES])
    diagonal = np.diag(tensor)
    name = "box turned by R, against R I R^T"

    def axes() -> float:
        wanted = floats(TURN)[:, np.argsort(diagonal)]
        found = turned_box().principal_axes
        signs = np.sign((found * wanted).sum(axis=0))
        return float(np.abs(found - wanted * signs).max())

    return [
        Row(name, "tensor", 3.2e-16, lambda: error(turned_box().inertia, TURN @ tensor @ TURN.T)),
        Row(name, "principal moments", 1.1e-15, lambda: error(turned_box().principal_moments, sorted(diagonal))),
        Row(name, "principal axes up to sign", 0, axes),
    ]


def far_rows() -> list[Row]:
    tensor, center = cuboid(SIDES), middle(FAR, SIDES)
    return [
        Row("box at 1e6 from the origin", "tensor", 0, lambda: error(box_at(FAR).inertia, tensor)),
        Row("box at 1e6 from the origin", "centre", 0, lambda: error(box_at(FAR).center, center)),
    ]


def fine_rows() -> list[Row]:
    name, cube = "cube of 3072 facets", cube_grid(16)
    assert len(cube) == 3072
    return [
        Row(name, "volume", 2.3e-14, lambda: error(measured(cube).volume, 1), limit=2e-16),
        Row(name, "centre", 0, lambda: error(measured(cube).center, 3 * [0.5])),
        Row(name, "tensor", 1.7e-16, lambda: error(measured(cube).inertia, cuboid((1, 1, 1)))),
    ]


def pose_rows() -> list[Row]:
    shift = (5.5, -7.25, 11.125)
    image = moved(CLEARING * l_prism(), TURN, shift)
    center, tensor = l_tensor()
    name = "L prism moved by a pose"
    turned = CLEARING**5 * (TURN @ tensor @ TURN.T)
    carried = CLEARING * (TURN @ center) + exact_array(shift)
    return [
        Row(name, "tensor, against R I R^T", 5.5e-16, lambda: error(measured(image).inertia, turned)),
        Row(name, "centre", 1.5e-16, lambda: error(measured(image).center, carried)),
    ]


@cache
def eigen_errors() -> tuple[float, float, float]:
    """Largest |A v - w v| / |w|, |det v - 1| and |v^T v - 1| over random symmetric matrices."""
    random = np.random.default_rng(20240607)
    worst = np.zeros(3)
    for _ in range(MATRICES):
        half = random.normal(size=(3, 3))
        matrix = half + half.T
        w, v = principal(rationals(matrix))
        residual = np.abs(matrix @ v - v * w).max() / np.abs(w).max()
        worst = np.maximum(worst, [residual, abs(np.linalg.det(v) - 1), np.abs(v.T @ v - np.eye(3)).max()])
    return tuple(worst.tolist())


def eigen_rows() -> list[Row]:
    quantities = ("A v = w v", "det v = 1", "v^T v = 1")
    return [
        Row(f"{MATRICES} random symmetric matrices", quantity, 1e-13, lambda k=k: eigen_errors()[k], limit=1e-14)
        for k, quantity in enumerate(quantities)
    ]


ROWS = [
    *box_rows(), *l_rows(), *hollow_rows(), *turned_rows(), *far_rows(), *fine_rows(), *eigen_rows(), *pose_rows(),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.body}: {row.quantity}")
def test_at_least_as_accurate_as_fossil(row: Row) -> None:
    assert row.error() <= (row.fossil if row.limit is None else row.limit)


# The sphere


def sphere_errors() -> list[float]:
    """Relative errors of the mean moment of a unit sphere on the grids, against 2/5 m r^2."""
    wanted = 2 / 5 * (4 / 3 * math.pi)
    found = []
    for cells in GRIDS:
        edge = np.array([-1.22, -1.21, -1.23])  # no node on the sphere, no symmetry of the grid
        sphere = marching_tetrahedra(
            lambda x, y, z: np.sqrt(x * x + y * y + z * z) - 1.0, edge, edge + 2.44, 3 * [cells]
        )
        found.append(abs(np.trace(mass_properties(indexed(sphere)).inertia) / 3 / wanted - 1))
    return found


def orders(errors: list[float]) -> list[float]:
    """Observed orders of convergence from each grid to the next, half as wide."""
    return [math.log2(coarse / fine) for coarse, fine in itertools.pairwise(errors)]


def test_the_sphere_converges_with_the_square_of_the_grid() -> None:
    assert [round(order, 1) for order in orders(sphere_errors())] == [2.0, 2.0]


# What is refused, and what is printed


OPEN = np.delete(box((0, 0, 0), SIDES), (10, 11), axis=0)
REFUSED = {"open box": ("open", OPEN), "inside-out box": ("inside_out", reverse(box((0, 0, 0), SIDES)))}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    status, triangles = REFUSED[name]
    with pytest.raises(MassPropsError) as refusal:
        measured(triangles)
    assert refusal.value.status == status


def test_the_printed_example() -> None:
    """`fossilizer -i cube-02.stl --mass_properties --density 2`: the unit cube."""
    found = run("--density", 2)
    assert found["mass"] == 2
    assert found["center"] == [0.5, 0.5, 0.5]
    assert error(found["inertia"], UNIT / 3) == 0


def test_the_block_of_steel() -> None:
    found = run("--density", 7850, "--resize_factor", 0.1, 0.2, 0.3, "--about", 0, 0, 0)
    assert found["mass"] == 47.1
    assert error(found["center"], [0.05, 0.1, 0.15]) <= 2e-16
    assert error(found["inertia"], np.diag([0.510250, 0.392500, 0.196250])) <= 2e-16
    assert error(np.diag(found["about"]["inertia"]), [2.041, 1.57, 0.785]) <= 2e-16


def run(*more: Any) -> dict[str, Any]:
    left = massprops("-i", ROOT / "sample_meshes" / "cube.stl", "--mass_properties", "--json", *more)
    assert left.code == 0
    (found,) = left.results
    return found


def test_a_fraction_is_compared_as_rounded() -> None:
    assert error([1 / 3], [Fraction(1, 3)]) == 0
    assert error([0.0, 2.0], [0.0, 1.0]) == 1
