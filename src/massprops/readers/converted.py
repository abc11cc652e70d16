"""Binary files that something on their way took for text, so that line ends or bytes beyond 127 were rewritten.

What they held is lost, but they may pass for files that are cut off or full of nonsense, or even for bodies.
"""

from __future__ import annotations

import codecs
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLE = 1 << 22
"""Bytes of a file that are looked at."""

_FEWEST_CHARACTERS = 16
_FEWEST_LINE_ENDS = 64
_FEWEST_DIFFERENT = 16
"""Places that must differ: a number that stands in a file many times may happen to have such bytes."""

_MARK = ord("?")
_LEAST_MARKED = 0.25
_TEXT = frozenset((9, 10, 13, *range(32, 127)))
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_ADVICE = "it was changed as if it were text on its way here; copy it again as a binary file"


def converted(sample: bytes) -> str | None:
    """What to say of binary data that have been changed so; None for others, and for text.

    Parameters
    ----------
    sample : bytes
        Of a file, from its beginning or from where its data begin.
    """
    return (reencoded(sample) or with_carriage_returns(sample)) if 0 in sample else None


def reencoded(sample: bytes) -> str | None:
    """The same of data that are UTF-8 throughout, as no binary data of some size are.

    >>> reencoded(bytes(range(256)).decode("latin-1").encode()).partition(":")[0]
    'its bytes beyond 127 are all UTF-8'
    >>> reencoded(bytes(range(256)))
    """
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return None
    characters, replaced = len(text) - sum(map(text.count, map(chr, range(128)))), text.count(_REPLACED)
    if characters < _FEWEST_CHARACTERS:
        return None
    if 2 * replaced > characters:
        return f"bytes beyond 127 were replaced, at {replaced} places by EF BF BD: {_ADVICE}"
    return f"its bytes beyond 127 are all UTF-8: {_ADVICE}"


def with_carriage_returns(sample: bytes) -> str | None:
    """The same of data each line feed of which follows a carriage return.

    >>> with_carriage_returns(bytes(range(256)))
    """
    ends = sample.count(b"\r\n")
    if ends < _FEWEST_LINE_ENDS or sample.count(b"\n") != ends:
        return None
    parts = sample.split(b"\r\n")
    places = {(before[-1:], behind[:1]) for before, behind in pairwise(parts)}
    different = sum(not _TEXT.issuperset(before + behind) for before, behind in places)
    return line_ends_told(ends) if different >= _FEWEST_DIFFERENT else None


def line_ends_told(ends: int) -> str:
    """What to say of such data."""
    return f"each of its line feeds, {ends} at least, follows a carriage return: {_ADVICE}"


def with_question_marks(coordinates: NDArray[Any]) -> str | None:
    """The same of coordinates whose bytes beyond 127 are question marks.

    The lowest byte of a number is the one that tells, as it is any; others are question marks in sound files, too.

    Parameters
    ----------
    coordinates : ndarray
        As they are stored, from data without bytes beyond 127.

    >>> with_question_marks(np.linspace(0.5, 0.9, 1000, dtype=np.float32))
    """
    flat = np.ascontiguousarray(coordinates, coordinates.dtype.newbyteorder("<")).ravel()
    lowest = flat.view(np.uint8).reshape(len(flat), -1)[:, 0] == _MARK
    if np.count_nonzero(lowest) < _LEAST_MARKED * len(flat) or len(np.unique(flat[lowest])) < _FEWEST_DIFFERENT:
        return None
    return f"question marks stand for its bytes beyond 127: {_ADVICE}"
