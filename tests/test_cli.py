"""The command line: spellings, streams, exit codes; never a traceback."""

from __future__ import annotations

import itertools
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.cli import main
from tests import mesh_files as files

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
TETRAHEDRON = CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


def binary(triangles: np.ndarray) -> bytes:
    rows = np.zeros(len(triangles), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    rows["v"] = triangles
    return bytes(80) + struct.pack("<I", len(triangles)) + rows.tobytes()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two good parts, an open one and one with a hairline crack."""
    cracked = (TETRAHEDRON + 1).astype(np.float32)
    cracked[0, 1, 1] += np.spacing(np.float32(4))
    shapes = {"a": TETRAHEDRON, "b": TETRAHEDRON * 2, "open": TETRAHEDRON[1:], "crack": cracked}
    for name, triangles in shapes.items():
        (tmp_path / f"{name}.stl").write_bytes(binary(triangles))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command line in this process: exit code, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        return int(caught.value.code), *capsys.readouterr()  # type: ignore[arg-type, return-value]

    return call


def process(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "massprops", *arguments], capture_output=True, timeout=60, env=environment, **more
    )


def shell(line: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    command = line.replace("massprops", f"'{sys.executable}' -m massprops")
    return subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, env={**os.environ, **env})


M = "--mass_properties"
SPELLINGS: list[list[str]] = [
    ["a.stl", "b.stl", M], ["-i", "a.stl", "b.stl", M], ["-i", "a.stl", "-i", "b.stl", M], [M, "-i", "a.stl", "b.stl"],
    ["a.stl", M, "b.stl"], ["--input", "a.stl", "b.stl", "--mass-properties"], ["--input=a.stl", "--input=b.stl", M],
    ["-i", "a.stl", M, "--density", "1", "b.stl"], [M, "--", "a.stl", "b.stl"], ["a.stl", "-i", "b.stl", M],
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_inputs_in_every_spelling(run: Any, spelling: list[str]) -> None:
    code, out, err = run(*spelling)
    assert (code, err) == (0, "2 inputs: 2 measured, 0 not\n")
    assert [line for line in out.splitlines() if not line.startswith((" ", "mass properties"))] == ["a.stl", "b.stl"]
    assert out == run(*SPELLINGS[0])[1]


@pytest.mark.parametrize("word", ["-ia.stl", "-i=a.stl"])
def test_an_input_that_sticks_to_its_flag_is_not_dropped(run: Any, word: str) -> None:
    code, out, _ = run("b.stl", word, M)
    assert code == 2 or out.count("principal axes") == 2


FLAGS = [
    "--resize_factor", "2", "3", "5", "--rotate_axis", "0", "0", "1", "--rotate_angle", "-0.5",
    "--translate_delta", "-1", "-2", "-3", "--mirror_normal", "-1", "0", "0", "--about", "-1", "-1", "-1",
]  # fmt: skip


def test_a_list_that_names_no_file(run: Any, tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text("\n \n")
    code, out, err = run("--files_from", str(tmp_path / "blank.txt"), M)
    assert (code, out) == (2, "")
    assert err.endswith("blank.txt: no input; it names no file\n")


def test_hyphens_and_negative_numbers(run: Any) -> None:
    code, out, err = run("a.stl", M, *FLAGS)
    assert (code, err) == (0, "")
    hyphens = [word.replace("_", "-") if word.startswith("--") else word for word in FLAGS]
    assert run("a.stl", "--mass-properties", *hyphens)[1] == out
    assert run(*reversed_flags(FLAGS), "a.stl", M)[1] == out  # the order of the flags does not matter


def reversed_flags(words: list[str]) -> list[str]:
    at = [k for k, word in enumerate(words) if word.startswith("--")] + [len(words)]
    return [word for start, end in reversed(list(itertools.pairwise(at))) for word in words[start:end]]


def test_single_factors_and_shifts(run: Any) -> None:
    parts = ["--resize_x=2", "--resize-z", "5", "--translate_y", "-1"]
    whole = ["--resize_factor", "2", "1", "5", "--translate_delta", "0", "-1", "0"]
    assert run("a.stl", M, *parts) == run("a.stl", M, *whole)


REFUSED: list[tuple[list[str], str]] = [
    ([], "no input"), ([M], "no input"), (["-i"], "-i needs a file"), (["-i", "--json", "a.stl"], "-i needs a file"),
    (["a.stl", "--nonsense"], "--nonsense"), (["a.stl", "--density"], "--density"),
    (["a.stl", "--density", "heavy"], "--density"), (["a.stl", "--density", "0"], "--density 0"),
    (["a.stl", "--density", "-1"], "--density -1"), (["a.stl", "--density", "nan"], "--density"),
    (["a.stl", "--density", "inf"], "--density"), (["a.stl", "--about", "1"], "--about"),
    (["a.stl", "--about", "1", "2", "nan"], "--about"),
    (["a.stl", "--rotate_axis", "0", "0", "0", "--rotate_angle", "1"], "--rotate_axis"),
    (["a.stl", "--rotate_angle", "1"], "--rotate_angle without"),
    (["a.stl", "--rotate_axis", "0", "0", "1"], "--rotate_axis without"),
    (["a.stl", "--mirror_normal", "0", "0", "0"], "--mirror_normal"), (["a.stl", "--resize_x", "0"], "factor of 0"),
    (["a.stl", "--resize_factor", "1", "1", "1", "--resize_x", "2"], "--resize_factor and --resize_x"),
    (["a.stl", "--translate_delta", "1", "1", "1", "--translate_z", "2"], "--translate_delta and"),
    (["a.stl", "--units", "furlong"], "--units furlong"), (["-", "-"], "standard input"),
    (["--files_from", "missing.txt"], "missing.txt"), (["--files_from", "."], "directory"),
    (["--files_from", os.devnull], "a device or socket"), (["--files_from", "open.stl"], "holds zero bytes"),
    (["a.stl", "--jobs", "two"], "--jobs"), (["a.stl", "--density", "1_0"], "'1_0' is not a number"),
    (["a.stl", "--jobs", "1_0"], "'1_0' is not a whole number"),
    (["a.stl", "--clip", "0", "0", "0", "1", "1"], "--clip"), (["a.stl", "--clip", *"00011x"], "'x' is not a number"),
    (["a.stl", "--clip", *"00011", "nan"], "--clip"), (["a.stl", "--clip"], "--clip"),
    (["a.stl", "--merge"], "--merge"),
    (["-", "--merge", "-"], "standard input"), (["a.stl", "b.stl", "--merge", "-"], "standard input"),
    (["--files_from", "-", "--merge", "-"], "standard input"), (["--files_from", "-", "-"], "standard input"),
    (["a.stl", "--sanitize", "--weld_tolerance", "0"], "--weld_tolerance 0"),
    (["a.stl", "--sanitize", "--weld_tolerance", "1"], "--weld_tolerance 1"),
    (["a.stl", "--sanitize", "--weld_tolerance", "wide"], "--weld_tolerance"),
    (["a.stl", "--weld_tolerance", "1e-4"], "--weld_tolerance needs --connect_nearby or --sanitize"),
    (["a.stl", "--max_hole_edges", "9"], "--max_hole_edges needs --fill_holes"),
    (["a.stl", "--fill_holes", "--max_hole_edges", "-1"], "--max_hole_edges"),
    (["a.stl", "--fill_holes", "--max_hole_edges", "1.5"], "--max_hole_edges"),
    (["a.stl", "--sanitize=yes"], "--sanitize"), (["a.stl", M, "--check_lines", "1025"], "--check_lines 1025: from 0"),
    (["a.stl", M, "--check_lines", "-1"], "--check_lines"), (["a.stl", M, "--check_lines", "9" * 400], "--check_lines"),
    (["a.stl", M, "--verify", "--check_lines", "0"], "--verify"), (["a.stl", "--verify"], "--verify needs"),
    (["a.stl", "--bounds"], "--bounds needs --mass_properties"), (["a.stl", "--spin", "0", "0", "1"], "--spin needs"),
    (["a.stl", M, "--spin", "0", "0", "0"], "--spin 0 0 0"), (["a.stl", M, "--spin", "0", "1"], "--spin"),
    (["a.stl", M, "--spin", "0", "0", "nan"], "--spin"), (["a.stl", M, "--spin_csv", "a.csv"], "need --spin"),
    (["a.stl", M, "--duration", "2"], "need --spin"), (["a.stl", M, "--step", "0.1"], "need --spin"),
    (["a.stl", M, "--spin_method", "dop853"], "need --spin"),
    (["a.stl", M, "--spin", *"001", "--spin_method", "euler"], "--spin_method euler: known are"),
    (["a.stl", M, "--spin", *"001", "--duration", "0"], "--duration 0"),
    (["a.stl", M, "--spin", *"001", "--step", "-1"], "--step -1"), (["a.stl", "--output"], "--output"),
    (["a.stl", "--output", "b.stl"], "--output b.stl: exists already; --overwrite replaces it"),
    (["a.stl", "--output", "a.stl"], "exists already"), (["a.stl", "--output", "{stem}.stl"], "exists already"),
    (["a.stl", "b.stl", "--output", "c.stl"], "--output c.stl: one name for several inputs"),
    (["a.stl", "./a.stl", "--output", "{stem}_c.stl"], "one name for several inputs"),
    (["a.stl", "--output", "c.xyz"], "written are stl, obj, ply, off, glb"), (["a.stl", "--output", "-"], "--output -"),
    (["a.stl", "--output", "no/c.stl"], "there is no folder no"), (["a.stl", "--output", "."], "a folder"),
    (["a.stl", "--output", "x" * 300], "file name too long"),
    (["a.stl", M, "--spin", *"001", "--spin_csv", "a.stl"], "--spin_csv a.stl: a file that is read"),
    (["a.stl", M, "--spin", *"001", "--spin_csv", "c.stl", "--output", "c.stl"], "one name for two files"),
    (["a.stl", "--density", "5"], "--density needs --mass_properties"),
    (["a.stl", "--about", "0", "0", "1"], "--about needs --mass_properties"),
    (["a.stl", "--about", "0", "0"], "--about needs --mass_properties"),
    (["a.stl", "--check_lines", "9"], "--check_lines needs --mass_properties"),
    (["a.stl", M, "--about", "0,0,0"], "--about 0,0,0: a point is X Y Z, or U V in a section, with spaces"),
    (["a.stl", M, "--about"], "--about: a point is X Y Z"),
    (["a.stl", M, "--about", "1", "x"], "--about 1: a point is"),
    (["a.stl", M, "--spin", "0,0,1", "0", "1"], "'0,0,1' is not a number; with a decimal point, and spaces between"),
    (["a.stl", M, "--density", "7,8"], "'7,8' is not a number; with a decimal point"),
    (["a.stl", "--units", "inches of rope"], "known are um, mm, cm, m, in, ft and file; reach others by"),
    (["a.stl", M, "--html", "b.stl"], "--html b.stl: written are html, htm"),
    (["a.stl", M, "--html", "a"], "--html a: written are html, htm"),
    (["a.stl", "--overwrite=1"], "--overwrite"), (["a.stl", "--strict=1"], "--strict"),
]  # fmt: skip


def contents() -> dict[str, bytes]:
    """Of the folder."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_a_wrong_command_line_is_one_line_and_exit_code_2(run: Any, case: int) -> None:
    arguments, words = REFUSED[case]
    before = contents()
    code, out, err = run(*arguments)
    assert contents() == before
    assert (code, out) == (2, "")
    assert err.startswith("massprops: ")
    assert err.count("\n") == 1
    assert words in err


def test_a_bad_input_is_told_and_the_run_goes_on(run: Any) -> None:
    code, out, err = run("a.stl", "open.stl", "missing.stl", "b.stl", M)
    assert code == 1
    lines = out.splitlines()
    assert [lines.index(name) for name in ("a.stl", "open.stl", "missing.stl", "b.stl")] == sorted(
        lines.index(name) for name in ("a.stl", "open.stl", "missing.stl", "b.stl")
    )
    assert lines[lines.index("open.stl") + 1].startswith("mass properties: not measured: open: 3 boundary edges")
    assert lines[lines.index("missing.stl") + 1] == "mass properties: not measured: not_found: there is no such file"
    assert err.splitlines()[0].startswith("open.stl: open: 3 boundary edges in 1 loop")
    assert err.splitlines()[-1] == "4 inputs: 2 measured, 2 not"


def test_warnings_quiet_and_strict(run: Any) -> None:
    code, out, err = run("crack.stl", M)
    assert code == 0
    assert err.startswith("crack.stl: warning: hairline: ")
    assert run("crack.stl", M, "--quiet") == (0, out, "")
    assert run("crack.stl", M, "--strict")[0] == 1
    assert run("a.stl", M, "--strict")[0] == 0
    assert run("crack.stl", M, "--exact")[0] == 1


def test_what_is_so_by_its_format_fails_no_strict_run(run: Any) -> None:
    Path("a.glb").write_bytes(files.glb(TETRAHEDRON))
    Path("inch.3mf").write_bytes(files.threemf(TETRAHEDRON, attributes='unit="inch"'))
    for name, status, told in (("a.glb", 0, "format_unit"), ("inch.3mf", 1, "units")):
        code, _, err = run(name, M, "--units", "mm", "--strict")
        assert (code, err.split(": ")[2]) == (status, told)


def test_statistics_of_an_open_surface_are_no_failure(run: Any) -> None:
    code, out, err = run("open.stl")
    assert (code, err) == (0, "")
    assert "none: open" in out


def test_json_is_one_document_whatever_happens(run: Any) -> None:
    code, out, err = run("a.stl", "open.stl", M, "--json")
    content = json.loads(out)
    assert code == 1
    assert [result["status"] for result in content["results"]] == ["ok", "open"]
    assert content["summary"] == {"inputs": 2, "measured": 1, "failed": 1}
    assert "open.stl: open" in err


@pytest.mark.parametrize("text", ["a.stl\nb.stl\n", "a.stl\r\nb.stl\r\n", "\n  \na.stl\n\nb.stl"])
def test_files_from_a_list(run: Any, folder: Path, text: str) -> None:
    (folder / "list.txt").write_bytes(text.encode())
    assert run("--files_from", "list.txt", M) == run("a.stl", "b.stl", M)
    assert run("a.stl", "--files_from", "list.txt", M) == run("a.stl", "a.stl", "b.stl", M)


def test_a_list_with_a_byte_order_mark(run: Any, folder: Path) -> None:
    (folder / "list.txt").write_bytes(b"\xef\xbb\xbfa.stl\nb.stl\n")
    assert run("--files_from", "list.txt", M)[0] == 0


def test_help_and_version(run: Any) -> None:
    for flag in ("-h", "--help"):
        code, out, err = run(flag)
        assert (code, err) == (0, "")
        flat = " ".join(out.replace("│", " ").split())
        assert flat.index("massprops -i part.stl --mass_properties") < flat.index("--resize_factor")
        assert all(flag in flat for flag in ("--density", "--about", "--exact", "--units", "--json", "--rotate_angle"))
        assert "load" in flat
    code, out, _ = run("--version")
    assert code == 0
    assert out.startswith("massprops ")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_jobs_print_the_same(jobs: str) -> None:
    one = process("a.stl", "open.stl", "b.stl", "crack.stl", M)
    two = process("a.stl", "open.stl", "b.stl", "crack.stl", M, "--jobs", jobs)
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr)


