"""The requirements, and which tests cite them. The suite and `refresh.py` both read the ledger here."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "requirements" / "catalogue.toml"
TESTS = ROOT / "tests"

MILESTONES = ("1 read gate", "2 verifier", "3 write gate", "4 detectors", "5 stream gate", "6 faces")
NEVER_RUN = frozenset({"skip", "xfail"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Requirement:
    id: str
    area: str
    due: str
    shown: bool
    text: str
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A test that says it shows a requirement; `test` is the file and function, as pytest names them."""

    requirement: str
    test: str


def read_catalogue(path: Path = CATALOGUE) -> tuple[Requirement, ...]:
    return tuple(Requirement(**row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["requirement"])


def find_citations(tests: Path = TESTS) -> tuple[Citation, ...]:
    """Every citation under `tests`, read from the source, so that a partial run sees them all.

    A test that is marked to be skipped or to fail shows nothing and is left out.
    """
    found: list[Citation] = []
    for path in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        shared = [node.value for node in tree.body if isinstance(node, ast.Assign) and _names(node, "pytestmark")]
        for name, function, marks in _tests(tree, shared):
            place = f"{path.relative_to(tests.parent).as_posix()}::{name}"
            if not NEVER_RUN & {mark.name for mark in _marks(marks)}:
                cited = dict.fromkeys(id for mark in _marks([*marks, function]) for id in mark.requirements(place))
                found += [Citation(id, place) for id in cited]
    return tuple(found)


def find_faults(requirements: Iterable[Requirement], citations: Iterable[Citation]) -> tuple[str, ...]:
    """What makes the ledger untrue: unknown ids, shown ones that no test cites, cited ones not marked as shown."""
    known = {requirement.id: requirement for requirement in requirements}
    cited = {citation.requirement: citation.test for citation in citations}
    unknown = [f"{id}: cited by {test}, but not in the catalogue" for id, test in cited.items() if id not in known]
    lost = [f"{id}: marked as shown, but no test cites it" for id, r in known.items() if r.shown and id not in cited]
    unmarked = [
        f"{id}: cited by {test}, but not marked as shown (run `make ledger`)"
        for id, test in cited.items()
        if id in known and not known[id].shown
    ]
    return (*unknown, *lost, *unmarked)


def find_unshown(
    requirements: Iterable[Requirement], citations: Iterable[Citation], outcomes: Mapping[str, set[str]]
) -> tuple[str, ...]:
    """Ids marked as shown whose every test took part in this run and was skipped: nothing showed them."""
    runs: dict[str, list[set[str]]] = {requirement.id: [] for requirement in requirements if requirement.shown}
    for citation in citations:
        if citation.requirement in runs:
            runs[citation.requirement].append(outcomes.get(citation.test, set()))
    return tuple(id for id, seen in runs.items() if seen and all(outcome == {"skipped"} for outcome in seen))


def group_missing(requirements: Iterable[Requirement]) -> dict[str, list[str]]:
    """The ids not yet shown, by the milestone that will bring them."""
    groups: dict[str, list[str]] = {milestone: [] for milestone in MILESTONES}
    for requirement in requirements:
        if not requirement.shown:
            groups[requirement.due].append(requirement.id)
    return {milestone: ids for milestone, ids in groups.items() if ids}


@dataclass(frozen=True, slots=True)
class _Mark:
    name: str
    call: ast.Call | None

    def requirements(self, place: str) -> Iterator[str]:
        if self.name != "requirement":
            return
        for argument in self.call.args if self.call else ():
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise ValueError(f"{place}: a requirement must be cited by its id, written out")
            yield argument.value


def _tests(tree: ast.Module, shared: list[ast.expr]) -> Iterator[tuple[str, Function, list[ast.expr]]]:
    """Each test with its name and the expressions that mark it, from its module, its class and itself."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            outer = [*shared, *node.decorator_list]
            for inner in node.body:
                if isinstance(inner, Function) and inner.name.startswith("test"):
                    yield f"{node.name}::{inner.name}", inner, [*outer, *inner.decorator_list]
        elif isinstance(node, Function) and node.name.startswith("test"):
            yield node.name, node, [*shared, *node.decorator_list]


def _marks(nodes: Iterable[ast.AST]) -> Iterator[_Mark]:
    """Every `pytest.mark.NAME`, called or not, anywhere in the nodes."""
    for root in nodes:
        calls = {id(node.func): node for node in ast.walk(root) if isinstance(node, ast.Call)}
        for node in ast.walk(root):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "mark":
                yield _Mark(node.attr, calls.get(id(node)))


def _names(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
