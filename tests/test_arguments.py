"""The words of the command line in one spelling."""

from __future__ import annotations

import pytest

from massprops.arguments import arguments
from massprops.errors import PlanError


@pytest.mark.parametrize(("given", "wanted"), [
    ("", ""), ("-i a b", "a b"), ("-ia -i=b --input=c --input d", "a b c d"), ("-i - --json", "- --json"),
    ("--mass-properties --resize-x=-2", "--mass_properties --resize_x=-2"), ("-i -- -a", "-- -a"),
    ("-- --mass-properties -i", "-- --mass-properties -i"), ("--about 1 2 3", "--about 1 2 3"),
    ("--about -1 .5 a-b --fill-holes", "--about_uv -1 .5 a-b --fill_holes"), ("--about 1 2", "--about_uv 1 2"),
    ("--about 1 2 nan", "--about 1 2 nan"),
])  # fmt: skip
def test_spellings(given: str, wanted: str) -> None:
    assert arguments(given.split()) == wanted.split()


@pytest.mark.parametrize("given", ["--about", "--about 1", "--about 0,0,0", "--about 0,0,0 a.stl", "--about 1 --json"])
def test_what_is_no_point(given: str) -> None:
    with pytest.raises(PlanError, match=r"^--about.*: a point is X Y Z, or U V in a section, with spaces between"):
        arguments(["a.stl", *given.split()])


@pytest.mark.parametrize("given", ["-i", "--input", "-i --json a"])
def test_a_flag_without_its_file(given: str) -> None:
    with pytest.raises(PlanError, match="needs a file"):
        arguments(given.split())
