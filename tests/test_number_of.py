"""One of a thing is told as one."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from massprops.batch import measured
from massprops.number_of import number_of
from massprops.plan import Plan

FACET = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)


def test_one_and_many() -> None:
    assert [number_of(n, "facet") for n in (0, 1, 2)] == ["0 facets", "1 facet", "2 facets"]
    assert [number_of(n, "vertex", "vertices") for n in (1, 2)] == ["1 vertex", "2 vertices"]


@pytest.mark.parametrize(("name", "data"), [
    ("a.stl", b"\x00"),
    ("a.stl", bytes(80) + struct.pack("<I", 1) + FACET[:1]),
    ("a.stl", bytes(80) + struct.pack("<I", 1) + FACET + b"x"),
    ("a.stl", bytes(80) + struct.pack("<I", 2) + FACET),
    ("a.stl", bytes(80) + struct.pack("<I", 1) + FACET * 2),
    ("a.stl", bytes(80) + struct.pack(">I", 1) + FACET),
    ("a.obj", b"v 0 0 0\n"),
    ("a.obj", b"v 0 0 0\nf 1 1\n"),
    ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\nf 1 2 3\n"),
    ("a.off", b"OFF\n1 1 0\n0 0 0\n"),
    ("a.off", b"OFF\n1 1 0\n0 0 0\n1 0\n"),
    ("a.off", b"OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
    ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3\n"),
    ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
              b"end_header\n0 0 0\n"),
    ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
              b"end_header\n0 0\n"),
    ("a.glb", b"x"),
])  # fmt: skip
def test_files_with_one_of_a_thing(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    found = measured(str(path), Plan((str(path),), mass_properties=True))
    told = " ".join([found.message or "", *(notice.message for notice in found.warnings)])
    assert re.search(r"\b1 [a-z]", told)
    assert not re.search(r"\b1 (vertices|facets|faces|bytes|lines|rows|numbers|corners|were|are)\b", told)