def test_colour_and_terminals_change_nothing() -> None:
    plain = process("a.stl", "b.stl", M).stdout
    assert b"\x1b" not in plain
    assert process("a.stl", "b.stl", M, env={"NO_COLOR": "1"}).stdout == plain
    assert process("a.stl", "b.stl", M, env={"FORCE_COLOR": "1", "COLUMNS": "20"}).stdout == plain


@pytest.mark.parametrize("line", [
    "massprops a.stl b.stl a.stl b.stl | head -1", "massprops a.stl --json | head -1", "massprops --help | head -1",
    "massprops a.stl open.stl --mass_properties 2>&1 | true", "massprops a.stl | true",
])  # fmt: skip
def test_a_closed_pipe_ends_quietly(line: str) -> None:
    found = shell(line)
    assert found.stderr in (b"", b"4 inputs: 4 measured, 0 not\n")
    assert b"Traceback" not in found.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_a_closed_pipe_is_no_input_that_is_not_measured() -> None:
    line = f"massprops {'a.stl ' * 20} {M} --jobs 1 | true; echo ${{PIPESTATUS[0]}}"
    assert shell(line).stdout.strip() in (b"0", b"141")  # 0 where all of it went into the pipe before
    found = shell(f"massprops {'a.stl ' * 300} {M} --jobs 1 | head -1 > /dev/null; echo ${{PIPESTATUS[0]}}")
    assert (found.stdout.strip(), found.stderr) == (b"141", b"")


