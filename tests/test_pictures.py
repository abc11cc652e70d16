"""Pictures, films and the page through the command line: what is drawn, under which names, and what is refused."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.text import Text

from massprops.cli import main
from massprops.core.measure import measure
from massprops.core.surface import TriangleArray, triangle_array
from massprops.pictures import _progress
from massprops.plan import Plan
from massprops.report import animation, figure, rendering, section_figure
from massprops.report.creases import shaded
from massprops.report.decimation import drawn_mesh
from massprops.report.scene import AXIS_COLORS
from massprops.report.section_figure import LONG_COLOR
from tests.oracle import Run, binary_stl, massprops, moved, tetrahedron

BODY = moved(tetrahedron(1.0, 1.5, 2.25), shift=(0.25, -0.5, 3.0))  # exact in float32
SQUARE = "0 0\n2 0\n2 1\n0 1\n"
MEASURE = "--mass_properties"
SHORT = ("--spin", 0.2, 2, 0.1, "--duration", 0.5, "--step", 0.01)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a body, an open body and a section."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "body.stl").write_bytes(binary_stl(BODY))
    (tmp_path / "open.stl").write_bytes(binary_stl(BODY[1:]))
    (tmp_path / "square.csv").write_text(SQUARE)
    return tmp_path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw at one sample a pixel or less, and few frames."""
    pytest.importorskip("pyvista")
    monkeypatch.setattr(rendering, "_SUPERSAMPLING", 1.0)
    monkeypatch.setattr(animation, "_SUPERSAMPLING", 0.5)
    monkeypatch.setattr(animation, "FRAMES", 6)


class Drawn:
    """Stands in for what draws: keeps what it was given, and writes a file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[Any, Any, dict[str, Any]]] = []
        for module, name in ((figure, "draw_body"), (section_figure, "draw_section"), (animation, "animate")):
            monkeypatch.setattr(module, name, self)

    def __call__(self, path: Path, shape: Any, properties: Any, *rest: Any, **more: Any) -> None:
        if hasattr(shape, "block"):  # its file will be closed
            shape = TriangleArray(triangle_array(shape).copy())
        self.calls.append((shape, properties, more))
        Path(path).write_bytes(b"a picture")


@pytest.fixture
def drawn(here: Path, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """The folder, and drawing that takes no time."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)  # nothing of the extra is needed
    return Drawn(monkeypatch)


def names(folder: Path) -> set[str]:
    """What is in a folder beside the inputs."""
    return {path.name for path in folder.iterdir()} - {"body.stl", "open.stl", "square.csv"}


def count_near(path: Path, color: str, distance: int = 30) -> int:
    """Pixels of a picture, but for its caption, that are about of a colour."""
    image = pytest.importorskip("PIL.Image")
    with image.open(path) as picture:
        scene = np.asarray(picture.convert("RGB")).astype(int)[:-210]
    wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return int((np.abs(scene - wanted).max(axis=2) <= distance).sum())


# What is drawn


@pytest.mark.usefixtures("quick")
def test_a_measured_body_and_what_is_wrong_with_an_open_one(here: Path) -> None:
    run = massprops("body.stl", "open.stl", MEASURE, "--figure", "{stem}.png", "--json")
    assert run.code == 1
    assert [result["status"] for result in run.results] == ["ok", "open"]
    assert names(here) == {"body.png", "open.png"}
    for color in AXIS_COLORS:
        assert count_near(here / "body.png", color) > 200
        assert count_near(here / "open.png", color) == 0
    assert count_near(here / "body.png", rendering.WRONG_COLOR, 12) == 0
    assert count_near(here / "open.png", rendering.WRONG_COLOR, 12) > 500


@pytest.mark.usefixtures("quick")
def test_a_section_is_drawn(here: Path) -> None:
    assert massprops("square.csv", MEASURE, "--figure", "square.png").code == 0
    assert count_near(here / "square.png", LONG_COLOR) > 200
    assert count_near(here / "square.png", "#cfe1f5", 2) > 10_000


