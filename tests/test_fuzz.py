"""The fuzzing of `tests.fuzz`, in short: a few damaged files of every format, the same ones on every run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.fuzz_readers import folder_for, formats, fuzz, warm_up
from tests.fuzz.watching import Finding


@pytest.mark.parametrize("format", list(formats()))
def test_every_damaged_file_gets_a_verdict(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASSPROPS_DEBUG", "1")
    folder = folder_for(tmp_path)
    warm_up(folder, format)
    wrong: list[str] = []

    def found(name: str, number: int, data: bytes, finding: Finding) -> None:
        wrong.append(f"{name} {number}: {finding}")

    told = fuzz(format, folder, 1, 0, 25, found)
    assert wrong == []
    assert told.total() == 25
