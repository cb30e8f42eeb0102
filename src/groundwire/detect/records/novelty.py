"""Whether a claim states a fact, and whether it says anything that the record does not."""

from __future__ import annotations

import re
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.checked import Checked, comparing_words, opinion_words
from groundwire.detect.records.facets import list_words
from groundwire.detect.records.sayings import Outcome
from groundwire.detect.records.values import read_shape
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.evidence.meanings import attribute_words
from groundwire.evidence.names import name_words
from groundwire.text import lexicon
from groundwire.text.lexicon import noun_lemma
from groundwire.text.reading import ReadClaim
from groundwire.types import Polarity, Tense

_MODALS = frozenset({"can", "could", "may", "might", "should", "would", "must", "shall", "'d", "ought"})
_COMPARED = re.compile(
    r"\b(?:ha(?:s|ve|d)|needs?) to\b|\bwill\b|['’]ll\b|\b(?:half|twice|double|three times) (?:the|as|of)\b|"
    r"\bas \w+ as\b|\bthe same\b|"
    r"\b(?:most|often|usually|typically|generally|normally|sometimes|in general|as a rule|tends? to)\b",
    re.IGNORECASE,
)
"""What must be done, and what is set against something else, is worked out, not stored."""
_COURTESIES = frozenset(
    """
    thank welcome greet wish hope look apologise apologize know see help suit recommend suggest advise appreciate matter
    depend seem appear feel sound mean deserve benefit enable let ensure assist want prefer deal handle understand
    remember guess think believe
    """.split()  # noqa: SIM905
)
_TURNS = 10
_AGES = frozenset({"aged", "age", "old"})
_DERIVED = frozenset({"year", "month", "week", "day", "old", "age", "ago"})


def is_fact(read: ReadClaim) -> bool:
    """Neither a possibility, an order, a denial nor a mere opinion."""
    proposition = read.proposition
    if read.is_note or read.claim.hedged or read.claim.quoted or read.claim.polarity is Polarity.NEGATIVE:
        return False
    if read.claim.tense is Tense.FUTURE or comparing_words() & set(
        read.claim.text.casefold().replace(",", " ").split()
    ):
        return False
    if proposition.predicate in _COURTESIES:
        return False
    if _COMPARED.search(read.claim.text) is not None or any(map(_is_comparative, read.claim.text.split())):
        return False
    if proposition.modal in _MODALS or proposition.negated or proposition.is_fragment:
        return False
    said = [a for a in proposition.arguments if a.lemmas]
    if (
        proposition.predicate == "be"
        and said
        and all(set(a.lemmas) & opinion_words() for a in said if a.role == "object")
    ):
        return False
    return bool(said) or proposition.predicate not in ("be", "have", "do")


def _is_comparative(word: str) -> bool:
    found = lexicon.readings(word.strip(".,;:!?").casefold())
    return bool(found) and found[0][0] in ("JJR", "RBR")


def says_anything_new(examined: Examination, checked: Checked) -> bool:
    """A number or a name that the record has not, or mostly words that it has not."""
    entity = checked.entity
    if entity is None:
        return False
    named = meet(examined).named_between(*checked.read.claim.span)
    circle = dict.fromkeys((entity, *named, *meet(examined).related(entity)))
    known = frozenset[str]().union(*(_record_words(examined, e) for e in circle))
    known |= _statement_words(examined, entity) | _dialogue_words(examined)
    silent = [p for p in checked.points if p.outcome is Outcome.SILENT]
    agreed = [p for p in checked.points if p.outcome is Outcome.AGREES]
    proposition = checked.read.proposition
    own = {noun_lemma(w) for w in re.findall(r"\w+", f"{entity.name} {' '.join(entity.aliases)}".casefold())}
    words = [w for a in proposition.arguments for w in a.lemmas if w not in own]
    if not words or _is_measured(checked):
        return False
    told = list_words(known)
    new = [w for w in words if not told.speaks_of(w)]
    values = [p for p in silent if any(map(str.isdigit, p.text))]
    if len(values) < 2 and any(p.facet is not None and p.facet.kind for p in agreed):
        return False
    if agreed and not any(p.text[:1].isdigit() or p.text[:1].isupper() for p in silent):
        return len(new) * 2 > len(words) and not any(p.facet is not None and p.facet.kind for p in agreed)
    if new and set(new) <= _DERIVED | {w for w in new if w.isdigit()} and set(words) & _DERIVED:
        return False
    return bool(new) and (len(new) * 2 >= len(words) or any(w[:1].isdigit() for w in new))


