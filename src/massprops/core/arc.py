"""Arcs of circles and ellipses, from centres, bulges or ends.

Source: Scalable Vector Graphics (SVG) 2, appendix B.2 (arcs by their ends); Autodesk, DXF Reference (bulges).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.surface import Floats

_HALF_ELLIPSE = 8 * 2.0**-52
"""An SVG arc whose ends are a diameter apart to this many ulps of their coordinates is half an ellipse."""

CIRCULAR = 8 * 2.0**-52
"""Semi-diameters whose squares, or whose cosine, differ from a circle's by less are those of a circle."""

_STRAIGHT = 2.0**-100
"""Smaller bulges are taken as so large: both are straight lines to the last digit, and this one has a centre."""


@dataclass(frozen=True, eq=False)
class Arc:
    """An arc of an ellipse, c + p cos(a) + q sin(a), a from ``begin`` to ``begin + sweep``.

    Parameters
    ----------
    center : ndarray, shape (2,)
        c; length.
    axes : ndarray, shape (2, 2)
        Rows p and q, conjugate semi-diameters; length. For a circle: of equal length and at right angles.
    begin : float
        First angle; radians.
    sweep : float
        Angle swept, between -2 pi and 2 pi; radians. Anticlockwise where it has the sign of p x q.
    ends : ndarray, shape (2, 2), optional
        First and last point as the file has them; computed where it has none.
    """

    center: Floats
    axes: Floats
    begin: float
    sweep: float
    ends: Floats | None = None

    @classmethod
    def circle(cls, center: ArrayLike, radius: float, begin: float = 0.0, sweep: float = 2 * math.pi) -> Arc:
        """An arc of a circle; the full one unless a sweep is given."""
        return cls.ellipse(center, radius * np.eye(2), begin, sweep)

    @classmethod
    def ellipse(
        cls, center: ArrayLike, axes: ArrayLike, begin: float = 0.0, sweep: float = 2 * math.pi
    ) -> Arc:
        """An arc of the ellipse with the given semi-axes, or conjugate semi-diameters, as rows."""
        arc = cls(np.asarray(center, float), np.asarray(axes, float), begin, sweep)
        return cls(arc.center, arc.axes, begin, sweep, np.array([arc.start, arc.end]))

    @classmethod
    def from_bulge(cls, start: ArrayLike, end: ArrayLike, bulge: float) -> Arc:
        """The circular arc between two points with bulge b = tan(sweep / 4), positive for anticlockwise (DXF).

        Its centre lies (1 - b^2) / (4 b) times the chord to the left of the chord's middle.
        """
        first, last = np.array([start], float), np.array([end], float)
        center, axes, sweep = bulged(first, last, np.array([bulge], float))
        return cls(center[0], axes[0], 0.0, sweep[0], np.concatenate([first, last]))

    @classmethod
    def from_ends(
        cls, start: ArrayLike, end: ArrayLike, radii: ArrayLike, rotation: float, large: bool, positive: bool
    ) -> Arc:
        """The elliptic arc between two points as SVG's path command A defines it (SVG 2, B.2.4).

        Parameters
        ----------
        start, end : array_like, shape (2,)
            Two different points.
        radii : array_like, shape (2,)
            Semi-axes; not 0. Enlarged together where they are too small to join the points.
        rotation : float
            Angle from the u axis to the first semi-axis; radians.
        large : bool
            Whether the arc sweeps more than half the ellipse.
        positive : bool
            Whether the angle grows from start to end.
        """
        a, b = np.asarray(start, float), np.asarray(end, float)
        rx, ry = np.abs(np.asarray(radii, float))
        c, s = math.cos(rotation), math.sin(rotation)
        half = (a - b) / 2
        x, y = (c * half[0] + s * half[1]) / rx, (-s * half[0] + c * half[1]) / ry
        reach = math.hypot(x, y)  # half the chord, in units of the radii
        noise = _HALF_ELLIPSE * (1 + max(np.abs(a).max(), np.abs(b).max()) / np.hypot(*(2 * half)))
        if reach >= 1 - noise:
            rx, ry, x, y, offset = rx * reach, ry * reach, x / reach, y / reach, 0.0
        else:
            offset = math.sqrt((1 - reach) * (1 + reach)) / reach
        side = -1.0 if large == positive else 1.0
        x0, y0 = side * offset * y, -side * offset * x  # the centre from the chord's middle, on the unit circle
        first, last = (x - x0, y - y0), (-x - x0, -y - y0)
        sweep = math.atan2(first[0] * last[1] - first[1] * last[0], first[0] * last[0] + first[1] * last[1])
        if offset == 0.0:
            sweep = math.pi if positive else -math.pi
        elif positive != (sweep > 0):
            sweep += 2 * math.pi if positive else -2 * math.pi
        axes = np.array([[rx * c, rx * s], [-ry * s, ry * c]])
        center = a - half + x0 * axes[0] + y0 * axes[1]
        return cls(center, axes, math.atan2(first[1], first[0]), sweep, np.array([a, b]))

    @property
    def start(self) -> Floats:
        return self._point(self.begin) if self.ends is None else self.ends[0]

    @property
    def end(self) -> Floats:
        if self.ends is None and abs(self.sweep) == 2 * math.pi:
            return self.start
        return self._point(self.begin + self.sweep) if self.ends is None else self.ends[1]

    @property
    def is_circular(self) -> bool:
        """Whether the semi-diameters are equal and at right angles to round-off."""
        p, q = self.axes
        return bool(max(abs(p @ p - q @ q), abs(p @ q)) <= CIRCULAR * (p @ p))

    def _point(self, angle: float) -> Floats:
        point: Floats = self.center + math.cos(angle) * self.axes[0] + math.sin(angle) * self.axes[1]
        return point

    def at(self, t: Floats) -> Floats:
        angle = self.begin + self.sweep * t
        points: Floats = self.center + np.stack([np.cos(angle), np.sin(angle)], axis=1) @ self.axes
        return points

    def reversed(self) -> Arc:
        ends = np.array([self.end, self.start])
        return Arc(self.center, self.axes, self.begin + self.sweep, -self.sweep, ends)

    def part(self, first: float, last: float) -> Arc:
        points = self.at(np.array([first, last]))
        ends = np.array([self.start if first == 0 else points[0], self.end if last == 1 else points[1]])
        begin = self.begin + first * self.sweep
        return Arc(self.center, self.axes, begin, (last - first) * self.sweep, ends)

    def mapped(self, matrix: Floats, translation: Floats) -> Arc:
        ends = None if self.ends is None else self.ends @ matrix.T + translation
        center = matrix @ self.center + translation
        return Arc(center, self.axes @ matrix.T, self.begin, self.sweep, ends)

    def turns(self, direction: ArrayLike) -> Floats:
        components = self.axes @ np.asarray(direction, float)
        found = turns_of_arcs(components[None], np.array([self.begin]), np.array([self.sweep]))[0]
        within: Floats = found[(found > 0) & (found < 1)]
        return within


