"""Nonexistent entities: names that neither the dialogue nor the knowledge base has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.detect.examination import Examination
from groundwire.detect.records.checked import Standing
from groundwire.detect.records.closed_classes import find_unheard_of
from groundwire.detect.records.coded_names import find_unknown_codes
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.records.fiction import is_imagined
from groundwire.detect.records.known_names import generic_words, is_addressed, is_known
from groundwire.detect.records.members import find_strange_members
from groundwire.detect.records.public_names import is_role, public_class
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.names import name_words
from groundwire.text.lexicon import verb_lemma
from groundwire.types import EntityMention, MentionType, Polarity, ResponseSegment, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType, KBEvidence, Stance

_START = 0.7
_PROPER, _DEFINITE, _SIMILAR, _GENERIC = 0.15, 0.05, -0.2, -0.3
_MEMBER = 0.8
_LEAST = 0.5
_ALIKE = 0.8
_SHORT = 3
_ON_THE_WAY = re.compile(
    r"\b(?:ferry|flight|train|bus|boat|trip|tour|road|way|journey|fly|flying|drive|driving|travel|sail) to $"
)
_LETTERS = re.compile(r"[A-Z][A-Z0-9&/.]{0,4}s?")


class NonexistentEntityDetector:
    """Tries every mention in the dialogue, then in the knowledge base."""

    name = "nonexistent_entities"

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        if is_imagined(examined):
            return ()
        found = [_flag_member(examined, span, reason) for span, reason in find_unheard_of(examined)]
        if examined.knowledge.is_empty:
            return found
        taken = [flag.span for flag in found]
        return [*found, *(flag for flag in _find_in_records(examined) if not _meets(flag.span, taken))]


def _meets(span: Span, others: Sequence[Span]) -> bool:
    return any(one.start < span.end and span.start < one.end for one in others)


def _find_in_records(examined: Examination) -> list[HallucinationFlag]:
    """Names that nothing known has, and members of known lists and families that there are not."""
    seen: set[str] = set()
    found: list[HallucinationFlag] = []
    told = [*_wrong_values(examined)]
    for segment in examined.segments:
        for mention in segment.entities:
            if _meets(mention.span, told):
                continue
            flag = _check(examined, segment, mention)
            key = " ".join(name_words(mention.surface))
            if flag is not None and key not in seen:
                seen.add(key)
                found.append(flag)
    taken = [*(flag.span for flag in found), *told]
    for span, reason in (*find_unknown_codes(examined), *find_strange_members(examined)):
        if not _meets(span, taken):
            found.append(_flag_member(examined, span, reason))
            taken.append(span)
    return found


def _flag_member(examined: Examination, span: Span, reason: str) -> HallucinationFlag:
    name = examined.text[span.start : span.end]
    return HallucinationFlag(
        span=span,
        content=name,
        hallucination_type=HallucinationType.NONEXISTENT_ENTITY,
        confidence=_MEMBER,
        suggestion=f"Check whether {name} exists.",
        evidence=f"{name} is not known: {reason}.",
        detector=NonexistentEntityDetector.name,
        kb=KBEvidence(Stance.UNKNOWN, 1.0),
        is_unverifiable=True,
    )


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
    if _is_told_to(examined, segment, mention):
        return None
    if _is_denied(segment, mention) or _is_outcry(examined.text, segment, mention):
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


def _is_told_to(examined: Examination, segment: ResponseSegment, mention: EntityMention) -> bool:
    """ "Choose Flex": an order in front of a name that is known."""
    first, _, rest = mention.surface.partition(" ")
    if mention.span.start != segment.span.start or not rest or verb_lemma(first.casefold()) != first.casefold():
        return False
    return is_known(examined, rest, Span(mention.span.end - len(rest), mention.span.end))


def _is_denied(segment: ResponseSegment, mention: EntityMention) -> bool:
    """ "You don't work at Initech": to deny a tie to somebody does not make them up."""
    return any(
        claim.polarity is Polarity.NEGATIVE and mention.surface not in claim.subject
        for claim in segment.claims
        if claim.span.start < mention.span.start < claim.span.end
    )


def _is_outcry(text: str, segment: ResponseSegment, mention: EntityMention) -> bool:
    """ "Aw, of course": a short word in front of a comma is no name where the sentence does without it."""
    is_first = mention.span.start == segment.span.start and len(mention.surface) <= _SHORT
    return is_first and text.startswith(("!", ", "), mention.span.end)


def _is_where(examined: Examination, mention: EntityMention) -> bool:
    """ "in Cheltenham", "Kotor in Montenegro": the world has more places than any table, unless all are declared."""
    if "place" in examined.knowledge.complete_types or mention.mention_type is not MentionType.PROPER_NAME:
        return False
    before, after = examined.text[: mention.span.start], examined.text[mention.span.end :]
    within = re.match(r" in ([^\W\d_]+)", after)
    if within is not None and public_class(within[1]) == "place":
        return len(mention.surface.split()) == 1
    first = mention.surface.split()[0]
    if _has_siblings(examined, mention.surface):
        return False
    if _ON_THE_WAY.search(before) and len(mention.surface.split()) == 1:
        return True
    return before.endswith((" in ", " near ")) and len(mention.surface.split()) <= 2 and not is_role(first)


def _has_siblings(examined: Examination, name: str) -> bool:
    """ "Project Nightingale", where Project Lark is known: no place, whatever stands before it."""
    kind, _, rest = name.partition(" ")
    known = examined.knowledge
    return bool(rest) and isinstance(known, Knowledge) and any(e.name.startswith(f"{kind} ") for e in known.entities)


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
