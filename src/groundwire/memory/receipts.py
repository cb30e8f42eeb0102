"""What the write gate hands out: the tier of a candidate, why, and the evidence that goes with the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from groundwire.types import Citation, CitationType
from groundwire.types import Confidence as Confidence
from groundwire.types import EvidenceObject as EvidenceObject


class IngestionTier(StrEnum):
    """Every candidate lands in exactly one."""

    AUTO_APPROVE = "tier_1"
    FLAG_REVIEW = "tier_2"
    BLOCK = "tier_3"

    @property
    def label(self) -> str:
        """The member's name in lower case, as the JSON contract writes it."""
        return self.name.lower()


class MemoryType(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    DECISION = "decision"


class Source(StrEnum):
    """Who says so; everything else a caller may write is unknown and never approved."""

    USER = "user"
    DOCUMENTATION = "documentation"
    ADR = "adr"
    COMMIT = "commit"
    MANUAL = "manual"
    CONVERSATION = "conversation"
    CHAT = "chat"
    AI_SYNTHESIS = "ai_synthesis"


TRUSTED_SOURCES = frozenset({Source.USER, Source.DOCUMENTATION, Source.ADR, Source.COMMIT, Source.MANUAL})


CONFIDENCE_OF: Mapping[IngestionTier, Confidence] = {
    IngestionTier.AUTO_APPROVE: Confidence.HIGH,
    IngestionTier.FLAG_REVIEW: Confidence.MEDIUM,
    IngestionTier.BLOCK: Confidence.LOW,
}


class CitationStatus(StrEnum):
    """UNREACHABLE is "could not be checked", and never counts for or against more than that.

    CONTRADICTED exists and says otherwise: it is no citation for the claim.
    """

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """Whether a cited thing exists; `content` is what it says, where somebody asked for it."""

    citation: Citation
    status: CitationStatus
    reason: str
    content: str | None = None

    @property
    def valid(self) -> bool:
        return self.status is CitationStatus.VERIFIED

    @property
    def source_id(self) -> str:
        """ADR-003, commit:a1b2c3d, issue:12, or the address itself."""
        match self.citation.type:
            case CitationType.ADR | CitationType.URL:
                return self.citation.id
            case CitationType.COMMIT | CitationType.ISSUE:
                return f"{self.citation.type.value}:{self.citation.id}"


@dataclass(frozen=True, slots=True)
class DuplicateResult:
    """`method` is how it was found: exact, jaccard, minhash, vector or paraphrase."""

    is_duplicate: bool
    similarity: float
    existing_memory_id: str | None = None
    method: str = ""


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The receipt of one call of the gate. `code` is stable and for programs, `reason` a sentence for people.

    `trust` is what the memory enters with; None unless it was approved. `similarity_score` is the nearest stored
    memory's, to be read against `threshold`. `conflicting_memory_id` is the duplicate or the contradicted memory.
    """

    tier: IngestionTier
    code: str
    reason: str
    evidence: EvidenceObject
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    similarity_score: float | None = None
    conflicting_memory_id: str | None = None
    threshold: float | None = None
    trust: float | None = None
    citations: tuple[CitationCheck, ...] = ()

    @property
    def approved(self) -> bool:
        return self.tier is IngestionTier.AUTO_APPROVE