def turns_of_arcs(components: Floats, begin: Floats, sweep: Floats) -> Floats:
    """Parameters where arcs turn, shape (n, 3), from the components (n, 2) of p and q along a direction.

    Those outside of (0, 1) are none.
    """
    along, across = components.T.tolist()
    step = math.pi / np.abs(sweep)
    t: Floats = (np.array(list(map(math.atan2, across, along))) - begin) / sweep % step
    return np.stack([t, t + step, t + 2 * step], axis=1)


def arcs(center: Floats, axes: Floats, begin: list[float], sweep: list[float], ends: Floats) -> list[Arc]:
    """Many arcs: centres (n, 2), semi-diameters (n, 2, 2), n angles, and ends (n, 2, 2); see `Arc`."""
    return list(map(Arc, center, axes, begin, sweep, ends))


def arc_ends(center: Floats, axes: Floats, begin: list[float], sweep: list[float]) -> Floats:
    """First and last points of many arcs, shape (n, 2, 2); of whole ellipses, the same point twice."""
    last = [a if abs(s) == 2 * math.pi else a + s for a, s in zip(begin, sweep, strict=True)]
    ends = []
    for angles in (begin, last):
        c, s = (np.array([f(a) for a in angles]).reshape(-1, 1) for f in (math.cos, math.sin))
        ends.append(center + c * axes[:, 0] + s * axes[:, 1])
    return np.stack(ends, axis=1)


def bulged(start: Floats, end: Floats, bulge: Floats) -> tuple[Floats, Floats, list[float]]:
    """Centres (n, 2), semi-diameters (n, 2, 2) and sweeps of many arcs by their bulges; see `Arc.from_bulge`."""
    (a, b), (x, y) = start.T, (end - start).T
    bulge = np.where(np.abs(bulge) < _STRAIGHT, np.copysign(_STRAIGHT, bulge), bulge)
    with np.errstate(all="ignore"):  # bulges so large that an arc is refused later
        ratio = (1 - bulge * bulge) / (4 * bulge)
        u, v = ratio * -y, ratio * x  # from the chord's middle to the centre
        p, q = -x / 2 - u, -y / 2 - v
        center = np.stack([a + x / 2 + u, b + y / 2 + v], axis=1)
    axes = np.stack([p, q, -q, p], axis=1).reshape(-1, 2, 2)
    return center, axes, [4 * math.atan(value) for value in bulge.tolist()]


def arc_parts(arcs: tuple[Floats, Floats, Floats, Floats, Floats], first: Floats, last: Floats) -> list[Arc]:
    """Parts of many arcs between parameters (n,), as `Arc.part` gives them.

    Parameters
    ----------
    arcs : tuple of ndarray
        Centres (n, 2), semi-diameters (n, 2, 2), first angles (n,), sweeps (n,), ends (n, 2, 2).
    first, last : ndarray, shape (n,)
    """
    center, axes, begin, sweep, ends = arcs
    angle = begin[:, None] + sweep[:, None] * np.stack([first, last], axis=1)
    points = center[:, None] + np.stack([np.cos(angle), np.sin(angle)], axis=2) @ axes
    ends = np.where(np.stack([first == 0, last == 1], axis=1)[..., None], ends, points)
    begins, sweeps = (begin + first * sweep).tolist(), ((last - first) * sweep).tolist()
    return list(map(Arc, center, axes, begins, sweeps, ends))
