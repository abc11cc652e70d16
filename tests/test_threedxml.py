"""3DXML: faces, levels of detail, the product structure; damage."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.threedxml import read_3dxml
from tests import mesh_files as files
from tests.oracle import Triangles, moved, rays, star

BODY = star(1, np.linspace(0.7, 1.9, rays(1)))
REP = (
    "<R><Rep><Faces>{faces}</Faces><VertexBuffer><Positions>0 0 0,1 0 0,1 1 0,0 1 0,0.5 2 0</Positions></VertexBuffer>"
    "</Rep></R>"
)
POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 2, 0]])


def instance(tag: str, owner: int, of: int, matrix: str = "") -> str:
    place = f"<RelativeMatrix>{matrix}</RelativeMatrix>" if matrix else ""
    return f"<{tag} id='9'><IsAggregatedBy>{owner}</IsAggregatedBy><IsInstanceOf>{of}</IsInstanceOf>{place}</{tag}>"


def package(rep: str, structure: str = instance("InstanceRep", 1, 2), kind: str = "TESSELLATED") -> bytes:
    product = (
        "<Model_3dxml><ProductStructure root='1'><Reference3D id='1'/><Reference3D id='5'/>"
        f"<ReferenceRep id='2' format='{kind}' associatedFile='urn:3DXML:a.3DRep'/>{structure}"
        "</ProductStructure></Model_3dxml>"
    )
    return files.archive({"Manifest.xml": "<M><Root>p.3dxml</Root></M>", "p.3dxml": product, "a.3DRep": rep})


def triangles(data: bytes) -> Triangles:
    return read_3dxml(data).surface.triangles  # type: ignore[attr-defined]


def test_faces_are_taken_once_and_levels_of_detail_never() -> None:
    reading = read_3dxml(files.threedxml(BODY))
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    assert (reading.format, reading.unit) == ("3dxml", None)


def test_triangles_strips_and_fans() -> None:
    faces = '<Face triangles="0 1 2"/><Face strips="0 1 3 2,0 1 2" fans="0 1 2 3,2 4 3" triangles=""/>'
    wanted = [[0, 1, 2], [0, 1, 3], [3, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3], [2, 4, 3]]
    assert np.array_equal(triangles(package(REP.format(faces=faces))), POINTS[wanted])


def test_instances_within_instances() -> None:
    turn = "0 1 0 -1 0 0 0 0 1 10 20 30"
    structure = (
        instance("InstanceRep", 5, 2) + instance("Instance3D", 1, 5, turn) + instance("Instance3D", 1, 5)
    )  # fmt: skip
    found = triangles(package(REP.format(faces='<Face triangles="0 1 2"/>'), structure))
    first = POINTS[[[0, 1, 2]]]
    turned = moved(first, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], (10, 20, 30))
    assert np.array_equal(found, np.concatenate([turned, first]))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (files.archive({}), "it has no 'Manifest.xml'"),
        (files.archive({"Manifest.xml": "<M><Root>p</Root></M>"}), "it has no 'p'"),
        (files.archive({"Manifest.xml": "<M><Root>p</Root></M>", "p": "<P/>"}), "no product structure"),
        (package(REP, instance("InstanceRep", 7, 2)), "belongs to '7', which is not there"),
        (package(REP, instance("InstanceRep", 1, 8)), "refers to 8, which is not in the file"),
        (package(REP, instance("Instance3D", 1, 5) + instance("Instance3D", 5, 1)), "cycle"),
        (package(REP, instance("InstanceRep", 1, 2, "1 2 3")), "a matrix of 3 numbers"),
        (package(REP.format(faces='<Face triangles="0 1"/>')), "2 corners, which are not triangles"),
        (package(REP.format(faces='<Face triangles="0 1 5"/>')), "face 1 refers to vertex 5"),
        (package(REP.format(faces='<Face triangles="0 1 x"/>')), "triangles of a face"),
        (package(REP.replace("0 0 0,1 0 0", "0 0 0,1 0")), "14 coordinates, which are not points"),
        (package(REP.replace("0 0 0,1 0 0", "0 0 0,1 0 zero")), "'zero' where a number is expected"),
        (package("not XML"), "a.3DRep is not well-formed XML"),
    ],
)
def test_what_is_damaged(data: bytes, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        triangles(data)


def test_parts_that_are_not_tessellated() -> None:
    with pytest.raises(Unsupported, match="a part in the format 'CATShape'"):
        triangles(package(REP, kind="CATShape"))


def test_nothing() -> None:
    with pytest.raises(Empty):
        triangles(package(REP.format(faces="")))
