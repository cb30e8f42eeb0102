"""The rule judge: every part of a claim against every passage, by slot, by structure, by words.

A claim with several facts ("a nurse at Mercy Hospital in Leeds") is judged fact by fact, so that a
partly wrong claim names its wrong part, and two passages may each carry a half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import covers, relate_arguments
from groundwire.judge.coverage import LIGHT, compare_words
from groundwire.judge.entailment import compare_propositions
from groundwire.judge.events import tells_same_event
from groundwire.judge.findings import Finding
from groundwire.judge.having import find_presupposed
from groundwire.judge.measured import find_measured_order
from groundwire.judge.objections import find_small_words_in
from groundwire.judge.pairings import find_mispaired
from groundwire.judge.reprieves import reprieve
from groundwire.judge.slots import TAKING_IN, compare_diets, compare_facts
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.subjects import USER
from groundwire.text.values import Relation, compare, normalise
from groundwire.types import ExtractedFact, Passage, Span, Tense, Verdict

RULES = "rules.v1"
_CAP = 0.69
"""A refutation that rests on no exact rule may not halt anything."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim that can be right or wrong by itself, with what the evidence says of it."""

    fact: ExtractedFact | None
    argument: Argument | None
    findings: tuple[Finding, ...]


def find_parts(claim: ReadClaim, passages: Sequence[ReadPassage], aliases: Aliases) -> tuple[Part, ...]:
    """Judge each fact of the claim, then whatever the facts leave unsaid; no support stands against an objection."""
    by_id = {read.passage.id: read.passage for read in passages}
    compared = len(passages) > 1 and " than " in claim.claim.text
    if compared and (order := find_measured_order(claim.claim.text, *by_id.values())) is not None:
        return (Part(None, None, (order,)),)
    return tuple(_examine(part, claim, by_id) for part in _find_parts(claim, passages, aliases))


def _examine(part: Part, claim: ReadClaim, passages: Mapping[str, Passage]) -> Part:
    objections = {
        f.passage_id: found
        for f in part.findings
        if f.verdict is Verdict.SUPPORTED
        and f.passage_id in passages
        and (found := find_small_words_in(claim, passages[f.passage_id])) is not None
    }
    for f in part.findings:
        soft = f.verdict is Verdict.REFUTED and not f.exact and f.reason in _REPRIEVED and f.passage_id in passages
        if soft and (found := reprieve(claim.proposition, claim.claim.text, passages[f.passage_id])) is not None:
            objections[f.passage_id] = found
    if not objections:
        return part
    return replace(part, findings=tuple(objections.get(f.passage_id, f) for f in part.findings))


_REPRIEVED = frozenset({"other_value", "other_time", "opposite", "opposite_word", "words_denied"})
"""Reasons of refutations that rest on two wordings, which may tell of two things."""


def _find_parts(claim: ReadClaim, passages: Sequence[ReadPassage], aliases: Aliases) -> tuple[Part, ...]:
    named = [fact for fact in claim.facts if fact.pattern != "predicate"]
    assumed = [fact for fact in named if _is_assumed(fact)]
    whole: list[Finding] | None = None
    if len(named) == len(assumed):
        whole = _combine(list(_find_whole(claim, passages, aliases)))
        own = next((fact for fact in claim.facts if fact not in assumed), None)
        parts: list[Part] = [Part(own, None, tuple(whole))]
        parts.extend(Part(fact, None, tuple(_find_fact(fact, passages, aliases))) for fact in assumed)
        return tuple(p for p in parts if p.fact not in assumed or p.findings)
    parts = []
    for fact in named:
        if fact in assumed:
            continue
        findings = _without_agreed(list(_find_fact(fact, passages, aliases)), claim, passages, aliases)
        if not any(f.verdict is not Verdict.INSUFFICIENT for f in findings):
            whole = whole if whole is not None else [f for f in _find_whole(claim, passages, aliases) if _is_usable(f)]
            findings.extend(whole)
        parts.append(Part(fact, None, tuple(findings)))
    parts.extend(_find_details(claim, named, parts, passages, aliases))
    return tuple(parts)


