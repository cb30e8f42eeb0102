"""Findings: what one piece of evidence says about one part of a claim."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.types import Span, Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """`strength` is how sure the rule is; `exact` rules may not be overturned by a softer judge.

    `former` marks evidence that the claim was true once. `missing` is the part of the claim that the
    evidence is silent on, `wrong` the part that it denies.
    """

    verdict: Verdict
    strength: float
    reason: str
    passage_id: str = ""
    exact: bool = False
    former: bool = False
    slot: str | None = None
    claim_value: str = ""
    evidence_value: str = ""
    wrong: Span | None = None
    missing: Span | None = None
    gaps: tuple[Span, ...] = ()
    """All the parts that the evidence is silent on."""
    exchange: bool = True
    """Whether `evidence_value` may be put in the place of the wrong one: then the claim says what the evidence says."""
    beside: tuple[str, ...] = ()
    """Other passages without which it would not follow from this one."""