@pytest.mark.parametrize("line", ["cat a.stl | massprops - --format stl --mass_properties",
                                  "massprops -i - --format stl --mass_properties < a.stl",
                                  "massprops --format stl --mass_properties -i <(cat a.stl)"])  # fmt: skip
def test_pipes_and_standard_input(line: str) -> None:
    found = shell(line)
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout == process("a.stl", M).stdout


@pytest.mark.parametrize("end", ["> /dev/full", "--json > /dev/full", ">&-"])
def test_an_output_that_cannot_be_written_is_one_line(end: str) -> None:
    found = shell(f"massprops a.stl {end}")
    assert found.returncode not in (0, 2)
    assert b"Traceback" not in found.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize("end", ["2>&-", "2>&- <&-"])
def test_a_closed_standard_error_costs_only_what_is_written_there(end: str) -> None:
    wanted = process("a.stl", "open.stl", M)
    found = shell(f"massprops a.stl open.stl --mass_properties --output '{{stem}}.off' {end}")
    assert (found.returncode, found.stdout, found.stderr) == (1, wanted.stdout, b"")
    assert shell(f"massprops a.stl {end}").returncode == 0
    assert contents()["a.off"].startswith(b"OFF")


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize("end", [">&-", ">&- <&-"])
def test_a_closed_standard_output_is_one_line(end: str) -> None:
    found = shell(f"massprops a.stl {end}")
    wanted = b"massprops: standard output is closed: the report cannot be written\n"
    assert (found.returncode, found.stderr) == (1, wanted)
    assert shell(f"massprops a.stl {end} 2>&-").returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="names that only POSIX allows")
