"""What is told of a surface that is not closed."""

from __future__ import annotations

import re

import numpy as np
import pytest

from massprops.core.boundary import unbalanced_edges
from massprops.core.diagnosis import SHORTEST_EDGE_FRACTION, WIDEST_CRACK, diagnose
from massprops.core.measure import measure
from massprops.core.repair import connect_nearby, fill_holes, sanitize
from massprops.core.surface import TriangleArray
from massprops.core.tolerances import WELD_TOLERANCE
from massprops.errors import InconsistentWinding, MassPropsError, OpenSurface
from tests.oracle import rays, star
from tests.test_holes import gridded_cube

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> np.ndarray:
    ends = np.array([lower, upper], float)
    v = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


def verdict(triangles: np.ndarray) -> MassPropsError:
    points = triangles.reshape(-1, 3)
    return diagnose(unbalanced_edges(TriangleArray(triangles)), points.min(axis=0), points.max(axis=0))


BODY = box((10, 20, 30), (12, 23, 35))


@pytest.mark.parametrize("offset", [(0, 0, 0), (10, 0, 0), (-11, -21.5, -32), (1e6, -1e6, 1e6)])
@pytest.mark.parametrize(("missing", "edges", "loops"), [
    ([10, 11], 4, 1), ([6, 7], 4, 1), ([0], 3, 1), ([0, 3], 6, 2), ([2, 3, 0, 1], 8, 2), ([0, 1, 4, 5], 6, 1),
])  # fmt: skip
def test_holes_are_counted_wherever_the_part_stands(
    missing: list[int], edges: int, loops: int, offset: tuple[float, ...]
) -> None:
    found = verdict(np.delete(BODY + offset, missing, axis=0))
    assert isinstance(found, OpenSurface)
    assert found.diagnosis["open_edges"] == edges
    assert found.diagnosis["loops"] == loops
    assert found.diagnosis["inconsistent_edges"] == 0
    assert found.diagnosis["largest_gap"] is None
    assert f"{edges} boundary edges in {loops} loop" in found.message
    assert ("loops" in found.message) is (loops > 1)
    assert "--fill_holes" in found.message
    assert "--connect_nearby" not in found.message
    assert "--sanitize" not in found.message
    assert "\n" not in found.message


def test_where_is_a_corner_of_the_longest_loop() -> None:
    triangles = np.delete(np.concatenate([BODY, box((100, 0, 0), (101, 1, 1))]), [10, 11, 12], axis=0)
    where = verdict(triangles).diagnosis["where"]
    assert where == [12, 20, 30]  # the first corner of the face x1 of the first body; the other hole has three edges
    assert "near (12, 20, 30)" in verdict(triangles).message


def test_facets_beside_the_boundary_are_named_from_one() -> None:
    found = verdict(np.delete(BODY, [0], axis=0))
    facets = found.diagnosis["facets"]
    assert facets == sorted(set(facets))
    assert len(facets) == 3
    assert all(1 <= facet <= 11 for facet in facets)


def test_many_facets_are_not_all_named() -> None:
    bodies = np.concatenate([np.delete(BODY + np.array([3.0 * k, 0, 0]), [10, 11], axis=0) for k in range(9)])
    found = verdict(bodies)
    assert len(found.diagnosis["facets"]) == 10
    assert (found.diagnosis["open_edges"], found.diagnosis["loops"]) == (36, 9)


@pytest.mark.parametrize("offset", [(0, 0, 0), (-11, -21.5, -32), (1e5, 0, 0)])
def test_one_flipped_facet_is_inconsistent(offset: tuple[float, ...]) -> None:
    triangles = BODY + np.array(offset)
    triangles[2] = triangles[2, [0, 2, 1]]
    found = verdict(triangles)
    assert isinstance(found, InconsistentWinding)
    assert found.diagnosis["inconsistent_edges"] == 3
    assert found.diagnosis["open_edges"] == found.diagnosis["loops"] == 0
    assert 3 in found.diagnosis["facets"]
    assert "3 edges with facets wound against each other" in found.message
    assert "--sanitize" in found.message


def test_the_named_pair_is_wound_against_each_other() -> None:
    triangles = BODY.copy()
    triangles[7] = triangles[7, [0, 2, 1]]
    pair = re.search(r"between facets (\d+) and (\d+) near", verdict(triangles).message)
    assert pair is not None
    assert "8" in pair.groups()


def test_a_hole_and_a_flip_want_both_flags() -> None:
    triangles = BODY.copy()
    triangles[8] = triangles[8, [0, 2, 1]]
    found = verdict(np.delete(triangles, [10, 11], axis=0))
    assert isinstance(found, OpenSurface)
    assert found.diagnosis["open_edges"] == 4
    assert found.diagnosis["inconsistent_edges"] == 3
    assert "--fill_holes with --sanitize" in found.message


