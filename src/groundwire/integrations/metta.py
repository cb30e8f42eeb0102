"""The predicates in a Hyperon interpreter, so that programs in MeTTa can ask them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from typing import Any, cast

from groundwire.app import Groundwire
from groundwire.detect.predicates import Predicates
from groundwire.errors import GroundwireError, InvalidInput, MissingExtra
from groundwire.evidence.dialogue import read_dialogue
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.integrations.predicates import make_predicates
from groundwire.types.detection import HallucinationFlag, HallucinationType

Tree = str | tuple["Tree", ...]
_PRIMITIVES = frozenset({"String", "Number", "Bool"})
_HERE = {"Float": "Number"}
"""Hyperon has one type for all numbers."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A predicate with the types that it takes and gives."""

    name: str
    takes: tuple[Tree, ...]
    gives: Tree

    @property
    def function(self) -> str:
        return self.name.replace("-", "_")


def read_signatures() -> tuple[Signature, ...]:
    """The predicates of the file that ships with the package."""
    found: list[Signature] = []
    for declaration in _parse(read_program()):
        match declaration:
            case (":", str(name), ("->", *takes, gives)) if name != "Just":
                found.append(Signature(name, tuple(takes), gives))
            case _:
                pass
    return tuple(found)


def read_program() -> str:
    return resources.files("groundwire.integrations").joinpath("data/predicates.metta").read_text(encoding="utf-8")


def _parse(program: str) -> Iterator[Tree]:
    words = [
        word
        for line in program.splitlines()
        for word in line.partition(";")[0].replace("(", " ( ").replace(")", " ) ").split()
    ]
    open_trees: list[list[Tree]] = []
    for word in words:
        if word == "(":
            open_trees.append([])
        elif word == ")":
            tree = tuple(open_trees.pop())
            if not open_trees:
                yield tree
            else:
                open_trees[-1].append(tree)
        else:
            open_trees[-1].append(word)


def register(runner: Any = None, *, wire: Groundwire | None = None, predicates: Predicates | None = None) -> Any:
    """Register every predicate in a MeTTa runner, a new one unless it is given, and return the runner.

    Dialogues and knowledge come from JSON texts (`read-dialogue`, `read-knowledge`), or are registered by the host as
    grounded atoms of the types DialogueState and KnowledgeBase.
    """
    hyperon = _open_hyperon()
    runner = runner if runner is not None else hyperon.MeTTa()
    asked = predicates or make_predicates(wire)
    for signature in read_signatures():
        function = _EXTRAS.get(signature.function) or getattr(asked, signature.function)
        operation = hyperon.OperationObject(signature.name, _ground(hyperon, runner, function, signature), False)
        runner.register_atom(signature.name, hyperon.G(operation, _write_type(runner, signature)))
    for member in HallucinationType:
        runner.register_atom(member.value, hyperon.ValueAtom(Held(member), "HallucinationType"))
    runner.run("(: Just (-> $t (Maybe $t))) (: Nothing (Maybe $t))")
    return runner


def _open_hyperon() -> Any:
    try:
        return import_module("hyperon")
    except ImportError as error:
        raise MissingExtra("MeTTa", "metta") from error


def _write_type(runner: Any, signature: Signature) -> Any:
    return runner.parse_single(_write((("->"), *signature.takes, signature.gives)))


def _write(tree: Tree) -> str:
    return _HERE.get(tree, tree) if isinstance(tree, str) else f"({' '.join(map(_write, tree))})"


def _ground(hyperon: Any, runner: Any, function: Callable[..., Any], signature: Signature) -> Callable[..., Any]:
    """Atoms in, atoms out; what groundwire refuses is an Error of MeTTa and not a crash."""

    def call(*atoms: Any) -> Sequence[Any]:
        try:
            result = function(*(_unwrap(atom) for atom in atoms))
        except GroundwireError as error:
            return [hyperon.E(hyperon.S("Error"), hyperon.S(signature.name), hyperon.ValueAtom(str(error)))]
        if signature.function == "members":
            inner = _member_type(runner, atoms[0])
            return [_wrap(hyperon, runner, member, inner) for member in cast("Sequence[Any]", result)]
        return [_wrap(hyperon, runner, result, signature.gives)]

    return call


@dataclass(frozen=True, slots=True)
class Held:
    """A value as MeTTa carries it around: Hyperon takes whatever is a text for a String, and an enum is one."""

    value: object

    def __repr__(self) -> str:
        value = self.value
        if isinstance(value, HallucinationFlag):
            return f"<{value.hallucination_type.value} {value.confidence:.2f} {json.dumps(value.content)}>"
        if isinstance(value, HallucinationType):
            return value.value
        if isinstance(value, list):
            return f"[{' '.join(repr(Held(member)) for member in cast('list[object]', value))}]"
        return repr(value)


def _unwrap(atom: Any) -> Any:
    content = atom.get_object().content
    return content.value if isinstance(content, Held) else content


def _member_type(runner: Any, atom: Any) -> Tree:
    """What a list is of: its type says so."""
    for found in _parse(str(atom.get_grounded_type())):
        match found:
            case ("List", inner):
                return inner
            case _:
                pass
    return "%Undefined%"


def _wrap(hyperon: Any, runner: Any, value: Any, gives: Tree) -> Any:
    match gives:
        case ("Maybe", inner):
            if value is None:
                return hyperon.S("Nothing")
            return hyperon.E(hyperon.S("Just"), _wrap(hyperon, runner, value, inner))
        case str(name) if _HERE.get(name, name) in _PRIMITIVES:
            return hyperon.ValueAtom(value)
        case _:
            return hyperon.ValueAtom(Held(value), runner.parse_single(_write(gives)))


# ── what a program needs besides ────────────────────────────────────────────────────────────────


def _read_knowledge(document: str) -> Any:
    return read_knowledge(_read_json(document, "knowledge"))


def _read_dialogue(document: str) -> Any:
    return read_dialogue(_read_json(document, "dialogue"))


def _read_json(document: str, field: str) -> object:
    try:
        return json.loads(document)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(field, f"is not valid JSON ({error})") from error


def _name_type(flag: HallucinationFlag) -> HallucinationType:
    return flag.hallucination_type


def _quote(flag: HallucinationFlag) -> str:
    return flag.content


def _list_members(found: Sequence[Any]) -> Sequence[Any]:
    return found


_EXTRAS: dict[str, Callable[..., Any]] = {
    "read_knowledge": _read_knowledge,
    "read_dialogue": _read_dialogue,
    "members": _list_members,
    "hallucination_type": _name_type,
    "hallucination_content": _quote,
}
