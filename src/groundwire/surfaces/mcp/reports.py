"""Reports as the verdict log keeps them: the verdicts of one answer were written down at one moment."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from groundwire.surfaces.responses import JsonObject
from groundwire.types import Scope, Verdict
from groundwire.types.records import VerdictRecord

if TYPE_CHECKING:
    from groundwire.app import Groundwire

IDENTITY = re.compile(r"r[0-9a-f]{8,16}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INSTANT = timedelta(microseconds=1)
_FAR_BACK = 2_000


class Moments:
    """Times that are never the same twice, so that a moment names the report of one answer."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._last = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    def next(self) -> datetime:
        with self._lock:
            self._last = max(self._clock(), self._last + _INSTANT)
            return self._last


def name_report(moment: datetime) -> str:
    return f"r{(moment - _EPOCH) // _INSTANT:x}"


def list_reports(keeper: Groundwire, scope: Scope, limit: int = _FAR_BACK) -> list[tuple[str, list[VerdictRecord]]]:
    """Newest first, the verdicts of each in the order of the answer."""
    found = keeper.ledger(scope.owner, scope.tenant).verdicts(limit=limit).items
    groups = groupby(found, key=lambda record: record.recorded_at)
    return [(name_report(moment), list(records)[::-1]) for moment, records in groups]


def find_report(keeper: Groundwire, scope: Scope, report_id: str) -> list[VerdictRecord]:
    """The verdicts of one answer; none where the log no longer has it."""
    if not IDENTITY.fullmatch(report_id):
        return []
    return next((records for name, records in list_reports(keeper, scope) if name == report_id), list[VerdictRecord]())


def choose_weightiest(records: Sequence[VerdictRecord]) -> VerdictRecord:
    """The one that decides over an answer: what is refuted before what is unknown before what is supported."""
    order = (Verdict.REFUTED, Verdict.INSUFFICIENT, Verdict.SUPPORTED)
    return min(records, key=lambda record: order.index(record.verdict))


def describe_verdict(record: VerdictRecord) -> JsonObject:
    return {
        "claim": record.claim,
        "verdict": record.verdict.value,
        "confidence": record.confidence,
        "action": record.action.value,
        "evidence": list(record.evidence_used),
        "explanation": record.explanation,
        "judge": record.judge,
        "model": record.model or None,
    }


def describe_logged(report_id: str, records: Sequence[VerdictRecord]) -> JsonObject:
    return {
        "report_id": report_id,
        "recorded_at": records[0].recorded_at.isoformat(),
        "verdict": choose_weightiest(records).verdict.value,
        "verdicts": [describe_verdict(record) for record in records],
    }
