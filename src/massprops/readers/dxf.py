"""DXF drawings: model space, with blocks and layers.

Everything that outlines something is read; text, dimensions, points and the like are passed over and told. Hatches
fill outlines that are drawn as well, in most drawings: they are read only where nothing else is drawn.

Source: Autodesk, DXF Reference. The file itself is taken apart by ezdxf.
"""

from __future__ import annotations

import io
import logging
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from massprops.core.collector import collector_put_off
from massprops.core.curve import Path, Shape
from massprops.core.notice import Notice
from massprops.errors import Empty, NonFinite, Unreadable, Unsupported
from massprops.number_of import number_of
from massprops.readers.dxf_clipping import is_clipped
from massprops.readers.dxf_entities import READ, Degenerate, has_width, is_mesh, is_tilted, paths_of
from massprops.readers.dxf_hatches import is_filled_otherwise
from massprops.readers.dxf_placement import Placement
from massprops.readers.dxf_plain import NotPlain, Run
from massprops.readers.dxf_tags import MARK, Taken, taken_out
from massprops.readers.dxf_text import check_numbers, check_sections, forms, tidied, unescaped
from massprops.readers.dxf_units import unit_of
from massprops.readers.section_reading import SectionReading

BINARY = b"AutoCAD Binary DXF"
_DRAWING = b"AC10"  # what a DWG file begins with
_HATCHES = ("HATCH", "MPOLYGON")
_NESTING = 32
_MOST_REPEATED = 200_000
"""Entities of blocks that may be drawn again by INSERT: a few lines could ask for any number of them."""


@dataclass
class _Drawing:
    """What has been found so far, and what is needed to find more."""

    document: Any
    runs: list[Run]
    """Plain entities that were taken out of the document, by the number of their mark."""
    layers: frozenset[str] | None
    hidden: frozenset[str]
    """Layers that are off or frozen."""
    frozen: frozenset[str]
    """These hide inserts with all that is in their blocks; layers that are off hide what lies on them alone."""
    paths: list[Path] = field(default_factory=list)
    hatched: list[Path] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    allowed: int = 0
    """Entities that may still be looked at."""

    @classmethod
    def of(cls, document: Any, taken: Taken | None, layers: Collection[str] | None) -> _Drawing:
        """A document, and what was taken out of it; nothing of it has been looked at."""
        wanted = None if layers is None else frozenset(unescaped(name).casefold() for name in layers)
        frozen = frozenset(layer.dxf.name.casefold() for layer in document.layers if layer.is_frozen())
        off = frozenset(layer.dxf.name.casefold() for layer in document.layers if not layer.is_on())
        runs = [] if taken is None else [Run(taken.tags, entities) for entities in taken.runs]
        removed = 0 if taken is None else taken.removed
        allowed = len(document.entitydb) + removed + _MOST_REPEATED
        return cls(document, runs, wanted, frozen | off, frozen, allowed=allowed)

    def count(self, entities: int = 1) -> None:
        """Count entities that are looked at.

        Raises
        ------
        Unreadable
            There are too many.
        """
        self.allowed -= entities
        if self.allowed < 0:
            raise Unreadable(f"its blocks repeat more than {_MOST_REPEATED} entities; explode them, or leave some out")


@collector_put_off()
def read_dxf(data: bytes, layers: Collection[str] | None = None) -> SectionReading:
    """Read a DXF drawing, as text or binary.

    Parameters
    ----------
    data : bytes
        The file.
    layers : collection of str, optional
        Names of the layers to read, in any case; all that are shown if left out.

    Raises
    ------
    Unreadable
        It is no DXF, or damaged beyond recovery.
    Unsupported
        It is a DWG file, or ezdxf is missing.
    Empty
        Nothing that outlines anything is drawn (on these layers).
    """
    document, taken, notices, data = _loaded(data)
    drawing = _Drawing.of(document, taken, layers)
    try:
        _entities(document.modelspace(), Placement.world(), None, 0, drawing)
    except NotPlain:
        document, taken = _parsed(data, whole=True)
        drawing = _Drawing.of(document, taken, layers)
        _entities(document.modelspace(), Placement.world(), None, 0, drawing)
    paths = drawing.paths or drawing.hatched
    if drawing.paths and drawing.hatched:
        drawing.ignored["HATCH beside outlines"] += len(drawing.hatched)
        del drawing.told["hatch_style"]
    unit, doubts = unit_of(document, data)
    notices += [*doubts, *_told(drawing)]
    if not paths:
        raise Empty(_nothing(drawing))
    return SectionReading((Shape(tuple(paths)),), "dxf", tuple(notices), unit)


