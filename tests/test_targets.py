"""Names of files to be written, and those that may not be."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from massprops.errors import PlanError
from massprops.plan import Plan, SpinPlan
from massprops.targets import WRITTEN_FORMATS, written_name


@pytest.mark.parametrize(("name", "path", "wanted"), [
    ("out.stl", "a/b.obj", "out.stl"), ("{stem}.stl", "a/b.obj", "b.stl"),
    ("o/{stem}_{stem}.ply", "b.c.obj", "o/b.c_b.c.ply"),
    ("{stem}.stl", "-", "stdin.stl"), ("{stem}.stl", ".stl", ".stl.stl"), ("{stem}", "/x/y.3mf", "y"),
    ("{name}.stl", "a.stl", "{name}.stl"), ("{stem}.stl", "{stem}.stl", "{stem}.stl"), ("{stem}.stl", "b", "b.stl"),
])  # fmt: skip
def test_written_names(name: str, path: str, wanted: str) -> None:
    assert written_name(name, path) == Path(wanted)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where there are the parts a and b, a folder and a file for results, and a link to a."""
    for name in ("a.stl", "b.stl", "1a.stl", "there.stl", "there.csv"):
        (tmp_path / name).touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.stl").touch()
    (tmp_path / "link.stl").symlink_to("a.stl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def planned(name: str, *inputs: str, flag: str = "output", **given: Any) -> Plan:
    where = {"output": name} if flag == "output" else {"spin": SpinPlan((0.0, 0.0, 1.0), csv=name)}
    return Plan(inputs or ("a.stl",), **{"mass_properties": True, **where, **given})


@pytest.mark.parametrize("name", [
    *(f"new.{suffix}" for suffix in WRITTEN_FORMATS), "new.STL", "new", "sub/new.stl", "{stem}_new.stl",
    "sub/{stem}_{stem}", ".new", "./new.stl",
])  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_names_that_may_be_written(name: str) -> None:
    assert planned(name).output == name


@pytest.mark.parametrize("flag", ["output", "spin_csv"])
@pytest.mark.parametrize(("name", "inputs", "words"), [
    ("there.stl", ("a.stl",), "exists already; --overwrite replaces it"), ("link.stl", ("b.stl",), "exists already"),
    ("b.stl", ("a.stl",), "exists already"),
    ("new.stl", ("a.stl", "b.stl"), "new.stl: one name for several inputs; put {stem} into it"),
    ("{stem}_new.stl", ("a.stl", "sub/a.stl"), "a_new.stl: one name for several inputs; 2 inputs have the stem a;"),
    ("{stem}_new.stl", ("b.stl", "a.stl", "a.stl", "a.stl"), "one name for several inputs; 3 inputs have the stem a"),
    ("sub/{stem}/../new.stl", ("a.stl", "b.stl"), "one name for several inputs"),
    ("{stem}_new.stl", ("-", "stdin.stl"), "one name for several inputs; 2 inputs have the stem stdin"),
    ("no/new.stl", ("a.stl",), "there is no folder no"), ("a.stl/new.stl", ("a.stl",), "there is no folder a.stl"),
    ("sub", ("a.stl",), "sub: a folder"), ("sub/", ("a.stl",), "sub/: a folder; name a file in it"),
    ("", ("a.stl",), "a folder"),
    ("-", ("a.stl",), "-: a file is written, not standard output"),
    ("x" * 300 + ".stl", ("a.stl",), "file name too long"),
])  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_names_that_may_not_be_written(flag: str, name: str, inputs: tuple[str, ...], words: str) -> None:
    with pytest.raises(PlanError) as caught:
        planned(name, *inputs, flag=flag)
    assert str(caught.value).startswith(f"--{flag} ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "inputs"), [
    ("new.xyz", ()), ("new.stl.gz", ()), ("new.3mf", ()), ("{stem}", ("arm.v2.stl",)),
])  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_formats_that_are_not_written(name: str, inputs: tuple[str, ...]) -> None:
    with pytest.raises(PlanError, match=f"written are {', '.join(WRITTEN_FORMATS)}"):
        planned(name, *inputs)
    planned(name, *inputs, flag="spin_csv")  # a table may be called anything


@pytest.mark.parametrize("flag", ["output", "spin_csv"])
@pytest.mark.usefixtures("folder")
def test_what_is_there_may_be_replaced_when_that_is_said(flag: str) -> None:
    for name in ("there.stl", "b.stl"):
        planned(name, flag=flag, overwrite=True)
    for name, words in (("sub", "a folder"), ("no/new.stl", "no folder")):
        with pytest.raises(PlanError, match=words):
            planned(name, flag=flag, overwrite=True)


OWN = [("a.stl", ("a.stl",)), ("{stem}.stl", ("a.stl",)), ("{stem}.stl", ("a.stl", "b.stl")), ("link.stl", ("a.stl",)),
       ("./sub/../a.stl", ("a.stl",)), ("a.stl", ("link.stl",))]  # fmt: skip


