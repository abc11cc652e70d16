"""Messages and what they advise: kept apart, and put together in one way."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from massprops.core.curve import Path, Shape
from massprops.core.measure import measure
from massprops.core.outline import build_section
from massprops.core.repair import fill_holes
from massprops.core.segments import Polyline
from massprops.core.surface import TriangleArray
from massprops.errors import InconsistentWinding, InsideOut, MassPropsError, OpenSurface, ZeroVolume
from massprops.named import named
from massprops.remedy import Remedy, advising
from tests.oracle import Triangles, box, reverse

BOX = box((0, 0, 0), (2, 3, 5))
FLIPPED = np.concatenate([BOX[:5], reverse(BOX[5:6]), BOX[6:]])
CRACKED = BOX.copy()
CRACKED[6, 1] += 1e-3


@pytest.mark.parametrize(("remedy", "wanted"), [
    (Remedy("sanitize"), "try --sanitize"),
    (Remedy("connect_nearby", 1.3e-5), "try --connect_nearby --weld_tolerance 1.3e-05"),
    (Remedy("fill_holes", with_sanitize=True), "try --fill_holes with --sanitize"),
])  # fmt: skip
def test_what_is_advised(remedy: Remedy, wanted: str) -> None:
    assert str(remedy) == wanted
    assert advising("so it is", remedy) == f"so it is; {wanted}"
    assert advising("so it is:", remedy) == f"so it is: {wanted}"
    assert advising("so it is", None) == "so it is"


@pytest.mark.parametrize(("triangles", "verdict", "remedy"), [
    (BOX[1:], OpenSurface, Remedy("fill_holes")),
    (np.concatenate([FLIPPED, BOX[1:] + 9]), OpenSurface, Remedy("fill_holes", with_sanitize=True)),
    (CRACKED, OpenSurface, Remedy("connect_nearby", 0.00029)),
    (FLIPPED, InconsistentWinding, Remedy("sanitize")),
    (reverse(BOX), InsideOut, Remedy("sanitize")),
    (np.concatenate([BOX, reverse(BOX) + 9]), ZeroVolume, Remedy("sanitize")),
    (np.concatenate([BOX[:1], reverse(BOX[:1])]), ZeroVolume, None),
])  # fmt: skip
def test_verdicts_carry_their_remedy_apart(
    triangles: Triangles, verdict: type[MassPropsError], remedy: Remedy | None
) -> None:
    with pytest.raises(verdict) as caught:
        measure(TriangleArray(triangles))
    found = caught.value
    assert found.remedy == remedy
    assert "--" not in found.said
    assert found.message == str(found) == advising(found.said, remedy)
    again = pickle.loads(pickle.dumps(found))
    assert (again.message, again.said, again.remedy, again.diagnosis) == (
        found.message, found.said, found.remedy, found.diagnosis
    )  # fmt: skip
    with pytest.raises(verdict) as other, named("part.stl"):
        raise found
    assert (other.value.message, other.value.remedy) == (f"part.stl: {found.message}", remedy)


def test_loose_ends_carry_theirs() -> None:
    triangle = Path((Polyline(np.array([[0.0, 0], [4, 0], [4, 3], [0.02, 0.015]])),))
    with pytest.raises(OpenSurface, match=r"; try --connect_nearby --weld_tolerance 0\.0051$") as caught:
        build_section([Shape((triangle,), filled=False)])
    assert caught.value.remedy == Remedy("connect_nearby", 0.0051)
    corner = Path((Polyline(np.array([[0.0, 0], [4, 0], [4, 3]])),))
    with pytest.raises(OpenSurface, match=r"draw what is missing") as caught:
        build_section([Shape((corner,), filled=False)])
    assert caught.value.remedy is None


def test_a_repair_that_leaves_tangles_carries_it() -> None:
    _, record = fill_holes(TriangleArray(FLIPPED))
    assert record.remedy == Remedy("sanitize")
    assert record.message.endswith(f"; {record.remedy}")
    assert fill_holes(TriangleArray(BOX[2:]))[1].remedy is None
