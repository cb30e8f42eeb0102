"""Branches and abstentions kept in a store: the last ones of every owner, each in a place that is used again.

Kept is what is needed to close the gap: the question, the claims with their verdicts, and the ids of the memories. The
explanation, which quotes the memories, is not: what is forgotten must not live on in a log.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol

from groundwire.errors import StoreUnavailable
from groundwire.guard.protocols import AbstentionRecord, BranchRecord
from groundwire.guard.ring import RecentRecords
from groundwire.types import Action, Claim, ClaimReport, Scope, Span, Standing, Verdict

KEPT = 500
_BRANCHES, _ABSTENTIONS = "guard/branches/", "guard/abstentions/"
logger = logging.getLogger(__name__)


class ValueStore(Protocol):
    """JSON values by path, of one owner each."""

    def put(self, scope: Scope, values: Mapping[str, Any], when: datetime) -> None: ...
    def values(self, scope: Scope, prefix: str = "") -> Mapping[str, Any]: ...


class KeptRecords:
    """A log in a store. What cannot be written there is kept in memory: an answer does not wait for its log."""

    def __init__(self, open_values: Callable[[], ValueStore], kept: int = KEPT) -> None:
        self._open_values = open_values
        self._kept = kept
        self._numbers: dict[tuple[Scope, str], int] = {}
        self._lock = threading.Lock()
        self._recent = RecentRecords()

    def record_branch(self, record: BranchRecord, /) -> None:
        described = {
            "request_id": record.request_id,
            "number": record.number,
            "before": dict(record.before),
            "after": dict(record.after),
            "improved": record.improved,
            "accepted": record.is_accepted,
        }
        if not self._keep(_BRANCHES, record.scope, described, record.recorded_at):
            self._recent.record_branch(record)

    def record_abstention(self, record: AbstentionRecord, /) -> None:
        described = {
            "request_id": record.request_id,
            "query": record.query,
            "claims": [_describe_claim(claim) for claim in record.claims],
            "evidence": list(record.evidence),
            "branch_count": record.branch_count,
        }
        if not self._keep(_ABSTENTIONS, record.scope, described, record.recorded_at):
            self._recent.record_abstention(record)

    def branches(self, scope: Scope, /, *, limit: int = 100) -> tuple[BranchRecord, ...]:
        """The latest first."""
        kept = [_read_branch(entry, scope) for entry in self._latest(_BRANCHES, scope)]
        return (*self._recent.branches(scope, limit=limit), *kept)[:limit]

    def abstentions(self, scope: Scope, /, *, limit: int = 100) -> tuple[AbstentionRecord, ...]:
        """The latest first."""
        kept = [_read_abstention(entry, scope) for entry in self._latest(_ABSTENTIONS, scope)]
        return (*self._recent.abstentions(scope, limit=limit), *kept)[:limit]

    def _keep(self, prefix: str, scope: Scope, described: Mapping[str, Any], when: datetime) -> bool:
        try:
            with self._lock:
                values = self._open_values()
                number = self._numbers.get((scope, prefix))
                if number is None:
                    found = values.values(scope, prefix).values()
                    number = max((int(entry["place"]) for entry in found), default=0)
                number += 1
                path = f"{prefix}{number % self._kept:06}"
                values.put(scope, {path: {**described, "place": number, "recorded_at": when.isoformat()}}, when)
                self._numbers[scope, prefix] = number
        except StoreUnavailable as error:
            logger.warning("a record of the stream gate is kept in memory only: %s", error.problem)
            return False
        return True

    def _latest(self, prefix: str, scope: Scope) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = list(self._open_values().values(scope, prefix).values())
        return sorted(found, key=lambda entry: -int(entry["place"]))


def _describe_claim(claim: ClaimReport) -> dict[str, Any]:
    return {
        "text": claim.text,
        "span": list(claim.span),
        "verdict": claim.verdict.value,
        "standing": claim.standing.value,
        "confidence": claim.confidence,
        "evidence": list(claim.evidence),
        "action": claim.action.value,
    }


def _read_claim(entry: Mapping[str, Any]) -> ClaimReport:
    return ClaimReport(
        Claim(entry["text"], Span(*entry["span"])),
        Verdict(entry["verdict"]),
        Standing(entry["standing"]),
        entry["confidence"],
        tuple(entry["evidence"]),
        "",
        Action(entry["action"]),
    )


def _read_abstention(entry: Mapping[str, Any], scope: Scope) -> AbstentionRecord:
    return AbstentionRecord(
        request_id=entry["request_id"],
        query=entry["query"],
        reason="",
        claims=tuple(_read_claim(claim) for claim in entry["claims"]),
        evidence=tuple(entry["evidence"]),
        branch_count=entry["branch_count"],
        recorded_at=datetime.fromisoformat(entry["recorded_at"]),
        scope=scope,
    )


def _read_branch(entry: Mapping[str, Any], scope: Scope) -> BranchRecord:
    return BranchRecord(
        request_id=entry["request_id"],
        number=entry["number"],
        before=entry["before"],
        after=entry["after"],
        improved=entry["improved"],
        is_accepted=entry["accepted"],
        recorded_at=datetime.fromisoformat(entry["recorded_at"]),
        scope=scope,
    )
