"""Whole numbers that go up by equal steps, many short runs of them at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_MANY = 64
"""Runs for each number of the longest one, from which on it pays to go along all of them at once, a step a number: to
repeat something now twice, now seven times costs a processor a wrong guess each time."""

_MOST = 255
"""Numbers from which a run is one of the longest: lengths are then bytes, which are put in order in two passes."""


def counted_up(first: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Numbers that follow on one another.

    Parameters
    ----------
    first, length : ndarray of int, shape (n,)
        The first number of each run, and how many there are.

    Returns
    -------
    ndarray of int
        Of each number the run that it belongs to.
    ndarray of int
        The numbers, run by run.

    Examples
    --------
    >>> counted_up(np.array([5, 0, -2]), np.array([2, 0, 3]))
    (array([0, 0, 2, 2, 2]), array([ 5,  6, -2, -1,  0]))
    """
    owner = np.repeat(np.arange(len(length)), length)
    return owner, np.arange(len(owner)) + (first - np.cumsum(length) + length).take(owner)


def by_length(length: Ints) -> Ints:
    """The runs of one number or more, the shorter ones first; all of `_MOST` numbers or more come last, in any order.

    Examples
    --------
    >>> by_length(np.array([3, 0, 1, 2, 0])).tolist()
    [2, 3, 0]
    """
    order = np.argsort(np.minimum(length, _MOST).astype(np.uint8), kind="stable")
    return order[len(length) - np.count_nonzero(length) :]


def stepped_up(first: Ints, step: Ints, length: Ints) -> Ints:
    """All ``first[i] + k * step[i]`` with ``0 <= k < length[i]``, in no order that has a meaning.

    Parameters
    ----------
    first, step, length : ndarray of int64, shape (n,)
        In the order of `by_length`. Products that leave the range of an int64 wrap around.

    Examples
    --------
    >>> sorted(stepped_up(np.array([0, 5]), np.array([-1, 10]), np.array([2, 3])).tolist())
    [-1, 0, 5, 15, 25]
    """
    most = int(length[-1]) if length.size else 0
    if most >= _MOST or most * _MANY > len(length):
        return _one_by_one(first, step, length)
    found = [first]
    for ended in np.bincount(length)[1:-1].tolist():
        step = step[ended:]
        first = first[ended:] + step
        found.append(first)
    return np.concatenate(found)


def _one_by_one(first: Ints, step: Ints, length: Ints) -> Ints:
    base = first - (np.cumsum(length) - length) * step  # wraps around, and back again in what follows
    base = base.repeat(length)
    found = np.arange(len(base), dtype=np.int64)
    found *= step.repeat(length)
    found += base
    return found
