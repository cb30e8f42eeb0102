"""Detections as values under flat paths, per session and turn, and the patterns that recur across them.

A path is a string and nothing more: `…/evidence` can hold a value and `…/evidence/kb_lookup` another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from groundwire.errors import InvalidInput
from groundwire.text.reading import read_text
from groundwire.types import Claim, Span
from groundwire.types.detection import (
    Correct,
    DetectionReport,
    Escalate,
    Flag,
    HallucinationFlag,
    HallucinationType,
    Handling,
    HistoryEvidence,
    KBEvidence,
    Leave,
    MitigationAction,
    Regenerate,
    Remove,
)

DETECTIONS = "/hallucination"
PATTERNS = "/hallucination_patterns"
HIGH, MEDIUM = 0.8, 0.5
MOST_EXAMPLES = 5
_LONGEST_COMPONENT = 256
_LONGEST_TEXT = 2_500
_LONGEST_EXAMPLE = 300
_LONGEST_CLAIM = 500
_LONGEST_TOPIC = 40
_NO_TOPIC = "general"
_COPULAS = frozenset({"is", "are", "was", "were", "be", "has been", "have been", "will be", "has", "have", "had"})


def encode(field: str, component: str) -> str:
    """A name as part of a path: whatever could separate anything is written as %XX."""
    try:
        encoded = quote(component, safe="")
    except UnicodeEncodeError:
        raise InvalidInput(field, "it holds half of a surrogate pair, which is not Unicode text") from None
    if not encoded:
        raise InvalidInput(field, "it is empty")
    if len(encoded) > _LONGEST_COMPONENT:
        raise InvalidInput(field, f"it takes {len(encoded)} characters in a path; the limit is {_LONGEST_COMPONENT}")
    return encoded


def turn_prefix(session: str, turn: int | str) -> str:
    return f"{DETECTIONS}/{encode('session', session)}/{encode('turn', str(turn))}/"


def pattern_prefix(pattern: str) -> str:
    return f"{PATTERNS}/{encode('pattern', pattern)}/"


# ── one turn ────────────────────────────────────────────────────────────────────────────────────


def trace_report(report: DetectionReport, session: str, turn: int | str) -> dict[str, Any]:
    """Everything that is kept of one detection, by path."""
    prefix = turn_prefix(session, turn)
    values: dict[str, Any] = {}
    for part, found in (
        ("detection", _trace_flags(report)),
        ("mitigation", _trace_actions(report)),
        ("metrics", _trace_metrics(report)),
    ):
        values |= {f"{prefix}{part}/{name}": value for name, value in found.items()}
    return values


def _trace_flags(report: DetectionReport) -> dict[str, Any]:
    flags = report.flags
    values: dict[str, Any] = {
        "total_flags": len(flags),
        "high_confidence": sum(flag.confidence >= HIGH for flag in flags),
        "medium_confidence": sum(MEDIUM <= flag.confidence < HIGH for flag in flags),
    }
    for index, flag in enumerate(flags):
        leaves = {
            "span_start": flag.span.start,
            "span_end": flag.span.end,
            "content": _shorten(flag.content),
            "type": flag.hallucination_type.value,
            "confidence": flag.confidence,
            "suggestion": _shorten(flag.suggestion),
            "evidence": _shorten(flag.evidence),
            "evidence/kb_lookup": _describe_evidence(flag.kb),
            "evidence/history_match": _describe_evidence(flag.history),
            "evidence/linguistic": flag.factors.get("linguistic_signals"),
            "source_id": flag.source_id,
            "pattern": name_pattern(report.response, flag),
        }
        values |= {f"flag/{index}/{name}": value for name, value in leaves.items()}
    return values


def _describe_evidence(evidence: KBEvidence | HistoryEvidence | None) -> dict[str, Any] | None:
    if evidence is None:
        return None
    found: dict[str, Any] = {"stance": evidence.stance.value, "confidence": evidence.confidence}
    if isinstance(evidence, HistoryEvidence):
        found["turn_id"] = evidence.turn_id
    return found | {"quote": _shorten(evidence.quote)}


def _trace_actions(report: DetectionReport) -> dict[str, Any]:
    actions = report.actions
    applied = report.handling is Handling.CORRECT
    values: dict[str, Any] = {
        "action_count": len(actions),
        "corrections_applied": sum(isinstance(action, Correct) for action in actions) if applied else 0,
        "regeneration_needed": report.handling is Handling.REGENERATE,
    }
    sources = {flag.value_span.end: flag.source_id for flag in report.flags if flag.value_span and flag.source_id}
    for index, action in enumerate(actions):
        leaves = _trace_action(action)
        if isinstance(action, Correct):
            leaves["source_id"] = sources.get(action.span.end)
        values |= {f"action/{index}/{name}": value for name, value in leaves.items()}
    return values


def _trace_action(action: MitigationAction) -> dict[str, Any]:
    span: Span | None = None
    original = replacement = reason = None
    match action:
        case Leave(span):
            pass
        case Flag(span, reason):
            pass
        case Correct(span, original, replacement, reason):
            pass
        case Remove(span, reason):
            pass
        case Regenerate(reason) | Escalate(reason):
            pass
    return {
        "type": name_action(action),
        "span_start": None if span is None else span.start,
        "span_end": None if span is None else span.end,
        "original": _shorten(original),
        "replacement": replacement,
        "reason": _shorten(reason),
    }


def name_action(action: MitigationAction) -> str:
    """The action by the name that the outside knows."""
    return "None" if isinstance(action, Leave) else type(action).__name__


def _trace_metrics(report: DetectionReport) -> dict[str, Any]:
    metrics = report.metrics
    return {
        "detection_time_ms": metrics.detection_time_ms,
        "segments_analyzed": metrics.segments_analyzed,
        "claims_checked": metrics.claims_checked,
        "entities_verified": metrics.entities_verified,
    }


def _shorten(text: str | None) -> str | None:
    return text if text is None or len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


# ── patterns ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of fault that was found more than once, or may be: what it is about, how often, and when last."""

    id: str
    type: HallucinationType
    description: str
    frequency: int
    last_seen: datetime
    examples: tuple[str, ...] = ()


