"""What is stored of an entity, laid out so that a value of the answer finds the attribute it speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from groundwire.detect.records.values import Value, find_values, read_shape
from groundwire.evidence.knowledge import Knowledge, KnownEntity
from groundwire.evidence.lookups import AttributeValue, Entity
from groundwire.evidence.meanings import attribute_words, load_meanings, meanings_of
from groundwire.evidence.measures import read_measure
from groundwire.evidence.names import name_words
from groundwire.evidence.sentences import is_sentence
from groundwire.judge.slots import relate_values
from groundwire.text.calendar import read_moment
from groundwire.text.derivation import is_derived
from groundwire.text.lexicon import noun_lemma
from groundwire.text.quantities import read_quantity
from groundwire.text.thesaurus import load_clusters, same_meaning
from groundwire.text.values import Relation, compare
from groundwire.text.wording import fold_case

_EMPTY = frozenset("the a an of in on at to by for is be s from and as has with since until per number type no".split())  # noqa: SIM905
_AGREE = frozenset({Relation.EQUAL, Relation.GENERALISES, Relation.REFINES, Relation.OVERLAPS})
YES, NO = frozenset({"yes", "true", "required", "included", "available"}), frozenset({"no", "false", "none"})
_SIGNED = re.compile(r"[+−-](?=\d)")
_BINARY = 1.1
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
""" "1,980" is one figure, of which 980 is no part."""
_STEM = 4
"""Letters that words built on one stem have in common at least."""
_RANGE = re.compile(r"\s*(?:–|—|-|\bto\b|\buntil\b)\s*")


@dataclass(frozen=True, slots=True)
class Facet:
    """One attribute of an entity with all its stored values."""

    entity: Entity
    attribute: str
    values: tuple[AttributeValue, ...]
    shown: tuple[str, ...]
    """The values with the unit that the attribute's name gives them."""
    kind: str
    dimension: str
    words: frozenset[str]
    nouns: frozenset[str]
    """What a stored amount counts: "9 minibuses"."""
    meanings: tuple[str, ...]
    is_additive: bool
    is_relation: bool = False
    """How the entity stands to another one: a fact about both, told by `ties`."""

    @property
    def best(self) -> AttributeValue:
        return self.values[0]

    @property
    def is_switch(self) -> bool:
        """A yes or a no."""
        return all(value.value.casefold() in YES | NO for value in self.values)

    @property
    def is_lasting(self) -> bool:
        table = load_meanings().by_id
        return self.kind == "date" or any(table[m].lasting for m in self.meanings)


def list_facets(entity: Entity) -> tuple[Facet, ...]:
    """One for each attribute; what is a whole sentence is a statement, and no value."""
    made = (_make(entity, name) for name in entity.attribute_names)
    return tuple(facet for facet in made if not all(is_sentence(facet.attribute, v.value) for v in facet.values))


def _make(entity: Entity, name: str) -> Facet:
    values = entity.get_attribute(name)
    plain = read_measure(name, values[0].value)[0] if values else name
    words = attribute_words(plain)
    shown = tuple(_with_unit(name, value.value) for value in values)
    kind, dimension = read_shape(shown[0]) if shown else ("", "")
    inner = find_values(shown[0])[:1] if shown else []
    if not kind and inner and inner[0].span.start == 0:
        kind, dimension = inner[0].kind, inner[0].dimension
    nouns = frozenset(word for value in inner for word in value.nouns)
    table = load_meanings().by_id
    additive = (
        entity.is_additive(name)
        if isinstance(entity, KnownEntity)
        else any(table[m].additive for m in meanings_of(name))
    )
    content = frozenset(w for w in words if w not in _EMPTY)
    meant = meanings_of(plain)
    if dimension == "duration" and ("time" in meant or (not meant and plain != name)):
        meant = ("duration",)  # "playing_time: 45 min" is no hour, and "drying_hours: 6" a time that it takes
    related = isinstance(entity, KnownEntity) and any(link.kind == name for link in entity.relations)
    return Facet(entity, name, values, shown, kind, dimension, content, nouns, meant, additive, related)


