"""The lines that ``--spin`` adds to the text report."""

from __future__ import annotations

from collections.abc import Callable

from massprops.core.surface import Floats
from massprops.core.trajectory import Trajectory

LABEL = 22
"""Width of the labels, as in the rest of the report."""


def spin_lines(trajectory: Trajectory, es: Callable[[float], str]) -> list[str]:
    """What a spin came to: w at its start and end, how well energy and |L| were kept, and the flips.

    Parameters
    ----------
    trajectory : Trajectory
        From `massprops.core.spin.spin`, without torque.
    es : callable
        Formats one number in the report's width.

    Returns
    -------
    list of str
        Without line ends. Times and angular velocities are in the units of the duration; w is in the axes of the
        geometry, carried along with the body. Drifts are relative, the largest of the run.

    Examples
    --------
    >>> from massprops.core.spin import spin
    >>> lines = spin_lines(spin([1, 2, 3], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 1], 1.0), "{:23.15E}".format)
    >>> print(lines[0])
    spin, duration          1.000000000000000E+00
    >>> print(lines[-1])
      flips                                     0
    """

    def line(label: str, *numbers: float) -> str:
        return label.ljust(LABEL) + "".join(es(number + 0.0) for number in numbers)  # + 0.0: no negative zeros

    def triple(label: str, vector: Floats) -> str:
        return line(label, *vector.tolist())

    times, omega = trajectory.times, trajectory.omega_body
    return [
        line("spin, duration", float(times[-1])),
        line("  step", float(times[1])),
        "  angular velocity in the axes of the body, at the start and at the end:",
        triple("", omega[0]),
        triple("", omega[-1]),
        line("  kinetic energy", float(trajectory.energy[0])),
        triple("  angular momentum", trajectory.momentum[0]),
        line("  drift of energy", trajectory.energy_drift),
        line("  drift of |L|", trajectory.momentum_drift),
        "  flips".ljust(LABEL) + f"{trajectory.flips:23d}",
    ]
