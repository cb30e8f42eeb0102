"""Every backend that the contract is shown for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from store_samples import NOW

from groundwire.memory.protocols import Store
from groundwire.store.options import StoreOptions
from groundwire.store.sql import SqlStore, open_store

BACKENDS = ("file", "memory")


@pytest.fixture(params=BACKENDS)
def open_backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Opens a store of one backend; for a file, the same one each time."""
    opened: list[SqlStore] = []

    def open_one(**options: Any) -> Store:
        path = tmp_path / "memory.db" if request.param == "file" else None
        opened.append(open_store(path, NOW, options=StoreOptions(**options)))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_backend: Callable[..., Store]) -> Store:
    return open_backend()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"
