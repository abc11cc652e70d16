"""ASCII STL in chunks: where the chunks end changes nothing, and lines are counted right."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from massprops.errors import Unreadable
from massprops.readers import stl_ascii as module
from massprops.readers.stl_ascii import Progress, ascii_facets

CHUNKS = [64, 65, 66, 67, 71, 97, 150, 1000, 4096]
RNG = np.random.default_rng(5)
TRIANGLES = RNG.normal(size=(40, 3, 3))


def written(triangles: np.ndarray, name: str = "part", newline: str = "\n") -> str:
    lines = [f"solid {name}"]
    for facet in triangles.tolist():
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += ["      vertex " + " ".join(map(repr, corner)) for corner in facet]
        lines += ["    endloop", "  endfacet"]
    return newline.join([*lines, f"endsolid {name}", ""])


def read(text: str | bytes) -> tuple[np.ndarray, Progress]:
    progress = Progress()
    parts = list(ascii_facets(io.BytesIO(text.encode() if isinstance(text, str) else text), progress))
    return np.concatenate(parts) if parts else np.empty((0, 3, 3)), progress


PART = written(TRIANGLES)
SPLIT = re.sub("end(loop|facet|solid)", r"end \1", PART)
COLORED = re.sub("(?m)^  facet", "  color 0.5 1 2.5e-1\\n  facet", PART)
COLORED = COLORED.replace("outer loop", "color 1 0 0 1\n outer loop")
FILES = {
    "plain": PART,
    "CRLF": written(TRIANGLES, newline="\r\n"),
    "CR": written(TRIANGLES, newline="\r"),
    "upper": PART.upper(),
    "one line": PART.replace("\n", " "),
    "three solids": written(TRIANGLES[:13], "a b c") + written(TRIANGLES[13:14], "") + written(TRIANGLES[14:], "d"),
    "no ends": (written(TRIANGLES[:20]) + written(TRIANGLES[20:])).replace("endsolid part\n", ""),
    "comments": re.sub(r"(?m)^  facet", "# a comment of some words\n  facet", PART),
    "a long name": written(TRIANGLES, "the name of a part that is longer than many a chunk " * 20),
    "ends of two words": SPLIT,
    "ends of two words, CRLF, tabs": SPLIT.replace("end ", "\tEND \t").replace("\n", "\r\n"),
    "colours": COLORED,
    "colours and ends of two words": COLORED.replace("endfacet", "end facet").replace("color", "colour"),
    "a name like an end": written(TRIANGLES, "of the front end loop cover, the end solid and the back end"),
    "words behind endfacet": PART.replace("endfacet", "endfacet 12 of the lid"),
    "words behind every third endfacet, CR": re.sub(
        "(?s)(endfacet)(.*?endfacet.*?endfacet)", r"\1 12\2", written(TRIANGLES, newline="\r")
    ),
    "words behind ends of two words": SPLIT.replace("end facet", "end facet 12"),
    "no normals, comments behind vertices": re.sub(
        r"(?m)^( *vertex.*)", r"\1 # of the lid", PART.replace("facet normal 0 0 0", "facet")
    ),
    "BOM": codecs.BOM_UTF8 + PART.encode(),
    "UTF-16": codecs.BOM_UTF16_LE + PART.encode("utf-16-le"),
    "UTF-16, big": codecs.BOM_UTF16_BE + PART.encode("utf-16-be"),
}


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("name", FILES)
def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch, name: str, chunk: int) -> None:
    whole, told = read(FILES[name])
    assert np.array_equal(whole, TRIANGLES)
    monkeypatch.setattr(module, "_CHUNK", chunk)
    found, progress = read(FILES[name])
    assert np.array_equal(found, TRIANGLES)
    assert replace(progress, lines=0) == replace(told, lines=0)
    assert told.solids == (3 if name == "three solids" else 2 if name == "no ends" else 1)


DAMAGE = {
    "a word for a number": ("{n}", "x1"),
    "a decimal comma": ("{n}", "1,5"),
    "a missing endloop": ("    endloop\n", ""),
    "a missing vertex": ("      vertex", "      vertx"),
    "a doubled loop": ("    outer loop\n", "    outer loop outer loop\n"),
}


@pytest.mark.parametrize("chunk", [64, 1000, 1 << 21])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("facet", [0, 1, 17, 39])
@pytest.mark.parametrize("name", DAMAGE)
def test_the_line_of_the_damage_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, facet: int, newline: str, chunk: int
) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    lines = PART.splitlines(keepends=True)
    start = 1 + 7 * facet
    old, new = DAMAGE[name]
    text = "".join(lines[start : start + 7])
    text = text.replace(repr(float(TRIANGLES[facet, 1, 2])), new) if old == "{n}" else text.replace(old, new, 1)
    damaged = "".join([*lines[:start], text, *lines[start + 7 :]])
    with pytest.raises(Unreadable) as caught:
        read(damaged.replace("\n", newline))
    line = int(re.search(r"line (\d+)", caught.value.message)[1])  # type: ignore[index]
    assert start < line <= start + 8
    if old == "{n}":
        assert line == start + 4
        assert new in caught.value.message


@pytest.mark.parametrize("chunk", [64, 1 << 21])
def test_an_end_inside_a_facet(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    cut = "".join(PART.splitlines(keepends=True)[: 1 + 7 * 20 + 4])
    with pytest.raises(Unreadable, match=rf"inside facet 21, which begins in line {1 + 7 * 20 + 1}\b"):
        read(cut)


def test_endless_text_without_a_facet_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK", 1000)
    monkeypatch.setattr(module, "_LONGEST_GAP", 10_000)
    file = io.BytesIO(b"lorem ipsum\n" * 10_000)
    with pytest.raises(Unreadable, match="not an STL file"):
        list(ascii_facets(file, Progress()))
    assert file.tell() < 20_000


@pytest.mark.parametrize(("word", "value"), [
    ("1", 1.0), ("-1.5e-3", -0.0015), ("1.5D+02", 150.0), (".5", 0.5), ("5.", 5.0), ("+7", 7.0), ("-0", -0.0),
    ("1e400", np.inf), ("NaN", np.nan), ("-inf", -np.inf), ("-1.#IND", np.nan), ("1.#INF00", np.nan),
    ("1.#QNAN0", np.nan), ("123456789012345678", 123456789012345678.0), ("0.1", 0.1), ("4.9e-324", 5e-324),
])  # fmt: skip
def test_numbers_in_every_spelling(word: str, value: float) -> None:
    found, _ = read(PART.replace(repr(float(TRIANGLES[2, 1, 0])), word))
    assert np.array_equal(found[2, 1, 0], value, equal_nan=True)


@pytest.mark.parametrize("word", ["0x10", "1_0", "1,0", "1.2.3", "--1", "e5", "one", "1e", "\u0661"])
def test_what_is_no_number_is_refused(word: str) -> None:
    with pytest.raises(Unreadable, match="is no number"):
        read(PART.replace(repr(float(TRIANGLES[2, 1, 0])), word))


@pytest.mark.parametrize("word", ["-nan(ind)", "nan(snan)"])
def test_not_a_number_of_microsoft(word: str) -> None:
    found, _ = read(PART.replace(repr(float(TRIANGLES[2, 1, 0])), word))
    assert np.isnan(found[2, 1, 0])


def test_shown_words_are_short_and_printable() -> None:
    with pytest.raises(Unreadable) as caught:
        read(PART.replace(repr(float(TRIANGLES[0, 0, 0])), "\x1b[31m" + "x" * 500))
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 120


def test_a_negative_zero_stays() -> None:
    found, _ = read(PART.replace(repr(float(TRIANGLES[0, 0, 0])), "-0.0"))
    assert np.signbit(found[0, 0, 0])


@pytest.mark.parametrize("chunk", [71, 150, 1 << 21])
def test_colours_are_counted_once(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    assert read(COLORED)[1].colors == 2 * len(TRIANGLES)
    assert read(SPLIT)[1] == read(PART)[1]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("color 1 0 0 1", "color 1 0", "'color' where facet 2 should have 'outer'"),
        ("color 1 0 0 1", "color red green blue", "'color' where facet 2 should have 'outer'"),
        ("outer loop", "outer hoop", "'hoop' where facet 2 should have 'loop'"),
        ("end loop", "end hoop", "'end' where facet 2 should have 'endloop'"),
        ("end loop", "end", "'end' where facet 2 should have 'endloop'"),
    ],
)
def test_lines_are_right_behind_colours_and_ends_of_two_words(old: str, new: str, told: str) -> None:
    text = FILES["colours and ends of two words"].replace("colour", "color").replace("endloop", "end loop")
    damaged = text.index(old, text.index("end facet"))
    line = text[:damaged].count("\n") + 1
    with pytest.raises(Unreadable, match=re.escape(f"line {line}: {told}")):
        read(text[:damaged] + new + text[damaged + len(old) :])
