"""The cascade of the read gate: rules first, the model for the parts of a claim that they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.decision import PassageScores
from groundwire.judge.findings import Finding
from groundwire.judge.rules import Part
from groundwire.judge.windows import weigh
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.subjects import USER
from groundwire.types import Passage, Verdict

_SETTLED = 0.9
MOST_PASSAGES = 5


class Consultant(Protocol):
    """A model that can be asked what passages say of a claim."""

    @property
    def name(self) -> str: ...

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]: ...


@dataclass(frozen=True, slots=True)
class Query:
    """A claim that rules have left open, with the passages that may speak of it, the likeliest first."""

    claim: str
    passages: tuple[Passage, ...]


def is_exact_amount(finding: Finding) -> bool:
    """Whether arithmetic decided, which may also be that nothing follows."""
    return finding.reason in ("amount_within", "amount_open") or (finding.exact and finding.slot is None)


def is_decided(part: Part) -> bool:
    return any(f.verdict is not Verdict.INSUFFICIENT or is_exact_amount(f) for f in part.findings)


def is_of_another(claim: ReadClaim, passage: ReadPassage, aliases: Aliases) -> bool:
    """Whether the passage speaks of other people alone, which says nothing about this subject (JDG-020)."""
    mine = claim.proposition
    others = [statement.proposition for statement in passage.reading.statements]
    if not others or not _is_person(mine) or mine.subject.casefold() in passage.passage.text.casefold():
        return False
    return all(_is_person(other) and not subjects_match(mine.subject, other.subject, aliases) for other in others)


def _is_person(proposition: Proposition) -> bool:
    """About the user, or about somebody called by name."""
    if proposition.subject == USER:
        return True
    words = proposition.subject_lemmas
    return bool(words) and all(word in proposition.names for word in words)


def rank_passages(claim: str, passages: Sequence[Passage], spoken: Sequence[str]) -> tuple[Passage, ...]:
    """At most five passages: those that rules found to speak of the claim, then by shared words."""
    if len(passages) <= 1:
        return tuple(passages)
    shares = weigh(claim, [passage.text for passage in passages])
    order = sorted(range(len(passages)), key=lambda i: (passages[i].id not in spoken, -shares[i], i))
    return tuple(passages[i] for i in order[:MOST_PASSAGES])


def consult(consultant: Consultant, queries: Sequence[Query]) -> list[tuple[PassageScores, ...]]:
    """Every claim against its likeliest passage first; the others only where that one settles nothing."""
    first = consultant.weigh_evidence([(query.claim, query.passages[:1]) for query in queries])
    open_ones = [
        i
        for i, scores in enumerate(first)
        if len(queries[i].passages) > 1 and not (scores and scores[0].scores.supported >= _SETTLED)
    ]
    more = consultant.weigh_evidence([(queries[i].claim, queries[i].passages) for i in open_ones])
    found = list(first)
    for i, scores in zip(open_ones, more, strict=True):
        found[i] = scores
    return found


def merge(part: Part, scores: Sequence[PassageScores]) -> Part:
    """A part that rules left open, with what the model finds; one that they decided stays as it is."""
    if is_decided(part):
        return part
    return replace(part, findings=tuple(as_finding(score, part) for score in scores) or part.findings)


def as_finding(score: PassageScores, part: Part) -> Finding:
    verdict = score.scores.verdict
    reason = {Verdict.SUPPORTED: "model_supports", Verdict.REFUTED: "model_refutes"}.get(verdict, "model_undecided")
    wrong = None
    if verdict is Verdict.REFUTED:
        wrong = part.argument.span if part.argument else (part.fact.value_span if part.fact else None)
    return Finding(
        verdict, score.scores.of(verdict), reason, score.passage.id, evidence_value=score.quote(verdict), wrong=wrong
    )
