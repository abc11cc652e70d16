"""Write the meshes and sections of sample_meshes/: `python tests/make_samples.py [DIR]`.

Every number is fixed here, so the files come out the same every time. Those whose sizes are decimal fractions are
written as text, which keeps them; the others are binary. All sizes are metres, but for the files that say otherwise.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as a script it sees its own folder only

from tests.oracle import Triangles, ascii_stl, binary_stl, box, prism, reverse, tetrahedron, torus

ROOT = Path(__file__).resolve().parents[1]

Field = Callable[[Any, Any, Any], NDArray[np.float64]]

BLOCK = (0.1, 0.2, 0.3)
L_OUTLINE = [(0.0, 0.0), (0.08, 0.0), (0.08, 0.01), (0.01, 0.01), (0.01, 0.06), (0.0, 0.06)]
L_CAPS = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
L_WIDTH = 0.04
HOLLOW, WALL = (0.5, 0.375, 0.25), 0.0625

# A bar of 0.1 x 0.02 x 0.02 along x on a stem 0.04 long along y; z = 0 and x = 0 are its planes of symmetry.
T_OUTLINE = [
    (-0.01, -0.04), (0.01, -0.04), (0.01, 0.0), (0.05, 0.0), (0.05, 0.02), (-0.05, 0.02), (-0.05, 0.0), (-0.01, 0.0),
]  # fmt: skip
T_CAPS = [(0, 1, 2), (0, 2, 7), (5, 6, 7), (5, 7, 4), (7, 2, 4), (2, 3, 4)]
T_HALF = 0.01

TORUS = (0.3, 0.1, 48, 24)
MILLIMETRES = 20


def solids() -> dict[str, Triangles]:
    """The bodies, by name of file."""
    hollow, inner = (0.0, 0.0, 0.0), (WALL, WALL, WALL)
    void = box(inner, [side - WALL for side in HOLLOW])
    return {
        "cube.stl": box((0, 0, 0), (1, 1, 1)),
        "block.stl": box((0, 0, 0), BLOCK),
        "l_bracket.stl": prism(L_OUTLINE, L_CAPS, 0.0, L_WIDTH),
        "hollow_box.stl": np.concatenate([box(hollow, HOLLOW), reverse(void)]),
        "t_handle.stl": prism(T_OUTLINE, T_CAPS, -T_HALF, T_HALF),
        "torus.stl": np.round(torus(*TORUS), 9),  # sines and cosines may differ in their last bits between machines
        "blob.stl": marching_tetrahedra(blob, (-0.71, -0.57, -0.43), (0.76, 0.62, 0.56), (28, 22, 19)),
    }


def refused() -> dict[str, Triangles]:
    """The surfaces that bound no body as they are, by name of file."""
    cube = box((0, 0, 0), (1, 1, 1))
    flipped = cube.copy()
    flipped[2] = flipped[2, ::-1]
    return {
        "open_box.stl": np.delete(cube, (2, 3), axis=0),
        "inside_out.stl": reverse(tetrahedron()),
        "flipped_facet.stl": flipped,
    }


TEXT = {"block.stl", "l_bracket.stl", "t_handle.stl", "inside_out.stl"}
"""The files that are written as text."""


def blob(x: Any, y: Any, z: Any) -> NDArray[np.float64]:
    """Negative inside the union of a tilted ellipsoid and a ball off its centre, about the distance outside.

    Nothing but sums, products and square roots, which are the same on every machine.
    """
    u, v, w = (2 * x - 2 * y + z) / 3, (x + 2 * y + 2 * z) / 3, (-2 * x - y + 2 * z) / 3
    ellipsoid = (np.sqrt((u / 0.6) ** 2 + (v / 0.3) ** 2 + (w / 0.2) ** 2) - 1.0) * 0.2
    ball = np.sqrt((x - 0.35) ** 2 + (y - 0.2) ** 2 + (z - 0.15) ** 2) - 0.25
    return np.minimum(ellipsoid, ball)


def marching_tetrahedra(field: Field, lower: Any, upper: Any, cells: Any) -> Triangles:
    """The surface on which a field vanishes, facets outwards from where it is negative, closed bit for bit.

    Each cell of a grid is cut into six tetrahedra around its diagonal (H. W. Kuhn 1960), each of these by the plane
    through the zeros on its edges (A. Doi, A. Koide 1991). The field must be positive on the border of the grid.
    """
    axes = [np.linspace(a, b, n + 1) for a, b, n in zip(lower, upper, cells, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    values = field(*nodes.T)
    index = np.arange(len(nodes)).reshape([n + 1 for n in cells])
    steps = np.array([index[1, 0, 0], index[0, 1, 0], index[0, 0, 1]])
    first = index[:-1, :-1, :-1].reshape(-1, 1)
    found = []
    for order in permutations(range(3)):
        tetrahedra = first + np.concatenate([[0], np.cumsum(steps[list(order)])])
        if not _is_even(order):
            tetrahedra = tetrahedra[:, [0, 1, 3, 2]]
        found.append(_cut(tetrahedra, values[tetrahedra] < 0))
    edges = np.sort(np.concatenate(found), axis=-1)  # facet, corner, the two ends of the edge it lies on
    (start, end), (f, g) = np.moveaxis(nodes[edges], 2, 0), np.moveaxis(values[edges], 2, 0)
    corners: Triangles = start + (f / (f - g))[..., None] * (end - start)
    return corners


def _cut(tetrahedra: NDArray[np.intp], inside: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Triangles (n, 3, 2) as the edges on which their corners lie; each tetrahedron is positively oriented."""
    edges = {1: ["01 02 03"], 2: ["02 03 13", "02 13 12"], 3: ["03 13 23"]}  # of one whose corners inside come first
    even = [order for order in permutations(range(4)) if _is_even(order)]
    parts = []
    for pattern in np.ndindex(2, 2, 2, 2):
        first = sorted(pattern, reverse=True)
        order = next(order for order in even if [pattern[k] for k in order] == first)
        chosen = tetrahedra[(inside == pattern).all(axis=1)][:, order]
        ends = [[[int(end) for end in edge] for edge in triangle.split()] for triangle in edges.get(sum(pattern), [])]
        parts += [chosen[:, triangle] for triangle in ends]
    return np.concatenate(parts)


