"""What the stream gate asks of others: a check of a stretch of text, somebody who writes again, a place for records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from groundwire.types import ClaimReport, Scope, VerificationReport, VerifyMode
from groundwire.verify.excerpts import Excerpt

REFUTE_CONFIDENCE = 0.7


@dataclass(frozen=True, slots=True)
class Checked:
    """A report with how far it can be trusted.

    `skipped` is why the model took no part, if it should have; `threshold` is how sure a refutation has to be before it
    leads to action, and `is_raised` that it was raised because refutations have become the rule.
    """

    report: VerificationReport
    skipped: str = ""
    threshold: float = REFUTE_CONFIDENCE
    is_raised: bool = False
    evidence: Mapping[str, str] = field(default_factory=dict[str, str])
    """The texts of the memories that the report cites, by their ids, where they are known."""


class Check(Protocol):
    """Verifies a part of an answer, or all of it where nothing is said of a part."""

    def __call__(
        self, text: str, excerpt: Excerpt, /, *, mode: VerifyMode = VerifyMode.INLINE, branch_count: int = 0
    ) -> Checked: ...


@dataclass(frozen=True, slots=True)
class Regeneration:
    """A request to write the answer again: the `number`th, with this guidance and this sampling.

    `released` is what has been shown already; an answer that begins with it is carried on without taking anything back.
    """

    number: int
    guidance: str
    sampling: Mapping[str, float]
    released: str
    query: str
    request_id: str


Regenerate = Callable[[Regeneration], str]
AsyncRegenerate = Callable[[Regeneration], Awaitable[str]]
Guidance = Callable[[VerificationReport], str]
"""What to tell a generator that is asked again: which of its claims were refuted, and by what."""


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """One branch: what the answer was worth before and after it."""

    request_id: str
    number: int
    before: Mapping[str, int]
    after: Mapping[str, int]
    improved: bool
    is_accepted: bool
    recorded_at: datetime
    scope: Scope


@dataclass(frozen=True, slots=True)
class AbstentionRecord:
    """An answer that was not given, with what would have to be known to give it."""

    request_id: str
    query: str
    reason: str
    claims: tuple[ClaimReport, ...]
    evidence: tuple[str, ...]
    branch_count: int
    recorded_at: datetime
    scope: Scope
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


class GuardLog(Protocol):
    """Where branches and abstentions are written down, to learn from."""

    def record_branch(self, record: BranchRecord, /) -> None: ...
    def record_abstention(self, record: AbstentionRecord, /) -> None: ...
    def branches(self, scope: Scope, /, *, limit: int = 100) -> Sequence[BranchRecord]: ...
    def abstentions(self, scope: Scope, /, *, limit: int = 100) -> Sequence[AbstentionRecord]: ...
