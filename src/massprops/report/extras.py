"""What is optional: packages that only pictures need."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable
from typing import Any

from massprops.leaving import held_back

FIGURES = "figures"
"""The extra that draws."""

DRAWS_SECTIONS = ("matplotlib", "PIL")
DRAWS_BODIES = ("pyvista", "matplotlib", "PIL")
FILMS = {"gif": DRAWS_BODIES, "mp4": (*DRAWS_BODIES, "imageio_ffmpeg")}
"""Modules that each kind of picture needs; of films by their suffix."""

_PACKAGES = {"PIL": "pillow", "imageio_ffmpeg": "imageio-ffmpeg", "vtkmodules": "vtk"}
"""Packages that have other names than their modules."""


class MissingExtra(Exception):
    """A package that an optional feature needs is not installed, or does not load; one line that says what to do."""


def require_all(modules: Iterable[str], extra: str = FIGURES) -> None:
    """Refuse at once, without importing anything, where modules are not there; all of them are named.

    Raises
    ------
    MissingExtra
        One of them is not there.

    Examples
    --------
    >>> require_all(["json", "no_such_package", "nor_this"])
    Traceback (most recent call last):
    ...
    massprops.report.extras.MissingExtra: no_such_package and nor_this are not installed; try: pip install \
'massprops[figures]'
    """
    missing = [_package(module) for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise MissingExtra(_told(missing, extra))


def _told(packages: list[str], extra: str) -> str:
    *others, last = packages
    names = f"{', '.join(others)} and {last} are" if others else f"{last} is"
    return f"{names} not installed; try: pip install 'massprops[{extra}]'"


def _package(module: str) -> str:
    name = module.partition(".")[0]
    return _PACKAGES.get(name, name)


def require(module: str, extra: str) -> Any:
    """Import a module of an optional package.

    Parameters
    ----------
    module : str
        Its full name.
    extra : str
        The extra of this package that brings it.

    Raises
    ------
    MissingExtra
        It is not there, or it is there and fails to load, as for want of a system library.

    Examples
    --------
    >>> require("no_such_package.pictures", "figures")
    Traceback (most recent call last):
    ...
    massprops.report.extras.MissingExtra: no_such_package is not installed; try: pip install 'massprops[figures]'
    """
    package = _package(module)
    try:
        with held_back():
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(_told([_package(error.name or module)], extra)) from None
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise MissingExtra(
            f"{package} does not load: {reason}; a system library is missing, or try: "
            f"pip install --force-reinstall 'massprops[{extra}]'"
        ) from None
