"""The slot catalogue, compiled: which frame of words says which slot."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from groundwire.errors import DataFileError
from groundwire.text import lexicon
from groundwire.text.membership import SHAPES, class_words, classes_of, is_class_member
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.tables import read_table

__all__ = ["Catalogue", "Frame", "Phase", "Place", "Slot", "fits_value", "is_class_member", "load_catalogue"]


class Phase(StrEnum):
    """Whether a frame says that a value holds, came about, or ended."""

    STATE = "states"
    EVENT = "events"
    ENDING = "endings"


class Place(StrEnum):
    """Where in the sentence the value stands."""

    OBJECT = "object"
    MODIFIER = "modifier"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to say a slot: `source` is the line of the catalogue that it came from."""

    slot: str
    source: str
    verb: str
    phase: Phase
    place: Place
    passive: bool = False
    heads: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    value_class: str = ""
    order: int = 0


@dataclass(frozen=True, slots=True)
class VerbFrames:
    """The frames of one verb in one voice, by what they need: only those that can fit are tried."""

    always: tuple[Frame, ...]
    by_preposition: dict[str, tuple[Frame, ...]]
    by_head: dict[str, tuple[Frame, ...]]
    by_class: dict[str, tuple[Frame, ...]]

    def list_all(self) -> list[Frame]:
        """Every frame, in the order of the catalogue."""
        tables = (self.by_preposition, self.by_head, self.by_class)
        found = [*self.always, *(frame for table in tables for frames in table.values() for frame in frames)]
        return sorted({frame.order: frame for frame in found}.values(), key=lambda frame: frame.order)

    def matching(self, prepositions: Iterable[str], complement: Phrase | None) -> Iterable[Frame]:
        """Frames for what the statement has, in the order of the catalogue."""
        found = [frame for p in prepositions if p in self.by_preposition for frame in self.by_preposition[p]]
        if complement is not None:
            if self.by_head:
                head = complement.head_token
                found += self.by_head.get(head.low, ())
                found += self.by_head.get(head.lemma, ())
            if self.by_class:
                for name in classes_of(complement):
                    found += self.by_class.get(name, ())
        if not found:
            return self.always
        each = {frame.order: frame for frame in (*self.always, *found)}
        return [each[order] for order in sorted(each)]


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    exclusive: bool
    value: str = "any"
    nouns: tuple[str, ...] = ()
    apart: tuple[frozenset[str], ...] = ()
    """Nouns that name different things of one slot, each with its synonyms."""

    def side_of(self, noun: str) -> str:
        """Which of its things a noun names; empty where it may be any: a dentist is no accountant."""
        return next((min(nouns) for nouns in self.apart if noun in nouns), "")


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Compared by identity: one is made for each classification of slots, and readings are cached by it."""

    slots: dict[str, Slot]
    frames: dict[tuple[str, bool], VerbFrames]
    nouns: dict[str, str]

    def is_kind_word(self, slot: str, value: str) -> bool:
        """ "a motorbike" as somebody's vehicle says which kind, not which one."""
        return self.nouns.get(value) == slot or (
            slot in _KIND_CLASSES and value in class_words(_KIND_CLASSES[slot]) and value in self.nouns
        )

    def is_exclusive(self, slot: str) -> bool:
        """Favourites are exclusive, catalogue slots say so themselves; unknown slots are additive."""
        if slot.startswith("favorite_"):
            return slot not in self.slots or self.slots[slot].exclusive
        return slot in self.slots and self.slots[slot].exclusive


_KIND_CLASSES = {"vehicle": "vehicle", "pet": "pet"}


def load_catalogue(exclusive: tuple[str, ...] = (), additive: tuple[str, ...] = ()) -> Catalogue:
    """The packaged catalogue, with the deployment's own classification of slots on top."""
    return _load(exclusive, additive)


