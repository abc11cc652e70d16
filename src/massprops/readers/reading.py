"""What a reader of solids returns."""

from __future__ import annotations

from dataclasses import dataclass

from massprops.core.notice import Notice
from massprops.core.surface import Surface
from massprops.core.units import Unit


@dataclass(frozen=True, eq=False)
class Reading:
    """A file as read: its triangles and what its reader has to say about it.

    Parameters
    ----------
    surface : Surface
        All triangles of the file, as one surface, in the file's coordinates.
    format : str
        The file's format in lower case: ``stl``, ``obj``, ...
    notices : tuple of Notice
        What was odd about the file.
    unit : Unit or None
        The unit that the file declares; None where it does not.
    """

    surface: Surface
    format: str
    notices: tuple[Notice, ...] = ()
    unit: Unit | None = None
