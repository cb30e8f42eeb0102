"""A memory to test with: a clock that stands still, and whatever a test wants to break."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from groundwire import Groundwire, Memory
from groundwire.memory.outcomes import Remembered
from groundwire.memory.protocols import Store
from groundwire.settings import Settings
from groundwire.types import Scope

NOW = datetime(2026, 6, 20, 9, tzinfo=UTC)
ADA = Scope("ada")


def at(days: float) -> datetime:
    return NOW + timedelta(days=days)


@contextmanager
def open_memory(path: Path | None = None, **settings: Any) -> Iterator[Groundwire]:
    with Groundwire(path, settings=Settings(**{"judge": "rules", **settings})) as gw:
        yield gw


def remember(gw: Groundwire, content: str, days: float = 0, **others: Any) -> Remembered:
    return gw.remember(content, **{"user": "ada", "now": at(days), **others})


def propose(gw: Groundwire, content: str, days: float = 0, **others: Any) -> str:
    """A claim of a model, which waits for review; the id of the item."""
    kept = remember(gw, content, days, **{"source": "ai_synthesis", "credential": "agent", **others})
    assert kept.review_id is not None and kept.memory is None
    return kept.review_id


def store_of(gw: Groundwire) -> Store:
    return gw._open_memory().store  # pyright: ignore[reportPrivateUsage]


def audit_of(gw: Groundwire, action: str, scope: Scope = ADA) -> list[tuple[str, str, str]]:
    """(actor, target, outcome) of one kind of entry, oldest first."""
    entries = store_of(gw).audit.entries(scope, limit=1_000)
    return [(e.actor, e.target, e.outcome) for e in reversed(entries) if e.action == action]


def texts(found: list[Any]) -> list[str]:
    return [entry.text if isinstance(entry, Memory) else entry.memory.text for entry in found]
