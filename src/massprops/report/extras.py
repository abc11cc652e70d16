"""What is optional: packages that only pictures need."""

from __future__ import annotations

import importlib
from typing import Any


class MissingExtra(Exception):
    """A package that an optional feature needs is not installed, or does not load; one line that says what to do."""


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
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or package).partition(".")[0]
        raise MissingExtra(f"{missing} is not installed; try: pip install 'massprops[{extra}]'") from None
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise MissingExtra(
            f"{package} does not load: {reason}; a system library is missing, or try: "
            f"pip install --force-reinstall 'massprops[{extra}]'"
        ) from None
