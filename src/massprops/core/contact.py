"""Points where spans of a curve meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from massprops.core.piecetable import Ints
from massprops.core.surface import Floats


class Contacts(NamedTuple):
    """Meeting points: spans and parameters on them, each of shape (k,)."""

    one: Ints
    s: Floats
    two: Ints
    t: Floats


def joined(met: Sequence[Contacts]) -> Contacts:
    """Several lots of meeting points as one."""
    return Contacts(*(np.concatenate(column) for column in zip(*met, strict=True)))
