"""The JSON document: frozen field names, numbers in shortest round-trip form, no NaN."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from massprops.core.inertia import MassProperties
from massprops.report.plain import plain, plain_notices
from massprops.report.version import version
from massprops.result import Result

if TYPE_CHECKING:
    from massprops.core.statistics import Statistics
    from massprops.core.trajectory import Trajectory

SCHEMA = "massprops/1"


def document(results: Sequence[Result]) -> str:
    """The document of a run, with a line feed at its end."""
    measured = sum(result.is_ok for result in results)
    content = {
        "schema": SCHEMA,
        "version": version(),
        "results": [result_object(result) for result in results],
        "summary": {"inputs": len(results), "measured": measured, "failed": len(results) - measured},
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def result_object(result: Result) -> dict[str, Any]:
    """One input as a JSON object."""
    if result.kind == "section":
        from massprops.report.section_json import section_object  # only for sections

        return section_object(result)
    found, statistics = result.properties, result.statistics
    extent = found or statistics
    return {
        "file": result.file,
        "format": result.format,
        "kind": result.kind,
        "status": result.status,
        "message": result.message,
        "units": result.unit,
        "facets": result.facets,
        "density": plain(found and found.density),
        "mass": plain(found and found.mass),
        "volume": plain(extent and extent.volume),
        "area": plain(extent and extent.area),
        "bounds": plain(extent and extent.bounds),
        "center": plain(found.center if found else statistics and statistics.centroid),
        "inertia": plain(found and found.inertia),
        "about": found and _about(found.about, found.inertia_about),
        "principal_moments": plain(found and found.principal_moments),
        "principal_axes": plain(found and found.principal_axes),
        "repeated_moments": found and found.repeated_moments,
        "radii_of_gyration": found and _radii(found),
        "statistics": _statistics(statistics),
        "repairs": [{"step": record.step, **plain(record.counts)} for record in result.repairs],
        "warnings": plain_notices(result.warnings),
        "check": _check(result),
        "principal_frame": _principal_frame(found),
        "spin": _spin(result.trajectory),
        "counted": _counted(result.counted),
        "roundoff": _roundoff(result),
        "diagnosis": plain(result.diagnosis),
    }


def _about(point: Any, inertia: Any) -> dict[str, Any] | None:
    return None if point is None else {"point": plain(point), "inertia": plain(inertia)}


def _radii(found: MassProperties) -> list[float | None]:
    """Each radius of gyration; null for that of a negative moment, which is none."""
    return [None if math.isnan(radius) else radius for radius in plain(found.radii_of_gyration)]


def _statistics(found: Statistics | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "verdict": found.verdict,
        "facets_with_open_edges": list(found.disconnected),
        "non_manifold_edges": found.non_manifold_edges,
    }


def _check(result: Result) -> dict[str, Any] | None:
    names = ("lines", "volume", "overlap_volume", "inverted_volume")
    return None if result.check is None else {name: plain(getattr(result.check, name)) for name in names}


def _counted(found: MassProperties | None) -> dict[str, Any] | None:
    return None if found is None else {name: plain(getattr(found, name)) for name in ("volume", "center", "inertia")}


def _principal_frame(found: MassProperties | None) -> dict[str, Any] | None:
    """The rotation from principal to file axes, as a unit quaternion (w, x, y, z) and as URDF's roll, pitch, yaw."""
    if found is None:
        return None
    from massprops.core.frames import principal_frame

    frame = principal_frame(found.center, found.principal_axes)
    return {"quaternion": plain(frame.to_quaternion()), "rpy": plain(frame.to_rpy())}


def _spin(found: Trajectory | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "duration": plain(float(found.times[-1])),
        "step": plain(float(found.times[1])),
        "omega_start": plain(found.omega_body[0]),
        "omega_end": plain(found.omega_body[-1]),
        "energy": plain(float(found.energy[0])),
        "angular_momentum": plain(found.momentum[0]),
        "energy_drift": plain(float(found.energy_drift)),
        "momentum_drift": plain(float(found.momentum_drift)),
        "flips": int(found.flips),
        "flip_times": plain(found.flip_times),
    }


def _roundoff(result: Result) -> dict[str, Any] | None:
    bounds = result.accuracy
    return None if bounds is None else {"volume": bounds.volume, "center": bounds.center, "inertia": bounds.inertia}


