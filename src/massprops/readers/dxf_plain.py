"""Runs of plain DXF entities: their layers, and the paths that they draw."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from massprops.core.curve import Path
from massprops.readers.dxf_batches import Batch, batch_of
from massprops.readers.dxf_placement import Placement, placement_of
from massprops.readers.dxf_tags import Plain, Tags

_Z = 0.0, 0.0, 1.0
_IN_OCS = "CIRCLE", "ARC", "LWPOLYLINE", "POLYLINE"
"""Kinds that are given in the axes of their extrusion."""


class NotPlain(Exception):
    """An entity makes no sense, or another one than was thought."""


class Drawn(NamedTuple):
    """What an entity draws, None for nothing, and what is told of it."""

    layer: str
    path: Path | None
    is_tilted: bool
    is_wide: bool
    is_fitted: bool


@dataclass(frozen=True, eq=False)
class Run:
    """Plain entities that follow one another.

    Parameters
    ----------
    tags : Tags
        Of the whole file.
    entities : list of Plain
    """

    tags: Tags
    entities: list[Plain]

    @cached_property
    def layers(self) -> list[str]:
        """Name of the layer of each entity."""
        return [self.tags.values[entity.first + entity.form.at[8]] for entity in self.entities]

    @cached_property
    def _told(self) -> list[tuple[bool, bool]]:
        """Whether each is a polyline drawn with a width, and a spline given by points to pass through."""
        return [
            (_has_width(self.tags, entity), entity.kind == "SPLINE" and len(entity.form.rows[10]) == 0)
            for entity in self.entities
        ]

    @cached_property
    def _batches(self) -> list[tuple[list[int], Placement, Batch]]:
        """Positions of entities of one kind with one extrusion, their OCS, and the entities."""
        groups: dict[tuple[str, tuple[float, ...]], list[int]] = defaultdict(list)
        for k, entity in enumerate(self.entities):
            groups[entity.kind, _extrusion(self.tags, entity)].append(k)
        found = []
        for (kind, z), group in groups.items():
            batch = batch_of(kind, self.tags, [self.entities[k] for k in group], z)
            found.append((group, placement_of(z if kind in _IN_OCS else _Z), batch))
        return found

    def drawn(self, placement: Placement) -> list[Drawn]:
        """What each entity draws.

        Parameters
        ----------
        placement : Placement
            From the coordinates in which the entities are given, their OCS not included, to the world.

        Raises
        ------
        NotPlain
            One of them makes no sense.
        """
        found: list[Path | None] = [None] * len(self.entities)
        tilted = [False] * len(self.entities)
        try:
            for group, ocs, batch in self._batches:
                own = placement if batch.is_in_space else placement.of(ocs)
                for k, path, leans in zip(group, batch.paths(own), batch.tilted(own), strict=True):
                    found[k], tilted[k] = path, leans
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise NotPlain from error
        return [
            Drawn(layer, path, leans, *told)
            for layer, path, leans, told in zip(self.layers, found, tilted, self._told, strict=True)
        ]


def _extrusion(tags: Tags, entity: Plain) -> tuple[float, ...]:
    if 210 not in entity.form.at or entity.kind not in (*_IN_OCS, "ELLIPSE"):
        return _Z
    x, z = entity.first + entity.form.at[210], entity.first + entity.form.at.get(230, 0)
    return (*tags.numbers[x : x + 2].tolist(), float(tags.numbers[z]))


def _has_width(tags: Tags, entity: Plain) -> bool:
    if entity.kind == "LWPOLYLINE":
        if 43 in entity.form.at:
            return bool(tags.numbers[entity.first + entity.form.at[43]])
        return any(tags.numbers[entity.first + entity.form.rows[code]].any() for code in (40, 41))
    parts = ((entity.first, entity.form), *entity.vertices) if entity.kind == "POLYLINE" else ()
    return any(tags.numbers[k + form.at[code]] for k, form in parts for code in (40, 41) if code in form.at)
