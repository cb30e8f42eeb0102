"""Memories by what they mean: one vector for each, searched exactly, one owner at a time.

Vectors are stored beside the memories, in one byte a dimension, and hang on their keys. An owner's vectors are read
when that owner first asks, and later what was added since the change counter moved; nobody else's are ever loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Connection, Text, and_, bindparam, case, delete, func, insert, select

from groundwire.errors import ModelUnavailable, StoreUnavailable
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.dialect import Hit, IndexedText
from groundwire.store.queries import Found, filter_hits, read_found
from groundwire.types.memories import Scope
from groundwire.types.records import Match, Ranked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.evidence.protocols import Embedder

_AT_ONCE = 500
_SPARE = 8
_MOST_BYTES = 256 << 20
"""Of vectors held for all owners; what was read longest ago is dropped first."""
_TAIL = 1024
_AT_HAND = 512
"""Rows that stay near the processor while several questions are asked of them."""
_memories, _vectors = schema.memories, schema.vectors
_STATE = select(
    schema.scopes.c.key,
    schema.scopes.c.changes,
    select(func.count()).where(schema.tombstones.c.scope == schema.scopes.c.key).scalar_subquery(),
).where(schema.scopes.c.tenant == bindparam("tenant"), schema.scopes.c.owner == bindparam("owner"))
_SINCE = (
    select(_memories.c.key, _vectors.c.codes, case((_vectors.c.memory.is_(None), _memories.c.text)))
    .select_from(
        _memories.outerjoin(
            _vectors,
            and_(_vectors.c.memory == _memories.c.key, _vectors.c.embedder == bindparam("embedder", type_=Text)),
        )
    )
    .where(_memories.c.scope == bindparam("confined_to"), _memories.c.key > bindparam("highest", type_=BigInteger))
    .order_by(_memories.c.key)
)
_THERE = select(_memories.c.key).where(_memories.c.key.in_(bindparam("keys", expanding=True)))
_REPLACE = delete(_vectors).where(_vectors.c.memory.in_(bindparam("keys", expanding=True)))
_ADD = insert(_vectors)


@dataclass(frozen=True, slots=True)
class _Block:
    """Some memories of one owner: their keys in order and, row by row, their vectors of length one."""

    keys: NDArray[np.int64]
    rows: NDArray[np.float32]

    def extend(self, more: _Block) -> _Block:
        import numpy as np

        return _Block(np.concatenate((self.keys, more.keys)), np.concatenate((self.rows, more.rows)))


@dataclass(frozen=True, slots=True)
class _Shelf:
    """All vectors of one owner as of one state of the store; what was added lately is kept apart, to be cheap to
    extend."""

    changes: int
    forgotten: int
    fingerprint: str
    settled: _Block
    recent: _Block

    @property
    def highest(self) -> int:
        last = self.recent.keys if len(self.recent.keys) else self.settled.keys
        return int(last[-1]) if len(last) else 0

    def __len__(self) -> int:
        return len(self.settled.keys) + len(self.recent.keys)

    @property
    def size(self) -> int:
        return self.settled.rows.nbytes + self.recent.rows.nbytes

    def add(self, block: _Block, changes: int) -> _Shelf:
        recent, settled = self.recent.extend(block), self.settled
        if len(recent.keys) > max(_TAIL, len(settled.keys) // 8):
            settled, recent = settled.extend(recent), _Block(recent.keys[:0], recent.rows[:0])
        return _Shelf(changes, self.forgotten, self.fingerprint, settled, recent)

    def rank(self, queries: Sequence[NDArray[np.float32]], most: int) -> list[list[Hit]]:
        """The nearest to each, nearest first; among equals the older."""
        import numpy as np

        keys = self.settled.keys
        found = _dot(self.settled.rows, queries)
        if len(self.recent.keys):
            keys = np.concatenate((keys, self.recent.keys))
            found = np.concatenate((found, _dot(self.recent.rows, queries)), axis=1)
        return [_pick(scores, keys, most) for scores in found]


@dataclass(frozen=True, slots=True)
class _Opened:
    """An owner's shelf, and the vectors on it that the store does not have yet."""

    key: int
    shelf: _Shelf
    missing: dict[int, bytes]


