"""The stages of sanitizing: what each counts, and that they do not get into each other's way."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.coincident import choose_copies
from massprops.core.orientation import orientation
from massprops.core.sanitize import sanitized
from massprops.core.topology import Mesh, edges_of, mesh_of
from tests.oracle import Triangles, box, reverse, star
from tests.repair_oracle import boundary, facets, flipped, surface, volume

BODY = star(2, np.linspace(0.7, 1.4, 18))


def test_each_stage_counts_its_own() -> None:
    a, b, c = BODY[0]
    cracked = BODY.copy()
    cracked[5, 1] += 1e-7
    damaged = flipped(cracked, [9, 11, 20])
    found = sanitized(surface(damaged, [[a, b, b], [c, c, c]], BODY[[1, 2]], reverse(BODY[[3]])), 1e-5)
    assert (found.degenerate, found.coincident, found.reversed) == (2, 3, 3)
    assert found.weld is not None
    assert found.weld.vertices == 1
    assert found.weld.largest_gap == pytest.approx(1e-7 * 3**0.5, rel=1e-6)
    assert not found.orientation.is_open.any()
    assert float(volume(found.surface.block(0).transpose(2, 0, 1))) == pytest.approx(float(volume(BODY)), rel=1e-6)


def test_vertices_are_joined_only_where_edges_are_open() -> None:
    """A plate thinner than the weld, damaged otherwise: its two sides must not be joined."""
    plate = box((0, 0, 0), (1, 1, 1e-6))
    for damaged in (flipped(plate, [0, 2, 7]), np.concatenate([plate, plate[[0, 2]], reverse(plate[[4]])])):
        found = sanitized(surface(damaged), 1e-3)
        assert found.weld is None
        assert facets(found.surface.block(0).transpose(2, 0, 1)) == facets(plate)


def test_a_needle_with_three_distinct_corners_stays() -> None:
    body = box((0, 0, 0), (2, 3, 5))
    middle = np.array([0.75, 0.0, 0.0])
    a, b, c = body[4]
    needle = np.array([[a, b, middle]])
    divided = np.array([[a, middle, c], [middle, b, c]])
    given = surface(np.delete(body, 4, axis=0), divided, needle)
    found = sanitized(given, 1e-5)
    assert found.surface is given


BASE = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]], float)


def tent(height: float) -> Triangles:
    """A tetrahedron: its base, and three sides up to a peak."""
    peak = np.array([0.2, 0.3, height])
    return np.array([BASE, *([BASE[(k + 1) % 3], BASE[k], peak] for k in range(3))])


def test_a_cavity_that_shares_a_wall_with_the_body() -> None:
    result = sanitized(surface(tent(1.0), tent(2.0)), 1e-5)
    assert (result.coincident, result.reversed) == (2, 3)
    assert float(volume(result.surface.block(0).transpose(2, 0, 1))) == pytest.approx(1 / 6)


def test_a_surface_that_passes_through_itself_keeps_coincident_facets() -> None:
    """The same two, joined by a tube between their sides: without the bases, what is left has only one side."""
    parts, rings = [], []
    for body, side in ((tent(1.0), 1), (tent(2.0), 2)):
        (a, b, c), (x, y, z) = body[side], 0.5 * body[side] + 0.5 * body[side].mean(axis=0)
        parts += [np.delete(body, side, axis=0), [[a, b, y], [a, y, x], [b, c, z], [b, z, y], [c, a, x], [c, x, z]]]
        rings.append((x, y, z))
    (x, y, z), (u, v, w) = rings
    tube = [[x, y, w], [x, w, u], [y, z, v], [y, v, w], [z, x, u], [z, u, v]]
    given = surface(*map(np.array, parts), np.array(tube))
    assert not boundary(given.triangles)
    mesh = mesh_of(given)
    copies = choose_copies(mesh.corners)
    assert len(copies.removed) == 2
    rest = Mesh(mesh.vertices, mesh.corners[copies.kept])
    assert orientation(rest, edges_of(rest.corners)).is_one_sided.all()
    found = sanitized(given, 1e-5)
    assert found.surface is given
    assert not found.orientation.is_one_sided.any()
