"""Vocabulary values become the JSON objects of the contract: stable names, stable order of keys."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from groundwire.errors import GroundwireError, InvalidInput
from groundwire.types import (
    Claim,
    ClaimReport,
    ContradictionDetail,
    Disclosure,
    ExtractedFact,
    Span,
    Verdict,
    VerificationReport,
    VerifierOutput,
)

if TYPE_CHECKING:
    from groundwire.settings import Settings

JsonObject = dict[str, object]

# Characters that JSON may leave as they are but at which a reader breaks the line or a terminal obeys.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode  # made once: json.dumps would make one a call


def write_json(value: object, *, indent: int | None = None) -> str:
    """JSON text as a person reads it, with one line per object whatever the reader takes for a line break."""
    text = _encode(value) if indent is None else json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def describe_claims(claims: Sequence[Claim]) -> JsonObject:
    return {"claims": [_describe_claim(claim) for claim in claims]}


def describe_facts(facts: Sequence[ExtractedFact]) -> JsonObject:
    return {"facts": [_describe_fact(fact) for fact in facts]}


def describe_judgement(output: VerifierOutput) -> JsonObject:
    return {
        "verdict": output.verdict.value,
        "confidence": output.confidence,
        "probabilities": {verdict.value: output.probabilities.get(verdict, 0.0) for verdict in Verdict},
        "evidence_used": list(output.evidence_used),
        "explanation": output.explanation,
        "reason": output.reason,
        "action": output.action.value,
        "low_confidence": output.low_confidence,
        "truncated": output.truncated,
        "conflicting": list(output.conflicting),
        "latency_ms": round(output.latency_ms, 3),
        "judge": output.judge,
        "model": output.model or None,
        "calibration": output.calibration or None,
    }


def describe_report(report: VerificationReport) -> JsonObject:
    return {
        "grounded": report.grounded,
        "claims": [describe_claim_report(claim) for claim in report.claims],
        "claim_count": report.claim_count,
        "hallucinations": list(report.hallucinations),
        "unverifiable": list(report.unverifiable),
        "contradictions": [describe_contradiction(contradiction) for contradiction in report.contradictions],
        "requires_disclosure": report.requires_disclosure,
        "expected_disclosure": report.expected_disclosure,
        "disclosures": [_describe_disclosure(disclosure) for disclosure in report.disclosures],
        "grounding_map": dict(report.grounding_map),
        "corrected": report.corrected,
        "action": report.action.value,
        "confidence": report.confidence,
        "caveat": report.caveat,
        "not_analysed": report.not_analysed,
        "latency_ms": round(report.latency_ms, 3),
        "judge": report.judge,
    }


def describe_settings(settings: Settings) -> JsonObject:
    return asdict(settings)


def describe_error(error: Exception) -> JsonObject:
    """What went wrong; a defect of groundwire itself is named as such and not dressed up as bad input."""
    if isinstance(error, InvalidInput):
        return {"type": "InvalidInput", "message": str(error), "field": error.field}
    if isinstance(error, GroundwireError):
        return {"type": type(error).__name__, "message": str(error)}
    return {"type": "InternalError", "message": f"{type(error).__name__}: {error}"}


def _describe_claim(claim: Claim) -> JsonObject:
    return {
        "text": claim.text,
        "span": list(claim.span),
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "polarity": claim.polarity.value,
        "tense": claim.tense.value,
        "hedged": claim.hedged,
        "quoted": claim.quoted,
    }


def _describe_fact(fact: ExtractedFact) -> JsonObject:
    return {
        "subject": fact.subject,
        "slot": fact.slot_type,
        "value": fact.value,
        "raw": fact.raw,
        "span": list(fact.span),
        "value_span": list(fact.value_span),
        "polarity": fact.polarity.value,
        "tense": fact.tense.value,
        "when": fact.when,
        "hedged": fact.hedged,
    }


def describe_claim_report(report: ClaimReport) -> JsonObject:
    return {
        "text": report.text,
        "span": list(report.span),
        "verdict": report.verdict.value,
        "standing": report.standing.value,
        "confidence": report.confidence,
        "evidence": list(report.evidence),
        "explanation": report.explanation,
        "action": report.action.value,
        "wrong": _describe_span(report.wrong),
        "correction": report.correction,
    }


def describe_contradiction(contradiction: ContradictionDetail) -> JsonObject:
    return {
        "slot_type": contradiction.slot_type,
        "subject": contradiction.subject,
        "values": list(contradiction.values),
        "memory_ids": list(contradiction.memory_ids),
        "trust_scores": list(contradiction.trust_scores),
        "timestamps": list(contradiction.timestamps),
        "contradiction_type": contradiction.contradiction_type.value,
    }


def _describe_disclosure(disclosure: Disclosure) -> JsonObject:
    return {
        "slot_type": disclosure.slot_type,
        "subject": disclosure.subject,
        "phrase": disclosure.phrase,
        "values": list(disclosure.values),
        "memory_ids": list(disclosure.memory_ids),
        "span": list(disclosure.span),
    }


def _describe_span(span: Span | None) -> list[int] | None:
    return None if span is None else list(span)
