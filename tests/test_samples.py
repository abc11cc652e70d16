"""The samples of sample_meshes/: written by the script, measured as the oracle and as formulas say, or refused."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops import MassPropsError, mass_properties
from tests.make_samples import HOLLOW, MILLIMETRES, ROOT, TEXT, TORUS, WALL, naca0012, refused, sections, solids, write
from tests.oracle import Triangles, errors, exact, massprops, relative_error, tensor_error

FOLDER = ROOT / "sample_meshes"
SOLIDS, REFUSED = solids(), refused()
ROUND_OFF = 1e-15  # of the largest entry of a tensor, or relative
STEEL = 7850


def stored(name: str, triangles: Triangles) -> Triangles:
    return triangles if name in TEXT else triangles.astype(np.float32).astype(np.float64)


def sample(name: str) -> Path:
    return FOLDER / name


def test_the_script_writes_what_is_there(tmp_path: Path) -> None:
    write(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted([*SOLIDS, *REFUSED, *sections(), "cube_mm.obj"])
    for name in names:
        assert (tmp_path / name).read_bytes() == sample(name).read_bytes(), name


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000


@pytest.mark.parametrize("name", SOLIDS)
def test_they_are_measured_as_the_oracle_does(name: str) -> None:
    body = exact(stored(name, SOLIDS[name]))
    found = mass_properties(sample(name), density=STEEL)
    assert max(errors(found, body, STEEL)) <= ROUND_OFF
    run = massprops("-i", sample(name), "--mass_properties", "--density", STEEL, "--json")
    assert run.code == 0
    assert max(errors(run.results[0], body, STEEL)) <= ROUND_OFF


@pytest.mark.parametrize(
    ("name", "status", "edges"),
    [("open_box.stl", "open", 4), ("inside_out.stl", "inside_out", None), ("flipped_facet.stl", "inconsistent", 3)],
)
def test_these_are_refused(name: str, status: str, edges: int | None) -> None:
    with pytest.raises(MassPropsError) as refusal:
        mass_properties(sample(name))
    assert refusal.value.status == status
    run = massprops("-i", sample(name), "--mass_properties")
    assert run.code == 1
    assert run.out.startswith(f"mass properties: not measured: {status}: ")
    assert edges is None or f" {edges} " in run.out


# What they are, as formulas


def test_the_cube_and_the_block() -> None:
    cube, block = mass_properties(sample("cube.stl")), mass_properties(sample("block.stl"), STEEL, (0, 0, 0))
    assert cube.mass == 1
    assert tensor_error(cube.inertia, np.eye(3) / 6) <= ROUND_OFF
    assert relative_error(block.mass, 47.1) <= ROUND_OFF
    assert tensor_error(block.center, [0.05, 0.1, 0.15]) <= ROUND_OFF
    assert tensor_error(block.inertia, np.diag([0.51025, 0.3925, 0.19625])) <= ROUND_OFF
    assert block.inertia_about is not None
    assert tensor_error(np.diag(block.inertia_about), [2.041, 1.57, 0.785]) <= ROUND_OFF


def test_the_bracket() -> None:
    """Two legs, of 0.08 x 0.01 and 0.01 x 0.05, 0.04 wide."""
    found = mass_properties(sample("l_bracket.stl"))
    lying, standing = 0.08 * 0.01 * 0.04, 0.01 * 0.05 * 0.04
    center = [
        (lying * 0.04 + standing * 0.005) / (lying + standing),
        (lying * 0.005 + standing * 0.035) / (lying + standing),
        0.02,
    ]
    product = lying * standing / (lying + standing) * (0.04 - 0.005) * (0.005 - 0.035)
    assert relative_error(found.mass, lying + standing) <= ROUND_OFF
    assert np.allclose(found.center, center, rtol=1e-14)
    assert math.isclose(found.inertia[0, 1], -product, rel_tol=1e-14)


def test_the_hollow_box() -> None:
    def cuboid(a: float, b: float, c: float) -> np.ndarray:
        return a * b * c / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])

    outer, inner = HOLLOW, [side - 2 * WALL for side in HOLLOW]
    found = mass_properties(sample("hollow_box.stl"))
    assert found.mass == math.prod(outer) - math.prod(inner)
    assert found.center.tolist() == [side / 2 for side in HOLLOW]
    assert tensor_error(found.inertia, cuboid(*outer) - cuboid(*inner)) <= ROUND_OFF


def test_the_handle_is_one_surface_and_that_of_the_spinning_examples() -> None:
    found = mass_properties(sample("t_handle.stl"), STEEL)
    face, outline = 0.1 * 0.02 + 0.04 * 0.02, 2 * (0.1 + 0.06)
    assert relative_error(found.mass, STEEL * face * 0.02) <= ROUND_OFF
    assert found.area == pytest.approx(2 * face + 0.02 * outline, rel=ROUND_OFF)
    moments = [Fraction(6437, 52500000), Fraction(10519, 37500000), Fraction(157, 420000)]
    assert np.allclose(found.principal_moments, [float(x) for x in moments], rtol=ROUND_OFF, atol=0)
    assert np.abs(found.center - [0, 1 / 700, 0]).max() <= 1e-17
    assert np.abs(found.principal_axes - np.eye(3)).max() <= 1e-15


def test_the_torus() -> None:
    """Planar quadrangles: a section of area A and second moment J, swept along n chords."""
    major, minor, n, m = TORUS
    around, tube = 2 * math.pi / n, 2 * math.pi / m
    section = m / 2 * math.sin(tube) * minor**2
    second = m * math.sin(tube) * (2 + math.cos(tube)) / 12 * minor**4  # about both axes together
    swept = n * math.sin(around)
    found = mass_properties(sample("torus.stl"))
    assert found.volume == pytest.approx(swept * major * section, rel=1e-7)  # the file is float32
    polar = swept * (2 + math.cos(around)) / 3 * (major**3 * section + 3 / 2 * major * second)
    assert found.inertia[2, 2] == pytest.approx(polar, rel=1e-7)


def test_the_blob_has_no_symmetry() -> None:
    found = mass_properties(sample("blob.stl"))
    products = np.abs(found.inertia[[0, 0, 1], [1, 2, 2]])
    assert (products > 1e-3 * found.principal_moments[0]).all()
    assert (np.diff(found.principal_moments) > 0.1 * found.principal_moments[0]).all()
    assert (np.abs(found.center) > 0.01).all()


def test_the_cube_in_millimetres() -> None:
    run = massprops("-i", sample("cube_mm.obj"), "--units", "mm", "--mass_properties", "--density", STEEL, "--json")
    assert (run.code, run.err) == (0, "")
    side, (result,) = Fraction(MILLIMETRES, 1000), run.results
    assert result["units"] == "mm"
    assert relative_error(result["mass"], STEEL * side**3) <= ROUND_OFF
    assert tensor_error(result["inertia"], STEEL * side**5 / 6 * np.eye(3, dtype=int)) <= ROUND_OFF


# Sections: sums of rectangles and quarter discs, from tables


class Parts:
    """Area, first and second moments (int u^2, int v^2, int uv) about the origin, added up part by part."""

    def __init__(self) -> None:
        self.sums = np.zeros(6)

    def add(self, sign: int, area: float, u: float, v: float, uu: float, vv: float, uv: float = 0.0) -> None:
        """A part from its centroid and its second moments about it."""
        moments = [1, u, v, u * u, v * v, u * v]
        self.sums += sign * (area * np.array(moments) + [0, 0, 0, uu, vv, uv])

    def rectangle(self, sign: int, u: float, v: float, du: float, dv: float) -> None:
        self.add(sign, du * dv, u + du / 2, v + dv / 2, dv * du**3 / 12, du * dv**3 / 12)

    def spandrel(self, sign: int, u: float, v: float, side: float, right: int, up: int) -> None:
        """What a corner at (u, v) loses when it is rounded: a square less a quarter disc about its far corner."""
        square, quarter = Parts(), Parts()
        square.rectangle(1, 0, 0, side, side)
        reach = 4 * side / (3 * math.pi)
        area, around = math.pi * side**2 / 4, math.pi * side**4 / 16
        quarter.add(1, area, side - reach, side - reach, around - area * reach**2, around - area * reach**2,
                    side**4 / 8 - area * reach**2)  # fmt: skip
        area, mu, mv, uu, vv, uv = square.sums - quarter.sums
        cu, cv = mu / area, mv / area
        central = (uu - area * cu**2, vv - area * cv**2, right * up * (uv - area * cu * cv))
        self.add(sign, area, u + right * cu, v + up * cv, *central)

    def check(self, found: Any) -> None:
        area, u, v, uu, vv, uv = self.sums
        second = [uu - u * u / area, vv - v * v / area, uv - u * v / area]
        assert relative_error(found["area"] * 1e6, area) <= 1e-14
        assert [1e3 * c for c in found["center"]] == pytest.approx([u / area, v / area], rel=1e-13)
        assert [1e12 * c for c in found["second_moments"]] == pytest.approx(second, rel=1e-12, abs=1e-12 * max(second))


def section(name: str, *flags: Any) -> dict[str, Any]:
    run = massprops("-i", sample(name), "--mass_properties", "--json", *flags)
    assert run.code == 0
    found: dict[str, Any] = run.results[0]
    return found


def test_the_channel() -> None:
    pytest.importorskip("ezdxf")
    found = section("channel.dxf", "--units", "file")
    assert (found["units"], found["warnings"]) == ("mm", [])
    parts = Parts()
    parts.rectangle(1, 0, 0, 6, 80)
    for wide, low, corner, up in ((45, 0, 8, 1), (30, 72, 72, -1)):
        parts.rectangle(1, 6, low, wide - 6, 8)
        parts.spandrel(1, 6, corner, 8, 1, up)
        parts.spandrel(-1, wide, corner, 4, -1, -up)
    parts.check(found)
    assert 1e3 * found["perimeter"] == pytest.approx(80 + 45 + 30 + 2 * 4 + 27 + 12 + 48 + math.pi * 12, rel=1e-14)


def test_the_plate() -> None:
    found = section("bracket.svg", "--units", "file")
    assert (found["units"], [warning["code"] for warning in found["warnings"]]) == ("mm", ["y_up"])
    parts = Parts()
    parts.rectangle(1, 0, -50, 80, 50)
    parts.spandrel(-1, 80, 0, 20, -1, -1)
    parts.spandrel(-1, 0, -50, 10, 1, 1)
    parts.add(-1, 64 * math.pi, 60, -20, math.pi * 8**4 / 4, math.pi * 8**4 / 4)
    parts.check(found)
    assert 1e3 * found["perimeter"] == pytest.approx(60 + 30 + 70 + 40 + math.pi * (10 + 5 + 16), rel=1e-14)


def test_the_airfoil() -> None:
    """The integral of its thickness, and its centroid along the chord, to what 200 chords leave."""
    powers = {0.5: 0.2969, 1: -0.1260, 2: -0.3516, 3: 0.2843, 4: -0.1036}
    area = 1.2 * sum(c / (n + 1) for n, c in powers.items())
    along = 1.2 * sum(c / (n + 2) for n, c in powers.items()) / area
    found = section("naca0012.csv")
    assert len(naca0012()) == 200
    assert found["area"] == pytest.approx(area, rel=1e-3)
    assert round(found["area"], 4) == 0.0817
    center = np.array(found["center"])
    assert np.hypot(*center) == pytest.approx(along, rel=1e-3)
    assert round(float(np.hypot(*center)), 2) == 0.42
    assert math.degrees(math.atan2(center[1], center[0])) == pytest.approx(-12, abs=1e-6)
    assert math.degrees(found["principal_angle"]) == pytest.approx(-12, abs=1e-6)