class SqlVectors:
    """The meanings of every scope's memories, one scope at a time. Without an embedder nothing is found."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._shelves: dict[int, _Shelf] = {}
        self._problem: ModelUnavailable | None = None

    @property
    def problem(self) -> ModelUnavailable | None:
        return self._problem

    def search(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Match, ...]:
        with self._database.reading() as connection:
            opened, found = self._find(connection, scope, (query,), when, limit)
            matches = [] if opened is None else read_found(connection, scope, opened.key, found[0])
        self._complete(opened)
        return tuple(matches)

    def rank(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Ranked, ...]:
        return self.rank_all(scope, (query,), when=when, limit=limit)[0]

    def rank_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None = None, limit: int = 10
    ) -> tuple[tuple[Ranked, ...], ...]:
        with self._database.reading() as connection:
            opened, found = self._find(connection, scope, queries, when, limit)
        self._complete(opened)
        return tuple(tuple(Ranked(entry.id, entry.score) for entry in held) for held in found)

    def nearest(self, scope: Scope, vector: NDArray[np.float32], limit: int) -> list[Hit]:
        """Keys of the memories nearest to a vector, whether they hold or not."""
        embedder = self._database.embedder
        if embedder is None:
            return []
        with self._database.reading() as connection:
            opened = self._open(connection, scope, embedder)
        return [] if opened is None else opened.shelf.rank([vector], limit)[0]

    def _find(
        self, connection: Connection, scope: Scope, queries: Sequence[str], when: datetime | None, limit: int
    ) -> tuple[_Opened | None, list[list[Found]]]:
        embedder = self._database.embedder
        found: list[list[Found]] = [[] for _ in queries]
        if embedder is None or limit < 1:
            return None, found
        try:
            wanted = [embedder.embed([query])[0] for query in queries]
            meant = [place for place, row in enumerate(wanted) if row.any()]
            opened = self._open(connection, scope, embedder) if meant else None
        except ModelUnavailable as error:
            self._problem = error
            return None, found
        if opened is None:
            return None, found
        done, most = 0, limit if when is None else limit + _SPARE
        while meant and done < len(opened.shelf):
            # What no longer holds is among the nearest: look deeper only where that leaves too few.
            searches = [hits[done:] for hits in opened.shelf.rank([wanted[place] for place in meant], most)]
            for place, held in zip(meant, filter_hits(connection, opened.key, searches, when, limit), strict=True):
                found[place] = [*found[place], *held][:limit]
            meant = [place for place in meant if len(found[place]) < limit]
            done, most = most, most * 8
        return opened, found

    def _open(self, connection: Connection, scope: Scope, embedder: Embedder) -> _Opened | None:
        """The owner's vectors as they are now; None for an owner that has none."""
        fingerprint = embedder.fingerprint
        state = connection.execute(_STATE, {"tenant": scope.tenant, "owner": scope.owner}).one_or_none()
        if state is None:
            return None
        key, changes, forgotten = state
        shelf = self._shelves.get(key)
        if shelf is not None and (shelf.forgotten, shelf.fingerprint) != (forgotten, fingerprint):
            shelf = None
        if shelf is not None and shelf.changes == changes and not self._database.is_writing:
            return _Opened(key, shelf, {})
        highest = 0 if shelf is None else shelf.highest
        parameters = {"embedder": fingerprint, "confined_to": key, "highest": highest}
        block, missing = _read(connection.execute(_SINCE, parameters).all(), embedder)
        if shelf is None:
            shelf = _Shelf(changes, forgotten, fingerprint, block, _Block(block.keys[:0], block.rows[:0]))
        else:
            shelf = shelf.add(block, changes)
        if not self._database.is_writing:  # what a transaction has written may yet be undone
            self._keep(key, shelf)
        return _Opened(key, shelf, missing)

    def _keep(self, key: int, shelf: _Shelf) -> None:
        """By a new dictionary: threads that race lose a shelf at worst, and it is read again."""
        kept = {other: held for other, held in self._shelves.items() if other != key} | {key: shelf}
        while len(kept) > 1 and sum(held.size for held in kept.values()) > _MOST_BYTES:
            del kept[next(iter(kept))]
        self._shelves = kept

    def _complete(self, opened: _Opened | None) -> None:
        """Store what had to be computed; where that cannot be done, it is computed again by whoever asks next."""
        if opened is None or self._database.dialect.is_read_only or self._database.is_writing:
            return
        keys = sorted(opened.missing)
        try:
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                with self._database.writing() as writer:
                    writer.connection.execute(_REPLACE, {"keys": part})
                    there = writer.connection.execute(_THERE, {"keys": part}).scalars().all()
                    rows = [_as_row(key, opened.shelf.fingerprint, opened.missing[key]) for key in there]
                    if rows:
                        writer.connection.execute(_ADD, rows)
        except StoreUnavailable:
            return