def test_nothing_in_a_name_reaches_the_terminal(run: Any, folder: Path) -> None:
    name, shown = "a\x1b[31m\n\u202eb.stl", r"a\x1b[31m\n\u202eb.stl"
    (folder / name).write_bytes(binary(TETRAHEDRON))
    code, out, err = run(name, "a.stl", f"{name}x", M)
    assert code == 1
    assert out.splitlines()[0] == shown
    assert err.splitlines()[0] == f"{shown}x: not_found: there is no such file"
    assert f"file                  {shown}\n" in run(name)[1]
    assert json.loads(run(name, "--json")[1])["results"][0]["file"] == name
    assert "\x1b" not in run(name, "--merge", f"{name}y", "--quiet")[1]
    code, out, err = run("a.stl", "--output", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.isascii()


@pytest.mark.skipif(os.name == "nt", reason="named pipes of POSIX")
def test_lists_that_are_too_long_or_devices(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("massprops.readers.name_list.LARGEST", 7)
    (folder / "list").write_text("a.stl\nb.stl\n")
    code, out, err = run("--files_from", "list")
    assert (code, out) == (2, "")
    assert err == "massprops: --files_from list: longer than 0 MB, as no list of names is\n"


def test_no_list_and_no_merged_file_is_replaced(run: Any, folder: Path) -> None:
    (folder / "list.html").write_text("a.stl\n")
    before = contents()
    for words in (
        ["--files_from", "list.html", "--html", "list.html"], ["a.stl", "--merge", "b.stl", "--output", "b.stl"],
        ["a.stl", "--spin", *"001", "--spin_csv", "./a.stl"],
    ):  # fmt: skip
        code, out, err = run(*words, M, "--overwrite")
        assert (code, out, contents()) == (2, "", before)
        assert "a file that is read, and must stay" in err


@pytest.mark.parametrize("unit", ["MM", "Millimeters"])
def test_units_by_other_names(run: Any, unit: str) -> None:
    assert run("a.stl", M, "--units", unit) == run("a.stl", M, "--units", "mm")


def test_a_closed_standard_input_is_told() -> None:
    found = shell("massprops - --format stl <&-")
    assert found.returncode == 1
    assert b"error of massprops" not in found.stderr


def test_json_is_json_in_a_narrow_encoding(folder: Path) -> None:
    (folder / "café.stl").write_bytes(binary(TETRAHEDRON))
    found = process("café.stl", M, "--json", env={"PYTHONIOENCODING": "ascii"})
    assert json.loads(found.stdout)["results"][0]["file"] == "café.stl"


def test_a_name_in_no_encoding(folder: Path) -> None:
    name = os.fsdecode(b"part\xff.stl")
    (folder / name).write_bytes(binary(TETRAHEDRON))
    found = process(name, M, "--json")
    assert found.returncode == 0
    assert json.loads(found.stdout)["results"][0]["file"] == name
    assert process(name, "a.stl", M).returncode == 0


def test_an_unexpected_error_is_one_line(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("massprops.chain.measure", lambda *_: 1 // 0)
    code, _, err = run("a.stl", M)
    assert code == 1
    assert err.startswith("a.stl: unreadable: an error of massprops itself: ZeroDivisionError")
    assert err.count("\n") == 1


# Meshes and tables that are written


def test_an_output_for_each_input(run: Any) -> None:
    code, out, _ = run("a.stl", "b.stl", M, "--resize_x", "-2", "--output", "{stem}_out")
    assert code == 0
    assert contents().keys() == {"a.stl", "b.stl", "open.stl", "crack.stl", "a_out", "b_out"}
    again = run("a_out", "b_out", M)
    assert again[1].replace("_out", ".stl") == out
    assert len(contents()["a_out"]) == len(contents()["a.stl"])


def test_an_output_that_is_there_is_replaced_only_when_told_to(run: Any) -> None:
    before = contents()
    for name in ("a.stl", "b.stl", "./a.stl"):
        assert run("a.stl", "--output", name)[0] == 2
        assert contents() == before
    assert run("a.stl", "--translate_x", "1", "--output", "b.stl", "--overwrite")[0] == 0
    assert contents().keys() == before.keys()
    assert contents()["b.stl"] != before["b.stl"]
    assert run("a.stl", "--translate_x", "1", "--output", "a.stl", "--overwrite")[0] == 0
    assert contents()["a.stl"] == contents()["b.stl"]


def test_no_output_of_what_cannot_be_read(run: Any) -> None:
    (Path() / "bad.stl").write_bytes(binary(TETRAHEDRON)[:-9])
    code, _, err = run("bad.stl", "a.stl", "--output", "{stem}_out.stl")
    assert code == 1
    assert "bad.stl: unreadable" in err
    assert {name for name in contents() if "out" in name} == {"a_out.stl"}


def test_an_output_that_cannot_be_written_fails_that_input_only(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from massprops.report import mesh_file

    write = mesh_file._write_stl

    def full(surface: Any, affine: Any, path: Path) -> None:
        write(surface, affine, path)
        if "a_out" in path.name:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(mesh_file, "_write_stl", full)
    code, _, err = run("a.stl", "b.stl", M, "--output", "{stem}_out.stl")
    assert code == 1
    assert err.splitlines() == [
        "a.stl: unwritable: a_out.stl cannot be written: no space left on device", "2 inputs: 1 measured, 1 not"
    ]  # fmt: skip
    assert {name for name in contents() if "out" in name} == {"b_out.stl"}


def test_an_interruption_leaves_no_half_file(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from massprops.report import mesh_file

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    before = contents()
    monkeypatch.setattr(mesh_file, "_normals", interrupted)
    code, out, err = run("a.stl", M, "--output", "b.stl", "--overwrite")
    assert (code, out, err) == (130, "", "")
    assert contents() == before


def test_a_spin_in_text_document_and_table(run: Any) -> None:
    spin = ["--spin", "0.3", "0", "5", "--duration", "2", "--step", "0.5", "--spin_method", "dop853"]
    code, out, err = run("a.stl", "b.stl", M, *spin, "--spin_csv", "{stem}.csv")
    assert (code, err) == (0, "2 inputs: 2 measured, 0 not\n")
    lines = out.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("spin, duration")]
    assert [float(lines[k][22:]) for k in starts] == [2, 2]
    results = json.loads(run("a.stl", "b.stl", M, *spin, "--json")[1])["results"]
    for name, result, start in zip("ab", results, starts, strict=True):
        found = result["spin"]
        assert (found["duration"], found["step"]) == (2, 0.5)
        assert found["omega_start"] == pytest.approx([0.3, 0, 5], abs=1e-14)
        assert [float(x) for x in lines[start + 4].split()] == pytest.approx(found["omega_end"], rel=1e-14)
        header, *rows = (Path() / f"{name}.csv").read_text().splitlines()
        table = np.array([[float(x) for x in row.split(",")] for row in rows])
        assert header.split(",")[:4] == ["time", "wx", "wy", "wz"]
        assert table[:, 0].tolist() == [0, 0.5, 1, 1.5, 2]
        assert table[0, 1:4] == pytest.approx([0.3, 0, 5], abs=1e-14)
        assert table[-1, 1:4] == pytest.approx(found["omega_end"], rel=1e-14)
        assert table[:, 11] == pytest.approx(found["energy"], rel=1e-12)
        assert np.array(result["inertia"]) @ [0.3, 0, 5] == pytest.approx(found["angular_momentum"], rel=1e-13)


@pytest.mark.parametrize("words", [["--spin", "1", "0", "0", "--step", "1e-9", "--duration", "1e9"],
                                   ["--spin", "1e9", "1e9", "0", "--step", "1", "--duration", "9"]])  # fmt: skip
def test_a_spin_that_cannot_be_followed_is_one_line(run: Any, words: list[str]) -> None:
    code, out, err = run("a.stl", M, *words, "--spin_csv", "a.csv")
    assert code == 1
    assert err.startswith("a.stl: unphysical: --spin: ")
    assert err.count("\n") == 1
    assert out == f"mass properties: not measured: {err.removeprefix('a.stl: ')}"
    assert "a.csv" not in contents()
