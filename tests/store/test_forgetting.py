"""The contract of forgetting: the words are gone everywhere, and what rested on them is named."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from store_samples import ADA, BOB, NOW, act, at, evidence, memory, pending
from test_kept_logs import rejection, verdict

from groundwire.errors import InvalidInput, NotFound
from groundwire.memory.protocols import Store
from groundwire.store.options import StoreOptions
from groundwire.store.sql import open_store
from groundwire.types import Memory
from groundwire.types.records import Session, Tombstone


def test_a_forgotten_memory_leaves_a_tombstone_and_no_words(store: Store):
    store.memories.add(memory("My PIN is 9182.", "m"), act(), fingerprints=["f"])
    gone = store.memories.forget(ADA, ["m"], act(1, actor="bob"))
    stone = Tombstone("m", "ada", at(1), "bob")
    assert gone.tombstones == store.memories.tombstones(ADA) == (stone,) and gone.is_purged
    assert store.memories.get(ADA, "m") is None and store.memories.search(ADA, "PIN 9182") == ()
    assert store.memories.recall(ADA, at(0.5)) == () and store.memories.find_fingerprints(ADA, ["f"]) == ()
    assert store.memories.history(ADA, "m") == (stone,)
    assert store.audit.verify() == () and store.check() == ()
    newest, oldest = store.audit.entries(ADA, target="m")
    assert (newest.action, oldest.action, oldest.details) == ("forget", "add", None)
    with pytest.raises(InvalidInput, match="was forgotten"):
        store.memories.add(memory("My PIN is 9182.", "m"), act(2))


def test_logs_that_quote_it_go_with_it(store: Store):
    store.memories.add(memory("My PIN is 9182.", "m"), act())
    store.logs.record_verdicts(
        [
            verdict("Your PIN has four digits.", evidence=("m", "x"), explanation="by m"),
            verdict("You said: my  pin is 9182."),
            verdict("You like tea.", evidence=("x",)),
            verdict("My PIN is 9182.", "bob"),
        ]
    )
    store.logs.record_rejections([rejection("my PIN is 9182. And more."), rejection("Likes tea")])
    store.sessions.put(ADA, {"/1": {"content": ["He said My PIN is 9182."]}, "/2": "tea"}, NOW)
    gone = store.memories.forget(ADA, ["m"], act(1))
    assert (gone.verdicts, gone.rejections) == (2, 1)
    assert [record.claim for record in store.logs.verdicts(ADA)] == ["You like tea."]
    assert [entry.extracted_text for entry in store.logs.rejections(ADA)] == ["Likes tea"]
    assert store.sessions.values(ADA) == {"/2": "tea"} and len(store.logs.verdicts(BOB)) == 1


def test_the_count_of_verdicts_stays_right_after_forgetting(open_backend: Callable[..., Store]):
    store = open_backend(verdicts_kept=3)
    store.memories.add(memory("My PIN is 9182.", "m"), act())
    store.logs.record_verdicts([verdict("A.", evidence=("m",)), verdict("B."), verdict("C.")])
    store.memories.forget(ADA, ["m"], act(1))
    store.logs.record_verdicts([verdict("D.")])
    assert [record.claim for record in store.logs.verdicts(ADA)] == ["D.", "C.", "B."]


def test_what_rested_on_it_is_named(store: Store):
    store.memories.add(memory("I work at Amazon.", "old"), act())
    store.memories.supersede("old", memory("I work at Google.", "new"), act(1), why="left Amazon for Google")
    store.memories.add(memory("Ada has a badge.", "derived", evidence=evidence("badge", source_id="memory:old")), act())
    store.reviews.enqueue(pending("I work at Amazon.", "same"), act())
    store.reviews.enqueue(
        pending("I work at IBM.", "conflict", validation_result={"conflicting_memory_id": "old"}), act()
    )
    store.reviews.enqueue(pending("I like tea.", "other"), act())
    gone = store.memories.forget(ADA, ["old"], act(2))
    assert gone.memories == ("derived", "new") and gone.reviews == ("same", "conflict")
    line = store.memories.history(ADA, "new")
    assert [type(entry) for entry in line] == [Tombstone, Memory] and [entry.id for entry in line] == ["old", "new"]


def test_why_something_changed_goes_with_what_replaced_it(store: Store):
    store.memories.add(memory("I work at Amazon.", "old"), act())
    store.memories.supersede("old", memory("I work at Google.", "new"), act(1), why="left Amazon for Google")
    store.memories.forget(ADA, ["new"], act(2))
    old = store.memories.get(ADA, "old")
    assert old is not None and old.why == "" and old.superseded_by == "new"


def test_a_decided_review_goes_with_the_memory_it_became(store: Store):
    store.reviews.enqueue(pending("My PIN is 9128.", "q"), act())
    store.reviews.enqueue(pending("My PIN is 9182.", "r"), act())
    store.reviews.reject(ADA, "r", act(), reason="said twice")
    id = store.reviews.approve(
        ADA,
        "q",
        act(1),
        lambda item: store.memories.add(memory(item.edited or ""), act(1)).id,
        edited="My PIN is 9182.",
    )
    store.memories.forget(ADA, [id], act(2))
    assert store.reviews.get(ADA, "q", act(2)) is None and store.reviews.get(ADA, "r", act(2)) is None
    assert all(entry.details is None for entry in store.audit.entries(ADA, target="r") if entry.action == "reject")
    assert store.audit.verify() == ()


def test_an_unknown_id_leaves_everything_as_it_was(store: Store):
    store.memories.add(memory("I like tea.", "m"), act())
    before = store.changes()
    with pytest.raises(NotFound):
        store.memories.forget(ADA, ["m", "never"], act())
    assert store.memories.get(ADA, "m") is not None and store.changes() == before
    assert store.memories.forget(ADA, [], act()).tombstones == ()


def test_everything_of_one_owner_can_be_deleted_and_nothing_of_another(store: Store):
    for scope in (ADA, BOB):
        store.memories.add(memory("My PIN is 9182.", "m", scope), act(), fingerprints=["f"])
        store.memories.supersede("m", memory("My PIN is 7777.", "n", scope), act(1), why="changed")
        store.reviews.enqueue(pending("My PIN is 1234.", "q", scope), act())
        store.logs.record_verdicts([verdict("Your PIN is 9182.", scope.owner, evidence=("m",))])
        store.logs.record_rejections([rejection("My PIN is 4321.", scope.owner)])
        store.sessions.begin(Session("s", scope.owner, NOW, metadata={"pin": 9182}))
        store.sessions.put(scope, {"/pin": 9182}, NOW)
    gone = store.memories.forget_owner(ADA, act(3, actor="officer"))
    assert len(gone.tombstones) == 2 and (gone.verdicts, gone.rejections) == (1, 1)
    kept = list(store.export(BOB))
    assert [line["record"] for line in store.export(ADA)] == ["tombstone", "tombstone"] and len(kept) == 3
    assert store.logs.verdicts(ADA) == store.logs.rejections(ADA) == store.logs.outcomes(ADA) == ()
    assert (
        store.sessions.list(ADA) == ()
        and store.sessions.values(ADA) == {}
        and store.reviews.get(ADA, "q", act()) is None
    )
    entries = store.audit.entries(ADA)[::-1]
    assert [entry.details for entry in entries[:-2]] == [None] * (len(entries) - 2)
    assert entries[-2].action == "forget_owner" and entries[-2].actor == "officer"
    assert len(store.logs.verdicts(BOB)) == 1 and len(store.memories.search(BOB, "PIN")) == 2
    assert store.check() == ()


def test_no_word_of_it_is_left_in_the_files(tmp_path: Path):
    random = Random(7)
    with open_store(tmp_path / "memory.db", NOW) as store:
        words: dict[str, str] = {}
        for _ in range(200):
            word = f"zq{random.getrandbits(60):x}"
            padding = " ".join(random.choices(["alpha", "beta", "gamma"], k=random.randint(1, 200)))
            stored = store.memories.add(memory(f"{word} {padding}"), act(), fingerprints=[word])
            store.logs.record_verdicts([verdict(f"{word} {padding}", evidence=(stored.id,))])
            words[stored.id] = word
        doomed = random.sample(sorted(words), 60)
        assert store.memories.forget(ADA, doomed, act()).is_purged
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [words[id] for id in doomed if words[id].encode() in files] == []
    assert all(word.encode() in files for id, word in words.items() if id not in doomed)


def test_a_reader_delays_the_purge_and_is_not_disturbed(path: Path):
    with open_store(path, NOW, options=StoreOptions(busy_seconds=0.05)) as store:
        store.memories.add(memory("My PIN is 9182.", "m"), act())
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        texts = "SELECT text FROM memories"
        assert reader.execute(texts).fetchall() == [("My PIN is 9182.",)]
        gone = store.memories.forget(ADA, ["m"], act())
        assert gone.tombstones and not gone.is_purged and store.memories.get(ADA, "m") is None
        assert reader.execute(texts).fetchall() == [("My PIN is 9182.",)], "it reads the state that it began with"
        reader.close()
        assert store.purge()
        assert b"9182" not in b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_the_purge_can_be_left_for_later(path: Path):
    with open_store(path, NOW, options=StoreOptions(purge_when_forgetting=False)) as store:
        store.memories.add(memory("My PIN is 9182.", "m"), act())
        assert not store.memories.forget(ADA, ["m"], act()).is_purged
        with store.transaction():
            assert not store.purge(), "what is not committed cannot be purged"
        assert store.purge()
