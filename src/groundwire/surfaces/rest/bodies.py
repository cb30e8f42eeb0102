"""What requests are made of. The shapes are those of the command line; limits and values are checked behind it.

Nothing is coerced, and a field that nobody reads is refused: it is most often a misspelt one that somebody relies on.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from groundwire.types import MemoryKind, MemoryStatus, VerifyMode

Name = Annotated[str, Field(min_length=1, max_length=256)]
Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Time = Annotated[
    int | float | str, Field(description="Unix seconds or ISO 8601.", examples=["2026-03-01T09:30:00Z", 1772357400])
]
Mode = Annotated[VerifyMode, Field(strict=False)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    def fields(self, *left_out: str) -> dict[str, Any]:
        """As a line of the command line would have it: what was not sent is not there."""
        return self.model_dump(exclude_unset=True, exclude=set(left_out))


class Addressed(Body):
    """Whose memories are meant; left out, the owner of the key. Nobody else than the key covers."""

    user: Name | None = None
    tenant: Name | None = None


class GivenMemory(Body):
    id: Text
    text: Text
    trust: Share | None = None
    timestamp: Time | None = None
    source: Name | None = None
    kind: Annotated[MemoryKind, Field(strict=False)] | None = None
    status: Annotated[MemoryStatus, Field(strict=False)] | None = None


class GivenPassage(Body):
    id: Text
    text: Text
    trust: Share | None = None
    timestamp: Time | None = None


class ExistingMemory(Body):
    id: Text
    content: Text
    trust: Share | None = None
    timestamp: Time | None = None


class SpokenTurn(Body):
    speaker: Name
    text: str


class DialogueTurnBody(Body):
    turn_id: int | None = None
    speaker: Name
    text: str


# ── checking ────────────────────────────────────────────────────────────────────────────────────


class VerifyBody(Addressed):
    """Without memories and passages, the answer is checked against what is remembered of the user."""

    text: Text
    query: Text | None = None
    memories: list[str | GivenMemory] | None = None
    passages: list[str | GivenPassage] | None = None
    mode: Mode = VerifyMode.POSTHOC
    flags: Annotated[bool, Field(description="Say as well what kind of wrong each fault is.")] = False


class JudgeBody(Addressed):
    """Without evidence, the claim is judged by what is remembered of the user."""

    claim: Text
    evidence: list[str | GivenPassage] | None = None
    context: Text | None = None
    mode: Mode = VerifyMode.POSTHOC


class DetectBody(Addressed):
    """With a user, what is remembered of them is known as well, and an answer that a person has to see is queued."""

    response: Text
    dialogue: list[DialogueTurnBody] | None = None
    knowledge: dict[str, Any] | None = None
    session: Name | None = None
    turn: int | Name | None = None
    branches_left: Annotated[int, Field(ge=0, le=1_000)] | None = None


# ── writing ─────────────────────────────────────────────────────────────────────────────────────


class RememberBody(Addressed):
    """A claim that wants to become a memory. A source that the key may not claim is taken for `ai_synthesis`."""

    content: Text
    source: Name
    memory_type: Name = "fact"
    turns: list[SpokenTurn] | None = None
    valid_from: Time | None = None
    validity_horizon: Time | None = None


class ConversationBody(Addressed):
    """One of `summary` and `turns`; `candidates` are an extractor's own, to be checked."""

    summary: str | None = None
    turns: list[SpokenTurn] | None = None
    candidates: list[dict[str, Any]] | None = None


class GateBody(Addressed):
    """The decision on a claim, without carrying it out; `existing` replaces what is stored."""

    content: Text
    memory_type: Name = "fact"
    source: Name = "ai_synthesis"
    existing: list[str | ExistingMemory] | None = None
    turns: list[SpokenTurn] | None = None
    validity_horizon: Time | None = None
    confidence: Share | None = None
    metadata: dict[str, Any] | None = None


class ExtractBody(Body):
    """One of `summary` and `turns`. Nothing is written."""

    summary: str | None = None
    turns: list[SpokenTurn] | None = None
    candidates: list[dict[str, Any]] | None = None
    known_facts: list[Text] | None = None


class SearchBody(Addressed):
    query: Text
    limit: Annotated[int, Field(ge=1, le=1_000)] = 5
    as_of: Time | None = None
    min_confidence: Share | None = None


# ── reviewing ───────────────────────────────────────────────────────────────────────────────────


class ApproveBody(Addressed):
    replaces: Annotated[list[Name], Field(max_length=100)] = []


class EditBody(Addressed):
    content: Text
    replaces: Annotated[list[Name], Field(max_length=100)] = []


class RejectBody(Addressed):
    reason: Text


# ── sessions and values ─────────────────────────────────────────────────────────────────────────


class SessionBody(Addressed):
    id: Name | None = None
    metadata: dict[str, Any] = {}


class EndBody(Addressed):
    pass


class ValuesBody(Addressed):
    """JSON values by path, such as `/projects/apollo/status`; the last one written is the one kept."""

    values: Annotated[dict[str, Any], Field(min_length=1, max_length=1_000)]
