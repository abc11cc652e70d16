"""Units of length."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

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
    said_by : {"file", "format", "screen"}
        Who says that coordinates are in it: their file; or only its format, of every file or of one that says nothing;
        or nobody, where the unit is a pixel, which has a length by convention.
    """

    name: str
    metres: Fraction
    said_by: Literal["file", "format", "screen"] = field(default="file", compare=False)


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


def overridden(declared: Unit | None, taken: Unit | None) -> tuple[Notice, ...]:
    """That coordinates are taken in another unit than their file declares; nothing where there is but one, or none.

    A file that declares another unit contradicts whoever names one, and either may be wrong. The unit that a format
    prescribes, and many programs forget, is told with a code of its own: to override it is what ``--units`` is for.

    Examples
    --------
    >>> [notice.code for notice in overridden(UNITS["in"], UNITS["mm"])], overridden(None, UNITS["mm"])
    (['units'], ())
    >>> [notice.code for notice in overridden(Unit("m", Fraction(1), "format"), UNITS["mm"])]
    ['format_unit']
    """
    if declared is None or taken is None or declared.said_by == "screen" or declared.metres == taken.metres:
        return ()
    code = "units" if declared.said_by == "file" else "format_unit"
    message = f"the {declared.said_by}'s unit, {declared.name}, gives way to --units {taken.name}; "
    return (Notice(code, f"{message}--units file takes the {declared.said_by}'s"),)
