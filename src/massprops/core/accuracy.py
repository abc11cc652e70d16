"""How right a result is: rigorous bounds of its round-off, carried from the kernel to the numbers printed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from massprops.core.inertia import MassProperties
from massprops.core.moments import AffineMap
from massprops.core.polyhedron import Integrals
from massprops.core.sums import U
from massprops.core.surface import Floats

_SLACK = 1.0 + 1e-9
"""Covers the round-off of the bounds themselves and their products of second order."""


@dataclass(frozen=True)
class Accuracy:
    """Upper bounds of absolute errors against exact arithmetic on the coordinates as measured.

    Parameters
    ----------
    volume : float
        L^3.
    center : float
        Of each coordinate; L.
    inertia : float
        Of each entry of the tensor about the centre of mass; M L^2.
    """

    volume: float
    center: float
    inertia: float

    @property
    def principal_moments(self) -> float:
        """Of each principal moment, by Weyl's inequality: the norm of the tensor's error; M L^2."""
        return 3.0 * self.inertia


def accuracy(found: Integrals, affine: AffineMap, properties: MassProperties) -> Accuracy:
    """Bounds of the errors of mass properties.

    With f = first / V the centre relative to the kernel's reference point, errors E of the integrals make at most

        centre  (E_first + |f| E_V) / (V - E_V)
        C       E_second + |f| E_first^T + E_first |f|^T + |f| |f|^T E_V + V |d|^2

    with d the error of the centre, and each result is rounded once. An affine map acts on the bounds as on the
    moments, with the absolute values of its matrix.

    Parameters
    ----------
    found : Integrals
        As the kernel gave them.
    affine : AffineMap
        What was applied to them.
    properties : MassProperties
        What came out.
    """
    matrix, scale = np.abs(affine.matrix.astype(np.float64)), abs(float(affine.determinant))
    e_volume = scale * found.round_off.volume
    e_first = scale * matrix @ found.round_off.first
    e_second = scale * matrix @ found.round_off.second @ matrix.T
    volume = abs(properties.volume)
    f = np.abs((found.moments.first / found.moments.volume).astype(np.float64)) @ matrix.T
    if e_volume >= volume:
        return Accuracy(e_volume, np.inf, np.inf)
    e_center = (e_first + f * e_volume) / (volume - e_volume)
    cross = np.outer(f, e_first)
    e_central = e_second + cross + cross.T + np.outer(f, f) * e_volume + volume * np.outer(e_center, e_center)
    e_inertia = properties.density * _tensor_bound(e_central)
    return Accuracy(
        _SLACK * (e_volume + U * volume),
        _SLACK * float((e_center + U * np.abs(properties.center)).max()),
        _SLACK * float((e_inertia + U * np.abs(properties.inertia)).max()),
    )


def _tensor_bound(e_central: Floats) -> Floats:
    bound = e_central.copy()
    np.fill_diagonal(bound, np.trace(e_central) - np.diag(e_central))
    return bound
