"""The HTML report: what stands in it, and what it does in a real browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import time
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop
from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.notice import Notice
from massprops.core.section import section_integrals
from massprops.core.section_properties import SectionProperties
from massprops.core.segments import Arc
from massprops.core.surface import Floats, TriangleArray
from massprops.report.html.html import html_report
from massprops.report.html.views import HtmlView, section_view, solid_view
from massprops.report.json_report import result_object
from massprops.report.numbers import SUBSCRIPTS
from massprops.report.picture_format import PictureError
from massprops.result import Result

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
TURN = np.array([[2.0, -2.0, 1.0], [1.0, 2.0, 2.0], [-2.0, -1.0, 2.0]]) / 3
BODY = TETRAHEDRON @ TURN.T + [0.1, -0.2, 0.3]

ANGLE = [[0.0, 0], [100, 0], [100, 8], [8, 8], [8, 100], [0, 100]]
REFUSED = "3 boundary edges in 1 loop; try --fill_holes"
WICKED = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>\"'&amp;{{data}}.stl"


def properties(triangles: Floats) -> MassProperties:
    found = measure(TriangleArray(triangles))
    bounds = np.stack([found.survey.lower, found.survey.upper])
    return MassProperties.of(found.integrals.moments, 7850.0, [1, 2, 3], found.integrals.area, bounds)


def section(loops: list[Any]) -> tuple[Curve, SectionProperties]:
    corners = np.concatenate([np.asarray(loop, float) for loop in loops])
    curve = Curve.from_loops(*corners.T, [len(loop) for loop in loops])
    found = section_integrals(curve)
    return curve, SectionProperties.of(found.moments, 2.5, None, curve, found)


def examples() -> tuple[list[Result], dict[str, HtmlView]]:
    """A measured body, one that is not, a section, a wicked name, and a file that is not there."""
    measured = properties(BODY)
    hairline = Notice("hairline", "3 cracks were closed, the widest 1e-9 wide", {"cracks": 3, "largest_gap": 1e-9})
    diagnosis = {"open_edges": 3, "loops": 1, "inconsistent_edges": 0, "largest_gap": None, "where": [0.25, 0.5, -1.0]}
    results = [
        Result("body.stl", "stl", facets=4, properties=measured, warnings=(hairline,)),
        Result("open.stl", "stl", "open", REFUSED, facets=3, diagnosis=diagnosis),
        Result("angle.dxf", "dxf", kind="section"),
        Result(WICKED, "stl", facets=4, properties=measured, unit="mm"),
        Result("missing-\udcff.stl", status="not_found", message="there is no such file"),
    ]
    edges = BODY[0][[[0, 1], [1, 2], [2, 0]]]
    views = {
        "body.stl": solid_view(TriangleArray(BODY), measured),
        "open.stl": solid_view(TriangleArray(BODY[1:]), None, edges),
        "angle.dxf": section_view(*section([ANGLE])),
        WICKED: solid_view(TriangleArray(BODY), measured),
    }
    return results, views


@pytest.fixture(scope="module")
def page() -> str:
    return html_report(*examples())


class Reader(HTMLParser):
    """Elements of a page, and the texts of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "bdi": []}
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.texts:
            self.texts[tag].append("")
            self._open = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._open:
            self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open][-1] += data


