"""The version of the program."""

from __future__ import annotations


def version() -> str:
    """Version of the installed package."""
    from importlib.metadata import version as installed  # slow to import, seldom needed

    return installed("massprops")
