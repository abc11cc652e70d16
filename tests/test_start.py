"""What a run imports: start-up counts, and heavy packages are for those who need them."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PLOTTING = {"matplotlib", "vedo", "vtk", "pyvista", "plotly", "PIL"}
HEAVY = {"trimesh", "scipy", "networkx", "lxml", "collada", "mapbox_earcut", "ezdxf", "pandas", "jsonschema"} | PLOTTING

_PROBE = """
import sys
from massprops.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    code = end.code
sys.stdout.flush()
sys.stderr.write("\\nMODULES " + " ".join(sorted({name.partition(".")[0] for name in sys.modules})))
sys.exit(code)
"""


def modules(*arguments: str, code: int = 0, text: str | None = None) -> set[str]:
    """Top-level packages in memory after a run of the command line."""
    found = subprocess.run(
        [sys.executable, "-c", _PROBE, *arguments], capture_output=True, text=True, timeout=60, input=text
    )
    assert found.returncode == code, found.stderr
    return set(found.stderr.rpartition("MODULES ")[2].split())


@pytest.fixture
def tetrahedron() -> np.ndarray:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
    return corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


@pytest.fixture
def binary(tmp_path: Path, tetrahedron: np.ndarray) -> str:
    rows = np.zeros(4, np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = tetrahedron
    (tmp_path / "binary.stl").write_bytes(bytes(80) + struct.pack("<I", 4) + rows.tobytes())
    return str(tmp_path / "binary.stl")


@pytest.fixture
def ascii(tmp_path: Path, tetrahedron: np.ndarray) -> str:
    lines = ["solid a"]
    for facet in tetrahedron.tolist():
        corners = [f"vertex {x} {y} {z}" for x, y, z in facet]
        lines += ["facet normal 0 0 0", "outer loop", *corners, "endloop", "endfacet"]
    (tmp_path / "ascii.stl").write_text("\n".join([*lines, "endsolid a"]))
    return str(tmp_path / "ascii.stl")


@pytest.mark.parametrize("kind", ["binary", "ascii"])
@pytest.mark.parametrize("flags", [
    ["--mass_properties"], [], ["--mass_properties", "--json", "--units", "mm", "--about", "0", "0", "0"],
    ["--mass_properties", "--rotate_axis", "0", "0", "1", "--rotate_angle", "1", "--mirror_normal", "1", "0", "0"],
])  # fmt: skip
def test_an_stl_run_imports_nothing_heavy(request: pytest.FixtureRequest, kind: str, flags: list[str]) -> None:
    loaded = modules(request.getfixturevalue(kind), *flags)
    assert "numpy" in loaded
    assert not loaded & (HEAVY | {"rich"})


def test_a_sound_part_imports_no_module_of_others(binary: str) -> None:
    """Each of these takes some milliseconds: numpy.ma as long as all that a small part is measured in."""
    code = f"""
import sys
from massprops.cli import main
try:
    main([{binary!r}, "--mass_properties"])
except SystemExit:
    sys.stderr.write(" ".join(sys.modules))
"""
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr.split())
    repairs = {"boundary", "counted", "diagnosis", "hairline", "repair", "statistics"}
    others = {"numpy.ma", "massprops.readers.stl_ascii", "massprops.section_chain"}
    assert "massprops.core.winding" in loaded
    assert not loaded & (others | {f"massprops.core.{name}" for name in repairs})


def test_nor_does_standard_input(ascii: str) -> None:
    assert not modules("-", "--mass_properties", text=Path(ascii).read_text()) & (HEAVY | {"rich"})


def test_nor_do_several_inputs(binary: str, ascii: str) -> None:
    assert not modules(binary, ascii, "--mass_properties") & (HEAVY | {"rich"})


def test_an_open_surface_costs_no_mesh_package(binary: str, tmp_path: Path) -> None:
    data = Path(binary).read_bytes()
    (tmp_path / "open.stl").write_bytes(data[:80] + struct.pack("<I", 3) + data[84:-50])
    assert not modules(str(tmp_path / "open.stl"), "--mass_properties", code=1) & (HEAVY - {"scipy"})


@pytest.mark.parametrize(
    "arguments", [["--nonsense"], ["a.stl", "--density", "x"], ["-i"], [], ["a.stl", "--about", "1"]]
)
def test_a_usage_error_does_not_wait_for_numpy(arguments: list[str]) -> None:
    assert not modules(*arguments, code=2) & (HEAVY | {"rich", "numpy"})


def test_help_and_version_do_not_wait_for_numpy() -> None:
    assert not modules("--help") & (HEAVY | {"numpy"})
    assert not modules("--version") & (HEAVY | {"numpy", "rich"})


def test_importing_the_package_imports_nothing() -> None:
    code = "import sys, massprops; print(*{'numpy', 'typer', 'trimesh', 'scipy'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stdout) == (0, "\n")