def numbers_of(value: Any, path: str) -> Iterator[tuple[str, float]]:
    """All numbers of a JSON value with their paths."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from numbers_of(item, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from numbers_of(item, f"{path}.{index}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def shown_numbers(result: Result) -> dict[str, float]:
    content = {name: value for name, value in result_object(result).items() if name != "warnings"}
    return dict(numbers_of(content, ""))


# The page as text


def test_the_page_asks_for_nothing_from_outside(page: str) -> None:
    without_namespace = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|@import|url\(", without_namespace.replace("data:,", ""))
    for tag, attributes in Reader(page).tags:
        assert "src" not in attributes, tag
        if "href" in attributes:
            assert attributes["href"] is not None
            assert attributes["href"].startswith(("#", "data:,"))


def test_only_the_script_and_style_of_the_page_may_run(page: str) -> None:
    reader = Reader(page)
    policy = next(a["content"] for tag, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for kind, text in (("script", reader.texts["script"][-1]), ("style", reader.texts["style"][0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not any(name.startswith("on") or name == "style" for _, a in reader.tags for name in a)


def test_a_wicked_name_is_only_a_name(page: str) -> None:
    reader = Reader(page)
    runnable = [a for tag, a in reader.tags if tag == "script" and a.get("type") != "application/json"]
    assert len(runnable) == 1
    assert not any(tag == "img" for tag, _ in reader.tags)
    assert reader.texts["bdi"].count(WICKED) == 2  # in the overview, and as a heading
    assert page.encode("utf-8")  # a name that is no text does not keep it from being written
    assert "missing-\\udcff.stl" in reader.texts["bdi"]


def test_data_of_a_view_cannot_end_its_script() -> None:
    view = HtmlView("solid", {"positions": "</script><b>&"}, ("a < b",))
    page = html_report([Result("a.stl")], {"a.stl": view})
    assert "</script><b>" not in page
    assert json.loads(Reader(page).texts["script"][0]) == view.data
    assert "<p>a &lt; b</p>" in page


def test_the_same_run_gives_the_same_page(page: str) -> None:
    assert html_report(*examples()) == page


def test_every_input_has_its_verdict_and_its_message(page: str) -> None:
    for told in (
        '<span class="verdict good">ok</span>',
        '<span class="verdict bad">open</span>',
        '<span class="verdict bad">not found</span>',
        REFUSED,
        "<strong>hairline</strong> 3 cracks were closed",
        "5 inputs: 3 measured, 2 not",
    ):
        assert told in page
    assert page.count('<figure class="view solid"') == 3
    assert page.count('<figure class="view section"') == 1


def test_units_are_written_where_results_are_in_si() -> None:
    result = Result("a.stl", properties=properties(BODY), unit="mm")
    assert 'about the centre of mass <span class="unit">[kg m\u00b2]</span>' in html_report([result], {})
    page = html_report([result, Result("b.stl", properties=properties(BODY))], {})
    assert page.count('</data> <span class="unit">kg</span>') == 1  # in the overview, which may have both kinds
    assert "[kg" not in html_report([Result("a.stl", properties=properties(BODY))], {})


def luminance(color: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2.1)."""
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_everything_stands_out_from_its_ground(page: str, theme: int) -> None:
    """Ratios of WCAG 2.1: 4.5 for text, 3 for lines and controls."""
    colors = dict(re.findall(r"--([\w-]+): (#\w{6})", re.findall(r":root \{(.*?)\}", page, re.S)[theme]))
    texts = ["ink paper", "ink sheet", "muted paper", "muted sheet", "link paper", "good good-paper", "bad bad-paper"]
    texts += ["told told-paper", "axis-1 sheet", "axis-2 sheet", "axis-3 sheet"]
    lines = [f"{name} sheet" for name in ("control", "wrong", "outline", "ellipse", "link")]
    lines += ["control paper", "outline region"]
    for pairs, least in ((texts, 4.5), (lines, 3.0)):
        for pair in pairs:
            low, high = sorted(luminance(colors[name]) for name in pair.split())
            assert (high + 0.05) / (low + 0.05) >= least, pair


# Views


def test_coordinates_are_packed_relative_to_the_box() -> None:
    moved = BODY * 1e-30 + 1e-24
    view = solid_view(TriangleArray(moved), None)
    positions = np.frombuffer(base64.b64decode(view.data["positions"]), "<f4").reshape(-1, 3)
    indices = np.frombuffer(base64.b64decode(view.data["indices"]), "<u2").reshape(-1, 3)
    low, high = BODY.min(axis=(0, 1)), BODY.max(axis=(0, 1))
    framed = (BODY - (low + high) / 2) / ((high - low).max() / 2)
    assert np.abs(positions[indices] - framed).max() < 1e-6
    assert view.data["measured"] is False
    assert "ellipsoid" not in view.data


def test_a_large_body_is_decimated_and_it_is_said() -> None:
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(330), np.arange(330)))
    z = 0.1 * np.sin(0.05 * i) * np.cos(0.04 * j)
    square = np.stack([np.stack([i + a, j + b, z], axis=1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))], axis=1)
    triangles = np.concatenate([square[:, [0, 1, 2]], square[:, [0, 2, 3]]]).astype(float)
    view = solid_view(TriangleArray(triangles), None)
    drawn = len(base64.b64decode(view.data["indices"])) // (12 if view.data["wide"] else 6)
    assert drawn <= 200_000 < len(triangles)
    told = f"Drawn with {drawn:,} facets; the numbers are from all 217,800.".replace(",", "\u202f")
    assert view.notes == ("Outer sides are blue, inner sides brown.", told)