_BEGINNING = frozenset({"since", "joined", "started", "start", "hired", "founded", "opened", "appointed", "elected"})
_UNITS = {
    "hour": "duration", "minute": "duration", "euro": "currency", "dollar": "currency", "pound": "currency",
    "kilo": "mass",
}  # fmt: skip


def _is_measured(checked: Checked) -> bool:
    """Worked out from an amount on record: "three quarters of an hour", "200 g cost 8.40"."""
    span, entity = checked.read.claim.span, checked.entity
    subject = checked.read.claim.subject
    said = {_UNITS[w] for w in checked.read.proposition.lemmas if w in _UNITS}
    if entity is None:
        return False
    kept = {read_shape(v.value)[1].split(" ")[0] for n in entity.attribute_names for v in entity.get_attribute(n)}
    silent = [p for p in checked.points if p.outcome is Outcome.SILENT and any(map(str.isdigit, p.text))]
    if _is_total(checked):
        return True
    aged = proposition_is_age(checked) or bool(_AGES & set(checked.read.claim.text.casefold().split()))
    lasts = any(read_shape(p.text) == ("amount", "duration") for p in checked.points)
    if lasts and any(_BEGINNING & set(attribute_words(name)) for name in entity.attribute_names):
        return True
    if aged and any(entity.has_attribute(name) for name in ("birthday", "age")):
        return True
    own = {*name_words(entity.name), *(w for alias in entity.aliases for w in name_words(alias))}
    counted = any(w[:1].isdigit() for w in name_words(subject) if w not in own) and "currency" in said | kept
    return bool(said & kept and not silent and span) or counted


def _is_total(checked: Checked) -> bool:
    """ "comes to 60 dollars": a sum of what is on record."""
    proposition = checked.read.proposition
    money = any(read_shape(p.text)[1].startswith("currency") for p in checked.points)
    if proposition.predicate == "make":
        return money and any(a.text == p.text for a in proposition.arguments for p in checked.points)
    return money and proposition.predicate in ("come", "total", "add", "amount", "sum")


def proposition_is_age(checked: Checked) -> bool:
    proposition = checked.read.proposition
    said = [a for a in proposition.arguments if a.lemmas]
    return (
        proposition.predicate in ("be", "turn", "reach")
        and bool(said)
        and read_shape(said[0].text) == ("amount", "count")
    )


def _statement_words(examined: Examination, entity: Entity) -> frozenset[str]:
    """The words of stored statements that name the entity."""
    names = [name.casefold() for name in (entity.name, *entity.aliases)]
    told = examined.knowledge.told if isinstance(examined.knowledge, Knowledge) else examined.knowledge.statements
    texts = [m.text.casefold() for m in told]
    return frozenset(noun_lemma(w) for text in texts if any(n in text for n in names) for w in re.findall(r"\w+", text))


def _dialogue_words(examined: Examination) -> frozenset[str]:
    """What was said before is not new, whoever said it."""
    known = examined.memo.get("words of the dialogue")
    if known is None:
        said = " ".join(turn.text for turn in list(examined.dialogue.turns)[-_TURNS:]).casefold()
        known = examined.memo["words of the dialogue"] = frozenset(noun_lemma(w) for w in re.findall(r"\w+", said))
    return cast("frozenset[str]", known)


def _record_words(examined: Examination, entity: Entity) -> frozenset[str]:
    key = f"words of {id(entity)}"
    known = examined.memo.get(key)
    if known is None:
        texts = [v.value for n in entity.attribute_names for v in entity.get_attribute(n)]
        found = {noun_lemma(w) for text in texts for w in re.findall(r"\w+", text.casefold())}
        found |= {w for n in entity.attribute_names for w in attribute_words(n)}
        known = examined.memo[key] = frozenset(found)
    return cast("frozenset[str]", known)
