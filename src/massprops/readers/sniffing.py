"""What format of meshes a file is in, by its first bytes."""

from __future__ import annotations

import re
import struct

LEAST_HEAD = 1024
"""Bytes that are enough to tell."""

ROOTS = {"COLLADA": "dae", "amf": "amf", "AMF": "amf", "Viewport3D": "xaml", "ModelVisual3D": "xaml"}
ARCHIVES = {"manifest.xml": "zae", "Manifest.xml": "3dxml"}
GLTF_KEYS = re.compile(rb'"(asset|accessors|bufferViews|buffers|meshes|nodes|scenes?|extensionsUsed|materials)"\s*:')
OFF = re.compile(rb"\s*(?:#[^\n]*\n\s*)*(?:ST)?C?N?4?n?OFF")
OBJ = re.compile(
    r"(?:v|vn|vt|vp)(?:[ \t]+[-+.\dnaife]+){2,}.*|[flp](?:[ \t]+[-+\d/]+)+.*|(?:[ogs]|mg|usemtl|mtllib)(?:[ \t].*)?"
)


def sniff(head: bytes) -> str | None:
    """The format of meshes that a file is in.

    Parameters
    ----------
    head : bytes
        Its first kilobyte, or all of it.

    Returns
    -------
    str or None
        One of the suffixes that are read; None for STL and for what is not known.

    >>> sniff(b"ply\\nformat ascii 1.0\\n"), sniff(b"solid part\\n")
    ('ply', None)
    """
    if head[:4] == b"glTF":
        return "glb"
    if re.match(rb"ply[ \t]*[\r\n]", head):
        return "ply"
    if head[:4] == b"PK\x03\x04":
        return _in_archive(head)
    if OFF.match(head):
        return "off"
    text = _text(head)
    if text.startswith("<"):
        return _xml(text)
    if text.startswith("{") and GLTF_KEYS.search(head):
        return "gltf"
    return "obj" if _is_obj(text) else None


def _text(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head[: len(head) // 2 * 2].decode("utf-16", "replace").lstrip()
    return head.removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()


def _in_archive(head: bytes) -> str | None:
    """By the name of the archive's first file."""
    (length,) = struct.unpack_from("<H", head.ljust(30), 26)
    name = head[30 : 30 + length].decode("latin-1")
    if name in ARCHIVES:
        return ARCHIVES[name]
    if name.lower().startswith(("[content_types]", "_rels/", "3d/", "metadata/")):
        return "3mf"
    endings = {".amf": "amf", ".dae": "zae", ".3dxml": "3dxml", ".3drep": "3dxml"}
    return next((kind for ending, kind in endings.items() if name.lower().endswith(ending)), None)


def _xml(text: str) -> str | None:
    """By the name of the root element."""
    root = re.search(r"<(?:\w+:)?(\w+)[\s>/]", re.sub(r"<!--.*?(-->|$)|<\?.*?(\?>|$)", "", text, flags=re.S))
    return ROOTS.get(root[1]) if root else None


def _is_obj(text: str) -> bool:
    """Whether all lines that are whole and no comments have the form of OBJ lines, and there is one."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", text)[: -1 if len(text) >= LEAST_HEAD // 2 else None]]
    lines = [line for line in lines if line and not line.startswith("#")]
    return bool(lines) and all(OBJ.fullmatch(line) for line in lines)
