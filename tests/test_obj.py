"""OBJ: what its lines may look like, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from massprops.core.measure import measure
from massprops.errors import Empty, MassPropsError, Unreadable, Unsupported
from massprops.readers import obj
from massprops.readers.obj import read_obj
from tests import mesh_files as files
from tests.oracle import box, indexed, l_prism, moved, rays, rotation, star, tetrahedron

BODY = moved(star(1, np.linspace(0.7, 1.4, rays(1))), rotation(2, 1, 3, -1), (5.1, 0.7, -3.3))
POINTS, FACES = indexed(BODY)
VERTICES = [f"v {x!r} {y!r} {z!r}" for x, y, z in POINTS.tolist()]
LINES = [f"f {a} {b} {c}" for a, b, c in (FACES + 1).tolist()]


def triangles(data: bytes | str) -> np.ndarray:
    reading = read_obj(data.encode() if isinstance(data, str) else data)
    assert reading.format == "obj"
    assert reading.unit is None
    return reading.surface.triangles  # type: ignore[attr-defined]


def text(*lines: str) -> str:
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("gap", ["\\\n", "\\ \t\n", "\\\r\n", "\\ \r\n"])
def test_lines_that_go_on_and_comments_without_a_blank_before(gap: str) -> None:
    lines = [line.replace(" ", f" {gap} ", 2) for line in VERTICES + LINES]
    assert np.array_equal(triangles(text(*lines)), BODY)
    assert np.array_equal(triangles(text(*(line + "# so" for line in VERTICES + LINES))), BODY)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", " \n", "\t\r\n", "\n\n# comment\n"])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8-sig", "utf-16", "utf-16-be"])
def test_line_ends_and_encodings(end: str, encoding: str) -> None:
    assert np.array_equal(triangles(end.join(VERTICES + LINES).encode(encoding)), BODY)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.replace("v ", "  v\t").replace("f ", "\tf   "),
        lambda s: s.replace("v ", "v \\\n ").replace("f ", "f\\\n "),
        lambda s: s.replace("\nf", " # a vertex\nf").replace("\nv", " # v 9 9 9\nv"),
        lambda s: "mtllib nowhere.mtl\no part\n" + s.replace("f ", "g a b\nusemtl m\ns off\nf "),
        lambda s: s.replace("f ", "fo "),
        lambda s: s + "p 1 2\nl 1 2 3\nvt 0 0\nvn 0 0 1\nvp 1\n",
        lambda s: s.replace("\nv", " 0.5\nv"),
        lambda s: s.replace("\nv", " 1 0 0\nv").replace("\nf", " nan nan nan\nf", 1),
        lambda s: s.rstrip(),
        lambda s: "#\x85\xa0 f\xfcr die T\xfcr\n" + s,
    ],
)
def test_what_lines_may_look_like(change: object) -> None:
    assert np.array_equal(triangles(change(text(*VERTICES, *LINES)).encode("latin-1")), BODY)  # type: ignore[operator]


def test_a_comment_is_not_continued() -> None:
    lines = ["# from C:\\parts\\", *VERTICES[:2], "# \\", *VERTICES[2:], *LINES[:1], "  # \\ \\", *LINES[1:]]
    assert np.array_equal(triangles(text(*lines)), BODY)


@pytest.mark.parametrize("style", ["{0}", "{0}/{1}", "{0}//{1}", "{0}/{1}/{1}", "{0}/"])
def test_references_with_texture_and_normal(style: str) -> None:
    lines = ["f " + " ".join(style.format(k, 7) for k in face) for face in (FACES + 1).tolist()]
    assert np.array_equal(triangles(text(*VERTICES, *lines)), BODY)
    mixed = [line if index % 3 else plain for index, (line, plain) in enumerate(zip(lines, LINES, strict=True))]
    assert np.array_equal(triangles(text(*VERTICES, *mixed)), BODY)


def test_long_files_are_worked_on_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obj, "PIECE", 3)
    lines = [line.replace(" ", "/9/ ").replace("f/9/", "f") + "/9/" for line in LINES]
    assert np.array_equal(triangles(text(*VERTICES, *lines)), BODY)


def test_six_plain_corners_are_not_three_with_textures() -> None:
    ring = [(np.cos(t), np.sin(t), 0.0) for t in np.arange(6) * np.pi / 3]
    lines = [f"v {x} {y} {z}" for x, y, z in ring]
    assert len(triangles(text(*lines, "f 1/1 2/1 3/1", "f 1 2 3 4 5 6"))) == 1 + 4


def test_negative_references_count_from_their_own_line() -> None:
    other = moved(BODY, shift=(10, 0, 0))
    more, faces = indexed(other)
    lines = [f"f {' '.join(str(k - len(POINTS)) for k in face)}" for face in FACES.tolist()]
    again = [f"v {x!r} {y!r} {z!r}" for x, y, z in more.tolist()]
    both = [*BODY, *more[faces]]
    assert np.array_equal(triangles(text(*VERTICES, *lines, *again, *lines)), both)
    early = [line.replace("-1 ", f"{len(POINTS)} ") for line in lines]
    assert np.array_equal(triangles(text(*VERTICES, *early, "v 9 9 9")), BODY)


def test_groups_and_materials_do_not_open_a_body() -> None:
    split = text(*VERTICES, "g one", "usemtl a", *LINES[:3], "o two", "usemtl b", *VERTICES, *LINES[3:])
    assert measure(read_obj(split.encode()).surface).notices == ()


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(*[st.decimals(-1000, 1000, places=12)] * 3), min_size=4, max_size=4))
def test_coordinates_are_the_nearest_to_their_digits(points: list[tuple[object, ...]]) -> None:
    lines = ["v " + " ".join(map(str, point)) for point in points]
    found = triangles(text(*lines, "f 1 2 3", "f 1 3 4"))
    assert found.tolist() == [[[float(str(x)) for x in points[k]] for k in face] for face in ((0, 1, 2), (0, 2, 3))]


def test_polygons_of_a_body_with_concave_faces() -> None:
    outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    vertices = [f"v {x} {y} {z}" for z in (0, 1) for x, y in outline]
    sides = [f"f {k + 1} {(k + 1) % 6 + 1} {(k + 1) % 6 + 7} {k + 7}" for k in range(6)]
    data = text(*vertices, "f 6 5 4 3 2 1", "f 7 8 9 10 11 12", *sides)
    found = measure(read_obj(data.encode()).surface)
    assert float(found.integrals.moments.volume) == pytest.approx(5, rel=1e-15)
    assert float(found.integrals.area) == pytest.approx(2 * 5 + 12, rel=1e-15)
    assert len(l_prism()) == found.surface.facets == 20


def test_facets_without_area_and_twice_the_same_are_kept() -> None:
    data = text(*VERTICES, *LINES, "f 1 1 2", LINES[0])
    assert len(triangles(data)) == len(LINES) + 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("f 1", r"line 8: `f 1` is not a face"),
        ("f 1 5", r"line 8: face 2 refers to a vertex"),
        ("f", r"line 8: `f` is not a face"),
        ("f 1 2 x", r"line 8: `f 1 2 x` is not a face"),
        ("f 1 2 3.0", r"line 8"),
        ("f 1 2 1_0", r"line 8"),
        ("f /1 /2 /3", r"line 8"),
        ("f 0 1 2", r"line 8: face 2 refers to a vertex that is not there \(there are 4, counted from 1\)"),
        ("f 1 2 5", r"line 8: face 2 refers to a vertex"),
        ("f -1 -2 -5", r"line 8: face 2 refers to a vertex"),
        ("f 1 2 3 4 -9", r"line 8: face 2 refers to a vertex"),
        ("f 1 2 99999999999999999999", r"line 8"),
        ("v 1 2", r"line 8: `v 1 2` is not a vertex of three numbers"),
        ("v", r"line 8: `v` is not a vertex"),
        ("v 1 2 0,5", r"line 8: `v 1 2 0,5` .* numbers; a decimal comma: export with a point"),
        ("v 1 2 3d0", r"line 8"),
    ],
)
def test_lines_that_are_wrong(line: str, told: str) -> None:
    points = [f"v {x} {y} {z}" for x, y, z in indexed(tetrahedron())[0].tolist()]
    with pytest.raises(Unreadable, match=told):
        triangles(text("# by hand", *points, "", "f 1 2 3", line))


def test_faces_of_two_corners_are_lines_and_told() -> None:
    reading = read_obj(text(*VERTICES, "f 1 2", *LINES, "f -1/1 -2/1").encode())
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("lines", {"lines": 2})
    with pytest.raises(Empty, match="6 vertices, and every face has only two"):
        triangles(text(*VERTICES, "f 1 2", "f 2 3"))


def test_a_file_cut_anywhere_is_not_measured() -> None:
    data = files.obj(BODY).rstrip()
    for cut in range(len(data)):
        with pytest.raises(MassPropsError):
            measure(read_obj(data[:cut]).surface)


def test_files_without_facets() -> None:
    with pytest.raises(Empty, match="no facets: 6 vertices and no `f` line"):
        triangles(text(*VERTICES))
    with pytest.raises(Empty):
        triangles("# only a comment\n")
    with pytest.raises(Empty, match="the file is empty"):
        triangles("\n")


def test_files_that_are_no_obj() -> None:
    with pytest.raises(Unreadable, match="it begins with 'version https://git-lfs"):
        triangles("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    with pytest.raises(Unreadable, match="zero byte"):
        triangles(b"v 0 0 0\n\0\0\0\0")


@pytest.mark.parametrize("line", ["surf 0 1 0 1 1 2 3", "  bzp 1 2 3 4", "call other.obj 1"])
def test_curved_surfaces_and_other_files(line: str) -> None:
    with pytest.raises(Unsupported, match=r"line 7: `(surf|bzp|call)`"):
        triangles(text(*VERTICES, line))


def test_a_box_of_quadrilaterals_has_twice_as_many_facets() -> None:
    points, _ = indexed(box((0.1, 0.2, 0.3), (1.7, 2.9, 5.3)))
    quads = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()]
    found = measure(read_obj(text(*lines, *(f"f {q}" for q in quads)).encode()).surface)
    assert found.surface.facets == 12
    assert float(found.integrals.moments.volume) == pytest.approx(1.6 * 2.7 * 5.0, rel=1e-14)
