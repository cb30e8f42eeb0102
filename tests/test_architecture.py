"""The house as the code draws it: which room may enter which, how large a room may grow, what importing costs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "src" / "groundwire"
PACKAGE = "groundwire"

LAYERS = (
    ("errors",),
    ("types",),
    ("settings",),
    ("text",),
    ("judge", "evidence"),
    ("verify", "detect", "evaluation"),
    ("guard", "memory"),
    ("app",),
    ("__init__",),
    ("surfaces", "batch", "integrations"),
    ("__main__",),
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
ADAPTERS = frozenset({"store", "models"})
ADAPTERS_MAY_ENTER = frozenset({"errors", "types", "settings"})
PROTOCOLS = "protocols"

LONGEST_MODULE = 400
LONGEST_FUNCTION = 50
MAY_BE_LONGER: Mapping[str, tuple[int, str]] = {}  # name: (lines, why it reads better in one piece)

READS_THE_WORLD = frozenset({"os.environ", "os.getenv", "time.time", "datetime.now", "datetime.utcnow", "date.today"})
# Plug-ins may raise anything, and the gates have to fail closed on all of it: one place does, and says so.
MAY_CATCH_ALL = frozenset({"evidence.attempts"})
EDGE = frozenset({"app", "surfaces", "batch", "integrations", "__init__", "__main__"})

HEAVY = frozenset(
    """
    asyncio click concurrent.futures email fastapi http httpx hyperon importlib.metadata mcp multiprocessing numpy
    onnxruntime openai psycopg pydantic ray socket spacy sqlalchemy sqlite3 ssl tokenizers torch transformers
    urllib.request uvicorn
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the package by its name without the package's own, and what it holds."""

    name: str
    tree: ast.Module
    lines: int
    is_package: bool

    @property
    def room(self) -> str:
        return self.name.partition(".")[0]


def read_modules(root: Path) -> dict[str, Module]:
    modules: dict[str, Module] = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package and len(parts) > 1 else parts)
        source = path.read_text(encoding="utf-8")
        modules[name] = Module(name, ast.parse(source, str(path)), len(source.splitlines()), is_package)
    return modules


def read_imports(module: Module) -> Iterator[str]:
    """The dotted name of everything imported anywhere in the module, inside functions as well."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = node.module or ""
            if node.level:
                here = [] if module.name == "__init__" else module.name.split(".")
                up = node.level - 1 if module.is_package else node.level
                stem = ".".join([PACKAGE, *here[: len(here) - up], *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def draw_graph(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Which module imports which; a name that is no module belongs to the module it is taken from."""
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, module in modules.items():
        for target in read_imports(module):
            if target == PACKAGE or target.startswith(PACKAGE + "."):
                inner = target.removeprefix(PACKAGE).removeprefix(".")
                while inner and inner not in modules:
                    inner = inner.rpartition(".")[0]
                graph[name].add(inner or "__init__")
        graph[name].discard(name)
    return graph


