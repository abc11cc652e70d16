"""Every format of meshes but STL.

Each is read in a file of its own, which says why it is not left to trimesh.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.amf import read_amf
from massprops.readers.collada import read_dae, read_zae
from massprops.readers.gltf import read_gltf
from massprops.readers.obj import read_obj
from massprops.readers.off import read_off
from massprops.readers.ply import read_ply
from massprops.readers.reading import Reading
from massprops.readers.sniffing import sniff
from massprops.readers.threedxml import read_3dxml
from massprops.readers.threemf import read_3mf
from massprops.readers.xaml import read_xaml

__all__ = ["FORMATS", "read_mesh", "sniff"]


def read_mesh(stream: BinaryIO, format: str, folder: Path | None) -> Reading:
    """The facets of a file, all its meshes as one surface.

    Coordinates are exactly those of the file; no vertex is merged and no facet left out. Where a scene places its
    meshes, each place is one more copy, moved in float64.

    Parameters
    ----------
    stream : file
        Read from its place to its end.
    format : str
        One of `FORMATS`.
    folder : Path or None
        Where the buffers of a glTF document may be looked up; None where no other file may be opened.

    Raises
    ------
    Empty
        No facets.
    Unreadable
        It is damaged, or not what its name says.
    Unsupported
        Another format, or a part of one that is not read.

    >>> from io import BytesIO
    >>> read_mesh(BytesIO(b"OFF 3 1 0 \\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n"), "off", None).surface.facets
    1
    """
    if format not in FORMATS:
        raise Unsupported(f"the format '.{format}' is not read")
    data = stream.read()
    if not data:
        raise Empty("the file is empty")
    try:
        return read_gltf(data, folder) if format in GLTF else READERS[format](data)
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        # a file made to break its reader still gets a verdict
        raise Unreadable(f"{format}: not understood ({type(error).__name__}: {error})") from error


def _points_only(data: bytes) -> Reading:
    raise Empty("no facets: an .xyz file holds points only, and a cloud of points has no mass")


READERS: dict[str, Callable[[bytes], Reading]] = {
    "obj": read_obj,
    "off": read_off,
    "ply": read_ply,
    "3mf": read_3mf,
    "amf": read_amf,
    "dae": read_dae,
    "zae": read_zae,
    "3dxml": read_3dxml,
    "xaml": read_xaml,
    "xyz": _points_only,
}

GLTF = {"gltf", "glb"}
FORMATS = frozenset(READERS) | GLTF
"""Suffixes of the formats that are read, in lower case."""
