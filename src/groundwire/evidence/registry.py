"""Whom and what a dialogue has named, and how present each is in the minds of those who talk.

Salience grows with every mention, more for a subject than for an object, and fades with every sentence and turn.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cache, lru_cache

from groundwire.evidence.mentions import Kind, Mention, Role
from groundwire.text.tables import read_table

_MOST_IN_FOCUS = 40
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|these|those|my|your|our)\s+", re.IGNORECASE)
_LIKELIEST = 400
"""Names of so many entities are compared letter by letter; beyond it only those that share a beginning."""


@cache
def weights() -> dict[str, float]:
    table: dict[str, float] = read_table("coreference", "evidence")["salience"]
    return table


@dataclass(slots=True)
class Referent:
    """Somebody or something that was mentioned; what is known of it grows with the mentions."""

    name: str
    head: str
    kind: Kind
    gender: str
    is_plural: bool
    is_name: bool
    words: frozenset[str]
    salience: float = 0.0
    touched: float = 0.0
    """When it was last mentioned, in sentences of the whole dialogue."""
    count: int = 0
    nouns: set[str] = field(default_factory=set[str])
    """What it was called besides: "Anna, our engineer"."""
    members: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def fold_name(name: str) -> str:
    """One key for a name, whatever its case and article."""
    low = " ".join(name.casefold().split())
    return _ARTICLE.sub("", low).removesuffix("'s").removesuffix("’s")


class Registry:
    """Implements EntityRegistry; `focus` holds what pronouns may still stand for, least salient first."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._parts: dict[str, set[str]] = {}
        self._focus: OrderedDict[str, Referent] = OrderedDict()
        self._clock = 0.0

    def copy(self) -> Registry:
        """For an answer: what it mentions must not change what the dialogue did."""
        own = Registry()
        own._names, own._clock = dict(self._names), self._clock
        own._parts = {part: set(keys) for part, keys in self._parts.items()}
        own._focus = OrderedDict((k, replace(r, nouns=set(r.nouns))) for k, r in self._focus.items())
        return own

    # ── names ───────────────────────────────────────────────────────────────────────────────────

    def find(self, name: str) -> str | None:
        """The canonical name of a mention: itself, or the one longer name that it is a part of."""
        own = fold_name(name)
        if own in self._names:
            return self._names[own]
        fuller = self._parts.get(own, set())
        return self._names[next(iter(fuller))] if len(fuller) == 1 else None

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[str, float], ...]:
        """Names spelled alike, best first; a part of a name is as like as it is long."""
        own = fold_name(name)
        pool = self._names if len(self._names) <= _LIKELIEST else [k for k in self._names if k[:1] == own[:1]]
        found: list[tuple[str, float]] = []
        for key in pool:
            if min(len(own), len(key)) * 2 < least * (len(own) + len(key)):
                continue
            matcher = SequenceMatcher(None, own, key, autojunk=False)
            if matcher.quick_ratio() >= least and (ratio := matcher.ratio()) >= least:
                found.append((self._names[key], round(ratio, 4)))
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))

    def add_name(self, name: str) -> None:
        key = fold_name(name)
        if not key or key in self._names:
            return
        self._names[key] = name
        parts = key.split()
        if len(parts) > 1:
            for part in parts:
                self._parts.setdefault(part, set()).add(key)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names.values())

    # ── salience ────────────────────────────────────────────────────────────────────────────────

    def end_sentence(self) -> None:
        self._clock += 1

    def end_turn(self) -> None:
        self._clock += 1
        while len(self._focus) > _MOST_IN_FOCUS:
            self._focus.popitem(last=False)

    def salience_of(self, referent: Referent) -> float:
        return referent.salience * weights()["sentence_decay"] ** (self._clock - referent.touched)

    @property
    def focus(self) -> tuple[Referent, ...]:
        """Most salient first; the latest mention first among equals."""
        order = {id(r): i for i, r in enumerate(self._focus.values())}
        return tuple(sorted(self._focus.values(), key=lambda r: (-self.salience_of(r), -order[id(r)])))

    @property
    def referents(self) -> tuple[Referent, ...]:
        """All of them, in no order that tells anything."""
        return tuple(self._focus.values())

    def note(self, mention: Mention) -> Referent:
        """Count a mention; a part of a longer name is the bearer of it."""
        key = fold_name(mention.text)
        known = self._focus.get(key)
        if known is None and mention.is_name:
            longer = self.find(mention.text)
            known = self._focus.get(fold_name(longer)) if longer else None
            if known is None:
                parts = key.split()
                known = next((r for k, r in self._focus.items() if r.is_name and k in parts), None)
        if known is None and mention.is_definite:
            known = next((r for r in reversed(self._focus.values()) if self._describes(mention, r)), None)
        if known is None:
            known = Referent(
                mention.text,
                mention.head,
                mention.kind,
                mention.gender,
                mention.is_plural,
                mention.is_name,
                mention.words,
            )
            self._focus[key] = known
        else:
            self._learn(known, mention)
        if mention.is_name:
            self.add_name(mention.text)
        self._touch(known, mention.role)
        return known

    def touch(self, referent: Referent, role: Role) -> None:
        """A pronoun keeps whom it stands for in mind."""
        self._touch(referent, role)

    def _touch(self, referent: Referent, role: Role) -> None:
        table = weights()
        gain = table[role.value] + (table["name"] if referent.is_name else 0.0)
        faded = self.salience_of(referent)
        referent.salience = max(gain, faded) + (table["repeated"] * min(gain, faded))
        referent.touched, referent.count = self._clock, referent.count + 1
        key = fold_name(referent.name)
        if key in self._focus:
            self._focus.move_to_end(key)

    def _learn(self, referent: Referent, mention: Mention) -> None:
        if referent.kind is Kind.UNKNOWN:
            referent.kind = mention.kind
        referent.gender = referent.gender or mention.gender
        if mention.is_name and len(mention.text) > len(referent.name) and referent.is_name:
            self._focus.pop(fold_name(referent.name), None)
            referent.name, referent.words = mention.text, mention.words
            self._focus[fold_name(mention.text)] = referent
        elif not mention.is_name:
            referent.nouns.add(mention.head)

    @staticmethod
    def _describes(mention: Mention, referent: Referent) -> bool:
        if referent.is_plural != mention.is_plural:
            return False
        return mention.head == referent.head and (mention.words <= referent.words or referent.words <= mention.words)

    def describe(self, name: str, noun: str) -> None:
        """Anna is an engineer: "the engineer" may be her."""
        referent = self._focus.get(fold_name(name))
        if referent is not None:
            referent.nouns.add(noun)

    def note_group(self, members: tuple[str, ...], text: str, role: Role) -> Referent:
        """ "Anna and Tom" can be "they"."""
        key = fold_name(text)
        known = self._focus.get(key)
        if known is None:
            known = Referent(text, "", Kind.PERSON, "", True, True, frozenset(), members=members)
            self._focus[key] = known
        self._touch(known, role)
        return known
