"""3DXML: the tessellated parts of a Dassault Systèmes package, as its product structure places them.

Read here and not by trimesh, which repeats the first faces of a part that has several, and takes every level of detail
for one more part.

Source: Dassault Systèmes, 3D XML User's Guide, version 4. The file names no unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.surface import TriangleArray
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.decimals import Ints, integers, numbers
from massprops.readers.packages import Archive, content, opened
from massprops.readers.polygons import check_corners, fans, strips
from massprops.readers.reading import Reading
from massprops.readers.safe_xml import xml_tree
from massprops.readers.scene import IDENTITY, Floats, Mesh, Part, Placement, assemble


def read_3dxml(data: bytes) -> Reading:
    """The facets of a 3DXML package.

    Raises
    ------
    Empty
        No facets.
    Unreadable
        It is damaged, or refers to something that is not there.
    Unsupported
        A part that is not tessellated.
    """
    archive = opened(data)
    manifest = _document(archive, "Manifest.xml")
    root = _document(archive, (manifest.findtext("Root") or "").strip())
    structure = root.find("ProductStructure")
    if structure is None:
        raise Unreadable("not a 3DXML package: it has no product structure")
    parts = _parts(archive, structure)
    triangles = assemble(parts, [(structure.get("root"), IDENTITY)])
    if len(triangles) == 0:
        raise Empty("no facets: the product structure has none")
    return Reading(TriangleArray(triangles), "3dxml")


def _document(archive: Archive, name: str) -> Element:
    found = content(archive, name)
    if found is None:
        raise Unreadable(f"not a 3DXML package: it has no {name!r}")
    return xml_tree(found, name)


def _parts(archive: Archive, structure: Element) -> dict[str | None, Part]:
    """The parts of a product by their ids."""
    children: dict[str | None, list[Placement]] = {item.get("id"): [] for item in structure.iter("Reference3D")}
    for tag in ("Instance3D", "InstanceRep"):
        for item in structure.iter(tag):
            owner = (item.findtext("IsAggregatedBy") or "").strip()
            if owner not in children:
                raise Unreadable(f"3DXML: {tag} {item.get('id')} belongs to {owner!r}, which is not there")
            children[owner].append(((item.findtext("IsInstanceOf") or "").strip(), _matrix(item)))
    parts = {name: Part((), placed) for name, placed in children.items()}
    meshes = cache(lambda name: _meshes(archive, name))
    for item in structure.iter("ReferenceRep"):
        if item.get("format") != "TESSELLATED":
            raise Unsupported(f"3DXML: a part in the format {item.get('format')!r}; export it tessellated")
        parts[item.get("id")] = Part(meshes(item.get("associatedFile", "").rpartition(":")[2]))
    return parts


def _meshes(archive: Archive, name: str) -> list[Mesh]:
    """The meshes of a file of the package."""
    return [_mesh(rep) for rep in _document(archive, name).iter() if rep.find("VertexBuffer") is not None]


def _matrix(item: Element) -> Floats:
    """[A | t] of twelve numbers: the columns of A, then t."""
    text = item.findtext("RelativeMatrix")
    if text is None:
        return IDENTITY
    values = numbers(text, "3DXML: RelativeMatrix")
    if len(values) != 12:
        raise Unreadable(f"3DXML: a matrix of {number_of(len(values), 'number')}, not 12")
    return values.reshape(4, 3).T


def _mesh(rep: Element) -> Mesh:
    """The mesh of a representation; faces inside its levels of detail are coarser copies, and passed over."""
    flat = numbers((rep.findtext("VertexBuffer/Positions") or "").replace(",", " "), "3DXML: Positions")
    if len(flat) % 3:
        raise Unreadable(f"3DXML: {number_of(len(flat), 'coordinate')}, which are not points")
    points = flat.reshape(-1, 3)
    faces = [np.empty((0, 3), np.int64)]
    for face in rep.findall("Faces/Face"):
        faces += [strips(np.array([len(corners)]), corners) for corners in _lists(face, "strips")]
        faces += [fans(np.array([len(corners)]), corners)[0] for corners in _lists(face, "fans")]
        for corners in _lists(face, "triangles"):
            if len(corners) % 3:
                raise Unreadable(f"3DXML: {number_of(len(corners), 'corner')}, which are not triangles")
            faces.append(corners.reshape(-1, 3))
    whole = np.concatenate(faces)
    check_corners(np.full(len(whole), 3), whole.ravel(), len(points), "3DXML: ")
    return Mesh(points, whole)


def _lists(face: Element, kind: str) -> Iterator[Ints]:
    for words in face.get(kind, "").split(","):
        try:
            yield integers(words.split())
        except ValueError as error:
            raise Unreadable(f"3DXML: {kind} of a face: {error}") from None
