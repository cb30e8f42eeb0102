"""BM25 over the words of memories, in tables: for a database that ranks by nothing better than how often a word occurs.

Every word of a memory is a row that begins with its scope, so that a search reads the entries of one owner and of
nobody else, and rare means rare for that owner. Words are stemmed by the server, which is asked for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import Connection, text

from groundwire.store.dialect import Hit, IndexedText
from groundwire.store.lexical import choose_considered, pick_rarest, split_words

_LONGEST_WORD = 64
"""Of what is longer, the beginning counts: an index entry has to fit on a page."""
_MOST_WORDS = 64
_TABLES = (
    'CREATE TABLE memory_words (scope bigint NOT NULL, word text COLLATE "C" NOT NULL, memory bigint NOT NULL, '
    "times integer NOT NULL, size integer NOT NULL, PRIMARY KEY (scope, word, memory) INCLUDE (times, size))",
    "ALTER TABLE memory_words ALTER COLUMN word SET STATISTICS 0",
    "CREATE TABLE memory_word_totals (scope bigint PRIMARY KEY, memories bigint NOT NULL, words bigint NOT NULL)",
)
_STEM = "coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word)"
_INSERT = text(
    "WITH given AS (SELECT * FROM unnest(CAST(:keys AS bigint[]), CAST(:words AS text[])) AS each (memory, word)), "
    f"counted AS (SELECT memory, {_STEM} AS word, count(*) AS times FROM given GROUP BY 1, 2) "
    "INSERT INTO memory_words (scope, word, memory, times, size) "
    "SELECT :scope, word, memory, times, sum(times) OVER (PARTITION BY memory) FROM counted"
)
_DELETE = text(
    "WITH gone AS (DELETE FROM memory_words WHERE scope = :scope AND memory = ANY(CAST(:keys AS bigint[])) "
    "RETURNING times) UPDATE memory_word_totals SET memories = memories - :memories, "
    "words = words - (SELECT coalesce(sum(times), 0) FROM gone) WHERE scope = :scope"
)
_COUNT_IN = text(
    "INSERT INTO memory_word_totals AS kept VALUES (:scope, :memories, :words) ON CONFLICT (scope) DO UPDATE "
    "SET memories = kept.memories + excluded.memories, words = kept.words + excluded.words"
)
_COUNTS = text(
    "SELECT stem, (SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE scope = :scope AND memory_words.word = stem "
    "LIMIT :enough) AS counted) "
    f"FROM (SELECT DISTINCT {_STEM} AS stem FROM unnest(CAST(:words AS text[])) AS word) AS stems"
)
_COUNT_ANY = text(
    "SELECT count(*) FROM (SELECT DISTINCT memory FROM memory_words "
    "WHERE scope = :scope AND word = ANY(CAST(:words AS text[])) LIMIT :enough) AS counted"
)
_RANK = text(
    "WITH totals AS (SELECT memories, CAST(words AS float8) / greatest(memories, 1) AS usual FROM memory_word_totals "
    "WHERE scope = :scope), "
    "wanted AS (SELECT * FROM unnest(CAST(:words AS text[]), CAST(:counts AS bigint[])) AS each (word, entries)), "
    "weighed AS (SELECT word, ln(1 + (greatest(memories - entries, 0) + half) / (entries + half)) AS weight, usual "
    "FROM wanted, totals, CAST(0.5 AS float8) AS half) "
    "SELECT memory, "
    "sum(weight * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * (size / usual))) ORDER BY weighed.word) AS score "
    "FROM weighed, LATERAL (SELECT memory, times, size FROM memory_words WHERE scope = :scope "
    "AND memory_words.word = weighed.word ORDER BY memory DESC LIMIT :considered) AS entries "
    "GROUP BY memory ORDER BY score DESC, memory LIMIT :most"
)
_ORPHANS = text(
    "SELECT count(*) FROM memory_words AS entry WHERE NOT EXISTS "
    "(SELECT 1 FROM memories WHERE memories.key = entry.memory AND memories.scope = entry.scope)"
)
_STRAY = text(
    "SELECT count(*) FROM (SELECT scope, count(*) AS memories FROM memories GROUP BY scope) AS stored "
    "FULL JOIN (SELECT scope, memories, words FROM memory_word_totals WHERE memories <> 0 OR words <> 0) AS totals "
    "USING (scope) FULL JOIN (SELECT scope, sum(times) AS words FROM memory_words GROUP BY scope) AS entries "
    "USING (scope) WHERE stored.memories IS DISTINCT FROM totals.memories "
    "OR coalesce(totals.words, 0) <> coalesce(entries.words, 0)"
)


class TableIndex:
    """The lexical index of a database on a server."""

    tables = ("memory_words", "memory_word_totals")

    def create(self, connection: Connection) -> None:
        for statement in _TABLES:
            connection.execute(text(statement))

    def insert(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        for scope, members in _by_scope(texts):
            words = [(key, word) for key, _, content in members for word in _words(content)]
            if words:
                keys, spelled = zip(*words, strict=True)
                connection.execute(_INSERT, {"scope": scope, "keys": list(keys), "words": list(spelled)})
            connection.execute(_COUNT_IN, {"scope": scope, "memories": len(members), "words": len(words)})

    def delete(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        for scope, members in _by_scope(texts):
            keys = [member.key for member in members]
            connection.execute(_DELETE, {"scope": scope, "keys": keys, "memories": len(keys)})

    def search(self, connection: Connection, scope: int, query: str, most: int) -> list[Hit]:
        spelled = list(dict.fromkeys(_words(query)))[:_MOST_WORDS]
        if not spelled:
            return []
        considered = choose_considered(most)
        parameters = {"scope": scope, "words": spelled, "enough": considered + 1}
        found: list[tuple[str, int]] = sorted(tuple(row) for row in connection.execute(_COUNTS, parameters))
        counts = {word: entries for word, entries in found if entries}
        if len(counts) > 1 and self._has_more(connection, scope, counts, considered):
            counts = {word: counts[word] for word in pick_rarest(counts, considered)}
        if not counts:
            return []
        chosen = {"words": list(counts), "counts": list(counts.values()), "considered": considered}
        rows = connection.execute(_RANK, {"scope": scope, "most": most, **chosen})
        return [Hit(*row) for row in rows]

    def _has_more(self, connection: Connection, scope: int, counts: dict[str, int], considered: int) -> bool:
        """Whether more memories than that have any of the words; most have several, and count once."""
        if max(counts.values()) > considered:
            return True
        if sum(counts.values()) <= considered:
            return False
        parameters = {"scope": scope, "words": list(counts), "enough": considered + 1}
        return connection.execute(_COUNT_ANY, parameters).scalar_one() > considered

    def examine(self, connection: Connection, *, is_writable: bool) -> list[str]:
        orphans = connection.execute(_ORPHANS).scalar_one()
        strays = connection.execute(_STRAY).scalar_one()
        problems = [f"{orphans} entries in the index of words are of memories that are gone"] if orphans else []
        if strays:
            problems.append(f"the index of words does not agree with the memories of {strays} owners")
        return problems


def _words(content: str) -> list[str]:
    return [word[:_LONGEST_WORD] for word in split_words(content)]


def _by_scope(texts: Sequence[IndexedText]) -> list[tuple[int, list[IndexedText]]]:
    return [(scope, list(members)) for scope, members in groupby(texts, key=lambda member: member.scope)]
