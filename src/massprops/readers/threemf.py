"""3MF: the bodies that a package builds, with their components and transforms.

Read here and not by trimesh, which takes the objects of a package's several model parts for one another, counts support
structures as bodies, and finds no model whose file is not named so.

Source: 3MF Consortium, 3D Manufacturing Format: Core Specification 1.3 and Production Extension 1.1; ECMA-376-2 for the
package.
"""

from __future__ import annotations

from posixpath import join

import numpy as np

from massprops.core.notice import Notice
from massprops.core.surface import TriangleArray
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.packages import Archive, names, opened, part
from massprops.readers.reading import Reading
from massprops.readers.safe_xml import Attributes, local, read_xml
from massprops.readers.scene import Mesh, Part, Placement, assemble, indexed
from massprops.readers.slicer_parts import NEGATIVE, NoBodies, kept, no_bodies
from massprops.readers.threemf_model import Model, Object, Reference, read_model


def read_3mf(data: bytes) -> Reading:
    """The facets of the bodies that a 3MF package builds, in its unit.

    Only objects of the type `model` are bodies; supports, surfaces and others are passed over, and this is told. So are
    modifiers and the like by the settings of slicers.

    Raises
    ------
    Empty
        It builds no body.
    Unreadable
        The archive or a part of it is damaged, an object is not there, or contains itself.
    Unsupported
        It requires an extension that changes the shape.
    """
    archive = opened(data)
    root = _root(archive)
    model = _model(archive, root)
    settings = no_bodies(archive)
    parts, skipped = _parts(archive, root, model, settings)
    triangles = assemble(parts, [(_name(item, root, root), item.matrix) for item in model.items])
    kinds = " and ".join(sorted(skipped))
    if len(triangles) == 0:
        raise Empty(f"no facets: the package builds {f'only objects of the type {kinds}' if kinds else 'no object'}")
    told = _told(skipped, kinds, settings.unread) + _unprinted(model.unprinted)
    return Reading(TriangleArray(triangles), "3mf", told, model.unit)


def _told(skipped: set[str], kinds: str, unread: str) -> tuple[Notice, ...]:
    told = []
    if skipped:
        message = f"objects of the type {kinds} are no bodies and were not counted"
        if not skipped.isdisjoint(NEGATIVE):
            message += "; nor was anything taken away by those that are negative"
        told.append(Notice("skipped", message, {"types": sorted(skipped)}))
    if unread:
        message = f"the settings of a slicer were not read, and any modifiers in them count as bodies: {unread}"
        told.append(Notice("recovered", message))
    return tuple(told)


def _unprinted(items: int) -> tuple[Notice, ...]:
    marked = number_of(items, "item is", "items are")
    message = f"{marked} marked as not to be printed, as slicers do, and counted all the same"
    return (Notice("ignored", message, {"items": items}),) if items else ()


def _root(archive: Archive) -> str:
    """The path of the model that the package begins with: the one that its relationships name."""
    found: list[str] = []

    def start(tag: str, attributes: Attributes) -> None:
        if local(tag) == "Relationship" and attributes["Type"].endswith("/3dmodel"):
            found.append(join("/", attributes["Target"]))

    relationships = part(archive, "_rels/.rels")
    if relationships:
        read_xml(relationships, "_rels/.rels", start)
    else:
        found += names(archive, ".model")
    if len(found) != 1:
        raise Unreadable(f"not a 3MF package: it names {len(found)} models to begin with, where one is expected")
    return found[0]


def _model(archive: Archive, path: str) -> Model:
    stream = part(archive, path)
    if stream is None:
        raise Unreadable(f"the package refers to {path}, which is not in it")
    with stream:
        return read_model(stream, path)


def _name(reference: Reference, path: str, root: str) -> str:
    """What an object is called, that a part refers to; the same for the same object."""
    where = _path(reference, path)
    return f"object {reference.number}" + (f" of {where}" if where != root else "")


def _path(reference: Reference, path: str) -> str:
    return join("/", reference.path) if reference.path else path


def _parts(
    archive: Archive, root: str, model: Model, settings: NoBodies
) -> tuple[dict[str, Part], set[str]]:
    """The objects that are built, directly or as components; and the types of those that are no bodies."""
    models = {root: model}
    parts: dict[str, Part] = {}
    skipped: set[str] = set()
    ahead = [(item, root) for item in model.items]
    while ahead:
        reference, origin = ahead.pop()
        name, path = _name(reference, origin, root), _path(reference, origin)
        if name in parts:
            continue
        if path not in models:
            models[path] = _model(archive, path)
            if models[path].unit != model.unit:
                raise Unsupported(f"3MF: {path} has another unit than the model that refers to it")
        found = models[path].objects.get(reference.number)
        if found is None:
            raise Unreadable(f"the package refers to {name}, which is not in it")
        if found.kind != "model":
            skipped.add(found.kind)
            parts[name] = Part()
            continue
        is_root = path == root
        components, ranges = found.components, settings.ranges.get(reference.number, []) if is_root else []
        kinds = settings.components.get(reference.number, {}) if is_root else {}
        skipped |= {kinds[child.number] for child in components if child.number in kinds}
        skipped |= {kind for first, _, kind in ranges if first < len(found.corners) // 3}
        components = [child for child in components if child.number not in kinds]
        children: list[Placement] = [(_name(child, path, root), child.matrix) for child in components]
        parts[name] = Part(_meshes(found, name, ranges), children)
        ahead += [(child, path) for child in components]
    return parts, skipped


def _meshes(found: Object, name: str, ranges: list[tuple[int, int, str]]) -> list[Mesh]:
    if found.foreign:
        raise Unsupported(f"3MF: {name} is given by a {found.foreign}, which is not read; export it as a mesh")
    points = np.frombuffer(found.points, np.float64).reshape(-1, 3) if found.points else np.empty((0, 3))
    corners = np.frombuffer(found.corners, np.int64).reshape(-1, 3) if found.corners else np.empty((0, 3), np.int64)
    return [indexed(points, kept(corners, ranges), name)]
