"""What the stream gate tells: frozen values, one for each thing that can happen to a stretch of a stream.

Every span counts code points of the stream as the generator wrote it, and so do the spans of the claims.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from groundwire.types import ClaimReport, Span, Verdict


class EventKind(StrEnum):
    HOLD = "hold"
    RELEASE = "release"
    REPAIR = "repair"
    HALT = "halt"
    BRANCH = "branch"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Hold:
    """A window is full and its sentence still open: this much waits."""

    kind: ClassVar[EventKind] = EventKind.HOLD
    span: Span
    tokens: int
    reason: str = "the sentence is not finished"
    claims: tuple[ClaimReport, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """`text` may be shown. `caveat` names its claims for which no evidence was found; `is_verified` is false where the
    judge could not be used, and while `fast` has not looked yet."""

    kind: ClassVar[EventKind] = EventKind.RELEASE
    span: Span
    text: str
    claims: tuple[ClaimReport, ...] = ()
    reason: str = ""
    caveat: tuple[str, ...] = ()
    is_verified: bool = True


@dataclass(frozen=True, slots=True)
class Repair:
    """`text` stands in the place of the span; with `takes_back` the span was shown already."""

    kind: ClassVar[EventKind] = EventKind.REPAIR
    span: Span
    text: str
    claims: tuple[ClaimReport, ...] = ()
    reason: str = ""
    caveat: tuple[str, ...] = ()
    takes_back: bool = False
    is_verified: bool = True


@dataclass(frozen=True, slots=True)
class Halt:
    """Nothing more is shown of this stream: `span` is what is at fault, `released` how much was shown before.

    `may_branch` is false where asking again cannot help, because nothing could be verified. `corrected` is the sentence
    as the memories have it, where they have it.
    """

    kind: ClassVar[EventKind] = EventKind.HALT
    span: Span
    released: int
    claims: tuple[ClaimReport, ...] = ()
    reason: str = ""
    may_branch: bool = True
    corrected: str | None = None
    guidance: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """The request was asked again. An accepted branch has the text to show in the place of `span`; what came before it
    was shown already and stays."""

    kind: ClassVar[EventKind] = EventKind.BRANCH
    span: Span
    number: int
    text: str = ""
    claims: tuple[ClaimReport, ...] = ()
    reason: str = ""
    is_accepted: bool = False
    improved: bool = False
    caveat: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Abstain:
    """No answer can be given: `text` is what to say instead, in the place of `span`."""

    kind: ClassVar[EventKind] = EventKind.ABSTAIN
    span: Span
    text: str
    claims: tuple[ClaimReport, ...] = ()
    reason: str = ""
    evidence: tuple[str, ...] = ()
    branch_count: int = 0
    request_id: str = ""


StreamEvent = Hold | Release | Repair | Halt | Branch | Abstain


def move_claim(report: ClaimReport, by: int) -> ClaimReport:
    """The same report with its places counted from elsewhere."""
    claim = report.claim
    moved = replace(
        claim,
        span=_move(claim.span, by),
        value_span=None if claim.value_span is None else _move(claim.value_span, by),
        other_spans=tuple(_move(span, by) for span in claim.other_spans),
    )
    return replace(report, claim=moved, wrong=None if report.wrong is None else _move(report.wrong, by))


def _move(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def refuted(claims: Iterable[ClaimReport], floor: float = 0.0) -> tuple[ClaimReport, ...]:
    return tuple(claim for claim in claims if claim.verdict is Verdict.REFUTED and claim.confidence >= floor)


def tell_text(events: Iterable[StreamEvent]) -> str:
    """What a reader sees in the end who shows what is released and lets repairs replace what they take back."""
    shown: list[tuple[Span, str]] = []
    for event in events:
        match event:
            case Release() | Repair(takes_back=False):
                shown.append((event.span, event.text))
            case Repair():
                shown = _replace(shown, event.span, event.text)
            case Branch(is_accepted=True):
                shown = [*_cut(shown, event.span.start), (event.span, event.text)]
            case Abstain():
                shown = _cut(shown, event.span.start)
                shown.append((event.span, event.text if not shown else f"\n\n{event.text}"))
            case _:
                pass
    return "".join(text for _, text in shown)


def _cut(shown: list[tuple[Span, str]], end: int) -> list[tuple[Span, str]]:
    return [(span, text) for span, text in shown if span.start < end]


def _replace(shown: list[tuple[Span, str]], gone: Span, text: str) -> list[tuple[Span, str]]:
    """Pieces that `fast` released as they came may begin or end inside the span that is taken back."""
    kept: list[tuple[Span, str]] = []
    is_placed = False
    for span, piece in shown:
        before = piece[: max(0, gone.start - span.start)] if span.start < gone.start else ""
        after = piece[gone.end - span.start :] if span.start < gone.end < span.end else ""
        if span.end <= gone.start:
            kept.append((span, piece))
            continue
        if before:
            kept.append((Span(span.start, gone.start), before))
        if not is_placed:
            kept.append((gone, text))
            is_placed = True
        if span.start >= gone.end:
            kept.append((span, piece))
        elif after:
            kept.append((Span(gone.end, span.end), after))
    return kept if is_placed else [*kept, (gone, text)]