def _with_unit(name: str, value: str) -> str:
    """ "retention_days: 90" is 90 days, "max_depth_m: 83" is 83 metres; what the unit stands before is read as well."""
    measured = read_measure(name, value)[1]
    if measured != value or not value.replace(",", "").replace(".", "").isdigit():
        return measured
    if len(value) == 4 and value[:2] in ("17", "18", "19", "20"):
        return value
    for word in attribute_words(name):
        read = read_quantity(f"{value} {word}s") if len(word) > 2 else None
        if read is not None and not read[1] and read[0].unit.dimension != "count":
            return f"{value} {word}s"
    return value


# ── relevance ───────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=65536)
def speaks_of(word: str, other: str) -> bool:
    """The same word, a word of the same meaning, or one derived from the other."""
    return word == other or same_meaning(word, other) or is_derived(word, other)


class Wordlist:
    """Words that are said, asked for one that speaks of another without walking through them all."""

    __slots__ = ("_beginnings", "_concepts", "_words")

    def __init__(self, words: frozenset[str]) -> None:
        meant = load_clusters()
        self._words = words
        self._concepts = {one for word in words for one in meant.concepts_of(word)}
        self._beginnings = {word[:_STEM] for word in words}

    def has(self, word: str) -> bool:
        return word in self._words

    def means(self, word: str) -> bool:
        """Whether one of them has the meaning of the word."""
        return word in self._words or not self._concepts.isdisjoint(load_clusters().concepts_of(word))

    def speaks_of(self, word: str) -> bool:
        if self.means(word):
            return True
        return word[:_STEM] in self._beginnings and any(is_derived(word, other) for other in self._words)


@lru_cache(maxsize=4096)
def list_words(words: frozenset[str]) -> Wordlist:
    return Wordlist(words)


def share_of_words(facet: Facet, said: frozenset[str]) -> float:
    """How much of an attribute's name is said; a farm is no farmer where words are compared."""
    if not facet.words:
        return 0.0
    known = list_words(said)
    is_said = known.speaks_of if facet.kind else known.means
    return sum(is_said(word) for word in facet.words) / len(facet.words)


def can_hold(facet: Facet, value: Value) -> bool:
    """Whether the value is of the kind that the attribute has."""
    if value.kind == "amount":
        return _can_measure(facet, value)
    if value.kind == "address":
        return facet.kind == "address" and value.dimension == facet.dimension
    if value.kind in ("date", "clock"):
        if facet.kind in (value.kind, "when"):
            return True
        return any(part.kind == value.kind for part in find_values(facet.shown[0]))
    return False


def _can_measure(facet: Facet, value: Value) -> bool:
    if facet.kind != "amount":
        return not facet.kind and value.dimension == "count" and any(map(str.isdigit, facet.shown[0]))
    if value.dimension == facet.dimension:
        return True
    money = value.dimension.startswith("currency"), facet.dimension.startswith("currency")
    if all(money):
        return True
    dimensions = {value.dimension, facet.dimension}
    if any(money):
        table = load_meanings().by_id
        priced = any(table[m].kind == "money" for m in facet.meanings)
        return (priced and "count" in dimensions) or (
            "mass" in dimensions and "pound" in value.text + facet.shown[0] + "£"
        )
    return False


# ── agreement ───────────────────────────────────────────────────────────────────────────────────


def holds(facet: Facet, text: str, now: datetime) -> bool:
    """Whether a value of the answer agrees with a stored one, exactly, in other words, in less or in more detail."""
    return any(_agrees(text, shown, now) for shown in facet.shown)


def says_same(facet: Facet, text: str, now: datetime) -> bool:
    """The same without more detail: "1 May" is not told by a year."""
    told = (Relation.EQUAL, Relation.GENERALISES)
    parts = [part for shown in facet.shown for part in _parts(shown)]
    return holds(facet, text, now) and any(compare(text, part, now=now).relation in told for part in parts)


def _parts(shown: str) -> list[str]:
    return [shown, *(part.text for part in find_values(shown))]


