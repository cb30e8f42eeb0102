"""The logs in SQL: each holds the most recent entries only, cleaned of what a log must not hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, Table, bindparam, delete, func, insert, select, update

from groundwire.store import schema
from groundwire.store.database import Database, Writer
from groundwire.store.forgetting import COUNTED
from groundwire.store.keys import log_key
from groundwire.store.queries import of_scope
from groundwire.store.redaction import clean, hash_text, map_strings
from groundwire.store.rows import row_to_outcome, row_to_rejection, row_to_verdict
from groundwire.store.values import check_text, to_json, to_micros
from groundwire.types.memories import Scope
from groundwire.types.records import CandidateOutcome, Rejection, VerdictRecord

_LONGEST_CLAIM = 200_000
_INSERT_VERDICTS = insert(schema.verdicts).returning(schema.verdicts.c.key, sort_by_parameter_order=True)
_INSERT_CITED = insert(schema.verdict_evidence)
_INSERT_OUTCOME = insert(schema.outcomes)
_INSERT_REJECTION = insert(schema.rejections)
_COUNTED = schema.counters.c.name == COUNTED
_COUNT_ON = (
    update(schema.counters)
    .where(_COUNTED)
    .values(value=schema.counters.c.value + bindparam("added", type_=BigInteger))
    .returning(schema.counters.c.value)
)
_SET_COUNT = update(schema.counters).where(_COUNTED).values(value=bindparam("count", type_=BigInteger))
_DROP_VERDICTS = delete(schema.verdicts).where(
    schema.verdicts.c.key.in_(
        select(schema.verdicts.c.key)
        .order_by(schema.verdicts.c.key)
        .limit(bindparam("surplus", type_=BigInteger))
        .scalar_subquery()
    )
)


class SqlLogs:
    """Verdicts of the whole store, rejections and outcomes of each owner."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record_verdicts(self, records: Sequence[VerdictRecord]) -> None:
        """All of an answer in two statements, however many claims it has."""
        if not records:
            return
        with self._database.writing() as writer:
            scopes = {scope: writer.scope_key(scope) for scope in dict.fromkeys(record.scope for record in records)}
            rows = [self._write_verdict(writer, record, scopes[record.scope]) for record in records]
            keys = writer.connection.execute(_INSERT_VERDICTS, rows).scalars().all()
            cited = [
                {"verdict": key, "memory_id": id, "scope": row["scope"]}
                for key, row, record in zip(keys, rows, records, strict=True)
                for id in dict.fromkeys((*record.evidence, *record.evidence_used))
            ]
            if cited:
                writer.connection.execute(_INSERT_CITED, cited)
            self._drop_oldest_verdicts(writer, len(records))

    def _write_verdict(self, writer: Writer, record: VerdictRecord, scope: int) -> dict[str, Any]:
        return {
            "scope": scope,
            "recorded_at": to_micros("recorded_at", record.recorded_at),
            "claim": self._quote(writer.connection, "claim", record.claim),
            "verdict": record.verdict.value,
            "confidence": float(record.confidence),
            "judge": record.judge,
            "evidence": to_json("evidence", record.evidence),
            "evidence_used": to_json("evidence_used", record.evidence_used),
            "probabilities": to_json("probabilities", dict(record.probabilities)),
            "action": record.action.value,
            "explanation": self._quote(writer.connection, "explanation", record.explanation),
            "model": record.model,
            "calibration": record.calibration,
        }

    def _drop_oldest_verdicts(self, writer: Writer, added: int) -> None:
        """The number is kept beside the rows: counting them at every verdict would cost more than the verdict."""
        count = writer.connection.execute(_COUNT_ON, {"added": added}).scalar_one()
        surplus = count - self._database.options.verdicts_kept
        if surplus > 0:
            writer.connection.execute(_DROP_VERDICTS, {"surplus": surplus})
            writer.connection.execute(_SET_COUNT, {"count": count - surplus})

    def verdicts(self, scope: Scope, *, limit: int = 100) -> tuple[VerdictRecord, ...]:
        return tuple(row_to_verdict(row, scope) for row in self._latest(schema.verdicts, scope, limit))

    def record_rejections(self, rejections: Sequence[Rejection]) -> None:
        with self._database.writing() as writer:
            for rejection in rejections:
                scope = writer.scope_key(rejection.scope)
                row = {
                    "scope": scope,
                    "timestamp": to_micros("timestamp", rejection.timestamp),
                    "rejection_reason": rejection.rejection_reason,
                    "extracted_text": self._quote(writer.connection, "extracted_text", rejection.extracted_text),
                    "confidence_score": float(rejection.confidence_score),
                    "threshold": float(rejection.threshold),
                    "type": rejection.type.value,
                    "validation_details": self._details(writer.connection, rejection),
                }
                writer.connection.execute(_INSERT_REJECTION, row)
                self._drop_oldest(writer, schema.rejections, scope)
            self._record_outcomes(writer, [_as_outcome(rejection) for rejection in rejections])

    def _details(self, connection: Connection, rejection: Rejection) -> str:
        """The details quote the text as well, in whichever of their strings."""

        def hide(text: str) -> str:
            return self._quote(connection, "validation_details", text)

        details = map_strings(rejection.validation_details, hide)
        return to_json("validation_details", details, self._database.options.metadata_bytes)

    def rejections(self, scope: Scope, *, limit: int = 100) -> tuple[Rejection, ...]:
        return tuple(row_to_rejection(row, scope) for row in self._latest(schema.rejections, scope, limit))

    def record_outcomes(self, outcomes: Sequence[CandidateOutcome]) -> None:
        with self._database.writing() as writer:
            self._record_outcomes(writer, outcomes)

    def _record_outcomes(self, writer: Writer, outcomes: Sequence[CandidateOutcome]) -> None:
        for outcome in outcomes:
            scope = writer.scope_key(outcome.scope)
            row = {
                "scope": scope,
                "recorded_at": to_micros("recorded_at", outcome.recorded_at),
                "outcome": outcome.outcome,
                "type": outcome.type.value,
                "confidence": float(outcome.confidence),
            }
            writer.connection.execute(_INSERT_OUTCOME, row)
            self._drop_oldest(writer, schema.outcomes, scope)

    def outcomes(self, scope: Scope, *, limit: int = 100) -> tuple[CandidateOutcome, ...]:
        return tuple(row_to_outcome(row, scope) for row in self._latest(schema.outcomes, scope, limit))

    def _latest(self, table: Table, scope: Scope, limit: int) -> list[Any]:
        query = select(table).where(of_scope(table, scope)).order_by(table.c.key.desc()).limit(limit)
        with self._database.reading() as connection:
            return list(connection.execute(query).mappings())

    def _drop_oldest(self, writer: Writer, table: Table, scope: int) -> None:
        count_mine, drop_mine = _count_and_drop(table)
        kept = self._database.options.rejections_kept
        count = writer.connection.execute(count_mine, {"confined_to": scope}).scalar_one()
        if count > kept:
            writer.connection.execute(drop_mine, {"confined_to": scope, "surplus": count - kept})

    def _quote(self, connection: Connection, field: str, text: str) -> str:
        """A text as the log may hold it."""
        text = clean(check_text(field, text.replace("\x00", "\\x00"), _LONGEST_CLAIM))
        return hash_text(log_key(connection), text) if self._database.options.hash_logged_text and text else text


@cache
def _count_and_drop(table: Table) -> tuple[Any, Any]:
    """How many entries of one scope there are, and how its oldest go."""
    mine = table.c.scope == bindparam("confined_to")
    oldest = select(table.c.key).where(mine).order_by(table.c.key).limit(bindparam("surplus", type_=BigInteger))
    return (
        select(func.count()).select_from(table).where(mine),
        delete(table).where(table.c.key.in_(oldest.scalar_subquery())),
    )


def _as_outcome(rejection: Rejection) -> CandidateOutcome:
    return CandidateOutcome(
        rejection.owner,
        rejection.timestamp,
        rejection.rejection_reason,
        rejection.type,
        rejection.confidence_score,
        rejection.tenant,
    )