def _without_agreed(
    findings: list[Finding], claim: ReadClaim, passages: Sequence[ReadPassage], aliases: Aliases
) -> list[Finding]:
    """ "Room 204 on the second floor" has another value than "the second floor" and says the same all the same."""
    rivals = {f.passage_id for f in findings if f.verdict is Verdict.REFUTED and f.reason == "other_value"}
    if not rivals:
        return findings
    mine = claim.proposition
    agreed = {
        read.passage.id
        for read in passages
        if read.passage.id in rivals
        for other in read.reading.statements
        if other.proposition.subject == mine.subject and _says_same(mine, other, aliases)
    }
    same = [Finding(Verdict.SUPPORTED, 0.9, "same_statement", id) for id in sorted(agreed)]
    return [*(f for f in findings if f.passage_id not in agreed), *same]


def _says_same(mine: Proposition, other: ReadClaim, aliases: Aliases) -> bool:
    found = compare_propositions(mine, other.proposition, aliases) if not other.claim.hedged else None
    return found is not None and found.verdict is Verdict.SUPPORTED


def _combine(findings: list[Finding]) -> list[Finding]:
    """Place in one memory, date in another: together they carry what neither does alone."""
    partial = [f for f in findings if f.gaps]
    decided = any(f.verdict is not Verdict.INSUFFICIENT for f in findings)
    common = frozenset(partial[0].gaps).intersection(*(f.gaps for f in partial[1:])) if partial else frozenset[Span]()
    if decided or len(partial) < 2 or common:
        return findings
    whole = [replace(f, verdict=Verdict.SUPPORTED, strength=0.8, reason="combined", missing=None) for f in partial]
    return [*findings, *whole]


def _is_assumed(fact: ExtractedFact) -> bool:
    """ "Your son Theo is in third grade" takes for granted that the son is Theo."""
    return fact.pattern.startswith("my ") and not fact.pattern.endswith("is VALUE")


def _is_usable(finding: Finding) -> bool:
    return finding.verdict is Verdict.SUPPORTED or (
        finding.verdict is Verdict.REFUTED
        and finding.reason in ("opposite", "words_denied", "opposite_word", "other_value")
    )


def _find_fact(fact: ExtractedFact, passages: Iterable[ReadPassage], aliases: Aliases) -> Iterable[Finding]:
    for read in passages:
        best: Finding | None = None
        for evidence in read.reading.facts:
            if evidence.pattern == "predicate":
                continue
            found = compare_facts(fact, evidence, aliases)
            if found is not None and (best is None or _rank(found) > _rank(best)):
                best = found
        if best is not None:
            yield _place(best, read.passage.id)


def _place(found: Finding, passage_id: str, *, wrong: Span | None = None, cap: bool = False) -> Finding:
    """The finding as one of a passage; every comparison comes by here, and `replace` takes four times as long."""
    soft = cap and found.verdict is Verdict.REFUTED and not found.exact
    return Finding(
        found.verdict, min(found.strength, _CAP) if soft else found.strength, found.reason, passage_id, found.exact,
        found.former, found.slot, found.claim_value, found.evidence_value, found.wrong or wrong, found.missing,
        found.gaps, found.exchange,
    )  # fmt: skip


_RANKS = {Verdict.SUPPORTED: 2, Verdict.REFUTED: 1, Verdict.INSUFFICIENT: 0}


def _rank(finding: Finding) -> tuple[int, float]:
    """Within one passage, agreement outranks denial, and both outrank silence."""
    return _RANKS[finding.verdict], finding.strength


