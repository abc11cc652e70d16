"""Pieces as arrays, and curves that know them."""

import pickle

import numpy as np
import pytest

from massprops.core.columns import Columns
from massprops.core.curve import Curve, Loop
from massprops.core.segments import Arc, Bezier, Polyline, RationalBezier, ends_of

RNG = np.random.default_rng(7)
PIECES = [
    Polyline(RNG.normal(size=(3, 2))),
    Bezier(RNG.normal(size=(4, 2))),
    Arc.ellipse([1, 2], [[3, 1], [0, 2]], 0.5, 4),
    Polyline(RNG.normal(size=(2, 2))),
    RationalBezier(RNG.normal(size=(4, 2)), RNG.uniform(1, 2, 4)),
    Bezier(RNG.normal(size=(3, 2))),
]


@pytest.mark.parametrize("pieces", [PIECES, PIECES[:1], PIECES[1:3], PIECES[:1] * 3, []])
def test_corners_are_the_ends_of_all_pieces(pieces):
    found = Columns.of(pieces)
    assert found.corners.tolist() == [point.tolist() for piece in pieces for point in ends_of(piece)]
    assert found.sizes.tolist() == [len(ends_of(piece)) for piece in pieces]
    assert found.is_curved.tolist() == [not isinstance(piece, Polyline) for piece in pieces]
    assert found.corners[found.firsts].tolist() == [piece.start.tolist() for piece in pieces]
    assert found.corners[found.lasts].tolist() == [piece.end.tolist() for piece in pieces]


def test_the_points_of_one_polygon_are_not_copied():
    assert Columns.of(PIECES[:1]).corners is PIECES[0].points


def test_the_table_has_one_kind_and_degree_in_each_part():
    table = Columns.of(PIECES).table
    assert sorted(len(kind.index) for kind in table.kinds) == [1, 1, 1, 1]
    assert table.ends.tolist() == [[p.start.tolist(), p.end.tolist()] for p in PIECES if not isinstance(p, Polyline)]
    t = np.array([0.25, 0.5, 0.75, 1.0])
    expected = [p.at(t[k : k + 1])[0] for k, p in enumerate(q for q in PIECES if not isinstance(q, Polyline))]
    assert np.abs(table.at(np.arange(4), t) - expected).max() < 1e-14


def test_a_curve_takes_columns_of_its_own_pieces_only():
    columns = Columns.of(PIECES)
    loops = Loop(tuple(PIECES[:2])), Loop(tuple(PIECES[2:]))
    assert Curve.known(loops, columns).columns is columns
    assert Curve.known(loops[::-1], columns).columns is not columns
    assert Curve.known(loops[:1], columns).columns.sizes.tolist() == [3, 2]
    assert Curve(loops).loop_sizes().tolist() == [5, 8]


def test_columns_are_not_pickled():
    curve = Curve((Loop(tuple(PIECES)),))
    before = len(pickle.dumps(curve))
    assert len(curve.columns.sizes) == 6
    copy = pickle.loads(pickle.dumps(curve))
    assert len(pickle.dumps(curve)) == before
    assert "columns" not in vars(copy)
    assert copy.columns.corners.tolist() == curve.columns.corners.tolist()
