"""What differs between databases; everything else in this room is the same for all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, TimeoutError

from groundwire.errors import GroundwireError, StoreReadOnly

WRITES = "groundwire_writes"
"""Execution option of a connection whose transactions are going to write."""


class IndexedText(NamedTuple):
    """A memory as an index sees it."""

    key: int
    scope: int
    text: str


class Hit(NamedTuple):
    """What a search found: the key of a memory and its score, the higher the better."""

    key: int
    score: float


class TextIndex(Protocol):
    """Finds memories by what they say. An index of vectors has the same shape and hangs on the same keys."""

    def create(self, connection: Connection) -> None: ...

    def insert(self, connection: Connection, texts: Sequence[IndexedText]) -> None: ...

    def delete(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        """Take entries out for good; the words of a deleted text must not be left in the file."""
        ...

    def search(self, connection: Connection, scope: int, query: str, most: int) -> list[Hit]:
        """The best entries of one scope, best first. The query is somebody's text and never an instruction."""
        ...

    def examine(self, connection: Connection, *, is_writable: bool) -> list[str]:
        """What is wrong with the index, in words."""
        ...


class Dialect(Protocol):
    """One kind of database: how it is reached, begun, explained and cleaned."""

    @property
    def name(self) -> str:
        """The place, for messages."""
        ...

    @property
    def is_read_only(self) -> bool: ...

    @property
    def is_shared(self) -> bool:
        """Whether connections see each other's commits; if not, there is one connection for everybody."""
        ...

    @property
    def index(self) -> TextIndex: ...

    def make_engine(self) -> Engine: ...

    def version(self, connection: Connection) -> int:
        """Of the schema, 0 where there is none yet."""
        ...

    def set_version(self, connection: Connection, version: int) -> None: ...

    def protect_audit(self, connection: Connection) -> None:
        """Make the audit table refuse changes, except that details are erased."""
        ...

    def last_number(self, connection: Connection, table: str) -> int | None: ...

    def refuse_writing(self) -> StoreReadOnly: ...

    def explain(self, error: DBAPIError | TimeoutError) -> GroundwireError: ...

    def purge(self, connection: Connection) -> bool:
        """Remove what a deleted row left in the files; False if somebody still reads it."""
        ...

    def examine(self, connection: Connection, tables: Collection[str]) -> list[str]: ...