def test_what_is_red_is_told_where_something_is() -> None:
    edges = BODY[0][[[0, 1], [1, 2], [2, 0]]]
    view = solid_view(TriangleArray(BODY[1:]), None, edges)
    assert view.notes[0].endswith("inner sides brown; edges without a matching partner are red.")
    assert not solid_view(TriangleArray(BODY), properties(BODY)).notes


def test_a_curved_section_is_flattened_and_it_is_said() -> None:
    curve = Curve((Loop((Arc.circle([1e6, -3.0], 2.0),)),))
    view = section_view(curve, None, density=3.0)
    loop = np.frombuffer(base64.b64decode(view.data["loops"][0]), "<f8").reshape(-1, 2)
    assert np.allclose(np.hypot(*loop.T), 2.0, rtol=1e-9)
    assert view.data["origin"] == [1e6, -3.0]
    assert view.data["density"] == 3.0
    assert "polygons" in view.notes[0]
    assert not section_view([np.array(ANGLE)], None).notes


def test_a_section_without_loops_is_told() -> None:
    with pytest.raises(PictureError, match="no loops"):
        section_view([np.zeros((2, 2))], None)


# In a browser

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def _browser_missing() -> str | None:
    """What keeps the browser tests from running."""
    try:
        import selenium  # noqa: F401
    except ModuleNotFoundError:
        return "selenium is not installed"
    if not any(map(shutil.which, _BROWSERS)):
        return f"none of {', '.join(_BROWSERS)} is installed"
    if not shutil.which("chromedriver"):
        return "chromedriver is not installed"
    return None


_MISSING = _browser_missing()
in_browser = pytest.mark.skipif(_MISSING is not None, reason=f"no browser to test with: {_MISSING}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, _BROWSERS)))
    for flag in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "use-angle=swiftshader", "hide-scrollbars"):
        options.add_argument(f"--{flag}")
    options.add_argument("--enable-unsafe-swiftshader")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


