"""The boundary of what a fill rule fills: loops that cross, turned into loops that do not."""

from __future__ import annotations

import numpy as np

from massprops.core.curve import Curve, Path
from massprops.core.joining import join
from massprops.core.nesting2d import Layout
from massprops.core.piecetable import Ints
from massprops.core.section_errors import SelfIntersecting
from massprops.core.segments import AnyPiece, Polyline

_JOIN_FACTORS = (1e3, 1e4, 1e5, 1e6)
"""Ends of chains that meet were found separately: they are joined within this many times the contact tolerance, the
smallest that will do. Where edges meet at a grazing angle, what lies within the tolerance is that much longer."""

RULES = ("evenodd", "nonzero")


def filled(found: Layout, left: Ints, right: Ints, rule: str, tolerance: float) -> Curve:
    """Boundary of the region whose winding number is odd, or not 0; or, for ``positive``, above 0.

    Parameters
    ----------
    found : Layout
    left, right : ndarray of int, shape (n,)
        Winding number of the whole on either side of each chain (`massprops.core.nesting2d.totals`).
    rule : str
        ``evenodd``, ``nonzero`` or ``positive``.
    tolerance : float
        Distance within which spans were said to meet; length.

    Returns
    -------
    Curve
        Anticlockwise outer loops and clockwise holes; none where nothing is filled.

    Raises
    ------
    SelfIntersecting
        Loops run so close to each other that their parts cannot be told apart.
    """
    turn = _is_filled(left, rule).astype(int) - _is_filled(right, rule).astype(int)
    turn = np.where(found.sides.leader == np.arange(len(turn)), turn, 0)  # one chain of a bundle stands for all
    paths = [Path((piece,)) for piece in _pieces(found, turn)]
    if not paths:
        return Curve(())
    for factor in _JOIN_FACTORS:
        joined = join(paths, factor * tolerance)
        if not joined.chains and len(joined.branches) == 0:
            return Curve(joined.loops)
    raise SelfIntersecting("loops run too close to each other to tell what lies between them; correct the drawing")


def _is_filled(winding: Ints, rule: str) -> Ints:
    if rule == "positive":
        return np.asarray(winding > 0)
    return np.asarray(winding % 2 != 0 if rule == "evenodd" else winding != 0)


def _pieces(found: Layout, turn: Ints) -> list[AnyPiece]:
    """Stretches of the chains that bound the region, run together where they are straight."""
    spans, stretches = found.spans, found.chains.stretches
    kept = np.flatnonzero((turn[stretches.chain] != 0) & (stretches.length > 0))
    if len(kept) == 0:
        return []
    span, chain = stretches.span[kept], stretches.chain[kept]
    straight = spans.piece[span] < 0
    goes_on = (np.diff(kept) == 1) & (np.diff(chain) == 0) & straight[1:] & straight[:-1]
    pieces: list[AnyPiece] = []
    for run in np.split(np.arange(len(kept)), np.flatnonzero(~goes_on) + 1):
        index, first, last = span[run], stretches.first[kept[run]], stretches.last[kept[run]]
        if straight[run[0]]:
            points = np.concatenate([spans.at(index, first), spans.at(index[-1:], last[-1:])])
            piece: AnyPiece = Polyline(points)
        else:
            low, high = spans.first[index[0]], spans.last[index[0]]
            whole = spans.pieces[spans.piece[index[0]]]
            piece = whole.part(*(float(low + s * (high - low)) for s in (first[0], last[0])))
        pieces.append(piece if turn[chain[run[0]]] > 0 else piece.reversed())
    return pieces