@cache
def _load(exclusive: tuple[str, ...], additive: tuple[str, ...]) -> Catalogue:
    slots: dict[str, Slot] = {}
    frames: dict[tuple[str, bool], list[Frame]] = {}
    count = 0
    nouns: dict[str, str] = {}
    for name, entry in read_table("slots").items():
        is_exclusive = name in exclusive or (entry["kind"] == "exclusive" and name not in additive)
        apart = tuple(map(frozenset[str], entry.get("apart", ())))
        slots[name] = Slot(name, is_exclusive, entry.get("value", "any"), tuple(entry.get("nouns", ())), apart)
        for noun in entry.get("nouns", ()):
            nouns.setdefault(noun, name)
        for phase in Phase:
            for source in entry.get(phase.value, ()):
                for frame in _compile(name, source, phase):
                    count += 1
                    frames.setdefault((frame.verb, frame.passive), []).append(replace(frame, order=count))
    for name in (*exclusive, *additive):
        slots.setdefault(name, Slot(name, name in exclusive))
    return Catalogue(slots, {verb: _index(found) for verb, found in frames.items()}, nouns)


def _index(frames: list[Frame]) -> VerbFrames:
    always: list[Frame] = []
    by_preposition: dict[str, list[Frame]] = {}
    by_head: dict[str, list[Frame]] = {}
    by_class: dict[str, list[Frame]] = {}
    for frame in frames:
        for word in frame.heads:
            by_head.setdefault(word, []).append(frame)
        if frame.heads:
            continue
        if frame.place is Place.MODIFIER:
            for preposition in frame.prepositions:
                by_preposition.setdefault(preposition, []).append(frame)
        elif frame.place is Place.OBJECT and frame.value_class and frame.value_class not in SHAPES:
            by_class.setdefault(frame.value_class, []).append(frame)
        else:
            always.append(frame)
    return VerbFrames(tuple(always), _freeze(by_preposition), _freeze(by_head), _freeze(by_class))


def _freeze(frames: dict[str, list[Frame]]) -> dict[str, tuple[Frame, ...]]:
    return {key: tuple(found) for key, found in frames.items()}


_VALUE = re.compile(r"VALUE(?:<([a-z]+)>)?")


def _compile(slot: str, source: str, phase: Phase) -> Iterable[Frame]:
    words = source.split(" ")
    value = next((w for w in words if w.startswith("VALUE")), None)
    found = _VALUE.fullmatch(value) if value else None
    if value is None or found is None:
        raise DataFileError(f"slots.toml: the frame {source!r} of {slot!r} has no VALUE")
    value_class = found.group(1) or ""
    if words[0] == value:
        yield Frame(slot, source, words[1], phase, Place.SUBJECT, value_class=value_class)
        return
    heads: set[str] = set()
    prepositions: list[list[str]] = []
    passive = False
    first, middle = words[0], words[1 : words.index(value)]
    for k, word in enumerate(middle):
        if word.startswith("<"):
            for head in word.strip("<>").split("|"):
                heads.update(class_words(head[1:]) if head.startswith("@") else [head])
        elif k == 0 and first == "be" and _is_participle(word.split("|")[0]):
            passive, first = True, "|".join(lexicon.verb_lemma(w) or w for w in word.split("|"))
        else:
            prepositions.append(word.split("|"))
    joined = frozenset(_join(prepositions))
    place = Place.MODIFIER if joined else Place.OBJECT
    for verb in first.split("|"):
        yield Frame(slot, source, verb, phase, place, passive, frozenset(heads), joined, value_class)


def _is_participle(word: str) -> bool:
    return (
        lexicon.verb_lemma(word) is not None and word.endswith(("ed", "n", "t", "d")) and word not in ("in", "on", "at")
    )


def _join(parts: list[list[str]]) -> list[str]:
    if not parts:
        return []
    joined = parts[0]
    for part in parts[1:]:
        joined = [f"{left} {right}" for left in joined for right in part]
    return joined


def fits_value(phrase: Phrase, frame: Frame, slot: Slot) -> bool:
    """May this phrase be the frame's value?"""
    if frame.value_class:
        return is_class_member(phrase, frame.value_class)
    letters = phrase.letters
    if letters == "p":
        return False
    match slot.value:
        case "name":
            return "P" in letters or "@" in letters
        case "person":
            return "P" in letters and not is_time(phrase)
        case "place":
            return "P" in letters and not is_time(phrase)
        case "number":
            return "#" in letters or "@" in letters
        case _:
            return not (is_time(phrase) and frame.place is Place.OBJECT and slot.name not in ("birthday", "deadline"))
