"""Write the spheres of the benchmark: `python tests/benchmarks/spheres.py FOLDER NAME...`, names as in `FILES`.

A sphere is a polyhedron between circles of latitude: triangles round its poles, planar trapezoids, each of two facets,
between. It is written a band at a time, so memory does not grow with the file, and off the origin, as parts are.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Facets = NDArray[np.float32]
"""Facet, corner, axis: shape (n, 3, 3)."""

CENTER = (0.7, -0.4, 1.3)
SEED = 20
FLIPPED = 0.01  # part of the facets of a damaged sphere
HOLES = 20
SMALL_FILES = 500

RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
TEXT = (
    "facet normal %.6e %.6e %.6e\n  outer loop\n"
    + "    vertex %.6e %.6e %.6e\n" * 3
    + "  endloop\nendfacet\n"
)  # fmt: skip


@dataclass(frozen=True)
class Grid:
    """A sphere of radius 1 cut into `bands` bands from pole to pole, each of `columns` columns."""

    bands: int
    columns: int

    @property
    def facets(self) -> int:
        return 2 * self.columns * (self.bands - 1)

    @property
    def volume(self) -> float:
        """Volume before coordinates are rounded [L^3].

        Every band is a frustum over a regular n-gon, of volume h (r^2 + r s + s^2) / 3 times the area of the n-gon of
        radius 1, with r and s the radii above and below and h the height.
        """
        latitudes = [math.pi * k / self.bands for k in range(self.bands + 1)]
        frustums = (
            (math.cos(t) - math.cos(u)) * (math.sin(t) ** 2 + math.sin(t) * math.sin(u) + math.sin(u) ** 2) / 3
            for t, u in pairwise(latitudes)
        )
        return self.columns / 2 * math.sin(2 * math.pi / self.columns) * math.fsum(frustums)

    def quad(self, band: int, column: int) -> int:
        """Number of the first of the two facets of a trapezoid; `band` is neither the first nor the last."""
        return self.columns * (2 * band - 1) + 2 * column


MILLION_10, MILLION, THOUSAND_200, THOUSAND_20, THOUSAND = (
    Grid(1601, 3125), Grid(501, 1000), Grid(251, 400), Grid(81, 125), Grid(21, 25),
)  # fmt: skip


def sphere(grid: Grid, center: tuple[float, float, float] = CENTER) -> Iterator[Facets]:
    """The facets of a sphere, outward, a band at a time from the north pole."""
    # Sines and cosines once for all bands: neighbours must agree in every bit of the corners that they share.
    latitude = np.pi * np.arange(grid.bands + 1) / grid.bands
    longitude = 2 * np.pi * np.arange(grid.columns) / grid.columns
    radius, height = np.sin(latitude), np.cos(latitude)
    radius[[0, -1]] = 0.0
    east, north = np.cos(longitude), np.sin(longitude)

    def ring(k: int) -> Facets:
        corners = np.stack([radius[k] * east, radius[k] * north, np.full(grid.columns, height[k])], axis=1)
        return (corners + center).astype(np.float32)

    above = ring(0)
    for k in range(grid.bands):
        below = ring(k + 1)
        a, b, c, d = above, below, np.roll(below, -1, axis=0), np.roll(above, -1, axis=0)
        pair = np.stack([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)], axis=1)
        shown = {0: slice(0, 1), grid.bands - 1: slice(1, 2)}.get(k, slice(0, 2))  # at a pole one of two is flat
        yield pair[:, shown].reshape(-1, 3, 3)
        above = below


def damaged(grid: Grid, holes: int = HOLES, flipped: float = FLIPPED) -> Iterator[Facets]:
    """A sphere without `holes` of its trapezoids, none beside another, and with a part of its facets turned inside."""
    turned = np.zeros(grid.facets, dtype=bool)
    rng = np.random.default_rng(SEED)
    turned[rng.choice(grid.facets, int(grid.facets * flipped), replace=False)] = True
    kept = np.ones(grid.facets, dtype=bool)
    for hole in range(holes):
        band = 1 + (2 * hole + 1) * (grid.bands - 2) // (2 * holes)
        first = grid.quad(band, hole * 8 * grid.columns // 13 % grid.columns)
        kept[first : first + 2] = False
    start = 0
    for facets in sphere(grid):
        part = slice(start, start + len(facets))
        start += len(facets)
        turn = turned[part]
        facets[turn] = facets[turn, ::-1]
        yield facets[kept[part]]


def write_binary(path: Path, bands: Iterable[Facets]) -> None:
    """Write a binary STL file, its facets counted as they are written."""
    count = 0
    with path.open("wb") as file:
        file.write(bytes(84))
        for band in bands:
            record = np.zeros(len(band), RECORD)
            record["corners"], record["normal"] = band, _normals(band)
            file.write(record.tobytes())
            count += len(band)
        file.seek(0)
        file.write(b"sphere".ljust(80) + count.to_bytes(4, "little"))


def write_ascii(path: Path, bands: Iterable[Facets]) -> None:
    """Write an ASCII STL file of seven digits a number, as most programs do."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("solid sphere\n")
        for band in bands:
            rows = np.concatenate([_normals(band)[:, None], band], axis=1)
            file.write(TEXT * len(band) % tuple(rows.ravel().tolist()))
        file.write("endsolid sphere\n")


def write_small(folder: Path, count: int = SMALL_FILES, grid: Grid = THOUSAND) -> None:
    """Write spheres in a row, a file each."""
    folder.mkdir(exist_ok=True)
    for k in range(count):
        write_binary(folder / f"{k:03}.stl", sphere(grid, (CENTER[0] + 3 * k, *CENTER[1:])))


def _normals(facets: Facets) -> NDArray[Any]:
    normal = np.cross(facets[:, 1] - facets[:, 0], facets[:, 2] - facets[:, 0])
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))


FILES: dict[str, Callable[[Path], None]] = {
    "20k.stl": lambda path: write_binary(path, sphere(THOUSAND_20)),
    "1m.stl": lambda path: write_binary(path, sphere(MILLION)),
    "10m.stl": lambda path: write_binary(path, sphere(MILLION_10)),
    "ascii.stl": lambda path: write_ascii(path, sphere(THOUSAND_200)),
    "damaged.stl": lambda path: write_binary(path, damaged(MILLION)),
    "small": write_small,
}
"""The inputs of the benchmark, by name of file or folder."""


def main(folder: str, *names: str) -> None:
    for name in names:
        FILES[name](Path(folder) / name)


if __name__ == "__main__":
    main(*sys.argv[1:])
