"""Blocks that are shown in part where they are inserted (XCLIP).

A clipping boundary is an object of the drawing, linked to the INSERT by its extension dictionary.

Source: Autodesk, DXF Reference, SPATIAL_FILTER.
"""

from __future__ import annotations

from typing import Any


def is_clipped(insert: Any) -> bool:
    """Whether an INSERT has a clipping boundary that is switched on."""
    if not insert.has_extension_dict:
        return False
    found = insert.get_extension_dict().dictionary
    for name in ("ACAD_FILTER", "SPATIAL"):
        found = found.get(name) if hasattr(found, "get") else None
    if not hasattr(found, "dxf"):
        return False
    name = "is_clipping_enabled"
    return bool(found.dxf.get(name, 1)) if found.dxf.is_supported(name) else True
