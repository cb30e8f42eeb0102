"""Branching: a halted answer is asked for again, with other sampling and with guidance, until one passes.

Without input and output: `next_request` says what to ask for, `offer` takes what came, `conclude` decides. The counter
belongs to the request and never starts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from groundwire.guard.events import Abstain, Branch, Halt, StreamEvent, refuted, tell_text
from groundwire.guard.guidance import describe_faults, is_echo, may_decline
from groundwire.guard.noting import VerdictNotes
from groundwire.guard.policy import GuardOptions, OnRefuted, OnUndisclosed, OnUnverified
from groundwire.guard.protocols import (
    AbstentionRecord,
    BranchRecord,
    Check,
    Checked,
    GuardLog,
    Guidance,
    Regeneration,
)
from groundwire.guard.stream import StreamGuard, explain, find_unverified
from groundwire.judge.action import MAX_BRANCHES
from groundwire.types import Action, ClaimReport, Scope, Span, Verdict, VerificationReport, VerifyMode
from groundwire.verify.excerpts import WHOLE

SAMPLING: tuple[Mapping[str, float], ...] = (
    {"temperature": 0.2, "top_p": 0.9, "seed": 1},
    {"temperature": 0.7, "top_p": 0.95, "seed": 2},
    {"temperature": 1.0, "top_p": 1.0, "seed": 3},
)

ANYBODY = Scope("user", "default")


@dataclass(frozen=True, slots=True)
class Request:
    """What is known of the request that a stream answers."""

    id: str = ""
    query: str = ""
    scope: Scope = ANYBODY
    max_branches: int = MAX_BRANCHES


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int
    text: str
    checked: Checked

    @property
    def report(self) -> VerificationReport:
        return self.checked.report

    @property
    def is_answer(self) -> bool:
        """What claims nothing is the generator's own way to abstain, and is told as an abstention."""
        return bool(self.report.claims)

    @property
    def is_refuted(self) -> bool:
        return bool(refuted(self.report.claims, self.checked.threshold))

    @property
    def rank(self) -> tuple[int, int, float, int]:
        """Fewest refuted, fewest without evidence, highest confidence, earliest."""
        counts = count(self.report.claims)
        return counts[Verdict.REFUTED], counts[Verdict.INSUFFICIENT], -self.report.confidence, self.number


