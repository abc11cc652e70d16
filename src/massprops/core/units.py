"""Units of length."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from massprops.core.notice import Notice


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

PIXEL = "px"
"""What the coordinates of an SVG are in where it says nothing, so that nobody has declared it."""


def overridden(declared: Unit | None, taken: Unit | None) -> tuple[Notice, ...]:
    """That coordinates are taken in another unit than their file declares; nothing where there is but one, or none.

    Examples
    --------
    >>> [notice.code for notice in overridden(UNITS["in"], UNITS["mm"])], overridden(None, UNITS["mm"])
    (['units'], ())
    """
    if declared is None or taken is None or declared.name == PIXEL or declared.metres == taken.metres:
        return ()
    message = f"the file's unit, {declared.name}, gives way to --units {taken.name}; --units file takes the file's"
    return (Notice("units", message),)
