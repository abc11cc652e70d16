"""What a reader of plane sections returns."""

from __future__ import annotations

from dataclasses import dataclass

from massprops.core.curve import Shape
from massprops.core.notice import Notice
from massprops.core.units import Unit


@dataclass(frozen=True)
class SectionReading:
    """A file as read: what it draws and what its reader has to say about it.

    Parameters
    ----------
    shapes : tuple of Shape
        Segments, not yet joined or nested, in the file's coordinates with v pointing up.
    format : str
        The file's format in lower case: ``csv``, ``dat``, ``dxf``, ``svg``, ``geojson`` or ``wkt``.
    notices : tuple of Notice
        What was odd about the file, and what of it was passed over.
    unit : Unit or None
        The unit that the file declares; None where it does not.
    """

    shapes: tuple[Shape, ...]
    format: str
    notices: tuple[Notice, ...] = ()
    unit: Unit | None = None
