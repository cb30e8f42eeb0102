"""Nonexistent entities: names that neither the dialogue nor the knowledge base has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.detect.examination import Examination
from groundwire.detect.records.checked import Standing
from groundwire.detect.records.consulting import consult_knowledge, meet
from groundwire.detect.records.public_names import is_ordinary, is_role, public_class
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.meanings import attribute_words
from groundwire.evidence.names import name_words
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.types import EntityMention, MentionType, ResponseSegment, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType, KBEvidence, Stance

_START = 0.7
_PROPER, _DEFINITE, _SIMILAR, _GENERIC = 0.15, 0.05, -0.2, -0.3
_LEAST = 0.5
_ALIKE = 0.8
_WORDS = re.compile(r"\w+")
_GREETING = re.compile(
    r"(?:^|[\n.!?]\s?)(?:dear|hi|hello|hey|good (?:morning|day|evening|afternoon)|thanks|thank you|regards|sincerely|"
    r"cheers|welcome|ciao|bye)\b,?[\w ,.’'-]{0,12}$",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[A-Z][A-Z0-9&/.]{0,4}s?")
_SIGNATURE = re.compile(r"(?:regards|sincerely|cheers|yours|best|wishes|greetings|love),?\s*$", re.IGNORECASE)


class NonexistentEntityDetector:
    """Tries every mention in the dialogue, then in the knowledge base."""

    name = "nonexistent_entities"

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        if examined.knowledge.is_empty:
            return ()
        seen: set[str] = set()
        found: list[HallucinationFlag] = []
        told = [*_wrong_values(examined)]
        for segment in examined.segments:
            for mention in segment.entities:
                if any(span.start < mention.span.end and mention.span.start < span.end for span in told):
                    continue
                flag = _check(examined, segment, mention)
                key = " ".join(name_words(mention.surface))
                if flag is not None and key not in seen:
                    seen.add(key)
                    found.append(flag)
        return found


def _wrong_values(examined: Examination) -> Iterator[Span]:
    """Names that stand where another value is on record: wrong, whoever they are; and where somebody known is said to
    have been, which is made up as a whole."""
    for checked in consult_knowledge(examined):
        if checked.standing is Standing.DIFFERS and checked.point is not None and checked.point.text:
            yield checked.point.span
        elif checked.standing is Standing.SILENT and checked.entity is not None:
            arguments = checked.read.proposition.arguments
            yield from (a.span for a in arguments if a.role in ("at", "for", "of", "in"))


def _is_short(name: str) -> bool:
    """ "PS5", "the ERC", "PCs": letters that stand for something everybody may know."""
    words = [w for w in name.split() if w.casefold() not in ("the", "a", "an", "our") and not w.islower()]
    letters = [w for w in words if _LETTERS.fullmatch(w) is not None]
    return bool(letters) and all(w in letters or public_class(w) for w in words)


def _check(examined: Examination, segment: ResponseSegment, mention: EntityMention) -> HallucinationFlag | None:
    if mention.mention_type is MentionType.PRONOUN or is_known(examined, mention.surface, mention.span):
        return None
    if _is_short(mention.surface) or is_addressed(examined.text, mention.span) or _is_where(examined, mention):
        return None
    confidence = nonexistence_confidence(examined, mention)
    if confidence < _LEAST:
        return None
    places = "the dialogue and the knowledge base" if examined.dialogue.turns else "the knowledge base"
    claim = next((c.span for c in segment.claims if c.span.start <= mention.span.start < c.span.end), None)
    return HallucinationFlag(
        span=mention.span,
        content=mention.surface,
        hallucination_type=HallucinationType.NONEXISTENT_ENTITY,
        confidence=confidence,
        suggestion=f"Check whether {mention.surface} exists.",
        evidence=f"{mention.surface} was found neither under this name nor under a similar one in {places}.",
        detector=NonexistentEntityDetector.name,
        claim_span=claim,
        kb=KBEvidence(Stance.UNKNOWN, 1.0),
        is_unverifiable=True,
    )


def _is_where(examined: Examination, mention: EntityMention) -> bool:
    """ "in Cheltenham", "Kotor in Montenegro": the world has more places than any table, unless all are declared."""
    if "place" in examined.knowledge.complete_types or mention.mention_type is not MentionType.PROPER_NAME:
        return False
    before, after = examined.text[: mention.span.start], examined.text[mention.span.end :]
    within = re.match(r" in ([^\W\d_]+)", after)
    if within is not None and public_class(within[1]) == "place":
        return len(mention.surface.split()) == 1
    first = mention.surface.split()[0]
    return before.endswith((" in ", " near ")) and len(mention.surface.split()) <= 2 and not is_role(first)


def nonexistence_confidence(examined: Examination, mention: EntityMention) -> float:
    """0.7, more for a proper name or a description, less where one like it is known or anybody could be meant."""
    confidence = _START
    if mention.mention_type is MentionType.PROPER_NAME:
        confidence += _PROPER
    elif mention.mention_type is MentionType.DEFINITE_DESC:
        confidence += _DEFINITE
    if examined.dialogue.entity_registry.find_similar(mention.surface, _ALIKE):
        confidence += _SIMILAR
    if is_generic(mention):
        confidence += _GENERIC
    return round(min(1.0, max(0.0, confidence)), 10)


def is_generic(mention: EntityMention) -> bool:
    """ "the team", "someone": no one in particular. A description in ordinary words is generic as well."""
    words = mention.surface.casefold().split()
    if set(words) & generic_words() and mention.mention_type is not MentionType.PROPER_NAME:
        return True
    if mention.mention_type is MentionType.PROPER_NAME:
        return False
    return all(word.islower() for word in mention.surface.split()[1:])


@cache
def generic_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["generic"]["words"])


def is_known(examined: Examination, name: str, span: Span) -> bool:
    """Whether a name is somebody's in the dialogue, the knowledge base, or everybody's knowledge."""
    known = public_class(name)
    if known and known not in examined.knowledge.complete_types:
        return True
    if is_ordinary(name) or meet(examined).named_between(*span):
        return bool(is_ordinary(name) or _names_whole(examined, name, span))
    return _resolves(examined, name)


def _names_whole(examined: Examination, name: str, span: Span) -> bool:
    """ "Lumen Courier" is not known because Lumen Sync is: the known name must reach over the whole mention."""
    found = meet(examined).spans_between(*span)
    if any(a <= span.start and span.end <= b for a, b, _ in found):
        return True
    first = min(a for a, _, _ in found)
    rest = list(_left_over(examined.text, span, [(a, b) for a, b, _ in found]))
    if first > span.start and rest and is_ordinary(rest[0]):
        rest = rest[1:]  # "Ticket LW-4471": what stands before says what kind of thing it is
    attributes = {word for _, _, e in found for name in e.attribute_names for word in attribute_words(name)}
    return all(_adds_nothing(part, attributes) or _resolves(examined, part) for part in rest)


def _adds_nothing(part: str, attributes: set[str]) -> bool:
    """ "Acme Support", "the Utrecht show": a title, a place, or a noun that says what of the known one is meant."""
    words = name_words(part)
    if public_class(part) or part.islower() or all(is_role(word) for word in words):
        return True
    return all(noun_lemma(word) in attributes | generic_words() for word in words)


def _left_over(text: str, span: Span, taken: Sequence[tuple[int, int]]) -> Iterator[str]:
    at = span.start
    for a, b in sorted(taken):
        if text[at:a].strip():
            yield text[at:a].strip()
        at = max(at, b)
    if text[at : span.end].strip():
        yield text[at : span.end].strip()


def _resolves(examined: Examination, name: str) -> bool:
    dialogue, knowledge = examined.dialogue, examined.knowledge
    if dialogue.entity_registry.find(name) is not None or dialogue.resolve(name) is not None:
        return True
    if _stands_in(name, " ".join(turn.text for turn in dialogue.turns)):
        return True
    if knowledge.find_entity(name) is not None:
        return True
    if isinstance(knowledge, Knowledge):
        singular = " ".join(noun_lemma(word) for word in name.split())
        return bool(knowledge.find_all(name)) or knowledge.mentions(name) or knowledge.mentions(singular)
    return any(_stands_in(name, memory.text) for memory in knowledge.statements)


def _stands_in(name: str, text: str) -> bool:
    words, said = " ".join(name_words(name)), " ".join(_WORDS.findall(text.casefold()))
    return bool(words) and f" {words} " in f" {said} "


def is_addressed(text: str, span: Span) -> bool:
    """Whom the answer greets, or who signs it."""
    before = text[max(0, span.start - 40) : span.start]
    if _GREETING.search(before) is not None:
        return True
    after = text[span.end : span.end + 3].strip()
    return _SIGNATURE.search(before.strip()) is not None and not after
