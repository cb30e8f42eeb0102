"""The checks of the gate, one function each: a candidate and what was found so far in, more findings out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from groundwire.evidence.attempts import attempt
from groundwire.judge.judge import Judge
from groundwire.memory.conflicts import ConflictChecker
from groundwire.memory.dedup import DedupChecker
from groundwire.memory.existing import ExistingMemories
from groundwire.memory.fingerprints import digest_of, split_words
from groundwire.memory.hedging import weigh_hedges
from groundwire.memory.poisoning import InstructionKind, find_instructions
from groundwire.memory.provenance import CitationVerifier
from groundwire.memory.receipts import TRUSTED_SOURCES, CitationCheck, CitationStatus, Source
from groundwire.memory.tiers import Findings, Relevance, Unread
from groundwire.text.language import has_words, is_foreign
from groundwire.text.sentences import split_sentences
from groundwire.types import HedgeAction, MemoryStatus, Passage, Verdict, VerifierInput, VerifierOutput

SUPPORT = 0.8
REFUTATION = 0.7
"""How sure the judge has to be that what is cited says otherwise, for the citation to fall."""
TRUSTED_MEMORY = 0.75
_SHOWN = 80
_INTRODUCTION = re.compile(
    r"(?:[\s(\[,;:]{1,4}|\b(?:per|as|see|also|in|to|with|by|from|via|under|commit|issue|according|and)\b){0,8}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim that wants to become a memory.

    `user_turns` is what the user said, where a conversation is the source. `allowed_sources` are those that the
    caller's credential may claim; None for the operator. `confidence` is that of the extraction, if there was one.
    """

    content: str
    memory_type: str
    source: str
    user_id: str
    user_turns: Sequence[str] | None = None
    validity_horizon: datetime | None = None
    confidence: float | None = None
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    allowed_sources: frozenset[str] | None = None


class Check(Protocol):
    """One look at a candidate."""

    def __call__(self, candidate: Candidate, findings: Findings, /) -> Findings: ...


def check_permission(candidate: Candidate, findings: Findings) -> Findings:
    """A source that the credential may not claim is taken for the model's own words."""
    allowed = candidate.allowed_sources
    if allowed is None or candidate.source in allowed:
        return findings
    found = replace(findings, source=Source.AI_SYNTHESIS)
    return _fail(found, "source_not_permitted", candidate.source)


def check_readable(candidate: Candidate, findings: Findings) -> Findings:
    """Hedges, instructions, paraphrases and contradictions are read in English alone: elsewhere nobody has looked."""
    if not has_words(candidate.content):
        return _fail(replace(findings, unread=Unread.NO_WORDS), "no_statement")
    if is_foreign(candidate.content):
        return _fail(replace(findings, unread=Unread.FOREIGN), "language_not_readable")
    return findings


def check_hedges(candidate: Candidate, findings: Findings) -> Findings:
    speculation = weigh_hedges(candidate.content)
    found = replace(findings, speculation=speculation)
    if speculation.action is HedgeAction.CONTINUE:
        return found if found.unread else _pass(found, "no_speculation")
    return _fail(found, "hedge_words_detected", ", ".join(speculation.phrases))


def check_instructions(candidate: Candidate, findings: Findings) -> Findings:
    in_person = findings.source in (Source.USER, Source.MANUAL)
    hits = tuple(
        hit
        for hit in find_instructions(candidate.content)
        if hit.kind is InstructionKind.ATTACK or not (in_person if hit.steers else findings.is_users_word)
    )
    found = replace(findings, instructions=hits)
    if hits:
        return _fail(found, "instruction_detected", hits[0].phrase)
    return found if found.unread else _pass(found, "no_instructions")


@dataclass(frozen=True, slots=True)
class StatementCheck:
    """Whether a decision or preference of a conversation is the user's, and not the model's about the user."""

    judge: Judge
    takes_caller_at_word: bool

    def __call__(self, candidate: Candidate, findings: Findings) -> Findings:
        if findings.source not in (Source.CONVERSATION, Source.CHAT):
            return findings
        if candidate.user_turns is None:
            return replace(findings, user_said=self.takes_caller_at_word)
        turns = tuple(turn for turn in candidate.user_turns if turn.strip())
        done = attempt("the judge", lambda: self._was_said(candidate.content, turns))
        if done.failure is not None:
            return _break(findings, "statement")
        found = replace(findings, user_said=bool(done.value))
        return _pass(found, "stated_by_user") if done.value else _fail(found, "not_stated_by_user")

    def _was_said(self, content: str, turns: Sequence[str]) -> bool:
        wanted = digest_of(split_words(content))
        if any(digest_of(split_words(sentence.text)) == wanted for turn in turns for sentence in split_sentences(turn)):
            return True
        passages = tuple(Passage(f"turn {number}", turn) for number, turn in enumerate(turns, 1))
        output = self.judge.judge(VerifierInput(content, passages))
        return output.verdict is Verdict.SUPPORTED and output.confidence >= SUPPORT


