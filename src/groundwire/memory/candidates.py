"""The words of extraction: what was said, what may be remembered of it, and what became of each proposal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from groundwire.errors import RejectionError
from groundwire.types import MemoryKind, Span


class Place(NamedTuple):
    """Where something was said: the turn (0 in a summary) and the span in that turn's own text."""

    turn: int
    span: Span


@dataclass(frozen=True, slots=True)
class Turn:
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that might be remembered. `confidence` is what the extractor claims; it can only lower the score."""

    text: str
    kind: MemoryKind
    confidence: float | None = None
    reasoning: str = ""
    places: tuple[Place, ...] = ()


class RejectionReason(StrEnum):
    BELOW_THRESHOLD = "confidence_below_threshold"
    NOT_GROUNDED = "not_grounded_in_summary"
    HALLUCINATION = "hallucination"
    TYPE_RULE = "type_rule_violation"


class Method(StrEnum):
    """How a candidate is grounded; the order is the order in which they are tried."""

    EXACT_QUOTE = "exact_quote"
    KEY_PHRASES = "key_phrases"
    SEMANTIC = "semantic"


class Delivery(StrEnum):
    """How the matched passage came to us."""

    DIRECT = "direct"
    REPORTED = "reported"
    NARRATED = "narrated"


@dataclass(frozen=True, slots=True)
class Grounding:
    """Where the source carries a candidate, or why it does not."""

    method: Method | None
    places: tuple[Place, ...] = ()
    quotes: tuple[str, ...] = ()
    exact_match: bool = False
    key_phrases: bool = False
    similarity: float | None = None
    entailment: str = ""
    mentions: int = 0
    is_explicit: bool = False
    delivery: Delivery | None = None
    strength_cap: float | None = None
    touched: bool = False
    """Something of it is in the source, although the whole is not."""
    violation: str = ""
    """What the matched passage is instead of a plain statement: hypothetical, vague, a joke…"""
    reason: str = ""

    @property
    def is_grounded(self) -> bool:
        return self.method is not None

    def describe(self) -> dict[str, object]:
        return {
            "grounded": self.is_grounded,
            "method": self.method.value if self.method else None,
            "exact_match": self.exact_match,
            "key_phrases": self.key_phrases,
            "semantic_similarity": self.similarity,
            "entailment": self.entailment or None,
            "mentions": self.mentions,
            "explicit": self.is_explicit,
            "delivery": self.delivery.value if self.delivery else None,
            "spans": [{"turn": place.turn, "span": list(place.span)} for place in self.places],
            "quotes": list(self.quotes),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Scoring:
    """Every factor of a confidence, so that the sum can be checked by hand."""

    explicit_mention: float
    repetition: float
    consistency: float
    type_credibility: float
    maximum: float
    total: float
    strength_cap: float | None
    claimed: float | None
    final: float
    known_facts_apply: bool = False

    def describe(self) -> dict[str, object]:
        return {
            "explicit_mention": self.explicit_mention,
            "repetition": self.repetition,
            "consistency": self.consistency,
            "type_credibility": self.type_credibility,
            "maximum": self.maximum,
            "total": self.total,
            "strength_cap": self.strength_cap,
            "llm_confidence": self.claimed,
            "final": self.final,
            "known_facts_apply": self.known_facts_apply,
        }


class Update(StrEnum):
    """What a newly grounded statement does to what is known."""

    ADD = "add"
    CONFIRM = "confirm"
    SUPERSEDE = "supersede"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate that passed every check so far, with what speaks for it."""

    candidate: Candidate
    kind: MemoryKind
    confidence: float
    threshold: float
    scoring: Scoring
    grounding: Grounding
    band: str
    note: str = ""
    """Why it waits for a person, where it does."""
    update: Update = Update.ADD
    known_fact: str = ""
    """What is known and concerned by it."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate that goes no further; `text` and `kind` are as they came, even where they make no sense."""

    text: str
    kind: str
    reason: RejectionReason
    confidence: float
    threshold: float | None
    details: Mapping[str, object] = field(default_factory=dict[str, object])

    def as_error(self) -> RejectionError:
        return RejectionError(self.text, self.reason.value, str(self.details.get("reason", "")))


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor proposes, what of its output made no sense, and that output as it came, for replay."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...] = ()
    raw: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of every candidate; each is in exactly one of the three lists."""

    stored: tuple[Proposal, ...] = ()
    proposed: tuple[Proposal, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    log: tuple[str, ...] = ()
    extractor: str = ""

    @property
    def count(self) -> int:
        return len(self.stored) + len(self.proposed) + len(self.rejected)


class Similarity(Protocol):
    """How alike a text is to each of several passages, from -1 to 1; a sentence embedder fits behind it."""

    def __call__(self, text: str, passages: Sequence[str], /) -> Sequence[float]: ...
