"""Whom a phrase of the answer means: a name, a part of it, a description, a pronoun, the "we" of a firm."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.evidence.mentions import classify_name, is_person_noun
from groundwire.evidence.names import name_words
from groundwire.text.lexicon import noun_lemma
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import is_kind_of, same_meaning

_WORD = re.compile(r"[^\W_]+(?:[-'’./&][^\W_]+)*")
_FIRST_PERSON = frozenset({"we", "our", "us", "ours"})
_PRONOUNS = frozenset("he him his she her hers it its they them their theirs this that these those".split())  # noqa: SIM905
_GENDERED = frozenset({"he", "him", "his", "she", "her", "hers"})
_ARTICLES = frozenset({"the", "a", "an", "our", "your", "my", "their", "his", "her", "its", "this", "that", "one"})
_LONGEST = 8
_LOOK_BACK = 12
_ARTICLE = 4
_LIVING = frozenset({"", "pet", "animal", "dog", "cat", "horse", "cow", "character", "player", "student", "patient"})
_KIND_NAMES = ("type", "species", "kind", "category", "genre", "form", "breed", "style")
ORGANISATIONS = frozenset({"organisation", "organization", "company", "business", "firm", "institution", "club"})
PERSONS = frozenset({"person", "people", "employee", "contact", "human", "customer", "user"})
_BODIES = PERSONS | ORGANISATIONS
_NO_NAMES = _ARTICLES | _PRONOUNS


@cache
def type_words() -> dict[str, frozenset[str]]:
    """Nouns that describe a thing of a type: "the firm" is an organisation."""
    return {kind: frozenset(words) for kind, words in read_table("types", "detect")["nouns"].items()}


_MODELS = frozenset({"product", "device", "model", "software", "vehicle", "app"})


class Acquaintance:
    """Resolves the mentions of one answer; what was named last is what a description or a pronoun means."""

    def __init__(self, examined: Examination) -> None:
        self._knowledge = examined.knowledge
        self._dialogue = examined.dialogue
        self._browsable = examined.knowledge if isinstance(examined.knowledge, Knowledge) else None
        self._related: dict[str, tuple[Entity, ...]] = {}
        self._meant: dict[str, Entity | None] = {}
        self._text = examined.text
        self._named = self._find_named(examined.text)
        self._starts = [start for start, _, _ in self._named]

    # ── the whole text ──────────────────────────────────────────────────────────────────────────

    def _find_named(self, text: str) -> list[tuple[int, int, Entity]]:
        """Every entity that the answer names, by position."""
        words = [(m.start(), m.end()) for m in _WORD.finditer(text)]
        found: list[tuple[int, int, Entity]] = []
        known = self._browsable
        longest = _LONGEST if known is None else min(_LONGEST, known.longest_name + 2)
        i = 0
        while i < len(words):
            step = 1
            if known is not None and not known.may_begin_name(text[words[i][0] : words[i][1]]):
                i += 1
                continue
            for size in range(min(longest, len(words) - i), 0, -1):
                start, end = words[i][0], words[i + size - 1][1]
                if end - start > 90 or "\n" in text[start:end]:
                    continue
                phrase = text[start:end]
                entity = (
                    self._knowledge.get_entity(phrase) if size > 1 or not phrase.islower() else self._common(phrase)
                )
                if entity is None and _may_be_name(phrase):
                    entity = self._knowledge.find_entity(phrase)
                if entity is not None:
                    found.append((start, end, entity))
                    step = size
                    break
            i += step
        return found

    def without_names(self, text: str) -> str:
        """What a text says besides the names in it."""
        for start, end, _ in reversed(self._find_named(text)):
            text = f"{text[:start]} {text[end:]}"
        return text

    def _common(self, word: str) -> Entity | None:
        """A thing whose very name is an ordinary noun."""
        return self._knowledge.get_entity(word) if len(word) > 3 else None

    def named_between(self, start: int, end: int) -> list[Entity]:
        return [entity for _, _, entity in self.spans_between(start, end)]

    def spans_between(self, start: int, end: int) -> list[tuple[int, int, Entity]]:
        first = max(0, bisect_left(self._starts, start) - 1)
        last = bisect_left(self._starts, end)
        return [found for found in self._named[first:last] if found[0] < end and start < found[1]]

    def opens_with(self, start: int, words: str) -> bool:
        """Whether a place of the text has these words, be it with an article before them."""
        return words.casefold() in self._text[start : start + len(words) + _ARTICLE].casefold()

    def known(self, name: str) -> Entity | None:
        return self._knowledge.get_entity(name)

    def written(self, entity: Entity) -> list[str]:
        """By which names the answer calls somebody, the longest first."""
        found = {self._text[start:end] for start, end, named in self._named if named is entity}
        return sorted(found, key=len, reverse=True)

    def named_before(self, at: int) -> Entity | None:
        """What the answer named last; before that, what the dialogue speaks of."""
        place = bisect_left(self._starts, at)
        return self._named[place - 1][2] if place else self._in_dialogue

    @cached_property
    def _in_dialogue(self) -> Entity | None:
        for turn in list(self._dialogue.turns)[-2:][::-1]:
            found = self._find_named(turn.text)
            if found:
                return found[-1][2]
        return None

    def related(self, entity: Entity) -> tuple[Entity, ...]:
        """Records that name the entity, and those that it names: a booking and its guest."""
        if self._browsable is None:
            return ()
        key = f"{id(entity)}"
        if key not in self._related:
            self._related[key] = tuple(self._find_related(self._browsable, entity))
        return self._related[key]

    @staticmethod
    def _find_related(knowledge: Knowledge, entity: Entity) -> list[Entity]:
        own = [f" {' '.join(name_words(name))} " for name in (entity.name, *entity.aliases)]
        found: list[Entity] = [b.entity for name in (entity.name, *entity.aliases) for b in knowledge.bearers(name)]
        values = (v.value for n in entity.attribute_names for v in entity.get_attribute(n))
        found += [other for value in values if (other := knowledge.get_entity(value)) is not None]
        for other in (o for name in (entity.name, *entity.aliases) for o in knowledge.sharing_words(name)):
            theirs = f" {' '.join(name_words(other.name))} "
            if any(name in theirs for name in own):
                found.append(other)
        return [other for other in dict.fromkeys(found) if other is not entity]

    # ── one phrase ──────────────────────────────────────────────────────────────────────────────

    def meant_by(self, phrase: str, at: int) -> Entity | None:
        """The entity that the phrase stands for; None where it is nobody known."""
        low = phrase.strip().casefold()
        if low in _FIRST_PERSON:
            return self.speaker()
        if low in _PRONOUNS:
            return self._resolve(low, at)
        if low == USER:
            return self._knowledge.get_entity(USER)
        key = phrase
        if key not in self._meant:
            self._meant[key] = self._find(phrase)
        return self._meant[key] or self._described(phrase, at)

    def _resolve(self, pronoun: str, at: int) -> Entity | None:
        place = bisect_left(self._starts, at)
        for k in range(place - 1, max(0, place - _LOOK_BACK) - 1, -1):
            entity = self._named[k][2]
            if agrees(pronoun, entity):
                return entity if not self._is_one_of_two(pronoun, k) else None
        resolved = self._dialogue.resolve(pronoun)
        found = self._knowledge.find_entity(resolved) if resolved else None
        if found is None:
            recent = self._in_dialogue
            found = recent if recent is not None and agrees(pronoun, recent) else None
        return found

    def _is_one_of_two(self, pronoun: str, k: int) -> bool:
        """ "Ann Ode and Bo Lim met; she sang": which of the two, where neither name tells."""
        if not k or pronoun not in _GENDERED:
            return False
        (_, end, other), (start, _, entity) = self._named[k - 1 : k + 1]
        is_joined = self._text[end:start].strip(" ,") in ("and", "&", "or", "nor", "with")
        return is_joined and other is not entity and agrees(pronoun, other) and not _is_told_by_name(entity)

    def _find(self, phrase: str) -> Entity | None:
        found = self._knowledge.find_entity(phrase)
        if found is not None:
            return found
        if (model := self._find_model(phrase)) is not None:
            return model
        resolved = self._dialogue.entity_registry.find(phrase)
        return self._knowledge.find_entity(resolved) if resolved else None

    def _find_model(self, phrase: str) -> Entity | None:
        """ "The Nimbus 3 printer" is the Nimbus 3; what is behind the name of a firm or a person is something else."""
        name, _, noun = phrase.rpartition(" ")
        if not noun.islower() or not noun.isalpha() or not any(c.isupper() for c in name):
            return None
        found = self._knowledge.find_entity(name)
        if found is None or found.type.casefold() in _BODIES:
            return None
        return found if found.type.casefold() in _MODELS or _is_noun_of(noun, found) else None

    def speaker(self) -> Entity | None:
        """Whose voice "we" is: the one organisation that is known, or the first of them."""
        if self._browsable is None:
            return None
        firms = [entity for kind in sorted(ORGANISATIONS) for entity in self._browsable.of_type(kind)]
        return firms[0] if firms else None

    def _described(self, phrase: str, at: int) -> Entity | None:
        """ "the institute", "the painting", "your order": by type, or by a word of the name."""
        written = _WORD.findall(phrase)
        words = [w.casefold() for w in written]
        if len(words) == 1 and noun_lemma(words[0]) != words[0]:
            return None  # "houses": all of them, or none in particular
        while words and words[0] in _ARTICLES:
            words = words[1:]
        if not words or len(words) > 4 or self._browsable is None:
            return None
        found = _descriptions(self._browsable).find(words)
        if len(found) > 1:
            place = bisect_left(self._starts, at)
            named = [e for _, _, e in self._named[max(0, place - _LOOK_BACK) : place] if e in found]
            found = named[-1:] or found
        own = [word.removesuffix("'s").removesuffix("’s") for word in written if word[0].isupper()]
        found = [entity for entity in found if all(_goes_by(word, entity) for word in own)]
        return found[0] if len(found) == 1 else None


def _goes_by(word: str, entity: Entity) -> bool:
    """ "The Cobbler's Row branch" is none that goes by another name, though it is a branch."""
    low = word.casefold()
    return low in _ARTICLES or any(low in name.casefold() for name in (entity.name, *entity.aliases, entity.type))


def agrees(pronoun: str, entity: Entity) -> bool:
    kind = entity.type.casefold()
    is_person = kind in PERSONS or (kind not in _LIVING and _is_of_person(kind))
    if pronoun in _GENDERED:
        others = {"he": "she", "him": "she", "his": "she"}.get(pronoun, "he")
        return (is_person or kind in _LIVING) and classify_name(name_words(entity.name))[1] != others
    if pronoun in ("it", "its", "this", "that"):
        return not is_person
    if pronoun in ("they", "them", "their", "theirs", "these", "those"):
        return not is_person  # one of whom may be meant, or others: who is not sure is not held to it
    return True


@lru_cache(maxsize=2048)
def _is_of_person(kind: str) -> bool:
    """ "painter", "head coach": a record of somebody, by what they do."""
    words = name_words(kind)
    return bool(words) and is_person_noun(words[-1])


def _is_noun_of(noun: str, entity: Entity) -> bool:
    """ "Cellmar tablets", "the Aurora e-bike": the noun says what kind of thing the record has it for."""
    stated = [v.value for name in _KIND_NAMES if name in entity.attribute_names for v in entity.get_attribute(name)]
    return noun_lemma(noun) in {noun_lemma(word) for text in (entity.type, *stated) for word in name_words(text)}


def _is_told_by_name(entity: Entity) -> bool:
    """Whether the name says if it is he or she."""
    return classify_name(name_words(entity.name))[1] in ("he", "she")


def _may_be_name(phrase: str) -> bool:
    words = phrase.split()
    return words[0][:1].isupper() and words[-1][:1].isupper() and words[0].casefold() not in _NO_NAMES


class _Descriptions:
    """Which entities a noun may describe: by the type, by a stated kind, or by the noun that a name ends in."""

    def __init__(self, entities: Sequence[Entity]) -> None:
        self._own: list[frozenset[str]] = []
        self._by_own: dict[str, list[int]] = defaultdict(list)
        self._by_kind: dict[str, list[int]] = defaultdict(list)
        self._by_stated: dict[str, list[int]] = defaultdict(list)
        self._entities = entities
        for number, entity in enumerate(entities):
            own = frozenset(noun_lemma(word) for word in name_words(entity.name))
            self._own.append(own)
            for word in own:
                self._by_own[word].append(number)
            self._by_kind[entity.type.casefold()].append(number)
            for name in _KIND_NAMES:
                if name in entity.attribute_names:
                    for value in entity.get_attribute(name):
                        self._by_stated[noun_lemma(value.value.casefold())].append(number)

    def find(self, words: Sequence[str]) -> list[Entity]:
        head = noun_lemma(words[-1])
        kinds = [kind for kind in self._by_kind if _is_of_kind(head, kind)]
        fitting = {*self._by_stated.get(head, ()), *self._by_own.get(head, ())}
        if len(words) == 1:
            fitting.update(number for kind in kinds for number in self._by_kind[kind])
        else:
            others = {noun_lemma(word) for word in words[:-1]}
            named = {number for word in others for number in self._by_own.get(word, ())}
            fitting = named & fitting.union(number for kind in kinds for number in self._by_kind[kind])
        return [self._entities[number] for number in sorted(fitting)]


def _descriptions(knowledge: Knowledge) -> _Descriptions:
    known = knowledge.memo.get("descriptions")
    if known is None:
        known = knowledge.memo["descriptions"] = _Descriptions(knowledge.entities)
    return cast("_Descriptions", known)


@lru_cache(maxsize=8192)
def _is_of_kind(head: str, kind: str) -> bool:
    """Whether a noun names a type: the same, a word for it, or a narrower one."""
    narrower = bool(kind) and kind not in PERSONS and is_kind_of(head, kind)
    return head == kind or head in type_words().get(kind, frozenset()) or same_meaning(head, kind) or narrower


def meet(examined: Examination) -> Acquaintance:
    known = examined.memo.get("acquaintance")
    if known is None:
        known = examined.memo["acquaintance"] = Acquaintance(examined)
    return cast("Acquaintance", known)
