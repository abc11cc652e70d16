"""One exception a verdict: everything that can keep a body from being measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

DEBUG = "MASSPROPS_DEBUG"
"""Environment variable that lets an unexpected exception through, with its traceback."""


class MassPropsError(Exception):
    """Base of every reason for which an input is not measured.

    Parameters
    ----------
    message : str
        What is wrong, where, and what to try; one line, without the file's name.
    diagnosis : mapping, optional
        The same in numbers, as the ``diagnosis`` of the JSON report.

    Attributes
    ----------
    status : str
        The verdict, as the ``status`` of the JSON report.
    """

    status: ClassVar[str] = "error"

    def __init__(self, message: str, diagnosis: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.diagnosis = diagnosis


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
