"""Every backend that the contract is shown for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from store_samples import NOW, SECRET

from groundwire.memory.protocols import Store
from groundwire.store.options import StoreOptions
from groundwire.store.sql import SqlStore, open_store

BACKENDS = ("file", "memory", pytest.param("postgres", marks=pytest.mark.slow))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A server for all tests of this process that need one."""
    from postgres_server import run_server

    with run_server() as server:
        yield server


@pytest.fixture
def address(postgres: Any) -> Iterator[str]:
    """Of a store that is not there yet."""
    with postgres.schema() as made:
        yield made


@pytest.fixture
def ann(postgres: Any) -> Iterator[str]:
    """Somebody who needs a password, in a database of her own; its name."""
    with postgres.database() as name:
        postgres.execute(f"CREATE ROLE ann LOGIN PASSWORD '{SECRET}'")
        postgres.execute("ALTER DATABASE {} OWNER TO ann", name)
        yield name
        postgres.execute("DROP OWNED BY ann CASCADE", database=name)
        postgres.execute("ALTER DATABASE {} OWNER TO postgres", name)
        postgres.execute("DROP ROLE ann")


def name_place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str | None:
    """Where a backend keeps its store; the server is started for those who ask for it alone."""
    match request.param:
        case "file":
            return tmp_path / "memory.db"
        case "postgres":
            return request.getfixturevalue("address")
        case _:
            return None


@pytest.fixture(params=BACKENDS)
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str | None:
    """A place of each backend; None is in memory."""
    return name_place(request, tmp_path)


@pytest.fixture(params=[backend for backend in BACKENDS if backend != "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A place that several processes can share."""
    found = name_place(request, tmp_path)
    assert found is not None
    return found


@pytest.fixture
def open_backend(anywhere: Path | str | None) -> Iterator[Callable[..., Store]]:
    """Opens a store of one backend; unless it is in memory, the same one each time."""
    opened: list[SqlStore] = []

    def open_one(**options: Any) -> Store:
        opened.append(open_store(anywhere, NOW, options=StoreOptions(**options)))
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
