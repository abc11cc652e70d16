"""How DXF hatches are filled.

Loops of a hatch lie within each other; here, every second of them is a hole, which is the style normal. In the style
outer nothing is filled within a hole, and in the style ignore there are no holes.

Source: Autodesk, DXF Reference, HATCH, group code 75.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from massprops.core.curve import Path
from massprops.core.segments import box_of, frame_of
from massprops.core.surface import Floats
from massprops.readers.dxf_entities import boundary_paths

_OUTER, _IGNORE = 1, 2
_MOST = 2000
"""Loops that are compared each with each."""


def is_filled_otherwise(entity: Any) -> bool:
    """Whether a hatch may be filled otherwise than with every second of its loops as a hole, by the boxes of these."""
    style, count = entity.dxf.get("hatch_style", 0), len(entity.paths)
    if style not in (_OUTER, _IGNORE) or count < (3 if style == _OUTER else 2):
        return False
    if count > _MOST:
        return True
    found = [list(boundary_paths(boundary)) for boundary in entity.paths]
    boxes = np.array([_box(paths) for paths in found if paths]).reshape(-1, 2, 2)
    low, high = boxes[:, 0], boxes[:, 1]
    within = (low[:, None] >= low).all(axis=2) & (high[:, None] <= high).all(axis=2) & ~np.eye(len(boxes), dtype=bool)
    holes = within.any(axis=1)
    return bool((holes & within.any(axis=0)).any() if style == _OUTER else holes.any())


def _box(paths: Iterable[Path]) -> Floats:
    """Least and greatest coordinates, shape (2, 2), of a box around paths."""
    return box_of(np.concatenate([frame_of(piece) for path in paths for piece in path.pieces]))
