"""What a claim says beside its facts: each detail must be carried by evidence about the same subject."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import covers, relate_arguments
from groundwire.judge.coverage import LIGHT
from groundwire.judge.entailment import compare_propositions
from groundwire.judge.events import tells_same_event
from groundwire.judge.findings import Finding
from groundwire.judge.pairings import find_mispaired
from groundwire.judge.parts import Part, place
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.values import Relation, compare, normalise
from groundwire.types import ExtractedFact, Passage, Tense, Verdict

_RATES = frozenset({"year", "month", "week", "day", "hour", "night"})


def find_details(
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
        rate = argument.role in ("when", "per", "by") and argument.text in _RATES
        if rate or argument.lemmas[-1] in _empty() or argument.role == "like" or not _adds_content(argument, facts):
            continue
        findings: list[Finding] = []
        slots = {f.slot_type for f in facts}
        for read in passages:
            telling = (
                read.passage.id in speaking
                or (argument.is_time and any(f.slot_type in slots for f in read.reading.facts))
                or _schedules(claim.proposition, argument, read, aliases)
            )
            found = _find_detail(claim, argument, read, aliases, speaking=telling)
            if found is not None:
                findings.append(place(found, read.passage.id))
        yield Part(None, argument, tuple(findings))


def _schedules(claim: Proposition, argument: Argument, read: ReadPassage, aliases: Aliases) -> bool:
    """ "The party is on Friday" tells the day of "the party is in Leeds on Friday"."""
    if not argument.is_time or claim.predicate != "be" or claim.subject == USER:
        return False
    return any(
        said.predicate == "be" and not said.negated and said.tense is claim.tense
        and bool(said.arguments) and all(a.is_time for a in said.arguments)
        and subjects_match(claim.subject, said.subject, aliases)
        for said in (statement.proposition for statement in read.reading.statements if not statement.claim.hedged)
    )  # fmt: skip


@cache
def _empty() -> frozenset[str]:
    return frozenset(read_table("grammar")["details"]["empty"])


def find_day(claim: ReadClaim, parts: Sequence[Part], passages: Sequence[ReadPassage]) -> Iterable[Part]:
    """ "You got a job as a nurse yesterday": that you are one does not say since when."""
    speaking = {f.passage_id for part in parts for f in part.findings if f.verdict is Verdict.SUPPORTED}
    for day in _DAYS.intersection(claim.proposition.adverbs) if speaking else ():
        if not any(day in read.passage.text.lower() for read in passages if read.passage.id in speaking):
            told = Finding(Verdict.INSUFFICIENT, 0.6, "detail_missing", min(speaking), exact=True, claim_value=day)
            yield Part(None, None, (told,))


_DAYS = frozenset({"yesterday", "tomorrow", "tonight"})


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
    if argument.role == "after" and claim.proposition.tense is Tense.PAST:  # both are told, and in no order
        heavy = tuple(lemma for a in claim.proposition.arguments for lemma in a.lemmas if lemma not in LIGHT)
    if not argument.is_time and covers(heavy, frozenset[str]().union(*said)):
        return Finding(Verdict.SUPPORTED, 0.85, "detail_found", claim_value=argument.text)
    if not speaking:
        return None
    for proposition in related:
        found = compare_propositions(claim.proposition, proposition, aliases)
        if found is not None and found.verdict is Verdict.REFUTED and found.wrong == argument.span:
            return place(found, read.passage.id, cap=True)
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
