"""``--spin_csv``: the motion of a spinning body as a table."""

from __future__ import annotations

from typing import TextIO

import numpy as np

from massprops.core.trajectory import Trajectory

COLUMNS = ("time", "wx", "wy", "wz", "qw", "qx", "qy", "qz", "Lx", "Ly", "Lz", "energy")
"""
======== ===========================================================================================================
time     from 0 to the duration
wx wy wz angular velocity in the axes of the body's geometry, carried along with it; radians / time
qw .. qz unit quaternion of the body's turn since time 0: L = q (I w) q*, I the tensor of the report
Lx Ly Lz angular momentum about the centre of mass, in space
energy   kinetic energy of the rotation
======== ===========================================================================================================
"""


def write_spin_csv(trajectory: Trajectory, stream: TextIO) -> None:
    """Write a header and a line a sample: commas, points, numbers in shortest round-trip form, lines ending in LF.

    Parameters
    ----------
    trajectory : Trajectory
        From `massprops.core.spin.spin`.
    stream : text stream
        Open for writing (with ``newline=""`` or ``"\\n"``, so that the ends of lines stay as they are).
    """
    table = np.column_stack(
        [
            trajectory.times,
            trajectory.omega_body,
            trajectory.orientation,
            trajectory.momentum,
            trajectory.energy,
        ]
    )
    stream.write(",".join(COLUMNS) + "\n")
    stream.writelines(",".join(map(repr, row)) + "\n" for row in (table + 0.0).tolist())
