"""Modifiers, supports and the like, which the settings of slicers name in their 3MF files."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.errors import Empty
from massprops.readers.slicer_parts import COMPONENTS, RANGES
from massprops.readers.threemf import read_3mf
from tests import mesh_files as files
from tests.oracle import Triangles, rays, star, tetrahedron

BODY = star(1, np.linspace(0.7, 1.9, rays(1)))
OTHER = tetrahedron() + np.array([20, 0, 0])
BOTH = np.concatenate([BODY, OTHER])
N, M = len(BODY), len(BOTH)


def triangles(data: bytes) -> Triangles:
    return read_3mf(data).surface.triangles  # type: ignore[attr-defined]


def metadata(key: str, value: str) -> str:
    return f'<metadata type="volume" key="name" value="a"/><metadata type="volume" key="{key}" value="{value}"/>'


def volumes(second: str, first: int = N, last: int = M - 1, number: int = 1) -> str:
    return (
        f'<?xml version="1.0"?><config><object id="{number}" instances_count="1"><metadata type="object" key="name" '
        f'value="x"/><volume firstid="0" lastid="{N - 1}">{metadata("volume_type", "ModelPart")}</volume>'
        f'<volume firstid="{first}" lastid="{last}">{second}</volume></object></config>'
    )


def one_mesh(settings: str) -> bytes:
    model = files.model_3mf(f'<object id="1">{files.mesh_3mf(BOTH)}</object>', '<item objectid="1"/>')
    return files.package(model, **{RANGES: settings})


@pytest.mark.parametrize("kind", ["ParameterModifier", "SupportEnforcer", "SupportBlocker"])
def test_ranges_of_triangles_that_are_no_bodies(kind: str) -> None:
    reading = read_3mf(one_mesh(volumes(metadata("volume_type", kind))))
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("skipped", {"types": [kind]})
    assert "negative" not in notice.message


def test_modifiers_of_older_files() -> None:
    assert np.array_equal(triangles(one_mesh(volumes(metadata("modifier", "1")))), BODY)
    assert np.array_equal(triangles(one_mesh(volumes(metadata("modifier", "0")))), BOTH)


def test_what_is_to_be_cut_away_is_told() -> None:
    (notice,) = read_3mf(one_mesh(volumes(metadata("volume_type", "NegativeVolume")))).notices
    assert notice.message.endswith("were not counted; nor was anything taken away by those that are negative")


@pytest.mark.parametrize("settings", [
    volumes(metadata("volume_type", "ModelPart")), volumes(""), "<config/>",
    volumes(metadata("volume_type", "ParameterModifier"), number=2),
    volumes(metadata("volume_type", "ParameterModifier"), first=M, last=M + 9),
    volumes(metadata("volume_type", "ParameterModifier")).replace(f'firstid="{N}"', 'firstid="-1"'),
    volumes(metadata("volume_type", "ParameterModifier")).replace(f'lastid="{M - 1}"', ""),
])  # fmt: skip
def test_what_settings_say_of_nothing_else_changes_nothing(settings: str) -> None:
    reading = read_3mf(one_mesh(settings))
    assert np.array_equal(reading.surface.triangles, BOTH)  # type: ignore[attr-defined]
    assert reading.notices == ()


def test_nothing_but_modifiers() -> None:
    with pytest.raises(Empty, match="only objects of the type ParameterModifier"):
        read_3mf(one_mesh(volumes(metadata("volume_type", "ParameterModifier"), first=0)))


def components(settings: str, kind: str = "model", path: str = "") -> bytes:
    """Two objects, one of them in no way a body but for its type, as components of a third one."""
    parts = (
        f'<object id="1">{files.mesh_3mf(BODY)}</object><object id="2" type="{kind}">{files.mesh_3mf(OTHER)}</object>'
    )
    where = f' p:path="{path}"' if path else ""
    placed = "".join(f'<component objectid="{number}"{where}/>' for number in (1, 2))
    whole = f'<object id="3"><components>{placed}</components></object>'
    root = files.model_3mf(whole if path else parts + whole, '<item objectid="3"/>', 'requiredextensions="p"')
    more = {path.lstrip("/"): files.model_3mf(parts, "")} if path else {}
    return files.package(root, **{COMPONENTS: settings}, **more)


def subtypes(second: str) -> str:
    parts = f'<part id="1" subtype="normal_part"/><part id="2" subtype="{second}"/>'
    return f'<config><object id="3">{parts}</object></config>'


@pytest.mark.parametrize("path", ["", "/3D/Objects/object_1.model"])
@pytest.mark.parametrize("kind", ["modifier_part", "support_enforcer", "negative_part"])
def test_components_that_are_no_bodies(kind: str, path: str) -> None:
    reading = read_3mf(components(subtypes(kind), path=path))
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("skipped", {"types": [kind]})
    assert notice.message.endswith("negative") is (kind == "negative_part")


def test_components_that_are_bodies() -> None:
    assert np.array_equal(triangles(components(subtypes("normal_part"))), BOTH)
    other = subtypes("modifier_part").replace('object id="3"', 'object id="4"')
    assert np.array_equal(triangles(components(other)), BOTH)


@pytest.mark.parametrize("settings", ["", "<config><object", "<!DOCTYPE x><config/>", "\x00\x01"])
def test_settings_that_cannot_be_read_are_told(settings: str) -> None:
    reading = read_3mf(one_mesh(settings))
    assert np.array_equal(reading.surface.triangles, BOTH)  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert notice.code == "recovered"
    assert RANGES in notice.message
