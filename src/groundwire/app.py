"""The composition root: settings in, a ready Groundwire out. The only module that reads the clock."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from groundwire.errors import ModelUnavailable
from groundwire.guard.guarding import Guarding
from groundwire.judge.calibration import read_calibration
from groundwire.judge.encoder import EncoderJudge, EncoderOptions
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.judge import Judge, RulesJudge, as_passages
from groundwire.memory.candidates import Extracted, Extraction, Turn
from groundwire.memory.conversation import Conversation, read_summary, read_turns
from groundwire.memory.detecting import Detecting
from groundwire.memory.intake import Intake
from groundwire.memory.keeping import name_scope
from groundwire.memory.llm import make_extractor
from groundwire.memory.replies import read_items
from groundwire.memory.undisturbed import Undisturbed
from groundwire.models.embedding import StaticEmbedder
from groundwire.models.files import CALIBRATION, ModelFiles, find_model
from groundwire.models.listing import describe_installed, install_from
from groundwire.models.onnx import OnnxPairScorer, RunOptions
from groundwire.settings import Settings
from groundwire.text.claims import extract_claims
from groundwire.text.extraction import FactExtractor
from groundwire.types import (
    Claim,
    ExtractedFact,
    Memory,
    Passage,
    Scope,
    VerificationReport,
    VerifierInput,
    VerifierOutput,
    VerifyMode,
)
from groundwire.verify.limits import Limits, as_memories, check_unique
from groundwire.verify.report import GroundCheckVerifier
from groundwire.verify.spellings import spellings_of

if TYPE_CHECKING:
    from groundwire.evidence.similarity import CosineSimilarity
    from groundwire.memory.assembly import GateBuilder
    from groundwire.memory.checks import Candidate
    from groundwire.memory.existing import ExistingMemories
    from groundwire.memory.outcomes import Finding
    from groundwire.memory.protocols import Store
    from groundwire.memory.receipts import ValidationResult
    from groundwire.memory.services import Services


@dataclass(frozen=True, slots=True)
class _Opened:
    """What judges, once it has been made; `problem` is why the model that was asked for is not among it."""

    judge: Judge
    verifier: GroundCheckVerifier
    problem: ModelUnavailable | None = None
    model: str = ""


def models_folder(settings: Settings, environ: Mapping[str, str]) -> Path:
    """Where models are installed: as the settings say, or in the user's data folder."""
    if settings.models_folder:
        return Path(settings.models_folder).expanduser()
    home = environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "groundwire" / "models"