@pytest.mark.usefixtures("quick")
def test_svg_and_gif_in_one_run(here: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    files = ("--figure", "body.svg", "--animate", "body.gif")
    assert massprops("body.stl", MEASURE, *SHORT, *files).code == 0
    assert names(here) == {"body.svg", "body.gif"}
    assert ET.parse(here / "body.svg").getroot().tag.endswith("}svg")
    with image.open(here / "body.gif") as film:
        assert film.n_frames == 7


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--units", "mm"),
        ("--resize_factor", 2, 3, 0.5),
        ("--mirror_normal", 1, 2, 2),
        ("--units", "in", "--resize_x", -3, "--rotate_axis", 1, 2, 3, "--rotate_angle", 0.7, "--translate_y", 5),
    ],
)
@pytest.mark.parametrize("file", ["body.stl", "open.stl"])
def test_the_body_is_drawn_where_its_numbers_are(drawn: Drawn, file: str, flags: tuple[Any, ...]) -> None:
    run = massprops(file, MEASURE, *flags, "--figure", "a.png", "--json")
    ((surface, properties, more),) = drawn.calls
    assert more["title"] == file
    if file == "open.stl":
        assert run.code == 1
        assert properties is None
        assert more["message"].startswith("open: ")
        corners = triangle_array(surface).reshape(-1, 3)
        ends = more["diagnosis_edges"]
        assert ends.shape == (3, 2, 3)
        apart = np.linalg.norm(ends.reshape(-1, 1, 3) - corners, axis=2).min(axis=1)
        assert apart.max() <= 1e-14 * np.abs(corners).max()
        return
    assert run.code == 0
    assert more["si"] is ("--units" in flags)
    (result,) = run.results
    found = measure(surface).integrals.moments  # refused, were it drawn inside-out
    assert float(found.volume) == pytest.approx(result["volume"], rel=1e-13)
    assert [float(x) for x in found.center] == pytest.approx(result["center"], rel=1e-12)
    assert properties.mass == result["mass"]


def test_a_section_is_drawn_where_its_numbers_are(drawn: Drawn) -> None:
    run = massprops("square.csv", MEASURE, "--units", "mm", "--mirror_normal", 1, 2, 0, "--figure", "a.png", "--json")
    ((curve, properties, more),) = drawn.calls
    assert run.code == 0
    assert more == {"title": "square.csv", "si": True}
    corners = np.concatenate(list(section_figure.outline(curve)))
    x, y = 1e-3 * np.array([[0, 2, 2, 0], [0, 0, 1, 1]])
    wanted = np.stack([0.6 * x - 0.8 * y, -0.8 * x - 0.6 * y], axis=1)
    assert np.abs(corners[:, None] - wanted).max(axis=2).min(axis=1).max() < 1e-17
    assert properties.area == pytest.approx(2e-6)


BOW = "0 0\n2 2\n2 0\n0 2\n"
OPEN_PATH = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M10 10H90V90" fill="none" stroke="black"/></svg>'


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("name", "text", "status", "marks"),
    [
        ("bow.csv", BOW, "self_intersecting", 1),
        ("open.svg", OPEN_PATH, "open", 2),
        ("flat.csv", "0 0\n1 0\n2 0\n", "zero_area", 0),
    ],
)
def test_a_section_that_was_refused_is_drawn_with_what_is_wrong(
    here: Path, name: str, text: str, status: str, marks: int
) -> None:
    (here / name).write_text(text)
    run = massprops(name, MEASURE, "--units", "mm", "--figure", "a.png", "--html", "a.html", "--json")
    assert run.code == 1
    assert [result["status"] for result in run.results] == [status]
    assert names(here) == {name, "a.png", "a.html"}
    assert (count_near(here / "a.png", rendering.WRONG_COLOR, 12) > 100) is (marks > 0)
    assert count_near(here / "a.png", "#33475c", 12) > 500
    assert count_near(here / "a.png", "#cfe1f5", 2) == 0  # no region
    page = (here / "a.html").read_text(encoding="utf-8")
    assert page.count('<figure class="outline">') == 1
    assert page.count('<circle class="wrong"') == marks
    assert run.results[0]["message"] in page


