"""Addresses of stores and what servers say, without a server: read, shown without a password, told apart."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from store_samples import ADA, NOW, SECRET, act, memory

from groundwire.errors import (
    GroundwireError,
    InvalidInput,
    MissingExtra,
    StoreBusy,
    StoreCorrupt,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from groundwire.store.addresses import read_address
from groundwire.store.complaints import explain
from groundwire.store.sql import open_store
from groundwire.types import Scope
from groundwire.types.places import show_place

PASSWORDS = st.text(st.characters(codec="ascii", exclude_characters=" \t\n\r\x0b\x0c"), min_size=6, max_size=30)


@pytest.mark.parametrize(
    ("place", "schema", "shown"),
    [
        ("postgresql://ann:pw@db:5433/team", "groundwire", "postgresql://ann@db:5433/team"),
        ("postgres://ann@db/team?sslmode=require", "groundwire", "postgresql://ann@db/team"),
        ("postgresql+psycopg://db/team?schema=ours", "ours", "postgresql://db/team?schema=ours"),
        ("PostgreSQL:///team?host=/run/pg&password=pw", "groundwire", "postgresql:///team?host=/run/pg"),
        ("postgresql://ann:p%40w%2Fx@[::1]:5432/team", "groundwire", "postgresql://ann@[::1]:5432/team"),
    ],
)
def test_an_address_is_read_and_shown_without_its_password(place: str, schema: str, shown: str):
    address = read_address(place)
    assert (address.schema, address.shown) == (schema, shown)
    assert "schema" not in address.url.query and address.url.drivername == "postgresql+psycopg"


def test_what_the_driver_is_to_know_reaches_it():
    address = read_address("postgresql://ann:p%40w%2Fx@db/team?sslmode=require&connect_timeout=3")
    assert address.url.password == "p@w/x" and dict(address.url.query) == {"sslmode": "require", "connect_timeout": "3"}
    assert address.has("connect_timeout") and not address.has("application_name")


@pytest.mark.parametrize(
    "place",
    [
        f"postgresql://ann:{SECRET}",
        f"postgresql://ann:p@{SECRET}@db/team",
        f"postgresql://ann:p/{SECRET}",
        f"mysql://ann:{SECRET}@db/team",
        f"postgresql+asyncpg://ann:{SECRET}@db/team",
        f"postgresql://ann:{SECRET}@db/team?schema=a;b",
        f"postgresql://ann:{SECRET}@db/team?schema=Team",
        f"postgresql://ann:{SECRET}@db:port/team",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_not_repeated(place: str):
    with pytest.raises(StoreUnavailable) as refused:
        open_store(place, NOW)
    assert SECRET not in "".join(traceback.format_exception(refused.value, limit=0))


@given(password=PASSWORDS)
@example(password="12/3456")
@example(password="?abcdef@")
@example(password="#abcdef")
@example(password="a@b:1/2?3#4")
def test_no_password_is_ever_shown_however_it_is_written(password: str):
    assume(password not in "postgresql://ann@db.example:5432/team?sslmode=require")  # "postgr" is there in any case
    for written in (password, quote(password, safe="")):
        place = f"postgresql://ann:{written}@db.example:5432/team?sslmode=require"
        shown = show_place(place)
        assert written not in shown and password not in shown
        try:
            assert password not in read_address(place).shown
        except StoreUnavailable as error:
            assert password not in str(error)
    assert show_place(place) == "postgresql://ann@db.example:5432/team?sslmode=require", "quoted, the rest is clear"


@pytest.mark.parametrize("place", ["memory.db", "", "/tmp/a b.db", "C:\\memory.db", "user@host.db"])
def test_a_file_is_shown_as_it_is(place: str):
    assert show_place(place) == place


def test_without_the_driver_the_fix_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r'pip install "groundwire\[postgres\]"') as missing:
        open_store(f"postgresql://ann:{SECRET}@db/team", NOW)
    assert SECRET not in str(missing.value)


# ── what a server says ──────────────────────────────────────────────────────────────────────────


class Said(Exception):
    """An error of a driver."""

    def __init__(self, words: str, sqlstate: str | None = None) -> None:
        super().__init__(words)
        self.sqlstate = sqlstate


def hear(words: str, code: str | None = None, statement: str | None = None, *, lost: bool = False) -> GroundwireError:
    said = Said(words, code)
    error = OperationalError(statement, {}, said, connection_invalidated=lost)
    error.__context__ = said
    return explain(error, "postgresql://db/team", 60)


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        ('FATAL:  password authentication failed for user "ann"', StoreUnavailable, "name or the password"),
        ("fe_sendauth: no password supplied", StoreUnavailable, "wants a password"),
        ('FATAL:  database "team" does not exist', StoreUnavailable, "create it"),
        ('FATAL:  role "ann" does not exist', StoreUnavailable, "check the user"),
        ('FATAL:  no pg_hba.conf entry for host "1.2.3.4"', StoreUnavailable, "server's rules"),
        ("FATAL:  sorry, too many clients already", StoreBusy, "max_connections"),
        ("FATAL:  the database system is starting up", StoreBusy, "not ready"),
        ("Connection refused\n\tIs the server running?", StoreUnavailable, "check that the server runs"),
        ("FATAL:  Datenbank »team« existiert nicht", StoreUnavailable, "Datenbank »team« existiert nicht"),
    ],
)
def test_refusals_are_told_apart(words: str, kind: type[GroundwireError], message: str):
    for prefix in ('connection failed: connection to server at "10.0.0.1", port 5432 failed: ', ""):
        heard = hear(prefix + words)
        assert type(heard) is kind and message in str(heard) and "Is the server" not in str(heard)


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ("55P03", StoreBusy, "in use by others for 60 seconds"),
        ("40001", StoreBusy, "try again"),
        ("40P01", StoreBusy, "nothing was half written"),
        ("53100", StoreFull, "no room"),
        ("25006", StoreReadOnly, "read-only"),
        ("42501", StoreReadOnly, "GRANT it"),
        ("42P01", StoreCorrupt, "damaged"),
        ("XX001", StoreCorrupt, "damaged"),
        ("57P01", StoreUnavailable, "was lost"),
        ("08006", StoreUnavailable, "was lost"),
        ("53300", StoreBusy, "no more connections"),
        ("22000", StoreUnavailable, "groundwire doctor"),
    ],
)
def test_failures_are_told_apart_by_their_code_and_quote_no_row(code: str, kind: type[GroundwireError], message: str):
    heard = hear("es ging nicht\nDETAIL: Key (text)=(My PIN is 9182.)", code, "INSERT …")
    assert type(heard) is kind and message in str(heard) and "9182" not in str(heard)


def test_a_lost_connection_a_nul_and_an_exhausted_pool_are_told_apart():
    assert "was lost" in str(hear("server closed the connection unexpectedly", None, "SELECT 1", lost=True))
    nul = hear("PostgreSQL text fields cannot contain NUL (0x00) bytes", None, "SELECT 1")
    assert isinstance(nul, InvalidInput)
    assert isinstance(explain(PoolTimeout("QueuePool limit"), "the store", 60), StoreBusy)


def test_names_that_no_index_could_hold_are_refused_everywhere(tmp_path: Path):
    with open_store(tmp_path / "memory.db", NOW) as store:
        store.memories.add(memory("x", scope=Scope("o" * 512, "t" * 512)), act())
        with pytest.raises(InvalidInput, match="2400 bytes"):
            store.memories.add(memory("x", scope=Scope("\U0001f600" * 300, "\U0001f600" * 300)), act())
        assert store.memories.count(ADA) == 0
