"""The 2-D kernel: from closed loops to the moments of the region they enclose.

With corners x_i = (u_i, v_i) relative to a reference point o and c = u_i v_j - v_i u_j for the segment from i to j,
Green's theorem gives

    A = sum c / 2
    int x dA = sum c / 6 (x_i + x_j)
    int u^2 dA = sum c / 12 (u_i^2 + u_i u_j + u_j^2)
    int u v dA = sum c / 24 (2 u_i v_i + u_i v_j + u_j v_i + 2 u_j v_j)

The products are formed with the midpoint m and the half edge h of the segment, u_i^2 + u_i u_j + u_j^2 = 3 m^2 + h^2
and so on. To this polygon of chords the caps of the curved segments are added (`massprops.core.segment_caps`).

Source: G. Bashein, P. R. Detmer, Centroid of a polygon, Graphics Gems IV, 1994. Sums as in `massprops.core.polyhedron`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from massprops.core.area_moments import AreaMoments
from massprops.core.curve import Curve
from massprops.core.exact_numbers import rationals
from massprops.core.integrands import Frame, reference_frame
from massprops.core.piecetable import PieceTable
from massprops.core.segment_caps import Caps, caps, shifted
from massprops.core.sums import (
    Double2,
    U,
    add2,
    exact_sum,
    multiply2,
    negate2,
    shifted_sums,
    shifts,
    two_sum,
)
from massprops.core.surface import BLOCK, Floats

_DIVISORS = (2, 6, 6, 12, 12, 24)

_ROUNDINGS, _DOUBLE2_ROUNDING = 14 * U, 2.0**-97
"""Relative error of an integrand against |x_i| |x_j - x_i| times the squares of coordinates: plain, double-double."""

_CAP_ROUNDINGS = 64 * U
"""Relative error of the integrals over a cap, of the quadrature's own sums and of moving them to the reference."""

ZERO_AREA = 2.0**-50
"""An area below this fraction of perimeter times size is round-off."""

_SMALL = 8192
"""Segments up to which double-double arithmetic costs next to nothing."""

SHARP = 1e-13
"""Relative error bound of area and second moments above which the sums of more segments are formed again so."""


@dataclass(frozen=True, eq=False)
class SectionRoundOff:
    """Upper bounds of the errors of the integrals, absolute, about the same point as their `AreaMoments`.

    Parameters
    ----------
    area : float
        length^2.
    first : float
        Of either component; length^3.
    second : float
        Of any component; length^4.
    """

    area: float
    first: float
    second: float


@dataclass(frozen=True, eq=False)
class SectionIntegrals:
    """What the kernel finds.

    Parameters
    ----------
    moments : AreaMoments
        Of the region, at unit density, in the curve's coordinates.
    perimeter : float
        Length of all loops; length.
    bounds : ndarray, shape (2, 2)
        Lower and upper corner of the bounding box; length.
    round_off : SectionRoundOff
        Bounds of the errors of ``moments``.
    """

    moments: AreaMoments
    perimeter: float
    bounds: Floats
    round_off: SectionRoundOff


    @property
    def area_sign(self) -> int:
        """Sign of the area; 0 where it is nothing but round-off."""
        area, size = float(self.moments.area), float(np.hypot(*(self.bounds[1] - self.bounds[0])))
        return 0 if abs(area) <= ZERO_AREA * self.perimeter * size else (1 if area > 0 else -1)


def section_integrals(curve: Curve) -> SectionIntegrals:
    """Moments, perimeter and box of the region that closed loops enclose.

    Parameters
    ----------
    curve : Curve
        One loop or more; anticlockwise ones add, clockwise ones subtract. Finite coordinates.

    Examples
    --------
    >>> square = Curve.from_loops([0, 2, 2, 0], [0, 0, 2, 2])
    >>> found = section_integrals(square)
    >>> found.moments.area, found.moments.center.tolist(), found.perimeter
    (Fraction(4, 1), [Fraction(1, 1), Fraction(1, 1)], 8.0)
    """
    bounds = curve.bounds()
    frame = reference_frame(bounds[0], bounds[1])
    start, end = (_scaled(points, frame.scale) for points in curve.segments())
    table = curve.columns.table
    if frame.scale != 1.0:
        table = PieceTable.of([piece.mapped(frame.scale * np.eye(2), np.zeros(2)) for piece in curve.curved()])
    found = caps(table)
    small = len(start) <= _SMALL
    polygon, length = _polygon(start, end, frame, doubled=small)
    integrals = _total(polygon, length, found, bounds, frame, doubled=small)
    if small or _is_sharp(integrals):
        return integrals
    polygon, length = _polygon(start, end, frame, doubled=True)
    return _total(polygon, length, found, bounds, frame, doubled=True)


def section_moments(curve: Curve) -> AreaMoments:
    """Moments of the region that closed loops enclose; see `section_integrals`."""
    return section_integrals(curve).moments


def _scaled(points: Floats, scale: float) -> Floats:
    return points if scale == 1.0 else points * scale