@pytest.mark.parametrize("gap", [1e-6, 1e-5, 1e-3, 0.1])
@pytest.mark.parametrize("facets", [[2], [2, 7]])
def test_a_crack_says_how_wide_the_weld_must_be(gap: float, facets: list[int]) -> None:
    triangles = BODY.copy()
    for facet in facets:
        triangles[facet, (BODY[facet] == BODY.max(axis=(0, 1))).all(axis=1), 0] += gap
    found = verdict(triangles)
    diagonal = float(np.linalg.norm(np.ptp(triangles.reshape(-1, 3), axis=0)))
    assert isinstance(found, OpenSurface)
    assert found.diagnosis["largest_gap"] == pytest.approx(gap, rel=1e-8)
    assert ("try --connect_nearby" in found.message) is (gap < WIDEST_CRACK * diagonal)
    assert ("try --fill_holes" in found.message) is (gap > WIDEST_CRACK * diagonal)
    assert ("--weld_tolerance" in found.message) is (WELD_TOLERANCE < gap / diagonal < WIDEST_CRACK)
    if "--weld_tolerance" in found.message:
        tolerance = float(found.message.split("--weld_tolerance ")[1].split()[0])
        assert gap <= tolerance * diagonal <= 1.11 * gap


def test_the_widest_of_several_cracks_counts() -> None:
    triangles = BODY.copy()
    triangles[2, (BODY[2] == BODY.max(axis=(0, 1))).all(axis=1), 0] += 2e-3
    triangles[0, (BODY[0] == BODY.min(axis=(0, 1))).all(axis=1), 1] -= 5e-4
    assert verdict(triangles).diagnosis["largest_gap"] == pytest.approx(2e-3, rel=1e-8)


def test_no_weld_closes_a_whole_facet() -> None:
    """A hole whose edges are short is a hole, not a crack: joining its corners would eat facets beside it."""
    triangles = np.delete(box((0, 0, 0), (1e-3, 1e-3, 50)), [0, 1], axis=0)
    assert SHORTEST_EDGE_FRACTION < 1
    assert verdict(triangles).diagnosis["largest_gap"] is None


def test_a_repeated_facet_is_told() -> None:
    found = verdict(np.concatenate([BODY, BODY[:1]]))
    assert isinstance(found, (OpenSurface, InconsistentWinding))
    assert found.diagnosis["open_edges"] + found.diagnosis["inconsistent_edges"] == 3


def test_a_single_facet() -> None:
    found = verdict(BODY[:1])
    assert isinstance(found, OpenSurface)
    assert (found.diagnosis["open_edges"], found.diagnosis["loops"]) == (3, 1)


def test_the_order_of_the_facets_does_not_matter_but_for_their_numbers() -> None:
    triangles = np.delete(np.concatenate([BODY, BODY + np.array([5, 0, 0.0])]), [10, 11, 12], axis=0)
    turned = triangles[np.random.default_rng(2).permutation(len(triangles))]
    one, two = dict(verdict(triangles).diagnosis), dict(verdict(turned).diagnosis)
    del one["facets"], two["facets"]
    assert one == two


def test_very_large_coordinates_raise_no_warning() -> None:
    found = verdict(np.delete(BODY, [0], axis=0) * 1e200)
    assert found.diagnosis["open_edges"] == 3


def cracked(seed: int) -> np.ndarray:
    """A star-shaped body, or a folded box, with corners of some facets moved, by up to a fourth of its size."""
    rng = np.random.default_rng(seed)
    m = 2 + seed % 5
    triangles = star(m, rng.uniform(1, 1.5, rays(m))) if seed % 2 else BODY * rng.uniform(1, 9, 3)
    size = float(np.linalg.norm(np.ptp(triangles.reshape(-1, 3), axis=0)))
    for facet in rng.choice(len(triangles), rng.integers(1, 4), replace=False):
        triangles[facet, rng.integers(3)] += rng.normal(size=3) * size * 10 ** rng.uniform(-9, -0.6)
    return triangles


def advised(triangles: np.ndarray) -> tuple[float, str] | None:
    """The tolerance that the verdict names, and the message; None where no weld that closes the surface is advised."""
    with pytest.raises(OpenSurface) as caught:
        measure(TriangleArray(triangles), exact=True)
    message = caught.value.message
    is_partial = "all but" in message
    assert ("joining vertices" in message) is (caught.value.diagnosis["largest_gap"] is not None or is_partial)
    assert ("try --fill_holes" in message) is not ("try --connect_nearby" in message)
    if is_partial or "--connect_nearby" not in message:
        return None
    named = re.search(r"try --connect_nearby(?: --weld_tolerance (\S+))?$", message)
    assert named is not None
    return (float(named[1]) if named[1] else WELD_TOLERANCE), message


