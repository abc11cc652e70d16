"""Where spans pass a value of a coordinate.

Source: T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function
without using derivatives, Advances in Engineering Software 28, 1997.
"""

from __future__ import annotations

import numpy as np

from massprops.core.piecetable import Ints
from massprops.core.spans import Spans
from massprops.core.surface import Floats

_STEPS = 60
_CLOSEST = 2.0**-52


def parameter_at(spans: Spans, index: Ints, axis: Ints, level: Floats) -> Floats:
    """Where spans pass a value of u (axis 0) or of v (axis 1); the nearer end where they do not.

    Parameters
    ----------
    spans : Spans
    index, axis : ndarray of int, shape (k,)
    level : ndarray, shape (k,)
        Length.

    Returns
    -------
    ndarray, shape (k,)
        From 0 to 1.
    """
    across = np.eye(2)[axis]
    return passing(spans, index, across, level, np.zeros(len(index)), np.ones(len(index)))


def nearest_parameter(spans: Spans, index: Ints, points: Floats) -> tuple[Floats, Floats]:
    """Where spans pass the u or the v of points (k, 2), whichever is nearer; and how near, by the larger component."""
    best = np.zeros(len(index)), np.full(len(index), np.inf)
    for axis in (0, 1):
        t = parameter_at(spans, index, np.full(len(index), axis), points[:, axis])
        gap = np.abs(spans.at(index, t) - points).max(axis=1)
        better = gap < best[1]
        best = np.where(better, t, best[0]), np.where(better, gap, best[1])
    return best


def passing(spans: Spans, index: Ints, direction: Floats, level: Floats, first: Floats, last: Floats) -> Floats:
    """Where parts of spans, steady along a direction, pass a component along it; the nearer end where they do not.

    Parameters
    ----------
    spans : Spans
    index : ndarray of int, shape (k,)
    direction : ndarray, shape (k, 2)
    level : ndarray, shape (k,)
    first, last : ndarray, shape (k,)
        Parameters between which they are sought.
    """

    def distance(which: Ints, t: Floats) -> Floats:
        found: Floats = (spans.at(index[which], t) * direction[which]).sum(axis=1) - level[which]
        return found

    everything = np.arange(len(index))
    fa, fb = distance(everything, first), distance(everything, last)
    found = np.where(np.abs(fa) <= np.abs(fb), first, last)
    which = np.flatnonzero(((fa < 0) != (fb < 0)) & (fa != 0) & (fb != 0))
    a, b, fa, fb = (x[which] for x in (first, last, fa, fb))
    step = np.full(len(which), 0.5)
    for _ in range(_STEPS):
        if len(which) == 0:
            break
        t = a + step * (b - a)
        ft = distance(which, t)
        same = (ft > 0) == (fa > 0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = t, ft
        found[which] = np.where(np.abs(fa) < np.abs(fb), a, b)
        nearest = _CLOSEST / np.abs(b - a)
        going = (nearest < 0.5) & (fa != 0)
        which, nearest, a, b, c, fa, fb, fc = (x[going] for x in (which, nearest, a, b, c, fa, fb, fc))
        step = np.clip(_next_step(a, b, c, fa, fb, fc), nearest, 1 - nearest)
    return found


def _next_step(a: Floats, b: Floats, c: Floats, fa: Floats, fb: Floats, fc: Floats) -> Floats:
    """By inverse quadratic interpolation where that is safe, else in the middle; as a fraction of b - a."""
    with np.errstate(all="ignore"):  # of what is not taken
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        safe = (phi * phi < xi) & ((1 - phi) ** 2 < 1 - xi)
        quadratic = fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb))
    return np.where(safe & np.isfinite(quadratic), quadratic, 0.5)
