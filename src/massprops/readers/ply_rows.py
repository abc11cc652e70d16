"""The body of a PLY file: tables, one after another, whose rows hold numbers and lists of numbers."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from massprops.errors import Unreadable
from massprops.number_of import number_of

Ints = NDArray[np.int64]
Body = bytes | memoryview

FORMATS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f4": "f", "f8": "d"}
"""NumPy's names of the types of numbers, and those of `struct`."""


@dataclass(frozen=True)
class Property:
    """A number of each row; with a `count` type, a list of numbers led by how many they are.

    Parameters
    ----------
    name : str
    kind : str
        Type of the number, or of the list's items, as NumPy spells it.
    count : str, optional
        Type of the list's length.
    is_single : bool
        Whether the number means a float32, although it is stored wider.
    """

    name: str
    kind: str
    count: str = ""
    is_single: bool = False


@dataclass(frozen=True)
class Element:
    """A table: so many rows of these properties, numbers in the byte order ``<``, ``>`` or ``=``."""

    name: str
    rows: int
    order: str
    properties: tuple[Property, ...] = ()

    @property
    def smallest(self) -> int:
        """Bytes of a row whose lists are empty."""
        return sum(np.dtype(p.count or p.kind).itemsize for p in self.properties)

    def place(self, *names: str) -> int:
        """Index of the property with one of these names."""
        for index, p in enumerate(self.properties):
            if p.name.lower() in names:
                return index
        raise Unreadable(f"the element {self.name} has no property {names[0]}")


def numbers_of(body: Body, place: int, element: Element, wanted: list[int]) -> tuple[NDArray[np.float64], int]:
    """Some properties of an element that are numbers; lists among them are passed over.

    Returns
    -------
    (ndarray, shape (rows, wanted), int)
        The numbers, exact in float64, and where the element ends.

    Raises
    ------
    Unreadable
        One that is wanted is a list; fewer rows than announced.
    """
    for index in wanted:
        if element.properties[index].count:
            raise Unreadable(f"the property {element.properties[index].name} of {element.name} is a list")
    columns, end = _columns(body, place, element, wanted)
    fields = np.empty((element.rows, len(wanted)))
    for column, index in enumerate(wanted):
        values = columns[column]
        with np.errstate(over="ignore", invalid="ignore"):
            fields[:, column] = values.astype(np.float32) if element.properties[index].is_single else values
    return fields, end


def _columns(body: Body, place: int, element: Element, wanted: list[int]) -> tuple[list[NDArray[Any]], int]:
    """Properties that are numbers, as they are stored, and where the element ends."""
    if element.rows == 0 or not _list_places(element):
        table, end = _table(body, place, element, [0] * len(_list_places(element)))
        return [table[f"{index}"] for index in wanted], end
    starts, lengths, end = _walk(body, place, element, element.rows)
    items = [np.dtype(element.properties[index].kind).itemsize for index in _list_places(element)]
    ends = starts + lengths * items
    last = element.properties[_list_places(element)[-1] + 1 :]
    begins = np.append(place, ends[:-1, -1] + sum(np.dtype(p.kind).itemsize for p in last))
    columns = []
    for index in wanted:
        before = element.properties[:index]
        lists = [k for k, p in enumerate(before) if p.count]
        behind = begins if not lists else ends[:, len(lists) - 1]
        gap = sum(np.dtype(p.kind).itemsize for p in before[lists[-1] + 1 if lists else 0 :])
        kind = np.dtype(element.order + element.properties[index].kind)
        columns.append(_gather(body, behind + gap, np.ones(element.rows, np.int64), kind))
    return columns, end