def _find_whole(claim: ReadClaim, passages: Iterable[ReadPassage], aliases: Aliases) -> Iterable[Finding]:
    for read in passages:
        best: Finding | None = None
        for evidence in read.reading.statements:
            if evidence.claim.hedged:
                continue
            found = compare_propositions(claim.proposition, evidence.proposition, aliases)
            if found is not None and (best is None or _rank(found) > _rank(best)):
                best = found
        if best is None or best.verdict is Verdict.INSUFFICIENT:
            presupposed = find_presupposed(claim.proposition, read.passage, aliases)
            best = presupposed or _find_implied(claim, read, aliases) or best
        if best is None or best.verdict is Verdict.INSUFFICIENT:
            words = compare_words(claim, read.reading, aliases)
            if words is not None and (best is None or not best.former):
                best = words
        if best is not None:
            yield _place(best, read.passage.id, wrong=_fault(claim, best), cap=True)


def _find_implied(claim: ReadClaim, read: ReadPassage, aliases: Aliases) -> Finding | None:
    """Somebody allergic to nuts does not eat them."""
    for fact in [fact for fact in claim.facts if fact.slot_type in TAKING_IN]:
        for evidence in read.reading.facts:
            found = compare_diets(fact, evidence, aliases)
            if found is not None:
                return found
    return None


def _fault(claim: ReadClaim, finding: Finding) -> Span | None:
    return claim.claim.span if finding.verdict is Verdict.REFUTED else None


_VAGUE = frozenset(
    {
        "today",
        "now",
        "time",
        "moment",
        "day",
        "currently",
        "case",
        "fact",
        "way",
        "course",
        "record",
        "note",
        "memory",
        "chat",
        "conversation",
        "example",
        "least",
        "total",
        "general",
        "particular",
        "information",
        "update",
        "entry",
        "file",
        "past",
        "side",
    }
)


def _find_details(
    claim: ReadClaim,
    facts: Sequence[ExtractedFact],
    parts: Sequence[Part],
    passages: Sequence[ReadPassage],
    aliases: Aliases,
) -> Iterable[Part]:
    """Arguments that no fact covers: each must be carried by evidence about the same subject."""
    spans = [f.value_span for f in facts]
    speaking = {f.passage_id for part in parts for f in part.findings}
    for argument in claim.proposition.arguments:
        if any(argument.span.start < s.end and s.start < argument.span.end for s in spans) or not argument.lemmas:
            continue
        if (
            argument.is_time
            and argument.role in ("until", "till", "before")
            and any(f.tense is Tense.PAST for f in facts)
            and not _is_bounded(argument, [read for read in passages if read.passage.id in speaking])
        ):
            continue
        rate = argument.role in ("when", "per", "by") and argument.text in (
            "year",
            "month",
            "week",
            "day",
            "hour",
            "night",
        )
        if rate or argument.lemmas[-1] in _VAGUE or argument.role == "like" or not _adds_content(argument, facts):
            continue
        findings: list[Finding] = []
        slots = {f.slot_type for f in facts}
        for read in passages:
            telling = read.passage.id in speaking or (
                argument.is_time and any(f.slot_type in slots for f in read.reading.facts)
            )
            found = _find_detail(claim, argument, read, aliases, speaking=telling)
            if found is not None:
                findings.append(_place(found, read.passage.id))
        yield Part(None, argument, tuple(findings))


def _is_bounded(argument: Argument, passages: Iterable[ReadPassage]) -> bool:
    """Whether a passage says as well until when; otherwise the end alone is told by the past tense."""
    said = (a for read in passages for s in read.reading.statements for a in s.proposition.arguments)
    return any(other.is_time and other.role == argument.role for other in said)


def _adds_content(argument: Argument, facts: Sequence[ExtractedFact]) -> bool:
    """The head noun that only carries a value ("a job at X") adds nothing."""
    if any(normalise(argument.text) == normalise(f.subject) for f in facts):
        return False
    carriers = {w for f in facts for w in f.pattern.replace("<", " ").replace(">", " ").replace("|", " ").split()}
    last = argument.text.lower().rsplit(" ", 1)[-1]
    return carriers.isdisjoint((argument.lemmas[-1], last)) and not set(argument.lemmas) <= carriers


