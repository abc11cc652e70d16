"""Which shape of a drawing each loop comes from, and what that says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from massprops.core.curve import Shape
from massprops.core.joining import Joined
from massprops.core.piecetable import Ints


@dataclass(frozen=True, eq=False)
class Owners:
    """What is known of each loop by where it comes from.

    Parameters
    ----------
    shape : ndarray of int, shape (n,)
        Position of its shape; their number where a loop is made of several.
    role : ndarray of int, shape (n,)
        Of rings of polygons, whose order tells: 1 for outlines, -1 for holes; 0 for loops of drawings, which have none.
    """

    shape: Ints
    role: Ints

    @classmethod
    def of(cls, shapes: Sequence[Shape], joined: Joined) -> Owners:
        """Of the loops that the paths of shapes were joined to, and of the open ones after them."""
        owner = np.array([k for k, shape in enumerate(shapes) for _ in shape.paths])
        role = np.array([_role(shape, number) for shape in shapes for number in range(len(shape.paths))])
        members = *joined.members, *joined.chain_members
        firsts = np.cumsum([0, *map(len, members)])[:-1]
        paths = np.array([k for group in members for k in group], np.intp)
        lowest, highest = (extreme.reduceat(owner[paths], firsts) for extreme in (np.minimum, np.maximum))
        shape = np.where(lowest == highest, lowest, len(shapes))
        return cls(shape, np.where(np.diff([*firsts, len(paths)]) == 1, role[paths[firsts]], 0))

    def of_loops(self, kept: Ints) -> Owners:
        """Of some of the loops."""
        return Owners(self.shape[kept], self.role[kept])


def _role(shape: Shape, number: int) -> int:
    return 0 if not shape.is_polygon else 1 if number == 0 else -1
