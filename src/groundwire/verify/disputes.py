"""A claim that one memory denies and another bears out in words of its own: the two contradict each other.

"I take 50 mg of sertraline" denies "You take 100 mg of sertraline", and "My sertraline dose is 100 mg" bears it out. No
slot holds both, so that neither is found before an answer uses one of them; to correct it to the other would be to hide
the newer memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from groundwire.errors import ModelUnavailable
from groundwire.evidence.index import EvidenceIndex
from groundwire.judge.alignment import Aliases
from groundwire.judge.consultation import Consultant, is_of_another, rank_passages
from groundwire.judge.coverage import LIGHT
from groundwire.judge.findings import Finding
from groundwire.judge.mismatch import find_mismatch
from groundwire.judge.objections import withhold
from groundwire.judge.parts import Part
from groundwire.text.calendar import read_moment
from groundwire.text.function_words import closed_classes
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, ReadPassage, read_text
from groundwire.text.thesaurus import concept
from groundwire.text.values import key
from groundwire.types import ContradictionDetail, MemoryStatus, Passage, Tense, Verdict
from groundwire.verify.asking import exclude_each_other
from groundwire.verify.changes import names, tells
from groundwire.verify.contradictions import is_below
from groundwire.verify.several import happens_to_many, is_among_several

_BORNE_OUT, _EXCLUDED = 0.6, 0.7
_MOST, _MOST_ASKED = 2, 12


@dataclass(frozen=True)
class View:
    """The memories, what is known of them, from which trust on one counts and how far two of equal standing differ."""

    index: EvidenceIndex
    aliases: Aliases
    known: tuple[ContradictionDetail, ...]
    trust: float
    gap: float
    additive: Sequence[str] = ()
    """Slots of which the deployment says that there may be several values."""

    @cached_property
    def disputed(self) -> frozenset[str]:
        """Memories of which it is known already."""
        return frozenset(memory_id for one in self.known for memory_id in one.memory_ids)

    def rivals(self, read: ReadClaim, memory_id: str, spoken: Set[str]) -> Iterator[ReadPassage]:
        """Memories of equal standing that have not spoken yet and do not speak of somebody else."""
        mine = self.index.memories[memory_id]
        for passage in self.index.select(read):
            other = self.index.memories[passage.passage.id]
            equal = min(mine.trust, other.trust) >= self.trust and is_below(abs(mine.trust - other.trust), self.gap)
            free = other.id not in spoken and other.status is MemoryStatus.ACTIVE
            if equal and free and not is_of_another(read, passage, self.aliases):
                yield passage


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked of a memory about a part of a claim, and what another memory said of that part."""

    claim: int
    part: int
    finding: Finding
    rival: Passage


def find_disputes(
    consultant: Consultant, claims: Sequence[ReadClaim], found: Sequence[tuple[Part, ...]], view: View
) -> tuple[list[tuple[Part, ...]], tuple[ContradictionDetail, ...]]:
    """What was found, with what the other side says of it; and the contradictions that this lays bare."""
    merged = list(found)
    try:
        disputes = [*_back_denied(consultant, claims, merged, view), *_deny_backed(consultant, claims, merged, view)]
    except ModelUnavailable:
        return list(found), ()
    told = {frozenset(one.memory_ids) for one in view.known}
    fresh = {ids: one for one in reversed(disputes) if (ids := frozenset(one.memory_ids)) not in told}
    return merged, tuple(reversed(fresh.values()))


def _back_denied(
    consultant: Consultant, claims: Sequence[ReadClaim], merged: list[tuple[Part, ...]], view: View
) -> Iterator[ContradictionDetail]:
    """Parts that a memory denies: does another one bear them out?"""
    questions = [
        question
        for i, (read, parts) in enumerate(zip(claims, merged, strict=True))
        for question in _ask_about(i, read, parts, view)
    ]
    said = consultant.weigh_evidence([(claims[q.claim].claim.text, (q.rival,)) for q in questions]) if questions else ()
    for question, scores in zip(questions, said, strict=True):
        read, support = claims[question.claim], scores[0].scores.supported if scores else 0.0
        if support < _BORNE_OUT or withhold(read.claim.text, question.rival, support) is not None:
            continue
        backed = Finding(Verdict.SUPPORTED, support, "same_statement", question.rival.id, exact=True)
        against, own = view.index.memories[question.finding.passage_id].text, question.finding.claim_value
        if _are_of_two_times(read, own, against, question.rival.text):
            if _is_over(against):
                _add(merged, question, backed, instead=True)
            continue
        _add(merged, question, backed)
        told = names(question.rival.text, question.finding.evidence_value)  # it tells the change itself
        if not told and question.finding.passage_id not in view.disputed:
            values = question.finding.claim_value, question.finding.evidence_value
            yield _detail(read, merged[question.claim][question.part], question, values, view)


