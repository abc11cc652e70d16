"""XAML: the meshes of the 3-D models in a WPF document, as its matrices place them.

Read here and not by trimesh, which wants normals and a material of each mesh, passes over the transforms of models, and
may round equal points differently when it moves them.

Source: Microsoft, Windows Presentation Foundation, namespace System.Windows.Media.Media3D. Points are row vectors, that
matrices multiply from the right. Where a mesh has no indices, every three of its positions are a triangle.
"""

from __future__ import annotations

from collections.abc import Hashable
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.surface import TriangleArray
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.decimals import integers, numbers
from massprops.readers.reading import Reading
from massprops.readers.safe_xml import xml_tree
from massprops.readers.scene import IDENTITY, Floats, Mesh, Part, Placement, assemble, composed, indexed

PLACING = ("ModelVisual3D", "ModelUIElement3D", "ContainerUIElement3D", "Model3DGroup", "GeometryModel3D")
"""How the names of elements begin whose transforms place models; cameras, lights and brushes have others."""


def read_xaml(data: bytes) -> Reading:
    """The facets of a XAML document.

    Raises
    ------
    Empty
        It shows no model, or models without facets.
    Unreadable
        It is damaged, or a mesh refers to a vertex that is not there.
    Unsupported
        It has transforms other than matrices, or keeps meshes or transforms elsewhere, as resources.
    """
    root = xml_tree(data, "the XAML document")
    parts: dict[Hashable, Part] = {}
    placed: list[Placement] = []
    stack: list[Placement] = [(root, IDENTITY)]
    while stack:
        element, outer = stack.pop()
        assert isinstance(element, Element)
        matrix = composed(outer, _transform(element))
        if element.tag == "GeometryModel3D":
            name = f"model {len(parts) + 1}"
            parts[name] = Part(_meshes(element, name))
            placed.append((name, matrix))
        stack += [(child, matrix) for child in reversed(element) if not child.tag.endswith((".Resources", ".Material"))]
    if not parts:
        raise Empty("no facets: the XAML document has no GeometryModel3D")
    triangles = assemble(parts, placed)
    if len(triangles) == 0:
        raise Empty(f"no facets: {number_of(len(parts), 'model')} without any")
    return Reading(TriangleArray(triangles), "xaml")


def _transform(element: Element) -> Floats:
    """[A | t] of an element's own transform."""
    if not element.tag.startswith(PLACING):
        return IDENTITY
    held = element.find(f"{element.tag}.Transform")
    if "Transform" in element.attrib:
        raise Unsupported(f"XAML: a transform that is not read ({element.tag}); export the part with it applied")
    if held is None:
        return IDENTITY
    for child in held:
        if child.tag != "MatrixTransform3D":
            raise Unsupported(f"XAML: a transform that is not read ({child.tag}); export the part with it applied")
    return _matrix(held[0].get("Matrix", "Identity")) if len(held) else IDENTITY


def _matrix(text: str) -> Floats:
    if text.strip() == "Identity":
        return IDENTITY
    values = numbers(text.replace(",", " "), "XAML: Matrix")
    if len(values) != 16:
        raise Unreadable(f"XAML: a matrix of {number_of(len(values), 'number')}, not 16")
    square = values.reshape(4, 4)
    if not np.array_equal(square[:, 3], [0, 0, 0, 1]):
        raise Unsupported("XAML: a matrix that is no affine map; export the part with it applied")
    return square.T[:3]


def _meshes(model: Element, name: str) -> list[Mesh]:
    if "Geometry" in model.attrib:
        where = model.attrib["Geometry"][:40]
        raise Unsupported(f"XAML: {name} keeps its mesh elsewhere, as {where}; export it in place")
    return [_mesh(found, name) for found in model.findall("GeometryModel3D.Geometry/MeshGeometry3D")]


def _mesh(mesh: Element, name: str) -> Mesh:
    flat = numbers(mesh.get("Positions", "").replace(",", " "), f"XAML: Positions of {name}")
    words = mesh.get("TriangleIndices", "").replace(",", " ").split()
    try:
        corners = integers(words) if words else np.arange(len(flat) // 3)
    except ValueError as error:
        raise Unreadable(f"XAML: TriangleIndices of {name}: {error}") from None
    if len(flat) % 3 or len(corners) % 3:
        raise Unreadable(
            f"XAML: {name} has {number_of(len(flat), 'coordinate')} and {number_of(len(corners), 'corner')}, "
            "which are not triangles"
        )
    return indexed(flat.reshape(-1, 3), corners.reshape(-1, 3), f"XAML: {name}")
