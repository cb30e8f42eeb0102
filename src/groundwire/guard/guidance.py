"""What a generator is told that is asked again: short orders with the right words in them, one a line.

Small models follow what they can copy. So a line says what was wrong, what to say in its place, and quotes the memory;
where nothing is known, the way out is named as well.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.guard.events import refuted
from groundwire.types import ClaimReport, Standing, Verdict, VerificationReport

_MOST_CLAIMS = 5
_MOST_EVIDENCE = 2
_LONGEST = 240
_NO_EVIDENCE: Mapping[str, str] = {}


def describe_faults(report: VerificationReport, evidence: Mapping[str, str] = _NO_EVIDENCE) -> str:
    """Guidance where nobody has better. `evidence` holds the texts of memories by their ids, where they are known."""
    wrong = refuted(report.claims)[:_MOST_CLAIMS]
    unknown = [claim for claim in report.claims if _is_unknown(claim)][:_MOST_CLAIMS]
    lines = [_correct(claim, report.text, evidence) for claim in wrong]
    if unknown:
        lines.append(f"Leave out what nothing is known of: {'; '.join(_quote(claim.text) for claim in unknown)}.")
    if report.expected_disclosure:
        lines.append(f"Say that it has changed or is disputed: {report.expected_disclosure}.")
    if unknown or any(claim.correction is None for claim in wrong):
        lines.append("If nothing that is known answers the question, say “I do not know” and no more.")
    return "\n".join(lines)


def _correct(claim: ClaimReport, text: str, evidence: Mapping[str, str]) -> str:
    """What to say comes before what not to say: it is what a model should go on with."""
    if claim.correction:
        wrong = text[claim.wrong.start : claim.wrong.end] if claim.wrong is not None else ""
        order = f"Say {_quote(claim.correction)}, not {_quote(wrong or claim.text)}"
    else:
        order = f"Do not say {_quote(claim.text)}"
    known = [f"{id} says {_quote(evidence[id])}" for id in claim.evidence[:_MOST_EVIDENCE] if id in evidence]
    return f"{order}: {'; '.join(known) or claim.explanation.rstrip('.')}."


def _is_unknown(claim: ClaimReport) -> bool:
    return claim.verdict is Verdict.INSUFFICIENT and claim.standing is not Standing.HEDGED


def _quote(text: str) -> str:
    shown = " ".join(text[: _LONGEST * 4].split())
    return f"“{shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1].rstrip() + '…'}”"
