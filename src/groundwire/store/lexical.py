"""BM25 over the words of memories, by FTS5.

Every indexed word carries its scope ("12xberlin"), so that a search reads the entries of one owner and of nobody else,
and rare means rare for that owner. The index holds no copy of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import DatabaseError

from groundwire.store.dialect import Hit, IndexedText

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 64
_INSERT = text("INSERT INTO memory_words(rowid, words) VALUES (:key, :words)")
_DELETE = text("INSERT INTO memory_words(memory_words, rowid, words) VALUES ('delete', :key, :words)")
_MERGE = text("INSERT INTO memory_words(memory_words) VALUES ('optimize')")
_RANK = text(
    "SELECT key, score FROM (SELECT rowid AS key, -bm25(memory_words) AS score FROM memory_words "
    "WHERE memory_words MATCH :words ORDER BY rowid DESC LIMIT :considered) ORDER BY score DESC, key LIMIT :most"
)
_COUNT = text("SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE memory_words MATCH :words LIMIT :enough)")
_CONSIDERED = 2_000
"""Ranking costs far more than counting: beyond this many entries, the rarer words of a query decide alone."""
_LEAST, _TIMES = 500, 25
"""Whoever wants few answers is content with fewer entries."""


def split_words(content: str) -> list[str]:
    """The words of a text as every index has them: without accents, in one case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", content) if not unicodedata.combining(c))
    return _WORD.findall(plain.casefold())


def scope_words(scope: int, content: str) -> list[str]:
    """Each word bound to its scope."""
    return [f"{scope}x{word}" for word in split_words(content)]


def choose_considered(most: int) -> int:
    """How many entries are worth ranking for so many answers."""
    return max(most, min(_CONSIDERED, max(_LEAST, most * _TIMES)))


def pick_rarest(counts: Mapping[str, int], considered: int) -> list[str]:
    """The rarest words that together have so many entries; at least one."""
    counted = sorted((entries, word) for word, entries in counts.items())
    picked, total = [counted[0][1]], counted[0][0]
    for entries, word in counted[1:]:
        total += entries
        if total > considered:
            break
        picked.append(word)
    return picked


class Fts5Index:
    """The lexical index of a SQLite file."""

    def create(self, connection: Connection) -> None:
        connection.execute(
            text("CREATE VIRTUAL TABLE memory_words USING fts5(words, content='', tokenize='porter unicode61')")
        )

    def insert(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        connection.execute(_INSERT, _as_rows(texts))

    def delete(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        connection.execute(_DELETE, _as_rows(texts))
        # A deletion only outweighs the old entry until the segments are merged: merge them now.
        connection.execute(_MERGE)

    def search(self, connection: Connection, scope: int, query: str, most: int) -> list[Hit]:
        words = list(dict.fromkeys(scope_words(scope, query)))[:_MOST_WORDS]
        considered = choose_considered(most)
        if len(words) > 1 and _count(connection, words, considered + 1) > considered:
            words = _pick_rarest(connection, words, considered)
        if not words:
            return []
        parameters = {"words": _any_of(words), "considered": considered, "most": most}
        return [Hit(*row) for row in connection.execute(_RANK, parameters)]

    def examine(self, connection: Connection, *, is_writable: bool) -> list[str]:
        try:
            if is_writable:
                with connection.begin_nested():
                    connection.execute(text("INSERT INTO memory_words(memory_words) VALUES ('integrity-check')"))
            indexed = connection.execute(text("SELECT count(*) FROM memory_words_docsize")).scalar_one()
        except DatabaseError as error:
            return [f"the index of words is damaged ({error.orig})"]
        stored = connection.execute(text("SELECT count(*) FROM memories")).scalar_one()
        return [] if indexed == stored else [f"{indexed} memories are in the index of words, of {stored}"]


def _as_rows(texts: Sequence[IndexedText]) -> list[dict[str, object]]:
    return [{"key": key, "words": " ".join(scope_words(scope, content))} for key, scope, content in texts]


def _any_of(words: Sequence[str]) -> str:
    """Every word is quoted: none can be more to FTS5 than a word to look for."""
    return " OR ".join(f'"{word}"' for word in words)


def _count(connection: Connection, words: Sequence[str], enough: int) -> int:
    """How many entries have any of the words; counts no further than `enough`."""
    return connection.execute(_COUNT, {"words": _any_of(words), "enough": enough}).scalar_one()


@cache
def _counts(words: int) -> TextClause:
    """The entries of each of so many words, in one statement."""
    one = "(SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE memory_words MATCH :word{} LIMIT :enough))"
    return text(f"SELECT {', '.join(one.format(number) for number in range(words))}")


def _pick_rarest(connection: Connection, words: Sequence[str], considered: int) -> list[str]:
    named = {f"word{number}": _any_of([word]) for number, word in enumerate(words)}
    row = connection.execute(_counts(len(words)), {"enough": considered + 1, **named}).one()
    return pick_rarest(dict(zip(words, row, strict=True)), considered)
