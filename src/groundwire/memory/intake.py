"""From candidates to decisions: grounding, type rules, the confidence gate, storage, in this order.

A candidate that fails a stage does not reach the next. Everything after the extractor is deterministic: the same
candidates, source and known facts give the same decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.errors import RejectionError
from groundwire.judge.judge import Judge
from groundwire.memory.candidates import (
    Candidate,
    Extracted,
    Extraction,
    Grounding,
    Proposal,
    Rejection,
    RejectionReason,
    Scoring,
    Similarity,
)
from groundwire.memory.confidence import (
    Agreement,
    Known,
    Outcome,
    compare_known,
    judge_score,
    name_band,
    plan_update,
    score,
    without_known,
)
from groundwire.memory.conversation import Conversation
from groundwire.memory.grounding import Grounder
from groundwire.memory.kinds import RULES, find_violation
from groundwire.memory.sanity import find_nonsense
from groundwire.types import MemoryKind


class Shelf(Protocol):
    """Where decided memories go: `write` returns the id only once the write is acknowledged."""

    def write(self, proposal: Proposal, /) -> str: ...
    def invalidate(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one candidate."""

    outcome: Outcome
    proposal: Proposal | None = None
    rejection: Rejection | None = None


class Intake:
    """The checks behind any extractor, for one conversation and what is known already."""

    def __init__(
        self,
        conversation: Conversation,
        judge: Judge,
        *,
        similarity: Similarity | None = None,
        known_facts: Sequence[str] = (),
        look_up: Callable[[str], Sequence[str]] = lambda _: (),
    ) -> None:
        """`look_up` finds what else is known about a candidate, for a memory too large to be handed in."""
        self._look_up = look_up
        self._grounder = Grounder(conversation, judge, similarity)
        self._judge = judge
        self._known_facts = tuple(known_facts)

    def decide(self, candidate: Candidate) -> Decided:
        """Four defences in a row; each of them alone can refuse."""
        if nonsense := find_nonsense(candidate.text):
            return self._refuse(
                candidate, candidate.kind, RejectionReason.TYPE_RULE, f"semantically_invalid: {nonsense}"
            )
        kind, grounding = self._grounder.ground(candidate)
        violation = find_violation(candidate.text, kind, grounding)
        if not grounding.is_grounded:
            return self._refuse(candidate, kind, _why_ungrounded(grounding), grounding.reason, grounding)
        if violation:
            return self._refuse(candidate, kind, RejectionReason.TYPE_RULE, violation, grounding)
        facts = (*self._known_facts, *self._look_up(candidate.text))
        known = compare_known(candidate.text, facts, grounding, self._judge)
        return self._gate(candidate, kind, grounding, known)

    def admit(self, candidate: Candidate) -> Proposal:
        """The candidate as it may be stored; raises RejectionError for anything else."""
        decided = self.decide(candidate)
        if decided.rejection is not None:
            raise decided.rejection.as_error()
        if decided.outcome is not Outcome.STORE or decided.proposal is None:
            note = decided.proposal.note if decided.proposal else ""
            raise RejectionError(candidate.text, RejectionReason.BELOW_THRESHOLD.value, note)
        return decided.proposal

    def run(self, extracted: Extracted, shelf: Shelf | None = None, *, extractor: str = "") -> Extraction:
        """Decide every candidate, store what passed, and tell whoever caches."""
        candidates = extracted.candidates
        decided = [self.decide(candidate) for candidate in candidates]
        stored = [d.proposal for d in decided if d.proposal is not None and d.outcome is Outcome.STORE]
        if shelf is not None and stored:
            for proposal in stored:
                shelf.write(proposal)
            shelf.invalidate()
        return Extraction(
            stored=tuple(stored),
            proposed=tuple(d.proposal for d in decided if d.proposal is not None and d.outcome is Outcome.PROPOSE),
            rejected=(*extracted.rejected, *(d.rejection for d in decided if d.rejection is not None)),
            log=tuple(_narrate(candidates, decided, extracted.rejected)),
            extractor=extractor,
        )

    def _gate(self, candidate: Candidate, kind: MemoryKind, grounding: Grounding, known: Known) -> Decided:
        scoring = score(candidate, kind, grounding, known)
        outcome = judge_score(kind, scoring.final)
        note = "below the confidence at which a pattern is applied" if outcome is Outcome.PROPOSE else ""
        if known.agreement is Agreement.CONTRADICTED and outcome is not Outcome.STORE:
            alone = judge_score(kind, without_known(scoring, kind))
            if alone is not Outcome.REJECT:
                outcome, note = Outcome.PROPOSE, f"review: contradicts what is known ({known.fact!r})"
        threshold = RULES[kind].threshold
        if outcome is Outcome.REJECT:
            detail = f"{scoring.final:.4g} is below {threshold:.2f}"
            return self._refuse(candidate, kind, RejectionReason.BELOW_THRESHOLD, detail, grounding, scoring)
        band = name_band(scoring.final)
        proposal = Proposal(
            candidate, kind, scoring.final, threshold, scoring, grounding, band, note, plan_update(known), known.fact
        )
        return Decided(outcome, proposal)

    def _refuse(
        self,
        candidate: Candidate,
        kind: MemoryKind,
        reason: RejectionReason,
        detail: str,
        grounding: Grounding | None = None,
        scoring: Scoring | None = None,
    ) -> Decided:
        grounding = grounding or Grounding(None)
        scoring = scoring or score(candidate, kind, grounding)
        details = {**grounding.describe(), "reason": detail, "scoring": scoring.describe()}
        if kind is not candidate.kind:
            details |= {"proposed_type": candidate.kind.value}
        threshold = RULES[kind].threshold
        return Decided(
            Outcome.REJECT, None, Rejection(candidate.text, kind.value, reason, scoring.final, threshold, details)
        )


