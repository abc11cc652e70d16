"""Numbers as Fortran prints them."""

from __future__ import annotations

from collections.abc import Iterable

LABEL_WIDTH = 22
"""Width of the labels of a report."""


def es(value: float) -> str:
    """A number in Fortran's format ES23.15: 16 significant digits, right-justified in 23 characters.

    Negative zero is printed as zero. A negative number with a three-digit exponent takes 24 characters, so that a
    blank remains before it.

    >>> es(-0.5)
    ' -5.000000000000000E-01'
    >>> es(-1e-100)
    ' -1.000000000000000E-100'
    """
    text = f"{value + 0.0:23.15E}"
    return text if text.startswith(" ") else f" {text}"


def line(label: str, values: Iterable[float]) -> str:
    """A label padded to 22 characters, then numbers.

    >>> line("  mass", [2.0])
    '  mass                  2.000000000000000E+00'
    """
    return label.ljust(LABEL_WIDTH) + "".join(map(es, values))
