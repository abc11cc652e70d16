"""What is asked of the program, as one frozen value, and the refusal of what makes no sense."""

from __future__ import annotations

import math
from dataclasses import dataclass

from massprops.core.affine_map import AffineMap
from massprops.core.tolerances import WELD_TOLERANCE
from massprops.core.units import UNITS
from massprops.errors import PlanError
from massprops.finite import check_finite
from massprops.motion import Vector
from massprops.targets import STANDARD_INPUT, check_written

WINDINGS, FILL_RULES = ("nesting", "as_drawn"), ("evenodd", "nonzero")
"""Values of ``--winding`` and ``--fill``."""

SPIN_METHODS = ("rk4", "dop853")
"""Values of ``--spin_method``."""

MOST_LINES = 1024
"""Largest number of lines a side of the cross-check."""

FILE_UNIT = "file"
"""The value of ``--units`` that takes the unit from the file."""

_UNIT_NAMES = {
    "um": "micron microns micrometre micrometer micrometres micrometers \u00b5m \u03bcm",
    "mm": "millimetre millimeter millimetres millimeters",
    "cm": "centimetre centimeter centimetres centimeters",
    "m": "metre meter metres meters",
    "in": "inch inches",
    "ft": "foot feet",
}
"""What people call the units, apart from their symbols."""


def unit_symbol(name: str) -> str:
    """The symbol of a unit by any of its names, in capitals or not; what is not known is left as it is.

    >>> [unit_symbol(name) for name in ("Inches", "MM", "file", "furlong")]
    ['in', 'mm', 'file', 'furlong']
    """
    lower = name.strip().lower()
    if lower in (*UNITS, FILE_UNIT):
        return lower
    return next((symbol for symbol, names in _UNIT_NAMES.items() if lower in names.split()), name)


@dataclass(frozen=True)
class SpinPlan:
    """A free spin about the centre of mass.

    Parameters
    ----------
    omega : tuple of float
        Angular velocity at the start, in the axes of the coordinates; radians / time.
    duration, step : float
        Of the motion, and between samples; time.
    method : str
        ``rk4`` or ``dop853``.
    csv : str or None
        Where the samples are written to; may hold ``{stem}``.
    """

    omega: Vector
    duration: float = 1.0
    step: float = 1e-3
    method: str = "rk4"
    csv: str | None = None

    def __post_init__(self) -> None:
        check_finite("--spin", self.omega)
        if not any(self.omega):
            raise PlanError("--spin 0 0 0: without spin the body stays as it is")
        for flag, value in (("--duration", self.duration), ("--step", self.step)):
            if not (math.isfinite(value) and value > 0):
                raise PlanError(f"{flag} {value:g}: a time is finite and greater than 0")
        if self.method not in SPIN_METHODS:
            raise PlanError(f"--spin_method {self.method}: known are {', '.join(SPIN_METHODS)}")


