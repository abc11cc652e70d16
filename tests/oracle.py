"""Mass properties in rational arithmetic, without any error; shapes to try the program on; files of them.

The oracle shares no code and no formula with the program: it works on the corners as they are stored, about the
origin, with the determinant of the three corners and the covariance form (F. Tonon 2004), in Python's integers.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Triangles = NDArray[Any]
"""Facet, corner, axis: shape (n, 3, 3)."""

Exact = NDArray[Any]
"""An array of fractions or integers (dtype object)."""

_BITS = 500  # of the fixed-point numbers in which principal moments are found


# The oracle


@dataclass(frozen=True, eq=False)
class Body:
    """What a closed surface encloses, at unit density: volume, centre (3,), inertia tensor (3, 3) about the centre with
    minus the products of inertia beside its diagonal; area and the longest side of the bounding box as floats."""

    volume: Fraction
    center: Exact
    inertia: Exact
    area: float
    size: float

    def inertia_about(self, point: Sequence[Any]) -> Exact:
        """The inertia tensor about a point, by the parallel-axis theorem."""
        d = exact_array(point) - self.center
        return self.inertia + self.volume * ((d @ d) * np.eye(3, dtype=int) - np.outer(d, d))

    @property
    def principal_moments(self) -> list[Fraction]:
        """Eigenvalues of the inertia tensor, ascending, to some 70 digits of the largest.

        The zeros of the characteristic polynomial t^3 - a t^2 + a b t - a^2 c by Newton's iteration, from 0 for the
        smallest and from the trace a for the largest: with real zeros it overshoots neither. They leave the third of a.
        """
        m, a = self.inertia, np.trace(self.inertia)
        b = sum(m[i, i] * m[j, j] - m[i, j] * m[j, i] for i, j in ((0, 1), (0, 2), (1, 2))) / a
        c = _determinant(m) / a**2
        unit = a / 2**_BITS
        whole = [round(x / unit) for x in (a, b, c)]
        smallest, largest = (_newton(*whole, start) * unit for start in (0, whole[0]))
        return [smallest, a - smallest - largest, largest]


def exact(triangles: Triangles) -> Body:
    """The body inside a closed surface of either orientation; its volume must not be 0."""
    points, unit = _integers(triangles)
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    total = a + b + c
    determinant = (a * _cross(b, c)).sum(axis=1)
    volume = Fraction(determinant.sum(), 6)
    center = exact_array((determinant[:, None] * total).sum(axis=0)) / 24 / volume
    second = sum((determinant[:, None] * p).T @ p for p in (a, b, c, total))
    central = exact_array(second) / 120 - volume * np.outer(center, center)
    inertia = np.trace(central) * np.eye(3, dtype=int) - central
    squares = (_cross(b - a, c - a) ** 2).sum(axis=1)
    area = sum(math.isqrt(square << 128) for square in squares.tolist())  # 64 places after the point, in whole numbers
    corners = points.reshape(-1, 3)
    size = float((corners.max(axis=0) - corners.min(axis=0)).max() * unit)
    return Body(volume * unit**3, center * unit, inertia * unit**5, float(area * unit**2 / 2**65), size)


def exact_array(values: Any) -> Exact:
    """The same numbers as fractions."""
    array = np.asarray(values, dtype=object)
    return np.array([Fraction(x) for x in array.flat], dtype=object).reshape(array.shape)


def floats(values: Any) -> NDArray[np.float64]:
    """Fractions or integers, each rounded once."""
    array = np.asarray(values, dtype=object)
    return np.array([float(x) for x in array.flat]).reshape(array.shape)


def _integers(triangles: Triangles) -> tuple[Exact, Fraction]:
    """The coordinates as integers, and the unit that they count."""
    array = np.asarray(triangles)
    ratios = [x.as_integer_ratio() for x in (array if array.dtype == object else array.astype(float)).ravel().tolist()]
    common = math.lcm(*{denominator for _, denominator in ratios})
    whole = np.array([numerator * (common // denominator) for numerator, denominator in ratios], dtype=object)
    return whole.reshape(array.shape), Fraction(1, common)


def _cross(u: Exact, v: Exact) -> Exact:
    return np.stack([u[:, j] * v[:, k] - u[:, k] * v[:, j] for j, k in ((1, 2), (2, 0), (0, 1))], axis=1)


def _determinant(m: Exact) -> Any:
    return sum(m[0, i] * (m[1, j] * m[2, k] - m[1, k] * m[2, j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))


def _newton(a: int, b: int, c: int, t: int) -> int:
    last = a
    for _ in range(3 * _BITS):
        slope = 3 * t * t - 2 * a * t + a * b
        step = (((t - a) * t + a * b) * t - a * a * c) // slope if slope else 0
        if abs(step) <= 1 or abs(step) > last:  # steps that grow: a repeated zero, as near as the rounding of c lets it
            break
        t, last = t - step, abs(step)
    return t


class Errors(NamedTuple):
    """How far results are from the exact ones: mass and area relative, the centre against the size of the body and
    beyond the rounding of its coordinates, the tensor against its largest entry, each principal moment relative."""

    mass: float
    center: float
    inertia: float
    moments: float
    area: float


def errors(found: Any, body: Body, density: Any = 1) -> Errors:
    """Errors of mass properties ``found``: attributes, as of the library, or items, as of the JSON report."""
    mass, center, inertia, moments, area = (
        found[name] if isinstance(found, dict) else getattr(found, name)
        for name in ("mass", "center", "inertia", "principal_moments", "area")
    )
    rho = Fraction(density)
    away = [abs(Fraction(x) - y) - Fraction(math.ulp(float(y))) / 2 for x, y in zip(center, body.center, strict=True)]
    return Errors(
        relative_error(mass, rho * body.volume),
        max(0.0, *map(float, away)) / body.size,
        tensor_error(inertia, rho * body.inertia),
        max(relative_error(x, rho * y) for x, y in zip(moments, body.principal_moments, strict=True)),
        relative_error(area, body.area),
    )


def relative_error(found: float, wanted: Fraction | float) -> float:
    """|found / wanted - 1|, rounded once."""
    return float(abs(Fraction(found) / Fraction(wanted) - 1))


def tensor_error(found: Any, wanted: Any) -> float:
    """Largest difference of two tensors against the largest entry of the second."""
    exactly = exact_array(wanted)
    return float(np.abs(exact_array(found) - exactly).max() / np.abs(exactly).max())


# Shapes: triangles wound outwards, as float64 (n, 3, 3)


def box(lower: Sequence[float], upper: Sequence[float]) -> Triangles:
    """A box; its facets in the order z0, z1, y0, y1, x0, x1, two a face."""
    x, y, z = zip(lower, upper, strict=True)
    corners = np.array([(x[i], y[j], z[k]) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)
    return corners[_digits("021 032 456 467 015 054 362 376 073 047 126 165")]


def tetrahedron(a: float = 1.0, b: float = 2.0, c: float = 3.0) -> Triangles:
    """A corner cut off a box: the origin and a point on each axis."""
    return np.array([[0, 0, 0], [a, 0, 0], [0, b, 0], [0, 0, c]], dtype=float)[_digits("021 013 032 123")]


def prism(outline: Sequence[Sequence[float]], caps: Any, bottom: float, top: float) -> Triangles:
    """A polygon, anticlockwise and cut into the triangles ``caps``, extruded along z."""
    flat = np.asarray(outline, dtype=float)
    lower, upper = (np.column_stack([flat, np.full(len(flat), z)]) for z in (bottom, top))
    k = np.arange(len(flat))
    after = np.roll(k, -1)
    walls = [(lower[k], lower[after], upper[after]), (lower[k], upper[after], upper[k])]
    return np.concatenate([lower[caps][:, ::-1], upper[caps], *(np.stack(wall, axis=1) for wall in walls)])


def l_prism(height: float = 1.0) -> Triangles:
    """An L of 3 x 3 with legs 1 wide, from z = 0 upwards."""
    outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    return prism(outline, _digits("012 023 035 345"), 0.0, height)


def regular_prism(n: int, height: float) -> Triangles:
    """A regular polygon of n corners at distance 1 from the z axis, from z = 0 upwards."""
    outline = [(math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)) for k in range(n)]
    return prism(outline, [(0, k, k + 1) for k in range(1, n - 1)], 0.0, height)


def torus(major: float, minor: float, n: int, m: int) -> Triangles:
    """A torus about the z axis of n x m planar quadrangles: n around the axis, m around the tube."""
    p, q = 2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(m) / m
    out, up = major + minor * np.cos(q), minor * np.sin(q)
    grid = np.stack([np.outer(np.cos(p), out), np.outer(np.sin(p), out), np.tile(up, (n, 1))], axis=-1)
    a, b = grid, np.roll(grid, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    return np.concatenate([np.stack(t, axis=2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))])


def lattice(m: int) -> NDArray[np.int64]:
    """The octahedron |x| + |y| + |z| = m, each of its faces cut into m^2 triangles with integer corners."""
    up = [((i, j), (i + 1, j), (i, j + 1)) for i in range(m) for j in range(m - i)]
    down = [((i + 1, j), (i + 1, j + 1), (i, j + 1)) for i in range(m) for j in range(m - 1 - i)]
    flat = np.array(up + down)
    octant = np.concatenate([flat, m - flat.sum(axis=2, keepdims=True)], axis=2)
    signs = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
    return np.concatenate([octant[:, :: x * y * z] * (x, y, z) for x, y, z in signs])


def rays(m: int) -> int:
    """Number of corners of `lattice`."""
    return 4 * m * m + 2


def star(m: int, radii: Sequence[Any]) -> Triangles:
    """`lattice`, its corners moved along their rays by positive factors, one a corner."""
    corners, at = np.unique(lattice(m).reshape(-1, 3), axis=0, return_inverse=True)
    return (corners * np.asarray(radii)[:, None])[at.reshape(-1)].reshape(-1, 3, 3)


def cube_grid(n: int) -> Triangles:
    """The unit cube, each face cut into n x n squares of two triangles."""
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    flat = [np.stack([np.stack([i + di, j + dj], axis=1) for di, dj in t], axis=1) for t in (
        ((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1)),
    )]  # fmt: skip
    square = np.concatenate(flat) / n
    top = np.concatenate([square, np.ones((len(square), 3, 1))], axis=2)
    bottom = np.concatenate([square[:, ::-1], np.zeros((len(square), 3, 1))], axis=2)
    return np.concatenate([np.roll(face, turn, axis=2) for turn in range(3) for face in (top, bottom)])


def reverse(triangles: Triangles) -> Triangles:
    """Every facet wound the other way."""
    return triangles[:, ::-1]


def rotation(w: int, x: int, y: int, z: int) -> Exact:
    """A rotation matrix of fractions, from a quaternion of integers; its denominator divides w^2 + x^2 + y^2 + z^2."""
    n = w * w + x * x + y * y + z * z
    rows = [
        [n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)],
    ]
    return exact_array(rows) / n


def moved(triangles: Triangles, matrix: Any = None, shift: Sequence[Any] = (0, 0, 0)) -> Triangles:
    """Every corner x as A x + t, computed exactly and rounded once, so that a closed surface stays closed."""
    corners, at = np.unique(np.asarray(triangles, float).reshape(-1, 3), axis=0, return_inverse=True)
    image = exact_array(corners.tolist()) @ exact_array(np.eye(3, dtype=int) if matrix is None else matrix).T
    return floats(image + exact_array(shift))[at.reshape(-1)].reshape(-1, 3, 3)


def indexed(triangles: Triangles) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Vertices, each once, and faces."""
    corners, at = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    return corners, at.reshape(-1, 3)


