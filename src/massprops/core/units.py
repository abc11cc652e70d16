"""Units of length."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Unit:
    """A unit of length.

    Parameters
    ----------
    name : str
        Its symbol, or the name that a file gives it.
    metres : Fraction
        Its length in metres.
    """

    name: str
    metres: Fraction


UNITS = {
    unit.name: unit
    for unit in (
        Unit("um", Fraction(1, 10**6)),
        Unit("mm", Fraction(1, 1000)),
        Unit("cm", Fraction(1, 100)),
        Unit("m", Fraction(1)),
        Unit("in", Fraction(254, 10000)),
        Unit("ft", Fraction(3048, 10000)),
    )
}
"""The units that ``--units`` takes, by symbol."""
