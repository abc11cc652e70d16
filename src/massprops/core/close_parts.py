"""Parts of curves that run along each other: apart, together, or neither.

Along the chord of the first part both are graphs, and their difference d is a smooth function that is small where they
are close, however much they bend. It is interpolated by a polynomial, whose coefficients in Bernstein form enclose it:
where all of them lie on one side of 0 and beyond the tolerance, the parts keep apart; where all lie within it, the
parts coincide. So curves a millionth apart are told from each other as fast as others, where strips around chords,
which must be as narrow as the gap, would be cut a thousand times.

Source: G. Farin, Curves and Surfaces for CAGD, 2002, chapter 5 (Bernstein form); L. N. Trefethen, Approximation Theory
and Approximation Practice, 2013, chapters 2 to 8.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import chebyshev

from massprops.core.bernstein import bernstein
from massprops.core.contact import Contacts, joined
from massprops.core.levels import passing
from massprops.core.piecetable import Ints
from massprops.core.spans import Spans
from massprops.core.surface import Floats

_DEGREE = 9
_NODES = (1 - np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)) / 2
_TO_BERNSTEIN = np.linalg.inv(bernstein(_DEGREE, _NODES))
_TO_CHEBYSHEV = np.linalg.inv(chebyshev.chebvander(2 * _NODES - 1, _DEGREE))

_BENT, _TURNED = 0.1, 0.8
"""Parts that keep within this fraction of their chord, and chords with this cosine of their angle, are compared."""

_ASLANT = 1.2
"""Graphs this much apart across the chord are apart by 1: their slopes against it are less than 4 times `_BENT`."""

TOGETHER = 4.0
"""Parts that keep within so many tolerances run together; more than `_ASLANT`, so that every small part is settled."""

_TRUNCATION = 8.0
"""The error of the interpolation, in units of its last two coefficients."""


def compared(
    spans: Spans, one: Ints, s: Floats, two: Ints, t: Floats, wide: Floats, tolerance: float
) -> tuple[Ints, Contacts]:
    """Which parts of spans run apart or together, and the ends of where they run together.

    Parameters
    ----------
    spans : Spans
    one, two : ndarray of int, shape (k,)
    s, t : ndarray, shape (k, 2)
        Ends of the parts, as parameters.
    wide : ndarray, shape (2, k)
        How far from their chords the parts may lie; length.
    tolerance : float
        Distance within which they meet; length.

    Returns
    -------
    settled : ndarray of bool, shape (k,)
        Parts that need no further look.
    met : Contacts
    """
    chords = [spans.at(k, f[:, 1]) - spans.at(k, f[:, 0]) for k, f in ((one, s), (two, t))]
    lengths = [np.hypot(*chord.T) for chord in chords]
    cosine = np.abs((chords[0] * chords[1]).sum(axis=1))
    flat = (wide[0] <= _BENT * lengths[0]) & (wide[1] <= _BENT * lengths[1])
    flat &= (cosine >= _TURNED * lengths[0] * lengths[1]) & (cosine > 0)
    which = np.flatnonzero(flat)
    along = chords[0][which] / lengths[0][which][:, None]
    low, high = _common_range(spans, ((one[which], s[which]), (two[which], t[which])), along)
    overlap = high > low
    which, along, low, high = which[overlap], along[overlap], low[overlap], high[overlap]
    settled, ends = np.zeros(len(one), bool), []
    sides = [(index[which], part[which]) for index, part in ((one, s), (two, t))]
    parameters, difference = _difference(spans, sides, along, low, high)
    inside, outside = _enclosed(difference, tolerance)
    settled[which[inside | outside]] = True
    for column in (0, -1):
        a, b = (each[inside, column] for each in parameters)
        ends.append(Contacts(sides[0][0][inside], a, sides[1][0][inside], b))
    return settled, joined(ends)


def _common_range(spans: Spans, sides: tuple[tuple[Ints, Floats], ...], along: Floats) -> tuple[Floats, Floats]:
    """Where both parts pass, as components along a direction."""
    ends = [np.sort([(spans.at(k, f[:, side]) * along).sum(axis=1) for side in (0, 1)], axis=0) for k, f in sides]
    return np.maximum(ends[0][0], ends[1][0]), np.minimum(ends[0][1], ends[1][1])


def _difference(
    spans: Spans, sides: list[tuple[Ints, Floats]], along: Floats, low: Floats, high: Floats
) -> tuple[list[Floats], Floats]:
    """Parameters at the nodes, and by how much the first part is to the left of the second there; shape (k, nodes)."""
    count = len(_NODES)
    levels = (low[:, None] + (high - low)[:, None] * _NODES).ravel()
    direction = np.repeat(along, count, axis=0)
    across = np.stack([-direction[:, 1], direction[:, 0]], axis=1)
    parameters, points = [], []
    for index, part in sides:
        index, first, last = (np.repeat(x, count) for x in (index, part[:, 0], part[:, 1]))
        found = passing(spans, index, direction, levels, first, last)
        parameters.append(found.reshape(-1, count))
        points.append(spans.at(index, found))
    difference = ((points[0] - points[1]) * across).sum(axis=1)
    return parameters, difference.reshape(-1, count)


def _enclosed(difference: Floats, tolerance: float) -> tuple[Ints, Ints]:
    """Whether the difference is within the tolerance everywhere, and whether it is beyond it everywhere."""
    coefficients = difference @ _TO_BERNSTEIN.T
    error = _TRUNCATION * np.abs((difference @ _TO_CHEBYSHEV.T)[:, -2:]).sum(axis=1)
    lowest, highest = coefficients.min(axis=1) - error, coefficients.max(axis=1) + error
    outside = np.maximum(lowest, -highest) > _ASLANT * tolerance
    inside = np.maximum(-lowest, highest) <= TOGETHER * tolerance
    return np.asarray(inside), np.asarray(outside)
