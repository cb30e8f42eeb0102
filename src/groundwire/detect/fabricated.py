"""Fabricated facts: claims on somebody unknown, and attributes that no record has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.records.fiction import is_imagined
from groundwire.detect.records.invention import find_inventions, find_new_addresses, is_worked_out
from groundwire.detect.records.known_names import is_addressed, is_known
from groundwire.detect.records.novelty import is_fact, says_anything_new
from groundwire.detect.records.reported_deeds import find_reported_deeds
from groundwire.detect.records.reprieves import find_borne_out
from groundwire.detect.records.retelling import find_told
from groundwire.detect.weighing.units import Unit
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim
from groundwire.types import Claim, EntityMention, MentionType, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType, KBEvidence, Stance

_UNKNOWN_SUBJECT = 0.85
_ADDRESS = 0.8
_REPORTED = 0.7
_UNTOLD = "Neither the dialogue nor anything known says that this was done."
_START, _RICH, _CONTACT, _ALONE = 0.6, 0.15, 0.1, -0.1
_MANY = 10
_LEAST = 0.5
_LIKELY, _SUSPECT, _DOUBTFUL = 0.45, 0.25, 0.15
"""How likely a clause is made up by the scale: enough to say so, enough to say so with another, and too little to let a
rule say so."""
_NUMBERED = re.compile(r"(?:[Tt]he )?([A-Z][^\W\d_]+) [A-Z]{0,3}-?\d[\w-]*")
_BY_SO_MUCH = re.compile(r"\bby (?:(?:about|around|roughly|some|only|just) )?\d")
""" "Falls short of it by 212": the difference of two that are known."""
_EXPECTED = frozenset({"email", "phone", "department", "title", "location"})


class FabricatedFactDetector:
    """Says what nobody can have known: neither the subject nor the attribute is on record."""

    name = "fabricated_facts"

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        if is_imagined(examined):
            return ()
        found = [] if examined.knowledge.is_empty else _find_in_records(examined)
        taken = [flag.span for flag in found]
        reported = [
            s for s in find_reported_deeds(examined) if not any(t.start < s.end and s.start < t.end for t in taken)
        ]
        return [*found, *(_flag(examined, _as_checked(examined, span), _REPORTED, _UNTOLD, "it") for span in reported)]


def _as_checked(examined: Examination, span: Span) -> Checked:
    claim = Claim(examined.text[span.start : span.end], span)
    return Checked(ReadClaim(claim, (), UNREAD, span), Standing.SILENT)


def _find_in_records(examined: Examination) -> list[HallucinationFlag]:
    """What the records make of it: claims on somebody unknown, attributes and deeds that no record has."""
    checked = consult_knowledge(examined)
    doubted = [c for c in checked if _may_be_made_up(examined, c)]
    told = {id(c) for c in find_told(examined, doubted)}
    made_up = {id(c) for c in doubted} - told
    found = [flag for c in checked if (flag := _check(examined, c, id(c) in made_up)) is not None]
    invented = list(find_inventions(examined))
    if invented:
        likely = [flag for flag in found if _is_likely(flag, invented)]
        found = [*likely, *_flag_inventions(examined, invented, found)]
    told_of = set(find_borne_out(examined, [flag.span for flag in found]))
    found = [flag for flag in found if flag.span not in told_of and not _is_wrong_value(examined, flag.span)]
    return [*found, *_flag_addresses(examined, found)]


def _is_wrong_value(examined: Examination, span: Span) -> bool:
    """Whether it is another value of what is on record: that is wrong, and not made up."""
    points = [c.point for c in consult_knowledge(examined) if c.standing is Standing.DIFFERS and c.point is not None]
    return any(p.text and span.start <= p.span.start and p.span.end <= span.end for p in points)


def _may_be_made_up(examined: Examination, checked: Checked) -> bool:
    if checked.standing is not Standing.SILENT or checked.entity is None:
        return False
    text = checked.read.claim.text
    if not is_fact(checked.read) or (_BY_SO_MUCH.search(text) and is_worked_out(examined, text)):
        return False
    return says_anything_new(examined, checked)


def _is_likely(flag: HallucinationFlag, invented: Sequence[tuple[Unit, float]]) -> bool:
    """What rules call made up stands unless the clause as a whole speaks against it."""
    own = [
        likelihood
        for unit, likelihood in invented
        if unit.span.start < flag.span.end and flag.span.start < unit.span.end
    ]
    return flag.confidence >= _UNKNOWN_SUBJECT or not own or max(own) >= _DOUBTFUL


def _flag_addresses(examined: Examination, found: Sequence[HallucinationFlag]) -> Iterator[HallucinationFlag]:
    """An address is right or made up; nobody words it otherwise."""
    wrong = [c.read.claim.span for c in consult_knowledge(examined) if c.standing is Standing.DIFFERS]
    taken = [*(flag.span for flag in found), *wrong]
    for unit, entity in find_new_addresses(examined, meet(examined)):
        if any(s.start < unit.span.end and unit.span.start < s.end for s in taken):
            continue
        checked = Checked(ReadClaim(Claim(unit.text, unit.span), (), UNREAD, unit.span), Standing.SILENT)
        yield _flag(examined, checked, _ADDRESS, _list_known(entity), entity.name)


def _flag_inventions(
    examined: Examination, invented: Sequence[tuple[Unit, float]], found: Sequence[HallucinationFlag]
) -> Iterator[HallucinationFlag]:
    """Clauses about something known that nothing known bears out, which no rule has found yet."""
    wrong = [c.read.claim.span for c in consult_knowledge(examined) if c.standing is Standing.DIFFERS]
    taken = [*(flag.span for flag in found), *wrong]
    for unit, likelihood in _join_likelihoods(invented):
        if likelihood < _LIKELY or any(s.start < unit.span.end and unit.span.start < s.end for s in taken):
            continue
        checked = Checked(ReadClaim(Claim(unit.text, unit.span), (), UNREAD, unit.span), Standing.SILENT)
        yield _flag(examined, checked, max(_START, round(likelihood, 4)), "Nothing that is known says this.", "it")


def _join_likelihoods(invented: Sequence[tuple[Unit, float]]) -> Iterator[tuple[Unit, float]]:
    """Two doubtful clauses of one sentence bear each other out: that both should be true is the less likely."""
    doubtful: dict[int, list[float]] = {}
    for unit, likelihood in invented:
        if likelihood >= _SUSPECT:
            doubtful.setdefault(unit.segment, []).append(1.0 - likelihood)
    for unit, likelihood in invented:
        joint = 1.0 - prod(doubtful[unit.segment]) if likelihood >= _SUSPECT else likelihood
        yield unit, max(likelihood, joint)


def _check(examined: Examination, checked: Checked, is_made_up: bool) -> HallucinationFlag | None:
    if checked.standing is Standing.UNKNOWN:
        name = find_stranger(examined, checked)
        return _flag(examined, checked, _UNKNOWN_SUBJECT, f"Nothing is known of {name}.", name) if name else None
    if (name := _find_new_name(examined, checked)) and checked.standing is Standing.SILENT and is_fact(checked.read):
        return _flag(examined, checked, _UNKNOWN_SUBJECT, f"Nothing is known of {name}.", name)
    if not is_made_up or checked.entity is None:
        return None
    predicate = checked.read.claim.slot_type or checked.read.proposition.predicate
    confidence = fabrication_confidence(checked.entity, predicate)
    if confidence < _LEAST:
        return None
    return _flag(examined, checked, confidence, _list_known(checked.entity), checked.entity.name)


def _list_known(entity: Entity) -> str:
    known = ", ".join(entity.attribute_names) or "nothing else"
    return f"Of {entity.name} is known: {known}. Nothing of this."


def fabrication_confidence(entity: Entity, predicate: str) -> float:
    """0.6, more for a well-kept record or an attribute that it ought to have, less where nothing is like it."""
    confidence = _START
    if entity.attribute_count > _MANY:
        confidence += _RICH
    if predicate in _EXPECTED:
        confidence += _CONTACT
    if not entity.similar_attributes(predicate):
        confidence += _ALONE
    return round(min(1.0, max(0.0, confidence)), 10)


def find_stranger(examined: Examination, checked: Checked) -> str:
    """The name that the claim is about, where nobody knows it; empty for descriptions, pronouns and known names."""
    span = checked.read.claim.span
    subject = checked.read.claim.subject
    for mention in _mentions(examined, span.start, span.end):
        if mention.mention_type is not MentionType.PROPER_NAME or mention.surface not in subject:
            continue
        if not is_known(examined, mention.surface, mention.span) and not is_addressed(examined.text, mention.span):
            return mention.surface
    return _number_another(examined, subject)


def _find_new_name(examined: Examination, checked: Checked) -> str:
    """ "Mercanta's sister company Belvoir Assist": the subject ends in a name that nobody knows."""
    name = find_stranger(examined, checked)
    return name if name and checked.read.claim.subject.endswith(name) else ""


def _number_another(examined: Examination, subject: str) -> str:
    """ "Line 47", where lines are known and none of that number."""
    match = _NUMBERED.fullmatch(subject)
    known = examined.knowledge
    if match is None or not isinstance(known, Knowledge) or known.find_all(subject) or known.mentions(subject):
        return ""
    siblings = [e for e in known.sharing_words(match[1]) if _NUMBERED.fullmatch(e.name) is not None]
    said = " ".join(turn.text for turn in examined.dialogue.turns)
    return subject if siblings and subject not in said else ""


def _mentions(examined: Examination, start: int, end: int) -> list[EntityMention]:
    return [m for s in examined.segments for m in s.entities if m.span.start < end and start < m.span.end]


def _flag(examined: Examination, checked: Checked, confidence: float, evidence: str, name: str) -> HallucinationFlag:
    span = checked.read.claim.span
    return HallucinationFlag(
        span=span,
        content=examined.text[span.start : span.end],
        hallucination_type=HallucinationType.FABRICATED_FACT,
        confidence=confidence,
        suggestion=f"Leave it out, or name a source for it: what is known does not say this of {name}.",
        evidence=evidence,
        detector=FabricatedFactDetector.name,
        claim_span=span,
        kb=KBEvidence(Stance.UNKNOWN, 1.0),
        is_unverifiable=True,
    )