def find_trespasses(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Every arrow that the plan of the house does not allow."""
    return sorted(
        f"{source} → {target}: {reason}"
        for source, targets in graph.items()
        for target in targets
        if (reason := forbid(source, target))
    )


def forbid(source: str, target: str) -> str | None:
    """Why `source` must not import `target`, if it must not."""
    here, there = source.partition(".")[0], target.partition(".")[0]
    unknown = {here, there} - LEVEL.keys() - ADAPTERS
    if unknown:
        return f"{min(unknown)} is no room of the house"
    if here == there:
        return None
    if there in ADAPTERS:
        return None if here == "app" else "only app names adapters"
    if here in ADAPTERS:
        declares = target.rpartition(".")[2] == PROTOCOLS
        return None if there in ADAPTERS_MAY_ENTER or declares else "adapters know the vocabulary and protocols only"
    if LEVEL[there] > LEVEL[here]:
        return "lower never imports higher"
    return "neighbours never import each other" if LEVEL[there] == LEVEL[here] else None


def find_cycle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The modules of one import cycle in order, or nothing."""
    done: set[str] = set()

    def walk(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for target in sorted(graph.get(name, ())):
            if cycle := walk(target, [*path, name]):
                return cycle
        done.add(name)
        return []

    return next((cycle for name in sorted(graph) if (cycle := walk(name, []))), [])


def find_oversized(modules: Mapping[str, Module], allowed: Mapping[str, tuple[int, str]]) -> list[str]:
    """Modules and functions that have outgrown their room, and exceptions that nothing needs any more."""
    sizes = {name: (module.lines, LONGEST_MODULE) for name, module in modules.items()}
    for name, module in modules.items():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                key = f"{name}:{node.name}"
                sizes[key] = max(sizes.get(key, (0, 0)), (lines, LONGEST_FUNCTION))
    grown = [
        f"{name} has {lines} lines, at most {allowed[name][0] if name in allowed else limit}"
        for name, (lines, limit) in sizes.items()
        if lines > (allowed[name][0] if name in allowed else limit)
    ]
    idle = [f"{name} needs no exception" for name in allowed if name not in sizes or sizes[name][0] <= sizes[name][1]]
    return grown + idle


def find_world_readers(modules: Mapping[str, Module]) -> list[str]:
    """Places below app that read the environment or the clock, which are to be handed in."""
    return [
        f"{name}:{node.lineno} reads {ast.unparse(node)}"
        for name, module in modules.items()
        if module.room not in EDGE
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and ".".join(ast.unparse(node).split(".")[-2:]) in READS_THE_WORLD
    ]


def find_broad_handlers(modules: Mapping[str, Module]) -> list[str]:
    """Handlers that swallow everything, anywhere but at the outermost edge."""
    return [
        f"{name}:{node.lineno}"
        for name, module in modules.items()
        if module.room != "surfaces" and name not in MAY_CATCH_ALL
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or {"Exception", "BaseException"} & {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)}
        )
    ]


WATCH = """
import _thread, json, os, sys, threading
seen, watching = [], True
def watch(event, arguments):
    if not watching:
        return
    if event.startswith(("socket.", "subprocess.", "sqlite3.", "os.system", "os.mkdir", "os.remove")):
        seen.append(event)
    if event == "open" and arguments[2] and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append(f"writes {arguments[0]}")
def watch_threads(start):
    def report(*arguments, **options):
        seen.append("starts a thread")
        return start(*arguments, **options)
    return report
threading.Thread.start = watch_threads(threading.Thread.start)
_thread.start_new_thread = watch_threads(_thread.start_new_thread)
before = set(sys.modules)
sys.addaudithook(watch)
import groundwire
watching = False
print(json.dumps({"loaded": sorted(set(sys.modules) - before), "seen": seen}))
"""


def plant(root: Path, files: Mapping[str, str]) -> dict[str, Module]:
    for name, source in {"__init__.py": "", **files}.items():
        path = root / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return read_modules(root / PACKAGE)


def test_every_arrow_between_rooms_is_allowed():
    assert find_trespasses(draw_graph(read_modules(ROOT))) == []


def test_there_is_no_import_cycle():
    assert find_cycle(draw_graph(read_modules(ROOT))) == []


def test_no_module_and_no_function_has_outgrown_its_room():
    assert find_oversized(read_modules(ROOT), MAY_BE_LONGER) == []


def test_environment_and_clock_are_read_at_the_edge_only():
    assert find_world_readers(read_modules(ROOT)) == []


def test_no_broad_handler_below_the_edge():
    assert find_broad_handlers(read_modules(ROOT)) == []