def name_pattern(response: str, flag: HallucinationFlag) -> str:
    """Faults of one type about one thing, such as the department of somebody, are one pattern."""
    return f"{flag.hallucination_type.value}-{_find_topic(response, flag)}"


def _find_topic(response: str, flag: HallucinationFlag) -> str:
    place = flag.claim_span or flag.span
    claims = read_text(response[place.start : min(place.end, place.start + _LONGEST_CLAIM)]).claims
    topic = next((_name_topic(read.claim) for read in claims), "")
    return " ".join(topic.casefold().split())[:_LONGEST_TOPIC].strip().replace(" ", "_") or _NO_TOPIC


def _name_topic(claim: Claim) -> str:
    """The slot, or what is said; where that is a mere "is", whom it is said of."""
    if claim.slot_type:
        return claim.slot_type
    return claim.predicate if claim.predicate.casefold() not in _COPULAS else claim.subject.rpartition(" ")[2]


def read_patterns(values: Mapping[str, Any]) -> list[Pattern]:
    """The most frequent first, the latest among equals."""
    grouped: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        pattern, _, leaf = path.removeprefix(f"{PATTERNS}/").partition("/")
        grouped.setdefault(pattern, {})[leaf] = value
    found = [
        Pattern(
            pattern,
            HallucinationType(leaves["type"]),
            leaves.get("description", ""),
            leaves["frequency"],
            datetime.fromisoformat(leaves["last_seen"]),
            tuple(value for leaf, value in sorted(leaves.items()) if leaf.startswith("examples/")),
        )
        for pattern, leaves in grouped.items()
        if {"type", "frequency", "last_seen"} <= leaves.keys()
    ]
    return sorted(found, key=lambda p: (-p.frequency, -p.last_seen.timestamp(), p.id))


def trace_patterns(
    known: Mapping[str, Any], report: DetectionReport, earlier: Sequence[str], now: datetime
) -> dict[str, dict[str, Any]]:
    """Every pattern that the report touches, as it is to be kept; `earlier` are those of the record it replaces."""
    before = {pattern.id: pattern for pattern in read_patterns(known)}
    named = [(name_pattern(report.response, flag), flag) for flag in report.flags]
    change = Counter(name for name, _ in named)
    change.subtract(earlier)
    traced: dict[str, dict[str, Any]] = {}
    for name in change:
        key = encode("pattern", name)
        kept = before.get(key)
        frequency = (kept.frequency if kept else 0) + change[name]
        seen = [flag for other, flag in named if other == name]
        if frequency <= 0 or (not seen and kept is None):
            traced[name] = {}
            continue
        type_ = seen[0].hallucination_type if seen else HallucinationType(name.partition("-")[0])
        fresh = [flag.content[:_LONGEST_EXAMPLE] for flag in seen]
        examples = list(dict.fromkeys([*fresh, *(kept.examples if kept else ())]))[:MOST_EXAMPLES]
        traced[name] = {
            "type": type_.value,
            "description": f"{type_.description}: {name.partition('-')[2].replace('_', ' ')}",
            "frequency": frequency,
            "last_seen": (now if seen or kept is None else kept.last_seen).isoformat(),
            **{f"examples/{index}": example for index, example in enumerate(examples)},
        }
    return traced
