"""The boundary of what a fill rule fills: loops that cross, turned into loops that do not."""

from __future__ import annotations

import numpy as np

from massprops.core.arc import arc_parts
from massprops.core.curve import Curve, Path
from massprops.core.joining import join
from massprops.core.nesting2d import Layout
from massprops.core.piecetable import Ints
from massprops.core.section_errors import SelfIntersecting
from massprops.core.segments import AnyPiece, Polyline
from massprops.core.spans import Spans
from massprops.core.surface import Floats

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
    begins = np.append(0, np.flatnonzero(~goes_on) + 1)
    bent = begins[~straight[begins]]
    curved = iter(_parts(spans, span[bent], stretches.first[kept[bent]], stretches.last[kept[bent]]))
    pieces: list[AnyPiece] = []
    for low, high, is_straight in zip(begins, np.append(begins[1:], len(kept)), straight[begins].tolist(), strict=True):
        if is_straight:
            index, first, last = span[low:high], stretches.first[kept[low:high]], stretches.last[kept[low:high]]
            points = np.concatenate([spans.at(index, first), spans.at(index[-1:], last[-1:])])
            piece: AnyPiece = Polyline(points)
        else:
            piece = next(curved)
        pieces.append(piece if turn[chain[low]] > 0 else piece.reversed())
    return pieces


def _parts(spans: Spans, index: Ints, first: Floats, last: Floats) -> list[AnyPiece]:
    """Parts of curved spans ``index`` (k,) between parameters."""
    low, high, piece = spans.first[index], spans.last[index], spans.piece[index]
    first, last = low + first * (high - low), low + last * (high - low)
    arcs = spans.table.arcs
    row = np.full(len(piece), -1) if arcs is None else arcs.row[piece]
    found: dict[int, AnyPiece] = {
        k: spans.pieces[piece[k]].part(float(first[k]), float(last[k])) for k in np.flatnonzero(row < 0).tolist()
    }
    mine = np.flatnonzero(row >= 0)
    if arcs is not None and len(mine):
        row = row[mine]
        values = arcs.center[row], arcs.axes[row], arcs.begin[row], arcs.sweep[row], arcs.ends[row]
        found.update(zip(mine.tolist(), arc_parts(values, first[mine], last[mine]), strict=True))
    return [found[k] for k in range(len(piece))]
