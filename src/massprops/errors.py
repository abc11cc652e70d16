"""One exception a verdict: everything that can keep a body from being measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from massprops.remedy import Remedy, advising

DEBUG = "MASSPROPS_DEBUG"
"""Environment variable that lets an unexpected exception through, with its traceback."""


class MassPropsError(Exception):
    """Base of every reason for which an input is not measured.

    Parameters
    ----------
    said : str
        What is wrong and where; one line, without the file's name.
    diagnosis : mapping, optional
        The same in numbers, as the ``diagnosis`` of the JSON report.
    remedy : Remedy, optional
        What to try.

    Attributes
    ----------
    status : str
        The verdict, as the ``status`` of the JSON report.
    message : str
        What is wrong, where, and what to try.

    Examples
    --------
    >>> InsideOut("closed, but the facets point inwards", remedy=Remedy("sanitize")).message
    'closed, but the facets point inwards; try --sanitize'
    """

    status: ClassVar[str] = "error"

    def __init__(
        self, said: str, diagnosis: Mapping[str, Any] | None = None, remedy: Remedy | None = None
    ) -> None:
        message = advising(said, remedy)
        super().__init__(message)
        self.said, self.message = said, message
        self.diagnosis, self.remedy = diagnosis, remedy


class OpenSurface(MassPropsError):
    """The surface has boundary edges: it encloses nothing."""

    status = "open"


class InconsistentWinding(MassPropsError):
    """Every edge has its partner, but some facets are wound against their neighbours."""

    status = "inconsistent"


class InsideOut(MassPropsError):
    """The surface is closed and its facets point inwards: the volume is negative."""

    status = "inside_out"


class ZeroVolume(MassPropsError):
    """The surface is closed and encloses no volume beyond round-off."""

    status = "zero_volume"


class NonFinite(MassPropsError):
    """A coordinate is NaN or infinite, or a result does not fit a float64."""

    status = "non_finite"


class Empty(MassPropsError):
    """The input holds no facet."""

    status = "empty"


class Unreadable(MassPropsError):
    """The input is damaged, or is not what its name says."""

    status = "unreadable"


class Unsupported(MassPropsError):
    """The input is in a format, or uses an extension of one, that is not read here."""

    status = "unsupported"


class NotFound(MassPropsError):
    """There is no such file."""

    status = "not_found"


class Unphysical(MassPropsError):
    """The body was measured, but cannot move as asked: its tensor is singular, or the step diverges."""

    status = "unphysical"


class Unwritable(MassPropsError):
    """A mesh, table or picture cannot be written, or not be drawn, as asked."""

    status = "unwritable"


class PlanError(ValueError):
    """The command line makes no sense; one line that says why. No verdict: nothing has been read."""