def test_importing_is_light_and_touches_nothing():
    done = subprocess.run([sys.executable, "-B", "-c", WATCH], capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert [name for name in report["loaded"] if name in HEAVY] == []
    assert report["seen"] == []
    assert "groundwire" in report["loaded"], "the watch must have seen the import"


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("text.claims", "verify.report", "lower never imports higher"),
        ("types", "settings", "lower never imports higher"),
        ("errors", "types", "lower never imports higher"),
        ("judge.rules", "evidence.retrieval", "neighbours never import each other"),
        ("evidence.retrieval", "judge.rules", "neighbours never import each other"),
        ("verify.report", "detect.scoring", "neighbours never import each other"),
        ("guard.stream", "memory.gate", "neighbours never import each other"),
        ("surfaces.cli", "batch.jobs", "neighbours never import each other"),
        ("surfaces.cli", "store.sql", "only app names adapters"),
        ("memory.gate", "store.sql", "only app names adapters"),
        ("store.sql", "models.loading", "only app names adapters"),
        ("store.sql", "memory.gate", "adapters know the vocabulary and protocols only"),
        ("app", "surfaces.cli", "lower never imports higher"),
        ("app", "__init__", "lower never imports higher"),
        ("surfaces.cli", "__main__", "lower never imports higher"),
        ("text.claims", "helpers", "helpers is no room of the house"),
    ],
)
def test_a_forbidden_arrow_is_found(source: str, target: str, reason: str):
    assert find_trespasses({source: {target}}) == [f"{source} → {target}: {reason}"]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("types", "errors"),
        ("text.claims", "text.sentences"),
        ("verify.report", "judge.rules"),
        ("memory.gate", "verify.report"),
        ("app", "store.sql"),
        ("store.sql", "memory.protocols"),
        ("models.loading", "types"),
        ("surfaces.cli", "app"),
        ("__init__", "app"),
        ("surfaces.cli", "__init__"),
        ("__main__", "surfaces.cli"),
    ],
)
def test_an_allowed_arrow_passes(source: str, target: str):
    assert find_trespasses({source: {target}}) == []


def test_arrows_are_seen_in_functions_relative_imports_and_plain_imports(tmp_path: Path):
    modules = plant(
        tmp_path,
        {
            "text/__init__.py": "from .claims import Claim\n",
            "text/claims.py": "def read():\n    from groundwire.verify import report\n",
            "text/values.py": "if True:\n    import groundwire.judge.rules\nfrom ..judge import rules\n",
            "judge/rules.py": "from groundwire import __version__\nimport numpy\n",
            "judge/__init__.py": "",
            "verify/__init__.py": "",
            "verify/report.py": "from groundwire import text\n",
        },
    )
    graph = draw_graph(modules)
    assert graph["text"] == {"text.claims"}
    assert graph["text.claims"] == {"verify.report"}
    assert graph["text.values"] == {"judge.rules"}
    assert graph["judge.rules"] == {"__init__"}
    assert graph["verify.report"] == {"text"}
    assert len(find_trespasses(graph)) == 3


def test_a_cycle_is_found_and_named():
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert find_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_size_is_measured_and_an_exception_must_be_needed(tmp_path: Path):
    long_function = "def tell():\n" + "    x = 1\n" * LONGEST_FUNCTION
    modules = plant(tmp_path, {"text/long.py": "x = 1\n" * (LONGEST_MODULE + 1), "text/deep.py": long_function})
    assert find_oversized(modules, {}) == [
        "text.long has 401 lines, at most 400",
        "text.deep:tell has 51 lines, at most 50",
    ]
    allowed = {
        "text.long": (401, "a table"),
        "text.deep:tell": (51, "a match"),
        "text.deep": (500, "?"),
        "gone": (9, "?"),
    }
    assert find_oversized(modules, allowed) == ["text.deep needs no exception", "gone needs no exception"]


def test_a_reader_of_clock_or_environment_and_a_broad_handler_are_found(tmp_path: Path):
    source = "try:\n    a = os.environ\n    b = datetime.datetime.now()\nexcept (ValueError, Exception):\n    pass\n"
    modules = plant(tmp_path, {"text/world.py": source, "surfaces/cli.py": source})
    assert [line.partition(" ")[0] for line in find_world_readers(modules)] == ["text.world:2", "text.world:3"]
    assert find_broad_handlers(modules) == ["text.world:4"]


@pytest.mark.parametrize(
    ("body", "trace"),
    [
        ("import socket\nsocket.socket()", "socket.__new__"),
        ("import threading\nthreading.Thread(target=int).start()", "starts a thread"),
        ("open('left-behind', 'w').close()", "writes left-behind"),
    ],
)
def test_the_watch_sees_what_an_import_does(tmp_path: Path, body: str, trace: str):
    plant(tmp_path, {"__init__.py": body})
    arguments = [sys.executable, "-B", "-c", WATCH]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=tmp_path)
    report = json.loads(done.stdout.splitlines()[-1])
    assert trace in report["seen"]
