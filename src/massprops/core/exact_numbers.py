"""Numbers of any kind that people have at hand, as exact fractions; what is none is refused by name.

A density may be a Python number, a NumPy scalar of any width, an array without dimensions, a Fraction or a Decimal:
each is one rational number, and no digit of it is lost on the way.
"""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rationals = NDArray[Any]
"""An array of `fractions.Fraction` (dtype object)."""

Numbers = Any
"""A real number of any kind, or a nested sequence or array of them."""

LARGEST = Fraction(sys.float_info.max)
"""The largest float64."""


class Quotients(NamedTuple):
    """Fractions over one denominator: sums and products of integers need no search for common divisors.

    ``numerators`` is an array of int (dtype object); ``denominator`` may be negative.

    Examples
    --------
    >>> Quotients.of(np.array([Fraction(1, 2), Fraction(2, 3)]))
    Quotients(numerators=array([3, 4], dtype=object), denominator=6)
    """

    numerators: NDArray[Any]
    denominator: int

    @classmethod
    def of(cls, values: Rationals) -> Quotients:
        """The same numbers over their least common denominator."""
        numerators, denominator = over_one_denominator(values.flat)
        return cls(np.array(numerators, dtype=object).reshape(values.shape), denominator)

    @property
    def rationals(self) -> Rationals:
        """The same numbers as fractions in lowest terms."""
        found = [Fraction(numerator, self.denominator) for numerator in self.numerators.flat]
        return np.array(found, dtype=object).reshape(self.numerators.shape)

    @property
    def floats(self) -> NDArray[np.float64]:
        """Each number, rounded once.

        Raises
        ------
        OverflowError
            One is larger than any float64.
        """
        found = [numerator / self.denominator for numerator in self.numerators.flat]
        return np.array(found).reshape(self.numerators.shape)