def _digits(words: str) -> NDArray[np.intp]:
    return np.array([[int(digit) for digit in word] for word in words.split()])


# Files of them


def binary_stl(
    triangles: Triangles,
    header: bytes = b"",
    count: int | None = None,
    tail: bytes = b"",
    normal: Any = 0.0,
    attribute: int = 0,
) -> bytes:
    """A binary STL file; coordinates are rounded to float32."""
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    records = np.zeros(len(triangles), record)
    records["normal"], records["corners"], records["attribute"] = normal, triangles, attribute
    promised = len(triangles) if count is None else count
    return header.ljust(80, b" ")[:80] + promised.to_bytes(4, "little") + records.tobytes() + tail


def ascii_stl(triangles: Triangles, name: str = "part", end: str | None = None, number: Any = repr) -> str:
    """An ASCII STL file; numbers as `repr` writes them keep every bit."""
    lines = [f"solid {name}".rstrip()]
    for corners in triangles.tolist():
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += [f"      vertex {' '.join(map(number, corner))}" for corner in corners]
        lines += ["    endloop", "  endfacet"]
    lines.append(f"endsolid {name}".rstrip() if end is None else end)
    return "\n".join(lines) + "\n"


# The command line, within this process


class Run(NamedTuple):
    """What a run of the command line left: exit code, standard output, standard error."""

    code: Any
    out: str
    err: str

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of the JSON document."""
        return json.loads(self.out, parse_constant=lambda name: 1 / 0)["results"]  # type: ignore[no-any-return]


def massprops(*arguments: Any) -> Run:
    """Run the command line with these arguments, each as its string."""
    from massprops.cli import main

    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = left.code
    return Run(code, out.getvalue(), err.getvalue())


