"""Are two subjects the same one? Names, aliases and relations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from groundwire.judge.kinds import introduced_as
from groundwire.text import lexicon
from groundwire.text.calendar import small_number
from groundwire.text.phrases import time_nouns
from groundwire.text.subjects import USER, is_relation
from groundwire.text.thesaurus import concept, has_kin, is_kind_of, same_meaning
from groundwire.text.tokens import number_words
from groundwire.text.values import Aliases as Spellings
from groundwire.text.values import normalise
from groundwire.types import ExtractedFact

_UNRESOLVED = frozenset({"he", "she", "it", "they", "him", "her", "them", "this", "that", "his", "their", "its"})
_MOST_MET = 4096


@dataclass(slots=True)
class Aliases:
    """Other names of a subject, learnt from the evidence: the user's name, "my husband Colm", "a cat called Plum"."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    relations: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    spellings: Spellings | None = None
    """Other spellings of values that the deployment added."""
    _known: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False, compare=False)
    """Subjects that were asked for, so that each is looked up once."""
    _met: dict[tuple[str, str], bool] = field(
        default_factory=dict[tuple[str, str], bool], init=False, repr=False, compare=False
    )
    """The same for two of them: every claim meets every memory several times."""

    @classmethod
    def learn(cls, facts: Iterable[ExtractedFact], spellings: Spellings | None = None) -> Aliases:
        found = cls(spellings=spellings)
        for fact in facts:
            if fact.polarity != "positive" or fact.hedged or fact.pattern == "predicate":
                continue
            if fact.slot_type == "name":
                if fact.subject == USER:
                    found.names.setdefault(fact.value, USER)
                else:
                    found.relations.setdefault(_described(fact.subject), set()).add(fact.value)
            elif fact.slot_type in _RELATIONS:
                relation = introduced_as(fact.pattern)
                if relation:
                    found.relations.setdefault(_described(f"{fact.subject}'s {relation}"), set()).add(fact.value)
        return found

    @property
    def is_plain(self) -> bool:
        """Nobody goes by two names."""
        return not self.names and not self.relations and self.spellings is None

    def canonical(self, subject: str) -> str:
        """The name where there is just one, the description otherwise."""
        found = self._known.get(subject)
        if found is None:
            found = self._known[subject] = self._find(subject)
        return found

    def match(self, left: str, right: str) -> bool:
        found = self._met.get((left, right))
        if found is None:
            if len(self._met) >= _MOST_MET:  # evidence may be kept for as many answers as there are
                self._met.clear()
                self._known.clear()
            found = self._met[left, right] = self._compare(left, right)
        return found

    def _compare(self, left: str, right: str) -> bool:
        one, two = self.canonical(left), self.canonical(right)
        known = self.relations
        if one == two or (known and (two in known.get(one, ()) or one in known.get(two, ()))):
            return True
        if _same(one, two):
            return True
        mine, theirs = _described(left), _described(right)
        named = (one != mine) + (two != theirs)  # the starter may well be the sourdough starter, which has a name
        owned = "'s " in mine and "'s " in theirs and not is_relation(mine.rpartition(" ")[2])
        return named == 1 and owned and _same(mine, theirs)

    def _find(self, subject: str) -> str:
        low = subject.casefold()
        named = self.names.get(low) or self.names.get(normalise(subject))
        if named is not None:
            return named
        described = _described(subject)
        known = self.relations.get(described, ())
        return next(iter(known)) if len(known) == 1 else described


@lru_cache(maxsize=8192)
def _described(subject: str) -> str:
    """A description in one wording: "user's mom" → user's mother."""
    low = subject.casefold()
    owner, clitic, thing = low.rpartition("'s ")
    return f"{owner}'s {concept(thing)}" if clitic else low


_RELATIONS = frozenset(
    {"spouse", "child", "sibling", "parent", "relative", "friend", "manager", "professional", "owner"}
)


def subjects_match(left: str, right: str, aliases: Aliases) -> bool:
    """The same person or thing, as far as names tell."""
    return left == right or aliases.match(left, right)


@lru_cache(maxsize=16384)
def _same(left: str, right: str) -> bool:
    if left == right:
        return True
    if left == USER or right == USER:
        return False
    if left in _UNRESOLVED or right in _UNRESOLVED:
        return left == right
    left_owner, _, left_thing = left.rpartition("'s ")
    right_owner, _, right_thing = right.rpartition("'s ")
    if left_owner and right_owner:
        return _same(left_owner, right_owner) and _same_thing(left_thing, right_thing)
    if (owner := left_owner or right_owner) and _is_time_of(owner):
        return False
    return _same_thing(left_thing, right_thing)


def _is_time_of(owner: str) -> bool:
    """ "last year's offsite" is not the offsite of any other year."""
    return any(word in time_nouns() or word in _DAYS or word.isdigit() for word in owner.split())


_DAYS = frozenset({"today", "yesterday", "tomorrow", "tonight"})


def _same_thing(left: str, right: str) -> bool:
    if left == right:
        return True
    left_words, right_words = _words(left), _words(right)
    if not left_words or not right_words:
        return False
    small, large = (left_words, right_words) if len(left_words) <= len(right_words) else (right_words, left_words)
    for word in small:
        if word not in large and not (has_kin(word) and any(_same_word(word, other) for other in large)):
            return False
    numbers = {number for w in left_words ^ right_words if (number := _count(w))}
    return len(numbers) < 2


@lru_cache(maxsize=65536)
def _same_word(left: str, right: str) -> bool:
    return left == right or same_meaning(left, right) or is_kind_of(left, right) or is_kind_of(right, left)


def _count(word: str) -> str:
    """The number that a word is, in digits; "both" are two."""
    if word[0].isdigit():
        return word
    number = 2 if word == "both" else small_number(word) if word in number_words() else None
    return str(number) if number is not None else ""


_FILLERS = frozenset({"the", "of", "for", "in", "at", "on", "new", "my", "your", "our", "this", "that", "current"})


@lru_cache(maxsize=16384)
def _words(text: str) -> frozenset[str]:
    text = text.removeprefix("a ").removeprefix("an ")
    return frozenset(lexicon.noun_lemma(w.strip(".,'’\"")) for w in text.split() if w not in _FILLERS) - {""}
