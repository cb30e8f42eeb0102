"""A part of a claim, and a finding as one of a passage."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.judge.findings import Finding
from groundwire.text.propositions import Argument
from groundwire.types import ExtractedFact, Span, Verdict

CAP = 0.69
"""A refutation that rests on no exact rule may not halt anything."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim that can be right or wrong by itself, with what the evidence says of it."""

    fact: ExtractedFact | None
    argument: Argument | None
    findings: tuple[Finding, ...]


def place(found: Finding, passage_id: str, *, wrong: Span | None = None, cap: bool = False) -> Finding:
    """The finding as one of a passage; every comparison comes by here, and `replace` takes four times as long."""
    soft = cap and found.verdict is Verdict.REFUTED and not found.exact
    return Finding(
        found.verdict, min(found.strength, CAP) if soft else found.strength, found.reason, passage_id, found.exact,
        found.former, found.slot, found.claim_value, found.evidence_value, found.wrong or wrong, found.missing,
        found.gaps, found.exchange, found.beside,
    )  # fmt: skip