def test_nothing_to_draw_keeps_its_verdict(here: Path) -> None:
    pytest.importorskip("pyvista")
    (here / "nan.stl").write_bytes(binary_stl(np.full((4, 3, 3), np.nan)))
    run = massprops("nan.stl", MEASURE, "--figure", "nan.png", "--html", "nan.html", "--json")
    assert run.code == 1
    assert [result["status"] for result in run.results] == ["non_finite"]
    assert names(here) == {"nan.stl", "nan.html"}


def test_edges_between_slivers_on_a_seam_are_shaded_over() -> None:
    samples = Path(__file__).parents[1] / "sample_meshes"
    if not samples.is_dir():
        pytest.skip("the sample meshes are not here")
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    raw = (samples / "blob.stl").read_bytes()
    blob = np.frombuffer(raw[84:], record)["corners"].astype(float)
    assert len(shaded(drawn_mesh(blob)).edges) == 0
    assert len(shaded(drawn_mesh(BODY)).edges) == 6
    assert len(shaded(drawn_mesh(BODY[1:])).edges) == 6


# The page


def test_a_page_of_many_inputs_is_the_same_from_several_processes(here: Path) -> None:
    (here / "broken.csv").write_text("1 2\n")
    inputs = ("body.stl", "square.csv", "open.stl", "broken.csv", "missing.stl")
    runs = [
        _own_process(*inputs, MEASURE, "--html", f"{jobs}.html", "--json", "--jobs", jobs) for jobs in (1, 2)
    ]
    assert [run.code for run in runs] == [1, 1]
    assert runs[0].out == runs[1].out
    pages = [(here / f"{jobs}.html").read_text(encoding="utf-8") for jobs in (1, 2)]
    assert pages[0] == pages[1]
    for result in runs[0].results:
        assert f'<bdi>{result["file"]}</bdi>' in pages[0]
    statuses = [result["status"] for result in runs[0].results]
    assert statuses[:3] == ["ok", "ok", "open"]
    assert "ok" not in statuses[3:]
    assert pages[0].count("<canvas") == 3  # none of what could not be read
    assert "http://" not in pages[0].replace("http://www.w3.org/", "")


def test_the_same_input_twice_and_names_with_markup(here: Path) -> None:
    (here / "a <b>&.stl").write_bytes(binary_stl(BODY))
    assert massprops("a <b>&.stl", "body.stl", "body.stl", MEASURE, "--html", "page.html").code == 0
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "<bdi>a &lt;b&gt;&amp;.stl</bdi>" in page
    assert "a <b>&.stl" not in page
    assert page.count("<canvas") == 3