def _deny_backed(
    consultant: Consultant, claims: Sequence[ReadClaim], merged: list[tuple[Part, ...]], view: View
) -> Iterator[ContradictionDetail]:
    """Parts that a memory bears out: does it exclude the nearest of the others, and that one it?"""
    used = {f.passage_id for parts in merged for part in parts for f in part.findings if f.verdict is Verdict.SUPPORTED}
    asked = (_ask_against(i, read, merged[i], view, used) for i, read in enumerate(claims))
    questions = [question for question in asked if question is not None][:_MOST_ASKED]
    held = [view.index.memories[question.finding.passage_id].text for question in questions]
    pairs = zip(held, questions, strict=True)
    said = consultant.weigh_evidence([(text, (q.rival,)) for text, q in pairs]) if questions else ()
    for question, text, scores in zip(questions, held, said, strict=True):
        read, values = claims[question.claim], _find_values(claims[question.claim], question.rival)
        if values is None or names(text, values[1]) or not scores or scores[0].scores.refuted < _EXCLUDED:
            continue
        if not exclude_each_other(consultant, [(text, question.rival.text)], _EXCLUDED):
            continue
        part = merged[question.claim][question.part]
        where = part.fact.value_span if part.fact is not None else part.argument.span if part.argument else None
        denial = Finding(
            Verdict.REFUTED, scores[0].scores.refuted, "other_value", question.rival.id, exact=True,
            claim_value=values[0], evidence_value=values[1], wrong=where,
        )  # fmt: skip
        _add(merged, question, replace(question.finding, exact=True), denial)
        yield _detail(read, part, question, values, view)


def _add(merged: list[tuple[Part, ...]], question: _Question, *findings: Finding, instead: bool = False) -> None:
    """The findings beside what was found, or in the place of what tells of another time."""
    parts = merged[question.claim]
    kept = () if instead else parts[question.part].findings
    part = replace(parts[question.part], findings=(*kept, *findings))
    merged[question.claim] = (*parts[: question.part], part, *parts[question.part + 1 :])


def _ask_against(number: int, read: ReadClaim, parts: Sequence[Part], view: View, used: Set[str]) -> _Question | None:
    """The nearest memory of equal standing that speaks of the same things, has another value and is not used."""
    if read.claim.hedged or read.proposition.tense is not Tense.PRESENT or read.proposition.modal:
        return None
    if not parts or any(all(f.verdict is not Verdict.SUPPORTED for f in part.findings) for part in parts):
        return None
    backing = [f for f in parts[0].findings if f.verdict is Verdict.SUPPORTED and f.passage_id not in view.disputed]
    best = max(backing, key=lambda f: (f.exact, f.strength), default=None)
    fact = next(iter(read.facts), None)
    if best is None or fact is None or fact.slot_type in view.additive:
        return None
    mine = view.index.memories[best.passage_id]
    if mine.timestamp is None or _tells_of_several(mine.text):
        return None
    topic = _topic(read.proposition, *(statement.proposition for statement in read_text(mine.text).statements))
    denying = [f.passage_id for part in parts for f in part.findings if f.verdict is Verdict.REFUTED]
    rivals = [
        passage.passage for passage in view.rivals(read, best.passage_id, used | view.disputed)
        if passage.passage.timestamp not in (None, mine.timestamp)  # nobody contradicts themselves in one breath
        and (not names(passage.passage.text, fact.raw) or _differs_in_value(read, passage.passage))
        and not (happens_to_many(fact) and any(f.slot_type == fact.slot_type for f in passage.reading.facts))
        and (passage.passage.id in denying or _speaks_of(passage, topic))
    ]  # fmt: skip
    near = rank_passages(read.claim.text, rivals, denying)[:1]
    return _Question(number, 0, best, near[0]) if near else None


def _differs_in_value(read: ReadClaim, rival: Passage) -> bool:
    """ "My account at ING", where the other has "my account at Rabobank": not the account is another one."""
    mismatch = find_mismatch(read.claim.text, rival.text)
    return mismatch is not None and mismatch.is_value


def _tells_of_several(text: str) -> bool:
    return any(is_among_several(fact, text) for fact in read_text(text).facts)


def _topic(*said: Proposition) -> frozenset[str]:
    return frozenset(concept(lemma) for one in said for lemma in one.lemmas - LIGHT)


