"""A reading is a value."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.surface import TriangleArray
from massprops.readers.reading import Reading


def test_a_reading_is_frozen_and_says_nothing_unasked() -> None:
    surface = TriangleArray(np.zeros((1, 3, 3)))
    found = Reading(surface, "stl")
    assert (found.surface, found.format, found.notices, found.unit) == (surface, "stl", (), None)
    with pytest.raises(AttributeError):
        found.format = "obj"  # type: ignore[misc]
