"""The words of detection: what kind of wrong an answer is, where, how sure, and what is done about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from groundwire.errors import InvalidInput
from groundwire.types.spans import ContradictionType, Span


class HallucinationType(StrEnum):
    FABRICATED_FACT = "FabricatedFact"
    NONEXISTENT_ENTITY = "NonexistentEntity"
    WRONG_ATTRIBUTE = "WrongAttribute"
    CONTRADICTS_FACT = "ContradictsFact"
    CONTRADICTS_PRIOR = "ContradictsPrior"
    UNSUPPORTED_CLAIM = "UnsupportedClaim"
    TEMPORAL_ERROR = "TemporalError"
    LOGICAL_INCONSISTENCY = "LogicalInconsistency"

    @property
    def base_severity(self) -> float:
        return _SEVERITIES[self][0]

    @property
    def severity_label(self) -> str:
        return _SEVERITIES[self][1]

    @property
    def description(self) -> str:
        """The fixed words that a reader of an annotated answer sees."""
        return _SEVERITIES[self][2]


_SEVERITIES: Mapping[HallucinationType, tuple[float, str, str]] = {
    HallucinationType.FABRICATED_FACT: (0.95, "HIGH", "fact not verifiable"),
    HallucinationType.NONEXISTENT_ENTITY: (0.90, "HIGH", "entity not found"),
    HallucinationType.WRONG_ATTRIBUTE: (0.75, "MEDIUM-HIGH", "attribute seems wrong"),
    HallucinationType.CONTRADICTS_FACT: (0.95, "HIGH", "conflicts with known information"),
    HallucinationType.CONTRADICTS_PRIOR: (0.80, "MEDIUM-HIGH", "conflicts with earlier conversation"),
    HallucinationType.UNSUPPORTED_CLAIM: (0.50, "MEDIUM", "no supporting evidence"),
    HallucinationType.TEMPORAL_ERROR: (0.65, "MEDIUM", "timeline seems wrong"),
    HallucinationType.LOGICAL_INCONSISTENCY: (0.60, "MEDIUM", "logical contradiction"),
}


class Stance(StrEnum):
    """What a source says of a claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class KBEvidence:
    """What the knowledge base says of a flagged claim, and how sure that is."""

    stance: Stance
    confidence: float = 1.0
    quote: str = ""


@dataclass(frozen=True, slots=True)
class HistoryEvidence:
    """What the dialogue so far says of a flagged claim."""

    stance: Stance
    confidence: float = 1.0
    quote: str = ""
    turn_id: int | None = None


@dataclass(frozen=True, slots=True)
class HallucinationFlag:
    """One thing that is wrong with an answer.

    `suggestion` and `evidence` are sentences for people and are never parsed: what mitigation needs stands in
    `correct_value` and `value_span`. `span` is the part of the answer that is at fault; on a pair of statements it is
    the later one, and `related_span` the earlier.
    """

    span: Span
    content: str
    hallucination_type: HallucinationType
    confidence: float
    suggestion: str | None = None
    evidence: str | None = None
    correct_value: str | None = None
    value_span: Span | None = None
    source_id: str | None = None
    related_span: Span | None = None
    detector: str = ""
    claim_span: Span | None = None
    """The claim that the flag is about: flags of different types on one claim are one incident."""
    contradiction_type: ContradictionType | None = None
    kb: KBEvidence | None = None
    history: HistoryEvidence | None = None
    is_unverifiable: bool = False
    """Nothing certain is known against it: it may be annotated, never removed."""
    raw_confidence: float | None = None
    """The detector's own figure, kept when scoring replaced `confidence`."""
    incident: int = 0
    factors: Mapping[str, float] = field(default_factory=dict[str, float])
    """Every factor of the score, by name."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.confidence) and 0.0 <= self.confidence <= 1.0):
            raise InvalidInput("confidence", f"{self.confidence!r} is not a number from 0 to 1")

    @property
    def severity(self) -> float:
        return self.hallucination_type.base_severity


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """What was said before the answer; `role` is user, assistant, or a name."""

    turn_id: int
    role: str
    text: str


class Handling(StrEnum):
    """What is to become of the whole answer."""

    ACCEPT = "accept"
    FLAG = "flag"
    CORRECT = "correct"
    REGENERATE = "regenerate"
    HUMAN_REVIEW = "human_review"


# ── mitigation ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Leave:
    """Too weak to act on."""

    span: Span


@dataclass(frozen=True, slots=True)
class Flag:
    """The span stays and is annotated."""

    span: Span
    annotation: str


@dataclass(frozen=True, slots=True)
class Correct:
    """The value at `span` is replaced by another value, whose source is named."""

    span: Span
    original: str
    replacement: str
    source: str


@dataclass(frozen=True, slots=True)
class Remove:
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Regenerate:
    """The answer is to be written again, along this guidance."""

    guidance: str


@dataclass(frozen=True, slots=True)
class Escalate:
    """A person has to decide."""

    reason: str


MitigationAction = Leave | Flag | Correct | Remove | Regenerate | Escalate


@dataclass(frozen=True, slots=True)
class DetectionMetrics:
    detection_time_ms: float = 0.0
    segments_analyzed: int = 0
    claims_checked: int = 0
    entities_verified: int = 0


@dataclass(frozen=True, slots=True)
class DetectionReport:
    """An answer with everything that was found in it; `mitigated` is the text as it may be shown."""

    response: str
    flags: tuple[HallucinationFlag, ...]
    actions: tuple[MitigationAction, ...]
    mitigated: str
    confidence: float
    handling: Handling
    metrics: DetectionMetrics
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    """Detectors that failed, with the reason; the others' flags stand."""
    not_analysed: int = 0
    review_id: str | None = None
    """Where the answer waits for a person, if it does."""

    @property
    def risk(self) -> float:
        return 1.0 - self.confidence
