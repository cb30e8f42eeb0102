"""The tables, in words that every SQL dialect shares; indexes for searching are the dialect's own.

Times are microseconds since 1970 in UTC: exact, ordered and the same everywhere. A scope is one small number in every
table, so that each query is confined by one comparison. `memories.key` is what an index of any kind hangs on: a table
of vectors refers to it with ON DELETE CASCADE and forgetting needs no further thought.
"""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    event,
)

metadata = MetaData()
Words = Text().with_variant(Text(collation="C"), "postgresql")
"""In the order of code points everywhere, whatever language the server was set up for."""
Key = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only under the name INTEGER."""


_QUOTES = "quotes"


def _key() -> Column[int]:
    return Column("key", Key, primary_key=True, autoincrement=True)


def _scope(*, primary_key: bool = False) -> Column[int]:
    return Column("scope", Key, ForeignKey("scopes.key"), primary_key=primary_key, nullable=False)


def _reference(name: str, target: str, *, primary_key: bool = False) -> Column[int]:
    """To something that takes this row along when it goes."""
    return Column(name, Key, ForeignKey(target, ondelete="CASCADE"), primary_key=primary_key, autoincrement=False)


def _text(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, Words, nullable=nullable)


def _quoting(name: str, *, nullable: bool = False) -> Column[str]:
    """A text that somebody may want forgotten: no database is to keep samples of it elsewhere."""
    return Column(name, Words, nullable=nullable, info={_QUOTES: True})


def _time(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _by_number(name: str, *columns: str) -> tuple[Index, Index]:
    """An index that is in the order of arrival where all else is equal, as every index of SQLite is."""
    numbered = Index(f"{name}_and_key", *columns, "key").ddl_if(dialect="postgresql")
    return Index(name, *columns).ddl_if(dialect="sqlite"), numbered


migrations = Table("migrations", metadata, Column("version", Integer, primary_key=True), _text("name"), _time("at"))

counters = Table("counters", metadata, Column("name", Words, primary_key=True), Column("value", BigInteger))

scopes = Table(
    "scopes",
    metadata,
    _key(),
    _text("tenant"),
    _text("owner"),
    Column("changes", BigInteger, nullable=False),
    UniqueConstraint("tenant", "owner"),
)

memories = Table(
    "memories",
    metadata,
    _key(),
    _scope(),
    _text("id"),
    _quoting("text"),
    _quoting("subject"),
    _text("kind"),
    _text("memory_type"),
    _quoting("source", nullable=True),
    Column("trust", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("timestamp", BigInteger),
    _text("status"),
    _time("created_at"),
    _time("last_confirmed"),
    Column("mentions", Integer().with_variant(BigInteger, "postgresql"), nullable=False),
    _time("valid_from"),
    _time("valid_to", nullable=True),
    _text("supersedes", nullable=True),
    _text("superseded_by", nullable=True),
    _quoting("why"),
    UniqueConstraint("scope", "id"),
    *_by_number("memories_by_time", "scope", "valid_from"),
    Index("memories_by_predecessor", "scope", "supersedes"),
    sqlite_autoincrement=True,
)

evidence = Table(
    "evidence",
    metadata,
    _reference("memory", "memories.key", primary_key=True),
    _quoting("claim"),
    _time("capture_time"),
    _text("confidence"),
    _text("source_id", nullable=True),
    _time("validity_horizon", nullable=True),
    _quoting("metadata"),
    Index("evidence_by_source", "source_id", postgresql_using="hash"),
)

vectors = Table(
    "vectors",
    metadata,
    _reference("memory", "memories.key", primary_key=True),
    _text("embedder"),
    Column("codes", LargeBinary, nullable=False),
)

reviews = Table(
    "reviews",
    metadata,
    _key(),
    _scope(),
    _text("id"),
    _quoting("content"),
    _text("kind"),
    _text("memory_type"),
    _text("source"),
    _quoting("evidence"),
    _quoting("validation_result"),
    _text("proposer"),
    _time("submitted_at"),
    _text("state"),
    _quoting("edited", nullable=True),
    _time("decided_at", nullable=True),
    _text("decided_by", nullable=True),
    _quoting("reason"),
    _text("memory_id", nullable=True),
    _quoting("error"),
    UniqueConstraint("scope", "id"),
    *_by_number("reviews_by_state", "state", "scope", "submitted_at"),
    Index("reviews_by_memory", "scope", "memory_id"),
    sqlite_autoincrement=True,
)

fingerprints = Table(
    "fingerprints",
    metadata,
    _key(),
    _scope(),
    _quoting("fingerprint"),
    _reference("memory", "memories.key"),
    _reference("review", "reviews.key"),
    *_by_number("fingerprints_by_value", "scope", "fingerprint"),
    Index("fingerprints_by_memory", "memory"),
    Index("fingerprints_by_review", "review"),
)

verdicts = Table(
    "verdicts",
    metadata,
    _key(),
    _scope(),
    _time("recorded_at"),
    _quoting("claim"),
    _text("verdict"),
    Column("confidence", Float, nullable=False),
    _text("judge"),
    _quoting("evidence"),
    _quoting("evidence_used"),
    _text("probabilities"),
    _text("action"),
    _quoting("explanation"),
    _text("model"),
    _text("calibration"),
    Index("verdicts_by_scope", "scope", "key"),
    sqlite_autoincrement=True,
)

verdict_evidence = Table(
    "verdict_evidence",
    metadata,
    _reference("verdict", "verdicts.key", primary_key=True),
    Column("memory_id", Words, primary_key=True),
    _scope(),
    Index("verdict_evidence_by_memory", "scope", "memory_id"),
)

rejections = Table(
    "rejections",
    metadata,
    _key(),
    _scope(),
    _time("timestamp"),
    _text("rejection_reason"),
    _quoting("extracted_text"),
    Column("confidence_score", Float, nullable=False),
    Column("threshold", Float, nullable=False),
    _text("type"),
    _quoting("validation_details"),
    Index("rejections_by_scope", "scope", "key"),
    sqlite_autoincrement=True,
)

outcomes = Table(
    "outcomes",
    metadata,
    _key(),
    _scope(),
    _time("recorded_at"),
    _text("outcome"),
    _text("type"),
    Column("confidence", Float, nullable=False),
    Index("outcomes_by_scope", "scope", "key"),
    sqlite_autoincrement=True,
)

sessions = Table(
    "sessions",
    metadata,
    _key(),
    _scope(),
    _text("id"),
    _time("started_at"),
    _time("ended_at", nullable=True),
    _quoting("metadata"),
    UniqueConstraint("scope", "id"),
)

values = Table(
    "session_values",
    metadata,
    _scope(primary_key=True),
    Column("path", Words, primary_key=True),
    _quoting("value"),
    _time("recorded_at"),
)

tombstones = Table(
    "tombstones",
    metadata,
    _scope(primary_key=True),
    Column("id", Words, primary_key=True),
    _time("forgotten_at"),
    _text("forgotten_by"),
    _text("supersedes", nullable=True),
    _text("superseded_by", nullable=True),
    Index("tombstones_by_predecessor", "scope", "supersedes"),
)

audit = Table(
    "audit",
    metadata,
    Column("sequence", Key, primary_key=True, autoincrement=True),
    _time("recorded_at"),
    _text("tenant"),
    _text("owner"),
    _text("actor"),
    _text("action"),
    _text("target"),
    _text("outcome"),
    _quoting("digest"),
    _text("previous"),
    _text("hash"),
    _quoting("salt", nullable=True),
    _quoting("details", nullable=True),
    Index("audit_by_scope", "tenant", "owner", "sequence"),
    Index("audit_by_target", "tenant", "owner", "target").ddl_if(dialect="sqlite"),
    Index("audit_by_hashed_target", "target", postgresql_using="hash").ddl_if(dialect="postgresql"),
    sqlite_autoincrement=True,
)

credentials = Table(
    "credentials",
    metadata,
    Column("id", Words, primary_key=True),
    _text("name"),
    _text("tenant"),
    _text("owner", nullable=True),
    _text("roles"),
    _text("sources", nullable=True),
    _text("digest"),
    _time("created_at"),
    _time("revoked_at", nullable=True),
    _time("last_used", nullable=True),
    Index("credentials_by_tenant", "tenant", "created_at"),
)

replies = Table(
    "replies",
    metadata,
    Column("credential", Words, primary_key=True),
    Column("key", Words, primary_key=True),
    _scope(),
    _text("fingerprint"),
    Column("status", Integer, nullable=False),
    _quoting("body", nullable=True),
    _time("recorded_at"),
    Index("replies_by_time", "recorded_at"),
    Index("replies_by_scope", "scope"),
)

for _table in metadata.tables.values():
    for _column in _table.columns:
        if _QUOTES in _column.info:
            _statement = DDL(f"ALTER TABLE {_table.name} ALTER COLUMN {_column.name} SET STATISTICS 0")
            event.listen(_table, "after_create", _statement.execute_if(dialect="postgresql"))
