"""What the settings of a slicer, in its 3MF files, say to be no body: modifiers, supports, and what is cut away.

PrusaSlicer and its kin store all volumes of an object as one mesh, and name in `Metadata/Slic3r_PE_model.config` the
triangles of each, from ``firstid`` to ``lastid``, and its ``volume_type``; older ones its ``modifier``. Bambu Studio
and OrcaSlicer store each part as a component, mostly of the type ``other``, and name its ``subtype`` in
`Metadata/model_settings.config`.

Source: the files that these programs write; neither format is a part of 3MF.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from massprops.errors import Unreadable
from massprops.readers.packages import Archive, content
from massprops.readers.safe_xml import xml_tree

RANGES, COMPONENTS = "Metadata/Slic3r_PE_model.config", "Metadata/model_settings.config"
BODIES = ("ModelPart", "normal_part")
NEGATIVE = ("NegativeVolume", "negative_part")


@dataclass
class NoBodies:
    """Parts of objects that are no bodies, by the number of the object in the package's first model.

    Parameters
    ----------
    ranges : mapping of str to list of (int, int, str)
        The first and the last triangle of each, counted from 0, and its kind.
    components : mapping of str to mapping of str to str
        The kinds of components, by the number of the object that they place.
    unread : str
        Why settings that are there could not be read; empty if they could.
    """

    ranges: defaultdict[str, list[tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(list))
    components: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    unread: str = ""


def no_bodies(archive: Archive) -> NoBodies:
    """What the settings in a package say to be no body."""
    found = NoBodies()
    for name, read in ((RANGES, _read_ranges), (COMPONENTS, _read_components)):
        try:
            data = content(archive, name)
            if data is not None:
                read(found, data, name)
        except Unreadable as error:
            found.unread = str(error)
    return found


def kept(corners: NDArray[np.int64], ranges: list[tuple[int, int, str]]) -> NDArray[np.int64]:
    """The triangles ``(n, 3)`` of an object that are those of bodies.

    >>> kept(np.arange(12).reshape(4, 3), [(1, 2, "ParameterModifier")]).tolist()
    [[0, 1, 2], [9, 10, 11]]
    """
    is_body = np.ones(len(corners), bool)
    for first, last, _ in ranges:
        is_body[first : last + 1] = False
    return corners[is_body]


def _read_ranges(found: NoBodies, data: bytes, name: str) -> None:
    for each in xml_tree(data, name).iter("object"):
        for volume in each.iter("volume"):
            said = {item.get("key"): item.get("value", "") for item in volume.iter("metadata")}
            kind = said.get("volume_type") or ("ParameterModifier" if said.get("modifier") == "1" else BODIES[0])
            first, last = volume.get("firstid", ""), volume.get("lastid", "")
            if kind not in BODIES and _is_count(first) and _is_count(last):
                found.ranges[each.get("id", "")].append((int(first), int(last), kind))


def _read_components(found: NoBodies, data: bytes, name: str) -> None:
    for each in xml_tree(data, name).iter("object"):
        for one in each.iter("part"):
            kind = one.get("subtype") or BODIES[1]
            if kind not in BODIES:
                found.components[each.get("id", "")][one.get("id", "")] = kind


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19
