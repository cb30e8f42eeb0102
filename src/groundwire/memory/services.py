"""The parts of a memory, put together over one store."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime

from groundwire.errors import StoreUnavailable
from groundwire.judge.judge import Judge
from groundwire.judge.relevance import Likeness, withhold_verdict
from groundwire.memory.decay import windows_of
from groundwire.memory.grounds import Grounds, VerdictCache, record_output, record_report
from groundwire.memory.ledger import Ledger
from groundwire.memory.policy import find_leniencies
from groundwire.memory.protocols import Store
from groundwire.memory.recalling import LexicalRetriever, Recaller, Retriever
from groundwire.memory.rejections import (
    LAST,
    ExtractionRecord,
    RejectionRecord,
    RejectionSummary,
    read_reason,
    summarise,
)
from groundwire.memory.remembering import BuildGate, Rememberer
from groundwire.memory.review import Reviews
from groundwire.memory.standing import Windows
from groundwire.settings import Settings
from groundwire.types import Scope, VerificationReport, VerifierInput, VerifierOutput
from groundwire.types.records import ACCEPTED, Act, CandidateOutcome, Forgotten, VerdictRecord
from groundwire.verify.contradictions import ContradictionDetector
from groundwire.verify.spellings import spellings_of

_FAR_BACK = 10_000


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that works on one store; made once, when the store is opened."""

    store: Store
    build_gate: BuildGate
    rememberer: Rememberer
    recaller: Recaller
    grounds: Grounds
    verdicts: VerdictCache
    contradictions: ContradictionDetector
    windows: Windows
    likeness: Likeness | None = None

    def open_reviews(self, scope: Scope, reviewers: Collection[str], now: Callable[[], datetime]) -> Reviews:
        return Reviews(self.store, self.rememberer, self.build_gate, scope, now=now, reviewers=reviewers)

    def open_ledger(self, scope: Scope, now: Callable[[], datetime]) -> Ledger:
        return Ledger(self.store, scope, self.contradictions, self.windows, now)

    def forget(self, scope: Scope, memory_id: str, reason: str, act: Act) -> Forgotten:
        """Deleted with its reason on record; the file is cleaned once the transaction is over."""
        with self.store.transaction():
            forgotten = self.store.memories.forget(scope, [memory_id], act)
            details = {"reason": reason, "dependents": [*forgotten.memories, *forgotten.reviews]}
            self.store.audit.record(scope, "forget_reason", memory_id, act, details=details)
        return replace(forgotten, is_purged=self.store.purge())

    def summarise_rejections(self, scope: Scope, since: datetime | None) -> RejectionSummary:
        """The last hundred candidates, or all since then that the log still has."""
        found = self.store.logs.outcomes(scope, limit=LAST if since is None else _FAR_BACK)
        recent = [outcome for outcome in found if since is None or outcome.recorded_at >= since]
        return summarise([_as_extraction(outcome) for outcome in reversed(recent)], len(recent) or LAST)

    def judge(self, scope: Scope, question: VerifierInput, judge: Judge, name: str, now: datetime) -> VerifierOutput:
        """The question with what is remembered as its evidence; `name` tells one judge and model from another."""
        question = replace(question, evidence=self.grounds.gather_passages(scope, question.claim, now))
        output = self.verdicts.judge(question, name, judge.judge)
        if self.likeness is not None:
            output = withhold_verdict(question, output, self.likeness)
        self._log(record_output(scope, question, output, now))
        return output

    def log_report(self, scope: Scope, report: VerificationReport, now: datetime, model: str) -> VerificationReport:
        """The report, with a note where its verdicts could not be written down."""
        unlogged = self._log(record_report(scope, report, now, model))
        return replace(report, metadata={**report.metadata, "verdict_log": unlogged}) if unlogged else report

    def _log(self, records: Collection[VerdictRecord]) -> str:
        """Why they could not be written down, if they could not: an answer is not held back for its log."""
        if self.store.is_read_only:
            return "the store is read-only"
        try:
            self.store.logs.record_verdicts(list(records))
        except StoreUnavailable as error:
            return error.problem
        return ""


def assemble(
    store: Store,
    settings: Settings,
    build_gate: BuildGate,
    retriever: Retriever | None = None,
    likeness: Likeness | None = None,
) -> Services:
    """`retriever` finds by meaning as well; without one, memories are found by their words."""
    retriever = retriever or LexicalRetriever(store.memories)
    windows = windows_of(settings)
    return Services(
        store=store,
        build_gate=build_gate,
        rememberer=Rememberer(store, build_gate, switched_off=find_leniencies(settings)),
        recaller=Recaller(store.memories, retriever, windows),
        grounds=Grounds(store, retriever, windows),
        verdicts=VerdictCache(),
        contradictions=ContradictionDetector(
            trust_threshold=settings.trust_threshold,
            trust_gap=settings.trust_gap,
            spellings=spellings_of(settings),
        ),
        windows=windows,
        likeness=likeness,
    )


def _as_extraction(outcome: CandidateOutcome) -> ExtractionRecord:
    if outcome.outcome == ACCEPTED:
        return ExtractionRecord()
    record = RejectionRecord(
        timestamp=outcome.recorded_at.isoformat(),
        subject_id=f"USER:{outcome.owner}",
        tenant_id=f"TENANT:{outcome.tenant}",
        rejection_reason=read_reason(outcome.outcome),
        extracted_text="",
        confidence_score=outcome.confidence,
        threshold=None,
        type=outcome.type.value,
    )
    return ExtractionRecord(record)
