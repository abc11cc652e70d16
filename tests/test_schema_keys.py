"""Whatever a warning, a diagnosis or a repair holds is in the schema: all sources are looked through for it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from massprops import errors
from massprops.core import section_errors
from massprops.errors import MassPropsError
from massprops.report.section_json import OF_SOLIDS
from tests.test_house import FILES, imports, name_of, tree

DEFS = json.loads(files("massprops.report").joinpath("schema.json").read_text("utf-8"))["$defs"]
README = Path(__file__).resolve().parents[1] / "README.md"

COMPUTED = {"f'{code}_volume'": {"overlap_volume", "inverted_volume"}}
"""Keys that are put together, by their source."""

NAMES_OF_THE_FILE = {"dict(ignored)", "dict(drawing.ignored)"}
"""Details of the code ``ignored`` that have the file's own names for keys, which the report makes a list of."""

SAID = {"code", "message"}


class Told(NamedTuple):
    """A call of ``Notice``, ``Record`` or a verdict: where, what it is called with, and in which function."""

    module: str
    name: str
    call: ast.Call
    within: ast.AST

    def __repr__(self) -> str:
        return f"{self.module}:{self.call.lineno}"

    def argument(self, position: int, keyword: str) -> ast.expr | None:
        named = [each.value for each in self.call.keywords if each.arg == keyword]
        return named[0] if named else next(iter(self.call.args[position : position + 1]), None)


PATHS = {name_of(path): path for path in FILES}
TREES = {name: tree(path) for name, path in PATHS.items()}
VERDICTS = {
    name: kind
    for module in (errors, section_errors)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, MassPropsError)
}


def calls(node: ast.AST, module: str, within: ast.AST) -> Iterator[Told]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, (ast.Name, ast.Attribute)):
            yield Told(module, child.func.id if isinstance(child.func, ast.Name) else child.func.attr, child, within)
        yield from calls(child, module, child if isinstance(child, ast.FunctionDef) else within)


@cache
def told(*names: str) -> list[Told]:
    return [each for module, tree in TREES.items() for each in calls(tree, module, tree) if each.name in names]


@cache
def functions(name: str) -> list[tuple[str, ast.FunctionDef]]:
    found = ((module, node) for module, tree in TREES.items() for node in ast.walk(tree))
    return [(module, node) for module, node in found if isinstance(node, ast.FunctionDef) and node.name == name]


def values(name: str, within: ast.AST) -> list[ast.expr]:
    """What a name is assigned in a function."""
    found = []
    for node in ast.walk(within):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [node.value for target in targets if isinstance(target, ast.Name) and target.id == name]
    return found


def keys(value: ast.expr, within: ast.AST) -> set[str]:
    """Keys that a dictionary may have; fails for one of which they cannot be known."""
    if isinstance(value, ast.Dict):
        found: set[str] = set()
        for key, item in zip(value.keys, value.values, strict=True):
            if key is None:
                found |= keys(item, within)
            elif isinstance(key, ast.Constant):
                found.add(str(key.value))
            else:
                found |= COMPUTED[ast.unparse(key)]
        return found
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        return keys(value.left, within) | keys(value.right, within)
    if isinstance(value, ast.IfExp):
        return keys(value.body, within) | keys(value.orelse, within)
    if isinstance(value, ast.Name) and (assigned := values(value.id, within)):
        return set().union(*(keys(each, within) for each in assigned))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and (made := functions(value.func.id)):
        returns = ((node.value, maker) for _, maker in made for node in ast.walk(maker) if isinstance(node, ast.Return))
        return set().union(*(keys(each, maker) for each, maker in returns if each is not None))
    raise AssertionError(f"say which keys it has: {ast.unparse(value)}")


def codes(found: Told) -> set[str]:
    """The codes that a notice may have, where its source has them."""
    code = found.argument(0, "code")
    assert code is not None
    parts = values(code.id, found.within) if isinstance(code, ast.Name) else [code]
    branches = ([part.body, part.orelse] if isinstance(part, ast.IfExp) else [part] for part in parts)
    return {str(part.value) for pair in branches for part in pair if isinstance(part, ast.Constant)}


@cache
def reached(start: str, *without: str) -> frozenset[str]:
    """Modules that one imports, at once or later, and those that these do, and so on."""
    found, new = set(), {start}
    while new:
        found |= new
        new = {name for module in new for name in imports(PATHS[module]) if name in PATHS} - found - set(without)
    return frozenset(found)


