"""The commands `recall` and `history`: what is remembered, what was, and what took its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

import click

from groundwire.errors import InvalidInput, NotFound
from groundwire.surfaces.calls import Call
from groundwire.surfaces.cards import count, describe_validity, render_memory, render_past
from groundwire.surfaces.fields import read_limit, read_moment, read_name, read_share, read_user
from groundwire.surfaces.layout import Tone, View, flatten, join, pad
from groundwire.surfaces.options import record_options, shared_options
from groundwire.surfaces.records import describe_memory, describe_tombstone
from groundwire.surfaces.requests import Fields, Limits, check_text, refuse_unknown
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import find_id, open_keeper, owner_options
from groundwire.types import Memory, MemoryStatus, Scope
from groundwire.types.records import Tombstone

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.memory.outcomes import Recalled

RECALL_FIELDS = ("id", "query", "user", "user_id", "tenant", "limit", "as_of", "min_confidence", "now")
HISTORY_FIELDS = ("id", "memory_id", "query", "user", "user_id", "tenant")
FULL_ID = 32
LIMIT = 5


@dataclass(frozen=True, slots=True)
class RecallRequest:
    query: str
    scope: Scope
    limit: int
    as_of: datetime | None
    min_confidence: float | None
    now: datetime | None


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    scope: Scope
    memory_id: str | None
    query: str | None


# ── recall ──────────────────────────────────────────────────────────────────────────────────────


@click.command("recall")
@shared_options("QUERY")
@owner_options
@click.option("--limit", type=int, metavar="N", help=f"At most so many; {LIMIT} unless given.")
@click.option("--as-of", "as_of", metavar="TIME", help="What held then; a day alone means the end of that day.")
@click.option("--min-confidence", type=float, metavar="SHARE", help="Leave out what has decayed below this.")
@click.option("--now", metavar="TIME", help="The time of asking; at this moment if left out.")
def recall(call: Call, scope: Scope, **options: object) -> None:
    """Recall what is remembered about QUERY, best first.

    Found by words and by meaning. What was replaced, has expired or has faded
    is left out; --as-of asks for what held at an earlier time.

    \b
    In:   QUERY, a file or -; with --jsonl {"query", "user"?, "tenant"?,
          "limit"?, "as_of"?, "min_confidence"?, "now"?}; the options stand in
          for fields that a line leaves out. Times are ISO 8601.
    Out:  {"memories": [{"id", "text", "score", "lexical", "semantic",
          "confidence_now", "authoritative", "trust", "source", "valid_from",
          "valid_to", ...}]}

    \b
    Examples:
      groundwire recall "where do I live" --store memory.db --user ada
      groundwire recall "employer" --as-of 2024-12-31 --json
    """
    keeper = open_keeper(call)

    def find(fields: Fields) -> list[Recalled]:
        given = {**{name: value for name, value in options.items() if value is not None}, **fields}
        request = read_recall_request(given, scope, call.settings)
        return keeper.recall(
            request.query,
            user=request.scope.owner,
            tenant=request.scope.tenant,
            limit=request.limit,
            as_of=request.as_of,
            min_confidence=request.min_confidence,
            now=request.now,
        )

    if call.as_jsonl:
        call.filter(lambda fields: describe_recalled(find(fields)))
    found = find({"query": call.read_text("query")})
    call.show(describe_recalled(found), lambda view: render_recalled(found, scope, view))


def read_recall_request(fields: Fields, scope: Scope, limits: Limits) -> RecallRequest:
    refuse_unknown(fields, RECALL_FIELDS)
    if fields.get("query") is None:
        raise InvalidInput("query", "is required")
    return RecallRequest(
        query=check_text(fields["query"], "query", limits.max_memory_characters),
        scope=Scope(read_user(fields, scope.owner), read_name(fields, "tenant", scope.tenant)),
        limit=read_limit(fields, LIMIT),
        as_of=read_end_of(fields, "as_of"),
        min_confidence=read_share(fields, "min_confidence"),
        now=read_moment(fields, "now"),
    )


def read_end_of(fields: Fields, name: str) -> datetime | None:
    """A time; of a day alone its last instant, because what was said on that day belongs to it."""
    value = fields.get(name)
    if isinstance(value, str):
        try:
            return datetime.combine(date.fromisoformat(value.strip()), time.max, UTC)
        except ValueError:
            pass  # not a day alone
    return read_moment(fields, name)


def describe_recalled(found: Sequence[Recalled]) -> JsonObject:
    return {
        "memories": [
            {
                **describe_memory(one.memory),
                "score": one.score,
                "lexical": one.lexical,
                "semantic": one.semantic,
                "confidence_now": one.confidence,
                "authoritative": one.is_authoritative,
            }
            for one in found
        ]
    }


def render_recalled(found: Sequence[Recalled], scope: Scope, view: View) -> str:
    if not found:
        return f"nothing remembered of {flatten(scope.owner)} matches\n"
    lines = [view.paint(count(len(found), "memory", "memories"), Tone.STRONG)]
    for one in found:
        notes = [describe_validity(one.memory)] if describe_validity(one.memory) else []
        if one.confidence < one.memory.confidence:
            notes.append(f"confidence {one.confidence:.2f}, faded from {one.memory.confidence:.2f}")
        if one.memory.status is not MemoryStatus.ACTIVE:
            notes.append(f"since {one.memory.status.value}")
        if not one.is_authoritative:
            notes.append("shared context, no ground for a fact")
        label = view.paint(pad(f"{one.score:.2f}", 4), Tone.NOTE)
        lines += render_memory(one.memory, label, 4, view, [", ".join(notes)] if notes else [])
    return join(lines)


# ── history ─────────────────────────────────────────────────────────────────────────────────────


@click.command("history")
@click.argument("memory_id", metavar="[MEMORY_ID]", required=False)
@record_options
@owner_options
@click.option("--query", metavar="WORDS", help="The history of whatever these words find.")
def history(call: Call, scope: Scope, memory_id: str | None, query: str | None) -> None:
    """Show what was remembered and what replaced it.

    Oldest first. Of one memory, of whatever --query finds, or of everything. The beginning of
    an id is enough. What was forgotten shows as such, without its words.

    \b
    In:   MEMORY_ID or --query; with --jsonl {"memory_id"?, "query"?, "user"?,
          "tenant"?}
    Out:  {"history": [{"id", "text", "status", "valid_from", "valid_to",
          "supersedes", "superseded_by", "why", ...} or {"id",
          "forgotten_at", "forgotten_by", ...}]}

    \b
    Examples:
      groundwire history --query "employer" --store memory.db --user ada
      groundwire history 3fa9c1d2 --json
    """
    keeper = open_keeper(call)

    def find(fields: Fields) -> list[Memory | Tombstone]:
        request = read_history_request(fields, scope, call.settings)
        return find_history(keeper, request)

    if call.as_jsonl:
        if memory_id is not None or query is not None:
            raise click.UsageError("MEMORY_ID and --query cannot be used with --jsonl: each line carries its own.")
        call.filter(lambda fields: describe_history(find(fields)))
    if memory_id is not None and query is not None:
        raise click.UsageError("Give one of MEMORY_ID and --query, not both.")
    found = find({"memory_id": memory_id, "query": query})
    call.show(describe_history(found), lambda view: render_history(found, scope, view))


def read_history_request(fields: Fields, scope: Scope, limits: Limits) -> HistoryRequest:
    refuse_unknown(fields, HISTORY_FIELDS)
    memory_id, query = fields.get("memory_id"), fields.get("query")
    if memory_id is not None and query is not None:
        raise InvalidInput("memory_id", "is given together with query; give one of them")
    return HistoryRequest(
        Scope(read_user(fields, scope.owner), read_name(fields, "tenant", scope.tenant)),
        None if memory_id is None else check_text(memory_id, "memory_id", limits.max_memory_characters),
        None if query is None else check_text(query, "query", limits.max_memory_characters),
    )


def find_history(keeper: Groundwire, request: HistoryRequest) -> list[Memory | Tombstone]:
    """The history that is asked for; the beginning of an id stands for it."""
    owner, tenant = request.scope
    memory_id = request.memory_id
    if memory_id is not None:
        memory_id = find_memory_id(keeper, request.scope, memory_id)
    return keeper.history(user=owner, tenant=tenant, memory_id=memory_id, query=request.query)


def find_memory_id(keeper: Groundwire, scope: Scope, given: str) -> str:
    """The whole id where the beginning was given; everything is listed only for what cannot be an id itself."""
    if len(given) >= FULL_ID:
        return given
    try:
        keeper.history(user=scope.owner, tenant=scope.tenant, memory_id=given)
    except NotFound:
        known = [entry.id for entry in keeper.history(user=scope.owner, tenant=scope.tenant)]
        return find_id(given, known, "memories")
    return given


def describe_history(found: Sequence[Memory | Tombstone]) -> JsonObject:
    return {
        "history": [
            describe_memory(entry) if isinstance(entry, Memory) else describe_tombstone(entry) for entry in found
        ]
    }


def render_history(found: Sequence[Memory | Tombstone], scope: Scope, view: View) -> str:
    if not found:
        return f"nothing remembered of {flatten(scope.owner)} matches\n"
    names = {entry.id: flatten(entry.text) for entry in found if isinstance(entry, Memory)}
    lines = [view.paint(count(len(found), "entry", "entries"), Tone.STRONG)]
    for entry in found:
        lines += render_past(entry, view, names)
    return join(lines)
