"""Angles that DXF arcs sweep.

An arc goes anticlockwise from one angle to another. Those of a full turn are a turn apart, or equal, and rounded.

Source: Autodesk, DXF Reference, ARC and ELLIPSE.
"""

from __future__ import annotations

import math

from massprops.errors import NonFinite

_WRITTEN = 1e-5
"""By how much, in radians, the ends of a full turn may miss each other, as angles are written with few digits."""

_ROUND_OFF = 1e-12
"""The same where the last bits of a double are all that differs."""


def full_sweep(start: float, end: float) -> float:
    """Angle from start to end, anticlockwise; a full turn where they are equal to rounding; radians from degrees.

    Examples
    --------
    >>> full_sweep(30, 120) == math.pi / 2
    True
    >>> full_sweep(0, 360.00001) == full_sweep(0, 359.99999) == full_sweep(30, 30) == 2 * math.pi
    True
    """
    span = check_finite(end - start)
    return 2 * math.pi if _is_turn(math.radians(span)) else math.radians(span % 360)


def ellipse_sweep(start: float, end: float) -> float:
    """The same of an ellipse, from radians."""
    span = check_finite(end - start)
    return 2 * math.pi if _is_turn(span) else span % (2 * math.pi)


def check_finite(number: float) -> float:
    """A radius or an angle, which must be finite."""
    if not math.isfinite(number):
        raise NonFinite("a radius or an angle that is not finite")
    return number


def _is_turn(span: float) -> bool:
    """Whether a span, as it is given, is a full turn that was rounded.

    A little less than a turn always is one. A little more than none is one only where the span was that of a turn
    before it was reduced, as from 0 to 360.00001; else it is a short arc, unless it is nothing but round-off.
    """
    reduced = span % (2 * math.pi)
    if 2 * math.pi - reduced <= _WRITTEN:
        return True
    return reduced <= (_WRITTEN if span > math.pi else _ROUND_OFF)