@lru_cache(maxsize=16384)
def _agrees(text: str, shown: str, now: datetime) -> bool:
    if (is_weekday(text) and not _has_weekday(shown)) or (is_weekday(shown) and not _has_weekday(text)):
        return False
    if compare(text, shown, now=now).relation in _AGREE or relate_values(text, shown) in _AGREE:
        return True
    if _SIGNED.match(shown):  # "gained 15 percent": the verb says which way
        return _agrees(text, shown[1:], now)
    if _is_same_size(text, shown):
        return True
    parts = _with_last_unit([part for part in _RANGE.split(shown) if part])
    if 1 < len(parts) < 4 and all(read_shape(part)[0] for part in parts):
        return any(compare(text, part, now=now).relation in _AGREE for part in parts)
    inner, said = find_values(shown), find_values(text)
    if len(said) > 1 and len(inner) > 1 and all(part.text != text for part in said):
        return all(_agrees(part.text, shown, now) for part in said)
    kind = read_shape(text)[0]
    return any(part.kind == kind and compare(text, part.text, now=now).relation in _AGREE for part in inner if kind)


def _with_last_unit(parts: list[str]) -> list[str]:
    """ "2-3 days" is from two days to three."""
    unit = parts[-1].strip().partition(" ")[2] if len(parts) > 1 else ""
    return [f"{part} {unit}" if unit.isalpha() and part.strip().isdigit() else part for part in parts]


def _is_same_size(text: str, shown: str) -> bool:
    """ "0.25 TB" is 256 GB: some count by thousands, some by 1024."""
    mine, theirs = read_quantity(fold_case(text)), read_quantity(fold_case(shown))
    if mine is None or theirs is None or not mine[0].unit.dimension == theirs[0].unit.dimension == "data":
        return False
    if mine[0].unit.name == theirs[0].unit.name:
        return False
    low, high = sorted((mine[0].number * mine[0].unit.factor, theirs[0].number * theirs[0].unit.factor))
    return low > 0 and high / low < _BINARY


def is_weekday(text: str) -> bool:
    moment = read_moment(fold_case(text))
    if moment is None or moment.minutes:
        return False
    return moment.weekday is not None and not moment.days and moment.day is None


def _has_weekday(shown: str) -> bool:
    """Whether a stored date is one day of a week: a year is not."""
    moment = read_moment(fold_case(shown))
    if moment is None:
        return True
    if moment.days:
        return all(first == last for first, last in moment.days)
    return moment.weekday is not None


def same_words(text: str, shown: str) -> bool:
    """Whether two phrases have their telling words in common, whatever their form."""
    mine, theirs = _content(text), _content(shown)
    if not mine or not theirs:
        return False
    if _are_initials(text, shown) or _are_initials(shown, text):
        return True
    small, large = sorted((mine, theirs), key=len)
    return all(any(_is_same_word(word, other) for other in large) for word in small)


def _is_same_word(word: str, other: str) -> bool:
    """ "keeper" and "goalkeeper": a compound is what its last part is."""
    is_head = min(len(word), len(other)) > _STEM and (word.endswith(other) or other.endswith(word))
    return speaks_of(word, other) or word[:5] == other[:5] or is_head


def _are_initials(short: str, whole: str) -> bool:
    """ "the ERC" is the European Research Council."""
    letters = short.removeprefix("the ").replace(".", "")
    if not letters.isupper() or not 2 <= len(letters) <= 6:
        return False
    words = re.findall(r"[^\W\d_]+", whole)
    capitals = "".join(w[0] for w in words if w[0].isupper())
    return letters in (capitals, "".join(w[0].upper() for w in words))


def _content(text: str) -> frozenset[str]:
    words = (noun_lemma(w) for w in re.findall(r"[^\W_]+", text.casefold()))
    return frozenset(w for w in words if w not in _EMPTY)


def repeats(facet: Facet, text: str) -> bool:
    """Whether a text says a stored value word by word: then it is told, wherever in the sentence it stands."""
    said = f" {' '.join(name_words(_GROUPED.sub('', text)))} "
    return any(len(shown) > 2 and f" {' '.join(name_words(_GROUPED.sub('', shown)))} " in said for shown in facet.shown)


def means_same_entity(text: str, shown: str, knowledge: object) -> bool:
    if not isinstance(knowledge, Knowledge):
        return False
    one, two = knowledge.find_entity(text), knowledge.find_entity(shown)
    return one is not None and one is two
