"""Numbers and names for people: a few digits, powers of ten as one writes them by hand."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable

from massprops.report.escaped import escaped

DIGITS = 6
"""Significant digits of a number in a picture."""

SUBSCRIPTS = "\u2081\u2082\u2083"
"""Numbers of the principal axes, as one writes them behind a letter."""

_RAISED = str.maketrans("+-0123456789", "\u207a\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def shown(value: float, digits: int = DIGITS) -> str:
    """A number with a few significant digits.

    Examples
    --------
    >>> shown(235500.0), shown(-1.25e-7), shown(0.15891753), shown(-0.0)
    ('235500', '\u22121.25 \u00d7 10\u207b\u2077', '0.158918', '0')
    """
    mantissa, _, exponent = f"{value + 0.0:.{digits}g}".partition("e")
    power = f" \u00d7 10{str(int(exponent)).translate(_RAISED)}" if exponent else ""
    return mantissa.replace("-", "\u2212") + power


def shown_point(values: Iterable[float], size: float, digits: int = DIGITS) -> str:
    """Coordinates in brackets, rounded to what can be seen on a body of a given size.

    Examples
    --------
    >>> shown_point([0.25, 1e-19, 1e6 + 1 / 3], size=1.0)
    '(0.25, 0, 1000000.333333)'
    """
    grain = 10.0 ** (math.floor(math.log10(size)) - digits) if size > 1e-290 else 0.0
    return "(" + ", ".join(_rounded(value, grain, digits) for value in values) + ")"


def _rounded(value: float, grain: float, digits: int) -> str:
    if abs(value) < grain:
        return "0"
    places = digits if grain == 0.0 else max(digits, 1 + round(math.log10(abs(value) / grain)))
    return shown(value, min(places, 16))


def printable(text: str) -> str:
    """Text as a picture can show it: what has no shape becomes an escape, and no character is a command.

    >>> print(printable("5$\\x1b.stl"))
    5\\$\\x1b.stl
    """
    return escaped(text).replace("$", r"\$")


def shortened(text: str, length: int) -> str:
    """The end of a long name, which tells more than its beginning, made printable.

    >>> shortened("a/very/long/way/to/part.stl", 12)
    '\u2026to/part.stl'
    """
    name = escaped(text)
    return printable(name if len(name) <= length else "\u2026" + name[1 - length :])


def wrapped(text: str | None, width: int) -> list[str]:
    """The first two lines of a message, made printable; none of nothing.

    >>> wrapped("open: 4 boundary edges in 1 loop", 12)
    ['open: 4', 'boundary']
    """
    return [printable(line) for line in textwrap.wrap(escaped(text or ""), width)[:2]]
