"""Every command and example in the README, run; what they print must be what it shows."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def sessions() -> Iterator[tuple[str, str]]:
    """Each command of the console blocks, and what the README shows below it."""
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the samples, in which commands may write."""
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "sample_meshes", place / "sample_meshes")
    return place


@pytest.mark.parametrize(("command", "shown"), list(sessions()))
def test_a_command_prints_what_the_readme_shows(command: str, shown: str, folder: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    found = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert found.stdout == shown, found.stderr


def test_the_readme_has_commands() -> None:
    assert len(list(sessions())) >= 10


def test_the_install_command_runs_the_main_job() -> None:
    """Its last part; the continuous integration runs the whole of it."""
    install = re.search(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert install
    last = install[0].split("&&")[-1].strip().removeprefix(".venv/bin/massprops ").split()
    found = subprocess.run([sys.executable, "-m", "massprops", *last], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0
    assert "4.710000000000000E+01" in found.stdout


def test_the_python_examples_print_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL, encoding="utf-8"
    )
    assert (failed, tried > 5) == (0, True)


def test_every_field_of_the_json_document_is_explained() -> None:
    from massprops.report.json_report import result_object
    from massprops.result import Result

    section = README[README.index("## The JSON document") : README.index("## Limits")]
    for field in result_object(Result("part.stl")):
        assert f"`{field}`" in section, field


def test_every_status_is_explained() -> None:
    from massprops import errors

    for verdict in vars(errors).values():
        if isinstance(verdict, type) and verdict is not errors.MassPropsError and hasattr(verdict, "status"):
            assert f"`{verdict.status}`" in README, verdict


def test_every_flag_is_named() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "massprops", "--help"],
        capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    )  # fmt: skip
    flags = set(re.findall(r"--[a-z_]+", found.stdout))
    assert len(flags) > 40
    for flag in flags:
        assert re.search(rf"`{flag}\b", README), flag


def test_the_table_of_speed_has_the_headings_of_the_benchmark() -> None:
    from tests.benchmarks.benchmark import HEADINGS

    assert "| " + " | ".join(HEADINGS) + " |" in README
