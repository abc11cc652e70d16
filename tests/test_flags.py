"""The flags: their names, panels and help."""

from __future__ import annotations

import inspect
from typing import Any, get_args, get_origin

import pytest
from typer.models import ArgumentInfo, OptionInfo

from massprops import cli, flags
from tests.oracle import massprops

PANELS = {
    "Input": "--input --files_from --format --units",
    "Repair": "--clip --merge --connect_nearby --weld_tolerance --sanitize --fill_holes --max_hole_edges",
    "Resize and move": "--mirror_normal --resize_factor --resize_x --resize_y --resize_z --rotate_axis --rotate_angle"
    " --translate_delta --translate_x --translate_y --translate_z",
    "Measure": "--mass_properties --density --about --exact --check_lines --verify --bounds",
    "Motion": "--spin --duration --step --spin_method --spin_csv",
    "Report": "--json --output --overwrite --strict --quiet --jobs --version",
}
"""Names that the contract promises, and where help shows them."""

DECLARED: dict[str, Any] = {
    name: value for name, value in vars(flags).items() if hasattr(value, "__metadata__")
}
OPTIONS = {
    name: value.__metadata__[0]
    for name, value in DECLARED.items()
    if name != "Files" and not value.__metadata__[0].hidden  # what only the command line itself says
}


def names(option: OptionInfo) -> list[str]:
    return [name for name in (option.default, *(option.param_decls or ())) if name.startswith("--")]


@pytest.mark.parametrize("panel", PANELS)
def test_every_flag_is_in_its_panel(panel: str) -> None:
    found = {name for option in OPTIONS.values() if option.rich_help_panel == panel for name in names(option)}
    assert found >= set(PANELS[panel].split())


def test_every_option_has_a_panel_and_help_that_ends_in_a_stop() -> None:
    for option in OPTIONS.values():
        assert option.rich_help_panel
        assert option.help
        assert option.help.endswith(".")
        assert "  " not in option.help


def test_no_name_is_given_twice_and_all_are_spelt_with_underscores() -> None:
    found = [name for option in OPTIONS.values() for name in names(option)]
    assert len(found) == len(set(found))
    assert not [name for name in found if "-" in name[2:] or name != name.lower()]


def test_what_takes_a_value_says_which() -> None:
    for name, option in OPTIONS.items():
        is_flag = get_args(DECLARED[name])[0] is bool
        assert is_flag != bool(option.metavar), name


def test_the_number_of_words_is_the_number_of_values() -> None:
    for name, option in OPTIONS.items():
        kinds = [kind for kind in (get_args(get_args(DECLARED[name])[0]) or ()) if get_origin(kind) is tuple]
        if kinds:
            assert len(option.metavar.split()) == len(get_args(kinds[0]))


def test_the_command_takes_every_flag_that_is_declared() -> None:
    taken = inspect.get_annotations(cli.command, eval_str=True)
    taken.pop("return")
    assert {id(value) for value in taken.values()} == {id(value) for value in DECLARED.values()}
    assert isinstance(flags.Files.__metadata__[0], ArgumentInfo)


VALUES = {
    "--clip": "0 0 0 1 1 1", "--mirror_normal": "1 0 0", "--resize_factor": "1 1 1", "--rotate_axis": "0 0 1",
    "--translate_delta": "0 0 0", "--about": "0 0 0", "--spin": "0 0 1",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(name for option in OPTIONS.values() for name in names(option)))
def test_every_flag_may_be_written_with_hyphens(name: str) -> None:
    """It is known in either spelling; what is said of its value, or of there being no input, is the same."""
    if name in ("--version", "--input"):
        return
    option = next(option for option in OPTIONS.values() if name in names(option))
    words = [] if not option.metavar else VALUES.get(name, "0.5").split()
    found, hyphens = massprops(name, *words), massprops(name.replace("_", "-"), *words)
    assert found == hyphens
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "no such option" not in found.err.lower()


def test_help_shows_every_flag() -> None:
    found = massprops("--help")
    assert found.code == 0
    for option in OPTIONS.values():
        for name in names(option):
            assert name in found.out