def _why_ungrounded(grounding: Grounding) -> RejectionReason:
    """Said in the source but not as a fact; made up around something that is there; or not there at all."""
    if grounding.violation:
        return RejectionReason.TYPE_RULE
    return RejectionReason.HALLUCINATION if grounding.touched else RejectionReason.NOT_GROUNDED


def _narrate(candidates: Sequence[Candidate], decided: Sequence[Decided], broken: Sequence[Rejection]) -> list[str]:
    """The stages of a run, every candidate in each that it reached."""
    found = len(candidates) + len(broken)
    lines = ["[EXTRACTION] processing", f"[EXTRACT] found {found} candidates"]
    lines += [f"[VALIDATE] {one.text!r}: FAIL ({one.details.get('reason')})" for one in broken]
    for candidate, one in zip(candidates, decided, strict=True):
        scoring = one.proposal.scoring if one.proposal else None
        outcome = "PASS" if one.proposal else f"FAIL ({one.rejection.reason.value})" if one.rejection else "FAIL"
        shown = f" ({scoring.final:.2f} confidence)" if scoring else ""
        lines.append(f"[VALIDATE] {candidate.kind.value} {candidate.text!r}: {outcome}{shown}")
    for candidate, one in zip(candidates, decided, strict=True):
        if one.proposal is not None:
            verdict = f"{one.proposal.confidence:.2f} >= {one.proposal.threshold:.2f}"
            lines.append(f"[GATE] {one.proposal.kind.value} {candidate.text!r}: {one.outcome.value} ({verdict})")
        elif one.rejection is not None and one.rejection.reason is RejectionReason.BELOW_THRESHOLD:
            verdict = f"{one.rejection.confidence:.2f} < {one.rejection.threshold or 0:.2f}"
            lines.append(f"[GATE] {one.rejection.kind} {candidate.text!r}: reject ({verdict})")
    stored = sum(one.outcome is Outcome.STORE for one in decided)
    return [*lines, f"[STORE] {stored} memories", f"[RESULT] {stored}/{found} extractions stored"]
