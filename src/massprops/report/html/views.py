"""What the page draws of each input, as small as it can be: coordinates packed, big meshes decimated and let go.

A view is made while an input's surface is at hand; the page is made of views when all inputs are done.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from massprops.core.curve import Curve, Path
from massprops.core.inertia import MassProperties
from massprops.core.section_properties import SectionProperties
from massprops.core.surface import Floats, Surface
from massprops.report.framing import Framing
from massprops.report.numbers import SUBSCRIPTS, shown
from massprops.report.outline import chains, is_polygonal, outline
from massprops.report.picture_format import PictureError
from massprops.report.scene import BodyScene
from massprops.report.view import best_direction

OPEN_EDGES_DRAWN = 20_000
"""Edges marked as wrong, at most."""


@dataclass(frozen=True, eq=False)
class HtmlView:
    """A drawing on the page.

    Parameters
    ----------
    kind : {"solid", "section", "outline"}
        The last one is of a section that was not measured, and stands still.
    data : mapping
        What the page's script needs, ready for JSON.
    notes : tuple of str
        What must be said under the drawing.
    """

    kind: Literal["solid", "section", "outline"]
    data: Mapping[str, Any]
    notes: tuple[str, ...] = ()


def solid_view(
    surface: Surface, properties: MassProperties | None, diagnosis_edges: Floats | None = None
) -> HtmlView:
    """The view of a body.

    Parameters
    ----------
    surface : Surface
        In the coordinates of ``properties``. Above 200 000 facets the view is decimated, and says so.
    properties : MassProperties or None
        None for a body that was not measured.
    diagnosis_edges : ndarray, shape (k, 2, 3), optional
        Ends of the edges that kept it from being measured; length.

    Raises
    ------
    PictureError
        There is no facet to draw.
    """
    scene = BodyScene.of(surface, properties, diagnosis_edges)
    mesh = scene.mesh
    small = np.uint16 if len(mesh.vertices) < 1 << 16 else np.uint32
    edges = scene.open_edges[:OPEN_EDGES_DRAWN]
    data: dict[str, Any] = {
        "positions": packed(mesh.vertices.astype("<f4")),
        "indices": packed(mesh.faces.astype(np.dtype(small).newbyteorder("<"))),
        "wide": small is np.uint32,
        "edges": packed(edges.astype("<f4")),
        "measured": properties is not None,
    }
    if properties is not None and scene.axes is not None:
        data |= {
            "center": _list(scene.center),
            "axes": [
                {"start": _list(start), "tip": _list(tip), "label": f"I{SUBSCRIPTS[k]} = {shown(moment)}"}
                for k, (moment, (start, tip)) in enumerate(
                    zip(properties.principal_moments.tolist(), map(scene.axis_ends, range(3)), strict=True)
                )
            ],
            "toward": _list(best_direction(scene.axes)),
        }
    if scene.ellipsoid is not None:
        data["ellipsoid"] = {"axes": _list(scene.ellipsoid.axes), "semi_axes": _list(scene.ellipsoid.semi_axes)}
    return HtmlView("solid", data, tuple(_notes(scene)))


def _notes(scene: BodyScene) -> list[str]:
    notes = []
    if scene.center is None:
        red = "; edges without a matching partner are red" if len(scene.open_edges) else ""
        notes.append(f"Outer sides are blue, inner sides brown{red}.")
    if scene.mesh.is_decimated:
        notes.append(
            f"Drawn with {len(scene.mesh.faces):,} facets; the numbers are from all {scene.mesh.facets:,}.".replace(
                ",", "\u202f"
            )
        )
    if len(scene.open_edges) > OPEN_EDGES_DRAWN:
        notes.append(f"Only the first {OPEN_EDGES_DRAWN:,} edges without a partner are marked.".replace(",", "\u202f"))
    if scene.center is not None and scene.ellipsoid is None:
        notes.append("No ellipsoid is drawn: no body has such moments.")
    return notes


def section_view(
    curve: Curve | Sequence[NDArray[np.float64]], properties: SectionProperties | None, density: float = 1.0
) -> HtmlView:
    """The view of a section, whose corners can be moved.

    Parameters
    ----------
    curve : Curve, or sequence of ndarray, shape (n, 2)
        Loops, in the coordinates of ``properties``: anticlockwise around the region, clockwise around its holes.
    properties : SectionProperties or None
        None for a section that was not measured.
    density : float
        For a section that was not measured.

    Raises
    ------
    PictureError
        There is nothing to draw.
    """
    loops = [loop for loop in outline(curve) if len(loop) >= 3 and np.isfinite(loop).all()]
    if not loops:
        raise PictureError("no loops to draw")
    framing = Framing.of(np.concatenate(loops))
    data = {
        "loops": [packed((loop - framing.origin).astype("<f8")) for loop in loops],
        "origin": _list(framing.origin),
        "density": density if properties is None else properties.density,
    }
    notes = () if is_polygonal(curve) else (
        "Curves are drawn, and counted below, as polygons of short chords; the table of numbers is exact.",
    )  # fmt: skip
    return HtmlView("section", data, notes)


def refused_section_view(paths: Sequence[Path], wrong: Floats) -> HtmlView:
    """The view of a section that was not measured: its lines, and points where they are wrong, shape (k, 2).

    Raises
    ------
    PictureError
        There is nothing to draw.
    """
    lines = chains(paths)
    if not lines:
        raise PictureError("no lines to draw")
    framing = Framing.of(np.concatenate(lines))
    data = {
        "lines": [(framing.apply(line) * [1, -1]).round(4).tolist() for line in lines],
        "wrong": (framing.apply(wrong.reshape(-1, 2)) * [1, -1]).round(4).tolist(),
    }
    notes = ("Circles in red show where it is wrong.",) if len(wrong) else ()
    return HtmlView("outline", data, notes)


def packed(array: NDArray[Any]) -> str:
    """The bytes of an array as base64."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def _list(array: Floats | None) -> Any:
    assert array is not None
    return (array + 0.0).tolist()
