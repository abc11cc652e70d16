"""Values of flags become numbers as Typer would make them, or one line."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.core import TyperCommand

from massprops.command import PlainCommand

Pair = tuple[float, float]


def doubled(value: int | None) -> int | None:
    return None if value is None else 2 * value


def result_of(words: list[str], cls: type[TyperCommand] = PlainCommand) -> dict[str, Any]:
    """What a command with a flag of each kind is given."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    seen: dict[str, Any] = {}

    @app.command(cls=cls)
    def command(
        files: Annotated[list[str] | None, typer.Argument()] = None,
        number: Annotated[float, typer.Option("--number")] = 1.5,
        count: Annotated[int | None, typer.Option("--count")] = None,
        called: Annotated[int | None, typer.Option("--called", callback=doubled)] = None,
        name: Annotated[str | None, typer.Option("--name")] = None,
        pair: Annotated[Pair | None, typer.Option("--pair")] = None,
        flag: Annotated[bool, typer.Option("--flag")] = False,
    ) -> None:
        seen.update(files=files, number=number, count=count, called=called, name=name, pair=pair, flag=flag)

    app(words, standalone_mode=False)
    return seen


def test_nothing_given() -> None:
    assert result_of([]) == {
        "files": None, "number": 1.5, "count": None, "called": None, "name": None, "pair": None, "flag": False
    }  # fmt: skip


WORDS = [
    ["a", "b", "--flag"], ["--number", "2", "--count", "7"], ["--number=-1e-3"], ["--number", ".5"],
    ["--number", "1E3"], ["--name", "5"], ["--name", ""], ["--pair", "1", "-2.5"], ["--pair=1", "2"],
    ["--called", "3"], ["--count", "0"],
    ["--number", "1", "--number", "2"], ["--", "--flag"],
]  # fmt: skip


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_values_are_those_of_typer(words: list[str]) -> None:
    found, wanted = result_of(words), result_of(words, TyperCommand)
    assert found == wanted
    assert [type(value) for value in found.values()] == [type(value) for value in wanted.values()]


@settings(deadline=None, max_examples=30)
@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 10**9))
def test_numbers_keep_every_bit(number: float, count: int) -> None:
    found = result_of([f"--number={number!r}", f"--count={count}", f"--pair={number!r}", "0"])
    assert (found["number"], found["count"], found["pair"]) == (number, count, (number, 0.0))


REFUSED = [
    (["--number", "heavy"], "'heavy' is not a number"), (["--number", ""], "'' is not a number"),
    (["--number", "1,5"], "'1,5' is not a number"), (["--number", "nan"], "nan is not a finite number"),
    (["--number", "-inf"], "-inf is not a finite number"), (["--number", "1e999"], "1e999 is not a finite number"),
    (["--count", "1.5"], "'1.5' is not a whole number"), (["--count", "two"], "'two' is not a whole number"),
    (["--count=-1"], "-1 is less than 0"), (["--count", "1000000001"], "1000000001 is more than 1000000000"),
    (["--count", "9" * 400], "is more than"), (["--count", "9" * 9999], "is not a whole number"),
    (["--count=-" + "9" * 400], "is less than 0"), (["--pair", "1", "x"], "'x' is not a number"),
    (["--pair", "nan", "1"], "nan is not a finite number"),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_refusals_name_the_flag_and_the_value(case: int) -> None:
    words, message = REFUSED[case]
    with pytest.raises(typer.BadParameter) as caught:
        result_of(words)
    assert message in caught.value.format_message()
    assert f"'{words[0].partition('=')[0]}'" in caught.value.format_message()
