"""What the rejection log teaches: how many candidates were refused, for what, and what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from groundwire.memory.candidates import Extraction, Rejection, RejectionReason
from groundwire.memory.kinds import RULES
from groundwire.types import MemoryKind

LAST = 100
_LABELS = {
    RejectionReason.BELOW_THRESHOLD: "below threshold",
    RejectionReason.NOT_GROUNDED: "not grounded",
    RejectionReason.HALLUCINATION: "hallucination",
    RejectionReason.TYPE_RULE: "type rule",
}
ACCEPTED = "accepted"
_MAPPED = {
    "low_confidence": RejectionReason.BELOW_THRESHOLD,
    "fact_below_threshold": RejectionReason.BELOW_THRESHOLD,
    "semantically_invalid": RejectionReason.TYPE_RULE,
}


@dataclass(frozen=True, slots=True)
class RejectionRecord:
    """One line of the log, as it is stored."""

    timestamp: str
    subject_id: str
    tenant_id: str
    rejection_reason: RejectionReason
    extracted_text: str
    confidence_score: float
    threshold: float | None
    type: str
    validation_details: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class ExtractionRecord:
    """One decided candidate: accepted, or refused with its record."""

    rejection: RejectionRecord | None = None


@dataclass(frozen=True, slots=True)
class Share:
    label: str
    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class RejectionSummary:
    """The last extractions by outcome; the counts add up to `total`."""

    total: int
    shares: tuple[Share, ...]
    most_common: str | None
    recommendation: str


def read_reason(name: str) -> RejectionReason:
    """A reason by its name, older names included."""
    return _MAPPED.get(name) or RejectionReason(name)


def make_record(rejection: Rejection, *, now: float, user: str, tenant: str) -> RejectionRecord:
    """A rejection as the log keeps it."""
    moment = datetime.fromtimestamp(now, UTC)
    return RejectionRecord(
        timestamp=moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        subject_id=user if user.startswith("USER:") else f"USER:{user}",
        tenant_id=tenant if tenant.startswith("TENANT:") else f"TENANT:{tenant}",
        rejection_reason=rejection.reason,
        extracted_text=rejection.text,
        confidence_score=rejection.confidence,
        threshold=rejection.threshold,
        type=rejection.kind,
        validation_details=rejection.details,
    )


def record_run(extraction: Extraction, *, now: float, user: str, tenant: str) -> list[ExtractionRecord]:
    """Every candidate of a run, accepted or not, for the aggregate."""
    accepted = [ExtractionRecord() for _ in (*extraction.stored, *extraction.proposed)]
    refused = [ExtractionRecord(make_record(r, now=now, user=user, tenant=tenant)) for r in extraction.rejected]
    return [*accepted, *refused]


def summarise(records: Sequence[ExtractionRecord], last: int = LAST) -> RejectionSummary:
    """The aggregate over the last extractions, oldest first in `records`."""
    recent = records[-last:] if last else records[:0]
    refused = [record.rejection for record in recent if record.rejection is not None]
    counts = Counter(record.rejection_reason for record in refused)
    total = len(recent)
    shares = [_share(label, counts[reason], total) for reason, label in _LABELS.items()]
    shares.append(_share(ACCEPTED, total - len(refused), total))
    common = _most_common(refused)
    return RejectionSummary(total, tuple(shares), _name_group(common) if common else None, _recommend(common, total))


def _share(label: str, count: int, total: int) -> Share:
    return Share(label, count, round(100 * count / total, 1) if total else 0.0)


_Group = tuple[RejectionReason, str, str]


def _most_common(refused: Sequence[RejectionRecord]) -> _Group | None:
    groups = Counter((r.rejection_reason, r.type, _range_of(r)) for r in refused)
    return min(groups, key=lambda group: (-groups[group], group)) if groups else None


def _range_of(record: RejectionRecord) -> str:
    """The band of the score table in which the confidence lies."""
    for low, high in ((0.95, 1.0), (0.85, 0.94), (0.80, 0.84), (0.75, 0.79), (0.60, 0.74)):
        if record.confidence_score >= low:
            return f"{low:.2f}-{high:.2f}"
    return "0.00-0.59"


def _name_group(group: _Group) -> str:
    reason, kind, band = group
    subject = kind or "output of no known type"
    if reason is RejectionReason.BELOW_THRESHOLD and kind in MemoryKind.__members__:
        return f"{subject} with confidence {band} (needs {RULES[MemoryKind(kind)].threshold:.2f} or more)"
    return f"{subject} with confidence {band}: {_LABELS[reason]}"


def _recommend(group: _Group | None, total: int) -> str:
    if group is None:
        return "nothing was rejected" if total else "no extraction yet"
    reason, kind, _ = group
    match reason:
        case RejectionReason.BELOW_THRESHOLD:
            return f"ask the extractor for {kind or 'candidates'} only where they are said clearly or come back"
        case RejectionReason.NOT_GROUNDED:
            return "tell the extractor to keep to what the source says, in its own words"
        case RejectionReason.HALLUCINATION:
            return "tell the extractor to add nothing to what was said: no detail, no conclusion; or use another model"
        case RejectionReason.TYPE_RULE:
            return "repeat the type rules and the output format in the extractor's instructions"
