"""massprops: mass, centre of mass and inertia tensor of closed bodies, exact to round-off, never silently wrong."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from massprops.core.affine_map import AffineMap
    from massprops.core.inertia import MassProperties
    from massprops.core.moments import Moments
    from massprops.core.notice import MassPropsWarning, Notice
    from massprops.errors import MassPropsError
    from massprops.library import mass_properties
    from massprops.sections import section_properties

    __version__: str

__all__ = [
    "AffineMap",
    "MassProperties",
    "MassPropsError",
    "MassPropsWarning",
    "Moments",
    "Notice",
    "mass_properties",
    "section_properties",
]

_HOMES = {
    "AffineMap": "massprops.core.affine_map",
    "MassProperties": "massprops.core.inertia",
    "MassPropsError": "massprops.errors",
    "MassPropsWarning": "massprops.core.notice",
    "Moments": "massprops.core.moments",
    "Notice": "massprops.core.notice",
    "mass_properties": "massprops.library",
    "section_properties": "massprops.sections",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: the command line must not wait for what it does not use."""
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def _version() -> Any:
    try:
        return import_module("massprops.report.version").version()
    except ModuleNotFoundError:  # what others ask for that is not there, as `help` does, is told by an AttributeError
        raise AttributeError("massprops is not installed, and has no version") from None


def __dir__() -> list[str]:
    """The names that are imported on demand too, for whoever explores or completes them."""
    return sorted({*globals(), *__all__, "__version__"})