def _is_even(order: tuple[int, ...]) -> bool:
    return sum(order[i] > order[j] for j in range(len(order)) for i in range(j)) % 2 == 0


def cube_obj(side: int) -> str:
    """A cube of quadrangles as Wavefront OBJ."""
    corners = [(x, y, z) for z in (0, side) for x, y in ((0, 0), (side, 0), (side, side), (0, side))]
    faces = ["1 4 3 2", "5 6 7 8", "1 2 6 5", "3 4 8 7", "4 1 5 8", "2 3 7 6"]
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in corners)
    return f"# millimetres\no cube\n{vertices}" + "".join(f"f {face}\n" for face in faces)


QUARTER = math.sqrt(2) - 1
"""Bulge of a quarter circle: tan(angle / 4)."""

# A channel 80 mm high, web 6, flanges 8 thick, 45 and 30 wide, so that it has no axis of symmetry; its inner corners
# are filled with radius 8, its toes rounded with 4.
# Corner (u, v), and the bulge of the segment that starts there.
CHANNEL = [
    (0, 0, 0), (45, 0, 0), (45, 4, QUARTER), (41, 8, 0), (14, 8, -QUARTER), (6, 16, 0), (6, 64, -QUARTER),
    (14, 72, 0), (26, 72, QUARTER), (30, 76, 0), (30, 80, 0), (0, 80, 0),
]  # fmt: skip

# A plate of 80 x 50 mm with two corners rounded and one hole, drawn with y pointing down.
BRACKET = """\
<svg xmlns="http://www.w3.org/2000/svg" width="80mm" height="50mm" viewBox="0 0 80 50">
  <path fill-rule="evenodd" d="M0 0 H60 A20 20 0 0 1 80 20 V50 H10 A10 10 0 0 1 0 40 Z
    M52 20 A8 8 0 1 0 68 20 A8 8 0 1 0 52 20 Z"/>
</svg>
"""

THICKNESS, STATIONS, PITCH = 0.12, 100, -12
"""Of the airfoil: thickness over chord, panels from nose to tail, degrees."""


def channel_dxf() -> str:
    """The channel as one LWPOLYLINE in the smallest drawing that has a version and a unit."""
    header = [(9, "$ACADVER"), (1, "AC1015"), (9, "$INSUNITS"), (70, 4)]
    outline = [(0, "LWPOLYLINE"), (8, "PROFILE"), (100, "AcDbEntity"), (100, "AcDbPolyline")]
    outline += [(90, len(CHANNEL)), (70, 1)]
    for u, v, bulge in CHANNEL:
        outline += [(10, u), (20, v), *([(42, f"{bulge:.17g}")] if bulge else [])]
    sections = [("HEADER", header), ("ENTITIES", outline)]
    tags: list[tuple[int, Any]] = []
    for name, contents in sections:
        tags += [(0, "SECTION"), (2, name), *contents, (0, "ENDSEC")]
    return "".join(f"{code:3}\n{value}\n" for code, value in [*tags, (0, "EOF")])


def naca0012() -> list[tuple[float, float]]:
    """The airfoil NACA 0012 of unit chord, its tail closed, pitched about its nose; tail, upper side, nose, lower side.

    Source: E. N. Jacobs, K. E. Ward, R. M. Pinkerton, NACA Report 460 (1933); the last coefficient closes the tail.
    """
    stations = [(1 - math.cos(math.pi * k / STATIONS)) / 2 for k in range(STATIONS + 1)]
    sides = []
    for x in stations:
        powers = 0.2969 * math.sqrt(x) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4
        sides.append((x, 5 * THICKNESS * powers))
    loop = [*reversed(sides), *((x, -y) for x, y in sides[1:-1])]
    c, s = math.cos(math.radians(PITCH)), math.sin(math.radians(PITCH))
    return [(c * x - s * y, s * x + c * y) for x, y in loop]


def naca0012_csv() -> str:
    """Its points as text, of so many digits that every machine writes the same."""
    return "u,v\n" + "".join(f"{u:.9f},{v:.9f}\n" for u, v in naca0012())


def sections() -> dict[str, str]:
    """The plane sections, by name of file."""
    return {"channel.dxf": channel_dxf(), "bracket.svg": BRACKET, "naca0012.csv": naca0012_csv()}


def write(folder: Path) -> None:
    """Write all samples."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, triangles in (solids() | refused()).items():
        stem = name.removesuffix(".stl")
        contents = ascii_stl(triangles, stem).encode() if name in TEXT else binary_stl(triangles, stem.encode())
        (folder / name).write_bytes(contents)
    (folder / "cube_mm.obj").write_bytes(cube_obj(MILLIMETRES).encode())
    for name, text in sections().items():
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "sample_meshes")
