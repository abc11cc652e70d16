"""Numbers of many plain DXF entities, as columns."""

from __future__ import annotations

import numpy as np

from massprops.core.surface import Floats
from massprops.readers.dxf_forms import Ints
from massprops.readers.dxf_tags import Plain, Tags

NULL = 1e-12
"""Vectors none of whose components is larger are null to ezdxf."""


def values_of(tags: Tags, members: list[Plain], code: int, missing: float = 0.0) -> Floats:
    """Numbers that stand once in each entity."""
    places = [entity.first + entity.form.at.get(code, 0) for entity in members]
    there = [code in entity.form.at for entity in members]
    return np.where(there, tags.numbers[places], missing)


def points_of(tags: Tags, members: list[Plain], code: int) -> Floats:
    """Points (n, 3) that stand once in each entity."""
    first = np.array([entity.first + entity.form.at[code] for entity in members])
    return np.stack([tags.numbers[first], tags.numbers[first + 1], values_of(tags, members, code + 20)], axis=1)


def rows_of(members: list[Plain], code: int) -> Ints:
    """Places of values that stand any number of times in each entity."""
    return np.concatenate([entity.first + entity.form.rows[code] for entity in members])


def counts_of(members: list[Plain], code: int) -> Ints:
    """How many of them each entity has."""
    return np.array([len(entity.form.rows[code]) for entity in members], np.intp)


def firsts_of(counts: Ints) -> Ints:
    """Where parts of so many values begin that follow one another."""
    firsts: Ints = np.cumsum(counts) - counts
    return firsts


def many_points(tags: Tags, members: list[Plain], code: int) -> Floats:
    """Points (n, 3) that stand any number of times in each entity."""
    x = rows_of(members, code)
    return np.stack([tags.numbers[x], tags.numbers[x + 1], tags.numbers[x + 2]], axis=1)
