"""Pictures of bodies and sections: what is drawn, from where, how it is labelled, and what is refused."""

from __future__ import annotations

import math
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core.boundary import unbalanced_edges
from massprops.core.curve import Curve, Loop
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.section import section_integrals
from massprops.core.section_properties import SectionProperties
from massprops.core.segments import Arc
from massprops.core.surface import Floats, TriangleArray
from massprops.report import rendering
from massprops.report.creases import shaded
from massprops.report.decimation import drawn_mesh
from massprops.report.extras import MissingExtra, require
from massprops.report.figure import HEIGHT, WIDTH, distinct_edges, draw_body
from massprops.report.framing import Framing
from massprops.report.labels import Label, spread
from massprops.report.numbers import printable, shortened, shown, shown_point, wrapped
from massprops.report.outline import SAGITTA, outline
from massprops.report.picture_format import PictureError, picture_format
from massprops.report.scene import BodyScene
from massprops.report.section_figure import draw_section, ticks
from massprops.report.view import View, best_direction

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
TURN = np.array([[2.0, -2.0, 1.0], [1.0, 2.0, 2.0], [-2.0, -1.0, 2.0]]) / 3


def properties(triangles: Floats) -> MassProperties:
    return MassProperties.of(measure(TriangleArray(triangles)).integrals.moments)


