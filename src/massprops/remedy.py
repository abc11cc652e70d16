"""What a message advises, apart from what it says is wrong; both are put together here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Remedy:
    """A repair to try.

    Parameters
    ----------
    step : str
        The name of its flag, without hyphens.
    weld_tolerance : float, optional
        The width that it takes, as a fraction of the diagonal; None for the default one.
    with_sanitize : bool
        Whether ``--sanitize`` is needed beside it.

    Examples
    --------
    >>> str(Remedy("connect_nearby", 0.02)), str(Remedy("fill_holes", with_sanitize=True))
    ('try --connect_nearby --weld_tolerance 0.02', 'try --fill_holes with --sanitize')
    """

    step: str
    weld_tolerance: float | None = None
    with_sanitize: bool = False

    def __str__(self) -> str:
        width = "" if self.weld_tolerance is None else f" --weld_tolerance {self.weld_tolerance:g}"
        return f"try --{self.step}{width}" + " with --sanitize" * self.with_sanitize


def advising(said: str, remedy: Remedy | None) -> str:
    """The whole message: what is wrong, and then what to try.

    >>> advising("closed, but inside-out", Remedy("sanitize")), advising("a weld closes it:", Remedy("connect_nearby"))
    ('closed, but inside-out; try --sanitize', 'a weld closes it: try --connect_nearby')
    """
    if remedy is None:
        return said
    return f"{said}{'' if said.endswith(':') else ';'} {remedy}"
