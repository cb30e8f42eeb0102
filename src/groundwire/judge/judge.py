"""The judge's face: a claim and passages in, one verdict with its reasons out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from groundwire.judge.action import MAX_BRANCHES, REFUTE_CONFIDENCE, decide_action
from groundwire.judge.alignment import Aliases
from groundwire.judge.explanation import explain
from groundwire.judge.fallback import compare_surface
from groundwire.judge.findings import Finding
from groundwire.judge.lookalikes import find_unread
from groundwire.judge.parts import Part
from groundwire.judge.reckoning import find_exact, reckon_together
from groundwire.judge.rules import RULES, find_parts
from groundwire.text.reading import ReadPassage, read_text
from groundwire.text.subjects import USER
from groundwire.text.values import Aliases as Spellings
from groundwire.types import Action, Passage, Span, Verdict, VerifierInput, VerifierOutput, VerifyMode

_SURE = 0.7
LOW_CONFIDENCE = 0.6


class Judge(Protocol):
    """Anything that can judge a claim against passages; `name` is recorded with every verdict."""

    @property
    def name(self) -> str: ...

    def judge(self, question: VerifierInput) -> VerifierOutput: ...

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]: ...


@dataclass(frozen=True, slots=True)
class Examined:
    """The rules' finding on a question, the parts it comes from, and whether the claim is about the user alone."""

    finding: Finding
    parts: tuple[Part, ...] = ()
    of_user: bool = False


class RulesJudge:
    """Deterministic, exact where it can be, silent elsewhere. Needs no model."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        refute_confidence: float = REFUTE_CONFIDENCE,
        max_branches: int = MAX_BRANCHES,
        low_confidence: float = LOW_CONFIDENCE,
        spellings: Spellings | None = None,
    ) -> None:
        self._clock = clock
        self._refute_confidence = refute_confidence
        self._max_branches = max_branches
        self._low_confidence = low_confidence
        self._spellings = spellings

    @property
    def name(self) -> str:
        return RULES

    def judge(self, question: VerifierInput) -> VerifierOutput:
        started = self._clock()
        examined = self.examine(question)
        return self.conclude(question, examined, (self._clock() - started) * 1000)

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        return [self.judge(question) for question in questions]

    def conclude(self, question: VerifierInput, examined: Examined, latency_ms: float) -> VerifierOutput:
        """The verdict that the rules' finding stands for."""
        finding, parts = examined.finding, examined.parts
        verdict, confidence = finding.verdict, finding.strength
        return VerifierOutput(
            verdict=verdict,
            confidence=confidence,
            probabilities=spread(verdict, confidence),
            explanation=explain(verdict, finding),
            evidence_used=_used(parts, finding),
            action=self._act(verdict, confidence, question.mode),
            latency_ms=latency_ms,
            judge=self.name,
            reason=finding.reason,
            low_confidence=verdict is Verdict.SUPPORTED and confidence < self._low_confidence,
            conflicting=_all_of(parts) if finding.reason == "conflict" else (),
        )

    def _act(self, verdict: Verdict, confidence: float, mode: VerifyMode) -> Action:
        floor, most = self._refute_confidence, self._max_branches
        return decide_action(verdict, confidence, 0, mode, refute_confidence=floor, max_branches=most)

    def examine(self, question: VerifierInput, *, retells: bool = True) -> Examined:
        """What rules find in the evidence, before anything is made of it; `retells` as in `find_parts`."""
        if not question.evidence:
            return Examined(Finding(Verdict.INSUFFICIENT, 1.0, "no_evidence"))
        amounts = [f for p in question.evidence if (f := find_exact(question.claim, p)) is not None]
        if not amounts and len(question.evidence) > 1:
            order = reckon_together(question.claim, question.evidence)
            amounts = [order] if order is not None else []
        trust = {p.id: p.trust for p in question.evidence}
        if amounts:
            part = Part(None, None, tuple(amounts))
            return Examined(settle(part, trust), (part,))
        reading = read_text(question.claim)
        passages = [ReadPassage(p, read_text(p.text)) for p in question.evidence]
        if not reading.claims:
            found = [f for p in question.evidence if (f := compare_surface(question.claim, p)) is not None]
            part = Part(None, None, tuple(found))
            return Examined(settle(part, trust), (part,))
        aliases = Aliases.learn((fact for p in passages for fact in p.reading.facts), self._spellings)
        parts = tuple(
            part for claim in reading.claims for part in find_parts(claim, passages, aliases, retells=retells)
        )
        if not any(claim.proposition.lemmas for claim in reading.claims):
            found = [f for p in question.evidence if (f := compare_surface(question.claim, p)) is not None]
            parts = (replace(parts[0], findings=tuple(found)), *parts[1:])
        of_user = all(_is_of_user(claim.proposition.subject) for claim in reading.claims)
        settled = worst([settle(part, trust) for part in parts])
        if settled.verdict is Verdict.SUPPORTED:
            unread = find_unread(question.claim, reading.claims, [p.text for p in question.evidence])
            settled = _withhold(settled, unread) if unread is not None else settled
        return Examined(settled, parts, of_user)