def _speaks_of(passage: ReadPassage, topic: frozenset[str]) -> bool:
    """Whether it tells of the present, and of something that the other tells of, too."""
    said = [statement.proposition for statement in passage.reading.statements if not statement.claim.hedged]
    return any(one.tense is Tense.PRESENT and not one.modal for one in said) and not topic.isdisjoint(_topic(*said))


def _find_values(read: ReadClaim, rival: Passage) -> tuple[str, str] | None:
    """What the claim says, and what the other memory has in its place."""
    mine, theirs = next(iter(read.facts), None), read_text(rival.text).facts
    if mine is None or not theirs:
        return None
    mismatch = find_mismatch(read.claim.text, rival.text)
    if names(rival.text, mine.raw) and mismatch is not None and mismatch.is_value:
        return mismatch.mine, mismatch.theirs
    other = next((fact for fact in theirs if fact.slot_type == mine.slot_type), None) or next(
        (fact for fact in theirs if mismatch is not None and names(mismatch.theirs, fact.raw)), theirs[0]
    )
    written = names(rival.text, other.raw) and not closed_classes().keys() >= set(other.raw.lower().split())
    return (mine.raw, other.raw) if written and key(mine.raw) != key(other.raw) else None


def _ask_about(number: int, read: ReadClaim, parts: Sequence[Part], view: View) -> Iterator[_Question]:
    """Memories of equal standing that have the very value for which another denies a part."""
    for k, part in enumerate(parts):
        denial = _find_denial(part, view)
        if denial is None:
            continue
        spoken = {finding.passage_id for finding in part.findings if finding.verdict is not Verdict.INSUFFICIENT}
        rivals = [
            passage.passage for passage in view.rivals(read, denial.passage_id, spoken)
            if tells(passage.passage.text, denial.claim_value, (denial.evidence_value,))
        ]  # fmt: skip
        for rival in rank_passages(read.claim.text, rivals, ())[:_MOST]:
            yield _Question(number, k, denial, rival)


def _are_of_two_times(read: ReadClaim, value: str, one: str, other: str) -> bool:
    """What was so until 2022 does not contradict what has been so since, nor the year of one thing that of another."""
    if read.proposition.tense is Tense.PRESENT and _is_over(one) is not _is_over(other):
        return True
    said = [statement.proposition for text in (one, other) for statement in read_text(text).statements]
    return read_moment(value.lower()) is not None and len(said) > 1 and _topic(said[0]).isdisjoint(_topic(*said[1:]))


def _is_over(text: str) -> bool:
    """ "Until 2022 we sat in Leeds"."""
    facts = read_text(text).facts
    ends = [f.when is not None and f.when.split()[0].lower() in ("until", "till", "before") for f in facts]
    return bool(facts) and all(fact.tense is Tense.PAST for fact in facts) and any(ends)


def _find_denial(part: Part, view: View) -> Finding | None:
    """What a trusted memory has in the place of a value, where no memory bears the value out."""
    if any(finding.verdict is Verdict.SUPPORTED for finding in part.findings):
        return None
    if part.fact is not None and part.fact.tense is not Tense.PRESENT:
        return None
    denials = [f for f in part.findings if f.verdict is Verdict.REFUTED and f.claim_value and f.evidence_value]
    trusted = [f for f in denials if view.index.memories[f.passage_id].trust >= view.trust and not f.former]
    return max(trusted, key=lambda f: (f.exact, f.strength), default=None)


def _detail(
    read: ReadClaim, part: Part, question: _Question, values: tuple[str, str], view: View
) -> ContradictionDetail:
    """`values` are the claim's and the other one; which memory has which is told by what was said of the claim."""
    fact = part.fact or next((fact for fact in read.facts if names(fact.raw, values[0])), None)
    first, second = view.index.memories[question.finding.passage_id], view.index.memories[question.rival.id]
    backed = question.finding.verdict is Verdict.SUPPORTED
    sides = [(values[0], first), (values[1], second)] if backed else [(values[1], first), (values[0], second)]
    sides.sort(key=lambda side: (side[1].timestamp is not None, side[1].timestamp or 0))
    return ContradictionDetail(
        slot_type=fact.slot_type if fact is not None else read.proposition.predicate,
        values=tuple(value for value, _ in sides),
        memory_ids=tuple(memory.id for _, memory in sides),
        trust_scores=tuple(memory.trust for _, memory in sides),
        timestamps=tuple(memory.timestamp for _, memory in sides),
        subject=fact.subject if fact is not None else read.proposition.subject,
    )
