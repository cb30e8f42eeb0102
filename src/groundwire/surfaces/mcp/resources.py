"""Resources: one memory with its history, one report of the verdict log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from groundwire.errors import InvalidInput, NotFound
from groundwire.surfaces.fields import NAME_CHARACTERS
from groundwire.surfaces.layout import flatten
from groundwire.surfaces.mcp.callers import Caller
from groundwire.surfaces.mcp.reports import describe_logged, find_report, list_reports
from groundwire.surfaces.mcp.tools import Desk, get_memory, memory_history
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.responses import JsonObject
from groundwire.types import Memory, MemoryStatus

SCHEME = "groundwire://"
JSON = "application/json"
_LISTED = 50
_REPORTS = 20
_TITLE = 80


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of resource; its address is the scheme, the kind's name and an id."""

    name: str
    title: str
    description: str
    read: Callable[[Desk, Caller, str], JsonObject]

    @property
    def template(self) -> str:
        return f"{SCHEME}{self.name}/{{id}}"

    def address(self, id: str) -> str:
        return f"{SCHEME}{self.name}/{quote(id, safe='')}"


@dataclass(frozen=True, slots=True)
class Listed:
    uri: str
    name: str
    description: str


def _read_memory(desk: Desk, caller: Caller, id: str) -> JsonObject:
    memory = get_memory(desk, caller, {"memory_id": id})
    return {"memory": memory, **memory_history(desk, caller, {"memory_id": id})}


def _read_report(desk: Desk, caller: Caller, id: str) -> JsonObject:
    records = find_report(desk.keeper, caller.scope, id)
    if not records:
        raise NotFound("report", id)
    return describe_logged(id, records)


MEMORY = Kind("memory", "A memory", "One memory with its evidence and all that stood in its place.", _read_memory)
REPORT = Kind("report", "A report", "The verdicts on one answer, as they were written down.", _read_report)
KINDS = (MEMORY, REPORT)


def read_resource(desk: Desk, caller: Caller, uri: str) -> JsonObject:
    """What an address names; NotFound for what is not there or belongs to somebody else."""
    for kind in KINDS:
        prefix = f"{SCHEME}{kind.name}/"
        if uri.startswith(prefix):
            return kind.read(desk, caller, check_text(unquote(uri[len(prefix) :]), "uri", NAME_CHARACTERS))
    raise InvalidInput("uri", f"is none of {', '.join(kind.template for kind in KINDS)}")


def list_resources(desk: Desk, caller: Caller) -> list[Listed]:
    """The latest of what is current, and the latest reports; the templates reach the rest."""
    scope = caller.scope
    entries = desk.keeper.history(user=scope.owner, tenant=scope.tenant)
    current = [entry for entry in entries if isinstance(entry, Memory) and entry.status is MemoryStatus.ACTIVE]
    found = [Listed(MEMORY.address(m.id), _shorten(m.text), m.memory_type) for m in reversed(current[-_LISTED:])]
    for name, records in list_reports(desk.keeper, scope, limit=_LISTED)[:_REPORTS]:
        found.append(Listed(REPORT.address(name), f"Report of {records[0].recorded_at.isoformat()}", "report"))
    return found


def _shorten(text: str) -> str:
    shown = flatten(text)
    return shown if len(shown) <= _TITLE else shown[: _TITLE - 1] + "…"
