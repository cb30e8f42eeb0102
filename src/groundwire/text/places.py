"""Nested places: Berlin lies in Germany, and Germany in Europe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from groundwire.text.relations import Comparison, Relation
from groundwire.text.tables import read_table
from groundwire.text.wording import words_of

_GLOSS = " ("
_MINOR = " (minor)"
_LONGEST_NAME = 6
_MOST_PARTS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A place by name, what the value says it lies in, and every place that contains it."""

    name: str
    stated: frozenset[str]
    above: frozenset[str]

    @property
    def key(self) -> str:
        return ", ".join((self.name, *sorted(self.stated)))


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """`nodes` are the places that a name can mean; `parents` what a place lies in."""

    nodes: dict[str, tuple[str, ...]]
    parents: dict[str, tuple[str, ...]]
    regions: frozenset[str]
    abbreviations: dict[str, str]
    parts: frozenset[str]


def _plain(node: str) -> str:
    return node.partition(_GLOSS)[0]


@cache
def gazetteer() -> Gazetteer:
    """The table; names pass through the same door as the values that they meet."""

    def canonical(name: str) -> str:
        label, bracket, gloss = name.partition(_GLOSS)
        return " ".join(words_of(label)) + bracket + gloss

    raw = read_table("places")
    within: dict[str, list[str]] = raw["within"]
    abbreviations: dict[str, str] = raw["abbreviations"]
    parents: dict[str, list[str]] = {}
    for parent, children in within.items():
        parents.setdefault(canonical(parent), [])
        for child in children:
            parents.setdefault(canonical(child), []).append(canonical(parent))
    nodes: dict[str, list[str]] = {}
    for node in parents:
        nodes.setdefault(_plain(node), []).append(node)
    return Gazetteer(
        nodes={name: tuple(found) for name, found in nodes.items()},
        parents={node: tuple(found) for node, found in parents.items()},
        regions=frozenset(_plain(canonical(parent)) for parent in within),
        abbreviations={short: canonical(name) for short, name in abbreviations.items()},
        parts=frozenset(raw["parts"]),
    )


@cache
def _above(node: str) -> frozenset[str]:
    """The names of everything that contains `node`."""
    parents, found, waiting = gazetteer().parents, set[str](), [node]
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(_plain(parent) for parent in found)


def read_place(parts: tuple[tuple[str, ...], ...]) -> Place | None:
    """The place that comma-separated `parts` name, from the inner to the outer: ("munich",), ("germany",)."""
    if not parts or len(parts) > _MOST_PARTS or len(parts[0]) > _LONGEST_NAME:
        return None
    if len(parts) == 1:
        parts = _split_tail(parts[0])
    table = gazetteer()
    outer = tuple(table.abbreviations.get(name, name) for name in map(" ".join, parts[1:]))
    if any(name not in table.regions and name not in table.nodes for name in outer):
        return None
    if any(name not in table.regions for name in outer[-1:]):
        return None
    stated = frozenset(outer)
    return _locate_part(parts[0], stated) or _locate(" ".join(parts[0]), stated)


def is_place(words: tuple[str, ...]) -> bool:
    """Whether the gazetteer has a place of that name."""
    return " ".join(words) in gazetteer().nodes


def expand_region(abbreviation: str) -> tuple[str, ...] | None:
    """The words of the region that a postal abbreviation such as "tx" stands for."""
    name = gazetteer().abbreviations.get(abbreviation)
    return None if name is None else tuple(name.split())


def _split_tail(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """ "austin tx" and "berlin germany" are written without their comma."""
    table = gazetteer()
    if " ".join(words) in table.nodes:
        return (words,)
    for cut in range(len(words) - 1, 0, -1):
        inner, outer = " ".join(words[:cut]), " ".join(words[cut:])
        if inner in table.nodes and (outer in table.regions or outer in table.abbreviations):
            return words[:cut], words[cut:]
    return (words,)


def _locate(name: str, stated: frozenset[str]) -> Place | None:
    table = gazetteer()
    nodes = table.nodes.get(name, ())
    if not stated:
        major = [node for node in nodes if not node.endswith(_MINOR)] or list(nodes)
        return Place(name, stated, frozenset({f"{name} area"}).union(*map(_above, major))) if major else None
    fitting = [node for node in nodes if stated <= _above(node)]
    if not fitting:
        fitting = [node for node in nodes if stated & _above(node)]
    if not fitting and name in table.regions:
        return None  # "France, Germany" is a list
    above = {f"{name} area", *stated}.union(*map(_above, fitting))
    for outer in stated:
        major = [node for node in table.nodes.get(outer, ()) if not node.endswith(_MINOR)]
        if not fitting:
            above.update(*map(_above, major))
    return Place(name, stated, frozenset(above))


def _locate_part(words: tuple[str, ...], stated: frozenset[str]) -> Place | None:
    """Downtown Berlin lies in Berlin, and Berlin in the Berlin area."""
    if len(words) < 2 or " ".join(words) in gazetteer().nodes:
        return None
    if words[-1] == "area" or words[0] == "greater":
        town = " ".join(words[1:] if words[0] == "greater" else words[:-1])
        whole = _locate(town, stated) if town in gazetteer().nodes else None
        return None if whole is None else Place(f"{town} area", stated, whole.above - {f"{town} area"})
    town = " ".join(words[1:])
    if words[0] not in gazetteer().parts or town not in gazetteer().nodes:
        return None
    whole = _locate(town, stated)
    return None if whole is None else Place(" ".join(words), stated, whole.above | {town})


def compare_places(left: Place, right: Place) -> Comparison:
    """How two places relate: the one that lies in the other refines it."""
    if left.name == right.name:
        return _compare_namesakes(left, right)
    if right.name in left.above and right.stated <= left.above:
        return Comparison(Relation.REFINES, f"{left.name} is in {right.name}")
    if left.name in right.above and left.stated <= right.above:
        return Comparison(Relation.GENERALISES, f"{right.name} is in {left.name}")
    return Comparison(Relation.DIFFERENT, f"different places: {left.name} and {right.name}")


def _compare_namesakes(left: Place, right: Place) -> Comparison:
    if left.stated == right.stated:
        return Comparison(Relation.EQUAL, "same place")
    left_says, right_says = left.stated <= right.above, right.stated <= left.above
    if not left_says and not right_says:
        return Comparison(Relation.DIFFERENT, f"two places called {left.name}")
    if left.stated and right.stated and left_says and right_says:
        return Comparison(Relation.EQUAL, "same place")
    relation = Relation.REFINES if left.stated and right_says else Relation.GENERALISES
    return Comparison(relation, f"one side says where {left.name} is")
