"""Memories by what they mean: one owner's, as they are now, and gone when they are forgotten."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select
from store_samples import ADA, BOB, NOW, act, at, memory

from groundwire.errors import GroundwireError, InvalidInput, ModelCorrupt
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.migrations import MIGRATIONS, migrate
from groundwire.store.options import StoreOptions
from groundwire.store.sql import SqlStore, open_store
from groundwire.store.sqlite import Sqlite
from groundwire.store.vectors import decode, encode
from groundwire.types import MemoryStatus, Scope

TOPICS = ("tea", "car", "job", "dog")
WORDS = {"beverage": 0, "tea": 0, "automobile": 1, "car": 1, "work": 2, "job": 2, "puppy": 3, "dog": 3}


class Topics:
    """An embedder that one can follow: each word it knows stands for a topic, and each topic is a direction."""

    name = "topics.v1"

    def __init__(self, fingerprint: str = "first", turn: int = 0) -> None:
        self.fingerprint, self.turn = fingerprint, turn
        self.dimensions = len(TOPICS)
        self.texts: list[str] = []
        self.broken: ModelCorrupt | None = None

    def embed(self, texts: Sequence[str]) -> Any:
        if self.broken is not None:
            raise self.broken
        self.texts += texts
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().rstrip(".").split():
                if word in WORDS:
                    row[(WORDS[word] + self.turn) % self.dimensions] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@pytest.fixture
def embedder() -> Topics:
    return Topics()


@pytest.fixture
def store(anywhere: Path | str | None, embedder: Topics):
    with open_store(anywhere, NOW, embedder=embedder) as opened:
        yield opened


def find(store: SqlStore, query: str, scope: Scope = ADA, **options: Any) -> list[str]:
    return [match.memory.id for match in store.vectors.search(scope, query, **options)]


def near(store: SqlStore, query: str, scope: Scope = ADA) -> list[str]:
    """Those that have anything to do with the query."""
    return sorted(match.memory.id for match in store.vectors.search(scope, query) if match.score > 0)


def count_vectors(place: Path | str) -> int:
    with open_store(place, NOW) as store, store._database.reading() as connection:
        return connection.execute(select(func.count()).select_from(schema.vectors)).scalar_one()


def test_a_memory_is_found_in_other_words(store: SqlStore):
    store.memories.add(memory("I like tea.", "t"), act())
    store.memories.add(memory("My car broke.", "c"), act())
    best = store.vectors.search(ADA, "beverage", limit=1)[0]
    assert (best.memory.id, best.memory.text) == ("t", "I like tea.")
    assert best.score == pytest.approx(1.0, abs=1e-6)
    assert store.memories.search(ADA, "beverage") == ()


def test_nobody_finds_what_is_somebody_elses(store: SqlStore):
    other = Scope("ada", "elsewhere")
    for scope in (ADA, BOB, other):
        store.memories.add(memory("I like tea.", f"{scope.owner}-{scope.tenant}", scope), act())
    for scope in (ADA, BOB, other):
        assert find(store, "beverage", scope) == [f"{scope.owner}-{scope.tenant}"]
    assert find(store, "beverage", Scope("nobody")) == []
    assert find(store, "beverage", Scope("ada", "nowhere")) == []


def test_a_query_that_means_nothing_finds_nothing(store: SqlStore):
    store.memories.add(memory("I like tea.", "t"), act())
    assert find(store, "xyzzy") == [] and find(store, "") == [] and find(store, "tea", limit=0) == []


def test_what_is_written_is_found_at_once_however_often_one_has_asked(store: SqlStore):
    for number in range(30):
        store.memories.add(memory("I like tea.", f"t{number}"), act(number))
        assert len(find(store, "beverage", limit=100)) == number + 1


def test_many_more_than_fit_beside_the_rest_are_all_found(store: SqlStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("groundwire.store.vectors._TAIL", 3)
    for start in range(0, 60, 7):
        texts = [memory(f"tea {n}", f"t{n}") for n in range(start, start + 7)]
        store.memories.add_many(texts, act())
        assert set(find(store, "tea", limit=200)) == {f"t{n}" for n in range(start + 7)}


def test_of_equals_the_older_comes_first_and_the_nearer_before_both(store: SqlStore):
    for id, text in (("a", "tea car"), ("b", "tea car"), ("c", "tea")):
        store.memories.add(memory(text, id), act())
    assert find(store, "beverage") == ["c", "a", "b"]


def test_only_what_held_at_the_time_is_found(store: SqlStore):
    old = store.memories.add(memory("My job is baking.", "old"), act())
    store.memories.supersede(old.id, memory("My job is singing.", "new"), act(10), why="changed")
    assert find(store, "work", when=at(5)) == ["old"]
    assert find(store, "work", when=at(20)) == ["new"]
    assert sorted(find(store, "work")) == ["new", "old"]
    assert find(store, "work", when=at(-1)) == []


def test_what_holds_is_found_below_any_number_that_does_not(store: SqlStore):
    for number in range(700):
        store.memories.add(memory("tea", f"t{number}", valid_to=at(1)), act())
    store.memories.add(memory("tea car", "holds"), act())
    assert find(store, "tea", when=at(2), limit=3) == ["holds"]


def test_what_is_forgotten_is_not_found_and_leaves_no_vector(place: Path | str, embedder: Topics):
    with open_store(place, NOW, embedder=embedder) as store, open_store(place, NOW, embedder=embedder) as other:
        for id in ("a", "b"):
            store.memories.add(memory("I like tea.", id), act())
        assert find(other, "beverage") == ["a", "b"]
        store.memories.forget(ADA, ["a"], act(1))
        assert find(store, "beverage") == find(other, "beverage") == ["b"]
        assert count_vectors(place) == 1
        store.memories.forget_owner(ADA, act(2))
        assert find(store, "beverage") == find(other, "beverage") == []
    assert count_vectors(place) == 0


def test_another_process_s_writes_are_seen(place: Path | str, embedder: Topics):
    with open_store(place, NOW, embedder=embedder) as store, open_store(place, NOW, embedder=Topics()) as other:
        store.memories.add(memory("I like tea.", "a"), act())
        assert find(store, "beverage") == find(other, "beverage") == ["a"]
        other.memories.add(memory("More tea.", "b"), act())
        assert find(store, "beverage") == find(other, "beverage") == ["a", "b"]


def test_what_is_undone_was_never_found_by_others_and_is_not_found_later(store: SqlStore):
    store.memories.add(memory("I like tea.", "a"), act())
    assert find(store, "beverage") == ["a"]
    with pytest.raises(InvalidInput), store.transaction():
        store.memories.add(memory("More tea.", "b"), act())
        assert find(store, "beverage") == ["a", "b"], "a transaction sees what it has written"
        raise InvalidInput("anything", "is wrong")
    store.memories.add(memory("My car broke.", "c"), act())  # under the key that the other would have had
    assert near(store, "beverage") == ["a"]
    assert near(store, "automobile") == ["c"]


def test_vectors_are_computed_once_and_read_afterwards(place: Path | str, embedder: Topics):
    with open_store(place, NOW, embedder=embedder) as store:
        store.memories.add(memory("I like tea.", "a"), act())
    assert embedder.texts == ["I like tea."]
    fresh = Topics()
    with open_store(place, NOW, embedder=fresh) as store:
        assert find(store, "beverage") == find(store, "beverage") == ["a"]
    assert fresh.texts == ["beverage", "beverage"]


def test_another_embedder_s_vectors_are_made_again_and_kept(place: Path | str, embedder: Topics):
    with open_store(place, NOW, embedder=embedder) as store:
        store.memories.add_many([memory("I like tea.", "a"), memory("My car broke.", "b")], act())
        assert near(store, "beverage") == ["a"]
    turned = Topics("second", turn=1)
    with open_store(place, NOW, embedder=turned) as store:
        assert near(store, "beverage") == ["a"]
    assert turned.texts == ["beverage", "I like tea.", "My car broke."]
    assert count_vectors(place) == 2
    again = Topics("second", turn=1)
    with open_store(place, NOW, embedder=again) as store:
        assert near(store, "automobile") == ["b"]
    assert again.texts == ["automobile"]


def test_a_read_only_file_is_searched_with_vectors_that_stay_in_memory(place: Path | str):
    with open_store(place, NOW) as store:
        store.memories.add(memory("I like tea.", "a"), act())
    with open_store(place, NOW, read_only=True, embedder=Topics()) as store:
        assert find(store, "beverage") == ["a"]
    assert count_vectors(place) == 0


def test_a_broken_embedder_costs_the_meaning_and_nothing_else(place: Path | str):
    broken = Topics()
    broken.broken = ModelCorrupt("the table is damaged", "install it again")
    with open_store(place, NOW, embedder=broken) as store:
        assert store.vectors.problem is None
        store.memories.add(memory("I like tea.", "a"), act())
        assert find(store, "tea") == []
        assert [match.memory.id for match in store.memories.search(ADA, "tea")] == ["a"]
        assert store.vectors.problem is broken.broken
    with open_store(place, NOW, embedder=Topics()) as store:
        assert find(store, "beverage") == ["a"], "what was missed is made up for"
        assert store.vectors.problem is None
    assert count_vectors(place) == 1


def test_without_an_embedder_nothing_is_found_by_meaning(place: Path | str):
    with open_store(place, NOW) as store:
        store.memories.add(memory("I like tea.", "a"), act())
        assert find(store, "tea") == [] and store.vectors.problem is None


def test_a_file_of_the_first_schema_gets_its_vectors_when_it_is_asked(path: Path):
    database = Database(Sqlite(path), StoreOptions())
    migrate(database, NOW, MIGRATIONS[:1])
    database.close()
    with open_store(path, NOW, embedder=Topics()) as store:
        store.memories.add(memory("I like tea.", "a"), act())
        assert find(store, "beverage") == ["a"] and store.check() == ()


def test_what_is_restored_is_found_by_meaning(place: Path | str, tmp_path: Path):
    with open_store(place, NOW, embedder=Topics()) as store:
        store.memories.add(memory("I like tea.", "a"), act())
        lines = list(store.export())
    with open_store(tmp_path / "other.db", NOW, embedder=Topics()) as other:
        other.restore(lines, act())
        assert find(other, "beverage") == ["a"]


def test_threads_that_read_and_write_at_once_find_what_was_written(place: Path | str):
    with open_store(place, NOW, embedder=Topics()) as store:
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for turn in range(10):
                    store.memories.add(memory("I like tea.", f"t{number}-{turn}"), act())
                    assert f"t{number}-{turn}" in find(store, "beverage", limit=100)
            except (AssertionError, GroundwireError) as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == [] and len(find(store, "beverage", limit=100)) == 40


def test_owners_that_do_not_fit_into_memory_are_read_again(store: SqlStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("groundwire.store.vectors._MOST_BYTES", 1)
    for scope in (ADA, BOB):
        store.memories.add(memory("I like tea.", scope.owner, scope), act())
    for scope in (ADA, BOB, ADA):
        assert find(store, "beverage", scope) == [scope.owner]


def test_one_byte_a_dimension_is_close_enough():
    rows = np.random.default_rng(1).normal(size=(50, 224)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[7] = 0
    back = decode(encode(rows))
    assert np.abs((rows * back).sum(axis=1)[np.arange(50) != 7] - 1).max() < 1e-3
    assert not back[7].any()


@pytest.mark.parametrize("when", [None, at(50)])
@pytest.mark.parametrize("limit", [0, 1, 3, 40])
def test_queries_that_are_asked_together_find_what_each_finds_alone(store: SqlStore, when: Any, limit: int):
    """Also where most of what is nearest no longer holds, so that it is looked for further down."""
    for number in range(120):
        words = f"{TOPICS[number % 4]} {TOPICS[number % 3]} number {number}"
        store.memories.add(memory(words, f"m{number}"), act())
        if number % 5:
            store.memories.change_status(ADA, f"m{number}", MemoryStatus.EXPIRED, act(1), why="over")
    queries = ["tea", "car number 7", "nothing of the kind", "tea", "puppy work", "", "number"]
    for search in (store.memories, store.vectors):
        together = search.rank_all(ADA, queries, when=when, limit=limit)
        assert together == tuple(search.rank(ADA, query, when=when, limit=limit) for query in queries)
        assert search.rank_all(BOB, queries, limit=limit) == ((),) * len(queries)
        assert search.rank_all(ADA, [], limit=limit) == ()
        if limit == 3:
            assert [len(found) for found in together][:2] == [3, 3]
