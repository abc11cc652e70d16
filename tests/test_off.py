"""OFF: headers, colours and comments; counts that do not agree."""

from __future__ import annotations

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.off import read_off
from tests import mesh_files as files
from tests.oracle import indexed, rays, star

BODY = star(1, np.linspace(0.7, 1.9, rays(1)))
POINTS, FACES = indexed(BODY)
COUNTS = f"{len(POINTS)} {len(FACES)}"
VERTICES = files.rows(POINTS)
LISTS = "".join(f"3 {line}\n" for line in files.rows(FACES).splitlines())


def triangles(text: str) -> np.ndarray:
    reading = read_off(text.encode("latin-1"))
    assert reading.format == "off"
    return reading.surface.triangles  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS}",
        f"OFF {COUNTS}\n{VERTICES}{LISTS}",
        f"\t  OFF{COUNTS} 12 # or not\n\n# comment\n{VERTICES}\n\n{LISTS}\n\n",
        f"{COUNTS} 0\n{VERTICES}{LISTS}",
        f"OFF\r\n{COUNTS} 0\r\n" + (VERTICES + LISTS).replace("\n", "\r\n"),
        f"COFF\n{COUNTS} 0\n" + VERTICES.replace("\n", " 255 0 nan 1\n") + LISTS,
        f"NOFF\n{COUNTS} 0\n" + VERTICES.replace("\n", " 0 0 1\n") + LISTS,
        f"STCNOFF\n{COUNTS} 0\n" + VERTICES.replace("\n", " 0 0 1 1 1 1 1 0 0\n") + LISTS,
        f"OFF\n{COUNTS} 0\n{VERTICES}" + LISTS.replace("\n", " 0.1 0.2 0.3\n"),
        f"OFF\n{COUNTS} 0\n{VERTICES}" + LISTS.replace("\n", "  7\n", 1),
        f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS}".rstrip(),
        f"# f\xfcr\nOFF\n{COUNTS} 0\n{VERTICES}{LISTS}",
    ],
)
def test_what_it_may_look_like(text: str) -> None:
    assert np.array_equal(triangles(text), BODY)


def test_polygons_points_and_lines() -> None:
    points = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 2 0\n"
    text = f"OFF\n5 5 0\n{points}4 0 1 2 3\n1 4\n2 0 4\n5 0 1 4 2 3 1 0 0\n3 0 1 2 9 9 9\n"
    found = triangles(text)
    assert len(found) == 2 + 3 + 1


def test_lines_that_are_left_over_are_told() -> None:
    reading = read_off(f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS}3 0 1 2\n".encode())
    (notice,) = reading.notices
    assert (notice.code, notice.details) == ("trailing_bytes", {"lines": 1})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS[:-8]}", "cut short: 6 vertices and 8 faces are announced, but only 13"),
        ("OFF\n353535235358 6 0\n0 0 0\n", "cut short: 353535235358 vertices"),
        ("OFF\n1 99999999999 0\n0 0 0\n", "cut short"),
        ("OFF\n", "where the numbers of vertices and faces"),
        ("OFF\n3\n", "where the numbers"),
        ("OFF\n-3 1 0\n", "where the numbers"),
        ("hello\n", "not an OFF file: 'hello'"),
        (f"OFF\n{COUNTS} 0\n{VERTICES.replace('0.0', 'x', 1)}{LISTS}", "vertex 1: .* is not three numbers$"),
        ("OFF\n1 1 0\n0,5 0 0\n1 0\n", "vertex 1: .* numbers; a decimal comma: export with a point"),
        (f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS.replace('3 ', '4 ', 1)}", "face 1: .* is not a number of vertices"),
        (f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS.replace('3 ', '-3 ', 1)}", "face 1"),
        (f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS.replace('3 ', '3 x', 1)}", "face 1"),
        (f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS.replace('3 ', '3 9', 1)}", r"face 1 refers to vertex 9\d, but there are"),
        (f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS.replace('3 ', '3 -1', 1)}", r"face 1 refers to vertex -1"),
    ],
)
def test_what_is_damaged(text: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        triangles(text)


def test_a_file_cut_anywhere_is_not_read() -> None:
    data = f"OFF\n{COUNTS} 0\n{VERTICES}{LISTS}".rstrip()
    for cut in range(4, data.rindex("\n") + 1):
        with pytest.raises(Unreadable):
            triangles(data[:cut])


@pytest.mark.parametrize("text", ["OFF\n0 0 0\n", "OFF\n2 0 0\n0 0 0\n1 0 0\n", "OFF\n1 1 0\n0 0 0\n1 0\n", " \n"])
def test_nothing(text: str) -> None:
    with pytest.raises(Empty):
        triangles(text)


@pytest.mark.parametrize("text", ["OFF BINARY\n\0\0\0\0", "4OFF\n1 1 0\n", "nOFF\n4\n1 1 0\n", "ST4nOFF 1 1 1\n"])
def test_kinds_that_are_not_read(text: str) -> None:
    with pytest.raises(Unsupported):
        triangles(text)


def test_it_is_closed() -> None:
    assert measure(read_off(files.off(BODY)).surface).notices == ()


@pytest.mark.parametrize("width", [1, 2, 7, 1000])
@pytest.mark.parametrize("head", ["OFF\n", "OFF ", "off\n", ""])
def test_words_may_lie_on_any_lines(width: int, head: str) -> None:
    words = f"{COUNTS} 0\n{VERTICES}{LISTS}".split()
    rows = [" ".join(words[k : k + width]) for k in range(3, len(words), width)]
    assert np.array_equal(triangles(head + "\n".join([" ".join(words[:3]), *rows])), BODY)
    if width > 6:
        with pytest.raises(Unreadable, match="cut short"):
            triangles(head + "\n".join([" ".join(words[:3]), *rows])[:-4])