def _own_process(*arguments: Any) -> Run:
    command = [sys.executable, "-m", "massprops", *map(str, arguments)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return Run(found.returncode, found.stdout, found.stderr)


# Names


def test_a_name_for_each_input(drawn: Drawn, here: Path) -> None:
    (here / "out").mkdir()
    run = massprops("body.stl", "square.csv", MEASURE, "--figure", "out/{stem}_seen.PNG")
    assert run.code == 0
    assert names(here / "out") == {"body_seen.PNG", "square_seen.PNG"}


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--figure", "a.jpg"), "--figure a.jpg: written are png, svg"),
        (("--figure", "seen"), "--figure seen: written are png, svg; say which, as in seen.png"),
        (("--figure", "a/{stem}."), "--figure a/body.: written are png, svg; say which, as in body.png"),
        (("--figure", ".png"), "--figure .png: written are png, svg"),
        ((*SHORT, "--animate", "moved"), "--animate moved: written are gif, mp4; say which, as in moved.gif"),
        (("--figure", "new/"), "--figure new/: a folder; name a file in it"),
        (("--html", "a.html", "--figure", "a.html"), "--figure a.html: written are png, svg"),
        ((*SHORT, "--animate", "a.avi"), "--animate a.avi: written are gif, mp4"),
        (("--animate", "a.gif"), "--animate needs --spin"),
        (("--figure", "-"), "--figure -: a file is written, not standard output"),
        (("--figure", "no/a.png"), "--figure no/a.png: there is no folder no"),
        (("--html", "no/a.html"), "--html no/a.html: there is no folder no"),
        (("--html", "."), "--html .: a folder"),
        (("--figure", "old.png"), "--figure old.png: exists already; --overwrite replaces it"),
        (("--html", "old.html"), "--html old.html: exists already; --overwrite replaces it"),
        ((*SHORT, "--animate", "old.gif"), "--animate old.gif: exists already; --overwrite replaces it"),
        (("square.csv", "--figure", "a.png"), "--figure a.png: one name for several inputs; put {stem} into it"),
        (("--figure", "a.svg", "--html", "a.svg"), "--html a.svg: written are html, htm"),
        (("--html", "report"), "--html report: written are html, htm; say which, as in report.html"),
        ((*SHORT, "--spin_csv", "a.html", "--html", "a.html"), "one name for two files that are to be written"),
        ((*SHORT, "--spin_csv", "a.html", "--html", "./a.html"), "one name for two files that are to be written"),
    ],
)
def test_refused_before_anything_is_done(drawn: Drawn, here: Path, flags: tuple[Any, ...], words: str) -> None:
    for old in ("old.png", "old.html", "old.gif"):
        (here / old).write_text("kept")
    before = names(here)
    run = massprops("body.stl", MEASURE, *flags)
    assert run == (2, "", f"massprops: {words}\n")
    assert names(here) == before
    assert (here / "old.png").read_text() == "kept"
    assert not drawn.calls


@pytest.mark.parametrize("flags", [("--figure", "a.png"), ("--html", "a.html")])
def test_pictures_are_of_what_was_measured(drawn: Drawn, flags: tuple[str, str]) -> None:
    run = massprops("body.stl", *flags)
    assert run == (2, "", "massprops: --figure, --animate and --html need --mass_properties\n")


def test_overwrite(drawn: Drawn, here: Path) -> None:
    old = ("a.png", "a.gif", "a.html")
    for name in old:
        (here / name).write_text("old")
    flags = ("--figure", "a.png", "--animate", "a.gif", "--html", "a.html", "--overwrite")
    assert massprops("body.stl", MEASURE, *SHORT, *flags).code == 0
    assert (here / "a.png").read_bytes() == (here / "a.gif").read_bytes() == b"a picture"
    assert (here / "a.html").read_text(encoding="utf-8").startswith("<!")
    assert names(here) == set(old)


# What cannot be


GIF, MP4 = (*SHORT, "--animate", "a.gif"), (*SHORT, "--animate", "a.mp4")


@pytest.mark.parametrize(
    ("file", "flags", "modules"),
    [
        ("body.stl", ("--figure", "a.png"), {"pyvista", "matplotlib", "PIL"}),
        ("square.csv", ("--figure", "a.png"), {"matplotlib", "PIL"}),
        ("body.stl", GIF, {"pyvista", "matplotlib", "PIL"}),
        ("body.stl", MP4, {"pyvista", "matplotlib", "PIL", "imageio_ffmpeg"}),
        ("body.stl", ("--html", "a.html"), set()),
        ("body.stl", (*SHORT, "--spin_csv", "a.csv"), set()),
    ],
)
@pytest.mark.parametrize(
    ("module", "package"),
    [("pyvista", "pyvista"), ("matplotlib", "matplotlib"), ("PIL", "pillow"), ("imageio_ffmpeg", "imageio-ffmpeg")],
)
def test_without_the_extra_one_line_names_what_this_picture_needs(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    flags: tuple[Any, ...],
    modules: set[str],
    module: str,
    package: str,
) -> None:
    Drawn(monkeypatch)
    hidden(monkeypatch, {"pyvista", "matplotlib", "PIL", "imageio_ffmpeg"} - modules | {module})
    run = massprops(file, MEASURE, *flags)
    if module not in modules:
        assert run.code == 0
        assert len(names(here)) == 1
        return
    assert run == (2, "", f"massprops: {package} is not installed; try: pip install 'massprops[figures]'\n")
    assert names(here) == set()