def _loaded(data: bytes) -> tuple[Any, Taken | None, list[Notice], bytes]:
    """The document, what has been taken out of it, what is told, and the file in the form in which it was read."""
    if data.startswith(_DRAWING):
        raise Unsupported("a DWG file; save it as DXF")
    try:
        import ezdxf  # noqa: F401  0.2 s, and not everybody has it
    except ImportError:
        raise Unsupported("DXF needs ezdxf: pip install 'massprops[sections]'") from None
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)  # its remarks are not for our users
    text, notices, found = "", list[Notice](), [data]
    if not data.startswith(BINARY):
        text = tidied(data)
        notices = check_sections(text, len(data))
        found = [form.encode("latin-1") for form in forms(text.rstrip() + "\n  0\nEOF\n" if notices else text)]
    for data, whole in product(found, (False, True)):
        try:
            return *_parsed(data, whole), notices, data
        except Exception:  # ezdxf fails on damaged files in many ways
            continue
    check_numbers(text)  # which would be cut short
    document, errors, data = _recovered(found)
    faults = f", with {number_of(errors, 'error')}" if errors else ""
    message = f"the file is damaged and was recovered{faults}; something may be missing"
    return document, None, [*notices, Notice("recovered", message, {"errors": errors})], data


def _parsed(data: bytes, whole: bool) -> tuple[Any, Taken | None]:
    """The document; and unless all of it is wanted as a whole, what has been taken out of it."""
    from ezdxf.document import Drawing
    from ezdxf.filemanagement import dxf_stream_info
    from ezdxf.lldxf.tagger import binary_tags_loader

    if data.startswith(BINARY):
        return Drawing.load(binary_tags_loader(data, errors="surrogateescape")), None
    info = dxf_stream_info(io.StringIO(data.decode("utf-8", "ignore")))
    text = unescaped(data.decode(info.encoding, "surrogateescape"))
    taken = None if whole else taken_out(text)
    return Drawing.read(io.StringIO(text if taken is None else taken.text)), taken


def _recovered(found: Iterable[bytes]) -> tuple[Any, int, bytes]:
    """The document, the number of its errors, and the first of the forms of the file that could be recovered."""
    from ezdxf import recover

    reasons = []
    for data in found:
        try:
            document, auditor = recover.read(io.BytesIO(data))
        except Exception as error:
            reasons.append(error)
        else:
            return document, len(auditor.errors) + len(auditor.fixes), data
    raise Unreadable(f"the file is damaged beyond recovery: {reasons[0]}")


def _entities(entities: Iterable[Any], placement: Placement, layer: str | None, depth: int, drawing: _Drawing) -> None:
    """Read entities; those of blocks on layer 0 are on the layer of the insert."""
    for entity in entities:
        kind = entity.dxftype()
        own = _attribute(entity, "layer", "0")
        if own.startswith(MARK) and kind == "POINT" and drawing.runs:
            _plain(drawing.runs[int(own[len(MARK) :])], placement, layer, drawing)
            continue
        drawing.count()
        name = layer if layer is not None and own == "0" else own
        drawing.seen.add(name)
        if drawing.layers is not None and kind != "INSERT" and name.casefold() not in drawing.layers:
            continue
        hidden = drawing.frozen if kind == "INSERT" else drawing.hidden
        if _attribute(entity, "invisible", 0) or (drawing.layers is None and name.casefold() in hidden):
            drawing.ignored["hidden"] += 1
        elif kind == "INSERT":
            _insert(entity, placement, name, depth, drawing)
        elif kind in READ and not is_mesh(entity):
            _outline(entity, kind, placement, drawing)
        else:
            drawing.ignored[kind] += 1


def _attribute(entity: Any, name: str, otherwise: Any) -> Any:
    """An attribute of an entity; objects of other programs, which ezdxf keeps as they are, have none."""
    return entity.dxf.get(name, otherwise) if entity.dxf.is_supported(name) else otherwise