@pytest.mark.parametrize(("name", "inputs"), OWN)
@pytest.mark.usefixtures("folder")
def test_only_a_mesh_replaces_its_own_input_and_only_when_that_is_said(name: str, inputs: tuple[str, ...]) -> None:
    planned(name, *inputs, overwrite=True)
    with pytest.raises(PlanError, match="exists already; --overwrite replaces it"):
        planned(name, *inputs)
    for overwrite in (False, True):
        with pytest.raises(PlanError, match=r"--spin_csv \S+: a file that is read, and must stay"):
            planned(name, *inputs, flag="spin_csv", overwrite=overwrite)


@pytest.mark.parametrize("flag", ["output", "spin_csv"])
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.usefixtures("folder")
def test_nothing_else_that_is_read_is_ever_replaced(flag: str, overwrite: bool) -> None:
    for name, inputs, merge in (
        ("1{stem}.stl", ("a.stl", "1a.stl"), None), ("./1{stem}.stl", ("1a.stl", "sub/../a.stl"), None),
        ("{stem}.stl", ("b.stl", "a.stl"), "b.stl"), ("{stem}.stl", ("b.stl",), "b.stl"),
        ("link.stl", ("b.stl",), "a.stl"), ("there.stl", ("a.stl",), "there.stl"), ("a.stl", ("b.stl",), "link.stl"),
    ):  # fmt: skip
        with pytest.raises(PlanError, match="a file that is read, and must stay; choose another name"):
            planned(name, *inputs, merge=merge, flag=flag, overwrite=overwrite)
    with pytest.raises(PlanError, match=r"there\.stl: a file that is read"):
        planned("there.stl", files_from="there.stl", flag=flag, overwrite=overwrite)


@pytest.mark.parametrize("overwrite", [False, True])
def test_no_picture_and_no_page_replaces_what_is_read(folder: Path, overwrite: bool) -> None:
    for name in ("a.svg", "list.html"):
        (folder / name).touch()
    for given in ({"figure": "a.svg"}, {"figure": "{stem}.svg"}, {"html": "list.html"}):
        with pytest.raises(PlanError, match="a file that is read, and must stay"):
            Plan(("a.svg",), mass_properties=True, files_from="list.html", overwrite=overwrite, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["new.htm", "new.HTML", "sub/{stem}.html"])
@pytest.mark.usefixtures("folder")
def test_names_of_pages(name: str) -> None:
    assert Plan(("a.stl", "b.stl"), mass_properties=True, html=name).html == name
    for wrong in (name + "x", "new", ".html", "there.csv"):
        with pytest.raises(PlanError, match="written are html, htm"):
            Plan(("a.stl",), mass_properties=True, html=wrong, overwrite=True)


@pytest.mark.skipif(os.name == "nt", reason="special files of POSIX")
@pytest.mark.parametrize("flag", ["output", "spin_csv"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_what_is_no_file_is_never_replaced(folder: Path, flag: str, overwrite: bool) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "to_pipe").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name in ("pipe", "to_pipe", "socket"):
            with pytest.raises(PlanError, match=f"--{flag} {name}: a device, pipe or socket, not a file"):
                planned(name, flag=flag, overwrite=overwrite)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_link_to_nothing_is_refused_and_one_to_a_file_is_the_file(folder: Path, overwrite: bool) -> None:
    (folder / "dangling").symlink_to("gone.stl")
    (folder / "loop").symlink_to("loop")
    (folder / "to_there.stl").symlink_to("there.stl")
    for name, other in (("dangling", "gone.stl"), ("loop", "loop")):
        with pytest.raises(PlanError, match=f"{name}: a link to {other}, which is not there"):
            planned(name, overwrite=overwrite)
    if overwrite:
        planned("to_there.stl", overwrite=True)
        with pytest.raises(PlanError, match="one name for two files"):
            planned("to_there.stl", overwrite=True, spin=SpinPlan((0.0, 0.0, 1.0), csv="there.stl"))


def test_a_file_that_may_not_be_written_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(PlanError, match=r"there\.stl: write-protected"):
        planned("there.stl", overwrite=True)


@pytest.mark.usefixtures("folder")
def test_names_that_are_none_are_told_when_they_are_read() -> None:
    assert planned("new.stl", "a\0.stl").inputs == ("a\0.stl",)
    assert planned("-.stl", "-", merge="a.stl").output == "-.stl"


@pytest.mark.usefixtures("folder")
def test_a_mesh_and_a_table_have_names_of_their_own() -> None:
    for csv in ("new.stl", "sub/../new.stl", os.path.abspath("new.stl")):
        with pytest.raises(PlanError, match="one name for two files"):
            planned("new.stl", spin=SpinPlan((0.0, 0.0, 1.0), csv=csv))
    planned("new.stl", spin=SpinPlan((0.0, 0.0, 1.0), csv="new.csv"))


@pytest.mark.usefixtures("folder")
def test_folders_that_may_not_be_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", refused)
    with pytest.raises(PlanError, match=r"--output new\.stl: permission denied"):
        planned("new.stl")
