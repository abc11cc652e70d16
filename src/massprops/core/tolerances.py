"""Lengths that are small against a part, where more than one module asks for them."""

from __future__ import annotations

WELD_TOLERANCE = 1e-5
"""Default width of a weld, as a fraction of the diagonal of the bounding box."""
