"""What the memory answers: what was remembered, recalled, decided and found wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from groundwire.memory.candidates import Extraction, Proposal
from groundwire.memory.receipts import ValidationResult
from groundwire.types import Memory, Span
from groundwire.types.records import PendingMemory


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of one claim: stored, queued, refused, or known already.

    `memory` is what holds the claim now; with `is_confirmation` it was there before and was said again. `review_id` is
    the item that waits for a person. `superseded` ended with this claim, each with `superseded_by` and `why`.
    """

    receipt: ValidationResult
    memory: Memory | None = None
    review_id: str | None = None
    superseded: tuple[Memory, ...] = ()
    is_confirmation: bool = False

    @property
    def is_stored(self) -> bool:
        return self.memory is not None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal that could not be kept at all, and why: the queue is full, the store cannot hold such a text."""

    proposal: Proposal
    why: str


@dataclass(frozen=True, slots=True)
class RememberedConversation:
    """What became of everything that was extracted; `log` names the stages of the run in order.

    `unread` is how many of the user's turns are in a language that the checks do not read.
    """

    extraction: Extraction
    remembered: tuple[Remembered, ...]
    log: tuple[str, ...]
    refused: tuple[Refusal, ...] = ()
    unread: int = 0

    @property
    def outcomes(self) -> tuple[tuple[Proposal, Remembered], ...]:
        """What the gate made of each proposal that reached it."""
        turned_away = [refusal.proposal for refusal in self.refused]
        proposals = (*self.extraction.stored, *self.extraction.proposed)
        reached = [one for one in proposals if not any(one is other for other in turned_away)]
        return tuple(zip(reached, self.remembered, strict=True))


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that answers a query. `lexical` and `semantic` are None where that side did not find it.

    `confidence` is what is left of it after decay. A narrative is not authoritative: it may colour an answer, and
    grounds neither a fact nor an instruction.
    """

    memory: Memory
    score: float
    lexical: float | None
    semantic: float | None
    confidence: float
    is_authoritative: bool = True


# ── review ──────────────────────────────────────────────────────────────────────────────────────


class ReviewAction(StrEnum):
    APPROVE = "approve"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class SourceQuote:
    """Where in the source a claim was said: the turn (0 in a summary), the span in it, and its words."""

    turn: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class NearMemory:
    memory: Memory
    similarity: float


@dataclass(frozen=True, slots=True)
class ReviewView:
    """An item as a reviewer needs it. `diff` compares it with the memory that it contradicts or is nearest to,
    word by word: "-" lines are stored, "+" lines proposed, " " lines in both."""

    item: PendingMemory
    quotes: tuple[SourceQuote, ...]
    nearest: tuple[NearMemory, ...]
    conflict: Memory | None
    diff: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BulkEntry:
    """What happened, or in a preview would happen, to one item; `error` is why it did not."""

    queue_id: str
    content: str
    memory_id: str | None = None
    error: str = ""

    @property
    def is_done(self) -> bool:
        return not self.error


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    action: ReviewAction
    is_preview: bool
    entries: tuple[BulkEntry, ...]


# ── health ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was examined; `remedy` is what a person can do where it is not in order."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