@dataclass(frozen=True, slots=True)
class CitationsCheck:
    """Looks the citations up; with `judge`, also whether what they lead to says so."""

    verifier: CitationVerifier
    judge: Judge | None = None

    def __call__(self, candidate: Candidate, findings: Findings) -> Findings:
        relevance_wanted = self.judge is not None
        done = attempt(
            "the citation check",
            lambda: self.verifier.verify(candidate.content, candidate.user_id, with_content=relevance_wanted),
        )
        if done.value is None:
            return _break(findings, "citation")
        found = replace(findings, citations=done.value)
        if done.value:
            found = _pass(found, "citation_present")
        for check in done.value:
            if check.valid:
                found = _pass(found, "citation_verified", check.source_id)
            else:
                found = _fail(found, f"citation_{check.status.value}", check.source_id)
        return self._check_relevance(candidate, found, self.judge) if found.verified and self.judge else found

    def _check_relevance(self, candidate: Candidate, findings: Findings, judge: Judge) -> Findings:
        passages = tuple(Passage(check.source_id, check.content) for check in findings.verified if check.content)
        claim = without_citations(candidate.content, findings.citations)
        done = attempt("the judge", lambda: judge.judge(VerifierInput(claim, passages)))
        if done.value is None:
            return _break(findings, "relevance")
        if done.value.verdict is Verdict.SUPPORTED and not done.value.low_confidence:
            return _pass(replace(findings, relevance=Relevance.SUPPORTED), "citation_relevant")
        refuted = done.value.verdict is Verdict.REFUTED and done.value.confidence >= REFUTATION
        relevance = Relevance.REFUTED if refuted else Relevance.NOT_SHOWN
        found = replace(findings, relevance=relevance)
        if refuted:
            found = replace(found, citations=_invalidate(found.citations, done.value))
        return _fail(found, "citation_not_relevant", relevance.value)


@dataclass(frozen=True, slots=True)
class DuplicateCheck:
    """Without a checker the check was switched off, which is said and does not count as a failure."""

    checker: DedupChecker | None

    def __call__(self, candidate: Candidate, findings: Findings) -> Findings:
        checker = self.checker
        if checker is None:
            return _pass(findings, "dedup_skipped")
        done = attempt(
            "the duplicate check",
            lambda: checker.check_duplicate(candidate.content, candidate.user_id, candidate.memory_type),
        )
        if done.value is None:
            return _break(findings, "dedup")
        found = replace(findings, duplicate=done.value)
        if done.value.is_duplicate:
            return _fail(found, "duplicate_of", str(done.value.existing_memory_id))
        return _pass(found, "unique")


@dataclass(frozen=True, slots=True)
class ConflictCheck:
    checker: ConflictChecker

    def __call__(self, candidate: Candidate, findings: Findings) -> Findings:
        done = attempt(
            "the contradiction check", lambda: self.checker.find_conflict(candidate.content, candidate.user_id)
        )
        if done.failure is not None:
            return _break(findings, "contradiction")
        if done.value is None:
            return findings if findings.unread else _pass(findings, "no_contradiction")
        return _fail(replace(findings, conflict=done.value), "contradicts", done.value.memory.id)


@dataclass(frozen=True, slots=True)
class SupportCheck:
    """Whether approved memories support what a model concluded; only with `auto_approve_ai_synthesis`."""

    provider: ExistingMemories
    judge: Judge

    def __call__(self, candidate: Candidate, findings: Findings) -> Findings:
        if findings.source != Source.AI_SYNTHESIS:
            return findings
        done = attempt("the judge", lambda: self._find_support(candidate))
        if done.failure is not None:
            return _break(findings, "support")
        if not done.value:
            return _fail(findings, "not_supported_by_memory")
        return _pass(replace(findings, supported_by=done.value), "supported_by_memory", done.value)

    def _find_support(self, candidate: Candidate) -> str:
        near = self.provider.find_near(candidate.user_id, candidate.content, 8)
        evidence = tuple(
            Passage(m.id, m.text, m.trust, m.timestamp)
            for m, _ in near
            if m.status is MemoryStatus.ACTIVE and m.trust >= TRUSTED_MEMORY
        )
        output = self.judge.judge(VerifierInput(candidate.content, evidence))
        supported = output.verdict is Verdict.SUPPORTED and output.confidence >= SUPPORT
        return output.evidence_used[0] if supported and output.evidence_used else ""


def _invalidate(checks: Sequence[CitationCheck], output: VerifierOutput) -> tuple[CitationCheck, ...]:
    """Those that speak against the claim, with the judge's reason."""
    against = frozenset(output.evidence_used)
    return tuple(
        replace(check, status=CitationStatus.CONTRADICTED, reason=output.explanation)
        if check.valid and check.source_id in against
        else check
        for check in checks
    )


def check_source(candidate: Candidate, findings: Findings) -> Findings:
    if findings.source in TRUSTED_SOURCES:
        return _pass(findings, "trusted_source", findings.source)
    if findings.is_stated:
        return _pass(findings, f"stated_{findings.memory_type}")
    return _fail(findings, "source_not_trusted", findings.source)


def without_citations(content: str, checks: Sequence[CitationCheck]) -> str:
    """The claim by itself: "Per ADR-003, we use PostgreSQL" claims that we use PostgreSQL."""
    text = content
    for check in sorted(checks, key=lambda c: c.citation.span, reverse=True):
        start, end = check.citation.span
        before = _INTRODUCTION.sub("", text[:start])
        text = f"{before} {text[end:].lstrip(' ,;:)]')}".strip()
    return text if any(character.isalnum() for character in text) else content


def _pass(findings: Findings, name: str, detail: str = "") -> Findings:
    return replace(findings, passed=(*findings.passed, _entry(name, detail)))


def _fail(findings: Findings, name: str, detail: str = "") -> Findings:
    return replace(findings, failed=(*findings.failed, _entry(name, detail)))


def _break(findings: Findings, name: str) -> Findings:
    """The check itself failed: nothing is known, and nothing may pass for it."""
    return replace(_fail(findings, f"{name}_failed"), failures=(*findings.failures, name))


def _entry(name: str, detail: str) -> str:
    shown = " ".join(detail.split())
    return f"{name}: {shown[:_SHOWN]}" if shown else name