def _find_related(claim: ReadClaim, argument: Argument, read: ReadPassage, aliases: Aliases) -> list[Proposition]:
    """What the passage says of the claim's subject."""
    subject = claim.proposition.subject
    owned = subject.startswith("user's ")
    return [
        c.proposition for c in read.reading.statements
        if subjects_match(subject, c.proposition.subject, aliases)
        or (owned and c.proposition.subject == USER)
        or any(a.role == "object" and subjects_match(subject, a.text, aliases) for a in c.proposition.arguments)
        or (not argument.is_time and c.proposition.subject.startswith(f"{subject}'s "))
    ]  # fmt: skip


def _find_detail(
    claim: ReadClaim, argument: Argument, read: ReadPassage, aliases: Aliases, *, speaking: bool
) -> Finding | None:
    if argument.is_time and not speaking:
        return None
    related = _find_related(claim, argument, read, aliases)
    heavy = tuple(lemma for lemma in argument.lemmas if lemma not in LIGHT) or argument.lemmas
    said = [s.proposition.lemmas for s in read.reading.statements] if related else []
    if related and find_mispaired(claim.proposition, related) is argument:
        return None
    if not argument.is_time and covers(heavy, frozenset[str]().union(*said)):
        return Finding(Verdict.SUPPORTED, 0.85, "detail_found", claim_value=argument.text)
    if not speaking:
        return None
    for proposition in related:
        found = compare_propositions(claim.proposition, proposition, aliases)
        if found is not None and found.verdict is Verdict.REFUTED and found.wrong == argument.span:
            return _place(found, read.passage.id, cap=True)
    others = [
        o
        for p in related
        for o in p.arguments
        if argument.is_time == o.is_time
        and (argument.is_time or argument.role == o.role)
        and (not argument.is_time or _tells_event(claim, p))
    ]
    relations = [relate_arguments(argument, other) for other in others]
    for other, relation in zip(others, relations, strict=True):
        if relation in (Relation.EQUAL, Relation.GENERALISES):
            return Finding(Verdict.SUPPORTED, 0.9, "detail_found", claim_value=argument.text, evidence_value=other.text)
    if argument.is_time and _was_recorded(argument, read.passage):
        return Finding(Verdict.SUPPORTED, 0.8, "detail_found", claim_value=argument.text)
    for other, relation in zip(others, relations, strict=True):
        if relation is Relation.DIFFERENT and argument.is_time and _is_clock(argument) == _is_clock(other):
            return Finding(
                Verdict.REFUTED,
                0.85,
                "other_time",
                claim_value=argument.text,
                evidence_value=other.text,
                wrong=argument.span,
                exchange=argument.role == other.role,
            )
    return None


def _tells_event(claim: ReadClaim, other: Proposition) -> bool:
    """Whether a time of the other statement is one of what the claim tells; "tennis on Fridays" is not work."""
    if other.is_fragment or tells_same_event(claim.proposition, other):
        return True
    named = {word for fact in claim.facts if fact.pattern != "predicate" for word in fact.value.lower().split()}
    return not named.isdisjoint(other.lemmas)


def _is_clock(argument: Argument) -> bool:
    text = argument.text.lower()
    return ":" in text or text.endswith(("am", "pm", "a.m.", "p.m.", "o'clock", "noon", "midnight"))


def _was_recorded(argument: Argument, passage: Passage) -> bool:
    """ "since March" is told by the date of the memory itself."""
    if passage.timestamp is None:
        return False
    recorded = datetime.fromtimestamp(passage.timestamp, tz=UTC)
    return compare(argument.text, f"{recorded.day} {recorded:%B %Y}").relation in (Relation.EQUAL, Relation.GENERALISES)