def _plain(run: Run, placement: Placement, layer: str | None, drawing: _Drawing) -> None:
    """The same with plain entities that were taken out."""
    drawing.count(len(run.entities))
    names = {own: layer if layer is not None and own == "0" else own for own in set(run.layers)}
    drawing.seen.update(names.values())
    if drawing.layers is None:
        left_out = {own for own, name in names.items() if name.casefold() in drawing.hidden}
        drawing.ignored.update(["hidden"] * sum(own in left_out for own in run.layers))
    else:
        left_out = {own for own, name in names.items() if name.casefold() not in drawing.layers}
    for entity in run.drawn(placement):
        if entity.layer in left_out:
            continue
        if entity.path is None:
            drawing.told["degenerate"] += 1
            continue
        drawing.paths.append(entity.path)
        drawing.told["tilted"] += entity.is_tilted
        drawing.told["width"] += entity.is_wide
        drawing.told["fitted"] += entity.is_fitted


def _insert(entity: Any, placement: Placement, layer: str, depth: int, drawing: _Drawing) -> None:
    block = drawing.document.blocks.get(entity.dxf.name)
    if block is None or block.block.is_xref:
        drawing.ignored["INSERT of what is not in the file"] += 1
        return
    if depth > _NESTING:
        raise Unreadable(f"blocks are nested too deeply; {entity.dxf.name[:40]!r} contains itself?")
    if is_clipped(entity):
        drawing.told["clipped"] += 1
    for single in entity.multi_insert() if entity.mcount > 1 else (entity,):
        drawing.count()
        inner = placement.of(Placement.of_matrix44(single.matrix44()))
        _entities(block, inner, layer, depth + 1, drawing)


def _outline(entity: Any, kind: str, placement: Placement, drawing: _Drawing) -> None:
    try:
        paths = paths_of(entity, placement)
    except Degenerate:
        drawing.told["degenerate"] += 1
        return
    except (Unreadable, NonFinite) as error:
        raise type(error)(f"{kind} #{entity.dxf.get('handle', '?')}: {error.message}") from None
    except (ValueError, TypeError, AttributeError, IndexError, ZeroDivisionError, OverflowError) as error:
        raise Unreadable(f"{kind} #{entity.dxf.get('handle', '?')} makes no sense: {error}") from None
    if kind in _HATCHES:
        drawing.hatched += paths
        drawing.told["hatch_style"] += is_filled_otherwise(entity)
    else:
        drawing.paths += paths
    drawing.told["tilted"] += is_tilted(entity, placement)
    drawing.told["width"] += has_width(entity)
    drawing.told["fitted"] += kind == "SPLINE" and len(entity.control_points) == 0


_BODIES = {"3DFACE", "3DSOLID", "BODY", "MESH", "SURFACE", "POLYLINE"}
"""Entities that draw bodies; of polylines, those that are meshes are passed over."""

_MESSAGES = {
    "clipped": "blocks are clipped where they are inserted; they are measured as a whole",
    "degenerate": "entities draw nothing, such as circles without a radius; they are passed over",
    "tilted": "entities are tilted against the plane of x and y; they are measured as seen along z",
    "width": "polylines are drawn with a width; they are measured along their middle",
    "hatch_style": "hatches of style outer or ignore have loops within loops; every second of them is taken for a hole",
    "fitted": "splines are given by points to pass through; they are measured as cubics through these",
}


def _told(drawing: _Drawing) -> list[Notice]:
    notices = []
    if drawing.ignored:
        names = ", ".join(f"{count} {name}" for name, count in sorted(drawing.ignored.items()))
        notices.append(Notice("ignored", f"passed over: {names}", dict(drawing.ignored)))
    for code, message in _MESSAGES.items():
        if count := drawing.told[code]:
            notices.append(Notice(code, f"{count} {message}", {"entities": count}))
    return notices


def _nothing(drawing: _Drawing) -> str:
    told = "".join(f"; {notice.message}" for notice in _told(drawing))
    told += "" if _BODIES.isdisjoint(drawing.ignored) else "; to measure a body, export it as STL or 3MF"
    if drawing.layers is None:
        return f"model space holds nothing that outlines a section{told}"
    layers = ", ".join(sorted(drawing.seen)) or "none"
    return f"nothing on the layers asked for outlines a section{told}; layers in use: {layers}"
