"""What a generator is told that is asked again: what is known, and short orders with the right words in them.

Small models follow what they can copy, and copy what they are shown: the memory comes first, then what to say, and what
not to say last. Ids would only be read out.
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
    """Guidance where nobody has better, a line for each fault; `evidence` holds texts of memories by their ids."""
    wrong = refuted(report.claims)[:_MOST_CLAIMS]
    lines = [f"{_tell(claim, evidence)} {_order(claim, report.text)}" for claim in wrong]
    return "\n".join([*lines, *_order_more(report)])


def is_echo(text: str, report: VerificationReport) -> bool:
    """Whether an order came back in the place of an answer; nobody but the generator should ever read one."""
    orders = [_order(claim, report.text) for claim in refuted(report.claims)[:_MOST_CLAIMS]]
    if report.expected_disclosure is None:
        orders += _order_more(report)
    said = _flatten(text)
    return any(_flatten(order).rstrip(".") in said for order in orders)


def _tell(claim: ClaimReport, evidence: Mapping[str, str]) -> str:
    known = [_quote(evidence[id]) for id in claim.evidence[:_MOST_EVIDENCE] if id in evidence]
    return " ".join(known) or claim.explanation


def _order(claim: ClaimReport, text: str) -> str:
    if not claim.correction:
        return f"Do not say {_quote(claim.text)}."
    wrong = text[claim.wrong.start : claim.wrong.end] if claim.wrong is not None else ""
    return f"Say {_quote(claim.correction)}, not {_quote(wrong or claim.text)}."


def _order_more(report: VerificationReport) -> list[str]:
    unknown = [claim for claim in report.claims if _is_unknown(claim)][:_MOST_CLAIMS]
    lines: list[str] = []
    if unknown:
        lines.append(f"Leave out what nothing is known of: {'; '.join(_quote(claim.text) for claim in unknown)}.")
    if report.expected_disclosure:
        lines.append(f"Say that it has changed or is disputed: {report.expected_disclosure}.")
    if may_decline(report):
        lines.append("If nothing that is known answers the question, say “I do not know” and no more.")
    return lines


def may_decline(report: VerificationReport) -> bool:
    """Whether to have no answer is one; where memory has the right words, it is none."""
    return any(_is_unknown(claim) for claim in report.claims) or any(
        claim.correction is None for claim in refuted(report.claims)
    )


def _is_unknown(claim: ClaimReport) -> bool:
    return claim.verdict is Verdict.INSUFFICIENT and claim.standing is not Standing.HEDGED


def _quote(text: str) -> str:
    shown = " ".join(text[: _LONGEST * 4].split())
    return f"“{shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1].rstrip() + '…'}”"


def _flatten(text: str) -> str:
    return " ".join(text.casefold().replace("“", '"').replace("”", '"').split())
