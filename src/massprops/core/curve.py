"""What flows in 2-D: closed loops of segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from massprops.core.columns import Columns
from massprops.core.piecetable import ArcTable, BezierTable
from massprops.core.segments import AnyPiece, Curved, Polyline, ends_of
from massprops.core.surface import Floats


@dataclass(frozen=True, eq=False)
class Loop:
    """Pieces that follow one another, end to start, the last one back to the first.

    Where an end and the next start differ, by round-off or by a gap that was joined, a straight segment between
    them belongs to the loop.

    Parameters
    ----------
    pieces : tuple of Polyline, Arc, Bezier or RationalBezier
    """

    pieces: tuple[AnyPiece, ...]

    def reversed(self) -> Loop:
        """The loop wound the other way."""
        return Loop(tuple(piece.reversed() for piece in reversed(self.pieces)))

    def vertices(self) -> Floats:
        """Ends of all segments in order, shape (n, 2); the loop's last segment runs from the last to the first."""
        parts = [ends_of(piece) for piece in self.pieces]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def curved(self) -> Iterator[Curved]:
        """The pieces that are not straight."""
        return (piece for piece in self.pieces if not isinstance(piece, Polyline))


@dataclass(frozen=True, eq=False)
class Curve:
    """The boundary of a plane region: anticlockwise loops enclose it, clockwise loops are its holes.

    Parameters
    ----------
    loops : tuple of Loop
    """

    loops: tuple[Loop, ...]

    @classmethod
    def from_loops(cls, u: ArrayLike, v: ArrayLike, loop_sizes: Sequence[int] | None = None) -> Curve:
        """Polygons from the coordinates of their corners.

        Parameters
        ----------
        u, v : array_like, shape (n,)
            Corners of all loops, one loop after the other; length. A loop's last corner is joined to its first;
            whether the first is repeated at the end makes no difference.
        loop_sizes : sequence of int, optional
            Number of corners of each loop; one loop if left out.

        Raises
        ------
        ValueError
            The sizes of the arrays do not agree.

        Examples
        --------
        >>> Curve.from_loops([0, 4, 0, 1, 1, 2], [0, 0, 4, 1, 2, 1], [3, 3]).loops[1].vertices().tolist()
        [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0]]
        """
        points = np.column_stack([np.asarray(u, float).ravel(), np.asarray(v, float).ravel()])
        sizes = [len(points)] if loop_sizes is None else [int(size) for size in loop_sizes]
        if sum(sizes) != len(points) or min(sizes, default=0) < 0:
            raise ValueError(f"the loop sizes add up to {sum(sizes)}, not to {len(points)} points")
        parts = np.split(points, np.cumsum(sizes)[:-1])
        return cls(tuple(Loop((Polyline(part),)) for part in parts if len(part)))

    @classmethod
    def known(cls, loops: tuple[Loop, ...], columns: Columns) -> Curve:
        """A curve of loops whose pieces, in this order, may be those of columns that are at hand."""
        curve = cls(loops)
        if columns.are_of(list(curve.pieces())):
            vars(curve)["columns"] = columns
        return curve

    @cached_property
    def columns(self) -> Columns:
        """All pieces as arrays."""
        return Columns.of(list(self.pieces()))

    def __getstate__(self) -> dict[str, object]:
        return {"loops": self.loops}  # and not what follows from them

    def pieces(self) -> Iterator[AnyPiece]:
        """All pieces of all loops."""
        return (piece for loop in self.loops for piece in loop.pieces)

    def curved(self) -> list[Curved]:
        """All pieces that are not straight."""
        return [piece for piece in self.pieces() if not isinstance(piece, Polyline)]

    def loop_sizes(self) -> NDArray[np.intp]:
        """How many corners (`Columns.corners`) each loop has, shape (n,)."""
        firsts = np.cumsum([0, *(len(loop.pieces) for loop in self.loops)])[:-1]
        sizes: NDArray[np.intp] = np.add.reduceat(self.columns.sizes, firsts)
        return sizes

    def segments(self) -> tuple[Floats, Floats]:
        """Starts and ends of all segments, chords for the curved ones, shape (n, 2) each."""
        start, sizes = self.columns.corners, self.loop_sizes()
        lasts = np.cumsum(sizes) - 1
        end = np.empty_like(start)
        end[:-1] = start[1:]
        end[lasts] = start[lasts + 1 - sizes]
        return start, end

    def mapped(self, matrix: Floats, translation: Floats) -> Curve:
        """The image under x -> A x + t, its loops turned round where the map mirrors: holes stay holes."""
        mirrored = np.linalg.det(matrix) < 0
        loops = (Loop(tuple(piece.mapped(matrix, translation) for piece in loop.pieces)) for loop in self.loops)
        return Curve(tuple(loop.reversed() if mirrored else loop for loop in loops))

    def extremes(self, direction: ArrayLike) -> tuple[float, float]:
        """Smallest and largest component along a direction, those of the curved segments between their ends too."""
        low, high = self.ranges([direction])[0].tolist()
        return low, high

    def ranges(self, directions: Sequence[ArrayLike]) -> Floats:
        """Smallest and largest components along several directions, shape (k, 2); see `extremes`."""
        corners, curved = self.columns.corners, self.curved()
        found = np.empty((len(directions), 2))
        for row, along in zip(found, np.asarray(directions, float), strict=True):
            values = corners @ along
            low, high = float(values.min()), float(values.max())
            for piece in [curved[k] for kind in self.columns.table.kinds for k in _beyond(kind, along, low, high)]:
                turns = piece.turns(along)
                if len(turns):
                    values = piece.at(turns) @ along
                    low, high = values.min(initial=low), values.max(initial=high)
            row[:] = low, high
        return found

    def bounds(self) -> Floats:
        """Lower and upper corner of the bounding box, shape (2, 2)."""
        return self.ranges([[1, 0], [0, 1]]).T


