"""Numbers that poses, tensors and motions are given: arrays of the right shape, all of them finite."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from massprops.core.surface import Floats


class FrameError(ValueError):
    """A pose, a tensor or a vector is not what it should be."""


def checked(what: str, values: ArrayLike, *shape: int) -> Floats:
    """The values as a new float array of the given shape (-1: any number), all of them finite.

    Raises
    ------
    FrameError
        They are not numbers, have another shape, or one is NaN or infinite.

    Examples
    --------
    >>> checked("points", [[1, 2, 3]], -1, 3)
    array([[1., 2., 3.]])
    """
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise FrameError(f"{what}: not an array of numbers; give {_numbers(shape)}") from None
    if array.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, array.shape, strict=True)):
        raise FrameError(f"{what}: of shape {_size(array.shape)}; give {_numbers(shape)}")
    if not np.isfinite(array).all():
        raise FrameError(f"{what}: {array[~np.isfinite(array)][0]:g} among its numbers; all must be finite")
    return array


def _size(shape: tuple[int, ...]) -> str:
    return " x ".join("n" if n < 0 else str(n) for n in shape) or "one number"


def _numbers(shape: tuple[int, ...]) -> str:
    return _size(shape) + " numbers" * bool(shape)


def fitting(what: str, result: Floats) -> Floats:
    """The result, unless it has left the range of float64.

    Raises
    ------
    FrameError
        A number in it is not finite.
    """
    if not np.isfinite(result).all():
        raise FrameError(f"{what}: too large for a float64; use a larger unit")
    return result


def is_row(values: ArrayLike) -> bool:
    """Whether the values are one point rather than a list of points."""
    try:
        return np.ndim(values) == 1
    except ValueError:  # rows of several lengths
        return False
