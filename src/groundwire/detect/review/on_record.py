"""The value on record in the flagged clause itself, in other words: then nothing is wrong with it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import cast

from groundwire.detect.amounts.figures import read_figures
from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.records.facets import Facet
from groundwire.detect.review.places import sentence_at
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.text.calendar import MONTHS
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import numerals
from groundwire.text.thesaurus import same_meaning
from groundwire.types.detection import HallucinationFlag

_TOKEN = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|\d[\d,]*(?:\.\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)?")
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|instead of|rather than|former(?:ly)?)\b"
    r"|\bno longer\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(r"(?:n['’]t|\bnot) (?:[\w-]+ ){0,6}(?:yet|until|before)\b|\b(?:has|have) yet to\b", re.IGNORECASE)
_WHOLE = frozenset({"all", "everyone", "everybody", "every", "everything", "each"})
_EXCEPT = frozenset({"except", "but", "excluding", "save", "apart"})
_UNCOMMON = 32
"""From so large a number on, one that is on record does not stand in a sentence by chance."""
_MOST_OF = 0.6
_FEW = 2


@lru_cache(maxsize=4096)
def content_of(text: str) -> tuple[str, ...]:
    """The words of a text that carry its meaning: figures as figures, plurals as singulars, days by day and month."""
    found: list[str] = []
    for match in _TOKEN.finditer(text.casefold()):
        found.extend(_read(match.group()))
    return tuple(found)


def _read(word: str) -> tuple[str, ...]:
    word = word.replace("’", "'").removesuffix("'s")
    if word[0].isdigit():
        return _read_digits(word)
    known = numerals()
    value = known.units.get(word, known.tens.get(word))
    if value is not None and word not in ("a", "an"):
        return (str(value),)
    if word in ("noon", "midday"):
        return ("12",)
    if word in _WHOLE:
        return ("all",)
    if word in _EXCEPT:
        return ("except",)
    return () if word in closed_classes() or word in _IDLE else (noun_lemma(word),)


_IDLE = frozenset({"please", "usually", "side", "located", "o'clock"})


def _read_digits(word: str) -> tuple[str, ...]:
    if word.count("-") == 2:
        _, month, day = word.split("-")
        return str(int(day)), MONTHS[int(month) - 1] if 1 <= int(month) <= 12 else month
    if ":" in word:
        hour, minute = word.split(":")
        return (str(int(hour)),) if minute == "00" else (f"{int(hour)}:{minute}",)
    plain = word.replace(",", "").strip(".")
    return (plain.removesuffix(".0"),)


def stands_on_record(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether the stored value that a clause is held against stands in it; or it speaks of a day that is to come."""
    checked = find_checked(flag, examined)
    facet = checked.point.facet if checked is not None and checked.point is not None else None
    if checked is None or facet is None or checked.point is None:
        return _has_whole_value(flag, examined)
    clause = _clause_of(flag, examined)
    if _is_to_come(facet, clause, examined):
        return True
    types = _kinds(examined)
    said = checked.point.text
    for value in (*(value.value for value in facet.values), *facet.shown):
        is_one_of_many = facet.kind or len(facet.values) > 1
        if said and is_one_of_many and not set(content_of(said)) <= set(content_of(value)):
            continue  # another figure, or member of a list, in the same clause is not the one that is on record
        if _stands_in(value, clause, types):
            return True
    return _has_whole_value(flag, examined)


def find_checked(flag: HallucinationFlag, examined: Examination) -> Checked | None:
    """What the records made of the flagged claim."""
    if examined.knowledge.is_empty:
        return None
    for checked in consult_knowledge(examined):
        if checked.standing is Standing.DIFFERS and checked.read.claim.span in (flag.span, flag.claim_span):
            return checked
    return None


def _clause_of(flag: HallucinationFlag, examined: Examination) -> str:
    """The flagged words; with the rest of their sentence where that has no other clause."""
    sentence = sentence_at(examined, flag.span)
    rest = sentence.replace(flag.content, " ")
    return sentence if len(content_of(rest)) <= len(content_of(flag.content)) else flag.content


