"""The house: who may import whom, what must be said of everything public, how large a file may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import massprops

ROOT = Path(massprops.__file__).parent
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
IDS = [str(path) for path in FILES]

LONGEST = 370
"""Lines: about 300, and some room."""

WRITER = Path("report/mesh_file.py")
"""Where meshes are written, trimesh may be imported as well as in readers."""

FLOORS = {
    "number_of": 0, "remedy": 0, "errors": 0, "leaving": 0, "finite": 1, "core": 1, "readers": 2, "motion": 2,
    "result": 3, "targets": 3, "plan": 3, "named": 3, "advice": 4, "not_applied": 4, "report": 4, "sections": 4,
    "pictures": 5, "section_chain": 5, "chain": 6, "library": 6, "forked_batch": 6, "spawned_batch": 6, "batch": 7,
    "reporting": 8, "arguments": 8, "flags": 8, "command": 9, "cli": 10, "__main__": 11,
}  # fmt: skip
"""How high everything lives: imports go to the same floor or down. A new module at the top gets its place here."""

OUTSIDE_CORE = {"trimesh", "rich", "typer", "matplotlib", "ezdxf", "lxml", "collada", "jsonschema", "logging"}


def name_of(path: Path) -> str:
    return ".".join(["massprops", *path.with_suffix("").parts]).removesuffix(".__init__")


MODULES = {name_of(path) for path in FILES}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"))


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker sees."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from nodes(child)


@cache
def imports(path: Path, types: bool = False) -> frozenset[str]:
    """Modules that a file imports, also inside functions; with ``types`` those for a type checker too."""
    found: set[str] = set()
    for node in ast.walk(tree(path)) if types else nodes(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            module = node.module or ""
            below = {f"{module}.{alias.name}" for alias in node.names} & MODULES
            found |= below or {module}
    return frozenset(found)


def top(name: str) -> str:
    return name.partition(".")[0]


def floor(name: str) -> int:
    """Of a module of ours."""
    part = name.split(".")[1]
    assert part in FLOORS, f"{name}: give it a place in FLOORS"
    return FLOORS[part]


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_imports_go_down(path: Path) -> None:
    if name_of(path) == "massprops":
        assert not [name for name in imports(path) if top(name) == "massprops"]  # all of them are lazy
        return
    for name in imports(path, types=True):
        if top(name) == "massprops" and name != "massprops":
            assert floor(name) <= floor(name_of(path)), f"{path} imports {name} from above"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_core_is_pure(path: Path) -> None:
    if path.parts[0] != "core":
        return
    assert not {top(name) for name in imports(path, types=True)} & OUTSIDE_CORE
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "open", "input"), f"{path}:{node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert (node.value.id, node.attr) not in {("sys", "stdout"), ("sys", "stderr"), ("np", "load")}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_only_readers_and_the_writer_import_trimesh_and_only_when_needed(path: Path) -> None:
    if "trimesh" in {top(name) for name in imports(path)}:
        assert path.parts[0] == "readers" or path == WRITER
    at_once = {alias.name for node in tree(path).body if isinstance(node, ast.Import) for alias in node.names}
    at_once |= {node.module or "" for node in tree(path).body if isinstance(node, ast.ImportFrom)}
    assert not {top(name) for name in at_once} & {"trimesh", "scipy", "matplotlib", "networkx", "ezdxf"}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_reports_read_nothing_and_readers_report_nothing(path: Path) -> None:
    ours = {name.split(".")[1] for name in imports(path, types=True) if name.startswith("massprops.")}
    if path.parts[0] == "report":
        assert not ours & {"readers", "chain", "batch", "cli", "library"}
    if path.parts[0] == "readers":
        assert not ours & {"report", "plan", "result", "chain", "batch", "cli", "library"}


def test_nothing_imports_in_a_circle() -> None:
    graph = {name_of(path): {name for name in imports(path) if name in MODULES} for path in FILES}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join([*way[way.index(name) :], name])
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*way, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_everything_public_is_documented(path: Path) -> None:
    if (ROOT / path).stat().st_size == 0:
        return
    assert ast.get_docstring(tree(path)), f"{path}: no docstring of the module"
    for node in tree(path).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{path}:{node.lineno}: {node.name} has no docstring"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_files_are_short(path: Path) -> None:
    assert len((ROOT / path).read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_no_file_is_a_drawer_for_everything(path: Path) -> None:
    assert path.stem.strip("_") not in {"util", "utils", "helper", "helpers", "common", "misc", "tools"}
