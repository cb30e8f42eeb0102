"""The knowledge base: who and what is known, with every stored value, its source, its trust and its time.

Everything is indexed once, when it is made; asking costs a look-up, whatever the number of entities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from groundwire.evidence.lookups import AttributeValue
from groundwire.evidence.meanings import are_similar, attribute_key, load_meanings, meaning_of, meanings_of
from groundwire.evidence.names import NameIndex, name_key, name_words
from groundwire.evidence.phrasing import tell
from groundwire.evidence.sentences import is_sentence, tell_sentence
from groundwire.types.memories import Memory

__all__ = ["Bearer", "Knowledge", "KnownEntity", "Link"]


@dataclass(frozen=True, slots=True)
class Link:
    """`kind` of relation to another entity, by its name."""

    kind: str
    target: str


@dataclass(frozen=True, slots=True, eq=False)
class KnownEntity:
    """Somebody or something that is known. Attributes keep the names they were given, in the order they came."""

    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, tuple[AttributeValue, ...]] = field(default_factory=dict[str, tuple[AttributeValue, ...]])
    relations: tuple[Link, ...] = ()
    listed: frozenset[str] = frozenset()
    """Attributes that were given as a list, so that further values are no surprise."""
    _by_key: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False)
    _by_meaning: dict[str, list[str]] = field(default_factory=dict[str, list[str]], init=False, repr=False)

    def __post_init__(self) -> None:
        for name in self.attributes:
            self._by_key.setdefault(attribute_key(name), name)
            for meaning in meanings_of(name):
                self._by_meaning.setdefault(meaning, []).append(name)

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return tuple(self.attributes)

    @property
    def attribute_count(self) -> int:
        return len(self.attributes)

    def has_attribute(self, name: str) -> bool:
        return bool(self.stored_names(name))

    def get_attribute(self, name: str) -> tuple[AttributeValue, ...]:
        return tuple(value for stored in self.stored_names(name) for value in self.attributes[stored])

    def stored_names(self, name: str) -> tuple[str, ...]:
        """The stored attributes that `name` is a name of: by its own words, else by what it means."""
        own = self._by_key.get(attribute_key(name))
        if own is not None:
            return (own,)
        found = (stored for meaning in meanings_of(name) for stored in self._by_meaning.get(meaning, ()))
        return tuple(dict.fromkeys(found))

    def names_meaning(self, meaning: str) -> tuple[str, ...]:
        """The stored attributes that mean this attribute of the table."""
        return tuple(self._by_meaning.get(meaning, ()))

    def similar_attributes(self, name: str) -> tuple[str, ...]:
        return tuple(stored for stored in self.attributes if are_similar(stored, name))

    def is_additive(self, name: str) -> bool:
        """Whether another value says nothing against the stored ones: a list is open, a single value is not."""
        if name in self.listed:
            meaning = meaning_of(name)
            return meaning.name not in load_meanings().by_id or meaning.additive or meaning.kind in ("any", "name")
        values = self.attributes.get(name, ())
        if not meaning_of(name).additive or any(value.value[:1].isdigit() for value in values):
            return False
        return name.casefold().endswith("s") or len(values) > 1


@dataclass(frozen=True, slots=True)
class Bearer:
    """An entity that has a value in an attribute."""

    entity: KnownEntity
    attribute: str


def _tell_sentences(entity: KnownEntity) -> Iterable[Memory]:
    return (
        Memory(f"{entity.name}/{name}/{k}", tell_sentence(entity.name, entity.type, value.value), value.trust,
               value.timestamp, value.source or None, subject=entity.name)
        for name, values in entity.attributes.items()
        for k, value in enumerate(values)
        if is_sentence(name, value.value)
    )  # fmt: skip


class Knowledge:
    """Entities and statements; answers every question of `KnowledgeBase`."""

    def __init__(
        self, entities: Iterable[KnownEntity] = (), statements: Sequence[Memory] = (), complete: Iterable[str] = ()
    ) -> None:
        self.entities = tuple(entities)
        self.given = tuple(statements)
        self.memo: dict[str, object] = {}
        """What readers have worked out of it; knowledge does not change, so neither does that."""
        self._complete = frozenset(kind.casefold() for kind in complete)
        self._names = NameIndex()
        self._by_type: dict[str, list[KnownEntity]] = defaultdict(list)
        for number, entity in enumerate(self.entities):
            for name in (entity.name, *entity.aliases):
                self._names.add(name, number)
            self._by_type[entity.type.casefold()].append(entity)

    @property
    def is_empty(self) -> bool:
        return not self.entities and not self.given

    @cached_property
    def told(self) -> tuple[Memory, ...]:
        """Statements as they were given, the attributes that are whole sentences among them, and no others."""
        sentences = (memory for entity in self.entities for memory in _tell_sentences(entity))
        return (*self.given, *sentences)

    @property
    def complete_types(self) -> frozenset[str]:
        return self._complete

    @property
    def statements(self) -> tuple[Memory, ...]:
        """What was told, then every attribute as a sentence."""
        return self._statements

    @cached_property
    def _statements(self) -> tuple[Memory, ...]:
        known = {memory.id for memory in self.told[len(self.given) :]}
        rest = (memory for entity in self.entities for memory in self.tell(entity))
        return (*self.told, *(memory for memory in rest if memory.id not in known))

    def tell(self, entity: KnownEntity) -> tuple[Memory, ...]:
        """What is stored of an entity, a sentence each."""
        return tuple(
            Memory(f"{entity.name}/{name}/{k}", tell(entity.name, entity.type, name, value.value), value.trust,
                   value.timestamp, value.source or None, subject=entity.name)
            for name, values in entity.attributes.items()
            for k, value in enumerate(values)
        )  # fmt: skip

    def entity_exists(self, name: str) -> bool:
        return self.find_entity(name) is not None

    def get_entity(self, name: str) -> KnownEntity | None:
        found = self._names.get(name)
        return self.entities[found[0]] if found else None

    def find_entity(self, name: str) -> KnownEntity | None:
        found = self._names.find(name)
        if len(found) == 1:
            return self.entities[found[0]]
        return self.get_entity(name) if found else None

    def find_all(self, name: str) -> tuple[KnownEntity, ...]:
        """Everybody whom the name may mean."""
        return tuple(self.entities[number] for number in self._names.find(name))

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[KnownEntity, float], ...]:
        return tuple((self.entities[number], score) for number, score in self._names.find_similar(name, least))

    def sharing_words(self, name: str) -> tuple[KnownEntity, ...]:
        """Entities with a word of the name in their own."""
        return tuple(self.entities[number] for number in self._names.sharing(name))

    def of_type(self, kind: str) -> tuple[KnownEntity, ...]:
        return tuple(self._by_type.get(kind.casefold(), ()))

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(kind for kind in self._by_type if kind)

    def may_begin_name(self, word: str) -> bool:
        """Whether a name of somebody known can begin with this word; False for most words of a text."""
        return self._names.may_begin(word)

    @property
    def longest_name(self) -> int:
        """In words, so that a reader knows how far to look."""
        return self._names.longest

    def mentions(self, name: str) -> bool:
        """Whether the words of a name stand together in a stored value, name or statement."""
        words = name_words(name)
        if not words:
            return False
        needle = f" {' '.join(words)} "
        return any(needle in text for text in self._texts_with(words))

    def _texts_with(self, words: tuple[str, ...]) -> Iterable[str]:
        held = [self._texts.get(word) for word in words]
        if any(not texts for texts in held):
            return ()
        return min((texts for texts in held if texts), key=len)

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        """Every word of what is stored, with the texts that have it."""
        found: dict[str, list[str]] = defaultdict(list)
        values = (v.value for e in self.entities for held in e.attributes.values() for v in held)
        names = (name for e in self.entities for name in (e.name, *e.aliases))
        for text in dict.fromkeys((*names, *values, *(memory.text for memory in self.told))):
            words = name_words(text) if len(text) <= 200 else tuple(text.casefold().split())
            padded = f" {' '.join(words)} "
            for word in set(words):
                found[word].append(padded)
        return found

    def bearers(self, value: str) -> tuple[Bearer, ...]:
        """Who has this value, and as what: "Ellen" is the manager of John."""
        return tuple(self._bearers.get(name_key(value), ()))

    @cached_property
    def _bearers(self) -> dict[str, list[Bearer]]:
        found: dict[str, list[Bearer]] = defaultdict(list)
        for entity in self.entities:
            for name, values in entity.attributes.items():
                for value in values:
                    found[name_key(value.value)].append(Bearer(entity, name))
        return found