class Groundwire(Guarding, Detecting):
    """The gates over one memory: in a file, at a postgresql:// address, or, where none is named, in this process."""

    def __init__(self, store: str | Path | None = None, *, settings: Settings | None = None) -> None:
        self._place = store
        self.settings = settings or Settings()
        self._facts = FactExtractor(
            exclusive_slots=tuple(self.settings.exclusive_slots), additive_slots=tuple(self.settings.additive_slots)
        )
        self._rules = RulesJudge(
            time.perf_counter,
            refute_confidence=self.settings.refute_confidence,
            max_branches=self.settings.max_branches,
            low_confidence=self.settings.low_confidence,
            spellings=spellings_of(self.settings),
        )
        self._limits = Limits(self.settings)
        self._embedder = StaticEmbedder()
        self._lock = threading.Lock()
        self._memory_lock = threading.RLock()
        self._services: Services | None = None
        self._opened: _Opened | None = None
        self._gates: GateBuilder | None = None
        self._begin_guarding()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def model_problem(self) -> ModelUnavailable | None:
        """Why rules alone are judging although a model was asked for; None when all is well."""
        opened = self._open()
        if opened.problem is not None:
            return opened.problem
        judge = opened.judge
        return opened.verifier.problem or (judge.problem if isinstance(judge, HybridJudge) else None)

    def calibration(self) -> Mapping[str, Any] | None:
        """How the judge's model was calibrated, as stored with it; None for rules alone."""
        files = self._find_model()
        return None if files is None else files.read_json(CALIBRATION)

    def _find_model(self) -> ModelFiles | None:
        name = self.settings.judge.removesuffix("-alone")
        return None if name == "rules" else find_model(name, models_folder(self.settings, os.environ))

    def _open(self) -> _Opened:
        """Judges are made at the first question: importing and building a Groundwire stays light."""
        with self._lock:
            if self._opened is None:
                self._opened = self._make_judges()
            return self._opened

    def _make_judges(self) -> _Opened:
        settings, problem, files = self.settings, None, None
        try:
            files = self._find_model()
        except ModelUnavailable as error:
            if settings.judge.endswith("-alone"):
                raise
            problem = error
        if files is None:
            return _Opened(self._rules, GroundCheckVerifier(settings, clock=time.perf_counter), problem)
        encoder = EncoderJudge(
            self._watch(OnnxPairScorer(files, read_calibration, RunOptions(workers=settings.model_workers))),
            time.perf_counter,
            refute_confidence=settings.refute_confidence,
            max_branches=settings.max_branches,
            low_confidence=settings.low_confidence,
            options=EncoderOptions(window_tokens=settings.window_tokens, max_windows=settings.max_windows),
            likeness=self._embedder.compare,
        )
        alone = settings.judge.endswith("-alone")
        judge = encoder if alone else HybridJudge(self._rules, encoder, time.perf_counter)
        verifier = GroundCheckVerifier(settings, clock=time.perf_counter, consultant=encoder)
        return _Opened(judge, verifier, model=files.manifest.fingerprint)

    def claims(self, text: str, *, hedged: bool = False) -> tuple[Claim, ...]:
        """What `text` asserts, one claim at a time."""
        self._limits.check_text(text)
        return extract_claims(text, hedged=hedged)

    def facts(self, text: str) -> tuple[ExtractedFact, ...]:
        """Subject, slot and value of everything that `text` says."""
        self._limits.check_text(text)
        return self._facts.extract(text)

    def judge(
        self,
        claim: str,
        evidence: Sequence[Passage | str] | None = None,
        *,
        context: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
        user: str | None = None,
        tenant: str = "default",
        now: datetime | None = None,
    ) -> VerifierOutput:
        """Does this evidence, or else what is remembered of `user`, support the claim, refute it, or say nothing?"""
        self._limits.check_text(claim, "claim")
        if evidence is None:
            scope, opened = name_scope(user, tenant), self._open()
            question, name = VerifierInput(claim, (), context, mode), f"{self.settings.judge} {opened.model}"
            return self._open_memory().judge(scope, question, opened.judge, name, self._choose_time(now))
        return self.judge_all([VerifierInput(claim, as_passages(evidence), context, mode)])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """Many questions at once: what goes to a model goes there in one call."""
        for question in questions:
            self._limits.check_text(question.claim, "claim")
            check_unique("evidence", [p.id for p in question.evidence])
        with Undisturbed(sum(len(q.claim) + sum(len(p.text) for p in q.evidence) for q in questions)):
            return self._open().judge.judge_all(questions)

    def verify(
        self,
        text: str,
        *,
        memories: Sequence[Memory | str] = (),
        passages: Sequence[Passage | str] = (),
        query: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
        user: str | None = None,
        tenant: str = "default",
        now: datetime | None = None,
        flags: bool = False,
    ) -> VerificationReport:
        """Check every claim of an answer; passages count as memories of full trust.

        Where neither is given, the answer is checked against what is remembered of `user`. With `flags`, the report
        says as well what kind of wrong each fault is, as the detectors see it.
        """
        self._limits.check_text(text)
        if user is not None and not memories and not passages and self._has_memory:
            return self._verify_remembered(text, mode, name_scope(user, tenant), self._choose_time(now), flags)
        given = as_memories(memories)
        given += [Memory(p.id, p.text, p.trust, p.timestamp) for p in as_passages(passages)]
        if user:
            given.append(Memory(f"name:{user}", f"The user's name is {user}."))
        self._limits.check_memories(given)
        report = self._verify(text, given, mode)
        return self._add_flags(report, given, self._choose_time(now)) if flags else report

    def _verify(self, text: str, memories: Sequence[Memory], mode: VerifyMode) -> VerificationReport:
        verifier = self._open().verifier
        with Undisturbed(len(text) + sum(len(memory.text) for memory in memories)):
            report = verifier.verify(text, memories, mode=mode)
        if verifier.problem is not None and self.settings.judge.endswith("-alone"):
            raise verifier.problem
        return report

    def _verify_remembered(
        self, text: str, mode: VerifyMode, scope: Scope, now: datetime, flags: bool
    ) -> VerificationReport:
        services, opened = self._open_memory(), self._open()
        claims = [claim.text for claim in extract_claims(text, hedged=True)] or [text]
        found = services.grounds.gather(scope, claims[: self.settings.max_claims], now)
        report = self._verify(text, found, mode)
        report = self._add_flags(report, found, now) if flags else report
        return services.log_report(scope, report, now, "" if opened.verifier.problem else opened.model)

    def gate(
        self,
        candidate: Candidate,
        *,
        existing: Sequence[Memory] | None = None,
        repository: str | None = None,
        tenant: str = "default",
        now: datetime | None = None,
    ) -> ValidationResult:
        """May this claim become a memory? Decides, and writes nothing; `existing` replaces what is stored already."""
        from groundwire.memory.existing import ListedMemories

        self._limits.check_memories(existing or ())
        moment = self._choose_time(now)
        provider: ExistingMemories = ListedMemories(candidate.user_id, existing or ())
        if existing is None and self._has_memory:
            provider = self._open_memory().rememberer.look_at(name_scope(candidate.user_id, tenant), moment)
        return self._open_gates().build(provider, repository=repository, now=lambda: moment).decide(candidate)

    def _open_gates(self) -> GateBuilder:
        """Made at the first claim: neither numpy nor the network's modules are loaded for reading alone."""
        from groundwire.memory.assembly import GateBuilder

        with self._lock:
            if self._gates is None:
                self._gates = GateBuilder(
                    self.settings,
                    judge=self._rules,
                    relevance_judge=lambda: self._restrain(self._open().judge),
                    now=lambda: datetime.now(UTC),
                    clock=time.monotonic,
                    git=shutil.which("git") or "git",
                )
            return self._gates

    def extract(
        self,
        source: str | Sequence[Turn],
        *,
        candidates: Sequence[object] | None = None,
        known_facts: Sequence[str] = (),
    ) -> Extraction:
        """What may be remembered of a summary or of turns; `candidates` are an extractor's own, to be checked."""
        conversation, extracted, extractor = self._read_candidates(source, candidates)
        return Intake(conversation, self._open().judge, known_facts=known_facts).run(extracted, extractor=extractor)

    def _read_candidates(
        self, source: str | Sequence[Turn], candidates: Sequence[object] | None
    ) -> tuple[Conversation, Extracted, str]:
        conversation = read_summary(source) if isinstance(source, str) else read_turns(source)
        self._limits.check_text("".join(turn.text for turn in conversation.turns), "summary")
        if candidates is not None:
            return conversation, read_items(candidates), "given"
        extractor = make_extractor(self.settings, os.environ.get(self.settings.llm_key_variable, ""), time.sleep)
        return conversation, extractor.extract(conversation), extractor.name

    # ── the memory ──────────────────────────────────────────────────────────────────────────────

    @property
    def _has_memory(self) -> bool:
        return self._place is not None or self._services is not None

    def _tell_time(self) -> datetime:
        return datetime.now(UTC)

    def _tell_ticks(self) -> float:
        return time.perf_counter()

    def _check_answer(self, text: str) -> None:
        self._limits.check_text(text, "response")

    def _choose_judge(self) -> Judge:
        return self._open().judge

    def _choose_embedder(self) -> StaticEmbedder:
        """One for the store and for whoever compares meanings; it reads nothing before it is asked."""
        return self._embedder

    def _choose_similarity(self) -> CosineSimilarity:
        from groundwire.evidence.similarity import CosineSimilarity

        return CosineSimilarity(self._choose_embedder())

    def _open_memory(self) -> Services:
        """The store is opened by the first call that needs it."""
        from groundwire.evidence.retrieval import Retriever
        from groundwire.memory.services import assemble

        with self._memory_lock:
            if self._services is None:
                store = self._open_store()
                retriever = Retriever(store.memories, store.vectors)
                likeness = self._embedder.compare
                self._services = assemble(store, self.settings, self._open_gates().build, retriever, likeness)
            return self._services

    def _open_store(self) -> Store:
        from groundwire.store.options import StoreOptions
        from groundwire.store.sql import open_store

        options = StoreOptions(text_characters=self.settings.max_memory_characters)
        return open_store(self._place, self._tell_time(), options=options, embedder=self._choose_embedder())

    def doctor(self) -> list[Finding]:
        """Examine the store, the audit chain, the models, the settings and the disk."""
        from groundwire.memory.health import examine

        models, judging = describe_models(self.settings), self.examine_judge()
        return examine(lambda: self._open_memory().store, self._place, self.settings, models, judging)

    def close(self) -> None:
        """Let go of the store; a later call opens it again. What was kept in memory alone is gone."""
        with self._memory_lock:
            services, self._services = self._services, None
        if services is not None:
            services.store.close()


def describe_models(settings: Settings) -> dict[str, Any]:
    """Every model that can be found, compared with its manifest."""
    return describe_installed(models_folder(settings, os.environ))


def install_model(name: str, source: str, settings: Settings) -> str:
    """Put a model where `judge` finds it; returns its full name and folder."""
    return install_from(name, source, models_folder(settings, os.environ))
