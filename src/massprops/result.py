"""What became of one input: the value that reports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from massprops.core.accuracy import Accuracy
from massprops.core.inertia import MassProperties
from massprops.core.notice import Notice
from massprops.remedy import Remedy

if TYPE_CHECKING:  # values of steps that most runs do not take
    from massprops.core.curve import Curve
    from massprops.core.raster import Counted as Squares
    from massprops.core.repair import Record
    from massprops.core.section_properties import SectionProperties
    from massprops.core.section_statistics import SectionStatistics
    from massprops.core.statistics import Statistics
    from massprops.core.trajectory import Trajectory
    from massprops.core.winding import WindingCheck

OK = "ok"


class Result(NamedTuple):
    """One input after the chain.

    Parameters
    ----------
    file : str
        The path as given.
    format : str or None
        The format it was read as; None when it was not read.
    status : str
        ``ok``, or the verdict for which it was not measured.
    message : str or None
        Why it was not measured, and what to try.
    facets : int or None
        Number of facets measured.
    properties : MassProperties or None
        None when it was not measured, or not asked for.
    accuracy : Accuracy or None
        Bounds of the errors of ``properties``.
    check : WindingCheck or None
        What parallel lines through the body counted; None when that was turned off.
    counted : MassProperties or None
        All of them as counted along lines, when that was asked for.
    trajectory : Trajectory or None
        The motion that was asked for.
    section : SectionProperties or None
        Of a plane section, in place of ``properties``.
    section_statistics : SectionStatistics or None
        Of a plane section, when its properties were not asked for.
    curve : Curve or None
        Its boundary, as measured.
    squares : Counted or None
        Its area, centroid and polar moment as counted, when that was asked for.
    view : report.html.views.HtmlView or None
        What the HTML page shows of it.
    statistics : Statistics or None
        None when they were not asked for, or the input was not read.
    before : Statistics or None
        The same before the repairs.
    repairs : tuple of Record
        What each repair did.
    warnings : tuple of Notice
        What should be told beside the numbers.
    diagnosis : mapping or None
        What is wrong, in numbers.
    unit : str or None
        Symbol of the unit that the coordinates were given in; results are then in SI.
    kind : str
        ``solid`` or ``section``.
    remedy : Remedy or None
        What the message ends in, as `massprops.remedy.advising` puts it.
    """

    file: str
    format: str | None = None
    status: str = OK
    message: str | None = None
    facets: int | None = None
    properties: MassProperties | None = None
    accuracy: Accuracy | None = None
    check: WindingCheck | None = None
    counted: MassProperties | None = None
    trajectory: Trajectory | None = None
    section: SectionProperties | None = None
    section_statistics: SectionStatistics | None = None
    curve: Curve | None = None
    squares: Squares | None = None
    view: Any = None
    statistics: Statistics | None = None
    before: Statistics | None = None
    repairs: tuple[Record, ...] = ()
    warnings: tuple[Notice, ...] = ()
    diagnosis: Mapping[str, Any] | None = None
    unit: str | None = None
    kind: str = "solid"
    remedy: Remedy | None = None

    @property
    def is_ok(self) -> bool:
        """Whether the input was measured."""
        return self.status == OK