class Branching:
    """The branches of one request, after its stream was halted."""

    def __init__(
        self,
        check: Check,
        halt: Halt,
        report: VerificationReport,
        request: Request,
        options: GuardOptions,
        *,
        released: str = "",
        evidence: Mapping[str, str] | None = None,
        guidance: Guidance | None = None,
        log: GuardLog | None = None,
        now: Callable[[], datetime],
        open_notes: Callable[[], VerdictNotes | None] = lambda: None,
    ) -> None:
        self._check = check
        self._halt = halt
        self._report = report
        self._request = request
        self._options = options
        self._released = released
        self._evidence = evidence or {}
        self._guide = guidance
        self._log = log
        self._now = now
        self._open_notes = open_notes
        self._candidates: list[_Candidate] = []
        self._before = count(halt.claims)
        self._is_settled = not halt.may_branch
        self.branch_count = 0

    def next_request(self) -> Regeneration | None:
        """What to ask for next; None when one has passed, or no branch is left."""
        if self._is_settled or self.branch_count >= self._request.max_branches:
            return None
        if self._guide is not None:
            guidance = self._guide(self._report)
        else:
            guidance = describe_faults(self._report, self._evidence)
        guidance = "\n".join(part for part in (guidance, self._halt.guidance) if part)
        sampling = SAMPLING[self.branch_count % len(SAMPLING)]
        number = self.branch_count + 1
        return Regeneration(number, guidance, sampling, self._released, self._request.query, self._request.id)

    def offer(self, text: str) -> Branch:
        """Verify what came; it passes when nothing in it asks for another branch."""
        if self._guide is None and is_echo(text, self._report):
            return self.fail("the guidance came back in the place of an answer")
        self.branch_count += 1
        checked = self._check(text, WHOLE, mode=VerifyMode.POSTHOC, branch_count=self.branch_count)
        self._note(checked.report)
        candidate = _Candidate(self.branch_count, text, checked)
        if not candidate.is_answer:
            return self._decline()
        self._candidates.append(candidate)
        self._report, self._evidence = checked.report, checked.evidence
        after = count(checked.report.claims)
        improved = _worth(after) < _worth(self._before)
        self._is_settled = not candidate.is_refuted and self._decide(checked) is Action.CONTINUE
        self._record(after, improved=improved)
        self._before = after
        reason = explain(refuted(checked.report.claims)) or explain(find_unverified(checked.report.claims))
        return Branch(self._nowhere, self.branch_count, claims=checked.report.claims, reason=reason, improved=improved)

    def _decline(self) -> Branch:
        """The generator has no answer either. Where none is known, that is better than one and the end of it; where
        memory has the right words, nothing is gained and it is asked once more."""
        self._is_settled = may_decline(self._report)
        self._record(count(()) if self._is_settled else self._before, improved=self._is_settled)
        return Branch(self._nowhere, self.branch_count, reason="nothing was claimed", improved=self._is_settled)

    def fail(self, reason: str) -> Branch:
        """Nothing came: the branch is used up and improves nothing."""
        self.branch_count += 1
        self._record(self._before, improved=False)
        return Branch(self._nowhere, self.branch_count, reason=reason)

    def _note(self, report: VerificationReport) -> None:
        if (notes := self._open_notes()) is not None:
            notes.add(report)
            notes.write_down()

    def conclude(self) -> StreamEvent:
        """The best candidate, or the abstention where each of them is still refuted, or none of them an answer."""
        passing = [candidate for candidate in self._candidates if not candidate.is_refuted]
        if not passing:
            return self._abstain()
        best = min(passing, key=lambda candidate: candidate.rank)
        text = self._prepare(best.text)
        start = 0
        if self._released and text.startswith(self._released):
            start, text = self._halt.released, text[len(self._released) :]
        caveat = tuple(claim.text for claim in find_unverified(best.report.claims))
        reason = "passed" if self._is_settled else "the best of the branches"
        end = max(self._halt.span.end, self._halt.released)
        return Branch(
            Span(start, end), best.number, text, best.report.claims, reason, is_accepted=True, caveat=caveat
        )  # fmt: skip

    @property
    def _nowhere(self) -> Span:
        return Span(self._halt.released, self._halt.released)

    def _decide(self, checked: Checked) -> Action:
        """A refutation that is not sure enough for the raised threshold asks for no branch."""
        claims = checked.report.claims
        if any(c.action is not Action.CONTINUE for c in claims if c.verdict is Verdict.INSUFFICIENT):
            return Action.BRANCH
        return Action.BRANCH if checked.report.disclosures else Action.CONTINUE

    def _prepare(self, text: str) -> str:
        """As the options want it shown: doubtful refutations mended, claims without evidence marked."""
        unverified = self._options.on_unverified
        if unverified in (OnUnverified.BRANCH, OnUnverified.ABSTAIN):
            unverified = OnUnverified.ANNOTATE
        undisclosed = self._options.undisclosed
        options = replace(
            self._options,
            refuted=OnRefuted.REPAIR,
            unverified=unverified,
            undisclosed=OnUndisclosed.INSERT if undisclosed is OnUndisclosed.BRANCH else undisclosed,
            fail_closed=False,
        )
        guard = StreamGuard(self._check, options)
        return tell_text([*guard.feed(text), *guard.flush()])

    def _abstain(self) -> Abstain:
        at_fault = self._find_faults()
        reason = " ".join(list(dict.fromkeys(claim.explanation for claim in at_fault))[:3]) or self._halt.reason
        evidence = tuple(dict.fromkeys(id for claim in at_fault for id in claim.evidence))
        span = Span(self._halt.released, max(self._halt.span.end, self._halt.released))
        request, text = self._request, word_abstention(self._options.abstention, reason)
        if self._log is not None:
            self._log.record_abstention(
                AbstentionRecord(
                    request_id=request.id,
                    query=request.query,
                    reason=reason,
                    claims=at_fault,
                    evidence=evidence,
                    branch_count=self.branch_count,
                    recorded_at=self._now(),
                    scope=request.scope,
                )
            )
        return Abstain(span, text, at_fault, reason, evidence, self.branch_count, request.id)

    def _find_faults(self) -> tuple[ClaimReport, ...]:
        """What was refuted in the halted stream and in every branch, each once."""
        found = [*self._halt.claims, *(c for candidate in self._candidates for c in refuted(candidate.report.claims))]
        return tuple({claim.text: claim for claim in reversed(found)}.values())[::-1]

    def _record(self, after: Mapping[Verdict, int], *, improved: bool) -> None:
        if self._log is None:
            return
        self._log.record_branch(
            BranchRecord(
                request_id=self._request.id,
                number=self.branch_count,
                before={verdict.value: number for verdict, number in self._before.items()},
                after={verdict.value: number for verdict, number in after.items()},
                improved=improved,
                is_accepted=self._is_settled,
                recorded_at=self._now(),
                scope=self._request.scope,
            )
        )


def count(claims: tuple[ClaimReport, ...]) -> dict[Verdict, int]:
    return {verdict: sum(claim.verdict is verdict for claim in claims) for verdict in Verdict}


def _worth(counts: Mapping[Verdict, int]) -> tuple[int, int]:
    """Less is better."""
    return counts[Verdict.REFUTED], counts[Verdict.INSUFFICIENT]


def word_abstention(template: str, reason: str) -> str:
    return template.replace("{verifier_explanation}", reason)


def measure_success(records: list[BranchRecord]) -> float | None:
    """The share of branches that improved the verdict; None where there were none."""
    return sum(record.improved for record in records) / len(records) if records else None