def over_one_denominator(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """Numerators of some fractions over their least common denominator, and that.

    >>> over_one_denominator([Fraction(1, 2), Fraction(2, 3)])
    ([3, 4], 6)
    """
    ratios = [value.as_integer_ratio() for value in values]
    denominator = math.lcm(*(d for _, d in ratios))
    return [n * (denominator // d) for n, d in ratios], denominator


def exact(value: Any) -> Fraction:
    """A real number of any kind as a fraction.

    Raises
    ------
    TypeError
        It is no real number.
    ValueError, OverflowError
        It is NaN, or infinite.

    Examples
    --------
    >>> exact(np.float32(0.1)) == exact(float(np.float32(0.1))), exact(Decimal("0.1")), exact(np.array(3))
    (True, Fraction(1, 10), Fraction(3, 1))
    """
    if isinstance(value, (float, int, Fraction)):
        return Fraction(value)
    if type(value) is np.ndarray and value.ndim == 0:
        return exact(value[()])
    if isinstance(value, np.timedelta64):  # an integer for NumPy
        raise TypeError(f"a number is wanted, not {_kind(value)}")
    if isinstance(value, numbers.Integral):
        return Fraction(int(value))
    if isinstance(value, numbers.Rational):
        return Fraction(value)
    if isinstance(value, (np.floating, Decimal)):  # of which Fraction takes only some
        return Fraction(*value.as_integer_ratio())
    raise TypeError(f"a number is wanted, not {_kind(value)}")


def rationals(values: Numbers) -> Rationals:
    """The same numbers as exact fractions, of any shape."""
    array = np.array(values, dtype=object, order="C")  # in any other order, what is flattened would be a copy
    flat = array.reshape(-1)
    flat[:] = [value if isinstance(value, Fraction) else exact(value) for value in flat.tolist()]
    return array


def real(value: Any, name: str) -> Fraction:
    """An argument that is a finite real number, of any size.

    Raises
    ------
    TypeError
        It is something else.
    ValueError
        It is not finite.
    """
    if isinstance(value, bool):  # an int for Python, and hardly one for whoever wrote it
        raise TypeError(f"{name}: a number is wanted, not {value}")
    try:
        found = exact(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    except (ValueError, OverflowError):
        raise ValueError(f"{name} {value}: a finite number is wanted") from None
    return found


def positive(value: Any, name: str) -> Fraction:
    """An argument that is a number greater than 0, and that a float64 holds.

    Raises
    ------
    TypeError
        It is no number.
    ValueError
        It is not finite, not positive, or out of the range of float64.

    Examples
    --------
    >>> positive(np.int64(7850), "density")
    Fraction(7850, 1)
    >>> positive(-1.5, "density")
    Traceback (most recent call last):
    ValueError: density -1.5: a number greater than 0 is wanted
    """
    found = real(value, name)
    if abs(found) > LARGEST:
        raise ValueError(f"{name}: a number too large for double precision")
    if found <= 0:
        raise ValueError(f"{name} {float(found)}: a number greater than 0 is wanted")
    if not float(found):
        raise ValueError(f"{name}: a number too small for double precision")
    return found


def exact_array(values: Any, shape: tuple[int, ...], name: str) -> Rationals:
    """An argument that is an array, or nested sequences, of finite real numbers of a given shape.

    Parameters
    ----------
    values : array_like
    shape : tuple of int
        What is wanted, to the letter: nothing is broadcast or flattened.
    name : str
        Of the argument.

    Raises
    ------
    TypeError
        An entry is no number.
    ValueError
        Another shape; an entry that is masked or not finite.

    Examples
    --------
    >>> exact_array([1, 0.5, np.float32(2)], (3,), "about").tolist()
    [Fraction(1, 1), Fraction(1, 2), Fraction(2, 1)]
    >>> exact_array([1, 0.5], (3,), "about")
    Traceback (most recent call last):
    ValueError: about: 3 numbers are wanted, not 2
    """
    if is_masked(values):
        raise ValueError(f"{name}: some entries are masked")
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(f"{name}: {_wanted(shape)}, not {_kind(values)}")
    try:
        array = np.array(values, dtype=object, order="C")  # in any other order, what is flattened would be a copy
    except ValueError:  # of nested sequences that are ragged
        raise ValueError(f"{name}: {_wanted(shape)}") from None
    if array.shape != shape:
        raise ValueError(f"{name}: {_wanted(shape)}, not {_counted(values, array.shape)}")
    flat = array.reshape(-1)
    flat[:] = [value if type(value) is Fraction else real(value, name) for value in flat.tolist()]
    return array


def check_fractions(kind: str, *parts: tuple[Any, tuple[int, ...]], number: Any = Fraction(0)) -> None:
    """Refuse what a constructor is given in place of fractions: floats among them would take digits from all.

    Parameters
    ----------
    kind : str
        The class.
    *parts : tuple
        Arrays, each with the shape that it is to have.
    number : Fraction, optional
        A number beside them.

    Raises
    ------
    TypeError
        One is something else.
    """
    types = {type(number)}
    for array, shape in parts:
        if isinstance(array, np.ndarray) and array.shape == shape:
            types.update(map(type, array.ravel().tolist()))
        else:
            types.add(type(array))
    if types != {Fraction}:
        raise TypeError(f"{kind}: arrays of fractions are wanted; {kind}.of makes them from numbers of any kind")


def is_masked(values: Any) -> bool:
    """Whether an array has a mask that hides some of it: what lies under a mask must not be taken for a value."""
    # Naming np.ma imports it, which takes longer than measuring a part; without it there are no masked arrays.
    return "numpy.ma" in sys.modules and bool(np.ma.is_masked(values))


def _wanted(shape: tuple[int, ...]) -> str:
    return f"{' x '.join(map(str, shape))} numbers are wanted"


def _counted(values: Any, shape: tuple[int, ...]) -> str:
    if not shape:
        return _kind(values)
    return f"{shape[0]}" if len(shape) == 1 else f"an array of shape {shape}"


def _kind(value: Any) -> str:
    """The type of a value, in words."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return "None" if value is None else f"a value of type {type(value).__name__}"