@dataclass(frozen=True)
class Plan:
    """One run of the program.

    Parameters
    ----------
    inputs : tuple of str
        Paths, in order; ``-`` is standard input.
    mass_properties : bool
        Whether mass properties are wanted, or the statistics of each input.
    density : float
        Uniform density; M L^-3.
    about : tuple of float or None
        A point about which the tensor is wanted as well, in the coordinates after the chain; two numbers for sections,
        three for bodies, of which sections take the first two; L.
    exact : bool
        Whether hairline cracks are refused.
    units : str or None
        The unit of the coordinates, or ``file``; None leaves numbers pure.
    format : str or None
        The format of the inputs, where it cannot be told.
    affine : AffineMap
        Mirror, resize, rotate, translate, in this order.
    clip : tuple of float or None
        Two opposite corners of a box; facets that do not touch it are dropped; L.
    merge : str or None
        A file whose facets are added to each input.
    connect_nearby, sanitize, fill_holes : bool
        The repairs of `massprops.core.repair`.
    weld_tolerance : float
        Widest crack that is welded, as a fraction of the diagonal of the box.
    max_hole_edges : int or None
        Holes with longer edges are left open.
    output : str or None
        Where the mesh as changed is written to; may hold ``{stem}``.
    overwrite : bool
        Whether a file that exists may be replaced.
    check_lines : int or None
        Lines a side of the cross-check; 0 turns it off, None leaves the number to it.
    verify : bool
        Whether all properties are counted along lines as well.
    spin : SpinPlan or None
        A motion to be computed for each body.
    figure, animate : str or None
        Where a picture, and a film of the motion, are written to; may hold ``{stem}``.
    html : str or None
        Where the page about all inputs is written to.
    watched : bool
        Whether somebody may be shown how far a film is.
    layers : tuple of str or None
        Layers of a DXF drawing to be read.
    winding : str
        Of sections: ``nesting`` or ``as_drawn``.
    fill : str or None
        Of sections: the rule, ``evenodd`` or ``nonzero``, by which loops that cross are filled.
    bounds : bool
        Whether bounds of round-off are printed.
    along_z : tuple of str
        Flags given, without hyphens, that move, resize or mirror along z only.
    files_from : str or None
        The list in which inputs are named, which must stay.
    """

    inputs: tuple[str, ...]
    mass_properties: bool = False
    density: float = 1.0
    about: tuple[float, ...] | None = None
    exact: bool = False
    units: str | None = None
    format: str | None = None
    affine: AffineMap = AffineMap.identity()  # noqa: RUF009 (a frozen value)
    clip: tuple[float, ...] | None = None
    merge: str | None = None
    connect_nearby: bool = False
    sanitize: bool = False
    fill_holes: bool = False
    weld_tolerance: float = WELD_TOLERANCE
    max_hole_edges: int | None = None
    output: str | None = None
    overwrite: bool = False
    check_lines: int | None = None
    verify: bool = False
    spin: SpinPlan | None = None
    figure: str | None = None
    animate: str | None = None
    html: str | None = None
    watched: bool = False
    layers: tuple[str, ...] | None = None
    winding: str = "nesting"
    fill: str | None = None
    bounds: bool = False
    along_z: tuple[str, ...] = ()
    files_from: str | None = None

    def __post_init__(self) -> None:
        if not self.inputs:
            if self.files_from is not None:
                raise PlanError(f"--files_from {self.files_from}: no input; it names no file")
            raise PlanError("no input; name a file, or - for standard input")
        if not (math.isfinite(self.density) and self.density > 0):
            raise PlanError(f"--density {self.density:g}: a density is finite and greater than 0")
        if self.about is not None:
            check_finite("--about", self.about)
        if self.units is not None and self.units not in {*UNITS, FILE_UNIT}:
            raise PlanError(
                f"--units {self.units}: known are {', '.join(UNITS)} and file; reach others by --resize_factor"
            )
        if self.inputs.count(STANDARD_INPUT) + len(self.inputs) * (self.merge == STANDARD_INPUT) > 1:
            raise PlanError("standard input can be read only once")
        if self.winding not in WINDINGS:
            raise PlanError(f"--winding {self.winding}: known are {', '.join(WINDINGS)}")
        if self.fill is not None and self.fill not in FILL_RULES:
            raise PlanError(f"--fill {self.fill}: known are {', '.join(FILL_RULES)}")
        if self.clip is not None:
            check_finite("--clip", self.clip)
        if not 0 < self.weld_tolerance < 1:
            raise PlanError(f"--weld_tolerance {self.weld_tolerance:g}: a fraction of the box, between 0 and 1")
        if self.check_lines is not None and not 0 <= self.check_lines <= MOST_LINES:
            raise PlanError(f"--check_lines {self.check_lines}: from 0 to {MOST_LINES}")
        if self.verify and self.check_lines == 0:
            raise PlanError("--verify counts along lines: --check_lines 0 leaves it none")
        self._check_companions()
        names = {
            "--output": self.output,
            "--spin_csv": None if self.spin is None else self.spin.csv,
            "--figure": self.figure,
            "--animate": self.animate,
            "--html": self.html,
        }
        check_written(names, self.inputs, (self.merge, self.files_from), self.overwrite)

    @property
    def repairs(self) -> bool:
        """Whether any link of the chain changes facets."""
        is_given = self.clip is not None or self.merge is not None
        return is_given or self.connect_nearby or self.sanitize or self.fill_holes

    @property
    def draws(self) -> bool:
        """Whether anything is drawn."""
        return self.figure is not None or self.animate is not None or self.html is not None

    def _check_companions(self) -> None:
        """Refuse flags that would do nothing for want of another."""
        for flag, is_given in (("--spin", self.spin is not None), ("--verify", self.verify)):
            if is_given and not self.mass_properties:
                raise PlanError(f"{flag} needs --mass_properties")
        if self.animate is not None and self.spin is None:
            raise PlanError("--animate needs --spin")
        if self.draws and not self.mass_properties:
            raise PlanError("--figure, --animate and --html need --mass_properties")
        if self.max_hole_edges is not None and not self.fill_holes:
            raise PlanError("--max_hole_edges needs --fill_holes")
        if self.weld_tolerance != WELD_TOLERANCE and not (self.connect_nearby or self.sanitize):
            raise PlanError("--weld_tolerance needs --connect_nearby or --sanitize")
