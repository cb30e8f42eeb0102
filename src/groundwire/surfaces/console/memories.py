"""What is remembered of somebody: the list, one memory with where it came from, and what was true when."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from starlette.responses import Response

from groundwire.errors import InvalidInput
from groundwire.surfaces.console.charts import draw_timelines
from groundwire.surfaces.console.visits import Visit
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.rest.cursors import read_cursor, write_cursor
from groundwire.types import Memory, MemoryStatus, Scope
from groundwire.types.access import Role
from groundwire.types.records import Tombstone

if TYPE_CHECKING:
    from groundwire.types.records import AuditEntry

_LIST = "memories"
_EACH = 25
_FOUND = 25
_LONGEST_ID = 512
_STATUSES = ("", *MemoryStatus)


def show_list(visit: Visit) -> Response:
    """A search finds by words and by meaning; without one, everything in the order of its arrival."""
    scope, owners = visit.choose_scope(), visit.list_owners()
    query, status = visit.asked("q").strip(), visit.asked("status")
    if status not in _STATUSES:
        raise InvalidInput("status", f"is none of {', '.join(MemoryStatus)}")
    found: list[Memory] = []
    following, conflicts = None, ()
    if scope is not None:
        found, following = _find(visit, scope, query, status)
        conflicts = visit.asker.ledger(scope).contradictions()
    return visit.show(
        "memory.html",
        title="Memory",
        owner=None if scope is None else scope.owner,
        owners=owners,
        memories=found,
        next=following,
        conflicts=conflicts,
        query=query,
        status=status,
        statuses=_STATUSES,
        is_first=not visit.asked("cursor"),
    )


def _find(visit: Visit, scope: Scope, query: str, status: str) -> tuple[list[Memory], str | None]:
    if query:
        words = check_text(query, "q", visit.asker.service.settings.max_memory_characters)
        recalled = visit.time(
            "search", lambda: visit.gw.recall(words, user=scope.owner, tenant=scope.tenant, limit=_FOUND)
        )
        return [one.memory for one in recalled if status in ("", one.memory.status)], None
    after = read_cursor(visit.asked("cursor") or None, _LIST)
    wanted = MemoryStatus(status) if status else None
    ledger = visit.asker.ledger(scope)
    page = visit.time("list_memories", lambda: ledger.memories(after=after, limit=_EACH, status=wanted))
    return list(page.items), write_cursor(_LIST, page.next)


def show_memory(visit: Visit) -> Response:
    scope = visit.need_scope()
    id = check_text(str(visit.request.path_params["id"]), "memory_id", _LONGEST_ID)
    ledger = visit.asker.ledger(scope)
    memory = ledger.memory(id)
    history = visit.gw.history(user=scope.owner, tenant=scope.tenant, memory_id=id)
    trail: tuple[AuditEntry, ...] = ()
    if visit.has_any(Role.REVIEW, Role.ADMIN):
        trail = ledger.audit(target=id, limit=_EACH).items
    metadata = dict(memory.evidence.metadata) if memory.evidence is not None else {}
    quotes = metadata.pop("quotes", None) or ()
    return visit.show(
        "memory_item.html",
        title="Memory",
        memory=memory,
        history=[(entry, isinstance(entry, Tombstone)) for entry in history],
        quotes=quotes,
        way=sorted((name, _write(value)) for name, value in metadata.items() if value not in (None, "", [], {})),
        trail=trail,
        conflicts=[one for one in ledger.contradictions() if id in one.memory_ids],
    )


def _write(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {part}" for name, part in cast(dict[str, object], value).items())
    return ", ".join(map(str, cast(list[object], value))) if isinstance(value, list) else str(value)


def show_timeline(visit: Visit) -> Response:
    scope = visit.choose_scope()
    told, conflicts = (), ()
    if scope is not None:
        ledger = visit.asker.ledger(scope)
        told, conflicts = visit.time("timelines", ledger.timelines), visit.time("contradictions", ledger.contradictions)
    clashing = {id for one in conflicts for id in one.memory_ids}
    return visit.show(
        "timeline.html",
        title="Timeline",
        owner=None if scope is None else scope.owner,
        owners=visit.list_owners(),
        timelines=told,
        drawing=draw_timelines(told, clashing, datetime.now(UTC)) if told else "",
        conflicts=conflicts,
    )
