"""What a run draws of each input: pictures, films, and the views of the HTML page."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from massprops.core.boundary import unbalanced_edges
from massprops.core.mapped import MappedSurface
from massprops.core.moments import AffineMap
from massprops.core.surface import Floats, Surface
from massprops.errors import InconsistentWinding, MassPropsError, OpenSurface, Unwritable
from massprops.plan import Plan, written_name
from massprops.report.extras import MissingExtra
from massprops.report.picture_format import PictureError
from massprops.report.whole_file import whole_file
from massprops.result import Result


def draw_solid(
    result: Result, surface: Surface, affine: AffineMap, plan: Plan, verdict: MassPropsError | None = None
) -> Result:
    """Draw a body as asked; of one that was refused, the edges that are wrong.

    Parameters
    ----------
    result : Result
    surface : Surface
        In the coordinates of its file.
    affine : AffineMap
        From these to the coordinates of the result.
    plan : Plan
    verdict : MassPropsError, optional
        Why it was not measured.

    Returns
    -------
    Result
        With the view for the HTML page.

    Raises
    ------
    Unwritable
        A picture cannot be drawn or written.
    """
    seen = surface if affine.is_identity else MappedSurface(surface, affine)
    edges = _wrong_edges(seen, verdict)
    properties, si = result.properties, result.unit is not None
    message = None if verdict is None else f"{verdict.status}: {verdict.message}"
    with _told(verdict):
        if plan.figure is not None:
            from massprops.report.figure import draw_body

            with whole_file(written_name(plan.figure, result.file)) as path:
                draw_body(
                    path, seen, properties, diagnosis_edges=edges, title=result.file, message=message, si=si
                )
        if plan.animate is not None and properties is not None and result.trajectory is not None:
            from massprops.report.animation import animate

            with whole_file(written_name(plan.animate, result.file)) as path:
                animate(path, seen, properties, result.trajectory)
    if plan.html is None:
        return result
    from massprops.report.html.views import solid_view

    with contextlib.suppress(PictureError):  # nothing to draw: the page shows the numbers
        return replace(result, view=solid_view(seen, properties, edges))
    return result


def draw_plane(result: Result, plan: Plan) -> Result:
    """The same for a section; one that was refused has no region to draw."""
    if result.curve is None:
        return result
    with _told():
        if plan.figure is not None:
            from massprops.report.section_figure import draw_section

            with whole_file(written_name(plan.figure, result.file)) as path:
                draw_section(path, result.curve, result.section, title=result.file, si=result.unit is not None)
    if plan.html is None:
        return result
    from massprops.report.html.views import section_view

    with contextlib.suppress(PictureError):
        return replace(result, view=section_view(result.curve, result.section, plan.density))
    return result


def _wrong_edges(surface: Surface, verdict: MassPropsError | None) -> Floats | None:
    """Ends of the unbalanced edges, shape (k, 2, 3), of a surface that was refused for them."""
    if not isinstance(verdict, (OpenSurface, InconsistentWinding)):
        return None
    found = unbalanced_edges(surface)
    edges: Floats = found.vertices[found.edges]
    return edges


@contextlib.contextmanager
def _told(verdict: MassPropsError | None = None) -> Iterator[None]:
    """Tell why there is no picture, unless there is nothing to draw for a reason that a verdict tells already."""
    try:
        yield
    except (MissingExtra, PictureError) as error:
        if verdict is not None and isinstance(error, PictureError):
            return
        raise Unwritable(str(error)) from None
