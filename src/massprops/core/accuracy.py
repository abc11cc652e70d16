"""How right a result is: rigorous bounds of its round-off, carried from the kernel to the numbers printed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from massprops.core.affine_map import AffineMap
from massprops.core.exact_numbers import Rationals
from massprops.core.inertia import MassProperties
from massprops.core.polyhedron import Integrals
from massprops.core.sums import U
from massprops.core.surface import Floats

_SLACK = 1.0 + 1e-9
"""Covers the round-off of the bounds themselves."""

_TINY = 2.0**-1070
"""Covers what is lost where results or bounds are below the smallest normal float64."""


class Accuracy(NamedTuple):
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

        centre  d = (E_first + |f| E_V) / (V - E_V)
        C       E_second + |f| E_first^T + E_first |f|^T + |f| |f|^T E_V + (V + E_V) d d^T

    and each result is rounded once. An affine map acts on the bounds as on the moments, with the absolute values of
    its matrix. Everything is worked out per volume and in a length of the body's size, so that it fits a float64
    whatever the size and the factors are.

    Parameters
    ----------
    found : Integrals
        As the kernel gave them; the bound of the volume less than the volume.
    affine : AffineMap
        What was applied to them.
    properties : MassProperties
        What came out.
    """
    bound, moments = found.round_off, found.moments
    volume, outer = abs(moments.volume), np.multiply.outer
    stretch, matrix = _magnitudes(affine)
    exponent = (_exponent(moments.second.flat) - _exponent([volume])) // 2
    f = matrix @ _floats(moments.first, volume, exponent)
    e_volume, rest = _floats(np.array([bound.volume, volume - Fraction(bound.volume)]), volume)
    e_first = matrix @ _floats(bound.first, volume, exponent)
    e_second = matrix @ _floats(bound.second, volume, 2 * exponent) @ matrix.T
    e_center = (e_first + f * e_volume) / rest
    cross, square = outer(f, e_first), outer(e_center, e_center)
    e_central = e_second + cross + cross.T + outer(f, f) * e_volume + (1.0 + e_volume) * square
    length = math.ldexp(1.0, exponent + stretch)
    e_inertia = (properties.mass * length) * (length * _tensor_bound(e_central))  # in this order it fits a float64
    return Accuracy(
        _rounded([properties.volume * float(e_volume)], [properties.volume]),
        _rounded((length * e_center).tolist(), properties.center.tolist()),
        _rounded(e_inertia.ravel().tolist(), properties.inertia.ravel().tolist()),
    )


@lru_cache(maxsize=1)
def _magnitudes(affine: AffineMap) -> tuple[int, Floats]:
    """Absolute values of a matrix, in units of a power of two; one map is for all inputs of a run."""
    stretch = _exponent(affine.matrix.flat)
    return stretch, _floats(affine.matrix, Fraction(1), stretch)


def _rounded(errors: Sequence[float], results: Sequence[float]) -> float:
    """The largest bound of errors of results that are rounded once more."""
    return _SLACK * max(error + U * abs(result) for error, result in zip(errors, results, strict=True)) + _TINY


def _exponent(values: Iterable[Fraction]) -> int:
    """The power of two next to the largest of some fractions, give or take one."""
    return max((v.numerator.bit_length() - v.denominator.bit_length() for v in values if v), default=0)


def _floats(values: Rationals | Floats, unit: Fraction, exponent: int = 0) -> Floats:
    """Absolute values of fractions or floats, counted in 2^exponent units, each rounded once: integers' quotients."""
    top, bottom = unit.numerator << max(exponent, 0), unit.denominator << max(-exponent, 0)
    pairs = (value.as_integer_ratio() for value in values.flat)
    return np.array([abs(n) * bottom / (d * top) for n, d in pairs]).reshape(values.shape)


def _tensor_bound(e_central: Floats) -> Floats:
    bound, diagonal = e_central.copy(), e_central.diagonal()
    bound.flat[::4] = diagonal.sum() - diagonal
    return bound