def _withhold(finding: Finding, unread: str) -> Finding:
    return Finding(Verdict.INSUFFICIENT, LOW_CONFIDENCE, "detail_missing", finding.passage_id, claim_value=unread)


def _is_of_user(subject: str) -> bool:
    return subject == USER or subject.startswith(f"{USER}'s ")


def settle(part: Part, trust: Mapping[str, float]) -> Finding:
    """One finding for a part: the strongest passage decides, the more trusted one where two disagree."""
    decided = [f for f in part.findings if f.verdict is not Verdict.INSUFFICIENT]
    if not decided:
        return max(
            part.findings,
            key=lambda f: f.strength,
            default=Finding(Verdict.INSUFFICIENT, 0.8, "not_mentioned", missing=_span(part)),
        )
    best = max(decided, key=lambda f: f.strength)
    rivals = [f for f in decided if f.verdict is not best.verdict and f.strength >= _SURE]
    if not rivals or best.strength < _SURE:
        return best
    rival = max(rivals, key=lambda f: trust.get(f.passage_id, 1.0))
    mine = max((f for f in decided if f.verdict is best.verdict), key=lambda f: trust.get(f.passage_id, 1.0))
    difference = trust.get(mine.passage_id, 1.0) - trust.get(rival.passage_id, 1.0)
    if difference == 0:
        return Finding(
            Verdict.INSUFFICIENT,
            0.7,
            "conflict",
            mine.passage_id,
            claim_value=mine.claim_value,
            evidence_value=rival.evidence_value,
        )
    return mine if difference > 0 else rival


def _span(part: Part) -> Span | None:
    if part.argument is not None:
        return part.argument.span
    return part.fact.value_span if part.fact is not None else None


def worst(findings: Sequence[Finding]) -> Finding:
    """A claim is as good as its worst part."""
    for verdict in (Verdict.REFUTED, Verdict.INSUFFICIENT):
        found = [f for f in findings if f.verdict is verdict]
        if found:
            return max(found, key=lambda f: f.strength)
    return min(findings, key=lambda f: f.strength)


def spread(verdict: Verdict, confidence: float) -> dict[Verdict, float]:
    """Probabilities that sum to one; doubt goes mostly to INSUFFICIENT."""
    rest = round(1 - confidence, 4)
    others = [v for v in Verdict if v is not verdict]
    if verdict is Verdict.INSUFFICIENT:
        return {v: (round(confidence, 4) if v is verdict else rest / 2) for v in Verdict}
    soft = Verdict.INSUFFICIENT
    shares = {v: rest * (0.7 if v is soft else 0.3) for v in others}
    return {v: round(confidence, 4) if v is verdict else shares[v] for v in Verdict}


def _all_of(parts: Sequence[Part]) -> tuple[str, ...]:
    return tuple(sorted({f.passage_id for p in parts for f in p.findings}))


def _used(parts: Sequence[Part], finding: Finding) -> tuple[str, ...]:
    if finding.reason == "conflict":
        ids = [f.passage_id for p in parts for f in p.findings if f.verdict is not Verdict.INSUFFICIENT]
    else:
        ids = [f.passage_id for p in parts for f in p.findings if f.verdict is finding.verdict and f.passage_id]
    return tuple(dict.fromkeys(i for i in ids if i))


def as_passages(evidence: Sequence[Passage | str]) -> tuple[Passage, ...]:
    """Plain strings get the ids e1, e2, …"""
    return tuple(p if isinstance(p, Passage) else Passage(f"e{i}", p) for i, p in enumerate(evidence, 1))
