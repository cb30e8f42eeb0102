"""The vocabulary: frozen values that every room speaks.

A span is half-open `[start, end)` in code points of the text it was taken from, so `text[start:end]`
is exactly what is quoted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from groundwire.types.detection import HallucinationFlag
from groundwire.types.memories import Confidence as Confidence
from groundwire.types.memories import EvidenceObject as EvidenceObject
from groundwire.types.memories import Memory as Memory
from groundwire.types.memories import MemoryKind as MemoryKind
from groundwire.types.memories import MemoryStatus as MemoryStatus
from groundwire.types.memories import Scope as Scope
from groundwire.types.spans import ContradictionType as ContradictionType
from groundwire.types.spans import Span as Span


class Polarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"

    @property
    def opposite(self) -> Polarity:
        return Polarity.NEGATIVE if self is Polarity.POSITIVE else Polarity.POSITIVE


class Tense(StrEnum):
    """PAST is a state that no longer holds ("used to work at"); a finished event is PAST as well."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


class Verdict(StrEnum):
    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    INSUFFICIENT = "INSUFFICIENT"


class Action(StrEnum):
    CONTINUE = "CONTINUE"
    HALT = "HALT"
    BRANCH = "BRANCH"
    ABSTAIN = "ABSTAIN"


class VerifyMode(StrEnum):
    INLINE = "INLINE"
    POSTHOC = "POSTHOC"


class Standing(StrEnum):
    """Why a claim got its verdict: what a reader of a report needs to tell apart."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    STALE = "stale"
    CONFLICTING = "conflicting"
    UNSUPPORTED = "unsupported"
    HEDGED = "hedged"


# ── text ────────────────────────────────────────────────────────────────────────────────────────


class SentenceKind(StrEnum):
    PROSE = "prose"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence exactly as written."""

    text: str
    span: Span
    kind: SentenceKind = SentenceKind.PROSE


@dataclass(frozen=True, slots=True)
class Claim:
    """One atomic, self-contained assertion; `text` stands alone, `span` is where it was said."""

    text: str
    span: Span
    subject: str = ""
    predicate: str = ""
    object: str = ""
    polarity: Polarity = Polarity.POSITIVE
    tense: Tense = Tense.PRESENT
    hedged: bool = False
    quoted: bool = False
    slot_type: str | None = None
    value_span: Span | None = None
    other_spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """`subject` has `value` in `slot_type`; `raw` keeps the casing that a person wrote.

    `pattern` names what read it: a catalogue frame, or `predicate` for an open slot.
    """

    subject: str
    slot_type: str
    value: str
    raw: str
    span: Span
    value_span: Span
    pattern: str
    polarity: Polarity = Polarity.POSITIVE
    tense: Tense = Tense.PRESENT
    when: str | None = None
    hedged: bool = False
    exclusive: bool = False
    ended: bool = False
    """Denied as "no longer": it was so once."""


class MentionType(StrEnum):
    PRONOUN = "Pronoun"
    PROPER_NAME = "ProperName"
    DEFINITE_DESC = "DefiniteDesc"
    OTHER = "Other"


@dataclass(frozen=True, slots=True)
class EntityMention:
    surface: str
    span: Span
    mention_type: MentionType


class TemporalRelation(StrEnum):
    AT = "At"
    BEFORE = "Before"
    AFTER = "After"
    DURING = "During"
    UNTIL = "Until"
    SINCE = "Since"


@dataclass(frozen=True, slots=True)
class TemporalExpression:
    """A time as written; `resolved_date` is the first day it can mean, given the clock of the call."""

    surface: str
    span: Span
    resolved_date: date | None
    year: int | None
    tense: Tense
    relation: TemporalRelation


class HedgeAction(StrEnum):
    BLOCK = "block"
    REVIEW = "review"
    CONTINUE = "none"


@dataclass(frozen=True, slots=True)
class HedgeResult:
    is_speculative: bool
    action: HedgeAction
    hedge_words: tuple[str, ...] = ()


