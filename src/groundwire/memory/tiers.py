"""The tier of a candidate, decided from what the checks found: the first rule that speaks decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from groundwire.memory.conflicts import Conflict
from groundwire.memory.hedging import NO_SPECULATION, Speculation
from groundwire.memory.poisoning import Instruction
from groundwire.memory.receipts import (
    TRUSTED_SOURCES,
    CitationCheck,
    CitationStatus,
    DuplicateResult,
    IngestionTier,
    MemoryType,
    Source,
)
from groundwire.types import CitationType, HedgeAction


class Relevance(StrEnum):
    """Whether what is cited says what is claimed."""

    NOT_CHECKED = "not_checked"
    SUPPORTED = "supported"
    NOT_SHOWN = "not_shown"
    REFUTED = "refuted"


class Unread(StrEnum):
    """Why the checks of the words could not be made."""

    NOTHING = ""
    NO_WORDS = "no_statement"
    FOREIGN = "language_not_readable"


@dataclass(frozen=True, slots=True)
class Findings:
    """What the checks found so far. `user_said` is whether the user is known to have said it in the conversation."""

    source: str
    memory_type: str
    unread: Unread = Unread.NOTHING
    speculation: Speculation = NO_SPECULATION
    instructions: tuple[Instruction, ...] = ()
    citations: tuple[CitationCheck, ...] = ()
    relevance: Relevance = Relevance.NOT_CHECKED
    duplicate: DuplicateResult | None = None
    conflict: Conflict | None = None
    failures: tuple[str, ...] = ()
    user_said: bool = False
    supported_by: str | None = None
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def verified(self) -> tuple[CitationCheck, ...]:
        return tuple(check for check in self.citations if check.valid)

    @property
    def is_refused(self) -> bool:
        """Speculation or a duplicate: nothing that is found later changes the tier."""
        duplicate = self.duplicate is not None and self.duplicate.is_duplicate
        return duplicate or self.speculation.action is HedgeAction.BLOCK

    @property
    def is_users_word(self) -> bool:
        """The user's own statement, made here or entered by hand."""
        return self.source in (Source.USER, Source.MANUAL) or self.is_stated

    @property
    def is_stated(self) -> bool:
        """A decision or a preference from the conversation, and the user's."""
        decided = self.memory_type == MemoryType.DECISION and self.source == Source.CONVERSATION
        preferred = self.memory_type == MemoryType.PREFERENCE and self.source in (Source.CONVERSATION, Source.CHAT)
        return self.user_said and (decided or preferred)


class Decision(NamedTuple):
    tier: IngestionTier
    code: str
    reason: str


Rule = Callable[[Findings], Decision | None]


def determine_tier(findings: Findings) -> Decision:
    """Exactly one tier, with a stable code and a sentence for people."""
    for rule in RULES:
        decision = rule(findings)
        if decision is not None:
            return decision
    return _review("ungrounded_assertion", "An assertion without grounding: it needs verification by a reviewer.")


def _block(code: str, reason: str) -> Decision:
    return Decision(IngestionTier.BLOCK, code, reason)


def _review(code: str, reason: str) -> Decision:
    return Decision(IngestionTier.FLAG_REVIEW, code, reason)


def _approve(code: str, reason: str) -> Decision:
    return Decision(IngestionTier.AUTO_APPROVE, code, reason)


def block_speculation(findings: Findings) -> Decision | None:
    if findings.speculation.action is not HedgeAction.BLOCK:
        return None
    return _block("speculation", f"Contains speculation: {_list(findings.speculation.phrases)}.")


def block_duplicate(findings: Findings) -> Decision | None:
    duplicate = findings.duplicate
    if duplicate is None or not duplicate.is_duplicate:
        return None
    return _block("duplicate", f"Duplicate of the existing memory {duplicate.existing_memory_id}.")


def review_hedges(findings: Findings) -> Decision | None:
    if findings.speculation.action is not HedgeAction.REVIEW:
        return None
    return _review("technical_hedge", f"Contains hedges that need verification: {_list(findings.speculation.phrases)}.")


