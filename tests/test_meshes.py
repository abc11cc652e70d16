"""Meshes of every format: the same triangles as were written, and a verdict for whatever is damaged."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, MassPropsError, Unreadable, Unsupported
from massprops.readers import meshes
from massprops.readers.meshes import FORMATS, read_mesh, sniff
from massprops.readers.reading import Reading
from tests import mesh_files as files
from tests.oracle import Triangles, exact, moved, rays, rotation, star, tetrahedron

RADII = np.linspace(0.6, 1.7, rays(2)) ** 2
BODY = moved(star(2, RADII), rotation(5, 1, -2, 3), (0.1, -70.3, 11.7))
SINGLE = BODY.astype(np.float32).astype(np.float64)

WRITERS: dict[str, tuple[str, Callable[[Triangles], bytes], Triangles]] = {
    "obj": ("obj", files.obj, BODY),
    "off": ("off", files.off, BODY),
    "ply": ("ply", files.ply, BODY),
    "binary ply": ("ply", files.binary_ply, BODY),
    "3mf": ("3mf", files.threemf, BODY),
    "amf": ("amf", files.amf, BODY),
    "dae": ("dae", files.dae, BODY),
    "zae": ("zae", files.zae, BODY),
    "3dxml": ("3dxml", files.threedxml, BODY),
    "xaml": ("xaml", files.xaml, BODY),
    "gltf": ("gltf", files.gltf, SINGLE),
    "glb": ("glb", files.glb, SINGLE),
}


def read(data: bytes, format: str, folder: Path | None = None) -> Reading:
    return read_mesh(io.BytesIO(data), format, folder)


def triangles(reading: Reading) -> Triangles:
    found = reading.surface.triangles  # type: ignore[attr-defined]
    assert found.dtype == np.float64
    assert found.shape == (reading.surface.facets, 3, 3)
    return found


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_coordinates_as_written(name: str) -> None:
    format, write, body = WRITERS[name]
    reading = read(write(body), format)
    assert reading.format == format
    assert reading.notices == ()
    assert np.array_equal(triangles(reading), body)


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_measured_exactly(name: str) -> None:
    format, write, body = WRITERS[name]
    moments = measure(read(write(body), format).surface).integrals.moments
    assert abs(moments.volume / exact(body).volume - 1) < 1e-15


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_cut_short_is_never_measured(name: str) -> None:
    format, write, body = WRITERS[name]
    data = write(body)
    cuts = [*range(1, 40), *np.linspace(40, len(data.rstrip()) - 1, 60).astype(int).tolist()]
    for cut in cuts:
        with pytest.raises(MassPropsError):
            measure(read(data[:cut], format).surface)


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "obj"])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_formats_that_count_or_close_know_that_they_are_cut_short(name: str, part: float) -> None:
    format, write, body = WRITERS[name]
    data = write(body)
    with pytest.raises(Unreadable):
        read(data[: int(part * len(data))], format)


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_no_bytes_are_empty(format: str) -> None:
    with pytest.raises(Empty, match="the file is empty"):
        read(b"", format)


@pytest.mark.parametrize("format", sorted(FORMATS - {"xyz"}))
@pytest.mark.parametrize("data", [b"not at all a mesh", b"\x89PNG\r\n\x1a\n" + bytes(300), bytes(range(256)) * 4])
def test_what_is_no_mesh_is_unreadable(format: str, data: bytes) -> None:
    with pytest.raises(Unreadable) as told:
        read(data, format)
    assert "\n" not in told.value.message


@pytest.mark.parametrize("format", ["obj", "off", "ply", "gltf", "dae", "amf"])
def test_blanks_alone_are_empty(format: str) -> None:
    with pytest.raises(Empty):
        read(b" \n\n", format)


def test_points_have_no_mass() -> None:
    with pytest.raises(Empty, match="points only"):
        read(b"0 0 0\n1 0 0\n", "xyz")


def test_another_format_is_unsupported() -> None:
    with pytest.raises(Unsupported, match="step' is not read"):
        read(b"ISO-10303-21;", "step")


@pytest.mark.parametrize("name", [name for name in WRITERS if "glb" not in name and "gltf" not in name])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_coordinates_that_are_no_numbers_come_through(name: str, value: float) -> None:
    format, write, body = WRITERS[name]
    body = body.copy()
    body[7, 1, 2] = value
    assert np.array_equal(triangles(read(write(body), format)), body, equal_nan=True)


def test_a_reader_that_breaks_is_told_as_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (KeyError("x"), TypeError("y"), OverflowError("z"), RecursionError("r"), MemoryError()):

        def broken(data: bytes, error: Exception = error) -> Reading:
            raise error

        monkeypatch.setitem(meshes.READERS, "obj", broken)
        with pytest.raises(Unreadable, match="obj: not understood"):
            read(b"v", "obj")


def test_own_readers_do_without_trimesh() -> None:
    heavy = "{'trimesh', 'scipy', 'lxml', 'collada', 'networkx'}"
    code = f"import sys; from massprops.readers.meshes import *; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["obj", "off", "ply", "binary ply", "glb", "gltf", "3mf"])
def test_trimesh_reads_the_same_from_sound_files(name: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    format, write, body = WRITERS[name]
    loaded = trimesh.load_scene(io.BytesIO(write(body)), file_type=format, process=False).to_mesh()
    assert np.allclose(np.sort(loaded.triangles, axis=0), np.sort(body, axis=0), rtol=1e-12, atol=0)


# By the first bytes


@pytest.mark.parametrize("name", WRITERS)
def test_formats_are_told_by_their_first_bytes(name: str) -> None:
    format, write, body = WRITERS[name]
    assert sniff(write(body)[:1024]) == format
    assert format != "obj" or sniff(write(tetrahedron())) == "obj"


@pytest.mark.parametrize(
    ("head", "format"),
    [
        (b"# made by hand\r\nmtllib a.mtl\r\no part\r\nv 0 0 0\r\n", "obj"),
        ("v 0 1 2\nv 1 2 3\n".encode("utf-16"), "obj"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <amf> -->\n<COLLADA>", "dae"),
        ('<?xml version="1.0"?><COLLADA x="">'.encode("utf-16"), "dae"),
        (b"# a comment\n  COFF\n", "off"),
        (b'{ "accessors" : [', "gltf"),
        (b"ply\r\nformat", "ply"),
        (files.archive({"part.amf": "<amf/>"}), "amf"),
        (files.archive({"part.dae": "<COLLADA/>"}), "zae"),
        (files.archive({"a.txt": ""}), None),
        (b"PK\x03\x04", None),
        (b"solid part\n facet normal 0 0 0\n", None),
        (b"plywood", None),
        (b'{"name": "no mesh"}', None),
        (b"<html>", None),
        (b"hello, this is no mesh\n" * 20, None),
        (b"0 0 0\n1 1 1\n", None),
        (bytes(200), None),
        (b"", None),
        (b"# nothing but a comment\n", None),
    ],
)
def test_first_bytes(head: bytes, format: str | None) -> None:
    assert sniff(head) == format