def hidden(monkeypatch: pytest.MonkeyPatch, modules: set[str]) -> None:
    """Let these modules not be installed, and all others of the extra be."""
    find: Callable[..., Any] = importlib.util.find_spec
    extra = {"pyvista", "matplotlib", "PIL", "imageio_ffmpeg"}
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *at: (None if name in modules else True) if name in extra else find(name, *at),
    )


def test_all_that_is_missing_is_named_in_one_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden(monkeypatch, {"pyvista", "PIL", "imageio_ffmpeg"})
    run = massprops("body.stl", MEASURE, *MP4)
    told = "pyvista, pillow and imageio-ffmpeg are not installed; try: pip install 'massprops[figures]'"
    assert run == (2, "", f"massprops: {told}\n")


@pytest.mark.parametrize("module", ["pyvista", "matplotlib", "PIL", "imageio_ffmpeg"])
def test_a_page_needs_nothing_of_the_extra(here: Path, module: str) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; from massprops.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "body.stl", "square.csv", MEASURE, "--html", "a.html"]
    assert subprocess.run(command, capture_output=True, check=False, timeout=120).returncode == 0
    assert names(here) == {"a.html"}


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--spin", 0, 6000, 0.1, "--step", 0.1), "unphysical: --spin: step: 0.1 is too long"),
        (("--spin", 1e200, 0, 0, "--step", 1e-205, "--duration", 1e-203), "unphysical: --spin: the motion diverges"),
    ],
)
def test_a_body_that_cannot_spin_is_drawn_and_the_reason_told(
    drawn: Drawn, here: Path, flags: tuple[Any, ...], words: str
) -> None:
    files = ("--figure", "a.png", "--animate", "a.gif", "--html", "a.html", "--spin_csv", "a.csv")
    run = massprops("body.stl", MEASURE, *flags, *files, "--json")
    assert run.code == 1
    assert run.results[0]["status"] == "unphysical"
    ((_, properties, more),) = drawn.calls  # no film
    assert properties.volume == pytest.approx(1.0 * 1.5 * 2.25 / 6)
    assert more["message"].startswith(words)
    assert names(here) == {"a.png", "a.html"}
    page = (here / "a.html").read_text(encoding="utf-8")
    assert run.results[0]["message"] in page
    assert '"ellipsoid"' in page


@pytest.mark.usefixtures("quick")
def test_why_a_body_cannot_spin_stands_in_its_picture(here: Path) -> None:
    flags = ("--spin", 0, 6000, 0.1, "--step", 0.1)
    massprops("body.stl", MEASURE, *flags, "--figure", "a.png")
    assert count_near(here / "a.png", rendering.WRONG_COLOR, 60) > 200
    for color in AXIS_COLORS:
        assert count_near(here / "a.png", color) > 200


# How far a film is


