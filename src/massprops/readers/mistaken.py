"""What a file may be that could not be read as what its name says."""

from __future__ import annotations

from massprops.readers.sniffing import sniff

TOPOJSON = "TopoJSON is not read; convert it to GeoJSON, with topo2geo or ogr2ogr"
GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
ARCHIVES = ("3mf", "amf", "zae", "3dxml")
"""Formats of meshes whose files are, or may be, zip archives."""


def compressed(head: bytes) -> str | None:
    """What to say of a compressed file.

    >>> compressed(b"\\x1f\\x8b\\x08"), compressed(b"solid part")
    ('it is compressed with gzip; unpack it first', None)
    """
    if head.startswith(GZIP):
        return "it is compressed with gzip; unpack it first"
    return "it is a zip archive; unpack it first" if head.startswith(ZIP) else None


def advice(head: bytes, format: str) -> str | None:
    """What to add to the verdict on a file that could not be read.

    Parameters
    ----------
    head : bytes
        Its first kilobyte, or all of it.
    format : str
        What it was taken for, by its name, or else by its contents.

    >>> advice(b"ply\\nformat ascii 1.0\\n", "stl")
    'by its contents it is ply: try --format ply'
    """
    found = "stl" if head.lstrip()[:5].lower() == b"solid" and b"facet" in head.lower() else sniff(head)
    if found and found != format and {found, format} != {"glb", "gltf"}:
        return f"by its contents it is {found}: try --format {found}"
    return compressed(head) if format not in ARCHIVES else None
