"""What a run draws of each input: pictures, films, and the views of the HTML page."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from massprops.advice import unfollowed
from massprops.core.affine_map import AffineMap
from massprops.core.boundary import unbalanced_edges
from massprops.core.curve import Path as Outline
from massprops.core.mapped import MappedSurface
from massprops.core.surface import Floats, Surface
from massprops.errors import InconsistentWinding, MassPropsError, OpenSurface, Unwritable
from massprops.plan import Plan
from massprops.report.escaped import escaped
from massprops.report.extras import DRAWS_BODIES, DRAWS_SECTIONS, FILMS, MissingExtra, require_all
from massprops.report.picture_format import PictureError
from massprops.report.whole_file import whole_file
from massprops.result import Result
from massprops.targets import written_name


def require_packages(plan: Plan) -> None:
    """Refuse a run at once where packages are not installed that its pictures need.

    A picture of a section needs less than one of a body; what an input is shows in its name or, later, in its
    contents.

    Raises
    ------
    MissingExtra
        Naming them.
    """
    needed: dict[str, None] = {}
    if plan.figure is not None:
        from massprops.readers.sections import SECTION_FORMATS

        names = [plan.format or Path(name).suffix[1:].lower() for name in plan.inputs]
        are_sections = all(name in SECTION_FORMATS for name in names)
        needed |= dict.fromkeys(DRAWS_SECTIONS if are_sections else DRAWS_BODIES)
    if plan.animate is not None:
        needed |= dict.fromkeys(FILMS[written_name(plan.animate, plan.inputs[0]).suffix[1:].lower()])
    require_all(needed)


def draw_solid(
    result: Result, surface: Surface, affine: AffineMap, plan: Plan, verdict: MassPropsError | None = None
) -> Result:
    """Draw a body as asked; of one that was refused, the edges that are wrong; of one that cannot spin, the body.

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
    message = None if verdict is None else f"{verdict.status}: {unfollowed(verdict.message, verdict.remedy, plan)}"
    with _told(verdict):
        if plan.figure is not None:
            from massprops.report.figure import draw_body

            with _picture(plan.figure, result) as path:
                draw_body(
                    path, seen, properties, diagnosis_edges=edges, title=result.file, message=message, si=si
                )
        if plan.animate is not None and properties is not None and result.trajectory is not None:
            from massprops.report.animation import animate

            target = written_name(plan.animate, result.file)
            with whole_file(target) as path:
                animate(path, seen, properties, result.trajectory, progress=_progress(target, plan))
    if plan.html is None:
        return result
    from massprops.report.html.views import solid_view

    with contextlib.suppress(PictureError):  # nothing to draw: the page shows the numbers
        return result._replace(view=solid_view(seen, properties, edges))
    return result


def draw_plane(result: Result, plan: Plan) -> Result:
    """The same for a section; one that was refused has no region to draw."""
    if result.curve is None:
        return result
    with _told():
        if plan.figure is not None:
            from massprops.report.section_figure import draw_section

            with _picture(plan.figure, result) as path:
                draw_section(path, result.curve, result.section, title=result.file, si=result.unit is not None)
    if plan.html is None:
        return result
    from massprops.report.html.views import section_view

    with contextlib.suppress(PictureError):
        return result._replace(view=section_view(result.curve, result.section, plan.density))
    return result


def draw_refused_plane(result: Result, paths: Sequence[Outline], plan: Plan, verdict: MassPropsError) -> Result:
    """Draw the lines of a section that was refused, and where they are wrong.

    Parameters
    ----------
    result : Result
    paths : sequence of `massprops.core.curve.Path`
        In the coordinates of the file.
    plan : Plan
    verdict : MassPropsError
        Why it was not measured. Its points are in the coordinates of the paths.

    Raises
    ------
    Unwritable
        A picture cannot be drawn or written.
    """
    wrong = _points(verdict)
    with _told(verdict):
        if plan.figure is not None:
            from massprops.report.section_diagnosis import draw_refused_section

            with _picture(plan.figure, result) as path:
                told = f"{verdict.status}: {unfollowed(verdict.message, verdict.remedy, plan)}"
                draw_refused_section(path, paths, wrong, title=result.file, message=told)
    if plan.html is None:
        return result
    from massprops.report.html.views import refused_section_view

    with contextlib.suppress(PictureError):
        return result._replace(view=refused_section_view(paths, wrong))
    return result


def _points(verdict: MassPropsError) -> Floats:
    """The points that a verdict on a section names, shape (k, 2)."""
    where = np.asarray((verdict.diagnosis or {}).get("where", []), np.float64)
    return where if where.ndim == 2 and where.shape[1] == 2 else np.empty((0, 2))


def _picture(name: str, result: Result) -> contextlib.AbstractContextManager[Path]:
    return whole_file(written_name(name, result.file))


def _progress(target: Path, plan: Plan) -> Callable[[Iterable[int]], Iterable[int]] | None:
    """A progress bar of the frames of a film, where somebody sees it and no other process draws on the terminal."""
    has_bar = len(plan.inputs) > 1 and not sys.stdout.isatty()  # that of the inputs
    if not plan.watched or has_bar or multiprocessing.parent_process() is not None or not sys.stderr.isatty():
        return None
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    told = f"filming {escape(escaped(target.name))}"
    return partial(track, description=told, console=Console(stderr=True), transient=True)


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