OF_BODIES = reached("massprops.chain", "massprops.section_chain", "massprops.readers.sections")
OF_SECTIONS = reached("massprops.section_chain")
NOTICES, RECORDS, REFUSALS = told("Notice"), told("Record"), told(*VERDICTS)


@pytest.mark.parametrize("found", NOTICES, ids=repr)
def test_what_a_warning_holds_is_in_the_schema(found: Told) -> None:
    details = found.argument(2, "details")
    if details is None:
        return
    if ast.unparse(details) in NAMES_OF_THE_FILE:
        assert codes(found) == {"ignored"}
        assert found.module in OF_SECTIONS
        return
    has, kinds = keys(details, found.within), (found.module in OF_BODIES, found.module in OF_SECTIONS)
    assert any(kinds), "no run comes here"
    for kind in [name for name, comes in zip(("warning", "section_warning"), kinds, strict=True) if comes]:
        assert has - set(DEFS[kind]["properties"]) == set(), kind
    assert not has & SAID, "would replace what every warning says"


@pytest.mark.parametrize("found", [each for each in NOTICES if codes(each)], ids=repr)
def test_the_codes_of_warnings_are_in_the_readme(found: Told) -> None:
    table = README.read_text("utf-8").partition("The codes of `warnings`")[2].partition("\n## ")[0]
    assert codes(found) - set(re.findall(r"`([a-z_]+)`", table)) == set()


@pytest.mark.parametrize("found", RECORDS, ids=repr)
def test_what_a_repair_counts_is_in_the_schema(found: Told) -> None:
    step, counts = found.argument(0, "step"), found.argument(3, "counts")
    assert isinstance(step, ast.Constant)
    assert step.value in DEFS["repair"]["properties"]["step"]["enum"]
    if counts is not None:
        assert keys(counts, found.within) - (set(DEFS["repair"]["properties"]) - {"step"}) == set()


DIAGNOSES = {
    "result": {"open": "open", "inconsistent": "open", "non_finite": "non_finite"},
    "section": {"open": "open_section", "self_intersecting": "self_intersecting"},
}
"""The diagnosis that each verdict may have, which the schema says in its conditions."""


@pytest.mark.parametrize("found", REFUSALS, ids=repr)
def test_what_a_diagnosis_holds_is_in_the_schema(found: Told) -> None:
    diagnosis = found.argument(1, "diagnosis")
    if diagnosis is None or (isinstance(diagnosis, ast.Attribute) and diagnosis.attr == "diagnosis"):
        return  # or one that is passed on
    for kind, modules in (("result", OF_BODIES), ("section", OF_SECTIONS)):
        if found.module in modules:
            name = DIAGNOSES[kind][VERDICTS[found.name].status]
            assert keys(diagnosis, found.within) == set(DEFS[f"{name}_diagnosis"]["required"])


@pytest.mark.parametrize("kind", ["result", "section"])
def test_every_verdict_is_in_the_schema(kind: str) -> None:
    listed = set(DEFS[kind]["properties"]["status"]["enum"])
    modules = OF_BODIES if kind == "result" else OF_SECTIONS
    assert {VERDICTS[found.name].status for found in REFUSALS if found.module in modules} - listed == set()


def test_the_sources_are_looked_through() -> None:
    assert len(NOTICES) > 50
    assert len(RECORDS) > 8
    assert len(REFUSALS) > 100
    assert not [each for each in told("replace", "_replace") if each.argument(9, "details")]
    with pytest.raises(AssertionError, match="say which keys"):
        keys(ast.parse("made(x)", mode="eval").body, ast.Module([], []))


def test_a_section_has_every_field_of_a_solid() -> None:
    assert set(OF_SOLIDS) <= set(DEFS["result"]["properties"]) <= set(DEFS["section"]["properties"])


def test_the_fields_of_a_result_are_in_the_readme() -> None:
    table = README.read_text("utf-8").partition("These are the fields of a result.")[2].partition("\n\nFacets ")[0]
    rows = [row.split(" | ") for row in table.splitlines() if row.startswith("| `")]
    names = {name: rest[0] for first, *rest in rows for name in re.findall(r"`(\w+)`", first)}
    solid, section = set(DEFS["result"]["properties"]), set(DEFS["section"]["properties"])
    assert set(names) == solid | section
    assert {name for name, told in names.items() if told.startswith("of a section:")} == section - solid
    for field in ("statistics", "counted", "check", "roundoff"):
        for kind in ("result", "section"):
            of_kind = next(iter(DEFS[kind]["properties"][field].get("anyOf", [])[1:]), {}).get("properties", {})
            assert set(of_kind) - set(re.findall(r"`(\w+)`", names[field])) == set(), (field, kind)