def insert_vectors(connection: Connection, embedder: Embedder | None, texts: Sequence[IndexedText]) -> None:
    """The vectors of new memories; where there is no embedder to be had, they are made up for later."""
    if embedder is None or not texts:
        return
    try:
        fingerprint, rows = embedder.fingerprint, embedder.embed([text.text for text in texts])
    except ModelUnavailable:
        return
    codes = encode(rows)
    connection.execute(
        _ADD, [_as_row(text.key, fingerprint, row.tobytes()) for text, row in zip(texts, codes, strict=True)]
    )


def _dot(rows: NDArray[np.float32], queries: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Row by row in this thread: for so little work, threads of a matrix product wait for each other longer than they
    compute as soon as the machine is busy. Several questions go over some rows together, while those are at hand."""
    import numpy as np

    scores = np.empty((len(queries), len(rows)), np.float32)
    for start in range(0, len(rows), _AT_HAND):
        part = rows[start : start + _AT_HAND]
        for place, query in enumerate(queries):
            near = np.vecdot(part, query) if hasattr(np, "vecdot") else np.einsum("ij,j->i", part, query)
            scores[place, start : start + _AT_HAND] = near
    return scores


def _pick(scores: NDArray[np.float32], keys: NDArray[np.int64], most: int) -> list[Hit]:
    import numpy as np

    if most < len(scores):
        near = np.argpartition(scores, len(scores) - most)[len(scores) - most :]
        scores, keys = scores[near], keys[near]
    order = np.lexsort((keys, -scores))
    return [Hit(int(keys[i]), max(0.0, min(1.0, float(scores[i])))) for i in order]


def encode(rows: NDArray[np.float32]) -> NDArray[np.int8]:
    """One byte a dimension; the length is lost, and is one."""
    import numpy as np

    largest = np.abs(rows).max(axis=1, keepdims=True)
    return np.rint(rows * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)


def decode(codes: NDArray[np.int8]) -> NDArray[np.float32]:
    import numpy as np

    rows = codes.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    rows /= np.where(lengths > 0, lengths, 1)
    return rows


def _read(rows: Sequence[Any], embedder: Embedder) -> tuple[_Block, dict[int, bytes]]:
    """Rows of `_SINCE` as vectors, and the codes of those that had to be computed."""
    import numpy as np

    absent = [(place, text) for place, (_, _, text) in enumerate(rows) if text is not None]
    pieces: list[bytes] = [codes or b"" for _, codes, _ in rows]
    if absent:
        computed = encode(embedder.embed([text for _, text in absent]))
        for (place, _), codes in zip(absent, computed, strict=True):
            pieces[place] = codes.tobytes()
    width = embedder.dimensions
    codes = np.frombuffer(b"".join(pieces), np.int8).reshape(len(rows), width)
    keys = np.array([key for key, _, _ in rows], np.int64)
    return _Block(keys, decode(codes)), {rows[place][0]: pieces[place] for place, _ in absent}


def _as_row(key: int, fingerprint: str, codes: bytes) -> dict[str, object]:
    return {"memory": key, "embedder": fingerprint, "codes": codes}