def test_what_is_advised_closes_the_surface() -> None:
    found = prevented = 0
    for seed in range(120):
        triangles = cracked(seed)
        advice = advised(triangles)
        if advice is None:
            prevented += verdict(triangles).diagnosis["largest_gap"] is not None
        else:
            found += 1
            repaired, record = connect_nearby(TriangleArray(triangles), advice[0])
            assert record.changed
            assert len(unbalanced_edges(repaired).edges) == 0
            assert "closes it" in advice[1]
    assert found > 50
    assert prevented > 0


def test_a_weld_that_a_short_edge_elsewhere_prevents_is_not_advised() -> None:
    triangles = BODY.copy()
    triangles[2, (BODY[2] == BODY.max(axis=(0, 1))).all(axis=1), 0] += 5e-3
    assert advised(triangles) is not None
    small = box((15, 25, 38), (15.001, 25.001, 38.001))
    assert advised(np.concatenate([triangles, small])) is None


def test_lengths_and_fractions_are_told_apart() -> None:
    triangles = BODY.copy()
    triangles[2, (BODY[2] == BODY.max(axis=(0, 1))).all(axis=1), 0] += 5e-3
    told = (advised(triangles) or "")[1]
    assert "joining vertices up to 0.005 apart, 0.00082 of the diagonal, closes it: try" in told
    assert "may close it" in verdict(triangles).message
    assert "up to 0.005 apart, 0.00082 of the diagonal, may" in verdict(triangles).message
    tiny = BODY.copy()
    tiny[2, (BODY[2] == BODY.max(axis=(0, 1))).all(axis=1), 0] += 1e-6
    assert "joining vertices up to 1e-06 apart closes it: try --connect_nearby" in (advised(tiny) or "")[1]


def pipe(inner: float, ends: int, n: int = 24) -> np.ndarray:
    """A tilted pipe of radius 1 and length 3 without rings at its ends, of which the lower ``2 - ends`` are capped."""
    t = 2 * np.pi * np.arange(n) / n
    ring = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    a, b = ring, np.roll(ring, -1, axis=0)
    up = np.array([0, 0, 3.0])
    side = np.concatenate([np.stack([a, b, b + up], axis=1), np.stack([a, b + up, a + up], axis=1)])
    cap = np.stack([b, a, 0 * a], axis=1)
    outer = side if ends == 2 else np.concatenate([side, cap])
    scale = (inner, inner, 1) if ends == 2 else (inner, inner, (3 - 1 + inner) / 3)
    inside = outer[:, [0, 2, 1]] * scale + (0 if ends == 2 else np.array([0, 0, 1 - inner]))
    turn, _ = np.linalg.qr(np.array([[1.0, 2, 0], [3, 1, 1], [0, 1, 4]]))
    turn *= np.sign(np.linalg.det(turn))
    return np.concatenate([outer, inside]) @ turn.T + (7, 8, 9)


@pytest.mark.parametrize("ends", [1, 2])
@pytest.mark.parametrize("wall", [1e-4, 1e-3, 1e-2, 0.05, 0.2])
def test_a_wall_without_its_rim_is_to_be_filled_not_welded(wall: float, ends: int) -> None:
    triangles = pipe(1 - wall, ends)
    with pytest.raises(OpenSurface, match=r"; try --fill_holes$") as caught:
        measure(TriangleArray(triangles))
    assert ("back to back" in caught.value.message) is (caught.value.diagnosis["largest_gap"] is not None)
    filled, _ = fill_holes(TriangleArray(triangles))
    area = 12 * np.sin(2 * np.pi / 24)
    inner = area * (1 - wall) ** 2 * (3 if ends == 2 else 3 - wall)
    volume = float(measure(filled).integrals.moments.volume)
    assert volume == pytest.approx(3 * area - inner, rel=1e-9)


def test_a_gap_as_wide_as_the_edges_beside_it_is_no_crack() -> None:
    """Facets far smaller than the part: the gap is small against the diagonal only."""
    triangles = box((0, 0, 0), (1e-2, 1e-2, 1e-2))
    triangles[2, (triangles[2] == 1e-2).all(axis=1), 0] += 3e-3
    found = advised(np.concatenate([triangles, box((5, 5, 5), (9, 9, 9))]))
    assert found is None