def _polygon(start: Floats, end: Floats, frame: Frame, doubled: bool) -> tuple[list[Fraction], float]:
    """Sums of the six integrands over all segments, and the segments' length; in the frame's scale."""
    origin = frame.origin * frame.scale
    bound = _bounds(frame)
    terms: list[list[float]] = [[] for _ in range(6)]
    lengths = []
    for low in range(0, len(start), BLOCK):
        a, b = start[low : low + BLOCK].T, end[low : low + BLOCK].T
        sums = (_double_sums if doubled else _plain_sums)(a, b, origin, bound)
        for row, values in zip(terms, np.stack(sums, axis=1).tolist(), strict=True):
            row += values
        lengths.append(float(np.hypot(*(b - a)).sum()))
    return [exact_sum(row) for row in terms], float(exact_sum(lengths))


def _bounds(frame: Frame) -> Floats:
    """Upper bounds of the six integrands in the box |x_i| <= half_i."""
    u, v = frame.half
    factors = np.array([1.0, 2 * u, 2 * v, 3 * u * u, 3 * v * v, 6 * u * v])
    return np.asarray(4.0 * u * v * factors)


def _plain_sums(a: Floats, b: Floats, origin: Floats, bound: Floats) -> tuple[Floats, Floats]:
    x, edge = a - origin[:, None], b - a
    c = x[0] * edge[1] - x[1] * edge[0]
    m, h = x + 0.5 * edge, 0.5 * edge
    uu, vv = (3 * m[k] * m[k] + h[k] * h[k] for k in (0, 1))
    uv = 6 * m[0] * m[1] + 2 * h[0] * h[1]
    rows = np.stack([c, 2 * c * m[0], 2 * c * m[1], c * uu, c * vv, c * uv])
    return shifted_sums(rows, shifts(bound, len(c)), np.empty_like(rows))


def _double_sums(a: Floats, b: Floats, origin: Floats, bound: Floats) -> tuple[Floats, Floats, Floats]:
    zero = np.zeros_like(a[0])
    x = [two_sum(a[k], zero - origin[k]) for k in (0, 1)]
    y = [two_sum(b[k], zero - origin[k]) for k in (0, 1)]
    s = [add2(x[k], y[k]) for k in (0, 1)]
    e = [add2(y[k], negate2(x[k])) for k in (0, 1)]
    c = add2(multiply2(x[0], e[1]), negate2(multiply2(x[1], e[0])))
    uu, vv = (_quarters(multiply2(s[k], s[k]), multiply2(e[k], e[k])) for k in (0, 1))
    uv = _times(_quarters(multiply2(s[0], s[1]), multiply2(e[0], e[1])), 2.0)
    rows = [c, *(multiply2(c, f) for f in (*s, uu, vv, uv))]
    high = np.stack([row.high for row in rows])
    scratch = np.empty_like(high)
    shift = shifts(bound, len(zero))
    first, _ = shifted_sums(high, shift, scratch)  # leaves the remainders, at most 2^-53 shift, in `high`
    second, rest = shifted_sums(high, shifts(U * shift, len(zero)), scratch)
    return first, second, rest + np.stack([row.low for row in rows]).sum(axis=1)


def _quarters(s: Double2, e: Double2) -> Double2:
    """(3 s + e) / 4; three times s is a sum, so that only additions round."""
    return _times(add2(add2(_times(s, 2.0), s), e), 0.25)


def _times(x: Double2, power_of_two: float) -> Double2:
    return Double2(x.high * power_of_two, x.low * power_of_two)


def _total(
    polygon: list[Fraction], length: float, found: Caps, bounds: Floats, frame: Frame, doubled: bool
) -> SectionIntegrals:
    """Polygon and caps together, in the units of the file, with their error bounds."""
    curved = shifted(found.moments, found.start - frame.origin * frame.scale)
    a, fu, fv, uu, vv, uv = (
        total / divisor + exact_sum(row) for total, divisor, row in zip(polygon, _DIVISORS, curved, strict=True)
    )
    ratio = 1 / Fraction(frame.scale)
    second = rationals([[uu, uv], [uv, vv]]) * ratio**4
    moments = AreaMoments(a * ratio**2, rationals([fu, fv]) * ratio**3, second, rationals(frame.origin))
    around = max(length - float(exact_sum(found.chords)), 0.0) + float(exact_sum(found.lengths))
    reach = float(np.hypot(*frame.half))
    error = (_DOUBLE2_ROUNDING if doubled else _ROUNDINGS) * length * reach
    powers = np.array([1.0, reach, reach**2])
    bound = error * powers + _cap_errors(curved, found, powers)
    with np.errstate(over="ignore", under="ignore"):  # sizes near the ends of the range: a bound of inf or 0
        bound = bound * (1.0 / frame.scale) ** np.array([2.0, 3.0, 4.0])
    return SectionIntegrals(
        moments, around / frame.scale, bounds, SectionRoundOff(*(float(x) for x in bound))
    )


def _cap_errors(curved: Floats, found: Caps, powers: Floats) -> Floats:
    if curved.shape[1] == 0:
        return np.zeros(3)
    size = _CAP_ROUNDINGS * np.abs(curved).sum(axis=1) + found.errors.sum(axis=1)
    area, first, second = size[0], size[1:3].max(), size[3:].max()
    return np.array([area, first + area * powers[1], second + first * powers[1] + area * powers[2]])


def _is_sharp(found: SectionIntegrals) -> bool:
    """Whether the error bounds are small enough against the area and the second moments."""
    if found.round_off.area > SHARP * abs(float(found.moments.area)):
        return False
    spread = max(abs(float(x)) for x in np.diag(found.moments.central_second))
    return found.round_off.second <= SHARP * spread
