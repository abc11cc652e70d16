"""What became of one input: the value that reports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from massprops.core.inertia import MassProperties
from massprops.core.notice import Notice
from massprops.core.statistics import Statistics

OK = "ok"


@dataclass(frozen=True)
class Result:
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
    statistics : Statistics or None
        None when they were not asked for, or the input was not read.
    warnings : tuple of Notice
        What should be told beside the numbers.
    diagnosis : mapping or None
        What is wrong, in numbers.
    unit : str or None
        Symbol of the unit that the coordinates were given in; results are then in SI.
    """

    file: str
    format: str | None = None
    status: str = OK
    message: str | None = None
    facets: int | None = None
    properties: MassProperties | None = None
    statistics: Statistics | None = None
    warnings: tuple[Notice, ...] = ()
    diagnosis: Mapping[str, Any] | None = None
    unit: str | None = None
    kind: str = "solid"

    @property
    def is_ok(self) -> bool:
        """Whether the input was measured."""
        return self.status == OK