def _beyond(kind: ArcTable | BezierTable, along: Floats, low: float, high: float) -> list[int]:
    """Segments whose ellipse, or control points, have components along a direction beyond those found so far."""
    if isinstance(kind, ArcTable):
        middle, reach = kind.center @ along, np.hypot(*(kind.axes @ along).T)
        least, most = middle - reach, middle + reach
    else:
        values = (kind.points.reshape(-1, 2) @ along).reshape(kind.weights.shape)
        least, most = values.min(axis=1), values.max(axis=1)
    beyond: list[int] = kind.index[(most > high) | (least < low)].tolist()
    return beyond


@dataclass(frozen=True, eq=False)
class Path:
    """Pieces drawn in one go, end to start; closed where the last one ends at the first one's start.

    Parameters
    ----------
    pieces : tuple of Polyline, Arc, Bezier or RationalBezier
        One or more.
    """

    pieces: tuple[AnyPiece, ...]

    @property
    def start(self) -> Floats:
        """First point."""
        return self.pieces[0].start

    @property
    def end(self) -> Floats:
        """Last point."""
        return self.pieces[-1].end

    def reversed(self) -> Path:
        """The same from the end."""
        return Path(tuple(piece.reversed() for piece in reversed(self.pieces)))

    def mapped(self, matrix: Floats, translation: Floats) -> Path:
        """The image under x -> A x + t."""
        return Path(tuple(piece.mapped(matrix, translation) for piece in self.pieces))


class Fill(NamedTuple):
    """What a shape is filled with.

    Parameters
    ----------
    color : str
        Its name; ``white`` for that of paper.
    is_outlined : bool
        Whether a line is drawn round it as well.
    """

    color: str
    is_outlined: bool = False


@dataclass(frozen=True, eq=False)
class Shape:
    """What one element of a drawing draws, before it is known which loops it belongs to.

    Parameters
    ----------
    paths : tuple of Path
        Closed ones and open ones.
    rule : str or None
        The fill rule that the drawing states for it: ``evenodd``, ``nonzero``, or none.
    filled : bool
        Whether the drawing fills it, so that its open ends are meant to be joined by a straight line.
    is_polygon : bool
        Whether its first path is its outline and the others are holes in it, whatever they look like.
    fill : Fill or None
        What the drawing fills it with, where it can be seen.
    """

    paths: tuple[Path, ...]
    rule: str | None = None
    filled: bool = False
    is_polygon: bool = False
    fill: Fill | None = None

    @classmethod
    def of(cls, *pieces: AnyPiece, rule: str | None = None, filled: bool = False) -> Shape:
        """A shape of single pieces."""
        return cls(tuple(Path((piece,)) for piece in pieces), rule, filled)