def cube(n: int) -> Floats:
    """The surface of [0, 1]^3 in 12 n^2 facets."""
    u, v = (grid.ravel() / n for grid in np.meshgrid(np.arange(n), np.arange(n)))
    corners = [np.stack([u + i / n, v + j / n], axis=1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    square = np.concatenate([np.stack([corners[i] for i in part], axis=1) for part in ((0, 1, 2), (0, 2, 3))])
    faces = []
    for axis in range(3):
        for level in (0.0, 1.0):
            x = np.full((*square.shape[:2], 3), level)
            x[..., (axis + 1) % 3], x[..., (axis + 2) % 3] = square[..., 0], square[..., 1]
            faces.append(x if level else x[:, ::-1])
    return np.concatenate(faces)


def sphere(n: int) -> Floats:
    """A unit sphere in 8 n^2 facets: the octahedron's faces divided and blown up."""
    i, j = np.array([(i, j) for i in range(n) for j in range(n - i)]).T
    k, m = np.array([(i, j) for i in range(n) for j in range(n - i - 1)]).reshape(-1, 2).T
    up = np.stack([np.stack([i, j], 1), np.stack([i + 1, j], 1), np.stack([i, j + 1], 1)], axis=1)
    down = np.stack([np.stack([k + 1, m], 1), np.stack([k + 1, m + 1], 1), np.stack([k, m + 1], 1)], axis=1)
    uv = np.concatenate([up, down])
    flat = np.concatenate([uv, n - uv.sum(axis=2, keepdims=True)], axis=2).astype(float)
    signs = [(a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1)]
    parts = [flat * s if np.prod(s) > 0 else (flat * s)[:, ::-1] for s in signs]
    points = np.concatenate(parts)
    return points / np.linalg.norm(points, axis=2, keepdims=True)


# Framing, view, labels, numbers


@pytest.mark.parametrize("scale", [1e-300, 1e-60, 1.0, 1e60, 1e307])
def test_any_size_is_framed_alike(scale: float) -> None:
    framing = Framing.of(TETRAHEDRON * scale)
    assert np.allclose(framing.apply(TETRAHEDRON * scale), (TETRAHEDRON - [0.5, 1, 1.5]) / 1.5, rtol=1e-12, atol=1e-15)


def test_a_single_point_is_framed() -> None:
    assert Framing.of(np.full((4, 3), 7.0)).apply(np.full((1, 3), 7.0)).tolist() == [[0, 0, 0]]


def test_the_scene_does_not_depend_on_where_the_body_is() -> None:
    here = BodyScene.of(TriangleArray(TETRAHEDRON), properties(TETRAHEDRON))
    moved = TETRAHEDRON * 2.0**-40 + 2.0**-10
    there = BodyScene.of(TriangleArray(moved), properties(moved))
    for name in ("center", "axes", "reach"):
        assert np.allclose(getattr(here, name), getattr(there, name), rtol=0, atol=1e-9), name
    assert here.ellipsoid is not None
    assert there.ellipsoid is not None
    assert np.allclose(here.ellipsoid.semi_axes, there.ellipsoid.semi_axes, rtol=1e-9)


def test_axes_reach_beyond_body_and_ellipsoid() -> None:
    scene = BodyScene.of(TriangleArray(TETRAHEDRON @ TURN.T), properties(TETRAHEDRON @ TURN.T))
    assert scene.reach is not None
    assert scene.center is not None
    assert scene.ellipsoid is not None
    along = (scene.mesh.vertices - scene.center) @ scene.axes
    assert np.all(scene.reach[:, 1] > along.max(axis=0))
    assert np.all(scene.reach[:, 0] < along.min(axis=0))
    assert np.all(scene.reach[:, 1] > scene.ellipsoid.semi_axes)


def test_a_view_shows_all_points_with_a_margin() -> None:
    points = TETRAHEDRON.reshape(-1, 3) @ TURN.T
    view = View.of(np.array([1.0, -2.0, 0.7]), points, aspect=1.5, margin=0.1)
    placed = view.project(points)
    assert placed.min() >= 0.1 - 1e-12
    assert placed.max() <= 0.9 + 1e-12
    assert np.isclose(max(np.ptp(placed[:, 0]), np.ptp(placed[:, 1])), 0.8)
    assert np.allclose(view.axes @ view.axes.T, np.eye(3), atol=1e-15)
    assert np.isclose(view.half_width / view.half_height, 1.5)


@pytest.mark.parametrize("axes", [np.eye(3), TURN, np.eye(3)[:, [2, 0, 1]], -TURN])
def test_no_axis_is_seen_end_on(axes: Floats) -> None:
    toward = best_direction(axes)
    assert np.isclose(np.linalg.norm(toward), 1.0)
    assert np.abs(axes.T @ toward).max() < 0.9


def test_labels_do_not_cover_each_other_and_stay_inside() -> None:
    size = (400, 300)
    labels = [Label(f"I = 1.2345{k}", np.array([390.0, 150 + k])) for k in range(4)]
    placed = spread(labels, size)
    for label in placed:
        assert np.all(label.middle - label.half >= -1e-9)
        assert np.all(label.middle + label.half <= np.array(size) + 1e-9)
    for i in range(4):
        for j in range(i):
            apart = np.abs(placed[i].middle - placed[j].middle)
            assert np.any(apart >= placed[i].half + placed[j].half - 1e-9)


def test_a_label_stands_beyond_the_tip() -> None:
    label = Label.beyond("I", np.zeros(2), np.array([30.0, 40.0]))
    assert np.allclose(label.middle / np.hypot(*label.middle), [0.6, 0.8])
    assert np.hypot(*label.middle) > 50 + label.half.min()
    assert Label.beyond("I", np.zeros(2), np.zeros(2)).middle[1] > 0


def test_numbers_for_people() -> None:
    assert shown(1.884e9) == "1.884 \u00d7 10\u2079"
    assert shown(-1e-300) == "\u22121 \u00d7 10\u207b\u00b3\u2070\u2070"
    assert shown_point([-4e-21, 1 / 3, 0.0], size=2.0) == "(0, 0.3333333, 0)"
    assert shown_point([1e-61, 0, 0], size=1e-60).startswith("(1 \u00d7 10\u207b\u2076\u00b9")
    assert shown_point([1e-305, 0, 0], size=1e-304).startswith("(1 \u00d7")
    assert shortened("x" * 50 + ".stl", 10) == "\u2026xxxxx.stl"
    assert "$" not in printable("a$b").replace(r"\$", "")
    assert printable("a\nb\udcff") == "a\\nb\\udcff"
    assert shortened("\u202e\x1b[2J.stl", 60) == r"\u202e\x1b[2J.stl"
    assert shortened(20 * "\x1b", 9) == "\u2026\\x1b\\x1b"
    assert wrapped("open: a\nb.stl; $x$ and so on " + 9 * "y", 20) == [r"open: a\nb.stl; \$x\$", "and so on yyyyyyyyy"]
    assert wrapped(None, 20) == []


@pytest.mark.parametrize(("name", "found"), [("a.png", "png"), ("b.SVG", "svg"), ("c.tar.Png", "png")])
def test_the_suffix_says_what_is_written(name: str, found: str) -> None:
    assert picture_format(name, "png", "svg") == found


@pytest.mark.parametrize("name", ["a.jpg", "png", "dir.png/file", ""])
def test_other_suffixes_are_refused(name: str) -> None:
    with pytest.raises(PictureError, match=r"end the name in \.png or \.svg"):
        picture_format(name, "png", "svg")


# Decimation


def test_few_facets_are_drawn_as_they_are() -> None:
    mesh = drawn_mesh(TETRAHEDRON)
    assert not mesh.is_decimated
    assert np.array_equal(mesh.vertices[mesh.faces], TETRAHEDRON)


def test_a_decimated_cube_keeps_its_edges_and_corners() -> None:
    fine = cube(40) @ TURN.T + [3.0, -5.0, 7.0]
    mesh = drawn_mesh(fine, limit=2000)
    assert mesh.is_decimated
    assert mesh.facets == len(fine)
    assert 1000 <= len(mesh.faces) <= 2000
    local = (mesh.vertices - [3.0, -5.0, 7.0]) @ TURN
    assert np.abs(local - 0.5).max() < 0.5 + 1e-9
    assert np.abs(np.abs(local - 0.5).max(axis=1) - 0.5).max() < 1e-9  # all on the surface
    corners = (np.abs(np.abs(local - 0.5) - 0.5) < 1e-9).all(axis=1)
    assert len(np.unique(local[corners].round(6), axis=0)) == 8


def test_a_decimated_sphere_is_round() -> None:
    mesh = drawn_mesh(sphere(40), limit=1500)
    assert 700 <= len(mesh.faces) <= 1500
    assert np.abs(np.linalg.norm(mesh.vertices, axis=1) - 1).max() < 0.02
    triangles = mesh.vertices[mesh.faces]
    assert np.isclose(np.linalg.det(triangles).sum() / 6, 4 / 3 * math.pi, rtol=0.02)


def test_a_plate_thinner_than_a_cell_is_still_drawn_from_both_sides() -> None:
    mesh = drawn_mesh(cube(20) * [1, 1, 1e-6], limit=500)
    normal_z = np.cross(*(mesh.vertices[mesh.faces[:, k]] - mesh.vertices[mesh.faces[:, 0]] for k in (1, 2)))[:, 2]
    assert np.isclose(normal_z[normal_z > 0].sum() / 2, 1.0, rtol=0.02)
    assert np.isclose(-normal_z[normal_z < 0].sum() / 2, 1.0, rtol=0.02)


def test_facets_that_are_not_finite_are_left_out() -> None:
    spoiled = np.concatenate([TETRAHEDRON, np.full((1, 3, 3), np.nan), np.full((1, 3, 3), np.inf)])
    assert len(drawn_mesh(spoiled).faces) == 4
    assert len(drawn_mesh(spoiled, limit=3).faces) <= 3


@pytest.mark.parametrize("stretch", [(1, 1, 1e-9), (1, 1e-6, 1e-6), (1, 0, 0), (0, 0, 0)])
def test_flat_and_thin_surfaces_can_be_decimated(stretch: tuple[float, float, float]) -> None:
    mesh = drawn_mesh(cube(12) * stretch, limit=300)
    assert len(mesh.faces) <= 300
    assert np.isfinite(mesh.vertices).all()


# Creases


def test_a_cube_has_twelve_edges_and_flat_faces() -> None:
    found = shaded(drawn_mesh(cube(3) @ TURN.T))
    lengths = np.linalg.norm(found.edges[:, 0] - found.edges[:, 1], axis=1)
    assert lengths.sum() == pytest.approx(12)
    assert len(found.points) == 6 * 16
    facet = np.cross(*(found.points[found.faces[:, k]] - found.points[found.faces[:, 0]] for k in (1, 2)))
    facet /= np.linalg.norm(facet, axis=1, keepdims=True)
    assert np.allclose(found.normals[found.faces], facet[:, None], atol=1e-12)


def test_a_sphere_is_shaded_without_edges() -> None:
    found = shaded(drawn_mesh(sphere(12)))
    assert len(found.edges) == 0
    assert len(found.points) == 4 * 12**2 + 2
    assert np.abs(found.normals - found.points).max() < 0.02


def test_edges_of_one_facet_or_of_four_are_drawn_and_not_shaded_over() -> None:
    found = shaded(drawn_mesh(np.concatenate([cube(1), cube(1) + np.array([1, 1, 0])])))
    assert len(np.unique(found.edges.reshape(-1, 6), axis=0)) == 23
    assert len(shaded(drawn_mesh(TETRAHEDRON[1:])).edges) == 6


def test_a_vertex_of_very_many_facets_takes_no_longer() -> None:
    turn = np.linspace(0, 2 * np.pi, 60_000, endpoint=False)
    rim = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    following = np.roll(rim, -1, axis=0)
    cone = np.concatenate([
        np.stack([rim, following, np.broadcast_to([0.0, 0, 1], rim.shape)], axis=1),
        np.stack([following, rim, np.zeros_like(rim)], axis=1),
    ])  # fmt: skip
    found = shaded(drawn_mesh(cone))
    assert len(found.edges) == 60_000


# Extras


def test_a_missing_package_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(MissingExtra, match=r"pyvista is not installed; try: pip install 'massprops\[figures\]'"):
        draw_body(tmp_path / "a.png", TriangleArray(TETRAHEDRON), properties(TETRAHEDRON))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match="matplotlib is not installed"):
        draw_section(tmp_path / "a.png", [np.eye(2)], None)
    assert not list(tmp_path.iterdir())


def test_a_package_that_does_not_load_is_told_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken_vtk.py").write_text("raise ImportError('libGL.so.1: cannot open shared object\\nfile')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(MissingExtra, match=r"broken_vtk does not load: libGL\.so\.1: cannot open shared object file;"):
        require("broken_vtk", "figures")


def test_no_drawing_package_is_imported_before_it_draws() -> None:
    code = (
        "import sys, massprops.report.figure, massprops.report.section_figure, massprops.report.animation;"
        "print([m for m in ('pyvista', 'vtkmodules', 'matplotlib', 'PIL', 'imageio_ffmpeg') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# Pictures of bodies


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw at one sample a pixel."""
    pytest.importorskip("pyvista")
    monkeypatch.setattr(rendering, "_SUPERSAMPLING", 1.0)


def pixels(path: Path) -> Any:
    image = pytest.importorskip("PIL.Image")
    with image.open(path) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def count_near(picture: Any, color: str, distance: int = 40) -> int:
    wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return int((np.abs(picture - wanted).max(axis=2) <= distance).sum())


@pytest.mark.usefixtures("quick")
def test_a_measured_body_is_drawn_with_axes_and_ellipsoid(tmp_path: Path) -> None:
    path = tmp_path / "body.png"
    draw_body(path, TriangleArray(TETRAHEDRON), properties(TETRAHEDRON), title="a <b> & $x_1$ \udcff.stl")
    picture = pixels(path)
    assert picture.shape == (HEIGHT, WIDTH, 3)
    assert (picture[0] == 255).all()  # white paper
    for color in ("#c8442b", "#178a5b", "#2563b8"):
        assert count_near(picture, color) > 300
    assert count_near(picture, rendering.WRONG_COLOR, 10) == 0
    scene = picture[: HEIGHT - 200]
    share = (scene < 250).any(axis=2).mean()
    assert 0.08 < share < 0.8


@pytest.mark.usefixtures("quick")
def test_an_open_body_is_drawn_with_its_edges_in_red_and_nothing_pretended(tmp_path: Path) -> None:
    path, surface = tmp_path / "open.png", TriangleArray(TETRAHEDRON[1:])
    boundary = unbalanced_edges(surface)
    draw_body(path, surface, None, diagnosis_edges=boundary.vertices[boundary.edges], message="open: 3 edges")
    picture = pixels(path)
    scene = picture[: HEIGHT - 200]
    assert count_near(scene, rendering.WRONG_COLOR, 12) > 500
    for color in ("#178a5b", rendering.ELLIPSOID_COLOR):
        assert count_near(scene, color, 12) == 0


@pytest.mark.usefixtures("quick")
def test_what_a_body_hides_of_itself_does_not_darken_it() -> None:
    blocks = np.concatenate([cube(1), cube(1) * [1, 1, 0.5] + [0.5, 2.0, 0.25]])  # one behind the other, beside it
    scene = BodyScene.of(TriangleArray(blocks), None)
    view = View.of(np.array([0.0, -1.0, 0.0]), scene.points, 2.0)
    picture = rendering.render(scene, view, (200, 100)).astype(int)
    places = scene.framing.apply(np.array([[0.25, 0, 0.6], [0.75, 0, 0.6], [1.25, 2, 0.6]]))
    at = (view.project(places) * [200, -100] + [0, 100]).astype(int)
    front, over_the_other, behind = (picture[row, column] for column, row in at)
    assert front.min() < 240
    assert np.abs(over_the_other - front).max() <= 1
    assert np.abs(behind - front).max() <= 1


@pytest.mark.usefixtures("quick")
def test_a_cavity_shows_through_the_one_before_it() -> None:
    hollow = [0.2 * cube(1)[:, ::-1] + [x, y, 0.4] for x, y in ((0.4, 0.1), (0.5, 0.6))]  # seen one over the other
    scene = BodyScene.of(TriangleArray(np.concatenate([cube(1), *hollow])), None)
    view = View.of(np.array([0.0, -1.0, 0.0]), scene.points, 2.0)
    picture = rendering.render(scene, view, (200, 100)).astype(int)
    places = scene.framing.apply(np.array([[x, 0, 0.45] for x in (0.2, 0.45, 0.55, 0.65)]))
    at = (view.project(places) * [200, -100] + [0, 100]).astype(int)
    nothing, near, both, far = (int(picture[row, column].sum()) for column, row in at)
    assert both < min(near, far) <= max(near, far) < nothing


@pytest.mark.usefixtures("quick")
def test_a_film_does_not_depend_on_the_order_of_facets() -> None:
    hollow = np.concatenate([cube(1), *(0.2 * cube(1)[:, ::-1] + [0.4, y, 0.4] for y in (0.1, 0.6))])
    frames = []
    for triangles in (hollow, hollow[::-1]):
        scene = BodyScene.of(TriangleArray(triangles), properties(triangles))
        with rendering.stage((200, 100), View.of(np.array([0.4, -1.0, 0.3]), scene.points, 2.0)) as plotter:
            rendering.add_body(plotter, scene)
            frames.append(plotter.screenshot(return_img=True).astype(int))
    assert np.ptp(frames[0]) > 50
    assert np.abs(frames[0] - frames[1]).max() <= 1


@pytest.mark.usefixtures("quick")
def test_the_inner_side_of_an_open_body_has_a_colour_of_its_own() -> None:
    open_box = cube(1)[cube(1)[:, :, 2].min(axis=1) < 1]
    assert len(open_box) == 10
    scene = BodyScene.of(TriangleArray(open_box), None)
    pictures = [
        rendering.render(scene, View.of(np.array([0.3, 0.2, up]), scene.points, 2.0), (200, 100)).astype(int)
        for up in (2.0, -2.0)
    ]
    reddish = [int((picture[..., 0] > picture[..., 2] + 10).sum()) for picture in pictures]
    assert reddish[0] > 1000
    assert reddish[1] == 0


def test_edges_are_counted_once_whichever_way_they_run() -> None:
    edges = np.array([[[0.0, 0, 1], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]], [[5, 0, 0], [1, 0, 0]]])
    assert [distinct_edges(edges), distinct_edges(edges[:0])] == [2, 0]


@pytest.mark.usefixtures("quick")
def test_an_svg_holds_an_image_and_no_script(tmp_path: Path) -> None:
    paths = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in paths:
        draw_body(path, TriangleArray(TETRAHEDRON), properties(TETRAHEDRON), title="<script>alert(1)</script>.stl")
    assert paths[0].read_bytes() == paths[1].read_bytes()
    root = ET.parse(paths[0]).getroot()
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert "image" in names
    assert "script" not in names
    assert "pixelated" not in paths[0].read_text("utf-8")  # thin lines of the image would become dots


@pytest.mark.parametrize("triangles", [np.empty((0, 3, 3)), np.full((2, 3, 3), np.nan), np.ones((200_001, 3, 3))])
def test_nothing_to_draw_is_told(triangles: Floats, tmp_path: Path) -> None:
    pytest.importorskip("pyvista")
    with pytest.raises(PictureError, match="no facets to draw"):
        draw_body(tmp_path / "a.png", TriangleArray(triangles), None)


def test_other_names_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="not known"):
        draw_body(tmp_path / "a.bmp", TriangleArray(TETRAHEDRON), None)
    with pytest.raises(PictureError, match="not known"):
        draw_section(tmp_path / "a.bmp", [np.eye(2)], None)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("stretch", [(1, 1e-4, 1e-8), (1, 1, 1e-5)])
def test_needles_and_plates_are_drawn(stretch: tuple[float, float, float], tmp_path: Path) -> None:
    triangles = cube(1) * stretch @ TURN.T
    draw_body(tmp_path / "thin.png", TriangleArray(triangles), properties(triangles))
    assert count_near(pixels(tmp_path / "thin.png"), "#c8442b") > 300


# Pictures of sections


def section(curve: Curve) -> SectionProperties:
    found = section_integrals(curve)
    return SectionProperties.of(found.moments, 1, None, curve, found)


ANGLE = Curve.from_loops([0, 100, 100, 8, 8, 0], [0, 0, 8, 8, 100, 100])
RING = Curve((Loop((Arc.circle([3.0, 4.0], 2.0),)), Loop((Arc.circle([3.0, 4.0], 1.0).reversed(),))))


def test_an_outline_follows_its_curves() -> None:
    outer, inner = outline(RING)
    for loop, radius in ((outer, 2.0), (inner, 1.0)):
        middles = (loop + np.roll(loop, -1, axis=0)) / 2
        assert np.allclose(np.hypot(*(loop - [3, 4]).T), radius, rtol=1e-12)
        assert radius - np.hypot(*(middles - [3, 4]).T).min() < 1.5 * SAGITTA * 4
    assert outline(ANGLE)[0].tolist() == ANGLE.loops[0].vertices().tolist()
    assert [len(loop) for loop in outline([np.array([[0.0, 0], [1, 0], [1, 1], [0, 0]])])] == [3]


@pytest.mark.parametrize("origin", [0.0, 1e6 + 0.3, -3e-7])
@pytest.mark.parametrize("scale", [1e-60, 1e-3, 1.0, 7.3, 1e60])
def test_ticks_stand_at_round_numbers(origin: float, scale: float) -> None:
    at = origin * scale
    places, labels = ticks(-1.3, 1.1, 0.4, at, scale)
    assert 4 <= len(places) <= 13
    assert min(places) >= -1.3 - 1e-9
    assert max(places) <= 1.1 + 1e-9
    assert len(set(labels)) == len(labels)
    steps = np.diff(places)
    assert np.allclose(steps, steps[0], rtol=1e-6)


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_section_is_drawn(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"section.{suffix}"
    draw_section(path, ANGLE, section(ANGLE), title="angle <b>.dxf", si=True)
    if suffix == "svg":
        assert ET.parse(path).getroot().tag.endswith("svg")
        return
    picture = pixels(path)
    assert picture.shape == (1060, 1400, 3)
    for color in ("#c8442b", "#2563b8", "#e8992b", "#cfe1f5"):
        assert count_near(picture, color, 8) > 300


@pytest.mark.parametrize("scale", [1e-14, 1e-3, 1.0, 1e9])
def test_the_numbers_at_the_axes_are_not_cut_off(scale: float, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    skew = Curve.from_loops(*(np.array([[0, 1, 1, 0], [0, 0, 1.3, 2]]) * scale))
    draw_section(tmp_path / "skew.png", skew, section(skew))
    picture = pixels(tmp_path / "skew.png")
    drawing = picture[: 1060 - 190 - 4]
    for edge in (drawing[:, :6], drawing[:, -6:], picture[-190 + 4 :, :6], picture[-190 + 4 :, -6:]):
        assert (edge == 255).all()
    columns = np.flatnonzero((drawing < 200).any(axis=(0, 2)))
    assert 6 <= columns[0] < 60  # the name of the v axis, before its numbers
    assert np.diff(columns)[:30].max() > 3


def test_a_hole_is_not_filled(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw_section(tmp_path / "ring.png", RING, None)
    draw_section(tmp_path / "full.png", RING, section(RING))
    outline_only, full = (count_near(pixels(tmp_path / name), "#cfe1f5", 4) for name in ("ring.png", "full.png"))
    assert outline_only == 0
    assert full > 5000


def test_a_section_without_loops_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(PictureError, match="no loops"):
        draw_section(tmp_path / "a.png", [np.full((3, 2), np.nan)], None)
