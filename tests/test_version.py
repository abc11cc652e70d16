"""The version is that of the package."""

from __future__ import annotations

import re
from importlib.metadata import version as installed

from massprops.report.version import version


def test_the_version_is_that_of_the_installed_package() -> None:
    assert version() == installed("massprops")
    assert re.fullmatch(r"\d+\.\d+\.\d+([ab.]\w+)?", version())