def lists_of(body: Body, place: int, element: Element, wanted: int) -> tuple[Ints, Ints, int]:
    """A property that is a list of integers.

    Returns
    -------
    (ndarray, shape (rows,), ndarray, shape (sum of lengths,), int)
        The lists' lengths, all their items in a row, and where the element ends.
    """
    p = element.properties[wanted]
    if not p.count:
        raise Unreadable(f"the property {p.name} of {element.name} is not a list")
    if element.rows == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64), place
    _, lengths, end = _walk(body, place, element, 1)
    if end + (element.rows - 1) * (end - place) <= len(body):
        table, end = _table(body, place, element, lengths[0].tolist())
        if all((table[f"{i} length"] == n).all() for i, n in zip(_list_places(element), lengths[0], strict=True)):
            items = table[f"{wanted}"]
            return np.full(element.rows, items.shape[1]), _whole(items.ravel(), element, p), end
    starts, lengths, end = _walk(body, place, element, element.rows)
    column = _list_places(element).index(wanted)
    items = _gather(body, starts[:, column], lengths[:, column], np.dtype(element.order + p.kind))
    return lengths[:, column], _whole(items, element, p), end


def end_of(body: Body, place: int, element: Element) -> int:
    """Where an element ends."""
    if element.rows == 0 or not element.properties:
        return place
    if any(p.count for p in element.properties):
        return _walk(body, place, element, element.rows)[2]
    return _table(body, place, element, ())[1]


def _list_places(element: Element) -> list[int]:
    return [index for index, p in enumerate(element.properties) if p.count]


def _table(body: Body, place: int, element: Element, lengths: list[int] | tuple[()]) -> tuple[NDArray[Any], int]:
    """The rows of an element all of whose rows have lists of the same lengths, and where they end."""
    fields: list[Any] = []
    left = iter(lengths)
    for index, p in enumerate(element.properties):
        if p.count:
            fields.append((f"{index} length", element.order + p.count))
            fields.append((f"{index}", element.order + p.kind, (next(left),)))
        else:
            fields.append((f"{index}", element.order + p.kind))
    layout = np.dtype(fields)
    end = place + element.rows * layout.itemsize
    if end > len(body):
        raise _cut_short(element, (len(body) - place) // layout.itemsize)
    return np.frombuffer(body, layout, element.rows, place) if element.rows else np.empty(0, layout), end


def _walk(body: Body, place: int, element: Element, rows: int) -> tuple[Ints, Ints, int]:
    """Where each list of each row begins, how long it is, and where the rows end.

    A loop over the rows, as each begins where the one before ends.
    """
    steps = []
    gap = 0
    for p in element.properties:
        if p.count:
            length = struct.Struct(element.order + FORMATS[p.count])
            steps.append((gap, length.size, length.unpack_from, np.dtype(p.kind).itemsize))
        gap = 0 if p.count else gap + np.dtype(p.kind).itemsize
    starts: list[int] = []
    lengths: list[int] = []
    try:
        for _ in range(rows):
            for before, width, unpack, item in steps:
                (count,) = unpack(body, place + before)
                if count < 0 or count != int(count):
                    raise Unreadable(f"{element.name} {len(lengths) // len(steps) + 1}: a list of {count} items")
                place += before + width
                starts.append(place)
                lengths.append(int(count))
                place += int(count) * item
            place += gap
    except (struct.error, OverflowError, ValueError):
        place = len(body) + 1
    if place > len(body):
        raise _cut_short(element, max(len(lengths) - 1, 0) // len(steps))
    shape = (rows, len(steps))
    return np.array(starts, np.int64).reshape(shape), np.array(lengths, np.int64).reshape(shape), place


def _cut_short(element: Element, found: int) -> Unreadable:
    announced = number_of(element.rows, f"row of {element.name} is", f"rows of {element.name} are")
    return Unreadable(f"cut short: {announced} announced, {max(found, 0)} there")


def _gather(body: Body, starts: Ints, lengths: Ints, kind: np.dtype[Any]) -> NDArray[Any]:
    """Items of lists that begin at some bytes, in a row."""
    first = np.cumsum(lengths) - lengths
    items = np.arange(int(lengths.sum())) * kind.itemsize + np.repeat(starts - first * kind.itemsize, lengths)
    found: NDArray[Any] = np.frombuffer(body, np.uint8)[items[:, None] + np.arange(kind.itemsize)].view(kind).ravel()
    return found


def _whole(values: NDArray[Any], element: Element, p: Property) -> Ints:
    """Numbers as integers."""
    with np.errstate(invalid="ignore"):
        whole = values.astype(np.int64)
    if not (whole == values).all():
        raise Unreadable(f"the property {p.name} of {element.name} has a value that is not an integer")
    return whole