def _stands_in(value: str, clause: str, types: frozenset[str]) -> bool:
    """All that carries the meaning of a value is said, neither denied nor set against something."""
    own = [word for word in content_of(value) if word not in types or len(content_of(value)) == 1]
    said = set(content_of(clause))
    if not own and value.casefold().split():  # "both exhibitions", of which two were named
        own, said = [w for w in value.casefold().split() if noun_lemma(w) not in types], set(clause.casefold().split())
        said = {word.strip(".,;:!?") for word in said}
    if not own or (_DENIES.search(clause) is None) != (_DENIES.search(value) is None):
        return False
    return all(word in said or any(_are_one(word, other) for other in said) for word in own)


@lru_cache(maxsize=8192)
def _are_one(word: str, other: str) -> bool:
    return not word[0].isdigit() and not other[0].isdigit() and same_meaning(word, other)


def _has_whole_value(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether the sentence says a worded value of what it is about, and hardly anything else."""
    sentence = sentence_at(examined, flag.span)
    said = content_of(sentence)
    types = _kinds(examined)
    for entity in _meant(flag, examined):
        names = {word for name in (entity.name, *entity.aliases) for word in content_of(name)}
        rest = [word for word in said if word not in names]
        for name in entity.attribute_names:
            for value in entity.get_attribute(name):
                own = set(content_of(value.value))
                if len(own) <= _FEW or not _stands_in(value.value, sentence, types):
                    continue
                if sum(word in own for word in rest) >= _MOST_OF * len(rest):
                    return True
    return False


def _meant(flag: HallucinationFlag, examined: Examination) -> list[Entity]:
    """Whom a flagged claim names; else who was named before it."""
    if examined.knowledge.is_empty:
        return []
    people = meet(examined)
    named = list(dict.fromkeys(people.named_between(*flag.span)))
    before = people.named_before(flag.span.start)
    return named or ([before] if before is not None else [])


def _is_to_come(facet: Facet, clause: str, examined: Examination) -> bool:
    """ "It isn't open yet", of what opens on a day that is still to come."""
    if _NOT_YET.search(clause) is None:
        return False
    return facet.kind in ("date", "when") and facet.best.value[:10] > examined.now.date().isoformat()


_OPENING = re.compile(r"(?:It|They|He|She|Its|Their|His|Her)\b")


def _meant_by_pronoun(flag: HallucinationFlag, examined: Examination) -> list[Entity]:
    """Whatever the sentence before names: any of it may be what a clause goes on about."""
    sentence = sentence_at(examined, flag.span)
    starts = [s.span.start for s in examined.segments if s.span.start <= flag.span.start]
    if examined.knowledge.is_empty or len(starts) < 2 or _OPENING.match(sentence) is None:
        return []
    return list(dict.fromkeys(meet(examined).named_between(starts[-2], starts[-1])))


def is_figure_on_record(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether every figure of a claim is on record of what it is about, and none of them by chance."""
    figures = read_figures(flag.content)
    if not figures or max(figures) < _UNCOMMON:
        return False
    for entity in (*_meant(flag, examined), *_meant_by_pronoun(flag, examined)):
        known = frozenset[float]().union(
            *(read_figures(v.value) for name in entity.attribute_names for v in entity.get_attribute(name))
        )
        if figures <= known and _has_no_other_names(flag, entity, examined):
            return True
    return False


def _has_no_other_names(flag: HallucinationFlag, entity: Entity, examined: Examination) -> bool:
    own = set(content_of(" ".join((entity.name, *entity.aliases))))
    words = [word for word in re.findall(r"(?<=[a-z,] )[A-Z][\w'’-]+", flag.content) if word != "I"]
    return all(set(content_of(word)) <= own for word in words)


def _kinds(examined: Examination) -> frozenset[str]:
    """What known things are: "both exhibitions" may be called both."""
    known = examined.knowledge
    if not isinstance(known, Knowledge):
        return frozenset()
    kept = known.memo.get("words of kinds")
    if kept is None:
        types = dict.fromkeys(entity.type for entity in known.entities[:200])
        kept = known.memo["words of kinds"] = frozenset(word for type_ in types for word in content_of(type_))
    return cast("frozenset[str]", kept)
