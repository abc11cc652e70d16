"""COLLADA (.dae, and .zae: the same in a zip archive): the meshes that its scene places.

Read here and not by trimesh, whose COLLADA package rounds coordinates to single precision, and which leaves out skinned
meshes and whatever it finds broken.

Coordinates are the file's own: `up_axis` says how to hold the part, not where its points are, and is not applied.

Source: Khronos Group, COLLADA Digital Asset Schema 1.4.1 and 1.5.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.core.units import UNITS, Unit
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.collada_mesh import meshes_of
from massprops.readers.decimals import numbers, one_number
from massprops.readers.flatness import not_flat
from massprops.readers.packages import content, names, opened
from massprops.readers.reading import Reading
from massprops.readers.safe_xml import xml_tree
from massprops.readers.scene import IDENTITY, Floats, Part, Placement, affine, assemble, composed, placed_gaps

ROTATED, MOVED = ("matrix", "translate", "rotate", "scale"), ("skew", "lookat")
MOST_CONTROLLERS = 100
"""Skins and morphs on top of one another; two are usual."""

POSE = Notice("pose", "skins and morph targets are not applied; the shape is measured as it is stored")


def read_zae(data: bytes) -> Reading:
    """The facets of the COLLADA document in a zip archive. Raises as `read_dae` does."""
    archive = opened(data)
    manifest = content(archive, "manifest.xml")
    roots = xml_tree(manifest, "manifest.xml").iter("dae_root") if manifest else ()
    found = [(root.text or "").partition("#")[0].strip() for root in roots] or list(names(archive, ".dae"))
    document = content(archive, found[0]) if len(found) == 1 else None
    if document is None:
        raise Unreadable("not a COLLADA archive: there is not one document to begin with")
    reading = read_dae(document)
    return Reading(reading.surface, "zae", reading.notices, reading.unit)


def read_dae(data: bytes) -> Reading:
    """The facets of a COLLADA document, in its unit.

    Raises
    ------
    Empty
        Its scene has no facets.
    Unreadable
        It is damaged, or its scene refers to something that is not there, or contains itself.
    Unsupported
        A shape that is not a mesh, or a transform that is not read.
    """
    if not data.strip():
        raise Empty("the file is empty")
    root = xml_tree(data, "the COLLADA document")
    if root.tag != "COLLADA":
        raise Unreadable(f"not a COLLADA document: its root element is {root.tag[:40]!r}")
    scene = _scene(root)
    parts, is_posed = _parts(root, scene)
    roots = [("the scene", IDENTITY)]
    triangles = assemble(parts, roots)
    if len(triangles) == 0:
        raise Empty("no facets: the scene of the COLLADA document has none")
    told = ((POSE,) if is_posed else ()) + not_flat(placed_gaps(parts, roots), triangles.reshape(-1, 3))
    return Reading(TriangleArray(triangles), "dae", told, _unit(root))


def _unit(root: Element) -> Unit | None:
    element = root.find("asset/unit")
    if element is None:
        return None
    text = element.get("meter", "1").strip()
    try:
        is_length = 0 < one_number(text) < float("inf") and len(text) < 100
    except ValueError:
        is_length = False
    if not is_length:
        raise Unreadable(f"COLLADA: a unit of {text[:20]!r} metres")
    metres = Fraction(text)
    return next((unit for unit in UNITS.values() if unit.metres == metres), Unit(f"{text} m", metres))


def _scene(root: Element) -> Element:
    """The visual scene that is shown."""
    scenes = list(root.iter("visual_scene"))
    shown = root.find("scene/instance_visual_scene")
    if shown is not None:
        scenes = [scene for scene in scenes if "#" + scene.get("id", "") == shown.get("url")]
    if len(scenes) != 1:
        if not scenes and shown is None:
            raise Empty("no facets: the COLLADA document has no scene")
        raise Unreadable("COLLADA: it does not say which scene is shown, or shows one that is not there")
    return scenes[0]


def _parts(root: Element, scene: Element) -> tuple[dict[str, Part], bool]:
    """The nodes of a scene, and whether any of them is moved by bones or morph targets."""
    by_id = {(e.tag, e.get("id")): e for e in root.iter() if e.tag in ("node", "geometry", "controller")}
    names = {id(node): f"node {number} ({node.get('id')})" for number, node in enumerate(root.iter("node"), start=1)}
    names[id(scene)] = "the scene"
    meshes = cache(lambda name: meshes_of(_found(by_id, "geometry", name)))
    is_posed = False
    parts: dict[str, Part] = {}
    ahead = [scene]
    while ahead:
        node = ahead.pop()
        if names[id(node)] in parts:
            continue
        below = [child for child in node if child.tag == "node"]
        below += [_found(by_id, "node", child.get("url")) for child in node.findall("instance_node")]
        children: list[Placement] = [(names[id(child)], _matrix(child)) for child in below]
        own = [m for item in node.findall("instance_geometry") for m in meshes(item.get("url"))]
        for number, item in enumerate(node.findall("instance_controller")):
            url, matrix = _shape_of(by_id, item.get("url"))
            is_posed = True
            name = f"{names[id(node)]}, controller {number}"
            parts[name] = Part(meshes(url))
            children.append((name, matrix))
        parts[names[id(node)]] = Part(own, children)
        ahead += below
    return parts, is_posed


def _found(by_id: dict[tuple[str, str | None], Element], tag: str, url: str | None) -> Element:
    if not (url or "").startswith("#"):
        raise Unreadable(f"COLLADA: it refers to {tag} {url!r} in another file, which is not opened")
    element = by_id.get((tag, (url or "")[1:]))
    if element is None:
        raise Unreadable(f"COLLADA: it refers to {tag} {url!r}, which is not there")
    return element


def _shape_of(by_id: dict[tuple[str, str | None], Element], url: str | None) -> tuple[str | None, Floats]:
    """The geometry at the bottom of a stack of skins and morphs, and the map that a skin applies to it."""
    matrix = IDENTITY
    for _ in range(MOST_CONTROLLERS):
        if ("controller", (url or "")[1:]) not in by_id:
            return url, matrix
        controller = _found(by_id, "controller", url)
        below = controller.find("skin") if controller.find("skin") is not None else controller.find("morph")
        if below is None:
            raise Unreadable(f"COLLADA: controller {url!r} moves nothing")
        bind = below.find("bind_shape_matrix")
        if bind is not None:
            matrix = composed(matrix, affine(_values(bind, 16).reshape(4, 4), "COLLADA: bind_shape_matrix"))
        url = below.get("source")
    raise Unreadable(f"COLLADA: controller {url!r} moves itself, or more than {MOST_CONTROLLERS} others")


def _matrix(node: Element) -> Floats:
    """The map from a node's coordinates to its parent's: its transforms, the first one outermost."""
    matrix = IDENTITY
    moved = next((element.tag for element in node if element.tag in MOVED), "")
    if moved and any(child.tag.startswith("instance_g") for child in node.iter()):
        raise Unsupported(f"COLLADA: {moved} in node {node.get('id')}; export it with a matrix")
    for element in node:
        if element.tag in ROTATED:
            matrix = composed(matrix, _transform(element))
    return matrix


def _transform(element: Element) -> Floats:
    if element.tag == "matrix":
        return affine(_values(element, 16).reshape(4, 4), "COLLADA: matrix")
    if element.tag == "translate":
        return np.column_stack([np.eye(3), _values(element, 3)])
    if element.tag == "scale":
        return np.column_stack([np.diag(_values(element, 3)), np.zeros(3)])
    return _rotation(_values(element, 4))


def _rotation(axis_and_degrees: Floats) -> Floats:
    """[R | 0] of a turn about an axis (Rodrigues' formula)."""
    axis, degrees = axis_and_degrees[:3], float(axis_and_degrees[3])
    if not axis.any():
        return IDENTITY
    with np.errstate(all="ignore"):
        if not 1e-100 < np.abs(axis).max() < 1e100:  # whose square may be no float64
            axis = axis / np.abs(axis).max()
        x, y, z = axis / float(np.linalg.norm(axis))
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        angle = np.radians(degrees)
        turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    return np.column_stack([turn, np.zeros(3)])


def _values(element: Element, count: int) -> Floats:
    found = numbers(element.text or "", f"COLLADA: {element.tag}")
    if len(found) != count:
        raise Unreadable(f"COLLADA: {element.tag} of {number_of(len(found), 'number')}, not {count}")
    return found