def test_facets_without_neighbours_can_only_be_welded() -> None:
    rng = np.random.default_rng(4)
    triangles = BODY + rng.uniform(-0.01, 0.01, BODY.shape)
    found = advised(triangles)
    assert found is not None
    assert found[0] > WIDEST_CRACK
    assert len(unbalanced_edges(connect_nearby(TriangleArray(triangles), found[0])[0]).edges) == 0


def jittered(seed: int, size: float) -> np.ndarray:
    """A star-shaped body whose facets have each their own, slightly moved, corners."""
    rng = np.random.default_rng(seed)
    triangles = star(4, rng.uniform(1, 1.5, rays(4))) + np.array([7, -8, 9])
    return triangles + rng.uniform(-size, size, triangles.shape)


@pytest.mark.parametrize("size", [1e-6, 1e-4, 3e-3])
@pytest.mark.parametrize("harm", ["missing", "twice", "turned and twice"])
def test_loose_facets_of_which_a_weld_joins_most_are_not_to_be_filled(size: float, harm: str) -> None:
    triangles = jittered(3, size)
    more = {"missing": triangles[:0], "twice": triangles[[5]], "turned and twice": triangles[[5]][:, ::-1]}[harm]
    damaged = np.concatenate([triangles[1:] if harm == "missing" else triangles, more])
    with pytest.raises(OpenSurface, match=r"closes all but 3 edges: try --connect_nearby") as caught:
        measure(TriangleArray(damaged), exact=True)
    named = re.search(r"--weld_tolerance (\S+)$", caught.value.message)
    tolerance = float(named[1]) if named else WELD_TOLERANCE
    welded, _ = connect_nearby(TriangleArray(damaged), tolerance)
    with pytest.raises(OpenSurface, match=r"^3 boundary edges in 1 loop.*; try --fill_holes( with --sanitize)?$"):
        measure(welded)
    volume = float(measure(fill_holes(welded)[0]).integrals.moments.volume)
    assert volume == pytest.approx(float(measure(TriangleArray(jittered(3, 0))).integrals.moments.volume), rel=2 * size)


@pytest.mark.parametrize("seed", range(6))
def test_a_weld_of_loose_facets_is_hardly_wider_than_they_are_apart(seed: int) -> None:
    """Not as wide as the shortest edge, which is where trying ends."""
    size = 1e-3
    found = advised(jittered(seed, size))
    assert found is not None
    assert found[0] * np.linalg.norm(np.ptp(jittered(seed, size).reshape(-1, 3), axis=0)) < 4 * size * np.sqrt(3)


def test_a_crack_beside_a_hole_is_welded_before_the_hole_is_filled() -> None:
    """Filled by themselves, the two sides of a zigzag crack get caps that overlap."""
    triangles = star(6, np.ones(rays(6)))
    right = triangles.mean(axis=1) @ (1.0, 0.3, -0.2) > 0
    triangles[right, :, 0] += 1e-4
    damaged = np.delete(triangles, np.flatnonzero(right)[:1], axis=0)
    with pytest.raises(OpenSurface, match=r"closes all but 3 edges: try --connect_nearby$") as caught:
        measure(TriangleArray(damaged))
    assert caught.value.diagnosis["largest_gap"] is None


def test_a_wall_beside_a_hole_is_not_welded() -> None:
    damaged = np.delete(pipe(1 - 1e-4, 2), [0], axis=0)
    with pytest.raises(OpenSurface, match=r"loops, the longest near \([^)]*\); try --fill_holes$"):
        measure(TriangleArray(damaged))


def test_a_partial_weld_bridges_cracks_and_not_edges() -> None:
    """The sides of a cube are cut differently: as wide as its edges, a weld closes more, and spoils it."""
    with pytest.raises(OpenSurface, match=r"closes all but \d+ edges: try --connect_nearby --weld_tolerance") as caught:
        measure(TriangleArray(gridded_cube(1)), exact=True)
    assert float(caught.value.message.split()[-1]) < 3e-4


@pytest.mark.parametrize("copies", [[0], [0, 1], [2, 8], [2, 8, 4, 11]])
@pytest.mark.parametrize("turn", [False, True])
def test_facets_that_are_there_twice_are_to_be_dropped_before_holes_are_filled(copies: list[int], turn: bool) -> None:
    """Nothing is missing: a cap over the outline of several copies would cut off an edge of the box."""
    more = BODY[copies][:, ::-1] if turn else BODY[copies]
    damaged = TriangleArray(np.concatenate([BODY, more]))
    with pytest.raises(OpenSurface, match=r"; try --fill_holes with --sanitize$"):
        measure(damaged)
    mended, record = fill_holes(sanitize(damaged)[0])
    assert not record.changed
    assert measure(mended).integrals.moments.volume == 2 * 3 * 5