class Bar:
    """Stands in for rich's progress bar: keeps what was tracked, and says where it is shown."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, out: bool, err: bool) -> None:
        self.tracked: list[str] = []
        monkeypatch.setattr("rich.progress.track", self)
        self.terminals = {"stdout": out, "stderr": err}

    def __call__(self, items: Any, description: str, console: Any = None, **more: Any) -> Any:
        assert console.stderr
        assert more.get("transient")
        self.tracked.append(description)
        return items


@pytest.mark.parametrize(
    ("out", "err", "files", "flags", "bars"),
    [
        (True, True, 1, (), ["filming body.gif"]),
        (False, True, 1, (), ["filming body.gif"]),
        (True, False, 1, (), []),
        (False, False, 1, (), []),
        (True, True, 1, ("--quiet",), []),
        (True, True, 2, (), ["filming body.gif", "filming more.gif"]),
        (False, True, 2, (), ["measuring"]),
    ],
)
def test_a_film_shows_how_far_it_is_where_somebody_sees_it(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    drawn: Drawn,
    out: bool,
    err: bool,
    files: int,
    flags: tuple[str, ...],
    bars: list[str],
) -> None:
    (here / "more.stl").write_bytes(binary_stl(BODY))
    bar = Bar(monkeypatch, out, err)
    inputs = ["body.stl", "more.stl"][:files]
    on_terminals(monkeypatch, bar, *inputs, MEASURE, *SHORT, "--animate", "{stem}.gif", *flags)
    for _, _, more in drawn.calls:
        if more["progress"] is not None:
            assert list(more["progress"]([1, 2])) == [1, 2]
    assert bar.tracked == bars


def test_the_name_of_a_film_moves_no_cursor_and_is_no_markup(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Bar(monkeypatch, True, True)
    plan = Plan(("body.stl",), watched=True)
    monkeypatch.setattr(sys, "stderr", Terminal())
    progress = _progress(Path("out/a\x1b[2J[red]\n.gif"), plan)
    assert progress is not None
    assert list(progress([1])) == [1]
    (told,) = bar.tracked
    assert Text.from_markup(told).plain == r"filming a\x1b[2J[red]\n.gif"


class Terminal(io.StringIO):
    """A stream that somebody sees."""

    def isatty(self) -> bool:
        return True


def on_terminals(monkeypatch: pytest.MonkeyPatch, bar: Bar, *arguments: Any) -> None:
    """Run with standard streams that are terminals or are not."""
    with monkeypatch.context() as patch:
        for name, is_terminal in bar.terminals.items():
            patch.setattr(sys, name, Terminal() if is_terminal else io.StringIO())
        with pytest.raises(SystemExit) as left:
            main(list(map(str, arguments)))
    assert left.value.code == 0


def test_a_package_that_does_not_load_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    monkeypatch.setitem(sys.modules, "pyvista", None)
    run = massprops("body.stl", "open.stl", MEASURE, "--figure", "{stem}.png", "--json")
    assert run.code == 1
    assert "pip install 'massprops[figures]'" in run.results[0]["message"]
    assert run.results[1]["status"] == "open"  # which says more
    assert names(here) == set()


def test_no_half_files(here: Path, drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, *rest: Any, **more: Any) -> None:
        Path(path).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure, "draw_body", full)
    (here / "body.png").write_text("kept")
    run = massprops("body.stl", "square.csv", MEASURE, "--figure", "{stem}.png", "--overwrite", "--json")
    assert run.code == 1
    assert [result["status"] == "ok" for result in run.results] == [False, True]
    assert run.results[0]["message"] == "body.png cannot be written: no space left on device"
    assert names(here) == {"body.png", "square.png"}
    assert (here / "body.png").read_text() == "kept"


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="a folder in which nobody can write")
def test_a_place_where_nobody_can_write(drawn: Drawn) -> None:
    run = massprops("body.stl", MEASURE, "--figure", "/proc/self/a.png", "--json")
    assert run.code == 1
    assert run.results[0]["message"].startswith("/proc/self/a.png cannot be written: ")
    run = massprops("body.stl", MEASURE, "--html", "/proc/self/a.html", "--json")
    assert run.code == 1
    assert json.loads(run.out)["summary"]["measured"] == 1  # the page alone is missing
    assert run.err.startswith("massprops: /proc/self/a.html cannot be written: ")
    assert run.err.count("\n") == 1


def test_nothing_that_draws_is_imported_unasked(here: Path) -> None:
    code = (
        "import sys; from massprops.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as left: assert left.code == 0, left.code\n"
        "print({'pyvista', 'matplotlib', 'vtkmodules', 'PIL', 'imageio_ffmpeg'} & {*sys.modules}, file=sys.stderr)\n"
        "print('massprops.pictures' in sys.modules, file=sys.stderr)\n"
    )
    for flags in ((MEASURE, *SHORT), (MEASURE, "--html", "a.html")):
        command = [sys.executable, "-c", code, "body.stl", "square.csv", *map(str, flags)]
        found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert found.returncode == 0, found.stderr
        assert found.stderr.splitlines()[-2:] == ["set()", str("--html" in flags)]
