"""What a message advises, apart from what it says is wrong; both are put together here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

TOO_WIDE = "but that is wide for a crack"


@dataclass(frozen=True)
class Remedy:
    """A repair to try.

    Parameters
    ----------
    step : str
        The name of its flag, without hyphens.
    weld_tolerance : float, optional
        The width that it takes, as a fraction of the diagonal; None where none is known. Of ``fill_holes`` that of a
        weld which would close the surface as well, and is wide for a crack.
    with_sanitize : bool
        Whether ``--sanitize`` is needed beside it.
    is_default : bool
        Whether the width is the default one, which need not be given.

    Examples
    --------
    >>> str(Remedy("connect_nearby", 0.02)), str(Remedy("fill_holes", with_sanitize=True))
    ('try --connect_nearby --weld_tolerance 0.02', 'try --fill_holes with --sanitize')
    >>> str(Remedy("fill_holes", 0.02))
    'but that is wide for a crack; try --fill_holes'
    """

    step: str
    weld_tolerance: float | None = None
    with_sanitize: bool = False
    is_default: bool = False

    @property
    def is_weld(self) -> bool:
        """Whether vertices are to be joined."""
        return self.step == "connect_nearby"

    def __str__(self) -> str:
        tried = f"try --{self.step}" + " with --sanitize" * self.with_sanitize
        if self.weld_tolerance is None or self.is_default:
            return tried
        return f"{tried} --weld_tolerance {self.weld_tolerance:g}" if self.is_weld else f"{TOO_WIDE}; {tried}"


def advising(said: str, remedy: Remedy | None) -> str:
    """The whole message: what is wrong, and then what to try.

    >>> advising("closed, but inside-out", Remedy("sanitize")), advising("a weld closes it:", Remedy("connect_nearby"))
    ('closed, but inside-out; try --sanitize', 'a weld closes it: try --connect_nearby')
    """
    if remedy is None:
        return said
    return f"{said}{'' if said.endswith((':', ',')) else ';'} {remedy}"
