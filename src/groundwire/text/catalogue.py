"""The slot catalogue, compiled: which frame of words says which slot."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from groundwire.errors import DataFileError
from groundwire.text import lexicon
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.places import is_place
from groundwire.text.tables import read_table


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
    """The frames of one verb in one voice, by where their value stands: only those that can fit are tried."""

    whole: tuple[Frame, ...]
    by_preposition: dict[str, tuple[Frame, ...]]

    def matching(self, prepositions: Iterable[str]) -> Iterable[Frame]:
        """Frames for what the statement has, in the order of the catalogue."""
        found = {frame.order: frame for p in prepositions for frame in self.by_preposition.get(p, ())}
        if not found:
            return self.whole
        return sorted((*self.whole, *found.values()), key=lambda frame: frame.order)


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    exclusive: bool
    value: str = "any"
    nouns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Compared by identity: one is made for each classification of slots, and readings are cached by it."""

    slots: dict[str, Slot]
    frames: dict[tuple[str, bool], VerbFrames]
    nouns: dict[str, str]

    def is_kind_word(self, slot: str, value: str) -> bool:
        """ "a motorbike" as somebody's vehicle says which kind, not which one."""
        return self.nouns.get(value) == slot or (
            slot in _KIND_CLASSES and value in _class_words(_KIND_CLASSES[slot]) and value in self.nouns
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
        slots[name] = Slot(name, is_exclusive, entry.get("value", "any"), tuple(entry.get("nouns", ())))
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
    """Frames with "of" may find their value inside the object, so they are always tried."""
    whole = tuple(f for f in frames if f.place is not Place.MODIFIER or (f.heads and "of" in f.prepositions))
    by_preposition: dict[str, list[Frame]] = {}
    for frame in frames:
        if frame.place is Place.MODIFIER and frame not in whole:
            for preposition in frame.prepositions:
                by_preposition.setdefault(preposition, []).append(frame)
    return VerbFrames(whole, {p: tuple(found) for p, found in by_preposition.items()})


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
                heads.update(_class_words(head[1:]) if head.startswith("@") else [head])
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


@cache
def _class_words(name: str) -> frozenset[str]:
    return frozenset(read_table("classes").get(name, ()))


_CARRIED = {
    "demonym": frozenset({"citizen", "national", "man", "woman", "person"}),
    "employee": frozenset({"employee", "staffer", "worker"}),
    "post": frozenset({"role", "job", "position", "post"}),
}
_DATE_WORDS = frozenset(
    {
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    }
)
_UNITS_OF_LENGTH = frozenset(
    {
        "cm",
        "m",
        "metre",
        "meter",
        "metres",
        "meters",
        "foot",
        "feet",
        "inch",
        "inches",
        "ft",
        "tall",
        "centimeter",
        "centimetre",
    }
)


@cache
def _word_classes() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, words in read_table("classes").items():
        for word in words:
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def _classes_of(word: str) -> frozenset[str]:
    return _word_classes().get(word, frozenset())


def is_class_member(phrase: Phrase, name: str) -> bool:
    """Does the head of the phrase belong to a word class of classes.toml, or have its shape?"""
    words = [t for t in phrase.words() if t.tag not in "DS"]
    if not words:
        return False
    shape = _SHAPES.get(name)
    if shape is not None:
        return shape(phrase)
    head = phrase.head_token
    if name in _classes_of(head.low) or name in _classes_of(head.lemma):
        return True
    members = _class_words(name)
    if len(words) > 1 and members:
        joined = " ".join(w.low for w in words)
        tail = " ".join(w.low for w in words[-2:])
        if joined in members or tail in members:
            return True
        if name in ("vehicle", "school", "degree", "database", "technology", "framework", "disease") and any(
            w.low in members for w in words
        ):
            return True
    carried = _CARRIED.get(name)
    if carried is not None and words[-1].lemma in carried and len(words) > 1:
        return any(w.low in members for w in words) if members else words[0].tag in ("P", "N", "J", "G")
    if name == "drug":
        return head.low.endswith(tuple(read_table("classes")["drug_endings"])) or any(w.low == "mg" for w in words)
    if name == "profession":
        return head.low.endswith(tuple(read_table("classes")["profession_endings"]))
    if name == "activity":
        return words[0].tag == "G"
    return False


def _is_number(phrase: Phrase) -> bool:
    return "#" in phrase.letters


def _is_age(phrase: Phrase) -> bool:
    words = [t for t in phrase.words() if t.tag != "D"]
    if not words or words[0].tag != "#" or not _is_small(words[0].low):
        return False
    return len(words) == 1 or (words[1].lemma == "year" and len(words) <= 3)


def _is_small(text: str) -> bool:
    return not text.isdigit() or int(text) < 130


def _is_place(phrase: Phrase) -> bool:
    return phrase.head_token.tag == "P" and not is_time(phrase)


def _is_town(phrase: Phrase) -> bool:
    return is_place(tuple(t.low for t in phrase.words() if t.tag == "P"))


def _is_firm(phrase: Phrase) -> bool:
    return (
        phrase.letters.strip("DPN") == ""
        and phrase.head_token.tag == "P"
        and not is_time(phrase)
        and not _is_town(phrase)
    )


def _is_date(phrase: Phrase) -> bool:
    return is_time(phrase) or any(t.low in _DATE_WORDS for t in phrase.words())


def _is_money(phrase: Phrase) -> bool:
    return (
        any(
            t.text[0] in "$€£¥" or t.lemma in ("dollar", "euro", "pound", "franc", "yen", "usd", "eur", "gbp", "k")
            for t in phrase.words()
        )
        and "#" in phrase.letters
    )


def _is_given_name(phrase: Phrase) -> bool:
    words = phrase.words()
    if not words or not all(t.tag == "P" for t in words) or len(words) > 4:
        return False
    last = words[-1].low
    return not any(
        last in _class_words(c)
        for c in ("demonym", "religion", "language", "marital", "diet", "afflicted", "profession")
    )


def _is_version(phrase: Phrase) -> bool:
    return any(
        t.low == "version"
        or (t.text[:1] in "vV" and t.text[1:2].isdigit())
        or (t.tag == "#" and t.text.count(".") >= 1)
        for t in phrase.words()
    )


def _is_street(phrase: Phrase) -> bool:
    words = phrase.words()
    return words[0].tag == "#" and words[-1].tag == "P" and not is_time(phrase)


def _is_length(phrase: Phrase) -> bool:
    words = phrase.words()
    return words[0].tag == "#" and any(t.low in _UNITS_OF_LENGTH for t in words)


_SHAPES = {
    "number": _is_number, "age": _is_age, "place": _is_place, "date": _is_date, "money": _is_money,
    "given": _is_given_name, "town": _is_town, "firm": _is_firm, "version": _is_version,
    "length": _is_length, "street": _is_street,
}  # fmt: skip


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
