"""STL files as a reader meets them: what is accepted, what with a warning, what is refused and how."""

from __future__ import annotations

import codecs
import contextlib
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from massprops.core.surface import BLOCK, triangle_array
from massprops.errors import Empty, Unreadable
from massprops.readers import stl as module
from massprops.readers.reading import Reading
from massprops.readers.source import open_source
from massprops.readers.stl import read_stl
from massprops.readers.stored import StoredTriangles

FACES = "021 032 456 467 015 054 362 376 073 047 126 165"
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def box() -> np.ndarray:
    x, y, z = (10.0, 12.0), (20.0, 23.0), (30.0, 35.0)
    v = np.array([[x[i], y[j], z[k]] for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    return v[[[int(k) for k in face] for face in FACES.split()]]


def binary(
    triangles: np.ndarray, header: bytes = b"", count: int | None = None, attribute: int = 0, normal: float = 0.0
) -> bytes:
    rows = np.zeros(len(triangles), RECORD)
    rows["corners"], rows["attribute"], rows["normal"] = triangles, attribute, normal
    return header.ljust(80, b"\0") + struct.pack("<I", len(triangles) if count is None else count) + rows.tobytes()


def ascii(triangles: np.ndarray, name: str = "box", number: str = "{:.9g}") -> str:
    lines = [f"solid {name}"]
    for facet in triangles.tolist():
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += ["      vertex " + " ".join(number.format(x) for x in corner) for corner in facet]
        lines += ["    endloop", "  endfacet"]
    return "\n".join([*lines, f"endsolid {name}", ""])


BOX, TEXT = box(), ascii(box())


@pytest.fixture
def read(tmp_path: Path) -> Iterator[object]:
    """Read bytes as the contents of an STL file."""
    with contextlib.ExitStack() as stack:

        def read_bytes(data: bytes | str) -> Reading:
            path = tmp_path / f"part{len(os.listdir(tmp_path))}.stl"  # none is changed while it is read
            path.write_bytes(data.encode() if isinstance(data, str) else data)
            return read_stl(stack.enter_context(open_source(str(path))), stack)

        yield read_bytes


ACCEPTED = {
    "binary": binary(BOX),
    "header that begins with solid": binary(BOX, b"solid box\nfacet normal 0 0 0\n"),
    "header of solid and blanks": binary(BOX, b"solid".ljust(80)),
    "bytes beyond 127 in the header": binary(BOX, bytes(range(128, 208))),
    "attributes": binary(BOX, attribute=0xFFFF),
    "normals that are no numbers": binary(BOX, normal=np.nan),
    "infinite normals": binary(BOX, normal=np.inf),
    "ASCII": TEXT,
    "CRLF": TEXT.replace("\n", "\r\n"),
    "CR only": TEXT.replace("\n", "\r"),
    "tabs": TEXT.replace(" ", "\t"),
    "leading blanks": "\n \t\n  " + TEXT,
    "leading comments": "# made by hand\n; at night\n// in a hurry\n! really\n" + TEXT,
    "a comment with the words of a facet": "# facet normal 0 0 0 outer loop vertex\n" + TEXT,
    "upper case": TEXT.upper(),
    "no name": TEXT.replace(" box", ""),
    "a name with spaces": TEXT.replace("solid box", "solid my own box, 2 facets"),
    "a name with words of the format": TEXT.replace("solid box", "solid facet 3 of vertex loop"),
    "another name at the end": TEXT.replace("endsolid box", "endsolid"),
    "endfacet in two letters' case": TEXT.replace("endfacet", "EndFacet"),
    "not UTF-8": TEXT.encode().replace(b"solid box", b"solid b\xf6x \xff"),
    "UTF-8 with its mark": codecs.BOM_UTF8 + TEXT.encode(),
    "UTF-16, little": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "UTF-16, big": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "on one line": TEXT.replace("\n", " "),
    "long lines": TEXT.replace("vertex ", "vertex" + " " * 300),
    "capital exponents": ascii(BOX, number="{:.8E}"),
    "small exponents": ascii(BOX, number="{:.8e}"),
    "Fortran's exponents": ascii(BOX, number="{:.8E}").replace("E+", "D+").replace("E-", "d-"),
    "points without zeros": ascii(BOX / 100, number="{:.3f}").replace(" 0.", " .").replace("0 0 0", "0. 0. 1."),
    "no fraction": TEXT.replace(" 30\n", " 30.\n").replace(" 35\n", " +35\n"),
    "normals that are no numbers, in ASCII": TEXT.replace("normal 0 0 0", "normal nan -nan(ind) 1.#QNAN"),
    "no normals": TEXT.replace("facet normal 0 0 0", "facet"),
    "no numbers of normals": TEXT.replace("facet normal 0 0 0", "facet normal"),
    "normals of two numbers": TEXT.replace("normal 0 0 0", "normal 0 0"),
    "normals of four numbers": TEXT.replace("normal 0 0 0", "normal 0 0 1 0"),
    "normals with commas": TEXT.replace("normal 0 0 0", "normal 0,0,1"),
    "one facet without a normal": TEXT.replace("facet normal 0 0 0", "facet", 1),
    "comments at the ends of lines": "".join(
        line if "solid" in line else f"{line} {'#;!'[k % 3]} note {k}\n" for k, line in enumerate(TEXT.splitlines(True))
    ).replace("\n #", " // #").replace("\n ;", " ;").replace("\n !", " !"),
    "marks behind the end": TEXT + "\x1a\r\n\0\0\n",
    "a name of zeros, as numpy-stl writes it": TEXT.replace(" box", " " + "\0" * 79),
    "a name of a header": TEXT.replace(" box", " box" + "\0" * 70),
    "no last line feed": TEXT.rstrip(),
    "blanks after the end": TEXT + "\n \n",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted_without_a_word(read, name: str) -> None:  # type: ignore[no-untyped-def]
    found = read(ACCEPTED[name])
    wanted = BOX / 100 if "without zeros" in name else BOX
    assert found.surface.facets == 12
    assert np.array_equal(triangle_array(found.surface), wanted)
    assert found.notices == ()
    assert (found.format, found.unit) == ("stl", None)


WARNED = {
    "count 0": (binary(BOX, count=0), "facet_count", {"expected": 0, "found": 12}),
    "count 10": (binary(BOX, count=10), "facet_count", {"expected": 10, "found": 12}),
    "count 1000": (binary(BOX, count=1000), "facet_count", {"expected": 1000, "found": 12}),
    "largest count": (binary(BOX, count=2**32 - 1), "facet_count", {"expected": 2**32 - 1, "found": 12}),
    "one byte after the end": (binary(BOX) + b"x", "trailing_bytes", {"bytes": 1}),
    "a line after the end": (binary(BOX) + b"UNITS=mm\n", "trailing_bytes", {"bytes": 9}),
    "colours": (TEXT.replace("outer loop", "color 1 0 0\nouter loop"), "colors", {"colors": 12}),
    "numbers behind endfacet": (TEXT.replace("endfacet", "endfacet 12"), "ignored", {"places": 12}),
    "words behind one endfacet": (TEXT.replace("endfacet", "endfacet of the lid", 1), "ignored", {"places": 1}),
    "words behind outer loop and endloop": (
        TEXT.replace("outer loop", "outer loop 1").replace("endloop", "endloop 1"), "ignored", {"places": 24},
    ),
    "no endsolid": (TEXT[: TEXT.index("endsolid")], "no_endsolid", {"facets": 12}),
    "two solids": (ascii(BOX[:5], "a") + ascii(BOX[5:], "b"), "solids", {"solids": 2}),
    "three solids, one without endsolid": (
        ascii(BOX[:3]) + ascii(BOX[3:6]).replace("endsolid box", "") + ascii(BOX[6:]), "solids", {"solids": 3},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNED)
def test_accepted_with_a_warning(read, name: str) -> None:  # type: ignore[no-untyped-def]
    data, code, details = WARNED[name]
    found = read(data)
    assert np.array_equal(triangle_array(found.surface), BOX)
    assert [(n.code, dict(n.details)) for n in found.notices] == [(code, details)]
    assert all(str(value) in found.notices[0].message for value in details.values())


REFUSED = {
    "empty": (b"", Empty, "empty"),
    "white space": (b" \n\t ", Empty, "white space"),
    "a header only": (binary(BOX[:0]), Empty, "without facets"),
    "a solid without facets": ("solid a\nendsolid a\n", Empty, "without facets"),
    "half a header": (binary(BOX)[:50], Unreadable, "50 bytes"),
    "a facet of two vertices": (
        TEXT.replace("vertex 10 20 30\n", "", 1), Unreadable, "line 6: 'endloop' where facet 1",
    ),
    "a facet of four vertices": (
        TEXT.replace("endloop", "vertex 1 2 3\nendloop", 1), Unreadable, "line 7: 'vertex' where facet 1",
    ),
    "a word that is no number": (TEXT.replace("12 20 30", "12 2O 30", 1), Unreadable, "'2o' is no number"),
    "a decimal comma": (TEXT.replace("12 20 30", "12,5 20 30", 1), Unreadable, "decimal comma"),
    "Python's digits": (TEXT.replace("12 20 30", "1_2 20 30", 1), Unreadable, "'1_2' is no number"),
    "two numbers on a vertex": (TEXT.replace("12 20 30", "12 20", 1), Unreadable, "facet 1"),
    "commas between coordinates": (TEXT.replace("12 20 30", "12, 20, 30", 1), Unreadable, "with blanks"),
    "four numbers on a vertex": (TEXT.replace("12 20 30", "12 20 30 1", 1), Unreadable, "line 6: '1' where facet 1"),
    "a facet behind endfacet, its line ends lost": (
        TEXT.replace("endfacet\n", "endfacet 1 ", 1), Unreadable, "line 8: '1' where facet 2",
    ),
    "a comment with a facet, its line ends lost": (
        TEXT.replace("endfacet\n  ", "endfacet # ", 1), Unreadable, "line 8: '#' where facet 2",
    ),
    "no loop": (TEXT.replace("outer loop\n", "", 1), Unreadable, ""),
    "another word for a facet": (TEXT.replace("facet normal", "face normal", 5), Unreadable, ""),
    "prose": (b"Dear customer,\nplease find the part attached.\n" * 20, Unreadable, "not an STL file"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, Unreadable, "no STL file"),
    "a web page": (b"<!DOCTYPE html><html><body>Sign in</body></html>", Unreadable, "not an STL file"),
    "an OBJ file": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Unreadable, "not an STL file"),
    "zeros between facets": (TEXT.replace("endfacet", "endfacet\0", 1), Unreadable, "no STL file"),
    "zeros": (bytes(60), Unreadable, "60 bytes"),
    "a facet of zeros": (bytes(134), Unreadable, "begins with 134 zero bytes, as no such file does"),
    "zeros of odd length": (bytes(1001), Unreadable, "begins with 1001 zero bytes"),
    "many zeros": (bytes(84 + 50 * 1000), Unreadable, "begins with 4096 zero bytes"),
    "zeros for a header": (bytes(133), Empty, "a header without facets"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(read, name: str) -> None:  # type: ignore[no-untyped-def]
    data, verdict, words = REFUSED[name]
    with pytest.raises(verdict) as caught:
        read(data)
    assert type(caught.value) is verdict
    assert words in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("size", [83, 84, 85, 133, 134, 600, 683])
def test_a_truncated_binary_file_is_refused_at_any_byte(read, size: int) -> None:  # type: ignore[no-untyped-def]
    data = binary(BOX)
    assert size < len(data)
    if (size - 84) % 50 == 0 and size > 84:  # whole facets are left: a wrong count, and then an open surface
        assert [n.code for n in read(data[:size]).notices] == ["facet_count"]
        return
    with pytest.raises(Unreadable, match=r"expected by the header|too few") as caught:
        read(data[:size])
    if size >= 84:
        assert f"12 facets expected by the header, {(size - 84) // 50} found" in caught.value.message


@pytest.mark.parametrize("place", [0.02, 0.1, 0.37, 0.5, 0.77, 0.95])
def test_an_ascii_file_cut_in_a_facet_is_refused_with_the_line(read, place: float) -> None:  # type: ignore[no-untyped-def]
    end = TEXT.index("endsolid")
    cut = TEXT[: int(place * end)]
    if cut.rstrip().endswith("endfacet"):
        cut += " facet"
    with pytest.raises(Unreadable, match=r"line \d+"):
        read(cut)


@pytest.mark.parametrize("facets", [BLOCK - 1, BLOCK, BLOCK + 1])
def test_block_boundaries(read, facets: int) -> None:  # type: ignore[no-untyped-def]
    triangles = np.random.default_rng(facets).normal(size=(facets, 3, 3)).astype(np.float32)
    found = read(binary(triangles))
    assert isinstance(found.surface, StoredTriangles)
    assert np.array_equal(triangle_array(found.surface), triangles)
    text = read(ascii(triangles.astype(float)))
    assert np.array_equal(triangle_array(text.surface).astype(np.float32), triangles)


@pytest.mark.parametrize("kept", [0, 1, 5, 11, 12, 100])
@pytest.mark.parametrize("chunk", [64, 1000, 1 << 21])
def test_many_ascii_facets_go_to_a_temporary_file(read, monkeypatch, kept: int, chunk: int) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "_KEPT_FACETS", kept)
    monkeypatch.setattr("massprops.readers.stl_ascii._CHUNK", chunk)
    triangles = BOX + 1 / 3
    found = read(ascii(triangles, number="{!r}"))
    assert isinstance(found.surface, StoredTriangles) is (kept < 12)
    assert np.array_equal(triangle_array(found.surface), triangles)


@pytest.mark.parametrize("facets", [42_949_672, 42_949_673, 85_899_345, 85_899_346, 200_000_000])
def test_sizes_beyond_two_and_four_gigabytes(tmp_path: Path, facets: int) -> None:
    """Sparse files: nothing of them is read but the header and the last facets, which are zeros."""
    path = tmp_path / "large.stl"
    with open(path, "wb") as file:
        file.write(binary(BOX[:0], count=facets))
        file.truncate(84 + 50 * facets)
    with contextlib.ExitStack() as stack:
        found = read_stl(stack.enter_context(open_source(str(path))), stack)
        assert found.surface.facets == facets
        assert [notice.code for notice in found.notices] == ["recovered"]
    os.truncate(path, 84 + 50 * facets - 1)
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(open_source(str(path)))
        with pytest.raises(Unreadable, match=f"{facets} facets expected .* {facets - 1} found and 49 bytes"):
            read_stl(source, stack)


@pytest.mark.parametrize(("written", "codes"), [(2, ["recovered"]), (4, ["recovered"]), (5, []), (12, [])])
def test_an_end_that_was_never_written_is_told(read, written: int, codes: list[str]) -> None:  # type: ignore[no-untyped-def]
    data = binary(BOX)
    found = read(data[: 84 + 50 * written].ljust(len(data), b"\x00"))
    assert [notice.code for notice in found.notices] == codes
    assert found.surface.facets == 12


@pytest.mark.parametrize("end", ["\x1a", "\x00"])
def test_the_end_mark_of_dos_and_of_c_is_no_binary_byte(read, end: str) -> None:  # type: ignore[no-untyped-def]
    assert read(TEXT + end).surface.facets == 12


def test_many_leading_blanks_are_not_an_empty_file(read) -> None:  # type: ignore[no-untyped-def]
    assert read(" " * 5000 + TEXT).surface.facets == 12


def test_a_file_in_big_endian_order_is_not_measured(read) -> None:  # type: ignore[no-untyped-def]
    swapped = np.frombuffer(binary(BOX), np.uint8, offset=84).reshape(-1, 50).copy()
    swapped[:, :48] = swapped[:, :48].reshape(len(swapped), 12, 4)[:, :, ::-1].reshape(len(swapped), 48)
    data = bytes(80) + len(swapped).to_bytes(4, "big") + swapped.tobytes()
    with pytest.raises(Unreadable, match="its count of 12 facets is big-endian"):
        read(data)