class Tab:
    """The page in a browser of a given size."""

    def __init__(self, driver: Any, path: Path, width: int = 1280, dark: bool = False) -> None:
        self.driver = driver
        driver.get_log("browser")
        driver.get_log("performance")
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        driver.get(path.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        from selenium.webdriver.common.by import By

        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def show(self, index: int) -> None:
        """Scroll to the drawing of an input and wait until it is drawn."""
        figure = f"#input-{index} figure"
        self.run(f"document.querySelector('{figure}').scrollIntoView({{block: 'center'}})")
        self.until(lambda: self.run(f"return document.querySelector('{figure}').dataset.ready === 'yes'"))
        self.settle()

    def settle(self) -> None:
        """Wait for two frames, so that what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
        )

    @staticmethod
    def until(is_so: Any, seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, "waited too long"
            time.sleep(0.02)

    def picture(self, index: int) -> Any:
        """Pixels of a canvas, shape (height, width, 4)."""
        width, height, text = self.run(
            "const c = document.querySelector(arguments[0]);"
            "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            "let s = ''; for (let i = 0; i < d.length; i += 8192) s += String.fromCharCode(...d.subarray(i, i + 8192));"
            "return [c.width, c.height, btoa(s)]",
            f"#input-{index} canvas",
        )
        return np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)

    def table(self) -> dict[str, list[float]]:
        """Pixel, Calc, Diff and the bound of each quantity of the section."""
        self.settle()
        rows = self.run(
            "return [...document.querySelectorAll('[data-quantity]')].map((row) =>"
            "[row.dataset.quantity, [...row.querySelectorAll('td')].map((cell) => Number(cell.dataset.value))])"
        )
        return dict(rows)

    def chosen(self) -> list[float]:
        """Coordinates of the corner that is chosen."""
        return self.run("return ['u', 'v'].map((n) => document.querySelector(`[data-part=${n}]`).valueAsNumber)")

    def handle(self, index: int) -> Any:
        return self.find(f".handle:nth-child({index + 1})")

    def corners(self) -> int:
        self.settle()
        return int(self.run("return document.querySelectorAll('.handle').length"))

    def mouse(self) -> Any:
        from selenium.webdriver.common.action_chains import ActionChains

        return ActionChains(self.driver, duration=20)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, page: str) -> Path:
    path = tmp_path_factory.mktemp("html") / "report.html"
    path.write_text(page, "utf-8")
    return path


@pytest.fixture
def tab(browser: Any, path: Path) -> Tab:
    return Tab(browser, path)


def polygon(loops: list[Any]) -> dict[str, float]:
    _, found = section(loops)
    return {
        "area": found.area, "u": found.center[0], "v": found.center[1], "polar": found.polar_moment,
    }  # fmt: skip


def assert_table_is(table: dict[str, list[float]], loops: list[Any]) -> None:
    """The formula gives what the library gives; counting agrees within the bound told."""
    for name, value in polygon(loops).items():
        pixel, calc, difference, bound = table[name]
        assert calc == pytest.approx(value, rel=1e-11), name
        assert difference == pytest.approx(pixel - calc, abs=1e-9 * abs(calc)), name
        assert abs(difference) <= bound, name
        assert bound < 1.2 * abs(calc), name


@in_browser
def test_numbers_on_the_page_are_those_of_the_json(tab: Tab) -> None:
    for index, result in enumerate(examples()[0], 1):
        found = tab.run(
            "return [...document.querySelectorAll(`#input-${arguments[0]} [data-field]`)]"
            ".map((e) => [e.dataset.field, e.textContent, e.getAttribute('value')])",
            index,
        )
        wanted = shown_numbers(result)
        assert len(found) == len(wanted)
        for name, text, value in found:
            assert float(text) == float(value) == wanted[name], name
        row = tab.run(
            "return [...document.querySelectorAll(`.overview tbody tr:nth-child(${arguments[0]}) [data-field]`)]"
            ".map((e) => [e.dataset.field, e.textContent, e.getAttribute('value')])",
            index,
        )
        for name, text, value in row:
            assert float(value) == wanted[name], name
            if "\u00d7" not in text:
                assert float(text.replace("\u2212", "-")) == pytest.approx(wanted[name], rel=1e-5), name


@in_browser
def test_the_body_is_drawn_and_can_be_turned(tab: Tab) -> None:
    from selenium.webdriver.common.keys import Keys

    tab.show(1)
    first = tab.picture(1)
    covered = first[..., 3] > 0
    assert 0.1 < covered.mean() < 0.9
    assert len(np.unique(first.reshape(-1, 4), axis=0)) > 50
    assert tab.run("return [...document.querySelectorAll('#input-1 .labels span')].map((e) => e.textContent)") == [
        f"I{SUBSCRIPTS[k]} = {moment:.6g}" for k, moment in enumerate(properties(BODY).principal_moments)
    ]
    canvas = tab.find("#input-1 canvas")
    tab.mouse().drag_and_drop_by_offset(canvas, 60, 20).perform()
    tab.settle()
    dragged = tab.picture(1)
    assert (dragged != first).any(axis=2).mean() > 0.05
    canvas.send_keys(Keys.ARROW_LEFT, "+")
    tab.settle()
    turned = tab.picture(1)
    assert (turned != dragged).any(axis=2).mean() > 0.05
    canvas.send_keys("0")
    tab.settle()
    assert np.abs(tab.picture(1).astype(int) - first).max() <= 2  # one browser's canvas may round in two ways


@in_browser
def test_centre_axes_and_ellipsoid_can_be_switched_by_keys_alone(tab: Tab) -> None:
    from selenium.webdriver.common.keys import Keys

    tab.show(1)
    before = tab.picture(1)
    for part in ("center", "axes", "ellipsoid"):
        tab.find(f'#input-1 [data-part="{part}"]').send_keys(Keys.SPACE)
        tab.settle()
        after = tab.picture(1)
        assert (after != before).any(axis=2).sum() > 50, part
        before = after
    assert tab.run("return document.querySelectorAll('#input-1 .labels span').length") == 0


@in_browser
def test_an_open_body_shows_its_edges_in_red_and_no_ellipsoid(tab: Tab) -> None:
    tab.show(2)
    picture = tab.picture(2).astype(int)
    red = (np.abs(picture[..., :3] - [0xD8, 0x1E, 0x2C]).max(axis=2) < 30) & (picture[..., 3] > 200)
    assert red.sum() > 300
    parts = tab.run("return [...document.querySelectorAll('#input-2 [data-part]')].map((e) => e.dataset.part)")
    assert parts == ["edges", "opacity"]


@in_browser
def test_a_section_is_measured_both_ways(tab: Tab) -> None:
    tab.show(3)
    assert_table_is(tab.table(), [ANGLE])


@in_browser
def test_dragging_a_corner_changes_both_columns_and_they_agree(tab: Tab) -> None:
    tab.show(3)
    before = tab.table()
    tab.mouse().drag_and_drop_by_offset(tab.handle(2), 13, -87).perform()
    after = tab.table()
    moved = [list(corner) for corner in ANGLE]
    moved[2] = tab.chosen()
    assert moved[2] != ANGLE[2]
    for name in ("area", "u", "v", "polar"):
        assert after[name][0] != before[name][0], name
        assert after[name][1] != before[name][1], name
    assert_table_is(after, [moved])
    tab.find('#input-3 [data-act="reset"]').click()
    assert tab.table() == before


@in_browser
def test_a_corner_is_added_by_clicking_an_edge_and_removed_by_a_double_click(tab: Tab) -> None:
    tab.show(3)
    before = tab.table()
    ends = [tab.run("const b = arguments[0].getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]",
                    tab.handle(k)) for k in (0, 1)]  # fmt: skip
    x, y = (round((a + b) / 2) for a, b in zip(*ends, strict=True))
    mouse = tab.mouse()
    mouse.w3c_actions.pointer_action.move_to_location(x, y)
    mouse.click().perform()
    assert tab.corners() == len(ANGLE) + 1
    added = tab.chosen()
    assert added[0] == pytest.approx(50, abs=1)
    assert added[1] == pytest.approx(0, abs=1e-9)
    assert tab.table()["area"][1] == pytest.approx(before["area"][1], rel=1e-12)
    tab.mouse().double_click(tab.handle(1)).perform()
    assert tab.corners() == len(ANGLE)
    assert tab.table()["area"][1] == pytest.approx(before["area"][1], rel=1e-12)


@in_browser
def test_a_section_can_be_changed_by_keys_alone(tab: Tab) -> None:
    from selenium.webdriver.common.keys import Keys

    tab.show(3)
    drawing = tab.find("#input-3 svg")
    drawing.send_keys("n", "n")
    assert tab.chosen() == ANGLE[1]
    drawing.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_UP)
    tab.settle()
    assert tab.chosen() == pytest.approx([101, 1])
    drawing.send_keys("a")
    assert tab.corners() == 7
    assert tab.chosen() == pytest.approx([100.5, 4.5])
    drawing.send_keys(Keys.DELETE)
    assert tab.corners() == 6
    drawing.send_keys("p")
    box = tab.find('#input-3 [data-part="u"]')
    box.clear()
    box.send_keys("120")
    moved = [list(corner) for corner in ANGLE]
    moved[1] = [120.0, 1.0]
    assert_table_is(tab.table(), [moved])
    drawing.send_keys(*[Keys.DELETE] * 5)
    assert tab.corners() == 3
    assert "Three corners" in tab.find('#input-3 [data-part="chosen"]').text


@in_browser
def test_a_loop_that_crosses_itself_still_agrees_and_is_told(tab: Tab) -> None:
    tab.show(3)
    tab.find("#input-3 svg").send_keys("n")
    for name, value in (("u", "150"), ("v", "70")):
        box = tab.find(f'#input-3 [data-part="{name}"]')
        box.clear()
        box.send_keys(value)
    table = tab.table()
    assert_table_is(table, [[[150.0, 70.0], *ANGLE[1:]]])
    assert "more than once, or the wrong way round" in tab.find('#input-3 [data-part="state"]').text


@in_browser
def test_holes_count_less_and_pixels_can_be_seen(browser: Any, tmp_path: Path) -> None:
    loops = [[[0.0, 0], [4, 0], [4, 4], [0, 4]], [[1.0, 1], [1, 2], [2, 2], [2, 1]]]
    report = tmp_path / "hole.html"
    report.write_text(html_report([Result("hole.dxf", kind="section")], {"hole.dxf": section_view(*section(loops))}))
    tab = Tab(browser, report)
    tab.show(1)
    assert_table_is(tab.table(), loops)
    assert not tab.picture(1)[..., 3].any()
    tab.find('[data-part="pixels"]').click()
    tab.settle()
    share = (tab.picture(1)[..., 3] > 0).mean()
    assert 0.1 < share < 0.9
    counts = []
    for _ in range(6):
        tab.run("const r = document.querySelector('[data-part=across]'); r.value = Number(r.value) - 1;"
                "r.dispatchEvent(new Event('input'))")  # fmt: skip
        counts.append(tab.table()["area"][3])
    assert np.all(np.diff(counts) > 0)  # the fewer the pixels, the wider the bound


@in_browser
def test_nothing_is_asked_for_and_nothing_goes_wrong(browser: Any, path: Path) -> None:
    tab = Tab(browser, path)
    for index in range(1, 5):
        tab.show(index)
    assert tab.driver.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in tab.driver.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert {url for url in asked if not url.startswith("data:")} == {path.as_uri()}
    assert tab.run("return window.hacked") is None
    assert tab.run("return document.querySelector('#title-4 bdi').textContent") == WICKED


@in_browser
@pytest.mark.parametrize("width", [360, 400, 800, 1280])
def test_the_page_fits_its_window(browser: Any, path: Path, width: int) -> None:
    tab = Tab(browser, path, width)
    assert tab.run("return document.documentElement.scrollWidth") <= width
    tab.show(1)
    stage = tab.run("const b = document.querySelector('#input-1 .stage').getBoundingClientRect(); return b.width")
    assert 300 <= stage <= width


@in_browser
def test_the_table_of_a_small_section_fits_beside_it_and_reads_well(browser: Any, tmp_path: Path) -> None:
    curve, found = section([np.array(ANGLE) * 1e-3])
    path = tmp_path / "small.html"
    result = Result("small.dxf", "dxf", kind="section", section=found, curve=curve, unit="mm")
    path.write_text(html_report([result], {"small.dxf": section_view(curve, found)}), "utf-8")
    tab = Tab(browser, path)
    tab.show(1)
    fits = "const t = document.querySelector('.counted'); return t.scrollWidth <= t.parentElement.clientWidth"
    assert tab.run(fits)
    narrow = Tab(browser, path, width=360)
    narrow.show(1)
    assert narrow.run(fits)
    cells = tab.run("return [...document.querySelectorAll('[data-quantity=polar] td')].map((cell) => cell.textContent)")
    values = tab.table()["polar"]
    for cell, value in zip(cells, values, strict=True):
        mantissa, _, power = cell.partition(" \u00d7 10")
        power = unicodedata.normalize("NFKC", power)  # digits that are not raised
        number = float(mantissa.replace("\u2212", "-")) * 10 ** float(power.replace("\u2212", "-") or 0)
        assert number == pytest.approx(value, rel=1e-2)
        assert "e" not in cell


@in_browser
def test_the_page_follows_day_and_night(browser: Any, path: Path) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    day = Tab(browser, path)
    assert day.run(background) == "rgb(255, 255, 255)"
    day.show(1)
    light = day.picture(1)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    day.settle()
    assert day.run(background) == "rgb(18, 23, 29)"
    assert (day.picture(1) != light).any(axis=2).mean() > 0.05  # the drawing changes with it, at once


@in_browser
def test_a_lost_context_comes_back(browser: Any, path: Path) -> None:
    """Drivers restart, and phones take the graphics memory of pages that are not in front."""
    watch = (
        "const own = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (...a) {"
        " const c = own.apply(this, a); if (a[0] === 'webgl2') window.gl = c; return c; }"
    )
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watch})
    try:
        tab = Tab(browser, path)
        tab.show(1)
        before = tab.picture(1)
        tab.run("window.lose = window.gl.getExtension('WEBGL_lose_context'); window.lose.loseContext()")
        tab.settle()
        tab.run("window.lose.restoreContext()")
        tab.until(lambda: not tab.run("return window.gl.isContextLost()"))
        tab.run("document.querySelector('#input-1 [data-part=opacity]').value = 0.2")
        tab.find("#input-1 [data-act=reset]").click()
        tab.settle()
        after = tab.picture(1)
        assert (after != before).any(axis=2).mean() > 0.05
        assert (after[..., 3] > 0).mean() == pytest.approx((before[..., 3] > 0).mean(), abs=0.01)
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@in_browser
def test_everything_can_be_reached_with_the_tab_key(tab: Tab) -> None:
    from selenium.webdriver.common.keys import Keys

    reached = []
    for _ in range(60):
        tab.mouse().send_keys(Keys.TAB).perform()
        reached.append(
            tab.run("const e = document.activeElement; return e.dataset.part || e.dataset.act || e.localName")
        )
    for name in ("a", "canvas", "center", "axes", "ellipsoid", "opacity", "reset", "svg", "pixels", "across", "fit"):
        assert name in reached, name
