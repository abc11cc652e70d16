"""Pieces of curves as a few arrays, so that NumPy can look at all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from massprops.core.piecetable import PieceTable
from massprops.core.segments import AnyPiece, Polyline
from massprops.core.surface import Floats


@dataclass(frozen=True, eq=False)
class Columns:
    """Pieces in order.

    Parameters
    ----------
    pieces : list of Polyline, Arc, Bezier or RationalBezier
    corners : ndarray, shape (n, 2)
        All points of the polylines, starts and ends of the others (`massprops.core.segments.ends_of`); length.
    sizes : ndarray of int, shape (k,)
        How many of these each piece has.
    is_curved : ndarray of bool, shape (k,)
    table : PieceTable
        Of the curved ones.
    """

    pieces: Sequence[AnyPiece]
    corners: Floats
    sizes: NDArray[np.intp]
    is_curved: NDArray[np.bool_]
    table: PieceTable

    @classmethod
    def of(cls, pieces: Sequence[AnyPiece]) -> Columns:
        """Of pieces in the order given.

        Examples
        --------
        >>> from massprops.core.segments import Arc
        >>> found = Columns.of([Polyline(np.eye(2)), Arc.circle([0, 0], 2)])
        >>> found.sizes.tolist(), found.corners.tolist()
        ([2, 2], [[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 0.0]])
        """
        straight = [piece.points for piece in pieces if isinstance(piece, Polyline)]
        table = PieceTable.of([piece for piece in pieces if not isinstance(piece, Polyline)])
        is_curved = np.array([not isinstance(piece, Polyline) for piece in pieces], bool)
        sizes = np.full(len(pieces), 2, np.intp)
        sizes[~is_curved] = [len(points) for points in straight]
        if len(straight) == len(pieces):
            points = straight[0] if len(straight) == 1 else np.concatenate([np.empty((0, 2)), *straight])
            return cls(pieces, points, sizes, is_curved, table)
        corners = np.empty((int(sizes.sum()), 2))
        within = np.repeat(is_curved, sizes)
        corners[~within] = np.concatenate([np.empty((0, 2)), *straight])
        corners[within] = table.ends.reshape(-1, 2)
        return cls(pieces, corners, sizes, is_curved, table)

    @property
    def firsts(self) -> NDArray[np.intp]:
        """Positions of the first corners of the pieces."""
        firsts: NDArray[np.intp] = np.cumsum(self.sizes) - self.sizes
        return firsts

    @property
    def lasts(self) -> NDArray[np.intp]:
        """Positions of the last ones."""
        lasts: NDArray[np.intp] = np.cumsum(self.sizes) - 1
        return lasts

    def are_of(self, pieces: Sequence[AnyPiece]) -> bool:
        """Whether these are the columns of just these pieces."""
        same = (a is b for a, b in zip(self.pieces, pieces, strict=False))
        return len(pieces) == len(self.pieces) and all(same)
