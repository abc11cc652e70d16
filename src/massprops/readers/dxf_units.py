"""Units that DXF drawings declare.

Source: Autodesk, DXF Reference, "HEADER Section", $INSUNITS; NIST SP 811, B.6, for feet of the US survey; IAU 2012
Resolution B2 for the astronomical unit.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from massprops.core.notice import Notice
from massprops.core.units import UNITS, Unit

_NAME = "$INSUNITS"
_INCH = Fraction(254, 10000)
_SURVEY_FOOT = Fraction(1200, 3937)
_INSUNITS = {
    1: UNITS["in"],
    2: UNITS["ft"],
    3: Unit("mi", _INCH * 63360),
    4: UNITS["mm"],
    5: UNITS["cm"],
    6: UNITS["m"],
    7: Unit("km", Fraction(1000)),
    8: Unit("microinch", _INCH / 10**6),
    9: Unit("mil", _INCH / 1000),
    10: Unit("yd", _INCH * 36),
    11: Unit("angstrom", Fraction(1, 10**10)),
    12: Unit("nm", Fraction(1, 10**9)),
    13: UNITS["um"],
    14: Unit("dm", Fraction(1, 10)),
    15: Unit("dam", Fraction(10)),
    16: Unit("hm", Fraction(100)),
    17: Unit("Gm", Fraction(10**9)),
    18: Unit("au", Fraction(149_597_870_700)),
    21: Unit("US survey ft", _SURVEY_FOOT),
    22: Unit("US survey in", _SURVEY_FOOT / 12),
    23: Unit("US survey yd", _SURVEY_FOOT * 3),
    24: Unit("US survey mi", _SURVEY_FOOT * 5280),
}


def unit_of(document: Any, data: bytes) -> tuple[Unit | None, list[Notice]]:
    """The unit that a drawing declares, None where it declares none; and what is told of it.

    Parameters
    ----------
    document : ezdxf drawing
        Which has a unit of its own, the metre, where the file has none.
    data : bytes
        The file.
    """
    if _NAME.encode() not in data:
        return None, []
    number = document.header.get(_NAME, 0)
    if number == 0 or number in _INSUNITS:
        return _INSUNITS.get(number), []
    message = f"the drawing declares the unit {_NAME} {number}, which is not supported: its lengths have no unit"
    return None, [Notice("unknown_unit", message, {"insunits": number})]