class CitationType(StrEnum):
    ADR = "adr"
    COMMIT = "commit"
    URL = "url"
    ISSUE = "issue"


@dataclass(frozen=True, slots=True)
class Citation:
    type: CitationType
    span: Span
    id: str


class SignalType(StrEnum):
    HEDGING = "Hedging"
    OVERCONFIDENCE = "Overconfidence"
    VAGUENESS = "Vagueness"
    SELF_CORRECTION = "SelfCorrection"
    CERTAINTY_MARKER = "CertaintyMarker"


@dataclass(frozen=True, slots=True)
class LinguisticSignal:
    """`strength` is in [0, 1]; self-corrections and certainty markers carry 1."""

    type: SignalType
    strength: float
    span: Span


@dataclass(frozen=True, slots=True)
class ResponseSegment:
    """What the detectors look at: one sentence with everything read from it."""

    index: int
    text: str
    span: Span
    claims: tuple[Claim, ...]
    entities: tuple[EntityMention, ...]
    temporals: tuple[TemporalExpression, ...]


# ── evidence ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence as the judge sees it."""

    id: str
    text: str
    trust: float = 1.0
    timestamp: int | None = None


@dataclass(frozen=True, slots=True)
class VerifierInput:
    claim: str
    evidence: tuple[Passage, ...]
    context: str | None = None
    mode: VerifyMode = VerifyMode.POSTHOC


@dataclass(frozen=True, slots=True)
class VerifierOutput:
    verdict: Verdict
    confidence: float
    probabilities: Mapping[Verdict, float]
    explanation: str
    evidence_used: tuple[str, ...]
    action: Action
    latency_ms: float
    judge: str
    reason: str = ""
    low_confidence: bool = False
    truncated: bool = False
    conflicting: tuple[str, ...] = ()
    model: str = ""
    """Fingerprint of the model that took part; empty where rules alone decided."""
    calibration: str = ""


# ── the read gate's report ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ContradictionDetail:
    """Values that compete for one slot of one subject; the lists are aligned, oldest first."""

    slot_type: str
    values: tuple[str, ...]
    memory_ids: tuple[str, ...]
    trust_scores: tuple[float, ...]
    timestamps: tuple[int | None, ...]
    subject: str = "user"
    contradiction_type: ContradictionType = ContradictionType.INCOMPATIBLE_VALUES


@dataclass(frozen=True, slots=True)
class ContradictionResult:
    is_contradiction: bool
    confidence: float
    contradiction_type: ContradictionType | None = None


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A contradiction that the answer uses and hides, with the phrase that would be honest."""

    slot_type: str
    subject: str
    phrase: str
    values: tuple[str, ...]
    memory_ids: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim with its verdict, why, and by which memories; `wrong` is the span that is at fault."""

    claim: Claim
    verdict: Verdict
    standing: Standing
    confidence: float
    evidence: tuple[str, ...]
    explanation: str
    action: Action
    wrong: Span | None = None
    correction: str | None = None

    @property
    def text(self) -> str:
        return self.claim.text

    @property
    def span(self) -> Span:
        return self.claim.span


@dataclass(frozen=True, slots=True)
class VerificationReport:
    text: str
    grounded: bool
    claims: tuple[ClaimReport, ...]
    hallucinations: tuple[str, ...]
    unverifiable: tuple[str, ...]
    contradictions: tuple[ContradictionDetail, ...]
    requires_disclosure: bool
    expected_disclosure: str | None
    disclosures: tuple[Disclosure, ...]
    grounding_map: Mapping[str, str]
    corrected: str | None
    action: Action
    confidence: float
    latency_ms: float
    judge: str
    not_analysed: int = 0
    caveat: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    flags: tuple[HallucinationFlag, ...] = ()
    """What the detectors say of the answer, where they were asked."""

    @property
    def claim_count(self) -> int:
        return len(self.claims)
