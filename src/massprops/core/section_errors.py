"""What can keep a plane section from being measured, beside the verdicts that solids have too."""

from __future__ import annotations

from massprops.errors import MassPropsError


class SelfIntersecting(MassPropsError):
    """A loop crosses itself: what is inside depends on a fill rule that nobody has stated."""

    status = "self_intersecting"


class ZeroArea(MassPropsError):
    """The loops are closed and enclose no area beyond round-off."""

    status = "zero_area"
