"""The composition root: settings in, a ready Groundwire out. The only module that reads the clock."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import InvalidInput, ModelMissing, ModelUnavailable
from groundwire.judge.calibration import read_calibration
from groundwire.judge.encoder import EncoderJudge, EncoderOptions
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.judge import Judge, RulesJudge, as_passages
from groundwire.models.files import CALIBRATION, ModelFiles, find_model, list_models
from groundwire.models.installation import download, install
from groundwire.models.onnx import OnnxPairScorer, RunOptions
from groundwire.settings import Settings
from groundwire.text.claims import extract_claims
from groundwire.text.extraction import FactExtractor
from groundwire.types import (
    Claim,
    ExtractedFact,
    Memory,
    Passage,
    VerificationReport,
    VerifierInput,
    VerifierOutput,
    VerifyMode,
)
from groundwire.verify.report import GroundCheckVerifier, spellings_of


@dataclass(frozen=True, slots=True)
class _Opened:
    """What judges, once it has been made; `problem` is why the model that was asked for is not among it."""

    judge: Judge
    verifier: GroundCheckVerifier
    problem: ModelUnavailable | None = None


def models_folder(settings: Settings, environ: Mapping[str, str]) -> Path:
    """Where models are installed: as the settings say, or in the user's data folder."""
    if settings.models_folder:
        return Path(settings.models_folder).expanduser()
    home = environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "groundwire" / "models"


class Groundwire:
    """The three gates over one memory. This release has the read gate over memories handed in."""

    def __init__(self, store: str | None = None, *, settings: Settings | None = None) -> None:
        if store is not None:
            raise InvalidInput("store", "a stored memory is not available in this release; pass memories to verify()")
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
        self._lock = threading.Lock()
        self._opened: _Opened | None = None

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
        settings = self.settings
        try:
            files = self._find_model()
        except ModelUnavailable as error:
            if settings.judge.endswith("-alone"):
                raise
            return _Opened(self._rules, GroundCheckVerifier(settings, clock=time.perf_counter), error)
        if files is None:
            return _Opened(self._rules, GroundCheckVerifier(settings, clock=time.perf_counter))
        encoder = EncoderJudge(
            OnnxPairScorer(files, read_calibration, RunOptions(workers=settings.model_workers)),
            time.perf_counter,
            refute_confidence=settings.refute_confidence,
            max_branches=settings.max_branches,
            low_confidence=settings.low_confidence,
            options=EncoderOptions(window_tokens=settings.window_tokens, max_windows=settings.max_windows),
        )
        alone = settings.judge.endswith("-alone")
        judge = encoder if alone else HybridJudge(self._rules, encoder, time.perf_counter)
        return _Opened(judge, GroundCheckVerifier(settings, clock=time.perf_counter, consultant=encoder))

    def claims(self, text: str, *, hedged: bool = False) -> tuple[Claim, ...]:
        """What `text` asserts, one claim at a time."""
        self._check_answer(text)
        return extract_claims(text, hedged=hedged)

    def facts(self, text: str) -> tuple[ExtractedFact, ...]:
        """Subject, slot and value of everything that `text` says."""
        self._check_answer(text)
        return self._facts.extract(text)

    def judge(
        self,
        claim: str,
        evidence: Sequence[Passage | str],
        *,
        context: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
    ) -> VerifierOutput:
        """Does this evidence support the claim, refute it, or say nothing?"""
        self._check_answer(claim, "claim")
        passages = as_passages(evidence)
        _check_unique("evidence", [p.id for p in passages])
        return self._open().judge.judge(VerifierInput(claim, passages, context, mode))

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """Many questions at once: what goes to a model goes there in one call."""
        for question in questions:
            self._check_answer(question.claim, "claim")
            _check_unique("evidence", [p.id for p in question.evidence])
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
    ) -> VerificationReport:
        """Check every claim of an answer; passages count as memories of full trust."""
        self._check_answer(text)
        given = [m if isinstance(m, Memory) else Memory(f"m{i}", m) for i, m in enumerate(memories, 1)]
        given += [Memory(p.id, p.text, p.trust, p.timestamp) for p in as_passages(passages)]
        if user:
            given.append(Memory(f"name:{user}", f"The user's name is {user}."))
        self._check_memories(given)
        verifier = self._open().verifier
        report = verifier.verify(text, given, mode=mode)
        if verifier.problem is not None and self.settings.judge.endswith("-alone"):
            raise verifier.problem
        return report

    def _check_answer(self, text: str, field: str = "text") -> None:
        limit = self.settings.max_answer_characters
        if len(text) > limit:
            raise InvalidInput(
                field, f"has {len(text):,} characters; at most {limit:,} are verified in one call: split it"
            )

    def _check_memories(self, memories: Sequence[Memory]) -> None:
        if len(memories) > self.settings.max_memories:
            raise InvalidInput(
                "memories",
                f"{len(memories):,} were given; at most {self.settings.max_memories:,} are taken in one call",
            )
        _check_unique("memories", [m.id for m in memories])
        limit = self.settings.max_memory_characters
        for memory in memories:
            if len(memory.text) > limit:
                found = f"memory {memory.id!r} has {len(memory.text):,} characters"
                raise InvalidInput("memories", f"{found}; at most {limit:,} are taken: split it")


def describe_models(settings: Settings) -> dict[str, Any]:
    """Every model that can be found, compared with its manifest."""
    home = models_folder(settings, os.environ)
    found: list[dict[str, Any]] = []
    for name in list_models(home):
        try:
            files = find_model(name, home)
            problem = _check_files(files)
            manifest = files.manifest
            size = sum(file.size for file in manifest.files.values())
            entry = {"version": manifest.version, "folder": str(files.folder), "bytes": size}
            found.append({"name": name, **entry, "fingerprint": manifest.fingerprint, "problem": problem})
        except ModelUnavailable as error:
            unknown = {"version": "?", "folder": str(home / name), "bytes": 0, "fingerprint": ""}
            found.append({"name": name, **unknown, "problem": str(error)})
    return {"folder": str(home), "models": found}


def _check_files(files: ModelFiles) -> str | None:
    try:
        files.verify()
    except ModelUnavailable as error:
        return str(error)
    return None


def install_model(name: str, source: str, settings: Settings) -> str:
    """Put a model where `judge` finds it; returns its full name and folder."""
    home = models_folder(settings, os.environ)
    try:
        if source.startswith(("http://", "https://")):
            with tempfile.TemporaryDirectory() as folder:
                installed = install(download(source, Path(folder)), home, expected_name=name)
        else:
            path = Path(source).expanduser()
            if not path.exists():
                raise ModelMissing(f"there is no {source!r}", "give the folder or archive that holds the model")
            installed = install(path, home, expected_name=name)
    except OSError as error:
        raise ModelMissing(
            f"{name} cannot be installed in {home} ({error.strerror or error})",
            "make room there, or set models_folder to a folder that can be written",
        ) from error
    return f"{installed.manifest.full_name} in {installed.folder}"


def _check_unique(field: str, ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise InvalidInput(field, f"the id {name!r} occurs twice; ids must be unique in one call")
        seen.add(name)