def review_unread(findings: Findings) -> Decision | None:
    match findings.unread:
        case Unread.NOTHING:
            return None
        case Unread.NO_WORDS:
            return _review("no_statement", "Says nothing: there is no word in it.")
        case Unread.FOREIGN:
            why = "Not in English: hedges, instructions, paraphrases and contradictions could not be looked for."
            return _review("language_not_readable", why)


def review_failures(findings: Findings) -> Decision | None:
    if "dedup" in findings.failures:
        return _review("dedup_failed", "The duplicate check failed: uniqueness cannot be verified.")
    if findings.failures:
        return _review(f"{findings.failures[0]}_failed", f"The {findings.failures[0]} check failed.")
    return None


def review_instructions(findings: Findings) -> Decision | None:
    if not findings.instructions:
        return None
    return _review("instruction_like", f"Reads like an instruction to a model: it {findings.instructions[0].why}.")


def review_unknown(findings: Findings) -> Decision | None:
    if findings.source not in tuple(Source):
        return _review("unknown_source", f"The source is none of {', '.join(Source)}.")
    if findings.memory_type not in tuple(MemoryType):
        return _review("unknown_memory_type", f"The memory type is none of {', '.join(MemoryType)}.")
    return None


def review_conflict(findings: Findings) -> Decision | None:
    """The user may contradict what is stored: both are kept, and the contradiction is disclosed when it matters."""
    if findings.conflict is None or findings.is_users_word:
        return None
    return _review("contradiction", f"Contradicts the existing memory {findings.conflict.memory.id}.")


def review_false_citation(findings: Findings) -> Decision | None:
    missing = [check.source_id for check in findings.citations if check.status is CitationStatus.NOT_FOUND]
    if missing:
        return _review("citation_not_found", f"Cites what does not exist: {_list(missing)}.")
    against = [check.source_id for check in findings.citations if check.status is CitationStatus.CONTRADICTED]
    if against:
        return _review("citation_not_relevant", f"{_list(against)} exists but says otherwise.")
    if findings.verified and findings.relevance is Relevance.NOT_SHOWN:
        cited = _list([check.source_id for check in findings.verified])
        return _review("citation_not_relevant", f"{cited} exists but does not say so.")
    return None


def approve_citation(findings: Findings) -> Decision | None:
    if not findings.verified:
        return None
    cited = _list([check.source_id for check in findings.verified])
    unchecked = findings.relevance is Relevance.NOT_CHECKED
    note = "; whether it says so was not checked." if unchecked else ", which supports it."
    return _approve("verified_citation", f"Has a verified citation: {cited}{note}")


def approve_source(findings: Findings) -> Decision | None:
    if findings.source not in TRUSTED_SOURCES:
        return None
    needed = {Source.ADR: CitationType.ADR, Source.COMMIT: CitationType.COMMIT}.get(Source(findings.source))
    if needed is not None and not any(check.citation.type is needed for check in findings.verified):
        named = "decision record" if needed is CitationType.ADR else "commit"
        return _review("unverified_source", f"The source {findings.source} needs a verified citation of a {named}.")
    return _approve("trusted_source", f"From a trusted source: {findings.source}.")


def approve_statement(findings: Findings) -> Decision | None:
    if not findings.is_stated:
        return None
    return _approve(f"stated_{findings.memory_type}", f"A {findings.memory_type} stated by the user.")


def approve_synthesis(findings: Findings) -> Decision | None:
    if findings.supported_by is None:
        return None
    return _approve("supported_by_memory", f"Supported by the existing memory {findings.supported_by}.")


RULES: tuple[Rule, ...] = (
    block_speculation,
    block_duplicate,
    review_hedges,
    review_unread,
    review_failures,
    review_instructions,
    review_unknown,
    review_conflict,
    review_false_citation,
    approve_citation,
    approve_source,
    approve_statement,
    approve_synthesis,
)


def _list(phrases: tuple[str, ...] | list[str]) -> str:
    shown = ", ".join(phrase[:120] for phrase in phrases[:4])
    return f"{shown} and {len(phrases) - 4} more" if len(phrases) > 4 else shown
