"""What the peers of the benchmark are asked to do, each run as a whole process: `python peers.py PEER FILE...`.

Without arguments the peers that this Python has are listed with their versions. A peer prints `mass` and the volume, so
that its answer can be compared; the docstring of its function says in the benchmark's legend what it was asked.

Imports are late where a peer would start later for them, by some hundredths of a second. Nothing large is imported for
the one that measures: a child which has not yet become another program is counted as large as its parent.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


def libigl(*paths: str) -> float:
    """read_triangle_mesh and centroid: volume and centre as plain sums; no tensor, no check of closedness"""
    import igl

    return sum(float(igl.centroid(*igl.read_triangle_mesh(path))[1]) for path in paths)


def libigl_checked(*paths: str) -> float:
    """the same after remove_duplicate_vertices, without which a check means nothing, and exterior_edges, of which a
    closed surface has none"""
    import igl

    total = 0.0
    for path in paths:
        vertices, _, _, facets = igl.remove_duplicate_vertices(*igl.read_triangle_mesh(path), 0.0)
        if len(igl.exterior_edges(facets)):
            raise ValueError(f"{path} is taken to be open")
        total += float(igl.centroid(vertices, facets)[1])
    return total


def vtk(*paths: str) -> float:
    """vtkSTLReader, which merges points, and vtkMassProperties: volume and area; no centre, no tensor, no check"""
    return sum(_vtk(path, True) for path in paths)


def vtk_unmerged(*paths: str) -> float:
    """the same with MergingOff: the corners of facets stay apart, so nothing could be said about closedness"""
    return sum(_vtk(path, False) for path in paths)


def _vtk(path: str, merging: bool) -> float:
    from vtkmodules.vtkFiltersCore import vtkMassProperties
    from vtkmodules.vtkIOGeometry import vtkSTLReader

    reader, properties = vtkSTLReader(), vtkMassProperties()
    reader.SetFileName(path)
    reader.SetMerging(merging)
    properties.SetInputConnection(reader.GetOutputPort())
    properties.Update()
    return float(properties.GetVolume())


def trimesh(*paths: str) -> float:
    """load_mesh, is_watertight, is_winding_consistent, mass_properties, principal_inertia_components"""
    import trimesh

    total = 0.0
    for path in paths:
        mesh = trimesh.load_mesh(path)
        if not (mesh.is_watertight and mesh.is_winding_consistent):
            raise ValueError(f"{path} is taken to be open")
        total += float(mesh.mass_properties.mass)
        _ = mesh.principal_inertia_components
    return total


def trimesh_repair(*paths: str) -> float:
    """load_mesh, repair.fix_winding, repair.fill_holes, then the mass properties as above"""
    import trimesh

    total = 0.0
    for path in paths:
        mesh = trimesh.load_mesh(path)
        trimesh.repair.fix_winding(mesh)
        trimesh.repair.fill_holes(mesh)
        if not (mesh.is_watertight and mesh.is_winding_consistent):
            raise ValueError(f"{path} is still open")
        total += float(mesh.mass_properties.mass)
        _ = mesh.principal_inertia_components
    return total


def meshlab(*paths: str) -> float:
    """load_new_mesh and get_geometric_measures, by pymeshlab: volume, centre, tensor, closedness"""
    import pymeshlab

    meshes, total = pymeshlab.MeshSet(), 0.0
    for path in paths:
        meshes.load_new_mesh(path)
        total += float(meshes.get_geometric_measures()["mesh_volume"])
    return total


def numpy_stl(*paths: str) -> float:
    """Mesh.from_file without normals and get_mass_properties, which checks that the surface is closed"""
    from stl.mesh import Mesh

    return sum(float(Mesh.from_file(path, calculate_normals=False).get_mass_properties()[0]) for path in paths)


PEERS: dict[str, tuple[str, Callable[..., float]]] = {
    "libigl": ("libigl", libigl),
    "libigl, checked": ("libigl", libigl_checked),
    "VTK": ("vtk", vtk),
    "VTK, unmerged": ("vtk", vtk_unmerged),
    "trimesh": ("trimesh", trimesh),
    "trimesh repair": ("trimesh", trimesh_repair),
    "MeshLab": ("pymeshlab", meshlab),
    "numpy-stl": ("numpy-stl", numpy_stl),
}
"""By name: the package that brings the peer, and what is asked of it."""

START, UNCHECKED, ADMESH = "Python starting, with NumPy and Typer", "massprops --check_lines 0", "ADMesh"

LEGEND = {
    "massprops": "--mass_properties: closedness, volume, centre, tensor, principal axes, error bounds, cross-check",
    UNCHECKED: "the same without the cross-check along lines",
    START: "what any program of this kind needs to start",
    **{name: " ".join((asked.__doc__ or "").split()) for name, (_, asked) in PEERS.items()},
    ADMESH: "--exact --normal-values: edges matched, volume; no centre, no tensor",
}
"""What each program is asked to do."""


class Programs(NamedTuple):
    """How to run massprops and its peers: the one in the Python that runs this, the others in a Python of theirs.

    ``versions`` has the peers that are there.
    """

    peers_python: str
    versions: Mapping[str, str]

    def massprops(self, paths: Sequence[str], options: Sequence[str] = ()) -> list[str]:
        script = Path(sys.executable).with_name("massprops")
        command = [str(script)] if script.exists() else [sys.executable, "-m", "massprops"]
        return [*command, "--mass_properties", *options, "-i", *paths]

    def peer(self, name: str, paths: Sequence[str]) -> list[str]:
        if name == UNCHECKED:
            return self.massprops(paths, ("--check_lines", "0"))
        if name == START:
            return [sys.executable, "-c", "import numpy, typer"]
        if name == ADMESH:
            return ["admesh", "--exact", "--normal-values", *paths]
        return [self.peers_python, __file__, name, *paths]


def programs(peers_python: str) -> Programs:
    """The programs that are installed."""
    import shutil
    import subprocess

    versions = {UNCHECKED: "", START: ""}
    listed = subprocess.run([peers_python, __file__], check=True, capture_output=True, text=True).stdout
    versions |= dict(line.split("\t") for line in listed.splitlines())
    if shutil.which("admesh"):
        told = subprocess.run(["admesh", "--version"], capture_output=True, text=True).stdout
        versions[ADMESH] = told.split()[-1]
    return Programs(peers_python, versions)


class Cost(NamedTuple):
    """What a program takes: seconds, the shortest of its runs; peak memory in 10^6 bytes, the largest."""

    seconds: float
    megabytes: float


class Run(NamedTuple):
    """One whole process: what it took, the volume that it printed if it did, the last line of its complaints."""

    cost: Cost
    answer: float | None
    failure: str = ""


def run(command: Sequence[str]) -> Run:
    """Run a process to its end, with the compiled modules of Python that an installed program has."""
    import subprocess
    import tempfile

    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        complaints = err.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(complaints) if line.strip()), "")
        failure = f"exit {process.returncode}: {last}" if process.returncode else ""
        unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
        return Run(Cost(seconds, usage.ru_maxrss * unit / 1e6), answer(out.read().decode(errors="replace")), failure)


def answer(printed: str) -> float | None:
    """Sum of the masses or volumes in a report; None if there are none."""
    found = re.findall(r"\b(?:mass|Volume *:) +([-+0-9.eE]+)$", printed, re.MULTILINE)
    return sum(map(float, found)) if found else None


def installed() -> dict[str, str]:
    """Version of the package of each peer that this Python has."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name, (package, _) in PEERS.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            continue
    return found


def main(*arguments: str) -> None:
    if not arguments:
        for name, found in installed().items():
            print(name, found, sep="\t")
        return
    name, *paths = arguments
    print("mass", repr(PEERS[name][1](*paths)))


if __name__ == "__main__":
    main(*sys.argv[1:])
